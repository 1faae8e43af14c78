"""One seat of each match learns, bots play the others: what the environments for single learners share.

`SeatTable` is many matches; it knows no library. How episodes follow each other is its user's business: a slot whose
episode is over waits until it is reset.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from herzen.batch import Batch, IllegalActions
from herzen.bots import Bot, RandomBot, RuleBot, bot_seed
from herzen.envs.common import (
    ILLEGAL,
    MASK,
    MASK_IN,
    REWARDS,
    action_space,
    choice,
    mask_box,
    observation_box,
    read_rules,
    sign,
)
from herzen.envs.common import illegal_reward as usual_illegal_reward
from herzen.seats import read_seat

if TYPE_CHECKING:
    from gymnasium import spaces
    from numpy.typing import ArrayLike, NDArray

    from herzen.envs.common import Illegal, MaskIn, Reward
    from herzen.rules import Rules
    from herzen.seeds import Seed

Opponents: TypeAlias = str | Bot | Sequence[str | Bot | None]
"""Who plays the other seats: "random", "rule" or a bot for all of them, or a sequence of these by seat."""

WORDS = ("random", "rule")
EPISODES = 1000
"""Matches in a row in which a seat has nothing to decide, before we give up."""


class SeatTable:
    """n matches, in each of which one seat is the learner's.

    game, rules, reward, illegal, illegal_reward, mask_in, obs_key: as of `herzen.envs.gymnasium.SeatEnv`. seat: an
    int, or n of them. opponents: words; bots only where n is 1. copy: whether observations and masks are fresh arrays
    each time. threads: as of `Batch`.
    """

    def __init__(
        self,
        game: str,
        n: int,
        seat: int | Sequence[int] | NDArray[np.integer[Any]],
        opponents: Opponents,
        rules: Rules | Mapping[str, Any] | None,
        *,
        reward: Reward = "hand",
        illegal: Illegal = "terminate",
        illegal_reward: float | None = None,
        mask_in: MaskIn = "obs",
        obs_key: str = "observation",
        threads: int = 1,
        copy: bool = True,
    ) -> None:
        self.rules = read_rules(game, rules)
        self.reward = choice("reward", reward, REWARDS)
        self.illegal = choice("illegal", illegal, ILLEGAL)
        self.mask_in = choice("mask_in", mask_in, MASK_IN)
        if not isinstance(obs_key, str) or obs_key == MASK:
            raise ValueError(f"obs_key={obs_key!r}: a name other than {MASK!r} is needed")
        self.obs_key = obs_key
        self.illegal_reward = float(
            usual_illegal_reward(self.rules) if illegal_reward is None else illegal_reward
        )
        self.batch = Batch(self.rules, n, threads=threads)
        self.seats = self._read_seats(seat)
        self.others = read_opponents(opponents, self.rules.players)
        self.bots: dict[int, Bot] = {}
        if n == 1:
            own = int(self.seats[0])
            self.others[own] = next(one for i, one in enumerate(self.others) if i != own)
        words = tuple(one for one in self.others if isinstance(one, str))
        self._by_bots = len(words) < self.rules.players
        # A word for all is quicker to pass on.
        self._words = words[0] if len(set(words)) == 1 else words
        if self._by_bots and n > 1:
            raise ValueError(
                'opponents of many matches are "random" or "rule": for bots, use environments of one match'
            )
        self._seat = int(self.seats[0]) if (self.seats == self.seats[0]).all() else self.seats
        self._rows = np.arange(n)
        self._sign = sign(self.rules)
        self._copy = bool(copy)
        self._seen = np.zeros((n, *self.batch.observation_shape), np.int8)
        self._mask = np.zeros((n, self.batch.num_actions), np.int8)
        # What deals that ended before the seats' first decisions brought them: part of their first rewards.
        self._early = np.zeros(n, np.int32)
        self._waiting = False  # whether any episode is over, or was stopped
        self._halted = False
        self.started = False
        self.ended = np.zeros(n, np.bool_)
        """The episode is over, and the slot has not been reset since."""
        self.stopped = np.zeros(n, np.bool_)
        """It is over because of an illegal action."""
        self.won = np.zeros(n, np.bool_)
        """The learner has won the match that is over."""

    def _read_seats(self, seat: int | Sequence[int] | NDArray[np.integer[Any]]) -> NDArray[np.int8]:
        n, players = self.batch.n, self.rules.players
        given = [seat] * n if np.ndim(seat) == 0 else list(seat)  # type: ignore[arg-type]
        if len(given) != n:
            raise ValueError(f"seat: {n} seats are needed, one a match, not {len(given)}")
        return np.array([read_seat(one, players) for one in given], np.int8)

    # ---- spaces --------------------------------------------------------------------------------------
    def action_space(self) -> spaces.Discrete:
        """Of one match."""
        return action_space(self.batch)

    def observation_space(self) -> spaces.Space[Any]:
        """Of one match: a Dict with the mask, or a Box where the mask is in the infos only."""
        from gymnasium import spaces

        if self.mask_in == "info":
            return observation_box(self.batch)
        return spaces.Dict({self.obs_key: observation_box(self.batch), MASK: mask_box(self.batch)})

    # ---- playing -------------------------------------------------------------------------------------
    def reset(
        self, where: NDArray[np.bool_] | None = None, seeds: Sequence[Seed] | None = None
    ) -> None:
        """Begin the next matches in these slots (None: all), up to the learner's first decision.

        seeds: of the matches to begin with, one a slot; None, also in it: the slot's next match. A match that ends
        before the learner has anything to decide is passed over; RuntimeError if it is always so.
        """
        self.batch.reset(where, seeds=seeds)
        self.started = True
        for flags in (self.ended, self.stopped, self.won):
            if where is None:
                flags[:] = False
            else:
                flags[where] = False
        self._waiting = bool(self.ended.any())
        self._halted = bool(self.stopped.any())
        for _ in range(EPISODES):
            if self._by_bots:
                self._seat_bots()
                self._bots_play()
            else:
                self.batch.play_others(self._seat, others=self._words)
            over = self.batch.to_move < 0
            over &= ~self.ended
            if not over.any():
                rows = self._rows if where is None else np.flatnonzero(where)
                self._early[rows] = self._sign * self.batch.scores[rows, self.seats[rows]]
                return
            self.batch.reset(over)
        raise RuntimeError("the seat never has anything to decide under these rules")

    def step(
        self, actions: ArrayLike
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]:
        """Play the learners' actions, and the others up to the next decisions.

        Actions of slots whose episodes were over are ignored. Returns rewards, which episodes ended in this step, and
        in which of them an illegal action did it: three arrays (n,). IllegalActions before anything has changed, if
        `illegal` is "raise".
        """
        held = self.ended
        if self._halted:  # matches that are not over, so the batch would go on with them
            actions = np.where(self.stopped, -1, np.asarray(actions))
        wrong = np.zeros(self.batch.n, np.bool_)
        if self.illegal == "terminate" or self._halted:
            points = self._play(actions, wrong)
        else:
            points = self._play(actions, None)
        over = self.batch.to_move < 0
        over |= wrong
        if self._waiting:
            wrong &= ~held
            over &= ~held
        if self._early.any():
            points += np.where(held, 0, self._early)
            self._early[~held] = 0
        rewards = points.astype(np.float64)
        if self.reward == "match":
            rewards[:] = self._sign * self.batch.scores[self._rows, self.seats] * over
        if over.any():
            self.ended = held | over
            self.stopped |= wrong
            self._waiting = True
            self._halted = bool(self.stopped.any())
            rewards[wrong] = self.illegal_reward
            if not self._by_bots:
                rows = np.flatnonzero(over)
                self.won[rows] = self.batch.winners[rows, self.seats[rows]]
            self.won[wrong] = False
        return rewards, over, wrong

    def _play(self, actions: ArrayLike, wrong: NDArray[np.bool_] | None) -> NDArray[np.int32]:
        """`Batch.step_seat`, also with bots."""
        if not self._by_bots:
            return self.batch.step_seat(actions, self._seat, others=self._words, illegal=wrong)
        batch, seat = self.batch, self.seats[0]
        before = batch.scores[0, seat]
        try:
            batch.step(actions)
        except IllegalActions:
            if wrong is None:
                raise
            wrong[0] = True
            return np.zeros(1, np.int32)
        if wrong is not None:
            wrong[0] = False
        if batch.done[0]:
            self.won[0] = batch.winners[0, seat]
        else:
            self._bots_play()
        points: NDArray[np.int32] = batch.scores[:, seat] - before
        points *= self._sign
        return points

    def _seat_bots(self) -> None:
        """Make the bots that words stand for, with the seeds of this match (docs/seeds.rst, domain 3)."""
        key = self.batch.game(0).seed
        assert key is not None
        for seat, one in enumerate(self.others):
            if isinstance(one, str):
                kind = RuleBot if one == "rule" else RandomBot
                self.bots[seat] = kind(bot_seed(key, seat))
            else:
                self.bots[seat] = one

    def _bots_play(self) -> None:
        """Let bots act until the learner is to move or the match is over."""
        seat = int(self.seats[0])
        if self.batch.to_move[0] in (seat, -1):
            return
        game = self.batch.game(0)
        while not game.over and game.turn != seat:
            mover = int(game.turn)  # type: ignore[arg-type]
            game.play(self.bots[mover].choose(game.view(mover)))
        self.batch.put(0, game)
        if game.over:
            self.won[0] = seat in game.winners

    # ---- looking -------------------------------------------------------------------------------------
    def look(self) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        """Observations and masks, int8 (n, size) and (n, actions); masks are all 0 where an episode is over."""
        seen = np.empty_like(self._seen) if self._copy else self._seen
        mask = np.empty_like(self._mask) if self._copy else self._mask
        self.batch.observe(seen, self._seat)
        self.batch.legal_mask(mask.view(np.bool_))
        if self._halted:
            mask[self.stopped] = 0
        return seen, mask

    def look_again(
        self, where: NDArray[np.bool_], seen: NDArray[np.int8], mask: NDArray[np.int8]
    ) -> None:
        """Renew the rows of these slots, which have just been reset."""
        self.batch.observe(seen, self._seat, where=where)
        self.batch.legal_mask(mask.view(np.bool_), where=where)

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions: bool (n, actions)."""
        mask = self.batch.legal_mask()
        mask[self.stopped] = False
        return mask


def read_opponents(opponents: Opponents, players: int) -> list[str | Bot]:
    """The opponent for each seat; ValueError or TypeError where there is none. The learner's does not matter."""
    if isinstance(opponents, (str, Bot)):
        given: list[str | Bot | None] = [opponents] * players
    elif isinstance(opponents, Sequence):
        given = list(opponents)
    else:
        raise TypeError(f"opponents: words or bots are needed, not {type(opponents).__name__}")
    if len(given) != players:
        raise ValueError(f"opponents: {players} are needed, one a seat, not {len(given)}")
    out: list[str | Bot] = []
    for one in given:
        if one is None:
            out.append(WORDS[0])
        elif isinstance(one, str):
            out.append(choice("opponents", one, WORDS))
        elif isinstance(one, Bot) and not isinstance(one, type):
            out.append(one)
        else:
            raise TypeError(f"opponents: words or bots are needed, not {one!r}")
    return out
