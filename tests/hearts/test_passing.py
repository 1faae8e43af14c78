"""The rules of passing, H-PASS."""

from __future__ import annotations

from itertools import combinations, permutations
from math import comb

import pytest

import herzen
from herzen.hearts import MoonChoice, Pass
from tests.hearts.table import (
    KINDS,
    after_hand,
    cards,
    commit,
    found,
    in_order,
    kinds,
    legal,
    play,
    refused,
    small_deal,
    small_rules,
    texts,
    without,
)
from tests.reference.chacha import Stream

SMALL = ("2C 3C", "4C 5C", "6C 7C", "8C 9C")


def directions(game: herzen.Hearts, deals: int) -> list[str]:
    """The pass directions of so many deals, with the first legal move played throughout."""
    seen = [game.pass_direction]
    while len(seen) < deals:
        number = game.deal_number
        while game.deal_number == number:
            game.play(game.codes()[0])
        seen.append(game.pass_direction)
    return seen


def test_three_cards_by_default() -> None:
    """H-PASS-1: a pass names exactly `pass_count` cards of the own hand, 3 by default: C(13, 3) = 286 passes."""
    game = herzen.Hearts(seed=2)
    assert game.rules.pass_count == 3
    moves = legal(game, 1)
    hand = texts(game.hand(1))
    assert moves == [f"pass {' '.join(some)}" for some in combinations(hand, 3)]
    assert len(moves) == 286


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_other_counts(count: int) -> None:
    """H-PASS-1: pass_count 1 to 4: so many cards move."""
    game = herzen.Hearts(herzen.HeartsRules(pass_count=count), seed=2)
    assert len(game.legal_moves()) == comb(13, count)
    before = [texts(game.hand(seat)) for seat in range(4)]
    for seat in range(4):
        game.play(f"pass {' '.join(before[seat][:count])}", seat=seat)
    for seat in range(4):
        expected = in_order(before[seat][count:] + before[(seat - 1) % 4][:count])
        assert texts(game.hand(seat)) == expected


def test_moves_that_there_are_not() -> None:
    """A pass names seven cards at most (H-PASS-1), the moon two ways (H-MOON-4)."""
    assert len(Pass("2C 3C 4C 5C 6C 7C 8C").cards) == 7
    with pytest.raises(herzen.CardError, match="at most 7 cards"):
        Pass("2C 3C 4C 5C 6C 7C 8C 9C")
    with pytest.raises(ValueError, match='"add" or "subtract", not \'both\''):
        MoonChoice("both")


def test_wrong_passes() -> None:
    """H-PASS-1, row 8: 0, 2 or 4 cards, or an unheld card, is no pass of three cards."""
    hands = [KINDS[seat::4] for seat in range(4)]
    game = herzen.Hearts.from_hands(hands, seed=1)
    for wrong in ("pass", "pass 2C 6C", "pass 2C 6C TC AC"):
        refused(game, wrong, "wrong_number", seat=0)
    refused(game, "pass 2C 6C 3C", "not_held", seat=0)
    refused(game, "2C", "wrong_phase", seat=0)


def test_no_card_twice() -> None:
    """H-PASS-1, row 5: with one pack no pass names a card twice."""
    hands = [KINDS[seat::4] for seat in range(4)]
    game = herzen.Hearts.from_hands(hands, seed=1)
    refused(game, "pass 2C 2C 6C", "not_held", seat=0)
    assert all(len(set(move.split())) == 4 for move in legal(game, 0))


def test_the_cycle_repeats() -> None:
    """H-PASS-2: deal k uses entry k modulo the length of the cycle."""
    cycle = ("across", "hold", "right", "right", "left")
    game = small_deal(*SMALL, pass_cycle=cycle, pass_count=1)
    assert directions(game, 12) == [cycle[k % 5] for k in range(12)]


def test_the_cycle_goes_on_after_a_tie() -> None:
    """H-PASS-2, row 20: play-on hands go on with the cycle: a new hand in phase pass, with the next direction."""
    for deal, direction in ((0, "right"), (1, "across"), (3, "left")):
        game = after_hand(
            (0, 26, 0, 0), (40, 74, 40, 60), deal_number=deal, tie="play_on", moon="off"
        )
        assert game.scores == (40, 100, 40, 60)
        assert not game.over
        assert game.deal_number == deal + 1
        assert game.phase == "pass"
        assert game.pass_direction == direction
        assert game.committed == ()
        assert game.tricks == ()
        assert game.hand_sizes == (13,) * 4


@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
def test_default_cycles(players: int) -> None:
    """H-PASS-3, row 4: left, right, across, hold for 4 players; left, right for any other number."""
    rules = herzen.HeartsRules(players=players)
    expected = (
        ["left", "right", "across", "hold", "left"]
        if players == 4
        else ["left", "right"] * 2 + ["left"]
    )
    assert directions(herzen.Hearts(rules, seed=1), 5) == expected


