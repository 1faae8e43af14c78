"""Where cards that a seat gave away may be after swaps of others that it did not see.

Cards that the viewer gave away in one swap are a class: it knows whose hand they went to, and later swaps of others
may have carried some of them on. What it knows of a swap of others is its size. All other cards of the others' hands
may have been anywhere, so they fill up what a swap needs. A state says how many cards of each class lie in each
hand; a placement of the hidden cards has a legal history if and only if its counts are a state that can be reached.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

Counts = tuple[int, ...]
"""By class."""
State = tuple[Counts, ...]
"""By seat, then by class."""
TOO_MANY = (
    "exchange_rounds=2 with four or more players: too many swaps to follow the cards given away"
)
MOST = 50_000
"""States and ways between them, more than any exchange of one round or of three players has."""


class Swap(NamedTuple):
    """A swap of two other seats."""

    proposer: int
    partner: int
    size: int


class Own(NamedTuple):
    """A swap of the viewer: it gives `size` cards of a new class and gets some of classes it gave before."""

    partner: int
    size: int
    number: int
    """The class."""
    returned: Counts
    """Cards of each class that come back."""


def parts(held: Counts, least: int, most: int) -> Iterator[Counts]:
    """All ways to take so many cards in all out of these counts."""
    if not held:
        if least <= 0:
            yield ()
        return
    rest = sum(held[1:])
    for count in range(max(0, least - rest), min(held[0], most) + 1):
        for others in parts(held[1:], least - count, most - count):
            yield (count, *others)


def spread(cards: int, rooms: Sequence[int]) -> Iterator[Counts]:
    """All ways to lay cards that look alike into places with so much room."""
    yield from parts(tuple(rooms), cards, cards)


def _swap(state: State, swap: Swap, hand_size: int) -> Iterator[State]:
    """The states after a swap of others, each once.

    Either seat gives exactly `size` cards: of classes as many as it likes, as far as other cards fill up the rest.
    """
    mine, theirs = state[swap.proposer], state[swap.partner]
    both = tuple(a + b for a, b in zip(mine, theirs, strict=True))
    total = sum(mine)
    for after in parts(
        both, max(0, sum(both) - hand_size, total - swap.size), min(hand_size, total + swap.size)
    ):
        if _moved(mine, theirs, after, swap.size, hand_size) is not None:
            rest = tuple(a - b for a, b in zip(both, after, strict=True))
            changed = {swap.proposer: after, swap.partner: rest}
            yield tuple(changed.get(seat, counts) for seat, counts in enumerate(state))


def _moved(
    mine: Counts, theirs: Counts, after: Counts, size: int, hand_size: int
) -> tuple[list[int], list[int], int] | None:
    """Least and most cards of each class that the proposer may have given, and how many in all; None if impossible.

    It held `mine` and holds `after`; so what it gave says what it got.
    """
    least = [max(0, a - c) for a, c in zip(mine, after, strict=True)]
    most = [min(a, a + b - c) for a, b, c in zip(mine, theirs, after, strict=True)]
    grown = sum(after) - sum(mine)
    given = max(
        sum(least), size - hand_size + sum(mine), size - hand_size + sum(theirs) - grown, -grown
    )
    return (least, most, given) if given <= min(sum(most), size, size - grown) else None


def exchanged(before: State, after: State, swap: Swap, hand_size: int) -> tuple[Counts, Counts]:
    """Cards of each class from and to the proposer in a swap of others that leads from one state to another."""
    mine, theirs = before[swap.proposer], before[swap.partner]
    moved = _moved(mine, theirs, after[swap.proposer], swap.size, hand_size)
    assert moved is not None
    given, most, total = moved
    for place, count in enumerate(most):
        more = min(count - given[place], total - sum(given))
        given[place] += more
    received = [g + c - a for g, c, a in zip(given, after[swap.proposer], mine, strict=True)]
    return tuple(given), tuple(received)


def _own(state: State, own: Own, hand_size: int) -> State | None:
    held = state[own.partner]
    if any(a < b for a, b in zip(held, own.returned, strict=True)):
        return None
    if own.size - sum(own.returned) > hand_size - sum(held):
        return None  # the other cards that came back were not there
    counts = [a - b for a, b in zip(held, own.returned, strict=True)]
    counts[own.number] += own.size
    return tuple(tuple(counts) if seat == own.partner else old for seat, old in enumerate(state))


def follow(
    starts: Sequence[State], swaps: Sequence[Swap | Own], hand_size: int
) -> list[dict[State, State | None]]:
    """The states that can be reached after each swap, the start first, each with one before it.

    NotImplementedError if there are too many; see MOST.
    """
    layers: list[dict[State, State | None]] = [dict.fromkeys(starts)]
    work = 0
    for swap in swaps:
        found: dict[State, State | None] = {}
        for state in layers[-1]:
            if isinstance(swap, Own):
                own = _own(state, swap, hand_size)
                if own is not None:
                    found.setdefault(own, state)
                continue
            for after in _swap(state, swap, hand_size):
                found.setdefault(after, state)
                work += 1
                if work > MOST:
                    raise NotImplementedError(TOO_MANY)
        layers.append(found)
    return layers


def way_to(layers: Sequence[dict[State, State | None]], last: State) -> list[State]:
    """The states of one way from the start to a state of the last layer, both included."""
    states = [last]
    for layer in reversed(layers[1:]):
        before = layer[states[-1]]
        assert before is not None
        states.append(before)
    return states[::-1]
