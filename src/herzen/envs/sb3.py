"""Stable-Baselines3: many matches as one of its `VecEnv`, for MaskablePPO and others (docs/envs-gymnasium.rst).

>>> from sb3_contrib import MaskablePPO
>>> from herzen.envs.sb3 import BatchVecEnv
>>> model = MaskablePPO("MlpPolicy", BatchVecEnv("hearts", 64, seed=1), gamma=1.0)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from herzen.envs.common import choice, missing
from herzen.envs.frames import raster
from herzen.envs.seats import SeatTable

try:
    from stable_baselines3.common.vec_env import VecEnv
except ModuleNotFoundError:
    raise missing(__name__, "stable-baselines3 and sb3-contrib", "learners") from None

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from herzen.envs.common import Illegal, Reward
    from herzen.envs.seats import Opponents
    from herzen.rules import Rules

Indices = None | int | Iterable[int]


class BatchVecEnv(VecEnv):
    """Many matches, one seat of each learning: a `VecEnv` over `Batch`, without a loop over them in Python.

    Observations are plain arrays, int8 (num_envs, size) in the layout of docs/batch.rst: what the seat may know. Masks
    come from `env_method("action_masks")`, where MaskablePPO looks for them. Rewards float32, dones bool. At the end
    of an episode its info has `terminal_observation`, and `scores`, `won` and `illegal` as of
    `herzen.envs.gymnasium.SeatEnv`; the next one begins in the same step. `TimeLimit.truncated` is always False.

    game, seat, opponents, rules, reward, illegal, illegal_reward: as of `herzen.envs.gymnasium.VectorEnv`. seed:
    environment i gets seed + i, as by `seed()` later. threads: as of `Batch`. render_mode: "rgb_array" or None.
    """

    def __init__(
        self,
        game: str = "hearts",
        num_envs: int = 1,
        seat: int | Sequence[int] | NDArray[np.integer[Any]] = 0,
        opponents: Opponents = "random",
        rules: Rules | Mapping[str, Any] | None = None,
        *,
        seed: int | None = None,
        reward: Reward = "hand",
        illegal: Illegal = "terminate",
        illegal_reward: float | None = None,
        threads: int = 1,
        render_mode: str | None = None,
    ) -> None:
        self._table = SeatTable(
            game,
            num_envs,
            seat,
            opponents,
            rules,
            reward=reward,
            illegal=illegal,
            illegal_reward=illegal_reward,
            mask_in="info",
            threads=threads,
        )
        self.rules = self._table.rules
        self.seats = self._table.seats.copy()
        if render_mode is not None:
            choice("render_mode", render_mode, ("rgb_array",))
        self.render_mode = render_mode
        super().__init__(num_envs, self._table.observation_space(), self._table.action_space())
        self._actions: NDArray[Any] = np.zeros(num_envs, np.int64)
        if seed is not None:
            self.seed(seed)

    def reset(self) -> NDArray[np.int8]:
        """Begin a match in each environment; the observations."""
        seeds = None if self._seeds[0] is None else self._seeds
        self._table.reset(None, seeds)
        self.reset_infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        self._reset_seeds()
        self._reset_options()
        return self._table.look()[0]

    def step_async(self, actions: NDArray[Any]) -> None:
        """Note the actions, integers (num_envs,)."""
        self._actions = actions

    def step_wait(
        self,
    ) -> tuple[NDArray[np.int8], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Play the actions that were noted, then the others: observations, rewards, dones, infos."""
        table = self._table
        if not table.started:
            raise RuntimeError("reset() has to be called before step()")
        rewards, over, wrong = table.step(self._actions)
        seen, mask = table.look()
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        if over.any():
            for i in np.flatnonzero(over):
                infos[i] = {
                    "terminal_observation": seen[i].copy(),
                    "TimeLimit.truncated": False,
                    "scores": table.batch.scores[i].copy(),
                    "won": bool(table.won[i]),
                    "illegal": bool(wrong[i]),
                }
            table.reset(over)
            table.look_again(over, seen, mask)
        return seen, rewards.astype(np.float32), over, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions: bool (num_envs, actions)."""
        return self._table.action_masks()

    def close(self) -> None:
        """End the threads; a second time nothing happens."""
        self._table.batch.close()

    # ---- single environments -------------------------------------------------------------------------
    def env_method(
        self, method_name: str, *args: Any, indices: Indices = None, **kwargs: Any
    ) -> list[Any]:
        """What a method gives for these environments; there is only "action_masks"."""
        if method_name != "action_masks":
            raise AttributeError(f"environments of a batch have no method {method_name!r}")
        masks = self.action_masks()
        return [masks[i] for i in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """An attribute, which all environments share, once for each of these."""
        value = getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """AttributeError: environments of a batch have no attributes of their own."""
        raise AttributeError(f"environments of a batch have no attribute {attr_name!r} to be set")

    def env_is_wrapped(self, wrapper_class: Any, indices: Indices = None) -> list[bool]:
        """False for each of these environments."""
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> list[NDArray[np.uint8] | None]:
        """The learners' views as pictures, uint8 (height, width, 3)."""
        from herzen.render.svg import picture

        batch = self._table.batch
        return [
            raster(picture(batch.game(i).view(int(seat))).svg) for i, seat in enumerate(self.seats)
        ]
