"""What a seat may know of a match of Herzsammler."""

from __future__ import annotations

from herzen.events import read_cards, read_int, read_ints, read_str, tuple_of
from herzen.herzsammler.events import EVENTS
from herzen.herzsammler.rules import HerzsammlerRules
from herzen.view import View, common_readers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from herzen.herzsammler.cards import Card
    from herzen.herzsammler.moves import Move


class HerzsammlerView(View):
    """A seat's view of Herzsammler. `known` is public here: cards drawn after everybody had seen them missed."""

    __slots__ = ("barred", "bottom", "collections", "hearts_won", "misses", "open", "stack_size")
    hand: tuple[Card, ...]
    known: Mapping[int, tuple[Card, ...]]
    legal_moves: tuple[Move, ...]
    rules: HerzsammlerRules
    open: tuple[Card, ...]
    """The open cards."""
    collections: tuple[tuple[Card, ...], ...]
    """What each seat has collected in this game."""
    stack_size: int
    """Cards in the stack."""
    bottom: tuple[Card, ...]
    """The last cards of the stack, which were missed: in the order they will be drawn."""
    misses: int
    """Misses in a row."""
    hearts_won: tuple[int, ...]
    """Heart cards that each seat collected in the finished games."""
    barred: tuple[tuple[str, ...], ...]
    """Under `must_match`, by seat: for each card of the hand that is not `known`, the letters of objects that it
    cannot show, since with it the seat would not have missed; () otherwise."""

    rules_type = HerzsammlerRules
    _by_seat = ("collections", "hearts_won")
    _readers = common_readers(EVENTS) | {
        "open": read_cards,
        "collections": tuple_of(read_cards),
        "stack_size": read_int,
        "bottom": read_cards,
        "misses": read_int,
        "hearts_won": read_ints,
        "barred": tuple_of(tuple_of(read_str)),
    }
