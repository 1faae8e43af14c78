"""Herzsammler: collect numerals and hearts in five colours (docs/rules/herzsammler.rst)."""

from herzen.events import GameEnded
from herzen.herzsammler.cards import Card, load_deck
from herzen.herzsammler.events import (
    Dealt,
    Drawn,
    GameScored,
    Missed,
    Opened,
    Shown,
    Taken,
)
from herzen.herzsammler.game import Herzsammler, Phase
from herzen.herzsammler.moves import Move, Show, parse
from herzen.herzsammler.rules import HerzsammlerRules
from herzen.herzsammler.scoring import MajorityScorer
from herzen.herzsammler.view import HerzsammlerView

__all__ = [
    "Card",
    "Dealt",
    "Drawn",
    "GameEnded",
    "GameScored",
    "Herzsammler",
    "HerzsammlerRules",
    "HerzsammlerView",
    "MajorityScorer",
    "Missed",
    "Move",
    "Opened",
    "Phase",
    "Show",
    "Shown",
    "Taken",
    "load_deck",
    "parse",
]
