"""Hearts: the options with their defaults, the deck and the points of its cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

SUITS = "CDHS"
RANKS = "23456789TJQKA"
KINDS = [rank + suit for suit in SUITS for rank in RANKS]
ORDER = {text: kind for kind, text in enumerate(KINDS)}
QUEEN = "QS"
GUARD = 1000

HEART_TABLES: dict[str, list[int]] = {
    "rank": [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14],
    "face": [1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5],
    "spot": [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 10],
}

REMOVED_BY_PLAYERS: dict[int, list[str]] = {
    3: ["2D"],
    4: [],
    5: ["2C", "2D"],
    6: ["3C", "4C", "2D", "3D"],
    7: ["3C", "2D", "3D"],
}

# Defaults that depend on no other option.
PLAIN_DEFAULTS: dict[str, Any] = {
    "decks": 1,
    "kitty_to": "first_trick",
    "pass_count": 3,
    "keep_spades": False,
    "first_trick_points": "forbid",
    "break_required": True,
    "queen_breaks": True,
    "lead_when_stuck": "hearts_only",
    "queen_lead": "any_time",
    "heart_points": 1,
    "queen_points": 13,
    "extra_penalties": {},
    "bonus": {},
    "no_trick_bonus": 0,
    "moon": "choice",
    "moon_needs_bonus": False,
    "sun": "off",
    "target": 100,
    "end_test": "reach",
    "exact_reset": {},
    "floor": None,
    "tie": "shared",
    "max_hands": None,
    "stop_when_decided": False,
    "last_cancelled": "leader",
}

# Defaults that do, in the order in which they can be worked out.
DEPENDENT = ("players", "lead", "extras", "removed", "pass_cycle")

FIELDS = sorted([*PLAIN_DEFAULTS, *DEPENDENT])


def sort_cards(cards: Iterable[str]) -> list[str]:
    """Cards in canonical order, copies side by side."""
    return sorted(cards, key=ORDER.__getitem__)


def default_of(name: str, rules: Mapping[str, Any]) -> Any:
    """The default of one field, given the fields it depends on."""
    if name in PLAIN_DEFAULTS:
        return PLAIN_DEFAULTS[name]
    two_packs = rules["decks"] == 2
    if name == "players":
        return 8 if two_packs else 4
    if name == "lead":
        return "dealer_left" if two_packs else "low_club"
    if name == "extras":
        return "kitty" if two_packs else "remove"
    if name == "removed":
        if two_packs or rules["extras"] == "kitty":
            return []
        return REMOVED_BY_PLAYERS[rules["players"]]
    if two_packs:
        return []
    return ["left", "right", "across", "hold"] if rules["players"] == 4 else ["left", "right"]


def plain(name: str, value: Any) -> Any:
    """A given value in the one shape used here: lists, dicts, texts and ints."""
    if name == "removed":
        return sort_cards(value)
    if name == "exact_reset":
        return {int(old): new for old, new in value.items()}
    if name in ("extra_penalties", "bonus"):
        return {card: value[card] for card in sort_cards(value)}
    if name in ("pass_cycle", "heart_points") and not isinstance(value, (str, int)):
        return list(value)
    return value


def resolve(given: Mapping[str, Any]) -> dict[str, Any]:
    """All fields: the given ones, and the defaults they lead to. None means the default."""
    rules: dict[str, Any] = {}
    for name in [*PLAIN_DEFAULTS, *DEPENDENT]:
        value = given.get(name)
        rules[name] = plain(name, default_of(name, rules) if value is None else value)
    return {name: rules[name] for name in FIELDS}


def changed_fields(rules: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that differ from their defaults, by name, as JSON writes them."""
    changed = {name: rules[name] for name in FIELDS if rules[name] != default_of(name, rules)}
    if "exact_reset" in changed:
        changed["exact_reset"] = {str(old): new for old, new in changed["exact_reset"].items()}
    return changed


def deck_of(rules: Mapping[str, Any]) -> list[str]:
    """The cards in play in canonical order: the first pack, then the second.

    Each entry of `removed` takes out one copy, the second pack's first.
    """
    deck: list[str] = KINDS * rules["decks"]
    for card in rules["removed"]:
        last = len(deck) - 1 - deck[::-1].index(card)
        del deck[last]
    return deck


def heart_table(rules: Mapping[str, Any]) -> list[int]:
    """The points of 2H..AH."""
    value = rules["heart_points"]
    if isinstance(value, int):
        return [value] * 13
    if isinstance(value, str):
        return HEART_TABLES[value]
    return list(value)


@dataclass(frozen=True)
class Table:
    """What the rules say about the cards of the deck."""

    deck: list[str]
    """The deck in canonical order."""
    hand_size: int
    kitty_size: int
    penalties: dict[str, int]
    """Penalty cards: all kinds in the deck worth more than 0."""
    bonus: dict[str, int]
    """Bonus cards: kinds worth less than 0."""
    value: dict[str, int]
    """Points of every card that has any."""
    penalty_cards: Counter[str]
    """Penalty cards with their copies in the deck."""
    bonus_cards: Counter[str]
    total: int
    """T: all penalty points in play."""


def table_of(rules: Mapping[str, Any]) -> Table:
    """Work out the table of a rules object."""
    deck = deck_of(rules)
    hand_size = len(deck) // rules["players"]
    worth = dict(zip([rank + "H" for rank in RANKS], heart_table(rules), strict=True))
    worth[QUEEN] = rules["queen_points"]
    worth.update(rules["extra_penalties"])
    penalties = {card: worth[card] for card in KINDS if card in deck and worth.get(card, 0) > 0}
    bonus = dict(rules["bonus"])
    return Table(
        deck=deck,
        hand_size=hand_size,
        kitty_size=len(deck) - hand_size * rules["players"],
        penalties=penalties,
        bonus=bonus,
        value={**penalties, **bonus},
        penalty_cards=Counter(card for card in deck if card in penalties),
        bonus_cards=Counter(card for card in deck if card in bonus),
        total=sum(penalties.get(card, 0) for card in deck),
    )
