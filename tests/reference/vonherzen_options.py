"""Random valid rules of Von Herzen, for comparing the engine with its twin.

Most draws change a few options, some many; matches are short.
"""

from __future__ import annotations

import random
from typing import Any

from tests.reference.vonherzen_rules import resolve

# Values other than the default.
VALUES: dict[str, list[Any]] = {
    "turn_up": [True],
    "exchange_rounds": [0, 2],
    "others_after_decline": [True],
    "counter_binding": [True],
    "draw_from_pile": ["any"],
    "stock_refill": ["turn_over"],
    "one_meld_per_turn": [True],
    "wrap": [False],
    "joker_ends": [False],
    "own_joker_extend": [False],
    "discard_mandatory": [True],
    "discard_drawn": [True],
    "blocked_after": [None, 1, 2, 5, 12, 30],
    "flute_bonus": [0, 1, 5, 100],
    "natural_flute_bonus": [0, 4, 4, 100],
}

# Options that matter together.
THEMES: list[dict[str, Any]] = [
    {"stock_refill": "turn_over", "discard_mandatory": True, "blocked_after": 40},
    {"stock_refill": "turn_over", "draw_from_pile": "any", "turn_up": True},
    {"wrap": False, "joker_ends": False},
    {"joker_ends": False, "discard_mandatory": True, "blocked_after": 60},
    {"others_after_decline": True, "counter_binding": True, "exchange_rounds": 2},
    {"discard_mandatory": True, "exchange_rounds": 0, "blocked_after": 50},
    {"discard_mandatory": True, "draw_from_pile": "any", "blocked_after": 50},
]

# What a valid value of each field is, beside those that depend on another field.
RANGES: dict[str, tuple[int, int]] = {
    "players": (2, 6),
    "exchange_rounds": (0, 2),
    "flute_bonus": (0, 100),
    "natural_flute_bonus": (0, 100),
    "full_rounds": (1, 10_000),
    "max_deals": (1, 10_000),
    "blocked_after": (1, 10_000),
}


def is_valid(given: dict[str, Any]) -> bool:
    """Whether these fields make a valid rules object (their types are taken as right)."""
    for name, (low, high) in RANGES.items():
        value = given.get(name)
        if value is not None and value != "2n" and not low <= value <= high:
            return False
    rules = resolve(given)
    return bool(1 <= rules["hand_size"] <= min(8, 32 // rules["players"]))


def random_rules(rng: random.Random) -> dict[str, Any]:
    """Fields of a valid rules object; those left out stand for their defaults."""
    given: dict[str, Any] = {"full_rounds": rng.choice([1, 1, 2])}
    if rng.random() < 0.7:
        given["max_deals"] = rng.randrange(1, 5)
    if rng.random() < 0.8:
        given["players"] = rng.randrange(2, 7)
    if rng.random() < 0.25:
        given["hand_size"] = rng.randrange(1, resolve(given)["hand_size"] + 1)
    if rng.random() < 0.3:
        given.update(rng.choice(THEMES))
    share = rng.choice([0.0, 0.08, 0.08, 0.15, 0.15, 0.3, 0.6])
    for name, values in VALUES.items():
        if name not in given and rng.random() < share:
            given[name] = rng.choice(values)
    return given
