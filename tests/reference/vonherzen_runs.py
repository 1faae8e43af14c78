"""Von Herzen: what a run is, how it grows, what it scores.

A run on the table is the list of its cards from the first rank upwards; an 8-card run starts
at the seven. The joker is the one card of the other colour.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tests.reference.vonherzen_rules import COLOUR, RANK, sort_cards


class Shape(NamedTuple):
    """A run by kinds: `kinds` from the first rank upwards, and the same as a 16-bit mask."""

    colour: int
    length: int
    first: int
    joker: int | None
    kinds: tuple[int, ...]
    mask: int


def _shape(colour: int, length: int, first: int, joker: int | None) -> Shape:
    kinds = tuple(
        8 * (1 - colour if place == joker else colour) + (first + place) % 8
        for place in range(length)
    )
    return Shape(colour, length, first, joker, kinds, sum(1 << kind for kind in kinds))


# All 450 run shapes: by colour, length, first rank, joker place with none first. Three cards
# have no joker (three real cards are needed); eight cards start at the seven.
SHAPES = [
    _shape(colour, length, first, joker)
    for colour in (0, 1)
    for length in range(3, 9)
    for first in (range(8) if length < 8 else range(1))
    for joker in (None, *(range(length) if length > 3 else ()))
]


def shape_is_allowed(rules: Mapping[str, Any], shape: Shape) -> bool:
    """Whether the options allow the shape: `wrap`, and `joker_ends` (see `why_not_run`)."""
    if shape.first + shape.length > 8 and not rules["wrap"]:
        return False
    if rules["joker_ends"] or shape.joker not in (0, shape.length - 1):
        return True
    return shape.length == 8 and bool(rules["wrap"])


def joker_of(run: Sequence[str]) -> str | None:
    """The joker of a run: its one card of the colour that is not that of the others."""
    reds = [card for card in run if COLOUR[card]]
    if len(reds) == 1:
        return reds[0]
    blacks = [card for card in run if not COLOUR[card]]
    return blacks[0] if len(blacks) == 1 else None


def arrange(cards: Sequence[str]) -> list[str] | None:
    """The cards as a run, from its first rank upwards; None if they are no run.

    3 to 8 cards, at least three of one colour and at most one of the other, consecutive ranks
    (cyclic), no rank twice. Eight cards start at the seven.
    """
    reds = sum(COLOUR[card] for card in cards)
    fewer = min(reds, len(cards) - reds)
    if fewer > 1 or not len(cards) - fewer >= 3 or len(cards) > 8:
        return None
    by_rank = {RANK[card]: card for card in cards}
    if len(by_rank) < len(cards):
        return None
    if len(cards) == 8:
        return [by_rank[rank] for rank in range(8)]
    starts = [rank for rank in by_rank if (rank - 1) % 8 not in by_rank]
    if len(starts) != 1:
        return None
    return [by_rank[(starts[0] + place) % 8] for place in range(len(cards))]


def why_not_run(rules: Mapping[str, Any], cards: Sequence[str]) -> str | None:
    """Why these cards may not be melded; None if they may.

    wrap=False: nothing before 7 or after A. joker_ends=False: real cards on both sides of the
    joker; with wrap=True an 8-card run has no ends.
    """
    run = arrange(cards)
    if run is None:
        return "not_a_run"
    if not rules["wrap"] and RANK[run[0]] + len(run) > 8:
        return "no_wrap"
    closed_ring = len(run) == 8 and rules["wrap"]
    if not rules["joker_ends"] and not closed_ring and joker_of(run) in (run[0], run[-1]):
        return "joker_at_end"
    return None


def open_ranks(rules: Mapping[str, Any], run: Sequence[str]) -> list[int]:
    """The ranks that fit at the ends of a run: none, one or two."""
    if len(run) == 8:
        return []
    below, above = RANK[run[0]] - 1, RANK[run[-1]] + 1
    if rules["wrap"]:
        return sorted({below % 8, above % 8})
    return [rank for rank in (below, above) if 0 <= rank < 8]


def takes_joker(rules: Mapping[str, Any], run: Sequence[str]) -> str | None:
    """Why a joker may not be laid off on a run of one's own; None if it may."""
    if joker_of(run) is not None:
        return "second_joker"
    if not rules["own_joker_extend"]:
        return "joker_extend"
    if not rules["joker_ends"] and not (len(run) == 7 and rules["wrap"]):
        return "joker_at_end"
    return None


def is_joker_for(run: Sequence[str], card: str) -> bool:
    """Whether the card is of the other colour than the run."""
    joker = joker_of(run)
    return any(COLOUR[real] != COLOUR[card] for real in run if real != joker)


def extended(run: Sequence[str], card: str) -> list[str]:
    """The run with a card laid at the end where its rank fits."""
    if len(run) == 7:
        by_rank = {RANK[other]: other for other in [*run, card]}
        return [by_rank[rank] for rank in range(8)]
    at_start = (RANK[card] + 1) % 8 == RANK[run[0]]
    return [card, *run] if at_start else [*run, card]


def run_points(rules: Mapping[str, Any], run: Sequence[str]) -> int:
    """+1 for each real card, 0 for the joker; 8 cards add the bonus with or without joker."""
    joker = joker_of(run)
    points = len(run) - (joker is not None)
    if len(run) == 8:
        points += rules["natural_flute_bonus"] if joker is None else rules["flute_bonus"]
    return points


def deal_points(
    rules: Mapping[str, Any], runs: Sequence[tuple[int, Sequence[str]]], hand_sizes: Sequence[int]
) -> list[int]:
    """The points of all (owner, cards) runs for their owners, less one per card in hand."""
    points = [-size for size in hand_sizes]
    for owner, run in runs:
        points[owner] += run_points(rules, run)
    return points


def meld_text_order(cards: Sequence[str]) -> list[str]:
    """The cards of a meld as they are written: the run upwards, canonical order if it is none."""
    return arrange(cards) or sort_cards(cards)
