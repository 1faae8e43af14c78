"""Estimates, intervals and ratings, against small cases by hand and by simulation."""

from __future__ import annotations

from math import inf, isnan, log, log10, nan, sqrt

import numpy as np
import pytest

import herzen
from herzen.arena import Estimate, Results, Tournament
from herzen.arena.statistics import bradley_terry, interval, ratio, t_quantile
from herzen.arena.work import Outcome
from tests.tiers import scale


@pytest.mark.parametrize(
    ("freedom", "expected"),  # a printed table
    [(1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (5, 2.5706), (10, 2.2281), (29, 2.0452)],
)
def test_quantiles_of_students_t(freedom: int, expected: float) -> None:
    assert t_quantile(0.975, freedom) == pytest.approx(expected, rel=0.002)
    assert t_quantile(0.975, 10**6) == pytest.approx(1.95996, abs=1e-4)


def test_a_ratio_with_equal_weights_is_a_mean() -> None:
    values = np.array([3.0, 5.0, 10.0])
    found = ratio(values, np.ones(3))
    assert found.value == 6
    assert found.error == pytest.approx(np.std(values, ddof=1) / sqrt(3))
    assert found.high - 6 == pytest.approx(4.3027 * found.error, rel=1e-4)
    assert ratio(2 * values, np.full(3, 2.0)) == found


def test_too_few_deals_leave_everything_open() -> None:
    one = ratio(np.array([4.0]), np.array([2.0]))
    assert (one.value, one.low, one.high) == (2, -inf, inf)
    assert isnan(one.error)
    assert isnan(ratio(np.zeros(0), np.zeros(0)).value)
    assert interval(1.0, nan, 0).deals == 0


# ---- a tournament of two deals, by hand ------------------------------------------------------------------------

SCORES = {  # deal -> scores of (rule, random, rule, random) and (random, rule, random, rule)
    0: [(0, 10, 4, 12), (6, 0, 20, 0)],
    1: [(1, 5, 13, 7), (13, 2, 3, 8)],
}
HANDS = {0: (2, 3), 1: (4, 3)}


def two_deals() -> Results:
    tournament = Tournament(herzen.HeartsRules(), ["rule", "random"], 2, seed=1)
    outcomes = []
    for deal, games in SCORES.items():
        for scores, hands in zip(games, HANDS[deal], strict=True):
            winners = tuple(seat for seat in range(4) if scores[seat] == min(scores))
            moons = tuple(int(score == 0) for score in scores)
            queens = tuple(int(score > 12) for score in scores)
            outcomes.append((deal, Outcome(scores, winners, hands, 56 * hands, (moons, queens))))
    return Results(tournament, outcomes, lambda: iter(()))


def close(found: Estimate, value: float, error: float) -> bool:
    half = 12.7062 * error  # t with one degree of freedom
    return (found.value, found.error, found.low, found.high) == pytest.approx(
        (value, error, value - half, value + half), rel=1e-4, abs=1e-9
    )


def test_two_deals_by_hand() -> None:
    standing = two_deals().standing
    rule, random = standing.bot("rule"), standing.bot("random")
    assert rule.games == random.games == 4
    assert close(rule.score, 3.5, 2.5)  # deals 1 and 6
    assert close(random.score, 9.5, 2.5)  # deals 12 and 7
    assert close(rule.deal_score, 14 / 12, 23 / 36)  # 2 in 5 hands, 12 in 7
    assert close(rule.place, 1.875, 0.375)  # places 1, 2; 1.5, 1.5; 1, 4; 1, 3
    assert close(rule.wins, 0.5, 0)
    assert close(random.wins, 0, 0)
    assert rule.places == (5, 1, 1, 1)
    assert random.places == (0, 2, 3, 3)
    assert rule.counted == {"moons": 3, "queens": 1}
    assert random.counted == {"moons": 0, "queens": 2}
    pair = standing.pair("rule", "random")
    assert pair.games == 4
    assert close(pair.score, -6, 5)  # -11 and -1: paired by deal
    assert close(pair.ahead, 0.8125, 0.1875)  # 1, 1; 1/2, 3/4
    assert pair.better is None  # two deals are too few
    # 3.25 of 4 games and a drawn one: 3 to 1. Slopes 0.5, -0.25 and, of the drawn game, -0.25.
    error = 0.5 * sqrt((0.5**2 + 0.25**2) * 2 + 0.25**2) / (5 * 3 / 16) * 400 / log(10)
    assert close(rule.rating, 200 * log10(3), error)
    assert close(random.rating, -200 * log10(3), error)


def test_names_that_are_not_there() -> None:
    standing = two_deals().standing
    with pytest.raises(KeyError):
        standing.bot("search:1000")
    with pytest.raises(KeyError):
        standing.pair("random", "rule")


def test_one_table_is_the_whole() -> None:
    results = two_deals()
    (table,) = results.tables
    assert table.table == ("rule", "random", "rule", "random")
    assert (table.bots, table.pairs) == (results.standing.bots, results.standing.pairs)


def test_the_better_bot_has_fewer_points_in_hearts_and_more_elsewhere() -> None:
    for rules, better, headings in (
        (herzen.HeartsRules(players=3), "rule", 2),
        (herzen.VonHerzenRules(players=3), "random", 3),
    ):
        tournament = Tournament(rules, ["rule", "random"], 4, field=[["rule", "random", "random"]])
        outcomes = [
            (deal, Outcome(scores, (), 1, 9, ((0, 0, 0),) * headings))
            for deal in range(4)
            for scores in ((1, 5 + deal, 5), (5, 1, 6), (5, 5, 2))
        ]
        standing = Results(tournament, outcomes, lambda: iter(())).standing
        assert standing.pair("rule", "random").score.value < 0
        assert standing.pair("rule", "random").better == better
        assert (standing.bot("rule").rating.value > 0) == (better == "rule")
        assert standing.bot(better).place.value < 2


# ---- by simulation ---------------------------------------------------------------------------------------------


def test_the_interval_covers_as_often_as_it_says() -> None:
    """Four games a deal with the deal's luck in common; the plain error of single games would cover too seldom."""
    random = np.random.default_rng(1)
    runs, deals, games = scale(quick=500, ci=1_200, full=40000), 25, 4
    luck = random.normal(size=(runs, deals, 1))
    scores = 7 + 2 * luck + random.exponential(size=(runs, deals, games)) - 1
    covered = naive = 0
    for run in scores:
        found = ratio(run.sum(axis=1), np.full(deals, float(games)))
        covered += found.low <= 7 <= found.high
        naive += abs(run.mean() - 7) <= 1.984 * run.std(ddof=1) / sqrt(run.size)
    assert 0.935 <= covered / runs <= 0.965
    assert naive / runs < 0.8


def test_the_interval_of_a_ratio_covers_too() -> None:
    random = np.random.default_rng(2)
    runs, deals = scale(quick=1_000, ci=2_400, full=40000), 60
    hands = random.integers(4, 13, size=(runs, deals)).astype(float)
    points = random.normal(6.5 * hands, 5 * np.sqrt(hands))
    covered = 0
    for one, weight in zip(points, hands, strict=True):
        found = ratio(one, weight)
        covered += found.low <= 6.5 <= found.high
    assert 0.93 <= covered / runs <= 0.965


def test_ratings_of_two_bots_are_log_odds() -> None:
    ahead = np.zeros((10, 2, 2))
    ahead[:, 0, 1], ahead[:, 1, 0] = 0.7, 0.3
    ratings, _ = bradley_terry(ahead, 1 - np.eye(2))
    assert ratings[0] - ratings[1] == pytest.approx(400 * log10(7.5 / 3.5))
    assert ratings.sum() == pytest.approx(0, abs=1e-9)


def test_a_bot_that_never_loses_has_a_finite_rating_and_a_wide_interval() -> None:
    ahead = np.zeros((100, 2, 2))
    ahead[:, 0, 1] = 1
    ratings, errors = bradley_terry(ahead, 1 - np.eye(2))
    assert ratings[0] - ratings[1] == pytest.approx(400 * log10(201))
    assert errors[0] > 80


def test_ratings_are_the_maximum_of_the_likelihood() -> None:
    random = np.random.default_rng(3)
    upper = np.triu(random.random((50, 4, 4)), 1)
    ahead = upper + np.triu(1 - upper, 1).swapaxes(1, 2)
    met = 1 - np.eye(4)
    best = bradley_terry(ahead, met)[0] * log(10) / 400

    def likelihood(theta: np.ndarray) -> float:
        chance = 1 / (1 + np.exp(theta[None, :] - theta[:, None]))
        return float(((ahead.sum(axis=0) + 0.5 * met) * np.log(chance)).sum())

    for _ in range(200):
        assert likelihood(best + random.normal(scale=0.05, size=4)) <= likelihood(best)


def test_intervals_of_ratings_cover() -> None:
    random = np.random.default_rng(4)
    theta = np.array([0.6, 0.1, -0.7])
    truth = theta * 400 / log(10)
    met = 4 * (1 - np.eye(3))
    runs, deals = scale(quick=200, ci=600, full=10000), 60
    covered = 0
    for _ in range(runs):
        ahead = np.zeros((deals, 3, 3))
        for i, j in ((0, 1), (0, 2), (1, 2)):
            chance = 1 / (1 + np.exp(theta[j] - theta[i]))
            # Each deal is a coin of its own for all four games, as where cards decide.
            ahead[:, i, j] = 4 * (random.random(deals) < chance)
            ahead[:, j, i] = 4 - ahead[:, i, j]
        ratings, errors = bradley_terry(ahead, met)
        for value, error, true in zip(ratings, errors, truth, strict=True):
            found = interval(float(value), float(error), deals)
            covered += found.low <= true <= found.high
    assert 0.93 <= covered / (3 * runs) <= 0.97
