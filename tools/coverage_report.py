"""Build with line tracing in a temporary copy, run tests, and report the lines of Python and Cython that they reach:

    python tools/coverage_report.py [--threads N] [--html DIRECTORY] [--xml FILE] [tests...]

The interpreter that runs this needs what the tests need, coverage, Cython and setuptools, and a C compiler. It is
Python 3.11: Cython traces lines through an interface that later ones do not have. Child processes are traced, too, and
so are threads without the GIL: they take it for each line, so that they run in turn. Each test is traced in its first
seconds only (tools/trace_limit.py), so that the figure may differ by a few lines from run to run.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SESSIONS = [
    # Some of these have all of their tests in tier ci.
    [
        *("--tier", "ci", "tests/arena", "tests/cli", "tests/envs", "tests/render"),
        "--ignore=tests/render/test_browser.py",  # looks at pages that are made
    ],
    [
        "--tier",
        "quick",
        "tests",
        *(f"--ignore=tests/{name}" for name in ("arena", "cli", "envs", "render")),
        # These look at memory, at other builds, at C and at the twin, not at the package's lines.
        "--deselect=tests/contract/test_leaks.py",
        # Its threads switch at calls of functions: of compiled ones, too, where calls are traced.
        "--deselect=tests/contract/test_threads.py",
        *(
            f"--ignore=tests/{name}"
            for name in ("reference", "test_bounds.py", "test_packaging.py")
        ),
    ],
]
"""What is run if no tests are named."""
LANGUAGES = {"Python": (".py",), "Cython": (".pyx", ".pxd"), "both": (".py", ".pyx", ".pxd")}

OF_ANOTHER_FILE = re.compile(r"^ *__Pyx_TraceLine\(\d+,0,0,__PYX_ERR\([1-9].*$", re.M)
"""Where a module begins, the first line of a function of a .pxd: it would be taken for a line of the module's own."""


class Share(NamedTuple):
    """Lines that can be reached, and those of them that are."""

    lines: int
    reached: int

    def __str__(self) -> str:
        return f"{self.reached:6} of {self.lines:6} lines, {100 * self.reached / max(1, self.lines):6.2f} %"


def share(files: dict[str, dict[str, dict[str, int]]], *endings: str) -> Share:
    """The sum over the files with one of these endings, from coverage's report in JSON."""
    summaries = [data["summary"] for name, data in files.items() if name.endswith(endings)]
    return Share(
        sum(summary["num_statements"] for summary in summaries),
        sum(summary["covered_lines"] for summary in summaries),
    )


def build(tree: Path) -> None:
    """Build in place, with tracing of the lines that run and no others."""

    def setup(*words: str) -> None:
        subprocess.run(
            [sys.executable, "setup.py", "-q", *words],
            cwd=tree,
            env={**os.environ, "HERZEN_BUILD": "trace"},
            stdout=subprocess.DEVNULL,
            check=True,
        )

    setup("--name")  # makes the C sources
    for source in (tree / "build/cython").rglob("*.c"):
        code = source.read_text(encoding="utf-8")
        source.write_text(OF_ANOTHER_FILE.sub("", code), encoding="utf-8")
    setup("build_ext", "--inplace")


def report(tree: Path, chosen: argparse.Namespace) -> int:
    """Run the tests in the tree that has been built, and print what they reach."""
    # Also child processes with paths of their own have this one.
    shutil.copy(tree / "tools/cython_lines.py", tree / "src")
    under = {
        **os.environ,
        "PYTHONPATH": str(tree / "src"),
        "COVERAGE_FILE": str(tree / ".coverage"),
    }

    def coverage(*words: str) -> int:
        command = [sys.executable, "-m", "coverage", *words]
        return subprocess.run(command, cwd=tree, env=under, check=False).returncode

    pytest = ["run", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "tools.trace_limit"]
    pytest += ["-n", chosen.threads]
    sessions = [chosen.tests] if chosen.tests else SESSIONS
    failed = [words for words in sessions if coverage(*pytest, *words)]
    coverage("combine", "-q")
    if chosen.html:
        coverage("html", "-q", "-d", str(chosen.html.resolve()))
    if chosen.xml:
        coverage("xml", "-q", "-o", str(chosen.xml.resolve()))
    coverage("json", "-q", "-o", "coverage.json")
    too_few = coverage("report")  # by pyproject.toml's fail_under
    files = json.loads((tree / "coverage.json").read_text(encoding="utf-8"))["files"]
    for language, endings in LANGUAGES.items():
        print(f"{language:8}{share(files, *endings)}")
    for words in failed:
        print("failed: pytest", *words)
    return int(bool(failed or too_few))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--threads", default="auto", help="of pytest-xdist; default: auto")
    parser.add_argument("--html", type=Path, help="directory for a report in HTML")
    parser.add_argument("--xml", type=Path, help="file for a report in Cobertura's XML")
    parser.add_argument("tests", nargs="*", help="for pytest; default: see SESSIONS")
    chosen = parser.parse_intermixed_args()
    if sys.version_info[:2] != (3, 11):
        parser.error("Cython lines are traced on Python 3.11 only")
    with tempfile.TemporaryDirectory() as directory:
        tree = Path(directory, "tree")
        shutil.copytree(
            ROOT, tree, ignore=shutil.ignore_patterns(".git", "build", "*.so", "__pycache__", ".*")
        )
        build(tree)
        return report(tree, chosen)


if __name__ == "__main__":
    sys.exit(main())
