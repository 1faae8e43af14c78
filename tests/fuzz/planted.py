"""Targets with faults on purpose: the fuzzer must find each of them (tests/fuzz/test_fuzzing.py)."""

from __future__ import annotations

import ctypes
import random
import time
from collections.abc import Callable

from tests.fuzz.target import AnyTarget, Target, TextTarget

RARE = 7
"""One case in so many fails."""


def _sometimes(fault: Callable[[], object]) -> Callable[[random.Random], None]:
    def run(rng: random.Random) -> None:
        time.sleep(0.002)
        if rng.randrange(RARE) == 0:
            fault()

    return run


def _raise() -> None:
    raise KeyError("planted")


def _loop() -> None:
    while True:
        pass


def _answer(text: bytes) -> str:
    time.sleep(0.002)
    if text.startswith(b"planted"):
        raise KeyError(text)
    return f"{len(text)} bytes"


def _change(text: bytes, others: object, rng: random.Random) -> bytes:
    return text + b"x" if rng.random() < 0.9 else b"planted"


TARGETS: dict[str, AnyTarget] = {
    target.name: target
    for target in (
        Target("good", "nothing", lambda rng: time.sleep(0.002)),
        Target("error", "an error that must not be", _sometimes(_raise)),
        Target("crash", "a read from nowhere", _sometimes(lambda: ctypes.string_at(1))),
        Target("hang", "no end", _sometimes(_loop), seconds=1.0),
        Target("wait", "no end, and nothing done", _sometimes(lambda: time.sleep(99)), seconds=0.2),
        Target("memory", "too much memory", _sometimes(lambda: bytearray(1 << 40))),
        TextTarget("text", "an error for a text", lambda: [b"a"], _change, _answer, most=5),
    )
}
