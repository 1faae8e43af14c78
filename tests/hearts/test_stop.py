"""The rules of stopping early, H-STOP."""

from __future__ import annotations

import random
from typing import Any

import pytest

import herzen
from tests.hearts.table import KINDS, found, kinds, play, small_deal, small_rules, texts
from tests.tiers import scale

# Trick 1: 2C 3C 5C 4C, seat 2. Trick 2: 2D AD 2H QS, seat 3. After it no penalty card is left; 9C..QC are.
HANDS = ("2C 2H 9C", "3C QS TC", "5C 2D JC", "4C AD QC")
TWO_TRICKS = "2C 3C 5C 4C 2D AD 2H QS"


def test_by_default_all_tricks_are_played() -> None:
    """H-STOP-1: stop_when_decided=False plays all tricks."""
    game = small_deal(*HANDS, moon="off", max_hands=1)
    play(game, TWO_TRICKS)
    assert not game.over
    assert game.turn == 3
    play(game, "QC 9C TC JC")
    assert game.over
    assert len(game.tricks) == 3


def test_stops_when_nothing_is_out() -> None:
    """H-STOP-1: the deal stops after the trick that brings in the last penalty card, not in the middle of it."""
    game = small_deal(*HANDS, moon="off", max_hands=1, stop_when_decided=True)
    play(game, TWO_TRICKS[:-3])
    assert not game.over
    assert "HandScored" in kinds(play(game, "QS"))
    assert game.over
    assert len(game.tricks) == 2
    assert game.scores == (0, 0, 0, 14)


def test_a_bonus_card_keeps_it_going() -> None:
    """H-STOP-1: a bonus card in a hand keeps the deal going, even when all penalty cards are in."""
    hands = ("2C 2H 9C", "3C QS TC", "5C 2D JD", "4C AD QC")
    game = small_deal(*hands, bonus={"JD": -10}, moon="off", max_hands=1, stop_when_decided=True)
    play(game, TWO_TRICKS)
    assert not game.over
    # J♦ caught in trick 2 instead, and nothing is left to play for.
    game = small_deal(*hands, bonus={"JD": -10}, moon="off", max_hands=1, stop_when_decided=True)
    play(game, "2C 3C 5C 4C JD AD 2H QS")
    assert game.over
    assert game.scores == (0, 0, 0, 4)


def test_extra_penalties_keep_it_going() -> None:
    """H-STOP-1: so does an extra penalty; a Q♠ or heart worth nothing does not."""
    hands = ("2C 2H 9C", "3C QS TC", "5C 2D KS", "4C AD QC")
    game = small_deal(
        *hands, extra_penalties={"KS": 10}, moon="off", max_hands=1, stop_when_decided=True
    )
    play(game, TWO_TRICKS)
    assert not game.over
    free = small_deal(
        "2C 9C 3D",
        "3C QS TC",
        "5C 2D JC",
        "4C AD 2H",
        moon="off",
        max_hands=1,
        stop_when_decided=True,
        heart_points=0,
    )
    play(free, "2C 3C 5C 4C 2D AD 3D QS")
    assert free.over


def test_a_held_over_trick_keeps_it_going() -> None:
    """H-STOP-1: penalty cards that are held over are not in; the deal goes on until a seat takes them."""
    # Trick 1 is cancelled with 2H in it, held over. Trick 2 takes it: then nothing is out.
    game = small_deal(
        "2C 3D 4D",
        "2C 4D 5D",
        "5C 5D 6D",
        "5C 6D 7D",
        "2H 7D 8D",
        decks=2,
        first_trick_points="allow",
        moon="off",
        max_hands=1,
        stop_when_decided=True,
    )
    play(game, "2C 2C 5C 5C 2H")
    assert not game.over
    play(game, "3D 4D 5D 6D 7D")
    assert game.over
    assert game.scores == (0, 0, 0, 0, 1)


def test_a_kitty_forbids_stopping() -> None:
    """H-STOP-2: a deal with a kitty never stops early, whether the kitty holds penalty cards or not."""
    for kitty in ("9D", "3H"):
        game = small_deal(*HANDS, kitty=kitty, moon="off", max_hands=1, stop_when_decided=True)
        play(game, TWO_TRICKS)
        assert not game.over
        play(game, "QC 9C TC JC")
        assert game.over


def test_no_trick_bonus_waits_for_every_seat() -> None:
    """H-STOP-3: with no_trick_bonus other than 0 every seat needs a trick first."""
    game = small_deal(*HANDS, moon="off", max_hands=1, stop_when_decided=True, no_trick_bonus=-5)
    play(game, TWO_TRICKS)  # only seats 2 and 3 have one
    assert not game.over
    play(game, "QC 9C TC JC")
    assert game.scores == (-5, -5, 0, 14)


def test_no_trick_bonus_waits_for_the_last_seat() -> None:
    """H-STOP-3: three seats of four with a trick are not enough."""
    game = small_deal(
        "2C 3D 4S KD",
        "5C 4D 2H QC",
        "3C JD 6S 8D",
        "4C 6D KS 7D",
        moon="off",
        max_hands=1,
        stop_when_decided=True,
        no_trick_bonus=-5,
    )
    play(game, "2C 5C 3C 4C 4D JD 6D 3D 6S KS 4S 2H")
    assert game.points == (0, 0, 0, 1)  # all there is, and seats 1, 2 and 3 have a trick
    assert not game.over
    play(game, "7D KD QC 8D")
    assert game.scores == (0, 0, 0, 1)


