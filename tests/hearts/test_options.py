"""The checks of the options, H-OPT: every field, every refusal."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import pytest

import herzen
from tests.hearts.table import HEARTS, KINDS, cards, legal, middle, texts

WORDS = {
    "extras": ("remove", "kitty"),
    "kitty_to": ("first_trick", "first_points", "last_trick"),
    "lead": ("low_club", "any_club", "dealer_left"),
    "first_trick_points": ("forbid", "allow"),
    "lead_when_stuck": ("hearts_only", "hearts_or_queen", "pass_lead"),
    "queen_lead": ("any_time", "after_hearts"),
    "moon": ("choice", "add", "subtract", "auto", "off"),
    "sun": ("off", "double"),
    "end_test": ("reach", "exceed"),
    "tie": ("shared", "play_on"),
    "last_cancelled": ("leader", "second"),
}
FLAGS = ("keep_spades", "break_required", "queen_breaks", "moon_needs_bonus", "stop_when_decided")
NUMBERS = {
    # field: lowest, highest
    "decks": (1, 2),
    "pass_count": (0, 4),
    "heart_points": (0, 100),
    "queen_points": (0, 100),
    "no_trick_bonus": (-100, 0),
    "target": (1, 1_000_000),
    "max_hands": (1, 10_000),
}
DEFAULTS: dict[str, Any] = {
    "players": 4,
    "removed": (),
    "extras": "remove",
    "kitty_to": "first_trick",
    "decks": 1,
    "pass_count": 3,
    "pass_cycle": ("left", "right", "across", "hold"),
    "keep_spades": False,
    "lead": "low_club",
    "first_trick_points": "forbid",
    "break_required": True,
    "queen_breaks": True,
    "lead_when_stuck": "hearts_only",
    "queen_lead": "any_time",
    "heart_points": 1,
    "queen_points": 13,
    "extra_penalties": {},
    "bonus": {},
    "no_trick_bonus": 0,
    "moon": "choice",
    "moon_needs_bonus": False,
    "sun": "off",
    "target": 100,
    "end_test": "reach",
    "exact_reset": {},
    "floor": None,
    "tie": "shared",
    "max_hands": None,
    "stop_when_decided": False,
    "last_cancelled": "leader",
}
OTHERWISE: dict[str, Any] = {
    # every option away from its default
    "players": 5,
    "removed": ["2C", "2D", "2S", "2H"],
    "extras": "kitty",
    "kitty_to": "last_trick",
    "decks": 2,
    "pass_count": 2,
    "pass_cycle": ["right", "hold"],
    "keep_spades": True,
    "lead": "dealer_left",
    "first_trick_points": "allow",
    "break_required": False,
    "queen_breaks": False,
    "lead_when_stuck": "pass_lead",
    "queen_lead": "after_hearts",
    "heart_points": "face",
    "queen_points": 25,
    "extra_penalties": {"KS": 10},
    "bonus": {"JD": -10},
    "no_trick_bonus": -5,
    "moon": "auto",
    "moon_needs_bonus": True,
    "sun": "double",
    "target": 50,
    "end_test": "exceed",
    "exact_reset": {100: 50},
    "floor": 0,
    "tie": "play_on",
    "max_hands": 4,
    "stop_when_decided": True,
    "last_cancelled": "second",
}
NEEDS: dict[str, dict[str, Any]] = {"moon_needs_bonus": {"bonus": {"JD": -10}}}


def error(**fields: Any) -> str:
    """The sentence of the RulesError that these fields raise; it names the first of them."""
    with pytest.raises(herzen.RulesError) as caught:
        herzen.HeartsRules(**fields)
    message = str(caught.value)
    assert any(field in message for field in fields), message
    assert caught.value.code == "bad_rules"
    return message


def test_all_defaults() -> None:
    """H-OPT-4, H-PRE-1: the 30 options and their defaults."""
    rules = herzen.HeartsRules()
    assert len(DEFAULTS) == 30
    for field, value in DEFAULTS.items():
        assert getattr(rules, field) == value, field
    assert rules.changed() == {}


@pytest.mark.parametrize("field", OTHERWISE)
def test_every_option_can_be_set(field: str) -> None:
    """H-OPT-7: every option away from its default: kept, shown, equal to itself by every way of making it."""
    fields = {field: OTHERWISE[field], **NEEDS.get(field, {})}
    rules = herzen.HeartsRules(**fields)
    assert set(rules.changed()) == set(fields)
    assert rules != herzen.HeartsRules()
    for same in (
        herzen.HeartsRules(**fields),
        pickle.loads(pickle.dumps(rules)),
        copy.copy(rules),
        copy.deepcopy(rules),
        rules.replace(),
        herzen.HeartsRules.from_dict(json.loads(json.dumps(rules.to_dict()))),
        eval(repr(rules), {"HeartsRules": herzen.HeartsRules}),
        herzen.HeartsRules().replace(**fields),
        herzen.new("hearts", **fields, seed=1).rules,
    ):
        assert same == rules
        assert hash(same) == hash(rules)
        assert all(getattr(same, name) == getattr(rules, name) for name in DEFAULTS)
    undone = rules.replace(**dict.fromkeys(fields))
    assert undone == herzen.HeartsRules()


@pytest.mark.parametrize("field", OTHERWISE)
def test_every_option_can_be_played(field: str) -> None:
    """H-OPT-6: a match with any one option away from its default can be played to its end."""
    rules = herzen.HeartsRules(**{field: OTHERWISE[field], **NEEDS.get(field, {})}).replace(
        max_hands=2
    )
    game = herzen.Hearts(rules, seed=1)
    while not game.over:
        game.play(game.codes()[0])
    assert game.deal_number <= 1


@pytest.mark.parametrize("field", WORDS)
def test_words(field: str) -> None:
    """H-OPT-1: an option of several words accepts only those; the message names field, value and all of them."""
    for word in WORDS[field]:
        fields = {"bonus": {"JD": -10}} if field == "moon_needs_bonus" else {}
        assert getattr(herzen.HeartsRules(**{field: word}, **fields), field) == word
    for wrong in (
        "",
        "nonsense",
        WORDS[field][0].upper(),
        f" {WORDS[field][0]}",
        0,
        1,
        True,
        (),
        b"add",
    ):
        message = error(**{field: wrong})
        assert repr(wrong) in message
        assert all(f'"{word}"' in message for word in WORDS[field])


@pytest.mark.parametrize("field", FLAGS)
def test_flags(field: str) -> None:
    """H-OPT-2: True-or-false options accept only bool."""
    for value in (True, False):
        assert getattr(herzen.HeartsRules(bonus={"JD": -10}, **{field: value}), field) is value
    for wrong in (0, 1, "", "True", 1.0, ()):
        message = error(**{field: wrong})
        assert repr(wrong) in message
        assert "True or False" in message


@pytest.mark.parametrize("field", NUMBERS)
def test_numbers(field: str) -> None:
    """H-OPT-2, H-OPT-3: ints from end to end of the range; bool and float are refused, so is what lies beyond."""
    low, high = NUMBERS[field]
    for value in (low, high):
        assert getattr(herzen.HeartsRules(**{field: value}), field) == value
    for wrong in (low - 1, high + 1, float(high), True, False, "3", 10**30, -(10**30), 1.5, [high]):
        message = error(**{field: wrong})
        assert field in message
        if field != "heart_points" or not isinstance(wrong, list):
            assert f"{low}..{high}" in message
    assert str(high + 1) in error(**{field: high + 1})


@pytest.mark.parametrize("wrong", [True, False, 4.0, "4", 2, 8, -4, [4]])
def test_players_is_a_number(wrong: Any) -> None:
    """H-OPT-2, H-OPT-3: so is `players`."""
    assert "players" in error(players=wrong)


@pytest.mark.parametrize(
    ("field", "low", "high"), [("extra_penalties", 1, 100), ("bonus", -100, -1)]
)
def test_points_per_card(field: str, low: int, high: int) -> None:
    """H-OPT-2, H-OPT-3: extra penalties 1 to 100, bonus -100 to -1, as ints."""
    for value in (low, high):
        assert getattr(herzen.HeartsRules(**{field: {"TD": value}}), field)["TD"] == value
    for wrong in (low - 1, high + 1, 0, True, float(low), "5", None):
        message = error(**{field: {"TD": wrong}})
        assert "TD" in message
        assert f"{low}..{high}" in message
    for wrong_map in (5, "TD", ["TD"], {"1D": low}, {5: low}, {"TD": low, "10♦": low}):
        error(**{field: wrong_map})


def test_heart_points() -> None:
    """H-OPT-1, H-OPT-3: 0 to 100, a name, or 13 numbers."""
    table = list(range(88, 101))
    assert herzen.HeartsRules(heart_points=table).heart_points == tuple(table)
    assert herzen.HeartsRules(heart_points=iter(table)).heart_points == tuple(table)
    for wrong in (
        "Rank",
        "",
        table[1:],
        [*table, 1],
        [*table[1:], 101],
        [*table[1:], True],
        [*table[1:], 1.0],
        (),
    ):
        assert "heart_points" in error(heart_points=wrong)


def test_heart_points_in_no_order() -> None:
    """H-OPT-1: sets and mappings have no order of 2 to A: they are no 13 numbers."""
    assert "heart_points" in error(heart_points=set(range(13)))
    assert "heart_points" in error(heart_points=dict.fromkeys(range(13), 5))


def test_pass_cycles() -> None:
    """H-OPT-1, H-OPT-12: a sequence of the four words, or "random" as the whole value; a set has no order."""
    for value in ((), ("hold",), ["left"] * 9, ["right", "across", "hold", "left"], "random"):
        expected = value if value == "random" else tuple(value)
        assert herzen.HeartsRules(pass_cycle=value).pass_cycle == expected
    for wrong in (
        "left",
        ["random"],
        ["left", "random"],
        ["up"],
        [0],
        [None],
        3,
        [["left"]],
        b"random",
        {"left", "right"},
    ):
        message = error(pass_cycle=wrong)
        assert "pass_cycle" in message
        assert "across" in message


def test_across_needs_an_even_number() -> None:
    """H-OPT-12: "across" needs an even number of players, even if no pass ever happens."""
    for players in (3, 5, 7):
        assert "across" in error(players=players, pass_cycle=["left", "across"])
        assert "across" in error(players=players, pass_cycle=["across"], pass_count=0)
        assert herzen.HeartsRules(players=players, pass_cycle="random").pass_cycle == "random"
    assert herzen.HeartsRules(players=6, pass_cycle=["across"]).pass_cycle == ("across",)
    assert herzen.HeartsRules(decks=2, players=10, pass_cycle=["across"]).players == 10
    error(decks=2, players=9, pass_cycle=["across"])


def test_floor_and_resets() -> None:
    """H-OPT-2, H-OPT-3: floor is 0 or None; resets map totals within ±1,000,000."""
    for wrong in (1, -1, False, 0.0, "0"):
        assert "floor" in error(floor=wrong)
    assert herzen.HeartsRules(exact_reset={-1_000_000: 1_000_000}).exact_reset == {
        -1_000_000: 1_000_000
    }
    for wrong_map in (
        {1_000_001: 0},
        {-1_000_001: 0},
        {0: 1_000_001},
        {0: -1_000_001},
        {True: 5},
        {100: 50.0},
        {"100": 50},
        100,
        [(100, 50)],
        {100: None},
    ):
        assert "exact_reset" in error(exact_reset=wrong_map)


def test_resets_do_not_chain() -> None:
    """H-OPT-15: a new total may not itself be a key, not even its own."""
    for wrong in ({100: 50, 50: 25}, {100: 100}, {1: 2, 2: 1}):
        assert "exact_reset" in error(exact_reset=wrong)
    assert herzen.HeartsRules(exact_reset={100: 50, 99: 50}).exact_reset == {99: 50, 100: 50}


def test_unknown_options() -> None:
    """H-OPT-1: an option that does not exist is refused."""
    with pytest.raises(TypeError):
        herzen.HeartsRules(colour=1)  # type: ignore[call-arg]
    with pytest.raises(herzen.RulesError, match="colour"):
        herzen.HeartsRules.from_dict({"colour": 1})
    with pytest.raises(herzen.RulesError, match="colour"):
        herzen.new("hearts", colour=1)


@pytest.mark.parametrize("field", DEFAULTS)
def test_none(field: str) -> None:
    """H-OPT-4: None means none where none is a value, otherwise the default; with two packs too."""
    assert herzen.HeartsRules(**{field: None}) == herzen.HeartsRules()
    assert getattr(
        herzen.HeartsRules(decks=2, **{field: None} if field != "decks" else {}), field
    ) == getattr(herzen.HeartsRules(decks=2), field)
    for none in ("floor", "max_hands"):
        assert getattr(herzen.HeartsRules(**{none: None}), none) is None


def test_empty_is_no_cards() -> None:
    """H-OPT-4: no cards is an empty collection: nothing removed is something else than the default."""
    assert herzen.HeartsRules(players=3, removed=(), extras="kitty").removed == ()
    assert "removed" in error(players=3, removed=())
    assert herzen.HeartsRules(bonus={}, extra_penalties={}, exact_reset={}) == herzen.HeartsRules()


def test_dependent_defaults() -> None:
    """H-OPT-5: a default that depends on other options is resolved when the object is built, after all overrides."""
    make = herzen.HeartsRules
    assert texts(make.classic(players=5).removed) == ["2C", "2D"]
    assert make.classic(players=5).pass_cycle == ("left", "right")
    assert make(players=5).replace(players=4) == make()
    assert texts(make(players=7).replace(players=3).removed) == ["2D"]
    assert make(players=5, extras="kitty").removed == ()
    assert make(players=5).replace(extras="kitty").removed == ()
    assert make().replace(decks=2) == make(decks=2)
    assert make(decks=2).replace(decks=1) == make()
    assert make(decks=2, lead="low_club", removed=["2C"]).lead == "low_club"
    assert make(decks=2, extras="remove").removed == ()
    # What was set stays set.
    assert texts(make(players=5, removed=["2D", "2S"]).replace(target=50).removed) == ["2D", "2S"]
    assert make(pass_cycle=["left"]).replace(players=5).pass_cycle == ("left",)


def test_options_that_cannot_apply() -> None:
    """H-OPT-6: an option that cannot apply is accepted and has no effect."""
    for fields in (
        {"sun": "double", "moon": "off"},
        {"last_cancelled": "second"},
        {"kitty_to": "last_trick"},
        {"keep_spades": True, "pass_cycle": ()},
        {"pass_count": 4, "pass_cycle": ()},
        {"queen_breaks": False, "queen_points": 0},
        {"queen_lead": "after_hearts", "queen_points": 0},
        {"moon_needs_bonus": True, "bonus": {"JD": -1}, "moon": "off"},
    ):
        without = {
            name: value
            for name, value in fields.items()
            if name in ("pass_cycle", "moon", "queen_points", "bonus")
        }
        scores = []
        for given in (fields, without):
            game = herzen.Hearts(herzen.HeartsRules(max_hands=3, **given), seed=8)
            while not game.over:
                game.play(game.codes()[0])
            scores.append((game.scores, [str(move) for move in game.moves]))
        assert scores[0] == scores[1], fields


def test_cards_and_texts() -> None:
    """H-OPT-7: cards or their text, in any iterable and order, give equal objects."""
    card = herzen.hearts.Card
    same = [
        herzen.HeartsRules(players=5, removed=removed, bonus=bonus, extra_penalties=extra)
        for removed, bonus, extra in (
            (["2S", "2D"], {"JD": -10, "TD": -5}, {"KS": 10, "AS": 7}),
            (("2D", "2S"), {"TD": -5, "JD": -10}, {"AS": 7, "KS": 10}),
            ({"2D", "2S"}, {card("JD"): -10, card("TD"): -5}, {card("KS"): 10, "AS": 7}),
            (iter([card("2D"), "2♠"]), {"J♦": -10, "10♦": -5}, {"ks": 10, "A♠": 7}),
            (dict.fromkeys(["2S", "2D"]).keys(), {"BD": -10, "td": -5}, {"K♠": 10, "AS": 7}),
        )
    ]
    assert len(set(same)) == 1
    assert len({repr(rules) for rules in same}) == 1
    assert texts(same[0].removed) == ["2D", "2S"]
    assert same[0].bonus[card("JD")] == same[0].bonus["JD"] == -10
    assert same[0] != same[0].replace(bonus={"JD": -10})


def test_rules_are_frozen() -> None:
    """H-OPT-7: the object is frozen and hashable, and so is what it holds."""
    rules = herzen.HeartsRules.omnibus()
    with pytest.raises(AttributeError):
        rules.target = 50
    with pytest.raises(AttributeError):
        del rules.target
    with pytest.raises(TypeError):
        rules.bonus["TD"] = -5  # type: ignore[index]
    given = {"TD": -5}
    kept = herzen.HeartsRules(bonus=given)
    given["JD"] = -1
    assert dict(kept.bonus) == {herzen.hearts.Card("TD"): -5}
    assert {rules: 1}[herzen.HeartsRules(bonus={"JD": -10})] == 1
    assert rules != "omnibus"


def test_removed_cards_are_in_the_packs() -> None:
    """H-OPT-8: `removed` may not name a card more often than the packs hold it."""
    assert "2C" in error(removed=["2C", "2C", "3C", "4C"])
    assert "2C" in error(decks=2, removed=["2C", "2C", "2C"])
    assert herzen.HeartsRules(decks=2, removed=["2C", "2C"], lead="dealer_left").removed[
        1
    ] == herzen.hearts.Card("2C")
    for wrong in ("2C", 5, ["1C"], [5], [None], ["2C", "rubbish"]):
        assert "removed" in error(removed=wrong)


def test_the_deck_divides() -> None:
    """H-OPT-8: with extras="remove" it must leave a deck that divides by `players`."""
    assert "multiple of 4" in error(removed=["2C"])
    assert "removed" in error(players=3, removed=["2C", "2D"])
    assert "removed" in error(decks=2, players=5, extras="remove")
    assert (
        herzen.HeartsRules(
            decks=2, players=5, extras="remove", removed=["2C", "2C", "2D", "2D"]
        ).players
        == 5
    )
    assert herzen.HeartsRules(removed=["2C"], extras="kitty").players == 4


def test_priced_cards_stay() -> None:
    """H-OPT-9: `removed` must leave Q♠ if it costs points, every extra penalty and every bonus card."""
    gone = ["QS", "2C", "2D", "3D"]
    assert "QS" in error(removed=gone)
    assert herzen.HeartsRules(removed=gone, queen_points=0).queen_points == 0
    assert "2D" in error(removed=gone, queen_points=0, bonus={"2D": -1})
    assert "3D" in error(removed=gone, queen_points=0, extra_penalties={"3D": 1})
    two = {"decks": 2, "lead": "dealer_left"}
    assert (
        herzen.HeartsRules(removed=gone, bonus={"2D": -1}, extra_penalties={"3D": 1}, **two).decks
        == 2
    )
    assert "QS" in error(removed=["QS", "QS"], **two)
    assert "2D" in error(removed=["2D", "2D"], bonus={"2D": -1}, **two)
    assert "3D" in error(removed=["3D", "3D"], extra_penalties={"3D": 1}, **two)


def test_hand_size() -> None:
    """H-OPT-10: at least 1 card and at least pass_count, even where nothing is ever passed."""
    three = [card for card in KINDS if card not in cards("2C 3C 4C 5C 6C 7C 8C 9C TC JC QC QS")]
    assert herzen.HeartsRules(removed=three, pass_count=3).pass_count == 3
    for never in ({}, {"pass_cycle": ()}, {"pass_cycle": ["hold"]}):
        assert "at least 4" in error(removed=three, pass_count=4, **never)
    assert "at least 1" in error(removed=KINDS, pass_count=0, queen_points=0, lead="dealer_left")
    few = [card for card in KINDS if card not in cards("2C 3C QS")]
    assert "at least 1" in error(removed=few, pass_count=0, extras="kitty", lead="dealer_left")


def test_clubs_to_open_with() -> None:
    """H-OPT-11: low_club and any_club need more clubs in the deck than cards in the kitty."""
    clubs = KINDS[:13]
    for lead in ("low_club", "any_club"):
        assert "lead" in error(removed=[*clubs, "2D", "3D", "4D"], lead=lead)
        # 40 cards and k clubs: 7 players get 5 each, kitty 5.
        for left, fine in ((5, False), (6, True)):
            fields = {
                "players": 7,
                "extras": "kitty",
                "lead": lead,
                "removed": [*clubs[left:], *KINDS[13 : 13 + 12 - (13 - left)]],
            }
            assert (52 - len(fields["removed"])) % 7 == 5
            if fine:
                assert herzen.HeartsRules(**fields).lead == lead
            else:
                assert "lead" in error(**fields)
    assert herzen.HeartsRules(removed=[*clubs, "2D", "3D", "4D"], lead="dealer_left").players == 4


def test_the_lowest_club_is_single() -> None:
    """H-OPT-11: with two packs they also need the lowest club of the deck to be single."""
    for lead in ("low_club", "any_club"):
        assert "single" in error(decks=2, lead=lead)
        assert "single" in error(decks=2, lead=lead, removed=["2C", "2C"])
        assert "single" in error(decks=2, lead=lead, removed=["3C"])
        for removed in (["2C"], ["2C", "2C", "3C"]):
            assert herzen.HeartsRules(decks=2, lead=lead, removed=removed).lead == lead


def test_cards_that_may_not_be_priced() -> None:
    """H-OPT-13: extra penalties and bonus name no heart and not Q♠, also with queen_points=0; no card is both."""
    for card in (*HEARTS, "QS"):
        for queen in (13, 0):
            assert card in error(extra_penalties={card: 5}, queen_points=queen)
            assert card in error(bonus={card: -5}, queen_points=queen)
    assert "JD" in error(bonus={"JD": -10}, extra_penalties={"JD": 10})


def test_a_bonus_to_need() -> None:
    """H-OPT-14: moon_needs_bonus=True without a bonus card is an error, whatever `moon` is."""
    for moon in WORDS["moon"]:
        assert "moon_needs_bonus" in error(moon_needs_bonus=True, moon=moon)
        assert herzen.HeartsRules(moon_needs_bonus=True, moon=moon, bonus={"JD": -10}).moon == moon


def test_rules_of_a_game() -> None:
    """H-OPT-7: one rules object serves any number of games; a wrong type is a TypeError."""
    rules = herzen.HeartsRules(break_required=False)
    for _ in range(2):
        assert legal(middle("2H 3S", "2C 3C", "4C 5C", "6C 7C", rules=rules)) == ["2H", "3S"]
    with pytest.raises(TypeError):
        herzen.Hearts({"target": 50})  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        herzen.TrickScorer(rules={"target": 50})  # type: ignore[arg-type]
