"""Smaller positions than a given one, for `Record.shrink`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from herzen.rules import Rules

    Zones = dict[str, Any]


def smaller(rules: Rules, zones: Zones) -> Iterator[Zones]:
    """Zones of `setup` with fewer cards in the stack, which somebody has collected.

    Hands and open cards have a fixed number. Whether they are a position at all, `setup` finds out.
    """
    stack = list(zones["stack"])
    piles = [list(pile) for pile in zones.get("collections") or [[] for _ in range(rules.players)]]
    known = len(zones.get("bottom") or [])
    size = len(stack)
    while size:
        for first in range(0, len(stack) - size + 1, size):
            left = stack[:first] + stack[first + size :]
            for seat in range(rules.players):
                taken = [*piles[seat], *stack[first : first + size]]
                kept = min(known, len(stack) - first - size, len(left))
                yield {
                    **zones,
                    "stack": left,
                    "collections": [*piles[:seat], taken, *piles[seat + 1 :]],
                } | ({"bottom": left[len(left) - kept :]} if known else {})
        size //= 2
