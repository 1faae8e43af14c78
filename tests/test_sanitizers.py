"""The whole suite under sanitizers, and threads under ThreadSanitizer: each builds everything anew and takes long."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.full
@pytest.mark.skipif(sys.platform != "linux", reason="sanitizers of gcc")
@pytest.mark.parametrize(
    "arguments", [["check,asan,ubsan", "--threads=auto", "tests"], ["tsan"]], ids=str
)
def test_nothing_is_reported(arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "sanitize.py"), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-10_000:]
