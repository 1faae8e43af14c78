"""The presets, H-PRE: exactly what each of them changes, and that keywords override it."""

from __future__ import annotations

from typing import Any

import pytest

import herzen
from tests.hearts.table import cards, legal, small_deal, texts

make = herzen.HeartsRules
OMNIBUS: dict[str, Any] = {"bonus": {"JD": -10}}
MARIA: dict[str, Any] = {
    "extra_penalties": {"KS": 10, "AS": 7},
    "pass_cycle": ("right",),
    "lead": "dealer_left",
    "first_trick_points": "allow",
}


def test_classic() -> None:
    """H-PRE-1: all defaults."""
    assert make.classic() == make()
    assert make.classic().changed() == {}
    assert make.classic(players=5, target=50) == make(players=5, target=50)


def test_plain() -> None:
    """H-PRE-2: no passing by an empty cycle, moon off, 3 to 5 players."""
    assert make.plain() == make(pass_cycle=(), moon="off")
    assert make.plain().pass_count == 3
    for players in (3, 4, 5):
        assert make.plain(players=players) == make(players=players, pass_cycle=(), moon="off")
    for fields in (
        {"players": 6},
        {"players": 7},
        {"decks": 2},
        {"players": 2},
        {"decks": 2, "players": 6},
    ):
        with pytest.raises(herzen.RulesError, match="players"):
            make.plain(**fields)
    assert herzen.Hearts(make.plain(), seed=1).pass_direction == "hold"


def test_omnibus() -> None:
    """H-PRE-3: J♦ counts -10."""
    assert make.omnibus() == make(**OMNIBUS)
    assert herzen.TrickScorer(rules=make.omnibus()).points(["JD"]) == -10


def test_black_maria() -> None:
    """H-PRE-4: K♠ 10, A♠ 7, 3 cards to the right, dealer's left leads, points on trick 1, 3 players remove 2♣."""
    assert make.black_maria() == make(**MARIA)
    assert make.black_maria().pass_count == 3
    assert texts(make.black_maria(players=3).removed) == ["2C"]
    assert make.black_maria(players=3) == make(players=3, removed=["2C"], **MARIA)
    for players in (5, 6, 7):
        assert make.black_maria(players=players) == make(players=players, **MARIA)
    assert texts(make.black_maria(players=5).removed) == ["2C", "2D"]
    assert herzen.TrickScorer(rules=make.black_maria()).points(cards("QS KS AS")) == 30
    game = herzen.Hearts(make.black_maria(), seed=1)
    for _ in range(3):
        assert game.pass_direction == "right"
        number = game.deal_number
        while game.deal_number == number:
            game.play(game.codes()[0])


def test_black_maria_with_other_removals() -> None:
    """H-PRE-4: a kitty needs no removal, and given cards are removed instead."""
    assert make.black_maria(players=3, extras="kitty").removed == ()
    assert texts(make.black_maria(players=3, removed=["2D"]).removed) == ["2D"]


def test_cancellation() -> None:
    """H-PRE-5: two packs, 8 players."""
    assert make.cancellation() == make(decks=2, players=8) == make(decks=2)
    assert make.cancellation(players=6).players == 6


def test_microsoft() -> None:
    """H-PRE-6: the queen does not break hearts, the moon adds."""
    assert make.microsoft() == make(queen_breaks=False, moon="add")


def test_openspiel() -> None:
    """H-PRE-7: the moon adds, the direction is random, one hand."""
    assert make.openspiel() == make(moon="add", pass_cycle="random", max_hands=1)


def test_yahoo() -> None:
    """H-PRE-8: who holds only hearts and Q♠ may lead either."""
    assert make.yahoo() == make(lead_when_stuck="hearts_or_queen")
    rules = make.yahoo().changed()
    game = small_deal("QS 5H", "2C 3C", "4C 5C", "6C 7C", lead="dealer_left", **rules)
    assert legal(game) == ["5H", "QS"]


@pytest.mark.parametrize(
    ("preset", "fields"),
    [
        ("classic", {"target": 50}),
        ("plain", {"moon": "add"}),
        ("plain", {"pass_cycle": ("left",)}),
        ("omnibus", {"bonus": {"TD": -10}}),
        ("black_maria", {"lead": "low_club"}),
        ("black_maria", {"extra_penalties": {"KS": 13}}),
        ("cancellation", {"players": 11}),
        ("microsoft", {"queen_breaks": True}),
        ("openspiel", {"max_hands": 5}),
        ("yahoo", {"lead_when_stuck": "pass_lead"}),
    ],
)
def test_keywords_override(preset: str, fields: dict[str, Any]) -> None:
    """H-OPT-5, H-PRE-1 to H-PRE-8: keywords of a preset are overrides; all else stays the preset's."""
    rules, usual = getattr(make, preset)(**fields), getattr(make, preset)()
    for name, value in fields.items():
        assert rules.to_dict().get(name, getattr(rules, name)) in (
            value,
            [*value] if name == "pass_cycle" else value,
        )
        assert getattr(usual, name) != getattr(rules, name)
    assert rules == usual.replace(**fields)
    with pytest.raises(TypeError):
        getattr(make, preset)(colour=1)


@pytest.mark.parametrize(
    "preset",
    [
        "classic",
        "plain",
        "omnibus",
        "black_maria",
        "cancellation",
        "microsoft",
        "openspiel",
        "yahoo",
    ],
)
def test_presets_can_be_played(preset: str) -> None:
    """H-PRE-1, H-PRE-5: a match of each preset runs to its end."""
    game = herzen.Hearts(getattr(make, preset)(max_hands=3), seed=5)
    while not game.over:
        game.play(game.codes()[0])
    assert game.winners
