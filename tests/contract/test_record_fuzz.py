"""Changed records: nothing but RecordError and ReplayMismatch comes out, and the schema agrees.

The schema (herzen.schema) and the loader must accept and reject the same structure. What only
the loader can check is listed in the schema's description and in `BEYOND` here.
"""

from __future__ import annotations

import copy
import inspect
import json
import random
import re
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import herzen
from herzen.registry import GAMES as REGISTERED
from herzen.schema import record_schema
from tests.contract.adapter import Adapter
from tests.contract.adapters.hearts import HEARTS
from tests.contract.checks import error_of, every_game, walk
from tests.contract.games import GAMES
from tests.contract.samples import Data, sample_texts, samples
from tests.tiers import scale

SCHEMA = record_schema()
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)

# Sentences of the loader that no JSON Schema can say: what depends on the number of players, on
# the deck, on other options, on earlier cards, on how a number or an option is written. What each
# zone of a set-up may hold by itself is not among them: see `test_the_schema_knows_the_zones...`.
BEYOND = (
    "only options that differ from their defaults",
    "allowed is",  # options that do not fit each other
    "there is no seat",
    "are needed, one a seat",
    "texts are needed",
    "scores are needed",
    "winners are seats",
    r"an integer 0\.\.",  # a dealer that is no seat
    r"\[seat, text\] is needed",  # a move by a seat that is none
    r"\[moves applied, 32 hex digits\] is needed",  # beyond the last move
    r"\[moves applied, text\] is needed",  # the same, or not ascending
    "one entry for each move",
    "no such card",
    "is not in the deck",
    "stands in the set-up too often",
    "cards are missing",
    r"\d cards are needed",
    "these rules need it",
    "the seed is not recorded",
    "a heart has the value 0",
    "kitty:",
    "held:",
    "hands: sizes",
    "trick:",
    "tricks: each needs",
    "by the rules its winner",
    "turn:",
    "phase pass: ",
    "phase moon: ",
    "do not fit phase",
    "pass_direction",
    "committed",
    # Von Herzen
    "is no run",
    "the owners of the runs are",
    "last_turns: (seats in turn order|fewer seats)",
    "drawn: a card that the seat to move",
    "proposals: ",
    "offer: (by dealer|at least one|counter: an integer|asked is in order|counter, asked and)",
    "offer: (the cards agreed|nobody is left|the others have not)",
    "cards of the proposer's own",
    "during the exchange",
    "the seat to move holds a card",
    "a seat without cards ends",
    "phase draw: ",
    # Herzsammler
    "six cards are needed",
    "at most six open cards",
    "the last cards of the stack",
    "cards of the seat's hand",
    "one entry for each unknown card",
    "the hand shows what it cannot",
)


def loader_says(data: Any) -> str | None:
    """Why the loader refuses this JSON; None if it does not."""
    try:
        herzen.Record.loads(json.dumps(data))
    except herzen.RecordError as error:
        return str(error)
    return None


def holds_floats(data: Any) -> bool:
    """Whether a number is written as 1.0, which JSON Schema takes for the integer 1."""
    if isinstance(data, dict):
        return any(map(holds_floats, data.values()))
    if isinstance(data, list):
        return any(map(holds_floats, data))
    return isinstance(data, float)


def assert_agreed(data: Any) -> bool:
    """The schema rejects nothing that the loader takes; it takes more only where it must."""
    why, valid = loader_says(data), VALIDATOR.is_valid(data)
    if why is None:
        assert valid, (next(VALIDATOR.iter_errors(data)).message, data)
    elif valid and not holds_floats({**data, "meta": {}} if isinstance(data, dict) else data):
        assert re.search("|".join(BEYOND), why), (why, data)
    return why is None


def places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """All paths into a JSON value, its inner places included; of long arrays only some."""
    out = [path]
    if isinstance(data, dict):
        for key, value in data.items():
            out += places(value, (*path, key))
    elif isinstance(data, list):
        for index in [*range(min(4, len(data))), *([len(data) - 1] if len(data) > 4 else [])]:
            out += places(data[index], (*path, index))
    return out


ODD: list[Any] = [
    None,
    True,
    False,
    0,
    1,
    -1,
    2,
    3,
    7,
    12,
    99,
    2**31,
    2**31 + 1,
    2**63,
    10**30,
    0.5,
    1.0,
    "",
    "0",
    "QS",
    "2C",
    "pass 2C 3C 4C",
    "7C 8C 9C",
    "R3af",
    "moon add",
    "x",
    "random",
    "left",
    "play",
    "pass",
    "over",
    "kitty",
    "meld",
    "show",
    "0" * 32,
    "0" * 64,
    "f" * 64,
    [],
    {},
    [0],
    [[]],
    ["QS"],
    ["2C", "3D"],
    [0, "QS"],
    {"a": 1},
    {"0": ["QS"]},
    {"cards": ["7C"]},
    {"players": 5},
    {"scores": [0, 0, 0, 0], "winners": [0]},
    "hearts",
    "vonherzen",
    "é\ud800",
]


def odd(rng: random.Random) -> Any:
    """One of the odd values, as an own copy: a later change may reach into it."""
    return copy.deepcopy(rng.choice(ODD))


def changed(data: Data, rng: random.Random) -> Any:
    """The record with one place changed: replaced, removed, doubled, added to, or moved."""
    path = rng.choice(places(data))
    if not path:
        return odd(rng)
    parent: Any = data
    for part in path[:-1]:
        parent = parent[part]
    key, way = path[-1], rng.random()
    if way < 0.55:
        parent[key] = odd(rng)
    elif way < 0.7:
        del parent[key]
    elif way < 0.8 and isinstance(parent, list):
        parent.insert(key, copy.deepcopy(parent[key]))
    elif way < 0.9 and isinstance(parent[key], list):
        parent[key].append(odd(rng))
    elif isinstance(parent[key], dict):
        parent[key][rng.choice(["players", "target", "hands", "moves", "x", "0"])] = odd(rng)
    else:
        parent[key] = [parent[key]]
    return data


def try_all(record: herzen.Record, rng: random.Random) -> None:
    """Everything one can do with a record that was read; only ReplayMismatch may come out."""
    for attempt in (
        record.replay,
        lambda: record.replay(to=rng.randrange(len(record.moves) + 1)),
        record.verify,
        lambda: record.verify(seed=True),
    ):
        error = error_of(attempt)
        if error is not None:
            # No RecordError: what is wrong with the beginning, the loader has found already.
            assert isinstance(error, herzen.ReplayMismatch), error
            assert isinstance(error.index, int)
            assert 0 <= error.index <= len(record.moves)
    assert herzen.Record.loads(record.dumps()) == record


@every_game
@settings(max_examples=scale(smoke=20, quick=150, ci=2_000, full=100_000))
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


@settings(max_examples=scale(smoke=20, quick=200, ci=2_000, full=100_000))
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
    for _ in range(scale(smoke=10, quick=60, ci=500, full=30_000)):
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
    for _, game in walk(case, scale(smoke=60, quick=300, ci=1_000, full=20_000), 3, every=4):
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
@settings(max_examples=scale(smoke=20, quick=200, ci=2_000, full=100_000))
@given(number=st.integers(0, 2**32))
def test_schema_and_loader_agree_on_changed_records(case: Adapter, number: int) -> None:
    rng = random.Random(number)
    assert_agreed(changed(json.loads(rng.choice(sample_texts(case))), rng))


@every_game
@settings(max_examples=scale(smoke=15, quick=100, ci=1_000, full=50_000))
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
