"""Showing games: `text` for terminals, `svg` for notebooks, `page` for a replay in a browser.

`herzen.render.picture(view)` and its like are loaded on first use (see `herzen.render.svg`); so is `page`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from herzen.render.svg import Picture as Picture
    from herzen.render.svg import cards as cards
    from herzen.render.svg import collections as collections
    from herzen.render.svg import hand as hand
    from herzen.render.svg import picture as picture
    from herzen.render.svg import runs as runs
    from herzen.render.svg import trick as trick
    from herzen.render.svg import use_theme as use_theme

__all__ = [
    "Picture",
    "cards",
    "collections",
    "hand",
    "picture",
    "runs",
    "trick",
    "use_theme",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'herzen.render' has no attribute {name!r}")
    from herzen.render import svg

    return getattr(svg, name)
