"""README.md: its examples run and print what it says; its commands are what CI runs."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import herzen

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLE = re.compile(r"```python\n(.*?)```\n(?:(?:\s|prints)*```text\n(.*?)```\n)?", re.DOTALL)


def command(name: str) -> str:
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "readme_command.py"), name],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_examples_print_what_the_readme_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    examples = EXAMPLE.findall(README)
    for source, expected in examples:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(source, "README.md", "exec"), names)
        assert printed.getvalue() == expected
    assert sum(bool(expected) for _, expected in examples) == README.count("```text") >= 3
    herzen.Record.load(tmp_path / "match.json").verify(seed=True)


def test_links_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert len(links) > 8
    for link in links:
        assert (ROOT / link).exists(), link


def test_there_are_two_commands_of_one_line() -> None:
    assert README.count("<!-- command: ") == 2
    for name in ("run", "test"):
        assert len(command(name).splitlines()) == 1
        assert command(name).startswith("python3 -m venv .venv && .venv/bin/pip install ")


def test_the_main_command_makes_and_checks_a_record(tmp_path: Path) -> None:
    """All of it but the installation, which .ci/run does."""
    steps = [step for step in command("run").split(" && ") if "bin/herzen " in step]
    assert len(steps) == 2
    # The package under test, also where it lies on a relative path.
    environment = {**os.environ, "PYTHONPATH": str(Path(herzen.__file__).resolve().parents[1])}
    for step in steps:
        words = shlex.split(step)
        done = subprocess.run(
            [sys.executable, "-m", "herzen", *words[1:]],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    record = herzen.Record.load(tmp_path / "match.json")
    assert record.result is not None
    record.verify(seed=True)
