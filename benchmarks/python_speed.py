"""How fast herzen is from Python, beside OpenSpiel, and what `import herzen` costs. See benchmarks/README.md."""

from __future__ import annotations

import argparse
import importlib.util
import os
import platform
import random as random_module
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import repeat
from random import random, shuffle
from time import process_time
from typing import Any

from measuring import Portion, Report, duration, less, measure, rate, ratio

import herzen

RULES = herzen.HeartsRules.openspiel(pass_cycle=("left",))
LEFT = 1  # OpenSpiel's number of that direction
PASSES, PICKS, PLAYS = 4, 12, 52
SECTIONS = ("deals", "calls", "import")
UNWANTED = ("numpy", "json", "hashlib", "importlib.resources")


# ---- whole deals -----------------------------------------------------------------------------------------
@dataclass
class Tally:
    """What the deals came to, as proof that they were played."""

    deals: int = 0
    points: int = 0
    moons: int = 0
    first: list[int] = field(default_factory=list)

    def add(self, scores: Sequence[float]) -> None:
        total = int(sum(scores))
        if total not in (26, 78):
            raise AssertionError(f"a deal of {total} points: {scores}")
        self.deals += 1
        self.points += total
        self.moons += total == 78
        self.first.append(int(scores[0]))

    def __str__(self) -> str:
        mean = statistics.fmean(self.first)
        return f"{self.deals} deals, {self.points} points, {self.moons} moons, seat 0: {mean:.3f} a deal"


def our_deals(count: int, tally: Tally) -> Portion:
    seeds = iter(range(1 << 62))

    def portion() -> float:
        results = []
        start = process_time()
        for _ in range(count):
            g = herzen.Hearts(RULES, seed=next(seeds))
            while codes := g.codes():
                g.play_code(codes[int(random() * len(codes))])
            results.append(g.scores)
        spent = process_time() - start
        for scores in results:
            tally.add(scores)
        return spent / count

    return portion


def spiel_deals(game: Any, count: int, tally: Tally, *, shuffled: bool) -> Portion:
    """Deals by Python, which is faster than sampling OpenSpiel's chance nodes. shuffled: the decks are ready."""

    def portion() -> float:
        decks = [random_module.sample(range(52), 52) for _ in range(count)]
        results = []
        start = process_time()
        for deck in decks:
            if not shuffled:
                shuffle(deck)
            state = game.new_initial_state()
            state.apply_action(LEFT)
            for card in deck:
                state.apply_action(card)
            while legal := state.legal_actions():
                state.apply_action(legal[int(random() * len(legal))])
            results.append(state.returns())
        spent = process_time() - start
        for returns in results:
            tally.add([26 - value for value in returns])
        return spent / count

    return portion


def empty_loop(choices: Sequence[Sequence[Sequence[int]]], count: int) -> Portion:
    """The same chooser in the cheapest loop over choices recorded beforehand: what Python itself costs."""

    def portion() -> float:
        start = process_time()
        for at in range(count):
            for codes in choices[at % len(choices)]:
                codes[int(random() * len(codes))]
        return (process_time() - start) / count

    return portion


def our_choices(deals: int) -> list[list[Sequence[int]]]:
    """What `codes()` answered, deal by deal; a plain range stands for the lazy sequence of passes."""
    out = []
    for seed in range(deals):
        g = herzen.Hearts(RULES, seed=seed)
        answers: list[Sequence[int]] = []
        while codes := g.codes():
            answers.append(codes if isinstance(codes, bytes) else range(len(codes)))
            g.play_code(codes[int(random() * len(codes))])
        if len(answers) != PASSES + PLAYS:
            raise AssertionError(f"{len(answers)} decisions in a deal")
        out.append(answers)
    return out


def spiel_choices(game: Any, deals: int) -> list[list[Sequence[int]]]:
    """What `legal_actions()` answered, deal by deal."""
    out = []
    for _ in range(deals):
        state = dealt(game)
        answers = []
        while legal := state.legal_actions():
            answers.append(legal)
            state.apply_action(legal[int(random() * len(legal))])
        if len(answers) != PICKS + PLAYS:
            raise AssertionError(f"{len(answers)} decisions in a deal")
        out.append(answers)
    return out


def dealt(game: Any) -> Any:
    """An OpenSpiel state with a random deal."""
    state = game.new_initial_state()
    state.apply_action(LEFT)
    for card in random_module.sample(range(52), 52):
        state.apply_action(card)
    return state


