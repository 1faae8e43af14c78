"""`herzen arena`: tournaments of bots on duplicate deals."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from math import isfinite

from rich import box
from rich.table import Table

from herzen.arena import Estimate, Results, Standing, Tournament, process_pool
from herzen.arena.field import FIELDS, SEATINGS
from herzen.arena.plot import check
from herzen.arena.store import read_identity, undamaged
from herzen.arena.tournament import AHEAD
from herzen.cli.options import check_apart, read_game, read_rules, read_words, seed_of, writable
from herzen.cli.output import BadInput, Output
from herzen.cli.simulate import progress_bar
from herzen.seeds import seed_text

NO_DASK = "--dask: needs distributed: python -m pip install 'herzen[arena]'"


@dataclass(frozen=True, slots=True)
class Who:
    """Who plays whom, as the command line has it."""

    bots: list[str]
    players: int | None
    rules: list[str]
    field: str
    tables: list[str]
    seating: str


@dataclass(frozen=True, slots=True)
class Files:
    """Files to write, each None if not wanted; `results` is also read."""

    results: str | None
    csv: str | None
    games: str | None
    plot: str | None
    records: str | None

    def check(self) -> None:
        """BadInput at once for what could only fail after hours."""
        files = {
            "--file": self.results,
            "--csv": self.csv,
            "--games-csv": self.games,
            "--plot": self.plot,
            "--records": self.records,
        }
        for option, path in files.items():
            if path is not None:
                writable(path, option)
        check_apart(files)
        if self.plot is not None:
            check(self.plot)


def play_tournament(
    name: str,
    who: Who,
    deals: int,
    seed_given: str | None,
    workers: int,
    dask: str | None,
    files: Files,
) -> None:
    """Play and compare; see the command's options."""
    if dask is not None and workers > 1:
        raise BadInput("--workers and --dask: one or the other")
    files.check()
    tournament = _read(name, who, deals, seed_given, files)
    with _executor(workers, dask) as (executor, ahead), progress_bar() as bar:
        task = bar.add_task("deals", total=deals)
        results = tournament.play(
            executor,
            file=files.results,
            progress=lambda done, _: bar.update(task, completed=done),
            ahead=ahead,
        )
    out = Output()
    _show(out, results)
    if seed_given is None:
        out.say(f"seed {seed_text(tournament.seed)}")
    for path, write in (
        (files.csv, results.write_csv),
        (files.games, results.write_games),
        (files.plot, results.plot),
        (files.records, results.dump_records),
    ):
        if path is not None:
            write(path)
            out.say(f"written: {path}")


def _read(name: str, who: Who, deals: int, seed_given: str | None, files: Files) -> Tournament:
    kind = read_game(name)
    rules = read_rules(kind, who.rules, who.players)
    tables = [read_words(table.split(","), "--table") for table in who.tables]
    for option, word, known in (
        ("--field", who.field, FIELDS),
        ("--seating", who.seating, SEATINGS),
    ):
        if word not in known:
            raise BadInput(f"{option}: {word!r} is not one of {', '.join(known)}")
    if tables and who.field != FIELDS[0]:
        raise BadInput("--field and --table: one or the other")
    seed = seed_of(seed_given)
    if seed_given is None and files.results is not None and os.path.isfile(files.results):
        kept = read_identity(files.results).get("seed")
        with undamaged(files.results):
            seed = seed if kept is None else int(kept, 16)
    return Tournament(
        rules,
        read_words(who.bots, "BOTS"),
        deals,
        seed=seed,
        field=tables or who.field,
        seating=who.seating,
        # Without a file records are only for those who ask for them: they take memory.
        records=files.results is not None or files.records is not None,
    )


@contextmanager
def _executor(workers: int, dask: str | None) -> Iterator[tuple[Executor | None, int]]:
    """Who plays, and how many tasks to give out at a time."""
    if dask is not None:
        try:
            distributed = import_module("distributed")
        except ImportError:
            raise BadInput(NO_DASK) from None
        try:
            client = distributed.Client(dask, timeout=10)
        except (OSError, ValueError, TypeError) as error:
            raise BadInput(f"--dask: {dask}: {error}") from None
        with client:
            threads = sum(client.nthreads().values())
            executor: Executor = client.get_executor(pure=False)
            yield executor, max(AHEAD, 4 * threads)
    elif workers > 1:
        pool = process_pool(workers)
        try:
            yield pool, max(AHEAD, 4 * workers)
        finally:
            pool.shutdown(cancel_futures=True)
    else:
        yield None, AHEAD


