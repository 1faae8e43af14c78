"""What a seat may know of a match of Hearts."""

from __future__ import annotations

from herzen.events import (
    maybe_cards,
    optional,
    read_bool,
    read_card,
    read_cards,
    read_int,
    read_ints,
    read_str,
    row_of,
    tuple_of,
)
from herzen.hearts.events import EVENTS
from herzen.hearts.rules import HeartsRules
from herzen.view import View, common_readers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from herzen.hearts.cards import Card
    from herzen.hearts.moves import Move


class HeartsView(View):
    """A seat's view of Hearts."""

    __slots__ = (
        "committed",
        "hearts_broken",
        "kitty",
        "kitty_size",
        "my_pass",
        "pass_direction",
        "received",
        "trick",
        "tricks",
        "voids",
    )
    hand: tuple[Card, ...]
    known: Mapping[int, tuple[Card, ...]]
    legal_moves: tuple[Move, ...]
    rules: HeartsRules
    pass_direction: str
    """"left", "right", "across" or "hold"."""
    committed: tuple[int, ...]
    """Seats that have committed a pass while others have not."""
    my_pass: tuple[Card, ...] | None
    """The viewer's own committed pass of this deal."""
    received: tuple[Card, ...] | None
    """What the viewer received in this deal, once all have passed."""
    trick: tuple[tuple[int, Card], ...]
    """(seat, card) of the trick on the table, in the order played."""
    tricks: tuple[tuple[int, tuple[Card, ...], int | None], ...]
    """(leader, cards in the order played, winner) of this deal's tricks; winner None: held over."""
    hearts_broken: bool
    """Whether hearts have been broken (H-PLAY-7)."""
    voids: tuple[tuple[str, ...], ...]
    """By seat, the suits ("C", "D", "H", "S") that it failed to follow in this deal."""
    kitty_size: int
    """Number of cards in this deal's kitty."""
    kitty: tuple[Card, ...] | None
    """The kitty's cards, if the viewer has seen them."""

    rules_type = HeartsRules
    _seats_in = {
        "committed": tuple,
        "trick": lambda trick: [seat for seat, _ in trick],
        "tricks": lambda tricks: [who for leader, _, winner in tricks for who in (leader, winner)],
    }
    _by_seat = ("voids",)
    _readers = common_readers(EVENTS) | {
        "pass_direction": read_str,
        "committed": read_ints,
        "my_pass": maybe_cards,
        "received": maybe_cards,
        "trick": tuple_of(row_of(read_int, read_card)),
        "tricks": tuple_of(row_of(read_int, read_cards, optional(read_int))),
        "hearts_broken": read_bool,
        "voids": tuple_of(tuple_of(read_str)),
        "kitty_size": read_int,
        "kitty": maybe_cards,
    }
