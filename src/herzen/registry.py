"""The games there are: one line each. A game's module is imported when it is first needed."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from herzen.integers import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from herzen.game import Game

GAMES: dict[str, tuple[str, str]] = {
    "hearts": ("herzen.hearts", "Hearts"),
    "vonherzen": ("herzen.vonherzen", "VonHerzen"),
    "herzsammler": ("herzen.herzsammler", "Herzsammler"),
}


def game_class(name: object) -> type[Game]:
    """The class of a game by its name; ValueError if there is none."""
    if not isinstance(name, str) or name not in GAMES:
        raise ValueError(f"no such game: {shown(name)} (there are: {', '.join(GAMES)})")
    return _loaded_class(name)


@cache
def _loaded_class(name: str) -> type[Game]:
    """The class, kept: records ask for it often, and an import takes a microsecond even when it is done."""
    module, attribute = GAMES[name]
    kind: type[Game] = getattr(import_module(module), attribute)
    return kind


def game_part(name: str, part: str) -> Any:
    """The module `part` ("text", "bot") of a game's folder; ValueError if there is no such game.

    Generic code reaches what only some programs need of a game through this door.
    """
    game_class(name)
    return import_module(f"{GAMES[name][0]}.{part}")
