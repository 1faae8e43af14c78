from typing import Any, TypedDict, type_check_only

from herzen._core import Position, State

@type_check_only
class Facts(TypedDict):
    scores: list[int]
    proposals: int
    proposer: int
    size: int
    counter: int | None
    asked: int
    offered: bytes
    agreed: bytes
    melded: int
    last_left: int
    turns_taken: int
    idle_turns: int
    drawn: int | None
    melds: int
    progress: bool
    turned_over: bool
    blocked: bool
    source_card: int | None
    source_known: bool

def hand(position: Position, seat: int) -> bytes: ...
def known(position: Position, seat: int) -> bytes: ...
def runs(position: Position) -> list[tuple[int, bytes]]: ...
def pile(position: Position) -> bytes: ...
def stock(position: Position) -> bytes: ...
def swaps(position: Position) -> list[tuple[int, int, bytes, bytes]]: ...
def points(position: Position) -> list[int]: ...
def facts(position: Position) -> Facts: ...
def verdict(position: Position, seat: int, code: int) -> int: ...
def place(state: State, zones: dict[str, Any]) -> None: ...
def digest(position: Position) -> bytes: ...
