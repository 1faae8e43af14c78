from collections.abc import Callable

from herzen._core import State

def read_moves(moves: list[object], players: int) -> tuple[tuple[int, str], ...] | int: ...
def read_deck(
    deck: list[object], first: dict[str, int], following: bytes, size: int
) -> bytes | None: ...
def deck_texts(deck: bytes, texts: list[str]) -> tuple[str, ...]: ...
def read_marks(marks: list[object], moves: int) -> tuple[tuple[int, str], ...] | int: ...
def play_on(
    game: State,
    moves: tuple[tuple[int, str], ...],
    first: int,
    last: int,
    codes: dict[str, int],
    read: Callable[[str], int],
) -> int: ...
