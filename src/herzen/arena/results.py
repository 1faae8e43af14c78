"""What came of a tournament: every score, and what it says of the bots."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from herzen.archive import dump_lines
from herzen.arena.statistics import Estimate, bradley_terry, interval, ratio
from herzen.arena.store import undamaged, unpack
from herzen.arena.work import Outcome
from herzen.errors import ArenaError
from herzen.record import Record
from herzen.render.text import game_text

if TYPE_CHECKING:
    from herzen.arena.field import Table
    from herzen.arena.tournament import Tournament

Path = str | os.PathLike[str]


@dataclass(frozen=True, slots=True)
class BotResult:
    """How a bot did. Where several of a kind sit at a table, a game counts with the mean of their seats."""

    bot: str
    """Its word."""
    games: int
    """Games in which it sat."""
    score: Estimate
    """Final score of a match."""
    deal_score: Estimate
    """Score of one deal of a match: all its points by all its deals."""
    place: Estimate
    """Place by score, 1 the best; equal scores share the mean of their places."""
    wins: Estimate
    """Share of the wins that a seat of it gets; a win of several is divided."""
    places: tuple[int, ...]
    """How often a seat of it came first, second, ...; equal scores both have the better place."""
    counted: dict[str, int]
    """What the game counts besides ("moons", "queens"; docs), all its seats together."""
    rating: Estimate
    """Bradley-Terry rating on the Elo scale (400 points: 10 to 1); the mean of the bots is 0."""


@dataclass(frozen=True, slots=True)
class PairResult:
    """Two bots compared on the games in which both sat."""

    first: str
    """A bot's word."""
    second: str
    """The other's."""
    games: int
    """Games in which both sat."""
    score: Estimate
    """Score of a match, the first's less the second's at the same table, paired by deal."""
    deal_score: Estimate
    """The same for one deal of a match."""
    ahead: Estimate
    """How often the first has the better score of the two; equal scores count half."""
    better: str | None
    """Which of them has the better scores, if the interval of the difference leaves no doubt."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The bots and pairs of a tournament, or of one of its tables."""

    table: tuple[str, ...] | None
    """The bots that sat together; None: all tables."""
    bots: tuple[BotResult, ...]
    """In the tournament's order, those that sat there."""
    pairs: tuple[PairResult, ...]
    """Every two of them that met."""

    def bot(self, word: str) -> BotResult:
        """The result of a bot; KeyError if there is none of this word."""
        for found in self.bots:
            if found.bot == word:
                return found
        raise KeyError(word)

    def pair(self, first: str, second: str) -> PairResult:
        """The comparison of two bots, in their order in the tournament; KeyError if they did not meet."""
        for found in self.pairs:
            if (found.first, found.second) == (first, second):
                return found
        raise KeyError((first, second))


