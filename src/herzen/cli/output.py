"""What the commands share: where output goes, and how every end of a command becomes an exit code."""

from __future__ import annotations

import functools
import os
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import IO, NoReturn, ParamSpec, Self

import typer
from rich.console import Console
from rich.text import Text

from herzen.errors import HerzenError, ReplayMismatch

FINE, DIFFERENT, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130
NARROWEST = 40

P = ParamSpec("P")


class BadInput(Exception):
    """Something the user gave that cannot be used; the sentence goes to stderr, the exit code is 2."""


class Different(Exception):
    """A record that is not what it says; the sentence goes to stderr, the exit code is 1."""


class Output(Console):
    """A console that writes what it is told: no markup, no wrapping, and a broken pipe is an exception."""

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, markup=False, emoji=False, highlight=False)
        if self.is_dumb_terminal:
            self.size = shutil.get_terminal_size()  # rich takes 80 columns for granted

    @property
    def symbols(self) -> bool:
        """Whether the suits can be written as symbols."""
        try:
            "♣♦♥♠".encode(self.encoding)
        except (UnicodeEncodeError, LookupError):
            return False
        return True

    @property
    def columns(self) -> int:
        """Columns to fill."""
        return max(NARROWEST, self.width)

    def on_broken_pipe(self) -> NoReturn:
        """Let the command end as `guarded` says."""
        raise BrokenPipeError

    def say(self, text: str = "", *, style: str = "") -> None:
        """Write lines as they are, hearts and diamonds in red where there is colour."""
        shown = Text(text, style=style)
        shown.highlight_regex(r"(\b(10|[2-9JQKA]))?[♥♦]", "red")
        self.print(shown, soft_wrap=True)


def one_line(text: object) -> str:
    """A sentence on one line, without what could move a terminal's cursor."""
    words = " ".join(str(text).split())
    return "".join(letter if letter.isprintable() else "?" for letter in words)


def complain(text: object) -> None:
    """One line on stderr, for whom it may reach: a terminal that was closed takes nothing."""
    try:
        print(f"herzen: {one_line(text)}", file=sys.stderr, flush=True)
    except OSError:
        silence(sys.stderr)


def prepare_process() -> None:
    """Set up the process of the command: streams that never fail on a letter, signals that end it cleanly."""
    for stream, errors in (
        (sys.stdout, "replace"),
        (sys.stderr, "backslashreplace"),
        (sys.stdin, "replace"),
    ):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors=errors)
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _leave)


def _leave(number: int, _frame: object) -> NoReturn:
    # As an exception, so that half-written files are removed.
    raise SystemExit(128 + number)


class Held:
    """While it is entered, Ctrl-C and the signals that end a process wait, except inside `let_in()`.

    So what is being written is written to its end, and a match is never left in the middle of a move. What waited
    takes effect when it is let in, or at the end of all.
    """

    def __init__(self) -> None:
        self._open = False
        self._waiting: list[int] = []
        self._usual: dict[int, Callable[[int, FrameType | None], object]] = {}

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():  # no other gets signals
            for name in ("SIGINT", "SIGTERM", "SIGHUP"):
                number = getattr(signal, name, None)
                usual = None if number is None else signal.getsignal(number)
                if number is not None and callable(usual):
                    self._usual[number] = usual
                    signal.signal(number, self._come)
        return self

    def __exit__(self, *_: object) -> None:
        for number, usual in self._usual.items():
            signal.signal(number, usual)
        self._deliver()

    @contextmanager
    def let_in(self) -> Iterator[None]:
        """What waits comes now, and what comes meanwhile at once."""
        self._open = True
        try:
            self._deliver()
            yield
        finally:
            self._open = False

    def _come(self, number: int, frame: FrameType | None) -> None:
        if self._open:
            self._usual[number](number, frame)
        else:
            self._waiting.append(number)

    def _deliver(self) -> None:
        if self._waiting:
            number = self._waiting[0]
            self._waiting.clear()
            self._usual[number](number, None)


def guarded(command: Callable[P, None]) -> Callable[P, None]:
    """A command whose every end is one of the exit codes, with at most one line on stderr."""

    @functools.wraps(command)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> None:
        code = FINE
        try:
            command(*args, **kwargs)
            sys.stdout.flush()
        except BrokenPipeError:
            silence(sys.stdout)
        except KeyboardInterrupt as error:
            complain(str(error) or "interrupted")
            code = INTERRUPTED
        except (Different, ReplayMismatch) as error:
            complain(error)
            code = DIFFERENT
        except (BadInput, HerzenError) as error:
            complain(error)
            code = BAD_INPUT
        except OSError as error:
            complain(f"{error.filename or 'output'}: {error.strerror or error}")
            silence(sys.stdout)
            code = BAD_INPUT
        if code:
            raise typer.Exit(code)

    return wrapper


def silence(stream: IO[str]) -> None:
    """Send what is still buffered nowhere, so that nothing fails when the process ends."""
    try:
        descriptor = stream.fileno()
    except (OSError, ValueError):
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)
