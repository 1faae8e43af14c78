"""What a list of legal moves costs in Von Herzen: `codes()` by phase, CPU time in microseconds.

    python benchmarks/vonherzen_codes.py [positions]

The bar is about 5 us in the meld phase of a usual hand. Positions come from matches of rule players at the defaults.
"""

from __future__ import annotations

import statistics
import sys
from collections import defaultdict
from time import process_time

from herzen.bots import RuleBot
from herzen.vonherzen import VonHerzen

REPEATS = 200


def positions(count: int) -> list[VonHerzen]:
    """Positions of matches of rule players."""
    found: list[VonHerzen] = []
    seed = 0
    while len(found) < count:
        game, bot = VonHerzen(seed=seed), RuleBot(seed)
        while not game.over and len(found) < count:
            found.append(game.copy(history=False))
            game.play(bot.choose(game.view(game.turn)))
        seed += 1
    return found


def cost(game: VonHerzen) -> float:
    """CPU microseconds of one `codes()`."""
    codes = game.codes
    start = process_time()
    for _ in range(REPEATS):
        codes()
    return (process_time() - start) / REPEATS * 1e6


def main() -> None:
    """Print a row a phase: positions, moves, median and 99th percentile."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    rows: dict[str, list[tuple[float, int]]] = defaultdict(list)
    for game in positions(count):
        rows[str(game.phase)].append((cost(game), len(game.codes())))
    print(f"{'phase':<10}{'positions':>10}{'moves':>8}{'median us':>11}{'99 % us':>9}")
    for phase, found in rows.items():
        times = sorted(time for time, _ in found)
        moves = statistics.mean(moves for _, moves in found)
        late = times[min(len(times) - 1, len(times) * 99 // 100)]
        print(
            f"{phase:<10}{len(found):>10}{moves:>8.1f}{statistics.median(times):>11.2f}{late:>9.2f}"
        )


if __name__ == "__main__":
    main()
