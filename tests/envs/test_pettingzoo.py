"""The AEC environments: PettingZoo's own suites, and what these do not notice."""

from __future__ import annotations

import copy
import pickle
import random
import re
import sys
import types
import warnings
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import herzen
from herzen.batch import Batch, IllegalActions
from herzen.envs.common import VARIANTS, env_id, illegal_reward, sign, variant_arguments
from herzen.envs.frames import raster
from herzen.render import picture
from tests.batch.actions import Player
from tests.batch.cases import every_case
from tests.batch.test_observe import worlds
from tests.contract.games import GAMES, Adapter
from tests.tiers import scale

pytest.importorskip("pettingzoo", reason='needs ".[envs]"')

from pettingzoo.test import (
    api_test,
    parallel_api_test,
    parallel_seed_test,
    seed_test,
)
from pettingzoo.utils import turn_based_aec_to_parallel

from herzen.envs import pettingzoo as ours

pytestmark = pytest.mark.ci

DICT_OBSERVATION = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be",
)
"""The warnings that PettingZoo's suites give for every observation that is a dict."""
SHORT: dict[str, dict[str, Any]] = {
    "hearts": {"max_hands": 2},
    "vonherzen": {"max_deals": 2},
    "herzsammler": {"games": 2},
}


@pytest.fixture
def only_known_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        for known in DICT_OBSERVATION:
            warnings.filterwarnings("ignore", message=known)
        yield


def play(env: Any, seed: int, limit: int = 10_000) -> list[tuple[Any, ...]]:
    """The tutorial's loop with random legal actions: what `last` gave and the actions."""
    rng = random.Random(seed)
    seen = []
    for agent in env.agent_iter(limit):
        observation, reward, termination, truncation, _ = env.last()
        if termination or truncation:
            action = None
        else:
            action = rng.choice(np.flatnonzero(observation["action_mask"]).tolist())
        seen.append((agent, observation["observation"].tobytes(), reward, termination, action))
        env.step(action)
    return seen


# ---- PettingZoo's suites ---------------------------------------------------------------------------------
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("make", [ours.raw_env, ours.env], ids=["raw", "wrapped"])
def test_its_api_test(variant: str, make: Any, only_known_warnings: None) -> None:
    api_test(make(**variant_arguments(variant)), num_cycles=scale(quick=10, ci=36, full=1000))


@every_case
@pytest.mark.parametrize("mask_in", ["info", "both"])
def test_its_api_test_with_masks_elsewhere(
    case: Adapter, mask_in: str, only_known_warnings: None
) -> None:
    """With masks in infos observations are arrays: no warning is left, but its sampling is blind."""
    if mask_in == "info":
        warnings.filterwarnings("error")
    api_test(ours.env(case.name, mask_in=mask_in), num_cycles=100)


@every_case
def test_its_seed_test(case: Adapter) -> None:
    seed_test(lambda: ours.env(case.name), num_cycles=200)


@every_case
def test_its_parallel_tests(case: Adapter, only_known_warnings: None) -> None:
    def parallel() -> Any:
        return turn_based_aec_to_parallel(ours.env(case.name, SHORT[case.name]))

    parallel_api_test(parallel(), num_cycles=200)
    parallel_seed_test(parallel, num_cycles=200)


@every_case
def test_the_tutorials_loop_works_unchanged(case: Adapter) -> None:
    env = ours.env(case.name, SHORT[case.name])
    env.reset(seed=42)
    steps = 0
    for agent in env.agent_iter():
        observation, _reward, termination, truncation, _info = env.last()
        if termination or truncation:
            action = None
        else:
            mask = observation["action_mask"]
            action = env.action_space(agent).sample(mask)
        env.step(action)
        steps += 1
    env.close()
    env.close()
    assert steps > 20
    assert env.agents == []


