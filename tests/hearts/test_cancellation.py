"""The rules of two packs, H-CANC."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import pytest

import herzen
from tests.hearts.table import (
    KINDS,
    cards,
    commit,
    found,
    kinds,
    legal,
    play,
    refused,
    small_deal,
    texts,
    winner_of,
    without,
)

TWO: dict[str, Any] = {"decks": 2}
OFF: dict[str, Any] = {"decks": 2, "moon": "off", "max_hands": 1}


def test_changed_defaults() -> None:
    """H-CANC-1: two packs change the defaults of players, lead, pass_cycle, removed and extras, and no other."""
    rules, usual = herzen.HeartsRules(decks=2), herzen.HeartsRules()
    assert rules.players == 8
    assert rules.lead == "dealer_left"
    assert rules.pass_cycle == ()
    assert rules.removed == ()
    assert rules.extras == "kitty"
    same = (
        "kitty_to pass_count keep_spades first_trick_points break_required queen_breaks lead_when_stuck queen_lead "
        "heart_points queen_points extra_penalties bonus no_trick_bonus moon moon_needs_bonus sun target end_test "
        "exact_reset floor tie max_hands stop_when_decided last_cancelled"
    )
    assert all(getattr(rules, name) == getattr(usual, name) for name in same.split())


def test_players_with_two_packs() -> None:
    """H-CANC-1: 5 to 11 players; any other number is an error."""
    assert [herzen.HeartsRules(decks=2, players=n).players for n in range(5, 12)] == list(
        range(5, 12)
    )
    for wrong in (3, 4, 12):
        with pytest.raises(herzen.RulesError, match="players"):
            herzen.HeartsRules(decks=2, players=wrong)


@pytest.mark.parametrize(
    ("players", "each", "kitty"),
    [(5, 20, 4), (6, 17, 2), (7, 14, 6), (8, 13, 0), (9, 11, 5), (10, 10, 4), (11, 9, 5)],
)
def test_hand_sizes(players: int, each: int, kitty: int) -> None:
    """H-CANC-2: 104 // n cards each, the rest is the kitty; every card is there twice."""
    game = herzen.Hearts(herzen.HeartsRules(decks=2, players=players), seed=2)
    assert game.hand_sizes == (each,) * players
    assert game.kitty_size == kitty
    dealt = [card for seat in range(players) for card in texts(game.hand(seat))]
    dealt += texts(game.log[0].kitty)  # type: ignore[attr-defined]
    assert Counter(dealt) == dict.fromkeys(KINDS, 2)


def test_removed_is_a_multiset() -> None:
    """H-CANC-3: each entry takes out one copy; it may make the packs divide."""
    rules = herzen.HeartsRules(
        decks=2, players=6, removed=["2D", "2C", "2D", "3D", "3C", "4C", "4D", "5D"]
    )
    game = herzen.Hearts(rules, seed=2)
    assert game.kitty_size == 0
    assert game.hand_sizes == (16,) * 6
    left = Counter(card for seat in range(6) for card in texts(game.hand(seat)))
    assert left == Counter(KINDS * 2) - Counter(texts(rules.removed))
    assert (left["2D"], left["2C"], left["AS"]) == (0, 1, 2)


def test_the_second_pack_gives_first() -> None:
    """H-CANC-3: the copy of the second pack is taken out first: the first pack's copy keeps its place in the shuffle.

    The deck in canonical order is the first pack, then the second, so the shuffle tells which one is missing.
    """
    from tests.reference.chacha import Stream

    rules = herzen.HeartsRules(decks=2, players=5, removed=["2C", "7D", "7D", "AS"])
    game = herzen.Hearts(rules, seed=6)
    deck = [card for card in KINDS if card != "7D"] + [
        card for card in KINDS if card not in ("2C", "7D", "AS")
    ]
    Stream(6, 0, 0).shuffle(deck)
    assert list(game.record().deals[0]) == deck


def test_two_holders_of_the_lowest_club() -> None:
    """H-CANC-4: the lowest club lies in the kitty, two seats hold the next: the first from the dealer's left opens."""
    hands = ("9D 7D", "3C 8D", "4C TD", "3C JD", "5C QD")
    fields = {**TWO, "kitty": "2C", "lead": "low_club"}
    for dealer, opener in ((4, 1), (0, 1), (1, 3), (2, 3), (3, 1)):
        game = small_deal(*hands, dealer=dealer, **fields)
        assert game.turn == opener
        assert legal(game) == ["3C"]
    game = small_deal(*hands, dealer=2, kitty="2C", lead="any_club", **TWO)
    assert game.turn == 3


