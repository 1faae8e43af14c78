"""Environments for learners beside environments that do nothing: what the protocols cost, and what the games add."""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable
from time import process_time
from typing import Any

from measuring import Portion, Report, measure, rate, ratio
from pettingzoo import AECEnv

from herzen.envs.pettingzoo import raw_env

GAMES = ("hearts", "vonherzen", "herzsammler")
Policy = Callable[[Any], Any]


class Empty(AECEnv):  # type: ignore[misc]
    """An AEC environment with the agents and observations of another, that only passes the turn on."""

    def __init__(self, like: Any, length: int) -> None:
        super().__init__()
        like.reset(seed=1)
        self.possible_agents = like.possible_agents
        self.seen = like.last()[0]
        self.length = length

    def observe(self, agent: str) -> Any:
        return self.seen

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.left = self.length
        self.agent_selection = self.agents[0]

    def step(self, action: Any) -> None:
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self.left -= 1
        self.agent_selection = self.possible_agents[self.left % len(self.possible_agents)]
        if not self.left:
            self.terminations = dict.fromkeys(self.agents, True)


def first(mask: Any) -> Any:
    """The first legal action: the cheapest policy that reads the mask."""
    return mask.argmax()


def uniform(mask: Any) -> Any:
    """A uniformly random legal action."""
    return random.choice(mask.nonzero()[0])


def playing(env: Any, policy: Policy, steps: int, sums: list[float]) -> Portion:
    """PettingZoo's own loop; CPU seconds a step."""

    def portion() -> float:
        done, total = 0, 0.0
        start = process_time()
        while done < steps:
            for _ in env.agent_iter():
                observation, reward, termination, truncation, _ = env.last()
                if termination or truncation:
                    action = None
                    total += reward
                else:
                    action = policy(observation["action_mask"])
                env.step(action)
                done += 1
            env.reset()
        spent = process_time() - start
        sums.append(total)
        return spent / done

    env.reset(seed=1)
    return portion


def aec(report: Report, repeats: int, note: Callable[[str, float], None], scale: float) -> None:
    """Steps of raw AEC environments, beside the empty one under the same loop and policy."""
    random.seed(1)
    sums: list[float] = []
    portions: dict[str, Portion] = {}
    for name, policy in (("first legal action", first), ("random action", uniform)):
        for game in GAMES:
            portions[f"{game}, {name}"] = playing(raw_env(game), policy, 6_000, sums)
        portions[f"empty, {name}"] = playing(Empty(raw_env("hearts"), 500), policy, 6_000, [])
    times = measure(portions, repeats)
    report.title("PettingZoo: steps of the AEC loop, raw")
    report.row("", "herzen", "empty", "of it")
    for name, found in times.items():
        floor = times[f"empty, {name.split(', ')[1]}"]
        part = ratio(floor, found)
        if not name.startswith("empty"):
            mine, theirs = rate(statistics.median(found)), rate(statistics.median(floor))
            report.row(name, mine, theirs, f"{part:.2f}")
            note(f"AEC {name} / empty", part)
        note(f"AEC steps/s, {name}", 1 / statistics.median(found))
    reached = scale / statistics.median(times["hearts, random action"]) / 1000
    report.bar("AEC, hearts, scaled", reached, 200, at_least=True, unit=" k/s")
    if not any(sums):
        raise AssertionError("nobody scored anything")
