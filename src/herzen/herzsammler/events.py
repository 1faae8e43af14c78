"""The events of Herzsammler."""

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
    from herzen.herzsammler.cards import Card


class Dealt(Event):
    """A new game of the match is dealt; the first seat has not drawn yet."""

    __slots__ = __match_args__ = ("dealer", "hands", "open", "stack_size")
    dealer: int
    """The seat that dealt."""
    hands: tuple[tuple[Card, ...] | None, ...]
    """The two cards of each seat; others' are None."""
    open: tuple[Card, ...]
    """The six open cards."""
    stack_size: int
    """Cards in the stack."""
    _readers = {
        "dealer": read_int,
        "hands": tuple_of(maybe_cards),
        "open": read_cards,
        "stack_size": read_int,
    }
    _by_seat = ("hands",)


class Drawn(Event):
    """A seat drew the top card of the stack."""

    __slots__ = __match_args__ = ("seat", "card", "known")
    seat: int
    """Who drew."""
    card: Card | None
    """What: None to others, unless everybody knew it."""
    known: bool
    """Whether everybody knew the card, which had been missed before."""
    _readers = {"seat": read_int, "card": optional(read_card), "known": read_bool}
    _private = ("card",)

    def for_seat(self, seat: int | None) -> Drawn:
        """The event as a seat may see it: a known card stays visible to all."""
        return self if self.known else super().for_seat(seat)


class Shown(Event):
    """A seat showed a card."""

    __slots__ = __match_args__ = ("seat", "card", "object", "automatic")
    seat: int
    """Who."""
    card: Card
    """What."""
    object: str | None
    """The object named, under `choose_object`."""
    automatic: bool | None
    """Whether the seat had no choice: None to others."""
    _readers = {
        "seat": read_int,
        "card": read_card,
        "object": optional(read_str),
        "automatic": optional(read_bool),
    }
    _private = ("automatic",)


class Taken(Event):
    """The shown card took open cards and became an open card itself."""

    __slots__ = __match_args__ = ("seat", "cards")
    seat: int
    """Who took."""
    cards: tuple[Card, ...]
    """What was taken."""
    _readers = {"seat": read_int, "cards": read_cards}


class Missed(Event):
    """The shown card took nothing and went under the stack."""

    __slots__ = __match_args__ = ("seat", "card", "misses")
    seat: int
    """Who missed."""
    card: Card
    """The card, now the last of the stack."""
    misses: int
    """Misses in a row."""
    _readers = {"seat": read_int, "card": read_card, "misses": read_int}


class Opened(Event):
    """Open cards were filled up from the stack."""

    __slots__ = __match_args__ = ("cards",)
    cards: tuple[Card, ...]
    """The new open cards, in the order drawn."""
    _readers = {"cards": read_cards}


class GameScored(Event):
    """A game of the match is over and scored."""

    __slots__ = __match_args__ = ("points", "scores", "reason", "lines")
    points: tuple[int, ...]
    """The game's points by seat."""
    scores: tuple[int, ...]
    """The new totals by seat."""
    reason: str
    """Why it ended: "empty", "short", "no_card" or "stalled"."""
    lines: tuple[str, ...]
    """Why the points, one sentence each."""
    _readers = {
        "points": read_ints,
        "scores": read_ints,
        "reason": read_str,
        "lines": tuple_of(read_str),
    }


EVENTS: dict[str, type[Event]] = {
    kind.__name__: kind
    for kind in (Dealt, Drawn, Shown, Taken, Missed, Opened, GameScored, GameEnded)
}
