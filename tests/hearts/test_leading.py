"""The rules of leading, H-LEAD. Positions say what may be led; every refusal is checked with its code."""

from __future__ import annotations

import pytest

import herzen
from tests.hearts.table import (
    KINDS,
    cards,
    commit,
    found,
    kinds,
    led_by,
    legal,
    middle,
    play,
    refused,
    small_deal,
    texts,
    winner_of,
)


def test_two_of_clubs_opens() -> None:
    """H-LEAD-1: the holder of the deck's lowest club leads that card and nothing else."""
    game = small_deal("3C 2D", "4C 3D", "2C 5C", "6C 4D", dealer=0)
    assert game.turn == 2
    assert legal(game) == ["2C"]
    assert "2♣" not in refused(game, "2D", "not_held")
    assert "2♣" in refused(game, "5C", "must_lead_low_club")


@pytest.mark.parametrize(
    ("players", "lowest"), [(3, "2C"), (4, "2C"), (5, "3C"), (6, "2C"), (7, "2C")]
)
def test_lowest_club_of_the_deck(players: int, lowest: str) -> None:
    """H-LEAD-1: the lowest club of the deck is 3♣ where 2♣ is removed."""
    game = herzen.Hearts(herzen.HeartsRules(players=players, pass_cycle=()), seed=3)
    assert legal(game) == [lowest]
    assert lowest in texts(game.hand(game.turn))


def test_lowest_club_after_removals() -> None:
    """H-LEAD-1: with 2♣, 3♣ and 4♣ out of the deck, 5♣ opens."""
    rules = herzen.HeartsRules(removed=cards("2C 3C 4C 2D"), pass_cycle=())
    assert legal(herzen.Hearts(rules, seed=3)) == ["5C"]


def test_the_opener_is_found_after_passing() -> None:
    """H-LEAD-1: the holder after passing leads."""
    game = small_deal("2C 2D", "4C 3D", "3C 5C", "6C 4D", pass_cycle=("right",), pass_count=1)
    commit(game, "2C", "4C", "3C", "6C")
    assert game.turn == 3
    assert legal(game) == ["2C"]


def test_lowest_club_in_the_kitty() -> None:
    """H-LEAD-2: where the lowest club lies in the kitty, the lowest club in any hand takes its place."""
    for lead, allowed in (("low_club", ["4C"]), ("any_club", ["4C", "9C"])):
        game = small_deal("7C 2D 3D", "5C 4D 5D", "4C 9C 6D", kitty="2C 3C", lead=lead)
        assert game.turn == 2
        assert legal(game) == allowed


def test_any_club() -> None:
    """H-LEAD-3: any_club: the holder of the lowest club opens, with any club of its hand."""
    game = small_deal("3C 2D", "4C 3D", "2C 5C", "6C 4D", lead="any_club")
    assert game.turn == 2
    assert legal(game) == ["2C", "5C"]
    game = small_deal("3C 2D KC", "4C 3D 5D", "2C TC 7D", "6C 4D 2H", lead="any_club")
    assert legal(game) == ["2C", "TC"]
    refused(game, "7D", "must_lead_club")
    play(game, "TC")
    assert game.turn == 3


@pytest.mark.parametrize("dealer", range(4))
def test_left_of_the_dealer_opens(dealer: int) -> None:
    """H-LEAD-4: dealer_left: the seat left of the dealer opens with any card of its lead set."""
    game = small_deal("2C 2D", "3C 3D", "4C 4D", "5C 5D", dealer=dealer, lead="dealer_left")
    assert game.turn == (dealer + 1) % 4
    assert legal(game) == texts(game.hand((dealer + 1) % 4))


def test_hearts_wait_until_broken() -> None:
    """H-LEAD-5, row 13: {2♥, 3♠} unbroken leads 3♠; broken, either."""
    assert led_by("2H 3S") == ["3S"]
    assert led_by("2H 3S", broken=True) == ["2H", "3S"]
    game = middle("2H 3S", "2C 3C", "4C 5C", "6C 7C")
    assert "3♠" in refused(game, "2H", "hearts_not_broken")


def test_break_not_required() -> None:
    """H-LEAD-5: break_required=False: hearts may be led at any time."""
    assert led_by("2H 3S", break_required=False) == ["2H", "3S"]
    assert led_by("QS 5H", break_required=False) == ["5H", "QS"]


