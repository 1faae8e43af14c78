"""Hidden information that only Von Herzen has: offers, swaps, last turns (V-KNOW).

The check itself, and all that every game has, is in tests/contract/test_noninterference.py.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from herzen.vonherzen import VonHerzen
from tests.contract.adapters.vonherzen import VON_HERZEN
from tests.contract.test_noninterference import differences, pairs, rearranged
from tests.reference.vonherzen import VonHerzenTwin
from tests.vonherzen.table import dealt, play


@pytest.mark.parametrize("leak", ["swaps", "my_offer"])
def test_a_planted_leak_is_caught(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """V-KNOW-3, V-KNOW-4: a view that shows one secret more differs."""
    honest = VonHerzen._view_zones

    def leaky(game: VonHerzen, seat: int | None) -> dict[str, Any]:
        zones = honest(game, seat)
        if leak == "swaps":
            other = (0 if seat is None else seat + 1) % game.players
            return zones | {"swaps": honest(game, other)["swaps"]}
        offered = game.offer is not None and honest(game, game.offer["proposer"])["my_offer"]
        return zones | {"my_offer": offered or None}

    monkeypatch.setattr(VonHerzen, "_view_zones", leaky)
    rng = random.Random(3)
    found = [differences(VON_HERZEN, pair, rng) for pair in pairs(VON_HERZEN, 12, 7)]
    assert sum("json" in names for names in found) > len(found) // 20


def test_last_turns_hide_the_other_hands() -> None:
    """V-KNOW-2, row 74: in the last turns of the first round the others' hands may still be many."""
    fields = {"exchange_rounds": 0, "max_deals": 1, "players": 3, "hand_size": 3}
    hands = ["7C 8C 9C", "7D 9H KD", "KS QH TC"]
    game = dealt(*hands, first="JC JD", exchange_rounds=0, max_deals=1)
    play(game, "draw stock", "meld 7C 8C 9C", "discard JC")
    assert game.last_turns == (1, 2)
    twin = VonHerzenTwin(fields, 1, deals=[game.record().to_dict()["deals"][0]])
    for seat, move in game.history:
        twin.play(seat, str(move))
    rng = random.Random(10)
    hidden = set()
    for _ in range(50):
        other = rearranged(VON_HERZEN, game, twin, 0, fields, 0, rng)
        assert other is not None
        assert other.view(0).dumps() == game.view(0).dumps()
        hidden.add(tuple(map(str, other.hand(1) + other.hand(2))))
    assert len(hidden) > 10


def test_a_card_given_away_may_be_elsewhere() -> None:
    """V-KNOW-3: the giver cannot tell where its card went after that."""
    fields = {"players": 3, "hand_size": 4}
    game = dealt("7C 8C 9C TC", "JC QC KC AC", "7D 8D 9D TD")
    play(game, "offer JC", "accept 7C", "offer JC", "accept 7D", "offer -")
    twin = VonHerzenTwin(fields, 1, deals=[game.record().to_dict()["deals"][0]])
    for seat, move in game.history:
        twin.play(seat, str(move))
    rng = random.Random(11)
    places: Counter[int] = Counter()
    for _ in range(60):
        other = rearranged(VON_HERZEN, game, twin, 0, fields, 1, rng)
        assert other is not None
        places[next(s for s in range(3) if "JC" in map(str, other.hand(s)))] += 1
    assert set(places) == {0, 2}
