"""Von Herzen: the texts and codes of moves.

A code is the number of the verb (in the order of `VERBS`) times 2^32, plus a part below 2^32:

- offer, accept, takeover, agree, meld: the set of cards as a mask, bit k = card k
- counter: its number
- draw: 0 stock, 1 pile, 2 + k for card k
- layoff: 10 k + run; discard: k
- decline, stay, withdraw, end: 0

Legal moves are listed in ascending code.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tests.reference.vonherzen_rules import ORDER, sort_cards
from tests.reference.vonherzen_runs import meld_text_order

VERBS = [
    "offer",
    "accept",
    "decline",
    "counter",
    "takeover",
    "stay",
    "agree",
    "withdraw",
    "draw",
    "meld",
    "layoff",
    "discard",
    "end",
]
WITH_CARDS = ("offer", "accept", "takeover", "agree", "meld")
WITHOUT_ANYTHING = ("decline", "stay", "withdraw", "end")

# The phases in which a move of each kind exists.
PHASES: dict[str, tuple[str, ...]] = {
    "offer": ("offer",),
    "accept": ("answer", "give"),
    "decline": ("answer",),
    "counter": ("answer",),
    "takeover": ("takeover",),
    "stay": ("takeover",),
    "agree": ("agree",),
    "withdraw": ("agree",),
    "draw": ("draw",),
    "meld": ("meld",),
    "layoff": ("meld",),
    "discard": ("meld",),
    "end": ("meld",),
}


class Move(NamedTuple):
    """A move as read: `cards` sorted; `number` of a counter, a run, or 0/1 for stock/pile."""

    verb: str
    cards: tuple[str, ...] = ()
    number: int = 0


def read(text: str) -> Move | None:
    """The move behind a text; None if it is no move. A card named twice is no set of cards."""
    verb, *words = text.split() or [""]
    if verb in WITHOUT_ANYTHING:
        return None if words else Move(verb)
    if verb in WITH_CARDS:
        if verb == "offer" and words == ["-"]:
            return Move(verb)
        named = set(words)
        if not words or len(named) < len(words) or not named <= ORDER.keys():
            return None
        return Move(verb, tuple(sort_cards(words)))
    if verb == "counter":
        is_number = len(words) == 1 and words[0] in list("1234567")
        return Move(verb, (), int(words[0])) if is_number else None
    if verb == "draw" and words in (["stock"], ["pile"]):
        return Move(verb, (), int(words == ["pile"]))
    if verb in ("draw", "discard"):
        return Move(verb, (words[0],)) if len(words) == 1 and words[0] in ORDER else None
    if verb == "layoff" and len(words) == 2 and words[0] in ORDER:
        return Move(verb, (words[0],), int(words[1])) if words[1] in list("0123456789") else None
    return None


def text_of(verb: str, cards: Sequence[str]) -> str:
    """The text of a move with a set of cards."""
    ordered = meld_text_order(cards) if verb == "meld" else sort_cards(cards)
    return " ".join([verb, *(ordered or ["-"])])


def mask_of(cards: Sequence[str]) -> int:
    """The set of cards as a 32-bit number."""
    return sum(1 << ORDER[card] for card in cards)


def code_of(text: str) -> int:
    """The code of a move text."""
    move = read(text)
    if move is None:
        raise ValueError(f"no move: {text!r}")
    part = move.number
    if move.verb in WITH_CARDS:
        part = mask_of(move.cards)
    elif move.verb == "layoff":
        part = 10 * ORDER[move.cards[0]] + move.number
    elif move.verb == "discard":
        part = ORDER[move.cards[0]]
    elif move.verb == "draw" and move.cards:
        part = 2 + ORDER[move.cards[0]]
    return VERBS.index(move.verb) << 32 | part
