"""Matches to draw, and finding cards in what was drawn."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import herzen
from herzen.bots import RuleBot, bot_seed
from herzen.registry import GAMES
from herzen.render.page import script_json
from herzen.render.scene import game_scene

SHORT: dict[str, dict[str, Any]] = {
    "hearts": {"max_hands": 2},
    "vonherzen": {"full_rounds": 1},
    "herzsammler": {"games": 2},
}
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&\u2028\u202e\x00\ud800"


@cache
def record(name: str, seed: int = 3) -> herzen.Record:
    """A short match of bots, played to its end."""
    game = herzen.new(name, seed=seed, **SHORT[name])
    bots = [RuleBot(seed=bot_seed(seed, seat)) for seat in range(game.players)]
    while not game.over:
        turn = int(game.turn or 0)
        game.play(bots[turn].choose(game.view(turn)))
    return game.record()


def positions(name: str, every: int) -> Iterator[herzen.Game]:
    """The game at some of its positions, the first and the last among them."""
    whole = record(name)
    for count in {*range(0, len(whole.moves), every), len(whole.moves)}:
        yield whole.replay(count)


@cache
def _forms(name: str) -> tuple[re.Pattern[str], dict[str, str]]:
    """What a card may be called in a text, and which card that is."""
    forms = {}
    part = game_scene(name)
    rules = herzen.new(name, seed=1).rules
    for index in rules._deck():
        card = rules._card(index)
        forms[str(card)] = forms[part.card_name(card)] = str(card)
        symbol = getattr(card, "symbol", None)
        if symbol is not None:
            forms[symbol] = str(card)
    longest = sorted(forms, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)"), forms


def cards_in(name: str, text: str) -> set[str]:
    """The cards that a text names in any way: QS, Q♠, queen of spades; in identifiers and JSON's escapes, too."""
    text = re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found[1], 16)), text)
    # A symbol's name joins the card with hyphens; the suit's and theme's names are no cards.
    pattern, forms = _forms(name)
    return {forms[found] for found in pattern.findall(text.replace("-", " ").replace("*", " "))}


def seen_by(view: herzen.View) -> set[str]:
    """All cards that a view names."""
    return cards_in(view.game, script_json(view.to_dict()))


ALL = tuple(GAMES)
