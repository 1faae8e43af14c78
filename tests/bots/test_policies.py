"""Rule players at C level: they read nothing hidden, and beat chance. A game joins with its module `_policy`."""

from __future__ import annotations

import importlib.util
import random
from itertools import chain
from math import sqrt
from typing import Any

import pytest

import herzen
from herzen.bots import RandomBot, RuleBot
from herzen.bots._search import rule_code
from herzen.registry import game_part
from herzen.seeds import child
from herzen.simulation import play_bots
from tests.contract.adapter import Adapter
from tests.contract.checks import walk
from tests.contract.games import GAMES
from tests.tiers import scale

WITH_POLICY = [case for case in GAMES if importlib.util.find_spec(f"herzen.{case.name}._policy")]
every_policy = pytest.mark.parametrize("case", WITH_POLICY, ids=str)


@every_policy
@pytest.mark.parametrize("part", range(scale(quick=1, ci=2, full=20)))
def test_in_all_worlds_of_a_view_the_same_move(case: Adapter, part: int) -> None:
    """All rules and phases; the bot, which knows the view only, makes that move as well."""
    game_part(case.name, "_policy")
    phases = set()
    starts = scale(
        quick=5, ci=15, full=120
    )  # short walks: some phases come at the beginning of deals only
    walks = (walk(case, 25, 1_000 * part + start, by_kind=True) for start in range(starts))
    for rng, game in chain.from_iterable(walks):
        if game.over:
            continue
        seat = int(rng.choice(game.to_move))
        view = game.view(seat)
        seed = rng.getrandbits(64)
        chosen = RuleBot(seed).choose(view)
        assert chosen in view.legal_moves
        assert rule_code(game, seat, seed, view.ply) == chosen.code
        for number in range(3):
            try:
                world = view.sample(number)
            except NotImplementedError:
                break
            assert rule_code(world, seat, seed, view.ply) == chosen.code
        phases.add(str(game.phase))
    assert len(phases) >= len(case.kind.phases) - 2  # all but "over" and a rare one


@every_policy
def test_asking_changes_nothing(case: Adapter) -> None:
    game_part(case.name, "_policy")
    for rng, game in walk(case, 60, 3):
        if not game.over:
            before = game.fingerprint(), game.legal_moves()
            rule_code(game, int(game.turn), rng.getrandbits(64), game.ply)
            assert (game.fingerprint(), game.legal_moves()) == before


@every_policy
def test_a_view_that_says_another_seat_may_act(case: Adapter) -> None:
    """An edited view is refused, not played with somebody else's cards."""
    game = case.new(case.variants[0], 3)
    while len(game.to_move) > 1:
        game.play(game.legal_moves()[0])
    mine, waiting = int(game.turn), (int(game.turn) + 1) % game.players
    moves = game.view(mine).to_dict()["legal_moves"]
    view = case.kind.view_type.from_dict(game.view(waiting).to_dict() | {"legal_moves": moves[:2]})
    with pytest.raises(herzen.SetupError, match="not to move"):
        RuleBot(1).choose(view)


DUELS: dict[str, dict[str, Any]] = {
    "hearts": {"max_hands": 1},
    "vonherzen": {"max_deals": 1},
    "herzsammler": {},
}


@every_policy
def test_it_beats_random_play(case: Adapter) -> None:
    """Duplicate deals at the default number of players: the 95 % interval of the difference lies above 0."""
    rules = case.rules(DUELS[case.name])
    lower_is_better = case.name == "hearts"
    leads = []
    for number in range(scale(quick=8, ci=18, full=1_000)):
        lead = 0.0
        for seat in range(rules.players):
            game = case.kind(rules, seed=child(77, number))
            play_bots(game, [RuleBot if at == seat else RandomBot for at in range(rules.players)])
            others = [score for at, score in enumerate(game.scores) if at != seat]
            lead += game.scores[seat] - sum(others) / len(others)
        leads.append(lead / rules.players * (-1 if lower_is_better else 1))
    mean = sum(leads) / len(leads)
    spread = sqrt(sum((lead - mean) ** 2 for lead in leads) / (len(leads) - 1) / len(leads))
    assert mean - 1.96 * spread > 0


@every_policy
def test_equal_moves_are_drawn_from_the_stream_of_the_ply(case: Adapter) -> None:
    """The seed matters only there, so most decisions do not depend on it, and some do."""
    rng = random.Random(8)
    differ = same = 0
    for _, game in walk(case, scale(quick=150, ci=360, full=3_000), 5):
        if not game.over:
            view = game.view(game.turn)
            moves = {RuleBot(rng.getrandbits(64)).choose(view) for _ in range(4)}
            differ += len(moves) > 1
            same += len(moves) == 1
    assert same > differ
    assert differ or case.name == "hearts"  # whose rule player never draws
