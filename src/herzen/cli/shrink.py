"""`herzen replay FILE --shrink CHECK`: the smallest position that still fails. The check is code, and it is run."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from types import CodeType
from typing import Any

import herzen
from herzen.cli.output import BadInput, Different, Output
from herzen.cli.replay import find_record
from herzen.game import Game
from herzen.shrinking import ATTEMPTS


def shrink_record(path: str, check: str, number: int, as_json: bool) -> None:
    """Shrink record `number` of a file; Different if the check fails anywhere."""
    out = Output()
    record, _ = find_record(path, number)
    run, source = read_check(check)
    try:
        found = record.shrink(run)
    except _Slip as slip:
        raise BadInput(slip) from None
    if found is None:
        if as_json:
            out.say(json.dumps({"failure": None}))
        else:
            out.say(f"The check holds after each of {len(record.moves)} moves.")
        return
    test = found.test(source)
    if as_json:
        shown = {
            "moves": found.moves,
            "failure": str(found.failure),
            "setup": found.setup,
            "prefix": found.prefix.to_dict(),
            "attempts": found.attempts,
            "test": test,
        }
        out.say(json.dumps({"failure": shown}))
    else:
        out.say(f"Fails after {found.moves} of {len(record.moves)} moves: {found.failure}")
        if found.setup is None:
            out.say("The position alone does not fail: what fails needs the moves before it.")
        else:
            out.say(f"Smallest position found, of {found.attempts} tried.")
        out.say()
        out.say(test.rstrip("\n"))
    if found.attempts >= ATTEMPTS:
        out.say(f"# stopped after {ATTEMPTS} attempts: it may not be the smallest")
    raise Different(f"the check fails after {found.moves} moves: {found.failure}")


def read_check(text: str) -> tuple[Callable[[Game], object], str]:
    """(a function of a game, lines of source for a test) of an expression, of statements, or of a script's name.

    An expression must be true; statements and scripts must not raise. They see `herzen` and `game`.
    """
    script = text.endswith(".py") and os.path.isfile(text)
    if script:
        try:
            with open(text, encoding="utf-8") as file:
                source = file.read()
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(f"--shrink: {text}: {error}") from None
    else:
        source = text
    expression = None if script else _compiled(source, "eval")
    if expression is not None:
        return lambda game: _run(eval, expression, game), f"assert {source.strip()}"
    statements = _compiled(source, "exec", text if script else "<check>")
    assert statements is not None
    return lambda game: _run(exec, statements, game) is None, source


def _compiled(source: str, mode: str, name: str = "<check>") -> CodeType | None:
    """The code; None for what is no expression. BadInput for what is no Python."""
    try:
        return compile(source.strip() if mode == "eval" else source, name, mode)
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        if mode == "eval":
            return None
        raise BadInput(f"--shrink: not Python: {error}") from None


def _run(how: Callable[..., Any], code: CodeType, game: Game) -> object:
    try:
        return how(code, {"__name__": "__check__", "herzen": herzen, "game": game})
    except NameError as error:
        # A slip of the pen, not a fault of the game: it would "fail" at once, everywhere.
        raise _Slip(f"--shrink: {error} (the check sees herzen and game)") from None
    except SystemExit as left:
        raise RuntimeError(f"the check wants to exit with {left.code}") from None


class _Slip(BaseException):
    """A name that there is not. Not an Exception, so that no search takes it for a failure."""
