"""`herzen arena`: what it prints and writes, what it refuses, and how it goes on."""

from __future__ import annotations

import csv
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import herzen
from herzen.arena import Tournament, load
from tests.cli.test_commands import PACKAGES, Captured, ok, process, refused

FIRST = "tests.arena.bots:First"
SHORT = ["arena", "herzsammler", FIRST, "random", "--seed", "1"]


def rows(out: str, first: str) -> list[list[str]]:
    """The cells of lines that begin with this cell."""
    return [
        re.split(r"\s{2,}", line.strip())
        for line in out.splitlines()
        if line.strip().startswith(first)
    ]


def test_it_shows_what_the_results_say(capsys: Captured) -> None:
    out = ok(capsys, *SHORT, "--deals", "6")
    results = Tournament(herzen.HerzsammlerRules(), [FIRST, "random"], 6, seed=1).play()
    first = results.standing.bot(FIRST)
    assert "herzsammler: 6 deals of 2 line-ups, 12 matches, 12 hands" in out
    scores, places, difference = rows(out, FIRST)
    half = first.score.high - first.score.value
    assert scores[:4] == [FIRST, "12", f"{first.score.value:.2f}", f"{half:.2f}"]
    assert float(scores[4]) == round(first.rating.value)
    assert places[1] == f"{100 * first.wins.value:.1f}%"
    assert places[3] == f"{first.place.value:.2f}"
    assert places[4:] == [*map(str, first.places), str(first.counted["colours"])]
    pair = results.standing.pairs[0]
    assert difference[0] == f"{FIRST} − random"
    assert difference[2] == f"{pair.score.value:.2f}"
    assert difference[-1] == (pair.better or "open")
    assert "seed" not in out  # it was given


def test_tables_of_a_field_are_shown_each(capsys: Captured) -> None:
    out = ok(
        capsys, "arena", "hearts", "random", "rule", "--deals", "2", "--seed", "1",
        "--rules", "max_hands=1", "--field", "one",
    )  # fmt: skip
    assert "8 line-ups" in out
    assert "Table: 1 random, 3 rule" in out
    assert "Table: 1 rule, 3 random" in out
    assert len(rows(out, "random − rule")) == 3
    assert "a hand" not in out
    assert max(map(len, out.splitlines())) <= 80
    out = ok(
        capsys, "arena", "hearts", "random", FIRST, "--deals", "1", "--seed", "1",
        "--rules", "max_hands=2", "--table", f"random,random,random,{FIRST}",
    )  # fmt: skip
    assert "4 line-ups, 4 matches, 8 hands" in out
    assert "a hand" in out


def test_files_hold_what_was_played(capsys: Captured, tmp_path: Path) -> None:
    names = ("table.csv", "games.csv", "all.jsonl.gz", "results.db")
    table, games, records, file = (tmp_path / name for name in names)
    out = ok(
        capsys, *SHORT, "--deals", "3", "--csv", str(table), "--games-csv", str(games),
        "--records", str(records), "--file", str(file),
    )  # fmt: skip
    assert out.replace("\n", "").count("written: ") == 3
    results = load(file)
    read = list(herzen.load_records(records))
    assert [record.result["scores"] for record in read if record.result] == (
        results.scores.reshape(-1, 2).tolist()
    )
    lines = list(csv.DictReader(games.read_text(encoding="utf-8").splitlines()))
    assert [int(line["score"]) for line in lines] == results.scores.ravel().tolist()
    assert [line["bot"] for line in lines[:4]] == [FIRST, "random", "random", FIRST]
    assert [int(line["won"]) for line in lines] == results.winners.ravel().astype(int).tolist()
    assert [int(line["colours"]) for line in lines] == results.counts[:, :, 0].ravel().tolist()
    summary = list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))
    assert [(line["bot"], line["less"]) for line in summary] == [
        (FIRST, ""),
        ("random", ""),
        (FIRST, "random"),
    ]
    for line, bot in zip(summary, results.standing.bots, strict=False):
        for name in ("score", "deal_score", "place", "wins", "rating"):
            found = getattr(bot, name)
            assert float(line[name]) == pytest.approx(found.value, rel=1e-4)
            assert float(line[f"{name}_low"]) == pytest.approx(found.low, rel=1e-4)
        assert line["ahead"] == ""
    assert float(summary[2]["ahead"]) == pytest.approx(results.standing.pairs[0].ahead.value)


