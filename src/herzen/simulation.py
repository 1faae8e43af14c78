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
CHUNK = 8192  # matches that a thread plays before the results are looked at
Factory = Callable[[int], "Bot"]
"""Makes the bot of a seat from the bot's seed."""
Policy = str | Sequence[str | Factory]
Watcher = Callable[[Game], None]
Blame = Callable[[Game, int, Exception], Exception]
"""Makes the error to be raised of the match, the seat and what its bot raised."""


class Rows:
    """What came of some matches: a row each, in arrays."""

    def __init__(self, rules: Rules, games: int) -> None:
        import numpy as np

        kinds = len(game_class(rules.game).COUNTS)
        self.scores = np.empty((games, rules.players), np.int32)
        self.winners = np.empty(games, np.uint32)  # bit i: seat i
        self.hands = np.empty(games, np.int32)
        self.lengths = np.empty(games, np.int32)
        self.counts = np.empty((games, kinds), np.int32)

    def part(self, first: int, games: int) -> Rows:
        """A window on some of the rows."""
        window = Rows.__new__(Rows)
        for name, array in vars(self).items():
            setattr(window, name, array[first : first + games])
        return window

    def play(
        self, rules: Rules, seed: int, first: int, by_rule: bool = False, brake: Any = None
    ) -> Rows:
        """Fill the rows with matches first, first + 1, ... of a run, without the GIL.

        by_rule: they are played by the rule player, else at random. brake: stops after the present match once it is
        pulled.
        """
        from herzen._matches import play_matches

        arrays = (self.scores, self.winners, self.hands, self.lengths, self.counts)
        play_matches(rules._compiled, seed, first, *arrays, by_rule=by_rule, brake=brake)
        return self

    def put(self, row: int, game: Game) -> None:
        """Fill a row with a match that is over."""
        self.scores[row] = game.scores
        self.winners[row] = sum(1 << int(seat) for seat in game.winners)
        self.hands[row] = game.deal_number + 1
        self.lengths[row] = game.ply
        self.counts[row] = game._counts()[: self.counts.shape[1]]


class SimulationResult:
    """What came of many matches. Totals are exact; the arrays are None where only totals were kept.

    What a game counts besides (Hearts "moons", Von Herzen "blocked", Herzsammler "misses") is an attribute by its name:
    int32 (games,), None with keep="totals"; its sum is in `counted`.
    """

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
        self.counted: dict[str, int] = dict.fromkeys(game_class(rules.game).COUNTS, 0)
        """By what the game counts: all matches together."""
        seats = range(rules.players)
        self.histograms: tuple[Counter[int], ...] = tuple(Counter() for _ in seats)
        """By seat: final score -> number of matches."""
        self.wins: list[int] = [0 for _ in seats]
        """By seat: matches won alone."""
        self.shared: list[int] = [0 for _ in seats]
        """By seat: matches won together with others."""
        self._rows = Rows(rules, games) if keep == "games" else None
        kept = self._rows
        self.scores: Any = None if kept is None else kept.scores
        """int32 (games, seats): the final scores; None with keep="totals"."""
        self.winners: Any = None
        """bool (games, seats): who won; None with keep="totals"."""
        if kept is not None:
            import numpy as np

            self.winners = np.zeros((games, rules.players), np.bool_)
        self.hands: Any = None if kept is None else kept.hands
        """int32 (games,): deals of each match; None with keep="totals"."""
        self.lengths: Any = None if kept is None else kept.lengths
        """int32 (games,): moves of each match; None with keep="totals"."""

    def __getattr__(self, name: str) -> Any:
        counted = self.__dict__.get("counted", {})
        if name not in counted:
            raise AttributeError(f"SimulationResult has no attribute {name!r}")
        return None if self._rows is None else self._rows.counts[:, list(counted).index(name)]

    def _room(self, games: int) -> Rows:
        """Rows for the next matches: the result's own, or some to be counted and forgotten."""
        if self._rows is None:
            return Rows(self.rules, games)
        return self._rows.part(self.games, games)

    def _add(self, rows: Rows) -> None:
        """Count the next matches."""
        import numpy as np

        from herzen._matches import count_values

        games = len(rows.hands)
        for counts, scores in zip(self.histograms, rows.scores.T, strict=True):
            for score, count in count_values(scores):
                counts[score] += count
        for mask, count in count_values(rows.winners.view(np.int32)):
            table = self.shared if mask & (mask - 1) else self.wins
            for seat in range(self.rules.players):
                table[seat] += count if mask >> seat & 1 else 0
        for name, total in zip(self.counted, rows.counts.sum(axis=0).tolist(), strict=True):
            self.counted[name] += total
        if self.winners is not None:
            bits = np.uint32(1) << np.arange(self.rules.players, dtype=np.uint32)
            won = self.winners[self.games : self.games + games]
            np.not_equal(rows.winners[:, None] & bits, 0, out=won)
        self.games += games
        self.deals += int(rows.hands.sum())
        self.plies += int(rows.lengths.sum())

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
        return f"<SimulationResult: {self.games} games of {self.rules.game}>"


