"""The events of Von Herzen."""

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
    from typing import Self

    from herzen.vonherzen.cards import Card

_automatic = optional(read_bool)


class Dealt(Event):
    """A new deal. Hands are before the exchange."""

    __slots__ = __match_args__ = ("dealer", "hands", "stock", "stock_size", "pile")
    dealer: int
    """The seat that dealt."""
    hands: tuple[tuple[Card, ...] | None, ...]
    """The hands by seat; others' are None."""
    stock: tuple[Card, ...] | None
    """The stock, top first: None to everybody but the server."""
    stock_size: int
    """Cards in the stock."""
    pile: tuple[Card, ...]
    """The pile: the card turned up, or nothing."""
    _readers = {
        "dealer": read_int,
        "hands": tuple_of(maybe_cards),
        "stock": maybe_cards,
        "stock_size": read_int,
        "pile": read_cards,
    }
    _by_seat = ("hands",)
    _server = ("stock",)


class Offered(Event):
    """A seat offered cards to its right neighbour, or none."""

    __slots__ = __match_args__ = ("seat", "size", "cards", "automatic")
    seat: int
    """The proposer."""
    size: int
    """Number of cards, 0 for none."""
    cards: tuple[Card, ...] | None
    """The cards: None to others."""
    automatic: bool | None
    """Whether the seat had no choice: None to others."""
    _readers = {"seat": read_int, "size": read_int, "cards": maybe_cards, "automatic": _automatic}
    _private = ("cards", "automatic")


class Answered(Event):
    """A seat answered in the exchange."""

    __slots__ = __match_args__ = ("seat", "answer", "number", "cards", "automatic")
    seat: int
    """Who."""
    answer: str
    """"accept", "decline", "counter", "takeover", "stay", "agree" or "withdraw"."""
    number: int | None
    """How many cards it is about; None where it is about none."""
    cards: tuple[Card, ...] | None
    """The seat's own cards that it gives: None to others, and where there are none."""
    automatic: bool | None
    """Whether the seat had no choice: None to others."""
    _readers = {
        "seat": read_int,
        "answer": read_str,
        "number": optional(read_int),
        "cards": maybe_cards,
        "automatic": _automatic,
    }
    _private = ("cards", "automatic")


class Swapped(Event):
    """Two seats took each other's cards; only these two know which."""

    __slots__ = __match_args__ = ("proposer", "partner", "size", "from_proposer", "from_partner")
    proposer: int
    """Who had proposed."""
    partner: int
    """With whom."""
    size: int
    """Cards each way."""
    from_proposer: tuple[Card, ...] | None
    """What the proposer gave: None to all but these two."""
    from_partner: tuple[Card, ...] | None
    """What the partner gave: None to all but these two."""
    _readers = {
        "proposer": read_int,
        "partner": read_int,
        "size": read_int,
        "from_proposer": maybe_cards,
        "from_partner": maybe_cards,
    }
    _server = ("from_proposer", "from_partner")

    def for_seat(self, seat: int | None) -> Self:
        """The event as a seat may see it: in full for the two who swapped."""
        return self if seat in (self.proposer, self.partner) else super().for_seat(seat)


class StockTurned(Event):
    """The pile became the new stock; its order is public."""

    __slots__ = __match_args__ = ("cards",)
    cards: tuple[Card, ...]
    """The stock, top first."""
    _readers = {"cards": read_cards}


class Drawn(Event):
    """A seat drew a card."""

    __slots__ = __match_args__ = ("seat", "source", "card", "public", "automatic")
    seat: int
    """Who."""
    source: str
    """"stock" or "pile"."""
    card: Card | None
    """What: None to others, unless everybody saw it."""
    public: bool
    """Whether everybody saw the card: it came from the pile or from a stock that was turned over."""
    automatic: bool | None
    """Whether the seat had no choice: None to others."""
    _readers = {
        "seat": read_int,
        "source": read_str,
        "card": optional(read_card),
        "public": read_bool,
        "automatic": _automatic,
    }
    _private = ("card", "automatic")

    def for_seat(self, seat: int | None) -> Self:
        """The event as a seat may see it: a card that everybody saw stays visible."""
        if not self.public or seat == self.seat:
            return super().for_seat(seat)
        values = {name: getattr(self, name) for name in self.__match_args__}
        return type(self)(self.index, self.version, self.deal, **{**values, "automatic": None})


class Melded(Event):
    """A seat laid a new run."""

    __slots__ = __match_args__ = ("seat", "run", "cards", "automatic")
    seat: int
    """The run's owner."""
    run: int
    """Its number."""
    cards: tuple[Card, ...]
    """Its cards upwards."""
    automatic: bool | None
    """Whether the seat had no choice: None to others."""
    _readers = {"seat": read_int, "run": read_int, "cards": read_cards, "automatic": _automatic}
    _private = ("automatic",)


class LaidOff(Event):
    """A seat laid a card to a run."""

    __slots__ = __match_args__ = ("seat", "card", "run", "owner", "automatic")
    seat: int
    """Who."""
    card: Card
    """What."""
    run: int
    """Number of the run."""
    owner: int
    """Whose run it is."""
    automatic: bool | None
    """Whether the seat had no choice: None to others."""
    _readers = {
        "seat": read_int,
        "card": read_card,
        "run": read_int,
        "owner": read_int,
        "automatic": _automatic,
    }
    _private = ("automatic",)


class Discarded(Event):
    """A seat laid a card on the pile; its turn is over."""

    __slots__ = __match_args__ = ("seat", "card", "automatic")
    seat: int
    """Who."""
    card: Card
    """What."""
    automatic: bool | None
    """Whether the seat had no choice: None to others."""
    _readers = {"seat": read_int, "card": read_card, "automatic": _automatic}
    _private = ("automatic",)


class TurnEnded(Event):
    """A seat ended its turn without a discard."""

    __slots__ = __match_args__ = ("seat", "automatic")
    seat: int
    """Who."""
    automatic: bool | None
    """Whether the seat had no choice: None to others."""
    _readers = {"seat": read_int, "automatic": _automatic}
    _private = ("automatic",)


class LastTurns(Event):
    """A seat went out in the first round: these seats have one last turn each."""

    __slots__ = __match_args__ = ("out", "seats")
    out: int
    """Who went out."""
    seats: tuple[int, ...]
    """Who plays on, in turn order."""
    _readers = {"out": read_int, "seats": read_ints}


class DealScored(Event):
    """A deal is over and scored."""

    __slots__ = __match_args__ = ("points", "scores", "blocked", "lines")
    points: tuple[int, ...]
    """The deal's points by seat."""
    scores: tuple[int, ...]
    """The new totals by seat."""
    blocked: bool
    """Whether the deal ended because nothing happened any more."""
    lines: tuple[str, ...]
    """Why the points, one sentence each."""
    _readers = {
        "points": read_ints,
        "scores": read_ints,
        "blocked": read_bool,
        "lines": tuple_of(read_str),
    }


EVENTS: dict[str, type[Event]] = {
    kind.__name__: kind
    for kind in (
        Dealt,
        Offered,
        Answered,
        Swapped,
        StockTurned,
        Drawn,
        Melded,
        LaidOff,
        Discarded,
        TurnEnded,
        LastTurns,
        DealScored,
        GameEnded,
    )
}
