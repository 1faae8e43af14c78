"""The rules of scoring a hand, H-SCORE, on piles and in games."""

from __future__ import annotations

from typing import Any

import pytest

import herzen
from tests.hearts.table import (
    HEARTS,
    KINDS,
    PENALTIES,
    cards,
    last_card,
    play,
    small_deal,
    spread,
    without,
)


def score(*piles: str, **fields: object) -> tuple[int, ...]:
    """The points of these piles."""
    rules = herzen.HeartsRules(
        **{"players": len(piles), "removed": (), "extras": "kitty", **fields}
    )  # type: ignore[arg-type]
    return herzen.TrickScorer(rules=rules).score([cards(pile) for pile in piles]).totals


def each(rules: herzen.HeartsRules, some: str) -> list[int]:
    """The points of each of these cards alone."""
    scorer = herzen.TrickScorer(rules=rules)
    return [scorer.points([card]) for card in cards(some)]


def test_one_point_a_heart() -> None:
    """H-SCORE-1: a heart costs 1 by default; other suits nothing but Q♠."""
    assert each(herzen.HeartsRules(), " ".join(KINDS)) == [
        13 if card == "QS" else 1 if card[1] == "H" else 0 for card in KINDS
    ]
    assert score("2H 3H AH", "KH", "2C 2D", "AS KS") == (3, 1, 0, 0)


def test_points_for_all_hearts() -> None:
    """H-SCORE-1: an int sets the points of all hearts, 13 numbers those of 2♥ to A♥ in this order."""
    for points in (0, 1, 7, 100):
        assert each(herzen.HeartsRules(heart_points=points), " ".join(HEARTS)) == [points] * 13
    table = [13, 1, 12, 2, 11, 3, 10, 4, 9, 5, 8, 0, 100]
    assert each(herzen.HeartsRules(heart_points=table), " ".join(HEARTS)) == table
    assert score("2H AH", "4H", "KH", "2C", heart_points=table) == (113, 12, 0, 0)


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("rank", [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]),
        ("face", [1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5]),
        ("spot", [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 10]),
    ],
)
def test_named_tables(name: str, table: list[int]) -> None:
    """H-SCORE-2: "rank", "face" and "spot"."""
    rules = herzen.HeartsRules(heart_points=name, moon="add")
    assert each(rules, " ".join(HEARTS)) == table
    total = sum(table) + 13
    assert herzen.TrickScorer(rules=rules).score([PENALTIES, ["2C"], [], []]).totals == (
        0,
        total,
        total,
        total,
    )


@pytest.mark.parametrize("points", [0, 1, 13, 100])
def test_queen_points(points: int) -> None:
    """H-SCORE-3: Q♠ costs queen_points, 13 by default, 0 to 100."""
    assert herzen.HeartsRules().queen_points == 13
    assert score("QS", "2H", "2C", "2D", queen_points=points) == (points, 1, 0, 0)


def test_extra_penalties() -> None:
    """H-SCORE-4: extra penalties score, and a moon needs them."""
    rules = herzen.HeartsRules(extra_penalties={"KS": 10, "AS": 7}, moon="add")
    scorer = herzen.TrickScorer(rules=rules)
    assert scorer.points(["KS", "AS", "QS", "2H"]) == 31
    assert scorer.score([PENALTIES, ["KS"], ["AS"], ["2C"]]).totals == (26, 10, 7, 0)
    assert scorer.score([[*PENALTIES, "KS", "AS"], ["2C"], ["3C"], []]).totals == (0, 43, 43, 43)


def test_bonus_goes_to_its_capturer() -> None:
    """H-SCORE-5, row 25: a bonus card makes a trick worth winning; its points go to the seat that captures it."""
    rules = herzen.HeartsRules.omnibus()
    assert herzen.TrickScorer(rules=rules).points(["JD", "2D", "3D", "4D"]) == -10
    assert score("JD 2H", "QS", "2C", "", bonus={"JD": -10}) == (-9, 13, 0, 0)
    assert score("JD", "TD", "2C", "", bonus={"TD": -10, "JD": -5}) == (-5, -10, 0, 0)


