"""One seat against the others' policies: `step_seat` and `play_others` against Game, move for move."""

from __future__ import annotations

import pickle
import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import herzen
from herzen.batch import Batch, IllegalActions
from herzen.bots import RuleBot
from herzen.registry import game_class
from herzen.seeds import Stream, child
from tests.batch.actions import Player
from tests.batch.cases import all_rules, every_case, short_rules
from tests.batch.encode import differences, encode
from tests.contract.games import Adapter
from tests.tiers import scale

RULES = scale(quick=2, ci=6, full=60)  # random ones, besides the fixed variants
VARIANTS = scale(quick=3, ci=7, full=100)  # of all rules
SLOTS = 2


class Alone:
    """One match, played as docs/seeds.rst says: one bounded(n) of the match's stream for each random action."""

    def __init__(self, rules: herzen.Rules, seed: int, seat: int) -> None:
        self.player = Player(game_class(rules.game)(rules, seed=seed))
        self.stream = Stream(seed, 2, 0)
        self.seat = seat
        self.sign = -1 if rules.game == "hearts" else 1

    def draw(self) -> int:
        legal = self.player.actions()
        return legal[self.stream.bounded(len(legal))]

    def others(self) -> None:
        while not self.player.game.over and self.player.game._turn != self.seat:
            self.player.play(self.draw())

    def step(self, action: int) -> int:
        """Play the seat's action and the others; what it brought."""
        if self.player.game.over:
            return 0
        before = self.player.game.scores[self.seat]
        self.player.play(action)
        self.others()
        return self.sign * (self.player.game.scores[self.seat] - before)


def compare(batch: Batch, i: int, alone: Alone) -> None:
    game = alone.player.game
    assert batch.to_move[i] == (-1 if game.over else alone.seat)
    assert batch.done[i] == game.over
    assert tuple(batch.scores[i]) == game.scores
    row = batch.observe(seat=alone.seat)[i]
    assert not differences(batch, row, encode(alone.player, alone.seat))


@every_case
def test_random_others_draw_from_the_matchs_stream(case: Adapter) -> None:
    rng = random.Random(4)
    rules_of_all_kinds = all_rules(case, RULES, 12)
    for rules in rng.sample(rules_of_all_kinds, min(len(rules_of_all_kinds), VARIANTS)):
        seats = np.array([rng.randrange(rules.players) for _ in range(SLOTS)], np.int8)
        seeds = [rng.getrandbits(256) for _ in range(SLOTS)]
        batch = Batch(rules, SLOTS, seed=seeds)
        games = [Alone(rules, seeds[i], int(seats[i])) for i in range(SLOTS)]
        batch.play_others(seats)
        for alone in games:
            alone.others()
        # Some rules let a deal end before the seat has had anything to decide.
        sums = np.array([alone.sign * alone.player.game.scores[alone.seat] for alone in games])
        while not batch.done.all():
            mask = batch.legal_mask()
            for i, alone in enumerate(games):
                assert np.flatnonzero(mask[i]).tolist() == alone.player.actions()
                if rng.random() < 0.05 or alone.player.game.over:
                    compare(batch, i, alone)
            actions = [rng.choice(np.flatnonzero(row).tolist() or [0]) for row in mask]
            rewards = batch.step_seat(actions, seats)
            assert rewards.dtype == np.int32
            sums += rewards
            assert rewards.tolist() == [games[i].step(actions[i]) for i in range(SLOTS)]
        for i, alone in enumerate(games):
            compare(batch, i, alone)
            assert sums[i] == alone.sign * alone.player.game.scores[alone.seat]


@every_case
def test_with_random_actions_of_ones_own_it_is_what_simulate_plays(case: Adapter) -> None:
    rules = short_rules(case)
    batch = Batch(rules, 30, seed=5)
    seats = np.arange(30, dtype=np.int8) % rules.players
    batch.play_others(seats)
    while not batch.done.all():
        batch.step_seat(batch.random_actions(), seats)
    assert (batch.scores == herzen.simulate(rules, 30, seed=5).scores).all()


