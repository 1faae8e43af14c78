"""Tiers, Hypothesis profiles, and the browser that pages are shown in."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests import tiers

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--tier", choices=tiers.TIERS, default=None, help="smoke, quick (default), ci or full"
    )


def pytest_configure(config: pytest.Config) -> None:
    chosen = config.getoption("--tier")
    if chosen:
        os.environ["HERZEN_TIER"] = chosen  # also for worker and child processes
    settings.register_profile(
        "herzen",
        max_examples=tiers.scale(smoke=10, quick=40, ci=200, full=5000),
        stateful_step_count=tiers.scale(smoke=20, quick=40, ci=80, full=200),
        deadline=None,
        derandomize=tiers.tier() != "full",
        database=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("herzen")


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
