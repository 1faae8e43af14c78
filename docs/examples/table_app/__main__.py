"""`python -m table_app match.json --game herzsammler`: serve a table; go on with the match if the file is there."""

from __future__ import annotations

import argparse
import ast
from pathlib import Path

import uvicorn

import herzen
from herzen.registry import GAMES

from .server import create_app
from .table import Table


def option(text: str) -> tuple[str, object]:
    """FIELD=VALUE, the value as Python writes it."""
    name, _, value = text.partition("=")
    try:
        return name, ast.literal_eval(value)
    except SyntaxError:
        raise ValueError(value) from None


def main() -> None:
    """Read the command line and serve until interrupted."""
    parser = argparse.ArgumentParser(prog="table_app", description=__doc__)
    parser.add_argument("file", type=Path, help="where the match is kept; a secret")
    parser.add_argument("--game", choices=GAMES, help="default: hearts")
    parser.add_argument("--option", type=option, action="append", default=[], metavar="FIELD=VALUE")
    parser.add_argument("--bots", type=int, nargs="*", default=[], metavar="SEAT")
    parser.add_argument("--port", type=int, default=8000)
    given = parser.parse_args()
    try:
        if not given.file.exists():
            name = given.game or "hearts"
            table = Table.create(given.file, name, given.bots, **dict(given.option))
        elif given.game or given.option or given.bots:
            parser.error(
                f"{given.file} holds a match: --game, --option and --bots are for a new one"
            )
        else:
            table = Table.load(given.file)
    except (herzen.HerzenError, OSError, TypeError, ValueError) as error:
        parser.error(f"{given.file}: {error}")
    for seat, link in table.links(f"http://127.0.0.1:{given.port}").items():
        print(f"seat {seat}: {link}", flush=True)
    # Moves are short: a client that sends more than this is none of ours.
    uvicorn.run(create_app(table), port=given.port, log_level="warning", ws_max_size=4096)


if __name__ == "__main__":
    main()
