"""The same seed gives the same match: in every process, after every way of saving, on every Python.

HERZEN_OTHER_PYTHONS (set by CI) lists further interpreters that have herzen installed, separated
by `os.pathsep`; each must print what this one does. Without it this interpreter alone is asked,
in processes of its own with different hash seeds.
"""

from __future__ import annotations

import json
import os
import pickle
import random
import subprocess
import sys
import time
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

import herzen
from tests.contract.adapter import Adapter
from tests.contract.checks import every_game, step
from tests.contract.games import GAMES
from tests.pythons import other_pythons
from tests.tiers import scale

# Self-contained: it runs where only herzen is installed. Choices come from a small generator of
# its own, so that nothing but the engine decides.
SCRIPT = """
import json, sys
import herzen

def match(game, fields, seed):
    g = herzen.new(game, seed=seed, **fields)
    number, marks = 12345, []
    while not g.over and g.ply < 200:
        number = (number * 6364136223846793005 + 1442695040888963407) % 2**64
        codes = g.codes()
        g.play_code(codes[(number >> 33) % len(codes)])
        if g.ply % 5 == 0:
            marks.append(g.fingerprint())
            marks.append(g.view(None).fingerprint())
    marks.append(g.fingerprint())
    return {"marks": marks, "record": g.record().dumps(), "log": [e.to_dict() for e in g.log]}

cases = json.load(sys.stdin)
json.dump([match(*case) for case in cases], sys.stdout, sort_keys=True)
"""


def cases() -> list[tuple[str, dict[str, Any], Any]]:
    """(game, fields, seed) of some matches of every game."""
    return [
        (game.name, fields, seed)
        for game in GAMES
        for fields, seed in zip(game.variants, cycle((0, 7, 2**255 + 3, "friday", "né")))
    ]


def run(python: str, environment: dict[str, str], folder: Path) -> str:
    """What the script prints under this interpreter."""
    done = subprocess.run(
        [python, "-W", "error", "-c", SCRIPT],
        input=json.dumps(cases()),
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=folder,
        env={**os.environ, "PYTHONUTF8": "1", **environment},
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_same_matches_in_every_process(tmp_path: Path) -> None:
    """Row 62: hash seeds 0 and 1, this and other interpreters print the same logs."""
    here = os.pathsep.join(sys.path)
    runs = {
        f"hash seed {hash_seed}": run(
            sys.executable, {"PYTHONPATH": here, "PYTHONHASHSEED": hash_seed}, tmp_path
        )
        for hash_seed in ("0", "1")
    }
    for python in other_pythons():
        runs[python] = run(python, {"PYTHONPATH": ""}, tmp_path)
    first = runs["hash seed 0"]
    assert all(len(match["marks"]) > 4 for match in json.loads(first))
    assert {name for name, printed in runs.items() if printed != first} == set()


def test_the_process_here_agrees_with_the_script(tmp_path: Path) -> None:
    """The records that another process prints replay here, to the fingerprint."""
    here = os.pathsep.join(sys.path)
    printed = json.loads(run(sys.executable, {"PYTHONPATH": here}, tmp_path))
    for match in printed:
        record = herzen.Record.loads(match["record"])
        record.verify(seed=True)
        game = record.replay()
        assert game.fingerprint() == match["marks"][-1]
        assert [event.to_dict() for event in game.log] == match["log"]


def play_on(game: herzen.Game, number: int) -> list[str]:
    """Fingerprints after each of the next moves, chosen by a generator with this seed."""
    rng = random.Random(number)
    marks = []
    while not game.over and len(marks) < 150:
        step(game, rng)
        marks.append(game.fingerprint())
    return marks


@every_game
def test_interleaved_matches_do_not_disturb_each_other(case: Adapter) -> None:
    """Row 58: one after the other and by turns, twice in one process."""
    alone = [play_on(case.new(fields, 5), 1) for fields in case.variants]
    games = [case.new(fields, 5) for fields in case.variants]
    rngs = [random.Random(1) for _ in games]
    together: list[list[str]] = [[] for _ in games]
    for _ in range(150):
        for game, rng, marks in zip(games, rngs, together, strict=True):
            if not game.over:
                step(game, rng)
                marks.append(game.fingerprint())
    assert together == alone


@every_game
def test_saving_in_mid_deal_changes_nothing(case: Adapter) -> None:
    """Row 53: save after any move, load, play on: the uninterrupted match, the next deals too."""
    rng = random.Random(2)
    for _ in range(scale(smoke=3, quick=6, ci=14, full=1_000)):
        fields, seed = case.random_rules(rng), rng.getrandbits(256)
        whole = case.new(fields, seed)
        at = rng.randrange(40)
        for _ in range(at):
            if not whole.over:
                step(whole, rng)
        saved = (
            pickle.loads(pickle.dumps(whole)),
            herzen.Record.loads(whole.record().dumps()).replay(),
            eval(whole.to_setup(), {"herzen": herzen}),
            whole.copy(history=False),
        )
        expected = play_on(whole, at)
        for game in saved:
            assert play_on(game, at) == expected


@every_game
def test_deals_depend_on_the_seed_alone(case: Adapter, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows 14, 55 and 56: not on the clock, Python's generator, the play, or who looks first."""
    rng = random.Random(3)
    for _ in range(scale(smoke=2, quick=3, ci=6, full=500)):
        fields, seed = case.random_rules(rng), rng.getrandbits(256)
        decks = []
        for way in range(4):
            with monkeypatch.context() as patch:
                if way == 1:
                    patch.setattr(time, "time", lambda: 1.0)
                    random.seed(7)
                game = case.new(fields, seed)
                player = random.Random(way)
                while not game.over:
                    if way == 2:
                        game.play_code(game.codes()[0])
                        continue
                    if way == 3:
                        for seat in reversed(range(game.players)):
                            game.view(seat)
                    step(game, player)
            decks.append(game.record().deals)
        for other in decks[1:]:
            common = min(len(other), len(decks[0]))
            assert other[:common] == decks[0][:common]


@every_game
def test_other_seeds_deal_other_cards(case: Adapter) -> None:
    """No seed deals like its neighbours, and no deal of a match tells the next one."""
    seeds = (0, 1, 2, 2**128, 2**256 - 1, "0", "1", b"\0")  # "0" is not 0
    for fields in case.variants:
        decks = set()
        for seed in seeds:
            game = case.new(fields, seed)
            decks |= {tuple(game._seed_deck(number)) for number in range(5)}
        assert len(decks) == len(seeds) * 5


@every_game
def test_fresh_seeds_are_fresh(case: Adapter) -> None:
    seeds = {case.new(case.variants[0], None).seed for _ in range(20)}
    assert len(seeds) == 20
    assert all(seed is not None and 0 <= seed < 2**256 for seed in seeds)
    assert max(seed.bit_length() for seed in seeds if seed is not None) > 200
