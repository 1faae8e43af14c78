"""herzen: a rules engine for Hearts, Von Herzen and Herzsammler."""

from herzen._version import __version__
from herzen.archive import RecordWriter, dump_records, load_records
from herzen.cards import Card
from herzen.errors import (
    ArenaError,
    CardError,
    GameOver,
    HerzenError,
    IllegalMove,
    RecordError,
    ReplayMismatch,
    RulesError,
    SeedError,
    SetupError,
    StaleState,
)
from herzen.events import Event
from herzen.game import Game, new
from herzen.hearts import Hearts, HeartsRules, HeartsView, TrickScorer
from herzen.moves import Move
from herzen.record import Record
from herzen.rules import Rules
from herzen.scoring import Scorer, ScoreSheet
from herzen.seats import Seat
from herzen.view import View

TYPE_CHECKING = False  # `typing` is not imported at run time
if TYPE_CHECKING:
    from herzen import arena as arena
    from herzen import batch as batch
    from herzen import bots as bots
    from herzen import herzsammler as herzsammler
    from herzen import render as render
    from herzen import vonherzen as vonherzen
    from herzen.herzsammler import Herzsammler, HerzsammlerRules, HerzsammlerView, MajorityScorer
    from herzen.seat_record import SeatRecord
    from herzen.simulation import simulate as simulate
    from herzen.vonherzen import RunScorer, VonHerzen, VonHerzenRules, VonHerzenView

__all__ = [
    "ArenaError",
    "Card",
    "CardError",
    "Event",
    "Game",
    "GameOver",
    "Hearts",
    "HeartsRules",
    "HeartsView",
    "HerzenError",
    "Herzsammler",
    "HerzsammlerRules",
    "HerzsammlerView",
    "IllegalMove",
    "MajorityScorer",
    "Move",
    "Record",
    "RecordError",
    "RecordWriter",
    "ReplayMismatch",
    "Rules",
    "RulesError",
    "RunScorer",
    "ScoreSheet",
    "Scorer",
    "Seat",
    "SeatRecord",
    "SeedError",
    "SetupError",
    "StaleState",
    "TrickScorer",
    "View",
    "VonHerzen",
    "VonHerzenRules",
    "VonHerzenView",
    "__version__",
    "dump_records",
    "get_include",
    "load_records",
    "new",
]


def get_include() -> str:
    """The directory to put on the include path when another Cython project cimports `herzen`."""
    import os

    return os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


# What is loaded when it is first used.
_LAZY = {
    "Herzsammler": "herzen.herzsammler",
    "HerzsammlerRules": "herzen.herzsammler",
    "HerzsammlerView": "herzen.herzsammler",
    "MajorityScorer": "herzen.herzsammler",
    "RunScorer": "herzen.vonherzen",
    "SeatRecord": "herzen.seat_record",
    "VonHerzen": "herzen.vonherzen",
    "VonHerzenRules": "herzen.vonherzen",
    "VonHerzenView": "herzen.vonherzen",
    "arena": "",
    "batch": "",
    "bots": "",
    "herzsammler": "",
    "render": "",
    "simulate": "herzen.simulation",
    "vonherzen": "",
}


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name not in _LAZY:
        raise AttributeError(f"module 'herzen' has no attribute {name!r}")
    module = _LAZY[name]
    found: object = (
        getattr(import_module(module), name) if module else import_module(f"herzen.{name}")
    )
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
