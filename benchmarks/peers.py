"""herzen beside its peers in one run: hand-written C, OpenSpiel, empty environments. See benchmarks/README.md.

Every row is measured in turn with what it is compared with. A checksum of each side proves that the work was done;
where both play the same streams (the C programs built with -DCHACHA), the checksums must be equal.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import platform
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np
from measuring import BOUND, Portion, Report, compiled, flags, measure, output, rate, ratio

import herzen
from herzen.batch import Batch

HAND = herzen.HeartsRules.classic(max_hands=1, pass_cycle=("hold",), moon="add")
PASSED = herzen.HeartsRules.classic(max_hands=1, moon="add")
MATCH = herzen.HeartsRules.classic()
SEED = 42  # of the C programs
PLAYERS = {players: HAND.replace(players=players) for players in (3, 4, 5, 6, 7)}
CANCELLATION = {
    players: herzen.HeartsRules.cancellation(players=players, max_hands=1) for players in (6, 8)
}
SECTIONS = ("hands", "games", "rules", "batch", "threads", "openspiel", "envs")


class Peers(Report):
    """The report, and the figures by name for the docs and for comparing runs."""

    def __init__(self, target: str, repeats: int) -> None:
        super().__init__()
        self.target = target
        self.repeats = repeats
        self.figures: dict[str, float] = {}
        self.scale = 1.0  # how much slower than the machine of the absolute bars

    def note(self, name: str, value: float) -> None:
        self.figures[name] = round(value, 4)


def simulation(rules: herzen.Rules, games: int, unit: str, sums: list[int]) -> Portion:
    """Random matches by `herzen.simulate`, one thread; CPU seconds per match, deal or ply."""
    first = iter(range(1 << 62))

    def portion() -> float:
        start = process_time()
        result = herzen.simulate(rules, games, seed=SEED + next(first), keep="totals")
        spent = process_time() - start
        sums.append(sum(score * count for score, count in result.histograms[0].items()))
        if result.games != games:
            raise AssertionError(f"{result.games} matches were played")
        return spent / {"games": games, "deals": result.deals, "plies": result.plies}[unit]

    return portion


def bound(program: str, count: int, rate_word: str) -> Portion:
    """A C program's own figure; it prints its rate before the word, and a checksum."""

    def portion() -> float:
        words = output(program, count)
        return 1 / float(words[words.index(rate_word) - 1])

    return portion


def hands(report: Peers, directory: str) -> None:
    """Random hands without passes, and what passing and whole matches add."""
    same = compiled("hearts_bound.c", directory, report.target, "-DCHACHA")
    bare = compiled("hearts_bound.c", directory, "native")
    check = 20_000
    result = herzen.simulate(HAND, check, seed=SEED, keep="totals")
    if f"{result.means[0]:.4f}" != output(same, check)[-1]:
        raise AssertionError(f"the C program played other games: mean {result.means[0]:.4f}")
    sums: list[int] = []
    times = measure(
        {
            "hand": simulation(HAND, 40_000, "games", sums),
            "C": bound(same, 40_000, "hands/s"),
            "bare": bound(bare, 40_000, "hands/s"),
            "pass": simulation(PASSED, 30_000, "deals", sums),
            "match": simulation(MATCH, 3_000, "deals", sums),
        },
        report.repeats,
    )
    report.scale = BOUND * statistics.median(times["bare"])
    report.title(f"Random hands of Hearts, one thread (C: {' '.join(flags(report.target))})")
    report.row("", "herzen", "C", "herzen/C")
    against = ratio(times["C"], times["hand"])
    mine = rate(statistics.median(times["hand"]))
    report.row("hands, no passing", mine, rate(statistics.median(times["C"])), f"{against:.2f}")
    bare_times = (
        rate(statistics.median(times["bare"])),
        f"{ratio(times['bare'], times['hand']):.2f}",
    )
    report.row("the same, C with a bare generator, native", mine, *bare_times)
    print(f"  same checksum: mean of seat 0 {result.means[0]:.4f} over {check} hands")
    report.bar("hands, of the C rate", against, 0.75, at_least=True)
    # A deal with passes is 12 picks and 52 plays; in a match every fourth deal holds its cards.
    for name, actions in (("pass", 64), ("match", 61)):
        part = ratio([t * actions / 52 for t in times["hand"]], times[name])
        report.row(f"{name}: plays and picks", rate(statistics.median(times[name]) / actions))
        report.bar(f"{name}: plays and picks, of the rate of plays", part, 2 / 3, at_least=True)
        report.note(f"hearts {name}", part)
    report.note("hearts hands / C", against)
    report.note("hearts hands/s", 1 / statistics.median(times["hand"]))
    print(f"  this machine: {report.scale:.2f} times slower than that of the absolute bars")


