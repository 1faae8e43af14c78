"""Sampled worlds of every game: `view.sample` gives back the view, is a pure function, and plays on.

A game joins as soon as it has a module `_worlds`. That its worlds are exactly the possible ones, each equally
likely, is tested game by game (tests/<game>/test_worlds.py).
"""

from __future__ import annotations

import importlib.util
import json
import pickle
import random
from collections.abc import Iterator
from itertools import islice

import pytest

import herzen
from tests.contract.adapter import Adapter
from tests.contract.checks import all_viewers, step, walk
from tests.contract.games import GAMES
from tests.contract.make_golden_worlds import GOLDEN, world_row
from tests.contract.sampled import drawn, sampled, sampled_edited, seen
from tests.contract.samples import from_setup
from tests.tiers import scale

SAMPLED = [case for case in GAMES if importlib.util.find_spec(f"herzen.{case.name}._worlds")]
every_sampled_game = pytest.mark.parametrize("case", SAMPLED, ids=str)
parts = pytest.mark.parametrize("part", range(scale(quick=1, ci=2, full=20)))
PLIES = scale(quick=80, ci=240, full=4_000)


@every_sampled_game
@parts
def test_a_sample_shows_the_viewer_the_same(case: Adapter, part: int) -> None:
    """All rules, phases and viewers; no card is lost or doubled, and the game goes on."""
    phases = set()
    for rng, game in walk(case, PLIES, part, every=4, by_kind=True):
        for viewer in all_viewers(game):
            other = sampled(case, game.view(viewer), rng.getrandbits(256))
            if other is None:
                continue
            assert case.cards(other) == case.cards(game)
            phases.add(str(game.phase))
            for _ in range(3):
                if not other.over:
                    step(other, rng)
    assert phases


@every_sampled_game
def test_the_same_seed_gives_the_same_world(case: Adapter) -> None:
    for rng, game in walk(case, PLIES // 2, 7, every=10, by_kind=True):
        viewer = rng.choice(all_viewers(game))
        view = game.view(viewer)
        seed = rng.getrandbits(256)
        world = drawn(view, seed)
        if world is None:
            continue
        assert world.fingerprint() == view.sample(seed).fingerprint()
        assert world.fingerprint() == herzen.View.loads(view.dumps()).sample(seed).fingerprint()
        again = pickle.loads(pickle.dumps(world))
        assert again.fingerprint() == world.fingerprint()
        for at in all_viewers(world):
            assert seen(again.view(at)) == seen(world.view(at))


@every_sampled_game
def test_the_seed_may_be_text_or_fresh(case: Adapter) -> None:
    view = case.new(case.variants[0], 3).view(0)
    assert view.sample("friday").seed == view.sample("friday").seed
    assert view.sample().seed != view.sample().seed
    with pytest.raises(herzen.SeedError):
        view.sample(-1)


def born(case: Adapter, part: int) -> Iterator[tuple[random.Random, herzen.Game]]:
    """Games without a past: set up, copied without history, sampled; and all of these played on."""
    for rng, game in walk(case, PLIES // 2, part + 50, every=10, by_kind=True):
        view = game.view(rng.randrange(game.players))
        for other in (from_setup(game), game.copy(history=False), drawn(view, part)):
            if other is None:
                continue
            yield rng, other.copy()
            for _ in range(rng.randrange(1, 6)):
                if not other.over:
                    step(other, rng)
            yield rng, other


@every_sampled_game
@parts
def test_games_without_a_past(case: Adapter, part: int) -> None:
    for rng, game in born(case, part):
        viewer = rng.choice(all_viewers(game))
        view = game.view(viewer)
        other = drawn(view, rng.getrandbits(64))
        if other is None:
            continue
        assert seen(other.view(viewer)) == seen(view)
        assert case.cards(other) == case.cards(game)


@every_sampled_game
def test_samples_of_samples(case: Adapter) -> None:
    """A sample's own views can be sampled, from any seat."""
    for rng, game in islice(
        walk(case, PLIES, 9, every=20, by_kind=True), scale(quick=20, ci=30, full=1_000)
    ):
        other = drawn(game.view(rng.choice(all_viewers(game))), 1)
        for viewer in all_viewers(other) if other else ():
            sampled(case, other.view(viewer), 2)


@every_sampled_game
@pytest.mark.parametrize("part", range(scale(quick=1, ci=2, full=40)))
def test_no_edited_view_crashes(case: Adapter, part: int) -> None:
    """A field of one view in another one: a clear error, or a view that makes sense all the same."""
    rng = random.Random(part)
    views = [
        game.view(rng.choice(all_viewers(game)))
        for _, game in islice(walk(case, 10**6, part, every=5, by_kind=True), 60)
    ]
    refused = 0
    for _ in range(scale(quick=200, ci=240, full=400)):
        one, two = rng.choice(views), rng.choice(views)
        refused += not sampled_edited(one, two, rng)
    assert refused > 50


GOLDEN_ROWS = json.loads(GOLDEN.read_text())["worlds"]


@pytest.mark.parametrize("number", range(len(GOLDEN_ROWS)))
def test_golden_worlds(number: int) -> None:
    """Views with the worlds that certain seeds draw; see make_golden_worlds.py."""
    row = GOLDEN_ROWS[number]
    world = herzen.View.from_dict(row["view"]).sample(row["seed"])
    assert world_row(world) == {name: row[name] for name in ("hands", "rest", "fingerprint")}