@every_case
def test_the_rule_player_plays_as_the_rule_bot(case: Adapter) -> None:
    """Where a decision is one action and no card is drawn by lot, the bot's move is the rule player's action."""
    rules = short_rules(case)
    rng = random.Random(2)
    batch = Batch(rules, 4, seed=9)
    batch.play_others(1, others="rule")
    compared = 0
    while not batch.done.all():
        mask = batch.legal_mask()
        games = [batch.game(i) for i in range(4)]
        actions = [rng.choice(np.flatnonzero(row).tolist() or [0]) for row in mask]
        batch.step_seat(actions, 1, others="rule")
        if case.name != "hearts":  # ties are broken by lot, from other streams
            continue
        for i, game in enumerate(games):
            if game.over or game.phase != "play":
                continue
            game.play_code(actions[i])
            while not game.over and game._turn != 1 and game.phase == "play":
                game.play(RuleBot(0).choose(game.view(game._turn)))
            if game.phase == "play" or game.over:
                compared += 1
                assert game == batch.game(i)
    assert case.name != "hearts" or compared > 40
    # The rule player is better than chance, and each seat has the player that is named for it.
    players = rules.players
    margins = []
    for others in ("rule", ["random"] * players, ["rule", *["random"] * (players - 1)]):
        many = Batch(rules, 300, seed=3)
        many.play_others(players - 1, others=others)
        while not many.done.all():
            many.step_seat(many.random_actions(), players - 1, others=others)
        mean = many.scores.mean(0) * (-1 if case.name == "hearts" else 1)
        margins.append(mean[0] - mean[players - 1])
    assert min(margins[0], margins[2]) > 1 + margins[1]


@every_case
@pytest.mark.parametrize("mode", ["off", "next", "same"])
def test_how_a_slot_goes_on_after_a_match(case: Adapter, mode: Any) -> None:
    """As by single matches with the seeds child(slot seed, r); totals and winners are those of `step`."""
    rules = short_rules(case)
    n, seat = 4, 1
    batch = Batch(rules, n, seed=3, autoreset=mode)
    batch.play_others(seat)
    keys = [child(3, i) for i in range(n)]
    games = [Alone(rules, key, seat) for key in keys]
    count = [0] * n
    for alone in games:
        alone.others()
    rng = random.Random(0)
    ended = 0
    for _ in range(scale(quick=60, ci=240, full=3000)):
        actions = [rng.choice(np.flatnonzero(row).tolist() or [0]) for row in batch.legal_mask()]
        was_over = [alone.player.game.over for alone in games]
        rewards = batch.step_seat(actions, seat)
        for i in range(n):
            if was_over[i]:
                assert rewards[i] == 0
                if mode == "next":
                    count[i] += 1
                    games[i] = Alone(rules, child(keys[i], count[i]), seat)
                    games[i].others()
                    assert not batch.done[i]
            else:
                assert rewards[i] == games[i].step(actions[i])
                over = games[i].player.game.over
                assert batch.done[i] == over
                ended += over
                if over:
                    game = games[i].player.game
                    assert tuple(batch.scores[i]) == game.scores
                    assert np.flatnonzero(batch.winners[i]).tolist() == list(game._winning())
                    row = batch.final_observe(seat=seat)[i]
                    assert not differences(batch, row, encode(games[i].player, seat))
                if over and mode == "same":
                    count[i] += 1
                    games[i] = Alone(rules, child(keys[i], count[i]), seat)
                    games[i].others()
            if not games[i].player.game.over:
                assert batch.to_move[i] == seat
        if mode == "off" and batch.done.all():
            break
    assert ended >= n
    for i, alone in enumerate(games):
        row = batch.observe(seat=seat)[i]
        assert not differences(batch, row, encode(alone.player, seat))


@every_case
def test_a_match_without_a_decision_is_passed_over(case: Adapter) -> None:
    """Of Herzsammler, where the first miss ends a game: so it may end before the last seat's turn."""
    if case.name != "herzsammler":
        rules, seat = short_rules(case), 0
    else:
        rules, seat = case.rules({"players": 4, "games": 1, "stall_limit": 1}), 3
    batch = Batch(rules, 200, seed=1, autoreset="same")
    batch.play_others(seat)
    passed = 0
    for _ in range(30):
        assert (batch.to_move == seat).all()
        batch.step_seat(batch.legal_mask().argmax(1), seat)
    for i in range(200):
        seeds = {child(child(1, i), r) for r in range(1, 200)} | {child(1, i)}
        assert batch.game(i).seed in seeds
        passed += batch.game(i).seed == child(1, i)
    assert passed < 200 or case.name != "herzsammler"


