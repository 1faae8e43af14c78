"""The tiers of tests: quick (minutes), ci (about ten minutes on two cores), full (hours; the issues' counts).

Below them smoke: all quick tests with the smallest counts, for builds that run slowly (tools/sanitize.py).
"""

from __future__ import annotations

import os
from typing import TypeVar

T = TypeVar("T")

TIERS = ("smoke", "quick", "ci", "full")


def tier() -> str:
    """The tier of this run, from HERZEN_TIER (set by `pytest --tier`)."""
    chosen = os.environ.get("HERZEN_TIER", "quick")
    if chosen not in TIERS:
        raise ValueError(f"HERZEN_TIER={chosen}: one of {TIERS} is needed")
    return chosen


def scale(quick: T, ci: T, full: T, smoke: T | None = None) -> T:
    """What this tier asks for; `smoke`: where tests with the quick count take long in a slow build."""
    return {"smoke": quick if smoke is None else smoke, "quick": quick, "ci": ci, "full": full}[
        tier()
    ]
