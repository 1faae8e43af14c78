"""Files of results that somebody has changed: an ArenaError that names the file, from everything that reads them."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing
from functools import cache, partial
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


def readers(file: Path) -> list[Callable[[], object]]:
    """All that reads a file of results to its end."""
    return [
        lambda: list(load(file).records()),
        lambda: list(TOURNAMENT.play(file=file).records()),
    ]


def refusal(read: Callable[[], object], file: Path) -> str:
    """What an ArenaError says of a file after its name: one sentence on one line."""
    with pytest.raises(ArenaError) as caught:
        read()
    said = str(caught.value)
    assert said.startswith(f"{file}: ")
    assert said.count(file.name) == 1
    assert len(said.splitlines()) == 1
    assert len(said) < 1_000
    return said.removeprefix(f"{file}: ")


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
    for read in readers(file):
        assert refusal(read, file)


@pytest.mark.parametrize("key", ["seed", "bots", "rules", "tables", "game", "seating"])
@pytest.mark.parametrize("value", ["", "[" * 9_999, "[[]]", "[5]", '{"x": 1}', "null", "\0"])
def test_damaged_heads_are_refused(key: str, value: str, tmp_path: Path) -> None:
    file = damaged(tmp_path, "UPDATE tournament SET value = ? WHERE key = ?", value, key)
    assert refusal(lambda: load(file), file).startswith("damaged: ")


@pytest.mark.parametrize(
    "value", [b"", b"x", b"\x78\x9c", 5, zlib.compress(b"{"), zlib.compress(b'{"herzen": "\n')]
)
def test_damaged_records_are_refused(value: Any, tmp_path: Path) -> None:
    file = damaged(tmp_path, "UPDATE records SET lines = ?", value)
    for read in readers(file):
        assert refusal(read, file).startswith("damaged: ")


def test_damage_of_every_kind_is_told_with_the_name_of_the_file(tmp_path: Path) -> None:
    for change, reason in (
        ("DELETE FROM games WHERE deal = 1 AND lineup = 1", "damaged: a deal has 2 games"),
        ("UPDATE games SET scores = CAST(x'ff0a0a' AS TEXT)", "Could not decode"),
        (
            f"UPDATE games SET scores = CAST(x'{'ff' * 5_000}' AS TEXT)",
            "Could not decode",
        ),
        ("DROP TABLE games", "no such table"),
        ("UPDATE tournament SET value = 'herzen-arena 2' WHERE key = 'format'", "not a file of"),
    ):
        file = damaged(tmp_path, change)
        for read in readers(file):
            assert refusal(read, file).startswith(reason)
    file = damaged(
        tmp_path, """UPDATE tournament SET value = '["rule", "rule"]' WHERE key = 'bots'"""
    )
    assert refusal(lambda: load(file), file) == "damaged: bots: rule stands twice"
    file = damaged(tmp_path, "UPDATE tournament SET value = 'a\nb' WHERE key = 'seed'")
    said = refusal(partial(TOURNAMENT.play, file=file), file)
    assert said.startswith("holds another tournament: seed a b, not ")


def test_a_file_whose_names_are_no_text_is_refused(tmp_path: Path) -> None:
    """SQLite's own sentence names the table, and Python cannot read it."""
    file = tmp_path / "results.db"
    file.write_bytes(whole().replace(b"CREATE TABLE games", b"CREATE TABLE ga\xb7es"))
    for read in readers(file):
        assert refusal(read, file)


def test_a_file_that_is_cut_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "results.db"
    for size in (100, len(whole()) // 2, len(whole()) - 4096):
        file.write_bytes(whole()[:size])
        for read in readers(file):
            assert refusal(read, file)


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
    assert told.startswith(f"herzen: {file}: ")
    assert told.count("\n") == 1
