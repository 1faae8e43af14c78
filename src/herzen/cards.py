"""Cards: immutable, interned, one type per deck."""

from __future__ import annotations

from herzen.errors import CardError, SetupCardError, SetupError
from herzen.integers import short

TYPE_CHECKING = (
    False  # `typing` is not imported at run time: it doubles the time of `import herzen`
)
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import ClassVar, Self, TypeVar

    _C = TypeVar("_C", bound="Card")

SUITS = "CDHS"
SYMBOLS = "♣♦♥♠"
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")


class Card:
    """A card of one deck: one object for each text, so `is` and `==` agree. Ordered by `index`."""

    __slots__ = ("_text", "index")
    index: int
    """Place in the deck's canonical order."""
    _text: str
    _all: ClassVar[tuple[Card, ...]] = ()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"cards are immutable: cannot set {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"cards are immutable: cannot delete {name}")

    @classmethod
    def parse(cls, text: str) -> Self:
        """The card of this text; CardError if there is none, TypeError for what is no text."""
        raise NotImplementedError

    @classmethod
    def of(cls, card: Card | str) -> Self:
        """The card itself, or the card of a text; CardError for a card of another deck or an unknown text."""
        if isinstance(card, cls):
            return card
        if isinstance(card, str):
            return cls.parse(card)
        if isinstance(card, Card):
            raise CardError(f"{card} is a card of another deck")
        raise TypeError(f"a card or its text is needed, not {type(card).__name__}")

    @classmethod
    def at(cls, index: int) -> Self:
        """The card of a canonical index; CardError if there is none."""
        if not 0 <= index < len(cls._all):
            raise CardError(f"no card has index {short(index)}")
        return cls._all[index]  # type: ignore[return-value]

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Card({self._text!r})"

    def __lt__(self, other: object) -> bool:
        return self.index < other.index if isinstance(other, type(self)) else NotImplemented

    def __le__(self, other: object) -> bool:
        return self.index <= other.index if isinstance(other, type(self)) else NotImplemented

    def __gt__(self, other: object) -> bool:
        return self.index > other.index if isinstance(other, type(self)) else NotImplemented

    def __ge__(self, other: object) -> bool:
        return self.index >= other.index if isinstance(other, type(self)) else NotImplemented

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def _repr_svg_(self) -> str:
        """The card as a picture, for notebooks."""
        from herzen.render.svg import card_picture

        return card_picture(self).svg

    def __reduce__(self) -> tuple[object, ...]:
        return type(self).parse, (self._text,)


class SuitCard(Card):
    """A card with a rank and a suit. Text: rank, then suit, as in `QS`, `TD`."""

    __slots__ = ("rank", "suit")
    rank: int
    """Number of the rank in `RANKS`, 0 the lowest."""
    suit: int
    """Number of the suit: 0 clubs, 1 diamonds, 2 hearts, 3 spades."""
    RANKS: ClassVar[str] = ""
    _by_text: ClassVar[dict[str, SuitCard]] = {}

    def __init_subclass__(cls, ranks: str) -> None:
        cls.RANKS = ranks
        cards = []
        for index in range(4 * len(ranks)):
            card = object.__new__(cls)
            suit, rank = divmod(index, len(ranks))
            for name, value in (
                ("index", index),
                ("rank", rank),
                ("suit", suit),
                ("_text", ranks[rank] + SUITS[suit]),
            ):
                object.__setattr__(card, name, value)
            cards.append(card)
        cls._all = tuple(cards)
        cls._by_text = {card._text: card for card in cards}

    def __new__(cls, text: str) -> Self:
        return cls.parse(text)

    @property
    def symbol(self) -> str:
        """The card as people write it, as in `Q♠` or `10♦`."""
        rank = self._text[0]
        return ("10" if rank == "T" else rank) + SYMBOLS[self.suit]

    @classmethod
    def parse(cls, text: str) -> Self:
        """The card of a text such as `QS`; also read: `10♦`, `Q♠`, lower case, German B and D for J and Q.

        CardError if no card of this deck has the text; TypeError for what is no text.
        """
        card = cls._by_text.get(text)
        if card is None:
            if not isinstance(text, str):
                raise TypeError(f"a card's text is needed, not {type(text).__name__}")
            card = cls._by_text.get(_usual(text)) if len(text) <= 8 else None
            if card is None:
                raise CardError(
                    f"no such card: {_quoted(text)} (cards are written like QS, TD, 7H)"
                )
        return card  # type: ignore[return-value]


_GERMAN = {"B": "J", "D": "Q"}


def _usual(text: str) -> str:
    """Rank and suit as this package writes them, from the other ways that people write them."""
    text = text.strip().replace("\ufe0e", "").replace("\ufe0f", "").upper()
    rank, suit = text[:-1], text[-1:]
    if suit and suit in SYMBOLS:
        suit = SUITS[SYMBOLS.index(suit)]
    rank = "T" if rank == "10" else _GERMAN.get(rank, rank)
    return rank + suit


def _quoted(text: object) -> str:
    shown = ascii(text)
    return shown if len(shown) <= 40 else shown[:37] + "..."


def read_cards(parse: Callable[[str], _C], cards: Iterable[Card | str], where: str) -> list[_C]:
    """The cards of a set-up, in the order given; SetupCardError, naming the place, for one that is unknown."""
    if isinstance(cards, str):
        cards = str.__str__(cards).split()
    if not hasattr(cards, "__iter__"):
        raise SetupError(f"{where}: cards are needed, not {type(cards).__name__}")
    out = []
    for card in cards:
        if not isinstance(card, (str, Card)):
            raise SetupCardError(
                f"{where}: a card or its text is needed, not {type(card).__name__}"
            )
        try:
            out.append(parse(str(card)))
        except CardError as error:
            raise SetupCardError(f"{where}: {error}") from None
    return out
