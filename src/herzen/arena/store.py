"""The results in an SQLite file: whole deals, each written once, so that a run can go on after any crash.

Tables (format 1)::

    tournament(key, value)                                what the tournament is: identity()
    lineups(lineup, bots)                                 JSON: the bot's word of each seat
    games(deal, lineup, scores, winners, hands, plies, counts)   JSON arrays by seat; counts: one for each heading
    records(deal, lines)                                  zlib: JSON Lines of the deal's records, in line-up order

A deal's games and records are written in one transaction.
"""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from herzen.arena.work import Outcome, Played
from herzen.errors import ArenaError, HerzenError

FORMAT = "herzen-arena 1"
MOST_OF_A_VALUE = 100  # characters of what a file holds, in an error
MOST_OF_A_REASON = 400
TABLES = """
CREATE TABLE tournament (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE lineups (lineup INTEGER PRIMARY KEY, bots TEXT NOT NULL);
CREATE TABLE games (
    deal INTEGER, lineup INTEGER, scores TEXT NOT NULL, winners TEXT NOT NULL, hands INTEGER NOT NULL,
    plies INTEGER NOT NULL, counts TEXT NOT NULL, PRIMARY KEY (deal, lineup)
) WITHOUT ROWID;
CREATE TABLE records (deal INTEGER PRIMARY KEY, lines BLOB NOT NULL);
"""


class Store:
    """The results of one tournament: in a file, or in memory. One process writes to a file at a time."""

    def __init__(
        self,
        path: str | os.PathLike[str] | None,
        identity: Mapping[str, str],
        lineups: Sequence[Sequence[str]],
    ) -> None:
        """Make the file, or go on with it: ArenaError where it holds something else or is in use."""
        self.path = None if path is None else os.fspath(path)
        with undamaged(self.path):
            self._base = _connect(self.path)
            try:
                self._open(identity, lineups)
            except BaseException:
                self._base.close()
                raise

    def _open(self, identity: Mapping[str, str], lineups: Sequence[Sequence[str]]) -> None:
        base = self._base
        # Held until the end: a second run on the file would play the same deals again.
        base.execute("PRAGMA locking_mode = EXCLUSIVE")
        base.execute("BEGIN EXCLUSIVE")
        if _is_empty(base):
            for statement in TABLES.split(";"):
                base.execute(statement)
            base.executemany("INSERT INTO tournament VALUES (?, ?)", identity.items())
            base.executemany(
                "INSERT INTO lineups VALUES (?, ?)",
                ((number, json.dumps(words)) for number, words in enumerate(lineups)),
            )
        else:
            _compare(_identity(base), identity)
        base.execute("COMMIT")

    def done(self) -> set[int]:
        """The deals that are there."""
        with undamaged(self.path):
            return set(_done(self._base))

    def add(self, played: Iterable[Played]) -> None:
        """Write these deals, all or none; those that are there stay as they are.

        An interrupt may come after the commit, before the caller knows of it; then the caller writes them again.
        """
        with _told(self.path):
            base = self._base
            base.execute("BEGIN")
            try:
                for deal in played:
                    base.executemany(
                        "INSERT OR IGNORE INTO games VALUES (?, ?, ?, ?, ?, ?, ?)",
                        (_row(deal.deal, at, outcome) for at, outcome in enumerate(deal.outcomes)),
                    )
                    if deal.records is not None:
                        base.execute(
                            "INSERT OR IGNORE INTO records VALUES (?, ?)", (deal.deal, deal.records)
                        )
                base.execute("COMMIT")
            except BaseException:
                if base.in_transaction:
                    base.execute("ROLLBACK")
                raise

    def outcomes(self, below: int) -> Iterator[tuple[int, Outcome]]:
        """(deal, outcome) of all games of the deals below a number, by deal and line-up."""
        with undamaged(self.path):
            yield from _outcomes(self._base, below)

    def lines(self, below: int) -> list[bytes]:
        """The compressed records of the deals below a number, by deal."""
        with undamaged(self.path):
            return list(_lines(self._base, below))

    def close(self) -> None:
        """Give the file free."""
        self._base.close()


def read_identity(path: str | os.PathLike[str]) -> dict[str, str]:
    """What tournament a file holds; {} if it is empty, ArenaError if it is something else."""
    with _reading(path) as base:
        return {} if _is_empty(base) else _identity(base)


def read_outcomes(path: str | os.PathLike[str], below: int) -> list[tuple[int, Outcome]]:
    """As `Store.outcomes`, of a file that nobody writes to."""
    with _reading(path) as base:
        return list(_outcomes(base, below))


def read_lines(path: str | os.PathLike[str], below: int) -> Iterator[bytes]:
    """As `Store.lines`, of a file that nobody writes to."""
    with _reading(path) as base:
        yield from _lines(base, below)


def unpack(lines: bytes, path: str | os.PathLike[str] | None) -> list[str]:
    """The lines of a deal's compressed records; ArenaError, with the name of their file, if they are damaged."""
    with undamaged(path):
        return zlib.decompress(lines).decode().split("\n")


