"""A tournament of short matches between fast bots."""

from __future__ import annotations

from typing import Any

import herzen
from herzen.arena import Tournament

SHORT = herzen.HerzsammlerRules()
FIRST, LAST = "tests.arena.bots:First", "tests.arena.bots:Last"


def short(deals: int = 12, **options: Any) -> Tournament:
    """Three bots, six line-ups a deal."""
    return Tournament(SHORT, [FIRST, "random", LAST], deals, **{"seed": "arena", **options})
