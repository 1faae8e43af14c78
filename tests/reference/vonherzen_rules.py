"""Von Herzen: the cards and their kinds, the options with their defaults."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

SUITS = "CDHS"
RANKS = "789TJQKA"
CARDS = [rank + suit for suit in SUITS for rank in RANKS]
ORDER = {text: index for index, text in enumerate(CARDS)}
GUARD = 1000

# Rank 0..7 of 7..A, colour 0 black, 1 red; kind = 8 * colour + rank: black before red, then rank.
RANK = {card: RANKS.index(card[0]) for card in CARDS}
COLOUR = {card: int(card[1] in "DH") for card in CARDS}
KIND = {card: 8 * COLOUR[card] + RANK[card] for card in CARDS}
COPIES = [[card for card in CARDS if KIND[card] == kind] for kind in range(16)]

# Defaults that depend on no other option. That of `hand_size` depends on `players`.
PLAIN_DEFAULTS: dict[str, Any] = {
    "players": 3,
    "turn_up": False,
    "exchange_rounds": 1,
    "others_after_decline": False,
    "counter_binding": False,
    "draw_from_pile": "top",
    "stock_refill": "none",
    "one_meld_per_turn": False,
    "wrap": True,
    "joker_ends": True,
    "own_joker_extend": True,
    "discard_mandatory": False,
    "discard_drawn": False,
    "blocked_after": "2n",
    "flute_bonus": 2,
    "natural_flute_bonus": 2,
    "full_rounds": 2,
    "max_deals": None,
}
NONE_IS_A_VALUE = ("blocked_after", "max_deals")

FIELDS = sorted([*PLAIN_DEFAULTS, "hand_size"])


def sort_cards(cards: Iterable[str]) -> list[str]:
    """Cards in canonical order."""
    return sorted(cards, key=ORDER.__getitem__)


def largest_hand(players: int) -> int:
    """The most cards a seat can be dealt, which is also the default."""
    return min(8, 32 // players)


def default_of(name: str, rules: Mapping[str, Any]) -> Any:
    """The default of one field, given `players`."""
    return largest_hand(rules["players"]) if name == "hand_size" else PLAIN_DEFAULTS[name]


def resolve(given: Mapping[str, Any]) -> dict[str, Any]:
    """All fields: the given ones, and the defaults they lead to.

    None means none for `blocked_after` and `max_deals`, and the default everywhere else.
    """
    rules: dict[str, Any] = {}
    for name in [*PLAIN_DEFAULTS, "hand_size"]:
        is_given = name in given and (given[name] is not None or name in NONE_IS_A_VALUE)
        rules[name] = given[name] if is_given else default_of(name, rules)
    return {name: rules[name] for name in FIELDS}


def changed_fields(rules: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that differ from their defaults, by name."""
    return {name: rules[name] for name in FIELDS if rules[name] != default_of(name, rules)}


def deals_of(rules: Mapping[str, Any]) -> int:
    """The number of deals in a match: all full rounds, or `max_deals` if that is fewer."""
    deals: int = rules["full_rounds"] * rules["players"]
    return deals if rules["max_deals"] is None else min(deals, rules["max_deals"])


def is_blocked(rules: Mapping[str, Any], idle_turns: int, turns_taken: int) -> bool:
    """Whether the deal is blocked after a normal turn.

    A number: so many idle turns in a row; "2n": twice the players; None: the 1,000th turn.
    """
    limit = rules["blocked_after"]
    if limit is None:
        return turns_taken >= GUARD
    return bool(idle_turns >= (2 * rules["players"] if limit == "2n" else limit))