def simulate(
    rules: Rules,
    games: int,
    *,
    seed: Seed = None,
    threads: int = 1,
    policy: Policy = "random",
    keep: str = "games",
    progress: Callable[[int, int], None] | None = None,
) -> SimulationResult:
    """Play `games` matches under these rules and count.

    rules: they also say which game. policy: "random" is the uniformly random play of docs/seeds.rst; another word
    the bot of that word (herzen.bots.words); or one entry a seat, each such a word or a function that makes a bot
    from its seed ("random" is then a RandomBot, unless all are). "random" and "rule" for all seats run in the engine's
    own loop, without the GIL. keep: "games" keeps a row a match in arrays, "totals" only counts, means, variances and
    histograms, in constant memory. threads: for these two; the result does not depend on it. progress: called with
    (matches done, all) now and then; an exception that it raises (or Ctrl-C) ends the run within a moment.

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
    result = SimulationResult(rules, start, keep, games)
    for _ in run(result, range(games), policy, threads):
        if progress is not None:
            progress(result.games, games)
    return result


def run(
    result: SimulationResult,
    numbers: range,
    policy: Policy,
    threads: int = 1,
    watch: Watcher | None = None,
    blame: Blame | None = None,
) -> Iterator[Game | None]:
    """Play the matches of these numbers into a result, which grows at each step.

    Yields each match where moves are made one by one (a policy other than "random" or "rule" for all, or `watch`,
    which is called with the game after every deal); None after each chunk where the engine plays alone. blame: see
    `play_bots`.
    """
    from herzen.bots import RuleBot

    factories = read_policy(policy, result.rules.players)
    by_rule = factories is not None and all(kind is RuleBot for kind in factories)
    if watch is None and (factories is None or by_rule):
        for rows in _chunks(result, numbers, threads, by_rule):
            result._add(rows)
            yield None
        return
    for game in play_matches(result.rules, numbers, result.seed, policy, watch, blame):
        rows = result._room(1)
        rows.put(0, game)
        result._add(rows)
        yield game


def _chunks(
    result: SimulationResult, numbers: range, threads: int, by_rule: bool
) -> Iterator[Rows]:
    """Matches in the engine's own loop, in the order of `numbers`; the caller adds each chunk."""
    if by_rule:
        game_part(result.rules.game, "_policy")
    rules, seed = result.rules, result.seed
    parts = (numbers[first : first + CHUNK] for first in range(0, len(numbers), CHUNK))
    if threads == 1:
        for part in parts:
            yield result._room(len(part)).play(rules, seed, part.start, by_rule)
        return
    from concurrent.futures import Future, ThreadPoolExecutor

    from herzen._matches import Brake

    kept, brake = result._rows, Brake()
    with ThreadPoolExecutor(threads) as pool:
        waiting: list[Future[Rows]] = []
        try:
            for number, part in enumerate(parts):
                room = (
                    Rows(rules, len(part)) if kept is None else kept.part(number * CHUNK, len(part))
                )
                waiting.append(pool.submit(room.play, rules, seed, part.start, by_rule, brake))
                if len(waiting) > 2 * threads:  # bounded, so that memory is too
                    yield waiting.pop(0).result()
            while waiting:
                yield waiting.pop(0).result()
        finally:
            brake.pulled = True
            for future in waiting:
                future.cancel()


def read_policy(policy: Policy, players: int) -> list[Factory] | None:
    """What makes the bot of each seat; None for uniformly random play. ValueError for unknown words."""
    from herzen.bots import bot_maker, bot_word

    if not isinstance(policy, Iterable):
        raise TypeError(
            f"policy: a word, or a sequence of one word or function a seat is needed, not {_named(policy)}"
        )
    entries = [policy] * players if isinstance(policy, str) else list(policy)
    if len(entries) != players:
        raise ValueError(f"policy: {players} entries are needed, one a seat, not {len(entries)}")
    kinds: list[Factory] = [
        bot_maker(entry) if isinstance(entry, str) else entry for entry in entries
    ]
    for kind in kinds:
        if not callable(kind):
            raise TypeError(
                f"policy: a word, or a function that makes a bot from its seed, is needed, not {_named(kind)}"
            )
    words = {bot_word(entry) if isinstance(entry, str) else "" for entry in entries}
    return None if words == {"random"} else kinds


def _named(thing: object) -> str:
    """`the class X`, or `an X`, for what is given where something else is needed."""
    return f"the class {thing.__name__}" if isinstance(thing, type) else type(thing).__name__


# ---- matches with every move ---------------------------------------------------------------------------------


def play_matches(
    rules: Rules,
    numbers: Iterable[int],
    seed: int,
    policy: Policy,
    watch: Watcher | None = None,
    blame: Blame | None = None,
) -> Iterator[Game]:
    """The matches of these numbers, played move by move, each as it is when it is over.

    watch: called with the game after every finished deal. blame: see `play_bots`.
    """
    kind = game_class(rules.game)
    factories = read_policy(policy, rules.players)
    for number in numbers:
        game = kind(rules, seed=child(seed, number))
        if factories is None:
            play_randomly(game, watch)
        else:
            play_bots(game, factories, watch, blame)
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


def play_bots(
    game: Game,
    factories: Sequence[Factory],
    watch: Watcher | None = None,
    blame: Blame | None = None,
) -> None:
    """Play a match to its end by bots, one a seat, each with its seed from the match's (docs/seeds.rst).

    blame: makes the error to be raised where a bot cannot be made, fails, or chooses what may not be played; None:
    the error is raised as it is.
    """
    from herzen.bots import bot_seed

    seed = game.seed
    assert seed is not None
    bots: list[Bot] = []
    for seat, factory in enumerate(factories):
        try:
            bots.append(factory(bot_seed(seed, seat)))
        except Exception as error:
            if blame is None:
                raise
            raise blame(game, seat, error) from error
    deal = game.deal_number
    while not game.over:
        seat = game._turn
        try:
            game.play(bots[seat].choose(game.view(seat)), seat=seat)
        except Exception as error:
            if blame is None:
                raise
            raise blame(game, seat, error) from error
        if watch is not None and (game.over or game.deal_number != deal):
            deal = game.deal_number
            watch(game)
