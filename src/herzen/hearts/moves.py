"""The moves of Hearts: pass cards, play a card, decide about the moon."""

from __future__ import annotations

from collections.abc import Iterable

from herzen.cards import Card as AnyCard
from herzen.errors import CardError, IllegalMove
from herzen.hearts.cards import CARDS, Card
from herzen.integers import shown
from herzen.moves import Move as BaseMove

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

ADD, SUBTRACT, PASS = 52, 53, 54
LONGEST_TEXT = 400
MOST = 7
"""Cards of the longest pass that has a code: a byte each and one for `PASS`."""


class Move(BaseMove):
    """Base of the moves of Hearts."""

    __slots__ = ()
    game = "hearts"


class Play(Move):
    """Play a card to the trick. Text: the card, as in `QS`."""

    __slots__ = ("card",)
    __match_args__ = ("card",)
    card: Card
    """The card played."""

    def __new__(cls, card: AnyCard | str) -> Self:
        return PLAYS[Card.of(card).index]  # type: ignore[return-value]


class Pass(Move):
    """Pass these cards. Text: `pass 2C 3D QS`, in canonical order."""

    __slots__ = ("cards",)
    __match_args__ = ("cards",)
    cards: tuple[Card, ...]
    """The cards passed, in canonical order."""

    def __new__(cls, cards: Iterable[AnyCard | str] | str) -> Self:
        given = cards.split() if isinstance(cards, str) else cards
        held = tuple(sorted(Card.of(card) for card in given))
        if len(held) > MOST:
            raise CardError(f"pass: at most {MOST} cards can be named")
        code = int.from_bytes(bytes((PASS, *(card.index for card in held))), "big")
        return cls._of(held, code)

    @classmethod
    def _of(cls, held: tuple[Card, ...], code: int) -> Self:
        """The pass of these cards, in order, which has this code; a deal may offer hundreds."""
        move = object.__new__(cls)
        _set_cards(move, held)
        _set_code(move, code)
        _set_text(move, " ".join(["pass", *[card._text for card in held]]))
        return move


# The slots' own setters: moves refuse assignment, and a call through object.__setattr__ takes three times as long.
_set_cards = Pass.__dict__["cards"].__set__
_set_code = BaseMove.__dict__["code"].__set__
_set_text = BaseMove.__dict__["_text"].__set__


class MoonChoice(Move):
    """The shooter's decision: "add" the points to the others, or "subtract" them from oneself."""

    __slots__ = ("kind",)
    __match_args__ = ("kind",)
    kind: str
    """"add" or "subtract"."""

    def __new__(cls, kind: str) -> Self:
        if kind not in ("add", "subtract"):
            raise ValueError(f'a moon choice is "add" or "subtract", not {shown(kind)}')
        return MOONS[kind == "subtract"]  # type: ignore[return-value]


PLAYS = tuple(
    object.__new__(Play)._fill(card=card, code=card.index, _text=str(card)) for card in CARDS
)
MOONS = tuple(
    object.__new__(MoonChoice)._fill(kind=kind, code=code, _text=f"moon {kind}")
    for kind, code in (("add", ADD), ("subtract", SUBTRACT))
)
_SHORT: dict[str, Move] = {str(move): move for move in (*PLAYS, *MOONS)}
_INDEX = {str(card): card.index for card in CARDS}


def parse(text: str) -> Move:
    """The move of a text; IllegalMove "unknown_move" if it cannot be read."""
    move = _SHORT.get(text)
    if move is not None:
        return move
    words = text.split() if len(text) <= LONGEST_TEXT else []
    try:
        if words and words[0].lower() == "pass":
            return Pass(words[1:])
        if len(words) == 2 and words[0].lower() == "moon":
            return _SHORT[f"moon {words[1].lower()}"]
        if len(words) == 1:
            return Play(words[0])
    except (CardError, KeyError):
        pass
    shown = ascii(text) if len(text) <= 60 else ascii(text[:57]) + "..."
    raise IllegalMove(
        text,
        None,
        f'{shown} is no move of Hearts: a card ("QS"), "pass" and cards, "moon add" or "moon subtract"',
        code="unknown_move",
    )


def parse_code(text: str) -> int:
    """The code of a text, as `parse(text).code`: there are so many passes that replays make no moves of them."""
    words = text.split() if len(text) <= LONGEST_TEXT else []
    if 1 < len(words) <= 1 + MOST and words[0] == "pass":
        try:
            held = sorted([_INDEX[word] for word in words[1:]])
        except KeyError:
            pass
        else:
            return int.from_bytes(bytes((PASS, *held)), "big")
    return parse(text).code


def from_code(code: int) -> Move:
    """The move of a code; IllegalMove "unknown_move" if there is none."""
    if 0 <= code < 52:
        return PLAYS[code]
    if ADD <= code <= SUBTRACT:
        return MOONS[code - ADD]
    if PASS <= code < 1 << 63:
        verb, *held = code.to_bytes((code.bit_length() + 7) // 8, "big")
        if verb == PASS and held == sorted(held) and (not held or held[-1] < len(CARDS)):
            return Pass._of(tuple([CARDS[card] for card in held]), code)
    raise IllegalMove(code, None, "no move of Hearts has this code", code="unknown_move")


Move._parse = staticmethod(parse)
Move._kinds = frozenset((Play, Pass, MoonChoice))
