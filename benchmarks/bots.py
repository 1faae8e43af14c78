"""How fast and how strong the bots are: simulations a second, and duplicate deals against each other.

Hours on one core with all deals; see benchmarks/README.md. `flat_bot.py` is the yardstick of Hearts.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path
from time import process_time
from typing import Any

from flat_bot import FlatBot
from measuring import Portion, Report, duration, measure, ratio

import herzen
from herzen.arena import Tournament
from herzen.arena.workers import process_pool
from herzen.bots import RuleBot, SearchBot

DEAL: dict[str, herzen.Rules] = {
    "hearts": herzen.HeartsRules(max_hands=1, moon="add"),
    "vonherzen": herzen.VonHerzenRules(max_deals=1),
    "herzsammler": herzen.HerzsammlerRules(),
}
SECTIONS = ("speed", "beats", "deeper", "fields")
SIMULATIONS = 1000


def views_after(plays: int, count: int) -> list[Any]:
    """Views of the seats to move after so many random plays, with at least three cards to choose from."""
    rng = random.Random(plays)
    found: list[Any] = []
    number = 0
    while len(found) < count:
        game = herzen.Hearts(DEAL["hearts"], seed=number)
        number += 1
        while game.phase.value == "pass" or game.ply < 4 + plays:
            codes = game.codes()
            game.play_code(codes[rng.randrange(len(codes))])
        if len(game.codes()) >= 3:
            found.append(game.view(game.turn))
    return found


def searching(views: Sequence[Any], simulations: int) -> Portion:
    """Seconds a simulation of SearchBot, all that a decision costs included."""
    bot = SearchBot(1, simulations=simulations)

    def portion() -> float:
        made = 0
        start = process_time()
        for view in views:
            made += sum(candidate.visits for candidate in bot.explain(view))
        return (process_time() - start) / made

    return portion


def flat(views: Sequence[Any], worlds: int) -> Portion:
    """Seconds a playout of the flat bot."""
    bot = FlatBot(1, worlds)

    def portion() -> float:
        made = 0
        start = process_time()
        for view in views:
            made += bot.values(view)[1]
        return (process_time() - start) / made

    return portion


def deciding(bot: Any, views: Sequence[Any]) -> Portion:
    """Seconds a decision."""

    def portion() -> float:
        start = process_time()
        for view in views:
            bot.choose(view)
        return (process_time() - start) / len(views)

    return portion


def decisions(name: str, deals: int) -> list[Any]:
    """Views at which a seat has a choice, from deals played by the rule player."""
    found = []
    rule = RuleBot(1)
    for number in range(deals):
        game = herzen.new(name, DEAL[name], seed=number)
        while not game.over:
            view = game.view(game.turn)
            if len(view.legal_moves) > 1:
                found.append(view)
            game.play(rule.choose(view))
    return found


def speed(report: Report, repeats: int) -> int:
    """Simulations a second, time a move; the worlds a move that the flat bot gets for the same time."""
    report.title("Hearts after nine plays: simulations a second, one core")
    views = views_after(9, 40)
    times = measure({"search": searching(views, 20_000), "flat": flat(views, 2_000)}, repeats)
    for name in times:
        report.row(name, f"{1 / statistics.median(times[name]):,.0f}/s")
    rate = 1 / statistics.median(times["search"])
    part = ratio(times["flat"], times["search"])
    print(f"  of the flat bot's playouts a second, in C with a plainer policy: {part:.2f}")
    if rate < 1e6:
        report.bar("simulations, of the flat bot's", part, 0.5, at_least=True)
    else:
        report.bar("simulations, millions a second", rate / 1e6, 1.0, at_least=True)
    report.title(f"A decision at {SIMULATIONS} simulations")
    for name in DEAL:
        kinds: dict[str, list[Any]] = {}
        for view in decisions(name, 3):
            kinds.setdefault(view.phase, []).append(view)
        for phase, chosen in kinds.items():
            bot = SearchBot(1, simulations=SIMULATIONS)
            spent = statistics.median(
                measure({"all": deciding(bot, chosen[:60])}, max(3, repeats // 2))["all"]
            )
            report.bar(f"{name}, {phase}", spent * 1e3, 5, at_least=False, unit=" ms")
    plays = [view for view in decisions("hearts", 4) if view.phase == "play"]
    worlds = 1000
    both = measure(
        {
            "search": deciding(SearchBot(1, simulations=SIMULATIONS), plays),
            "flat": deciding(FlatBot(1, worlds), plays),
            "none": deciding(FlatBot(1, 1), plays),
        },
        repeats,
    )
    search, many, none = (statistics.median(both[name]) for name in ("search", "flat", "none"))
    same = max(1, round(worlds * (search - none) / (many - none)))
    print(f"  search: {duration(search)} a play; the flat bot has {same} worlds in that time")
    return same


def played(name: str, bots: Sequence[str], deals: int, workers: int, **options: Any) -> Any:
    tournament = Tournament(DEAL[name], bots, deals, seed=1, records=False, **options)
    if workers == 1:
        return tournament.play()
    with process_pool(workers) as pool:
        return tournament.play(pool)


def gain(result: Any, first: str, second: str, low_wins: bool) -> tuple[float, float, float]:
    """How much better the first is, and its 95 % interval; positive is good."""
    pair = result.pair(first, second)
    score = pair.score
    if low_wins:
        return -score.value, -score.high, -score.low
    return score.value, score.low, score.high


def told(report: Report, name: str, found: tuple[float, float, float], low: float) -> None:
    value, at_least, at_most = found
    print(f"  {name}: {value:+.3f} ({at_least:+.3f} .. {at_most:+.3f})")
    report.bar("  lower end", at_least, low, at_least=True, unit=" points")


def beats(report: Report, deals: int, workers: int) -> None:
    for name, rules in DEAL.items():
        report.title(f"{name}: who beats whom, {deals} duplicate deals")
        low = rules._compiled.low_wins
        for first, second in (("rule", "random"), (f"search:{SIMULATIONS}", "rule")):
            result = played(name, [first, second], deals, workers)
            told(
                report,
                f"{first} against {second}",
                gain(result.standing, first, second, low),
                0.0,
            )


def deeper(report: Report, deals: int, workers: int) -> None:
    for name, rules in DEAL.items():
        report.title(f"{name}: ten times the simulations, {deals} duplicate deals")
        low = rules._compiled.low_wins
        first, second = f"search:{10 * SIMULATIONS}", f"search:{SIMULATIONS}"
        # Every deal with every seating of both: differences are small, and luck is shared by more line-ups.
        tables = [
            [first] * seats + [second] * (rules.players - seats)
            for seats in range(1, rules.players)
        ]
        result = played(name, [first, second], deals, workers, field=tables, seating="all")
        won = [abs(int(score)) for score in result.scores[result.winners]]
        bar = -0.3 if low else -0.02 * statistics.mean(won)
        told(report, f"{first} against {second}", gain(result.standing, first, second, low), bar)


def moons(result: Any, table: Any, word: str) -> float:
    """Moons a hand of the others' in a table with one bot of this word."""
    shot = hands = 0
    tournament = result.tournament
    number, kind = tournament.bots.index(word), result.counted.index("moons")
    for at, lineup in enumerate(tournament.lineups):
        if sorted(lineup) != sorted(table):
            continue
        for seat, bot in enumerate(lineup):
            if bot != number:
                shot += int(result.counts[:, at, kind, seat].sum())
                hands += int(result.hands[:, at].sum())
    return shot / hands


