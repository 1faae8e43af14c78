"""Many matches of one game from one seed, and what came of them. Game i has the seed child(seed, i).

Nothing depends on the number of threads: game i of a million replays alone as `Game(rules, seed=child(seed, i))`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from herzen.game import Game
from herzen.registry import game_class, game_part
from herzen.rules import Rules
from herzen.seeds import Seed, Stream, child, parse_seed

if TYPE_CHECKING:
    from herzen.bots import Bot

PLAY = 2  # domain of the stream of uniformly random play
CHUNK = 256
Factory = Callable[[int], "Bot"]
"""Makes the bot of a seat from the bot's seed."""
Policy = str | Sequence[str | Factory]
Outcome = tuple[tuple[int, ...], tuple[int, ...], int, int]
"""Of one match: scores, winners, number of deals, moves."""


class Simulation:
    """What came of many matches. Totals are exact; the arrays are None where only totals were kept."""

    def __init__(self, rules: Rules, seed: int, keep: str, games: int) -> None:
        self.rules = rules
        """The options that were played."""
        self.seed = seed
        """The seed of the run: game i was dealt from child(seed, i). As secret as a game's."""
        self.games = 0
        """Number of matches."""
        self.deals = 0
        """Number of deals, all matches together."""
        self.plies = 0
        """Number of moves, all matches together."""
        seats = range(rules.players)
        self.histograms: tuple[Counter[int], ...] = tuple(Counter() for _ in seats)
        """By seat: final score -> number of matches."""
        self.wins: list[int] = [0 for _ in seats]
        """By seat: matches won alone."""
        self.shared: list[int] = [0 for _ in seats]
        """By seat: matches won together with others."""
        self.scores: Any = None
        """int32 (games, seats): the final scores; None with keep="totals"."""
        self.winners: Any = None
        """bool (games, seats): who won; None with keep="totals"."""
        self.deal_counts: Any = None
        """int32 (games,): deals of each match; None with keep="totals"."""
        if keep == "games":
            import numpy as np

            self.scores = np.zeros((games, rules.players), np.int32)
            self.winners = np.zeros((games, rules.players), np.bool_)
            self.deal_counts = np.zeros(games, np.int32)

    def add(self, outcome: Outcome) -> None:
        """Count one more match."""
        scores, winners, deals, plies = outcome
        for counts, score in zip(self.histograms, scores, strict=True):
            counts[score] += 1
        for seat in winners:
            (self.wins if len(winners) == 1 else self.shared)[seat] += 1
        if self.scores is not None:
            self.scores[self.games] = scores
            self.winners[self.games, list(winners)] = True
            self.deal_counts[self.games] = deals
        self.games += 1
        self.deals += deals
        self.plies += plies

    @property
    def means(self) -> tuple[float, ...]:
        """Mean final score, by seat."""
        return tuple(
            sum(score * count for score, count in counts.items()) / max(1, self.games)
            for counts in self.histograms
        )

    @property
    def variances(self) -> tuple[float, ...]:
        """Sample variance of the final score, by seat; 0 for fewer than two matches."""
        out = []
        for counts in self.histograms:
            total = sum(score * count for score, count in counts.items())
            squares = sum(score * score * count for score, count in counts.items())
            # Whole numbers until the last step: no rounding, whatever the order of the matches.
            spread = self.games * squares - total * total
            out.append(spread / (self.games * (self.games - 1)) if self.games > 1 else 0.0)
        return tuple(out)

    def __repr__(self) -> str:
        return f"<Simulation: {self.games} games of {self.rules.game}>"


def simulate(
    rules: Rules,
    games: int,
    *,
    seed: Seed = None,
    threads: int = 1,
    policy: Policy = "random",
    keep: str = "games",
    progress: Callable[[int, int], None] | None = None,
) -> Simulation:
    """Play `games` matches under these rules and count.

    rules: they also say which game. policy: "random" is the uniformly random play of docs/seeds.rst; "rule" the
    game's rule player; or one entry a seat, each such a word or a function that makes a bot from its seed ("random"
    is then a RandomBot, unless all are). keep: "games" keeps a row a match in arrays, "totals" only counts, means,
    variances and histograms. threads: for random play. progress: called with (matches done, all) now and then.

    ValueError for unknown words and numbers out of range, TypeError for arguments of the wrong kind.
    """
    if not isinstance(rules, Rules):
        raise TypeError(f"simulate needs rules, not {type(rules).__name__}")
    for name, value, least in (("games", games, 0), ("threads", threads, 1)):
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(f"{name} is an int, not {type(value).__name__}")
        if value < least:
            raise ValueError(f"{name}={value}: at least {least}")
    if keep not in ("games", "totals"):
        raise ValueError(f'keep={keep!r}: allowed is "games" or "totals"')
    start = parse_seed(seed)
    result = Simulation(rules, start, keep, games)
    players = read_policy(policy, rules.players)
    outcomes = (
        random_outcomes(rules, range(games), start, threads)
        if players is None
        else map(outcome_of, play_matches(rules, range(games), start, policy))
    )
    for outcome in outcomes:
        result.add(outcome)
        if progress is not None and (result.games % CHUNK == 0 or result.games == games):
            progress(result.games, games)
    return result