@every_case
def test_threads_change_nothing(case: Adapter) -> None:
    rules = short_rules(case)
    n = 300
    seats = (np.arange(n) % rules.players).astype(np.int8)
    for others in ("random", "rule"):
        batches = [Batch(rules, n, seed=6, autoreset="same", threads=t) for t in (1, 3)]
        for batch in batches:
            batch.play_others(seats, others=others)
        for _ in range(scale(quick=40, ci=90, full=1000)):
            actions = batches[0].legal_mask().argmax(1)
            rewards = [batch.step_seat(actions, seats, others=others) for batch in batches]
            assert (rewards[0] == rewards[1]).all()
        first, second = (batch.observe(seat=seats) for batch in batches)
        assert first.tobytes() == second.tobytes()
        batches[1].close()


def test_illegal_actions_raise_or_are_marked() -> None:
    rules = herzen.HeartsRules()
    batch = Batch(rules, 4, seed=1)
    batch.play_others(2)
    before = batch.observe(seat=2).tobytes()
    good = batch.legal_mask().argmax(1)
    for wrong in (-1, 54, 53, 2**70):
        actions: Any = [int(good[0]), wrong, int(good[2]), int(good[3])]
        with pytest.raises(IllegalActions) as caught:
            batch.step_seat(actions, 2)
        assert (caught.value.slots, caught.value.seat) == ((1,), 2)
        assert batch.observe(seat=2).tobytes() == before
    marks = np.ones(4, np.bool_)
    rewards = np.full(4, 9, np.int32)
    actions = [int(good[0]), -1, 99, int(good[3])]
    assert batch.step_seat(actions, 2, illegal=marks, rewards=rewards) is rewards
    assert marks.tolist() == [False, True, True, False]
    assert rewards.tolist() == [0] * 4
    after = Batch(rules, 4, seed=1)
    after.play_others(2)
    rows = after.observe(seat=2)
    after.step_seat(good, 2)
    now = batch.observe(seat=2)
    assert now[1].tobytes() == rows[1].tobytes()
    assert now[2].tobytes() == rows[2].tobytes()
    assert now[0].tobytes() == after.observe(seat=2)[0].tobytes() != rows[0].tobytes()


def test_the_seat_has_to_be_to_move() -> None:
    batch = Batch(herzen.HeartsRules(), 3, seed=1)
    assert batch.to_move.tolist() == [0, 0, 0]
    before = batch.observe().tobytes()
    with pytest.raises(ValueError, match="slot 1 seat 0 is to move, not 2"):
        batch.step_seat(batch.legal_mask().argmax(1), np.array([0, 2, 0], np.int8))
    assert batch.observe().tobytes() == before
    batch.play_others(0)  # nothing to do
    assert batch.observe().tobytes() == before


WRONG: list[tuple[dict[str, Any], type[Exception]]] = [
    ({"seat": 4}, IndexError),
    ({"seat": -1}, IndexError),
    ({"seat": None}, TypeError),
    ({"seat": True}, TypeError),
    ({"seat": [0, 0, 0]}, TypeError),
    ({"seat": np.zeros(3)}, TypeError),
    ({"seat": np.zeros(3, np.int64)}, TypeError),
    ({"seat": np.zeros(2, np.int8)}, ValueError),
    ({"seat": np.array([0, 4, 0], np.int8)}, IndexError),
    ({"seat": np.array([0, -1, 0], np.int8)}, IndexError),
    ({"others": "search"}, ValueError),
    ({"others": ["random"] * 3}, ValueError),
    ({"others": ["random"] * 3 + [None]}, ValueError),
    ({"others": None}, TypeError),
    ({"rewards": np.zeros(3, np.int64)}, TypeError),
    ({"rewards": np.zeros(2, np.int32)}, ValueError),
    ({"illegal": np.zeros(3, np.int8)}, TypeError),
    ({"illegal": np.zeros((3, 1), np.bool_)}, ValueError),
]


