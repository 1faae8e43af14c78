"""A match as one seat saw it, as a file: its views and its events, and nothing else (docs/records.rst).

It is built from what the seat was sent anyway. It holds no seed, no decks, no fingerprints of the server and no
meta, so it may be given to the player.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from herzen import record_reading as reading
from herzen.errors import HerzenError, RecordError
from herzen.events import Event, plain
from herzen.record_file import RecordFile
from herzen.seats import read_seat
from herzen.view import View

if TYPE_CHECKING:
    from typing import Self, SupportsIndex

    from herzen.game import Game
    from herzen.record import Record
    from herzen.rules import Rules

FORMAT = "herzen-seat-record"
VERSION = 1
KEYS = ("format", "version", "game", "rules", "seat", "names", "views", "events")
SHARED = ("game", "rules", "seat", "names", "events")
"""Fields of a view that stand once in the record."""

_UNREADABLE = (
    HerzenError,
    TypeError,
    AttributeError,
    KeyError,
    ValueError,
    OverflowError,
    RecursionError,
)


class SeatRecord(RecordFile):
    """A match as one seat saw it. Made by `Record.for_seat`, or read by `load` and `loads`.

    Equal if the JSON is equal. A view that is replayed has the number of moves for its version, as `Record.replay`
    to a number of moves has it.
    """

    __slots__ = ("_changes", "events", "game", "names", "rules", "seat")
    game: str
    """Name of the game."""
    rules: Rules
    """The options."""
    seat: int | None
    """Whose record it is; None: a spectator's."""
    names: tuple[str, ...]
    """Names of the players."""
    events: tuple[Event, ...]
    """All events, as the seat saw them."""
    _changes: tuple[dict[str, Any], ...]
    """The fields of the first view, then after each move those that have another value."""

    def __init__(self, **fields: Any) -> None:
        for name in self.__slots__:
            object.__setattr__(self, name, fields.pop(name))
        if fields:
            raise TypeError(f"no such fields: {sorted(fields)}")

    @classmethod
    def of(cls, record: Record, seat: SupportsIndex | None) -> SeatRecord:
        """What a seat saw of a match (None: a spectator). TypeError, IndexError for a seat that is none;
        ReplayMismatch if the record does not replay.
        """
        who = None if seat is None else read_seat(seat, record.rules.players)
        changes: list[dict[str, Any]] = []
        now: dict[str, Any] = {}
        view = game = None
        for game in record.positions():
            view = game.copy(history=False).view(who)  # without events: they are told once, below
            values = {name: getattr(view, name) for name in view._readers if name not in SHARED}
            changes.append(
                {
                    name: value
                    for name, value in values.items()
                    if name not in now or now[name] != value
                }
            )
            now = values
        assert view is not None
        assert game is not None
        return cls(
            game=view.game,
            rules=view.rules,
            seat=who,
            names=view.names,
            events=game.events(who),
            _changes=tuple(changes),
        )

    # ---- looking ---------------------------------------------------------------------------------------
    def __len__(self) -> int:
        """Number of moves."""
        return len(self._changes) - 1

    def positions(self) -> Iterator[View]:
        """The view before the first move and after each."""
        values: dict[str, Any] = {name: getattr(self, name) for name in SHARED}
        kind = reading.read_game(self.game).view_type
        first = last = 0  # of this deal's events, up to this move
        for version, change in enumerate(self._changes):
            values.update(change)
            while last < len(self.events) and self.events[last].version <= version:
                last += 1
            while first < last and self.events[first].deal < values["deal_number"]:
                first += 1
            yield kind(values | {"events": self.events[first:last]})

    def replay(self, to: int | None = None) -> View:
        """The view after `to` moves (None: all of them). TypeError, IndexError if there are not so many."""
        count = len(self) if to is None else to
        if isinstance(count, bool) or not hasattr(count, "__index__"):
            raise TypeError(f"to is a number of moves, not {type(count).__name__}")
        if not 0 <= count <= len(self):
            raise IndexError(f"the record has {len(self)} moves, not {count}")
        for version, view in enumerate(self.positions()):
            if version == count:
                return view
        raise AssertionError("there is a view for every move")

    # ---- writing ---------------------------------------------------------------------------------------
    def to_dict(self) -> dict[str, Any]:
        """The record as the JSON file has it."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "game": self.game,
            "rules": self.rules.to_dict(),
            "seat": self.seat,
            "names": list(self.names),
            "views": [
                {name: plain(value) for name, value in change.items()} for change in self._changes
            ],
            "events": [event.to_dict() for event in self.events],
        }

    def dumps(self) -> str:
        """The record as one line of ASCII JSON."""
        import json

        return json.dumps(self.to_dict(), separators=(",", ":"))

    # ---- reading ---------------------------------------------------------------------------------------
    @classmethod
    def from_dict(cls, data: Any) -> Self:
        """The record of a `to_dict`; RecordError with the place of the first fault.

        Every field of every view and event is checked by itself, not whether they fit together.
        """
        reading.check_frame(data, FORMAT, KEYS, VERSION, "seat's record")
        kind = reading.read_game(data["game"])
        rules = reading.read_rules(kind, data["rules"])
        seat = data["seat"]
        if seat is not None:
            reading.check_int(seat, "seat", 0, rules.players - 1)
        names = reading.read_names(data["names"], rules.players)
        if names is None:
            raise RecordError(f"names: {rules.players} texts are needed")
        changes = _read_views(kind, rules, data["views"])
        return cls(
            game=data["game"],
            rules=rules,
            seat=seat,
            names=names,
            events=_read_events(kind.view_type, rules, data["events"], len(changes) - 1),
            _changes=changes,
        )

    def __repr__(self) -> str:
        who = "a spectator" if self.seat is None else f"seat {self.seat}"
        return f"<SeatRecord of {who} in {self.game}: {len(self)} moves>"


# ---- checks of the loader ------------------------------------------------------------------------------------


def _read_views(kind: type[Game], rules: Rules, views: Any) -> tuple[dict[str, Any], ...]:
    readers = kind.view_type._readers
    if type(views) is not list or not views:
        raise RecordError("views: an array with at least one view is needed")
    names = [name for name in readers if name not in SHARED]
    out = []
    for number, view in enumerate(views):
        if type(view) is not dict:
            raise RecordError(f"views[{number}]: an object is needed")
        values = {}
        for name, value in view.items():
            place = f"views[{number}].{name if name in names else reading.short(name)}"
            if name not in names:
                raise RecordError(f"{place}: a view has no such field here")
            try:
                values[name] = read = readers[name](value, rules)
            except _UNREADABLE as error:
                raise RecordError(f"{place}: {reading.told(error)}") from None
            if name == "phase" and read not in list(kind.phases):
                raise RecordError(f"{place}: one of {', '.join(kind.phases)} is needed")
            if not _fits(name, read, rules.players, number):
                raise RecordError(f"{place}: not possible here, with {rules.players} seats")
        if not number and len(values) < len(names):
            missing = next(name for name in names if name not in values)
            raise RecordError(f"views[0]: missing key {missing!r}")
        out.append(values)
    return tuple(out)


def _fits(name: str, value: Any, players: int, number: int) -> bool:
    """Whether a field of view `number` that all games have fits the number of players."""
    if name in ("scores", "points", "hand_sizes"):
        return len(value) == players
    if name in ("to_move", "winners"):
        return all(0 <= seat < players for seat in value)
    if name == "turn":
        return value is None or 0 <= value < players
    if name == "dealer":
        return bool(0 <= value < players)
    if name == "known":
        return all(0 <= seat < players for seat in value)
    return name != "version" or bool(value == number)


def _read_events(kind: type[View], rules: Rules, events: Any, moves: int) -> tuple[Event, ...]:
    """The events in their order: places ascending by one, versions and deals not descending."""
    try:
        read: tuple[Event, ...] = kind._readers["events"](events, rules)
    except _UNREADABLE as error:
        raise RecordError(f"events: {reading.told(error)}") from None
    version = deal = 0
    for place, event in enumerate(read):
        if event.index != place or not version <= event.version <= moves or event.deal < deal:
            raise RecordError(f"events[{place}]: index, version or deal out of order")
        version, deal = event.version, event.deal
    return read
