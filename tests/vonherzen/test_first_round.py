"""Somebody has gone out, and the first round goes on: what is hidden stays hidden."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

import herzen
from tests.tiers import scale


def first_rounds() -> Iterator[herzen.VonHerzen]:
    """Positions of random matches in which seats have their last turn still to come or now."""
    for number in range(10_000):
        rng = random.Random(f"first round {number}")
        # Small hands: somebody goes out soon.
        rules = herzen.VonHerzenRules(players=rng.randrange(3, 6), hand_size=3, max_deals=1)
        game = herzen.VonHerzen(rules, seed=number)
        while not game.over:
            if game.last_turns:
                yield game.copy()
            codes = game.codes()
            game.play_code(codes[rng.randrange(len(codes))])


def test_samples_of_the_first_round_do_not_repeat_the_true_hands() -> None:
    """50 seeds give different hands of those of whom not all is known."""
    seen = 0
    for game in islice(first_rounds(), scale(quick=4, ci=12, full=400)):
        for seat in range(game.players):
            view = game.view(seat)
            others = [
                at
                for at in range(game.players)
                if at != seat and len(view.known.get(at, ())) < view.hand_sizes[at]
            ]
            if not others:
                continue
            worlds = [view.sample(seed) for seed in range(50)]
            hands = {tuple(world.hand(at) for at in others) for world in worlds}
            assert len(hands) > 1
            for world in worlds:
                assert world.view(seat).hand == view.hand
                assert world.last_turns == game.last_turns
            seen += 1
    assert seen >= 5