@pytest.mark.parametrize(
    ("players", "direction", "step"),
    [
        (4, "left", 1),
        (4, "right", 3),
        (4, "across", 2),
        (5, "left", 1),
        (5, "right", 4),
        (6, "across", 3),
    ],
)
def test_where_a_pass_goes(players: int, direction: str, step: int) -> None:
    """H-PASS-4: left to i+1, right to i-1, across to i + n/2."""
    rules = herzen.HeartsRules(players=players, pass_cycle=(direction,))
    game = herzen.Hearts(rules, seed=8)
    given = [texts(game.hand(seat))[:3] for seat in range(players)]
    events = commit(game, *(" ".join(some) for some in given))
    received = found(events, "Exchanged").received
    for seat in range(players):
        assert set(given[seat]) <= set(texts(game.hand((seat + step) % players)))
        assert texts(received[(seat + step) % players]) == given[seat]


def test_hold_has_no_pass_phase() -> None:
    """H-PASS-5, row 14: with hold play starts at once."""
    game = herzen.Hearts(herzen.HeartsRules(pass_cycle=("hold",)), seed=1)
    assert game.phase == "play"
    assert game.pass_direction == "hold"
    assert len(game.to_move) == 1
    refused(game, "pass 2C 3C 4C", "wrong_phase")


def test_no_cards_no_pass_phase() -> None:
    """H-PASS-5: with pass_count=0 play starts at once; the direction shown is still that of the cycle."""
    game = herzen.Hearts(herzen.HeartsRules(pass_count=0), seed=1)
    assert game.phase == "play"
    assert game.pass_direction == "left"
    assert game.view(0).pass_direction == "left"
    assert directions(game, 4) == ["left", "right", "across", "hold"]


def test_empty_cycle() -> None:
    """H-PASS-6: with an empty cycle nobody ever passes and the direction shown is hold."""
    game = herzen.Hearts(herzen.HeartsRules(pass_cycle=()), seed=1)
    for _ in range(4):
        assert game.phase == "play"
        assert game.pass_direction == "hold"
        number = game.deal_number
        while game.deal_number == number:
            game.play(game.codes()[0])


@pytest.mark.parametrize(
    ("players", "names"), [(4, "left right across hold"), (5, "left right hold")]
)
def test_random_directions(players: int, names: str) -> None:
    """H-PASS-7: deal k takes entry bounded(m) of the directions from stream (seed, 4, k)."""
    rules = herzen.HeartsRules(players=players, pass_cycle="random", target=1_000_000)
    words = names.split()
    seen = set()
    for seed in (0, 77, 2**256 - 1):
        expected = [words[Stream(seed, 4, k).bounded(len(words))] for k in range(12)]
        assert directions(herzen.Hearts(rules, seed=seed), 12) == expected
        seen |= set(expected)
    assert seen == set(words)


def test_passing_is_simultaneous() -> None:
    """H-PASS-8: all seats may commit in any order; positions reached in different orders are equal."""
    start = herzen.Hearts(seed=5)
    assert [int(seat) for seat in start.to_move] == [0, 1, 2, 3]
    choice = [legal(start, seat)[7 * seat] for seat in range(4)]
    marks = set()
    for order in permutations(range(4)):
        game = start.copy()
        for place, seat in enumerate(order):
            assert game.phase == "pass"
            assert [int(s) for s in game.to_move] == sorted(order[place:])
            assert game.turn == min(order[place:])
            game.play(choice[seat], seat=seat)
        marks.add(game.fingerprint())
    assert len(marks) == 1


def test_a_commitment_is_final() -> None:
    """H-PASS-8: a committed pass is final; only an undo takes it back."""
    game = herzen.Hearts(seed=5)
    before = game.fingerprint()
    moves = legal(game, 2)
    game.play(moves[0], seat=2)
    for again in moves[:2]:
        refused(game, again, "not_your_turn", seat=2)
    assert game.legal_moves(2) == ()
    assert str(game.undo()) == moves[0]
    assert game.fingerprint() == before
    game.play(moves[1], seat=2)
    assert game.committed == (2,)


def test_cards_move_with_the_last_commitment() -> None:
    """H-PASS-9: passed cards stay in the giver's hand until the last seat has committed; then all move at once."""
    game = herzen.Hearts(seed=5)
    dealt = [texts(game.hand(seat)) for seat in range(4)]
    own = [legal(game, seat) for seat in range(4)]
    for seat in (3, 0, 2):
        game.play(own[seat][0], seat=seat)
        assert [texts(game.hand(s)) for s in range(4)] == dealt
        assert game.hand_sizes == (13,) * 4
    # Seat 1 decides last, and still only about the cards it was dealt.
    assert legal(game, 1) == own[1]
    events = game.play(own[1][0], seat=1)
    assert kinds(events)[:2] == ["Passed", "Exchanged"]
    for seat in range(4):
        gone, come = own[seat][0].split()[1:], own[(seat - 1) % 4][0].split()[1:]
        assert texts(game.hand(seat)) == in_order(
            [*(c for c in dealt[seat] if c not in gone), *come]
        )


