"""Memory stays flat over many games. Each game is put through what allocates: rules, histories, copies, views, files.

Measured in a process of its own, after a warm-up, by the interpreter's count of blocks, which is exact, and by the
memory of the process, which sees what C allocates.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import herzen
from herzen.bots import RuleBot, SearchBot
from herzen.registry import GAMES, game_class
from herzen.rules import default_rules
from tests.tiers import scale

ROOT = Path(__file__).parents[2]
STATM = Path("/proc/self/statm")
ROUNDS, WARM_UP = 4, 320

pytestmark = pytest.mark.skipif(not STATM.exists(), reason="reads the process's memory from /proc")


def use(name: str, seed: int) -> herzen.Game:
    """One game: some moves, and everything that can be asked of it."""
    players = 3 if seed % 3 == 0 and name != "hearts" else None
    rules = herzen.new(name, seed=0, players=players).rules  # a new object each time
    game = herzen.new(name, rules, seed=seed, names=["x"] * rules.players)
    for ply in range(12):
        codes = game.codes()
        game.play_code(codes[(seed + ply) % len(codes)])
    game.play(game.legal_moves()[0])
    with contextlib.suppress(herzen.IllegalMove):
        game.play("no move")
    game.undo()
    view = game.view(0)
    assert herzen.View.loads(view.dumps()) == view
    assert game.copy() == game
    if seed % 8 == 0:
        assert herzen.Record.loads(game.record().dumps()).replay() == game
        assert pickle.loads(pickle.dumps(game)) == game
        assert eval(game.to_setup(), {"herzen": herzen}).fingerprint() == game.fingerprint()
        game.view(game.turn).sample(seed)
    if seed % 64 == 0:
        whole = game.view(game.turn)
        RuleBot(seed).choose(whole)
        SearchBot(seed, simulations=40).choose(whole)
        herzen.simulate(rules, games=4, seed=seed)
        batch = herzen.batch.Batch(rules, 8, seed=seed, autoreset="same")
        for _ in range(8):
            batch.step(batch.legal_mask().argmax(axis=1))
        batch.game(3)
    return game


def measure(name: str, count: int, plant: str) -> None:
    """Print [blocks, bytes of the process] after a warm-up and after each round of games. `plant`: a leak to make."""
    import ctypes

    kept: list[Any] = []
    lost = ctypes.CDLL(None).malloc
    lost.argtypes, lost.restype = [ctypes.c_size_t], ctypes.c_void_p
    clear_caches = getattr(sys, "_clear_internal_caches", None) or sys._clear_type_cache
    seed = 0
    found = []
    for part in range(ROUNDS + 1):
        for _ in range(count // ROUNDS if part else WARM_UP):
            game = use(name, seed)
            seed += 1
            if plant == "objects" and seed % 8 == 0:
                kept.append(game)
            if plant == "bytes":
                ctypes.memset(lost(16_384), 1, 16_384)
        del game
        # Caches that are bounded and filling up: our codes of move texts, Python's names of attributes.
        default_rules(game_class(name).rules_type)._move_codes().clear()
        clear_caches()
        gc.collect()
        resident = int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        found.append([sys.getallocatedblocks(), resident])
    print(json.dumps(found))


def grown(name: str, count: int, plant: str = "") -> tuple[int, int]:
    """By how many blocks and bytes a process grew from its warm-up to the end of `count` more games."""
    source = Path(herzen.__file__).resolve().parents[1]
    code = f"from tests.contract.test_leaks import measure; measure({name!r}, {count}, {plant!r})"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(source), str(ROOT)])},
        capture_output=True,
        text=True,
        check=False,
        timeout=scale(quick=120, ci=600, full=36_000),
    )
    assert done.returncode == 0, done.stderr
    (first, *_, last) = json.loads(done.stdout)
    return last[0] - first[0], last[1] - first[1]


MOST_BLOCKS, MOST_BYTES = 60, 3_000_000  # a heap grows in steps
COUNT = scale(quick=160, ci=800, full=350_000)  # of each game: a million in full


@pytest.mark.parametrize("name", GAMES)
def test_memory_stays_flat(name: str) -> None:
    blocks, size = grown(name, COUNT)
    assert blocks < MOST_BLOCKS
    assert size < MOST_BYTES


@pytest.mark.ci
def test_planted_leaks_are_seen() -> None:
    assert grown("hearts", 400, "objects")[0] > 2 * MOST_BLOCKS
    assert grown("hearts", 400, "bytes")[1] > 1.5 * MOST_BYTES
