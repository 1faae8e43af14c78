"""`Tournament`: what is to be played, and the playing of it over any executor."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import closing
from time import monotonic
from typing import Any

from herzen._version import __version__
from herzen.arena.field import FIELDS, MOST_LINEUPS, SEATINGS, Table, canonical, lineups, tables
from herzen.arena.results import Results
from herzen.arena.store import FORMAT, Store, read_identity, read_lines, read_outcomes, undamaged
from herzen.arena.work import Plan, Played, play_deals
from herzen.bots import bot_maker, bot_word
from herzen.errors import ArenaError, HerzenError
from herzen.registry import game_class
from herzen.rules import Rules, canonical_json
from herzen.seeds import Seed, parse_seed, seed_text

Progress = Callable[[int, int], None]
"""Called with (deals done, all deals)."""
Path = str | os.PathLike[str]

AHEAD = 64
TASK_SECONDS = 0.5
"""A task grows until it takes so long: then what an executor costs does not count."""
MOST_OF_A_TASK = 1024
WRITE_SECONDS = 1.0
"""At most so much work is lost, and played again, where a run ends in a crash."""


class Tournament:
    """Bots that play each other on the same deals in different seats. Immutable.

    rules: what is played; they also say which game and how many seats. bots: two or more different words of bots
    (herzen.bots.words); one is enough for a field "mixed". deals: how many seeds are played; every line-up plays
    every one of them. Deal d is a match with the seed child(seed, d), whatever the line-up: all deals of the match
    are the same, and so are the seeds of the bots' seats. seed: as a game's.

    field: which bots meet. "mixed": all together; every table where the numbers of seats of any two bots differ by
    one at most, so with more bots than seats each choice of as many as there are seats. "one": one bot among others of
    one kind, for each ordered pair of bots. "pairs": two bots that share the seats, for each pair. Or a sequence of
    tables, each the words of the bots that sit together.

    seating: "rotations" (each table as it stands and turned round) or "all" (all different orders of it).

    records: whether to keep the record of every game.

    ArenaError and the errors of `bot_word`, of rules and seeds.
    """

    __slots__ = (
        "bots",
        "deals",
        "field",
        "lineups",
        "records",
        "rules",
        "seating",
        "seed",
        "tables",
    )
    rules: Rules
    """What is played."""
    bots: tuple[str, ...]
    """The words of the bots, in their one spelling."""
    deals: int
    """Number of deals."""
    seed: int
    """The seed of the tournament."""
    field: str
    """The name of the field; "tables" where tables were given."""
    seating: str
    """"rotations" or "all"."""
    records: bool
    """Whether records are kept."""
    tables: tuple[Table, ...]
    """Which bots sit together: numbers of bots, as many as there are seats."""
    lineups: tuple[Table, ...]
    """Which bot sits in which seat: each deal is played once with each of them. Numbers of bots, by seat."""

    def __init__(
        self,
        rules: Rules,
        bots: Sequence[str],
        deals: int,
        *,
        seed: Seed = None,
        field: str | Sequence[Sequence[str]] = "mixed",
        seating: str = "rotations",
        records: bool = True,
    ) -> None:
        if not isinstance(rules, Rules):
            raise TypeError(f"a tournament needs rules, not {type(rules).__name__}")
        if isinstance(bots, str):
            raise TypeError("bots: a sequence of words is needed")
        if isinstance(deals, bool) or not isinstance(deals, int):
            raise TypeError(f"deals is an int, not {type(deals).__name__}")
        if not 1 <= deals <= 1_000_000_000:
            raise ArenaError(f"deals={deals}: allowed is 1..1000000000")
        words = tuple(bot_word(word) for word in bots)
        if not words:
            raise ArenaError("a tournament needs bots")
        for word in words:
            if words.count(word) > 1:
                raise ArenaError(f"bots: {word} stands twice")
        if seating not in SEATINGS:
            raise ArenaError(f"no such seating: {seating!r} (there are: {', '.join(SEATINGS)})")
        if isinstance(field, str):
            if field not in FIELDS:
                raise ArenaError(f"no such field: {field!r} (there are: {', '.join(FIELDS)})")
            chosen = tables(field, len(words), rules.players)
        else:
            chosen = _read_tables(field, words, rules.players)
        seats: list[Table] = []
        for table in chosen:
            seats += lineups(table, seating)
            if len(seats) > MOST_LINEUPS:
                raise ArenaError(f"more than {MOST_LINEUPS} line-ups: {len(chosen)} tables")
        for name, value in (
            ("rules", rules),
            ("bots", words),
            ("deals", deals),
            ("seed", parse_seed(seed)),
            ("field", field if isinstance(field, str) else "tables"),
            ("seating", seating),
            ("records", bool(records)),
            ("tables", chosen),
            ("lineups", tuple(seats)),
        ):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("tournaments are immutable")

    def __repr__(self) -> str:
        return (
            f"<Tournament: {self.rules.game}, {', '.join(self.bots)}, "
            f"{self.deals} deals of {len(self.lineups)} line-ups>"
        )

    @property
    def games(self) -> int:
        """Number of games."""
        return self.deals * len(self.lineups)

    def words(self, lineup: Sequence[int]) -> tuple[str, ...]:
        """The words of the bots of a line-up or table."""
        return tuple(self.bots[bot] for bot in lineup)

    def play(
        self,
        executor: Executor | None = None,
        *,
        file: Path | None = None,
        progress: Progress | None = None,
        ahead: int = AHEAD,
    ) -> Results:
        """Play what is not played yet; the results, which do not depend on who played it.

        executor: a process pool, `distributed.Client.get_executor()`, or any other; None: this thread. It is not shut
        down. file: an SQLite file for the results. It is made, or gone on with: what it holds is not played again,
        and `deals` may be more or fewer than before. progress: called now and then; an exception that it raises ends
        the run, and so does Ctrl-C; the file keeps what was played. ahead: tasks that wait or run at a time; at
        least two for each worker are needed to keep all of them busy.

        ArenaError where a bot fails (the sentence names deal, line-up and error), the file holds another tournament or
        is in use, or the executor breaks.
        """
        for word in self.bots:
            bot_maker(word)  # a word that cannot be found fails here, not far away
        names = [self.words(lineup) for lineup in self.lineups]
        store = Store(file, self._identity(), names)
        try:
            self._play(store, executor, progress, max(1, ahead))
            if file is None:
                kept = store.lines(self.deals)
                return Results(self, list(store.outcomes(self.deals)), lambda: iter(kept))
            outcomes = list(store.outcomes(self.deals))
        finally:
            store.close()
        with undamaged(file):
            return Results(self, outcomes, lambda: read_lines(file, self.deals), file)

    def _play(
        self, store: Store, executor: Executor | None, progress: Progress | None, ahead: int
    ) -> None:
        done = store.done()
        missing = [deal for deal in range(self.deals) if deal not in done]
        count = self.deals - len(missing)
        fresh: list[Played] = []
        written = monotonic()

        def write() -> None:
            nonlocal written, fresh
            if fresh:
                store.add(fresh)
                fresh = []
            written = monotonic()

        if progress is not None:
            progress(count, self.deals)
        try:
            # Closed at once where progress ends the run: tasks that wait are cancelled.
            with closing(self._run(missing, executor, ahead)) as run:
                for played in run:
                    fresh += played
                    count += len(played)
                    if monotonic() - written >= WRITE_SECONDS:
                        write()
                    if progress is not None:
                        progress(count, self.deals)
        finally:
            write()

    def _run(
        self, missing: list[int], executor: Executor | None, ahead: int
    ) -> Generator[list[Played], None, None]:
        """Play these deals, in tasks that grow until they take long enough; each task's as it is done."""
        plan = Plan(self.rules, self.seed, self.bots, self.lineups, self.records)
        if executor is None:
            for deal in missing:
                yield play_deals(plan, (deal,))[0]
            return
        running: set[Future[tuple[list[Played], float]]] = set()
        at, size = 0, 1
        try:
            while at < len(missing) or running:
                while at < len(missing) and len(running) < ahead:
                    # No task is so long that others would have to wait for it at the end.
                    size = max(1, min(size, (len(missing) - at) // ahead, MOST_OF_A_TASK))
                    part = tuple(missing[at : at + size])
                    running.add(executor.submit(play_deals, plan, part))
                    at += len(part)
                ended, running = wait(running, return_when=FIRST_COMPLETED)
                for task in ended:
                    played, seconds = task.result()
                    if seconds < TASK_SECONDS:
                        size = max(size, 2 * len(played))
                    yield played
        except HerzenError:
            raise
        except BrokenExecutor as error:
            raise ArenaError(
                "a worker process has ended before its work was done; what was played is kept"
            ) from error
        except Exception as error:
            raise ArenaError(f"a task failed: {type(error).__name__}: {error}") from error
        finally:
            for task in running:
                task.cancel()

    # ---- files -----------------------------------------------------------------------------------------
    def _identity(self) -> dict[str, str]:
        """What a file must agree in to be this tournament's: all that its games depend on, and what is kept."""
        return {
            "format": FORMAT,
            "herzen": __version__,
            "game": self.rules.game,
            "rules": canonical_json(self.rules.to_dict()).decode(),
            "seed": seed_text(self.seed),
            "bots": json.dumps(self.bots),
            "field": self.field,
            "tables": json.dumps(self.tables),
            "seating": self.seating,
            "records": "yes" if self.records else "no",
        }


def load(file: Path) -> Results:
    """The results in a file, of the deals that are played so far; ArenaError if it holds none.

    The tournament of the results has as many deals as there are, and can be played on with more.
    """
    found = read_identity(file)
    if not found:
        raise ArenaError(f"{os.fspath(file)}: there is no tournament in it yet")
    outcomes = read_outcomes(file, 1 << 62)
    with undamaged(file):
        bots = json.loads(found["bots"])
        rules = game_class(found["game"]).rules_type.from_dict(json.loads(found["rules"]))
        field: Any = found["field"]
        if field not in FIELDS:
            field = [[bots[bot] for bot in table] for table in json.loads(found["tables"])]
        below = outcomes[-1][0] + 1 if outcomes else 1
        tournament = Tournament(
            rules,
            bots,
            below,
            seed=int(found["seed"], 16),
            field=field,
            seating=found["seating"],
            records=found["records"] == "yes",
        )
        return Results(tournament, outcomes, lambda: read_lines(file, below), file)


def _read_tables(
    given: Sequence[Sequence[str]], bots: tuple[str, ...], seats: int
) -> tuple[Table, ...]:
    """Tables of words as numbers of bots."""
    out = []
    for table in given:
        if isinstance(table, str):
            raise TypeError("field: a sequence of tables, each a sequence of words")
        words = [bot_word(word) for word in table]
        if len(words) != seats:
            raise ArenaError(
                f"table {', '.join(words)}: {seats} bots are needed, one for each seat"
            )
        for word in words:
            if word not in bots:
                raise ArenaError(f"table {', '.join(words)}: {word} is not one of the bots")
        out.append(canonical([bots.index(word) for word in words]))
    if not out:
        raise ArenaError("field: at least one table is needed")
    return tuple(dict.fromkeys(out))
