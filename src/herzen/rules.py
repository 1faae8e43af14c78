"""Rules objects: frozen options, checked when they are built."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from herzen.cards import Card
from herzen.errors import RulesError
from herzen.events import plain
from herzen.integers import exact_int, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar, Self, TypeVar

    from herzen.moves import Move

    K = TypeVar("K")
    Check = Callable[[str, Any], Any]

MOST_CODES = 4096
"""Move texts whose codes are noted for one rules object."""


class FrozenMap(Mapping["K", int]):
    """An immutable, hashable mapping to integers, in ascending order of its keys."""

    __slots__ = ("_items",)

    _items: dict[K, int]

    def __new__(cls, items: Iterable[tuple[K, int]] = ()) -> Self:
        made = super().__new__(cls)
        made._items = dict(sorted(items))
        return made

    def __getitem__(self, key: object) -> int:
        if isinstance(key, str) and key not in self._items:
            for known, value in self._items.items():
                if str(known) == key:
                    return value
        return self._items[key]  # type: ignore[index]

    def __iter__(self) -> Iterator[K]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __hash__(self) -> int:
        return hash(tuple(self._items.items()))

    def __repr__(self) -> str:
        return repr({str(key): value for key, value in self._items.items()})

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (tuple(self._items.items()),)


class Copies:
    """A deck as tables: which indices have the same text, and are alike."""

    __slots__ = ("first", "following", "kinds", "size", "texts")
    first: dict[str, int]
    """The lowest index of each text."""
    following: bytes
    """For each index that of the next copy of the same text; 255: there is none."""
    kinds: bytes
    """For `bytes.translate`: each index becomes the lowest one of the same text."""
    texts: list[str]
    """The text of each index; "" where the deck has no such card."""
    size: int
    """Number of cards."""

    def __init__(self, deck: list[int], card: Callable[[int], Card]) -> None:
        following, kinds, last = bytearray(b"\xff" * 256), bytearray(range(256)), dict[str, int]()
        self.first, self.texts, self.size = {}, [""] * 256, len(deck)
        for index in deck:
            text = str(card(index))
            if text in last:
                following[last[text]] = index
            last[text] = index
            kinds[index] = self.first.setdefault(text, index)
            self.texts[index] = text
        self.following, self.kinds = bytes(following), bytes(kinds)


def canonical_json(value: Any) -> bytes:
    """One line of ASCII JSON, keys sorted."""
    import json

    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def framed(*parts: bytes) -> bytes:
    """Each part behind its length, as the byte form of a position has them (docs/fingerprint.rst)."""
    return b"".join([len(part).to_bytes(4, "little") + part for part in parts])


def refuse(field: str, value: object, allowed: str) -> RulesError:
    """The error for a value that a field does not allow."""
    return RulesError(f"{field}={shown(value)}: allowed is {allowed}")


def integer(low: int, high: int, *, none: bool = False) -> Check:
    """An int from low to high; bool and float are refused. `none`: or None."""
    allowed = f"an integer {low}..{high}" + (" or None" if none else "")

    def check(field: str, value: Any) -> int | None:
        if value is None:
            if none:
                return None
            raise refuse(field, value, allowed)
        number = exact_int(value)
        if number is None or not low <= number <= high:
            raise refuse(field, value, allowed)
        return number

    return check


def flag(field: str, value: Any) -> bool:
    """True or False, nothing else."""
    if type(value) is not bool:
        raise refuse(field, value, "True or False")
    return value


def word(*words: str) -> Check:
    """One of these words."""

    def check(field: str, value: Any) -> str:
        text = str.__str__(value) if isinstance(value, str) else None
        if text is None or text not in words:
            raise refuse(field, value, " or ".join(f'"{item}"' for item in words))
        return text

    return check


class Rules:
    """Base of the rules objects. Frozen and hashable; equal if all options are equal; pickles.

    Every option is an attribute. None for an option means "none" where none is a value, otherwise its default.
    """

    __slots__ = ("_changed", "_codes", "_compiled", "_copies", "_text")
    game: ClassVar[str] = ""
    _fields: ClassVar[tuple[str, ...]] = ()
    _none_is_a_value: ClassVar[tuple[str, ...]] = ()
    """Fields for which None is no default but a value of its own."""
    _compiled: Any
    _changed: dict[str, Any]
    _codes: dict[str, int]
    _copies: Copies
    _text: bytes
    players: int

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"rules are frozen: use replace({name}=...)")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("rules are frozen")

    def _default(self, field: str) -> Any:
        """The default of a field, given the fields that stand before it in `_fields`."""
        raise NotImplementedError

    def _fill(self, given: Mapping[str, Any], checks: Mapping[str, Check]) -> None:
        """Check and set every field, in order: later defaults may depend on earlier fields. Once."""
        if hasattr(self, "_compiled"):  # positions are played by it
            raise TypeError("rules are frozen: they are initialised once")
        changed = {}
        for field in self._fields:
            default = self._default(field)
            value = given[field]
            if value is not None:
                value = checks[field](field, value)
            elif field not in self._none_is_a_value:
                value = default
            object.__setattr__(self, field, value)
            if value != default:
                changed[field] = value
        object.__setattr__(self, "_changed", dict(sorted(changed.items())))

    def _deck(self) -> list[int]:
        """Indices of the cards in play in canonical order."""
        raise NotImplementedError

    def _cards_each(self) -> int:
        """Cards dealt to each hand."""
        raise NotImplementedError

    def _card(self, index: int) -> Card:
        """The card of an index of `_deck`."""
        raise NotImplementedError

    def _parse_card(self, text: str) -> Card:
        """The card of a text; CardError."""
        raise NotImplementedError

    def _parse_move(self, text: str) -> Move:
        """The move of a text; IllegalMove "unknown_move"."""
        raise NotImplementedError

    def _parse_code(self, text: str) -> int:
        """The code of a move's text; IllegalMove "unknown_move"."""
        return self._parse_move(text).code

    def _needs_seed(self) -> bool:
        """Whether the decks alone do not determine a deal."""
        return False

    def _deck_copies(self) -> Copies:
        """The deck's cards by text and by index, made once."""
        try:
            return self._copies
        except AttributeError:
            object.__setattr__(self, "_copies", Copies(self._deck(), self._card))
            return self._copies

    def _move_codes(self) -> dict[str, int]:
        """The codes of move texts read lately, for replaying."""
        try:
            return self._codes
        except AttributeError:
            object.__setattr__(self, "_codes", {})
            return self._codes

    def _read_code(self, text: str) -> int:
        """The code of a move's text, noted in `_move_codes`; IllegalMove "unknown_move"."""
        code = self._parse_code(text)
        codes = self._move_codes()
        if len(codes) >= MOST_CODES:
            codes.clear()
        codes[text] = code
        return code

    def changed(self) -> dict[str, Any]:
        """The options that differ from their defaults, by name in alphabetical order."""
        return dict(self._changed)

    def to_dict(self) -> dict[str, Any]:
        """`changed()` as JSON has it: cards as text, tuples as lists, keys as text."""
        return {name: plain(value) for name, value in self._changed.items()}

    def _frame(self) -> bytes:
        """What the byte forms of all positions under these rules begin with, made once."""
        try:
            return self._text
        except AttributeError:
            text = framed(b"\1", self.game.encode(), canonical_json(self.to_dict()))
            object.__setattr__(self, "_text", text)
            return text

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The rules of a `to_dict`; RulesError for an unknown option or a wrong value."""
        for name in data:
            if not isinstance(name, str) or name not in cls._fields:
                raise RulesError(f"{cls.__name__} has no option {shown(name)}")
        return cls(**data)

    def replace(self, **fields: Any) -> Self:
        """These rules with other values for some options; other options keep theirs where they were not defaults."""
        return type(self)(**{**self._changed, **fields})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rules):
            return NotImplemented
        return type(self) is type(other) and all(
            getattr(self, name) == getattr(other, name) for name in self._fields
        )

    def __hash__(self) -> int:
        return hash((type(self), *(getattr(self, name) for name in self._fields)))

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={_literal(value)}" for name, value in self._changed.items())
        return f"{type(self).__name__}({shown})"

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self._changed)


_defaults: dict[type[Rules], Rules] = {}


def default_rules(kind: type[Rules]) -> Rules:
    """The rules object with all options at their defaults, made once."""
    if kind not in _defaults:
        _defaults[kind] = kind()
    return _defaults[kind]


def _literal(value: Any) -> str:
    """A value as source text that needs no names."""
    if isinstance(value, Mapping):
        return (
            "{"
            + ", ".join(f"{_literal(key)}: {_literal(item)}" for key, item in value.items())
            + "}"
        )
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_literal, value)) + "]"
    return repr(str(value)) if isinstance(value, Card) else repr(value)


def _rebuild(kind: type[Rules], changed: dict[str, Any]) -> Rules:
    return kind(**changed)
