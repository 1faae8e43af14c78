"""How fast batches step, beside the C yardstick hearts_bound.c. See benchmarks/README.md.

Everything is CPU time of one thread. Batch and yardstick run in turn, in small portions; a figure is the median over
the portions of steps/s, also scaled to a machine on which the yardstick makes 1.9 million hands/s. The random legal
actions are drawn in the loop, but do not count.
"""

from __future__ import annotations

import argparse
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import thread_time

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

    def __init__(self, rules: herzen.Rules, slots: int, *, observing: bool) -> None:
        self.batch = b = herzen.batch.Batch(rules, slots, seed=1, autoreset="same")
        self.mask = np.empty((slots, b.num_actions), np.bool_)
        self.rows = np.empty((slots, *b.observation_shape), np.int8)
        self.actions = np.empty(slots, np.int64)
        self.calls: dict[str, Callable[[], object]] = {
            "legal_mask": lambda: b.legal_mask(out=self.mask),
            "observe": lambda: b.observe(out=self.rows),
            "random_actions": lambda: b.random_actions(out=self.actions),
            "step": lambda: b.step(self.actions),
        }
        if not observing:
            del self.calls["observe"]
        self.run(200)  # away from the beginning, where all slots do the same

    def run(self, steps: int) -> dict[str, float]:
        """Nanoseconds a slot and step of each call."""
        times = dict.fromkeys(self.calls, 0.0)
        for _ in range(steps):
            for name, call in self.calls.items():
                start = thread_time()
                call()
                times[name] += thread_time() - start
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


def course(rules: herzen.Rules, what: str, program: str, options: argparse.Namespace) -> float:
    """Measure and print one loop; its million steps/s, scaled."""
    loop = Course(rules, options.slots, observing="observe" in what)
    times: dict[str, list[float]] = {name: [] for name in loop.calls}
    rates, scaled, hands = [], [], []
    for _ in range(options.repeats):
        before = bound(program)
        for name, time in loop.run(options.steps).items():
            times[name].append(time)
        hands.append((before + bound(program)) / 2)
        rates.append(1e3 / sum(times[name][-1] for name in what.split(" + ")))
        scaled.append(rates[-1] * BOUND / hands[-1])
    parts = ", ".join(f"{name} {statistics.median(found):.1f}" for name, found in times.items())
    print(
        f"  {what}: {statistics.median(rates):.1f} M/s, scaled {statistics.median(scaled):.1f} M/s"
    )
    print(f"    ns a slot: {parts}; yardstick {statistics.median(hands):,.0f} hands/s")
    return statistics.median(scaled)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--repeats", type=int, default=15, help="portions (default 15)")
    parser.add_argument("--steps", type=int, default=64, help="steps in a portion (default 64)")
    parser.add_argument("--slots", type=int, default=4096, help="games in a batch (default 4096)")
    parser.add_argument("--check", action="store_true", help="exit with 1 if a bar is missed")
    options = parser.parse_args()
    missed = []
    with tempfile.TemporaryDirectory() as directory:
        program = build(directory)
        for name, rules in RULES.items():
            print(f"{name}, {options.slots} games")
            for what, bar in BARS.items():
                if course(rules, what, program, options) < bar and name == "Hearts":
                    missed.append(f"{what} ({bar:g} M/s)")
    if missed:
        print("missed:", ", ".join(missed))
    return int(options.check and bool(missed))


if __name__ == "__main__":
    sys.exit(main())
