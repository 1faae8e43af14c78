"""Views: all that one seat may know of a game, and nothing else.

A view is built from a whitelist. It never holds the seed, other hands or the game, so it may be sent to the
player's client as it is.
"""

from __future__ import annotations

from collections.abc import Mapping

from herzen.cards import Card
from herzen.errors import HerzenError, RecordError
from herzen.events import (
    Event,
    optional,
    plain,
    read_bool,
    read_cards,
    read_int,
    read_ints,
    read_move,
    read_str,
    tuple_of,
)
from herzen.integers import shown
from herzen.moves import Move
from herzen.rules import Rules, canonical_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, ClassVar, Self

    from herzen._worlds import Worlds
    from herzen.events import Reader
    from herzen.game import Game
    from herzen.seeds import Seed


class View:
    """Base of the views. Immutable; equal if their JSON is equal; pickles.

    In JSON cards and moves are text, seats numbers, tuples arrays.
    """

    __slots__ = (
        "_worlds",
        "deal_number",
        "dealer",
        "events",
        "game",
        "hand",
        "hand_sizes",
        "known",
        "legal_moves",
        "names",
        "over",
        "phase",
        "ply",
        "points",
        "rules",
        "scores",
        "seat",
        "to_move",
        "turn",
        "version",
        "winners",
    )
    game: str
    """Name of the game."""
    seat: int | None
    """Whose view it is; None: a spectator's."""
    over: bool
    """Whether the match has ended."""
    winners: tuple[int, ...]
    """Who won; () before the end."""
    phase: str
    """What is to be decided now."""
    turn: int | None
    """The lowest seat that may act; None when the match is over."""
    to_move: tuple[int, ...]
    """All seats that may act now, ascending."""
    version: int
    """The game's version: plays and undos so far."""
    ply: int
    """Moves since the match began."""
    dealer: int
    """Who dealt."""
    deal_number: int
    """Number of the deal, from 0."""
    scores: tuple[int, ...]
    """Totals of the finished deals, by seat."""
    points: tuple[int, ...]
    """Points of this deal so far, from public knowledge."""
    names: tuple[str, ...]
    """Names of the players."""
    hand: tuple[Card, ...]
    """The viewer's cards in canonical order; () for a spectator."""
    hand_sizes: tuple[int, ...]
    """Number of cards in each hand."""
    known: Mapping[int, tuple[Card, ...]]
    """Cards that the viewer remembers to lie in other hands, by seat."""
    legal_moves: tuple[Move, ...]
    """The viewer's legal moves, in ascending code; () if it may not act."""
    events: tuple[Event, ...]
    """This deal's events as the viewer saw them."""
    rules: Rules
    """The options of the match."""

    _worlds: Worlds
    """What `_all_worlds` gives, once it has been called."""

    rules_type: ClassVar[type[Rules]]
    _readers: ClassVar[dict[str, Reader]] = {}
    _seats_in: ClassVar[dict[str, Callable[[Any], Iterable[int | None]]]] = {}
    """The game's own fields that name seats, and how the seats are got out of them."""
    _by_seat: ClassVar[tuple[str, ...]] = ()
    """The game's own fields with an entry for each seat."""

    def __new__(cls, values: Mapping[str, Any]) -> Self:
        view = object.__new__(cls)
        for name in cls._readers:
            object.__setattr__(view, name, values[name])
        return view

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"views are immutable: cannot set {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"views are immutable: cannot delete {name}")

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            name: self.rules.to_dict() if name == "rules" else plain(getattr(self, name))
            for name in self._readers
        }

    def dumps(self) -> str:
        """Canonical JSON: one line, ASCII, keys sorted."""
        return canonical_json(self.to_dict()).decode()

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The view of a `to_dict`. On `View` itself the game is found by its name. RecordError if malformed."""
        if not isinstance(data, Mapping):
            raise RecordError("a view is a JSON object")
        if not cls._readers:
            from herzen.registry import game_class

            try:
                kind = game_class(data.get("game")).view_type
            except ValueError as error:
                raise RecordError(f"view: {error}") from None
            return kind.from_dict(data)  # type: ignore[return-value]
        if set(data) != set(cls._readers):
            wrong = sorted(map(str, set(data) ^ set(cls._readers)))
            raise RecordError(f"view: missing or unknown keys {wrong[:5]}")
        try:
            rules = cls.rules_type.from_dict(data["rules"])
        except (HerzenError, TypeError, AttributeError, ValueError) as error:
            raise RecordError(f"view, rules: {error}") from None
        values = {}
        for name, read in cls._readers.items():
            try:
                values[name] = read(data[name], rules)
            except (HerzenError, TypeError, AttributeError, KeyError, ValueError) as error:
                raise RecordError(f"view, {name}: {error}") from None
        _check_ranges(cls, values, rules.players)
        return cls(values)

    @classmethod
    def loads(cls, text: str | bytes) -> Self:
        """The view of a JSON text; RecordError if malformed."""
        import json

        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise RecordError(f"view: not JSON ({error})") from None
        return cls.from_dict(data)

    def fingerprint(self) -> str:
        """32 hex digits: BLAKE2b-128 of the canonical JSON."""
        import hashlib

        return hashlib.blake2b(
            self.dumps().encode(), digest_size=16, person=b"herzen-view"
        ).hexdigest()

    def sample(self, seed: Seed = None) -> Game:
        """A game at this position with the unseen cards dealt at random, uniformly over all worlds (docs/sampling.rst).

        A world places the physical cards (hands, order of the stock or stack, kitty) so that at least one legal
        history shows the seat everything it saw. The game has the view's version and ply and a seed of its own, no
        moves, no log and nothing to undo; its view of the same seat is this one, but for the events. The same seed
        gives the same world.

        Raises SeedError for a seed that is none; SetupError if the view contradicts itself; NotImplementedError for
        the combinations of options that docs/sampling.rst lists.
        """
        from herzen.seeds import parse_seed

        return self._all_worlds().sample(parse_seed(seed))

    def _all_worlds(self) -> Worlds:
        """What `sample` draws from, made once; SetupError, NotImplementedError: as `sample`."""
        try:
            return self._worlds
        except AttributeError:
            from herzen.registry import game_part

            worlds: Worlds = game_part(self.game, "_worlds").Worlds(self)
            object.__setattr__(self, "_worlds", worlds)
            return worlds

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, View):
            return NotImplemented
        return type(self) is type(other) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((self.game, self.seat, self.version, self.ply))

    def __str__(self) -> str:
        """The table as text, as far as the viewer may know it."""
        from herzen.render.text import table

        return table(self)

    def _repr_svg_(self) -> str:
        """The table as a picture, as far as the viewer may know it."""
        from herzen.render.svg import picture

        return picture(self).svg

    def _repr_html_(self) -> str:
        """The picture and the table as text, for notebooks."""
        from herzen.render.svg import html

        return html(self)

    def __repr__(self) -> str:
        who = "spectator" if self.seat is None else f"seat {self.seat}"
        return f"<{type(self).__name__} of {who}: {self.phase}, deal {self.deal_number}, ply {self.ply}>"

    def __reduce__(self) -> tuple[object, ...]:
        return type(self).loads, (self.dumps(),)


_LIMITS = {
    "version": 1 << 32,
    "ply": 1 << 32,
    "deal_number": 1 << 31,
    "scores": 1 << 31,
    "points": 1 << 31,
    "hand_sizes": 129,
}
"""Numbers of views are below these; totals and points also above their negatives."""


def _check_ranges(kind: type[View], values: Mapping[str, Any], players: int) -> None:
    """RecordError for seats that the rules do not have, and numbers that no game has."""
    from herzen.registry import game_class

    if values["phase"] not in tuple(game_class(values["game"]).phases):
        raise RecordError("view, phase: there is no such phase")
    for name in ("seat", "turn", "dealer", "winners", "to_move", "known"):
        value = values[name]
        seats = () if value is None else (value,) if type(value) is int else value
        if not all(0 <= seat < players for seat in seats):
            raise RecordError(f"view, {name}: seats are 0..{players - 1}")
    for name, seats_in in kind._seats_in.items():
        value = values[name]
        if value is not None and not all(
            seat is None or 0 <= seat < players for seat in seats_in(value)
        ):
            raise RecordError(f"view, {name}: seats are 0..{players - 1}")
    for name in ("scores", "points", "names", "hand_sizes", *kind._by_seat):
        if len(values[name]) != players:
            raise RecordError(f"view, {name}: {players} entries are needed, one a seat")
    for name, limit in _LIMITS.items():
        value = values[name]
        least = -limit if name in ("scores", "points") else -1
        if not all(
            least < number < limit for number in ((value,) if type(value) is int else value)
        ):
            raise RecordError(f"view, {name}: out of range")


def known_cards(pairs: Mapping[int, tuple[Card, ...]]) -> Mapping[int, tuple[Card, ...]]:
    """An immutable mapping of seats to cards, for the field `known`."""
    from types import MappingProxyType

    return MappingProxyType(dict(sorted(pairs.items())))


def common_readers(events: Mapping[str, type[Event]]) -> dict[str, Reader]:
    """How the fields that all views have are read back from JSON."""

    def read_known(value: Any, rules: Rules) -> Mapping[int, tuple[Card, ...]]:
        return known_cards({int(seat): read_cards(cards, rules) for seat, cards in value.items()})

    def read_event(value: Any, rules: Rules) -> Event:
        kind = events.get(value["type"])
        if kind is None:
            raise RecordError(f"no such event: {shown(value['type'])}")
        return kind._read(value, rules)

    def read_rules(value: Any, rules: Rules) -> Rules:
        return rules

    return {
        "game": read_str,
        "seat": optional(read_int),
        "over": read_bool,
        "winners": read_ints,
        "phase": read_str,
        "turn": optional(read_int),
        "to_move": read_ints,
        "version": read_int,
        "ply": read_int,
        "dealer": read_int,
        "deal_number": read_int,
        "scores": read_ints,
        "points": read_ints,
        "names": tuple_of(read_str),
        "hand": read_cards,
        "hand_sizes": read_ints,
        "known": read_known,
        "legal_moves": tuple_of(read_move),
        "events": tuple_of(read_event),
        "rules": read_rules,
    }
