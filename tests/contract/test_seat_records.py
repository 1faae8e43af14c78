"""A seat's own record: what it shows, what it hides, what it refuses."""

from __future__ import annotations

import copy
import json
import pickle
import random
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import herzen
from herzen.schema import seat_record_schema
from herzen.seat_record import KEYS, SHARED
from tests.contract.adapter import Adapter
from tests.contract.changed import changed, holds_floats
from tests.contract.checks import all_viewers, every_game, step
from tests.contract.games import GAMES
from tests.contract.samples import Data, played, samples
from tests.contract.test_noninterference import pairs
from tests.tiers import scale

SCHEMA = seat_record_schema()
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def some_records(case: Adapter) -> list[herzen.Record]:
    """A few records, of different kinds, none of them long."""
    read = [herzen.Record.from_dict(data) for data in samples(case) if len(data["moves"]) < 60]
    return read[:: max(1, len(read) // scale(quick=2, ci=5, full=40))]


def seat_texts(case: Adapter) -> list[str]:
    """Small records of seats, as JSON texts."""
    game = played(case, case.variants[0], 12)
    return [game.record().for_seat(seat).dumps() for seat in (None, 0)]


# ---- what it shows -------------------------------------------------------------------------------


@every_game
def test_every_view_is_the_one_the_seat_had(case: Adapter) -> None:
    checked = 0
    for record in some_records(case):
        for seat in all_viewers(record.replay(to=0)):
            seen = record.for_seat(seat)
            assert (len(seen), seen.seat, seen.game) == (len(record.moves), seat, case.name)
            views = list(herzen.SeatRecord.loads(seen.dumps()).positions())
            assert len(views) == len(record.moves) + 1
            for to in range(0, len(views), 1 + len(views) // 9):
                assert views[to].dumps() == record.replay(to=to).view(seat).dumps()
                assert seen.replay(to=to) == views[to]
                checked += 1
            assert seen.replay() == views[-1]
            assert seen.events == record.replay().copy().events(seat)[: len(seen.events)]
    assert checked > 10


@every_game
def test_records_of_seats_are_values(case: Adapter, tmp_path: Path) -> None:
    seen = played(case, case.variants[0], 9).record().for_seat(1)
    path = tmp_path / "seat.json.gz"
    seen.dump(path)
    for other in (
        herzen.SeatRecord.load(path),
        pickle.loads(pickle.dumps(seen)),
        copy.deepcopy(seen),
        herzen.SeatRecord.from_dict(seen.to_dict()),
    ):
        assert other == seen
        assert other.dumps() == seen.dumps()
    with pytest.raises(AttributeError):
        seen.seat = 2
    with pytest.raises(TypeError):
        hash(seen)
    for bad in (-1, len(seen) + 1):
        with pytest.raises(IndexError):
            seen.replay(to=bad)
    for wrong in (1.0, "1", True):
        with pytest.raises(TypeError):
            seen.replay(to=wrong)  # type: ignore[arg-type]
    with pytest.raises(IndexError):
        played(case, {}, 3).record().for_seat(99)
    with pytest.raises(TypeError):
        played(case, {}, 3).record().for_seat("1")  # type: ignore[arg-type]


# ---- what it hides -------------------------------------------------------------------------------


@every_game
def test_what_the_seat_cannot_know_changes_no_byte(case: Adapter) -> None:
    total = 0
    for pair in pairs(case, scale(quick=1, ci=3, full=500), 77):
        mine = pair.true.record({"secret": 1}).for_seat(pair.viewer)
        theirs = pair.other.record({"secret": 2}).for_seat(pair.viewer)
        assert mine.dumps() == theirs.dumps(), (pair.viewer, pair.fields)
        assert repr(mine) == repr(theirs)
        assert pickle.dumps(mine) == pickle.dumps(theirs)
        total += pair.true.fingerprint() != pair.other.fingerprint()
    assert total


@pytest.mark.ci
@every_game
def test_the_check_sees_a_planted_leak(case: Adapter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(herzen.Event, "for_seat", lambda event, seat: event)
    # Not in every position is something hidden that an event has told.
    different = [
        pair.true.record().for_seat(pair.viewer).dumps()
        != pair.other.record().for_seat(pair.viewer).dumps()
        for pair in pairs(case, 3, 78)
    ]
    assert any(different)


@every_game
def test_nothing_of_the_server_is_in_it(case: Adapter) -> None:
    game = played(case, case.variants[0], 40)
    record = game.record({"secret": "x"}, fingerprints=1, notes={1: "the bot cheats"})
    for seat in all_viewers(game):
        text = record.for_seat(seat).dumps()
        assert tuple(json.loads(text)) == KEYS
        assert f"{game.seed:x}" not in text
        assert not {mark for _, mark in record.fingerprints if mark in text}
        assert "secret" not in text
        assert "cheats" not in text


# ---- what it refuses -----------------------------------------------------------------------------


@every_game
def test_wrong_values_are_refused_with_their_place(case: Adapter) -> None:
    good = played(case, case.variants[0], 6).record().for_seat(0).to_dict()
    first = good["views"][0]
    wrong: list[tuple[Data, str]] = [
        (good | {"x": 1}, "unknown key 'x'"),
        (good | {"format": "herzen-record"}, "format"),
        (good | {"version": 2}, "version"),
        (good | {"version": True}, "version"),
        (good | {"game": "chess"}, "game"),
        (good | {"rules": {"no such": 1}}, "rules"),
        (good | {"seat": 99}, "seat"),
        (good | {"seat": "0"}, "seat"),
        (good | {"names": None}, "names"),
        (good | {"names": ["a"]}, "names"),
        (good | {"views": []}, "views"),
        (good | {"views": {}}, "views"),
        (good | {"views": [1]}, r"views\[0\]"),
        (good | {"views": [{"version": 0}]}, r"views\[0\]: missing key"),
        (good | {"views": [first | {"seed": 1}]}, r"views\[0\]\.'seed'"),
        (good | {"views": [first, {"scores": [1]}]}, r"views\[1\]\.scores"),
        (good | {"views": [first, {"turn": 99}]}, r"views\[1\]\.turn"),
        (good | {"views": [first, {"hand": ["no card"]}]}, r"views\[1\]\.hand"),
        (good | {"views": [first, {"legal_moves": ["no move"]}]}, r"views\[1\]\.legal_moves"),
        (good | {"views": [first, {"version": 7}]}, r"views\[1\]\.version"),
        (good | {"events": {}}, "events"),
        (good | {"events": [1]}, "events"),
        (good | {"events": good["events"][1:]}, r"events\[0\]"),
        (good | {"events": [*good["events"], good["events"][0]]}, "events"),
        (good | {"events": [good["events"][0] | {"type": "Nothing"}]}, "events"),
    ]
    for data, place in wrong:
        with pytest.raises(herzen.RecordError, match=place) as caught:
            herzen.SeatRecord.loads(json.dumps(data))
        assert len(str(caught.value)) < 400
    for key in KEYS:
        with pytest.raises(herzen.RecordError, match=f"missing key '{key}'"):
            herzen.SeatRecord.from_dict({k: v for k, v in good.items() if k != key})
    for text in ("", "[]", "{", "[" * 100_000, '{"format":1,"format":1}', "NaN", b"\xff\xfe\xfa"):
        with pytest.raises(herzen.RecordError):
            herzen.SeatRecord.loads(text)


@every_game
@settings(max_examples=scale(quick=6, ci=120, full=50_000))
@given(number=st.integers(0, 2**32), changes=st.integers(1, 3))
def test_changed_records_are_refused_or_read(case: Adapter, number: int, changes: int) -> None:
    rng = random.Random(number)
    data: Any = json.loads(rng.choice(seat_texts(case)))
    for _ in range(changes):
        if isinstance(data, dict):
            data = changed(data, rng)
    try:
        seen = herzen.SeatRecord.loads(json.dumps(data))
    except herzen.RecordError as error:
        assert len(str(error)) < 2_000
        return
    assert VALIDATOR.is_valid(data) or holds_floats(data)
    assert herzen.SeatRecord.loads(seen.dumps()) == seen
    assert len(list(seen.positions())) == len(seen) + 1
    seen.replay(to=rng.randrange(len(seen) + 1)).dumps()


# ---- the schema ----------------------------------------------------------------------------------


def test_the_schema_is_one_and_knows_every_game() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["required"] == list(KEYS)
    for case in GAMES:
        names = [name for name in case.kind.view_type._readers if name not in SHARED]
        assert set(SCHEMA["$defs"][f"{case.name}_view"]["properties"]) == set(names)
        assert set(SCHEMA["$defs"][f"{case.name}_first"]["required"]) == set(names)


@every_game
def test_the_schema_accepts_what_is_written_and_rejects_what_is_not(case: Adapter) -> None:
    for record in some_records(case):
        for seat in (None, 0):
            VALIDATOR.validate(record.for_seat(seat).to_dict())
    good = played(case, case.variants[0], 6).record().for_seat(0).to_dict()
    rng = random.Random(5)
    for name in good["views"][0]:
        for value in (0.5, {"x": 1}, [[[[]]]]):
            bad = good | {"views": [good["views"][0] | {name: value}]}
            assert not VALIDATOR.is_valid(bad), (name, value)
            with pytest.raises(herzen.RecordError):
                herzen.SeatRecord.from_dict(bad)
        missing = {k: v for k, v in good["views"][0].items() if k != name}
        assert not VALIDATOR.is_valid(good | {"views": [missing]})
    for key in KEYS:
        assert not VALIDATOR.is_valid({k: v for k, v in good.items() if k != key})
        assert not VALIDATOR.is_valid(good | {key: rng.random()})
    assert not VALIDATOR.is_valid(good | {"seed": "0" * 64})


def test_a_long_match_is_one_seat_record(tmp_path: Path) -> None:
    """Views are written as what changed: a whole match takes kilobytes, not megabytes."""
    game = herzen.Hearts(herzen.HeartsRules(max_hands=2), seed=3)
    rng = random.Random(3)
    while not game.over:
        step(game, rng)
    assert len(game.record().for_seat(2).dumps()) < 300_000
