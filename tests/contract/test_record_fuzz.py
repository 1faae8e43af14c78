"""Changed records: nothing but RecordError and ReplayMismatch comes out, and the schema agrees.

The schema (herzen.schema) and the loader must accept and reject the same structure. What only
the loader can check is listed in the schema's description and in `BEYOND` here.
"""

from __future__ import annotations

import inspect
import json
import random
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import herzen
from herzen.registry import GAMES as REGISTERED
from tests.contract.adapter import Adapter
from tests.contract.adapters.hearts import HEARTS
from tests.contract.changed import (
    SCHEMA,
    VALIDATOR,
    assert_agreed,
    changed,
    loader_says,
    try_all,
)
from tests.contract.checks import error_of, every_game, walk
from tests.contract.games import GAMES
from tests.contract.samples import Data, sample_texts, samples
from tests.tiers import scale


@every_game
@settings(max_examples=scale(smoke=20, quick=75, ci=400, full=100_000))
@given(number=st.integers(0, 2**32), changes=st.integers(1, 3))
def test_changed_records_are_refused_or_differ(case: Adapter, number: int, changes: int) -> None:
    rng = random.Random(number)
    data: Any = json.loads(rng.choice(sample_texts(case)))
    for _ in range(changes):
        if isinstance(data, dict):
            data = changed(data, rng)
    text = json.dumps(data)
    error = error_of(lambda: herzen.Record.loads(text))
    if error is None:
        try_all(herzen.Record.loads(text), rng)
    else:
        assert type(error) is herzen.RecordError
        assert len(str(error)) < 2_000


@settings(max_examples=scale(smoke=20, quick=100, ci=400, full=100_000))
@given(number=st.integers(0, 2**32))
def test_changed_bytes_are_refused_or_differ(number: int) -> None:
    """Bytes flipped, cut out, doubled or inserted anywhere in the text."""
    rng = random.Random(number)
    text = bytearray(rng.choice(sample_texts(rng.choice(GAMES))).encode())
    for _ in range(rng.randrange(1, 4)):
        at, way = rng.randrange(len(text)), rng.randrange(4)
        if way == 0:
            text[at] = rng.randrange(256)
        elif way == 1:
            del text[at : at + rng.choice([1, 1, 20])]
        elif way == 2:
            text[at:at] = text[at : at + rng.choice([1, 9])]
        else:
            text[at:at] = rng.choice(
                [b"9", b"-", b'"', b"\0", b"[", b"null", b"1e5", b"\xff", b"\\ud800"]
            )
        if not text:
            break
    try:
        record = herzen.Record.loads(bytes(text))
    except herzen.RecordError:
        return
    try_all(record, rng)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=8,
)


@given(value=json_values, key=st.sampled_from([*samples(HEARTS)[0]]))
def test_any_json_in_any_key(value: Any, key: str) -> None:
    """Whatever stands in a key: read, or refused; never another error."""
    data = samples(HEARTS)[1] | {key: value}
    try:
        record = herzen.Record.from_dict(data)
    except herzen.RecordError:
        return
    assert herzen.Record.from_dict(record.to_dict()) == record or key == "meta"


@given(text=st.text() | st.binary())
def test_any_text(text: str | bytes) -> None:
    with pytest.raises(herzen.RecordError):
        herzen.Record.loads(text)


def test_the_largest_number_of_undos_replays() -> None:
    """What the loader takes must replay: a version is a number of 32 bits."""
    data = herzen.Hearts(seed=1).record().to_dict()
    largest = SCHEMA["properties"]["undos"]["maximum"]
    assert loader_says(data | {"undos": largest + 1}) is not None
    game = herzen.Record.from_dict(data | {"undos": largest}).replay()
    assert game.version == 2 * largest
    assert game.record().undos == largest
    game.play(game.codes()[0])
    game.undo()
    assert game.version == 2 * largest + 2


# ---- the schema ----------------------------------------------------------------------------------


def test_the_schema_is_one_and_knows_every_game() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert set(SCHEMA["properties"]["game"]["enum"]) == set(REGISTERED)
    assert SCHEMA["required"] == [*samples(HEARTS)[0]]
    assert set(SCHEMA["properties"]) == set(SCHEMA["required"])


@every_game
def test_the_schema_accepts_every_kind_of_record(case: Adapter) -> None:
    for data in samples(case):
        VALIDATOR.validate(data)
        assert loader_says(data) is None


@every_game
def test_the_schema_knows_the_options_of_the_rules(case: Adapter) -> None:
    rules = SCHEMA["$defs"][f"{case.name}_rules"]["properties"]
    assert set(rules) == set(case.kind.rules_type._fields)
    rng = random.Random(1)
    for _ in range(scale(smoke=10, quick=30, ci=200, full=30_000)):
        data = case.new(case.random_rules(rng), 1).record().to_dict()
        VALIDATOR.validate(data)
    # Each option refuses, in both, what is of no type or range of its own.
    good = case.new({}, 1).record().to_dict()
    for name in rules:
        assert_agreed(good | {"rules": {name: None}})
        for value in ("no such word", -(10**9), 10**9, [[]], {"x": 1}, [10**9], 0.5):
            assert not assert_agreed(good | {"rules": {name: value}}), (name, value)


