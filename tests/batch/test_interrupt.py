"""Ctrl-C in the middle of work that threads share; a batch that was never finished."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest

import herzen
from herzen.batch import Batch
from tests.tiers import scale

SLOTS = 20_000


class Stop(Exception):
    """What the signal handler raises."""


def stop(*_: object) -> None:
    raise Stop


@contextlib.contextmanager
def interrupted_after(seconds: float) -> Iterator[None]:
    """Ctrl-C comes after so many seconds, or when the block is done."""
    old = signal.signal(signal.SIGINT, stop)
    main = threading.get_ident()
    timer = threading.Timer(seconds, lambda: signal.pthread_kill(main, signal.SIGINT))
    try:
        timer.start()
        yield
    finally:
        while True:  # the signal may come here too
            with contextlib.suppress(Stop):
                timer.cancel()
                timer.join()
                time.sleep(0)
                break
        signal.signal(signal.SIGINT, old)


def test_an_interrupted_step_is_taken_in_all_slots_or_in_none() -> None:
    rules = herzen.HeartsRules()
    batch = Batch(rules, SLOTS, seed=1, autoreset="same", threads=6)
    twin = Batch(rules, SLOTS, seed=1, autoreset="same")
    taken = stopped = 0
    for number in range(scale(quick=8, ci=24, full=400)):
        actions = twin.random_actions()
        before = twin.legal_mask()
        twin.step(actions)
        try:
            # Every fourth time it most often comes too late, on a slow machine, too.
            with interrupted_after(0.0002 * (number % 10) if number % 4 else 0.5):
                batch.step(actions)
        except Stop:
            stopped += 1
        if np.array_equal(batch.legal_mask(), before) and not np.array_equal(
            batch.legal_mask(), twin.legal_mask()
        ):
            batch.step(actions)
        else:
            taken += 1
        assert np.array_equal(batch.legal_mask(), twin.legal_mask())
        assert np.array_equal(batch.scores, twin.scores)
    assert taken
    batch.close()


def test_nothing_is_written_after_an_interrupted_call() -> None:
    batch = Batch(herzen.HeartsRules(), SLOTS, seed=1, threads=6)
    rows = batch.observe()
    stopped = 0
    for number in range(scale(quick=8, ci=24, full=400)):
        out = np.zeros_like(rows)
        try:
            with interrupted_after(0.0002 * (number % 10)):
                batch.observe(out=out)
        except Stop:
            stopped += 1
        kept = out.copy()
        time.sleep(0.002)
        assert np.array_equal(out, kept)
        assert np.array_equal(batch.observe(), rows)  # and the batch is free
    batch.close()


@pytest.mark.parametrize("rules", [herzen.HeartsRules(), herzen.VonHerzenRules()], ids=str)
def test_a_batch_whose_making_failed_cannot_be_used(rules: herzen.Rules) -> None:
    for seed in ([1, 2], [1, -1, 2, 3], [None, object(), 1, 2]):
        batch = Batch.__new__(Batch)
        with pytest.raises(ValueError, match="seed"):
            batch.__init__(rules, 4, seed=seed)  # type: ignore[misc]
        for call in (
            lambda b: b.game(0),
            lambda b: b.step([0] * 4),
            lambda b: b.legal_mask(),
            lambda b: b.observe(),
            lambda b: b.random_actions(),
            lambda b: b.reset(),
            lambda b: b.put(0, herzen.new(rules.game, rules)),
        ):
            with pytest.raises(ValueError, match="closed"):
                call(batch)
        with pytest.raises(TypeError):
            batch.__init__(rules, 4, seed=1)  # type: ignore[misc]
        batch.close()


def test_the_arrays_behind_the_attributes_are_read_only_too() -> None:
    batch = Batch(herzen.HeartsRules(), 4, seed=1)
    for array in (batch.to_move, batch.done, batch.scores, batch.winners):
        for writable in (array, array.base):
            with pytest.raises(ValueError, match="read-only"):
                writable[...] = 1


@pytest.mark.parametrize("threads", [1, 2])
def test_a_simulation_of_very_long_matches_is_interrupted_soon(threads: int) -> None:
    rules = herzen.HeartsRules(target=1_000_000, max_hands=10_000)
    begun = time.monotonic()
    with pytest.raises(Stop), interrupted_after(0.3):
        herzen.simulate(rules, 20_000, seed=1, threads=threads, keep="totals")
    assert time.monotonic() - begun < 10  # the first results come after a minute
