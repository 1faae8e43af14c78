"""`herzen simulate`: many matches by bots, a summary, and records if wanted."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

from rich import box
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from herzen.archive import dump_records
from herzen.cli.options import read_bots, read_game, read_rules, seed_of, writable
from herzen.cli.output import Output
from herzen.game import Game
from herzen.record import Record
from herzen.render.text import game_text
from herzen.seeds import seed_text
from herzen.simulation import SimulationResult, run


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
    with progress_bar() as bar:
        task = bar.add_task("matches", total=games)

        def matches() -> Iterator[Record]:
            for game in run(result, numbers, policy, watch=watch if moves_seen else None):
                bar.update(task, completed=result.games)
                if target is not None and game is not None:
                    yield game.record()

        def watch(game: Game) -> None:
            counts.update(counted(game))

        moves_seen = details or target is not None or set(policy) != {"random"}
        if target is not None:
            dump_records(target, matches())
        else:
            for _ in matches():
                pass
    out = Output()
    _show(out, kind, result, policy, counts if moves_seen else None, first)
    if seed_given is None:
        out.say(f"seed {seed_text(seed)}")
    if record is not None:
        out.say(f"written: {record} (herzen replay {record} shows it)")


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
    table = Table(box=box.SIMPLE, pad_edge=False, padding=(0, 1), show_edge=False)
    table.add_column("seat", justify="right")
    table.add_column("bot")
    table.add_column("score" if single else "mean score", justify="right")
    if not single:
        for heading in (error, "lowest", "highest"):
            table.add_column(heading, justify="right")
    headings = ["won", "shared", *(game_text(kind.name).COUNTED if counts is not None else ())]
    for heading in headings:
        table.add_column(heading, justify="right")
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
