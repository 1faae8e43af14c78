"""Whether counts of random draws agree with what they should be."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from math import sqrt

LIMIT = 4.0
"""In standard deviations: one good sampler in 30,000 is further off. Seeds are fixed, so a test never flickers."""


def deviation(counts: Mapping[Hashable, int], weights: Mapping[Hashable, int]) -> float:
    """Chi-square of the counts against the weights, as standard deviations of a normal (Wilson and Hilferty).

    Every key that was drawn must have a weight.
    """
    drawn, whole = sum(counts.values()), sum(weights.values())
    strange = set(counts) - set(weights)
    assert not strange, f"drawn, but impossible: {sorted(map(str, strange))[:3]}"
    free = len(weights) - 1
    if not free:
        return 0.0
    square = sum(
        (counts.get(key, 0) - drawn * weight / whole) ** 2 * whole / (drawn * weight)
        for key, weight in weights.items()
    )
    spread = 2 / (9 * free)
    return float(((square / free) ** (1 / 3) - (1 - spread)) / sqrt(spread))
