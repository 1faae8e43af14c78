"""Pictures of the table as SVG, for notebooks and files. Games, views and cards show themselves with them.

>>> from herzen import render
>>> import herzen
>>> game = herzen.Hearts(seed="friday")
>>> picture = render.picture(game.view(0), theme="high-contrast")
>>> picture.svg.startswith("<svg")
True

A picture of a view is made from the view alone. A game's shows all hands: it is for the server.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, SupportsIndex

from herzen.registry import GAMES
from herzen.render.canvas import PAGE, Canvas
from herzen.render.faces import HEIGHT, WIDTH
from herzen.render.scene import Zone, game_name, game_scene, scene_of, short_names, tokens
from herzen.render.text import clean, table
from herzen.render.themes import THEMES, find_theme
from herzen.seats import read_seat
from herzen.view import View

if TYPE_CHECKING:
    from herzen.cards import Card
    from herzen.game import Game

LONGEST_CAPTION = 100
_chosen = next(iter(THEMES))


def use_theme(name: str) -> None:
    """Choose the theme of all pictures that name none: "four-colour", "two-colour" or "high-contrast".

    ValueError if there is no such theme.
    """
    global _chosen
    _chosen = find_theme(name).name


class Picture:
    """An SVG picture that notebooks show. Equal if the drawings are."""

    __slots__ = ("svg",)
    svg: str
    """The picture: one `<svg>` element, without an XML declaration."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the picture to a file."""
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(self.svg + "\n")

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        return f'<div style="overflow-x:auto;max-width:{PAGE}px">{self.svg}</div>'

    def __eq__(self, other: object) -> bool:
        return self.svg == other.svg if isinstance(other, Picture) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.svg)

    def __repr__(self) -> str:
        return f"<Picture, {len(self.svg)} bytes>"


# ---- what can be drawn ---------------------------------------------------------------------------------------


def picture(shown: Game | View, *, theme: str | None = None) -> Picture:
    """The whole table: of a game with all hands, of a view what it holds. ValueError for an unknown theme."""
    scene = scene_of(shown)
    canvas = _canvas(shown, theme)
    canvas.heading(scene, _eyes(shown))
    canvas.lay(scene["zones"], scene["seats"])
    canvas.seats(scene)
    return Picture(canvas.finish(f"{scene['title']}. {scene['status']}"))


def hand(
    shown: Game | View, seat: SupportsIndex | None = None, *, theme: str | None = None
) -> Picture:
    """The cards of one hand, of a view those that it holds of that hand; seat: None for the viewer or `turn`.

    ValueError for an unknown theme; TypeError, IndexError for a seat that there is not.
    """
    if seat is None:
        seat = shown.seat if isinstance(shown, View) else shown.turn
    number = read_seat(0 if seat is None else seat, len(shown.names))
    row = scene_of(shown)["seats"][str(number)]
    name = short_names(shown.names)[number]
    zone = Zone(kind="row", label=f"Hand of {name}", cards=row.get("hand", ""))
    zone["backs"] = row.get("backs", 0)
    return _of_zones(shown, {"hand": zone}, theme)


def trick(shown: Game | View, *, theme: str | None = None) -> Picture:
    """The trick on the table and the one before it; of another game the cards in the middle. ValueError as above."""
    wanted = ("trick", "last", "held", "open", "pile")
    return _of_zones(shown, _pick(shown, wanted), theme)


def runs(shown: Game | View, *, theme: str | None = None) -> Picture:
    """The runs on the table of Von Herzen. ValueError for an unknown theme."""
    return _of_zones(shown, _pick(shown, ("runs",)), theme)


def collections(shown: Game | View, *, theme: str | None = None) -> Picture:
    """What the seats of Herzsammler have collected, by colour. ValueError for an unknown theme."""
    return _of_zones(shown, _pick(shown, ("collected",)), theme)


def cards(some: Iterable[Card], *, caption: str = "", theme: str | None = None) -> Picture:
    """Cards side by side in the order given, all of one deck. ValueError for an unknown theme."""
    listed = list(some)
    game = game_of(listed[0]) if listed else ""
    by_text = {str(card): card for card in listed}
    canvas = Canvas(find_theme(theme or _chosen), game, by_text.__getitem__)
    label = clean(caption)[:LONGEST_CAPTION]
    canvas.lay({"cards": Zone(kind="row", label=label, cards=tokens(listed))}, {})
    return Picture(canvas.finish(label or " ".join(by_text) or "no cards"))


def game_of(card: Card) -> str:
    """The name of the game whose deck the card is of; ValueError if there is none."""
    for name, (module, _) in GAMES.items():
        if any(kind.__module__.startswith(f"{module}.") for kind in type(card).__mro__):
            return name
    raise ValueError(f"{card!r} is of no game's deck")


def card_picture(card: Card, *, theme: str | None = None) -> Picture:
    """One card. ValueError for an unknown theme."""
    part = game_scene(game_of(card))
    face = part.face(card, find_theme(theme or _chosen))
    name = escape(part.card_name(card))
    return Picture(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="75" '
        f'height="105" role="img" aria-label="{name}">{face}</svg>'
    )


def html(shown: Game | View) -> str:
    """What a notebook shows of a game or view: the picture, and the table as text for who cannot see it."""
    text = escape(clean_lines(table(shown)))
    return (
        f'<div style="max-width:{PAGE}px">{picture(shown)._repr_html_()}'
        f"<details><summary>as text</summary><pre>{text}</pre></details></div>"
    )


def clean_lines(text: str) -> str:
    """Text whose every line is printable."""
    return "\n".join(map(clean, text.split("\n")))


def _pick(shown: Game | View, wanted: Sequence[str]) -> dict[str, Zone]:
    zones = scene_of(shown)["zones"]
    return {key: zones[key] for key in wanted if key in zones}


def _of_zones(shown: Game | View, zones: dict[str, Zone], theme: str | None) -> Picture:
    canvas = _canvas(shown, theme)
    nothing = Zone(kind="row", label="Nothing lies here.")
    canvas.lay(zones or {"none": nothing}, scene_of(shown)["seats"])
    return Picture(canvas.finish(". ".join(zone["label"] for zone in zones.values()) or "nothing"))


def _canvas(shown: Game | View, theme: str | None) -> Canvas:
    parse = shown.rules._parse_card
    canvas = Canvas(find_theme(theme or _chosen), game_name(shown), parse, short_names(shown.names))
    canvas.viewer = shown.seat if isinstance(shown, View) else None
    return canvas


def _eyes(shown: Game | View) -> str:
    """For whose eyes a picture is."""
    if not isinstance(shown, View):
        return "all hands, for the server's eyes"
    if shown.seat is None:
        return "as a spectator sees it"
    return f"as {short_names(shown.names)[shown.seat]} sees it"
