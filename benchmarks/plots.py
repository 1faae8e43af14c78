"""Draw the figures that peers.py wrote: python benchmarks/plots.py FIGURES.json docs/images. Needs matplotlib."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "herzen"  # the same file from the same figures
import matplotlib.pyplot as plt  # noqa: E402


def save(figure: plt.Figure, path: Path) -> None:
    """Write without a date, so that the file changes only with its content."""
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    print(path)


def plies(figures: dict[str, float], path: Path) -> None:
    """What a ply costs, by the number of players."""
    figure, axes = plt.subplots(figsize=(6, 3.2))
    prefix = "ply ns, "
    names = [name.removeprefix(prefix) for name in figures if name.startswith(prefix)]
    names.sort(key=lambda name: ("packs" in name, name))
    axes.bar(names, [figures[prefix + name] for name in names], color="#4a6fa5")
    axes.set_ylabel("ns a ply")
    axes.tick_params(axis="x", rotation=25)
    save(figure, path / "plies.svg")


def widths(figures: dict[str, float], path: Path) -> None:
    """Steps a second, by the width of a batch."""
    figure, axes = plt.subplots(figsize=(6, 3.2))
    prefix = "batch steps/s, "
    for label, ending in (("masks and steps", ""), ("and observations", ", observed")):
        points = sorted(
            (int(name.removeprefix(prefix).removesuffix(", observed")), value / 1e6)
            for name, value in figures.items()
            if name.startswith(prefix) and name.endswith(", observed") == bool(ending)
        )
        axes.plot(*zip(*points, strict=True), marker="o", label=label)
    axes.set_xscale("log", base=2)
    axes.set_xlabel("games in the batch")
    axes.set_ylabel("million steps/s")
    axes.set_ylim(bottom=0)
    axes.legend()
    save(figure, path / "batch.svg")


def main() -> None:
    figures: dict[str, float] = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    path = Path(sys.argv[2])
    path.mkdir(parents=True, exist_ok=True)
    plies(figures, path)
    widths(figures, path)


if __name__ == "__main__":
    main()
