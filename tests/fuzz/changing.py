"""Texts of JSON with some places changed: most of what comes out is JSON still, and nearly what it was."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any

from tests.contract.changed import changed, places
from tests.contract.mutations import mutated

MISSING = object()
PARTS = ("setup", "options")
"""Keys whose objects are changed rather than what is around them."""
Path = tuple[Any, ...]


def change_json(text: bytes, others: Sequence[bytes], rng: random.Random) -> bytes:
    """The text with its bytes changed, or its values exchanged, moved, taken from another text, or replaced."""
    if rng.random() < 0.15:
        return mutated(text, others, rng)
    try:
        data = json.loads(text)
        for _ in range(rng.choice((1, 1, 2, 3))):
            if isinstance(data, dict):
                data = _changed(data, others, rng)
        return json.dumps(data).encode()
    except (ValueError, RecursionError):  # a text that was kept need not be JSON
        return mutated(text, others, rng)


def _changed(data: dict[str, Any], others: Sequence[bytes], rng: random.Random) -> Any:
    other: Any = None
    for _ in range(4):  # mostly of the same game
        other = json.loads(rng.choice(others))
        if _at(other, ("game",)) == data.get("game"):
            break
    parts = [key for key in PARTS if isinstance(data.get(key), dict)]
    if parts and rng.random() < 0.9:
        key = rng.choice(parts)
        return data | {key: _changed_part(data[key], _at(other, (key,)), rng)}
    return _changed_part(data, other, rng)


def _changed_part(data: Any, other: Any, rng: random.Random) -> Any:
    way = rng.random()
    if way < 0.3:
        return _transplanted(data, other, rng)
    if way < 0.7:
        return _exchanged(data, rng)
    return changed(data, rng)


def _at(data: Any, path: Path) -> Any:
    for part in path:
        try:
            data = data[part]
        except (LookupError, TypeError):
            return MISSING
    return data


def _transplanted(data: Any, other: Any, rng: random.Random) -> Any:
    """With one value as the other data have it in the same place."""
    shared = [path for path in places(data)[1:] if _at(other, path) is not MISSING]
    if shared:
        path = rng.choice(shared)
        _at(data, path[:-1])[path[-1]] = _at(other, path)
    return data


def _exchanged(data: Any, rng: random.Random) -> Any:
    """With two texts or two numbers exchanged, or one moved into another list: as cards go from hand to hand."""
    found = list(_leaves(data, ()))
    kind = rng.choice((str, str, int))
    paths = [path for path, value in found if type(value) is kind]
    if len(paths) < 2:
        return data
    one, two = rng.choice(paths), rng.choice(paths)
    first, second = _at(data, one[:-1]), _at(data, two[:-1])
    if rng.random() < 0.6 or not (isinstance(first, list) and isinstance(second, list)):
        first[one[-1]], second[two[-1]] = second[two[-1]], first[one[-1]]
    else:
        second.insert(rng.randrange(len(second) + 1), first.pop(one[-1]))
    return data


def _leaves(data: Any, path: Path) -> Any:
    """(path, value) of all values that hold no others."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield from _leaves(value, (*path, key))
    elif isinstance(data, list):
        for at, value in enumerate(data):
            yield from _leaves(value, (*path, at))
    else:
        yield path, data
