"""Processes of this machine as workers."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor

GRACE_SECONDS = 1.0


def process_pool(workers: int) -> ProcessPoolExecutor:
    """A pool of fresh processes that end with this one, however it ends, and soon after Ctrl-C."""
    # Spawned: a fork would copy locks that other threads (a progress bar's) may hold.
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(workers, mp_context=context, initializer=_begin)


def _begin() -> None:
    signal.signal(signal.SIGINT, _end_soon)
    # A worker whose parent was killed would wait for ever: it holds both ends of the queue.
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_soon(_number: int, _frame: object) -> None:
    # Ctrl-C goes to all processes. A worker that ended at once would break the pool while the parent still cancels
    # its tasks, which the pool of Python 3.11 does not bear; and a match in hand may take minutes.
    timer = threading.Timer(GRACE_SECONDS, os._exit, (130,))
    timer.daemon = True
    timer.start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
