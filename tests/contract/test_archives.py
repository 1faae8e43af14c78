"""Archives of records: written whole, or record by record by a writer that may be killed at any moment."""

from __future__ import annotations

import gzip
import os
import random
import signal
import subprocess
import sys
import time
import tracemalloc
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

import herzen
from tests.tiers import scale

NAMES = pytest.mark.parametrize("name", ["all.jsonl", "all.jsonl.gz"])
PACKAGES = str(Path(herzen.__file__).resolve().parents[1])
RULES = herzen.HeartsRules(max_hands=1)


def records(count: int, first: int = 0) -> Iterator[herzen.Record]:
    """So many records, each of another match."""
    for number in range(first, first + count):
        game = herzen.Hearts(RULES, seed=number)
        for _ in range(3):
            game.play_code(game.codes()[number % 7])
        yield game.record({"number": number})


def numbers(path: Path, *, torn: bool = False) -> list[int]:
    """The numbers of the records in a file, each of which verifies."""
    out = []
    for record in herzen.load_records(path, torn=torn):
        record.verify()
        out.append(record.meta["number"])
    return out


def refused(path: Path, match: str, *, torn: bool = False) -> None:
    """The file is not read to its end."""
    with pytest.raises(herzen.RecordError, match=match):
        list(herzen.load_records(path, torn=torn))


# ---- adding ----------------------------------------------------------------------------------------


@NAMES
@pytest.mark.parametrize("every", [1, 3, 100])
def test_records_are_added(name: str, every: int, tmp_path: Path) -> None:
    path = tmp_path / name
    with herzen.RecordWriter(path, every=every) as writer:
        for record in records(7):
            writer.write(record)
    assert numbers(path) == [*range(7)]
    with herzen.RecordWriter(path, every=every) as writer:
        for record in records(5, first=7):
            writer.write(record)
        writer.flush(sync=True)
        assert numbers(path) == [*range(12)]
    writer.close()
    for late in (lambda: writer.write(next(records(1))), writer.flush):
        with pytest.raises(ValueError, match="closed"):
            late()
    assert numbers(path) == [*range(12)]
    assert [entry.name for entry in tmp_path.iterdir()] == [name]
    if name.endswith("gz"):
        assert gzip.decompress(path.read_bytes()).count(b"\n") == 12


