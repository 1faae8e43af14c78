"""What a view of Von Herzen tells about the cards: the zones it shows, and what may lie in the others.

Zones hold most of it. The events add what the seat saw happen: swaps of others after it had given cards away, hands
that were small for a while, turns that ended without a discard where one was due.
"""

from __future__ import annotations

from math import factorial, gcd, prod
from operator import itemgetter
from typing import NamedTuple

from herzen.errors import SetupError
from herzen.knowledge import ViewZones
from herzen.vonherzen.cards import CARDS
from herzen.vonherzen.exchange import Exchange, Step
from herzen.vonherzen.flows import TOO_MANY, Counts, State, Swap, exchanged, spread, way_to
from herzen.vonherzen.seen import DECK, hidden_cards, read_zones_of
from herzen.vonherzen.setup import GIVE
from herzen.vonherzen.turns import Turns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from herzen.vonherzen.view import VonHerzenView

WHOLE_DECK = dict.fromkeys(range(DECK), 1)


class Choice(NamedTuple):
    """One way to share out the hidden cards of the classes, and one way of swaps that leads to it."""

    weight: int
    counts: tuple[Counts, ...]
    """By class, then by seat."""
    ways: tuple[tuple[Counts, Counts], ...]
    """For each step: cards of each class from and to the proposer; () where nothing is remembered."""


class Knowledge(NamedTuple):
    """What there is to be placed."""

    zones: dict[str, Any]
    """As `_zones.place` reads them. Other hands hold only the cards known there, a hidden stock has zeros."""
    slots: list[int]
    """Cards that each hand lacks."""
    free: bytes
    """The hidden cards that may lie in any hand or in the stock."""
    classes: list[bytes]
    """The hidden cards of each class; they lie in hands."""
    choices: list[Choice]
    """The ways to share them out, with weights: how many placements, but for a common factor."""
    remembered: bool
    """Whether the swaps of others are known, so that they can be made up."""
    steps: list[Step]
    """The swaps: all of them if `remembered`, otherwise the viewer's own."""
    laid: list[bytes]
    """By seat: cards of no class that it had not taken openly and that were seen to be its own, in that order."""
    shown: list[list[bytes]]
    """By class and seat: cards of the class that were seen to be this seat's at the end of the exchange."""
    offer: tuple[int, int, int] | None
    """Proposer, cards offered, cards agreed to (0: none yet) where the viewer does not know which."""


def read_table(view: VonHerzenView) -> tuple[dict[str, Any], int]:
    """A position that shows the viewer the same, whether it can be or not, as `_zones.place` reads it.

    Hidden cards lie in any order, an offer that the viewer does not see is empty; its size comes second (0: none).
    SetupError if the zones do not fit each other. For players that look at nothing hidden.
    """
    read = ViewZones(view.rules.players, CARDS, WHOLE_DECK)
    zones, _ = read_zones_of(view, read)
    hidden, slots = hidden_cards(zones, read)
    for seat, count in enumerate(slots):
        zones["hands"][seat] += bytes(hidden[:count])
        hidden = hidden[count:]
    if not zones["turned_over"]:
        zones["stock"] = bytes(hidden)
    return zones, 0 if view.offer is None else view.offer["size"] or 0


def read_view(view: VonHerzenView) -> Knowledge:
    """What a view tells; SetupError if it contradicts itself."""
    n = view.rules.players
    read = ViewZones(n, CARDS, WHOLE_DECK)
    zones, offer = read_zones_of(view, read)
    exchange = Exchange(view, read)
    tracked = exchange.classes()
    turns = Turns(view, exchange.class_of(), read)
    for seat, pinned in enumerate(turns.pinned):
        for card in sorted(pinned):
            if not read.left[card]:
                raise SetupError(f"events: {CARDS[card]} lies elsewhere than they say")
            read.left[card] = 0
        zones["hands"][seat] = bytes(sorted({*zones["hands"][seat], *pinned}))
    hidden, slots = hidden_cards(zones, read)
    classes = [bytes(sorted(cards & set(hidden))) for cards in tracked]
    in_class = {card for cards in classes for card in cards}
    if zones["phase"] <= GIVE and any(cards - in_class for cards in tracked):
        raise SetupError("swaps: a card that was given away is not in another hand")
    limits = [0 if seat == view.seat else min(slots[seat], turns.least[seat]) for seat in range(n)]
    return Knowledge(
        zones,
        slots,
        bytes(card for card in hidden if card not in in_class),
        classes,
        _choices(exchange, tracked, classes, turns, slots, limits),
        exchange.complete,
        exchange.steps() if exchange.complete else exchange.own_steps,
        [bytes(cards) for cards in turns.laid],
        [[bytes(sorted(turns.shown_at(cards, seat))) for seat in range(n)] for cards in tracked],
        offer,
    )


