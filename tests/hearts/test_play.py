"""The rules of playing to tricks, H-PLAY, and what counts as a penalty card, H-CARD."""

from __future__ import annotations

import random
from typing import Any

import pytest

import herzen
from tests.hearts.table import (
    KINDS,
    cards,
    led_by,
    legal,
    middle,
    play,
    refused,
    small_deal,
    texts,
    winner_of,
    without,
)


def trick_one(hand: str, other: str = "7D", **fields: Any) -> herzen.Hearts:
    """2♣ is led and a seat without clubs, with this hand of three cards, is to follow; `other` is elsewhere."""
    game = small_deal("2C 3D 4D", hand, f"3C 6D {other}", "4C 8D 9D", **fields)
    game.play("2C")
    assert game.turn == 1
    return game


def test_follow_suit() -> None:
    """H-PLAY-1: a follower with a card of the suit led plays one; the refusal names the rule."""
    game = small_deal("2C 3D", "3C 4C", "5C 2H", "6C 4D")
    play(game, "2C")
    assert legal(game) == ["3C", "4C"]
    play(game, "4C")
    assert legal(game) == ["5C"]
    assert "must follow clubs: holds 5♣" in refused(game, "2H", "must_follow_suit")


def test_without_the_suit_any_card() -> None:
    """H-PLAY-1: without the suit led any card may be played, hearts and Q♠ too."""
    game = middle("2C", "2H QS", "3C 4C", "5C 6C", turn=1, trick=[(0, "5D")])
    assert legal(game) == ["2H", "QS"]


def test_low_club_is_no_rule_for_followers() -> None:
    """H-PLAY-1, row 5: a heart is led; {2♣, 4♥, 9♥} may play 4♥ or 9♥, and 2♣ is not asked for."""
    game = middle(
        "5C 6C", "2C 4H 9H", "7C 8C TC", "QC KC AC", turn=1, trick=[(0, "3H")], broken=True
    )
    assert legal(game) == ["4H", "9H"]


WINNERS = [
    # four cards in playing order, place of the winner
    ("5D AS KD 2D", 2),  # row 26: the ace of another suit does not win
    ("2C 3C 4C 5C", 3),
    ("AC KC QC JC", 0),
    ("2D AH AS AC", 0),  # nobody followed
    ("TS JS 9S QS", 3),
    ("9H TH 2H 3H", 1),
    ("JC QC KC TC", 2),
    ("KS AS QS 2S", 1),
]
PRESETS = ["classic", "plain", "omnibus", "black_maria", "microsoft", "openspiel", "yahoo"]


@pytest.mark.parametrize("preset", PRESETS)
def test_highest_of_the_suit_led_wins(preset: str) -> None:
    """H-PLAY-2, rows 26 and 28: the highest card of the suit led wins, under every preset, from every leader."""
    rules = getattr(herzen.HeartsRules, preset)(moon="off")
    for trick, place in WINNERS:
        for leader in range(4):
            order = [(leader + k) % 4 for k in range(4)]
            table = list(zip(order, cards(trick), strict=True))
            hands: list[list[str]] = [[], [], [], []]
            hands[order[3]] = [cards(trick)[3]]
            rest = without(trick)
            game = herzen.Hearts.setup(
                rules,
                hands=hands,
                turn=order[3],
                trick=table[:3],
                seed=1,
                taken=[rest[seat::4] for seat in range(4)],
                tricks_won=[3] * 4,
            )
            assert winner_of(game.play(cards(trick)[3])) == order[place], trick


def test_all_ranks_in_order() -> None:
    """H-PLAY-2: ranks run 2 3 4 5 6 7 8 9 T J Q K A in every suit."""
    for suit in "CDHS":
        for low, high in zip("23456789TJQK", "3456789TJQKA", strict=True):
            trick = [
                low + suit,
                high + suit,
                "2C" if suit != "C" else "2D",
                "3C" if suit != "C" else "3D",
            ]
            game = middle("", "", "", trick[3], turn=3, trick=list(enumerate(trick[:3])))
            assert winner_of(game.play(trick[3])) == 1


