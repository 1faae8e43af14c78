"""What must hold for any position, however it came about, and for any rules."""

from __future__ import annotations

import pickle
import random
from contextlib import suppress

import numpy as np

import herzen
from herzen.batch import Batch
from herzen.bots import RuleBot
from herzen.hearts import solve
from tests.batch.actions import Player
from tests.contract.adapter import Adapter, Fields
from tests.contract.checks import all_viewers, assert_same, step
from tests.contract.invariants import (
    check_copy_without_history,
    check_record,
    check_setup_text,
    check_undo,
    check_verdicts,
    check_view_text,
)
from tests.contract.sampled import drawn, seen

PLIES = 40


def check_position(case: Adapter, game: herzen.Game, rng: random.Random) -> None:
    """The position, what every seat sees, what learners see, and how it goes on: by moves, in the engine's loop."""
    deck = sorted(case.cards(game))
    check_setup_text(game, rng)
    for viewer in all_viewers(game):
        view = game.view(viewer)
        check_view_text(view)
        str(view), view._repr_svg_()
        try:
            world = drawn(view, rng.getrandbits(64))
        except herzen.SetupError:  # a position that no history leads to
            continue
        assert world is None or seen(world.view(viewer)) == seen(view)
    _check_in_batch(game)
    _solve(game, rng)
    before = ""
    for _ in range(PLIES):
        before = check_undo(game, before, rng)
        assert sorted(case.cards(game)) == deck
        if rng.random() < 0.2:
            check_verdicts(case, game, rng)
            check_copy_without_history(game, rng)
        if game.over:
            break
        if rng.random() < 0.2:
            view = game.view(game.turn)
            with suppress(herzen.SetupError):
                assert RuleBot(1).choose(view) in view.legal_moves
        step(game, rng)
    check_record(game, rng)
    end = game.copy(history=False)
    end._playout()
    assert end.over


def _check_in_batch(game: herzen.Game) -> None:
    """A batch takes the position, names the actions that Game allows, and plays it to its end."""
    batch = Batch(game.rules, 1, seed=1)
    batch.put(0, game)
    legal = [] if game.over else Player(game).actions()
    assert np.flatnonzero(batch.legal_mask()[0]).tolist() == legal
    for seat in range(game.players):
        batch.observe(seat=seat)
    for _ in range(200):
        if batch.done[0] or game.over:
            break
        batch.step(batch.random_actions())


def _solve(game: herzen.Game, rng: random.Random) -> None:
    """Endings of Hearts: after a move that the solver calls best the value is what it was."""
    few = sum(len(game.hand(seat)) for seat in range(game.players)) <= 12
    if not isinstance(game, herzen.Hearts) or game.over or game.phase == "pass" or not few:
        return
    solution = solve(game)
    assert {*solution.moves} <= {*game.legal_moves()}
    after = game.copy()
    after.play(rng.choice(solution.moves))
    if after.over or after.deal_number > game.deal_number:
        assert after.last_deal is not None
        assert after.last_deal.totals[solution.seat] == solution.value
    else:
        assert solve(after, seat=solution.seat).value == solution.value


def plain_fields(rules: herzen.Rules) -> Fields:
    """The options as the twin takes them: JSON, but for totals, which are numbers."""
    fields = rules.to_dict()
    if "exact_reset" in fields:
        fields["exact_reset"] = {int(old): new for old, new in fields["exact_reset"].items()}
    return fields


def check_rules(case: Adapter, rules: herzen.Rules, rng: random.Random) -> None:
    """They come back from all their forms, and a match under them is the twin's."""
    for other in (
        type(rules).from_dict(rules.to_dict()),
        pickle.loads(pickle.dumps(rules)),
        eval(repr(rules), {type(rules).__name__: type(rules)}),
        rules.replace(),
    ):
        assert other == rules
        assert hash(other) == hash(rules)
        assert other.to_dict() == rules.to_dict()
    seed, fields = rng.getrandbits(256), plain_fields(rules)
    game, twin = case.kind(rules, seed=seed), case.twin(fields, seed, rules.players - 1)
    for _ in range(PLIES):
        assert_same(game, twin, [twin.turn or 0])
        if twin.over:
            break
        seat = rng.choice(twin.to_move)
        text = rng.choice(twin.legal(seat))
        game.play(text, seat=seat)
        twin.play(seat, text)
    check_setup_text(game, rng)
    check_record(game, rng)
