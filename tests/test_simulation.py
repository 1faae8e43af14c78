"""`herzen.simulate`: equal to Game move for move, whatever the threads; totals; arguments; cancelling."""

from __future__ import annotations

import random
import tracemalloc
from collections import Counter

import pytest

import herzen
from herzen import simulation
from herzen._matches import count_values
from herzen.bots import RandomBot, RuleBot
from herzen.seeds import child
from herzen.simulation import simulate
from tests.contract.adapter import Adapter
from tests.contract.checks import every_game
from tests.contract.simulated import assert_row, by_hand, check_rule_players, check_simulated
from tests.tiers import scale

EVERY = (
    herzen.HeartsRules(target=30),
    herzen.VonHerzenRules(players=2, full_rounds=1),
    herzen.HerzsammlerRules(games=2),
)
every_rules = pytest.mark.parametrize("rules", EVERY, ids=lambda rules: rules.game)


@every_game
def test_a_simulated_match_is_the_one_that_game_plays(case: Adapter) -> None:
    """Move for move: the stream gives the same actions, or the results would differ."""
    rng = random.Random(17)
    left = scale(quick=30, ci=180, full=10_000)
    while left > 0:
        left -= check_simulated(case, rng, left)


@every_rules
def test_what_is_counted_is_what_the_log_says(rules: herzen.Rules) -> None:
    seen: Counter[str] = Counter()
    result = simulate(rules, 150, seed=3)
    for number in range(150):
        for event in by_hand(rules, child(3, number)).log:
            fields = event.to_dict()
            kind = fields["type"]
            seen["moons"] += kind == "HandScored" and fields.get("shooter") is not None
            seen["blocked"] += bool(fields.get("blocked"))
            seen["misses"] += kind == "Missed"
    assert result.counted == {name: seen[name] for name in result.counted}
    assert all(result.counted.values())
    for name, total in result.counted.items():
        assert getattr(result, name).sum() == total
    with pytest.raises(AttributeError, match="no attribute"):
        result.flushes  # noqa: B018


@every_rules
def test_nothing_depends_on_threads_and_chunks(
    rules: herzen.Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = simulate(rules, 600, seed=5)
    assert result.scores.dtype.name == "int32"
    assert result.scores.shape == (600, rules.players)
    monkeypatch.setattr(simulation, "CHUNK", 70)
    threaded = simulate(rules, 600, seed=5, threads=3)
    totals = simulate(rules, 600, seed=5, threads=2, keep="totals")
    for name in ("scores", "winners", "hands", "lengths", *result.counted):
        assert (getattr(result, name) == getattr(threaded, name)).all()
        assert getattr(totals, name) is None
    for other in (threaded, totals):
        for name in ("games", "deals", "plies", "counted", "histograms", "wins", "shared"):
            assert getattr(result, name) == getattr(other, name), name
        assert (result.means, result.variances) == (other.means, other.variances)
    for number in (0, 69, 70, 599):
        assert_row(result, number, by_hand(rules, child(5, number)))


def test_totals_agree_with_the_rows() -> None:
    result = simulate(EVERY[0], 300, seed=5)
    assert result.means == pytest.approx(result.scores.mean(axis=0))
    assert result.variances == pytest.approx(result.scores.var(axis=0, ddof=1))
    alone = result.winners.sum(axis=1) == 1
    assert result.wins == result.winners[alone].sum(axis=0).tolist()
    assert result.shared == result.winners[~alone].sum(axis=0).tolist()
    assert result.deals == result.hands.sum()
    assert result.plies == result.lengths.sum()
    assert repr(result) == "<SimulationResult: 300 games of hearts>"


def test_far_apart_scores_are_counted_too() -> None:
    rules = herzen.HeartsRules(max_hands=1, bonus={"JD": -100}, queen_points=100)
    result = simulate(rules, 200, seed=1)
    wide = count_values(result.scores[:, 0] * 1_000_000)
    assert {score // 1_000_000: count for score, count in wide} == result.histograms[0]


def test_totals_need_constant_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "CHUNK", 512)
    rules = herzen.HeartsRules(max_hands=1)

    def peak(games: int) -> int:
        tracemalloc.start()
        try:
            simulate(rules, games, seed=2, threads=2, keep="totals")
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(2_000)  # what is imported and made once
    assert peak(40_000) < 2 * peak(4_000)


@pytest.mark.parametrize("threads", [1, 2])
def test_an_exception_of_progress_ends_the_run(
    threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulation, "CHUNK", 50)
    seen: list[int] = []

    class Enough(Exception):
        pass

    def progress(done: int, games: int) -> None:
        assert games == 1_000_000_000
        seen.append(done)
        if done >= 200:
            raise Enough

    with pytest.raises(Enough):
        simulate(EVERY[0], 1_000_000_000, seed=1, threads=threads, keep="totals", progress=progress)
    assert seen == [50, 100, 150, 200]


def test_no_games_at_all() -> None:
    result = simulate(EVERY[0], 0, seed=1)
    assert result.scores.shape == (0, 4)
    assert result.means == (0.0, 0.0, 0.0, 0.0)


def test_bots_and_factories_in_a_simulation() -> None:
    rules = herzen.HeartsRules(max_hands=1)
    words = simulate(rules, 3, seed=5, policy=["rule", "random", "rule", "random"])
    makers = simulate(rules, 3, seed=5, policy=[RuleBot, RandomBot, RuleBot, RandomBot])
    assert (words.scores == makers.scores).all()
    calls: list[tuple[int, int]] = []
    simulate(
        rules, 300, seed=5, keep="totals", progress=lambda done, all_: calls.append((done, all_))
    )
    assert calls[-1] == (300, 300)


@every_game
def test_rule_players_in_the_engines_loop_are_rule_bots(case: Adapter) -> None:
    """The word "rule" for all seats is played without the GIL, and as the bots play by their views."""
    rng = random.Random(23)
    for _ in range(scale(quick=2, ci=6, full=300)):
        check_rule_players(case, rng)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"games": -1}, ValueError),
        ({"games": True}, TypeError),
        ({"games": 1.0}, TypeError),
        ({"games": 1, "threads": 0}, ValueError),
        ({"games": 1, "keep": "all"}, ValueError),
        ({"games": 1, "policy": "best"}, ValueError),
        ({"games": 1, "policy": ["rule"]}, ValueError),
        ({"games": 1, "policy": [None] * 4}, TypeError),
        ({"games": 1, "seed": -1}, herzen.SeedError),
    ],
)
def test_simulate_refuses_wrong_arguments(
    arguments: dict[str, object], error: type[Exception]
) -> None:
    with pytest.raises(error):
        simulate(herzen.HeartsRules(), **arguments)  # type: ignore[arg-type]


def test_simulate_needs_rules() -> None:
    with pytest.raises(TypeError, match="needs rules"):
        simulate("hearts", 1)  # type: ignore[arg-type]