def test_a_seat_with_both_copies_leads_one() -> None:
    """H-CANC-4: a seat with both copies leads one of them, listed once."""
    game = small_deal(
        "9D 7D", "4C 8D", "3C 3C", "5C JD", "6C QD", kitty="2C", lead="low_club", **TWO
    )
    assert game.turn == 2
    assert legal(game) == ["3C"]
    play(game, "3C")
    assert texts(game.hand(2)) == ["3C"]


OTHERS = ("2C 3C 4C", "5C 6C 7C", "8C 9C TC", "JC QC KC")


def opening(hand: str, **fields: Any) -> list[str]:
    """What seat 0 may lead to open a deal with two packs."""
    return legal(small_deal(hand, *OTHERS, **{**TWO, **fields}))


def test_no_penalty_card_opens() -> None:
    """H-CANC-5: on the opening lead all penalty cards leave the lead set unless nothing would be left."""
    assert opening("QS 5H 7D") == ["7D"]
    assert opening("QS 5H 7D", break_required=False) == ["7D"]
    assert opening("QS 5H 6H") == ["QS"]
    assert opening("QS 5H 6H", break_required=False) == ["5H", "6H", "QS"]
    assert opening("4H 5H 6H") == ["4H", "5H", "6H"]
    assert opening("KS 5H 7D", extra_penalties={"KS": 10}) == ["7D"]
    assert opening("KS QS 5H", extra_penalties={"KS": 10}) == ["QS", "KS"]
    assert opening("KS QS 5H", extra_penalties={"KS": 10}, queen_lead="after_hearts") == ["KS"]
    assert opening("JD QS 5H", bonus={"JD": -10}) == ["JD"]
    assert opening("QS 7D 8D", queen_points=0) == ["7D", "8D", "QS"]
    assert "7♦" in refused(small_deal("QS 3S 7D", *OTHERS, **TWO), "QS", "opening_penalty")


def test_it_is_for_the_opening_lead_only() -> None:
    """H-CANC-5: it applies to trick 1 and to two packs only."""
    one_pack = small_deal("QS 7D", "2C 3C", "4C 5C", "6C 7C", lead="dealer_left")
    assert legal(one_pack) == ["7D", "QS"]
    later = small_deal("AC QS 7D", "2C 3D 4D", "3C 5D 6D", "4C 8D 9D", "5C TD JD", **TWO)
    play(later, "AC 2C 3C 4C 5C")
    assert legal(later) == ["7D", "QS"]


TRICKS = [
    # row 29 and the other worked examples: six cards, the winning place, its points
    ("KC 9C KC 4C 2C AH", 1, 1),
    ("QS KS QS KS 2S AH", 4, 27),
    ("2S 7S 7S 4S 4S 3S", 5, 0),
    ("AC AC KH 4C 4C AS", None, None),
    ("2C 3C 4C 5C 6C 7C", 5, 0),
    ("7C 3C 4C 7C 6C 6D", 4, 0),
    ("7C 9D TD JD QD KD", 0, 0),
    ("7C 9D 7C 9D QD KD", None, None),
    ("AC 9D 9D 8D AH AH", 0, 2),
]


@pytest.mark.parametrize(("trick", "place", "points"), TRICKS)
def test_identical_cards_cancel(trick: str, place: int | None, points: int | None) -> None:
    """H-CANC-6, row 29: identical cards cancel; the highest card of the suit led that is not cancelled wins."""
    order = cards(trick)
    game = later_trick(order)
    before = game.points
    assert winner_of(game.play(order[5])) == place
    if place is not None:
        gained = [new - old for new, old in zip(game.points, before, strict=True)]
        assert gained == [points if seat == place else 0 for seat in range(6)]


def later_trick(order: list[str]) -> herzen.Hearts:
    """Six seats, the last of them to play to this trick; one trick will follow."""
    rules = herzen.HeartsRules(decks=2, players=6)
    spare = cards("3D 4D 5D 6D 7D 8D")
    rest = without(order, spare, packs=2)
    kitty, rest = rest[:2], rest[2:]
    hands = [[card] for card in spare]
    hands[5].append(order[5])
    return herzen.Hearts.setup(
        rules,
        hands=hands,
        turn=5,
        trick=list(enumerate(order[:5])),
        seed=1,
        hearts_broken=True,
        taken=[rest[seat::6] for seat in range(6)],
        kitty=kitty,
    )


