"""Von Herzen: all melds and lay-offs of a hand by brute force, from the definition of a run.

Nothing here uses the run shapes or the generator of the twin: every subset of the hand is tried
in every order of ranks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

RANKS = "789TJQKA"
RED = "DH"


def is_real(card: str, red: bool) -> bool:
    """Whether the card has the colour of the run."""
    return (card[1] in RED) == red


def layout(cards: Sequence[str], first: str, wrap: bool) -> list[str] | None:
    """The cards put at first, first+1, ...; None if one is missing or left over."""
    line: list[str] = []
    rank = RANKS.index(first)
    for step in range(len(cards)):
        if rank + step > 7 and not wrap:
            return None
        fits = [card for card in cards if card[0] == RANKS[(rank + step) % 8]]
        if len(fits) != 1:
            return None
        line += fits
    return line


def is_run(rules: Mapping[str, Any], line: Sequence[str]) -> bool:
    """Whether cards already in a line of ranks are a run that may be melded."""
    for red in (False, True):
        real = [is_real(card, red) for card in line]
        if real.count(False) > 1 or real.count(True) < 3:
            continue
        if rules["joker_ends"] or all(real):
            return True
        place = real.index(False)
        if len(line) == 8 and rules["wrap"]:
            return True
        return 0 < place < len(line) - 1
    return False


def brute_melds(rules: Mapping[str, Any], hand: Sequence[str]) -> list[list[str]]:
    """Every meld of the hand once for each choice of kinds, with the lower copies."""
    found: dict[tuple[str, ...], list[str]] = {}
    for size in range(3, 9):
        for cards in combinations(hand, size):
            if len({card[0] for card in cards}) < size:
                continue
            firsts = "7" if size == 8 else RANKS
            lines = [layout(cards, first, rules["wrap"]) for first in firsts]
            for line in lines:
                if line is not None and is_run(rules, line):
                    lowest = [_lowest_copy(card, hand) for card in line]
                    found[tuple(sorted(lowest))] = lowest
    return list(found.values())


def _lowest_copy(card: str, hand: Sequence[str]) -> str:
    twins = [c for c in hand if c[0] == card[0] and (c[1] in RED) == (card[1] in RED)]
    return min(twins, key=lambda c: "CDHS".index(c[1]))


def brute_lay_off(
    rules: Mapping[str, Any], run: Sequence[str], card: str, *, own: bool
) -> list[str] | None:
    """The run after this card is laid at one of its ends; None if it may not be."""
    if len(run) == 8:
        return None
    red = sum(c[1] in RED for c in run) > 1
    if not is_real(card, red) and not (
        own and rules["own_joker_extend"] and all(is_real(c, red) for c in run)
    ):
        return None
    for line in ([card, *run], [*run, card]):
        if len(line) == 8:
            full = layout(line, "7", wrap=True)
            ends_meet = layout(line, line[0][0], rules["wrap"]) is not None
        else:
            full = layout(line, line[0][0], rules["wrap"])
            ends_meet = full == line
        if full is not None and ends_meet and (is_real(card, red) or is_run(rules, full)):
            return full
    return None
