"""Another deal and other hidden choices that a viewer cannot tell from the true ones.

The deal is played again from its start with cards exchanged for one another: in the deck, those
that the viewer never sees; at each hidden choice of another seat, those of its hand (or of its
offer) that the viewer does not see from then on. So a card that the viewer gave away may turn
up elsewhere, but only where a legal history takes it. What comes out is accepted if all moves
are legal and the viewer's view is the same after each of them.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

from tests.reference.chacha import RANDOM_PLAY, Stream
from tests.reference.vonherzen import VonHerzenTwin
from tests.reference.vonherzen_moves import read, text_of
from tests.reference.vonherzen_rules import CARDS, sort_cards

TRIES = 12
HIDDEN_CHOICES = ("offer", "accept", "takeover", "agree")


def hidden_zones(twin: VonHerzenTwin) -> dict[str, Any]:
    """The zones that hold secrets, as plain data."""
    return {
        "seed": twin.seed,
        "hands": [list(hand) for hand in twin.hands],
        "stock": list(twin.stock),
        "offer": None if twin.offer is None else {**twin.offer, "asked": list(twin.offer["asked"])},
        "swaps": [list(swaps) for swaps in twin.swaps],
    }


def resample_hidden(twin: VonHerzenTwin, seat: int | None, rng: random.Random) -> VonHerzenTwin:
    """A copy of the position with everything hidden from `seat` (None: spectator) rearranged.

    Its `decks` and `history` are those of a whole match: explicit decks and moves that lead to
    the position. The seed is new, explicit decks still to come are dropped. If no arrangement
    is found in a fixed number of tries, only the seed is.
    """
    seen = _seen_from(twin, seat)
    for k in range(TRIES):
        share = rng.choice([0.3, 0.6, 1.0]) if k < TRIES - 1 else 0.0
        other = _replayed(twin, seat, seen, share, rng)
        if other is not None:
            break
    assert other is not None
    other.seed = rng.getrandbits(256)
    other.deals = []
    other.random_stream = Stream(other.seed, RANDOM_PLAY, 0)
    return other


def start_of_deal(twin: VonHerzenTwin, deck: list[str] | None = None) -> VonHerzenTwin:
    """The position after the present deal was dealt, from its own deck or another one."""
    start = twin.copy()
    start.over, start.winners = False, []
    start.scores = list(twin.scores_before)
    start.ply -= len(twin.history) - twin.deal_start
    del start.history[twin.deal_start :]
    start.begin(twin.decks[-1] if deck is None else deck)
    start.hand_result = None
    return start


def _visible(twin: VonHerzenTwin, seat: int | None) -> set[str]:
    # Cards that the viewer sees, wherever they are.
    zones: list[Iterable[str]] = [twin.pile, *twin.taken, *(run for _, run in twin.runs)]
    if seat is not None:
        zones.append(twin.hands[seat])
    if twin.turned_over:
        zones.append(twin.stock)
    return {card for zone in zones for card in zone}


def _seen_from(twin: VonHerzenTwin, seat: int | None) -> list[set[str]]:
    # Entry k: what the viewer sees before move k of the deal or at any later time. A card laid or
    # discarded is seen where it then lies.
    again = start_of_deal(twin)
    seen = [_visible(again, seat)]
    for player, text in twin.history[twin.deal_start :]:
        again.play(player, text)
        seen.append(_visible(again, seat))
    for k in range(len(seen) - 2, -1, -1):
        seen[k] |= seen[k + 1]
    return seen


def _shuffled(cards: Iterable[str], share: float, rng: random.Random) -> dict[str, str]:
    # A permutation that moves about this share of the cards.
    moving = [card for card in cards if rng.random() < share]
    others = list(moving)
    rng.shuffle(others)
    return dict(zip(moving, others, strict=True))


def _replayed(
    twin: VonHerzenTwin, seat: int | None, seen: list[set[str]], share: float, rng: random.Random
) -> VonHerzenTwin | None:
    # `now` maps each card of the true history to the card that plays its part.
    now = {card: card for card in CARDS}
    now.update(_shuffled((card for card in CARDS if card not in seen[0]), share, rng))
    other = start_of_deal(twin, [now[card] for card in twin.decks[-1]])
    again = start_of_deal(twin)
    for k, (player, text) in enumerate(twin.history[twin.deal_start :]):
        if again.view(seat) != other.view(seat):
            return None
        move = read(text)
        assert move is not None
        if player != seat and move.verb in HIDDEN_CHOICES:
            free = [card for card in other.hands[player] if card not in seen[k]]
            groups = [free]
            if move.verb == "agree" and other.offer is not None:
                offered = set(other.offer["cards"])
                groups = [[c for c in free if c in offered], [c for c in free if c not in offered]]
            for group in groups:
                swap = _shuffled(group, share, rng)
                now = {card: swap.get(role, role) for card, role in now.items()}
        played = _text_with(text, now)
        if not other.is_legal(player, played):
            return None
        other.play(player, played)
        again.play(player, text)
    return other if other.view(seat) == twin.view(seat) else None


def _text_with(text: str, now: dict[str, str]) -> str:
    move = read(text)
    assert move is not None
    if not move.cards:
        return text
    cards = sort_cards(now[card] for card in move.cards)
    if move.verb in (*HIDDEN_CHOICES, "meld"):
        return text_of(move.verb, cards)
    return f"{move.verb} {cards[0]}" + (f" {move.number}" if move.verb == "layoff" else "")
