"""How fast endings of Hearts are solved, beside a straightforward solver in C. See benchmarks/README.md."""

from __future__ import annotations

import argparse
import ctypes
import platform
import random
import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
from time import process_time
from typing import Any

from measuring import BOUND, Portion, Report, compiled, duration, measure, ratio, shared, yardstick

import herzen
from herzen.bots import RuleBot
from herzen.hearts import solve

RULES = herzen.HeartsRules(moon="off")
DECK = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]
BARS = {6: 0.2, 8: 3.0}
"""Milliseconds a position, by cards in each hand."""
PLAIN = {6: 0.4, 8: 8.8}
"""What a straightforward solver took where these bars come from."""


def dealt(rng: random.Random, cards: int) -> herzen.Hearts:
    """Hands and captured cards dealt at random."""
    deck = rng.sample(DECK, len(DECK))
    taken: list[list[str]] = [[], [], [], []]
    for start in range(4 * cards, len(deck), 4):
        taken[rng.randrange(4)] += deck[start : start + 4]
    return herzen.Hearts.setup(
        rules=RULES,
        hands=[deck[cards * seat : cards * (seat + 1)] for seat in range(4)],
        turn=rng.randrange(4),
        taken=taken,
        hearts_broken=any(card[1] == "H" or card == "QS" for card in deck[4 * cards :]),
        seed=1,
    )


def played(rng: random.Random, cards: int, choose: Callable[[herzen.Hearts], Any]) -> herzen.Hearts:
    """A deal played until each hand has so many cards."""
    game = herzen.Hearts(RULES, seed=rng.getrandbits(64))
    while game.phase.value == "pass" or max(game.hand_sizes) > cards or game.trick:
        game.play(choose(game))
    return game


def by_rule(rng: random.Random, cards: int) -> herzen.Hearts:
    """After play by the rule player."""
    bot = RuleBot(rng.getrandbits(64))
    return played(rng, cards, lambda game: bot.choose(game.view(game.turn)))


def at_random(rng: random.Random, cards: int) -> herzen.Hearts:
    """After random play."""
    return played(rng, cards, lambda game: rng.choice(game.legal_moves()))


def solving(games: Sequence[herzen.Hearts], values: list[int]) -> Portion:
    """Seconds a position, with all moves that keep the value; the values are kept."""

    def portion() -> float:
        start = process_time()
        found = [solve(game) for game in games]
        spent = process_time() - start
        values[:] = [
            one.value - game.points[one.seat] for one, game in zip(found, games, strict=True)
        ]
        return spent / len(games)

    return portion


def valuing(games: Sequence[herzen.Hearts]) -> Portion:
    """Seconds a position for the value alone, which is all that the straightforward solver finds."""

    def portion() -> float:
        start = process_time()
        for game in games:
            solve(game, moves=False)
        return (process_time() - start) / len(games)

    return portion


KINDS = {"dealt at random": dealt, "after rule play": by_rule, "after random play": at_random}


def plainly(games: Sequence[herzen.Hearts], values: list[int], library: Any) -> Portion:
    """The value by the straightforward solver."""
    tables = []
    for game in games:
        hands = [
            sum(1 << int(card.suit) * 16 + int(card.rank) for card in game.hand(seat))
            for seat in range(4)
        ]
        tables.append(((ctypes.c_uint64 * 4)(*hands), int(game.turn), int(game.hearts_broken)))

    def portion() -> float:
        nodes = ctypes.c_int64()
        start = process_time()
        values[:] = [library.plain_value(*table, ctypes.byref(nodes)) for table in tables]
        return (process_time() - start) / len(tables)

    return portion


def compare(
    report: Report, games: Sequence[herzen.Hearts], bar: float, plain_bar: float, given: Any
) -> None:
    """One kind of positions."""
    bare, library, repeats = given
    ours: list[int] = []
    theirs: list[int] = []
    times = measure(
        {
            "C": bare,
            "plain": plainly(games, theirs, library),
            "solve": solving(games, ours),
            "value": valuing(games),
        },
        repeats,
    )
    if ours != theirs:
        raise AssertionError("the two solvers differ")
    print(f"  bare C here: {1 / statistics.median(times['C']):,.0f} hands/s, there {BOUND:,}")
    print(f"  both solvers: the same values, {sum(ours)} points in all")
    for name in ("plain", "value", "solve"):
        # Side by side with the yardstick, portion by portion.
        scaled = statistics.median(
            own / bound / BOUND for own, bound in zip(times[name], times["C"], strict=True)
        )
        report.row(f"{name}; scaled", duration(statistics.median(times[name])), duration(scaled))
    report.bar("solve, scaled", scaled * 1e3, bar, at_least=False, unit=" ms")
    part = ratio(times["value"], times["plain"])
    report.bar("value, of the straightforward solver's time", part, plain_bar, at_least=False)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="exit with 1 if a bar is missed")
    parser.add_argument("--repeats", type=int, default=5, help="portions of each work (5)")
    parser.add_argument("--positions", type=int, default=1000, help="with six cards each (1,000)")
    parser.add_argument("--target", default="v3", help="what the yardstick is built for (v3)")
    chosen = parser.parse_args()
    print(f"herzen {herzen.__version__}, Python {platform.python_version()}; CPU time, medians")
    report = Report()
    with tempfile.TemporaryDirectory() as directory:
        bare = yardstick(compiled("hearts_bound.c", directory, chosen.target))
        library = ctypes.CDLL(shared("plain_solver.c", directory))
        for cards, bar in BARS.items():
            count = chosen.positions if cards == 6 else chosen.positions // 3
            for kind, make in KINDS.items():
                report.title(f"{count} positions with {cards} cards each, {kind}")
                rng = random.Random(cards)
                games = [make(rng, cards) for _ in range(count)]
                compare(report, games, bar, bar / PLAIN[cards], (bare, library, chosen.repeats))
    if report.missed:
        print("\nMissed:\n" + "\n".join(f"  {line}" for line in report.missed))
    return 1 if chosen.check and report.missed else 0


if __name__ == "__main__":
    sys.exit(main())
