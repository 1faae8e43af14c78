"""What the rule tests are written with: cards as text, small deals, positions in the middle of a deal.

A small deal has exactly the cards that its hands name; all others are removed from the pack. It is a real match from
its first card on, so trick 1 can be tested with hands of two or three cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import pytest

import herzen
from herzen.hearts.events import TrickTaken

KINDS = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]
HEARTS = KINDS[26:39]
PENALTIES = [*HEARTS, "QS"]


def cards(text: str | Sequence[str]) -> list[str]:
    """Card texts, given as one text or as a sequence."""
    return text.split() if isinstance(text, str) else list(text)


def texts(things: Iterable[object] | None) -> list[str]:
    """Cards or moves as texts."""
    assert things is not None
    return [str(thing) for thing in things]


def in_order(some: Iterable[str]) -> list[str]:
    """Card texts in canonical order."""
    return sorted(some, key=KINDS.index)


def without(*zones: str | Sequence[str], packs: int = 1) -> list[str]:
    """The cards that lie in none of these zones, in canonical order."""
    left = Counter(KINDS * packs)
    left.subtract(card for zone in zones for card in cards(zone))
    assert min(left.values()) >= 0, "a zone names a card too often"
    return [card for card in KINDS for _ in range(left[card])]


def small_rules(in_play: Iterable[str], players: int, **fields: Any) -> herzen.HeartsRules:
    """Rules with exactly these cards in play. Nothing is passed unless the fields say so."""
    held = list(in_play)
    packs = fields.get("decks", 1)
    fields = {"pass_cycle": (), "pass_count": 0, **fields}
    if "QS" not in held:
        fields.setdefault("queen_points", 0)
    return herzen.HeartsRules(players=players, removed=without(held, packs=packs), **fields)


def small_deal(
    *hands: str | Sequence[str],
    kitty: str = "",
    dealer: int | None = None,
    seed: int = 1,
    **fields: Any,
) -> herzen.Hearts:
    """A match whose first deal is these hands and kitty, and whose pack has no other cards."""
    read = [cards(hand) for hand in hands]
    rest = cards(kitty)
    in_play = [*rest, *(card for hand in read for card in hand)]
    if rest:
        fields.setdefault("extras", "kitty")
    rules = small_rules(in_play, len(hands), **fields)
    return herzen.Hearts.from_hands(read, rules, rest=rest, dealer=dealer, seed=seed)


def middle(
    *hands: str | Sequence[str],
    turn: int = 0,
    trick: Sequence[tuple[int, str]] = (),
    broken: bool = False,
    rules: herzen.HeartsRules | None = None,
) -> herzen.Hearts:
    """A position after trick 1: the cards that are in no hand and not on the table were captured before."""
    rules = rules or herzen.HeartsRules()
    read = [cards(hand) for hand in hands]
    gone = texts(rules.removed)
    rest = without(*read, [card for _, card in trick], gone, packs=rules.decks)
    piles = [rest[seat :: rules.players] for seat in range(rules.players)]
    return herzen.Hearts.setup(
        rules, hands=read, turn=turn, trick=trick, hearts_broken=broken, taken=piles, seed=1
    )


def led_by(hand: str, broken: bool = False, **fields: Any) -> list[str]:
    """What a leader with this hand (three cards at most) may lead in the middle of a deal."""
    others = [card for card in cards("2C 3C 4C 5C 6C 7C 8C 9C TC") if card not in cards(hand)]
    size = len(cards(hand))
    filled = [others[size * place : size * (place + 1)] for place in range(3)]
    game = middle(hand, *filled, broken=broken, rules=herzen.HeartsRules(**fields))
    return legal(game)


def legal(game: herzen.Hearts, seat: int | None = None) -> list[str]:
    """The legal moves as texts."""
    return texts(game.legal_moves(seat))


def play(game: herzen.Hearts, moves: str) -> list[herzen.Event]:
    """Play these cards one after another; the events of all."""
    return [event for move in moves.split() for event in game.play(move)]


def commit(game: herzen.Hearts, *passes: str) -> list[herzen.Event]:
    """Seats 0, 1, ... pass these cards."""
    return [
        event for seat, some in enumerate(passes) for event in game.play(f"pass {some}", seat=seat)
    ]


def refused(game: herzen.Hearts, move: str, code: str, seat: int | None = None) -> str:
    """Assert that a move is refused with this code and changes nothing (H-PLAY-10); the sentence."""
    before = game.fingerprint(), game.version, game.ply, game.log, game.legal_moves(seat)
    assert not game.is_legal(move, seat)
    with pytest.raises(herzen.IllegalMove) as caught:
        game.play(move, seat=seat)
    assert caught.value.code == code
    assert game.why_illegal(move, seat) == caught.value.reason
    assert (game.fingerprint(), game.version, game.ply, game.log, game.legal_moves(seat)) == before
    return caught.value.reason


def winner_of(events: Iterable[herzen.Event]) -> int | None:
    """The winner of the last trick among these events."""
    return [event for event in events if isinstance(event, TrickTaken)][-1].winner


def kinds(events: Iterable[herzen.Event]) -> list[str]:
    """The names of the events."""
    return [type(event).__name__ for event in events]


def found(events: Iterable[herzen.Event], name: str) -> Any:
    """The one event of this name."""
    (event,) = [event for event in events if type(event).__name__ == name]
    return event


def spread(points: Sequence[int]) -> list[list[str]]:
    """Piles of the 14 penalty cards that are worth these points at the defaults (26 in all)."""
    left, hearts = list(points), list(HEARTS)
    piles: list[list[str]] = [[] for _ in points]
    owner = max(range(len(left)), key=left.__getitem__)
    piles[owner].append("QS")
    left[owner] -= 13
    assert sum(left) == 13
    assert min(left) >= 0
    for seat, count in enumerate(left):
        piles[seat] += [hearts.pop() for _ in range(count)]
    return piles


LAST_TRICK = ("2C", "3C", "4C", "5C")


def last_card(
    points: Sequence[int],
    *,
    scores: Sequence[int] = (0, 0, 0, 0),
    deal_number: int = 0,
    **fields: Any,
) -> herzen.Hearts:
    """Four players, one card before the end of a deal that will give these card points: seat 3 plays 5C and wins.

    Every seat has captured a trick before.
    """
    rules = herzen.HeartsRules(**fields)
    piles = spread(points)
    plain = without(*piles, LAST_TRICK)
    for seat in range(4):
        piles[seat] += plain[seat::4]
    trick = [(seat, LAST_TRICK[seat]) for seat in range(3)]
    return herzen.Hearts.setup(
        rules,
        hands=[[], [], [], [LAST_TRICK[3]]],
        turn=3,
        trick=trick,
        taken=piles,
        tricks_won=[3] * 4,
        scores=scores,
        deal_number=deal_number,
        seed=1,
    )


def after_hand(
    points: Sequence[int], scores: Sequence[int], *, deal_number: int = 0, **fields: Any
) -> herzen.Hearts:
    """The match after a hand that gave these card points to seats with these totals."""
    game = last_card(points, scores=scores, deal_number=deal_number, **fields)
    game.play(LAST_TRICK[3])
    return game


def moon_shot(
    scores: Sequence[int] = (0, 0, 0, 0),
    *,
    deal_number: int = 0,
    all_tricks: bool = False,
    bonus_to: int | None = None,
    **fields: Any,
) -> herzen.Hearts:
    """Four players, after the last trick of a deal in which seat 0 captured every heart and Q♠.

    all_tricks: seat 0 took every trick. bonus_to: the seat that has J♦ (None: seat 1, or 0 if it took all).
    """
    rules = herzen.HeartsRules(**fields)
    last = ["KC", "2C", "3C", "4C"]
    plain = without(PENALTIES, last, "JD")
    piles: list[list[str]] = [list(PENALTIES), [], [], []]
    if all_tricks:
        piles[0] += [*plain, "JD"]
        won = [12, 0, 0, 0]
    else:
        for seat in range(4):
            piles[seat] += plain[seat::4]
        piles[1 if bonus_to is None else bonus_to].append("JD")
        won = [6, 2, 2, 2]
    trick = [(1, last[1]), (2, last[2]), (3, last[3])]
    game = herzen.Hearts.setup(
        rules,
        hands=[[last[0]], [], [], []],
        turn=0,
        trick=trick,
        taken=piles,
        tricks_won=won,
        scores=scores,
        deal_number=deal_number,
        seed=1,
    )
    game.play(last[0])
    return game
