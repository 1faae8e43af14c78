"""The three tiers of tests: quick (minutes), ci (about ten minutes on two cores), full (hours; the issues' counts)."""

from __future__ import annotations

import os
from typing import TypeVar

T = TypeVar("T")

TIERS = ("quick", "ci", "full")


def tier() -> str:
    """The tier of this run, from HERZEN_TIER (set by `pytest --tier`)."""
    chosen = os.environ.get("HERZEN_TIER", "quick")
    if chosen not in TIERS:
        raise ValueError(f"HERZEN_TIER={chosen}: one of {TIERS} is needed")
    return chosen


def scale(quick: T, ci: T, full: T) -> T:
    """What this tier asks for."""
    return {"quick": quick, "ci": ci, "full": full}[tier()]
