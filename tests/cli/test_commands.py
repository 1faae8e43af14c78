"""The command `herzen`: what it prints, what it refuses, and how it ends."""

from __future__ import annotations

import builtins
import errno
import gzip
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

import herzen
from herzen.bots import RuleBot, bot_seed, seated
from herzen.cli import MISSING
from herzen.cli.app import app, run
from herzen.cli.options import presets, read_rules, read_value, writable
from herzen.cli.output import BadInput, Output
from herzen.seeds import child, seed_text
from herzen.simulation import play_randomly

PACKAGES = str(Path(herzen.__file__).resolve().parents[1])
SETTINGS = {"PYTHONIOENCODING": "utf-8", "COLUMNS": "80", "PYTHONPATH": PACKAGES}
Captured = pytest.CaptureFixture[str]


def process(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """The command as a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "herzen", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        env={
            **os.environ,
            "PYTHONIOENCODING": "utf-8",
            "COLUMNS": "80",
            "PYTHONPATH": PACKAGES,
            **options.pop("env", {}),
        },
        **options,
    )


def ok(capsys: Captured, *arguments: str) -> str:
    """Output of a command that must end well."""
    code = run(arguments)
    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    return out


def refused(capsys: Captured, *arguments: str, code: int = 2) -> str:
    """The one line on stderr of a command that must be refused."""
    assert run(arguments) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("herzen: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err
    return err.removeprefix("herzen: ").rstrip("\n")


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A record of one short match."""
    path = tmp_path_factory.mktemp("records") / "match.json"
    arguments = ["simulate", "hearts", "--games", "1", "--seed", "42", "--set", "max_hands=2"]
    assert run([*arguments, "--record", str(path)]) == 0
    return path


def changed(match: Path, tmp_path: Path, **fields: Any) -> Path:
    """The record with other fields."""
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(json.loads(match.read_text()) | fields))
    return path


# ---- simulate ------------------------------------------------------------------------------------------------


