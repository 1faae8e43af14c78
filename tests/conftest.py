"""Tiers, Hypothesis profiles, and the browser that pages are shown in."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.database import DirectoryBasedExampleDatabase

from tests import tiers

if TYPE_CHECKING:
    from playwright.sync_api import Browser


PROFILES = {"smoke": "smoke", "quick": "quick", "ci": "ci", "full": "long"}
"""Hypothesis' profile of each tier."""


def _register(name: str, examples: int, steps: int, folder: str | None = None, **more: Any) -> None:
    settings.register_profile(
        name,
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        database=None if folder is None else DirectoryBasedExampleDatabase(folder),
        suppress_health_check=[HealthCheck.too_slow],
        **more,
    )


_register("smoke", 10, 20, derandomize=True)
_register("quick", 20, 20, derandomize=True)
_register("ci", 80, 40, derandomize=True)
# Other examples in every run. Those that failed are kept in a folder, where one is named, and tried first.
_register("long", 5_000, 200, os.environ.get("HERZEN_EXAMPLES"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--tier", choices=tiers.TIERS, default=None, help="smoke, quick (default), ci or full"
    )


def pytest_configure(config: pytest.Config) -> None:
    chosen = config.getoption("--tier")
    if chosen:
        os.environ["HERZEN_TIER"] = chosen  # also for worker and child processes
    if not config.getoption("--hypothesis-profile"):
        settings.load_profile(PROFILES[tiers.tier()])


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out (not skip) what belongs to a longer tier than this run's."""
    unmarked = tiers.TIERS.index("quick")
    rank = max(unmarked, tiers.TIERS.index(tiers.tier()))
    kept: list[pytest.Item] = []
    left_out: list[pytest.Item] = []
    for item in items:
        needs = max(
            (tiers.TIERS.index(m.name) for m in item.iter_markers() if m.name in tiers.TIERS),
            default=unmarked,
        )
        (kept if needs <= rank else left_out).append(item)
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = kept


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser without a window."""
    playwright = pytest.importorskip("playwright.sync_api", reason='needs ".[dev]"')
    named = os.environ.get("HERZEN_CHROMIUM")
    found = named or shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        pytest.skip("needs Chromium, on the path or named by HERZEN_CHROMIUM")
    with playwright.sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=found, timeout=60_000)
        yield running
        running.close()