# ---- points and revokes ------------------------------------------------------------------------------------
@every_case
@pytest.mark.parametrize("reward", ["hand", "match"])
def test_masks_and_rewards_are_those_of_the_rules(case: Adapter, reward: str) -> None:
    """Step by step beside a Game that is played by its legal moves."""
    rng = random.Random(7)
    for number, fields in enumerate(case.variants):
        rules = case.rules({**fields, **SHORT[case.name]})
        env = ours.raw_env(case.name, rules, reward=reward, illegal="raise")
        env.reset(seed=number)
        player = Player(case.kind(rules, seed=number))
        sums, before = [0.0] * rules.players, (0,) * rules.players
        while not player.game.over:
            turn = player.game._turn
            assert env.agent_selection == f"player_{turn}"
            legal = player.actions()
            observation, paid, *_ = env.last()
            assert np.flatnonzero(observation["action_mask"]).tolist() == legal
            sums[turn] += paid
            action = rng.choice(legal)
            player.play(action)
            env.step(action)
            now = player.game.scores
            expected = [sign(rules) * (b - a) for a, b in zip(before, now, strict=True)]
            if reward == "match":
                total = [sign(rules) * score for score in now]
                expected = total if player.game.over else [0] * rules.players
            assert list(env.rewards.values()) == expected
            before = now
        for agent in env.agent_iter():
            _, paid, termination, _, _ = env.last()
            assert termination
            sums[env.possible_agents.index(agent)] += paid
            env.step(None)
        assert sums == [sign(rules) * score for score in player.game.scores]


@every_case
def test_no_revoke_is_taken(case: Adapter) -> None:
    """Every action outside the mask is refused, and changes nothing; beyond the space, too."""
    rng = random.Random(2)
    env = ours.raw_env(case.name, SHORT[case.name], illegal="raise")
    env.reset(seed=5)
    refused = 0
    for _ in range(60):
        mask = env.last()[0]["action_mask"]
        before = pickle.dumps(env)
        wrong = np.flatnonzero(mask == 0).tolist()
        for action in [*rng.sample(wrong, min(12, len(wrong))), -1, len(mask), 1 << 70, -(1 << 70)]:
            with pytest.raises(IllegalActions):
                env.step(action)
            refused += 1
        assert pickle.dumps(env) == before
        env.step(rng.choice(np.flatnonzero(mask)))
    assert refused > 600


@every_case
def test_an_illegal_action_ends_the_match(case: Adapter) -> None:
    for given, expected in ((None, illegal_reward(case.rules({}))), (-5, -5.0)):
        env = ours.raw_env(case.name, illegal_reward=given)
        env.reset(seed=1)
        for _ in range(5):
            env.step(int(env.last()[0]["action_mask"].argmax()))
        agent = env.agent_selection
        env.step(int(env.last()[0]["action_mask"].argmin()))
        assert all(env.terminations.values())
        assert env.rewards == {name: expected * (name == agent) for name in env.possible_agents}
        paid = {}
        for name in env.agent_iter():
            observation, paid[name], termination, truncation, _ = env.last()
            assert not observation["action_mask"].any()
            assert (termination, truncation) == (True, False)
            env.step(None)
        assert paid == env.rewards | {
            name: expected * (name == agent) for name in env.possible_agents
        }
        env.reset()
        assert env.last()[0]["action_mask"].any()


def test_what_is_no_action() -> None:
    env = ours.raw_env("hearts")
    env.reset(seed=1)
    legal = int(env.last()[0]["action_mask"].argmax())
    for wrong in (None, 1.0, np.float32(legal), "QS", [legal]):
        with pytest.raises(TypeError):
            env.step(wrong)
    assert not any(env.terminations.values())
    for kind in (np.int32, np.uint8, np.int64, np.array):
        twin = copy.deepcopy(env)
        twin.step(kind(legal))
        assert not twin.last()[0]["action_mask"][legal]