def test_simulate_plays_the_documented_random_play(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    out = ok(capsys, "simulate", "hearts", "--games", "1", "--seed", "42", "--record", str(path))
    game = herzen.Hearts(seed=child(42, 0))
    play_randomly(game)
    assert herzen.Record.load(path) == game.record()
    herzen.Record.load(path).verify(seed=True)
    rows = [line.split() for line in out.splitlines() if line.split()[1:2] == ["random"]]
    assert [int(row[2]) for row in rows] == list(game.scores)
    assert f"written: {path}" in out.replace("\n", "")


def test_simulate_shows_the_same_with_and_without_a_record(
    capsys: Captured, tmp_path: Path
) -> None:
    common = ["simulate", "hearts", "--games", "5", "--seed", "s", "--set", "target=30"]
    fast = ok(capsys, *common)
    slow = ok(capsys, *common, "--record", str(tmp_path / "all.jsonl"))
    rows = [line.split() for line in fast.splitlines() if line.split()[1:2] == ["random"]]
    watched = [line.split() for line in slow.splitlines() if line.split()[1:2] == ["random"]]
    assert len(rows) == 4
    assert [row[: len(rows[0])] for row in watched] == rows
    assert "queens" in slow
    assert "queens" not in fast


def test_simulate_goes_on_where_it_stopped(capsys: Captured, tmp_path: Path) -> None:
    whole, one, two = (tmp_path / name for name in ("whole.jsonl", "one.jsonl", "two.jsonl.gz"))
    common = ["simulate", "hearts", "--seed", "9", "--set", "max_hands=1"]
    ok(capsys, *common, "--games", "5", "--record", str(whole))
    ok(capsys, *common, "--games", "2", "--record", str(one))
    ok(capsys, *common, "--games", "3", "--first", "2", "--record", str(two))
    assert one.read_bytes() + gzip.decompress(two.read_bytes()) == whole.read_bytes()


def test_simulate_with_a_bot_for_each_seat(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "bots.json"
    common = ["simulate", "hearts", "--games", "1", "--seed", "3", "--set", "max_hands=1"]
    out = ok(capsys, *common, "--bots", "rule,random,rule,random", "--record", str(path))
    assert [line.split()[1] for line in out.splitlines() if line.strip()[:1].isdigit()] == [
        "rule",
        "random",
        "rule",
        "random",
    ]
    game = herzen.Hearts(herzen.HeartsRules(max_hands=1), seed=child(3, 0))
    bots = [seated(word, child(3, 0), at) for at, word in enumerate(("rule", "random") * 2)]
    while not game.over:
        game.play(bots[int(game.turn)].choose(game.view(game.turn)))
    assert herzen.Record.load(path) == game.record()


def test_without_a_seed_the_run_can_be_repeated(capsys: Captured) -> None:
    out = ok(capsys, "simulate", "hearts", "--games", "2", "--set", "max_hands=1")
    seed = out.splitlines()[-1].removeprefix("seed ")
    again = ok(capsys, "simulate", "hearts", "--games", "2", "--set", "max_hands=1", "--seed", seed)
    assert len(seed) == 64
    assert out.splitlines()[:-1] == again.splitlines()


def test_a_record_replaces_the_file_that_a_link_points_to(capsys: Captured, tmp_path: Path) -> None:
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    real.write_text("old")
    link.symlink_to(real)
    common = ["simulate", "hearts", "--games", "1", "--set", "max_hands=1", "--seed", "1"]
    ok(capsys, *common, "--record", str(link))
    assert link.is_symlink()
    herzen.Record.load(real).verify()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["chess"], "no such game: 'chess' (there are: hearts"),
        (["hearts", "--games", "0"], "Invalid value for '--games'"),
        (["hearts", "--games", "1.5"], "Invalid value for '--games'"),
        (["hearts", "--games", "many"], "Invalid value for '--games'"),
        (["hearts", "--first", "-1"], "Invalid value for '--first'"),
        (["hearts", "--seed", str(1 << 256)], "a seed is at least 0 and below 2**256"),
        (["hearts", "--seed", ""], "--seed: it is empty"),
        (["hearts", "--seed", "\udcff"], "a seed text must be valid Unicode"),
        (["hearts", "--players", "9"], "players=9: allowed is 3..7"),
        (
            ["hearts", "--rules", "nope"],
            "--rules: no such preset: 'nope' (there are: classic, plain",
        ),
        (["hearts", "--rules", "plain", "--rules", "yahoo"], "--rules: one preset, not both"),
        (["hearts", "--set", "trget=5"], "no option 'trget' in hearts; did you mean 'target'?"),
        (["hearts", "--set", "target=0"], "target=0: allowed is an integer 1..1000000"),
        (["hearts", "--set", "target=1.5"], "target=1.5: allowed is an integer"),
        (
            ["hearts", "--set", "keep_spades=perhaps"],
            "keep_spades='perhaps': allowed is True or False",
        ),
        (["hearts", "--set", "bonus=JD"], "bonus: pairs are written like JD:-10"),
        (["hearts", "--set", 'bonus={"JD":'], "bonus: not JSON"),
        (["hearts", "--set", "bonus=QS:-5"], "bonus='QS'"),
        (
            ["hearts", "--bots", "genius"],
            "--bots: no such bot: 'genius' (there are: rule, random, search:1000,",
        ),
        (
            ["hearts", "--bots", "rule,rule"],
            "--bots: one word, or one for each of the 4 seats, not 2",
        ),
        (["hearts", "--record", ""], "--record: a file name is needed"),
        (["hearts", "--record", os.devnull], "not a regular file"),
        (["hearts", "--record", "no/such/dir/x.json"], "there is no directory"),
        (["hearts", "--record", "."], "a file name is needed, not a directory"),
        ([], "Missing argument 'GAME'"),
        (["hearts", "--frob"], "No such option"),
    ],
)
def test_simulate_refuses(capsys: Captured, arguments: list[str], sentence: str) -> None:
    assert sentence in refused(capsys, "simulate", *arguments)


