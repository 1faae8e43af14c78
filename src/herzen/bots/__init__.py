"""Bots: players that see views only. A game's own rule player stands in its folder, in the module `bot`."""

from herzen.bots.base import BOTS, Bot, RandomBot, RuleBot, bot_class, bot_seed, seated

__all__ = ["BOTS", "Bot", "RandomBot", "RuleBot", "bot_class", "bot_seed", "seated"]
