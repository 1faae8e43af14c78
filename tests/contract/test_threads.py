"""Threads that share one game, which they should not: calls may fail, but nothing crashes and the game stays a game."""

from __future__ import annotations

import pickle
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import herzen
from tests.contract.adapter import Adapter
from tests.contract.checks import every_game
from tests.tiers import scale

THREADS = 4
CALLS = [
    *("play", "play", "play", "play", "play", "play", "code", "code", "code", "forced", "undo", "view", "events"),
    *("log", "record", "copy", "pickle", "setup", "print", "fingerprint", "why", "sample", "look", "history"),
]  # fmt: skip
REFUSALS = (herzen.HerzenError, LookupError, AssertionError)
"""What a call may raise whose game is changed under its hands."""


@contextmanager
def restless(rng: random.Random) -> Iterator[None]:
    """Let other threads run at any call or return in the middle of what this thread does."""

    def give_way(*_: object) -> None:
        if rng.random() < 0.03:
            time.sleep(0)  # gives the GIL away

    sys.setprofile(give_way)
    try:
        yield
    finally:
        sys.setprofile(None)


def disturb(game: herzen.Game, rng: random.Random) -> str:
    """One call of any kind; its name."""
    seat = rng.randrange(game.players)
    what = rng.choice(CALLS)
    match what:
        case "play":
            moves = game.legal_moves(seat)
            if moves:
                game.play(rng.choice(moves), seat=seat, expect=game.version)
        case "code":
            codes = game.codes()
            if codes:
                game.play_code(codes[rng.randrange(len(codes))])
        case "forced":
            game.play_forced()
        case "undo":
            game.undo()
        case "view":
            herzen.View.loads(game.view(seat).dumps())
        case "events":
            game.events(seat, rng.randrange(40))
        case "log":
            repr(game.log)
        case "record":
            game.record(fingerprints=8).dumps()
        case "copy":
            game.copy().play_code(game.codes()[0])
        case "pickle":
            pickle.loads(pickle.dumps(game))
        case "setup":
            eval(game.to_setup(), {"herzen": herzen})
        case "print":
            str(game), repr(game)
        case "fingerprint":
            game.fingerprint()
        case "why":
            game.why_illegal("2C", seat)
        case "sample":
            game.view(None).sample(1)
        case "look":
            _ = game.scores, game.points, game.winners, game.last_deal, game.hand(seat)
        case "history":
            _ = game.moves, game.history
    return what


@every_game
def test_threads_that_share_a_game_break_nothing(case: Adapter) -> None:
    went: Counter[str] = Counter()
    for number in range(scale(quick=2, ci=9, full=1_000)):
        game = case.new(case.variants[number % len(case.variants)], number)
        strange: list[BaseException] = []
        start = threading.Barrier(THREADS)

        def work(
            key: int,
            game: herzen.Game = game,
            strange: list[BaseException] = strange,
            start: threading.Barrier = start,
        ) -> None:
            rng = random.Random(key)
            start.wait()
            for _ in range(60):
                try:
                    with restless(rng):
                        what = disturb(game, rng)
                    went[what] += 1
                except REFUSALS:
                    went["refused"] += 1
                except BaseException as error:
                    strange.append(error)
                    raise

        threads = [
            threading.Thread(target=work, args=(100 * number + key,)) for key in range(THREADS)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=300)
            assert not thread.is_alive()
        assert strange == []
        # It has a history that leads to where it stands: every move of it was legal, every card is there.
        record = herzen.Record.loads(game.record(fingerprints=1).dumps())
        record.verify(seed=True)
        again = record.replay()
        assert again == game
        assert again.version == game.version
        assert sorted(case.cards(game)) == sorted(case.cards(case.kind(game.rules, seed=1)))
        told = pickle.loads(pickle.dumps(game))
        for seat in (*range(game.players), None):
            # What is kept from call to call, the events of the deal, is what happened.
            assert game.view(seat) == told.view(seat)
        while game.moves:
            game.undo()
        assert game.fingerprint() == case.kind(game.rules, seed=game.seed).fingerprint()
    assert went["play"] > 20
    assert went["undo"] > 5
    assert went["refused"] > 2  # they did meet
