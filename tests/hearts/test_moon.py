"""The rules of shooting the moon, H-MOON."""

from __future__ import annotations

from typing import Any

import pytest

import herzen
from tests.hearts.table import (
    HEARTS,
    KINDS,
    PENALTIES,
    found,
    kinds,
    legal,
    moon_shot,
    play,
    refused,
    small_deal,
    without,
)


def totals(*piles: list[str], **fields: Any) -> tuple[int, ...]:
    """The points of these piles under moon="add" and these fields."""
    rules = herzen.HeartsRules(**{"moon": "add", **fields})
    return herzen.TrickScorer(rules=rules).score(list(piles)).totals


def test_every_penalty_card_is_a_moon() -> None:
    """H-MOON-1: one seat with every penalty card is a moon hand, whichever seat it is."""
    for seat in range(4):
        piles = [["2C"], ["3C"], ["4C"], ["5C"]]
        piles[seat] = [*PENALTIES, "6C"]
        assert totals(*piles) == tuple(0 if at == seat else 26 for at in range(4))


def test_moon_off() -> None:
    """H-MOON-1: with moon="off" there is none."""
    assert totals(PENALTIES, ["2C"], ["3C"], ["4C"], moon="off") == (26, 0, 0, 0)
    game = moon_shot(moon="off")
    assert game.phase == "pass"  # of the next hand
    assert game.scores == (26, 0, 0, 0)


def test_a_deck_without_penalty_cards() -> None:
    """H-MOON-1: no penalty cards in the deck, no moon."""
    piles = (PENALTIES, ["2C"], ["3C"], [])
    assert totals(*piles, heart_points=0, queen_points=0, no_trick_bonus=-5) == (0, 0, 0, -5)
    game = small_deal("2C", "3C", "4C", "5C", max_hands=1)
    play(game, "2C 3C 4C 5C")
    assert game.over
    assert game.scores == (0, 0, 0, 0)


def test_the_set_of_cards_decides() -> None:
    """H-MOON-2, row 17: the moon is decided by the set of captured cards, never by points."""
    bonus = {"bonus": {"JD": -10}}
    rest = [card for card in HEARTS if card not in ("2H", "3H", "4H")]
    # 3 hearts and Q♠: 16 points, 26 - 10, and no moon.
    assert totals(["2H", "3H", "4H", "QS"], rest, ["2C"], []) == (16, 10, 0, 0)
    assert totals(["2H", "3H", "4H", "QS"], rest, ["2C"], [], **bonus) == (16, 10, 0, 0)
    assert totals(PENALTIES, ["2C"], [], []) == (0, 26, 26, 26)
    assert totals([*PENALTIES, "JD"], ["2C"], [], [], **bonus) == (-10, 26, 26, 26)
    assert totals([*PENALTIES, "JD"], ["2C"], [], []) == (0, 26, 26, 26)  # no bonus card here
    assert totals([*HEARTS[1:], "QS"], ["2H"], [], []) == (25, 1, 0, 0)
    # 26 points without all the cards.
    assert totals([*HEARTS[1:], "QS"], ["2H"], [], [], heart_points=[0, 2, *[1] * 11]) == (
        0,
        26,
        26,
        26,
    )
    assert totals([*HEARTS[:-1], "QS"], ["AH"], [], [], heart_points=[2, *[1] * 12]) == (
        26,
        1,
        0,
        0,
    )


def test_a_moon_from_the_kitty_alone() -> None:
    """H-MOON-2: captured kitty cards count, even if every penalty card came from the kitty."""
    game = small_deal("2C", "3C", "4C", kitty="2H QS", max_hands=1, moon="add")
    events = play(game, "2C 3C 4C")
    assert found(events, "HandScored").shooter == 2
    assert game.scores == (14, 14, 0)


TOTALS = [
    ({}, 26),
    ({"players": 6, "removed": ["2C", "2D", "2H", "2S"]}, 25),
    ({"players": 3, "removed": ["2H"]}, 25),
    ({"extra_penalties": {"KS": 10, "AS": 7}}, 43),
    ({"queen_points": 0}, 13),
    ({"heart_points": 0}, 13),
    ({"bonus": {"JD": -10}}, 26),
    ({"decks": 2, "players": 8}, 52),
    ({"decks": 2, "players": 6, "removed": ["2H", "QS"]}, 38),
]


@pytest.mark.parametrize(("fields", "total"), TOTALS, ids=str)
def test_total(fields: dict[str, Any], total: int) -> None:
    """H-MOON-3: T is the sum of all penalty points in the deck: 26, 25 without a heart, 43, 52 with two packs."""
    rules = herzen.HeartsRules(**fields)
    removed = [str(card) for card in rules.removed]
    deck = without(removed, packs=rules.decks)
    points = herzen.TrickScorer(rules=rules).points
    piles: list[list[str]] = [
        [card for card in deck if points([card]) > 0],
        *([] for _ in range(rules.players - 1)),
    ]
    for kind in ("add", "subtract"):
        scored = herzen.TrickScorer(rules=rules.replace(moon=kind)).score(piles).totals
        assert scored == tuple(
            (0 if seat == 0 else total) if kind == "add" else (-total if seat == 0 else 0)
            for seat in range(rules.players)
        )


