"""`herzen records`: list, filter and count the records of an archive, in constant memory."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from rich import box
from rich.table import Table

from herzen.archive import dump_records
from herzen.cli.options import read_game, records_in, writable
from herzen.cli.output import Output
from herzen.record import Record
from herzen.render.text import clean

LISTED = 20
"""Records listed unless told otherwise."""
MEMORY = 10_000
"""Different kinds of matches (game, rules, seats) counted apart; what comes later is counted together."""


@dataclass(frozen=True)
class Wanted:
    """Which records are looked at; None: all."""

    game: str | None = None
    players: int | None = None
    winner: int | None = None
    finished: bool | None = None
    least: int | None = None
    most: int | None = None

    def has(self, record: Record) -> bool:
        """Whether a record is one of them."""
        return (
            self.game in (None, record.game)
            and self.players in (None, record.rules.players)
            and self.finished in (None, record.result is not None)
            and (self.winner is None or self.winner in (record.result or {}).get("winners", ()))
            and (self.least is None or len(record.moves) >= self.least)
            and (self.most is None or len(record.moves) <= self.most)
        )


@dataclass
class Kind:
    """What is counted of the matches of one kind."""

    count: int = 0
    finished: int = 0
    moves: int = 0
    deals: int = 0
    undos: int = 0
    scores: list[int] = field(default_factory=list)
    wins: list[int] = field(default_factory=list)

    def add(self, record: Record) -> None:
        """Count one match."""
        players = record.rules.players
        self.scores = self.scores or [0] * players
        self.wins = self.wins or [0] * players
        self.count += 1
        self.moves += len(record.moves)
        self.deals += len(record.deals)
        self.undos += record.undos
        if record.result is not None:
            self.finished += 1
            for seat, total in enumerate(record.result["scores"]):
                self.scores[seat] += total
            for seat in record.result["winners"]:
                self.wins[seat] += 1

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; mean scores of the finished matches, None where there are none."""
        means = [total / self.finished for total in self.scores] if self.finished else None
        return {
            "records": self.count,
            "finished": self.finished,
            "moves": self.moves,
            "deals": self.deals,
            "undos": self.undos,
            "mean_scores": means,
            "wins": self.wins,
        }


def show_records(
    path: str,
    wanted: Wanted,
    limit: int,
    statistics: bool,
    torn: bool,
    into: str | None,
    as_json: bool,
) -> None:
    """List or count records, or write those wanted to another file; see the command's options."""
    if wanted.game is not None:
        read_game(wanted.game)
    out = Output()
    chosen = _chosen(path, wanted, torn)
    if into is not None:
        count = dump_records(writable(into), (record for _, record in chosen))
        out.say(f"written: {into}, {count:,} {'record' if count == 1 else 'records'}")
    elif statistics:
        _count(out, chosen, as_json)
    else:
        _list(out, chosen, limit, as_json)


def _chosen(path: str, wanted: Wanted, torn: bool) -> Iterator[tuple[int, Record]]:
    for number, record in enumerate(records_in(path, torn=torn)):
        if wanted.has(record):
            yield number, record


def _facts(number: int, record: Record) -> dict[str, Any]:
    return {
        "record": number,
        "game": record.game,
        "players": record.rules.players,
        "rules": record.rules.to_dict(),
        "deals": len(record.deals),
        "moves": len(record.moves),
        "undos": record.undos,
        "result": record.result,
        "names": None if record.names is None else list(record.names),
        "notes": len(record.notes),
        "started": next((stamp for stamp in record.stamps if stamp is not None), None),
    }


def _list(out: Output, chosen: Iterator[tuple[int, Record]], limit: int, as_json: bool) -> None:
    table = Table(box=box.SIMPLE, pad_edge=False, padding=(0, 1), show_edge=False)
    for heading in ("record", "game", "seats", "deals", "moves", "scores", "won by"):
        numeric = heading in ("record", "seats", "deals", "moves")
        table.add_column(heading, justify="right" if numeric else "left")
    shown = 0
    more = False
    for number, record in chosen:
        if shown == limit:
            more = True
            break
        shown += 1
        if as_json:
            out.say(json.dumps(_facts(number, record)))
            continue
        result = record.result or {"scores": ["running"], "winners": []}
        names = record.names or tuple(f"seat {seat}" for seat in range(record.rules.players))
        table.add_row(
            *map(str, (number, record.game, record.rules.players)),
            *map(str, (len(record.deals), len(record.moves))),
            " ".join(map(str, result["scores"])),
            ", ".join(clean(names[seat]) for seat in result["winners"]),
        )
    if as_json:
        return
    if shown:
        out.print(table)
    else:
        out.say("No record is one of these.")
    if more:
        out.say(f"The first {shown}; --limit shows more.")


def _count(out: Output, chosen: Iterator[tuple[int, Record]], as_json: bool) -> None:
    kinds: dict[str, Kind] = {}
    lengths: Counter[int] = Counter()
    for _, record in chosen:
        rules = ", ".join(f"{name}={value}" for name, value in record.rules.to_dict().items())
        name = f"{record.game}, {record.rules.players} seats" + (f": {rules}" if rules else "")
        if name not in kinds and len(kinds) >= MEMORY:
            name = f"others with {record.rules.players} seats"
        kinds.setdefault(name, Kind()).add(record)
        lengths[len(record.moves)] += 1
    if as_json:
        out.say(json.dumps({name: kind.to_dict() for name, kind in kinds.items()}))
        return
    if not kinds:
        out.say("No record is one of these.")
    for name, kind in kinds.items():
        out.say(name, style="bold")
        out.say(
            f"  {kind.count:,} {'record' if kind.count == 1 else 'records'}, {kind.finished:,} finished,"
            f" {kind.deals:,} deals, {kind.moves:,} moves, {kind.undos:,} taken back"
        )
        if kind.finished:
            means = " ".join(f"{total / kind.finished:.2f}" for total in kind.scores)
            out.say(f"  mean scores by seat: {means}")
            out.say(f"  won by seat: {' '.join(f'{wins:,}' for wins in kind.wins)}")
    if lengths:
        out.say(f"moves in a record: {min(lengths)} to {max(lengths)}")
