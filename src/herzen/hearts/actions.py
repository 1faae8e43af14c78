"""Names of the learners' actions of Hearts (docs/batch.rst)."""

from __future__ import annotations

from herzen.hearts.cards import CARDS
from herzen.rules import Rules

NAMES = (*map(str, CARDS), "moon add", "moon subtract")


def names(rules: Rules) -> tuple[str, ...]:
    """The name of each action: of a card to pick or play its text."""
    return NAMES
