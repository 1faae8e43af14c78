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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from herzen.hearts.solver import Solution, solve

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
    "Solution",
    "TrickScorer",
    "TrickTaken",
    "parse",
    "solve",
]


def __getattr__(name: str) -> object:
    """What only analysis needs is imported when it is first asked for."""
    if name in ("Solution", "solve"):
        from herzen.hearts import solver

        return getattr(solver, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
