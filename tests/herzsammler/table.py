"""What the rule tests are written with: cards as text, decks of one's own, positions in the middle of a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import pytest

import herzen
from herzen.herzsammler import HerzsammlerRules

DECK = [str(card) for card in HerzsammlerRules()._cards._by_id]
COLOURS = {"R": "red", "Y": "yellow", "G": "green", "B": "blue", "V": "violet"}

EXAMPLE_OPEN = "RHah Y3bg YHef G3ae B1ij BHdh"
EXAMPLE_HAND = "RHcd BHfj V5aj"


def cards(text: str | Iterable[object]) -> list[str]:
    """Card texts, given as one text or as a sequence."""
    return text.split() if isinstance(text, str) else [str(card) for card in text]


def texts(things: Iterable[object]) -> list[str]:
    """Cards or moves as texts."""
    return [str(thing) for thing in things]


def without(deck: Iterable[str], *zones: Iterable[object] | str) -> list[str]:
    """The cards of a deck that lie in none of these zones, in the deck's order."""
    gone = Counter(card for zone in zones for card in cards(zone))
    left = []
    for card in deck:
        if gone[card]:
            gone[card] -= 1
        else:
            left.append(card)
    assert not +gone, "a zone names a card too often"
    return left


def rows(text: str) -> list[list[Any]]:
    """The rows of a deck written as card texts."""
    out = []
    for card in text.split():
        colour, face, objects = COLOURS[card[0]], card[1:-2], card[-2:]
        kind, value = ("heart", 0) if face == "H" else ("numeral", int(face))
        out.append([colour, kind, value, *(ord(letter) - ord("a") for letter in objects)])
    return out


def deck_of(rules: HerzsammlerRules) -> list[str]:
    """The cards of a rules object's deck, in its order."""
    return texts(rules._cards._by_id)


def small(
    *hands: str, open: str, stack: str, dealer: int | None = None, seed: int = 1, **fields: Any
) -> herzen.Herzsammler:
    """A match whose deck is these cards alone; the first seat has drawn the stack's first card."""
    order = " ".join([*hands, open, stack])
    rules = HerzsammlerRules(players=len(hands), deck=rows(order), **fields)
    rest = [*cards(open), *cards(stack)]
    return herzen.Herzsammler.from_hands(
        [cards(hand) for hand in hands], rules, rest=rest, dealer=dealer, seed=seed
    )


def middle(
    *hands: str,
    open: str,
    stack: str | None = None,
    turn: int = 0,
    collections: Sequence[str] | None = None,
    bottom: str = "",
    rules: HerzsammlerRules | None = None,
    **zones: Any,
) -> herzen.Herzsammler:
    """A position with these zones. stack=None: all other cards; otherwise the last seat has collected them."""
    rules = rules or HerzsammlerRules(players=len(hands))
    piles = [cards(pile) for pile in collections or [""] * len(hands)]
    rest = without(deck_of(rules), *hands, open, *piles, stack or "", "" if stack else bottom)
    if stack is None:
        stack_cards = [*rest, *cards(bottom)]
    else:
        stack_cards = cards(stack)
        piles[-1] += rest
    return herzen.Herzsammler.setup(
        rules,
        hands=[cards(hand) for hand in hands],
        turn=turn,
        open=cards(open),
        stack=stack_cards,
        collections=piles,
        bottom=cards(bottom),
        seed=1,
        **zones,
    )


def example(**fields: Any) -> herzen.Herzsammler:
    """The position of the worked example under S-TAKE: seat 0 to show, all other cards in the stack."""
    return middle(EXAMPLE_HAND, "G1be G2fj", open=EXAMPLE_OPEN, rules=HerzsammlerRules(**fields))


def legal(game: herzen.Herzsammler, seat: int | None = None) -> list[str]:
    """The legal moves as texts."""
    return texts(game.legal_moves(seat))


def kinds(events: Iterable[herzen.Event]) -> list[str]:
    """The names of the events."""
    return [type(event).__name__ for event in events]


def found(events: Iterable[herzen.Event], name: str) -> Any:
    """The one event of this name."""
    (event,) = [event for event in events if type(event).__name__ == name]
    return event


def refused(game: herzen.Herzsammler, move: Any, code: str, seat: int | None = None) -> str:
    """Assert that a move is refused with this code and changes nothing (S-TURN-6); the sentence."""
    before = game.fingerprint(), game.version, game.ply, game.log, game.legal_moves(seat)
    assert not game.is_legal(move, seat)
    with pytest.raises(herzen.IllegalMove) as caught:
        game.play(move, seat=seat)
    assert caught.value.code == code
    assert game.why_illegal(move, seat) == caught.value.reason
    assert (game.fingerprint(), game.version, game.ply, game.log, game.legal_moves(seat)) == before
    return caught.value.reason


def everything(game: herzen.Herzsammler) -> list[str]:
    """All cards of a position, wherever they lie, sorted."""
    zones = game._setup_zones(game)
    lists = [*zones["hands"], zones["open"], zones["stack"], *zones["collections"]]
    return sorted(card for zone in lists for card in zone)
