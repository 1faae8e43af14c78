"""What `herzen.simulate` says, beside Games that play the same matches."""

from __future__ import annotations

import random
from typing import Any

import herzen
from herzen.bots import RuleBot
from herzen.seeds import child
from herzen.simulation import play_randomly, simulate
from tests.contract.adapter import Adapter


def by_hand(rules: herzen.Rules, seed: int) -> herzen.Game:
    game = herzen.new(rules.game, rules, seed=seed)
    play_randomly(game)
    return game


def assert_row(result: Any, number: int, game: herzen.Game) -> None:
    assert tuple(result.scores[number]) == game.scores
    winners = [seat for seat in range(game.players) if result.winners[number, seat]]
    assert winners == list(map(int, game.winners))
    assert result.hands[number] == game.deal_number + 1
    assert result.lengths[number] == game.ply
    assert [getattr(result, name)[number] for name in game.COUNTS] == game._counts()[
        : len(game.COUNTS)
    ]


def check_simulated(case: Adapter, rng: random.Random, most: int) -> int:
    """Some matches under random rules are those that Game plays, move for move; how many, up to 8."""
    rules = case.rules(case.random_rules(rng))
    games = min(most, 1 + rng.randrange(8))
    seed = rng.getrandbits(256)
    result = simulate(rules, games, seed=seed)
    for number in range(games):
        fast = case.kind(rules, seed=child(seed, number))
        fast._playout()
        slow = by_hand(rules, child(seed, number))
        assert slow.fingerprint() == fast.fingerprint()
        assert_row(result, number, slow)
    return games


def check_rule_players(case: Adapter, rng: random.Random) -> None:
    """Rule players in the engine's own loop play as bots by their views do."""
    rules = case.rules(case.random_rules(rng))
    seed, games = rng.getrandbits(256), 2
    fast = simulate(rules, games, seed=seed, policy="rule", threads=1 + rng.randrange(2))
    slow = simulate(rules, games, seed=seed, policy=[lambda one: RuleBot(one)] * rules.players)
    for name in ("scores", "winners", "hands", "lengths", *case.kind.COUNTS):
        assert (getattr(fast, name) == getattr(slow, name)).all(), (rules, name)
    assert fast.counted == slow.counted
