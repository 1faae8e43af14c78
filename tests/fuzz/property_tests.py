"""The property tests of the suite as a target: a case is one of them, with a seed of its own, at the profile "long"."""

from __future__ import annotations

import io
import os
import random
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path

import pytest

from tests.fuzz.target import Target

ROOT = Path(__file__).parents[2]
WHERE = [
    "tests/contract/test_record_fuzz.py",
    "tests/contract/test_seat_records.py",
    "tests/contract/test_twin.py",
]
"""Where the larger property tests are; all of the suite's are `pytest --tier full -m hypothesis`."""

ALWAYS = "-q -p no:cacheprovider -m hypothesis --hypothesis-profile long --rootdir".split()


class Names:
    """A plugin of pytest that notes the tests that were collected."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.found = [item.nodeid for item in session.items]


def _run(*arguments: str, plugins: list[object] | None = None) -> tuple[int, str]:
    told = io.StringIO()
    os.environ["HERZEN_TIER"] = "ci"
    with redirect_stdout(told), redirect_stderr(told):
        code = pytest.main(
            [
                "-q",
                "-p",
                "no:cacheprovider",
                "--rootdir",
                str(ROOT),
                "-m",
                "hypothesis",
                *arguments,
            ],
            plugins=plugins,
        )
    return int(code), told.getvalue()


@cache
def names() -> list[str]:
    """The ids of the property tests."""
    plugin = Names()
    code, told = _run("--collect-only", *(str(ROOT / place) for place in WHERE), plugins=[plugin])
    assert code == 0, told
    return plugin.found


def property_test(rng: random.Random) -> None:
    """One of the property tests with another seed. HERZEN_EXAMPLES names the folder of Hypothesis' examples."""
    name = rng.choice(names())
    seed = str(rng.getrandbits(32))
    code, told = _run("--hypothesis-seed", seed, "--tb=short", str(ROOT / name))
    assert code == 0, told[-6_000:]


TARGETS = [
    Target("hypothesis", "the property tests at the profile long", property_test, seconds=900)
]
