"""Target of command lines of any kind, run within this process: an exit code, and at most one line on stderr."""

from __future__ import annotations

import contextlib
import gzip
import io
import random
import re
import sqlite3
import sys
import tempfile
from contextlib import closing, redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path

import herzen
from herzen.arena import Tournament, load
from herzen.bots.words import bot_word
from herzen.cli.app import run
from tests.contract.games import GAMES
from tests.contract.mutations import TOKENS, mutated
from tests.contract.samples import played
from tests.fuzz.target import Target

GOOD = "good.json good.jsonl good.jsonl.gz seat.json arena.sqlite".split()
FILES = [*GOOD, *(f"broken-{name}" for name in GOOD), "edited.sqlite", "empty", "folder", "nothing"]
SHORT = {"hearts": "max_hands=1", "vonherzen": "max_deals=1", "herzsammler": "games=1"}
"""What makes a match short, by game."""
NAMES = [*SHORT]
NUMBERS = "0 1 2 3 4 40".split()
ODD = [
    *"-1 5 12 x 1e5 nan 1.5 ♥ - -- %s {} [ None true friday --help --version --no-such -x".split(),
    *(
        "",
        "\0",
        "\ud800",
        "\x1b[2J",
        "a\nb",
        "9" * 30,
        "9" * 5_000,
        "x" * 3_000,
        "0" * 64,
        "f" * 65,
    ),
]
RULES = [
    *"omnibus classic Black-Maria openspiel yahoo plain players=2 players=3 players=7 decks=2".split(),
    *"target= target=0 target=1e9 bonus=JD:-10 bonus=JD: bonus=JD:-10,JD:-5 bonus={ = =1".split(),
    *"exact_reset=100:50 exact_reset=1:x heart_points=rank heart_points=1,2 removed=2C,3D".split(),
    *"removed=none removed=QS pass_cycle=random pass_cycle=left,hold moon=off no_such=1".split(),
    *"hand_size=9 wrap=no exchange_rounds=0 turn_up=yes end=short deck=[[]] deck=red".split(),
    *("heart_points=[1, 2]", 'deck=[["red", "heart", 0, 1, 2]]', "must_match=maybe", "max_hands"),
]
BOTS = [
    *"random rule Rule search:1 search:2 rule:1 search:0.000001s search: search:0 search:x".split(),
    *"json:loads json:nothing no_such:Bot herzen.bots:RuleBot : rule,random rule, ,".split(),
    *("tests.arena.bots:First", "herzen:Card", "a b", "", " rule "),
]
TAKEN = {head for bot in BOTS for head in [bot.partition(":")[0]] if ":" in bot} | {"jd", "heart"}
"""What may stand before a colon: other modules would be imported, whatever they do."""
TABLES = "rule,random,rule rule,random,rule,random rule".split()
RESULTS = [name for name in [*FILES, "new.sqlite"] if name.endswith("sqlite")]

# By command: what comes first, then (chance, option, its values).
Options = list[tuple[float, str, list[str]]]
MATCHES: Options = [
    *((0.6, "--seed", ["1", "friday", "0" * 64]), (0.2, "--players", NUMBERS)),
    *((0.4, "--set", RULES), (0.3, "--rules", RULES)),
]
OPTIONS: dict[str, Options] = {
    "play": [
        *(*MATCHES, (0.4, "--seat", NUMBERS), (0.4, "--bots", BOTS[:6]), (0.2, "--ascii", [])),
        (0.3, "--record", ["new.json", *FILES]),
    ],
    "simulate": [
        *(*MATCHES, (0.5, "--bots", BOTS[:6]), (0.2, "--details", []), (0.2, "--first", NUMBERS)),
        (0.3, "--record", ["new.jsonl", "new.jsonl.gz", *FILES]),
    ],
    "arena": [
        *(*MATCHES, (0.3, "--field", "mixed one pairs".split()), (0.2, "--table", TABLES)),
        *((0.3, "--seating", ["rotations", "all"]), (0.4, "--file", RESULTS)),
        *((0.1, "--csv", ["new.csv", *FILES]), (0.1, "--games-csv", ["new.csv", *FILES])),
        (0.1, "--records", ["new.jsonl", *FILES]),
    ],
    "replay": [
        *((0.4, "--at", NUMBERS), (0.3, "--seat", NUMBERS), (0.2, "--game", NUMBERS)),
        *((0.2, "--verify", []), (0.3, "--log", []), (0.2, "--json", []), (0.1, "--ascii", [])),
        *((0.1, "--html", ["new.html", *FILES]), (0.1, "--diff", FILES), (0.05, "--step", [])),
    ],
    "records": [
        *((0.2, "--game", NAMES), (0.2, "--players", NUMBERS), (0.2, "--winner", NUMBERS)),
        *((0.2, "--min-moves", NUMBERS), (0.2, "--max-moves", NUMBERS), (0.2, "--limit", NUMBERS)),
        *((0.2, "--finished", []), (0.2, "--stats", []), (0.2, "--torn", []), (0.2, "--json", [])),
        (0.2, "--into", ["new.jsonl", *FILES]),
    ],
}


