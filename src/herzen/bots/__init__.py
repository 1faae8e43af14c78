"""Bots: players that see views only.

A game's folder has a module `bot` with its rule player, `RuleBot(seed)`, and `draw(game, stream)`: the code of a
uniformly random move of the seat `turn`, drawn action by action (docs/seeds.rst, domain 2).
"""

from herzen.bots.base import Bot, RandomBot, RuleBot, bot_seed
from herzen.bots.search import Candidate, SearchBot
from herzen.bots.words import BOTS, bot_maker, bot_word, is_imported, seated

__all__ = [
    "BOTS",
    "Bot",
    "Candidate",
    "RandomBot",
    "RuleBot",
    "SearchBot",
    "bot_maker",
    "bot_seed",
    "bot_word",
    "is_imported",
    "seated",
]
