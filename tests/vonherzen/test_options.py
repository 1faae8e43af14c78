"""Checking options: V-OPT."""

from __future__ import annotations

import pickle
import random
from typing import Any

import pytest

import herzen
from herzen.vonherzen import VonHerzen, VonHerzenRules
from tests.reference.vonherzen_options import VALUES, random_rules
from tests.reference.vonherzen_rules import FIELDS, changed_fields, resolve
from tests.tiers import scale

FLAGS = [
    *("turn_up", "others_after_decline", "counter_binding", "one_meld_per_turn", "wrap"),
    *("joker_ends", "own_joker_extend", "discard_mandatory", "discard_drawn"),
]
RANGES = {
    "players": (2, 6),
    "hand_size": (1, 8),
    "exchange_rounds": (0, 2),
    "flute_bonus": (0, 100),
    "natural_flute_bonus": (0, 100),
    "blocked_after": (1, 10_000),
    "full_rounds": (1, 10_000),
    "max_deals": (1, 10_000),
}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("draw_from_pile", "both"),
        ("draw_from_pile", True),
        ("draw_from_pile", "TOP"),
        ("stock_refill", "shuffle"),
        ("stock_refill", 1),
        ("blocked_after", "3n"),
        ("blocked_after", ""),
        ("players", "3"),
        ("players", [3]),
    ],
)
def test_what_is_not_allowed_is_named(field: str, value: Any) -> None:
    """V-OPT-1: RulesError names the field, the value and what is allowed."""
    with pytest.raises(herzen.RulesError) as caught:
        VonHerzenRules(**{field: value})
    assert field in str(caught.value)
    assert repr(value) in str(caught.value)
    for word in ("top", "any") if field == "draw_from_pile" else ():
        assert word in str(caught.value)


def test_unknown_options() -> None:
    """V-OPT-1: an option that does not exist is refused."""
    with pytest.raises(TypeError):
        VonHerzenRules(jokers=2)  # type: ignore[call-arg]
    with pytest.raises(herzen.RulesError, match="jokers"):
        herzen.new("vonherzen", jokers=2)
    with pytest.raises((TypeError, herzen.RulesError)):
        VonHerzen(herzen.HeartsRules())  # type: ignore[arg-type]


@pytest.mark.parametrize("field", sorted(RANGES))
@pytest.mark.parametrize("value", [True, False, 2.0, 2.5, "2", float("nan")])
def test_numbers_are_ints(field: str, value: Any) -> None:
    """V-OPT-2: bool, float and text are no numbers."""
    with pytest.raises(herzen.RulesError, match=field):
        VonHerzenRules(**{field: value})


@pytest.mark.parametrize("field", FLAGS)
@pytest.mark.parametrize("value", [0, 1, "True", 1.0])
def test_flags_are_bools(field: str, value: Any) -> None:
    """V-OPT-2: options that are True or False accept only bool."""
    with pytest.raises(herzen.RulesError, match=field):
        VonHerzenRules(**{field: value})
    for flag in (True, False):
        assert getattr(VonHerzenRules(**{field: flag}), field) is flag


@pytest.mark.parametrize(("field", "low", "high"), [(f, *r) for f, r in sorted(RANGES.items())])
def test_ranges(field: str, low: int, high: int) -> None:
    """V-OPT-3: both ends are allowed, one more or less is not."""
    for value in (low, high):
        assert getattr(VonHerzenRules(**{field: value}), field) == value  # type: ignore[arg-type]
    for value in (low - 1, high + 1, -(10**20), 10**20):
        with pytest.raises(herzen.RulesError, match=field):
            VonHerzenRules(**{field: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("players", range(2, 7))
def test_hand_sizes(players: int) -> None:
    """V-OPT-3, V-OPT-5: hand_size 1 to its default, which depends on the players."""
    most = min(8, 32 // players)
    assert VonHerzenRules(players=players).hand_size == most
    assert VonHerzenRules(players=players, hand_size=1).hand_size == 1
    with pytest.raises(herzen.RulesError, match="hand_size"):
        VonHerzenRules(players=players, hand_size=most + 1)


def test_none() -> None:
    """V-OPT-4: none for blocked_after and max_deals, the default everywhere else."""
    given = dict.fromkeys(FIELDS)
    rules = VonHerzenRules(**given)
    assert rules.changed() == {"blocked_after": None}
    assert rules.max_deals is None
    assert VonHerzenRules(max_deals=3).replace(max_deals=None) == VonHerzenRules()
    assert VonHerzenRules(blocked_after=None) != VonHerzenRules()


def test_defaults_that_are_worked_out() -> None:
    """V-OPT-5: hand_size after all overrides; a given value equal to it is the default; "2n" is no number."""
    assert VonHerzenRules(hand_size=8) == VonHerzenRules()
    assert VonHerzenRules(players=5, hand_size=6).to_dict() == {"players": 5}
    assert VonHerzenRules(players=6).replace(players=3) == VonHerzenRules()
    assert VonHerzenRules(blocked_after=6).to_dict() == {"blocked_after": 6}
    assert VonHerzenRules(blocked_after=6) != VonHerzenRules()
    assert VonHerzenRules().replace(players=4).blocked_after == "2n"
    assert VonHerzenRules.classic(players=4) == VonHerzenRules(players=4)


@pytest.mark.parametrize(
    "fields",
    [
        {"players": 4, "turn_up": True},
        {"players": 2, "others_after_decline": True},
        {"exchange_rounds": 0, "counter_binding": True},
        {"joker_ends": False, "own_joker_extend": False},
        {"wrap": False, "flute_bonus": 0},
        {"discard_drawn": True, "discard_mandatory": True},
    ],
)
def test_options_without_effect(fields: dict[str, Any]) -> None:
    """V-OPT-6: an option that cannot apply is accepted."""
    game = VonHerzen(VonHerzenRules(**fields), seed=1)
    assert game.rules.to_dict() == fields
    assert game.legal_moves()


def test_there_are_nineteen_fields() -> None:
    """V-OPT-5: their names and defaults are those of the page."""
    assert sorted(VonHerzenRules._fields) == FIELDS
    assert len(FIELDS) == 19
    defaults = VonHerzenRules()
    assert {name: getattr(defaults, name) for name in FIELDS} == resolve({})
    assert defaults.to_dict() == {}


def test_rules_round_trip() -> None:
    """V-OPT-5: dicts, pickles, repr and hash hold exactly the fields that differ from their defaults."""
    choose = random.Random(3)
    for _ in range(scale(quick=150, ci=360, full=30_000)):
        fields = random_rules(choose)
        rules = VonHerzenRules(**fields)
        assert rules.to_dict() == changed_fields(resolve(fields))
        for other in (
            VonHerzenRules.from_dict(rules.to_dict()),
            pickle.loads(pickle.dumps(rules)),
            eval(repr(rules), {"VonHerzenRules": VonHerzenRules}),
            rules.replace(),
        ):
            assert other == rules
            assert hash(other) == hash(rules)


@pytest.mark.parametrize(("field", "value"), [(f, v) for f, vs in VALUES.items() for v in vs])
def test_every_option_is_part_of_the_position(field: str, value: Any) -> None:
    """V-OPT-5: the fingerprint tells matches apart that differ in one option."""
    assert VonHerzen(VonHerzenRules(**{field: value}), seed=1) != VonHerzen(seed=1)
