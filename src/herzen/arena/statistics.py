"""Estimates with intervals, the deal being the observation, and ratings.

All line-ups of a deal share its cards, so their games are not independent of each other. Deals are. So every number
here is a ratio of two sums over deals, and its error comes from how the deals differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, inf, log, nan, pi, sin, sqrt
from statistics import NormalDist
from typing import Any

LEVEL = 0.95
"""Probability with which an interval covers the true value."""
ELO = 400 / log(10)
"""Points of rating for one unit of log odds."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over deals with its 95 % interval."""

    value: float
    """The estimate; nan without deals."""
    error: float
    """Its standard error, clustered by deal; nan with fewer than two deals."""
    low: float
    """Lower end of the interval."""
    high: float
    """Upper end of the interval."""
    deals: int
    """Number of deals behind it."""


def t_quantile(p: float, freedom: int) -> float:
    """The quantile of Student's t distribution, 0.5 <= p < 1, within 0.2 %.

    Closed forms up to two degrees of freedom, then the expansion 26.7.5 of Abramowitz and Stegun.
    """
    if freedom == 1:
        return -cos(pi * p) / sin(pi * p)
    if freedom == 2:
        return (2 * p - 1) * sqrt(2 / (4 * p * (1 - p)))
    x, v = NormalDist().inv_cdf(p), freedom
    x2 = x * x
    terms: tuple[float, ...] = (
        x * (x2 + 1) / 4,
        x * ((5 * x2 + 16) * x2 + 3) / 96,
        x * (((3 * x2 + 19) * x2 + 17) * x2 - 15) / 384,
        x * ((((79 * x2 + 776) * x2 + 1482) * x2 - 1920) * x2 - 945) / 92160,
    )
    return x + sum(term / float(v) ** power for power, term in enumerate(terms, 1))


def interval(value: float, error: float, deals: int) -> Estimate:
    """The estimate of this value and standard error from so many deals."""
    if deals < 2:
        return Estimate(value, nan, -inf, inf, deals)
    half = t_quantile((1 + LEVEL) / 2, deals - 1) * error
    return Estimate(value, error, value - half, value + half, deals)


def ratio(sums: Any, weights: Any) -> Estimate:
    """Sum of `sums` over sum of `weights`, one of each for each deal (arrays of numbers).

    With equal weights it is the plain mean over deals and the error is that of a mean. Otherwise the error is that
    of the linearised ratio.
    """
    deals = len(sums)
    if not deals:
        return interval(nan, nan, 0)
    total = float(weights.sum())
    value = float(sums.sum()) / total
    spread = sums - value * weights
    variance = float((spread * spread).sum()) * deals / max(1, deals - 1) / total**2
    return interval(value, sqrt(variance), deals)


def bradley_terry(ahead: Any, met: Any) -> tuple[Any, Any]:
    """Ratings of the Bradley-Terry model: (ratings, standard errors), float64 (bots,), on the Elo scale.

    ahead: float (deals, bots, bots): how often i finished ahead of j in a deal, ties half. met: (bots, bots): how
    often they met in a deal, the same for all deals.

    The chance that i finishes ahead of j is 1 / (1 + 10 ** ((rating j - rating i) / 400)); the mean rating is 0. It
    is the maximum of the likelihood of all meetings and one drawn one between any two bots, which keeps ratings
    finite where a bot never loses. Errors are clustered by deal (the sandwich estimator); nan with fewer than two
    deals.
    """
    import numpy as np

    deals, bots = len(ahead), met.shape[0]
    others = 1.0 - np.eye(bots)
    won = ahead.sum(axis=0) + 0.5 * others
    games = deals * met + others
    theta = np.zeros(bots)

    def at() -> tuple[Any, Any]:
        """Chances, and minus the second derivatives of the likelihood, at theta."""
        chance = 1 / (1 + np.exp(theta[None, :] - theta[:, None]))
        weight = games * chance * (1 - chance)
        # Only differences of theta are determined; the 1 added everywhere fixes their mean at 0.
        return chance, np.diag(weight.sum(axis=1)) - weight + 1.0

    for _ in range(100):
        chance, curve = at()
        step = np.linalg.solve(curve, (won - games * chance).sum(axis=1))
        longest = float(np.abs(step).max(initial=0.0))
        # The likelihood is concave but flat far out: steps are bounded so that none leaps there.
        theta += step / max(1.0, longest)
        if longest < 1e-12:
            break
    theta -= theta.mean()
    if deals < 2:
        return ELO * theta, np.full(bots, nan)
    chance, curve = at()
    # A deal's slopes are one observation, and so is each drawn meeting: without these a bot that never loses would
    # have a rating without error.
    slopes = (ahead - met * chance).sum(axis=2)
    drawn: Any = (0.5 - chance) ** 2
    drawn_pairs = np.diag(drawn.sum(axis=1)) - drawn
    inverse = np.linalg.inv(curve)  # the sum of slopes is 0, which takes the 1 out again
    middle = slopes.T @ slopes * (deals / (deals - 1)) + drawn_pairs
    return ELO * theta, ELO * np.sqrt(np.diag(inverse @ middle @ inverse))
