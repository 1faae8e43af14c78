"""Threads that share one game or batch, which they should not: calls may fail, but nothing crashes and a game stays a
game. What they may share (rules, views, records, bots, a writer of records) answers all of them alike.
"""

from __future__ import annotations

import os
import pickle
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import pytest

import herzen
from herzen.batch import Batch
from herzen.bots import Bot, RandomBot, RuleBot, SearchBot
from tests.contract.adapter import Adapter
from tests.contract.checks import every_game
from tests.tiers import scale

THREADS = 4
CALLS = [
    *("play", "play", "play", "play", "play", "play", "code", "code", "code", "forced", "undo", "view", "events"),
    *("log", "record", "copy", "pickle", "setup", "print", "fingerprint", "why", "sample", "look", "history"),
    *("seat record", "bot", "put"),
]  # fmt: skip
BATCH_CALLS = (
    *("step", "step", "step", "first", "seat", "observe", "final", "game", "put", "reset", "pickle", "look"),
)  # fmt: skip
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


def together(work: Callable[[int], None], keys: Iterable[int]) -> None:
    """Run it in as many threads as there are keys, all at once; what one of them raises is raised here."""
    keys = list(keys)
    start = threading.Barrier(len(keys))
    strange: list[BaseException] = []

    def run(key: int) -> None:
        start.wait()
        try:
            work(key)
        except BaseException as error:
            strange.append(error)

    threads = [threading.Thread(target=run, args=(key,)) for key in keys]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=300)
        assert not thread.is_alive()
    if strange:
        raise strange[0]


# ---- games -----------------------------------------------------------------------------------------------------------


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
        case "seat record":
            game.record().for_seat(seat).dumps()
        case "bot":
            view = game.view(seat)
            if view.legal_moves:
                game.play(SearchBot(1, simulations=8).choose(view), seat=seat, expect=view.version)
        case "put":
            Batch(game.rules, 1).put(0, game)
    return what


@every_game
def test_threads_that_share_a_game_break_nothing(case: Adapter) -> None:
    went: Counter[str] = Counter()
    for number in range(scale(smoke=2, quick=3, ci=5, full=1_000)):
        game = case.new(case.variants[number % len(case.variants)], number)

        def work(key: int, game: herzen.Game = game) -> None:
            rng = random.Random(key)
            for _ in range(60):
                try:
                    with restless(rng):
                        what = disturb(game, rng)
                    went[what] += 1
                except REFUSALS:
                    went["refused"] += 1

        together(work, [100 * number + key for key in range(THREADS)])
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


# ---- batches ---------------------------------------------------------------------------------------------------------


def disturb_batch(batch: Batch, rng: random.Random) -> str:
    """One call of any kind; its name."""
    slot, seat = rng.randrange(batch.n), rng.randrange(batch.rules.players)
    what = rng.choice(BATCH_CALLS)
    match what:
        case "step":
            batch.step(batch.random_actions())
        case "first":
            batch.step(batch.legal_mask().argmax(axis=1))
        case "seat":
            batch.play_others(seat)
            batch.step_seat(batch.random_actions(), seat, others="rule")
        case "observe":
            batch.observe(seat=seat, where=batch.done)
        case "final":
            batch.final_observe(seat=seat)
        case "game":
            game = batch.game(slot)
            if not game.over:
                game.play_code(game.codes()[0])
        case "put":
            batch.put(slot, batch.game(rng.randrange(batch.n)))
        case "reset":
            batch.reset(batch.done)
        case "pickle":
            pickle.loads(pickle.dumps(batch)).close()
        case "look":
            batch.scores.sum(), batch.winners.any(), batch.to_move.max(), len(batch)
    return what


