"""Random play of Von Herzen and Herzsammler beside hand-written C loops of the same games. See benchmarks/README.md.

Everything is CPU time on one core. The C loops and herzen run in turn, in small portions; a ratio is the median of the
ratios of portions that ran side by side. The C loop of Hearts measures the machine: absolute bars are for one on which
it plays 1.9 million hands a second, and are scaled by what it plays beside the portions.
"""

from __future__ import annotations

import argparse
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time
from typing import Any

import herzen

GAMES: dict[str, tuple[str, float, int, dict[str, Any]]] = {
    # what is counted, the bar per second, matches in a portion, rules of a long match of 1,000 deals
    "vonherzen": ("deals", 150_000, 500, {"full_rounds": 500}),
    "herzsammler": ("games", 400_000, 1_000, {"games": 1_000}),
}
MACHINE = 1.9e6  # hands of hearts_bound.c a second, for which the bars are meant
PART_OF_C = 0.6


def compiled(name: str, directory: str) -> str:
    """Build a yardstick for this processor."""
    program = str(Path(directory, name))
    source = str(Path(__file__).with_name(f"{name}_bound.c"))
    compiler = shlex.split(os.environ.get("CC", "cc"))
    subprocess.run([*compiler, "-O3", "-march=native", "-o", program, source], check=True)
    return program


def c_rate(program: str, unit: str, count: int) -> float:
    """How many a second a yardstick plays."""
    done = subprocess.run([program, str(count)], check=True, capture_output=True, text=True)
    words = done.stdout.split()
    return float(words[words.index(f"{unit}/s") - 1])


def playouts(games: list[herzen.Game]) -> tuple[float, float]:
    """Deals a second and nanoseconds an action of playing these games to their ends."""
    start = process_time()
    actions = sum([game._playout() for game in games])
    spent = process_time() - start
    return sum(game.deal_number + 1 for game in games) / spent, spent / actions * 1e9


def compare(name: str, directory: str, hearts: str, repeats: int) -> bool:
    """Measure one game and print its rows; whether a bar is met."""
    unit, bar, matches, long_rules = GAMES[name]
    program = compiled(name, directory)
    rows: list[tuple[float, float, float, float, float]] = []
    for portion in range(repeats):
        seeds = range(portion * 1_000_000, portion * 1_000_000 + matches)
        long = [herzen.new(name, players=2, seed=seed, **long_rules) for seed in seeds[:20]]
        machine = c_rate(hearts, "hands", 400_000)
        theirs = c_rate(program, unit, 20_000)
        inside, action = playouts(long)
        rules = long[0].rules.replace(**dict.fromkeys(long_rules))  # None: the default
        prepared = [herzen.new(name, rules, seed=seed) for seed in seeds]
        rows.append((machine, theirs, inside, playouts(prepared)[0], action))
    machine, theirs, inside, outside, action = (
        statistics.median(x) for x in zip(*rows, strict=True)
    )
    scaled = statistics.median(row[2] * MACHINE / row[0] for row in rows)
    ratio = statistics.median(row[2] / row[1] for row in rows)
    met = scaled >= bar or ratio >= PART_OF_C
    print(f"{name}, {unit}/s, 2 players (hearts_bound.c: {machine / 1e6:.2f} M hands/s)")
    print(f"  hand-written C                 {theirs:10,.0f}")
    print(
        f"  herzen, matches of 1,000 {unit} {inside:10,.0f}  {ratio:.2f} of C; {action:.1f} ns an action"
    )
    print(f"  herzen, default matches        {outside:10,.0f}  with Python's call and clearing up")
    verdict = "met" if met else "MISSED"
    print(
        f"  scaled to the bar's machine    {scaled:10,.0f}  bar {bar:,.0f}, or 0.6 of C: {verdict}"
    )
    return met


def main() -> int:
    """Run; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5, help="portions of each work")
    parser.add_argument("--check", action="store_true", help="exit with 1 if a bar is missed")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        hearts = compiled("hearts", directory)
        met = [compare(name, directory, hearts, arguments.repeats) for name in GAMES]
    return 0 if all(met) or not arguments.check else 1


if __name__ == "__main__":
    sys.exit(main())
