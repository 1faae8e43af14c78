"""A picture of a tournament's results, by matplotlib."""

from __future__ import annotations

import os
from importlib import import_module
from math import isfinite
from typing import TYPE_CHECKING, Any

from herzen.errors import ArenaError

if TYPE_CHECKING:
    from herzen.arena.results import Results

ENDINGS = (".png", ".svg", ".pdf")
MISSING = "matplotlib is needed: python -m pip install 'herzen[arena]'"


def check(path: str | os.PathLike[str]) -> None:
    """ArenaError for what would only fail at the end: another kind of file, or no matplotlib."""
    name = os.fspath(path)
    if os.path.splitext(name)[1].lower() not in ENDINGS:
        raise ArenaError(f"{name}: a picture's name ends in {', '.join(ENDINGS)}")
    try:
        import_module("matplotlib.figure")
    except ImportError:
        raise ArenaError(f"{name}: {MISSING}") from None


def draw(results: Results, path: str | os.PathLike[str]) -> None:
    """Two panels: mean score, and rating; a row for each bot, its interval as a line."""
    check(path)
    # Without pyplot: no window, no state that outlives the call.
    figure: Any = import_module("matplotlib.figure").Figure(layout="constrained")
    bots = results.standing.bots
    figure.set_size_inches(9, 1.4 + 0.45 * len(bots))
    panels = figure.subplots(1, 2, sharey=True)
    single = bool((results.hands == 1).all())
    titles = (
        "score of a deal" if single else "score of a match",
        "rating (Bradley-Terry, Elo scale)",
    )
    for panel, title, name in zip(panels, titles, ("score", "rating"), strict=True):
        for row, bot in enumerate(bots):
            found = getattr(bot, name)
            half = found.high - found.value if isfinite(found.high) else 0.0
            panel.errorbar(found.value, row, xerr=half, fmt="o", capsize=3, color="C0")
        panel.set_title(title, fontsize="medium")
        panel.grid(axis="x", alpha=0.3)
    panels[0].set_yticks(range(len(bots)), [bot.bot for bot in bots])
    panels[0].set_ylim(len(bots) - 0.5, -0.5)
    tournament = results.tournament
    figure.suptitle(
        f"{tournament.rules.game}: {len(results.deals):,} deals of {len(tournament.lineups)} line-ups, "
        "95 % intervals",
        fontsize="medium",
    )
    figure.savefig(path, dpi=120)
