"""`herzen simulate`: many matches by bots, a summary, and records if wanted."""

from __future__ import annotations

import math
import os
import shlex
from collections import Counter
from collections.abc import Iterator

from rich import box
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from herzen.archive import dump_records
from herzen.bots.failures import failure
from herzen.cli.options import read_bots, read_game, read_rules, seed_of, writable
from herzen.cli.output import BadInput, Held, Output, complain
from herzen.game import Game
from herzen.record import Record
from herzen.render.text import game_text
from herzen.seeds import seed_text
from herzen.simulation import SimulationResult, run

END = object()
"""After the last match."""


def simulate_matches(
    name: str,
    games: int,
    seed_given: str | None,
    bots: str,
    players: int | None,
    rule_entries: list[str],
    record: str | None,
    first: int,
    details: bool,
) -> None:
    """Play and count; see the command's options."""
    kind = read_game(name)
    rules = read_rules(kind, rule_entries, players)
    seed = seed_of(seed_given)
    policy = read_bots(bots, rules.players)
    target = None if record is None else writable(record)
    numbers = range(first, first + games)
    result = SimulationResult(rules, seed, "totals", games)
    counts: Counter[tuple[str, int]] = Counter()
    counted = game_text(kind.name).counted
    moves_seen = details or target is not None
    done = 0
    new = target is not None and not os.path.exists(target)
    keeps = False  # what was played, where it ends early: not over a file that may hold more
    stopped: BaseException | None = None

    def watch(game: Game) -> None:
        counts.update(counted(game))

    def blame(game: Game, seat: int, error: Exception) -> BadInput:
        return BadInput(f"match {first + done}, {failure(policy[seat], seat, game.ply, error)}")

    steps = run(result, numbers, policy, watch=watch if moves_seen else None, blame=blame)

    def records() -> Iterator[Record]:
        """The matches that are played to their end; one that is not ends them, once they are written an error."""
        nonlocal done, keeps, stopped
        try:
            while True:
                with held.let_in():
                    game = next(steps, END)
                if game is END:
                    return
                assert isinstance(game, Game)
                yield game.record()
                done += 1
                keeps = new
                bar.update(task, completed=done)
        except (BadInput, KeyboardInterrupt, SystemExit) as error:
            stopped = error
            if not keeps:
                raise  # and what was in the file stays

    try:
        with Held() as held, progress_bar() as bar:
            task = bar.add_task("matches", total=games)
            if target is not None:
                dump_records(target, records())
            else:
                with held.let_in():
                    for _ in steps:
                        done = result.games
                        bar.update(task, completed=done)
        if stopped is not None:
            raise stopped
    except (BadInput, KeyboardInterrupt, SystemExit) as error:
        given = seed_text(seed) if seed_given is None else shlex.quote(seed_given)
        told = f"{done:,} of {games:,} matches played"
        more = f"--seed {given} --first {first + done} --games {games - done}"
        if record is None:
            more = f"; to go on: {more}"
        elif keeps:
            told += f" and written: {record}"
            more = f"; to go on, into another file: {more}"
        else:
            told += f", none written: {record} is as it was"
            more = ""
        _tell_end(error, told, more)
        raise
    out = Output()
    _show(out, kind, result, policy, counts if moves_seen else None, first)
    if seed_given is None:
        out.say(f"seed {seed_text(seed)}")
    if record is not None:
        out.say(f"written: {record} (herzen replay {record} shows it)")


def _tell_end(error: BaseException, told: str, more: str) -> None:
    """Say in the error's one line how far it went, and how to go on."""
    if isinstance(error, BadInput):  # a bot that would fail again
        error.args = (f"{error}; {told}",)
    elif isinstance(error, SystemExit):
        complain(f"ended, {told}{more}")
    else:
        error.args = (f"interrupted, {told}{more}",)


def progress_bar() -> Progress:
    """A bar on stderr, on a terminal only."""
    err = Output(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=err,
        transient=True,
        disable=not err.is_terminal or err.is_dumb_terminal,
    )


def _show(
    out: Output,
    kind: type[Game],
    result: SimulationResult,
    policy: list[str],
    counts: Counter[tuple[str, int]] | None,
    first: int,
) -> None:
    """The summary: one row a seat."""
    matches = "1 match" if result.games == 1 else f"{result.games:,} matches"
    deals = "1 deal" if result.deals == 1 else f"{result.deals:,} deals"
    out.say(
        f"{kind.name}: {matches}"
        + (f" from number {first}" if first else "")
        + f", {deals}, {result.plies:,} moves"
    )
    single = result.games == 1
    error = "±" if out.symbols else "+/-"
    # Narrow, and where it is still too wide, only the words of bots are broken, never numbers and headings.
    table = Table(box=box.SIMPLE, pad_edge=False, padding=(0, 1, 0, 0), show_edge=False)
    table.add_column("seat", justify="right", no_wrap=True)
    table.add_column("bot", overflow="fold")
    headings = ["score"] if single else ["mean score", error, "lowest", "highest"]
    headings += ["won", "shared", *(game_text(kind.name).COUNTED if counts is not None else ())]
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    for seat, (mean, variance) in enumerate(zip(result.means, result.variances, strict=True)):
        row = [str(seat), policy[seat], str(round(mean)) if single else f"{mean:.2f}"]
        scores = result.histograms[seat]
        if not single:
            row += [f"{math.sqrt(variance / result.games):.2f}", str(min(scores)), str(max(scores))]
        row += [f"{result.wins[seat]:,}", f"{result.shared[seat]:,}"]
        if counts is not None:
            row += [f"{counts[heading, seat]:,}" for heading in game_text(kind.name).COUNTED]
        table.add_row(*row)
    out.print(table)
    if not single:
        out.say(f"{error}: standard error of the mean. won: alone. shared: the win with others.")