@pytest.mark.ci
def test_a_picture(capsys: Captured, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    for ending, begin in ((".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")):
        path = tmp_path / f"picture{ending}"
        ok(capsys, *SHORT, "--deals", "2", "--plot", str(path))
        assert path.read_bytes().startswith(begin)
    ok(capsys, *SHORT, "--deals", "1", "--plot", str(path))  # without intervals


def test_a_run_without_a_seed_says_which_and_goes_on_with_it(
    capsys: Captured, tmp_path: Path
) -> None:
    common = ["arena", "herzsammler", FIRST, "random", "--file", str(tmp_path / "a.db")]
    first = ok(capsys, *common, "--deals", "2")
    again = ok(capsys, *common, "--deals", "3")
    assert rows(first, "seed") == rows(again, "seed") != []
    seed = rows(first, "seed")[0][0].split()[1]
    whole = ok(capsys, *SHORT[:-1], seed, "--deals", "3")
    assert again.splitlines()[:-1] == whole.splitlines()


def test_it_refuses_the_file_of_another_tournament(capsys: Captured, tmp_path: Path) -> None:
    file = ["--file", str(tmp_path / "a.db")]
    ok(capsys, *SHORT, "--deals", "1", *file)
    line = refused(capsys, *SHORT, "--set", "games=2", "--deals", "1", *file)
    assert 'holds another tournament: rules {}, not {"games":2}' in line
    line = refused(capsys, *SHORT[:-1], "2", "--deals", "1", *file)
    assert "holds another tournament: seed 000" in line
    (tmp_path / "text").write_text("no database " * 100)
    line = refused(capsys, *SHORT[:-2], "--file", str(tmp_path / "text"))
    assert "not a file of a tournament" in line


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["hearts"], "Missing argument 'BOTS...'"),
        (["chess", "rule"], "no such game"),
        (["hearts", "genius"], "BOTS: no such bot: 'genius'"),
        (["hearts", "rule:3"], "BOTS: rule has no parameter"),
        (["hearts", "search:many"], "BOTS: 'search:many': a number of simulations"),
        (["hearts", "no.such:Bot"], "BOTS: bot 'no.such:Bot': No module named"),
        (["hearts", "rule", "rule"], "bots: rule stands twice"),
        (["hearts", "rule", "--field", "one"], "at least two bots"),
        (["hearts", "rule", "--field", "all"], "--field: 'all' is not one of mixed, one, pairs"),
        (["hearts", "rule", "--seating", "some"], "--seating: 'some' is not one of"),
        (["hearts", "rule", "--table", "rule,rule"], "4 bots are needed"),
        (["hearts", "rule", "--field", "one", "--table", "rule"], "--field and --table: one or"),
        (["hearts", "rule", "--workers", "2", "--dask", "x"], "--workers and --dask: one or"),
        (["hearts", "rule", "--csv", "no/such/dir/x.csv"], "there is no directory"),
        (["hearts", "rule", "--plot", "x.gif"], "a picture's name ends in .png, .svg, .pdf"),
        (["hearts", "rule", "--deals", "0"], "--deals"),
        (["hearts", "rule", "--games", "100"], "No such option: --games (Possible options: "),
        (["hearts", "rule", "--csv", ""], "--csv: a file name is needed"),
    ],
)
def test_it_refuses(capsys: Captured, arguments: list[str], sentence: str) -> None:
    assert sentence in refused(capsys, "arena", *arguments)