def fields(report: Report, deals: int, workers: int, worlds: int) -> None:
    search, flat_word = f"search:{SIMULATIONS}", f"flat_bot:worlds_{worlds}"
    for one, others, bar in (
        (search, "rule", 2.5),
        ("rule", search, -1e9),
        (search, flat_word, 0.5),
    ):
        report.title(f"Hearts: one {one} among three {others}, {deals} deals of four rotations")
        table = (one, others, others, others)
        result = played("hearts", [one, others], deals, workers, field=[table])
        found = gain(result.standing, one, others, True)
        print(f"  {one}, fewer points a hand: {found[0]:+.3f} ({found[1]:+.3f} .. {found[2]:+.3f})")
        if one == "rule":
            report.bar("  the searchers, fewer", -found[0], 2.0, at_least=True, unit=" points")
        else:
            report.bar("  fewer points", found[0], bar, at_least=True, unit=" points")
            seats = result.tournament.tables[0]
            part = 100 * moons(result, seats, one)
            report.bar("  others' moons, of their hands", part, 2.0, at_least=False, unit=" %")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", choices=SECTIONS, default=list(SECTIONS))
    parser.add_argument("--deals", type=int, default=1000, help="duplicate deals (1,000)")
    parser.add_argument("--repeats", type=int, default=9, help="portions of each work (9)")
    parser.add_argument("--workers", type=int, default=1, help="processes of the tournaments (1)")
    parser.add_argument(
        "--worlds", type=int, help="of the flat bot; default: as many as fit the time"
    )
    parser.add_argument("--check", action="store_true", help="exit with 1 if a bar is missed")
    chosen = parser.parse_args()
    os.environ["PYTHONPATH"] = os.pathsep.join(  # workers find the flat bot
        [str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    )
    report = Report()
    worlds = chosen.worlds
    if "speed" in chosen.only or ("fields" in chosen.only and worlds is None):
        worlds = speed(report, chosen.repeats) if worlds is None else worlds
    if "beats" in chosen.only:
        beats(report, chosen.deals, chosen.workers)
    if "deeper" in chosen.only:
        deeper(report, max(2, chosen.deals // 5), chosen.workers)
    if "fields" in chosen.only:
        fields(report, chosen.deals, chosen.workers, worlds)
    if report.missed:
        print("\nMissed:\n" + "\n".join(f"  {line}" for line in report.missed))
    return 1 if chosen.check and report.missed else 0


if __name__ == "__main__":
    sys.exit(main())
