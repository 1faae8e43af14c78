"""The cards of Herzsammler: a colour, a numeral or a heart, and two objects. The deck is data."""

from __future__ import annotations

from functools import cache
from weakref import WeakValueDictionary

from herzen.cards import Card as AnyCard
from herzen.errors import CardError, SetupError
from herzen.integers import exact_int

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike
    from typing import Any, ClassVar, Self

    Row = tuple[str, str, int, int, int]

LETTERS = "abcdefghijklmnopqrstuvwxyz"
HEADER = ["id", "colour", "kind", "value", "obj_a", "obj_b"]


class Card(AnyCard):
    """A card of our deck. Text: the colour's initial, the value or `H`, the letters of its objects: `R3af`, `VHbf`.

    Cards of another deck are of a subclass of their own.
    """

    __slots__ = ("colour", "kind", "objects", "value")
    colour: str
    """Name of the colour, as in "red"."""
    kind: str
    """"numeral" or "heart"."""
    value: int
    """Points of a numeral; 0 for a heart."""
    objects: tuple[str, str]
    """The letters of the two objects in alphabetical order; twice the same on a double."""
    _rows: ClassVar[tuple[Row, ...]] = ()
    _by_text: ClassVar[dict[str, Card]] = {}
    _by_id: ClassVar[tuple[Card, ...]] = ()

    def __new__(cls, text: str) -> Self:
        return cls.parse(text)

    @classmethod
    def parse(cls, text: str) -> Self:
        """The card of a text, in any case; CardError if it is not in the deck, TypeError for what is no text."""
        if not cls._by_text:
            default_deck()
        card = cls._by_text.get(text)
        if card is None and not isinstance(text, str):
            raise TypeError(f"a card's text is needed, not {type(text).__name__}")
        if card is None and len(text) <= 12:
            tidy = text.strip().lower()
            card = cls._by_text.get(tidy[:-2].upper() + "".join(sorted(tidy[-2:])))
        if card is None:
            shown = ascii(text) if len(text) <= 30 else ascii(text[:27]) + "..."
            raise CardError(f"no such card: {shown} (cards are written like R3af, VHbf)")
        return card  # type: ignore[return-value]

    def __reduce__(self) -> tuple[object, ...]:
        return _card_of, (self._rows, self._text)


def _card_of(rows: tuple[Row, ...], text: str) -> Card:
    return deck_of(rows).parse(text)


_decks: WeakValueDictionary[tuple[Row, ...], type[Card]] = WeakValueDictionary()
"""The card types in use: one a deck, as long as somebody holds it or one of its cards."""


def deck_of(rows: tuple[Row, ...]) -> type[Card]:
    """The card type of a deck. Rows are checked and normalised (see `read_rows`)."""
    if rows == _read_package_deck():
        return default_deck()
    kind = _decks.get(rows)
    if kind is None:
        kind = type("Card", (Card,), {"__slots__": (), "__module__": __name__})
        _fill(kind, rows)
        kind = _decks.setdefault(rows, kind)
    return kind


def _fill(kind: type[Card], rows: tuple[Row, ...]) -> None:
    """Make the cards of a deck."""
    by_text: dict[str, Card] = {}
    by_id = []
    for number, (colour, sort, value, first, second) in enumerate(rows):
        text = f"{colour[0].upper()}{'H' if sort == 'heart' else value}{LETTERS[first]}{LETTERS[second]}"
        card = by_text.get(text)
        if card is None:
            card = object.__new__(kind)
            for name, field in (
                ("index", number),
                ("_text", text),
                ("colour", colour),
                ("kind", sort),
                ("value", value),
                ("objects", (LETTERS[first], LETTERS[second])),
            ):
                object.__setattr__(card, name, field)
            by_text[text] = card
        by_id.append(card)
    kind._rows = rows
    kind._by_text = by_text
    kind._by_id = tuple(by_id)
    kind._all = tuple(by_id)


@cache
def _read_package_deck() -> tuple[Row, ...]:
    import os

    return load_deck(os.path.join(os.path.dirname(__file__), "deck.csv"))


@cache
def default_deck() -> type[Card]:
    """The card type of our deck of 90 cards."""
    _fill(Card, _read_package_deck())
    return Card


def load_deck(path: str | PathLike[str]) -> tuple[Row, ...]:
    """The rows of a deck in a csv file with the header of ours; SetupError, naming the line, if it is no deck."""
    import csv

    with open(path, newline="", encoding="utf-8") as file:
        try:
            lines = list(csv.reader(file))
        except (csv.Error, UnicodeDecodeError) as error:
            raise SetupError(f"deck: not a csv file: {error}") from None
    if not lines or lines[0] != HEADER:
        raise SetupError(f"deck: the first line must be {','.join(HEADER)}")
    rows: list[Any] = []
    for number, line in enumerate(lines[1:]):
        if len(line) != len(HEADER) or line[0] != str(number):
            raise SetupError(
                f"deck, line {number + 2}: {len(HEADER)} fields are needed, the id {number} first"
            )
        try:
            rows.append((line[1], line[2], *map(int, line[3:])))
        except ValueError:
            raise SetupError(f"deck, line {number + 2}: value and objects are numbers") from None
    return read_rows(rows)


def read_rows(rows: Iterable[Any]) -> tuple[Row, ...]:
    """Rows (colour, "numeral" or "heart", value, object a, object b), checked, with object a <= object b.

    SetupError names the row that is wrong (S-DECK).
    """
    out: list[Row] = []
    if isinstance(rows, (str, bytes)):
        raise SetupError("deck: a sequence of rows is needed")
    for number, row in enumerate(rows):
        if isinstance(row, (str, bytes)) or not hasattr(row, "__len__") or len(row) != 5:
            raise SetupError(
                f"deck, row {number}: (colour, kind, value, object a, object b) is needed"
            )
        if number >= 128:
            raise SetupError("deck: at most 128 cards")
        colour, sort, value, first, second = row
        colour, sort = (
            str.__str__(word) if isinstance(word, str) else None for word in (colour, sort)
        )
        if (
            colour is None
            or not colour[:1].isascii()
            or not colour[:1].isalpha()
            or len(colour) > 40
        ):
            raise SetupError(f"deck, row {number}: a colour is a text with a letter A-Z first")
        if sort not in ("numeral", "heart"):
            raise SetupError(f'deck, row {number}: a card is a "numeral" or a "heart"')
        numbers = []
        for name, field, most in (
            ("value", value, 99),
            ("object a", first, 25),
            ("object b", second, 25),
        ):
            exact = exact_int(field)
            if exact is None or not 0 <= exact <= most:
                raise SetupError(f"deck, row {number}: {name} is a number 0..{most}")
            numbers.append(exact)
        value, first, second = numbers
        if sort == "heart" and value:
            raise SetupError(f"deck, row {number}: a heart has the value 0")
        out.append((colour, sort, value, min(first, second), max(first, second)))
    colours = {row[0] for row in out}
    if not 1 <= len(colours) <= 8 or len({colour[0].upper() for colour in colours}) < len(colours):
        raise SetupError("deck: 1 to 8 colours with different initials are needed")
    return tuple(out)