# ---- replay --------------------------------------------------------------------------------------------------


def test_replay_shows_the_end_and_the_result(capsys: Captured, match: Path) -> None:
    out = ok(capsys, "replay", str(match))
    game = herzen.Record.load(match).replay()
    assert str(game) in out
    scores = ", ".join(f"Seat {seat} {score}" for seat, score in enumerate(game.scores))
    assert f"Result: {scores}\n" in out
    assert out.startswith("hearts: ")
    assert "rules: max_hands=2" in out
    assert "erified" not in out


def test_replay_shows_any_moment_to_the_server_or_to_a_seat(capsys: Captured, match: Path) -> None:
    record = herzen.Record.load(match)
    for at in (0, 3, 4, 20, len(record.moves)):
        out = ok(capsys, "replay", str(match), "--at", str(at))
        assert str(record.replay(to=at)) in out
        out = ok(capsys, "replay", str(match), "--at", str(at), "--seat", "2")
        assert str(record.replay(to=at).view(2)) in out
    assert "Move 20, the last shown: " in ok(capsys, "replay", str(match), "--at", "20")


def test_a_seat_is_not_told_what_others_passed(capsys: Captured, match: Path) -> None:
    record = herzen.Record.load(match)
    passed = record.moves[1][1].split()[1:]
    shown = ok(capsys, "replay", str(match), "--at", "2", "--seat", "0", "--log", "--ascii")
    assert "Move 2, the last shown: Seat 1 has passed." in shown
    assert not set(passed) & set(shown.replace(",", " ").split())
    assert "the next" not in shown
    server = ok(capsys, "replay", str(match), "--at", "2", "--log", "--ascii")
    assert set(passed) <= set(server.split())


def test_replay_tells_the_story(capsys: Captured, match: Path) -> None:
    out = ok(capsys, "replay", str(match), "--log")
    assert out.count("Trick to ") == 26
    assert out.count(" is over. ") == 2


def test_verify_says_so(capsys: Captured, match: Path) -> None:
    count = len(herzen.Record.load(match).moves)
    out = ok(capsys, "replay", str(match), "--verify")
    assert out.splitlines()[-1] == f"Verified: 1 record, {count} moves, all as the rules have it."


def test_a_record_over_many_lines_and_a_compressed_one(
    capsys: Captured, match: Path, tmp_path: Path
) -> None:
    pretty, packed = tmp_path / "pretty.json", tmp_path / "packed.json.gz"
    pretty.write_text(json.dumps(json.loads(match.read_text()), indent=2))
    packed.write_bytes(gzip.compress(match.read_bytes()))
    whole = ok(capsys, "replay", str(match), "--verify")
    assert ok(capsys, "replay", str(pretty), "--verify") == whole
    assert ok(capsys, "replay", str(packed), "--verify") == whole


