"""How commands end early: by signals, by a closed terminal, by bots that fail. What was played is kept."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import herzen
from herzen.bots import RuleBot
from herzen.cli.app import run
from herzen.cli.output import Held
from tests.cli.test_commands import PACKAGES, Captured, ok, refused

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
ENDS = [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)]
SHORT = herzen.HerzsammlerRules()
BOTS = "tests.cli.test_endings"


class First:
    """Takes the first of its moves."""

    def __init__(self, seed: int) -> None:
        pass

    def choose(self, view: herzen.View) -> object:
        return view.legal_moves[0]


class Late(First):
    """Fails from the third move on, in a function of the standard library that it calls."""

    def choose(self, view: herzen.View) -> object:
        return shlex.split("'") if view.ply > 1 else view.legal_moves[0]


class Nothing(First):
    """Chooses nothing."""

    def choose(self, view: herzen.View) -> object:
        return None


class Liar(First):
    """Chooses what is not allowed."""

    def choose(self, view: herzen.View) -> object:
        return "no move"


class Seedless:
    """Cannot be made from a seed."""

    def choose(self, view: herzen.View) -> object:
        return view.legal_moves[0]


class Silent:
    """Has no method choose."""

    def __init__(self, seed: int) -> None:
        pass


class Third(First):
    """Fails in the third match that it plays, at once."""

    made = 0

    def __init__(self, seed: int) -> None:
        Third.made += 1
        if Third.made == 3:
            raise RuntimeError("tired")


FAILURES = [
    ("Seedless", r"move 0, seat 0 ({}): TypeError: Seedless() takes no arguments"),
    ("Silent", r"move 0, seat 0 ({}): TypeError: bot '{}': Silent has no method choose(view)"),
    ("Nothing", r"move 0, seat 0 ({}): TypeError: a move, its text or its code is needed"),
    ("Liar", r"move 0, seat 0 ({}): IllegalMove: 'no move' is no move"),
    ("Late", r"seat 0 ({}): ValueError: No closing quotation (test_endings.py, line "),
]


@pytest.mark.parametrize(("name", "sentence"), FAILURES)
@pytest.mark.parametrize("command", ["simulate", "arena"])
def test_a_bot_that_fails_is_named(
    capsys: Captured, command: str, name: str, sentence: str
) -> None:
    word = f"{BOTS}:{name}"
    how = ["--bots", f"{word},rule"] if command == "simulate" else [word, "rule"]
    line = refused(capsys, command, "herzsammler", *how, "--seed", "1")
    assert sentence.format(word, word) in line
    assert line.startswith("match 0, move" if command == "simulate" else "deal 0, line-up 0 (")


@pytest.mark.parametrize(("name", "sentence"), FAILURES[:-1])
def test_a_bot_that_fails_at_ones_table_is_named(
    capsys: Captured, tmp_path: Path, name: str, sentence: str
) -> None:
    """Here it sits in seat 0, before the person; what was played is kept, if anything was."""
    path, word = tmp_path / "p.json", f"{BOTS}:{name}"
    code = run(["play", "hearts", "--seat", "3", "--bots", word, "--record", str(path)])
    out, err = capsys.readouterr()
    assert code == 2
    assert err.startswith("herzen: " + sentence.format(word, word))
    assert err.count("\n") == 1
    if name in ("Nothing", "Liar"):
        assert "seed " in out
        assert herzen.Record.load(path).moves == ()


def test_what_was_played_before_a_bot_failed_is_kept(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    common = ["play", "hearts", "--seed", "1", "--seat", "3", "--record", str(path)]
    assert run([*common, "--bots", f"{BOTS}:Late"]) == 2
    out, err = capsys.readouterr()
    assert err.startswith(f"herzen: move 2, seat 2 ({BOTS}:Late): ValueError: No closing")
    assert f"written: {path}" in out.replace("\n", "")
    record = herzen.Record.load(path)
    record.verify()
    assert [seat for seat, _ in record.moves] == [0, 1]
    assert "it exists already" in refused(capsys, *common)


def test_what_was_played_to_the_end_before_a_bot_failed_is_kept(
    capsys: Captured, tmp_path: Path
) -> None:
    path, Third.made = tmp_path / "all.jsonl", 0
    common = ["simulate", "herzsammler", "--seed", "1", "--record", str(path)]
    line = refused(capsys, *common, "--games", "5", "--bots", f"{BOTS}:Third,rule")
    assert line == (
        f"match 2, move 0, seat 0 ({BOTS}:Third): RuntimeError: tired (test_endings.py, line "
        f"{Third.__init__.__code__.co_firstlineno + 3}); 2 of 5 matches played and written: {path}"
    )
    kept = list(herzen.load_records(path))
    assert len(kept) == 2
    for record in kept:
        record.verify(seed=True)
    Third.made = 2
    refused(capsys, *common, "--games", "5", "--bots", f"{BOTS}:Third,rule")
    assert list(herzen.load_records(path)) == kept  # where no match was played nothing is written


def test_the_librarys_simulate_raises_what_the_bot_raised() -> None:
    with pytest.raises(ValueError, match="No closing quotation"):
        herzen.simulate(SHORT, 1, seed=1, policy=f"{BOTS}:Late")


@pytest.mark.parametrize(
    ("policy", "sentence"),
    [
        (RuleBot(1), "policy: a word, or a sequence .* is needed, not RuleBot"),
        (RuleBot, "policy: a word, or a sequence .* is needed, not the class RuleBot"),
        ([RuleBot(1)] * 2, "policy: a word, or a function that makes a bot .*, not RuleBot"),
    ],
)
def test_what_is_no_policy(policy: object, sentence: str) -> None:
    with pytest.raises(TypeError, match=sentence):
        herzen.simulate(SHORT, 1, policy=policy)  # type: ignore[arg-type]


# ---- signals -------------------------------------------------------------------------------------------------


def started(*arguments: str, **more: object) -> subprocess.Popen[str]:
    """A command that can be interrupted: a shell's background jobs ignore Ctrl-C, and so would what they start."""
    return subprocess.Popen(  # type: ignore[call-overload,no-any-return]
        [sys.executable, "-m", "herzen", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": PACKAGES, "COLUMNS": "300"},
        preexec_fn=lambda: [
            signal.signal(number, signal.SIG_DFL) for number in (signal.SIGINT, signal.SIGHUP)
        ],
        **more,
    )


def wait_for(found: Callable[[], object]) -> None:
    until = time.monotonic() + 60
    while not found():
        assert time.monotonic() < until
        time.sleep(0.05)


def interrupted(path: Path, number: str, code: int, *arguments: str) -> str:
    """What a long simulation says that a signal ends after it has begun to write."""
    running = started(*arguments, "--games", "1000000", "--record", str(path))
    try:
        wait_for(lambda: any(part.stat().st_size for part in path.parent.glob("*.part")))
        running.send_signal(getattr(signal, number))
        out, err = running.communicate(timeout=60)
    finally:
        running.kill()
    assert (running.returncode, out) == (code, "")
    return err


@posix
@pytest.mark.parametrize(("number", "code"), ENDS)
def test_an_interrupted_simulation_keeps_what_was_played(
    tmp_path: Path, capsys: Captured, number: str, code: int
) -> None:
    path = tmp_path / "all.jsonl"
    common = ["simulate", "herzsammler", "--seed", "a b", "--bots", "rule"]
    err = interrupted(path, number, code, *common)
    assert [file.name for file in tmp_path.iterdir()] == ["all.jsonl"]
    count = sum(1 for _ in herzen.load_records(path))
    assert count > 0
    assert err == (
        f"herzen: {'interrupted' if code == 130 else 'ended'}, {count:,} of 1,000,000 matches played and written: "
        f"{path}; to go on, into another file: --seed 'a b' --first {count} --games {1_000_000 - count}\n"
    )
    whole = tmp_path / "whole.jsonl"
    ok(capsys, *common, "--games", str(count), "--record", str(whole))
    assert path.read_bytes() == whole.read_bytes()

    # Over a file that was there before, which may hold more, only a whole run is written.
    err = interrupted(whole, number, code, *common)
    assert err.endswith(f" of 1,000,000 matches played, none written: {whole} is as it was\n")
    assert path.read_bytes() == whole.read_bytes()
    assert len(list(tmp_path.iterdir())) == 2


@posix
def test_an_interrupted_simulation_without_a_record_says_how_far_it_went() -> None:
    running = started("simulate", "hearts", "--games", "100000000", "--seed", "1")
    try:
        time.sleep(2)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    finally:
        running.kill()
    assert (running.returncode, out) == (130, "")
    assert err.startswith("herzen: interrupted, ")
    assert " of 100,000,000 matches played; to go on: --seed 1 --first " in err


@posix
@pytest.mark.parametrize(("number", "code"), ENDS)
def test_an_interrupted_match_is_kept(tmp_path: Path, number: str, code: int) -> None:
    path = tmp_path / "p.json"
    running = started("play", "hearts", "--record", str(path), stdin=subprocess.PIPE)
    try:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write("hint\n")
        running.stdin.flush()
        for line in running.stdout:
            if line.startswith("Hint: "):
                break
        running.send_signal(getattr(signal, number))
        out, err = running.communicate(timeout=60)
    finally:
        running.kill()
    assert running.returncode == code
    assert err == ("herzen: interrupted\n" if code == 130 else "")
    record = herzen.Record.load(path)
    record.verify()
    assert record.result is None
    *_, seed, written = out.splitlines()
    assert seed == f"seed {record.seed:064x}"
    assert written.startswith(f"written: {path}")


@posix
def test_a_match_on_a_terminal_that_is_closed_is_kept(tmp_path: Path) -> None:
    import fcntl
    import pty
    import termios

    path = tmp_path / "p.json"
    ours, its = pty.openpty()

    def terminal() -> None:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    running = subprocess.Popen(
        [sys.executable, "-m", "herzen", "play", "hearts", "--seed", "3", "--record", str(path)],
        stdin=its,
        stdout=its,
        stderr=its,
        start_new_session=True,
        preexec_fn=terminal,
        env={**os.environ, "PYTHONPATH": PACKAGES},
    )
    try:
        os.close(its)
        seen = b""
        while b"\n> " not in seen:
            seen += os.read(ours, 4096)
        os.close(ours)
        assert running.wait(60) == 129
    finally:
        running.kill()
    herzen.Record.load(path).verify()


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C as usual, also where the tests run in a shell's background, which ignores it."""
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, usual)


