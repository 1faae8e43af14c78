"""What the benchmarks share: measuring in turn, ratios, the report, the C yardsticks.

Everything is CPU time. Whatever is compared runs in turn, in small portions, in one process, many times over; a ratio
is the median of the ratios of portions that ran side by side, so a busy machine disturbs it little.
"""

from __future__ import annotations

import gc
import os
import platform
import shlex
import shutil
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

Portion = Callable[[], float]
"""Does a portion of work; CPU seconds per unit of it."""

BOUND = 1_900_000
"""Hands a second of the bare C yardstick on the machine that absolute bars are for."""


def measure(portions: dict[str, Portion], repeats: int) -> dict[str, list[float]]:
    """Run the portions in turn, beginning with another one each time; the times of each, in order."""
    times: dict[str, list[float]] = {name: [] for name in portions}
    order = list(portions)
    for portion in portions.values():
        portion()
    for _ in range(repeats):
        gc.collect()
        for name in order:
            times[name].append(portions[name]())
        order.append(order.pop(0))
    return times


def ratio(slow: Sequence[float], fast: Sequence[float]) -> float:
    """Median of the ratios of portions that ran side by side."""
    return statistics.median(a / b for a, b in zip(slow, fast, strict=True))


def less(times: Sequence[float], overhead: Sequence[float]) -> list[float]:
    """What is left of the times without an overhead measured beside them."""
    return [a - b for a, b in zip(times, overhead, strict=True)]


@dataclass
class Report:
    """What was measured, and which bars were missed."""

    missed: list[str] = field(default_factory=list)

    def title(self, text: str) -> None:
        print(f"\n{text}\n{'-' * len(text)}")

    def row(self, name: str, ours: str, theirs: str = "", times: str = "") -> None:
        print(f"  {name:<46}{ours:>14}{theirs:>14}{times:>9}")

    def bar(self, name: str, value: float, bar: float, *, at_least: bool, unit: str = "") -> None:
        """Print a figure that has a bar."""
        met = value >= bar if at_least else value < bar
        wanted = f"{'at least' if at_least else 'below'} {bar:g}{unit}"
        print(f"  {name:<46}{value:>13.2f}{unit or 'x'}  ({wanted}: {'met' if met else 'MISSED'})")
        if not met:
            self.missed.append(f"{name}: {value:.2f}{unit}, {wanted}")


def duration(seconds: float) -> str:
    """Seconds in a readable unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def rate(seconds: float) -> str:
    """Units a second."""
    return f"{1 / seconds:,.0f}/s"


# ---- hand-written C --------------------------------------------------------------------------------------
def flags(target: str) -> list[str]:
    """Compiler flags of a target: "native", or on x86-64 "v2" or "v3" (with BMI2); elsewhere plain."""
    if target == "native":
        return ["-O3", "-march=native"]
    x86 = platform.machine().lower() in ("x86_64", "amd64")
    return ["-O3", *([f"-march=x86-64-{target}"] if x86 else [])]


def compiled(source: str, directory: str, target: str, *defines: str) -> str:
    """Build a yardstick of this folder; the program's path."""
    program = str(Path(directory, f"{Path(source).stem}-{target}{''.join(defines)}"))
    _compile(source, *flags(target), *defines, "-o", program)
    return program


def shared(source: str, directory: str) -> str:
    """Build a yardstick of this folder as a library for this machine; its path."""
    library = str(Path(directory, f"{Path(source).stem}.so"))
    _compile(source, *flags("native"), "-shared", "-fPIC", "-o", library)
    return library


def _compile(source: str, *arguments: str) -> None:
    compiler = shlex.split(os.environ.get("CC", "cc"))
    if shutil.which(compiler[0]) is None:
        sys.exit("a C compiler is needed (set CC)")
    path = str(Path(__file__).with_name(source))
    subprocess.run([*compiler, *arguments, path], check=True)


def output(program: str, *arguments: object) -> list[str]:
    """The words that a yardstick prints."""
    done = subprocess.run(
        [program, *map(str, arguments)], check=True, capture_output=True, text=True
    )
    return done.stdout.split()


def yardstick(program: str) -> Portion:
    """Seconds a hand of the bare C yardstick."""

    def portion() -> float:
        words = output(program, 200_000)
        return 1 / float(words[words.index("hands/s") - 1])

    return portion
