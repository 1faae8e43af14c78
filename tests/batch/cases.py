"""The games that batches are tested with: the entries of the contract tests, imported here only."""

from __future__ import annotations

import random

import pytest

import herzen
from tests.contract.adapter import Adapter
from tests.contract.games import GAMES

CASES = GAMES

every_case = pytest.mark.parametrize("case", CASES, ids=str)


def all_rules(case: Adapter, random_ones: int, seed: int) -> list[herzen.Rules]:
    """The fixed variants of a game and some random rules."""
    rng = random.Random(seed)
    drawn = [case.random_rules(rng) for _ in range(random_ones)]
    return [case.rules(fields) for fields in (*case.variants, *drawn)]


def short_rules(case: Adapter) -> herzen.Rules:
    """Rules with short matches."""
    fields = {"hearts": {"max_hands": 2}, "vonherzen": {"max_deals": 1}, "herzsammler": {}}
    return case.rules(fields[case.name])
