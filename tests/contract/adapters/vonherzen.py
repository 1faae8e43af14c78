"""Von Herzen for the contract tests."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import herzen
from tests.contract.adapter import Adapter, Fields, History
from tests.reference.vonherzen import VonHerzenTwin
from tests.reference.vonherzen_options import random_rules
from tests.reference.vonherzen_resample import resample_hidden
from tests.reference.vonherzen_rules import CARDS

WITH_CARDS = ("offer", "accept", "takeover", "agree", "meld")


def _retell(twin: VonHerzenTwin, moves: History) -> tuple[list[str], History]:
    return list(twin.decks[-1]), list(twin.history[twin.deal_start :])


def _no_chance(fields: Fields, seed: int, deal_number: int) -> Sequence[int]:
    return ()


def _deck(fields: Fields) -> list[str]:
    return list(CARDS)


def _move(rng: random.Random, fields: Fields) -> str:
    kind = rng.random()
    if kind < 0.5:
        verb = rng.choice(WITH_CARDS)
        return " ".join([verb, *rng.sample(CARDS, rng.randrange(1, 5))])
    card: Any = rng.choice(CARDS)
    return rng.choice(
        [
            *(f"discard {card}", f"discard {card}", f"layoff {card} {rng.randrange(10)}"),
            *("offer -", "decline", f"counter {rng.randrange(1, 8)}", "stay", "withdraw"),
            *("draw stock", "draw pile", f"draw {card}", "end"),
        ]
    )


def _kinds(text: str) -> str:
    # Sorted, because cards are written by suit, and the suits are what differs.
    return " ".join(sorted(text.translate(str.maketrans("CDHS", "brrb")).split()))


VERBS = {
    "offer": ["offer"],
    "answer": ["accept", "counter"],
    "takeover": ["takeover"],
    "agree": ["agree", "withdraw"],
    "give": ["accept"],
    "draw": ["draw"],
    "meld": ["meld", "meld", "layoff", "layoff", "discard", "end"],
}
"""What is near to a legal move in each phase."""


def _near(rng: random.Random, twin: VonHerzenTwin, seat: int) -> str:
    pool = [*twin.hands[seat], *(rng.sample(CARDS, 2) if rng.random() < 0.2 else [])] or CARDS
    verb = rng.choice(VERBS[twin.phase])
    if verb == "counter":
        return f"counter {rng.randrange(9)}"
    if verb == "draw":
        return f"draw {rng.choice(['stock', 'pile', *CARDS[::5], *twin.pile])}"
    if verb in ("layoff", "discard"):
        number = f" {rng.randrange(len(twin.runs) + 1)}" if verb == "layoff" else ""
        return f"{verb} {rng.choice(pool)}{number}"
    if verb in ("end", "withdraw"):
        return verb
    size = twin.answer_size() if twin.offer and rng.random() < 0.8 else rng.randrange(1, 6)
    if verb == "agree" and twin.offer:
        pool = [*twin.offer["cards"], rng.choice(pool)]
    return " ".join([verb, *rng.sample(sorted(set(pool)), min(size, len(set(pool))))])


VON_HERZEN = Adapter(
    name="vonherzen",
    kind=herzen.VonHerzen,
    twin=VonHerzenTwin,
    random_rules=random_rules,
    resample=resample_hidden,
    retell=_retell,
    public_chance=_no_chance,
    deck=_deck,
    zones=("hands", "runs", "pile", "stock"),
    moves=_move,
    near=_near,
    simultaneous=False,
    alike=_kinds,
    held="discard {}".format,
    near_refusals=frozenset(
        {
            *("unknown_move", "wrong_number", "not_a_run", "not_melded"),
            *("no_such_run", "does_not_fit", "drawn_kind"),
        }
    ),
    variants=(
        {},
        {"players": 2, "exchange_rounds": 2},
        {"players": 4, "turn_up": True},
        {"players": 5, "others_after_decline": True, "counter_binding": True},
        {"players": 6, "stock_refill": "turn_over", "draw_from_pile": "any"},
        {"stock_refill": "turn_over", "discard_mandatory": True, "blocked_after": 40},
        {"wrap": False, "joker_ends": False, "natural_flute_bonus": 4},
        {"one_meld_per_turn": True, "own_joker_extend": False, "discard_drawn": True},
    ),
)
