"""A batch against Game, move for move; the ways a slot goes on after its match; seeds; illegal actions."""

from __future__ import annotations

import pickle
import random
from typing import Any

import numpy as np
import pytest

import herzen
from herzen.batch import Batch, IllegalActions
from herzen.registry import game_class
from herzen.seeds import child
from tests.batch.cases import all_rules, every_case, short_rules
from tests.batch.encode import differences, encode
from tests.batch.follow import Slots, compare, everything, follow
from tests.contract.games import Adapter
from tests.tiers import scale

MATCHES = scale(quick=6, ci=12, full=10_000)
RULES = scale(quick=4, ci=6, full=90)  # random ones, besides the fixed variants
PARTS = scale(quick=1, ci=2, full=10)
SLOTS = 4


@every_case
@pytest.mark.parametrize("part", range(PARTS))
def test_batch_equals_game(case: Adapter, part: int) -> None:
    rng = random.Random(part)
    rules = all_rules(case, RULES, part)
    each = -(-MATCHES // (PARTS * len(rules)))
    for one in rules:
        for first in range(0, each, SLOTS):
            seeds = [rng.getrandbits(256) for _ in range(min(SLOTS, each - first))]
            follow(one, seeds, rng)


# ---- autoreset ---------------------------------------------------------------------------------------


@every_case
@pytest.mark.parametrize("mode", ["off", "next", "same"])
def test_autoreset(case: Adapter, mode: Any) -> None:
    rng = random.Random(len(mode))
    rules, n = short_rules(case), 5
    batch = Batch(rules, n, seed=7, autoreset=mode)
    slots = Slots(rules, n, 7, mode)
    ends = 0
    for _ in range(scale(quick=200, ci=240, full=5000)):
        actions = batch.random_actions()
        # What a finished slot is given does not matter.
        actions[batch.to_move < 0] = rng.choice([-1, 0, 10**6, -(10**15)])
        batch.step(actions)
        slots.step(actions)
        mask, final = batch.legal_mask(), batch.final_observe()
        for i, player in enumerate(slots.players):
            assert batch.to_move[i] == player.game._turn
            assert batch.done[i] == slots.done[i]
            assert tuple(batch.scores[i]) == slots.scores[i]
            assert tuple(np.flatnonzero(batch.winners[i])) == slots.winners[i]
            assert mask[i].any() == (not player.game.over)
            ended = slots.final[i]
            assert slots.done[i] == (ended is not None)
            if ended is None:
                assert not final[i].any()
                continue
            ends += 1
            compare(batch, i, player)
            for seat in (None, *range(rules.players)):
                row = batch.final_observe(seat=seat)[i]
                assert not differences(batch, row, encode(ended, seat or 0))
        if mode == "off" and batch.done.any() and rng.random() < 0.2:
            chosen = np.array([rng.random() < 0.5 for _ in range(n)])
            batch.reset(chosen)
            for slot in np.flatnonzero(chosen).tolist():
                slots.reset(slot)
            assert not batch.done[chosen].any()
    assert ends > 2


@every_case
def test_reset_of_all_starts_the_next_matches(case: Adapter) -> None:
    rules = case.rules({})
    batch = Batch(rules, 3, seed="friday")
    first = [batch.game(i).seed for i in range(3)]
    batch.step(batch.random_actions())
    batch.reset()
    batch.reset([True, False, False])
    kind = game_class(rules.game)
    for i, number in enumerate((2, 1, 1)):
        seed = first[i]
        assert seed is not None
        assert batch.game(i) == kind(rules, seed=child(seed, number))


def test_seeds() -> None:
    rules = herzen.HerzsammlerRules()
    start = herzen.Herzsammler(seed="friday").seed
    assert start is not None
    batch = Batch(rules, 4, seed="friday")
    assert [batch.game(i).seed for i in range(4)] == [child(start, i) for i in range(4)]
    given: list[Any] = [5, "monday", b"raw", 2**256 - 1]
    batch = Batch(rules, 4, seed=given)
    assert [batch.game(i).seed for i in range(4)] == [
        herzen.Herzsammler(seed=seed).seed for seed in given
    ]
    batch = Batch(rules, 2, seed=np.array([3, 4]))
    assert [batch.game(i).seed for i in range(2)] == [3, 4]
    assert Batch(rules, 1).game(0).seed != Batch(rules, 1).game(0).seed
    with pytest.raises(ValueError, match="4 seeds are needed"):
        Batch(rules, 4, seed=[1, 2, 3])
    wrong: Any
    for wrong in ([-1], [2**256], [1.5], [True], -1, 2**256, 1.5, True):
        with pytest.raises(herzen.SeedError):
            Batch(rules, 1, seed=wrong)


# ---- illegal actions ---------------------------------------------------------------------------------


@every_case
def test_an_illegal_action_changes_nothing(case: Adapter) -> None:
    rng = np.random.default_rng(3)
    batch = Batch(case.rules({}), 40, seed=3)
    for _ in range(150):
        actions = batch.random_actions()
        before = everything(batch)
        mask = batch.legal_mask()
        wrong = actions.copy()
        slots = np.sort(rng.choice(40, int(rng.integers(1, 8)), replace=False))
        for i in slots:
            bad = np.flatnonzero(~mask[i])
            wrong[i] = rng.choice([-1, batch.num_actions, 2**40, -(2**63), rng.choice(bad)])
        slots = slots[batch.to_move[slots] >= 0]
        if slots.size:
            with pytest.raises(IllegalActions) as caught:
                batch.step(wrong)
            error = caught.value
            assert error.slots == tuple(slots)
            assert error.actions == tuple(wrong[slots])
            assert (error.code, error.move) == ("illegal_action", wrong[slots[0]])
            assert error.seat == batch.to_move[slots[0]]
            assert str(slots[0]) in str(error)
            again = pickle.loads(pickle.dumps(error))
            assert (str(again), again.slots, again.actions) == (
                str(error),
                error.slots,
                error.actions,
            )
            assert isinstance(error, herzen.IllegalMove)
        assert everything(batch) == before
        batch.step(actions)


# ---- every legal move can be reached -----------------------------------------------------------------


@every_case
def test_actions_and_legal_moves_are_the_same(case: Adapter) -> None:
    """By depth-first search over the actions of one decision."""
    rng = random.Random(5)
    decisions = scale(quick=60, ci=90, full=3000)
    for rules in all_rules(case, 3, 9):
        batch = Batch(rules, 1, seed=rng.getrandbits(200), autoreset="same")
        for _ in range(decisions // 6):
            for _ in range(rng.randrange(25)):
                batch.step(batch.random_actions())
            game = batch.game(0)
            reached: set[str] = set()
            walk_decision(batch, game, game.ply, reached)
            wanted = {game_at(game, code) for code in game.codes()}
            assert reached == wanted, (rules, game.to_setup())


def walk_decision(batch: Batch, game: herzen.Game, ply: int, reached: set[str]) -> None:
    """Put the game into the slot, and try each action in turn, until the ply changes."""
    trail: list[list[int]] = [[]]
    tried = 0
    while trail and tried < 3000:
        path = trail.pop()
        batch.put(0, game)
        for action in path:
            batch.step([action])
        if path and (batch.done[0] or batch.game(0).ply != ply or batch.game(0).seed != game.seed):
            reached.add(key_of(batch))
            continue
        picks: list[int] = np.flatnonzero(batch.legal_mask()[0]).tolist()
        assert picks
        # Picks come in any order: ascending ones are enough.
        tail = path[-1] if len(path) > 1 or (path and path[0] < 16) else -1
        trail += [[*path, a] for a in picks if a >= tail or not is_pick(game, a)]
        tried += 1


def is_pick(game: herzen.Game, action: int) -> bool:
    return game.phase == "pass" or (game.name == "vonherzen" and action < 16)


def key_of(batch: Batch) -> str:
    if batch.done[0]:
        return "over " + str(batch.scores[0].tolist())
    return batch.game(0).fingerprint()


def game_at(game: herzen.Game, code: int) -> str:
    after = game.copy(history=False)
    after.play_code(code)
    return "over " + str(list(after.scores)) if after.over else after.fingerprint()