def test_the_winner_captures_and_leads() -> None:
    """H-PLAY-3: the winner captures the trick and leads the next; after h tricks the deal is over."""
    game = small_deal("2C 9D", "3C 3D", "5C 2H", "4C KD", moon="off", max_hands=1)
    play(game, "2C 3C 5C 4C")
    assert game.turn == 2
    assert game.tricks == ((0, tuple(game.rules._card(k) for k in (0, 1, 3, 2)), 2),)
    assert legal(game) == ["2H"]
    play(game, "2H KD 9D")
    assert not game.over
    play(game, "3D")
    assert game.over
    assert [winner for _, _, winner in game.tricks] == [2, 2]
    assert game.scores == (0, 0, 1, 0)


@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
def test_a_deal_has_as_many_tricks_as_cards_in_a_hand(players: int) -> None:
    """H-PLAY-3: the deal ends when no seat holds a card, so after h tricks."""
    rules = herzen.HeartsRules(players=players, pass_cycle=(), max_hands=1, moon="add")
    game = herzen.Hearts(rules, seed=1)
    size = game.hand_sizes[0]
    while not game.over:
        assert game.points == tuple(captured(game, seat) for seat in range(players))
        game.play(game.codes()[0])
    assert len(game.tricks) == size
    assert game.ply == size * players


def captured(game: herzen.Hearts, seat: int) -> int:
    """Points of the tricks that a seat has won, at the defaults."""
    won = [str(card) for _, trick, winner in game.tricks if winner == seat for card in trick]
    return sum(13 if card == "QS" else card[1] == "H" for card in won)


def test_no_points_thrown_on_trick_one() -> None:
    """H-PLAY-4, rows 1 and 2: 2♣ led, {Q♠, A♥, 5♦} must play 5♦; A♥ and Q♠ are refused and change nothing."""
    game = trick_one("QS AH 5D")
    assert legal(game) == ["5D"]
    for card in ("AH", "QS"):
        assert "5♦" in refused(game, card, "first_trick_points")


def test_points_allowed_on_trick_one() -> None:
    """H-PLAY-4: first_trick_points="allow" lifts the rule."""
    assert legal(trick_one("QS AH 5D", first_trick_points="allow")) == ["5D", "AH", "QS"]


def test_following_on_trick_one_is_free() -> None:
    """H-PLAY-4: following suit with a heart or Q♠ is not affected."""
    spade = small_deal("2S 3D", "QS KS", "3C 6D", "4C 8D", lead="dealer_left")
    play(spade, "2S")
    assert legal(spade) == ["QS", "KS"]
    heart = small_deal("2H 3H", "QS 5H", "3C 6D", "4C 8D", lead="dealer_left")
    play(heart, "2H")
    assert legal(heart) == ["5H"]


def test_the_rule_ends_with_trick_one() -> None:
    """H-PLAY-4: on trick 2 hearts and Q♠ may be thrown."""
    game = small_deal("2C 4C 3D", "QS AH 5D", "3C 6D 7D", "TC 8D 9D")
    play(game, "2C 5D 3C TC 8D 3D")
    assert game.turn == 1
    assert legal(game) == ["AH", "QS"]


def test_nothing_but_points_on_trick_one() -> None:
    """H-PLAY-5, row 10: a hand of hearts and Q♠ alone may throw any of them, and the points count."""
    game = trick_one("QS AH 2H")
    assert legal(game) == ["2H", "AH", "QS"]
    play(game, "QS 3C 4C")
    assert game.points == (0, 0, 0, 13)
    assert game.hearts_broken


def test_seven_players_seven_points() -> None:
    """H-PLAY-5, row 10: 7 players: void in clubs with 7 point cards, Q♠ falls on trick 1; its winner has 13."""
    points = cards("QS 2H 3H 4H 5H 6H 7H")
    rules = herzen.HeartsRules(players=7, pass_cycle=())
    rest = without(points, texts(rules.removed))
    hands = [rest[0::6], points, *(rest[k::6] for k in range(1, 6))]
    assert hands[0][0] == "2C"
    game = herzen.Hearts.from_hands(hands, rules, seed=1)
    game.play("2C")
    assert legal(game) == ["2H", "3H", "4H", "5H", "6H", "7H", "QS"]
    game.play("QS")
    while len(game.tricks) < 1:
        game.play(game.codes()[0])
    winner = game.tricks[0][2]
    assert winner is not None
    assert game.points[winner] == 13