# ---- hidden information ------------------------------------------------------------------------------------
@every_case
def test_what_an_agent_cannot_know_changes_no_byte(case: Adapter) -> None:
    seen: Counter[str] = Counter()
    for seat, game, other in worlds(case, scale(quick=10, ci=24, full=1000), 23):
        kept, others = [], []
        for world in (game, other):
            env = at(case, world)
            agent = env.possible_agents[seat]
            observation = env.observe(agent)
            parts = [observation[key].tobytes() for key in ("observation", "action_mask")]
            parts.append(repr(env.last(observe=False)))
            env.render_mode, env.render_seat = "ansi", seat
            parts.append(env.render())
            kept.append(parts)
            neighbour = env.observe(env.possible_agents[(seat + 1) % game.players])
            others.append(neighbour["observation"].tobytes())
        assert kept[0] == kept[1], (seat, game.to_setup(), other.to_setup())
        seen["differ"] += others[0] != others[1]  # so a leak would be seen
        seen["all"] += 1
    assert seen["differ"] > seen["all"] // 4


def at(case: Adapter, game: herzen.Game) -> Any:
    """An environment at the position of a game."""
    env = ours.raw_env(case.name, game.rules)
    env.reset(seed=0)
    env._playing().batch.put(0, game)
    env._begin()
    return env


@every_case
def test_masks_of_those_who_are_not_to_move_are_zero(case: Adapter) -> None:
    for mask_in in ("obs", "info", "both"):
        env = ours.raw_env(case.name, SHORT[case.name], mask_in=mask_in)
        env.reset(seed=3)
        rng = random.Random(3)
        while env.agents:
            masks = {}
            for agent in env.agents:
                found = []
                if mask_in != "info":
                    found.append(env.observe(agent)["action_mask"])
                if mask_in != "obs":
                    found.append(env.infos[agent]["action_mask"])
                assert len({mask.tobytes() for mask in found}) == 1
                assert {mask.dtype for mask in found} == {np.dtype(np.int8)}
                masks[agent] = found[0]
            over = env.terminations[env.agent_selection]
            moving = [agent for agent, mask in masks.items() if mask.any()]
            assert moving == ([] if over else [env.agent_selection])
            legal = np.flatnonzero(masks[env.agent_selection]).tolist()
            env.step(None if over else rng.choice(legal))


# ---- arrays, copies, seeds ---------------------------------------------------------------------------------
@every_case
def test_no_memory_is_shared_between_steps(case: Adapter) -> None:
    env = ours.raw_env(case.name, mask_in="both")
    env.reset(seed=1)
    kept: list[np.ndarray[Any, Any]] = []
    copies: list[bytes] = []
    for _ in range(30):
        for agent in env.agents:
            observation = env.observe(agent)
            mine = [*observation.values(), env.infos[agent]["action_mask"]]
            for array in mine:
                assert array.flags.writeable
                assert not any(np.shares_memory(array, other) for other in kept[-20:])
                kept.append(array)
                copies.append(array.tobytes())
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    assert [array.tobytes() for array in kept] == copies
    for array in kept:
        array[:] = 9  # what a caller writes there does not matter
    assert env.observation_space("player_0").contains(env.observe("player_0"))


@every_case
@pytest.mark.parametrize("mask_in", ["obs", "info"])
def test_observations_can_be_written_into_buffers(case: Adapter, mask_in: Any) -> None:
    env = ours.raw_env(case.name, mask_in=mask_in)
    env.reset(seed=1)
    space: Any = env.observation_space("player_0")
    boxes = [space] if mask_in == "info" else list(space.values())
    rows = [np.full((40, *box.shape), 9, box.dtype) for box in boxes]
    for number in range(40):
        agent = env.possible_agents[number % 2]
        mine: Any = [row[number] for row in rows]
        out = mine[0] if mask_in == "info" else dict(zip(space, mine, strict=True))
        assert env.observe(agent, out=out) is out
        fresh = env.observe(agent)
        assert space.contains(out)
        wanted = [fresh] if mask_in == "info" else [fresh[key] for key in space]
        assert all((row[number] == found).all() for row, found in zip(rows, wanted, strict=True))
        if not env.terminations[env.agent_selection]:
            env.step(int(env._mask(env._seat).argmax()))
    env.reset(seed=2)
    wrong = env.observe("player_0")
    if mask_in == "obs":
        with pytest.raises(TypeError, match="int8"):
            env.observe(
                "player_0", out=wrong | {"observation": np.zeros(space["observation"].shape)}
            )
        with pytest.raises(ValueError, match="shape"):
            env.observe(env.agent_selection, out=wrong | {"action_mask": np.zeros(3, np.int8)})