@posix
def test_signals_wait_until_they_are_let_in(interruptible: None) -> None:
    reached = []

    def held_until(let_in: bool) -> None:
        with Held() as held:
            signal.raise_signal(signal.SIGINT)
            reached.append("held")
            if let_in:
                with held.let_in():
                    reached.append("let in")
            reached.append("over")

    with pytest.raises(KeyboardInterrupt):
        held_until(let_in=True)
    assert reached == ["held"]
    with pytest.raises(KeyboardInterrupt):
        held_until(let_in=False)
    assert reached == ["held", "held", "over"]
    with Held() as held, pytest.raises(KeyboardInterrupt), held.let_in():
        signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


# ---- files ---------------------------------------------------------------------------------------------------


@posix
def test_a_name_that_no_file_can_have(capsys: Captured) -> None:
    for name in ("\ud800", "a\0b"):
        err = refused(capsys, "simulate", "hearts", "--games", "1", "--record", name)
        assert "no file can have this name" in err


def test_a_page_is_not_written_over_its_record(capsys: Captured, tmp_path: Path) -> None:
    path, other = tmp_path / "m.json", tmp_path / "other.json"
    ok(capsys, "simulate", "herzsammler", "--games", "1", "--seed", "1", "--record", str(path))
    other.hardlink_to(path)
    before = path.read_bytes()
    for html in (path, other):
        line = refused(capsys, "replay", str(path), "--html", str(html))
        assert line == f"--html {html}: it is the same file as FILE {path}"
    assert path.read_bytes() == before


def test_simulate_counts_only_on_request_and_shows_whole_headings(capsys: Captured) -> None:
    common = ["simulate", "vonherzen", "--games", "3", "--seed", "1"]
    common += ["--bots", "rule,random,tests.cli.test_endings:First", "--players", "3"]
    assert "runs" not in ok(capsys, *common)
    out = ok(capsys, *common, "--details")
    heading = "seat bot mean score ± lowest highest won shared runs flutes out"
    assert out.splitlines()[1].split() == heading.split()
    assert max(map(len, out.splitlines()[:-1])) <= 80


def test_flags_have_no_type_in_the_help(capsys: Captured) -> None:
    shown = [line for line in ok(capsys, "replay", "--help").splitlines() if "--verify" in line]
    assert shown
    assert "bool" not in shown[0]
