"""What a seat may know of a match of Von Herzen."""

from __future__ import annotations

from herzen.errors import RecordError
from herzen.events import (
    maybe_cards,
    optional,
    read_bool,
    read_card,
    read_cards,
    read_int,
    read_ints,
    row_of,
    tuple_of,
)
from herzen.view import View, common_readers
from herzen.vonherzen.events import EVENTS
from herzen.vonherzen.rules import VonHerzenRules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from herzen.rules import Rules
    from herzen.vonherzen.cards import Card
    from herzen.vonherzen.moves import Move


def public_offer(
    proposer: int, receiver: int, size: int, counter: int | None
) -> Mapping[str, int | None]:
    """What everybody knows of a pending offer, as an immutable mapping."""
    from types import MappingProxyType

    return MappingProxyType(
        {"proposer": proposer, "receiver": receiver, "size": size, "counter": counter}
    )


def _read_offer(value: Any, rules: Rules) -> Mapping[str, int | None]:
    if type(value) is not dict or set(value) != {"proposer", "receiver", "size", "counter"}:
        raise RecordError("proposer, receiver, size and counter are needed")
    counter = value["counter"]
    return public_offer(
        read_int(value["proposer"], rules),
        read_int(value["receiver"], rules),
        read_int(value["size"], rules),
        None if counter is None else read_int(counter, rules),
    )


class VonHerzenView(View):
    """A seat's view of Von Herzen. `known` is public here: cards taken openly and still held."""

    __slots__ = (
        "drawn",
        "idle_turns",
        "last_turns",
        "melded",
        "melded_this_turn",
        "my_agreed",
        "my_offer",
        "offer",
        "pile",
        "progress",
        "proposals",
        "runs",
        "stock",
        "stock_size",
        "swaps",
        "turns_taken",
    )
    hand: tuple[Card, ...]
    known: Mapping[int, tuple[Card, ...]]
    legal_moves: tuple[Move, ...]
    rules: VonHerzenRules
    runs: tuple[tuple[int, int, tuple[Card, ...]], ...]
    """(number, owner, cards upwards) of the runs on the table."""
    pile: tuple[Card, ...]
    """The open pile, top last."""
    stock_size: int
    """Cards in the stock."""
    stock: tuple[Card, ...] | None
    """The stock, top first, once it was turned over in this deal: its order is public then."""
    proposals: int
    """Finished proposals of this deal."""
    offer: Mapping[str, int | None] | None
    """proposer, receiver, size, counter of the pending offer."""
    my_offer: tuple[Card, ...] | None
    """The viewer's own pending offer."""
    my_agreed: tuple[Card, ...] | None
    """The cards of it that the viewer has agreed to give."""
    swaps: tuple[tuple[int, tuple[Card, ...], tuple[Card, ...]], ...]
    """(with whom, given, received) of the viewer's swaps of this deal."""
    melded: tuple[int, ...]
    """Seats that have melded a run in this deal."""
    last_turns: tuple[int, ...]
    """Seats that have a last turn now or still to come, in turn order."""
    turns_taken: int
    """Normal turns finished in this deal."""
    idle_turns: int
    """Idle normal turns in a row."""
    drawn: Card | None
    """The card taken from the pile in this turn."""
    melded_this_turn: int
    """New runs in this turn."""
    progress: bool
    """Whether this turn is not idle."""

    rules_type = VonHerzenRules
    _seats_in = {
        "runs": lambda runs: [owner for _, owner, _ in runs],
        "offer": lambda offer: [offer["proposer"], offer["receiver"]],
        "swaps": lambda swaps: [other for other, _, _ in swaps],
        "melded": tuple,
        "last_turns": tuple,
    }
    _readers = common_readers(EVENTS) | {
        "runs": tuple_of(row_of(read_int, read_int, read_cards)),
        "pile": read_cards,
        "stock_size": read_int,
        "stock": maybe_cards,
        "proposals": read_int,
        "offer": optional(_read_offer),
        "my_offer": maybe_cards,
        "my_agreed": maybe_cards,
        "swaps": tuple_of(row_of(read_int, read_cards, read_cards)),
        "melded": read_ints,
        "last_turns": read_ints,
        "turns_taken": read_int,
        "idle_turns": read_int,
        "drawn": optional(read_card),
        "melded_this_turn": read_int,
        "progress": read_bool,
    }