def test_the_leader_is_found_after_the_pass() -> None:
    """H-PASS-9, row 16: the received cards are in the hand before the lead, and 2C leads where it came to."""
    hands = [KINDS[seat::4] for seat in range(4)]
    game = herzen.Hearts.from_hands(hands, seed=1)
    assert "2C" in texts(game.hand(0))
    commit(game, "2C 6C TC", "3C 7C JC", "4C 8C QC", "5C 9C KC")
    assert game.phase == "play"
    assert game.turn == 1
    assert legal(game) == ["2C"]


@pytest.mark.parametrize("players", [4, 5])
def test_keep_spades(players: int) -> None:
    """H-PASS-10, row 7: under keep_spades no legal pass holds A♠, K♠ or Q♠."""
    rest = without(texts(herzen.HeartsRules(players=players).removed), "QS KS")
    size = (len(rest) + 2) // players
    hands = [["QS", "KS", *rest[: size - 2]]]
    hands += [rest[at : at + size] for at in range(size - 2, len(rest), size)]
    game = herzen.Hearts.from_hands(
        hands, herzen.HeartsRules(players=players, keep_spades=True), seed=1
    )
    assert {"QS", "KS"} <= set(texts(game.hand(0)))
    for seat in range(players):
        others = [card for card in texts(game.hand(seat)) if card not in ("QS", "KS", "AS")]
        assert legal(game, seat) == [f"pass {' '.join(some)}" for some in combinations(others, 3)]
    low = texts(game.hand(0))[:2]
    refused(game, f"pass {' '.join(low)} QS", "keep_spades", seat=0)
    free = herzen.Hearts.from_hands(hands, herzen.HeartsRules(players=players), seed=1)
    assert free.is_legal(f"pass {' '.join(low)} QS", 0)


FORCED = [
    # hand, pass_count, the one legal pass
    ("2C 3D QS KS AS", 3, "2C 3D QS"),
    ("2C QS KS AS 3C", 4, "2C 3C QS KS"),
    ("QS KS 2H", 3, "2H QS KS"),
    ("KS AS 2H", 2, "2H KS"),
    ("QS KS AS", 3, "QS KS AS"),
    ("QS KS AS", 1, "QS"),
    ("KS AS 4H", 3, "4H KS AS"),
]


@pytest.mark.parametrize(("hand", "count", "forced"), FORCED)
def test_forced_pass(hand: str, count: int, forced: str) -> None:
    """H-PASS-11: too few other cards: all of these and the lowest of Q♠ < K♠ < A♠ that are missing."""
    size = len(cards(hand))
    others = without(hand)[: 3 * size]
    hands = [cards(hand), *(others[size * k : size * (k + 1)] for k in range(3))]
    rules = small_rules(
        [card for some in hands for card in some],
        4,
        keep_spades=True,
        pass_count=count,
        pass_cycle=("left",),
        lead="dealer_left",
    )
    game = herzen.Hearts.from_hands(hands, rules, seed=1)
    assert legal(game, 0) == [f"pass {' '.join(in_order(cards(forced)))}"]
    wrong = [
        " ".join(some)
        for some in combinations(in_order(cards(hand)), count)
        if set(some) != set(cards(forced))
    ]
    for some in wrong:
        refused(game, f"pass {some}", "keep_spades", seat=0)


def test_just_enough_other_cards() -> None:
    """H-PASS-11: with exactly pass_count other cards these are the only legal pass, and no spade goes."""
    game = small_deal(
        "2C 3D 4D QS",
        "3C 5C 6C 7C",
        "8C 9C TC JC",
        "QC KC AC 2D",
        keep_spades=True,
        pass_count=3,
        pass_cycle=("left",),
    )
    assert legal(game, 0) == ["pass 2C 3D 4D"]


def test_forced_pass_with_two_packs() -> None:
    """H-PASS-11: with two packs both copies of a card count before the next higher one."""
    fields = {"decks": 2, "keep_spades": True, "pass_cycle": ("left",), "lead": "dealer_left"}
    hands = ("2C QS QS KS", "3C 4C 5C 6C", "7C 8C 9C TC", "2D 3D 4D 5D", "6D 7D 8D 9D")
    assert legal(small_deal(*hands, pass_count=3, **fields), 0) == ["pass 2C QS QS"]
    assert legal(small_deal(*hands, pass_count=4, **fields), 0) == ["pass 2C QS QS KS"]
    assert legal(small_deal(*hands, pass_count=2, **fields), 0) == ["pass 2C QS"]


def test_a_pass_is_played_out() -> None:
    """H-PASS-9: after the exchange the deal is played with the new hands."""
    game = small_deal(*SMALL, pass_cycle=("left",), pass_count=1)
    commit(game, "2C", "4C", "6C", "8C")
    assert [texts(game.hand(seat)) for seat in range(4)] == [
        ["3C", "8C"],
        ["2C", "5C"],
        ["4C", "7C"],
        ["6C", "9C"],
    ]
    play(game, "2C 7C 9C 8C")
    assert game.turn == 3
