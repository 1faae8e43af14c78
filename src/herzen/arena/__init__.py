"""Tournaments of bots on duplicate deals: played anywhere, resumed after a crash, judged with intervals.

See docs/arena.rst. Loaded on first use; needs numpy, and for pictures and clusters the extra `arena`.
"""

from herzen.arena.results import BotResult, PairResult, Results, Standing
from herzen.arena.statistics import Estimate
from herzen.arena.tournament import Tournament, load
from herzen.arena.work import Outcome
from herzen.arena.workers import process_pool

__all__ = [
    "BotResult",
    "Estimate",
    "Outcome",
    "PairResult",
    "Results",
    "Standing",
    "Tournament",
    "load",
    "process_pool",
]