def test_bonus_in_a_moon_hand() -> None:
    """H-SCORE-5: it counts in a moon hand too, for the shooter or for another."""
    moon = " ".join(PENALTIES)
    for kind, expected in (
        ("add", ((-10, 26, 26, 26), (0, 16, 26, 26))),
        ("subtract", ((-36, 0, 0, 0), (-26, -10, 0, 0))),
    ):
        assert score(f"{moon} JD", "2C", "3C", "4C", bonus={"JD": -10}, moon=kind) == expected[0]
        assert score(moon, "2C JD", "3C", "4C", bonus={"JD": -10}, moon=kind) == expected[1]


def test_no_trick_bonus() -> None:
    """H-SCORE-6: no_trick_bonus goes to each seat without a trick; not in a moon hand."""
    assert herzen.HeartsRules().no_trick_bonus == 0
    assert score("QS 2H", "2C", "", "", no_trick_bonus=-5) == (14, 0, -5, -5)
    assert score(" ".join(PENALTIES), "2C", "", "", no_trick_bonus=-5, moon="add") == (
        0,
        26,
        26,
        26,
    )
    assert score(" ".join(PENALTIES), "2C", "", "", no_trick_bonus=-5, moon="off") == (
        26,
        0,
        -5,
        -5,
    )


def test_no_trick_bonus_in_a_game() -> None:
    """H-SCORE-6: a seat that won no trick gets it at the end of the deal."""
    for moon, expected in (("off", (-5, -5, -5, 14)), ("add", (14, 14, 14, 0))):
        game = small_deal(
            "2C 3D", "3C 5D", "4C 2H", "5C QS", no_trick_bonus=-5, max_hands=1, moon=moon
        )
        play(game, "2C 3C 4C 5C QS 3D 5D 2H")
        assert game.scores == expected


def test_held_over_tricks_are_tricks() -> None:
    """H-SCORE-7: a trick held over and a cancelled last trick are tricks for the seat that takes their cards."""
    fields = {"decks": 2, "no_trick_bonus": -5, "max_hands": 1, "moon": "off"}
    # One trick, all clubs cancelled: its leader takes it and has a trick.
    game = small_deal("2C", "2C", "5C", "5C", "8D", **fields)
    play(game, "2C 2C 5C 5C 8D")
    assert game.scores == (0, -5, -5, -5, -5)
    # Held over first; the winner of the second trick has both, nobody else has any.
    game = small_deal("2C 3D", "2C 4D", "5C 5D", "5C 6D", "8D 7D", **fields)
    play(game, "2C 2C 5C 5C 8D 3D 4D 5D 6D 7D")
    assert game.scores == (-5, -5, -5, -5, 0)


def test_a_kitty_is_no_trick() -> None:
    """H-SCORE-7: the kitty counts for its taker, but it is no trick: the seats without a trick get the bonus."""
    game = small_deal("2C", "3C", "4C", kitty="2H 3H", no_trick_bonus=-5, max_hands=1, moon="off")
    play(game, "2C 3C 4C")
    assert game.scores == (-5, -5, 2)


