"""Another arrangement of everything a viewer cannot know, for noninterference tests.

Hidden are the other hands without the cards that all know to be there, and the stack above its
known cards. Under must_match the new hands agree with the misses that were seen.
"""

from __future__ import annotations

import random
from typing import Any

from tests.reference.chacha import RANDOM_PLAY, Stream
from tests.reference.herzsammler import HerzsammlerTwin, fits


def hidden_zones(twin: HerzsammlerTwin) -> dict[str, Any]:
    """The zones that hold secrets, as plain data."""
    return {
        "seed": twin.seed,
        "hands": [list(hand) for hand in twin.hands],
        "stack": twin.stack[: len(twin.stack) - twin.bottom_size],
    }


def resample_hidden(twin: HerzsammlerTwin, seat: int | None, rng: random.Random) -> HerzsammlerTwin:
    """A copy of the position with everything hidden from `seat` (None: spectator) rearranged.

    Hands, stack and seed are replaced; explicit decks still to come are dropped.
    """
    other = twin.copy()
    others = [s for s in twin.seats if s != seat]
    unknown = {s: twin.unknown_in_hand(s) for s in others}
    stack = twin.stack[: len(twin.stack) - twin.bottom_size]
    rng.shuffle(stack)
    _swap(twin, unknown, stack, rng)
    for s, cards in unknown.items():
        other.hands[s] = twin.table.sort([*twin.known[s], *cards])
    other.stack[: len(stack)] = stack
    other.seed = rng.getrandbits(256)
    other.deals = []
    other.random_stream = Stream(other.seed, RANDOM_PLAY, 0)
    return other


def _swap(
    twin: HerzsammlerTwin, unknown: dict[int, list[str]], stack: list[str], rng: random.Random
) -> None:
    # Random swaps of two hidden cards; one that `barred` rules out is taken back.
    zones: list[tuple[int | None, list[str]]] = [*unknown.items(), (None, stack)]
    places = [(z, k) for z, (_, cards) in enumerate(zones) for k in range(len(cards))]
    if len(places) < 2:
        return
    for _ in range(rng.choice([1, 3, len(places), 4 * len(places)])):
        (y, j), (z, k) = rng.sample(places, 2)
        a, b = zones[y][1], zones[z][1]
        a[j], b[k] = b[k], a[j]
        if not all(s is None or fits(twin.table, c, twin.barred[s]) for s, c in zones):
            a[j], b[k] = b[k], a[j]