@pytest.mark.parametrize(
    ("one", "other"),
    [("--file", "--records"), ("--csv", "--games-csv"), ("--file", "--csv"), ("--csv", "--plot")],
)
def test_no_file_is_written_over_another(
    capsys: Captured, tmp_path: Path, one: str, other: str
) -> None:
    path, link = tmp_path / "a.png", tmp_path / "b.png"
    link.symlink_to(path)  # to nothing yet
    sentence = f"{other} {link}: it is the same file as {one} {path}"
    assert refused(capsys, *SHORT, one, str(path), other, str(link)) == sentence
    assert not path.exists()


def test_without_the_extra_it_says_what_to_install(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("distributed", "matplotlib.figure"):
        monkeypatch.setitem(sys.modules, module, None)
    for option in (["--dask", "tcp://127.0.0.1:1"], ["--plot", "x.png"]):
        assert "pip install 'herzen[arena]'" in refused(capsys, *SHORT, *option)


@pytest.mark.ci
def test_a_scheduler_that_is_not_there(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")

    class Away:
        def __init__(self, address: str, timeout: float) -> None:
            raise OSError(f"Timed out trying to connect to {address} after {timeout} s")

    monkeypatch.setattr(distributed, "Client", Away)
    line = refused(capsys, *SHORT, "--dask", "tcp://127.0.0.1:1")
    assert (
        line
        == "--dask: tcp://127.0.0.1:1: Timed out trying to connect to tcp://127.0.0.1:1 after 10 s"
    )


@pytest.mark.ci
def test_a_scheduler_of_this_machine(capsys: Captured) -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
    ) as cluster:
        out = ok(capsys, *SHORT, "--deals", "3", "--dask", cluster.scheduler_address)
    assert out == ok(capsys, *SHORT, "--deals", "3")


@pytest.mark.ci
def test_a_module_beside_the_command_is_found_by_worker_processes(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "class Bot:\n"
        "    def __init__(self, seed): pass\n"
        "    def choose(self, view): return view.legal_moves[0]\n"
    )
    common = ["arena", "herzsammler", "mine:Bot", "random", "--seed", "1", "--deals", "3"]
    one = process(*common, cwd=tmp_path)
    two = process(*common, "--workers", "2", cwd=tmp_path)
    assert (one.returncode, two.returncode, two.stderr) == (0, 0, "")
    assert one.stdout == two.stdout


@pytest.mark.ci
@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_and_kill_leave_a_file_that_goes_on(tmp_path: Path, workers: int) -> None:
    file = tmp_path / "a.db"
    options = ["--deals", "400", "--file", str(file), "--workers", str(workers)]
    for number, code in ((signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)):
        run = subprocess.Popen(
            [sys.executable, "-m", "herzen", *SHORT, *options],
            env={**os.environ, "PYTHONPATH": os.pathsep.join([PACKAGES, os.getcwd()])},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            # A shell's background jobs ignore SIGINT, and so would their children.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        # As a terminal does it: to all processes of the command.
        until = time.monotonic() + 60
        while not file.exists() or file.stat().st_size < 30_000 * (1 + (code < 0)):
            assert time.monotonic() < until
            assert run.poll() is None
            time.sleep(0.01)
        os.killpg(run.pid, number)
        assert run.wait(30) == code
        assert run.stderr is not None
        assert run.stdout is not None
        assert run.stderr.read() == (b"herzen: interrupted\n" if code > 0 else b"")
        run.stderr.close()
        run.stdout.close()
        results = load(file)
        assert 0 < len(results.deals) < 400
    done = load(file)
    more = len(done.deals) + 2
    tournament = Tournament(herzen.HerzsammlerRules(), [FIRST, "random"], more, seed=1)
    again = tournament.play(file=file)
    assert again.standing == tournament.play().standing
