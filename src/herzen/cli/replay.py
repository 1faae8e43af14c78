"""`herzen replay`: show, verify and compare recorded matches."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, SupportsIndex

from herzen.cli.options import read_seat, records_in
from herzen.cli.output import BadInput, Different, Output, complain
from herzen.errors import ReplayMismatch
from herzen.events import Event, plain
from herzen.game import Game
from herzen.record import Record
from herzen.render.text import clean, game_text, listed, table

MOST_COMPLAINTS = 10


def replay_file(
    path: str,
    at: int | None,
    seat: int | None,
    verify: bool,
    number: int,
    log: bool,
    ascii_only: bool,
    as_json: bool = False,
) -> None:
    """Show record `number` of a file; see the command's options."""
    out = Output()
    symbols = out.symbols and not ascii_only
    record, more = find_record(path, number)
    if at is not None and at > len(record.moves):
        raise BadInput(f"--at: the record has {counted(len(record.moves), 'move')}, not {at}")
    if seat is not None:
        read_seat(seat, record.rules.players)
    if as_json:
        out.say(
            json.dumps(_verified(path) if verify else _described(record, number, at, seat, log))
        )
        return
    # First of all: a record that is wrong may not even replay.
    verified = _verify(path) if verify else ""
    game = record.replay(at)
    out.say(_title(record, number, more), style="bold")
    if log:
        events = game.log if seat is None else game.events(seat)
        tell(out, game.name, game.names, events, symbols)
    out.say()
    out.say(table(game if seat is None else game.view(seat), symbols=symbols, width=out.columns))
    out.say()
    _say_where(out, record, game, at, seat, symbols)
    _say_notes(out, record, game, seat, at)
    if verified:
        out.say(verified)


def compare(path: str, other: str, number: int, as_json: bool) -> None:
    """Say where record `number` of a file and the one of another file part; Different if they do."""
    mine, _ = find_record(path, number)
    theirs, _ = find_record(other, number)
    found = mine.diff(theirs)
    if as_json:
        Output().say(json.dumps({"difference": None if found is None else found.to_dict()}))
    if found is not None:
        raise Different(f"{path} (here) and {other} (there): {found}")
    if not as_json:
        Output().say(f"No difference in {counted(len(mine.moves), 'move')}.")


def find_record(path: str, number: int) -> tuple[Record, bool]:
    """Record `number` of a file, and whether it holds others."""
    records = records_in(path)
    count = 0
    for record in records:
        if count == number:
            return record, number > 0 or next(records, None) is not None
        count += 1
    raise BadInput(f"--game: {path} holds {counted(count, 'record')}, numbered from 0")


def _described(
    record: Record, number: int, at: int | None, seat: int | None, log: bool
) -> dict[str, Any]:
    """A position of a record as JSON has it: with all hands, or as far as a seat may know it."""
    game = record.replay(at)
    applied = len(record.moves) if at is None else at
    about = {"game": record.game, "record": number, "moves": len(record.moves), "at": applied}
    if seat is not None:
        return about | {"seat": seat, "view": game.view(seat).to_dict()}
    played, coming = record.moves[applied - 1 : applied], record.moves[applied : applied + 1]
    events = {"events": [event.to_dict() for event in game.log]} if log else {}
    return (
        about
        | {
            "rules": record.rules.to_dict(),
            "phase": game.phase.value,
            "turn": None if game.turn is None else int(game.turn),
            "to_move": [int(seat) for seat in game.to_move],
            "deal_number": game.deal_number,
            "scores": list(game.scores),
            "points": list(game.points),
            "over": game.over,
            "winners": [int(seat) for seat in game.winners],
            "last": list(played[0]) if played else None,
            "next": list(coming[0]) if coming else None,
            "legal_moves": plain(game.legal_moves()),
            "position": game._setup_zones(game),
            "setup": game.to_setup(),
            "fingerprint": game.fingerprint() if game.has_seed else None,
            "notes": [text for count, text in record.notes if count == applied],
            "stamp": record.stamps[applied - 1] if applied and record.stamps else None,
        }
        | events
    )