def games(report: Peers, directory: str) -> None:
    """Random Von Herzen deals and Herzsammler games, beside C programs of the same rules."""
    report.title("The other games, random, two players, one thread")
    report.row("", "herzen", "C", "herzen/C")
    for rules, source, count, unit, bar in (
        (herzen.VonHerzenRules(players=2), "vonherzen_bound.c", 4_000, "deals", 150_000),
        (herzen.HerzsammlerRules(players=2), "herzsammler_bound.c", 10_000, "games", 400_000),
    ):
        program = compiled(source, directory, report.target)
        times = measure(
            {
                "ours": simulation(rules, count, unit, []),
                "C": bound(program, count, f"{unit}/s"),
            },
            report.repeats,
        )
        mine, part = statistics.median(times["ours"]), ratio(times["C"], times["ours"])
        report.row(
            f"{rules.game}: {unit}", rate(mine), rate(statistics.median(times["C"])), f"{part:.2f}"
        )
        scaled = report.scale / mine
        print(f"  scaled to the machine of the bars: {scaled:,.0f}/s")
        if part < 0.6:
            report.bar(
                f"{rules.game}, scaled", scaled / 1000, bar / 1000, at_least=True, unit=" k/s"
            )
        else:
            report.bar(f"{rules.game}, of the C rate", part, 0.6, at_least=True)
        report.note(f"{rules.game} {unit}/s", 1 / mine)
        report.note(f"{rules.game} / C", part)


def rules_of_all_sizes(report: Peers) -> None:
    """What a ply costs with more and fewer players, and with two packs."""
    cases: dict[str, herzen.Rules] = {f"{n} players": rules for n, rules in PLAYERS.items()}
    cases |= {f"two packs, {n} players": rules for n, rules in CANCELLATION.items()}
    times = measure(
        {name: simulation(rules, 10_000, "plies", []) for name, rules in cases.items()},
        report.repeats,
    )
    report.title("A ply, by rules")
    for name in cases:
        cost = ratio(times[name], times["4 players"])
        report.row(name, f"{statistics.median(times[name]) * 1e9:.1f} ns", "", f"{cost:.2f}")
        report.note(f"ply, {name} / 4 players", cost)
        report.note(f"ply ns, {name}", statistics.median(times[name]) * 1e9)
        if name != "4 players":
            limit = 1.6 if "packs" in name else 1.3
            report.bar(f"a ply, {name}", cost, limit, at_least=False)


def stepping(width: int, observed: bool, steps: int, sums: list[int]) -> Portion:
    """Masks and steps (and observations) of a batch; the choosing of actions is not counted."""
    batch = Batch(MATCH, width, seed=SEED, autoreset="same")
    mask = np.empty((width, batch.num_actions), np.bool_)
    seen = np.empty((width, *batch.observation_shape), np.int8)
    actions = np.empty(width, np.int64)

    def portion() -> float:
        spent = 0.0
        for _ in range(steps):
            start = process_time()
            batch.legal_mask(out=mask)
            if observed:
                batch.observe(out=seen)
            spent += process_time() - start
            batch.random_actions(out=actions)
            if not mask[np.arange(width), actions].all():
                raise AssertionError("an action that the mask forbids")
            start = process_time()
            batch.step(actions)
            spent += process_time() - start
        sums.append(int(batch.scores.sum()))
        return spent / (steps * width)

    return portion


