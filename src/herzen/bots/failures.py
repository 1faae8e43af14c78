"""What is said of a bot of somebody's own that fails: which, where in the match, and where in its code."""

from __future__ import annotations

import os
from types import TracebackType

PACKAGE = __name__.partition(".")[0]


def failure(word: str, seat: int, ply: int, error: Exception) -> str:
    """`move 6, seat 0 (mybot:Bot): ValueError: no idea (mybot.py, line 12)`.

    ply: number of moves made before. The place is the innermost one in the bot's own code; it is left out where the
    error came from elsewhere, as that of an illegal move does.
    """
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return f"move {ply}, seat {seat} ({word}): {said}{_place(error.__traceback__)}"


def _place(trace: TracebackType | None) -> str:
    """Where it was raised, as far as the code is the bot's: of the package that herzen called, not of a library's."""
    own = None
    place = ""
    while trace is not None:
        frame = trace.tb_frame
        package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if own is None and package != PACKAGE:
            own = package
        if own == package:
            name = os.path.basename(frame.f_code.co_filename)
            place = f" ({name}, line {trace.tb_lineno})"
        trace = trace.tb_next
    return place