@every_case
@pytest.mark.parametrize("make", [ours.raw_env, ours.env], ids=["raw", "wrapped"])
def test_copies_and_pickles_in_mid_game(case: Adapter, make: Any) -> None:
    env = make(case.name, SHORT[case.name])
    env.reset(seed=11)
    for steps in (0, 1, 2, 17, 40):
        play(env, 1, limit=steps)
        others = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
        first = play(copy.deepcopy(env), 5)
        for other in others:
            assert play(other, 5) == first
            # Also what comes after is the same: the seeds of later matches.
            other.reset()
        again = copy.deepcopy(env)
        again.reset()
        later = play(again, 6)
        assert [play(other, 6) for other in others] == [later, later]
    assert env.agents


@every_case
def test_a_seeded_reset_keeps_everything_that_was_given(case: Adapter) -> None:
    """Row 61 of other programs' faults: a seeded reset that restores defaults."""
    fields = {
        "hearts": {"target": 50, "moon": "subtract"},
        "vonherzen": {"flute_bonus": 7, "wrap": False},
        "herzsammler": {"require_heart": True, "tie_break": "hearts"},
    }[case.name]
    env = ours.raw_env(
        case.name,
        fields,
        reward="match",
        illegal_reward=-7,
        illegal="raise",
        obs_key="observations",
    )
    before = {name: getattr(env, name) for name in SETTINGS}
    spaces = [env.observation_space("player_1"), env.action_space("player_1")]
    for reset in ({"seed": 3}, {}, {"seed": 3, "options": {}}, {"seed": None}):
        env.reset(**reset)
        assert {name: getattr(env, name) for name in SETTINGS} == before
        assert env.rules == case.rules(fields)
        assert env._playing().batch.rules == case.rules(fields)
        assert env.observation_space("player_1") is spaces[0]
        assert env.action_space("player_1") is spaces[1]


SETTINGS = ("rules", "reward", "illegal", "illegal_reward", "mask_in", "obs_key", "render_mode")


@every_case
def test_seeds_deal_what_they_deal_everywhere(case: Adapter) -> None:
    """reset(seed=s) is Game(s); the r-th reset after it plays child(s, r)."""
    env = ours.raw_env(case.name)
    env.reset(seed=77)
    others = Batch(case.rules({}), 1, seed=[77])
    for _ in range(3):
        assert (env.state() == all_seats(others)).all()
        env.reset()
        others.reset()
    env.reset(seed=np.int64(77))
    assert (env.state() == all_seats(Batch(case.rules({}), 1, seed=[77]))).all()
    env.reset(seed="friday")
    seat = herzen.new(case.name, seed="friday").view(0)
    hand = env.observe("player_0")["observation"][: len(others.observation_layout)]
    assert hand.any()
    assert env._playing().batch.game(0).hand(0) == seat.hand
    for wrong in (-1, 1.5, True):
        with pytest.raises(herzen.SeedError):
            env.reset(seed=wrong)


def all_seats(batch: Batch) -> Any:
    return np.concatenate([batch.observe(seat=seat)[0] for seat in range(batch.rules.players)])


def test_before_the_first_reset() -> None:
    env = ours.raw_env("hearts", render_mode="ansi")
    for call in (lambda: env.step(0), lambda: env.observe("player_0"), env.render, env.state):
        with pytest.raises(RuntimeError, match="reset"):
            call()
    env.close()


# ---- arguments, names, pictures ----------------------------------------------------------------------------
def test_keys_of_other_libraries() -> None:
    env = ours.env("hearts", obs_key="observations")
    env.reset(seed=1)
    assert set(env.last()[0]) == {"observations", "action_mask"}
    assert set(env.observation_space("player_0").spaces) == {"observations", "action_mask"}
    env = ours.env("hearts", mask_in="info")
    env.reset(seed=1)
    observation, _, _, _, info = env.last()
    assert env.observation_space("player_0").contains(observation)
    assert info["action_mask"].sum() == 13