def outcome_of(game: Game) -> Outcome:
    """Scores, winners, deals and moves of a match that is over."""
    return game.scores, game._winning(), game.deal_number + 1, game.ply


def read_policy(policy: Policy, players: int) -> list[Factory] | None:
    """What makes the bot of each seat; None for uniformly random play. ValueError for unknown words."""
    from herzen.bots import bot_class

    entries = [policy] * players if isinstance(policy, str) else list(policy)
    if len(entries) != players:
        raise ValueError(f"policy: {players} entries are needed, one a seat, not {len(entries)}")
    kinds: list[Factory] = [
        bot_class(entry) if isinstance(entry, str) else entry for entry in entries
    ]
    for kind in kinds:
        if not callable(kind):
            raise TypeError(f"policy: a word or a function is needed, not {type(kind).__name__}")
    return None if all(entry == "random" for entry in entries) else kinds


def random_outcomes(rules: Rules, numbers: range, seed: int, threads: int = 1) -> Iterator[Outcome]:
    """Random play in the engine's own loop, chunk by chunk, the outcomes in the order of `numbers`."""
    kind = game_class(rules.game)

    def chunk(part: range) -> list[Outcome]:
        out = []
        for number in part:
            game = kind(rules, seed=child(seed, number))
            game._playout()
            out.append(outcome_of(game))
        return out

    parts = (numbers[first : first + CHUNK] for first in range(0, len(numbers), CHUNK))
    if threads == 1:
        for part in parts:
            yield from chunk(part)
        return
    from concurrent.futures import Future, ThreadPoolExecutor

    with ThreadPoolExecutor(threads) as pool:
        waiting: list[Future[list[Outcome]]] = []
        try:
            for part in parts:
                waiting.append(pool.submit(chunk, part))
                if len(waiting) > 2 * threads:  # bounded, so that memory is too
                    yield from waiting.pop(0).result()
            while waiting:
                yield from waiting.pop(0).result()
        finally:
            for future in waiting:
                future.cancel()


# ---- matches with every move ---------------------------------------------------------------------------------

Watcher = Callable[[Game], None]


def play_matches(
    rules: Rules, numbers: Iterable[int], seed: int, policy: Policy, watch: Watcher | None = None
) -> Iterator[Game]:
    """The matches of these numbers, played move by move, each as it is when it is over.

    watch: called with the game after every finished deal.
    """
    kind = game_class(rules.game)
    factories = read_policy(policy, rules.players)
    for number in numbers:
        game = kind(rules, seed=child(seed, number))
        if factories is None:
            play_randomly(game, watch)
        else:
            play_bots(game, factories, watch)
        yield game


def play_randomly(game: Game, watch: Watcher | None = None) -> None:
    """Play a match to its end by the uniformly random play of its seed; what `Game._playout` does, with history."""
    seed = game.seed
    assert seed is not None
    stream = Stream(seed, PLAY)
    draw: Callable[[Game, Stream], int] = game_part(game.name, "bot").draw
    deal = game.deal_number
    while not game.over:
        game.play_code(draw(game, stream))
        if watch is not None and (game.over or game.deal_number != deal):
            deal = game.deal_number
            watch(game)


def play_bots(game: Game, factories: Sequence[Factory], watch: Watcher | None = None) -> None:
    """Play a match to its end by bots, one a seat, each with its seed from the match's (docs/seeds.rst)."""
    from herzen.bots import bot_seed

    seed = game.seed
    assert seed is not None
    bots = [factory(bot_seed(seed, seat)) for seat, factory in enumerate(factories)]
    deal = game.deal_number
    while not game.over:
        seat = game._turn
        game.play(bots[seat].choose(game.view(seat)), seat=seat)
        if watch is not None and (game.over or game.deal_number != deal):
            deal = game.deal_number
            watch(game)
