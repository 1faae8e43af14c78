"""How much a match of Von Herzen can come to: for programs that have to know before it begins."""

from __future__ import annotations

from herzen.vonherzen.rules import VonHerzenRules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PLAYERS = (2, 6)
"""The least and the greatest number of seats, whatever the other options."""
ONE_DEAL: dict[str, Any] = {"max_deals": 1}
"""The options under which a match is one deal."""

CARDS = 32
FLUTES = 4  # of eight cards each


def _deals(rules: VonHerzenRules) -> int:
    deals = rules.full_rounds * rules.players
    return deals if rules.max_deals is None else min(deals, rules.max_deals)


def scores(rules: VonHerzenRules) -> tuple[int, int]:
    """The least and the greatest total that a seat can have."""
    bonus = max(rules.flute_bonus, rules.natural_flute_bonus)
    return -CARDS * _deals(rules), (CARDS + FLUTES * bonus) * _deals(rules)


def length(rules: VonHerzenRules) -> int:
    """So many of the learners' actions are in a match at most."""
    n, size = rules.players, rules.hand_size
    # Of a proposal: the offer, an answer, what the others say, an agreement, what is given; each with its picks.
    proposal = (n + 2) * (size + 2)
    # A turn that is not idle draws from the stock, melds or lays off, and there are so many cards.
    idle = rules.blocked_after
    turns = 1000 if idle is None else (2 * CARDS + 1) * (2 * n if isinstance(idle, str) else idle)
    # A turn: draw, discard or end; melds and lay-offs are one a card in all.
    deal = rules.exchange_rounds * n * proposal + 3 * (turns + n) + CARDS
    return deal * _deals(rules)
