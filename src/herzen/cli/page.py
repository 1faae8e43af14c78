"""`herzen replay FILE --html OUT.html`: a match as a page."""

from __future__ import annotations

import os

from herzen.cli.options import read_seat, writable
from herzen.cli.output import BadInput, Output
from herzen.cli.replay import find_record
from herzen.render.page import page


def write_page(path: str, out: str, number: int, seat: int | None, to: int | None) -> None:
    """Write record `number` of a file as a page (see `herzen.render.page`); complete, or not at all."""
    record, _ = find_record(path, number)
    if seat is not None:
        read_seat(seat, record.rules.players)
    if to is not None and to > len(record.moves):
        raise BadInput(f"--at: the record has {len(record.moves)} moves, not {to}")
    write_text(out, page(record, seat, to=to), ", with all hands" if seat is None else "")


def write_text(out: str, text: str, secret: str) -> None:
    """Write a page to a file, complete or not at all, and say so."""
    target = writable(out, "--html")
    temporary = f"{target}.{os.getpid()}.part"
    try:
        with open(temporary, "x", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.replace(temporary, target)
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise
    Output().say(f"Written: {out} ({len(text.encode()) // 1024} KiB{secret}).")
