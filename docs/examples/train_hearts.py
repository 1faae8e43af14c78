"""MaskablePPO learns Hearts against three random players, then is judged on duplicate deals.

    python -m pip install "herzen[learners]"
    python train_hearts.py --minutes 15 --save hearts_policy.zip

Prints the points a hand that the learner takes fewer than the mean of the others, with a 95 % interval.
The saved policy is a bot for everything that takes bots by their words:

    python -m herzen arena hearts train_hearts:trained rule --rules max_hands=1 --seed 1
"""

from __future__ import annotations

import argparse
from functools import cache
from math import sqrt
from pathlib import Path
from time import monotonic

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecNormalize

import herzen
from herzen.batch import Batch
from herzen.envs.gymnasium import VectorEnv
from herzen.envs.sb3 import BatchVecEnv
from herzen.hearts import HeartsView, Move, parse
from herzen.hearts.cards import CARDS
from herzen.seeds import child

RULES = herzen.HeartsRules.classic(max_hands=1)
SEATS = RULES.players
ACTIONS = (*map(str, CARDS), "moon add", "moon subtract")
POLICY = "hearts_policy.zip"


class Clock(BaseCallback):
    """Ends the training in time, and reports now and then."""

    def __init__(self, minutes: float) -> None:
        super().__init__()
        self.end = monotonic() + 60 * minutes
        self.start = monotonic()
        self.told = self.start
        self.points: list[int] = []

    def _on_step(self) -> bool:
        seats = self.training_env.get_attr("seats")[0]
        for i in np.flatnonzero(self.locals["dones"]):
            self.points.append(int(self.locals["infos"][i]["scores"][seats[i]]))
        if monotonic() - self.told > 30:
            self.told = monotonic()
            print(
                f"{self.told - self.start:5.0f} s {self.num_timesteps:10,} steps "
                f"{np.mean(self.points):6.2f} points a hand",
                flush=True,
            )
            self.points.clear()
        return monotonic() < self.end


def train(minutes: float, seed: int, envs: int, steps: int = 10**9) -> MaskablePPO:
    """A policy after so many minutes, or steps; the learner sits in every seat in turn."""
    batch = BatchVecEnv("hearts", envs, np.arange(envs) % SEATS, "random", RULES, seed=seed)
    model = MaskablePPO(
        "MlpPolicy",
        VecNormalize(batch, norm_obs=False, gamma=1.0),  # rewards of about one
        n_steps=64,
        batch_size=1024,
        n_epochs=3,
        learning_rate=7e-4,
        gamma=1.0,
        gae_lambda=0.95,
        ent_coef=0.005,
        policy_kwargs={"net_arch": [128, 128]},
        seed=seed,
        device="cpu",
    )
    return model.learn(steps, callback=Clock(minutes))


def judge(model: MaskablePPO, deals: int, seed: int) -> tuple[float, float]:
    """How many points a hand fewer than the others' mean: (mean, half of the 95 % interval).

    Every deal is played four times, with the learner in each seat, and is one observation.
    """
    env = VectorEnv(
        "hearts", deals * SEATS, np.arange(deals * SEATS) % SEATS, "random", RULES, mask_in="info"
    )
    seen, infos = env.reset(seed=[child(seed, i // SEATS) for i in range(env.num_envs)])
    scores = np.zeros((env.num_envs, SEATS))
    left = np.ones(env.num_envs, np.bool_)
    while left.any():
        actions, _ = model.predict(seen, action_masks=infos["action_mask"], deterministic=True)
        seen, _, over, _, infos = env.step(actions)
        first = over & left
        if first.any():
            scores[first] = infos["scores"][first]
            left &= ~first
    own = scores[np.arange(env.num_envs), env.seats]
    others = (scores.sum(1) - own) / (SEATS - 1)
    margins = (others - own).reshape(deals, SEATS).mean(1)
    return float(margins.mean()), 1.96 * float(margins.std(ddof=1)) / sqrt(deals)


class PolicyBot:
    """The policy as a bot: it sees a view and nothing else.

    A policy reads the rows of a batch. Any world that fits the view gives the row: what the seat cannot know is
    not in it.
    """

    def __init__(self, model: MaskablePPO) -> None:
        self.model = model

    def choose(self, view: HeartsView) -> Move:
        """The move that the policy likes best: the same for the same view."""
        world = view.sample(0)
        while world.turn != view.seat:  # all pass at a time; in a batch the lower seats pass first
            world.play_code(world.codes()[0])
        table = Batch(view.rules, 1)
        table.put(0, world)
        passing = view.phase == "pass"
        words = ["pass"] if passing else []
        for _ in range(view.rules.pass_count if passing else 1):
            action, _ = self.model.predict(
                table.observe(), action_masks=table.legal_mask(), deterministic=True
            )
            words.append(ACTIONS[action[0]])
            table.step(action)
        return parse(" ".join(words))


@cache
def saved() -> MaskablePPO:
    """The policy of the file, read once."""
    return MaskablePPO.load(POLICY, device="cpu")


def trained(seed: int) -> PolicyBot:
    """The bot of the saved policy. It draws nothing, so its seed does not matter."""
    return PolicyBot(saved())


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=15.0, help="of training (15)")
    parser.add_argument("--envs", type=int, default=128, help="matches at a time (128)")
    parser.add_argument("--deals", type=int, default=500, help="duplicate deals to judge by (500)")
    parser.add_argument("--seed", type=int, default=1, help="of training (1); judged with others")
    parser.add_argument("--threads", type=int, default=2, help="of torch (2)")
    parser.add_argument("--save", type=Path, help="write the policy to this file")
    chosen = parser.parse_args()
    torch.set_num_threads(chosen.threads)
    model = train(chosen.minutes, chosen.seed, chosen.envs)
    if chosen.save:
        model.save(chosen.save)
    mean, half = judge(model, chosen.deals, 1_000_000 + chosen.seed)
    print(f"{model.num_timesteps:,} steps in {chosen.minutes:g} minutes")
    print(
        f"{mean:.2f} points a hand fewer than three random players, 95 % interval "
        f"{mean - half:.2f} to {mean + half:.2f} ({chosen.deals} deals, each from four seats)"
    )


if __name__ == "__main__":
    main()
