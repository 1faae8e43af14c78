"""`SearchBot`: looks at what may lie in the other hands, tries every move there, and takes the one that fares best."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, inf, log2, nan, sqrt
from time import monotonic

from herzen.bots._search import Search, shortlist
from herzen.bots.base import SeededBot, legal
from herzen.moves import Move
from herzen.registry import game_part
from herzen.seeds import Seed
from herzen.view import View

CHUNK = 4
"""Worlds that are drawn from one stream."""
MANY = 64
"""Candidates of one search at most; of more moves the game's rule player makes a shortlist."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """What a search says of one move."""

    move: Move
    """The move."""
    value: float
    """Mean margin in points after the deal: how far the seat is ahead of the others' mean; positive is good."""
    visits: int
    """Simulations of this move: the worlds in which it was tried."""
    error: float
    """Standard error of `value`."""


class SearchBot(SeededBot):
    """Determinized flat search: worlds drawn uniformly from all that fit the view, each candidate played in the same
    worlds, the rest of the deal played by the game's rule player, the weaker half of the candidates dropped in turn.

    simulations: of one decision in all, a simulation being one candidate played out in one world. time: seconds for
    one decision instead; the choice then depends on the machine. threads: for the simulations; the choice does not
    depend on it. seed: as every bot's. ValueError for numbers that are not positive, or both limits at once.

    It sees the view only. Where a seat has more than 64 moves (passes, offers), the rule player's shortlist is
    searched.
    """

    def __init__(
        self,
        seed: Seed = None,
        *,
        simulations: int | None = None,
        time: float | None = None,
        threads: int = 1,
    ) -> None:
        super().__init__(seed)
        if simulations is not None and time is not None:
            raise ValueError("SearchBot: either simulations or time")
        if simulations is not None and simulations < 1:
            raise ValueError("SearchBot: at least one simulation is needed")
        if time is not None and not 0 < time < inf:
            raise ValueError("SearchBot: time is a positive number of seconds")
        if threads < 1:
            raise ValueError("SearchBot: at least one thread is needed")
        self.simulations = 1000 if simulations is None and time is None else simulations
        self.time = time
        self.threads = threads

    def choose(self, view: View) -> Move:
        """See `Bot.choose`; ValueError if the viewer may not act."""
        return self._search(view)[0][0]

    def explain(self, view: View) -> tuple[Candidate, ...]:
        """The candidates that were looked at, the chosen one first, then those that were kept longest.

        A view with a single legal move is not searched: value nan, no visits. ValueError if the viewer may not act.
        """
        return tuple([Candidate(*told) for told in self._search(view)])

    def _search(self, view: View) -> list[tuple[Move, float, int, float]]:
        """The fields of the candidates, in the order of `explain`."""
        moves = legal(view)
        if len(moves) == 1:
            return [(moves[0], nan, 0, nan)]
        worlds = view._all_worlds()
        game_part(view.game, "_policy")
        seed = self._stream(view).seed()
        if len(moves) > MANY:
            assert view.seat is not None
            named = {move.code: move for move in moves}
            moves = tuple([named[code] for code in shortlist(worlds.sample(seed), view.seat)])
        search = _Halving(
            Search(worlds, [move.code for move in moves], seed), len(moves), self.threads
        )
        search.run(self.simulations, self.time)
        others = view.rules.players - 1
        return [
            (moves[at], mean / others, visits, error / others)
            for at, mean, visits, error in search.ranked()
        ]


class _Halving:
    """Sequential halving: every round the same number of simulations, over ever fewer candidates."""

    def __init__(self, search: Search, candidates: int, threads: int) -> None:
        self.search = search
        self.threads = threads
        self.alive = list(range(candidates))
        self.dropped: list[int] = []
        self.worlds = [0] * candidates
        self.sums = [0] * candidates
        self.squares = [0] * candidates
        self.chunk = 0

    def run(self, simulations: int | None, time: float | None) -> None:
        """Spend this many simulations, or this many seconds."""
        rounds = max(1, ceil(log2(len(self.alive))))
        start = monotonic()
        left = simulations or 0
        for number in range(rounds):
            if time is None:
                share = left // (rounds - number)
                chunks = max(1, share // (len(self.alive) * CHUNK))
                self.play(chunks)
                left -= chunks * CHUNK * len(self.alive)
            else:
                until = start + time * (number + 1) / rounds
                self.play(self.threads)
                while monotonic() < until:
                    self.play(self.threads)
            if number < rounds - 1:
                self.alive.sort(key=self._rank)
                keep = (len(self.alive) + 1) // 2
                self.dropped = self.alive[keep:] + self.dropped
                self.alive = sorted(self.alive[:keep])

    def play(self, chunks: int) -> None:
        """Play the candidates that are left in so many further chunks of worlds."""
        alive = bytes(self.alive)
        firsts, numbers = _shares(self.chunk, chunks, self.threads)
        if len(firsts) == 1:
            results = [self.search.run(self.chunk, chunks, alive)]
        else:
            with ThreadPoolExecutor(len(firsts)) as pool:
                results = list(pool.map(self.search.run, firsts, numbers, [alive] * len(firsts)))
        self.chunk += chunks
        for result in results:
            for at, (worlds, total, square) in zip(self.alive, result, strict=True):
                self.worlds[at] += worlds
                self.sums[at] += total
                self.squares[at] += square

    def _rank(self, at: int) -> tuple[float, int]:
        return -self.sums[at] / self.worlds[at], at

    def ranked(self) -> list[tuple[int, float, int, float]]:
        """(candidate, mean, worlds, standard error), the best first, then those dropped last."""
        out = []
        for at in sorted(self.alive, key=self._rank) + self.dropped:
            n = self.worlds[at]
            mean = self.sums[at] / n
            spread = max(0.0, self.squares[at] / n - mean * mean)
            out.append((at, mean, n, sqrt(spread / n)))
        return out


def _shares(first: int, chunks: int, threads: int) -> tuple[list[int], list[int]]:
    """Where each thread's chunks begin, and how many they are."""
    parts = min(threads, chunks)
    bounds = [first + chunks * part // parts for part in range(parts + 1)]
    return bounds[:-1], [high - low for low, high in pairwise(bounds)]
