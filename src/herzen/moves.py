"""Moves: what a seat does in one decision. Immutable, hashable, ordered by code; each game has its own types."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import ClassVar, Self


class Move:
    """Base of all moves. Building one never checks legality; `Game.play` does.

    Two moves are equal if they are of the same type and mean the same; the order of cards does not matter.
    """

    __slots__ = ("_text", "code")
    code: int
    """Number of the move, unique in its game. May change between minor versions: files hold texts."""
    _text: str
    game: ClassVar[str] = ""
    """Name of the game."""
    _parse: ClassVar[Callable[[str], Move]]
    _kinds: ClassVar[frozenset[type[Move]]] = frozenset()
    """The classes of a game's moves: of an object of any other class the code counts, not what it says."""

    def _fill(self, **values: object) -> Self:
        for name, value in values.items():
            object.__setattr__(self, name, value)
        return self

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"moves are immutable: cannot set {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"moves are immutable: cannot delete {name}")

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._text!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Move):
            return NotImplemented
        return type(self) is type(other) and self.code == other.code

    def __hash__(self) -> int:
        return hash(self.code)

    def _same_game(self, other: object) -> bool:
        return isinstance(other, Move) and self.game == other.game

    def __lt__(self, other: Move) -> bool:
        return self.code < other.code if self._same_game(other) else NotImplemented

    def __le__(self, other: Move) -> bool:
        return self.code <= other.code if self._same_game(other) else NotImplemented

    def __gt__(self, other: Move) -> bool:
        return self.code > other.code if self._same_game(other) else NotImplemented

    def __ge__(self, other: Move) -> bool:
        return self.code >= other.code if self._same_game(other) else NotImplemented

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return type(self)._parse, (self._text,)
