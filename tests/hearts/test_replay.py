"""Same seed, same game: faults in determinism and replay that users of other programs reported.

These back H-DEAL-7 and H-PASS-7: all chance is in the seed.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys

import pytest

import herzen

RULES = [
    herzen.HeartsRules(),
    herzen.HeartsRules(players=3, pass_cycle="random"),
    herzen.HeartsRules(players=5, extras="kitty"),
    herzen.HeartsRules.cancellation(players=6),
]


def step(game: herzen.Hearts, choose: random.Random) -> None:
    """One random move of a random seat among those that may act."""
    seat = choose.choice([int(seat) for seat in game.to_move])
    codes = game.codes(seat)
    game.play(codes[choose.randrange(len(codes))], seat=seat)


def played(rules: herzen.HeartsRules, seed: int, moves: int) -> herzen.Hearts:
    """A game after so many random moves."""
    game, choose = herzen.Hearts(rules, seed=seed), random.Random(seed)
    for _ in range(moves):
        if game.over:
            break
        step(game, choose)
    return game


@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("at", [0, 3, 10, 30, 75])
def test_a_restart_goes_on_the_same(rules: herzen.HeartsRules, at: int) -> None:
    """H-DEAL-7, row 53: seed 7, saved after move `at`, loaded, played on: equal to the uninterrupted game."""
    game = played(rules, 7, at)
    loaded = herzen.Record.loads(game.record().dumps()).replay()
    assert loaded == game
    assert loaded.log == game.log
    first, second = random.Random(1), random.Random(1)
    for _ in range(120):
        if game.over:
            break
        step(game, first)
        step(loaded, second)
        assert loaded.fingerprint() == game.fingerprint()
    assert loaded.record() == game.record()


def test_who_looks_does_not_matter() -> None:
    """H-DEAL-7, row 56: the shuffle does not depend on who looks first, or on the order in which seats act."""
    moves = [herzen.Hearts(seed=9).codes(seat)[5] for seat in range(4)]
    marks = set()
    for order in ((0, 1, 2, 3), (3, 2, 1, 0), (2, 0, 3, 1)):
        game = herzen.Hearts(seed=9)
        for seat in order:
            game.view(seat).dumps()
            game.play(moves[seat], seat=seat)
        while game.deal_number == 0:
            game.view(order[0])
            game.play(game.codes()[0])
        marks.add(game.fingerprint())
    assert len(marks) == 1


def test_replays_do_not_disturb_each_other() -> None:
    """H-DEAL-7, row 58: the same record replayed twice, and step by step beside another game, ends the same."""
    one, other = played(RULES[0], 3, 150).record(), played(RULES[3], 4, 150).record()
    marks = [one.replay().fingerprint(), one.replay().fingerprint()]
    for mine, _ in zip(one.positions(), other.positions(), strict=False):
        last = mine.fingerprint()
        count = mine.ply
    assert marks[0] == marks[1]
    assert last == one.replay(to=count).fingerprint()


def test_looking_draws_nothing() -> None:
    """H-DEAL-7, row 59: looking at a game in every way between moves changes nothing that follows."""
    for rules in RULES:
        quiet, watched = herzen.Hearts(rules, seed=13), herzen.Hearts(rules, seed=13)
        first, second = random.Random(5), random.Random(5)
        for _ in range(40):
            before = watched.fingerprint()
            for _ in range(3):
                watched.legal_moves()
                watched.view(0).dumps()
                watched.view(None).fingerprint()
                str(watched), repr(watched)
                watched.copy(history=False)
                watched.record()
                watched.to_setup()
                watched.events(1)
            assert watched.fingerprint() == before
            step(quiet, first)
            step(watched, second)
            assert watched == quiet


SCRIPT = """
import random, sys
import herzen
rules = herzen.HeartsRules(removed={"2D", "2C", "3D", "3C"}, bonus={"JD": -10, "TD": -5}, pass_cycle="random")
game, choose = herzen.Hearts(rules, seed="row 62"), random.Random(1)
for _ in range(150):
    codes = game.codes()
    game.play(codes[choose.randrange(len(codes))])
print(game.fingerprint(), [event.to_dict() for event in game.log], game.record().dumps())
assert "numpy" not in sys.modules
"""


def test_hash_randomisation_has_no_influence() -> None:
    """H-DEAL-7, H-PASS-7, rows 62 and 64: processes with other hash seeds give the same log; numpy is not loaded."""
    logs = set()
    for number in ("0", "1"):
        env = {**os.environ, "PYTHONHASHSEED": number, "PYTHONPATH": os.pathsep.join(sys.path)}
        run = subprocess.run(
            [sys.executable, "-c", SCRIPT], env=env, capture_output=True, text=True, check=True
        )
        logs.add(run.stdout)
    assert len(logs) == 1


def test_pythons_own_generator_has_no_influence() -> None:
    """H-DEAL-7, row 65: the state of `random` neither matters to a game nor is changed by one."""
    marks = set()
    for seed in (1, 2):
        random.seed(seed)
        before = random.getstate()
        game = herzen.Hearts(herzen.HeartsRules(pass_cycle="random"), seed=3)
        while game.deal_number < 2:
            game.play(game.codes()[0])
        assert random.getstate() == before
        marks.add(game.fingerprint())
    assert len(marks) == 1
