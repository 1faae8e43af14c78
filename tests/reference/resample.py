"""Another arrangement of everything a viewer cannot know, for noninterference tests.

The walk starts from the true arrangement and swaps hidden cards at random. What comes out is
accepted if the plays of the deal, made again from the new hands, are all legal and give the
same turns: so shown voids, the opening lead, lead-set and first-trick consequences hold.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from tests.reference.chacha import RANDOM_PLAY, Stream
from tests.reference.hearts import KEPT_SPADES, HeartsTwin
from tests.reference.hearts_rules import sort_cards

TRIES = 60


def hidden_zones(twin: HeartsTwin) -> dict[str, Any]:
    """The zones that hold secrets, as plain data.

    `hands` before the swap still hold the committed cards; `committed` are the passes of a
    pass phase that is still going on; `passes` and `received` are the memories of this deal.
    """
    passing = twin.phase == "pass"
    return {
        "seed": twin.seed,
        "hands": [list(hand) for hand in twin.hands],
        "kitty": list(twin.kitty),
        "committed": {s: list(cards) for s, cards in sorted(twin.passes.items()) if passing},
        "passes": {s: list(cards) for s, cards in sorted(twin.passes.items()) if not passing},
        "received": {s: list(cards) for s, cards in sorted(twin.received.items())},
    }


def resample_hidden(twin: HeartsTwin, seat: int | None, rng: random.Random) -> HeartsTwin | None:
    """A copy of the position with everything hidden from `seat` (None: spectator) rearranged.

    Hands, kitty, the others' passes and memories and the seed are replaced; explicit decks
    still to come are dropped. None if no arrangement was found within a fixed number of tries.
    """
    for _ in range(TRIES):
        other = twin.copy()
        _swap_cards(other, seat, rng)
        if _choose_passes(other, seat, rng) and _plays_are_possible(twin, other):
            other.seed = rng.getrandbits(256)
            other.deals = []
            other.random_stream = Stream(other.seed, RANDOM_PLAY, 0)
            return other
    return None


def _swap_cards(twin: HeartsTwin, seat: int | None, rng: random.Random) -> None:
    # Random swaps between hidden zones; cards known to lie in a hand stay there, and no card
    # goes to a seat that has shown to be void in its suit.
    known = {s: Counter(cards) for s, cards in twin.known(seat).items()}
    zones: list[tuple[int | None, list[str]]] = [
        (s, twin.hands[s]) for s in twin.seats if s != seat
    ]
    if not twin.sees_kitty(seat):
        zones.append((None, twin.kitty))
    places = [(z, k) for z, (_, cards) in enumerate(zones) for k in range(len(cards))]
    if len(places) < 2:
        return
    for _ in range(rng.choice([2, 5, len(places), 4 * len(places)])):
        (y, j), (z, k) = rng.sample(places, 2)
        a, b = zones[y][1], zones[z][1]
        a[j], b[k] = b[k], a[j]
        if not (_may_hold(twin, known, *zones[y]) and _may_hold(twin, known, *zones[z])):
            a[j], b[k] = b[k], a[j]
    twin.hands = [sort_cards(hand) for hand in twin.hands]
    twin.kitty = sort_cards(twin.kitty)


def _may_hold(
    twin: HeartsTwin, known: dict[int, Counter[str]], seat: int | None, cards: list[str]
) -> bool:
    if seat is None:
        return True
    if any(card[1] in twin.voids[seat] for card in cards):
        return False
    return not known.get(seat, Counter()) - Counter(cards)


def _choose_passes(twin: HeartsTwin, seat: int | None, rng: random.Random) -> bool:
    # The others' passes, fitting the new hands; False if they could not have been made.
    count = twin.rules["pass_count"]
    if twin.phase == "pass":
        for giver in twin.passes:
            if giver != seat:
                twin.passes[giver] = sort_cards(rng.sample(twin.pass_pool(giver), count))
        return True
    if not twin.received:
        return True
    after = _hands_after_passing(twin)
    for giver in twin.seats:
        receiver = twin.receiver_of(giver)
        if seat in (giver, receiver) and seat is not None:
            continue  # the viewer knows these
        cards = after[receiver]
        if twin.rules["keep_spades"]:
            others = [card for card in cards if card not in KEPT_SPADES]
            cards = others if len(others) >= count else cards
        twin.passes[giver] = sort_cards(rng.sample(cards, count))
        twin.received[receiver] = list(twin.passes[giver])
    return all(_pass_was_legal(twin, giver, after[giver]) for giver in twin.seats)


def _hands_after_passing(twin: HeartsTwin) -> list[list[str]]:
    return [sort_cards(twin.hands[seat] + twin.played_by(seat)) for seat in twin.seats]


def _pass_was_legal(twin: HeartsTwin, giver: int, after: list[str]) -> bool:
    # Against the hand before the swap, by the rule of `pass_pool`.
    if Counter(twin.received[giver]) - Counter(after):
        return False
    before = Counter(after) - Counter(twin.received[giver]) + Counter(twin.passes[giver])
    dealt = twin.copy()
    dealt.hands[giver] = sort_cards(before.elements())
    return not Counter(twin.passes[giver]) - Counter(dealt.pass_pool(giver))


def _plays_are_possible(twin: HeartsTwin, other: HeartsTwin) -> bool:
    # Make the plays of the deal again from the rearranged hands.
    if other.phase == "pass":
        return True
    again = other.copy()
    plays = other.plays()
    again.over = False
    again.begin(_hands_after_passing(other), other.kitty, other.pass_direction)
    again.start_play()
    for k, (seat, card) in enumerate(plays):
        if again.turn != seat or not again.is_legal(seat, card):
            return False
        if twin.over and k == len(plays) - 1:
            return True  # it would score the hand a second time
        again.play(seat, card)
    return again.turn == twin.turn and again.phase == twin.phase
