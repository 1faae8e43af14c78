"""Files of results that somebody has changed: an ArenaError that names the file, from everything that reads them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import herzen
from herzen.arena import Tournament, load
from herzen.cli.app import run
from herzen.errors import ArenaError

RULES = herzen.HerzsammlerRules()
BOTS = ["random", "rule"]
TOURNAMENT = Tournament(RULES, BOTS, 2, seed=1, field=[BOTS])


@cache
def whole() -> bytes:
    """A file of results."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "results.db")
        TOURNAMENT.play(file=file)
        return file.read_bytes()


def damaged(folder: Path, change: str, *values: Any) -> Path:
    """The file after a change in it."""
    file = folder / "results.db"
    file.write_bytes(whole())
    with closing(sqlite3.connect(file)) as base, base:
        base.execute(change, values)
    return file


@pytest.mark.parametrize(
    ("column", "value"),
    [
        *(("scores", value) for value in ("[", "[" * 9_999, "[1]", "null", "[1.5, 2]", b"\0")),
        *(("winners", value) for value in ("[99]", "{}", "[[]]", 5)),
        *(("hands", value) for value in ("x", 1 << 40, -1.5)),
        *(("counts", value) for value in ("[]", "[[1]]", "[null]")),
        ("deal", "x"),
    ],
)
def test_damaged_games_are_refused(column: str, value: Any, tmp_path: Path) -> None:
    change = f"UPDATE games SET {column} = ? WHERE deal = 0 AND lineup = 0"
    file = damaged(tmp_path, change, value)
    for read in (lambda: load(file), lambda: TOURNAMENT.play(file=file)):
        with pytest.raises(ArenaError, match=r"results\.db: |a deal has"):
            read()


@pytest.mark.parametrize("key", ["seed", "bots", "rules", "tables", "game", "seating"])
@pytest.mark.parametrize("value", ["", "[" * 9_999, "[[]]", "[5]", '{"x": 1}', "null", "\0"])
def test_damaged_heads_are_refused(key: str, value: str, tmp_path: Path) -> None:
    file = damaged(tmp_path, "UPDATE tournament SET value = ? WHERE key = ?", value, key)
    with pytest.raises(ArenaError):
        load(file)


@pytest.mark.parametrize("value", [b"", b"x", b"\x78\x9c", 5])
def test_damaged_records_are_refused(value: Any, tmp_path: Path) -> None:
    results = load(damaged(tmp_path, "UPDATE records SET lines = ?", value))
    with pytest.raises(ArenaError):
        list(results.records())


def test_a_file_whose_names_are_no_text_is_refused(tmp_path: Path) -> None:
    """SQLite's own sentence names the table, and Python cannot read it."""
    file = tmp_path / "results.db"
    file.write_bytes(whole().replace(b"CREATE TABLE games", b"CREATE TABLE ga\xb7es"))
    for read in (lambda: load(file), lambda: TOURNAMENT.play(file=file)):
        with pytest.raises(ArenaError, match=r"results\.db: "):
            read()


def test_a_file_that_is_cut_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "results.db"
    for size in (100, len(whole()) // 2, len(whole()) - 4096):
        file.write_bytes(whole()[:size])
        for read in (lambda: load(file), lambda: list(TOURNAMENT.play(file=file).records())):
            with pytest.raises(ArenaError):
                read()


@pytest.mark.parametrize(
    ("change", "value"),
    [
        ("UPDATE games SET scores = ?", "[" * 9_999),
        ("UPDATE tournament SET value = ? WHERE key = 'seed'", "no seed"),
    ],
)
def test_the_command_says_so(
    change: str, value: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = damaged(tmp_path, change, value)
    line = ["arena", "herzsammler", *BOTS, "--table", "random,rule", "--deals", "2"]
    assert run([*line, "--file", str(file)]) == 2
    told = capsys.readouterr().err
    assert told.startswith("herzen: ")
    assert told.count("\n") == 1
