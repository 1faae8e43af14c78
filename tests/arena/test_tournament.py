"""Playing: the same results whoever plays, whatever was played before, and however a run ended."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import herzen
from herzen.arena import Results, Tournament, load, process_pool
from herzen.arena import tournament as module
from herzen.arena.store import Store
from herzen.arena.work import Plan, play_deals
from herzen.bots import seated
from herzen.errors import ArenaError
from herzen.seeds import child
from tests.arena.short import FIRST, LAST, SHORT, short
from tests.tiers import scale

ONE_HAND = herzen.HeartsRules(max_hands=1)


def same(one: Results, other: Results) -> bool:
    """Whether two results agree in everything, records included."""
    arrays = ("deals", "seats", "scores", "winners", "hands", "lengths", "counts")
    return (
        all(np.array_equal(getattr(one, name), getattr(other, name)) for name in arrays)
        and (one.standing, one.tables) == (other.standing, other.tables)
        and list(one._lines()) == list(other._lines())
    )


@pytest.fixture(scope="module")
def serial() -> Results:
    return short().play()


# ---- what is played --------------------------------------------------------------------------------------------


def test_a_game_replays_alone() -> None:
    tournament = Tournament(ONE_HAND, ["rule", "random"], 2, seed=7)
    results = tournament.play()
    records = list(results.records())
    assert len(records) == results.games == 4
    for at, record in enumerate(records):
        deal, lineup = divmod(at, 2)
        words = tournament.words(tournament.lineups[lineup])
        game = herzen.Hearts(ONE_HAND, seed=child(7, deal))
        bots = [seated(word, child(7, deal), seat) for seat, word in enumerate(words)]
        while not game.over:
            game.play(bots[int(game.turn)].choose(game.view(game.turn)))
        assert record.moves == game.record().moves
        assert record.names == words
        assert record.meta == {"arena": {"deal": deal, "lineup": lineup}}
        record.verify(seed=True)
        assert record.dumps() == list(results._lines())[at]
        assert tuple(results.scores[deal, lineup].tolist()) == game.scores
        assert results.winners[deal, lineup].nonzero()[0].tolist() == list(map(int, game.winners))
        assert (results.hands[deal, lineup], results.lengths[deal, lineup]) == (1, game.ply)


def test_all_lineups_of_a_deal_have_its_cards() -> None:
    rules = herzen.VonHerzenRules(max_deals=2)
    results = Tournament(rules, [FIRST, "random"], 3, seed=2, seating="all").play()
    decks = [record.deals for record in results.records()]
    each = len(results.tournament.lineups)
    assert each == 6
    for deal in range(3):
        assert len(set(decks[deal * each : (deal + 1) * each])) == 1
    assert len(set(decks)) == 3


def test_what_a_game_counts_goes_to_the_seat() -> None:
    results = Tournament(ONE_HAND, ["random", FIRST], 4, seed=3).play()
    assert results.counted == ("moons", "queens")
    assert (results.counts[:, :, 1].sum(axis=-1) == 1).all()
    for at, record in enumerate(results.records()):
        taken = record.replay()._last
        assert taken is not None
        queens = results.counts[at // 2, at % 2, 1]
        assert results.scores[at // 2, at % 2][queens == 1] >= 13 or results.counts[:, :, 0].any()


def test_the_rule_bot_beats_the_random_bot() -> None:
    results = Tournament(SHORT, ["rule", "random"], 12, seed=5).play()
    pair = results.standing.pair("rule", "random")
    assert pair.better == "rule"
    assert pair.score.low > 0


def test_progress_counts_deals_and_may_end_the_run(tmp_path: Path) -> None:
    told = []
    short(5).play(progress=lambda done, deals: told.append((done, deals)))
    assert told == [(done, 5) for done in range(6)]

    def stop(done: int, deals: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        short(5).play(file=tmp_path / "a.db", progress=stop)
    assert load(tmp_path / "a.db").deals.tolist() == [0, 1, 2]


def test_a_run_that_progress_ends_leaves_no_tasks_behind() -> None:
    futures: list[Future[Any]] = []

    class Lazy(Executor):
        """Plays the first task only."""

        def submit(self, call: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            future: Future[Any] = Future()
            if not futures:
                future.set_result(call(*args))
            futures.append(future)
            return future

    def stop(done: int, deals: int) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        short(5).play(Lazy(), progress=stop)
    assert [future.cancelled() for future in futures] == [False] + 4 * [True]


# ---- who plays -------------------------------------------------------------------------------------------------


def test_threads_play_the_same(serial: Results) -> None:
    with ThreadPoolExecutor(3) as pool:
        assert same(short().play(pool), serial)


def test_an_executor_that_ends_tasks_in_any_order_plays_the_same(serial: Results) -> None:
    class Shuffling(Executor):
        """Runs a random one of what waits whenever something is handed in, the rest when it is asked for."""

        def __init__(self) -> None:
            self.waiting: list[tuple[Future[Any], Any, Any]] = []
            self.chance = random.Random(1)
            self.tasks = 0

        def submit(self, call: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            future: Future[Any] = Future()
            self.waiting.append((future, call, args))
            self.tasks += 1
            if self.tasks % 3 == 0 or self.tasks >= 8:
                self.chance.shuffle(self.waiting)
                while self.waiting:
                    done, work, given = self.waiting.pop()
                    done.set_result(work(*given))
            return future

    assert same(short().play(Shuffling(), ahead=4), serial)


def test_tasks_grow_and_leave_no_deal_out() -> None:
    sizes: list[int] = []
    tournament = short(500, records=False)
    plan = Plan(SHORT, tournament.seed, tournament.bots, tournament.lineups, False)
    (once,), _ = play_deals(plan, (0,))

    class Counting(Executor):
        """Says that every deal takes 10 ms."""

        def submit(self, call: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            sizes.append(len(args[1]))
            future: Future[Any] = Future()
            future.set_result(([replace(once, deal=deal) for deal in args[1]], 0.01 * sizes[-1]))
            return future

    results = tournament.play(Counting(), ahead=2)
    assert results.deals.tolist() == list(range(500))
    assert sum(sizes) == 500
    assert sizes[0] == 1
    assert max(sizes) == 64  # 0.64 s
    assert sizes[-1] == 1  # the last ones are small: nobody waits for one long task
    assert list(results.records()) == []


def test_processes_play_the_same(serial: Results, tmp_path: Path) -> None:
    with process_pool(2) as pool:
        assert same(short().play(pool, file=tmp_path / "pool.db"), serial)
    assert same(short().play(file=tmp_path / "pool.db"), serial)


@pytest.mark.ci
def test_a_worker_process_that_dies_is_told_and_nothing_is_lost(tmp_path: Path) -> None:
    file = tmp_path / "deadly.db"
    tournament = Tournament(SHORT, ["random", "tests.arena.bots:Deadly"], 3, seed=1)
    with process_pool(1) as pool, pytest.raises(ArenaError, match="worker process has ended"):
        tournament.play(pool, file=file)
    assert load(file).deals.tolist() == []


@pytest.mark.ci
def test_dask_plays_the_same_when_a_worker_is_killed(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    tournament = short(40)
    killed = []
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs="CRITICAL"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        victim = next(iter(client.run(os.getpid).values()))

        def kill(done: int, deals: int) -> None:
            if done >= 5 and not killed:
                os.kill(victim, signal.SIGKILL)
                killed.append(done)

        results = tournament.play(
            client.get_executor(pure=False), file=tmp_path / "dask.db", progress=kill
        )
    assert killed
    assert killed[0] < 40
    assert same(results, tournament.play())


# ---- bots that fail --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bot", "sentence"),
    [
        (
            "Late",
            r"deal 0, line-up 0 \(.*Late, random\), move 6, seat 0 \(.*Late\): RuntimeError: no idea "
            r"\(bots.py, line \d+\)$",
        ),
        ("Cheat", r"deal 0, line-up 0 .*move \d+, seat 0 \(.*Cheat\): IllegalMove"),
        ("Dumb", r"TypeError: .* has no method choose"),
    ],
)
def test_a_bot_that_fails_is_named(bot: str, sentence: str) -> None:
    tournament = Tournament(SHORT, [f"tests.arena.bots:{bot}", "random"], 3, seed=1)
    with pytest.raises(ArenaError, match=sentence):
        tournament.play()
    with ThreadPoolExecutor(1) as pool, pytest.raises(ArenaError, match=sentence):
        tournament.play(pool)


def test_bots_that_are_not_there_are_found_out_first() -> None:
    for word, sentence in (("no.such:Bot", "No module named"), ("tests.arena.bots:Bot", "no attr")):
        with pytest.raises(ValueError, match=sentence):
            Tournament(SHORT, ["random", word], 3, seed=1).play()


# ---- the file --------------------------------------------------------------------------------------------------


def test_a_file_is_gone_on_with(serial: Results, tmp_path: Path) -> None:
    file = tmp_path / "results.db"
    short(5).play(file=file)
    played = []
    results = short(12).play(file=file, progress=lambda done, _: played.append(done))
    assert played[0] == 5
    assert same(results, serial)
    assert same(short(5).play(file=file), short(5).play())  # fewer deals: the first ones
    assert same(load(file), serial)
    assert load(file).tournament.deals == 12


def test_load_knows_the_tournament(tmp_path: Path) -> None:
    for number, options in enumerate(
        ({"field": "one"}, {"field": "pairs"}, {"field": [["random", FIRST]]}, {"records": False})
    ):
        file = tmp_path / f"{number}.db"
        tournament = short(2, **options)
        results = tournament.play(file=file)
        found = load(file)
        assert same(found, results)
        assert found.tournament._identity() == tournament._identity()
        assert found.tournament.lineups == tournament.lineups


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"seed": 2}, "another tournament: seed"),
        ({"field": "one"}, "another tournament: field mixed, not one"),
        ({"records": False}, "another tournament: records yes, not no"),
    ],
)
def test_another_tournaments_file_is_refused(
    tmp_path: Path, change: dict[str, Any], sentence: str
) -> None:
    file = tmp_path / "results.db"
    short(1).play(file=file)
    before = file.read_bytes()
    with pytest.raises(ArenaError, match=rf"results\.db: holds {sentence}"):
        short(1, **change).play(file=file)
    others = (
        Tournament(SHORT, [FIRST, LAST, "random"], 1, seed="arena"),
        Tournament(SHORT.replace(games=2), short().bots, 1, seed="arena"),
        Tournament(herzen.VonHerzenRules(), short().bots, 1, seed="arena"),
    )
    for other in others:
        with pytest.raises(ArenaError, match=r"another tournament: (bots|rules|game)"):
            other.play(file=file)
    assert file.read_bytes() == before


def test_another_versions_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "results.db"
    short(1).play(file=file)
    monkeypatch.setattr(module, "__version__", "99.0")  # whose bots may play otherwise
    with pytest.raises(ArenaError, match=r"herzen .*, not 99"):
        short(1).play(file=file)


def test_what_is_no_file_of_a_tournament(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("This is not a database, but it is long enough for one. " * 100)
    other = tmp_path / "other.db"
    base = sqlite3.connect(other)
    base.execute("CREATE TABLE tournament (a, b)")
    base.commit()
    base.close()
    for file in (text, other):
        before = file.read_bytes()
        for use in (load, lambda path: short(1).play(file=path)):
            with pytest.raises(ArenaError, match="not a file of a tournament"):
                use(file)
        assert file.read_bytes() == before
    (tmp_path / "empty.db").touch()
    with pytest.raises(ArenaError, match="no tournament in it"):
        load(tmp_path / "empty.db")
    with pytest.raises(ArenaError, match="no such file"):
        load(tmp_path / "missing.db")
    assert not (tmp_path / "missing.db").exists()
    with pytest.raises(ArenaError, match="unable to open"):
        short(1).play(file=tmp_path)


def test_a_file_belongs_to_one_run_at_a_time(tmp_path: Path) -> None:
    file = tmp_path / "results.db"

    def second(done: int, deals: int) -> None:
        with pytest.raises(ArenaError, match=r"results\.db: another run is using it"):
            short(2).play(file=file)

    short(1).play(file=file, progress=lambda done, deals: second(done, deals) if done else None)


def test_an_interrupt_just_after_a_commit_does_no_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, serial: Results
) -> None:
    add, interrupts = Store.add, [KeyboardInterrupt]

    def interrupted(self: Store, played: Any) -> None:
        add(self, played)
        if interrupts:
            raise interrupts.pop()

    monkeypatch.setattr(Store, "add", interrupted)
    monkeypatch.setattr(module, "WRITE_SECONDS", 0)
    with pytest.raises(KeyboardInterrupt):
        short().play(file=tmp_path / "a.db")
    assert len(load(tmp_path / "a.db").deals) == 1
    assert same(short().play(file=tmp_path / "a.db"), serial)


DRIVER = """
import sys
from herzen.arena import tournament
from tests.arena.short import short
tournament.WRITE_SECONDS = 0  # every deal by itself, so that most of the time is spent in writing
short(int(sys.argv[2])).play(file=sys.argv[1], progress=lambda done, _: print(done, flush=True))
"""


@pytest.mark.ci
def test_a_run_that_is_killed_goes_on_without_losing_or_doubling_a_game(tmp_path: Path) -> None:
    file, deals, chance = (
        tmp_path / "results.db",
        scale(quick=10, ci=18, full=1500),
        random.Random(1),
    )
    kills, done = 0, 0
    root = str(Path(__file__).parents[2])
    path = os.pathsep.join([str(Path(herzen.__file__).parents[1]), root])
    while True:
        command = [sys.executable, "-c", DRIVER, str(file), str(deals)]
        run = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": path}
        )
        assert run.stdout is not None
        wanted = chance.randrange(1, scale(quick=5, ci=10, full=30))
        for line in run.stdout:
            assert int(line) >= done  # nothing is lost
            done = int(line)
            wanted -= 1
            if not wanted:
                # At any moment of the next deal.
                with suppress(subprocess.TimeoutExpired):
                    run.wait(chance.random() * 0.02)
                break
        run.kill()
        run.stdout.close()
        if run.wait() == 0 or done == deals:
            break
        kills += 1
        found = load(file)
        assert found.deals.tolist() == list(range(len(found.deals)))
        assert len(found.deals) >= done
        done = len(found.deals)
    assert kills >= 2
    assert same(short(deals).play(file=file), short(deals).play())
