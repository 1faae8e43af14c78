"""The one move of Herzsammler: show a card, and where the rules ask for it name one of its objects."""

from __future__ import annotations

from herzen.errors import CardError, IllegalMove
from herzen.herzsammler.cards import Card
from herzen.integers import shown
from herzen.moves import Move as BaseMove

TYPE_CHECKING = False
if TYPE_CHECKING:
    from builtins import object as Anything
    from typing import Self


class Move(BaseMove):
    """Base of the moves of Herzsammler."""

    __slots__ = ()
    game = "herzsammler"


class Show(Move):
    """Show a card and take what matches. Text: `show R3af`, with `choose_object` also ` by a`."""

    __slots__ = ("card", "object")
    __match_args__ = ("card", "object")
    card: Card
    """The card shown."""
    object: str | None
    """The letter of the object named; None without `choose_object`."""

    def __new__(cls, card: Card | str, object: str | None = None) -> Self:
        named = Card.of(card)
        if object is not None and object not in named.objects:
            raise ValueError(f"{named} does not show the object {shown(object)}")
        second = object is not None and object != named.objects[0]
        return (
            super()
            .__new__(cls)
            ._fill(
                card=named,
                object=object,
                code=2 * named.index + second,
                _text=f"show {named}" + ("" if object is None else f" by {object}"),
            )
        )

    def __eq__(self, other: Anything) -> bool:
        if not isinstance(other, Show):
            return NotImplemented
        return self.card is other.card and self.object == other.object

    __hash__ = Move.__hash__

    def __reduce__(self) -> tuple[Anything, ...]:
        return Show, (self.card, self.object)


def parse(text: str, cards: type[Card] | None = None, choose_object: bool | None = None) -> Show:
    """The move of a text under a deck (ours by default); IllegalMove "unknown_move" if it cannot be read.

    choose_object: whether an object must (True) or must not (False) be named; None: either.
    """
    words = text.split() if len(text) <= 60 else []
    if words and words[0].lower() == "show":
        words = words[1:]
    named = None
    if len(words) == 3 and words[1].lower() == "by":
        named = words[2].lower()
    if named is not None or len(words) == 1:
        try:
            card = (cards or Card).parse(words[0])
            if (named is None or named in card.objects) and choose_object in (
                None,
                named is not None,
            ):
                return Show(card, named)
        except CardError:
            pass
    shown = ascii(text) if len(text) <= 60 else ascii(text[:57]) + "..."
    form = "show R3af" + ("" if choose_object is False else " by a")
    raise IllegalMove(
        text, None, f'{shown} is no move of Herzsammler: write "{form}"', code="unknown_move"
    )


def from_code(code: int, cards: type[Card], choose_object: bool) -> Show:
    """The move of a code; IllegalMove "unknown_move" if there is none."""
    number, second = divmod(code, 2)
    if 0 <= number < len(cards._by_id):
        card = cards._by_id[number]
        if card.index == number:
            if not choose_object and not second:
                return Show(card)
            if choose_object and not (second and card.objects[0] == card.objects[1]):
                return Show(card, card.objects[second])
    raise IllegalMove(code, None, "no move of Herzsammler has this code", code="unknown_move")


Move._parse = staticmethod(parse)
Move._kinds = frozenset((Show,))
