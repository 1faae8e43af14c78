"""PettingZoo: the games as AEC environments (docs/envs-pettingzoo.rst).

>>> from herzen.envs.pettingzoo import env
>>> table = env("hearts", {"target": 50}, render_mode="ansi")
>>> table.reset(seed=1)
>>> table.agent_selection
'player_0'
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from herzen.batch import Batch
from herzen.envs._single import ILLEGAL as ILLEGAL_ACTION
from herzen.envs._single import Single
from herzen.envs.common import (
    ILLEGAL,
    LEAST,
    MASK,
    MASK_IN,
    MOST,
    REWARDS,
    VARIANTS,
    action_space,
    agent_names,
    choice,
    env_id,
    mask_box,
    missing,
    observation_box,
    read_rules,
    sign,
    variant_arguments,
)
from herzen.envs.common import illegal_reward as usual_illegal_reward
from herzen.envs.frames import RENDER_MODES, frame
from herzen.seats import read_seat

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv, register
    from pettingzoo.utils import wrappers
except ModuleNotFoundError:
    raise missing(__name__, "pettingzoo") from None

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from herzen.envs.common import Illegal, MaskIn, Reward
    from herzen.envs.frames import RenderMode
    from herzen.rules import Rules
    from herzen.seeds import Seed

Action: TypeAlias = Any  # an integer, or None
Observation: TypeAlias = Any  # a dict, or an array


class RawEnv(AECEnv[str, Observation, Action]):  # type: ignore[misc]
    """A match as an AEC environment, without wrappers: one agent a seat, from player_0.

    An action is a number of the action space of `Batch` (docs/batch.rst); a pass or an offer is several of them. Each
    observation is a dict of fresh arrays: what the agent may know, int8 in the layout of docs/batch.rst, and
    `action_mask`, int8, 1 for legal actions, all 0 for agents that are not to move and after the end. An environment
    can be copied and pickled at any time; it holds the seed, so a pickle is secret.

    game: "hearts", "vonherzen" or "herzsammler". rules: a rules object, a mapping of its fields, or None for the
    defaults. reward: "hand" for the points of each deal as it ends, "match" for the total at the end of the match; of
    either more is better, so Hearts counts them negative. illegal: what an illegal action does: "terminate" ends the
    match for all, with `illegal_reward` for the agent and 0 for the others; "raise" raises IllegalActions and changes
    nothing. illegal_reward: None for a loss that no legal way through a usual match exceeds. mask_in: where the mask
    is: in the observation ("obs"), in infos ("info", observations are then plain arrays), or in "both". obs_key: its
    key in observations that are dicts. render_mode: "ansi", "rgb_array", "human" or None. render_seat: whose view is
    rendered: a seat, None for a spectator's, "all" for all hands.

    Raises ValueError for unknown words, RulesError for wrong rules, IndexError for a seat that there is not.
    """

    metadata: dict[str, Any] = {
        "render_modes": list(RENDER_MODES),
        "name": "herzen",
        "is_parallelizable": True,
        "render_fps": 2,
    }

    def __init__(
        self,
        game: str,
        rules: Rules | Mapping[str, Any] | None = None,
        *,
        reward: Reward = "hand",
        illegal: Illegal = "terminate",
        illegal_reward: float | None = None,
        mask_in: MaskIn = "obs",
        obs_key: str = "observation",
        render_mode: RenderMode | None = None,
        render_seat: int | Literal["all"] | None = None,
    ) -> None:
        super().__init__()
        self.rules = read_rules(game, rules)
        self.metadata = {**type(self).metadata, "name": f"{game}_v0"}
        self.reward = choice("reward", reward, REWARDS)
        self.illegal = choice("illegal", illegal, ILLEGAL)
        self.mask_in = choice("mask_in", mask_in, MASK_IN)
        if render_mode is not None:
            choice("render_mode", render_mode, RENDER_MODES)
        if not isinstance(obs_key, str) or obs_key == MASK:
            raise ValueError(f"obs_key={obs_key!r}: a name other than {MASK!r} is needed")
        self.obs_key = obs_key
        self.render_mode = render_mode
        self.render_seat: int | Literal["all"] | None = render_seat
        if not isinstance(render_seat, str) and render_seat is not None:
            self.render_seat = read_seat(render_seat, self.rules.players)
        elif render_seat is not None:
            choice("render_seat", render_seat, ["all"])
        self.illegal_reward = float(
            usual_illegal_reward(self.rules) if illegal_reward is None else illegal_reward
        )
        self.possible_agents = agent_names(self.rules.players)
        self.agents: list[str] = []
        self._sign = sign(self.rules)
        self._mask_in_obs = mask_in != "info"
        self._mask_in_info = mask_in != "obs"
        self._shown_by_itself = self._mask_in_info or render_mode == "human"
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._match: Single | None = None
        self._ended = False
        batch = Batch(self.rules, 1, seed=0)
        self._actions = batch.num_actions
        self.action_spaces = {agent: action_space(batch) for agent in self.possible_agents}
        self.observation_spaces = {agent: self._space(batch) for agent in self.possible_agents}
        seats = (self.rules.players * batch.observation_shape[0],)
        self.state_space = spaces.Box(LEAST, MOST, seats, np.int8)

    def _space(self, batch: Batch) -> spaces.Space[Any]:
        if not self._mask_in_obs:
            return observation_box(batch)
        return spaces.Dict({self.obs_key: observation_box(batch), MASK: mask_box(batch)})

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's observations: the same object on every call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's actions: the same object on every call."""
        return self.action_spaces[agent]

    # ---- playing -------------------------------------------------------------------------------------
    def reset(self, seed: Seed = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a match. Rules, rewards and all other arguments stay as they are.

        seed: that of the match, as of a Game; the r-th reset without one after it plays the match of child(seed, r)
        (docs/seeds.rst). options: none are known; accepted for other programs' sake. SeedError for what is no seed.
        """
        if self._match is None or seed is not None:
            self._match = Single(Batch(self.rules, 1, seed=[seed]))
        else:
            self._match.batch.reset()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._totals = [0] * self.rules.players
        self._rewarded = False
        self._begin()

    def _begin(self) -> None:
        """Turn to the seat to move."""
        self._seat = self._playing().turn
        self._ended = self._seat < 0
        self.agent_selection = self.possible_agents[max(0, self._seat)]
        self._show()

    def _playing(self) -> Single:
        if self._match is None:
            raise RuntimeError("reset() has to be called first")
        return self._match

    def step(self, action: Any) -> None:
        """Play an action for the agent whose turn it is; None removes an agent after the end.

        TypeError for what is no integer. IllegalActions, if `illegal` is "raise".
        """
        if self._ended:
            self._was_dead_step(action)
            return
        match = self._match or self._playing()
        seat = match.play(action)
        if seat == ILLEGAL_ACTION and self.illegal == "raise":
            match.batch.step([action])  # raises
        agent = self.agent_selection
        if self._rewarded:
            self._clear_rewards()
            self._rewarded = False
        self._cumulative_rewards[agent] = 0.0
        if seat == ILLEGAL_ACTION:
            self.rewards[agent] = self.illegal_reward
            self._pay()
        elif match.deal_over:
            self._score(match.batch.scores[0].tolist(), over=seat < 0)
        if seat < 0:
            self._end()
        elif seat != self._seat:
            self._seat = seat
            self.agent_selection = self.possible_agents[seat]
        if self._shown_by_itself:
            self._show()

    def _score(self, totals: list[int], over: bool) -> None:
        """Rewards for the totals after a deal."""
        if self.reward == "hand" or over:
            paid = self._totals if self.reward == "hand" else [0] * len(totals)
            for agent, now, before in zip(self.agents, totals, paid, strict=True):
                self.rewards[agent] = float(self._sign * (now - before))
            self._pay()
        self._totals = totals

    def _pay(self) -> None:
        self._accumulate_rewards()
        self._rewarded = True

    def _end(self) -> None:
        """The match is over, for all agents."""
        self._ended = True
        self._seat = -1
        for agent in self.agents:
            self.terminations[agent] = True
        self.agent_selection = self.agents[0]

    def _show(self) -> None:
        """What every step shows: masks in infos, and the table to a human."""
        if self._mask_in_info:
            for agent in self.agents:
                self.infos[agent] = {MASK: self._mask(self._seats[agent])}
        if self.render_mode == "human":
            self.render()

    # ---- looking -------------------------------------------------------------------------------------
    def observe(self, agent: str, out: Any = None) -> Any:
        """What an agent may know now, in fresh arrays.

        out: an observation to write into and to return instead, of arrays of the same kind: contiguous rows of a
        buffer, say. TypeError or ValueError for arrays of another kind.
        """
        match = self._match or self._playing()
        seat = self._seats[agent]
        if out is not None:
            self._observe_into(out, seat)
            return out
        if not self._mask_in_obs:
            return match.observe(seat)
        return {self.obs_key: match.observe(seat), MASK: self._mask(seat)}

    def _observe_into(self, out: Any, seat: int) -> None:
        batch = self._playing().batch
        row = out[self.obs_key] if self._mask_in_obs else out
        batch.observe(out=row[np.newaxis], seat=seat)
        if not self._mask_in_obs:
            return
        if seat == self._seat:
            batch.legal_mask(out=out[MASK].view(np.bool_)[np.newaxis])
        else:
            out[MASK][:] = 0

    def _mask(self, seat: int) -> NDArray[np.int8]:
        """The legal actions of a seat, in a fresh array."""
        if seat != self._seat:
            return np.zeros(self._actions, np.int8)
        return self._playing().legal_mask()

    def state(self) -> NDArray[np.int8]:
        """What all seats know together, one observation behind the other: for a critic that sees all."""
        match = self._playing()
        return np.concatenate([match.observe(seat) for seat in range(self.rules.players)])

    def render(self) -> Any:
        """The table as `render_mode` says: text, an array (height, width, 3) of uint8, or None."""
        if self.render_mode is None:
            raise ValueError("render() needs a render_mode, given when the environment is made")
        game = self._playing().batch.game(0)
        seat = self.render_seat
        return frame(game if isinstance(seat, str) else game.view(seat), self.render_mode)

    def close(self) -> None:
        """Nothing is open; may be called again."""


def raw_env(
    game: str = "hearts", rules: Rules | Mapping[str, Any] | None = None, **options: Any
) -> RawEnv:
    """A match without wrappers, see `RawEnv`, whose arguments `options` are."""
    return RawEnv(game, rules, **options)


def env(
    game: str = "hearts", rules: Rules | Mapping[str, Any] | None = None, **options: Any
) -> AECEnv[str, Observation, Action]:
    """A match in PettingZoo's usual wrappers: calls out of order and actions out of range raise errors that say so."""
    inside = raw_env(game, rules, **options)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(inside))


for _variant in VARIANTS:
    register("aec", env_id(_variant), f"{__name__}:env", kwargs=variant_arguments(_variant))