def test_cancelled_cards_still_count() -> None:
    """H-CANC-7: a cancelled card still follows suit, still scores, and still breaks hearts."""
    game = small_deal(
        "KC 3D", "2C 4D", "3H 5D", "3H 6D", "4C 7D", **OFF, first_trick_points="allow"
    )
    play(game, "KC 2C 3H")
    assert game.hearts_broken
    assert legal(game) == ["6D", "3H"]
    play(game, "3H 4C")
    assert game.points == (2, 0, 0, 0, 0)
    follow = small_deal("KC 3D", "KC 4D", "5C 5D", "6C 6D", "4C 7D", **OFF)
    play(follow, "KC")
    assert legal(follow) == ["KC"]
    play(follow, "KC")
    assert legal(follow) == ["5C"]  # clubs are still the suit led


def test_a_cancelled_heart_breaks() -> None:
    """H-CANC-7: a pair of hearts led and followed breaks hearts."""
    game = small_deal("2H 3H", "2H 4D", "5C 5D", "6C 6D", "4C 7D", **OFF)
    play(game, "2H 2H")
    assert game.hearts_broken


HELD = ("2C 3D AD", "2C 4D 5S", "5C 5D 6S", "5C 6D 7S", "8D 7D 8S")


def test_held_over() -> None:
    """H-CANC-8: without a winner the trick is held over and the seat that led it has the lead again."""
    game = small_deal(*HELD, **OFF)
    assert winner_of(play(game, "2C 2C 5C 5C 8D")) is None
    assert game.turn == 0
    assert game.points == (0,) * 5
    assert legal(game) == ["3D", "AD"]


def test_the_same_leader_obeys_the_lead_set() -> None:
    """H-CANC-8: it obeys the lead set."""
    game = small_deal("2C 3H AD", *HELD[1:], **OFF)
    play(game, "2C 2C 5C 5C 8D")
    assert legal(game) == ["AD"]
    queen = small_deal("2C 3H QS", *HELD[1:], **OFF)
    play(queen, "2C 2C 5C 5C 8D")
    assert legal(queen) == ["QS"]


def test_pass_lead_after_a_held_over_trick() -> None:
    """H-CANC-8: under pass_lead the lead may go on; who really led is on lead the next time."""
    game = small_deal("2C 3H 4H", *HELD[1:], **OFF, lead_when_stuck="pass_lead")
    events = play(game, "2C 2C 5C 5C 8D")
    went_on = found(events, "LeadPassed")
    assert (went_on.seats, went_on.leader) == ((0,), 1)
    assert game.turn == 1
    # Seat 1 really leads trick 2; if that is held over too, the lead is seat 1's again.
    hands = ("2C 3H 4H", "2C 4D 5S", "5C 4D 6S", "5C 6S 7S", "8D 9S 8S")
    twice = small_deal(*hands, **OFF, lead_when_stuck="pass_lead")
    play(twice, "2C 2C 5C 5C 8D 4D 4D 6S 9S")
    assert twice.turn == 0  # 3H or 4H to come
    assert winner_of(play(twice, "3H")) is None
    assert twice.turn == 1


def test_the_next_winner_takes_all() -> None:
    """H-CANC-9: the next seat to win takes all tricks held over, any number in a row."""
    game = small_deal(
        "2C 3D 4S",
        "2C 3D 5S",
        "5C 6D 6S",
        "5C 6D 7S",
        "2H 3H 8S",
        **OFF,
        first_trick_points="allow",
    )
    play(game, "2C 2C 5C 5C 2H")
    play(game, "3D 3D 6D 6D 3H")
    assert [winner for _, _, winner in game.tricks] == [None, None]
    assert game.turn == 0
    assert game.points == (0,) * 5
    play(game, "4S 5S 6S 7S 8S")
    assert game.over
    assert [winner for _, _, winner in game.tricks] == [None, None, 4]
    assert game.scores == (0, 0, 0, 0, 2)


def test_a_kitty_waits_with_trick_one() -> None:
    """H-CANC-10: a kitty that goes with trick 1 waits with it."""
    game = small_deal("2C 3D", "2C 4D", "5C 5D", "5C 6D", "8D 7D", kitty="9D", **OFF)
    assert "KittyTaken" not in kinds(play(game, "2C 2C 5C 5C 8D"))
    assert found(play(game, "3D 4D 5D 6D 7D"), "KittyTaken").seat == 4


def test_trick_two_after_a_held_over_trick_one() -> None:
    """H-CANC-10: the next trick is trick 2: neither first_trick_points nor H-CANC-5 applies to it."""
    game = small_deal("2C QS 7D", "2C 2H 3S", "5C 5D 9S", "5C 6D 8S", "8D 7D 6S", **OFF)
    play(game, "2C 2C 5C 5C 8D")
    assert legal(game) == ["7D", "QS"]  # Q♠ may not open the deal, but it may open trick 2
    play(game, "7D")
    assert legal(game) == ["2H", "3S"]  # nor is the heart held back


