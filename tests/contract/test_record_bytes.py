"""Hostile bytes, in numbers: nothing but RecordError and ReplayMismatch, in bounded memory."""

from __future__ import annotations

import gzip
import random
import tracemalloc
from pathlib import Path

import pytest

import herzen
from tests.contract.checks import error_of, parts
from tests.contract.mutations import mutated, starting_texts
from tests.fuzz import corpus
from tests.tiers import scale

CASES = scale(
    quick=2_000, ci=25_000, full=250_000
)  # in each part: 100,000 in ci, 10 million in full


def use(record: herzen.Record, rng: random.Random) -> None:
    """What one does with a record that was read."""
    for attempt in (
        record.verify,
        lambda: record.replay(to=rng.randrange(len(record.moves) + 1)),
        lambda: record.for_seat(0),
        lambda: record.diff(record),
    ):
        error = error_of(attempt)
        assert error is None or isinstance(error, herzen.ReplayMismatch), error
    assert herzen.Record.loads(record.dumps()) == record


@parts
def test_changed_bytes_get_nothing_but_the_two_errors(part: int) -> None:
    rng = random.Random(10_000 + part)
    good = starting_texts()
    texts = [*good, *(one.text for one in corpus.load(corpus.FOLDER, "records"))]
    read = seen = 0
    for number in range(CASES):
        text = mutated(rng.choice(good if number % 3 else texts), texts, rng)
        try:
            record = herzen.Record.loads(text)
        except herzen.RecordError as error:
            assert len(str(error)) < 2_000
        else:
            read += 1
            if read % 16 == 0:  # all that follows takes much longer than to read
                use(record, rng)
        if number % 4 == 0:
            try:
                views = herzen.SeatRecord.loads(text)
            except herzen.RecordError as error:
                assert len(str(error)) < 2_000
            else:
                seen += 1
                views.replay().dumps()
    # Enough of them get through, or nearly: else the changes would be too coarse to find anything.
    assert read > CASES // 30
    assert seen > CASES // 1_000


@parts
def test_changed_files_get_nothing_but_the_two_errors(part: int, tmp_path: Path) -> None:
    """Archives with their bytes changed, packed ones inside and outside of the packing."""
    rng = random.Random(20_000 + part)
    texts = starting_texts()
    lines = [text + b"\n" for text in texts if b"herzen-record" in text]
    path, packed = tmp_path / "all.jsonl", tmp_path / "all.jsonl.gz"
    read = 0
    for _ in range(CASES // 40):
        chosen = [rng.choice(lines) for _ in range(3)]
        members = [gzip.compress(line, 1) for line in chosen]
        way = rng.randrange(3)
        if way == 0:
            path.write_bytes(mutated(b"".join(chosen), texts, rng))
        elif way == 1:
            packed.write_bytes(mutated(b"".join(members), members, rng))
        else:
            packed.write_bytes(gzip.compress(mutated(b"".join(chosen), texts, rng), 1))
        for torn in (False, True):
            file = path if way == 0 else packed
            try:
                read += sum(1 for _ in herzen.load_records(file, torn=torn))
            except herzen.RecordError as error:
                assert len(str(error)) < 2_000
        try:
            herzen.RecordWriter(file).close()
        except herzen.RecordError:
            continue
    assert read > CASES // 200


def hostile() -> dict[str, bytes]:
    """Long texts that ask for much."""
    good = herzen.Hearts(seed=1).record().dumps().encode()
    many = b",".join([b'[0,"QS"]'] * 20_000)
    return {
        "deep arrays": b"[" * 200_000,
        "deep objects": b'{"a":' * 40_000,
        "deep meta": good.replace(b'"meta":{}', b'"meta":{"x":' + b"[" * 900 + b"]" * 900 + b"}"),
        "huge number": good.replace(b'"undos":0', b'"undos":' + b"9" * 200_000),
        "many numbers": good.replace(b'"moves":[]', b'"moves":[' + b"1," * 60_000 + b"1]"),
        "many moves": good.replace(b'"moves":[]', b'"moves":[' + many + b"]"),
        "long text": good.replace(b'"names":null', b'"names":["' + b"x" * 200_000 + b'"]'),
        "long move": good.replace(b'"moves":[]', b'"moves":[[0,"' + b"x" * 200_000 + b'"]]'),
        "long key": good.replace(b'"meta":{}', b'"meta":{"' + b"x" * 200_000 + b'":1}'),
        "many keys": b"{" + b",".join(b'"%d":0' % n for n in range(20_000)) + b"}",
        "doubled keys": b"{" + b'"a":1,' * 30_000 + b'"a":1}',
        "many decks": good.replace(b'"deals":[', b'"deals":[' + b"[]," * 60_000),
        "surrogates": good.replace(b'"meta":{}', b'"meta":{"x":"' + b"\\ud800" * 30_000 + b'"}'),
        "many marks": good.replace(
            b'"fingerprints":[',
            b'"fingerprints":[' + b'[0,"' + b"0" * 32 + b'"],' * 2 + b"1," * 40_000,
        ),
    }


@pytest.mark.parametrize("name", hostile())
def test_memory_is_bounded_by_the_size_of_the_text(name: str) -> None:
    text = hostile()[name]
    herzen.Record.loads(herzen.Hearts(seed=1).record().dumps())  # what is made once is made
    tracemalloc.start()
    try:
        for load in (herzen.Record.loads, herzen.SeatRecord.loads):
            error = error_of(lambda load=load: use_all(load(text)))
            assert error is None or isinstance(error, (herzen.RecordError, herzen.ReplayMismatch))
            assert error is None or len(str(error)) < 2_000
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 60 * len(text) + 5_000_000


def use_all(record: object) -> None:
    """Verify a record."""
    if isinstance(record, herzen.Record):
        record.verify()
