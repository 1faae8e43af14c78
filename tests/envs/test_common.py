"""What the adapters share, and what they ask of the games: bounds of matches, names of actions."""

from __future__ import annotations

import importlib
import json
import random
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import herzen
from herzen.batch import Batch
from herzen.envs import common
from herzen.registry import game_part
from tests.batch.actions import WAYS, Player
from tests.batch.cases import all_rules, every_case
from tests.contract.games import GAMES, Adapter
from tests.tiers import scale

ROOT = Path(__file__).parents[2]


# ---- rules and variants --------------------------------------------------------------------------------
def test_every_game_and_every_preset_is_registered() -> None:
    registered = {(game, preset) for game, preset, _ in common.VARIANTS.values()}
    for case in GAMES:
        assert case.name in common.VARIANTS
        presets = {
            name
            for name, member in vars(case.kind.rules_type).items()
            if isinstance(member, classmethod) and name[0] != "_" and name != "from_dict"
        }
        assert "classic" in presets
        assert {(case.name, preset) for preset in presets} <= registered


@pytest.mark.parametrize("variant", common.VARIANTS)
def test_variants_are_their_presets(variant: str) -> None:
    game, preset, fields = common.VARIANTS[variant]
    arguments = common.variant_arguments(variant)
    assert json.loads(json.dumps(arguments)) == arguments
    rules = common.read_rules(**arguments)
    assert rules == getattr(type(rules), preset)(**fields)
    assert rules.game == game
    assert common.env_id(variant) == f"herzen/{variant}-v0"


def test_rules_may_be_an_object_a_mapping_or_nothing() -> None:
    rules = herzen.HeartsRules(target=50)
    assert common.read_rules("hearts", rules) is rules
    assert common.read_rules("hearts", {"target": 50}) == rules
    assert common.read_rules("hearts", {"bonus": {"JD": -10}}) == herzen.HeartsRules.omnibus()
    for case in GAMES:
        assert common.read_rules(case.name) == case.kind.rules_type()


def test_wrong_rules() -> None:
    with pytest.raises(ValueError, match="no such game"):
        common.read_rules("skat")
    with pytest.raises(herzen.RulesError, match="aim"):
        common.read_rules("hearts", {"aim": 50})
    with pytest.raises(herzen.RulesError, match="target"):
        common.read_rules("hearts", {"target": 0})
    with pytest.raises(TypeError, match="HeartsRules"):
        common.read_rules("hearts", herzen.VonHerzenRules())
    wrong: Any = 5
    with pytest.raises(TypeError, match="int"):
        common.read_rules("hearts", wrong)


def test_a_word_out_of_some() -> None:
    assert common.choice("reward", "hand", common.REWARDS) == "hand"
    for wrong in ("points", "", None, 1, ["hand"]):
        with pytest.raises(ValueError, match=r'reward=.*"hand", "match"'):
            common.choice("reward", wrong, common.REWARDS)


def test_of_rewards_more_is_better() -> None:
    assert [common.sign(case.rules({})) for case in GAMES] == [-1, 1, 1]
    assert common.agent_names(3) == ["player_0", "player_1", "player_2"]


@pytest.mark.parametrize(
    ("module", "package", "extra"),
    [
        ("herzen.envs.pettingzoo", "pettingzoo", "envs"),
        ("herzen.envs.openspiel", "pyspiel", "envs"),
        ("herzen.envs.gymnasium", "gymnasium", "envs"),
        ("herzen.envs.sb3", "stable_baselines3.common.vec_env", "learners"),
    ],
)
def test_a_missing_package_is_named_with_the_line_to_install(
    module: str, package: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImportError, match=rf'pip install "herzen\[{extra}\]"'):
        importlib.import_module(module)


# ---- bounds --------------------------------------------------------------------------------------------
def bounded(case: Adapter, rules: herzen.Rules) -> herzen.Rules:
    """The rules, where a match must end at some time."""
    return rules.replace(max_hands=2) if case.name == "hearts" else rules


@every_case
def test_matches_keep_within_their_bounds(case: Adapter) -> None:
    bounds = game_part(case.name, "bounds")
    for rules in all_rules(case, scale(quick=3, ci=18, full=400), 5):
        rules = bounded(case, rules)
        low, high = bounds.scores(rules)
        longest = bounds.length(rules)
        batch = Batch(rules, 20, seed=3)
        actions = np.zeros(20, np.int64)
        while not batch.done.all():
            actions += ~batch.done
            batch.step(batch.random_actions())
        assert actions.max() <= longest, (rules, actions.max(), longest)
        assert low <= batch.scores.min(), (rules, batch.scores.min(), low)
        assert batch.scores.max() <= high, (rules, batch.scores.max(), high)
        assert common.illegal_reward(rules) <= -max(-low, high)