def whole_deals(report: Report, game: Any, count: int, repeats: int) -> None:
    ours, theirs = Tally(), Tally()
    times = measure(
        {
            "ours": our_deals(count, ours),
            "theirs": spiel_deals(game, count, theirs, shuffled=False),
            "our loop": empty_loop(our_choices(50), count),
            "their loop": empty_loop(spiel_choices(game, 50), count),
            "theirs, decks ready": spiel_deals(game, count, Tally(), shuffled=True),
        },
        repeats,
    )
    net, their_net = (
        less(times["ours"], times["our loop"]),
        less(times["theirs"], times["their loop"]),
    )
    ready = times["theirs, decks ready"]
    report.title("Whole deals with passes: shuffle, deal, pass, play, score")
    report.row("", "herzen", "OpenSpiel", "ratio")
    for name, a, b in (
        ("deals", times["ours"], times["theirs"]),
        ("deals, their decks shuffled beforehand", times["ours"], ready),
        ("the empty loop with its chooser", times["our loop"], times["their loop"]),
        ("deals without that loop", net, their_net),
        ("the same, their decks shuffled beforehand", net, less(ready, times["their loop"])),
    ):
        report.row(
            name, rate(statistics.median(a)), rate(statistics.median(b)), f"{ratio(b, a):.2f}"
        )
    report.bar("whole deals, ratio", ratio(times["theirs"], times["ours"]), 3.5, at_least=True)
    report.bar("whole deals without the loop, ratio", ratio(their_net, net), 6.0, at_least=True)
    print(f"  herzen:    {ours}\n  OpenSpiel: {theirs}")
    spread = statistics.pstdev(ours.first) * (1 / ours.deals + 1 / theirs.deals) ** 0.5
    if abs(statistics.fmean(ours.first) - statistics.fmean(theirs.first)) > 5 * spread:
        raise AssertionError("the two sides did not play the same game")


# ---- single calls ----------------------------------------------------------------------------------------
def calls(function: Callable[..., Any], *arguments: Any, count: int = 20_000) -> Portion:
    """A portion of this many calls."""

    def portion() -> float:
        start = process_time()
        for _ in repeat(None, count):
            function(*arguments)
        return (process_time() - start) / count

    return portion


def play_out(start: Callable[[], Any], name: str, moves: Sequence[Any]) -> Portion:
    """Play these moves from a copy of a position; CPU seconds per move, the copy included."""
    rounds = 40

    def portion() -> float:
        begin = process_time()
        for _ in range(rounds):
            play = getattr(start(), name)
            for move in moves:
                play(move)
        return (process_time() - begin) / (rounds * len(moves))

    return portion


def single_calls(report: Report, game: Any, repeats: int) -> None:
    g = herzen.Hearts(RULES, seed=1)
    state = dealt(game)
    for _ in range(PASSES):
        g.play_code(g.codes()[0])
    for _ in range(PICKS):
        state.apply_action(state.legal_actions()[0])
    after_pass, their_start = g.copy(history=False), state.clone()
    plays, actions = [], []
    for place in range(PLAYS):
        if place == 9:
            middle, their_middle = g.copy(), state.clone()
        plays.append(g.codes()[0])
        g.play_code(plays[-1])
        actions.append(state.legal_actions()[0])
        state.apply_action(actions[-1])
    moves = g.moves[PASSES:]
    texts = [str(move) for move in moves]
    seat = int(middle.turn)
    view = middle.view(seat)
    record = g.record()
    text, serial = record.dumps(), state.serialize()
    match = herzen.Hearts(seed=1)
    while codes := match.codes():
        match.play_code(codes[int(random() * len(codes))])
    long_record = match.record()
    long_text = long_record.dumps()

    pairs: list[tuple[str, Portion, Portion | None]] = [
        ("codes() / legal_actions()", calls(middle.codes), calls(their_middle.legal_actions)),
        (
            "play_code() / apply_action(), a whole hand",
            play_out(lambda: after_pass.copy(history=False), "play_code", plays),
            play_out(their_start.clone, "apply_action", actions),
        ),
        ("copy(history=False) / clone()", lambda: copies(middle), calls(their_middle.clone)),
        ("copy() / clone()", calls(middle.copy), calls(their_middle.clone)),
        ("legal_moves()", calls(middle.legal_moves, count=5000), None),
        ("play(move), with events", play_out(after_pass.copy, "play", moves), None),
        ("play(text), with events", play_out(after_pass.copy, "play", texts), None),
        ("view(seat), 9 cards into the hand", calls(middle.view, seat, count=200), None),
        ("view.dumps()", calls(view.dumps, count=200), None),
        ("fingerprint()", calls(middle.fingerprint, count=500), None),
        (
            "record().dumps() / serialize(), one deal",
            calls(lambda: g.record().dumps(), count=100),
            calls(state.serialize, count=2000),
        ),
        ("Record.loads(), one deal", calls(herzen.Record.loads, text, count=100), None),
        (
            "Record.replay() / deserialize_state(), one deal",
            calls(record.replay, count=100),
            calls(game.deserialize_state, serial, count=200),
        ),
        (
            f"record().dumps(), a match of {match.deal_number + 1} deals",
            calls(lambda: match.record().dumps(), count=10),
            None,
        ),
        ("Record.loads() of the match", calls(herzen.Record.loads, long_text, count=10), None),
        ("Record.replay() of the match", calls(long_record.replay, count=10), None),
    ]
    if record.replay().scores != g.scores or long_record.replay().scores != match.scores:
        raise AssertionError("a replay came to other scores")
    if game.deserialize_state(serial).returns() != state.returns():
        raise AssertionError("OpenSpiel's copy came to other scores")
    portions = {name: ours for name, ours, _ in pairs}
    portions |= {f"their {name}": theirs for name, _, theirs in pairs if theirs is not None}
    times = measure(portions, repeats)
    report.title("Single calls")
    report.row("", "herzen", "OpenSpiel", "ratio")
    for name, _, _ in pairs:
        mine = times[name]
        other = times.get(f"their {name}")
        report.row(
            name,
            duration(statistics.median(mine)),
            "" if other is None else duration(statistics.median(other)),
            "" if other is None else f"{ratio(other, mine):.2f}",
        )
    copied = statistics.median(times["copy(history=False) / clone()"]) * 1e6
    report.bar("copy(history=False)", copied, 0.3, at_least=False, unit=" us")


