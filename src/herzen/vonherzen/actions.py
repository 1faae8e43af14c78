"""Names of the learners' actions of Von Herzen (docs/batch.rst)."""

from __future__ import annotations

from collections.abc import Iterator

from herzen.rules import Rules

RANKS = "789TJQKA"
COLOURS = "br"  # black, red
KINDS = tuple(colour + rank for colour in COLOURS for rank in RANKS)
"""Kinds as the rules page writes them: b7 is a black seven, rA a red ace."""
COUNTERS = range(1, 8)
RUNS = range(10)


def _shapes() -> Iterator[str]:
    """The run shapes by colour, length, first rank, place of the joker with none first."""
    for colour in range(2):
        for length in range(3, 9):
            for first in range(8) if length < 8 else (0,):
                for joker in (None, *(range(length) if length > 3 else ())):
                    yield " ".join(
                        KINDS[8 * (colour ^ (place == joker)) + (first + place) % 8]
                        for place in range(length)
                    )


NAMES = (
    *(f"pick {kind}" for kind in KINDS),
    "done",
    "accept",
    "decline",
    *(f"counter {number}" for number in COUNTERS),
    "takeover",
    "stay",
    "agree",
    "withdraw",
    "draw stock",
    "draw pile",
    *(f"draw {kind}" for kind in KINDS),
    *(f"meld {shape}" for shape in _shapes()),
    *(f"layoff {kind} {run}" for kind in KINDS for run in RUNS),
    *(f"discard {kind}" for kind in KINDS),
    "end",
)


def names(rules: Rules) -> tuple[str, ...]:
    """The name of each action."""
    return NAMES
