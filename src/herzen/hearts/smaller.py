"""Smaller positions than a given one, for `Record.shrink`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from herzen.rules import Rules

    Zones = dict[str, Any]


def smaller(rules: Rules, zones: Zones) -> Iterator[Zones]:
    """Zones of `setup` with fewer cards to play, or fewer tricks to tell of; what is taken away was captured before.

    Whether they are a position at all, `setup` finds out.
    """
    if "committed" in zones:
        # Passing over: the two belong together, and only then can cards go.
        passing = ("phase", "committed", "pass_direction")
        yield {name: zone for name, zone in zones.items() if name not in passing}
    tricks = zones.get("tricks") or []
    if tricks:
        yield _captured(rules, zones, len(tricks))
        yield _captured(rules, zones, 1)
    hands = zones["hands"]
    shortest = min(map(len, hands))
    size = shortest
    while size:
        # The same places out of every hand: all hands stay equally long.
        for first in range(shortest - size + 1):
            yield _without(rules, zones, [range(first, first + size)] * len(hands))
        size //= 2
    for seat in range(len(hands)):
        for place in range(len(hands[seat])):
            for others in range(shortest):
                if others != place:
                    yield _without(
                        rules,
                        zones,
                        [range(p, p + 1) for p in _one(len(hands), seat, place, others)],
                    )


def _one(seats: int, seat: int, place: int, others: int) -> list[int]:
    return [place if at == seat else others for at in range(seats)]


def _piles(rules: Rules, zones: Zones) -> list[list[str]]:
    return [list(pile) for pile in zones.get("taken") or [[] for _ in range(rules.players)]]


def _captured(rules: Rules, zones: Zones, count: int) -> Zones:
    """The first tricks told as cards that their winners have."""
    taken, held = _piles(rules, zones), list(zones.get("held") or [])
    for _, cards, winner in zones["tricks"][:count]:
        held += cards
        if winner is not None:
            taken[winner] += held
            held = []
    return {**zones, "tricks": zones["tricks"][count:], "taken": taken, "held": held} | (
        {"tricks_won": None} if "tricks_won" in zones else {}
    )


def _without(rules: Rules, zones: Zones, places: list[range]) -> Zones:
    """Hands without the cards at these places, which the seat with the most cards captured before."""
    taken = _piles(rules, zones)
    gone: list[str] = []
    hands = []
    for hand, out in zip(zones["hands"], places, strict=True):
        gone += [card for place, card in enumerate(hand) if place in out]
        hands.append([card for place, card in enumerate(hand) if place not in out])
    most = max(range(rules.players), key=lambda seat: len(taken[seat]))
    taken[most] += gone
    return {**zones, "hands": hands, "taken": taken} | (
        {"tricks_won": None} if "tricks_won" in zones else {}
    )
