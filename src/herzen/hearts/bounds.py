"""How much a match of Hearts can come to: for programs that have to know before it begins."""

from __future__ import annotations

from herzen.hearts.rules import HeartsRules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PLAYERS = (3, 11)
"""The least and the greatest number of seats, whatever the other options."""
ONE_DEAL: dict[str, Any] = {"max_hands": 1}
"""The options under which a match is one deal."""


def scores(rules: HeartsRules) -> tuple[int, int]:
    """The least and the greatest total that a seat can have.

    Without `max_hands` a match may go on for ever. The range is then that of a match that ends when the target is met,
    in which no seat goes lower than it may go up.
    """
    points = rules._points()
    deck = [points[index % 52] for index in rules._deck()]
    most = sum(value for value in deck if value > 0)
    bonus = sum(value for value in deck if value < 0) + rules.no_trick_bonus
    if rules.sun == "double":
        most *= 2
    low = bonus - (most if rules.moon in ("choice", "subtract", "auto") else 0)
    resets = rules.exact_reset.values()
    if rules.max_hands is None:
        high = max(rules.target + most, *resets, 0)
        return (0 if rules.floor == 0 else -high), high
    least = 0 if rules.floor == 0 else rules.max_hands * low
    return min([least, *(new + least for new in resets)]), max(
        most * rules.max_hands, *(new + most * rules.max_hands for new in resets), 0
    )


def length(rules: HeartsRules) -> int | None:
    """So many of the learners' actions are in a match at most; None: no bound is known."""
    if rules.max_hands is None:
        return None
    each = rules._cards_each() + (rules.pass_count if rules.pass_cycle else 0)
    return rules.max_hands * (rules.players * each + 1)
