"""Von Herzen: two-colour rummy with 32 cards and an exchange phase (docs/rules/vonherzen.rst)."""

from herzen.events import GameEnded
from herzen.vonherzen.cards import Card
from herzen.vonherzen.events import (
    Answered,
    DealScored,
    Dealt,
    Discarded,
    Drawn,
    LaidOff,
    LastTurns,
    Melded,
    Offered,
    StockTurned,
    Swapped,
    TurnEnded,
)
from herzen.vonherzen.game import Phase, VonHerzen
from herzen.vonherzen.moves import (
    Accept,
    Agree,
    Counter,
    Decline,
    Discard,
    Draw,
    EndTurn,
    LayOff,
    Meld,
    Move,
    Offer,
    Stay,
    TakeOver,
    Withdraw,
    parse,
)
from herzen.vonherzen.rules import VonHerzenRules
from herzen.vonherzen.scoring import RunScorer
from herzen.vonherzen.view import VonHerzenView

__all__ = [
    "Accept",
    "Agree",
    "Answered",
    "Card",
    "Counter",
    "DealScored",
    "Dealt",
    "Decline",
    "Discard",
    "Discarded",
    "Draw",
    "Drawn",
    "EndTurn",
    "GameEnded",
    "LaidOff",
    "LastTurns",
    "LayOff",
    "Meld",
    "Melded",
    "Move",
    "Offer",
    "Offered",
    "Phase",
    "RunScorer",
    "Stay",
    "StockTurned",
    "Swapped",
    "TakeOver",
    "TurnEnded",
    "VonHerzen",
    "VonHerzenRules",
    "VonHerzenView",
    "Withdraw",
    "parse",
]