def test_bounds_are_met() -> None:
    """The worst that can come does come: a moon, a deal without a meld, all cards."""
    moon = herzen.HeartsRules(max_hands=1, moon="add")
    assert game_part("hearts", "bounds").scores(moon) == (0, 26)
    assert game_part("hearts", "bounds").scores(moon.replace(moon="subtract")) == (-26, 26)
    assert game_part("hearts", "bounds").scores(herzen.HeartsRules()) == (-126, 126)
    assert game_part("hearts", "bounds").scores(
        herzen.HeartsRules.omnibus(max_hands=2, moon="add", no_trick_bonus=-5, sun="double")
    ) == (-30, 104)
    assert game_part("hearts", "bounds").length(moon) == 4 * 16 + 1
    assert game_part("hearts", "bounds").length(herzen.HeartsRules()) is None
    deck = herzen.HerzsammlerRules().deck
    values = sum(row[2] for row in deck)
    assert game_part("herzsammler", "bounds").scores(herzen.HerzsammlerRules(games=3)) == (
        0,
        3 * values,
    )


@every_case
def test_numbers_of_seats(case: Adapter) -> None:
    """What the bounds say can be played, and nothing beside it."""
    low, high = game_part(case.name, "bounds").PLAYERS
    for players in range(low, high + 1):
        fields = {"decks": 2} if case.name == "hearts" and players > 7 else {}
        assert case.rules({"players": players, **fields}).players == players
    for players, decks in ((low - 1, 1), (high + 1, 2)):
        with pytest.raises(herzen.RulesError, match="players"):
            case.rules({"players": players, **({"decks": decks} if case.name == "hearts" else {})})
    rules = case.rules(game_part(case.name, "bounds").ONE_DEAL)
    batch = Batch(rules, 8, seed=1)
    while not batch.done.all():
        batch.step(batch.random_actions())
    assert {batch.game(slot).deal_number for slot in range(8)} == {0}


@every_case
def test_the_page_lists_the_spaces(case: Adapter) -> None:
    page = (ROOT / "docs" / "envs.rst").read_text(encoding="utf-8")
    batch = Batch(case.rules({}), 1)
    row = (
        rf"^{case.kind.__name__.replace('VonH', 'Von H')} +{batch.num_actions} +"
        rf"``{re.escape(str(batch.observation_shape))}`` +{batch.rules.players} players"
    )
    assert re.search(row, page, re.M)


# ---- names of actions ----------------------------------------------------------------------------------
@every_case
def test_actions_have_names_of_their_own(case: Adapter) -> None:
    for rules in all_rules(case, 2, 1):
        names = game_part(case.name, "actions").names(rules)
        assert len(names) == len(set(names)) == Batch(rules, 1).num_actions


@every_case
def test_names_say_what_the_actions_do(case: Adapter) -> None:
    """A move that is one action has its name in the move's text; the picks of others are named in it."""
    rng = random.Random(4)
    for rules in all_rules(case, 2, 6):
        names = game_part(case.name, "actions").names(rules)
        for seed in range(scale(quick=2, ci=5, full=60)):
            player = Player(case.kind(rules, seed=seed))
            for _ in range(60):
                if player.game.over:
                    break
                for move in player.game.legal_moves()[:40]:
                    opening, picks, closing = WAYS[case.name](move, player.game)
                    if picks or closing is not None:
                        continue
                    assert told(case, str(move), rules) == names[opening or 0].split(" [")[0]
                code = rng.choice(player.game.codes())
                player.game.play_code(code)


def told(case: Adapter, text: str, rules: herzen.Rules) -> str:
    """A move's text as its action is named: cards of Von Herzen by their kind."""
    if case.name != "vonherzen":
        return text
    words = text.split()
    if words[0] == "meld":
        return f"meld {' '.join(in_order(words[1:]))}"
    return " ".join([words[0], *map(kind, words[1:])])


def kind(word: str) -> str:
    """`9H` as `r9`; other words as they are."""
    return f"{'br'[word[1] in 'DH']}{word[0]}" if len(word) == 2 and word[1] in "CDHS" else word


def in_order(cards: list[str]) -> list[str]:
    """A run's cards as kinds, in the order of the run: from the one that has none below it."""
    ranks = "789TJQKA"
    held = {ranks.index(card[0]): kind(card) for card in cards}
    first = next((rank for rank in sorted(held) if (rank - 1) % 8 not in held or len(held) == 8), 0)
    return [held[(first + place) % 8] for place in range(len(held))]