def test_other_costly_cards_on_trick_one() -> None:
    """H-PLAY-6: extra penalties and bonus cards may be thrown on trick 1 and are something else to throw."""
    fields = {"extra_penalties": {"KS": 10}, "bonus": {"JD": -10}}
    assert legal(trick_one("KS AH QS", other="JD", **fields)) == ["KS"]
    assert legal(trick_one("JD AH QS", other="KS", **fields)) == ["JD"]
    assert legal(trick_one("JD KS QS", **fields)) == ["JD", "KS"]


def test_a_heart_led_or_followed_breaks() -> None:
    """H-PLAY-7: any heart played breaks hearts: led, followed or thrown."""
    led = middle("2H 9H", "2C 3C", "4C 5C", "6C 7C")
    assert not led.hearts_broken
    play(led, "2H")
    assert led.hearts_broken
    thrown = middle("KD", "2H 3H", "3C 4C", "5C 6C", turn=1, trick=[(0, "5D")])
    assert not thrown.hearts_broken
    play(thrown, "3H")
    assert thrown.hearts_broken
    followed = middle("5D", "2H 3H", "3C 4C", "5C 6C", turn=1, trick=[(0, "9H")])
    play(followed, "3H")
    assert followed.hearts_broken


def test_other_cards_do_not_break() -> None:
    """H-PLAY-7, row 13: a discard on trick 1 breaks nothing unless it is a heart or Q♠."""
    game = trick_one("QS AH 5D")
    play(game, "5D")
    assert not game.hearts_broken
    for card in ("AS", "KS", "JS", "AD"):
        late = middle("KD", f"{card} 2S", "3C 4C", "5C 6C", turn=1, trick=[(0, "5H")], broken=False)
        play(late, card)
        assert not late.hearts_broken


def test_broken_over_a_whole_deal() -> None:
    """H-PLAY-7, row 13: over random deals `broken` is true from the first heart or Q♠ on, and never before."""
    choose = random.Random(3)
    for seed in range(30):
        game = herzen.Hearts(herzen.HeartsRules(pass_cycle=(), max_hands=1, moon="off"), seed=seed)
        seen = False
        while not game.over:
            card = str(choose.choice(game.legal_moves()))
            seen = seen or card[1] == "H" or card == "QS"
            game.play(card)
            assert game.hearts_broken == seen


def test_the_queen_breaks() -> None:
    """H-PLAY-8: Q♠ led, followed or thrown breaks hearts; with queen_breaks=False it does not."""
    for breaks in (True, False):
        rules = herzen.HeartsRules(queen_breaks=breaks)
        led = middle("QS 2D", "2C 3C", "4C 5C", "6C 7C", rules=rules)
        thrown = middle("KD", "QS 3H", "3C 4C", "5C 6C", turn=1, trick=[(0, "5D")], rules=rules)
        followed = middle("KD", "QS 3H", "3C 4C", "5C 6C", turn=1, trick=[(0, "5S")], rules=rules)
        for game in (led, thrown, followed):
            game.play("QS")
            assert game.hearts_broken is breaks


def test_broken_is_tracked_without_the_break_rule() -> None:
    """H-PLAY-9: whether hearts are broken is tracked and shown the same whatever break_required says."""
    for required in (True, False):
        game = small_deal("2C 3D", "AC 5D", "3C 2H", "4C 8D", break_required=required)
        assert not game.hearts_broken
        play(game, "2C AC 3C 4C 5D")
        assert not game.view(0).hearts_broken
        play(game, "2H")
        assert game.hearts_broken
        assert game.view(None).hearts_broken


