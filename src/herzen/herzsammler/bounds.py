"""How much a match of Herzsammler can come to: for programs that have to know before it begins."""

from __future__ import annotations

from herzen.herzsammler.rules import HerzsammlerRules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PLAYERS = (2, 4)
"""The least and the greatest number of seats, whatever the other options."""
ONE_DEAL: dict[str, Any] = {}
"""The options under which a match is one deal."""


def scores(rules: HerzsammlerRules) -> tuple[int, int]:
    """The least and the greatest total that a seat can have."""
    return 0, rules.games * sum(value for _, _, value, _, _ in rules.deck)


def length(rules: HerzsammlerRules) -> int:
    """So many of the learners' actions, one a turn, are in a match at most."""
    # Each turn is a miss or takes a card out of the game.
    return rules.games * (len(rules.deck) + 1) * rules.stall_limit