@pytest.mark.parametrize(
    "wrong",
    [
        {"reward": "points"},
        {"illegal": "ignore"},
        {"mask_in": "state"},
        {"render_mode": "gif"},
        {"obs_key": "action_mask"},
        {"render_seat": "none"},
    ],
)
def test_wrong_arguments(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        ours.env("hearts", **wrong)


def test_a_wrong_seat_to_render_for() -> None:
    with pytest.raises(IndexError):
        ours.raw_env("hearts", render_seat=4)


@pytest.mark.parametrize("variant", VARIANTS)
def test_registered_names(variant: str) -> None:
    from pettingzoo import make

    env = make("aec", env_id(variant))
    env.reset(seed=1)
    raw: Any = env.unwrapped
    game, preset, fields = VARIANTS[variant]
    kind = next(case.kind for case in GAMES if case.name == game)
    assert raw.rules == getattr(kind.rules_type, preset)(**fields)
    other: Any = make("aec", env_id(variant), reward="match", render_mode="ansi").unwrapped
    assert (other.reward, other.render_mode) == ("match", "ansi")


@every_case
def test_text_shows_what_is_asked_for(case: Adapter) -> None:
    env = ours.env(case.name, render_mode="ansi")
    env.reset(seed=8)
    play(env, 1, limit=30)
    game = env.unwrapped._playing().batch.game(0)
    assert env.render() == str(game.view(None))
    for seat in range(game.players):
        other = ours.raw_env(case.name, render_mode="ansi", render_seat=seat)
        other.reset(seed=8)
        play(other, 1, limit=30)
        assert other.render() == str(game.view(seat))
    env.unwrapped.render_seat = "all"
    assert env.render() == str(game)
    env.unwrapped.render_mode = None
    with pytest.raises(ValueError, match="render_mode"):
        env.render()


@every_case
def test_pictures_are_arrays(case: Adapter) -> None:
    """A card of the seat's hand is drawn, and a table of another position is another picture."""
    env = ours.env(case.name, render_mode="rgb_array", render_seat=0)
    env.reset(seed=8)
    first = env.render()
    assert first.dtype == np.uint8
    assert first.ndim == 3
    assert first.shape[2] == 3
    assert first.shape[0] > 200
    assert first.shape[1] > 600
    assert len(np.unique(first.reshape(-1, 3), axis=0)) > 20
    assert (first == env.render()).all()
    svg = picture(env.unwrapped._playing().batch.game(0).view(0)).svg
    assert (raster(svg) == first).all()
    wordless = raster(re.sub(r"<text.*?</text>", "", svg))  # a missing font would draw no words
    assert (wordless != first).sum() > 5000
    play(env, 1, limit=30)
    other = env.render()
    assert first.shape != other.shape or (first != other).any()


def test_a_human_sees_every_step(capsys: pytest.CaptureFixture[str]) -> None:
    """Outside a notebook the text is printed."""
    env = ours.env("hearts", render_mode="human")
    env.reset(seed=1)
    view = env.unwrapped._playing().batch.game(0).view(None)
    assert capsys.readouterr().out == f"{view}\n"
    env.step(int(env.last()[0]["action_mask"].argmax()))
    assert capsys.readouterr().out.count("\n") > 3


def test_in_a_notebook_pictures_are_displayed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    displayed: list[Any] = []
    shell = types.SimpleNamespace(kernel=None)
    modules: dict[str, Any] = {
        "IPython": types.SimpleNamespace(get_ipython=lambda: shell),
        "IPython.display": types.SimpleNamespace(display=displayed.append),
    }
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    env = ours.env("hearts", render_mode="human", render_seat=2)
    env.reset(seed=1)
    env.step(int(env.last()[0]["action_mask"].argmax()))
    assert [view.seat for view in displayed] == [2, 2]
    assert displayed[1]._repr_html_()
    del shell.kernel  # IPython in a terminal
    env.render()
    assert len(displayed) == 2
    assert capsys.readouterr().out == f"{displayed[1]}\n"