def test_two_packs_need_both() -> None:
    """H-MOON-3: with two packs a moon needs the penalty cards of both."""
    both = PENALTIES * 2
    piles = [both, *([] for _ in range(7))]
    assert totals(*piles, decks=2) == (0, *[52] * 7)
    piles = [both[1:], ["2H"], *([] for _ in range(6))]
    assert totals(*piles, decks=2) == (51, 1, *[0] * 6)
    piles = [PENALTIES, PENALTIES, *([] for _ in range(6))]
    assert totals(*piles, decks=2) == (26, 26, *[0] * 6)


def test_the_shooter_chooses() -> None:
    """H-MOON-4: by default the shooter decides after the last trick, in a phase of its own, by a move."""
    game = moon_shot(scores=(10, 20, 30, 40))
    assert game.rules.moon == "choice"
    assert game.phase == "moon"
    assert game.turn == 0
    assert [int(seat) for seat in game.to_move] == [0]
    assert legal(game) == ["moon add", "moon subtract"]
    assert game.deal_number == 0
    assert game.scores == (10, 20, 30, 40)
    refused(game, "2C", "wrong_phase")
    refused(game, "moon add", "not_your_turn", seat=1)
    events = game.play("moon subtract")
    assert kinds(events) == ["MoonChosen", "HandScored", "Dealt"]
    assert (events[0].seat, events[0].kind) == (0, "subtract")  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "scores", [(0, 0, 0, 0), (95, 80, 40, 20), (-500, 0, 0, 99), (99, 99, 99, 99)]
)
def test_both_are_always_offered(scores: tuple[int, ...]) -> None:
    """H-MOON-4: add and subtract are always both legal, also where one of them loses."""
    assert legal(moon_shot(scores=scores)) == ["moon add", "moon subtract"]


def test_no_choice_under_other_options() -> None:
    """H-MOON-4: with "add", "subtract", "auto" and "off" there is no phase for it."""
    for kind in ("add", "subtract", "auto", "off"):
        assert moon_shot(moon=kind).deal_number == 1


@pytest.mark.parametrize(
    ("kind", "expected"), [("add", (10, 46, 56, 66)), ("subtract", (-16, 20, 30, 40))]
)
def test_add_and_subtract(kind: str, expected: tuple[int, ...]) -> None:
    """H-MOON-5: add: 0 and +T for the others; subtract: -T and 0; by choice or by option."""
    scores = (10, 20, 30, 40)
    chosen = moon_shot(scores=scores)
    chosen.play(f"moon {kind}")
    fixed = moon_shot(scores=scores, moon=kind)
    assert chosen.scores == fixed.scores == expected
    assert chosen.last_deal is not None
    assert chosen.last_deal.totals == tuple(
        new - old for new, old in zip(expected, scores, strict=True)
    )


def auto(scores: tuple[int, ...], **fields: Any) -> tuple[str, tuple[int, ...]]:
    """The kind that "auto" takes for these totals before, and the totals after."""
    game = moon_shot(scores=scores, moon="auto", **fields)
    return found(game.log, "HandScored").kind, game.scores


def test_auto_examples() -> None:
    """H-MOON-6: the worked examples of the rules."""
    assert auto((95, 80, 40, 20)) == ("subtract", (69, 80, 40, 20))
    assert auto((10, 80, 40, 20)) == ("add", (10, 106, 66, 46))
    assert auto((95, 40, 30, 20)) == ("add", (95, 66, 56, 46))


def test_auto_counts_a_shared_win() -> None:
    """H-MOON-6: the shooter only has to be among the winners."""
    assert auto((46, 80, 40, 20)) == ("add", (46, 106, 66, 46))
    assert auto((47, 80, 40, 20))[0] == "subtract"


