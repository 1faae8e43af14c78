"""Fuzz the engine and all that reads from outside: python tools/fuzz.py [TARGET ...] [--minutes 10].

Each target is a stream of cases made from numbers. It runs in a process of its own: a crash, a case that takes too
long, one that takes too much memory, and any error that must not be are findings. Each is told with the command that
runs its case again. Texts whose answer is new, and findings, are kept in tests/data/fuzz; the quick tests replay them.
"""

from __future__ import annotations

import argparse
import faulthandler
import multiprocessing
import os
import secrets
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from importlib import import_module
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from time import monotonic

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.fuzz import child, corpus  # noqa: E402
from tests.fuzz.target import KNOWN, AnyTarget, TextTarget  # noqa: E402

MOST_FINDINGS = 20
"""Of one target; then it ends."""
SEEDS = 1_000_000
"""Seeds of runs: each has a thousand million cases of its own."""
BEGINNING = 60.0
"""Seconds of computing until a child has begun its first case."""
PATIENCE = 10
"""A case that waits, rather than computes, may take so many times as long."""
STOP = threading.Event()
"""Set by Ctrl-C."""


@dataclass(frozen=True)
class Options:
    """How all targets are run."""

    module: str
    folder: Path
    seed: int
    seconds: float
    megabytes: int
    limit: float | None


@dataclass
class Result:
    """What came of a target."""

    name: str
    cases: int = 0
    seconds: float = 0.0
    kept: int = 0
    findings: list[corpus.Finding] = field(default_factory=list)


def watch(
    process: BaseProcess,
    pipe: Connection,
    place: child.Place,
    limit: float,
    told: list[tuple[object, ...]],
) -> str | None:
    """Collect what a child sends until it ends; None if it ended well, otherwise how it ended."""
    pid = process.pid or 0
    last, since = 0, (monotonic(), cpu_time(pid))
    while True:
        try:
            if pipe.poll(0.2):
                message = pipe.recv()
                if message[0] == "done":
                    process.join()
                    return None
                told.append(message)
                if message[0] == "finding":
                    print(message[2], file=sys.stderr, flush=True)
                continue
        except (EOFError, ConnectionError):
            process.join()
            code = process.exitcode or 0
            return f"crash: {signal.Signals(-code).name if code < 0 else f'exit code {code}'}"
        now = monotonic(), cpu_time(pid)
        seconds = limit if last else BEGINNING
        if place[1] != last:
            last, since = place[1], now
        elif STOP.is_set():
            return None
        elif now[1] - since[1] > seconds or now[0] - since[0] > PATIENCE * seconds:
            os.kill(pid, signal.SIGABRT)  # faulthandler shows where it is
            process.join(10)
            process.kill()
            process.join()
            return f"hang: over {limit:g} s"


def cpu_time(pid: int) -> float:
    """Seconds that a process has computed, as other processes may keep it waiting; by the clock where nobody knows."""
    try:
        return time.clock_gettime(~pid << 3 | 2)  # how Linux numbers the clocks of processes
    except (AttributeError, OSError):
        return monotonic()


