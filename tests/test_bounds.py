"""The hand-written C loops of benchmarks/ play the very games that herzen plays; else their figures mean nothing."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import herzen
from herzen.seeds import child
from tests.tiers import scale

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
COMPILER = shlex.split(os.environ.get("CC", "cc"))
SEED = 42  # of the C programs

pytestmark = pytest.mark.skipif(
    sys.platform == "win32" or shutil.which(COMPILER[0]) is None,
    reason="needs a C compiler that takes the options of cc",
)


@pytest.mark.parametrize("flags", [[], ["-march=native"]], ids=["portable", "native"])
@pytest.mark.parametrize("name", ["vonherzen", "herzsammler"])
def test_the_c_loop_plays_the_same_games(name: str, flags: list[str], tmp_path: Path) -> None:
    """The number of actions and the sums of both seats' totals are those of herzen for the same seeds."""
    program = tmp_path / "bound"
    source = BENCHMARKS / f"{name}_bound.c"
    subprocess.run([*COMPILER, "-O2", *flags, "-o", str(program), str(source)], check=True)
    matches = scale(quick=150, ci=900, full=100_000)
    done = subprocess.run([program, str(matches)], check=True, capture_output=True, text=True)
    words = done.stdout.split()
    actions, totals, deals = 0, [0, 0], 0
    for number in range(matches):
        game = herzen.new(name, players=2, seed=child(SEED, number))
        actions += game._playout()
        deals += game.deal_number + 1
        totals = [a + b for a, b in zip(totals, game.scores, strict=True)]
    assert int(words[0]) == deals
    assert int(words[words.index("actions") - 1]) == actions
    assert [int(word) for word in words[-3:-1]] == totals
    assert words[-1] == "points"
