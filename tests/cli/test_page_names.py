"""`--html` refuses a name that cannot be written as other outputs do, and names no temporary file."""

from __future__ import annotations

from pathlib import Path

import pytest

import herzen
from herzen.cli.app import run


def test_a_page_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "match.json"
    herzen.Hearts(seed=1).record().dump(record)
    for name, reason in (("no/x.html", "there is no directory"), (".", "a file name is needed")):
        assert run(["replay", str(record), "--html", str(tmp_path / name)]) == 2
        said = capsys.readouterr().err
        assert reason in said
        assert ".part" not in said