def fuzz(target: AnyTarget, options: Options) -> Result:
    """Run one target for its time, in one child after another: what ends a child is a finding."""
    context = multiprocessing.get_context("spawn")
    result = Result(target.name)
    kept = corpus.load(options.folder, target.name)
    number = options.seed * (KNOWN // SEEDS)
    begin = monotonic()
    while len(result.findings) < MOST_FINDINGS and not STOP.is_set():
        left = begin + options.seconds - monotonic()
        if left <= 0:
            break
        place = context.RawArray("q", [-1, 0])
        pipe, theirs = context.Pipe(duplex=False)
        given = (str(options.folder), number, left, options.megabytes, place, theirs)
        process = context.Process(target=child.run, args=(options.module, target.name, *given))
        process.start()
        theirs.close()
        told: list[tuple[object, ...]] = []
        try:
            ended = watch(process, pipe, place, options.limit or target.seconds, told)
        finally:
            process.kill()
        new = [message[1] for message in told if isinstance(message[1], corpus.Kept)]
        found = [message[1] for message in told if isinstance(message[1], corpus.Finding)]
        kept += new
        if ended is not None and place[0] < 0:
            result.findings.append(corpus.Finding(target.name, 0, f"does not begin: {ended}"))
            break
        if ended is not None:
            found.append(child.finding_of(target, place[0], kept, ended))
        if new:
            corpus.save(options.folder, target.name, kept)
        for finding in found:
            corpus.add_finding(options.folder, finding)
        result.findings += found
        result.kept += len(new)
        result.cases += place[1]
        number = place[0] % KNOWN + 1
    result.seconds = monotonic() - begin
    return result


def command(finding: corpus.Finding, options: Options) -> str:
    """What runs the case of a finding again."""
    words = ["python", "tools/fuzz.py", finding.target, "--case", str(finding.case)]
    if options.folder != corpus.FOLDER:
        words += ["--corpus", str(options.folder)]
    return " ".join(words)


def show(results: list[Result], options: Options) -> int:
    """Print the table and the findings; the exit code."""
    print(f"{'target':12} {'cases':>10} {'cases/s':>10} {'kept':>6} {'findings':>9}")
    for result in results:
        rate = result.cases / max(result.seconds, 1e-9)
        row = f"{result.name:12} {result.cases:>10,} {rate:>10,.1f} {result.kept:>6}"
        print(f"{row} {len(result.findings):>9}")
    found = [finding for result in results for finding in result.findings]
    for finding in found:
        print(f"\n{finding.target}: {finding.what}\n    {command(finding, options)}")
    return 1 if found else 0


def reword(targets: dict[str, AnyTarget], folder: Path) -> None:
    """Write the present answers beside the texts that are kept."""
    for name, target in targets.items():
        if isinstance(target, TextTarget):
            kept = corpus.load(folder, name)
            if not kept:
                continue
            corpus.save(
                folder, name, [corpus.Kept(one.text, target.answer(one.text)) for one in kept]
            )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="default: all")
    parser.add_argument("--minutes", type=float, default=10.0, help="of the whole run; default 10")
    parser.add_argument(
        "--seed", type=int, help="0..999,999: which cases; default: others each time"
    )
    parser.add_argument(
        "--workers", type=int, default=os.cpu_count() or 1, help="targets at a time"
    )
    parser.add_argument("--corpus", type=Path, default=corpus.FOLDER, help="folder of what is kept")
    parser.add_argument("--memory", type=int, default=4096, help="megabytes of a case, 0: no limit")
    parser.add_argument(
        "--limit", type=float, help="seconds of a case, computing; default: as the target says"
    )
    parser.add_argument("--case", type=int, help="run this case of one target, and nothing else")
    parser.add_argument("--list", action="store_true", help="list the targets")
    parser.add_argument(
        "--reword",
        action="store_true",
        help="accept the present answers to all texts that are kept",
    )
    parser.add_argument("--module", default="tests.fuzz.targets", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    targets: dict[str, AnyTarget] = import_module(chosen.module).TARGETS
    unknown = sorted(set(chosen.targets) - set(targets))
    if unknown:
        parser.error(f"no such target: {', '.join(unknown)} (there are: {', '.join(targets)})")
    if chosen.seed is not None and not 0 <= chosen.seed < SEEDS:
        parser.error(f"--seed: 0..{SEEDS - 1:,}")
    names = chosen.targets or list(targets)
    if chosen.list:
        for name in names:
            print(f"{name:12} {targets[name].about}")
        return 0
    if chosen.reword:
        reword(targets, chosen.corpus)
        return 0
    if chosen.case is not None:
        if len(names) != 1:
            parser.error("--case: of one target")
        faulthandler.enable()
        child.limit_memory(chosen.memory)
        kept = corpus.load(chosen.corpus, names[0])
        print(child.text_of(targets[names[0]], chosen.case, kept), flush=True)
        print(child.play(targets[names[0]], chosen.case, kept))
        return 0
    os.environ.setdefault("HERZEN_EXAMPLES", str(chosen.corpus / "examples"))
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # each would take address space
    workers = max(1, min(chosen.workers, len(names)))
    options = Options(
        chosen.module,
        chosen.corpus,
        secrets.randbelow(SEEDS) if chosen.seed is None else chosen.seed,
        60 * chosen.minutes * workers / len(names),
        chosen.memory,
        chosen.limit,
    )
    print(
        f"seed {options.seed}, {options.seconds:.0f} s for each of {len(names)} targets", flush=True
    )
    with ThreadPoolExecutor(workers) as pool:
        running = [pool.submit(fuzz, targets[name], options) for name in names]
        try:
            wait(running)
        except KeyboardInterrupt:
            STOP.set()
    return show([one.result() for one in running], options)


if __name__ == "__main__":
    sys.exit(main())
