"""The events of Hearts."""

from __future__ import annotations

from herzen.events import (
    Event,
    GameEnded,
    maybe_cards,
    optional,
    read_bool,
    read_card,
    read_cards,
    read_int,
    read_ints,
    read_str,
    tuple_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from herzen.hearts.cards import Card


class Dealt(Event):
    """A new deal. Hands are before passing."""

    __slots__ = __match_args__ = ("dealer", "hands", "kitty", "kitty_size", "pass_direction")
    dealer: int
    """The seat that dealt."""
    hands: tuple[tuple[Card, ...] | None, ...]
    """The hands by seat; others' hands are None to a seat, all to the public."""
    kitty: tuple[Card, ...] | None
    """The kitty's cards: None to everybody but the server."""
    kitty_size: int
    """Number of cards in the kitty."""
    pass_direction: str
    """"left", "right", "across" or "hold"."""
    _readers = {
        "dealer": read_int,
        "hands": tuple_of(maybe_cards),
        "kitty": maybe_cards,
        "kitty_size": read_int,
        "pass_direction": read_str,
    }
    _by_seat = ("hands",)
    _server = ("kitty",)


class Passed(Event):
    """A seat has committed its pass; the cards stay in its hand until all have."""

    __slots__ = __match_args__ = ("seat", "cards", "automatic")
    seat: int
    """Who passes."""
    cards: tuple[Card, ...] | None
    """What: None to others."""
    automatic: bool | None
    """Whether the seat had no choice: None to others."""
    _readers = {"seat": read_int, "cards": maybe_cards, "automatic": optional(read_bool)}
    _private = ("cards", "automatic")


class Exchanged(Event):
    """All have passed: the cards move at once."""

    __slots__ = __match_args__ = ("received",)
    received: tuple[tuple[Card, ...] | None, ...]
    """What each seat received; others' are None."""
    _readers = {"received": tuple_of(maybe_cards)}
    _by_seat = ("received",)


class LeadPassed(Event):
    """The lead went on to the left because these seats hold only hearts (H-LEAD-7)."""

    __slots__ = __match_args__ = ("seats", "leader")
    seats: tuple[int, ...]
    """Who passed the lead on, in order."""
    leader: int
    """Who leads."""
    _readers = {"seats": read_ints, "leader": read_int}


class Played(Event):
    """A card was played to the trick."""

    __slots__ = __match_args__ = ("seat", "card", "automatic")
    seat: int
    """Who played."""
    card: Card
    """What."""
    automatic: bool | None
    """Whether the seat had no choice: None to others."""
    _readers = {"seat": read_int, "card": read_card, "automatic": optional(read_bool)}
    _private = ("automatic",)


class TrickTaken(Event):
    """A trick is complete."""

    __slots__ = __match_args__ = ("leader", "cards", "winner")
    leader: int
    """Who led."""
    cards: tuple[Card, ...]
    """The cards in the order played."""
    winner: int | None
    """Who takes it; None: it is held over (H-CANC-8)."""
    _readers = {"leader": read_int, "cards": read_cards, "winner": optional(read_int)}


class KittyTaken(Event):
    """A seat captured the kitty and sees it."""

    __slots__ = __match_args__ = ("seat", "cards")
    seat: int
    """Who."""
    cards: tuple[Card, ...] | None
    """The kitty's cards: None to others."""
    _readers = {"seat": read_int, "cards": maybe_cards}
    _private = ("cards",)


class KittyShown(Event):
    """After the last trick everybody sees the kitty."""

    __slots__ = __match_args__ = ("taker", "cards")
    taker: int
    """Who captured it."""
    cards: tuple[Card, ...]
    """Its cards."""
    _readers = {"taker": read_int, "cards": read_cards}


class MoonChosen(Event):
    """The shooter has decided."""

    __slots__ = __match_args__ = ("seat", "kind")
    seat: int
    """The shooter."""
    kind: str
    """"add" or "subtract"."""
    _readers = {"seat": read_int, "kind": read_str}


class HandScored(Event):
    """A hand is over and scored."""

    __slots__ = __match_args__ = ("points", "scores", "shooter", "kind", "lines")
    points: tuple[int, ...]
    """The hand's points by seat."""
    scores: tuple[int, ...]
    """The new totals by seat, after floor and reset."""
    shooter: int | None
    """Who shot the moon, if anybody."""
    kind: str | None
    """"add" or "subtract" in a moon hand."""
    lines: tuple[str, ...]
    """Why, one sentence each."""
    _readers = {
        "points": read_ints,
        "scores": read_ints,
        "shooter": optional(read_int),
        "kind": optional(read_str),
        "lines": tuple_of(read_str),
    }


EVENTS: dict[str, type[Event]] = {
    kind.__name__: kind
    for kind in (
        Dealt,
        Passed,
        Exchanged,
        LeadPassed,
        Played,
        TrickTaken,
        KittyTaken,
        KittyShown,
        MoonChosen,
        HandScored,
        GameEnded,
    )
}