def test_illegal_moves_change_nothing() -> None:
    """H-PLAY-10, row 77: each of all 54 moves that is not legal is refused; the position stays as it was."""
    choose = random.Random(5)
    game = herzen.Hearts(herzen.HeartsRules(pass_cycle=()), seed=12)
    for _ in range(40):
        allowed = set(legal(game))
        for move in [*KINDS, "moon add", "moon subtract"]:
            if move not in allowed:
                before = game.fingerprint()
                assert not game.is_legal(move)
                with pytest.raises(herzen.IllegalMove):
                    game.play(move)
                assert game.fingerprint() == before
        game.play(choose.choice(game.codes()))


def test_held_before_rule() -> None:
    """H-PLAY-10: an unheld card is refused as such, and another seat's move as not its turn."""
    game = small_deal("2C 3D", "3C 4C", "5C 2H", "6C 4D")
    refused(game, "9S", "not_held")
    refused(game, "3C", "not_your_turn", seat=1)
    refused(game, "moon add", "wrong_phase")
    refused(game, "pass 2C", "wrong_phase")
    refused(game, "rubbish", "unknown_move")


# ---- penalty cards -------------------------------------------------------------------------------------------


def test_which_cards_are_penalty_cards() -> None:
    """H-CARD-1: hearts, Q♠ and extra penalties are penalty cards; cards worth 0 and bonus cards are none."""
    rules = herzen.HeartsRules(
        heart_points=[0] * 12 + [5],
        extra_penalties={"KS": 10},
        bonus={"JD": -10},
        moon="add",
        queen_points=7,
    )
    scorer = herzen.TrickScorer(rules=rules)
    # A♥, Q♠ and K♠ are all there is: the moon, T = 22, needs no other heart and no J♦.
    sheet = scorer.score([["AH", "QS", "KS"], ["2H", "JD"], ["KH"], ["2C"]])
    assert sheet.totals == (0, 22 - 10, 22, 22)
    assert scorer.score([["AH", "QS"], ["KS"], ["2C"], ["3C"]]).totals == (12, 10, 0, 0)


def test_queen_for_nothing() -> None:
    """H-CARD-2: with queen_points=0 Q♠ is an ordinary spade: no break, free on trick 1, free to lead, no moon card."""
    zero = {"queen_points": 0}
    thrown = middle(
        "KD", "QS 3H", "3C 4C", "5C 6C", turn=1, trick=[(0, "5D")], rules=herzen.HeartsRules(**zero)
    )
    thrown.play("QS")
    assert not thrown.hearts_broken
    assert legal(trick_one("QS AH 5D", **zero)) == ["5D", "QS"]
    assert legal(trick_one("QS AH KH", **zero)) == ["QS"]
    assert led_by("QS 7D", queen_lead="after_hearts", **zero) == ["7D", "QS"]
    assert led_by("QS 5H", lead_when_stuck="hearts_or_queen", **zero) == ["QS"]
    scorer = herzen.TrickScorer(rules=herzen.HeartsRules(moon="add", **zero))
    assert scorer.score([KINDS[26:39], ["QS"], ["2C"], []]).totals == (0, 13, 13, 13)


def test_queen_for_nothing_is_still_kept() -> None:
    """H-CARD-2: only keep_spades still treats it as one of its three cards."""
    game = small_deal(
        "2C QS",
        "3C 4C",
        "5C 6C",
        "7C 8C",
        queen_points=0,
        keep_spades=True,
        pass_count=1,
        pass_cycle=("left",),
    )
    assert legal(game, 0) == ["pass 2C"]


def test_hearts_for_nothing() -> None:
    """H-CARD-3: a heart worth 0 still breaks, is held back on the lead and barred on trick 1; no moon needs it."""
    zero = {"heart_points": 0}
    thrown = middle(
        "KD", "QS 3H", "3C 4C", "5C 6C", turn=1, trick=[(0, "5D")], rules=herzen.HeartsRules(**zero)
    )
    thrown.play("3H")
    assert thrown.hearts_broken
    assert led_by("2H 3S", **zero) == ["3S"]
    assert legal(trick_one("QS AH 5D", **zero)) == ["5D"]
    scorer = herzen.TrickScorer(rules=herzen.HeartsRules(moon="add", **zero))
    assert scorer.score([["QS"], KINDS[26:39], ["2C"], ["3C"]]).totals == (0, 13, 13, 13)