@every_game
def test_the_schema_knows_the_zones_of_set_ups(case: Adapter) -> None:
    """Every keyword of `setup`; what is of no type or range of its own is refused by both."""
    zones = SCHEMA["$defs"][f"{case.name}_setup"]["properties"]
    keys_of_records = {"rules", "seed", "names", "deals"}
    assert set(zones) == set(inspect.signature(case.kind.setup).parameters) - keys_of_records
    good = next(data for data in samples(case) if data["setup"] is not None)
    assert VALIDATOR.is_valid(good)
    for name in zones:
        for value in (0.5, -1, 10**12, [[[[]]]], {"x": 1}):
            bad = good | {"setup": good["setup"] | {name: value}}
            assert not VALIDATOR.is_valid(bad), (name, value)
            assert loader_says(bad) is not None, (name, value)


@every_game
def test_the_schema_knows_the_texts_of_moves(case: Adapter) -> None:
    """As herzen writes them; the loader takes any text, for moves are checked by replaying."""
    move = jsonschema.Draft202012Validator(SCHEMA["$defs"][f"{case.name}_move"])
    rng = random.Random(3)
    for _, game in walk(case, scale(smoke=60, quick=150, ci=450, full=20_000), 3, every=4):
        read = [game.parse(text) for text in _readable(case, game, rng)]
        for text in map(str, [*game.legal_moves()[:50], *game.moves[-1:], *read]):
            assert move.is_valid(text), text
    good = case.new({}, 1).record().to_dict()
    for text in ("", "x", "pass 2C, 3D", "moon", "draw", "QSQS", "show", "offer", "no such move"):
        assert not move.is_valid(text)
        assert loader_says(good | {"moves": [[0, text]]}) is None
        assert VALIDATOR.is_valid(good | {"moves": [[0, text]]})


def _readable(case: Adapter, game: herzen.Game, rng: random.Random) -> list[str]:
    texts = [case.moves(rng, game.rules.to_dict()) for _ in range(4)]
    return [text for text in texts if error_of(lambda text=text: game.parse(text)) is None]


@every_game
@settings(max_examples=scale(smoke=20, quick=100, ci=400, full=100_000))
@given(number=st.integers(0, 2**32))
def test_schema_and_loader_agree_on_changed_records(case: Adapter, number: int) -> None:
    rng = random.Random(number)
    assert_agreed(changed(json.loads(rng.choice(sample_texts(case))), rng))


@every_game
@settings(max_examples=scale(smoke=15, quick=50, ci=240, full=50_000))
@given(number=st.integers(0, 2**32))
def test_schema_and_loader_agree_on_changed_set_ups(case: Adapter, number: int) -> None:
    rng = random.Random(number)
    data = json.loads(rng.choice([t for t in sample_texts(case) if '"setup": null' not in t]))
    # Without what follows, and so with all places within the set-up.
    begun = data | {"moves": [], "undos": 0, "fingerprints": [], "result": None}
    assert_agreed(begun | {"setup": changed(data["setup"], rng)})


def test_what_the_schema_cannot_say_is_known() -> None:
    """Examples of the list in the schema's description: the schema takes them, the loader not."""
    good = herzen.Hearts(seed=1).record().to_dict()
    examples: dict[str, Data] = {
        "numbers": good | {"undos": 0.0},
        "players": good | {"dealer": 7},
        "options": good | {"rules": {"moon_needs_bonus": True}},
        "defaults": good | {"rules": {"target": 100}},
        "decks": good | {"deals": [["QS", "QS"]]},
        "cards": good | {"deals": [["no card"]]},
        "fingerprints": good | {"fingerprints": [[1, "0" * 32]]},
        "random": good | {"rules": {"pass_cycle": "random"}, "seed": None, "fingerprints": []},
        "setup": good | {"setup": {"hands": [[], [], [], []], "turn": 0}},
    }
    for name, data in examples.items():
        assert VALIDATOR.is_valid(data), name
        assert loader_says(data) is not None, name


def test_the_schema_refuses_what_is_wrong_by_itself() -> None:
    """The schema alone, without the loader's help."""
    good = herzen.Hearts(seed=1).record().to_dict()
    for bad in (
        good | {"comment": 1},
        {key: value for key, value in good.items() if key != "meta"},
        good | {"version": 2},
        good | {"version": True},
        good | {"game": "chess"},
        good | {"seed": None},  # its fingerprints are still there
        good | {"seed": "0" * 64 + "\n"},
        good | {"moves": [[0]]},
        good | {"moves": [[0, "QS", 1]]},
        good | {"rules": {"players": "4"}},
        good | {"rules": {"no such option": 1}},
        good | {"setup": {"turn": 0}},
        good | {"setup": {"hands": [[]] * 4, "turn": 0, "seed": 1}},
    ):
        assert not VALIDATOR.is_valid(bad), bad
