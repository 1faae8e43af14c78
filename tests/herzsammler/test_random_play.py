"""Random play: the documented stream, endings, and the figures of our deck."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Callable

import pytest

import herzen
from herzen.herzsammler import Herzsammler, HerzsammlerRules
from herzen.herzsammler.bot import draw
from herzen.seeds import Stream, child
from tests.contract.adapters.herzsammler import HERZSAMMLER
from tests.herzsammler.table import everything
from tests.tiers import scale


def test_the_documented_stream() -> None:
    """S-DEAL-6: the engine's own random play is the twin's: one bounded(n) for each move, forced ones too."""
    rng = random.Random(40)
    for number in range(scale(quick=75, ci=180, full=20_000)):
        fields, seed = HERZSAMMLER.random_rules(rng), rng.getrandbits(256)
        game, twin = HERZSAMMLER.new(fields, seed), HERZSAMMLER.twin(fields, seed)
        played = twin.random_action_play()
        assert game._playout() == len(played), (number, fields)
        assert list(game.scores) == twin.scores, (number, fields)
        assert [int(seat) for seat in game.winners] == twin.winners
        assert (game.ply, game.deal_number, game.dealer) == (
            twin.ply,
            twin.deal_number,
            twin.dealer,
        )
        assert list(game.hearts_won) == twin.hearts_won


def test_the_stream_move_by_move() -> None:
    """S-DEAL-6: drawn move by move the match is the same, to the fingerprint."""
    rng = random.Random(41)
    for _ in range(scale(quick=30, ci=72, full=6_000)):
        fields, seed = HERZSAMMLER.random_rules(rng), rng.getrandbits(256)
        fast, slow = HERZSAMMLER.new(fields, seed), HERZSAMMLER.new(fields, seed)
        fast._playout()
        stream = Stream(seed, 2, 0)
        while not slow.over:
            slow.play_code(draw(slow, stream))
        assert slow.fingerprint() == fast.fingerprint()


def test_simulate_plays_it() -> None:
    """S-DEAL-6: game i of a simulation is the match of child(seed, i), alone, whatever the threads."""
    rules = HerzsammlerRules(players=3, games=2)
    result = herzen.simulate(rules, 100, seed=5)
    threaded = herzen.simulate(rules, 100, seed=5, threads=2)
    assert (result.scores == threaded.scores).all()
    for number in (0, 1, 50, 99):
        game = Herzsammler(rules, seed=child(5, number))
        game._playout()
        assert tuple(result.scores[number]) == game.scores


def choose_first(game: Herzsammler, rng: random.Random) -> int:
    return game.codes()[0]


def choose_any(game: Herzsammler, rng: random.Random) -> int:
    return rng.choice(game.codes())


def choose_a_miss(game: Herzsammler, rng: random.Random) -> int:
    lying = {letter for card in game.open for letter in card.objects}
    for move in game.legal_moves():
        if not lying & set(move.object or move.card.objects):
            return move.code
    return game.codes()[-1]


@pytest.mark.parametrize("choose", [choose_first, choose_any, choose_a_miss])
def test_every_game_ends(choose: Callable[[Herzsammler, random.Random], int]) -> None:
    """S-END-4, S-END-8: every match ends, each state before has a legal move, and no card is lost."""
    rng = random.Random(43)
    for _ in range(scale(quick=25, ci=60, full=5_000)):
        fields = HERZSAMMLER.random_rules(rng)
        game = HERZSAMMLER.new(fields, rng.getrandbits(256))
        assert isinstance(game, Herzsammler)
        rules, cards = game.rules, everything(game)
        # Each taking makes stack and hands together smaller; between two there are fewer misses than the limit.
        limit = rules.games * len(rules.deck) * rules.stall_limit
        while not game.over:
            assert 0 < len(game.codes()) <= 6
            game.play_code(choose(game, rng))
            assert game.ply <= limit
            assert everything(game) == cards
        assert game.winners
        assert game.codes() == b""


def test_length_and_misses(record_property: Callable[[str, object], None]) -> None:
    """S-DECK-2, S-TURN-2: our deck, 2 players, random choice: about 36 turns in the median, 2.5 % misses.

    The 95 % intervals are recorded: of the median by ranks, of the share of misses over games.
    """
    games = scale(quick=150, ci=360, full=10_000)
    turns, misses = [], []
    for number in range(games):
        game = Herzsammler(seed=child(20_251, number))
        stream = Stream(child(20_251, number), 2, 0)
        missed = 0
        while not game.over:
            game.play_code(draw(game, stream))
            missed += game.misses > 0
        turns.append(game.ply)
        misses.append(missed)
    median, share = statistics.median(turns), sum(misses) / sum(turns)
    spread = 0.98 * math.sqrt(games)
    ranks = sorted(turns)
    low, high = ranks[int(games / 2 - spread)], ranks[math.ceil(games / 2 + spread)]
    squares = sum((m - share * t) ** 2 for m, t in zip(misses, turns, strict=True))
    error = 1.96 * math.sqrt(squares) / sum(turns)
    record_property(
        "turns", f"median {median}, 95 % interval {low}..{high}, mean {statistics.fmean(turns):.2f}"
    )
    record_property("misses", f"{share:.4%} +- {error:.4%}")
    print(
        f"{games} games: median {median} turns ({low}..{high}), misses {share:.3%} +- {error:.3%}"
    )
    assert 35 <= median <= 37
    assert 25 < statistics.fmean(turns) < 38
    assert 0.018 < share < 0.032
    if games >= 10_000:
        assert (low, high) == (36, 36) or low <= 36 <= high
        assert share - error < 0.026
        assert share + error > 0.024
