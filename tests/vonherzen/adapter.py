"""Von Herzen as an entry of tests/contract/games.py: moving it there is moving this file's last statement."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import herzen
from tests.contract.games import Adapter, Fields, History
from tests.reference.vonherzen import VonHerzenTwin
from tests.reference.vonherzen_options import random_rules
from tests.reference.vonherzen_resample import resample_hidden
from tests.reference.vonherzen_rules import CARDS

WITH_CARDS = ("offer", "accept", "takeover", "agree", "meld")


def _retell(twin: VonHerzenTwin, moves: History) -> tuple[list[str], History]:
    return list(twin.decks[-1]), list(twin.history[twin.deal_start :])


def _no_chance(fields: Fields, seed: int, deal_number: int) -> Sequence[int]:
    return ()


def _deck(fields: Fields) -> list[str]:
    return list(CARDS)


def _move(rng: random.Random, fields: Fields) -> str:
    kind = rng.random()
    if kind < 0.5:
        verb = rng.choice(WITH_CARDS)
        return " ".join([verb, *rng.sample(CARDS, rng.randrange(1, 5))])
    card: Any = rng.choice(CARDS)
    return rng.choice(
        [
            *(f"discard {card}", f"discard {card}", f"layoff {card} {rng.randrange(10)}"),
            *("offer -", "decline", f"counter {rng.randrange(1, 8)}", "stay", "withdraw"),
            *("draw stock", "draw pile", f"draw {card}", "end"),
        ]
    )


VON_HERZEN = Adapter(
    name="vonherzen",
    kind=herzen.VonHerzen,
    twin=VonHerzenTwin,
    random_rules=random_rules,
    resample=resample_hidden,
    retell=_retell,
    public_chance=_no_chance,
    deck=_deck,
    zones=("hands", "runs", "pile", "stock"),
    moves=_move,
    variants=(
        {},
        {"players": 2, "exchange_rounds": 2},
        {"players": 4, "turn_up": True},
        {"players": 5, "others_after_decline": True, "counter_binding": True},
        {"players": 6, "stock_refill": "turn_over", "draw_from_pile": "any"},
        {"stock_refill": "turn_over", "discard_mandatory": True, "blocked_after": 40},
        {"wrap": False, "joker_ends": False, "natural_flute_bonus": 4},
        {"one_meld_per_turn": True, "own_joker_extend": False, "discard_drawn": True},
    ),
)