@every_game
@pytest.mark.parametrize("mode", ["off", "next", "same"])
def test_threads_that_share_a_batch_break_nothing(
    case: Adapter, mode: Literal["off", "next", "same"]
) -> None:
    went: Counter[str] = Counter()
    for number in range(scale(quick=2, ci=4, full=200)):
        rules = case.rules(case.variants[number % len(case.variants)])
        batch = Batch(rules, 200, seed=number, autoreset=mode, threads=1 + 2 * (number % 2))

        def work(key: int, batch: Batch = batch) -> None:
            rng = random.Random(key)
            for _ in range(40):
                try:
                    with restless(rng):
                        what = disturb_batch(batch, rng)
                    went[what] += 1
                except RuntimeError as error:
                    assert "another thread" in str(error)
                    went["refused"] += 1
                except (
                    ValueError
                ) as error:  # other threads played: these actions are not legal any more
                    assert isinstance(error, herzen.IllegalMove) or "to move" in str(error)
                    went["late"] += 1

        together(work, [100 * number + key for key in range(THREADS)])
        # Every slot holds a game, and its mask is that of its position.
        deck = sorted(case.cards(case.kind(rules, seed=1)))
        for slot in range(0, batch.n, 7):
            game = batch.game(slot)
            assert game.over or sorted(case.cards(game)) == deck
            assert game.scores == tuple(batch.scores[slot]) or batch.done[slot]
        told = pickle.loads(pickle.dumps(batch))  # makes the masks anew
        for _ in range(20):
            assert (batch.legal_mask() == told.legal_mask()).all()
            assert (batch.observe() == told.observe()).all()
            actions = batch.random_actions()
            assert (actions == told.random_actions()).all()
            batch.step(actions)
            told.step(actions)
        batch.close()
        told.close()
    assert went["step"] > 5
    assert went["refused"] > 2  # they did meet


# ---- what threads may share ------------------------------------------------------------------------------------------


def answers(
    rules: herzen.Rules, view: herzen.View, record: herzen.Record, bots: Sequence[Bot]
) -> dict[str, Callable[[], object]]:
    """What can be asked of objects that do not change, so that every thread gets the same."""
    return {
        "random": lambda: herzen.simulate(rules, 60, seed=2, threads=2).scores.tobytes(),
        "rule": lambda: herzen.simulate(rules, 20, seed=2, policy="rule").histograms,
        "bots": lambda: [bot.choose(view) for bot in bots],
        "sample": lambda: view.sample(3).fingerprint(),
        "view": lambda: (view.dumps(), str(view), hash(view)),
        "replay": lambda: record.replay().fingerprint(),
        "verify": lambda: record.verify(),
        "seat": lambda: record.for_seat(0).dumps(),
        "game": lambda: some_game(rules),
    }


def some_game(rules: herzen.Rules) -> str:
    """Where a match under these rules stands after some moves."""
    game = herzen.new(rules.game, rules, seed=4)
    for _ in range(10):
        game.play(game.legal_moves()[-1])
    return game.fingerprint()


@every_game
def test_threads_get_the_answers_that_one_thread_gets(case: Adapter) -> None:
    for number in range(scale(quick=1, ci=3, full=100)):
        fields = case.variants[number % len(case.variants)]
        game = case.new(fields, number)
        for _ in range(9):
            game.play_code(game.codes()[0])

        def asked(game: herzen.Game = game) -> dict[str, Callable[[], object]]:
            view = game.view(game.turn)
            bots = (SearchBot(5, simulations=60, threads=2), RuleBot(5), RandomBot(5))
            return answers(game.rules, view, game.record(fingerprints=4), bots)

        expected = {name: ask() for name, ask in asked().items()}
        shared = asked()  # what they keep for later is made by several threads at once

        def work(
            key: int,
            shared: dict[str, Callable[[], object]] = shared,
            expected: dict[str, object] = expected,
        ) -> None:
            rng = random.Random(key)
            for name in rng.sample(sorted(shared), len(shared)):
                with restless(rng):
                    assert shared[name]() == expected[name], name

        together(work, range(THREADS))


FIRST_USE = """
import json, sys, threading

def use():
    start.wait()
    import herzen
    from herzen.batch import Batch
    from herzen.bots import SearchBot

    out = []
    for rules in (herzen.HeartsRules(), herzen.VonHerzenRules(), herzen.HerzsammlerRules()):
        game = herzen.new(rules.game, rules, seed=1)
        game.play(game.legal_moves()[0])
        view = game.view(game.turn)
        out.append(str(SearchBot(1, simulations=20).choose(view)))
        out.append(view.sample(1).fingerprint())
        with Batch(rules, 3, seed=1) as batch:
            batch.step(batch.random_actions())
            out.append(batch.observe().sum(axis=1).tolist())
        for policy in ("rule", "random"):
            out.append(herzen.simulate(rules, 3, seed=1, policy=policy).scores.tolist())
        out.append(herzen.Record.loads(game.record().dumps()).replay().fingerprint())
        out.append(str(game))
    told.append(json.dumps(out))

count = int(sys.argv[1])
sys.setswitchinterval(1e-6)
start, told = threading.Barrier(count), []
threads = [threading.Thread(target=use) for _ in range(count)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert len(told) == count
print(*sorted(set(told)), sep="\\n")
"""


