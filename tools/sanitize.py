"""Build with sanitizers in a temporary copy and run tests under them: python tools/sanitize.py check,asan,ubsan.

The interpreter that runs this needs what the tests need, Cython and setuptools, and gcc or clang. First a fault on
purpose (tests/data/planted) must be reported, or the run is worth nothing. asan, ubsan or both, with or without the
checks of the check build, run the contract tests, or what is given to pytest; tsan runs two threads on separate batches
and simulations for some seconds.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FLAGS = {"asan": "address", "ubsan": "undefined", "tsan": "thread"}
LIBRARIES = {"asan": "libasan.so", "ubsan": "libubsan.so", "tsan": "libtsan.so"}
OPTIONS = {
    # The interpreter never frees all of its memory.
    "asan": {"ASAN_OPTIONS": "detect_leaks=0:halt_on_error=1", "PYTHONMALLOC": "malloc"},
    "ubsan": {"UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1"},
    "tsan": {"TSAN_OPTIONS": "halt_on_error=1:exitcode=66"},
}
REPORTS = {
    "asan": "AddressSanitizer: heap-buffer-overflow",
    "ubsan": "runtime error: signed integer overflow",
    "tsan": "ThreadSanitizer: data race",
}
PLANTED = """
import ctypes, sys, threading
planted = ctypes.CDLL(sys.argv[1])
if sys.argv[2] == "asan":
    planted.overflow(64)
elif sys.argv[2] == "ubsan":
    planted.sum(2**31 - 1, 1)
else:
    threads = [threading.Thread(target=planted.race, args=(50_000_000,)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
"""
TWO_THREADS = """
import threading, time
import numpy as np
import herzen
from herzen.batch import Batch

games = (herzen.HeartsRules(), herzen.VonHerzenRules(players=2), herzen.HerzsammlerRules())
steps = [0, 0]

def work(number):
    end = time.monotonic() + 4
    while time.monotonic() < end:
        for rules in games:
            batch = Batch(rules, 512, seed=number, autoreset="same")
            for _ in range(20):
                batch.legal_mask()
                batch.observe()
                batch.step(batch.random_actions())
                steps[number] += 1

threads = [threading.Thread(target=work, args=(number,)) for number in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
for rules in games:
    one, two = (herzen.simulate(rules, 9_000, seed=3, threads=n) for n in (1, 2))
    assert (one.scores == two.scores).all()
    halves = [Batch(rules, 600, seed=1, threads=n) for n in (1, 2)]
    for _ in range(60):
        for batch in halves:
            batch.step(batch.random_actions())
    assert (halves[0].legal_mask() == halves[1].legal_mask()).all()
assert min(steps) > 10, steps
print("steps", *steps)
"""


def run(command: list[str], **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, check=False, text=True, **options)  # type: ignore[call-overload,no-any-return]


def library(compiler: list[str], kind: str) -> str:
    """The run-time library, which must be loaded before the interpreter's own code runs."""
    name = LIBRARIES[kind]
    found = subprocess.check_output([*compiler, f"-print-file-name={name}"], text=True).strip()
    if found == name:
        sys.exit(f"{compiler[0]} has no {name}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "kinds",
        help="tsan; or asan, ubsan or both, with a comma; and check for bounds checks and C assertions besides",
    )
    parser.add_argument("--tier", default="quick", help="of the tests; default: quick")
    parser.add_argument("--threads", default="0", help="of pytest-xdist; default: none")
    parser.add_argument("tests", nargs="*", help="for asan and ubsan; default: tests/contract")
    chosen = parser.parse_intermixed_args()
    words = set(chosen.kinds.split(","))
    kinds = [kind for kind in FLAGS if kind in words]
    if not kinds or words - {*FLAGS, "check"} or ("tsan" in kinds and len(words) > 1):
        parser.error(f"{chosen.kinds}: no such sanitizers, or none together")
    compiler = shlex.split(os.environ.get("CC", "gcc"))
    with tempfile.TemporaryDirectory() as directory:
        tree = Path(directory, "tree")
        shutil.copytree(
            ROOT, tree, ignore=shutil.ignore_patterns(".git", "build", "*.so", "__pycache__", ".*")
        )
        under = {
            **os.environ,
            **{name: value for kind in kinds for name, value in OPTIONS[kind].items()},
            "LD_PRELOAD": " ".join(library(compiler, kind) for kind in kinds),
            "PYTHONPATH": str(tree / "src"),
            "HERZEN_TIER": chosen.tier,
            "HERZEN_OTHER_PYTHONS": "",  # their modules have no sanitizers
        }
        planted = str(Path(directory, "planted.so"))
        source = str(tree / "tests/data/planted/planted.c")
        sanitize = f"-fsanitize={','.join(FLAGS[kind] for kind in kinds)}"
        subprocess.run(
            [*compiler, "-g", "-O1", "-shared", "-fPIC", sanitize, "-o", planted, source],
            check=True,
        )
        for kind in kinds:
            fault = [sys.executable, "-c", PLANTED, planted, kind]
            seen = run(fault, env=under, capture_output=True)
            if REPORTS[kind] not in seen.stderr:
                print(seen.stdout, seen.stderr, sep="\n")
                sys.exit(f"{kind} did not report the fault that was planted")
            print(f"{kind}: the planted fault is reported", flush=True)
        built = run(
            [sys.executable, "setup.py", "-q", "build_ext", "--inplace"],
            cwd=tree,
            env={**os.environ, "HERZEN_BUILD": chosen.kinds, "CC": shlex.join(compiler)},
            capture_output=True,
        )
        if built.returncode:
            print(built.stdout[-3000:], built.stderr[-3000:], sep="\n")
            return 1
        if kinds == ["tsan"]:
            return run([sys.executable, "-c", TWO_THREADS], cwd=tree, env=under).returncode
        pytest = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-n",
            chosen.threads,
            # A report is written past Python, by a process that ends then.
            "--capture=sys",
            # AddressSanitizer keeps what has been freed.
            "--deselect=tests/contract/test_leaks.py",
        ]
        return run([*pytest, *(chosen.tests or ["tests/contract"])], cwd=tree, env=under).returncode


if __name__ == "__main__":
    sys.exit(main())
