"""Seats: the handle that `g.seats`, `g.turn`, `g.to_move` and `g.winners` give out; seats and names from outside."""

from __future__ import annotations

from herzen.errors import SetupError
from herzen.integers import exact_int, short

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from herzen.cards import Card
    from herzen.events import Event
    from herzen.game import Game
    from herzen.moves import Move
    from herzen.view import View


class Seat:
    """One seat of a game. Compares and hashes as its number, from 0 clockwise, and can be used as an index.

    Seats hold their game, so they stay on the server; views, events and records hold plain numbers.
    """

    __slots__ = ("_game", "_index")
    _game: Game
    _index: int

    def __init__(self, game: Game, index: int) -> None:
        self._game = game
        self._index = index

    @property
    def index(self) -> int:
        """Number of the seat."""
        return self._index

    @property
    def name(self) -> str:
        """The player's name, or "Seat 0" and so on."""
        return self._game.names[self._index]

    @property
    def hand(self) -> tuple[Card, ...]:
        """The cards held, in canonical order."""
        return self._game.hand(self._index)

    def legal_moves(self) -> tuple[Move, ...]:
        """The moves this seat may make now, in ascending code; () if it may not act."""
        return self._game.legal_moves(self._index)

    def view(self) -> View:
        """What this seat may know."""
        return self._game.view(self._index)

    def play(self, move: Move | str | int) -> tuple[Event, ...]:
        """Play a move for this seat; see `Game.play`."""
        return self._game.play(move, seat=self._index)

    def __index__(self) -> int:
        return self._index

    def __int__(self) -> int:
        return self._index

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Seat):
            return self._index == other._index
        return self._index == other if isinstance(other, int) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._index)

    def __lt__(self, other: Seat | int) -> bool:
        return self._index < int(other)

    def __le__(self, other: Seat | int) -> bool:
        return self._index <= int(other)

    def __gt__(self, other: Seat | int) -> bool:
        return self._index > int(other)

    def __ge__(self, other: Seat | int) -> bool:
        return self._index >= int(other)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<Seat {self._index}>"


def read_seat(seat: Any, players: int) -> int:
    """A seat's number; TypeError if it is none, IndexError if there is no such seat."""
    number = exact_int(seat)
    if number is None:
        raise TypeError(f"a seat is a number, not {type(seat).__name__}")
    if not 0 <= number < players:
        raise IndexError(f"there is no seat {short(number)}: seats are 0..{players - 1}")
    return number


def read_names(names: Sequence[str] | None, players: int) -> tuple[str, ...] | None:
    """One name for each seat, or None."""
    if names is None:
        return None
    if isinstance(names, str) or not all(isinstance(name, str) for name in names):
        raise TypeError("names: a sequence of texts, one a seat")
    if len(names) != players:
        raise SetupError(f"names: {players} are needed, not {len(names)}")
    return tuple(str(name) for name in names)
