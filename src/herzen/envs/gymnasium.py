"""Gymnasium: one seat learns, bots play the others (docs/envs-gymnasium.rst).

Importing this module registers the games:

>>> import gymnasium
>>> import herzen.envs.gymnasium
>>> env = gymnasium.make("herzen/hearts-v0", opponents="rule")
>>> envs = gymnasium.make_vec("herzen/hearts-v0", 64, vectorization_mode="vector_entry_point")
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from herzen.envs.common import MASK, VARIANTS, choice, env_id, missing, variant_arguments
from herzen.envs.frames import RENDER_MODES, frame
from herzen.envs.seats import SeatTable

try:
    import gymnasium
    from gymnasium.error import ResetNeeded
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError:
    raise missing(__name__, "gymnasium") from None

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from herzen.envs.common import Illegal, MaskIn, Reward
    from herzen.envs.frames import RenderMode
    from herzen.envs.seats import Opponents
    from herzen.rules import Rules
    from herzen.seeds import Seed

Observation = Any
"""A dict of arrays, or an array where the mask is in the infos only."""


class SeatEnv(gymnasium.Env[Observation, np.int64]):
    """A match in which one seat learns and bots play the others.

    An action is a number of the action space of `Batch` (docs/batch.rst); a pass or an offer is several of them. A
    step plays it, and then the others until the learner has to decide again or the match is over. Observations are
    fresh arrays: what the seat may know, int8 in the layout of docs/batch.rst, and `action_mask`, int8, 1 for legal
    actions, all 0 after the end. `truncated` is always False. At the end the info has `scores`, int32, one a seat (the
    final ones), `won`, and `illegal`, whether an illegal action did it. An environment can be copied and pickled at any
    time; it holds the seed, so a pickle is secret.

    game: "hearts", "vonherzen" or "herzsammler". seat: the learner's. opponents: "random" (uniformly random actions)
    or "rule" (the game's rule player), both from the match's stream of random play; or a `herzen.bots.Bot`; or a
    sequence of these, one a seat, of which the learner's own does not matter. Where there is a Bot among them, the
    words stand for `RandomBot` and `RuleBot` with the seeds of docs/seeds.rst, and a bot's view has the events since
    the learner's last action only. rules: a rules object, a mapping of its fields, or None for the defaults.

    reward: "hand" for the points of each deal as it ends, "match" for the total at the end of the match; of either
    more is better, so Hearts counts them negative, and an episode's rewards add up to the same. illegal: what an
    illegal action does: "terminate" ends the episode with the reward `illegal_reward`; "raise" raises IllegalActions
    and changes nothing. illegal_reward: None for a loss that no legal way through a match exceeds. mask_in: where the
    mask is: in the observation ("obs"), in infos ("info", observations are then plain arrays), or in "both". obs_key:
    the key of what the seat may know, where observations are dicts. render_mode: "ansi", "rgb_array", "human" or None;
    what is shown is the seat's view.

    Raises ValueError for unknown words, RulesError for wrong rules, IndexError for a seat that there is not.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 2}

    def __init__(
        self,
        game: str = "hearts",
        seat: int = 0,
        opponents: Opponents = "random",
        rules: Rules | Mapping[str, Any] | None = None,
        *,
        reward: Reward = "hand",
        illegal: Illegal = "terminate",
        illegal_reward: float | None = None,
        mask_in: MaskIn = "obs",
        obs_key: str = "observation",
        render_mode: RenderMode | None = None,
    ) -> None:
        self._table = SeatTable(
            game,
            1,
            seat,
            opponents,
            rules,
            reward=reward,
            illegal=illegal,
            illegal_reward=illegal_reward,
            mask_in=mask_in,
            obs_key=obs_key,
        )
        self.rules = self._table.rules
        self.seat = int(self._table.seats[0])
        self.action_space = self._table.action_space()
        self.observation_space = self._table.observation_space()
        self.metadata = dict(type(self).metadata)
        if render_mode is not None:
            choice("render_mode", render_mode, RENDER_MODES)
        self.render_mode = render_mode
        self._action = np.zeros(1, np.int64)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a match, up to the seat's first decision. Rules and all other arguments stay as they are.

        seed: that of the match, as of a Game; the r-th reset without one after it plays the match of child(seed, r)
        (docs/seeds.rst). options: none are known; accepted for other programs' sake. SeedError for what is no seed.
        """
        super().reset(seed=seed)
        self._table.reset(None, None if seed is None else [seed])
        seen, info = self._look()
        if self.render_mode == "human":
            self.render()
        return seen, info

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action, then the others. TypeError for what is no integer; ResetNeeded where no match is running."""
        table = self._table
        if not table.started or table.ended[0]:
            raise ResetNeeded("reset() has to be called before step()")
        rewards, over, wrong = table.step(np.asarray(action).reshape(-1))
        seen, info = self._look()
        terminated = bool(over[0])
        if terminated:
            info["scores"] = table.batch.scores[0].copy()
            info["won"] = bool(table.won[0])
            info["illegal"] = bool(wrong[0])
        if self.render_mode == "human":
            self.render()
        return seen, float(rewards[0]), terminated, False, info

    def _look(self) -> tuple[Observation, dict[str, Any]]:
        table = self._table
        seen, mask = table.look()
        info = {} if table.mask_in == "obs" else {MASK: mask[0].copy()}
        if table.mask_in == "info":
            return seen[0], info
        return {table.obs_key: seen[0], MASK: mask[0]}, info

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions, bool (actions,): what MaskablePPO asks for. All False after the end."""
        masks: NDArray[np.bool_] = self._table.action_masks()[0]
        return masks

    def render(self) -> Any:
        """The seat's view: a str ("ansi"), uint8 (height, width, 3) ("rgb_array"), else None; "human" shows it."""
        if self.render_mode is None:
            return None
        return frame(self._table.batch.game(0).view(self.seat), self.render_mode)

    def close(self) -> None:
        """End the environment; a second time nothing happens."""
        self._table.batch.close()


