"""Observations: the same for a seat whatever it cannot know, and complete in every phase."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import herzen
from herzen.batch import Batch
from tests.batch.actions import Player
from tests.batch.cases import CASES, every_case
from tests.batch.encode import differences, encode
from tests.contract.games import Adapter
from tests.contract.test_noninterference import positions, rearranged
from tests.tiers import scale

STATES = scale(quick=40, ci=40, full=3000)


def worlds(case: Adapter, states: int, seed: int) -> Iterator[tuple[int, herzen.Game, herzen.Game]]:
    """(seat, a game, the game as it may also be for that seat)."""
    rng = random.Random(seed)
    for game, twin, mark, fields in positions(case, states, seed):
        for seat in range(game.players):
            other = rearranged(case, game, twin, mark, fields, seat, rng)
            if other is not None:
                yield seat, game, other


@every_case
def test_what_a_seat_cannot_know_changes_nothing_it_observes(case: Adapter) -> None:
    rng = random.Random(1)
    seen: Counter[str] = Counter()
    for seat, game, other in worlds(case, STATES, 77):
        batch = Batch(game.rules, 2)
        batch.put(0, game)
        batch.put(1, other)
        seen[game.phase] += 1
        hidden = range(game.players)
        seen["hands differ"] += any(game.hand(who) != other.hand(who) for who in hidden)
        assert_alike(batch, seat)
        # Picks of the seat to move: its own show and are the same in both worlds, another seat's do not show.
        for _ in range(4):
            mask = batch.legal_mask()
            if batch.to_move[0] < 0 or game.phase not in PICKING:
                break
            if batch.to_move[0] == seat:
                action = rng.choice(np.flatnonzero(mask[0]).tolist())
                actions = [action, action]
            else:
                actions = [rng.choice(np.flatnonzero(row).tolist()) for row in mask]
            plies = [batch.game(i).ply for i in range(2)]
            batch.step(actions)
            if [batch.game(i).ply for i in range(2)] != plies:
                break  # a whole move was made: other worlds may differ from here on
            assert_alike(batch, seat)
            seen["picks"] += 1
    assert seen["hands differ"] > sum(seen[str(phase)] for phase in case.kind.phases) // 3
    assert_phases(case, seen)
    assert case.name == "herzsammler" or seen["picks"] > 20


def assert_phases(case: Adapter, seen: Counter[str]) -> None:
    """All phases were met."""
    assert not {str(phase) for phase in case.kind.phases} - set(seen)


PICKING = {"pass", "offer", "answer", "takeover", "agree", "give"}


def assert_alike(batch: Batch, seat: int) -> None:
    """The two slots give this seat the same bytes, and the same mask where it is to move."""
    rows = batch.observe(seat=seat)
    if rows[0].tobytes() != rows[1].tobytes():
        layout = batch.observation_layout
        names = [name for name, at in layout.items() if (rows[0][at] != rows[1][at]).any()]
        raise AssertionError((names, seat, batch.game(0).to_setup(), batch.game(1).to_setup()))
    if batch.to_move[0] == seat:
        mask = batch.legal_mask()
        assert batch.to_move[1] == seat
        assert mask[0].tobytes() == mask[1].tobytes()
        assert (batch.observe() == rows).all()


def test_a_leak_would_be_seen() -> None:
    """The worlds do differ in what the other seats observe."""
    for case in CASES:
        differ = total = 0
        for seat, game, other in worlds(case, 8, 3):
            batch = Batch(game.rules, 2)
            batch.put(0, game)
            batch.put(1, other)
            rows = batch.observe(seat=(seat + 1) % game.players)
            total += 1
            differ += bool((rows[0] != rows[1]).any())
        assert differ > total // 4


@every_case
def test_observations_are_the_views(case: Adapter) -> None:
    """In every phase, under random rules, with the log of the deal: kitties, held tricks, last turns."""
    phases: Counter[str] = Counter()
    for game, *_ in positions(case, STATES, 41):
        batch = Batch(game.rules, 1)
        batch.put(0, game)
        phases[game.phase] += 1
        for seat in range(game.players):
            row = batch.observe(seat=seat)[0]
            found = differences(batch, row, encode(Player(game), seat))
            assert not found, (found, seat, game.to_setup())
    assert_phases(case, phases)


@every_case
def test_layout_covers_every_byte_once(case: Adapter) -> None:
    for fields in case.variants:
        batch = Batch(case.rules(fields), 1)
        ends = [0, *(place.stop for place in batch.observation_layout.values())]
        assert [place.start for place in batch.observation_layout.values()] == ends[:-1]
        assert batch.observation_shape == (ends[-1],)
        with pytest.raises(TypeError):
            batch.observation_layout["hand"] = slice(0)  # type: ignore[index]


@every_case
def test_the_page_lists_the_layout(case: Adapter) -> None:
    """Names, order, and offsets under the default rules."""
    page = (ROOT / "docs" / "batch.rst").read_text(encoding="utf-8")
    title = {"hearts": "Hearts", "vonherzen": "Von Herzen", "herzsammler": "Herzsammler"}[case.name]
    section = page.split(f"\n{title}\n~~~")[1].split("\n~~~")[0]
    rows = re.findall(r"^``(\w+)``\s+(\S+)\s(.*)", section, re.M)
    layout = Batch(case.rules({}), 1).observation_layout
    listed = {name: int(offset) for name, offset, meaning in rows if " only: " not in meaning}
    assert listed == {name: place.start for name, place in layout.items()}
    assert list(listed) == list(layout)
    others = {name for name, *_ in rows} - set(listed)
    found = {name for fields in MORE for name in layout_of(case, fields)} - set(layout)
    assert others == found


MORE = ({"decks": 2, "players": 8}, {"players": 3, "extras": "kitty"}, {"must_match": True})
ROOT = Path(__file__).parents[2]


def layout_of(case: Adapter, fields: dict[str, Any]) -> list[str]:
    """The parts of an observation under these rules; none if the game has no such options."""
    if set(fields) - set(case.kind.rules_type._fields):
        return []
    return list(Batch(case.rules(fields), 1).observation_layout)


def test_cards_taken_before_a_set_up_are_shown() -> None:
    """A set-up knows captured and held over cards that no trick in its log holds."""
    game = herzen.Hearts.setup(
        herzen.HeartsRules(),
        hands=["2C 3C", "4C 5C", "6C 7C", "8C 9C"],
        taken=["AH KH QH JH", "QS 2H 3H 4H", "", _rest()],
        turn=1,
    )
    batch = Batch(game.rules, 1)
    batch.put(0, game)
    assert batch.game(0) == game
    row = batch.observe(seat=1)[0][batch.observation_layout["taken"]].reshape(4, 52)
    index = {str(card): card.index for card in map(herzen.hearts.Card.parse, "AH QS".split())}
    assert row[3][index["AH"]] == 1  # seat 0 sits to the right of seat 1
    assert row[0][index["QS"]] == 1
    assert row.sum() == 44


def _rest() -> str:
    used = set("2C 3C 4C 5C 6C 7C 8C 9C AH KH QH JH QS 2H 3H 4H".split())
    deck = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]
    return " ".join(card for card in deck if card not in used)


def test_scores_are_scaled_and_clipped() -> None:
    """round(100 * total / target), within 127."""
    rules = herzen.HeartsRules(target=80)
    game = herzen.Hearts.setup(
        rules,
        hands=["2C", "3C", "4C", "5C"],
        taken=["", "", "", " ".join(_all_but("2C 3C 4C 5C"))],
        turn=0,
        scores=[2, -200, 79, 6],
    )
    batch = Batch(rules, 1)
    batch.put(0, game)
    place = batch.observation_layout["scores"]
    assert batch.observe(seat=0)[0][place].tolist() == [2, -127, 99, 8]  # 2.5, -250, 98.75, 7.5
    assert batch.observe(seat=2)[0][place].tolist() == [99, 8, 2, -127]
    assert batch.scores[0].tolist() == [2, -200, 79, 6]


def _all_but(cards: str) -> list[str]:
    return [
        rank + suit
        for suit in "CDHS"
        for rank in "23456789TJQKA"
        if rank + suit not in cards.split()
    ]
