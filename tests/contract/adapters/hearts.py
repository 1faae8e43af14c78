"""Hearts for the contract tests."""

from __future__ import annotations

import random

import herzen
from tests.contract.adapter import Adapter, Fields, History
from tests.reference import resample
from tests.reference.chacha import CHANCE, Stream
from tests.reference.hearts import HeartsTwin, deck_for
from tests.reference.hearts_options import random_rules
from tests.reference.hearts_rules import KINDS, resolve, sort_cards


def _hearts_retell(twin: HeartsTwin, moves: History) -> tuple[list[str], History]:
    # Hands before the passes: back go the received cards and come the passed ones. The plays are
    # public, so only the texts of the passes differ from the true history.
    hands = []
    for seat in twin.seats:
        hand = list(twin.hands[seat])
        if twin.phase != "pass":
            hand += twin.played_by(seat) + twin.passes.get(seat, [])
            for card in twin.received.get(seat, []):
                hand.remove(card)
        hands.append(hand)
    told = [
        (seat, " ".join(["pass", *sort_cards(twin.passes[seat])]) if text[:4] == "pass" else text)
        for seat, text in moves
    ]
    return deck_for(hands, twin.dealer, twin.kitty), told


def _hearts_chance(fields: Fields, seed: int, deal_number: int) -> list[int]:
    rules = resolve(fields)
    if rules["pass_cycle"] != "random":
        return []
    ways = 3 if rules["players"] % 2 else 4
    return [Stream(seed, CHANCE, deal).bounded(ways) for deal in range(deal_number + 1)]


def _hearts_deck(fields: Fields) -> list[str]:
    return list(HeartsTwin(fields).table.deck)


def _hearts_move(rng: random.Random, fields: Fields) -> str:
    kind = rng.random()
    if kind < 0.6:
        return rng.choice(KINDS)
    if kind < 0.95:
        count = rng.choice([resolve(fields)["pass_count"], rng.randrange(6)])
        return " ".join(["pass", *(rng.choice(KINDS) for _ in range(count))])
    return rng.choice(["moon add", "moon subtract"])


def _hearts_near(rng: random.Random, twin: HeartsTwin, seat: int) -> str:
    return rng.choice(twin.hands[seat] or KINDS)


HEARTS = Adapter(
    name="hearts",
    kind=herzen.Hearts,
    twin=HeartsTwin,
    random_rules=random_rules,
    resample=resample.resample_hidden,
    retell=_hearts_retell,
    public_chance=_hearts_chance,
    deck=_hearts_deck,
    zones=("hands", "trick", "tricks", "taken", "held", "kitty"),
    moves=_hearts_move,
    near=_hearts_near,
    variants=(
        {},
        {"players": 3, "extras": "kitty"},
        {"players": 5, "keep_spades": True},
        {"players": 6, "lead_when_stuck": "pass_lead", "stop_when_decided": True},
        {"players": 7, "pass_count": 1, "lead": "any_club"},
        {"bonus": {"JD": -10}, "no_trick_bonus": -5},
        {
            "extra_penalties": {"KS": 10, "AS": 7},
            "pass_cycle": ["right"],
            "lead": "dealer_left",
            "first_trick_points": "allow",
        },
        {"decks": 2, "players": 8},
        {"lead_when_stuck": "hearts_or_queen", "queen_lead": "after_hearts"},
        {"pass_cycle": "random", "moon": "auto"},
    ),
)