@pytest.mark.parametrize(("arguments", "error"), WRONG, ids=str)
def test_wrong_arguments(arguments: dict[str, Any], error: type[Exception]) -> None:
    batch = Batch(herzen.HeartsRules(), 3, seed=1)
    before = batch.observe().tobytes()
    actions = batch.legal_mask().argmax(1)
    with pytest.raises(error):
        batch.step_seat(actions, **({"seat": 0} | arguments))
    assert batch.observe().tobytes() == before
    if not set(arguments) & {"rewards", "illegal"}:
        with pytest.raises(error):
            batch.play_others(**({"seat": 0} | arguments))
    batch.step_seat(actions, 0)
    with pytest.raises(IndexError):
        batch.observe(seat=np.array([0, 4, 0], np.int8))
    # A call that failed leaves nothing behind.
    assert batch.observe().tobytes() == batch.observe(seat=0).tobytes()


def test_rows_of_some_slots() -> None:
    rules = herzen.HeartsRules()
    batch = Batch(rules, 5, seed=1)
    where = np.array([True, False, False, True, False])
    for look, full in (
        (batch.observe, batch.observe(seat=3)),
        (batch.legal_mask, batch.legal_mask()),
    ):
        given: dict[str, Any] = {"seat": 3} if look == batch.observe else {}
        out = np.full_like(full, 1)
        assert look(out=out, where=where, **given) is out
        assert (out[where] == full[where]).all()
        assert (out[~where] == 1).all()
        fresh = look(where=where, **given)
        assert (fresh[where] == full[where]).all()
        assert not fresh[~where].any()
        for wrong in (np.zeros(4, np.bool_), np.zeros((5, 1), np.bool_)):
            with pytest.raises(ValueError, match="where"):
                look(where=wrong, **given)
        with pytest.raises(TypeError, match="where"):
            look(where=np.zeros(5, np.int8), **given)
        assert (look(**given) == full).all()
    seats = np.array([0, 1, 2, 3, 0], np.int8)
    rows = batch.observe(seat=seats)
    for i, seat in enumerate(seats):
        assert rows[i].tobytes() == batch.observe(seat=int(seat))[i].tobytes()


def test_reset_with_seeds() -> None:
    rules = herzen.HeartsRules()
    batch = Batch(rules, 4, seed=1, autoreset="same")
    batch.step(batch.random_actions())
    seeds: Sequence[Any] = [7, None, "friday", np.int64(9)]
    where = np.array([True, True, True, False])
    kept = batch.game(3)
    batch.reset(where, seeds=seeds)
    assert batch.game(0) == herzen.Hearts(rules, seed=7)
    assert batch.game(1) == herzen.Hearts(rules, seed=child(child(1, 1), 1))
    assert batch.game(2) == herzen.Hearts(rules, seed="friday")
    assert batch.game(3) == kept
    batch.reset()
    assert batch.game(0) == herzen.Hearts(rules, seed=child(7, 1))
    fresh = Batch(rules, 4, seed=[7, 8, 9, 10])
    batch.reset(seeds=[7, 8, 9, 10])
    assert batch.legal_mask().tobytes() == fresh.legal_mask().tobytes()
    for wrong, error in (
        ([1, 2], ValueError),
        ([1, 2, 3, -1], herzen.SeedError),
        ([1.5] * 4, herzen.SeedError),
    ):
        before = batch.observe().tobytes()
        with pytest.raises(error):
            batch.reset(seeds=wrong)  # type: ignore[arg-type]
        assert batch.observe().tobytes() == before


@every_case
def test_pickles_go_on_alike(case: Adapter) -> None:
    batch = Batch(short_rules(case), 20, seed=6, autoreset="same")
    batch.play_others(1)
    for _ in range(25):
        batch.step_seat(batch.legal_mask().argmax(1), 1)
    twin = pickle.loads(pickle.dumps(batch))
    for _ in range(60):
        actions = batch.legal_mask().argmax(1)
        assert (twin.step_seat(actions, 1) == batch.step_seat(actions, 1)).all()
    assert twin.observe(seat=1).tobytes() == batch.observe(seat=1).tobytes()
