"""What fuzzing has kept is answered as ever, no finding comes back, every target runs, every kind of fault is seen."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz import corpus, planted
from tests.fuzz.child import play
from tests.fuzz.target import TextTarget
from tests.fuzz.targets import TARGETS
from tests.tiers import scale

ROOT = Path(__file__).parents[2]
TEXTS = [name for name, target in TARGETS.items() if isinstance(target, TextTarget)]
FINDINGS = corpus.load_findings(corpus.FOLDER)


@pytest.mark.parametrize("name", TEXTS)
def test_kept_texts_are_answered_as_ever(name: str) -> None:
    """Where a sentence was changed on purpose: python tools/fuzz.py --reword."""
    target = TARGETS[name]
    assert isinstance(target, TextTarget)
    kept = corpus.load(corpus.FOLDER, name)
    assert len(kept) > 20
    for one in kept:
        assert target.answer(one.text) == one.says, one.text


def test_what_is_kept_stays_small() -> None:
    assert (
        sum(path.stat().st_size for path in corpus.FOLDER.iterdir() if path.is_file())
        < corpus.LARGEST
    )


@pytest.mark.parametrize("number", range(len(FINDINGS)))
def test_findings_do_not_come_back(number: int) -> None:
    finding = FINDINGS[number]
    target = TARGETS[finding.target]
    if isinstance(target, TextTarget):
        assert finding.text is not None
        target.answer(finding.text.encode("latin-1"))
    else:
        target.play(finding.case)


@pytest.mark.parametrize("name", [name for name in TARGETS if name != "hypothesis"])
def test_some_cases_of_every_target(name: str) -> None:
    target = TARGETS[name]
    kept = corpus.load(corpus.FOLDER, name)
    for case in range(scale(quick=2, ci=12, full=300)):
        play(target, case, kept)


def fuzz(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The command as a process of its own."""
    return subprocess.run(
        [sys.executable, str(ROOT / "tools" / "fuzz.py"), *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


@pytest.mark.ci
def test_planted_faults_are_found_and_run_again(tmp_path: Path) -> None:
    """Each kind once, with the number of its case; the command that is shown fails alike."""
    planted_ones = ("--module", "tests.fuzz.planted", "--corpus", str(tmp_path))
    done = fuzz(*planted_ones, "--seed", "1", "--minutes", "0.2", "--workers", "7")
    assert done.returncode == 1, done.stderr
    findings = corpus.load_findings(tmp_path)
    found = {finding.target: finding for finding in findings}
    assert set(found) == set(planted.TARGETS) - {"good"}
    assert found["error"].what.startswith("KeyError at planted.py:")
    assert found["crash"].what == "crash: SIGSEGV"
    assert found["hang"].what == "hang: over 1 s"
    assert found["wait"].what == "hang: over 0.2 s"
    assert found["memory"].what.startswith("MemoryError at planted.py:")
    assert found["text"].text == "planted"
    assert len(corpus.load(tmp_path, "text")) == 5
    cases = dict(re.findall(r"^(\w+) +([\d,]+) ", done.stdout, re.MULTILINE))
    assert int(cases["good"].replace(",", "")) > 100
    for name in ("error", "crash", "text"):
        command = f"tools/fuzz.py {name} --case {found[name].case} --corpus {tmp_path}"
        assert command in done.stdout
        again = fuzz(*planted_ones, name, "--case", str(found[name].case))
        assert again.returncode not in (0, 2)
        assert name == "crash" or "KeyError" in again.stderr


@pytest.mark.ci
def test_a_run_finds_texts_and_no_faults(tmp_path: Path) -> None:
    names = ["records", "moves", "twin"]
    done = fuzz(*names, "--corpus", str(tmp_path), "--seed", "2", "--minutes", "0.2")
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(corpus.load(tmp_path, "records")) > 5
    assert len(corpus.load(tmp_path, "moves")) > 5
    assert corpus.load_findings(tmp_path) == []


def test_the_targets_are_listed() -> None:
    listed = fuzz("--list")
    assert listed.returncode == 0
    assert [line.split()[0] for line in listed.stdout.splitlines()] == [*TARGETS]
    assert fuzz("no-such-target").returncode == 2
