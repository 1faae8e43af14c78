"""Hearts: the score of a hand and the end of the match, step by step in the order of the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from tests.reference.hearts_rules import GUARD, Table


def moon_shooter(
    rules: Mapping[str, Any], table: Table, piles: Sequence[Sequence[str]]
) -> int | None:
    """The seat that captured every penalty card (and every bonus card, if they are needed).

    Decided by the set of captured cards, kitty included, never by points. There is no moon if
    it is off or the deck holds no penalty card.
    """
    if rules["moon"] == "off" or not table.penalty_cards:
        return None
    needed = table.penalty_cards
    if rules["moon_needs_bonus"]:
        needed = needed + table.bonus_cards
    for seat, pile in enumerate(piles):
        if not needed - Counter(pile):
            return seat
    return None


def moon_points(
    rules: Mapping[str, Any], table: Table, took_trick: Sequence[bool], shooter: int, kind: str
) -> list[int]:
    """What replaces the points of the penalty cards in a moon hand.

    "add": the shooter 0, each other seat +T. "subtract": the shooter -T, the others 0.
    With sun="double" T is doubled if no seat but the shooter took a trick.
    """
    n = len(took_trick)
    others_took = any(took_trick[seat] for seat in range(n) if seat != shooter)
    total = table.total
    if rules["sun"] == "double" and not others_took:
        total *= 2
    if kind == "add":
        return [0 if seat == shooter else total for seat in range(n)]
    return [-total if seat == shooter else 0 for seat in range(n)]


def hand_points(
    rules: Mapping[str, Any],
    table: Table,
    piles: Sequence[Sequence[str]],
    took_trick: Sequence[bool],
    shooter: int | None,
    kind: str | None,
) -> list[int]:
    """The points of the hand: penalty cards (or the moon), bonus cards, no-trick bonus.

    Bonus cards count for their capturer in a moon hand too, the no-trick bonus does not.
    """
    if shooter is None or kind is None:
        points = [sum(table.penalties.get(card, 0) for card in pile) for pile in piles]
    else:
        points = moon_points(rules, table, took_trick, shooter, kind)
    for seat, pile in enumerate(piles):
        points[seat] += sum(table.bonus.get(card, 0) for card in pile)
        if shooter is None and not took_trick[seat]:
            points[seat] += rules["no_trick_bonus"]
    return points


def new_totals(rules: Mapping[str, Any], old: Sequence[int], points: Sequence[int]) -> list[int]:
    """Old total + hand points, then the floor, then exact_reset (to which no floor applies)."""
    totals = [a + b for a, b in zip(old, points, strict=True)]
    if rules["floor"] is not None:
        totals = [max(rules["floor"], total) for total in totals]
    return [rules["exact_reset"].get(total, total) for total in totals]


def lowest_seats(totals: Sequence[int]) -> list[int]:
    """The winners of a match that ends with these totals: several lowest share it."""
    return [seat for seat, total in enumerate(totals) if total == min(totals)]


def end_test_holds(rules: Mapping[str, Any], totals: Sequence[int]) -> bool:
    """Some seat has reached ("reach") or passed ("exceed") the target."""
    limit = rules["target"] if rules["end_test"] == "reach" else rules["target"] + 1
    return any(total >= limit for total in totals)


def match_ends(rules: Mapping[str, Any], totals: Sequence[int], hands_played: int) -> bool:
    """Whether the match is over after this hand.

    The number of hands (or the guard) ends it at once; the end test ends it, but with
    tie="play_on" only when one seat alone is lowest.
    """
    if hands_played >= (GUARD if rules["max_hands"] is None else rules["max_hands"]):
        return True
    if not end_test_holds(rules, totals):
        return False
    return rules["tie"] == "shared" or len(lowest_seats(totals)) == 1


def auto_kind(
    rules: Mapping[str, Any],
    table: Table,
    piles: Sequence[Sequence[str]],
    took_trick: Sequence[bool],
    shooter: int,
    scores: Sequence[int],
    hands_played: int,
) -> str:
    """moon="auto": add, unless the match would then end without the shooter among the winners."""
    points = hand_points(rules, table, piles, took_trick, shooter, "add")
    totals = new_totals(rules, scores, points)
    if match_ends(rules, totals, hands_played) and shooter not in lowest_seats(totals):
        return "subtract"
    return "add"
