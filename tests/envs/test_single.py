"""`Single`, the match of a batch of one, does what the batch does."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import numpy as np
import pytest

import herzen
from herzen.batch import Batch
from herzen.envs._single import ILLEGAL, Single
from tests.batch.cases import all_rules, every_case
from tests.contract.games import Adapter
from tests.tiers import scale


@every_case
def test_it_plays_as_the_batch_does(case: Adapter) -> None:
    rng = random.Random(1)
    for rules in all_rules(case, scale(quick=2, ci=8, full=200), 3):
        match, batch = Single(Batch(rules, 1, seed=[5])), Batch(rules, 1, seed=[5])
        deal, last = 0, batch.scores.tolist()
        for _ in range(400):
            assert match.turn == batch.to_move[0]
            mask = match.legal_mask()
            assert (mask == batch.legal_mask()[0]).all()
            assert set(mask.tolist()) <= {0, 1}
            for seat in range(rules.players):
                row = match.observe(seat)
                assert row.dtype == mask.dtype == np.int8
                assert (row == batch.observe(seat=seat)[0]).all()
            if batch.to_move[0] < 0:
                break
            action = rng.choice(np.flatnonzero(mask).tolist())
            batch.step([action])
            assert match.play(action) == batch.to_move[0]
            assert match.batch.scores.tolist() == batch.scores.tolist()
            over = deal != batch.game(0).deal_number or batch.to_move[0] < 0
            assert match.deal_over == over
            assert over or batch.scores.tolist() == last
            deal, last = batch.game(0).deal_number, batch.scores.tolist()
        match.batch.reset()
        batch.reset()
        assert (match.observe(0) == batch.observe(seat=0)[0]).all()


@every_case
def test_illegal_actions_change_nothing(case: Adapter) -> None:
    match = Single(Batch(case.rules({}), 1, seed=1))
    before = pickle.dumps(match)
    wrong: list[Any] = np.flatnonzero(match.legal_mask() == 0).tolist()
    for action in [*wrong, -1, match.batch.num_actions, 1 << 40, 1 << 90, -(1 << 90)]:
        assert match.play(action) == ILLEGAL
    for action in (None, 1.0, "0", [0], np.float64(1)):
        with pytest.raises(TypeError):
            match.play(action)
    assert pickle.dumps(match) == before
    while match.turn >= 0:
        match.play(np.int32(match.legal_mask().argmax()))
    assert match.play(0) == ILLEGAL
    assert not match.legal_mask().any()


def test_copies_play_on_their_own() -> None:
    match = Single(Batch(herzen.HeartsRules(), 1, seed=1))
    match.play(match.legal_mask().argmax())
    others = [copy.copy(match), copy.deepcopy(match), pickle.loads(pickle.dumps(match))]
    for other in others[1:]:
        other.play(other.legal_mask().argmax())
        assert (other.observe(other.turn) != match.observe(other.turn)).any()
        assert other.batch is not match.batch


def test_what_it_does_not_take() -> None:
    rules = herzen.HeartsRules()
    with pytest.raises(ValueError, match="one match"):
        Single(Batch(rules, 2))
    with pytest.raises(ValueError, match="off"):
        Single(Batch(rules, 1, autoreset="same"))
    nothing: Any = rules
    with pytest.raises(TypeError, match="batch"):
        Single(nothing)
    match = Single(Batch(rules, 1))
    for seat in (-1, 4):
        with pytest.raises(IndexError):
            match.observe(seat)
