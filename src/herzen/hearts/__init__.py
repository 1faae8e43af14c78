"""Hearts, 3 to 7 players, and Cancellation Hearts with two packs (docs/rules/hearts.rst)."""

from herzen.events import GameEnded
from herzen.hearts.cards import Card
from herzen.hearts.events import (
    Dealt,
    Exchanged,
    HandScored,
    KittyShown,
    KittyTaken,
    LeadPassed,
    MoonChosen,
    Passed,
    Played,
    TrickTaken,
)
from herzen.hearts.game import Hearts, Phase
from herzen.hearts.moves import MoonChoice, Move, Pass, Play, parse
from herzen.hearts.rules import HeartsRules
from herzen.hearts.scoring import TrickScorer
from herzen.hearts.view import HeartsView

__all__ = [
    "Card",
    "Dealt",
    "Exchanged",
    "GameEnded",
    "HandScored",
    "Hearts",
    "HeartsRules",
    "HeartsView",
    "KittyShown",
    "KittyTaken",
    "LeadPassed",
    "MoonChoice",
    "MoonChosen",
    "Move",
    "Pass",
    "Passed",
    "Phase",
    "Play",
    "Played",
    "TrickScorer",
    "TrickTaken",
    "parse",
]
