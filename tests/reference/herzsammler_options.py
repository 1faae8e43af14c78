"""Random valid rules of Herzsammler, for comparing the engine with its twin.

Some draws keep our deck and change few options, many bring a deck of their own: small and
large ones, few and many objects, doubles, equal cards, colours without hearts or numerals. The
result holds plain values only: numbers, texts, lists and dicts.
"""

from __future__ import annotations

import random
from typing import Any

from tests.reference.herzsammler_rules import FIELDS, HAND, OPEN_CARDS, resolve

COLOURS = ["red", "yellow", "green", "blue", "violet", "Orange", "hazel", "Zinc"]
MOST_CARDS = 128

Row = list[Any]


def is_valid(given: dict[str, Any]) -> bool:
    """Whether these fields make a valid rules object (their types are taken as right)."""
    rules = resolve(given)
    if not set(given) <= set(FIELDS) or rules["players"] not in (2, 3, 4):
        return False
    limits = [rules["games"], rules["stall_limit"]]
    return all(1 <= limit <= 10_000 for limit in limits) and deck_is_valid(
        rules["deck"], rules["players"]
    )


def deck_is_valid(rows: list[Any], players: int) -> bool:
    """The size leaves a stack of one card or more; colours, values and objects are in range."""
    if not HAND * players + OPEN_CARDS + 1 <= len(rows) <= MOST_CARDS:
        return False
    colours = {row[0] for row in rows}
    initials = {colour[:1].upper() for colour in colours}
    if len(colours) > 8 or len(initials) != len(colours):
        return False
    if not all(len(initial) == 1 and "A" <= initial <= "Z" for initial in initials):
        return False
    return all(_row_is_valid(row) for row in rows)


def _row_is_valid(row: Any) -> bool:
    _, kind, value, a, b = row
    values = range(1) if kind == "heart" else range(100)
    return kind in ("numeral", "heart") and value in values and 0 <= min(a, b) <= max(a, b) <= 25


def random_deck(rng: random.Random, players: int) -> list[Row]:
    """A deck as rows; many objects on few cards make misses, few objects make quick games."""
    least = HAND * players + OPEN_CARDS + 1
    size = rng.choice([least, least + 1, least + 2, rng.randrange(least, 41)])
    if rng.random() < 0.3:
        size = rng.choice([MOST_CARDS, rng.randrange(41, MOST_CARDS + 1)])
    colours = rng.sample(COLOURS, rng.randrange(1, 9))
    objects = rng.sample(range(26), rng.choice([1, 2, 4, 8, 10, 15, 26, 26]))
    top = rng.choice([1, 5, 12, 99])
    heart_share = {colour: rng.choice([0.0, 0.3, 0.5, 0.5, 1.0]) for colour in colours}
    doubles = rng.choice([0.0, 0.1, 0.5, 1.0])
    equal = rng.choice([0.0, 0.0, 0.1, 0.5, 0.9])
    rows: list[Row] = []
    while len(rows) < size:
        if rows and rng.random() < equal:
            colour, kind, value, a, b = rng.choice(rows)
            rows.append([colour, kind, value, b, a])
            continue
        colour = rng.choice(colours)
        heart = rng.random() < heart_share[colour]
        a = rng.choice(objects)
        b = a if rng.random() < doubles else rng.choice(objects)
        value = 0 if heart else rng.randrange(top + 1)
        rows.append([colour, "heart" if heart else "numeral", value, a, b])
    if rng.random() < 0.5:
        rows.sort(key=lambda row: (colours.index(row[0]), row[1] == "heart", row[2]))
    return rows


def random_rules(rng: random.Random) -> dict[str, Any]:
    """Fields of a valid rules object; those left out stand for their defaults."""
    given: dict[str, Any] = {}
    if rng.random() < 0.6:
        given["players"] = rng.choice([2, 3, 3, 4, 4])
    if rng.random() < 0.6:
        given["deck"] = random_deck(rng, given.get("players", 2))
    share = rng.choice([0.0, 0.1, 0.3, 0.5])
    changes = {
        "choose_object": True,
        "must_match": True,
        "end": "short",
        "majority_tie": "none",
        "require_heart": True,
        "tie_break": "hearts",
        "games": rng.randrange(2, 5),
        "stall_limit": rng.choice([1, 2, 3, 5, 10]),
    }
    given.update({name: value for name, value in changes.items() if rng.random() < share})
    assert is_valid(given), given
    return given
