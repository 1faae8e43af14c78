"""All worlds of a seat's view of Herzsammler, found by playing the game again from every deal.

A world is where the cards lie after a legal history that shows the viewer the same at every step. Nothing is
concluded from a miss here: a deal from which a move was not legal is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from math import factorial, prod
from typing import Any

from tests.reference.herzsammler import HerzsammlerTwin

Placement = tuple[tuple[str, ...], ...]
"""The other hands in canonical order, then the stack from the top."""


def placement(hands: Sequence[Sequence[str]], stack: Sequence[str], seat: int | None) -> Placement:
    """Where the cards lie that a seat may not see."""
    return (*(tuple(hand) for at, hand in enumerate(hands) if at != seat), tuple(stack))


def worlds(
    fields: dict[str, Any], deck: Sequence[str], moves: Sequence[tuple[int, str]], seat: int | None
) -> dict[Placement, int]:
    """The worlds after these moves of the first deal, and how many placements of physical cards each stands for.

    `deck`: the true one, top first. Equal cards can be told apart by nobody, but are dealt as different ones.
    """
    seen = _seen(HerzsammlerTwin(fields, 0, None, [deck]), moves, seat)
    found: dict[Placement, int] = {}
    for other in _decks(fields, deck, seat):
        twin = HerzsammlerTwin(fields, 0, None, [other])
        if _view_of(twin, seat) != seen[0]:
            continue
        for (player, text), view in zip(moves, seen[1:], strict=True):
            if not twin.is_legal(player, text):
                break
            twin.play(player, text)
            if _view_of(twin, seat) != view:
                break
        else:
            found[placement(twin.hands, twin.stack, seat)] = _ways(twin, seat)
    return found


def _view_of(twin: HerzsammlerTwin, seat: int | None) -> dict[str, Any]:
    # Without what the oracle is to test: conclusions from misses.
    return {name: zone for name, zone in twin.view(seat).items() if name != "barred"}


def _seen(
    twin: HerzsammlerTwin, moves: Sequence[tuple[int, str]], seat: int | None
) -> list[dict[str, Any]]:
    views = [_view_of(twin, seat)]
    for player, text in moves:
        twin.play(player, text)
        views.append(_view_of(twin, seat))
    return views


def _decks(fields: dict[str, Any], deck: Sequence[str], seat: int | None) -> Iterator[list[str]]:
    """The decks that show the viewer the same hand and open cards."""
    n = fields.get("players", 2)
    places = [[at, at + n] for at in range(n)]  # the last seat deals
    lying = list(range(2 * n, 2 * n + 6))
    own = [] if seat is None else places[seat]
    hidden = [place for place in range(len(deck)) if place not in own and place not in lying]
    others = [at for at in range(n) if at != seat]
    for hands, stack in _splits([deck[place] for place in hidden], [2] * len(others)):
        other = list(deck)
        for at, hand in zip(others, hands, strict=True):
            for place, card in zip(places[at], hand, strict=True):
                other[place] = card
        other[2 * n + 6 :] = stack
        yield other


def _splits(
    cards: list[str], sizes: list[int]
) -> Iterator[tuple[list[tuple[str, ...]], tuple[str, ...]]]:
    if not sizes:
        for stack in sorted(set(permutations(cards))):
            yield [], stack
        return
    for hand in sorted(set(combinations(sorted(cards), sizes[0]))):
        left = Counter(cards) - Counter(hand)
        for hands, stack in _splits(sorted(left.elements()), sizes[1:]):
            yield [hand, *hands], stack


def _ways(twin: HerzsammlerTwin, seat: int | None) -> int:
    """In how many ways the unseen copies of equal cards can lie so."""
    top = twin.stack[: len(twin.stack) - twin.bottom_size]
    zones = [Counter(twin.unknown_in_hand(at)) for at in twin.seats if at != seat]
    zones += [Counter([card]) for card in top]
    hidden: Counter[str] = sum(zones, Counter())
    return prod(
        factorial(count) // prod(factorial(zone[card]) for zone in zones)
        for card, count in hidden.items()
    )