# ---- choices ---------------------------------------------------------------------------------------------


def _choices(
    exchange: Exchange,
    tracked: list[set[int]],
    classes: list[bytes],
    turns: Turns,
    slots: list[int],
    limits: list[int],
) -> list[Choice]:
    """The ways to share out the hidden cards of the classes, each once; SetupError if there is none."""
    n = exchange.n
    none = [tuple(0 for _ in range(n)) for _ in classes]
    if not any(classes):
        layers = exchange.layers() if exchange.complete and exchange.seen else []
        ways = _remember(exchange, layers, _fitting(layers, tracked, turns, n)) if layers else ()
        return [Choice(1, tuple(none), ways)]
    layers = exchange.layers()
    found: dict[tuple[Counts, ...], State] = {}
    for state in layers[-1]:
        for counts in _hidden_of(state, tracked, classes, turns, n, exchange.complete):
            if all(sum(of[seat] for of in counts) <= limits[seat] for seat in range(n)):
                found.setdefault(counts, state)
    if not found:
        raise SetupError("swaps: no hands can hold the cards that were given away")
    weights = [
        prod(_multinomial(slots[seat], [of[seat] for of in counts]) for seat in range(n))
        for counts in found
    ]
    common = gcd(*weights)
    if sum(weights) >= common << 64:
        raise NotImplementedError(TOO_MANY)
    return [
        Choice(weight // common, counts, _remember(exchange, layers, state))
        for weight, (counts, state) in sorted(
            zip(weights, found.items(), strict=True), key=itemgetter(1)
        )
    ]


def _hidden_of(
    state: State,
    tracked: list[set[int]],
    classes: list[bytes],
    turns: Turns,
    n: int,
    complete: bool,
) -> Iterator[tuple[Counts, ...]]:
    """What is hidden in the hands after this state of the exchange: less what was seen of it since.

    Cards that were seen, but not whose they had been, may be taken off any hand.
    """

    def of_class(place: int) -> Iterator[tuple[Counts, ...]]:
        if place == len(classes):
            yield ()
            return
        held = [state[seat][place] - len(turns.shown_at(tracked[place], seat)) for seat in range(n)]
        if min(held) < 0 or sum(held) < len(classes[place]):
            return
        if complete and sum(held) > len(classes[place]):
            raise SetupError(
                "events: they do not tell of a card that left the hand it was given to"
            )
        for counts in spread(len(classes[place]), held):
            for others in of_class(place + 1):
                yield (counts, *others)

    yield from of_class(0)


def _fitting(
    layers: list[dict[State, State | None]], tracked: list[set[int]], turns: Turns, n: int
) -> State:
    """A state of the exchange that agrees with whose the cards were seen to be."""
    for state in layers[-1]:
        if all(
            state[seat][place] == len(turns.shown_at(cards, seat))
            for place, cards in enumerate(tracked)
            for seat in range(n)
        ):
            return state
    raise SetupError("swaps: no hands can have held the cards that were given away")


def _remember(
    exchange: Exchange, layers: list[dict[State, State | None]], last: State
) -> tuple[tuple[Counts, Counts], ...]:
    """One way of swaps that leads to a state at the end of the exchange; nothing where not all swaps are known."""
    if not exchange.complete:
        return ()
    states = way_to(layers, last)
    return tuple(
        exchanged(before, after, move, exchange.rules.hand_size)
        if isinstance(move, Swap)
        else ((), ())
        for move, before, after in zip(exchange.moves(), states, states[1:], strict=False)
    )


def _multinomial(total: int, groups: list[int]) -> int:
    rest = total - sum(groups)
    return factorial(total) // (factorial(rest) * prod(map(factorial, groups)))