def test_one_record_of_many(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    common = ["simulate", "hearts", "--games", "4", "--seed", "5", "--set", "max_hands=1"]
    ok(capsys, *common, "--record", str(path))
    records = list(herzen.load_records(path))
    assert str(records[2].replay()) in ok(capsys, "replay", str(path), "--game", "2")
    assert "record 2" in ok(capsys, "replay", str(path), "--game", "2")
    out = ok(capsys, "replay", str(path), "--verify")
    assert f"Verified: 4 records, {sum(len(record.moves) for record in records)} moves" in out
    assert str(records[0].replay()) in out
    assert "holds 4 records" in refused(capsys, "replay", str(path), "--game", "4")
    lines = path.read_text().splitlines()
    broken = json.loads(lines[3])
    broken["result"]["scores"][0] += 1
    path.write_text("\n".join([*lines[:3], json.dumps(broken)]))
    assert run(["replay", str(path), "--verify"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("herzen: record 3: the result is ")
    assert err.endswith("herzen: verification failed for 1 of 4 records\n")
    ok(capsys, "replay", str(path))  # the first is fine
    path.write_text("\n".join([*lines[:3], "{"]))
    assert "line 4: not JSON" in refused(capsys, "replay", str(path), "--verify")
    for option in (["--at", "3"], ["--seat", "0"], ["--log"]):
        assert "as a whole" in refused(capsys, "replay", str(path), "--verify", *option)


def test_a_move_that_the_rules_forbid_is_a_difference(
    capsys: Captured, match: Path, tmp_path: Path
) -> None:
    moves = json.loads(match.read_text())["moves"]
    moves[10][1], moves[11][1] = moves[11][1], moves[10][1]
    path = changed(match, tmp_path, moves=moves)
    assert "move 10: seat" in refused(capsys, "replay", str(path), code=1)
    ok(capsys, "replay", str(path), "--at", "10")  # up to there it is fine
    assert run(["replay", str(path), "--verify"]) == 1


def test_an_unfinished_match(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "running.json"
    game = herzen.Hearts(seed=1)
    for _ in range(6):
        game.play(game.legal_moves()[0])
    game.record().dump(path)
    out = ok(capsys, "replay", str(path), "--verify")
    assert "The match was not finished." in out
    assert "Verified: 1 record, 6 moves" in out


BAD_FILES = {
    "empty": (b"", "there is no record in it"),
    "text": (b"hello\n", "not JSON"),
    "binary": (bytes(range(256)), "not JSON"),
    "object": (b'{"a": 1}', "not a record of herzen: missing key 'format'"),
    "array": (b"[]", "a record is a JSON object"),
    "deep": (b"[" * 100_000, "nested too deeply"),
    "packed.gz": (b"hello", "not a gzip file"),
    "cut.gz": (gzip.compress(b"{}" * 1000)[:20], "cut short"),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_what_is_no_record_is_refused(capsys: Captured, tmp_path: Path, name: str) -> None:
    data, sentence = BAD_FILES[name]
    path = tmp_path / name
    path.write_bytes(data)
    for more in ([], ["--verify"]):
        message = refused(capsys, "replay", str(path), *more)
        assert message.startswith(f"{path}: ")
        assert sentence in message


def test_files_that_cannot_be_read(capsys: Captured, tmp_path: Path) -> None:
    assert "No such file" in refused(capsys, "replay", str(tmp_path / "none.json"))
    assert refused(capsys, "replay", str(tmp_path))
    assert refused(capsys, "replay", "a\0b")


def test_a_file_without_permission(
    capsys: Captured, match: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root may read everything, so the refusal of the system is played here."""
    path = tmp_path / "secret.json"
    path.write_bytes(match.read_bytes())
    opened = builtins.open

    def guarded(file: object, *args: object, **more: object) -> object:
        if str(file) == str(path):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return opened(file, *args, **more)  # type: ignore[call-overload]

    monkeypatch.setattr(builtins, "open", guarded)
    assert "Permission denied" in refused(capsys, "replay", str(path))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--at", "100000"], "--at: the record has "),
        (["--at", "-1"], "Invalid value for '--at'"),
        (["--at", "x"], "Invalid value for '--at'"),
        (["--seat", "4"], "--seat: there is no seat 4: seats are 0..3"),
        (["--seat", "-1"], "--seat: there is no seat -1"),
        (["--game", "1"], "holds 1 record"),
    ],
)
def test_replay_refuses(capsys: Captured, match: Path, arguments: list[str], sentence: str) -> None:
    assert sentence in refused(capsys, "replay", str(match), *arguments)


# ---- play ----------------------------------------------------------------------------------------------------


def persons_moves(seed: int, rules: herzen.HeartsRules, me: int) -> tuple[list[str], herzen.Hearts]:
    """What a person types who plays by rule, and the match that comes of it."""
    game = herzen.Hearts(rules, seed=seed)
    bots = [RuleBot(bot_seed(seed, at)) for at in range(game.players)]
    typed = []
    while not game.over:
        waiting = [int(at) for at in game.to_move]
        at = next((other for other in waiting if other != me), me)
        move = bots[at].choose(game.view(at))
        if at == me:
            typed.append(str(move))
        game.play(move, seat=at)
    return typed, game


def test_a_whole_match_through_a_pipe(tmp_path: Path) -> None:
    typed, game = persons_moves(7, herzen.HeartsRules(target=20), me=2)
    path = tmp_path / "played.json"
    done = process(
        *(
            "play",
            "hearts",
            "--seed",
            "7",
            "--seat",
            "2",
            "--set",
            "target=20",
            "--record",
            str(path),
        ),
        input="\n".join(typed) + "\n",
    )
    assert (done.returncode, done.stderr) == (0, "")
    record = herzen.Record.load(path)
    record.verify(seed=True)
    assert record.moves == game.record().moves
    assert f"You {game.scores[2]}" in done.stdout.split("Final scores: ")[1]
    assert "Not possible" not in done.stdout


def test_the_winner_is_congratulated() -> None:
    rules = herzen.HeartsRules(max_hands=1)
    seed, typed, game = next(
        (seed, *played)
        for seed in range(50)
        if (played := persons_moves(seed, rules, me=0))[1].winners == (0,)
    )
    done = process(
        *("play", "hearts", "--seed", str(seed), "--set", "max_hands=1"),
        input="\n".join(typed) + "\n",
    )
    assert f"Final scores: You {game.scores[0]}" in done.stdout
    assert done.stdout.endswith("You have won!\n")


def test_ctrl_c_at_the_prompt(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted(io.StringIO):
        def readline(self, *_: object) -> str:
            raise KeyboardInterrupt

    monkeypatch.setattr(sys, "stdin", Interrupted())
    assert run(["play", "hearts", "--seed", "3"]) == 130
    out, err = capsys.readouterr()
    assert out.endswith("> \n")
    assert err == "herzen: interrupted\n"


def test_words_and_illegal_input_are_explained(tmp_path: Path) -> None:
    lines = ["help", "qs", "pass 2C 2C 2C", "rubbish", "", "table", "undo", "hint", "4C 7H QS"]
    lines += ["AS", "undo", "4c, 7h, qs", "TC"]
    done = process(*("play", "hearts", "--seed", "friday"), input="\n".join(lines))
    assert (done.returncode, done.stderr) == (0, "")
    out = done.stdout
    for sentence in (
        "Type a card as rank and suit letter",
        "Not possible: 3 cards are passed, not 1.",
        "Not possible: seat 0 does not hold 2♣",
        "Not possible: 'rubbish' is no move of Hearts",
        "Type a move, or help.",
        "There is nothing to take back.",
        "Hint: pass ",
        " points ahead of the others' mean after this deal; next best: pass ",
        "Not possible: seat 0 does not hold A♠.",
        "Taken back: pass 4♣ Q♠ 7♥",
        "  You: 10♣",
        "You have left the table; the match is not finished.",
    ):
        assert sentence in out, sentence
    assert out.count("You receive 10♣ A♣ K♠.") == 2  # the bots do the same again after undo


def test_quit_keeps_the_record(tmp_path: Path) -> None:
    path = tmp_path / "left.json"
    done = process(
        "play", "hearts", "--seed", "3", "--record", str(path), input="quit\nnever read\n"
    )
    assert done.returncode == 0
    record = herzen.Record.load(path)
    record.verify()
    assert record.result is None
    assert record.names == ("You", "Ada", "Ben", "Cleo")


def test_undo_across_decisions_and_enter_for_the_only_move() -> None:
    rules = herzen.HeartsRules(max_hands=1, pass_count=0)
    typed, game = persons_moves(11, rules, me=0)
    lines = [*typed[:3], "undo", "undo", *typed[1:-1], ""]
    done = process(
        *("play", "hearts", "--seed", "11", "--set", "max_hands=1", "--set", "pass_count=0"),
        input="\n".join(lines) + "\n",
    )
    assert f"Final scores: You {game.scores[0]}, Ada {game.scores[1]}" in done.stdout


def test_eleven_seats_and_random_bots() -> None:
    done = process(
        *("play", "hearts", "--rules", "cancellation", "--players", "11", "--bots", "random"),
        input="",
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert " 0 You " in done.stdout
    assert "10 June" in done.stdout
    assert "seed " in done.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["hearts", "--seat", "4"], "--seat: there is no seat 4"),
        (["chess"], "no such game"),
        (["hearts", "--bots", "none"], "no such bot"),
        (["hearts", "--seed", ""], "--seed: it is empty"),
        (["hearts", "--record", __file__], "it exists already, and is not written over"),
    ],
)
def test_play_refuses(capsys: Captured, arguments: list[str], sentence: str) -> None:
    assert sentence in refused(capsys, "play", *arguments)


# ---- the process ---------------------------------------------------------------------------------------------


def test_the_readmes_command(tmp_path: Path) -> None:
    common = ("simulate", "hearts", "--games", "1", "--seed", "42", "--record", "match.json")
    first = process(*common, cwd=tmp_path)
    second = process("replay", "match.json", "--verify", cwd=tmp_path)
    assert (first.returncode, first.stderr, second.returncode, second.stderr) == (0, "", 0, "")
    assert second.stdout.splitlines()[-1].startswith("Verified: 1 record")


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of POSIX")
@pytest.mark.parametrize(
    "arguments", [["replay", "MATCH", "--log"], ["simulate", "hearts", "--games", "2"], ["--help"]]
)
def test_a_reader_that_goes_away_ends_it_quietly(match: Path, arguments: list[str]) -> None:
    words = [str(match) if word == "MATCH" else word for word in arguments]
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "herzen", *words], stdout=writing, stderr=subprocess.PIPE, timeout=60
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_is_bad_input_not_a_traceback(match: Path) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "herzen", "replay", str(match)],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
        )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "No space left" in done.stderr


def test_a_terminal_without_unicode_gets_letters(match: Path) -> None:
    done = process("replay", str(match), "--at", "8", env={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert done.stdout.isascii()
    assert "hands\n   0 Seat 0  C: " in done.stdout


def test_colour_only_on_request(match: Path) -> None:
    plain = process("replay", str(match), "--at", "8")
    assert "\x1b" not in plain.stdout
    colour = process("replay", str(match), "--at", "8", env={"FORCE_COLOR": "1", "TERM": "xterm"})
    assert "\x1b[31m" in colour.stdout
    none = process(
        *("replay", str(match), "--at", "8"),
        env={"FORCE_COLOR": "1", "TERM": "xterm", "NO_COLOR": "1"},
    )
    assert "\x1b[31m" not in none.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="terminals of Windows are never dumb")
def test_a_dumb_terminal_is_as_wide_as_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("TTY_COMPATIBLE", "1"), ("TERM", "dumb"), ("COLUMNS", "123")):
        monkeypatch.setenv(name, value)
    assert Output().columns == 123


@pytest.mark.parametrize(
    ("end", "code"),
    [
        (typer.Abort(), 130),
        (BrokenPipeError(), 0),
        (SystemExit(1), 0),  # a reader of the help that has gone away
    ],
)
def test_ends_that_come_from_typer(
    monkeypatch: pytest.MonkeyPatch, end: BaseException, code: int
) -> None:
    monkeypatch.setattr(sys, "stdout", io.StringIO())

    def command(**_: object) -> int:
        raise end

    monkeypatch.setattr(typer.main, "get_command", lambda _: SimpleNamespace(main=command))
    assert run([]) == code


@pytest.mark.parametrize("end", [SystemExit(3), RuntimeError("a mistake of ours")])
def test_other_ends_are_not_swallowed(monkeypatch: pytest.MonkeyPatch, end: BaseException) -> None:
    def command(**_: object) -> int:
        raise end

    monkeypatch.setattr(typer.main, "get_command", lambda _: SimpleNamespace(main=command))
    with pytest.raises(type(end)) as raised:
        run([])
    assert raised.value is end


def test_without_typer_one_line_says_what_to_install() -> None:
    code = (
        "import sys\nsys.modules['typer'] = None\nfrom herzen.cli import main\nmain(['--help'])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", MISSING + "\n")


def test_help_and_version(capsys: Captured) -> None:
    assert ok(capsys, "--version") == f"herzen {herzen.__version__}\n"
    for word in ("play", "simulate", "replay"):
        assert word in ok(capsys)
        assert "--" in ok(capsys, word, "--help")
    assert "No such command" in refused(capsys, "frob")


def test_the_app_as_typer_runs_it(match: Path) -> None:
    runner = CliRunner()
    assert runner.invoke(app, ["replay", str(match), "--verify"]).exit_code == 0
    assert runner.invoke(app, ["replay", "none.json"]).exit_code == 2
    assert runner.invoke(app, ["frob"]).exit_code == 2


# ---- reading options -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("target", "50", 50),
        ("moon", "add", "add"),
        ("keep_spades", "yes", True),
        ("keep_spades", "False", False),
        ("max_hands", "none", None),
        ("removed", "none", ()),
        ("removed", "2C", ("2C",)),
        ("removed", "2C, 2D", ("2C", "2D")),
        ("pass_cycle", "", ()),
        ("pass_cycle", "right", ("right",)),
        ("pass_cycle", "random", "random"),
        ("pass_cycle", '["left", "hold"]', ["left", "hold"]),
        ("bonus", "JD:-10,TD:-5", {"JD": -10, "TD": -5}),
        ("bonus", '{"JD": -10}', {"JD": -10}),
        ("bonus", "none", {}),
        ("exact_reset", "100:50", {100: 50}),
        ("exact_reset", '{"100": 50}', {100: 50}),
        ("heart_points", "face", "face"),
        ("heart_points", "1,2,3", (1, 2, 3)),
    ],
)
def test_values_of_options(name: str, text: str, value: object) -> None:
    read = read_value(herzen.Hearts, name, text)
    assert read == value
    assert type(read) is type(value)


def test_presets_and_options_together() -> None:
    assert set(presets(herzen.HeartsRules)) == {
        *(
            "classic",
            "plain",
            "omnibus",
            "black_maria",
            "cancellation",
            "microsoft",
            "openspiel",
            "yahoo",
        )
    }
    read = read_rules(herzen.Hearts, ["target=50", "black-maria"], 3)
    assert read == herzen.HeartsRules.black_maria(players=3, target=50)
    assert [str(card) for card in read.removed] == ["2C"]
    with pytest.raises(BadInput, match="stands twice"):
        read_rules(herzen.Hearts, ["bonus=JD:-1,JD:-2"], None)


def test_a_place_to_write_is_checked_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert writable(str(tmp_path / "new.json")) == os.path.realpath(tmp_path / "new.json")
    with pytest.raises(BadInput, match="not a directory"):
        writable(str(tmp_path))
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(BadInput, match="no permission to write in"):
        writable(str(tmp_path / "new.json"))


def test_seed_text_on_the_command_line_is_the_same_seed(capsys: Captured) -> None:
    common = ["simulate", "hearts", "--games", "1", "--set", "max_hands=1", "--seed"]
    assert ok(capsys, *common, "42") == ok(capsys, *common, seed_text(42))
    assert ok(capsys, *common, "42") != ok(capsys, *common, "43")
