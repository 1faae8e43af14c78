"""`herzen replay`: show and verify recorded matches."""

from __future__ import annotations

from herzen.cli.options import read_seat, records_in
from herzen.cli.output import BadInput, Different, Output, complain
from herzen.errors import ReplayMismatch
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
) -> None:
    """Show record `number` of a file; see the command's options."""
    out = Output()
    symbols = out.symbols and not ascii_only
    record, more = find_record(path, number)
    if at is not None and at > len(record.moves):
        raise BadInput(f"--at: the record has {_count(len(record.moves), 'move')}, not {at}")
    if seat is not None:
        read_seat(seat, record.rules.players)
    # First of all: a record that is wrong may not even replay.
    verified = _verify(path) if verify else ""
    game = record.replay(at)
    out.say(_title(record, number, more), style="bold")
    if log:
        _tell(out, game, seat, symbols)
    out.say()
    out.say(table(game if seat is None else game.view(seat), symbols=symbols, width=out.columns))
    out.say()
    _say_where(out, record, game, at, seat, symbols)
    if verified:
        out.say(verified)


def find_record(path: str, number: int) -> tuple[Record, bool]:
    """Record `number` of a file, and whether it holds others."""
    records = records_in(path)
    count = 0
    for record in records:
        if count == number:
            return record, number > 0 or next(records, None) is not None
        count += 1
    raise BadInput(f"--game: {path} holds {_count(count, 'record')}, numbered from 0")


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _title(record: Record, number: int, more: bool) -> str:
    which = f"record {number}, " if more else ""
    rules = ", ".join(f"{name}={value}" for name, value in record.rules.to_dict().items())
    return f"{record.game}: {which}{_count(len(record.moves), 'move')}" + (
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
        raise Different(f"verification failed for {failed} of {_count(count, 'record')}")
    return (
        f"Verified: {_count(count, 'record')}, {_count(moves, 'move')}, all as the rules have it."
    )


def _tell(out: Output, game: Game, seat: int | None, symbols: bool) -> None:
    text = game_text(game.name)
    names = [clean(name) for name in game.names]
    for event in game.log if seat is None else game.events(seat):
        told = text.sentence(event, names, symbols=symbols)
        if told:
            out.say(f"  {told}")


def _say_where(
    out: Output, record: Record, game: Game, at: int | None, seat: int | None, symbols: bool
) -> None:
    """What was played last and comes next, or how the match ended."""
    names = [clean(name) for name in game.names]
    applied = len(record.moves) if at is None else at
    if game.over:
        scores = ", ".join(
            f"{name} {score}" for name, score in zip(names, game.scores, strict=True)
        )
        out.say(f"Result: {scores}")
        winners = [names[int(winner)] for winner in game.winners]
        out.say(f"{'Winner' if len(winners) == 1 else 'Winners'}: {listed(winners)}")
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
