from collections.abc import Callable, Sequence
from typing import NoReturn

from herzen._core import State

def object_maker(
    refuse: Callable[[str], NoReturn],
) -> Callable[[list[tuple[str, object]]], dict[str, object]]: ...
def read_moves(moves: list[object], players: int) -> tuple[tuple[int, str], ...] | int: ...
def read_deck(
    deck: list[object], first: dict[str, int], following: bytes, size: int
) -> bytes | None: ...
def deck_texts(deck: bytes, texts: list[str]) -> tuple[str, ...]: ...
def fill(record: object, names: tuple[str, ...], values: Sequence[object]) -> None: ...
def seeded_deals(
    game: State, deals: list[object], texts: list[str]
) -> list[tuple[str, ...]] | None: ...
def is_hex(text: object, digits: int) -> bool: ...
def read_marks(marks: list[object], moves: int) -> tuple[tuple[int, str], ...] | int: ...
def agrees(
    game: State,
    moves: tuple[tuple[int, str], ...],
    marks: tuple[tuple[int, str], ...],
    codes: dict[str, int],
    read: Callable[[str], int],
) -> bool: ...
def play_on(
    game: State,
    moves: tuple[tuple[int, str], ...],
    first: int,
    last: int,
    codes: dict[str, int],
    read: Callable[[str], int],
) -> int: ...
