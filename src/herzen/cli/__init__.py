"""The command `herzen`. Its exit codes: 0 fine, 1 a difference, 2 bad input, 130 Ctrl-C."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

MISSING = (
    "herzen: the command line needs typer and rich: python -m pip install 'herzen[cli]',"
    " or '.[cli]' in a checkout"
)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command with these arguments (None: those of the process) and exit."""
    try:
        try:
            import rich as rich
            import typer as typer
        except ImportError:
            print(MISSING, file=sys.stderr)
            sys.exit(2)
        from herzen.cli.app import run
        from herzen.cli.output import prepare_process

        prepare_process()
        code = run(arguments)
    except KeyboardInterrupt:  # before a command began, or while one cleaned up
        code = 130
    sys.exit(code)