def test_the_leader_takes_a_cancelled_last_trick() -> None:
    """H-CANC-11: by default its leader takes it with everything held over and a waiting kitty."""
    game = small_deal(
        "2C 3D", "2C 3D", "5C 6D", "5C 6D", "2H 3H", kitty="9H", **OFF, first_trick_points="allow"
    )
    events = play(game, "2C 2C 5C 5C 2H 3D 3D 6D 6D 3H")
    assert [winner for _, _, winner in game.tricks] == [None, 0]
    assert found(events, "KittyTaken").seat == 0
    assert game.scores == (3, 0, 0, 0, 0)


def test_the_second_of_the_highest_pair_takes_it() -> None:
    """H-CANC-11: "second": the later copy of the highest cancelled pair of the suit led takes them."""
    fields = {**OFF, "last_cancelled": "second", "first_trick_points": "allow"}
    game = small_deal("2C 3D", "2C 3D", "5C 6D", "5C 6D", "2H 3H", kitty="9H", **fields)
    events = play(game, "2C 2C 5C 5C 2H 3D 3D 6D 6D 3H")
    assert [winner for _, _, winner in game.tricks] == [None, 3]
    assert found(events, "KittyTaken").seat == 3
    assert game.scores == (0, 0, 0, 3, 0)
    # A higher pair of another suit does not matter; the order of the pairs does not either.
    other = small_deal("9C", "2C", "9C", "2C", "KS", "KS", **fields)
    play(other, "9C 2C 9C 2C KS KS")
    assert other.tricks[0][2] == 2


def test_the_taker_is_the_winner_of_the_last_trick() -> None:
    """H-CANC-11: that seat counts as the winner of the last trick, for a kitty that goes there."""
    for who, seat in (("leader", 0), ("second", 3)):
        game = small_deal(
            "2C",
            "2C",
            "5C",
            "5C",
            "2H",
            kitty="9H",
            **OFF,
            first_trick_points="allow",
            kitty_to="last_trick",
            last_cancelled=who,
        )
        assert found(play(game, "2C 2C 5C 5C 2H"), "KittyTaken").seat == seat
        assert game.scores[seat] == 2


def test_copies_are_alike() -> None:
    """H-CANC-12: legal moves list each card once, hands are sorted by kind, nothing shows which copy a card is."""
    game = small_deal("AC 3D 3D", "4C 4D 5D", "5C 6D 6D", "6C 8D 9D", "7C TD JD", **TWO)
    assert texts(game.hand(0)) == ["AC", "3D", "3D"]
    play(game, "AC 4C 5C 6C 7C")
    assert legal(game) == ["3D"]
    play(game, "3D")
    assert texts(game.hand(0)) == ["3D"]
    assert game.hand(0)[0] is game.trick[0][1]


def test_copies_in_the_deal_are_alike() -> None:
    """H-CANC-12: games that differ only in which copy lies where look the same in every way."""
    deck = KINDS[::-1] + KINDS
    game = herzen.Hearts(herzen.HeartsRules(decks=2), deals=[deck], seed=3)
    assert texts(game.hand(0)) == sorted(texts(game.hand(0)), key=KINDS.index)
    for seat in range(8):
        moves = legal(game, seat)
        assert len(moves) == len(set(moves))
    text = game.view(0).dumps()
    assert "52" not in text.split('"ply"')[0]  # no index of a second copy


def test_a_pass_may_name_a_card_twice() -> None:
    """H-CANC-13: twice if both copies are held; each multiset of cards is listed once."""
    hands = ("2C 2C 3D QS", "3C 4C 5C 6C", "7C 8C 9C TC", "4D 5D 6D 7D", "8D 9D TD JD")
    game = small_deal(*hands, **TWO, pass_cycle=("left",), pass_count=2)
    expected = sorted(
        {tuple(some) for some in combinations(cards(hands[0]), 2)},
        key=lambda some: [KINDS.index(c) for c in some],
    )
    assert legal(game, 0) == [f"pass {' '.join(some)}" for some in expected]
    assert "pass 2C 2C" in legal(game, 0)
    assert "twice" in refused(game, "pass 3D 3D", "not_held", seat=0)
    refused(game, "pass 3C 3C", "not_held", seat=1)
    commit(game, "2C 2C", "3C 4C", "7C 8C", "4D 5D", "8D 9D")
    assert texts(game.hand(1)) == cards("2C 2C 5C 6C")
    assert texts(game.view(0).known[1]) == cards("2C 2C")
