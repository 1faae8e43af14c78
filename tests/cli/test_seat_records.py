"""`herzen replay` of what one seat saw: it shows that and nothing else, however it is asked."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import herzen
from herzen.render.text import table
from tests.cli.test_commands import Captured, ok, refused
from tests.cli.test_records_commands import RULES, played

every_game = pytest.mark.parametrize("name", RULES)


def written(
    tmp_path: Path, name: str, seat: int | None, moves: int = 10**6
) -> tuple[Path, herzen.Record]:
    record = played(name, 5, moves).record()
    path = tmp_path / "seat.json.gz"
    record.for_seat(seat).dump(path)
    return path, record


@every_game
@pytest.mark.parametrize("seat", [1, None])
def test_the_table_after_each_of_some_moves(
    capsys: Captured, tmp_path: Path, name: str, seat: int | None
) -> None:
    path, record = written(tmp_path, name, seat)
    for at in (0, 7, len(record.moves)):
        view = record.replay(at).view(seat)
        out = ok(capsys, "replay", str(path), "--at", str(at))
        assert table(view, symbols=True, width=80) in out
        data = json.loads(ok(capsys, "replay", str(path), "--at", str(at), "--json"))
        found = herzen.View.from_dict(data.pop("view"))
        assert data == {"game": name, "moves": len(record.moves), "at": at, "seat": seat}
        assert found.to_dict() == view.to_dict()
    out = ok(capsys, "replay", str(path), "--log")
    assert "Result: " in out
    assert out.count("\n  ") > len(record.moves)


@every_game
def test_the_page_is_that_of_the_whole_record_for_this_seat(
    capsys: Captured, tmp_path: Path, name: str
) -> None:
    path, record = written(tmp_path, name, 1)
    whole = tmp_path / "whole.json"
    record.dump(whole)
    pages = []
    for number, source in enumerate((path, whole)):
        page = tmp_path / f"{number}.html"
        told = ok(capsys, "replay", str(source), "--seat", "1", "--html", str(page), "--at", "12")
        assert "all hands" not in told
        pages.append(page.read_text())
    assert pages[0] == pages[1]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--seat", "0"], "only what seat 1 saw"),
        (["--at", "999999"], "--at: the record has"),
        (["--verify"], "views, not moves"),
        (["--step"], "views, not moves"),
        (["--diff", "other.json"], "views, not moves"),
        (["--shrink", "False"], "views, not moves"),
    ],
)
def test_what_a_seats_record_cannot_tell(
    capsys: Captured, tmp_path: Path, options: list[str], told: str
) -> None:
    path, _ = written(tmp_path, "hearts", 1, moves=20)
    assert told in refused(capsys, "replay", str(path), *options)


def test_a_damaged_seat_record_says_what_is_wrong(capsys: Captured, tmp_path: Path) -> None:
    path, _ = written(tmp_path, "hearts", 1, moves=20)
    data = json.loads(gzip.decompress(path.read_bytes()))
    for fields, told in (({"seat": 9}, "seat: an integer"), ({"version": 2}, "version")):
        wrong = tmp_path / "wrong.json"
        wrong.write_text(json.dumps(data | fields, indent=2))
        assert told in refused(capsys, "replay", str(wrong))
