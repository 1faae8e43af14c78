"""How fast archives of records are read, verified and written. See benchmarks/README.md."""

from __future__ import annotations

import argparse
import platform
import random
import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import process_time

from measuring import BOUND, Portion, Report, compiled, measure, rate, yardstick

import herzen

EVERY = 16
BAR = 500_000
MATCHES = {"hearts": 30, "vonherzen": 60, "herzsammler": 600}


def matches(name: str, count: int) -> Iterator[herzen.Record]:
    """Uniformly random matches."""
    rng = random.Random(name)
    for number in range(count):
        game = herzen.new(name, seed=number)
        while codes := game.codes():
            game.play_code(codes[rng.randrange(len(codes))])
        yield game.record(fingerprints=EVERY)


def loading(path: Path, moves: int, *, verify: bool) -> Portion:
    """Seconds a move to read an archive, and to verify it."""

    def portion() -> float:
        found = 0
        start = process_time()
        for record in herzen.load_records(path):
            if verify:
                record.verify()
            found += len(record.moves)
        spent = process_time() - start
        if found != moves:
            raise AssertionError(f"{found} moves, not {moves}")
        return spent / moves

    return portion


def writing(path: Path, records: list[herzen.Record], moves: int) -> Portion:
    """Seconds a move to write an archive record by record."""

    def portion() -> float:
        path.unlink(missing_ok=True)
        start = process_time()
        with herzen.RecordWriter(path, every=16) as writer:
            for record in records:
                writer.write(record)
        return (process_time() - start) / moves

    return portion


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="exit with 1 if a bar is missed")
    parser.add_argument("--repeats", type=int, default=11, help="portions of each work (11)")
    parser.add_argument("--target", default="v3", help="what the yardstick is built for (v3)")
    chosen = parser.parse_args()
    print(f"herzen {herzen.__version__}, Python {platform.python_version()}; CPU time, medians")
    report = Report()
    with tempfile.TemporaryDirectory() as directory:
        portions = {"C": yardstick(compiled("hearts_bound.c", directory, chosen.target))}
        for name, count in MATCHES.items():
            records = list(matches(name, count))
            moves = sum(len(record.moves) for record in records)
            for ending in ("jsonl", "jsonl.gz"):
                path = Path(directory, f"{name}.{ending}")
                herzen.dump_records(path, records)
                portions[f"{name}.{ending}: load"] = loading(path, moves, verify=False)
                portions[f"{name}.{ending}: load and verify"] = loading(path, moves, verify=True)
            path = Path(directory, f"{name}-written.jsonl.gz")
            portions[f"{name}.jsonl.gz: write"] = writing(path, records, moves)
        times = measure(portions, chosen.repeats)
    speed = 1 / statistics.median(times["C"])
    report.title("Archives, moves a second; scaled to the machine that the bar is for")
    print(f"  bare C here: {speed:,.0f} hands/s, there {BOUND:,}")
    for name, seconds in times.items():
        if name == "C":
            continue
        # Side by side with the yardstick, portion by portion.
        scaled = statistics.median(
            bound * BOUND / own for own, bound in zip(seconds, times["C"], strict=True)
        )
        report.row(name, rate(statistics.median(seconds)), f"{scaled:,.0f}/s")
        if name.endswith("verify"):
            report.bar(f"{name}, scaled", scaled, BAR, at_least=True, unit="/s")
    if report.missed:
        print("\nMissed:\n" + "\n".join(f"  {line}" for line in report.missed))
    return 1 if chosen.check and report.missed else 0


if __name__ == "__main__":
    sys.exit(main())