# ---- inside --------------------------------------------------------------------------------------------------


def _connect(path: str | None) -> sqlite3.Connection:
    # Transactions are begun and ended by hand.
    return sqlite3.connect(":memory:" if path is None else path, timeout=1.0, isolation_level=None)


@contextmanager
def _reading(path: str | os.PathLike[str]) -> Iterator[sqlite3.Connection]:
    name = os.fspath(path)
    if not os.path.isfile(name):
        raise ArenaError(f"{name}: there is no such file")
    with undamaged(name), closing(sqlite3.connect(_uri(name), uri=True, timeout=1.0)) as base:
        yield base


def _uri(path: str) -> str:
    # Not "ro": what a run left that was killed while it wrote has to be rolled back first.
    return f"{Path(path).absolute().as_uri()}?mode=rw"


def _is_empty(base: sqlite3.Connection) -> bool:
    """As a new file is, and one whose run was killed at once."""
    return base.execute("SELECT 1 FROM sqlite_master").fetchone() is None


class _Refusal(Exception):
    """Why a file is not used: what is wrong with it, without its name."""


@contextmanager
def undamaged(path: str | os.PathLike[str] | None) -> Iterator[None]:
    """One sentence, an ArenaError, that names the file, whatever is wrong with it.

    For what reads the file or understands what was read, and for nothing else: every error of herzen is damage here.
    """
    with _told(path):
        try:
            yield
        except HerzenError as error:
            raise _Refusal(f"damaged: {error}") from error
        except (
            ArithmeticError,
            LookupError,
            RecursionError,
            TypeError,
            ValueError,
            zlib.error,
        ) as error:
            raise _Refusal(f"damaged: {type(error).__name__}: {error}") from error


@contextmanager
def _told(path: str | os.PathLike[str] | None) -> Iterator[None]:
    """The file's name before what SQLite complains of, or what this module does."""
    try:
        yield
    except (_Refusal, sqlite3.Error) as error:
        reason = str(error)
        if isinstance(error, sqlite3.Error):
            if "locked" in reason:
                reason = "another run is using it"
            elif "not a database" in reason:
                reason = "not a file of a tournament"
        name = "results" if path is None else os.fspath(path)
        # A file that somebody has changed may hold anything, and errors quote it.
        said = _short(" ".join(reason.split()), MOST_OF_A_REASON)
        cause = error.__cause__ if isinstance(error, _Refusal) else error
        raise ArenaError(f"{name}: {said}") from cause


def _identity(base: sqlite3.Connection) -> dict[str, str]:
    try:
        found = dict(base.execute("SELECT key, value FROM tournament").fetchall())
    except sqlite3.OperationalError as error:
        if "no such" not in str(error):
            raise
        found = {}
    if found.get("format") != FORMAT:
        raise _Refusal("not a file of a tournament, or of another version of herzen")
    return found


def _compare(found: Mapping[str, str], wanted: Mapping[str, str]) -> None:
    for key in wanted:
        if found.get(key) != wanted[key]:
            kept = _short(str(found.get(key, "unknown")), MOST_OF_A_VALUE)
            raise _Refusal(
                f"holds another tournament: {key} {kept}, not {_short(wanted[key], MOST_OF_A_VALUE)}"
            )


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 3] + "..."


def _row(deal: int, lineup: int, outcome: Outcome) -> tuple[object, ...]:
    return (
        deal,
        lineup,
        json.dumps(outcome.scores),
        json.dumps(outcome.winners),
        outcome.hands,
        outcome.plies,
        json.dumps(outcome.counts),
    )


# A query that is in the middle keeps the file locked, even after its connection is closed: as long as an error
# remembers it. So each is closed.


def _done(base: sqlite3.Connection) -> Iterator[int]:
    with closing(base.execute("SELECT DISTINCT deal FROM games")) as rows:
        for (deal,) in rows:
            yield deal


def _outcomes(base: sqlite3.Connection, below: int) -> Iterator[tuple[int, Outcome]]:
    query = "SELECT deal, scores, winners, hands, plies, counts FROM games WHERE deal < ? ORDER BY deal, lineup"
    with closing(base.execute(query, (below,))) as rows:
        for deal, scores, winners, hands, plies, counts in rows:
            hands, plies = _whole([hands, plies])
            counted = tuple(_whole(row) for row in json.loads(counts))
            told = _whole(json.loads(scores)), _whole(json.loads(winners))
            yield deal, Outcome(*told, hands, plies, counted)


def _whole(numbers: object) -> tuple[int, ...]:
    if type(numbers) is not list or not all(type(number) is int for number in numbers):
        raise TypeError("an array of whole numbers is needed")
    return tuple(numbers)


def _lines(base: sqlite3.Connection, below: int) -> Iterator[bytes]:
    query = "SELECT lines FROM records WHERE deal < ? ORDER BY deal"
    with closing(base.execute(query, (below,))) as rows:
        for (lines,) in rows:
            yield lines