def test_only_hearts() -> None:
    """H-LEAD-6, row 13: {2♥, 9♥} unbroken: any of them may be led; hearts_or_queen says the same."""
    for stuck in ("hearts_only", "hearts_or_queen"):
        assert led_by("2H 9H", lead_when_stuck=stuck) == ["2H", "9H"]


# Trick 1 is won by seat 1, who then holds only hearts (seat 2 too).
STUCK = ("2C 5D 6D", "AC 2H 3H", "KC 4H 5H", "QC 7D QS")


def test_pass_lead_goes_left() -> None:
    """H-LEAD-7: pass_lead: a leader with nothing but hearts, unbroken, passes the lead on, again and again."""
    game = small_deal(*STUCK, lead_when_stuck="pass_lead")
    events = play(game, "2C AC KC QC")
    assert winner_of(events) == 1
    assert game.turn == 3  # past seats 1 and 2
    went_on = found(events, "LeadPassed")
    assert (went_on.seats, went_on.leader) == ((1, 2), 3)
    assert legal(game) == ["7D", "QS"]


def test_pass_lead_needs_unbroken_hearts() -> None:
    """H-LEAD-7: once hearts are broken, or need no breaking, the lead stays."""
    free = small_deal(*STUCK, lead_when_stuck="pass_lead", break_required=False)
    assert "LeadPassed" not in kinds(play(free, "2C AC KC QC"))
    assert free.turn == 1
    assert led_by("2H 9H", broken=True, lead_when_stuck="pass_lead") == ["2H", "9H"]


def test_pass_lead_not_with_the_queen() -> None:
    """H-LEAD-7: a hand with any other card, Q♠ too, does not pass the lead on."""
    assert led_by("QS 5H", lead_when_stuck="pass_lead") == ["QS"]
    assert led_by("2H 3S", lead_when_stuck="pass_lead") == ["3S"]


def test_pass_lead_when_all_are_stuck() -> None:
    """H-LEAD-7: if every seat holds only hearts, the first of them leads any heart."""
    game = small_deal("2C 5H 6H", "AC 2H 3H", "KC 4H 7H", "QC 8H 9H", lead_when_stuck="pass_lead")
    events = play(game, "2C AC KC QC")
    assert game.turn == 1
    assert "LeadPassed" not in kinds(events)
    assert legal(game) == ["2H", "3H"]


def test_the_real_leader_opens_the_trick() -> None:
    """H-LEAD-8: the lead goes on without a move; who really leads plays first, others follow clockwise."""
    game = small_deal(*STUCK, lead_when_stuck="pass_lead")
    play(game, "2C AC KC QC")
    assert len(game.moves) == game.ply == 4
    play(game, "7D 5D 2H 4H")
    assert game.tricks[1][0] == 3
    assert texts(game.tricks[1][1]) == cards("7D 5D 2H 4H")
    assert game.tricks[1][2] == 3  # 7D is the highest diamond; hearts are thrown


def test_the_opening_lead_may_go_on() -> None:
    """H-LEAD-8: under dealer_left the opening lead goes on too, before any move."""
    game = small_deal(
        "2H 3H", "4H 5H", "2C QS", "3C 4C", lead="dealer_left", lead_when_stuck="pass_lead"
    )
    assert game.ply == 0
    assert game.turn == 2
    assert [type(event).__name__ for event in game.log] == ["Dealt", "LeadPassed"]
    assert game.log[1].seats == (0, 1)  # type: ignore[attr-defined]


def test_queen_and_hearts() -> None:
    """H-LEAD-9: {Q♠, hearts} unbroken must lead Q♠; hearts_or_queen may lead any of that hand."""
    assert led_by("QS 5H") == ["QS"]
    assert led_by("QS 5H", lead_when_stuck="hearts_or_queen") == ["5H", "QS"]
    assert led_by("QS 5H 9H", lead_when_stuck="hearts_or_queen") == ["5H", "9H", "QS"]
    # One other card, and the usual rule holds.
    assert led_by("QS 5H 7D", lead_when_stuck="hearts_or_queen") == ["7D", "QS"]
    assert led_by("KS 5H", lead_when_stuck="hearts_or_queen") == ["KS"]


def test_the_published_puzzle() -> None:
    """H-LEAD-9: Q♠ and 5♥ against small clubs, hearts not broken: Q♠ is the one legal lead."""
    hands = ["QS 5H", "2C 3C", "4C 5C", "6C 7C"]
    rest = [card for card in KINDS if card not in " ".join(hands).split()]
    game = herzen.Hearts.setup(
        hands=[cards(hand) for hand in hands], turn=0, hearts_broken=False, taken=[rest, [], [], []]
    )
    assert legal(game) == ["QS"]