def test_no_trick_bonus_stops_once_all_have_one() -> None:
    """H-STOP-3: once every seat has taken a trick, the deal stops as usual."""
    # Tricks: seat 1 (clubs), seat 2 (diamonds), seat 3 (spades), seat 0 (diamonds, with 2♥).
    game = small_deal(
        "2C 3D 4S KD TC",
        "5C 4D 5S 2H QC",
        "3C JD 6S 8D JC",
        "4C 6D KS 7D AC",
        moon="off",
        max_hands=1,
        stop_when_decided=True,
        no_trick_bonus=-5,
    )
    play(game, "2C 5C 3C 4C 4D JD 6D 3D 6S KS 4S 5S")
    assert game.turn == 3
    play(game, "7D KD 2H 8D")
    assert game.over
    assert game.scores == (1, 0, 0, 0)


SUN = ("2C 3D 4D 5C", "QC 2H AS KS", "3C 5D 6D 6C", "4C 7D 8D 7C")


def test_sun_waits_for_two_seats() -> None:
    """H-STOP-4: with sun and moon on, two seats need tricks first; with moon="off" sun does not matter."""
    # Seat 1 wins trick 1, and trick 2 with its heart: all the penalty cards, and all the tricks so far.
    for fields, stops in (
        ({"sun": "double", "moon": "add"}, False),
        ({"sun": "double", "moon": "off"}, True),
        ({"sun": "off", "moon": "add"}, True),
    ):
        game = small_deal(*SUN, max_hands=1, stop_when_decided=True, break_required=False, **fields)
        play(game, "2C QC 3C 4C 2H 5D 7D 3D")
        assert game.over is stops, fields


def test_sun_stops_when_two_seats_have_tricks() -> None:
    """H-STOP-4: as soon as a second seat has a trick the sun is out of reach and the deal stops."""
    game = small_deal(
        "2C 3D 9C",
        "QC 2H TC",
        "AC 5D JC",
        "4C 7D KC",
        max_hands=1,
        stop_when_decided=True,
        sun="double",
        moon="add",
        break_required=False,
    )
    play(game, "2C QC AC 4C 5D 7D 3D")
    assert not game.over
    play(game, "2H")
    assert game.over  # seats 2 and 3 have tricks; seat 3 has the only penalty card
    assert game.scores == (1, 1, 1, 0)


def test_leftover_cards_are_nobodys() -> None:
    """H-STOP-5: cards still in hands belong to nobody and are nobody's trick; the moon decision follows at once."""
    game = small_deal(*HANDS, max_hands=1, stop_when_decided=True, moon="choice")
    events = play(game, TWO_TRICKS)
    assert "HandScored" not in kinds(events)
    assert game.phase == "moon"
    assert game.turn == 3
    assert game.hand_sizes == (1, 1, 1, 1)
    scored = found(game.play("moon add"), "HandScored")
    assert scored.points == (14, 14, 14, 0)
    assert game.over
    assert len(game.tricks) == 2
    assert [texts(game.hand(seat)) for seat in range(4)] == [["9C"], ["TC"], ["JC"], ["QC"]]


def test_held_over_cards_may_be_left() -> None:
    """H-STOP-5: a trick that is held over when the deal stops is nobody's."""
    # No penalty cards in the pack: the deal stops after trick 1, which nobody has won.
    game = small_deal(
        "2C 3D", "2C 4D", "5C 5D", "5C 6D", "8D 9D", decks=2, max_hands=1, stop_when_decided=True
    )
    play(game, "2C 2C 5C 5C 8D")
    assert game.over
    assert game.tricks[0][2] is None
    assert game.hand_sizes == (1,) * 5
    assert game.scores == (0,) * 5


def finish(rules: herzen.HeartsRules, seed: int) -> list[tuple[int, ...]]:
    """Scores of a one-deal match under rules that stop, and of the same cards played on, in random play."""
    out = []
    for stop in (True, False):
        choose = random.Random(seed)
        game = herzen.Hearts(rules.replace(stop_when_decided=stop), seed=seed)
        while not game.over:
            if game.phase == "moon":
                game.play("moon add")
            else:
                codes = game.codes()
                game.play(codes[choose.randrange(len(codes))])
        out.append(game.scores)
    return out


OPEN = [
    {},
    {"no_trick_bonus": -5},
    {"sun": "double"},
    {"sun": "double", "no_trick_bonus": -7, "bonus": {"JD": -10}},
    {"bonus": {"JD": -10}, "moon_needs_bonus": True},
    {"players": 3, "sun": "double"},
    {"players": 3, "no_trick_bonus": -5, "moon": "subtract"},
    {
        "decks": 2,
        "removed": ["2D", "2C", "2C", "2D"],
        "players": 5,
        "lead": "dealer_left",
        "no_trick_bonus": -5,
    },
    {"players": 3, "extras": "kitty"},
]


@pytest.mark.parametrize("fields", OPEN, ids=str)
def test_stopping_changes_no_score(fields: dict[str, Any]) -> None:
    """H-STOP-1, H-STOP-2, H-STOP-3, H-STOP-4, row 11: stopping gives the totals that playing on gives."""
    rules = herzen.HeartsRules(max_hands=1, **fields)
    for seed in range(scale(quick=30, ci=150, full=20_000)):
        stopped, played_on = finish(rules, seed)
        assert stopped == played_on


def test_stopping_in_small_deals() -> None:
    """H-STOP-1, H-STOP-3, H-STOP-4, row 11: the same on deals of 4 cards a seat, where sun and moon are frequent."""
    deck = ["2H", "3H", "QS", *KINDS[:9], *KINDS[13:17]]
    rules = small_rules(deck, 4, max_hands=1, sun="double", no_trick_bonus=-5, break_required=False)
    moons = 0
    for seed in range(scale(quick=150, ci=600, full=50_000)):
        stopped, played_on = finish(rules, seed)
        assert stopped == played_on
        moons += max(stopped) > 15
    assert moons > 10
