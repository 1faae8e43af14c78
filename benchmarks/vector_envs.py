"""Vector environments beside Gymnasium's own one over environments that do nothing."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from time import process_time
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import SyncVectorEnv
from measuring import Portion, Report, measure, rate, ratio

from herzen.envs.gymnasium import VectorEnv

WIDTH = 1024
STEPS = 40
SEED = 42
GAMES = ("hearts", "vonherzen", "herzsammler")


class Empty(gymnasium.Env[Any, Any]):
    """An environment that does nothing."""

    observation_space = spaces.Box(-1, 1, (1,), np.int8)
    action_space = spaces.Discrete(54)

    def __init__(self) -> None:
        self.seen = np.zeros(1, np.int8)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        return self.seen, {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        return self.seen, 0.0, False, False, {}


def empty_vector() -> Portion:
    """SyncVectorEnv of empty environments; CPU seconds per step of one of them."""
    envs = SyncVectorEnv([Empty] * WIDTH)
    envs.reset(seed=SEED)
    actions = np.zeros(WIDTH, np.int64)

    def portion() -> float:
        start = process_time()
        for _ in range(STEPS):
            envs.step(actions)
        return (process_time() - start) / (STEPS * WIDTH)

    return portion


def vector(game: str, opponents: str, sums: list[float], **options: Any) -> Portion:
    """Our VectorEnv, masks and observations included; the choosing of actions is not counted."""
    envs = VectorEnv(game, WIDTH, np.arange(WIDTH) % 2, opponents, **options)
    envs.reset(seed=SEED)

    def portion() -> float:
        spent = 0.0
        for _ in range(STEPS):
            actions = envs.action_masks().argmax(1)
            start = process_time()
            result = envs.step(actions)
            spent += process_time() - start
            sums.append(float(result[1].sum()))
        return spent / (STEPS * WIDTH)

    return portion


def vectors(report: Report, repeats: int, note: Callable[[str, float], None], scale: float) -> None:
    """Steps of vector environments, beside Gymnasium's own one with environments that do nothing."""
    sums: list[float] = []
    portions: dict[str, Portion] = {"empty SyncVectorEnv": empty_vector()}
    for game in GAMES:
        for opponents in ("random", "rule"):
            portions[f"{game}, {opponents}"] = vector(game, opponents, sums)
    portions["hearts, random, copy=False"] = vector("hearts", "random", sums, copy=False)
    portions["hearts, random, SAME_STEP"] = vector(
        "hearts", "random", sums, autoreset_mode="SameStep"
    )
    times = measure(portions, repeats)
    if not any(sums):
        raise AssertionError("no seat ever scored")
    report.title(f"VectorEnv with {WIDTH} environments, masks and observations included")
    report.row("", "steps", "", "of empty")
    for name, found in times.items():
        gain = ratio(times["empty SyncVectorEnv"], found)
        report.row(name, rate(statistics.median(found)), "", f"{gain:.2f}")
        note(f"vector steps/s, {name}", 1 / statistics.median(found))
        note(f"vector {name} / empty", gain)
    scaled = scale / statistics.median(times["hearts, random"]) / 1e6
    report.bar("hearts, random opponents, scaled", scaled, 2.0, at_least=True, unit=" M/s")