def copies(game: herzen.Hearts, count: int = 20_000) -> float:
    """Seconds per copy, called as programs call it."""
    start = process_time()
    for _ in repeat(None, count):
        game.copy(history=False)
    return (process_time() - start) / count


# ---- import ----------------------------------------------------------------------------------------------
@contextmanager
def children() -> Iterator[list[float]]:
    """CPU seconds of the child processes that end within the block."""
    spent = [0.0]
    try:
        import resource
    except ImportError:  # Windows: in steps of its clock
        before = os.times()
        yield spent
        after = os.times()
        spent[0] = (
            after.children_user
            + after.children_system
            - before.children_user
            - before.children_system
        )
        return
    start = resource.getrusage(resource.RUSAGE_CHILDREN)  # as os.times(), but in microseconds
    yield spent
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent[0] = end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime


def interpreter(code: str, environment: dict[str, str]) -> Portion:
    """Start Python with this program."""

    def portion() -> float:
        with children() as spent:
            subprocess.run([sys.executable, "-c", code], check=True, env=environment)
        return spent[0]

    return portion


def loaded(code: str) -> set[str]:
    """The unwanted modules that a program loads."""
    shown = f"{code}\nimport sys; print(*[name for name in {UNWANTED!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", shown], check=True, capture_output=True, text=True)
    return set(done.stdout.split())


def importing(report: Report, repeats: int) -> None:
    with tempfile.TemporaryDirectory() as cache:
        # Bytecode is compiled before the clock starts, as in an installed package.
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": cache}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        times = measure(
            {
                name: interpreter(f"import {name}", environment)
                for name in ("sys", "herzen", "pyspiel")
            },
            repeats,
        )
    ours, theirs = less(times["herzen"], times["sys"]), less(times["pyspiel"], times["sys"])
    report.title("Import, over a bare interpreter")
    report.row("", "herzen", "OpenSpiel", "ratio")
    report.row(
        "import",
        duration(statistics.median(ours)),
        duration(statistics.median(theirs)),
        f"{statistics.median(theirs) / statistics.median(ours):.2f}",
    )
    report.bar("import herzen", statistics.median(ours) * 1e3, 30.0, at_least=False, unit=" ms")
    extra = loaded("import herzen") - loaded("")
    print(f"  loaded with it of {', '.join(UNWANTED)}: {', '.join(sorted(extra)) or 'none'}")
    if extra:
        report.missed.append(f"import herzen loads {', '.join(sorted(extra))}")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="exit with 1 if a bar is missed")
    parser.add_argument("--repeats", type=int, default=51, help="portions of each work (51)")
    parser.add_argument("--deals", type=int, default=100, help="deals in a portion (100)")
    parser.add_argument(
        "--only", nargs="+", choices=SECTIONS, default=SECTIONS, help="sections to run (all)"
    )
    chosen = parser.parse_args()
    if importlib.util.find_spec("pyspiel") is None:
        sys.exit("OpenSpiel is needed: python -m pip install open-spiel")
    pyspiel = importlib.import_module("pyspiel")
    game = pyspiel.load_game("hearts")
    print(
        f"herzen {herzen.__version__}, Python {platform.python_version()}, {platform.machine()}; CPU time, medians"
    )
    report = Report()
    if "deals" in chosen.only:
        whole_deals(report, game, chosen.deals, chosen.repeats)
    if "calls" in chosen.only:
        single_calls(report, game, chosen.repeats)
    if "import" in chosen.only:
        importing(report, chosen.repeats)
    if report.missed:
        print("\nMissed:\n" + "\n".join(f"  {line}" for line in report.missed))
    return 1 if chosen.check and report.missed else 0


if __name__ == "__main__":
    sys.exit(main())