def test_auto_works_out_bonus_and_no_more_deals() -> None:
    """H-MOON-6: bonus, floor, reset, tie rule, max_hands and the guard are worked out."""
    # The bonus: seat 3 would have 20 + 26 - 10 = 36, below the shooter's 40.
    assert auto((40, 80, 40, 20))[0] == "add"
    assert auto((40, 80, 40, 20), bonus={"JD": -10}, bonus_to=3)[0] == "subtract"
    # The shooter's own bonus: 50 - 10 = 40, below 46.
    assert auto((50, 80, 40, 20))[0] == "subtract"
    assert auto((50, 80, 40, 20), bonus={"JD": -10}, bonus_to=0)[0] == "add"
    # The floor: -60 + 26 is set to 0, as the shooter's -1.
    assert auto((-1, 80, -60, 20))[0] == "subtract"
    assert auto((-1, 80, -60, 20), floor=0)[0] == "add"
    # The reset: 106 becomes 50, so add does not end the match.
    assert auto((95, 80, 40, 20), exact_reset={106: 50})[0] == "add"
    assert auto((95, 80, 40, 20), exact_reset={105: 50})[0] == "subtract"
    # The tie rule: seats 2 and 3 would be lowest together, so the match goes on.
    assert auto((95, 80, 20, 20), tie="play_on")[0] == "add"
    assert auto((95, 80, 20, 21), tie="play_on")[0] == "subtract"
    # The end test.
    assert auto((95, 74, 40, 20))[0] == "subtract"
    assert auto((95, 74, 40, 20), end_test="exceed")[0] == "add"
    # max_hands and the guard: far from the target, the hand is the last one.
    assert auto((95, 40, 30, 20), max_hands=1)[0] == "subtract"
    assert auto((95, 40, 30, 20), max_hands=2)[0] == "add"
    assert auto((95, 40, 30, 20), deal_number=999)[0] == "subtract"
    assert auto((95, 40, 30, 20), deal_number=998)[0] == "add"


def test_auto_with_the_sun() -> None:
    """H-MOON-6, H-MOON-8: auto works with the doubled T."""
    # 60 + 26 = 86 does not end the match, 60 + 52 = 112 does.
    assert auto((95, 60, 40, 30), all_tricks=True)[0] == "add"
    assert auto((95, 60, 40, 30), all_tricks=True, sun="double") == ("subtract", (43, 60, 40, 30))


def test_moon_needs_bonus() -> None:
    """H-MOON-7: moon_needs_bonus=True: every bonus card must be captured too, or there is no moon."""
    fields: dict[str, Any] = {"bonus": {"JD": -10, "TD": -5}, "moon_needs_bonus": True}
    assert totals([*PENALTIES, "JD", "TD"], ["2C"], [], [], **fields) == (-15, 26, 26, 26)
    assert totals([*PENALTIES, "JD"], ["TD"], [], [], **fields) == (16, -5, 0, 0)
    fields["moon_needs_bonus"] = False
    assert totals([*PENALTIES, "JD"], ["TD"], [], [], **fields) == (-10, 21, 26, 26)
    needs = {"bonus": {"JD": -10}, "moon_needs_bonus": True}
    assert moon_shot(**needs, bonus_to=1).phase == "pass"
    assert moon_shot(**needs, bonus_to=0).phase == "moon"


def test_sun() -> None:
    """H-MOON-8: sun="double": no other seat took a trick: T is doubled for add and for subtract."""
    for kind, plain, doubled in (
        ("add", (0, 26, 26, 26), (0, 52, 52, 52)),
        ("subtract", (-26, 0, 0, 0), (-52, 0, 0, 0)),
    ):
        assert moon_shot(moon=kind, all_tricks=True).scores == plain
        assert moon_shot(moon=kind, all_tricks=True, sun="double").scores == doubled
        assert moon_shot(moon=kind, sun="double").scores == plain
    chosen = moon_shot(all_tricks=True, sun="double")
    chosen.play("moon subtract")
    assert chosen.scores == (-52, 0, 0, 0)


def test_no_sun_without_the_moon() -> None:
    """H-MOON-8: with moon="off" it has no effect."""
    assert moon_shot(moon="off", sun="double", all_tricks=True).scores == (26, 0, 0, 0)


def test_sun_counts_held_over_tricks() -> None:
    """H-MOON-8: tricks are counted as for the no-trick bonus: a held-over trick is its taker's."""
    fields = {"decks": 2, "max_hands": 1, "moon": "add", "sun": "double"}
    # Trick 1 is held over, trick 2 takes all: seat 4 has every trick and the only heart.
    game = small_deal("2C 3D", "2C 4D", "5C 5D", "5C 6D", "8D 2H", break_required=False, **fields)
    play(game, "2C 2C 5C 5C 8D 3D 4D 5D 6D 2H")
    assert game.scores == (2, 2, 2, 0, 2)  # seat 3 won with 6D


def test_sun_in_a_whole_deal() -> None:
    """H-MOON-8: a deal in which one seat holds all the high cards."""
    hands = [[f"{rank}{suit}" for rank in "23456789TJQKA"] for suit in "CDHS"]
    game = herzen.Hearts.from_hands(
        hands, herzen.HeartsRules(pass_cycle=(), sun="double", first_trick_points="allow"), seed=1
    )
    while game.phase == "play":
        game.play(game.codes()[0])
    assert game.turn == 0
    assert all(winner == 0 for _, _, winner in game.tricks)
    game.play("moon add")
    assert game.scores == (0, 52, 52, 52)
    assert sorted(KINDS) == sorted(str(move) for move in game.moves[:52])
