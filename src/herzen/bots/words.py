"""Bots by words: how command lines, simulations and tournaments name them.

====================  ===================================================================
word                  bot
====================  ===================================================================
``random``            `RandomBot`
``rule``              `RuleBot`
``search``            `SearchBot` with 1,000 simulations for each decision
``search:N``          `SearchBot` with N simulations for each decision
``search:SECONDSs``   `SearchBot` with so much time for each decision, as in `search:0.5s`
``module:Class``      any class or function of an importable module that makes a bot from its seed
====================  ===================================================================
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module

from herzen.bots.base import Bot, RandomBot, RuleBot, SeededBot, bot_seed
from herzen.bots.search import SearchBot

BOTS: dict[str, type[SeededBot]] = {"rule": RuleBot, "random": RandomBot}
"""The bots whose word is all there is to say of them."""

KNOWN = "rule, random, search:1000, search:0.5s, module:Class"
SIMULATIONS = 1000
MOST_SIMULATIONS = 1_000_000_000
MOST_SECONDS = 3600.0

_LIMIT = re.compile(r"[0-9]{1,10}|(?:[0-9]{1,4}(?:\.[0-9]{1,6})?|\.[0-9]{1,6})s", re.ASCII)


def bot_word(word: str) -> str:
    """The one spelling of this word: `Search` is `search:1000`, `search:.50s` is `search:0.5s`.

    ValueError for words that name no bot, TypeError for what is no word. A module is not looked for.
    """
    if not isinstance(word, str):
        raise TypeError(f"a bot's word is needed, not {type(word).__name__}")
    word = word.strip()
    name, colon, given = word.partition(":")
    if name.lower() in BOTS and not colon:
        return name.lower()
    if name.lower() in BOTS:
        raise ValueError(f"{name} has no parameter: {word!r}")
    if name.lower() == "search":
        simulations, seconds = _limits(word, given if colon else str(SIMULATIONS))
        if seconds is None:
            return f"search:{simulations}"
        return f"search:{f'{seconds:.6f}'.rstrip('0').rstrip('.')}s"
    if colon and all(part.isidentifier() for part in f"{name}.{given}".split(".")):
        return word
    raise ValueError(f"no such bot: {word!r} (there are: {KNOWN})")


def is_imported(word: str) -> bool:
    """Whether the word names a class in a module, rather than one of the package's own bots."""
    return bot_word(word).partition(":")[0] not in {*BOTS, "search"}


def _limits(word: str, given: str) -> tuple[int | None, float | None]:
    """Simulations or seconds, the other None."""
    if _LIMIT.fullmatch(given):
        if given.endswith("s"):
            if 0 < float(given[:-1]) <= MOST_SECONDS:
                return None, float(given[:-1])
        elif 0 < int(given) <= MOST_SIMULATIONS:
            return int(given), None
    raise ValueError(
        f"{word!r}: a number of simulations (search:1000) or of seconds (search:0.5s) is needed"
    )


def bot_maker(word: str) -> Callable[[int], Bot]:
    """What makes the bot of this word from its seed; ValueError if there is none."""
    word = bot_word(word)
    name, _, given = word.partition(":")
    if name in BOTS:
        return BOTS[name]
    if name != "search":
        return _imported(word, name, given)
    simulations, seconds = _limits(word, given)
    return lambda seed: SearchBot(seed, simulations=simulations, time=seconds)


def _imported(word: str, module: str, attribute: str) -> Callable[[int], Bot]:
    try:
        found: object = import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
    except Exception as error:  # whatever a foreign module may do when it is imported
        raise ValueError(f"bot {word!r}: {str(error) or type(error).__name__}") from error
    if not callable(found):
        raise ValueError(f"bot {word!r}: a class or function is needed, not {type(found).__name__}")

    def make(seed: int) -> Bot:
        bot = found(seed)
        if not callable(getattr(bot, "choose", None)):
            raise TypeError(f"bot {word!r}: {type(bot).__name__} has no method choose(view)")
        assert isinstance(bot, Bot)
        return bot

    return make


def seated(word: str, seed: int, seat: int) -> Bot:
    """The bot of this word, for a seat of the match with this seed."""
    return bot_maker(word)(bot_seed(seed, seat))
