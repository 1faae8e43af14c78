"""Records with some places changed, and what must hold: clear errors, and the schema agrees with the loader."""

from __future__ import annotations

import copy
import json
import random
import re
from typing import Any

import jsonschema

import herzen
from herzen.schema import record_schema
from tests.contract.checks import error_of
from tests.contract.samples import Data

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
    "colours with different initials",
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