@NAMES
def test_what_is_flushed_is_in_the_file(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    writer = herzen.RecordWriter(path, every=3)
    for number, record in enumerate(records(8)):
        writer.write(record)
        assert numbers(path) == [*range((number + 1) // 3 * 3)]
    writer.close()
    assert numbers(path) == [*range(8)]


@NAMES
def test_it_adds_to_what_other_programs_wrote(name: str, tmp_path: Path) -> None:
    """A whole file of `dump_records`, and one whose last line has no newline."""
    path = tmp_path / name
    herzen.dump_records(path, records(3))
    plain = gzip.decompress(path.read_bytes()) if name.endswith("gz") else path.read_bytes()
    for text in (plain, plain.rstrip(b"\n")):
        path.write_bytes(gzip.compress(text) if name.endswith("gz") else text)
        with herzen.RecordWriter(path) as writer:
            writer.write(next(records(1, first=3)))
        assert numbers(path) == [0, 1, 2, 3]


@NAMES
def test_it_adds_to_archives_only(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    contents = [b"a letter\n", b"[1]", b'{"format": 1}\n', b"\0" * 99, b"\x1f\x8b"[::-1]]
    if name.endswith("gz"):
        contents += [gzip.compress(content) for content in contents]
    for content in contents:
        path.write_bytes(content)
        with pytest.raises(herzen.RecordError):
            herzen.RecordWriter(path)
        assert path.read_bytes() == content
    for wrong in (0, -1):
        with pytest.raises(ValueError, match="every"):
            herzen.RecordWriter(tmp_path / "new", every=wrong)
    for kind in (True, 1.0, "1"):
        with pytest.raises(TypeError, match="every"):
            herzen.RecordWriter(tmp_path / "new", every=kind)  # type: ignore[arg-type]
    assert [entry.name for entry in tmp_path.iterdir()] == [name]


@NAMES
def test_a_write_that_fails_leaves_no_half_record(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / name
    writer = herzen.RecordWriter(path)
    first, second, third = records(3)
    writer.write(first)
    real = os.write
    with monkeypatch.context() as patch:
        calls = iter([True, False])

        def full(file: int, data: memoryview) -> int:
            if not next(calls):
                raise OSError("disk full")
            return real(file, data[:20])

        patch.setattr("os.write", full)
        with pytest.raises(OSError, match="disk full"):
            writer.write(second)
    assert numbers(path) == [0]
    writer.write(third)  # and the second, which still waits
    writer.close()
    assert numbers(path) == [0, 1, 2]


# ---- torn ends -------------------------------------------------------------------------------------


@NAMES
def test_every_cut_leaves_a_readable_archive(name: str, tmp_path: Path) -> None:
    """Cut anywhere: asked for, all complete lines are read; a writer mends the end and goes on."""
    whole, path = tmp_path / f"whole-{name}", tmp_path / name
    with herzen.RecordWriter(whole, every=2) as writer:
        for record in records(6):
            writer.write(record)
    data = whole.read_bytes()
    rng = random.Random(1)
    cuts = {*range(40), *range(len(data) - 20, len(data)), *rng.sample(range(len(data)), 60)}
    for cut in sorted(cuts):
        path.write_bytes(data[:cut])
        read = numbers(path, torn=True)
        assert read == [*range(len(read))]
        complete = data[:cut].count(b"\n") if not name.endswith("gz") else 0
        assert complete <= len(read) <= 6
        with herzen.RecordWriter(path) as writer:
            for record in records(2, first=90):
                writer.write(record)
        mended = numbers(path)  # without `torn`: nothing is broken any more
        assert mended == [*read, 90, 91] or mended == [*read[:-1], 90, 91]
    lines = [len(line) for line in data.splitlines(keepends=True)]
    if not name.endswith("gz"):
        path.write_bytes(data[: lines[0] - 5])
        refused(path, "line 1: not JSON")
        assert numbers(path, torn=True) == []


def test_a_torn_line_in_a_whole_member_is_cut_off(tmp_path: Path) -> None:
    """As where a torn file was packed afterwards, or where members end in the middle of lines."""
    path = tmp_path / "all.jsonl.gz"
    herzen.dump_records(tmp_path / "all.jsonl", records(3))
    text = (tmp_path / "all.jsonl").read_bytes()
    ends = [at + 1 for at, byte in enumerate(text) if byte == 10]
    cut, within = ends[1] + 40, ends[0] + 90
    one, two = gzip.compress(text[:within]), gzip.compress(text[within:cut])
    for content in (gzip.compress(text[:cut]), one + two, one + two[:-3], one):
        path.write_bytes(content)
        read = numbers(path, torn=True)
        with herzen.RecordWriter(path) as writer:
            writer.write(next(records(1, first=90)))
        assert numbers(path) == [*read, 90]
    for content in (gzip.compress(text + b"a letter"), one + gzip.compress(b"a letter\n" + text)):
        path.write_bytes(content)
        refused(path, "line")
    path.write_bytes(gzip.compress(text + b"a letter"))
    with pytest.raises(herzen.RecordError, match="not an archive"):
        herzen.RecordWriter(path)


def test_only_an_end_may_be_torn(tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    herzen.dump_records(path, records(3))
    one, two, three = path.read_bytes().splitlines(keepends=True)
    for text, place in (
        (one + two[:-9] + b"\n" + three, "line 2"),
        (one + two + three[:-9] + b"\n", "line 3"),  # a newline: it was complete
        (one + two + b"a letter", "line 3"),
        (one[:-9] + two + three, "line 1"),
    ):
        path.write_bytes(text)
        refused(path, place, torn=True)
        refused(path, place)
    packed = tmp_path / "all.jsonl.gz"
    members = [gzip.compress(line) for line in (one, two, three)]
    broken = bytearray(members[1])
    broken[-6] ^= 1  # its check sum
    for content in (
        members[0] + bytes(broken) + members[2],
        members[0] + members[1][:-9] + members[2],
        members[0] + b"no member",
        b"no member",
        one + two,
    ):
        packed.write_bytes(content)
        refused(packed, "not a gzip file", torn=True)
    packed.write_bytes(b"".join(members)[:-4])
    refused(packed, "too early")
    assert numbers(packed, torn=True) == [0, 1, 2]


WRITER = """
import sys, herzen
every = int(sys.argv[2])
rules = herzen.HeartsRules(max_hands=1)
with herzen.RecordWriter(sys.argv[1], every=every) as writer:
    for number in range(10**9):
        game = herzen.Hearts(rules, seed=number)
        for _ in range(3):
            game.play_code(game.codes()[number % 7])
        writer.write(game.record({"number": number}))
        if number % every == every - 1:
            sys.stdout.write(f"{number + 1}\\n")
            sys.stdout.flush()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9 of POSIX")
@NAMES
@pytest.mark.parametrize("every", [1, 20])
def test_a_killed_writer_leaves_a_readable_archive(name: str, every: int, tmp_path: Path) -> None:
    rng = random.Random(every)
    for attempt in range(scale(quick=1, ci=3, full=200)):
        path = tmp_path / f"{attempt}-{name}"
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), str(every)],
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": PACKAGES},
        ) as writer:
            assert writer.stdout is not None
            told = [writer.stdout.readline()]  # it has begun
            time.sleep(rng.random() * 0.2)
            writer.send_signal(signal.SIGKILL)
            told += writer.stdout.readlines()
        flushed = max(int(line) for line in told if line.endswith(b"\n"))
        read = numbers(path, torn=True)
        assert read == [*range(len(read))]
        assert len(read) >= flushed
        with herzen.RecordWriter(path) as more:
            more.write(next(records(1, first=10**6)))
        assert numbers(path)[-1] == 10**6


# ---- size ------------------------------------------------------------------------------------------


@NAMES
def test_archives_are_read_and_written_in_constant_memory(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    count = scale(quick=200, ci=900, full=1_000_000)
    text = next(records(1)).dumps()

    def many() -> Iterator[herzen.Record]:
        for _ in range(count):
            yield herzen.Record.loads(text)

    tracemalloc.start()
    try:
        herzen.dump_records(path, many())
        assert sum(1 for _ in herzen.load_records(path)) == count
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1_500_000
    assert count * len(text) > peak / 4


def test_a_line_that_unpacks_to_too_much_is_refused_early(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("herzen.record_reading.LARGEST", 1 << 20)
    path = tmp_path / "bomb.jsonl.gz"
    packer = zlib.compressobj(9, wbits=31)
    with path.open("wb") as file:
        for _ in range(64):
            file.write(packer.compress(b"[" * (1 << 20)))
        file.write(packer.flush())
    tracemalloc.start()
    try:
        refused(path, "at most")
        with pytest.raises(herzen.RecordError, match="at most"):
            herzen.Record.load(path)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 8 << 20
