"""The process in which a target's cases are run: what ends it, or holds it up, is seen from outside."""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
import traceback
from importlib import import_module
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic
from typing import Any

from tests.fuzz.corpus import Finding, Kept, load
from tests.fuzz.target import KNOWN, LONGEST, AnyTarget, TextTarget

Place = Any
"""Shared int64s: the number of the case that runs, and how many were begun."""


def find(module: str, name: str) -> AnyTarget:
    """The target of this name."""
    targets: dict[str, AnyTarget] = import_module(module).TARGETS
    return targets[name]


def text_of(target: AnyTarget, case: int, kept: list[Kept]) -> bytes | None:
    """The text of a case; None if its cases are no texts."""
    if not isinstance(target, TextTarget):
        return None
    return target.text(case, [one.text for one in kept[: case // KNOWN]])


def play(target: AnyTarget, case: int, kept: list[Kept]) -> Kept | None:
    """Run a case; of a text what it got. What the case raises comes through."""
    if not isinstance(target, TextTarget):
        target.play(case)
        return None
    text = text_of(target, case, kept)
    assert text is not None
    return Kept(text, target.answer(text))


def finding_of(target: AnyTarget, case: int, kept: list[Kept], what: str) -> Finding:
    """What is kept of a case that failed."""
    text = text_of(target, case, kept)
    return Finding(target.name, case, what, None if text is None else text.decode("latin-1"))


def place_of(error: BaseException) -> str:
    """The kind of an error and where it was raised: findings that agree in this are taken for one."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {Path(last.filename).name}:{last.lineno}"


def is_new(target: AnyTarget, got: Kept, kept: list[Kept], known: set[str]) -> bool:
    """Whether a text is to be kept."""
    room = isinstance(target, TextTarget) and len(kept) < target.most
    return room and got.says not in known and len(got.text) <= LONGEST


def run(
    module: str,
    name: str,
    folder: str,
    number: int,
    seconds: float,
    megabytes: int,
    place: Place,
    pipe: Connection,
) -> None:
    """Run the cases from this number on for so long.

    Sends ("kept", Kept), ("finding", Finding, traceback), and at the end ("done",).
    """
    faulthandler.enable()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends it
    limit_memory(megabytes)
    sys.stdin = open(os.devnull)  # noqa: SIM115
    target = find(module, name)
    kept = load(Path(folder), name)
    known = {one.says for one in kept}
    seen: set[str] = set()
    end = monotonic() + seconds
    while monotonic() < end:
        case = number + (KNOWN * len(kept) if isinstance(target, TextTarget) else 0)
        number += 1
        place[0] = case
        place[1] += 1
        try:
            got = play(target, case, kept)
        except BaseException as error:
            where = place_of(error)
            if where not in seen:
                seen.add(where)
                finding = finding_of(target, case, kept, f"{where}: {str(error)[:300]}")
                pipe.send(("finding", finding, traceback.format_exc()))
            continue
        if got is not None and is_new(target, got, kept, known):
            known.add(got.says)
            kept.append(got)
            pipe.send(("kept", got))
    pipe.send(("done",))


def limit_memory(megabytes: int) -> None:
    """Let what asks for more memory fail; 0: no limit."""
    try:
        import resource
    except ImportError:  # Windows
        return
    if megabytes:
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
