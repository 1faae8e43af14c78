"""Hidden information: what a seat cannot know does not change one byte of what it gets (V-KNOW).

The deal of a random position is played again with cards exchanged that the viewer never saw, and with other hidden
choices of the others (tests/reference/vonherzen_resample.py); the view, the events and the answers must be equal.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import herzen
from herzen.seeds import seed_text
from herzen.vonherzen import VonHerzen, VonHerzenRules
from tests.contract.checks import all_viewers, refusals, shown
from tests.reference.vonherzen import VonHerzenTwin
from tests.reference.vonherzen_options import random_rules
from tests.reference.vonherzen_resample import resample_hidden
from tests.tiers import scale
from tests.vonherzen.adapter import VON_HERZEN
from tests.vonherzen.table import dealt, play

PARTS = scale(quick=1, ci=4, full=40)
STATES = scale(quick=40, ci=60, full=500)
"""Positions in each part; each is looked at by every viewer."""


def positions(states: int, seed: int) -> Iterator[tuple[VonHerzen, VonHerzenTwin]]:
    """The engine and its twin at random places of random matches."""
    rng = random.Random(seed)
    while states > 0:
        fields, match_seed = random_rules(rng), rng.getrandbits(256)
        game = VonHerzen(VonHerzenRules(**fields), seed=match_seed)
        twin = VonHerzenTwin(fields, match_seed)
        while True:
            rare = game.phase in ("agree", "give") or game.last_turns
            often = game.phase in ("offer", "answer", "takeover", "over")
            if rng.random() < (0.5 if rare else 0.05 if often else 0.015):
                states -= 1
                yield game, twin
            if game.over:
                break
            assert twin.turn is not None
            # First the verb: there are many ways to accept, and few to counter or to go on.
            texts = twin.legal(twin.turn)
            verb = rng.choice(sorted({text.split()[0] for text in texts}))
            text = rng.choice([text for text in texts if text.split()[0] == verb])
            game.play(text)
            twin.play(twin.turn, text)


def rearranged(
    game: VonHerzen, twin: VonHerzenTwin, viewer: int | None, rng: random.Random
) -> tuple[VonHerzen, VonHerzenTwin]:
    """The match as it may also have been, for one viewer, under another seed."""
    other = resample_hidden(twin, viewer, rng)
    data = game.record().to_dict()
    data["seed"] = seed_text(other.seed)
    data["deals"] = other.decks
    data["moves"] = [list(move) for move in other.history]
    data["fingerprints"] = []
    again = herzen.Record.from_dict(data).replay()
    assert isinstance(again, VonHerzen)
    return again, other


def pairs(states: int, seed: int) -> Iterator[tuple[int | None, VonHerzen, VonHerzen]]:
    """(viewer, the match, the rearranged match), both played from records."""
    rng = random.Random(seed)
    for game, twin in positions(states, seed):
        true = game.record().replay()
        assert isinstance(true, VonHerzen)
        for viewer in all_viewers(game):
            other, _ = rearranged(game, twin, viewer, rng)
            yield viewer, true, other


def differences(
    viewer: int | None, true: VonHerzen, other: VonHerzen, rng: random.Random
) -> list[str]:
    """The names of what the viewer gets in the two matches that is not equal to the byte."""
    whole = rng.random() < 0.2
    mine, theirs = shown(true, viewer, whole=whole), shown(other, viewer, whole=whole)
    out = [name for name in mine if mine[name] != theirs[name]]
    texts = [VON_HERZEN.moves(rng, {}) for _ in range(8)]
    if viewer is not None:
        texts += [f"discard {card}" for card in true.hand(viewer)]
        texts += [f"offer {card}" for card in true.hand(viewer)[:2]]
    if refusals(true, viewer, texts) != refusals(other, viewer, texts):
        out.append("errors")
    return out


@pytest.mark.parametrize("part", range(PARTS))
def test_what_a_seat_cannot_know_changes_nothing_it_gets(part: int) -> None:
    """V-KNOW-1 to V-KNOW-9, rows 67 to 77: views, events, texts and errors are equal to the byte."""
    rng = random.Random(part)
    phases: Counter[str] = Counter()
    total = 0
    for viewer, true, other in pairs(STATES, 100 + part):
        total += 1
        phases[true.phase] += 1
        phases["last turns"] += bool(true.last_turns)
        hands = [[game.hand(seat) for seat in range(game.players)] for game in (true, other)]
        phases["hands differ"] += hands[0] != hands[1]
        found = differences(viewer, true, other, rng)
        assert not found, (found, viewer, true.to_setup())
        assert true.fingerprint() != other.fingerprint()
    # The check has something to see: other hands mostly, in every phase.
    assert phases["hands differ"] > total // 2
    assert all(phases[name] for name in (*map(str, true.phases), "last turns"))


@pytest.mark.parametrize("leak", ["known", "swaps", "my_offer"])
def test_a_planted_leak_is_caught(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """V-KNOW-2 to V-KNOW-4: a view that shows one secret more differs."""
    honest = VonHerzen._view_zones

    def leaky(game: VonHerzen, seat: int | None) -> dict[str, Any]:
        zones = honest(game, seat)
        other = (0 if seat is None else seat + 1) % game.players
        if leak == "known":
            return zones | {"known": {other: game.hand(other)[:1]}}
        if leak == "swaps":
            return zones | {"swaps": honest(game, other)["swaps"]}
        offered = game.offer is not None and honest(game, game.offer["proposer"])["my_offer"]
        return zones | {"my_offer": offered or None}

    monkeypatch.setattr(VonHerzen, "_view_zones", leaky)
    caught = total = 0
    rng = random.Random(3)
    for viewer, true, other in pairs(20, 7):
        total += 1
        caught += "json" in differences(viewer, true, other, rng)
    assert caught > total // 20


def test_events_that_are_not_redacted_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """V-KNOW-3, V-KNOW-6: unredacted events differ."""
    monkeypatch.setattr(herzen.Event, "for_seat", lambda event, seat: event)
    monkeypatch.setattr(herzen.vonherzen.Swapped, "for_seat", lambda event, seat: event)
    monkeypatch.setattr(herzen.vonherzen.Drawn, "for_seat", lambda event, seat: event)
    rng = random.Random(4)
    found = [differences(viewer, true, other, rng) for viewer, true, other in pairs(12, 8)]
    assert sum("json" in names for names in found) > len(found) // 3


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
        other, _ = rearranged(game, twin, 0, rng)
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
        other, _ = rearranged(game, twin, 1, rng)
        places[next(s for s in range(3) if "JC" in map(str, other.hand(s)))] += 1
    assert set(places) == {0, 2}