def printed(script: str, *arguments: str) -> str:
    """What a script prints in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script, *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_threads_may_all_be_the_first_to_use_something() -> None:
    """Modules are loaded, and tables filled in, when they are first needed."""
    alone = printed(FIRST_USE, "1")
    assert len(alone) > 300
    for _ in range(scale(quick=1, ci=3, full=50)):
        assert printed(FIRST_USE, "6") == alone


# ---- files -----------------------------------------------------------------------------------------------------------


def records(key: int, count: int) -> list[herzen.Record]:
    """Short matches, each with a number of its own."""
    out = []
    for number in range(key * count, (key + 1) * count):
        game = herzen.Hearts(seed=number)
        game.play_code(game.codes()[number % 9])
        out.append(game.record({"number": number}))
    return out


@pytest.mark.parametrize("name", ["all.jsonl", "all.jsonl.gz"])
@pytest.mark.parametrize("every", [1, 3])
def test_threads_may_share_a_writer(name: str, every: int, tmp_path: Path) -> None:
    path, count = tmp_path / name, scale(quick=20, ci=60, full=1_000)
    found: list[int] = []
    writer = herzen.RecordWriter(path, every=every)

    def work(key: int) -> None:
        rng = random.Random(key)
        for record in records(key, count):
            with restless(rng):
                writer.write(record)
                if rng.random() < 0.1:
                    writer.flush()

    together(work, range(THREADS))
    together(lambda key: writer.close(), range(THREADS))
    for record in herzen.load_records(path):
        record.verify()
        found.append(record.meta["number"])
    assert sorted(found) == [*range(THREADS * count)]  # each once


def test_threads_that_write_the_same_file_leave_one_of_theirs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, count = tmp_path / "all.jsonl", 4
    replace = os.replace

    def replace_and_wait(*paths: str) -> None:
        replace(*paths)
        time.sleep(0.002)  # the temporary file's name is free: others take it

    def slowly(some: list[herzen.Record]) -> Iterator[herzen.Record]:
        for record in some:
            time.sleep(0.001)
            yield record

    monkeypatch.setattr(os, "replace", replace_and_wait)

    def work(key: int) -> None:
        mine = records(key, count)
        for _ in range(scale(quick=10, ci=30, full=300)):
            herzen.dump_records(path, slowly(mine))
            assert len(list(herzen.load_records(path))) == count

    together(work, range(THREADS))
    numbers = [record.meta["number"] for record in herzen.load_records(path)]
    assert numbers in [[*range(key * count, (key + 1) * count)] for key in range(THREADS)]
    assert [file.name for file in tmp_path.iterdir()] == ["all.jsonl"]


# ---- processes -------------------------------------------------------------------------------------------------------

FORK = """
import os, sys, warnings
import herzen
from herzen.batch import Batch

warnings.simplefilter("ignore", DeprecationWarning)  # of a fork while there are threads
batch = Batch(herzen.HeartsRules(), 500, seed=1, autoreset="same", threads=3)
twin = Batch(herzen.HeartsRules(), 500, seed=1, autoreset="same")
game = herzen.Hearts(seed=1)

def go_on():
    for _ in range(30):
        batch.step(batch.random_actions())
        twin.step(twin.random_actions())
        game.play_code(game.codes()[0])
    return (batch.observe() == twin.observe()).all() and (batch.scores == twin.scores).all()

assert go_on()
child = os.fork()
assert go_on()
batch.close()
if child == 0:
    print(game.fingerprint(), herzen.Hearts().seed, flush=True)
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
print(game.fingerprint(), herzen.Hearts().seed)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="fork of POSIX")
def test_a_forked_process_goes_on_by_itself() -> None:
    """Its batches get threads of their own, and its fresh seeds are fresh."""
    told = printed(FORK).split()
    assert told[0] == told[2]
    assert told[1] != told[3]
