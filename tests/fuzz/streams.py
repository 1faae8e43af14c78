"""Targets whose cases are matches of some kind, each checked along the way."""

from __future__ import annotations

import json
import random
from typing import Any

import herzen
from herzen.batch import Batch
from tests.batch.follow import Slots, compare, follow
from tests.contract.adapter import Adapter
from tests.contract.beside_twin import play_beside_twin, play_decks_beside_twin, refuse_beside_twin
from tests.contract.changed import assert_agreed, changed, try_all
from tests.contract.checks import all_viewers, step, step_by_kind, walk
from tests.contract.games import GAMES
from tests.contract.invariants import (
    COPIES,
    check_copy,
    check_copy_without_history,
    check_record,
    check_setup_text,
    check_undo,
    check_verdicts,
    check_view_text,
    check_whole_match,
)
from tests.contract.sampled import sampled
from tests.contract.samples import sample_texts
from tests.contract.simulated import check_rule_players, check_simulated
from tests.contract.test_noninterference import Pair, differences, positions, rearranged
from tests.fuzz.target import Target


def any_game(rng: random.Random) -> Adapter:
    """One of the games."""
    return rng.choice(GAMES)


# ---- matches ---------------------------------------------------------------------------------------


def beside_twin(rng: random.Random) -> None:
    """A match under random rules beside the plain-Python twin."""
    check = rng.choice(
        (play_beside_twin, play_beside_twin, refuse_beside_twin, play_decks_beside_twin)
    )
    check(any_game(rng), rng)


def matches(rng: random.Random) -> None:
    """What holds at every position, along a match."""
    case = any_game(rng)
    rules = case.random_rules(rng)
    if rng.random() < 0.2:
        check_whole_match(case.new(rules, rng.getrandbits(256)), rng)
        return
    game = case.new(rules, rng.getrandbits(256))
    deck = sorted(case.deck(rules))
    before = ""
    for _ in range(400):
        before = check_undo(game, before, rng)
        assert case.cards(game) == deck
        match rng.randrange(100):
            case 0:
                check_copy(rng.choice(list(COPIES.values())), game, rng)
            case 1:
                check_copy_without_history(game, rng)
            case 2:
                check_setup_text(game, rng)
            case 3:
                check_view_text(game.view(rng.choice(all_viewers(game))))
            case 4 | 5:
                check_verdicts(case, game, rng)
        if game.over:
            break
        (step_by_kind if rng.random() < 0.3 else step)(game, rng)
    check_record(game, rng)


def schema(rng: random.Random) -> None:
    """A record with some places changed: the schema and the loader agree, and what is read can be used."""
    text = rng.choice(sample_texts(any_game(rng)))
    data: Any = json.loads(text)
    for _ in range(rng.choice((1, 1, 2))):
        if isinstance(data, dict):
            data = changed(data, rng)
    if assert_agreed(data):
        try_all(herzen.Record.loads(json.dumps(data)), rng)


def worlds(rng: random.Random) -> None:
    """Worlds of all viewers at some positions of a match; they play on."""
    case = any_game(rng)
    for _, game in walk(case, 60, rng.getrandbits(64), every=6, by_kind=True):
        for viewer in all_viewers(game):
            other = sampled(case, game.view(viewer), rng.getrandbits(256))
            if other is None:
                continue
            assert case.cards(other) == case.cards(game)
            for _ in range(5):
                if not other.over:
                    step(other, rng)


def secrets(rng: random.Random) -> None:
    """What a viewer cannot know is rearranged at some position of a match: all that it gets stays the same."""
    case = any_game(rng)
    for game, twin, mark, fields in positions(case, 2, rng.getrandbits(64)):
        true = game.record().replay()
        for viewer in all_viewers(game):
            other = rearranged(case, game, twin, mark, fields, viewer, rng)
            if other is not None:
                assert differences(case, Pair(viewer, true, other, fields), rng) == []


def simulations(rng: random.Random) -> None:
    """Matches in the engine's own loop beside Game, at random and by rule players."""
    if rng.random() < 0.7:
        check_simulated(any_game(rng), rng, 8)
    else:
        check_rule_players(any_game(rng), rng)


# ---- batches ---------------------------------------------------------------------------------------


def batches(rng: random.Random) -> None:
    """A batch beside Games, or through the ends of its matches."""
    case = any_game(rng)
    rules = case.rules(case.random_rules(rng))
    if rng.random() < 0.6:
        follow(rules, [rng.getrandbits(256) for _ in range(2)], rng)
        return
    mode: Any = rng.choice(("off", "next", "same"))
    n, seed = 3, rng.getrandbits(200)
    batch, slots = Batch(rules, n, seed=seed, autoreset=mode), Slots(rules, n, seed, mode)
    for _ in range(150):
        actions = batch.random_actions()
        actions[batch.to_move < 0] = rng.choice((-1, 0, 10**6, -(10**15)))
        batch.step(actions)
        slots.step(actions)
        for i, player in enumerate(slots.players):
            assert batch.to_move[i] == player.game._turn
            assert batch.done[i] == slots.done[i]
            assert tuple(batch.scores[i]) == slots.scores[i]
            if rng.random() < 0.03:
                compare(batch, i, player)


TARGETS = [
    Target("twin", "matches beside the plain-Python twin", beside_twin),
    Target(
        "matches", "undo, copies, pickles, records, set-up texts, verdicts along matches", matches
    ),
    Target("schema", "changed records: the schema and the loader agree", schema),
    Target("worlds", "sampled worlds look like the view", worlds),
    Target("secrets", "what a seat cannot know makes no difference to what it gets", secrets),
    Target("simulations", "the engine's own loops beside Game", simulations),
    Target("batches", "batches beside Games", batches),
]
