"""The rules of the match, H-END."""

from __future__ import annotations

import random

import pytest

import herzen
from tests.hearts.table import after_hand, kinds, last_card, moon_shot, play, small_deal, texts

SMALL = ("2C 3C", "4C 5C", "6C 7C", "8C 9C")


def hands_played(game: herzen.Hearts) -> int:
    """Play the lowest legal move to the end; the number of hands."""
    while not game.over:
        game.play(game.codes()[0])
    return game.deal_number + 1


def test_target_is_reached() -> None:
    """H-END-1: target is 100; the match ends after a hand in which some total is equal to it or above it."""
    assert herzen.HeartsRules().target == 100
    assert not after_hand((13, 13, 0, 0), (86, 0, 50, 50)).over
    assert after_hand((13, 13, 0, 0), (87, 0, 50, 50)).over
    assert after_hand((13, 13, 0, 0), (88, 0, 50, 50)).over
    assert after_hand((13, 13, 0, 0), (0, 37, 50, 50), target=50).over
    assert not after_hand((13, 13, 0, 0), (0, 36, 49, 49), target=50).over


def test_target_is_exceeded() -> None:
    """H-END-1: end_test="exceed": some total must be above the target."""
    assert not after_hand((13, 13, 0, 0), (87, 0, 50, 50), end_test="exceed").over
    assert after_hand((13, 13, 0, 0), (88, 0, 50, 50), end_test="exceed").over


@pytest.mark.parametrize("target", [1, 1_000_000])
def test_the_ends_of_the_target_range(target: int) -> None:
    """H-END-1: from 1 to 1,000,000."""
    assert not after_hand((13, 13, 0, 0), (target - 14, *[-50] * 3), target=target).over
    assert after_hand((13, 13, 0, 0), (target - 13, *[-50] * 3), target=target).over


def test_lowest_total_wins() -> None:
    """H-END-2: the lowest total wins."""
    game = after_hand((0, 13, 13, 0), (100, 92, 17, 50))
    assert game.over
    assert game.scores == (100, 105, 30, 50)
    assert game.winners == (2,)


def test_shared_win() -> None:
    """H-END-2, rows 22 and 23: 101, 105, 30, 30: seats 2 and 3 win together; nobody is dropped, whatever the order."""
    game = after_hand((0, 13, 13, 0), (101, 92, 17, 30))
    assert game.scores == (101, 105, 30, 30)
    assert game.winners == (2, 3)
    assert after_hand((13, 0, 13, 0), (7, 12, 87, 20)).winners == (1,)
    assert after_hand((13, 0, 13, 0), (7, 20, 87, 20)).winners == (0, 1, 3)
    assert after_hand((13, 13, 0, 0), (87, 87, 100, 100)).winners == (0, 1, 2, 3)


def test_play_on() -> None:
    """H-END-3, row 20: tie="play_on": the match goes on while several are lowest, and ends when one alone is."""
    tied = after_hand((0, 26, 0, 0), (40, 74, 40, 60), tie="play_on", moon="off")
    assert tied.scores == (40, 100, 40, 60)
    assert not tied.over
    assert tied.winners == ()
    alone = after_hand((13, 13, 0, 0), (40, 100, 40, 60), tie="play_on")
    assert alone.over
    assert alone.winners == (2,)
    assert after_hand((0, 26, 0, 0), (40, 74, 41, 60), tie="play_on", moon="off").over


def test_play_on_with_a_test_that_no_longer_holds() -> None:
    """H-END-3: if the end test stops holding meanwhile, play goes on as usual."""
    before = moon_shot(scores=(110, 90, 40, 40), tie="play_on", moon="subtract")
    assert before.scores == (84, 90, 40, 40)
    assert not before.over
    # One seat alone is lowest, but no total is at the target any more.
    later = after_hand((0, 0, 13, 13), (84, 90, 39, 40), tie="play_on")
    assert later.scores == (84, 90, 52, 53)
    assert not later.over
    again = after_hand((0, 13, 0, 13), (84, 90, 39, 40), tie="play_on")
    assert again.over
    assert again.winners == (2,)


def test_max_hands() -> None:
    """H-END-4: max_hands ends the match at once after that many hands, ties shared, whatever `tie` says."""
    for limit in (1, 2, 7):
        assert hands_played(small_deal(*SMALL, max_hands=limit)) == limit
    tied = after_hand((0, 13, 0, 13), (40, 20, 40, 60), deal_number=2, max_hands=3, tie="play_on")
    assert tied.over
    assert tied.scores == (40, 33, 40, 73)
    shared = after_hand((0, 13, 0, 13), (40, 30, 40, 60), deal_number=2, max_hands=3, tie="play_on")
    assert shared.winners == (0, 2)
    assert not after_hand((0, 13, 0, 13), (40, 30, 40, 60), deal_number=1, max_hands=3).over


def test_target_before_max_hands() -> None:
    """H-END-4: target still applies; what is met first ends the match."""
    assert after_hand((13, 13, 0, 0), (87, 0, 50, 50), max_hands=10).over
    assert not after_hand((13, 13, 0, 0), (86, 0, 50, 50), max_hands=10).over


@pytest.mark.parametrize(
    ("total", "free", "floored"),
    [(0, -26, 0), (20, -6, 0), (25, -1, 0), (26, 0, 0), (51, 25, 25), (52, 26, 26)],
)
def test_floor(total: int, free: int, floored: int) -> None:
    """H-END-5, row 19: floor=0: a new total below 0 becomes 0; none by default, totals may be negative."""
    for floor, expected in ((None, free), (0, floored)):
        game = moon_shot(scores=(total, 1, 2, 3), moon="subtract", floor=floor)
        assert game.scores == (expected, 1, 2, 3)
        assert not game.over
        scorer = herzen.TrickScorer(rules=herzen.HeartsRules(moon="subtract", floor=floor))
        hearts = [f"{rank}H" for rank in "23456789TJQKA"]
        assert (
            scorer.score([[*hearts, "QS"], [], [], []], totals=(total, 1, 2, 3)).totals[0]
            == expected
        )


