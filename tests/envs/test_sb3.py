"""Stable-Baselines3: its own check, our VecEnv against its DummyVecEnv, and MaskablePPO on both."""

from __future__ import annotations

import copy
import importlib
import pickle
import random
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import herzen
from herzen.envs.common import VARIANTS, env_id
from tests.batch.cases import every_case, short_rules
from tests.contract.games import Adapter
from tests.tiers import scale

pytest.importorskip("gymnasium", reason='needs ".[learners]"')
pytest.importorskip("sb3_contrib", reason='needs ".[learners]"')

import gymnasium
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv, VecMonitor, VecNormalize

from herzen.envs.gymnasium import SeatEnv
from herzen.envs.sb3 import BatchVecEnv

pytestmark = pytest.mark.ci


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("where", ["obs", "info"])
def test_their_own_check(variant: str, where: Any) -> None:
    env = gymnasium.make(env_id(variant), mask_in=where).unwrapped
    check_env(env, warn=True)


@every_case
def test_step_for_step_as_dummy_vec_env(case: Adapter) -> None:
    """With illegal actions now and then; rewards, infos and masks included."""
    n = 5
    rules = short_rules(case)
    seats = [i % rules.players for i in range(n)]
    theirs = DummyVecEnv(
        [partial(SeatEnv, case.name, seat, "rule", rules, mask_in="info") for seat in seats]
    )
    ours = BatchVecEnv(case.name, n, seats, "rule", rules)
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    assert ours.seed(5) == theirs.seed(5)
    first = theirs.reset()
    assert ours.reset().tobytes() == first.tobytes()
    rng = random.Random(1)
    ended = 0
    for number in range(scale(quick=25, ci=120, full=2000)):
        masks = get_action_masks(ours)
        assert masks.tobytes() == get_action_masks(theirs).tobytes()
        assert masks.any(1).all()
        actions = np.array([rng.choice(np.flatnonzero(row).tolist()) for row in masks])
        if rng.random() < 0.05:
            actions[number % n] = rng.randrange(masks.shape[1])
        seen, rewards, dones, infos = ours.step(actions)
        seen2, rewards2, dones2, infos2 = theirs.step(actions)
        for mine, other in ((seen, seen2), (rewards, rewards2), (dones, dones2)):
            assert (mine.dtype, mine.tobytes()) == (other.dtype, other.tobytes())
        for mine, other in zip(infos, infos2, strict=True):
            del other["action_mask"]
            if "TimeLimit.truncated" in other and "terminal_observation" not in other:
                del other["TimeLimit.truncated"]  # told at every step; ours at ends
            assert mine.keys() == other.keys()
            for key in mine:
                assert np.array_equal(mine[key], other[key])
        ended += int(dones.sum())
        if number == 30:
            assert ours.reset().tobytes() == theirs.reset().tobytes()
    assert ended > n


def test_what_maskable_ppo_asks_for() -> None:
    env = BatchVecEnv("hearts", 6, [0, 1, 2, 3, 0, 1], seed=1)
    assert is_masking_supported(env)
    env.reset()
    assert get_action_masks(env).dtype == np.bool_
    assert len(env.env_method("action_masks", indices=[1, 4])) == 2
    assert env.env_method("action_masks", indices=2)[0].tolist() == env.action_masks()[2].tolist()
    assert env.get_attr("rules", indices=[0]) == [herzen.HeartsRules()]
    assert env.env_is_wrapped(gymnasium.Wrapper) == [False] * 6
    for call in (
        lambda: env.env_method("render"),
        lambda: env.get_attr("nothing"),
        lambda: env.set_attr("seat", 1),
    ):
        with pytest.raises(AttributeError):
            call()
    wrapped = VecMonitor(VecNormalize(env, norm_obs=False))
    assert is_masking_supported(wrapped)
    wrapped.reset()
    assert get_action_masks(wrapped).any(1).all()


def test_misuse() -> None:
    env = BatchVecEnv("hearts", 2, seed=1)
    with pytest.raises(RuntimeError, match="reset"):
        env.step(np.zeros(2, np.int64))
    with pytest.raises(ValueError, match="render_mode"):
        BatchVecEnv("hearts", 2, render_mode="human")
    env.reset()
    env.close()
    env.close()
    with pytest.raises(ValueError, match="closed"):
        env.step(np.zeros(2, np.int64))


