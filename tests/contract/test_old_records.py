"""Files of format version 1 in tests/data/records: every release reads them, to the same positions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import herzen
from tests.contract.games import GAMES
from tests.contract.make_old_records import FOLDER, facts

KNOWN = json.loads((FOLDER / "facts.json").read_text(encoding="utf-8"))


def files(pattern: str) -> list[Path]:
    """Files of the folder, sorted."""
    return sorted(FOLDER.glob(pattern))


def test_all_kinds_are_there() -> None:
    names = {path.name.removesuffix(".json.gz") for path in files("*.json.gz")}
    assert names == {*KNOWN, *(f"{case}-over-seat-{seat}" for case in GAMES for seat in (None, 1))}
    assert len(KNOWN) >= 7 * len(GAMES)


@pytest.mark.parametrize("name", KNOWN)
def test_old_records_replay_to_the_same_position(name: str) -> None:
    record = herzen.Record.load(FOLDER / f"{name}.json.gz")
    record.verify()
    if record.seed is not None:
        record.verify(seed=True)
    assert facts(record) == KNOWN[name]


@pytest.mark.parametrize("path", files("*-seat-*.json.gz"), ids=lambda path: path.name[:-8])
def test_old_records_of_seats_show_the_same_views(path: Path) -> None:
    seen = herzen.SeatRecord.load(path)
    name = path.name.split("-seat-")[0]
    assert seen.replay().fingerprint() == KNOWN[name]["views"][str(seen.seat)]
    assert seen == herzen.Record.load(FOLDER / f"{name}.json.gz").for_seat(seen.seat)


def test_the_old_archive_loads() -> None:
    loaded = list(herzen.load_records(FOLDER / "all.jsonl.gz"))
    assert len(loaded) == 7 * len(GAMES)
    for record in loaded:
        record.verify()
        assert any(
            record.replay().fingerprint() == known["fingerprint"] for known in KNOWN.values()
        )