def _verified(path: str) -> dict[str, Any]:
    """What there is to say of the records of a file that do not replay to what they say; Different if one does not."""
    failed = []
    count = moves = 0
    for record in records_in(path):
        try:
            record.verify()
        except ReplayMismatch as error:
            failed.append({"record": count, "index": error.index, "sentence": str(error)})
        count += 1
        moves += len(record.moves)
    found = {"records": count, "moves": moves, "failed": failed[:MOST_COMPLAINTS]}
    if failed:
        Output().say(json.dumps(found))
        raise Different(f"verification failed for {len(failed)} of {counted(count, 'record')}")
    return found


def _say_notes(out: Output, record: Record, game: Game, seat: int | None, at: int | None) -> None:
    """The notes on this position; they are the server's."""
    applied = len(record.moves) if at is None else at
    for count, text in record.notes if seat is None else ():
        if count == applied:
            out.say(f"Note: {clean(text)}")


def counted(number: int, word: str) -> str:
    """So many of something, as in "2 moves"."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _title(record: Record, number: int, more: bool) -> str:
    which = f"record {number}, " if more else ""
    rules = ", ".join(f"{name}={value}" for name, value in record.rules.to_dict().items())
    return f"{record.game}: {which}{counted(len(record.moves), 'move')}" + (
        f", rules: {rules}" if rules else ""
    )


def _verify(path: str) -> str:
    """What to say of a file whose records all replay to what they say; Different if one does not."""
    failed = count = moves = 0
    for record in records_in(path):
        try:
            record.verify()
        except ReplayMismatch as error:
            failed += 1
            if failed <= MOST_COMPLAINTS:
                complain(f"record {count}: {error}")
        count += 1
        moves += len(record.moves)
    if failed:
        raise Different(f"verification failed for {failed} of {counted(count, 'record')}")
    return (
        f"Verified: {counted(count, 'record')}, {counted(moves, 'move')}, all as the rules have it."
    )


def tell(
    out: Output, game: str, names: Sequence[str], events: Iterable[Event], symbols: bool
) -> None:
    """Say what happened, event by event."""
    text = game_text(game)
    names = [clean(name) for name in names]
    for event in events:
        told = text.sentence(event, names, symbols=symbols)
        if told:
            out.say(f"  {told}")


def say_result(
    out: Output, names: Sequence[str], scores: Sequence[int], winners: Iterable[SupportsIndex]
) -> None:
    """Say how a match ended."""
    names = [clean(name) for name in names]
    told = ", ".join(f"{name} {score}" for name, score in zip(names, scores, strict=True))
    out.say(f"Result: {told}")
    best = [names[winner] for winner in winners]
    out.say(f"{'Winner' if len(best) == 1 else 'Winners'}: {listed(best)}")


def _say_where(
    out: Output, record: Record, game: Game, at: int | None, seat: int | None, symbols: bool
) -> None:
    """What was played last and comes next, or how the match ended."""
    names = [clean(name) for name in game.names]
    applied = len(record.moves) if at is None else at
    if game.over:
        say_result(out, game.names, game.scores, game.winners)
        return
    if applied:
        out.say(
            f"Move {applied}, the last shown: {_told(record, applied - 1, seat, symbols, names)}"
        )
    if applied == len(record.moves):
        out.say("The match was not finished.")
    elif seat is None:
        out.say(f"Move {applied + 1}, the next: {_told(record, applied, None, symbols, names)}")


def _told(record: Record, index: int, seat: int | None, symbols: bool, names: list[str]) -> str:
    """A move of the record; of another seat's move no more than `seat` may know."""
    mover, move = record.moves[index]
    text = game_text(record.game)
    if seat is None or seat == mover:
        return f"{names[mover]}, {text.describe(move, symbols=symbols)}"
    before = record.replay(index)
    seen = before.play(move, seat=mover)[0].for_seat(seat)
    return text.sentence(seen, names, symbols=symbols) or names[mover]