def test_pictures() -> None:
    env = BatchVecEnv("hearts", 3, seed=1, render_mode="rgb_array")
    env.reset()
    frame = env.render()
    assert frame is not None
    assert (frame.dtype, frame.ndim, frame.shape[2]) == (np.uint8, 3, 3)


def test_copies_and_pickles_go_on_alike() -> None:
    env = BatchVecEnv("herzsammler", 4, seed=3)
    env.reset()
    env.step(env.action_masks().argmax(1))
    twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    for _ in range(30):
        actions = env.action_masks().argmax(1)
        seen, rewards, dones, _ = env.step(actions)
        for twin in twins:
            other = twin.step(actions)
            assert other[0].tobytes() == seen.tobytes()
            assert (other[1] == rewards).all()
            assert (other[2] == dones).all()


def test_in_processes_of_its_own() -> None:
    makers = [partial(SeatEnv, "hearts", seat, mask_in="info") for seat in (0, 2)]
    apart, here = SubprocVecEnv(makers, start_method="spawn"), DummyVecEnv(makers)
    try:
        apart.seed(3)
        here.seed(3)
        assert apart.reset().tobytes() == here.reset().tobytes()
        for _ in range(20):
            masks = get_action_masks(apart)
            assert masks.tobytes() == get_action_masks(here).tobytes()
            actions = masks.argmax(1)
            mine, other = apart.step(actions), here.step(actions)
            for one, two in zip(mine[:3], other[:3], strict=True):
                assert np.array_equal(one, two)  # rewards have another dtype
    finally:
        apart.close()


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module docs/examples/train_hearts.py."""
    import torch

    torch.set_num_threads(1)
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "docs" / "examples")
    return importlib.import_module("train_hearts")


def test_the_example_learns_to_take_fewer_points(example: Any) -> None:
    model = example.train(60, seed=1, envs=64, steps=scale(quick=40_000, ci=40_000, full=400_000))
    fewer, half = example.judge(model, 100, seed=7)
    assert 0 < half < 1
    assert fewer - half > scale(quick=1, ci=1, full=3)  # by chance it is 0


def test_the_examples_bot_shows_the_policy_what_a_batch_shows(example: Any) -> None:
    """In every decision of whole hands the row and the mask are those of the game itself, pick by pick."""
    table = herzen.batch.Batch(example.RULES, 1)
    asked = 0

    class Asked:
        """A policy that takes some legal action, and compares what it is shown."""

        def predict(self, seen: Any, *, action_masks: Any, deterministic: bool) -> tuple[Any, None]:
            nonlocal asked
            assert np.array_equal(seen, table.observe())
            assert np.array_equal(action_masks, table.legal_mask())
            legal = np.flatnonzero(action_masks[0])
            action = legal[asked % len(legal) : asked % len(legal) + 1]
            table.step(action)
            asked += 1
            return action, None

    bot = example.PolicyBot(Asked())
    for seed in range(scale(quick=2, ci=4, full=100)):
        game = herzen.Hearts(example.RULES, seed=seed)
        while not game.over:
            table.put(0, game)
            view = herzen.View.loads(game.view(game.turn).dumps())
            game.play(bot.choose(view))
            assert game.over or np.array_equal(table.legal_mask(), here(game))
    assert asked >= scale(quick=2, ci=4, full=100) * (4 * 3 + 52)


def here(game: herzen.Game) -> Any:
    """The mask of a game's position."""
    table = herzen.batch.Batch(game.rules, 1)
    table.put(0, game)
    return table.legal_mask()


def test_a_saved_policy_plays_by_its_word(
    example: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In any seat, and in the pass before the seats to its right have passed."""
    monkeypatch.chdir(tmp_path)
    example.train(60, seed=1, envs=8, steps=8).save(example.POLICY)
    example.saved.cache_clear()
    policy = ("random", "train_hearts:trained", "rule", "train_hearts:trained")
    result = herzen.simulate(example.RULES, 2, seed=1, policy=policy)
    again = herzen.simulate(example.RULES, 2, seed=1, policy=policy)
    assert result.scores.tolist() == again.scores.tolist()
    game = herzen.Hearts(example.RULES, seed=1)
    view = game.view(3)
    assert example.trained(0).choose(view) in view.legal_moves
