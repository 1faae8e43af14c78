"""Events: what happened, as frozen typed facts. `Game.play` returns them, `Game.log` keeps them.

Every event has `index` (its place in the log of the match, from 0), `version` (the game's version after the play
that caused it) and `deal` (number of the deal). The log is the server's; `for_seat` gives what one seat, or the
public, may see of an event: hidden fields become None, the number of events never changes.
"""

from __future__ import annotations

from collections.abc import Mapping

from herzen.errors import RecordError

TYPE_CHECKING = (
    False  # `typing` is not imported at run time: it doubles the time of `import herzen`
)
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, ClassVar, Self

    from herzen.rules import Rules

    # How a field is read back from JSON; cards and moves are read by the rules of the match.
    Reader = Callable[[Any, Rules], Any]


def plain(value: Any) -> Any:
    """A value as JSON has it: cards and moves as text, tuples as lists, mapping keys as text."""
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, (tuple, list, set, frozenset)):
        return [plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, Event):
        return value.to_dict()
    return str(value)


def read_int(value: Any, rules: Rules) -> int:
    """A JSON number that is an int."""
    if type(value) is not int:
        raise RecordError(f"an integer is needed, not {type(value).__name__}")
    return value


def read_bool(value: Any, rules: Rules) -> bool:
    """A JSON true or false."""
    if type(value) is not bool:
        raise RecordError(f"true or false is needed, not {type(value).__name__}")
    return value


def read_str(value: Any, rules: Rules) -> str:
    """A JSON text."""
    if type(value) is not str:
        raise RecordError(f"a text is needed, not {type(value).__name__}")
    return value


def read_card(value: Any, rules: Rules) -> Any:
    """A card of the rules' deck."""
    return rules._parse_card(read_str(value, rules))


def read_move(value: Any, rules: Rules) -> Any:
    """A move of the rules' game."""
    return rules._parse_move(read_str(value, rules))


def optional(read: Reader) -> Reader:
    """null, or what `read` reads."""
    return lambda value, rules: None if value is None else read(value, rules)


def tuple_of(read: Reader) -> Reader:
    """A JSON array of what `read` reads."""

    def reader(value: Any, rules: Rules) -> Any:
        if type(value) is not list:
            raise RecordError(f"an array is needed, not {type(value).__name__}")
        return tuple(read(item, rules) for item in value)

    return reader


def row_of(*reads: Reader) -> Reader:
    """A JSON array with exactly these parts."""

    def reader(value: Any, rules: Rules) -> Any:
        if type(value) is not list or len(value) != len(reads):
            raise RecordError(f"an array of {len(reads)} is needed")
        return tuple(read(item, rules) for read, item in zip(reads, value, strict=True))

    return reader


read_ints = tuple_of(read_int)
read_cards = tuple_of(read_card)
maybe_cards = optional(read_cards)


class Event:
    """Base of all events. Immutable; equal if all fields are equal."""

    __slots__ = ("deal", "index", "version")
    __match_args__: ClassVar[tuple[str, ...]] = ()
    index: int
    """Place in the log of the match, from 0."""
    version: int
    """The game's version after the play that caused it; 0 for the first deal."""
    deal: int
    """Number of the deal, from 0."""
    _readers: ClassVar[dict[str, Reader]] = {}
    _private: ClassVar[tuple[str, ...]] = ()
    """Fields that only the seat in the field `seat` may see."""
    _by_seat: ClassVar[tuple[str, ...]] = ()
    """Fields with one entry a seat, each for that seat only."""
    _server: ClassVar[tuple[str, ...]] = ()
    """Fields that nobody may see."""

    def __new__(cls, index: int, version: int, deal: int, **fields: Any) -> Self:
        event = object.__new__(cls)
        for name in cls.__match_args__:
            object.__setattr__(event, name, fields.pop(name))
        if fields:
            raise TypeError(f"{cls.__name__} has no field {', '.join(fields)}")
        for name, value in (("index", index), ("version", version), ("deal", deal)):
            object.__setattr__(event, name, value)
        return event

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"events are immutable: cannot set {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"events are immutable: cannot delete {name}")

    def for_seat(self, seat: int | None) -> Self:
        """The event as a seat may see it (None: as everybody may): hidden fields are None."""
        if not (self._private or self._by_seat or self._server):
            return self
        values = {name: getattr(self, name) for name in self.__match_args__}
        for name in self._server:
            values[name] = None
        if self._private and (seat is None or seat != values["seat"]):
            for name in self._private:
                values[name] = None
        for name in self._by_seat:
            if values[name] is not None:
                values[name] = tuple(
                    item if at == seat else None for at, item in enumerate(values[name])
                )
        return type(self)(self.index, self.version, self.deal, **values)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready: "type", "index", "version", "deal", then the fields by name."""
        head = {
            "type": type(self).__name__,
            "index": self.index,
            "version": self.version,
            "deal": self.deal,
        }
        return head | {name: plain(getattr(self, name)) for name in self.__match_args__}

    @classmethod
    def _read(cls, data: Mapping[str, Any], rules: Rules) -> Self:
        if set(data) != {"type", "index", "version", "deal", *cls.__match_args__}:
            raise RecordError(f"event {cls.__name__}: wrong fields")
        return cls(
            read_int(data["index"], rules),
            read_int(data["version"], rules),
            read_int(data["deal"], rules),
            **{name: cls._readers[name](data[name], rules) for name in cls.__match_args__},
        )

    def _values(self) -> tuple[Any, ...]:
        return (
            self.index,
            self.version,
            self.deal,
            *(getattr(self, name) for name in self.__match_args__),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Event):
            return NotImplemented
        return type(self) is type(other) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash((type(self).__name__, self.index, self.version))

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={plain(getattr(self, name))!r}" for name in self.__match_args__)
        return f"<{type(self).__name__} {self.index}: {shown}>"

    def __reduce__(self) -> tuple[object, ...]:
        fields = {name: getattr(self, name) for name in self.__match_args__}
        return _rebuild, (type(self), self.index, self.version, self.deal, fields)


def _rebuild(
    kind: type[Event], index: int, version: int, deal: int, fields: dict[str, Any]
) -> Event:
    return kind(index, version, deal, **fields)


class GameEnded(Event):
    """The match is over."""

    __slots__ = __match_args__ = ("scores", "winners")
    scores: tuple[int, ...]
    """Final totals by seat."""
    winners: tuple[int, ...]
    """Seats that won, several on a tie."""
    _readers = {"scores": read_ints, "winners": read_ints}