def test_floor_is_for_every_seat() -> None:
    """H-END-5: it also holds for bonus points without a moon."""
    rules = herzen.HeartsRules.omnibus(floor=0, no_trick_bonus=-5)
    scorer = herzen.TrickScorer(rules=rules)
    assert scorer.score([["JD"], ["2H"], [], ["QS"]], totals=(4, 0, 3, 0)).totals == (0, 1, 0, 13)


def test_exact_reset() -> None:
    """H-END-6: a new total that is a key becomes the value, on every seat, once."""
    game = after_hand((13, 13, 0, 0), (87, 37, 100, 99), exact_reset={100: 60, 50: 25}, target=200)
    assert game.scores == (60, 25, 60, 99)


def test_exact_reset_after_the_floor() -> None:
    """H-END-6: the reset comes after the floor, and no floor after it."""
    game = moon_shot(
        scores=(3, 50, 7, 8), moon="subtract", floor=0, exact_reset={0: 40, 50: -30, 8: -1}
    )
    assert game.scores == (40, -30, 7, -1)
    unfloored = moon_shot(scores=(3, 50, 7, 8), moon="subtract", exact_reset={0: 40, -23: 1})
    assert unfloored.scores == (1, 50, 7, 8)


def test_exact_reset_to_the_target() -> None:
    """H-END-6: a reset total is what the end test sees, also upwards."""
    game = after_hand((13, 13, 0, 0), (0, 0, 0, 0), exact_reset={13: 100})
    assert game.over
    assert game.winners == (2, 3)


def test_guard() -> None:
    """H-END-7: without max_hands the match ends after 1,000 hands, ties shared."""
    assert hands_played(small_deal(*SMALL)) == 1000
    late = after_hand((13, 13, 0, 0), (0, 0, 5, 5), deal_number=999, tie="play_on")
    assert late.over
    assert late.winners == (2, 3)
    assert not after_hand((13, 13, 0, 0), (0, 0, 5, 5), deal_number=998).over


def test_max_hands_replaces_the_guard() -> None:
    """H-END-7: with max_hands that number alone is the limit."""
    assert not after_hand((13, 13, 0, 0), (0, 0, 5, 5), deal_number=999, max_hands=10_000).over
    assert after_hand((13, 13, 0, 0), (0, 0, 5, 5), deal_number=9_999, max_hands=10_000).over


def test_the_last_move_scores_and_deals() -> None:
    """H-END-8: the move that ends a hand scores it and deals the next hand."""
    game = last_card((13, 13, 0, 0), scores=(1, 2, 3, 4))
    assert game.last_deal is None
    events = game.play("5C")
    assert kinds(events) == ["Played", "TrickTaken", "HandScored", "Dealt"]
    assert [event.deal for event in events] == [0, 0, 0, 1]
    assert game.scores == (14, 15, 3, 4)
    assert game.deal_number == 1
    assert game.hand_sizes == (13,) * 4
    assert game.last_deal is not None
    assert game.last_deal.totals == (13, 13, 0, 0)
    assert game.points == (0, 0, 0, 0)
    assert not game.hearts_broken


def test_after_the_end() -> None:
    """H-END-8: after the end nobody is to move, no move is legal, and undo takes the last move back."""
    game = last_card((13, 13, 0, 0), scores=(90, 2, 3, 4))
    before = game.fingerprint()
    events = game.play("5C")
    assert kinds(events) == ["Played", "TrickTaken", "HandScored", "GameEnded"]
    assert game.over
    assert game.phase == "over"
    assert game.turn is None
    assert game.to_move == ()
    assert game.legal_moves() == ()
    assert game.legal_moves(2) == ()
    assert texts(game.codes()) == []
    assert game.deal_number == 0
    for move in ("5C", "moon add", "rubbish"):
        with pytest.raises(herzen.GameOver):
            game.play(move)
    game.undo()
    assert game.fingerprint() == before
    assert game.winners == ()


def test_a_whole_match_adds_up() -> None:
    """H-END-1, H-END-2, H-END-8: over random matches totals are the sums of the hands and the end is the first one."""
    choose = random.Random(9)
    for seed in range(12):
        game = herzen.Hearts(seed=seed)
        totals = [0, 0, 0, 0]
        while not game.over:
            assert max(totals) < 100
            deal = game.deal_number
            while not game.over and game.deal_number == deal:
                codes = game.codes()
                game.play(codes[choose.randrange(len(codes))])
            assert game.last_deal is not None
            totals = [old + new for old, new in zip(totals, game.last_deal.totals, strict=True)]
            assert list(game.scores) == totals
        assert max(totals) >= 100
        assert list(game.winners) == [seat for seat in range(4) if totals[seat] == min(totals)]


def test_undo_across_a_deal() -> None:
    """H-END-8: the next deal vanishes with an undo and comes back identical."""
    game = small_deal(*SMALL)
    play(game, "2C 4C 6C 8C 9C 3C 5C")
    before = game.fingerprint()
    game.play("7C")
    after = game.fingerprint()
    assert game.deal_number == 1
    game.undo()
    assert (game.fingerprint(), game.deal_number) == (before, 0)
    game.play("7C")
    assert game.fingerprint() == after
