"""`herzen replay` with --json, --diff and --shrink, and `herzen records`."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import herzen
from tests.cli.test_commands import PACKAGES, Captured, ok, refused, run

RULES = {
    "hearts": herzen.HeartsRules(max_hands=1),
    "vonherzen": herzen.VonHerzenRules(full_rounds=1),
    "herzsammler": herzen.HerzsammlerRules(),
}


def played(name: str, seed: int, moves: int = 10**6) -> herzen.Game:
    """A match after so many random moves."""
    game = herzen.new(name, RULES[name], seed=seed)
    rng = random.Random(seed)
    while not game.over and game.ply < moves:
        codes = game.codes()
        game.play_code(codes[rng.randrange(len(codes))])
    return game


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Records 0..8: of each game a finished one, a running one, and one just begun."""
    path = tmp_path_factory.mktemp("archive") / "all.jsonl.gz"
    with herzen.RecordWriter(path, every=2) as writer:
        for name in RULES:
            for moves in (10**6, 20, 0):
                writer.write(played(name, len(name), moves).record())
    return path


# ---- replay --json -----------------------------------------------------------------------------------


def test_json_of_a_position(capsys: Captured, archive: Path) -> None:
    for number, record in enumerate(herzen.load_records(archive)):
        if number % 3 == 2 and number > 2:
            continue  # just begun, as record 2
        for at in {0, len(record.moves)} if number % 3 else {len(record.moves) // 2}:
            options = ["--game", str(number), "--at", str(at), "--json"]
            data = json.loads(ok(capsys, "replay", str(archive), *options))
            game = record.replay(to=at)
            assert (data["game"], data["record"], data["at"]) == (record.game, number, at)
            assert data["fingerprint"] == game.fingerprint()
            assert data["legal_moves"] == [str(move) for move in game.legal_moves()]
            assert data["position"]["hands"] == [
                [str(card) for card in game.hand(seat)] for seat in range(game.players)
            ]
            assert eval(data["setup"], {"herzen": herzen}) == game
            assert data["last"] == (list(record.moves[at - 1]) if at else None)
            assert data["next"] == (list(record.moves[at]) if at < len(record.moves) else None)
            seen = json.loads(ok(capsys, "replay", str(archive), *options, "--seat", "1"))
            assert set(seen) == {"game", "record", "moves", "at", "seat", "view"}
            assert herzen.View.from_dict(seen["view"]) == game.view(1)
    data = json.loads(ok(capsys, "replay", str(archive), "--json", "--log"))
    assert data["events"][0]["type"] == "Dealt"


def test_json_of_a_verification(capsys: Captured, archive: Path, tmp_path: Path) -> None:
    records = list(herzen.load_records(archive))
    found = json.loads(ok(capsys, "replay", str(archive), "--verify", "--json"))
    moves = sum(len(record.moves) for record in records)
    assert found == {"records": 9, "moves": moves, "failed": []}
    broken = records[1].to_dict()
    broken["fingerprints"] = [[7, "0" * 32]]
    path = tmp_path / "broken.jsonl"
    herzen.dump_records(path, [records[0], herzen.Record.from_dict(broken)])
    assert run(["replay", str(path), "--verify", "--json"]) == 1
    out, err = capsys.readouterr()
    failed = json.loads(out)["failed"]
    assert [(entry["record"], entry["index"]) for entry in failed] == [(1, 7)]
    assert err == "herzen: verification failed for 1 of 2 records\n"


def test_notes_are_shown_to_the_server_only(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "noted.json"
    record = played("hearts", 1, 9).record(notes={4: "why \x1b[31m this?"}, stamps=[7] * 9)
    record.dump(path)
    assert "Note: why ?[31m this?" in ok(capsys, "replay", str(path), "--at", "4")
    assert "Note" not in ok(capsys, "replay", str(path), "--at", "4", "--seat", "0")
    assert "Note" not in ok(capsys, "replay", str(path), "--at", "5")
    data = json.loads(ok(capsys, "replay", str(path), "--at", "4", "--json"))
    assert (data["notes"], data["stamp"]) == (["why \x1b[31m this?"], 7)


# ---- replay --diff -----------------------------------------------------------------------------------


def test_diff(capsys: Captured, archive: Path, tmp_path: Path) -> None:
    assert "No difference in" in ok(capsys, "replay", str(archive), "--diff", str(archive))
    same = json.loads(ok(capsys, "replay", str(archive), "--diff", str(archive), "--json"))
    assert same == {"difference": None}
    record = next(herzen.load_records(archive))
    other = tmp_path / "other.json"
    record.prefix(17).dump(other)
    told = refused(capsys, "replay", str(archive), "--diff", str(other), code=1)
    assert f"move 17: seat {record.moves[17][0]} plays" in told
    assert told.endswith("here, the record has ended there")
    assert run(["replay", str(archive), "--diff", str(other), "--json"]) == 1
    out, _ = capsys.readouterr()
    found = json.loads(out)["difference"]
    assert (found["kind"], found["index"], found["theirs"]) == ("move", 17, None)
    assert "no/such" in refused(capsys, "replay", str(archive), "--diff", "no/such")
    assert "--game" in refused(capsys, "replay", str(archive), "--game", "1", "--diff", str(other))


# ---- replay --shrink ---------------------------------------------------------------------------------


def shrunk(capsys: Captured, path: Path, check: str, number: int = 0) -> dict[str, Any]:
    """What --shrink finds, as JSON."""
    assert run(["replay", str(path), "--game", str(number), "--shrink", check, "--json"]) == 1
    out, err = capsys.readouterr()
    assert err.startswith("herzen: the check fails after ")
    found: dict[str, Any] = json.loads(out)["failure"]
    return found


def test_shrink_gives_a_test_that_fails(capsys: Captured, archive: Path, tmp_path: Path) -> None:
    check = "not any(str(card) == 'QS' for hand in [game.hand(game.turn)] for card in hand)"
    script = tmp_path / "check.py"
    script.write_text(
        "if game.turn is not None:\n    assert 'QS' not in map(str, game.hand(game.turn))\n"
    )
    for text, kind in (
        (check, "false"),
        (str(script), "AssertionError"),
        ("assert " + check, "Ass"),
    ):
        found = shrunk(capsys, archive, text)
        assert found["failure"].startswith(kind)
        record = herzen.Record.from_dict(found["prefix"])
        assert len(record.moves) == found["moves"]
        names: dict[str, Any] = {}
        exec(found["test"], names)
        with pytest.raises(AssertionError):
            names["test_the_position_that_failed"]()
        game = eval(found["setup"], {"herzen": herzen})
        assert sum(game.hand_sizes) <= 4
    assert run(["replay", str(archive), "--shrink", check]) == 1
    out, _ = capsys.readouterr()
    assert out.startswith(f"Fails after {found['moves']} of ")
    assert found["test"] in out


def test_shrink_where_only_the_moves_fail(capsys: Captured, archive: Path) -> None:
    found = shrunk(capsys, archive, "len(game.moves) < 9")
    assert (found["moves"], found["setup"]) == (9, None)
    names: dict[str, Any] = {}
    exec(found["test"], names)
    with pytest.raises(AssertionError):
        names["test_the_position_that_failed"]()
    run(["replay", str(archive), "--shrink", "len(game.moves) < 9"])
    assert "needs the moves before it" in capsys.readouterr().out


def test_shrink_where_nothing_fails(capsys: Captured, archive: Path) -> None:
    assert "The check holds" in ok(capsys, "replay", str(archive), "--shrink", "game.players == 4")
    out = ok(capsys, "replay", str(archive), "--shrink", "True", "--json")
    assert json.loads(out) == {"failure": None}


@pytest.mark.parametrize(
    ("check", "sentence"),
    [
        ("game.", "not Python"),
        ("if :", "not Python"),
        ("", "holds"),
        ("gaem.over", "name 'gaem' is not defined (the check sees herzen and game)"),
        ("\0", "not Python"),
        ("(" * 5000, "not Python"),
    ],
)
def test_shrink_refuses_what_is_no_check(
    capsys: Captured, archive: Path, check: str, sentence: str
) -> None:
    if sentence == "holds":
        assert sentence in ok(capsys, "replay", str(archive), "--shrink", check)
        return
    assert sentence in refused(capsys, "replay", str(archive), "--shrink", check)


def test_a_script_that_cannot_be_read(capsys: Captured, archive: Path, tmp_path: Path) -> None:
    script = tmp_path / "check.py"
    script.write_bytes(b"\xff")
    assert "--shrink: " in refused(capsys, "replay", str(archive), "--shrink", str(script))


def test_shrinking_that_is_cut_short_says_so(
    capsys: Captured, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("herzen.cli.shrink.ATTEMPTS", 2)
    check = "not any(str(card) == 'QS' for hand in [game.hand(game.turn)] for card in hand)"
    assert run(["replay", str(archive), "--shrink", check]) == 1
    assert capsys.readouterr().out.endswith(
        "# stopped after 2 attempts: it may not be the smallest\n"
    )


def test_a_check_cannot_end_the_command(capsys: Captured, archive: Path) -> None:
    found = shrunk(capsys, archive, "import sys\nsys.exit(0)")
    assert found["failure"] == "RuntimeError: the check wants to exit with 0"


@pytest.mark.parametrize(
    "options",
    [
        ["--verify", "--diff", "x"],
        ["--shrink", "True", "--step"],
        ["--step", "--verify"],
    ],
)
def test_one_thing_at_a_time(capsys: Captured, archive: Path, options: list[str]) -> None:
    assert "at a time" in refused(capsys, "replay", str(archive), *options)


# ---- records -----------------------------------------------------------------------------------------


def listed(capsys: Captured, path: Path, *options: str) -> list[int]:
    """The numbers of the records that are listed."""
    out = ok(capsys, "records", str(path), "--json", *options)
    return [json.loads(line)["record"] for line in out.splitlines()]


def test_records_are_listed_and_chosen(capsys: Captured, archive: Path) -> None:
    records = list(herzen.load_records(archive))
    assert listed(capsys, archive) == [*range(9)]
    assert listed(capsys, archive, "--game", "vonherzen") == [3, 4, 5]
    assert listed(capsys, archive, "--players", "4") == [0, 1, 2]
    assert listed(capsys, archive, "--finished") == [0, 3, 6]
    assert listed(capsys, archive, "--running") == [1, 2, 4, 5, 7, 8]
    assert listed(capsys, archive, "--min-moves", "1", "--max-moves", "20") == [1, 4, 7]
    assert listed(capsys, archive, "--limit", "2") == [0, 1]
    won = [n for n, record in enumerate(records) if record.result and 1 in record.result["winners"]]
    assert listed(capsys, archive, "--winner", "1") == won
    out = ok(capsys, "records", str(archive), "--limit", "3")
    rows = [line.split() for line in out.splitlines() if "hearts" in line]
    assert [row[0] for row in rows] == ["0", "1", "2"]
    assert [row[4] for row in rows] == [str(len(record.moves)) for record in records[:3]]
    assert "The first 3; --limit shows more." in out
    assert "No record is one of these." in ok(capsys, "records", str(archive), "--players", "9")


def test_records_are_counted(capsys: Captured, archive: Path) -> None:
    records = list(herzen.load_records(archive))
    counted = json.loads(ok(capsys, "records", str(archive), "--stats", "--json"))
    assert len(counted) == 3
    for number, kind in enumerate(counted.values()):
        of = records[3 * number : 3 * number + 3]
        assert (kind["records"], kind["finished"]) == (3, 1)
        assert kind["moves"] == sum(len(record.moves) for record in of)
        assert of[0].result is not None
        assert kind["mean_scores"] == of[0].result["scores"]
        wins = [int(seat in of[0].result["winners"]) for seat in range(of[0].rules.players)]
        assert kind["wins"] == wins
    out = ok(capsys, "records", str(archive), "--stats", "--game", "hearts")
    assert out.startswith("hearts, 4 seats: max_hands=1\n  3 records, 1 finished, 3 deals,")
    nothing = ok(capsys, "records", str(archive), "--stats", "--players", "9")
    assert nothing == "No record is one of these.\n"


def test_rules_beyond_a_number_are_counted_together(
    capsys: Captured, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("herzen.cli.records.MEMORY", 1)
    counted = json.loads(ok(capsys, "records", str(archive), "--stats", "--json"))
    assert [kind["records"] for kind in counted.values()] == [3, 3, 3]
    assert [*counted][1:] == ["others with 3 seats", "others with 2 seats"]


def test_records_are_written_to_another_file(
    capsys: Captured, archive: Path, tmp_path: Path
) -> None:
    path = tmp_path / "some.jsonl"
    out = ok(capsys, "records", str(archive), "--finished", "--into", str(path))
    assert out == f"written: {path}, 3 records\n"
    assert [*herzen.load_records(path)] == [*herzen.load_records(archive)][::3]
    before = path.read_bytes()
    line = refused(capsys, "records", str(path), "--game", "hearts", "--into", str(path))
    assert line == f"--into {path}: it is the same file as FILE {path}"
    assert path.read_bytes() == before


def test_records_with_a_torn_end(capsys: Captured, archive: Path, tmp_path: Path) -> None:
    path = tmp_path / "torn.jsonl.gz"
    path.write_bytes(archive.read_bytes()[:-20])
    assert "cut short" in refused(capsys, "records", str(path), "--stats")
    assert listed(capsys, path, "--torn")[:8] == [*range(8)]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--game", "chess"], "no such game: 'chess'"),
        (["--limit", "0"], "--limit"),
        (["--winner", "-1"], "--winner"),
        (["--stats", "--into", "x"], "at a time"),
        (["--into", "no/such/x"], "there is no directory"),
        (["--frob"], "No such option"),
    ],
)
def test_records_refuses(
    capsys: Captured, archive: Path, options: list[str], sentence: str
) -> None:
    assert sentence in refused(capsys, "records", str(archive), *options)


def test_records_refuses_files_that_are_none(capsys: Captured, tmp_path: Path) -> None:
    for content, sentence in ((b"", "there is no record"), (b"[]", "JSON object"), (b"{", "JSON")):
        path = tmp_path / "file"
        path.write_bytes(content)
        assert sentence in refused(capsys, "records", str(path))
    assert "No such file" in refused(capsys, "records", str(tmp_path / "none"))
    assert "null byte" in refused(capsys, "records", "a\0b")


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_while_shrinking(archive: Path) -> None:
    check = "print('begun', flush=True) or __import__('time').sleep(60)"
    with subprocess.Popen(
        [sys.executable, "-m", "herzen", "replay", str(archive), "--shrink", check],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([PACKAGES, *sys.path])},
        # A shell that runs the tests in the background lets them ignore Ctrl-C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "begun\n"
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert err == "herzen: interrupted\n"