# ---- tables --------------------------------------------------------------------------------------------------


def _show(out: Output, results: Results) -> None:
    tournament = results.tournament
    deals, lineups = len(results.deals), len(tournament.lineups)
    hands = int(results.hands.sum())
    out.say(
        f"{tournament.rules.game}: {deals:,} {_plural(deals, 'deal')} of {lineups:,} "
        f"{_plural(lineups, 'line-up')}, {results.games:,} {_plural(results.games, 'match')}, {hands:,} hands"
    )
    matches = bool((results.hands > 1).any())
    _show_standing(out, results.standing, matches, whole=True)
    if len(results.tables) > 1:
        for standing in results.tables:
            assert standing.table is not None
            out.say()
            out.say(f"Table: {_counted(standing.table)}", style="bold")
            _show_standing(out, standing, matches, whole=False)
    sign = "±" if out.symbols else "+/-"
    out.say(f"{sign}: half of the 95 % interval, from deal to deal.")


def _plural(number: int, word: str) -> str:
    ending = "es" if word.endswith("h") else "s"
    return word if number == 1 else word + ending


def _counted(table: Sequence[str]) -> str:
    """`2 rule, 1 random`"""
    return ", ".join(f"{table.count(bot)} {bot}" for bot in dict.fromkeys(table))


def _show_standing(out: Output, standing: Standing, matches: bool, *, whole: bool) -> None:
    """Scores and differences; places and what the game counts only where `whole`."""
    sign = "±" if out.symbols else "+/-"
    scores = ("score", sign, *(("a hand", sign) if matches else ()))
    table = _table("bot", "games", *scores, "rating", sign)
    for bot in standing.bots:
        row = [bot.bot, f"{bot.games:,}", *_shown(bot.score, 2)]
        row += _shown(bot.deal_score, 2) if matches else []
        table.add_row(*row, *_shown(bot.rating, 0))
    out.print(table)
    if whole:
        out.say()
        seats = range(1, 1 + len(standing.bots[0].places))
        table = _table(
            "bot", "wins", sign, "place", *map(_ordinal, seats), *standing.bots[0].counted
        )
        for bot in standing.bots:
            row = [bot.bot, *_shown(bot.wins, 1, percent=True), f"{bot.place.value:.2f}"]
            table.add_row(*row, *(f"{count:,}" for count in (*bot.places, *bot.counted.values())))
        out.print(table)
    if not standing.pairs:
        return
    out.say()
    table = _table("difference", "games", *scores, "ahead", sign, "better")
    less = "−" if out.symbols else "-"
    for pair in standing.pairs:
        row = [f"{pair.first} {less} {pair.second}", f"{pair.games:,}", *_shown(pair.score, 2)]
        row += _shown(pair.deal_score, 2) if matches else []
        table.add_row(*row, *_shown(pair.ahead, 1, percent=True), pair.better or "open")
    out.print(table)


def _ordinal(place: int) -> str:
    return f"{place}{('st', 'nd', 'rd')[place - 1] if place < 4 else 'th'}"


def _table(first: str, *headings: str) -> Table:
    table = Table(box=box.SIMPLE, pad_edge=False, padding=(0, 1), show_edge=False)
    table.add_column(first, overflow="fold")
    for heading in headings:
        table.add_column(heading, justify="right")
    return table


def _shown(estimate: Estimate, digits: int, *, percent: bool = False) -> list[str]:
    """The value and half of its interval."""
    factor, unit = (100, "%") if percent else (1, "")
    half = (estimate.high - estimate.low) / 2
    return [
        f"{factor * estimate.value:.{digits}f}{unit}",
        f"{factor * half:.{digits}f}" if isfinite(half) else "",
    ]