def test_queen_after_hearts() -> None:
    """H-LEAD-10: after_hearts: Q♠ leaves the lead set while hearts are unbroken, unless nothing would be left."""
    late = {"queen_lead": "after_hearts"}
    assert led_by("QS 5H 7D", **late) == ["7D"]
    assert led_by("QS", **late) == ["QS"]
    assert led_by("QS 5H", **late) == ["QS"]
    assert led_by("QS 5H", **late, lead_when_stuck="hearts_or_queen") == ["5H"]
    assert led_by("QS 5H 7D", **late, lead_when_stuck="hearts_or_queen") == ["7D"]
    assert led_by("QS", **late, lead_when_stuck="hearts_or_queen") == ["QS"]
    assert led_by("QS 7D", broken=True, **late) == ["7D", "QS"]
    assert led_by("QS KS", **late) == ["KS"]


def test_queen_after_hearts_without_the_break_rule() -> None:
    """H-LEAD-10: it holds whatever break_required says."""
    assert led_by("QS 5H", queen_lead="after_hearts", break_required=False) == ["5H"]
    game = middle(
        "QS 7D",
        "2C 3C",
        "4C 5C",
        "6C 7C",
        rules=herzen.HeartsRules(queen_lead="after_hearts", break_required=False),
    )
    assert "7♦" in refused(game, "QS", "queen_lead")


TABLE = [
    ("2H 3S", "3S", "3S", "3S"),
    ("2H 9H", "2H 9H", "2H 9H", None),
    ("QS 5H", "QS", "5H QS", "QS"),
    ("QS 5H 7D", "7D QS", "7D QS", "7D QS"),
]
LATE = [
    ("QS 5H", "QS", "5H", "QS"),
    ("QS 5H 7D", "7D", "7D", "7D"),
    ("QS", "QS", "QS", "QS"),
]


@pytest.mark.parametrize("row", TABLE + [(*row, "after_hearts") for row in LATE])
def test_the_table_of_lead_sets(row: tuple[str, ...]) -> None:
    """H-LEAD-5, H-LEAD-6, H-LEAD-7, H-LEAD-9, H-LEAD-10: the tables of the rules page."""
    hand, *columns = row[:4]
    fields = {"queen_lead": "after_hearts"} if len(row) == 5 else {}
    for stuck, column in zip(("hearts_only", "hearts_or_queen", "pass_lead"), columns, strict=True):
        if column is None:
            with pytest.raises(
                herzen.SetupError, match="goes on"
            ):  # that seat is not on lead at all
                led_by(hand, lead_when_stuck=stuck, **fields)
        else:
            assert led_by(hand, lead_when_stuck=stuck, **fields) == cards(column)


def test_trick_one_obeys_the_lead_set() -> None:
    """H-LEAD-11: every leader obeys the lead set, on trick 1 too."""
    others = ("2C 3C", "4C 5C", "6C 7C")
    left = {"lead": "dealer_left"}
    assert legal(small_deal("2H 3S", *others, **left)) == ["3S"]
    assert legal(small_deal("QS 5H", *others, **left)) == ["QS"]
    assert legal(small_deal("QS 5H", *others, **left, lead_when_stuck="hearts_or_queen")) == [
        "5H",
        "QS",
    ]
    assert legal(small_deal("QS 3D", *others, **left, queen_lead="after_hearts")) == ["3D"]
    assert legal(small_deal("2H 3S", *others, **left, break_required=False)) == ["2H", "3S"]


def test_the_winner_obeys_the_lead_set() -> None:
    """H-LEAD-11: so does the winner of a trick that leads next."""
    game = small_deal("2C 2D 3D", "AC 4H 5D", "3C 6D 7D", "4C 8D 9D")
    play(game, "2C AC 3C 4C")
    assert game.turn == 1
    assert legal(game) == ["5D"]
    refused(game, "4H", "hearts_not_broken")


def test_the_opening_club_is_the_exception() -> None:
    """H-LEAD-11: the opening card under low_club is as said there: with QS and hearts beside it, 2♣ still leads."""
    game = small_deal(
        "2C QS 4H", "AC 3H 5D", "3C 6D 7D", "4C 8D 9D", lead_when_stuck="hearts_or_queen"
    )
    assert legal(game) == ["2C"]
