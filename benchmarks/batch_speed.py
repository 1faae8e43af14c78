"""How fast batches step, beside the C yardstick hearts_bound.c. See benchmarks/README.md.

Everything is CPU time of one thread. Batch and yardstick run in turn, in small portions; a figure is the median over
the portions of steps/s, scaled to a machine on which the yardstick, run beside it, makes 1.9 million hands/s.
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

import numpy as np

import herzen

BOUND = 1_900_000
BARS = {"legal_mask + step": 20.0, "legal_mask + step + observe": 5.0}
"""Million steps/s of Hearts that --check asks for."""
RULES: dict[str, herzen.Rules] = {
    "Hearts": herzen.HeartsRules(),
    "Von Herzen": herzen.VonHerzenRules(),
    "Herzsammler": herzen.HerzsammlerRules(),
}
HANDS = 200_000


class Course:
    """A batch that is stepped by random legal actions; what each part of a step takes."""

    def __init__(self, rules: herzen.Rules, slots: int) -> None:
        self.batch = b = herzen.batch.Batch(rules, slots, seed=1, autoreset="same")
        self.mask = np.empty((slots, b.num_actions), np.bool_)
        self.rows = np.empty((slots, *b.observation_shape), np.int8)
        self.actions = np.empty(slots, np.int64)
        self.run(200)  # away from the beginning, where all slots do the same

    def run(self, steps: int) -> dict[str, float]:
        """Nanoseconds a slot and step of each call."""
        times = dict.fromkeys(("legal_mask", "observe", "random_actions", "step"), 0.0)
        calls = (
            ("legal_mask", lambda: self.batch.legal_mask(out=self.mask)),
            ("observe", lambda: self.batch.observe(out=self.rows)),
            ("random_actions", lambda: self.batch.random_actions(out=self.actions)),
            ("step", lambda: self.batch.step(self.actions)),
        )
        for _ in range(steps):
            for name, call in calls:
                start = process_time()
                call()
                times[name] += process_time() - start
        return {name: time / steps / self.batch.n * 1e9 for name, time in times.items()}


def build(directory: str) -> str:
    """The compiled yardstick."""
    program = str(Path(directory, "bound"))
    source = str(Path(__file__).with_name("hearts_bound.c"))
    compiler = shlex.split(os.environ.get("CC", "cc"))
    subprocess.run([*compiler, "-O3", "-march=native", "-o", program, source], check=True)
    return program


def bound(program: str) -> float:
    """Hands/s of the yardstick now."""
    done = subprocess.run([program, str(HANDS)], capture_output=True, text=True, check=True)
    return float(done.stdout.split()[4])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=25, help="portions (default 25)")
    parser.add_argument("--steps", type=int, default=40, help="steps in a portion (default 40)")
    parser.add_argument("--slots", type=int, default=4096, help="games in a batch (default 4096)")
    parser.add_argument("--check", action="store_true", help="exit with 1 if a bar is missed")
    options = parser.parse_args()
    missed = []
    with tempfile.TemporaryDirectory() as directory:
        program = build(directory)
        for name, rules in RULES.items():
            course = Course(rules, options.slots)
            steps = options.steps if name == "Hearts" else max(1, options.steps // 4)
            parts: dict[str, list[float]] = {}
            sums: dict[str, list[float]] = {what: [] for what in BARS}
            raw: dict[str, list[float]] = {what: [] for what in BARS}
            hands = []
            for _ in range(options.repeats):
                before = bound(program)
                times = course.run(steps)
                hands.append((before + bound(program)) / 2)
                for part, time in times.items():
                    parts.setdefault(part, []).append(time)
                for what in BARS:
                    time = sum(times[part] for part in what.split(" + "))
                    raw[what].append(1e3 / time)
                    sums[what].append(1e3 / time * BOUND / hands[-1])
            print(f"{name}: {options.slots} games, yardstick {statistics.median(hands):,.0f} hands/s")
            for part, values in parts.items():
                print(f"  {part:32}{statistics.median(values):8.1f} ns a slot")
            for what, figures in sums.items():
                scaled = statistics.median(figures)
                now = statistics.median(raw[what])
                print(f"  {what:32}{now:8.1f} M/s, scaled {scaled:.1f} M/s", end="")
                if name == "Hearts":
                    print(f"  (bar {BARS[what]:g})", end="")
                    missed += [what] if scaled < BARS[what] else []
                print()
    if missed:
        print("missed:", ", ".join(missed))
    return int(options.check and bool(missed))


if __name__ == "__main__":
    sys.exit(main())
