"""`herzen replay FILE` where the file is a seat's own record: its views and events, and nothing else."""

from __future__ import annotations

import json
import re
from itertools import islice

from herzen.archive import load_beginning
from herzen.cli.output import BadInput, Output
from herzen.cli.page import write_text
from herzen.cli.replay import counted, say_result, tell
from herzen.errors import RecordError
from herzen.events import Event
from herzen.render.page import view_page
from herzen.render.text import clean, table
from herzen.seat_record import FORMAT, SeatRecord

_BEGINNING = re.compile(rb'\s*\{\s*"format"\s*:\s*"' + FORMAT.encode() + rb'"')


def seat_record_in(path: str) -> SeatRecord | None:
    """The seat's record in a file; None if the file holds something else, or cannot be read as one."""
    try:
        if _BEGINNING.match(load_beginning(path)) is None:
            return None
    except (OSError, ValueError):
        return None  # the usual reader says what is wrong
    try:
        return SeatRecord.load(path)
    except RecordError as error:
        raise BadInput(f"{path}: {error}") from None


def show(
    record: SeatRecord, at: int | None, seat: int | None, log: bool, ascii_only: bool, as_json: bool
) -> None:
    """Show a view of the record; see the command's options."""
    _check(record, at, seat)
    view = record.replay(at)
    out = Output()
    moves = len(record)
    if as_json:
        about = {"game": record.game, "moves": moves, "at": moves if at is None else at}
        out.say(json.dumps(about | {"seat": record.seat, "view": view.to_dict()}))
        return
    symbols = out.symbols and not ascii_only
    out.say(f"{record.game}: what {_who(record)} saw, {counted(moves, 'move')}", style="bold")
    if log:
        tell(out, record.game, record.names, _events(record, at), symbols)
    out.say()
    out.say(table(view, symbols=symbols, width=out.columns))
    if view.over:
        out.say()
        say_result(out, record.names, view.scores, view.winners)


def write_page(record: SeatRecord, out: str, at: int | None, seat: int | None) -> None:
    """Write the record as a page, up to a number of moves."""
    _check(record, at, seat)
    last = len(record) if at is None else at
    views = islice(record.positions(), last + 1)
    write_text(out, view_page(views, _events(record, at)), "")


def _events(record: SeatRecord, at: int | None) -> tuple[Event, ...]:
    last = len(record) if at is None else at
    return tuple(event for event in record.events if event.version <= last)


def _check(record: SeatRecord, at: int | None, seat: int | None) -> None:
    if seat is not None and seat != record.seat:
        raise BadInput(f"--seat: the file holds only what {_who(record)} saw")
    if at is not None and at > len(record):
        raise BadInput(f"--at: the record has {counted(len(record), 'move')}, not {at}")


def _who(record: SeatRecord) -> str:
    if record.seat is None:
        return "a spectator"
    name = clean(record.names[record.seat])
    return f"seat {record.seat}" + (f" ({name})" if name != f"Seat {record.seat}" else "")