class VectorEnv(gymnasium.vector.VectorEnv[Observation, "NDArray[np.int64]", "NDArray[Any]"]):
    """Many matches at once, one seat of each learning: `SeatEnv` over `Batch`, without a loop in Python.

    Step for step what `gymnasium.vector.SyncVectorEnv` makes of as many `SeatEnv`, in each autoreset mode. Actions:
    integers (num_envs,). Observations: (num_envs, ...), else as of `SeatEnv`. Rewards float64, terminations and
    truncations bool, (num_envs,). Infos: dicts of arrays, with `_key` for where they hold.

    num_envs: how many. seat: the learner's, or one for each environment. opponents: "random" or "rule", or a sequence
    of these by seat. autoreset_mode: NEXT_STEP: the step after an episode's end ignores the action and begins the next
    one; SAME_STEP: the same step begins it, `final_obs` and `final_info` in the infos have the end; DISABLED:
    `reset(options={"reset_mask": mask})` does. copy: whether observations are fresh arrays; if not, a step overwrites
    those of the step before, which is faster. threads: as of `Batch`. All else is as of `SeatEnv`.
    """

    def __init__(
        self,
        game: str = "hearts",
        num_envs: int = 1,
        seat: int | Sequence[int] | NDArray[np.integer[Any]] = 0,
        opponents: Opponents = "random",
        rules: Rules | Mapping[str, Any] | None = None,
        *,
        reward: Reward = "hand",
        illegal: Illegal = "terminate",
        illegal_reward: float | None = None,
        mask_in: MaskIn = "obs",
        obs_key: str = "observation",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        threads: int = 1,
        render_mode: RenderMode | None = None,
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
            mask_in=mask_in,
            obs_key=obs_key,
            threads=threads,
            copy=copy,
        )
        self.rules = self._table.rules
        self.seats = self._table.seats.copy()
        self.num_envs = num_envs
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**SeatEnv.metadata, "autoreset_mode": self.autoreset_mode}
        self.single_action_space = self._table.action_space()
        self.single_observation_space = self._table.observation_space()
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        if render_mode is not None:
            choice("render_mode", render_mode, RENDER_MODES)
        self.render_mode = render_mode

    def reset(
        self,
        *,
        seed: int | Sequence[Seed] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a match in each environment, up to the seat's first decision.

        seed: environment i gets seed + i, or seed[i]; None, also in a list: its next match, as of `SeatEnv`. options:
        "reset_mask", bool (num_envs,), at least one True: only these are reset, the others stay as they are.
        """
        seeds: list[Seed] | None = None
        if isinstance(seed, (int, np.integer)):
            super().reset(seed=int(seed))
            seeds = [int(seed) + i for i in range(self.num_envs)]
        elif seed is not None:
            seeds = list(seed)
        where = None if options is None else options.get("reset_mask")
        if where is not None:
            if not isinstance(where, np.ndarray) or where.dtype != np.bool_:
                raise TypeError("reset_mask: an array of bool is needed")
            if where.shape != (self.num_envs,) or not where.any():
                raise ValueError(f"reset_mask: shape {(self.num_envs,)} and a True are needed")
            if not self._table.started:
                raise ResetNeeded("the first reset() has to be one of all environments")
        self._table.reset(where, seeds)
        seen, mask = self._table.look()
        infos = self._mask_info(mask, where)
        return self._observation(seen, mask), infos

    def step(
        self, actions: ArrayLike
    ) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Play an action in each environment, then the others; see the class. ResetNeeded where no match is running."""
        table, mode = self._table, self.autoreset_mode
        if not table.started or (mode is AutoresetMode.DISABLED and table.ended.any()):
            raise ResetNeeded("reset() has to be called before step()")
        before = table.ended.copy()
        rewards, over, wrong = table.step(actions)
        if mode is AutoresetMode.NEXT_STEP and before.any():
            table.reset(before)
        seen, mask = table.look()
        infos: dict[str, Any] = {}
        if over.any():
            ends = self._ends(over, wrong)
            if mode is AutoresetMode.SAME_STEP:
                ends |= self._mask_info(mask, over)
                infos = self._finals(over, ends, seen, mask)
                table.reset(over)
                table.look_again(over, seen, mask)
            else:
                infos = ends
        infos |= self._mask_info(mask, None)
        truncated = np.zeros(self.num_envs, np.bool_)
        return self._observation(seen, mask), rewards, over, truncated, infos

    def _observation(self, seen: NDArray[np.int8], mask: NDArray[np.int8]) -> Observation:
        if self._table.mask_in == "info":
            return seen
        return {self._table.obs_key: seen, MASK: mask}

    def _mask_info(self, mask: NDArray[np.int8], where: NDArray[np.bool_] | None) -> dict[str, Any]:
        """The masks of these environments (None: all) as infos have them."""
        if self._table.mask_in == "obs":
            return {}
        if where is None:
            return {MASK: mask.copy(), f"_{MASK}": np.ones(self.num_envs, np.bool_)}
        return {MASK: np.where(where[:, None], mask, np.int8(0)), f"_{MASK}": where.copy()}

    def _ends(self, over: NDArray[np.bool_], wrong: NDArray[np.bool_]) -> dict[str, Any]:
        """The infos of the episodes that have ended."""
        table = self._table
        scores = np.zeros_like(table.batch.scores)
        scores[over] = table.batch.scores[over]
        return {
            "scores": scores,
            "_scores": over.copy(),
            "won": table.won & over,
            "_won": over.copy(),
            "illegal": wrong,
            "_illegal": over.copy(),
        }

    def _finals(
        self,
        over: NDArray[np.bool_],
        ends: dict[str, Any],
        seen: NDArray[np.int8],
        mask: NDArray[np.int8],
    ) -> dict[str, Any]:
        """The infos of SAME_STEP."""
        final = np.full(self.num_envs, None, object)
        for i in np.flatnonzero(over):
            final[i] = self._observation(seen[i].copy(), mask[i].copy())
        return {
            "final_obs": final,
            "_final_obs": over.copy(),
            "final_info": ends,
            "_final_info": over.copy(),
        }

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions, bool (num_envs, actions); rows of False where an episode is over."""
        return self._table.action_masks()

    def render(self) -> tuple[Any, ...] | None:
        """The learners' views, one frame an environment, as of `SeatEnv`."""
        if self.render_mode is None:
            return None
        batch, mode = self._table.batch, self.render_mode
        return tuple(
            frame(batch.game(i).view(int(seat)), mode) for i, seat in enumerate(self.seats)
        )

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads."""
        self._table.batch.close()


def register() -> None:
    """Register all variants of `herzen.envs.common.VARIANTS` with Gymnasium; importing this module does it."""
    for variant in VARIANTS:
        if env_id(variant) not in gymnasium.registry:
            gymnasium.register(
                env_id(variant),
                entry_point="herzen.envs.gymnasium:SeatEnv",
                vector_entry_point="herzen.envs.gymnasium:VectorEnv",
                kwargs=variant_arguments(variant),
            )


register()
