"""A pytest plugin, `-p tools.trace_limit`: each test is traced in its first seconds only.

What it does after them it has done before, with other numbers; traced, compiled loops take a hundred times as long.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Generator

import pytest
from coverage import Coverage

SECONDS = 5.0
"""Of the process, whatever else the machine does."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol() -> Generator[None, object, object]:
    tracing = Coverage.current()
    if tracing is None:
        return (yield)
    done = threading.Event()
    limit = time.process_time() + SECONDS
    stopped = False

    def watch() -> None:
        nonlocal stopped
        while not done.wait(0.2):
            if time.process_time() > limit:
                tracing.stop()
                stopped = True
                return

    watching = threading.Thread(target=watch, daemon=True)
    watching.start()
    try:
        return (yield)
    finally:
        done.set()
        watching.join()
        if stopped:
            tracing.start()