def command_line(rng: random.Random) -> list[str]:
    """Arguments: most make sense, some do not."""

    def one(good: list[str]) -> str:
        return rng.choice(good if rng.random() < 0.85 else [*ODD, *FILES, *RULES, *BOTS])

    command = rng.choice([*OPTIONS])
    line = [command]
    if command in ("play", "simulate", "arena"):
        game = one(NAMES)
        line += [game, "--set", SHORT.get(game, "x=1")]
    else:
        line.append(one(FILES))
    if command == "arena":
        line += [one(BOTS[:5]) for _ in range(rng.randrange(4))]
        line += ["--deals", rng.choice("1 2 2 0 x".split())]
    elif command == "simulate":
        line += ["--games", rng.choice("1 2 0 -1 x".split())]
    for chance, option, values in OPTIONS[command]:
        if rng.random() < chance:
            line += [option, one(values)] if values else [option]
    if rng.random() < 0.15:
        line.insert(rng.randrange(len(line) + 1), rng.choice(ODD))
    if rng.random() < 0.05:
        del line[rng.randrange(len(line))]
    return line


def is_harmless(line: list[str]) -> bool:
    """Whether the line ends soon, stays in its folder, and imports nothing of which nobody knows what it does."""
    counts = {"simulate": "--games", "arena": "--deals"}
    for command, option in counts.items():
        at = line.index(option) + 1 if option in line else len(line)
        if command in line and (at >= len(line) or not re.fullmatch(r"[0-2x]|-1", line[at])):
            return False
    words = [word.strip().lower() for argument in line for word in argument.split(",")]
    heads = [word.partition(":")[0].rpartition("=")[2] for word in words if ":" in word]
    strange = any(head.isidentifier() and head not in TAKEN for head in heads)
    slow = "search" in words  # a thousand simulations for every move
    return not (strange or slow or any("/" in word or ".." in word for word in line))


@cache
def good_files() -> dict[str, bytes]:
    """The contents of the good files."""
    games = [played(case, case.variants[0], 40) for case in GAMES]
    lines = [game.record().dumps().encode() + b"\n" for game in games]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "arena.sqlite")
        rules = herzen.HerzsammlerRules(games=1)
        Tournament(rules, ["random", "rule"], 2, seed=1, records=True).play(file=path)
        results = path.read_bytes()
    seat = games[0].record().for_seat(0).dumps().encode()
    whole = b"".join(lines)
    return dict(
        zip(GOOD, [lines[0], whole, gzip.compress(whole, mtime=0), seat, results], strict=True)
    )


def write_files(folder: Path, rng: random.Random) -> None:
    """The good files, and bad ones made of them."""
    good = good_files()
    for name, content in good.items():
        (folder / name).write_bytes(content)
        (folder / f"broken-{name}").write_bytes(mutated(content, list(good.values()), rng))
    (folder / "empty").touch()
    (folder / "folder").mkdir()
    edited = folder / "edited.sqlite"
    edited.write_bytes(good["arena.sqlite"])
    table, columns = rng.choice(
        [
            ("tournament", ["value"]),
            ("lineups", ["bots"]),
            ("games", "scores winners hands plies counts".split()),
            ("records", ["lines"]),
        ]
    )
    values = [
        None,
        -1,
        2**62,
        1.5,
        "",
        "x",
        "[]",
        "[1]",
        "{}",
        "null",
        b"",
        b"\x78\x9c",
        "[" * 9_999,
    ]
    with (
        closing(sqlite3.connect(edited)) as base,
        contextlib.suppress(sqlite3.IntegrityError),
        base,
    ):
        if rng.random() < 0.15:
            base.execute(f"DELETE FROM {table}")
        else:
            row = rng.choice(base.execute(f"SELECT {columns[0]} FROM {table}").fetchall())
            column, value = rng.choice(columns), rng.choice(values)
            where = f"{columns[0]} = ?"
            base.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", (value, *row))


def answered(line: list[str], typed: str) -> tuple[int, str]:
    """(exit code, what is on stderr) of a command line."""
    told, kept = io.StringIO(), sys.stdin
    sys.stdin = io.StringIO(typed)
    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(told):
            return run(line), told.getvalue()
    finally:
        sys.stdin = kept


def check_word(rng: random.Random) -> None:
    """A bot's word, changed: its one spelling has no other one, or a sentence says what is wrong."""
    others = [*TOKENS, *(bot.encode() for bot in BOTS)]
    word = mutated(rng.choice(others), others, rng).decode("latin-1")
    try:
        spelled = bot_word(word)
    except ValueError:
        return
    assert bot_word(spelled) == spelled


def commands(rng: random.Random) -> None:
    """A command line, and what its parts go through: a bot's word, files of results."""
    check_word(rng)
    line = command_line(rng)
    while not is_harmless(line):
        line = command_line(rng)
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        write_files(Path(folder), rng)
        for name in ("broken-arena.sqlite", "edited.sqlite"):
            with contextlib.suppress(herzen.HerzenError):
                _ = load(Path(name)).standing
        code, told = answered(
            line, rng.choice(["", "\n" * 60, "help\ntable\nundo\nquit\n", "x\n2C\n"])
        )
    lines = told.splitlines()
    fine = all(said.startswith("herzen: ") for said in lines) and bool(lines) == (code != 0)
    # Only verifying says something of every record.
    fine &= len(lines) <= 1 or "--verify" in line
    assert fine and code in (0, 1, 2), (line, code, told[:500])  # noqa: PT018


TARGETS = [Target("commands", "command lines, words of bots, files of results", commands)]