def batches(report: Peers) -> None:
    """Steps of batches, by their width."""
    report.title("Batch of Hearts games: masks and steps, one thread")
    sums: list[int] = []
    portions: dict[str, Portion] = {}
    for width in (1, 16, 256, 4096, 16384):
        steps = max(4, 40_000 // width)
        portions[f"{width}"] = stepping(width, False, steps, sums)
        portions[f"{width}, observed"] = stepping(width, True, steps, sums)
    times = measure(portions, max(3, report.repeats // 3))
    for name, found in times.items():
        report.row(f"{name} wide", rate(statistics.median(found)))
        report.note(f"batch steps/s, {name}", 1 / statistics.median(found))
    for name, bar in (("4096", 20.0), ("4096, observed", 5.0)):
        scaled = report.scale / statistics.median(times[name]) / 1e6
        report.bar(f"{name} wide, scaled", scaled, bar, at_least=True, unit=" M/s")
    if not any(sums):
        raise AssertionError("no batch scored anything")


def threads(report: Peers) -> None:
    """Two threads against one, wall-clock."""

    def wall(count: int) -> float:
        start = perf_counter()
        herzen.simulate(HAND, 400_000, seed=SEED, threads=count, keep="totals")
        return perf_counter() - start

    wall(2)
    gains = [wall(1) / wall(2) for _ in range(5)]
    report.title("Two threads, wall-clock, five runs")
    report.row("gains", " ".join(f"{gain:.2f}" for gain in sorted(gains)))
    report.bar("two threads, median", statistics.median(gains), 1.9, at_least=True)
    report.note("two threads", statistics.median(gains))


def openspiel(report: Peers) -> None:
    """Whole deals from Python beside OpenSpiel, by python_speed.py."""
    if importlib.util.find_spec("pyspiel") is None:
        print("\nOpenSpiel is not installed: python -m pip install open-spiel")
        return
    game: Any = importlib.import_module("pyspiel").load_game("hearts")
    importlib.import_module("python_speed").whole_deals(report, game, 100, report.repeats)


def envs(report: Peers) -> None:
    """Environments for learners beside empty ones, by envs.py and vector_envs.py."""
    if importlib.util.find_spec("pettingzoo") is None:
        print('\nPettingZoo is not installed: python -m pip install "herzen[envs]"')
        return
    importlib.import_module("envs").aec(report, report.repeats, report.note, report.scale)
    rows: Any = importlib.import_module("vector_envs")
    rows.vectors(report, report.repeats, report.note, report.scale)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="exit with 1 if a bar is missed")
    parser.add_argument("--repeats", type=int, default=15, help="portions of each work (15)")
    parser.add_argument(
        "--target",
        choices=("native", "v2", "v3"),
        default="v3",
        help="what the C programs are built for: v3 for the usual build on a processor with BMI2 (default), native "
        "for HERZEN_BUILD=native, v2 for HERZEN_BUILD=plain",
    )
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument(
        "--only", nargs="+", choices=SECTIONS, default=SECTIONS, help="sections to run (all)"
    )
    chosen = parser.parse_args()
    report = Peers(chosen.target, chosen.repeats)
    print(
        f"herzen {herzen.__version__}, Python {platform.python_version()}, {platform.machine()}; CPU time, medians"
    )
    with tempfile.TemporaryDirectory() as directory:
        sections: dict[str, Callable[[], None]] = {
            "hands": lambda: hands(report, directory),
            "games": lambda: games(report, directory),
            "rules": lambda: rules_of_all_sizes(report),
            "batch": lambda: batches(report),
            "threads": lambda: threads(report),
            "openspiel": lambda: openspiel(report),
            "envs": lambda: envs(report),
        }
        # The first section also measures how fast the machine is, which scales the absolute bars.
        for name in SECTIONS:
            if name in chosen.only or name == "hands":
                sections[name]()
    if chosen.json:
        chosen.json.write_text(json.dumps(report.figures, indent=1, sort_keys=True) + "\n")
    if report.missed:
        print("\nMissed:\n" + "\n".join(f"  {line}" for line in report.missed))
    return 1 if chosen.check and report.missed else 0


if __name__ == "__main__":
    sys.exit(main())
