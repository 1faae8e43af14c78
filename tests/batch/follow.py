"""A batch beside Games: what must hold after every step."""

from __future__ import annotations

import pickle
import random
from typing import Any

import numpy as np

import herzen
from herzen.batch import Batch
from herzen.registry import game_class
from herzen.seeds import child
from tests.batch.actions import Player
from tests.batch.encode import differences, encode


def follow(rules: herzen.Rules, seeds: list[int], rng: random.Random) -> None:
    """Play a batch at random, and Games beside it; compare everything."""
    batch = Batch(rules, len(seeds), seed=seeds)
    kind = game_class(rules.game)
    players = [Player(kind(rules, seed=seed)) for seed in seeds]
    mask = np.empty((batch.n, batch.num_actions), np.bool_)
    ended = [False] * batch.n
    while not batch.done.all():
        assert batch.legal_mask(out=mask) is mask
        for i, player in enumerate(players):
            legal = player.actions()
            assert np.flatnonzero(mask[i]).tolist() == legal, (rules, i, str(player.game))
            assert batch.to_move[i] == player.game._turn
            assert batch.done[i] == ended[i]
            assert tuple(batch.scores[i]) == player.game.scores
            if rng.random() < 0.02:
                compare(batch, i, player)
        actions = batch.random_actions()
        batch.step(actions)
        for i, player in enumerate(players):
            if not player.game.over:
                player.play(int(actions[i]))
                ended[i] = player.game.over
    for i, player in enumerate(players):
        compare(batch, i, player)
        assert np.flatnonzero(batch.winners[i]).tolist() == list(player.game._winning())
        # Random actions are the match's own random play.
        again = kind(rules, seed=seeds[i])
        again._playout()
        assert again.fingerprint() == batch.game(i).fingerprint()
        assert again.ply == batch.game(i).ply


def compare(batch: Batch, i: int, player: Player) -> None:
    """The slot's Game and the observations of all seats."""
    game, mine = player.game, batch.game(i)
    assert mine == game
    assert mine.fingerprint() == game.fingerprint()
    assert (mine.ply, mine.seed, mine.moves, mine.log) == (game.ply, game.seed, (), ())
    assert list(mine.codes()) == list(game.codes())
    for seat in range(game.players):
        row = batch.observe(seat=seat)[i]
        found = differences(batch, row, encode(player, seat))
        assert not found, (found, seat, game.to_setup())
    seat = max(0, game._turn)
    assert (batch.observe()[i] == batch.observe(seat=seat)[i]).all()


class Slots:
    """The reference: n Games that begin again as the mode says."""

    def __init__(self, rules: herzen.Rules, n: int, seed: int, mode: str) -> None:
        self.rules, self.mode = rules, mode
        self.kind = game_class(rules.game)
        self.seeds = [child(seed, i) for i in range(n)]
        self.numbers = [0] * n
        self.players = [self._new(i) for i in range(n)]
        self.done = [False] * n
        self.scores = [player.game.scores for player in self.players]
        self.winners: list[tuple[int, ...]] = [()] * n
        self.final: list[Player | None] = [None] * n

    def _new(self, i: int) -> Player:
        number = self.numbers[i]
        seed = child(self.seeds[i], number) if number else self.seeds[i]
        return Player(self.kind(self.rules, seed=seed))

    def reset(self, i: int) -> None:
        self.numbers[i] += 1
        self.players[i] = self._new(i)
        self._clear(i)

    def _clear(self, i: int) -> None:
        self.done[i], self.final[i], self.winners[i] = False, None, ()
        self.scores[i] = self.players[i].game.scores

    def step(self, actions: Any) -> None:
        for i, action in enumerate(actions):
            player = self.players[i]
            if player.game.over:
                if self.mode == "next":
                    self.reset(i)
                continue
            self._clear(i)
            player.play(int(action))
            self.scores[i] = player.game.scores
            if player.game.over:
                self.done[i], self.final[i] = True, player
                self.winners[i] = player.game._winning()
                if self.mode == "same":
                    self.numbers[i] += 1
                    self.players[i] = self._new(i)


def everything(batch: Batch) -> list[bytes]:
    return [pickle.dumps(batch), batch.legal_mask().tobytes(), batch.observe().tobytes()]
