"""The moves of Von Herzen: the exchange, drawing, melding, laying off, discarding."""

from __future__ import annotations

from herzen.cards import read_cards
from herzen.errors import CardError, IllegalMove
from herzen.moves import Move as BaseMove
from herzen.vonherzen.cards import CARDS, Card

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import ClassVar, Self

    from herzen.cards import Card as AnyCard

LONGEST_TEXT = 200


class Move(BaseMove):
    """Base of the moves of Von Herzen. A code is the verb times 2**32 plus a part: a set of cards, or a number."""

    __slots__ = ()
    game = "vonherzen"
    verb: ClassVar[int]
    word: ClassVar[str]

    def _make(self, part: int, text: str, **fields: object) -> Self:
        return self._fill(
            code=self.verb << 32 | part, _text=f"{self.word} {text}".rstrip(), **fields
        )


class _Cards(Move):
    """A move that names a set of cards."""

    __slots__ = ("cards",)
    __match_args__ = ("cards",)
    cards: tuple[Card, ...]
    """The cards, in canonical order; a meld that is a run: upwards from its first rank."""

    def __new__(cls, cards: Iterable[AnyCard | str] | str) -> Self:
        read = sorted(read_cards(Card.parse, cards, cls.word))
        if len(set(read)) < len(read):
            raise CardError(f"{cls.word}: a card is named twice")
        if not read and cls is not Offer:
            raise CardError(f"{cls.word}: at least one card is needed")
        part = sum(1 << card.index for card in read)
        shown = cls._order(tuple(read))
        return object.__new__(cls)._make(part, " ".join(map(str, shown)) or "-", cards=shown)

    @classmethod
    def _order(cls, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return cards


class Offer(_Cards):
    """Offer these cards, or none, to the right neighbour. Text: `offer 7C 8C`, `offer -`."""

    __slots__ = ()
    verb, word = 0, "offer"


class Accept(_Cards):
    """Accept an offer, or a counter agreed to, and give these cards. Text: `accept 9H KD`."""

    __slots__ = ()
    verb, word = 1, "accept"


class _Plain(Move):
    """A move that says nothing more."""

    __slots__ = ()
    __match_args__ = ()
    _only: ClassVar[BaseMove]

    def __new__(cls) -> Self:
        return cls._only  # type: ignore[return-value]


class Decline(_Plain):
    """Decline an offer. Text: `decline`."""

    __slots__ = ()
    verb, word = 2, "decline"


class Counter(Move):
    """Ask for a smaller number of cards. Text: `counter 2`."""

    __slots__ = ("n",)
    __match_args__ = ("n",)
    verb, word = 3, "counter"
    n: int
    """The number of cards, 1..7."""

    def __new__(cls, n: int) -> Self:
        if isinstance(n, bool) or not isinstance(n, int) or not 1 <= n <= 7:
            raise ValueError("a counter is a number 1..7")
        return object.__new__(cls)._make(n, str(n), n=n)


class TakeOver(_Cards):
    """Take an offer over and give these cards. Text: `takeover AH KH`."""

    __slots__ = ()
    verb, word = 4, "takeover"


class Stay(_Plain):
    """Do not take the offer over. Text: `stay`."""

    __slots__ = ()
    verb, word = 5, "stay"


class Agree(_Cards):
    """Agree to a counter with these of the offered cards. Text: `agree 7C`."""

    __slots__ = ()
    verb, word = 6, "agree"


class Withdraw(_Plain):
    """Withdraw an offer that was countered. Text: `withdraw`."""

    __slots__ = ()
    verb, word = 7, "withdraw"


class Draw(Move):
    """Draw a card. Text: `draw stock`, `draw pile`, or `draw 9H` where any card of the pile may be taken."""

    __slots__ = ("source",)
    __match_args__ = ("source",)
    verb, word = 8, "draw"
    source: str | Card
    """"stock", "pile", or the card taken from the pile."""

    def __new__(cls, source: str | Card) -> Self:
        if source in ("stock", "pile"):
            return object.__new__(cls)._make(source == "pile", str(source), source=source)
        card = Card.of(source)
        return object.__new__(cls)._make(2 + card.index, str(card), source=card)


class Meld(_Cards):
    """Lay these cards as a new run. Text: the run upwards, `meld 8H 9D TC JH`."""

    __slots__ = ()
    verb, word = 9, "meld"

    @classmethod
    def _order(cls, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        ranks = {card.rank: card for card in cards}
        starts = [rank for rank in sorted(ranks) if (rank - 1) % 8 not in ranks]
        reds = sum(card.red for card in cards)
        if (
            len(ranks) < len(cards)
            or len(starts) > 1
            or min(reds, len(cards) - reds) > 1
            or len(cards) < 3
        ):
            return cards
        if max(reds, len(cards) - reds) < 3:
            return cards
        first = starts[0] if starts else 0
        return tuple(ranks[(first + place) % 8] for place in range(len(cards)))


class LayOff(Move):
    """Lay one card to a run. Text: `layoff 7H 2`."""

    __slots__ = ("card", "run")
    __match_args__ = ("card", "run")
    verb, word = 10, "layoff"
    card: Card
    """The card."""
    run: int
    """Number of the run, 0..9."""

    def __new__(cls, card: AnyCard | str, run: int) -> Self:
        if isinstance(run, bool) or not isinstance(run, int) or not 0 <= run <= 9:
            raise ValueError("a run is a number 0..9")
        laid = Card.of(card)
        return object.__new__(cls)._make(10 * laid.index + run, f"{laid} {run}", card=laid, run=run)


class Discard(Move):
    """Lay a card on the pile and end the turn. Text: `discard 9C`."""

    __slots__ = ("card",)
    __match_args__ = ("card",)
    verb, word = 11, "discard"
    card: Card
    """The card."""

    def __new__(cls, card: AnyCard | str) -> Self:
        laid = Card.of(card)
        return object.__new__(cls)._make(laid.index, str(laid), card=laid)


class EndTurn(_Plain):
    """End the turn without a discard. Text: `end`."""

    __slots__ = ()
    verb, word = 12, "end"


for _kind in (Decline, Stay, Withdraw, EndTurn):
    _kind._only = object.__new__(_kind)._make(0, "")

_SETS: dict[str, type[_Cards]] = {
    kind.word: kind for kind in (Offer, Accept, TakeOver, Agree, Meld)
}
_PLAIN: dict[str, type[_Plain]] = {kind.word: kind for kind in (Decline, Stay, Withdraw, EndTurn)}
_BITS = {str(card): 1 << card.index for card in CARDS}


def _digit(text: str, low: int, high: int) -> int:
    if len(text) != 1 or not text.isascii() or not text.isdigit() or not low <= int(text) <= high:
        raise ValueError(text)
    return int(text)


def _parse(word: str, rest: list[str]) -> Move:
    if word in _PLAIN and not rest:
        return _PLAIN[word]()
    if word in _SETS:
        return _SETS[word]([] if word == "offer" and rest == ["-"] else rest or [""])
    if word == "counter" and len(rest) == 1:
        return Counter(_digit(rest[0], 1, 7))
    if word == "draw" and len(rest) == 1:
        return Draw(rest[0].lower() if rest[0].lower() in ("stock", "pile") else rest[0])
    if word == "layoff" and len(rest) == 2:
        return LayOff(rest[0], _digit(rest[1], 0, 9))
    if word == "discard" and len(rest) == 1:
        return Discard(rest[0])
    raise ValueError(word)


def parse(text: str) -> Move:
    """The move of a text; IllegalMove "unknown_move" if it cannot be read."""
    words = text.split() if len(text) <= LONGEST_TEXT else []
    try:
        return _parse(words[0].lower(), words[1:])
    except (ValueError, IndexError):
        pass
    shown = ascii(text) if len(text) <= 60 else ascii(text[:57]) + "..."
    words_known = ", ".join([*_SETS, *_PLAIN, "counter", "draw", "layoff", "discard"])
    raise IllegalMove(
        text,
        None,
        f"{shown} is no move of Von Herzen: one of {words_known} and its cards",
        code="unknown_move",
    )


def parse_code(text: str) -> int:
    """The code of a text, as `parse(text).code`: moves that name sets of cards are so many that replays make none."""
    words = text.split() if len(text) <= LONGEST_TEXT else [""]
    kind = _SETS.get(words[0]) if words else None
    if kind is not None and len(words) > 1:
        part = 0
        for word in words[1:]:
            part |= _BITS.get(word, 0)
        if part.bit_count() == len(words) - 1:
            return kind.verb << 32 | part
    return parse(text).code


def from_code(code: int) -> Move:
    """The move of a code; IllegalMove "unknown_move" if there is none."""
    if 0 <= code < 13 << 32:
        verb, part = code >> 32, code & 0xFFFFFFFF
        sets: dict[int, Callable[..., Move]] = {kind.verb: kind for kind in _SETS.values()}
        plain: dict[int, Callable[[], Move]] = {kind.verb: kind for kind in _PLAIN.values()}
        if verb in sets and (part or verb == 0):
            return sets[verb](card for card in CARDS if part >> card.index & 1)
        if verb in plain and not part:
            return plain[verb]()
        if verb == Counter.verb and 1 <= part <= 7:
            return Counter(part)
        if verb == Draw.verb and part < 34:
            return Draw(("stock", "pile")[part] if part < 2 else CARDS[part - 2])
        if verb == LayOff.verb and part < 320:
            return LayOff(CARDS[part // 10], part % 10)
        if verb == Discard.verb and part < 32:
            return Discard(CARDS[part])
    raise IllegalMove(code, None, "no move of Von Herzen has this code", code="unknown_move")


Move._parse = staticmethod(parse)
