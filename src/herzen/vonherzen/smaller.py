"""Smaller positions than a given one, for `Record.shrink`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from herzen.rules import Rules

    Zones = dict[str, Any]


def smaller(rules: Rules, zones: Zones) -> Iterator[Zones]:
    """Zones of `setup` with less on the table and in the hands; what is taken away lies at the bottom of the stock.

    Whether they are a position at all, `setup` finds out.
    """
    stock = list(zones.get("stock") or [])
    runs = list(zones.get("runs") or [])
    if len(runs) > 1:
        yield {**zones, "runs": [], "stock": stock + [card for _, run in runs for card in run]}
    for number, (_, run) in enumerate(runs):
        left = runs[:number] + runs[number + 1 :]
        yield {**zones, "runs": left, "stock": stock + list(run)}
    hands = [list(hand) for hand in zones["hands"]]
    for seat, hand in enumerate(hands):
        size = len(hand)
        while size:
            for first in range(len(hand) - size + 1):
                left = hand[:first] + hand[first + size :]
                yield {
                    **zones,
                    "hands": [*hands[:seat], left, *hands[seat + 1 :]],
                    "stock": stock + hand[first : first + size],
                }
            size //= 2
    pile = list(zones.get("pile") or [])
    for size in (len(pile), 1) if len(pile) > 1 else (len(pile),):
        if size:
            yield {**zones, "pile": pile[size:], "stock": stock + pile[:size]}