class Results:
    """All scores of a tournament, and what follows from them.

    Made by `Tournament.play` and `load`. The arrays hold the deals that are played, ascending.
    """

    def __init__(
        self,
        tournament: Tournament,
        outcomes: Sequence[tuple[int, Outcome]],
        packed: Callable[[], Iterator[bytes]],
        file: Path | None = None,
    ) -> None:
        import numpy as np

        rules, lineups = tournament.rules, tournament.lineups
        seats, each = rules.players, len(lineups)
        deals, rest = divmod(len(outcomes), each)
        if rest:
            raise ArenaError(f"a deal has {each} games: they are written all or none")
        self.tournament = tournament
        """What was played."""
        self.deals: Any = np.array([deal for deal, _ in outcomes[::each]], np.int64)
        """int64 (deals,): numbers of the deals."""
        self.seats: Any = np.array(lineups, np.int64)
        """int64 (line-ups, seats): which bot sat where, by its number in the tournament."""
        self.scores: Any = np.array([one.scores for _, one in outcomes], np.int32)
        """int32 (deals, line-ups, seats): final scores."""
        self.scores = self.scores.reshape(deals, each, seats)
        self.winners: Any = np.zeros((deals, each, seats), np.bool_)
        """bool (deals, line-ups, seats): who won."""
        for at, (_, one) in enumerate(outcomes):
            self.winners[divmod(at, each)][list(one.winners)] = True
        self.hands: Any = np.array([one.hands for _, one in outcomes], np.int32)
        """int32 (deals, line-ups): deals of each match."""
        self.hands = self.hands.reshape(deals, each)
        self.lengths: Any = np.array([one.plies for _, one in outcomes], np.int32)
        """int32 (deals, line-ups): moves of each match."""
        self.lengths = self.lengths.reshape(deals, each)
        self.counted: tuple[str, ...] = game_text(rules.game).COUNTED
        """What the game counts besides."""
        counts: Any = np.array([one.counts for _, one in outcomes], np.int32)
        self.counts = counts.reshape(deals, each, len(self.counted), seats)
        """int32 (deals, line-ups, counted, seats): how often."""
        self._packed = packed
        self._file = file
        # Smaller is better from here on.
        low: bool = rules._compiled.low_wins
        better = (self.scores if low else -self.scores)[..., None, :]
        worse = better > better.swapaxes(-1, -2)  # [..., i, j]: j's is worse than i's
        level = better == better.swapaxes(-1, -2)
        self._beaten = worse + 0.5 * level
        ahead_of_me = worse.sum(axis=-2)
        self._best = 1 + ahead_of_me
        self._places = 1 + ahead_of_me + 0.5 * (level.sum(axis=-2) - 1)
        self._shares = self.winners / np.maximum(1, self.winners.sum(axis=-1, keepdims=True))
        self._sign = 1 if low else -1
        self.standing: Standing = self._standing(range(each), None)
        """All tables together."""
        self.tables: tuple[Standing, ...] = tuple(self._tables())
        """Each table by itself."""

    def __repr__(self) -> str:
        return f"<Results: {len(self.deals)} deals of {self.tournament.rules.game}>"

    @property
    def games(self) -> int:
        """Number of games."""
        return int(self.hands.size)

    # ---- statistics ------------------------------------------------------------------------------------
    def _tables(self) -> Iterator[Standing]:
        tournament = self.tournament
        of: dict[Table, list[int]] = {}
        for number, lineup in enumerate(tournament.lineups):
            of.setdefault(tuple(sorted(lineup)), []).append(number)
        if len(of) == 1:
            yield Standing(
                tournament.words(tournament.tables[0]), self.standing.bots, self.standing.pairs
            )
            return
        for table in tournament.tables:
            yield self._standing(of[tuple(sorted(table))], tournament.words(table))

    def _standing(self, numbers: Sequence[int], table: tuple[str, ...] | None) -> Standing:
        import numpy as np

        words = self.tournament.bots
        lineups = np.array(numbers, np.int64)
        seats = self.seats[lineups]
        # (bots, line-ups, seats): what part of a game of the bot each seat is.
        masks = np.array([seats == bot for bot in range(len(words))])
        here = [bot for bot in range(len(words)) if masks[bot].any()]
        part = masks / np.maximum(1, masks.sum(axis=-1, keepdims=True))
        hands = self.hands[:, lineups]
        scores = self.scores[:, lineups]
        ones = np.ones(hands.shape)

        def estimate(values: Any, games: Any, weights: Any) -> Estimate:
            """Of values (deals, line-ups) over weights, where the line-ups are those of `games`."""
            return ratio(values[:, games].sum(axis=1), weights[:, games].sum(axis=1))

        met = np.zeros((len(here), len(here)))
        ahead = np.zeros((len(self.deals), len(here), len(here)))
        pairs = []
        for i, j in combinations(range(len(here)), 2):
            first, second = here[i], here[j]
            both = masks[first].any(axis=-1) & masks[second].any(axis=-1)
            if not both.any():
                continue
            margin = ((part[first] - part[second]) * scores).sum(axis=-1)
            share = np.einsum("ls,dlst,lt->dl", part[first], self._beaten[:, lineups], part[second])
            met[i, j] = met[j, i] = both.sum()
            ahead[:, i, j] = share[:, both].sum(axis=1)
            ahead[:, j, i] = met[i, j] - ahead[:, i, j]
            difference = estimate(margin, both, ones)
            better = None
            if difference.low > 0 or difference.high < 0:
                better = words[first if (difference.high < 0) == (self._sign > 0) else second]
            pairs.append(
                PairResult(
                    first=words[first],
                    second=words[second],
                    games=len(self.deals) * int(both.sum()),
                    score=difference,
                    deal_score=estimate(margin, both, hands),
                    ahead=estimate(share, both, ones),
                    better=better,
                )
            )
        ratings, errors = bradley_terry(ahead, met)
        bots = []
        for i, bot in enumerate(here):
            sat = masks[bot].any(axis=-1)
            mine = (part[bot] * scores).sum(axis=-1)
            best = self._best[:, lineups][:, masks[bot]]
            counts = (self.counts[:, lineups] * masks[bot][:, None, :]).sum(axis=(0, 1, 3))
            bots.append(
                BotResult(
                    bot=words[bot],
                    games=len(self.deals) * int(sat.sum()),
                    score=estimate(mine, sat, ones),
                    deal_score=estimate(mine, sat, hands),
                    place=estimate((part[bot] * self._places[:, lineups]).sum(axis=-1), sat, ones),
                    wins=estimate((part[bot] * self._shares[:, lineups]).sum(axis=-1), sat, ones),
                    places=tuple(
                        int((best == place).sum()) for place in range(1, seats.shape[1] + 1)
                    ),
                    counted=dict(zip(self.counted, counts.tolist(), strict=True)),
                    rating=interval(float(ratings[i]), float(errors[i]), len(self.deals)),
                )
            )
        return Standing(table, tuple(bots), tuple(pairs))

    # ---- files -----------------------------------------------------------------------------------------
    def records(self) -> Iterator[Record]:
        """The records of all games, by deal and line-up; no records if the tournament keeps none.

        The names are the bots' words; `meta["arena"]` has the numbers of deal and line-up.
        """
        for line in self._lines():
            with undamaged(self._file):
                record = Record.loads(line)
            yield record

    def dump_records(self, path: Path) -> int:
        """Write all records as JSON Lines, .gz too; how many there are."""
        return dump_lines(path, self._lines())

    def _lines(self) -> Iterator[str]:
        for packed in self._packed():
            yield from unpack(packed, self._file)

    def write_games(self, path: Path) -> None:
        """Write a CSV file with a line for each seat of each game, by deal, line-up and seat."""
        words = self.tournament.bots
        with open(path, "w", encoding="utf-8", newline="") as file:
            out = csv.writer(file, lineterminator="\n")
            out.writerow(
                ["deal", "lineup", "seat", "bot", "score", "place", "won", "hands", *self.counted]
            )
            for at, deal in enumerate(self.deals.tolist()):
                for lineup, seats in enumerate(self.seats.tolist()):
                    for seat, bot in enumerate(seats):
                        out.writerow(
                            [
                                deal,
                                lineup,
                                seat,
                                words[bot],
                                int(self.scores[at, lineup, seat]),
                                int(self._best[at, lineup, seat]),
                                int(self.winners[at, lineup, seat]),
                                int(self.hands[at, lineup]),
                                *self.counts[at, lineup, :, seat].tolist(),
                            ]
                        )

    def write_csv(self, path: Path) -> None:
        """Write a CSV file of the standings: a line for each bot and each pair, of all tables and of each.

        Estimates have four columns each: the value, its standard error, and the ends of the interval.
        """
        shown = ["score", "deal_score", "place", "wins", "rating", "ahead"]
        heading = ["table", "bot", "less", "games"]
        for name in shown:
            heading += [name, f"{name}_error", f"{name}_low", f"{name}_high"]
        with open(path, "w", encoding="utf-8", newline="") as file:
            out = csv.writer(file, lineterminator="\n")
            out.writerow([*heading, *self.counted])
            tables = self.tables if len(self.tables) > 1 else ()
            for standing in (self.standing, *tables):
                name = "all" if standing.table is None else " ".join(standing.table)
                for bot in standing.bots:
                    row = [name, bot.bot, "", bot.games, *_columns(bot, shown)]
                    out.writerow([*row, *bot.counted.values()])
                for pair in standing.pairs:
                    row = [name, pair.first, pair.second, pair.games, *_columns(pair, shown)]
                    out.writerow([*row, *("" for _ in self.counted)])

    def plot(self, path: Path) -> None:
        """Draw scores and ratings with their intervals: .png, .svg, .pdf. Needs matplotlib (extra `arena`)."""
        from herzen.arena.plot import draw

        draw(self, path)


def _columns(result: BotResult | PairResult, shown: Sequence[str]) -> Iterator[str]:
    for name in shown:
        found: Estimate | None = getattr(result, name, None)
        if found is None:
            yield from ("", "", "", "")
        else:
            yield from (
                f"{number:.6g}" for number in (found.value, found.error, found.low, found.high)
            )