def test_piles_are_checked() -> None:
    """H-SCORE-8: only cards of the deck, each as often as it is there, one pile a seat."""
    scorer = herzen.TrickScorer()
    with pytest.raises(herzen.CardError):
        scorer.score([["1H"], [], [], []])
    with pytest.raises(herzen.CardError):
        scorer.points(["ZZ"])
    with pytest.raises(herzen.SetupError):
        scorer.score([["2H", "2H"], [], [], []])
    with pytest.raises(herzen.SetupError):
        scorer.score([["2H"], ["2H"], [], []])
    with pytest.raises(herzen.SetupError):
        scorer.score([[], [], []])
    with pytest.raises(herzen.CardError):
        herzen.TrickScorer(rules=herzen.HeartsRules(players=3)).points(["2D"])
    two = herzen.TrickScorer(rules=herzen.HeartsRules(decks=2))
    assert two.score([["QS", "QS"], *[[]] * 7]).totals[0] == 26
    with pytest.raises(herzen.SetupError):
        two.score([["QS", "QS"], ["QS"], *[[]] * 6])


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"moon": "both"}, 'moon is "add", "subtract" or None'),
        ({"moon": 1}, 'moon is "add", "subtract" or None'),
        ({"totals": [0, 0, 0]}, "totals: 4 integers are needed"),
        ({"totals": [0, 0, 0, 0.5]}, "totals: 4 integers are needed"),
        ({"totals": [0, 0, 0, 10**9 + 1]}, "totals: out of range"),
    ],
)
def test_what_a_moon_is_scored_by_is_checked(given: dict[str, Any], sentence: str) -> None:
    """H-MOON-4: a choice that there is not, and totals that no match has."""
    with pytest.raises(herzen.SetupError, match=sentence):
        herzen.TrickScorer().score([[], [], [], []], **given)


def test_order_at_the_end_of_a_hand() -> None:
    """H-SCORE-8: cards and kitty, moon, choice, bonus, no-trick bonus, total, floor, reset, end test, tie."""
    scorer = herzen.TrickScorer(
        rules=herzen.HeartsRules(
            bonus={"JD": -10}, floor=0, exact_reset={100: 50, 0: 7}, moon="choice"
        )
    )
    piles = [[*PENALTIES, "JD"], ["2C"], ["3C"], ["4C"]]
    # 20 - 26 - 10 = -16 -> floor 0 -> reset 7; 100 stays 100 -> reset 50; 74 and 99 as they are.
    assert scorer.score(piles, totals=(20, 100, 74, 99), moon="subtract").totals == (7, 50, 74, 99)
    # 20 - 10 = 10; 100 + 26; 74 + 26 = 100 -> 50; 99 + 26.
    assert scorer.score(piles, totals=(20, 100, 74, 99), moon="add").totals == (10, 126, 50, 125)
    assert scorer.score(piles, totals=(20, 100, 74, 99)).totals == (10, 126, 50, 125)


def test_the_end_test_looks_at_the_reset_total() -> None:
    """H-SCORE-8: a total that is reset from 100 to 50 does not end the match."""
    for reset, over in (({100: 50}, False), ({}, True)):
        game = last_card((26, 0, 0, 0), scores=(74, 0, 0, 0), exact_reset=reset, moon="off")
        game.play("5C")
        assert game.over is over
        assert game.scores[0] == (50 if reset else 100)


def test_game_and_scorer_agree() -> None:
    """H-SCORE-8: a game's score sheet is that of the scorer on its captured piles."""
    for points in ((10, 3, 13, 0), (13, 13, 0, 0), (0, 14, 6, 6), (25, 0, 0, 1)):
        rules = herzen.HeartsRules(heart_points=1)
        game = last_card(points)
        game.play("5C")
        assert game.scores == points
        assert game.last_deal is not None
        assert game.last_deal.totals == points
        piles = spread(points)
        assert herzen.TrickScorer(rules=rules).score(piles).totals == points
        assert any("Q♠" in line for line in game.last_deal.lines)


def test_incomplete_piles() -> None:
    """H-SCORE-8: piles may be incomplete: what lies there is scored, and an empty pile is no trick."""
    assert score("", "", "", "", no_trick_bonus=-3) == (-3, -3, -3, -3)
    assert score("2H", "", "", "") == (1, 0, 0, 0)
    some = without("QS")[:30]
    assert herzen.TrickScorer().score([some, [], [], []]).totals == (
        sum(card[1] == "H" for card in some),
        0,
        0,
        0,
    )
