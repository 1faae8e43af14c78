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
from math import cos, pi, sin
from typing import TYPE_CHECKING

from herzen.registry import GAMES
from herzen.render.faces import BACK, FONT, HEIGHT, WIDTH, back
from herzen.render.scene import (
    MARK,
    Scene,
    SeatScene,
    Zone,
    game_name,
    game_scene,
    scene_of,
    short_names,
    tokens,
)
from herzen.render.text import clean, table
from herzen.render.themes import THEMES, Theme, find_theme
from herzen.view import View

if TYPE_CHECKING:
    from herzen.cards import Card
    from herzen.game import Game

PAGE = 880
EDGE = 16
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
        with open(path, "w", encoding="utf-8") as file:
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
    canvas = _Canvas(theme, shown)
    canvas.heading(scene)
    canvas.zones(scene)
    canvas.seats(scene)
    return canvas.finish(f"{scene['title']}. {scene['status']}.".replace("..", "."))


def hand(shown: Game | View, seat: int | None = None, *, theme: str | None = None) -> Picture:
    """The cards of one hand, of a view those that it holds of that hand; seat: None for the viewer or `turn`.

    ValueError for an unknown theme, IndexError for a seat that there is not.
    """
    if seat is None:
        found = shown.seat if isinstance(shown, View) else shown.turn
        seat = 0 if found is None else int(found)
    if not 0 <= seat < len(shown.names):
        raise IndexError(f"there is no seat {seat}: seats are 0..{len(shown.names) - 1}")
    scene = scene_of(shown)
    row = scene["seats"][str(seat)]
    name = short_names(shown.names)[seat]
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
    canvas = _Canvas(theme, None)
    canvas.card_types = {str(card): card for card in listed}
    canvas.game = game_of(listed[0]) if listed else ""
    zone = Zone(kind="row", label=shorten_caption(caption), cards=tokens(listed))
    canvas.lay({"cards": zone}, {})
    return canvas.finish(caption or " ".join(map(str, listed)) or "no cards")


def shorten_caption(caption: str) -> str:
    """A caption, printable and at most a line long."""
    return clean(caption)[:100]


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
    canvas = _Canvas(theme, shown)
    nothing = Zone(kind="row", label="Nothing lies here.")
    canvas.lay(zones or {"none": nothing}, scene_of(shown)["seats"])
    labels = [zone["label"] for zone in zones.values()]
    return canvas.finish(". ".join(labels) or "nothing")


# ---- drawing -------------------------------------------------------------------------------------------------


class _Canvas:
    """A picture in the making: elements from the top downwards."""

    def __init__(self, theme: str | None, shown: Game | View | None) -> None:
        self.theme: Theme = find_theme(theme or _chosen)
        self.names = [] if shown is None else short_names(shown.names)
        self.game = "" if shown is None else game_name(shown)
        self.rules = None if shown is None else shown.rules
        self.card_types: dict[str, Card] = {}
        self.viewer = shown.seat if isinstance(shown, View) else None
        self.parts: list[str] = []
        self.used: dict[str, None] = {}
        self.y = float(EDGE)
        self.wide = 42.0
        """Width of the cards in the seats' hands."""

    # ---- primitives ------------------------------------------------------------------------------------
    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = 15,
        fill: str | None = None,
        bold: bool = False,
        anchor: str = "start",
        width: float = 0,
    ) -> None:
        """A line of text; where it would be wider than `width`, it is squeezed."""
        squeeze = ""
        if width and text_width(text, size, bold) > width:
            squeeze = f' textLength="{width:g}" lengthAdjust="spacingAndGlyphs"'
        weight = ' font-weight="700"' if bold else ""
        place = f' text-anchor="{anchor}"' if anchor != "start" else ""
        self.parts.append(
            f'<text x="{x:g}" y="{y:g}" font-family="{FONT}" font-size="{size:g}"{weight}{place}'
            f'{squeeze} fill="{fill or self.theme.ink}">{escape(text)}</text>'
        )

    def box(
        self, x: float, y: float, width: float, height: float, fill: str, line: str = "none"
    ) -> None:
        """A rectangle with round corners."""
        self.parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="8" '
            f'fill="{fill}" stroke="{line}"/>'
        )

    def card(self, x: float, y: float, width: float, token: str) -> None:
        """A card by its token; a marked one has a bar under it."""
        name = token.rstrip(MARK)
        self.used[name] = None
        height = width * HEIGHT / WIDTH
        self.parts.append(
            f'<use href="#{self.symbol(name)}" x="{x:g}" y="{y:g}" width="{width:g}" '
            f'height="{height:g}"/>'
        )
        if token != name:
            self.parts.append(
                f'<rect x="{x:g}" y="{y + height + 2:g}" width="{width:g}" height="5" '
                f'fill="{self.theme.accent}" stroke="{self.theme.edge}" stroke-width=".5"/>'
            )

    def fan(self, x: float, y: float, width: float, names: Sequence[str], room: float) -> float:
        """Cards from left to right, overlapping where there is not room enough; where they end."""
        if not names:
            return x
        step = width + 4
        if len(names) > 1:
            step = min(step, (room - width) / (len(names) - 1))
        for place, name in enumerate(names):
            self.card(x + place * step, y, width, name)
        return x + (len(names) - 1) * step + width

    def symbol(self, name: str) -> str:
        return f"hz-{self.theme.name}-{self.game}-{name}"

    # ---- parts -----------------------------------------------------------------------------------------
    def heading(self, scene: Scene) -> None:
        """The deal, and what is to be decided."""
        room = PAGE - 2 * EDGE
        self.text(EDGE, self.y + 17, scene["title"], size=18, bold=True, width=room)
        who = "all hands, for the server's eyes"
        if self.viewer is not None:
            who = f"as {self.names[self.viewer]} sees it"
        elif self.rules is not None and not any(
            seat.get("hand") for seat in scene["seats"].values()
        ):
            who = "as a spectator sees it"
        self.text(EDGE, self.y + 40, scene["status"], size=16, width=room - 250)
        self.text(
            PAGE - EDGE, self.y + 40, who, size=14, fill=self.theme.muted, anchor="end", width=235
        )
        self.y += 54

    def zones(self, scene: Scene) -> None:
        """The places on the table."""
        self.lay(scene["zones"], scene["seats"])

    def lay(self, zones: dict[str, Zone], seats: dict[str, SeatScene]) -> None:
        """The felt with these places: a ring to the left, the others beside or under it."""
        top = self.y
        at = len(self.parts)
        left, room = EDGE + 14.0, PAGE - 2 * EDGE - 28.0
        y = top + 12
        bottom = y
        rings = [zone for zone in zones.values() if zone["kind"] == "ring"]
        for zone in rings:
            bottom = self.ring(zone, seats, left, y, 430) + 12
            left, room = left + 450, room - 450
        x, line = left, y
        for zone in zones.values():
            if zone["kind"] == "ring":
                continue
            # Rows stand side by side where they fit.
            wide = self.row_width(zone) if zone["kind"] == "row" else room
            if x > left and x + wide > left + room:
                x, y = left, line
            line = max(line, self.zone(zone, x, y, min(wide, room)) + 12)
            x += wide + 28
        y = line
        bottom = max(bottom, y)
        felt = len(self.parts)
        self.box(EDGE, top, PAGE - 2 * EDGE, bottom - top, self.theme.felt, self.theme.line)
        self.parts.insert(at, self.parts.pop(felt))
        self.y = bottom + 12

    def zone(self, zone: Zone, x: float, y: float, room: float) -> float:
        """One place; where it ends."""
        ink = self.theme.felt_ink
        self.text(x, y + 14, zone["label"], size=14, fill=ink, bold=True, width=room)
        y += 22
        if zone["kind"] == "grid":
            y = self.grid(zone, x, y, room)
        elif zone["kind"] == "rows":
            width = 30 if zone.get("small") else 40
            for name, shown, note in zone.get("rows", {}).values():
                middle = y + width * 0.7 + 5
                self.text(x, middle, name, size=14, fill=ink, width=150)
                end = self.fan(x + 160, y, width, shown.split(), room - 250)
                self.text(end + 12, middle, note, size=14, fill=ink, bold=True, width=90)
                y += width * HEIGHT / WIDTH + 10
        else:
            y = self.row(zone, x, y, room)
        return y

    def row_width(self, zone: Zone) -> float:
        """The room that cards side by side would like to have."""
        width = 36 if zone.get("small") else 56
        wide = len(zone.get("cards", "").split()) * (width + 4.0)
        if zone.get("backs"):
            wide += width + 100
        return max(wide, text_width(zone["label"], 14, True) + 4)

    def row(self, zone: Zone, x: float, y: float, room: float) -> float:
        """Cards side by side, those face down first, with their number."""
        names = zone.get("cards", "").split()
        backs = zone.get("backs", 0)
        if not names and not backs:
            return y - 4
        width = 36 if zone.get("small") else 56
        height = width * HEIGHT / WIDTH
        if backs:
            self.fan(x, y, width, [BACK] * min(backs, 3), width + 8)
            x, room = x + width + 16, room - width - 16
            count = "1 card" if backs == 1 else f"{backs} cards"
            self.text(x, y + height / 2 + 5, count, size=14, fill=self.theme.felt_ink)
            x, room = x + 76, room - 76
        self.fan(x, y, width, names, room)
        return y + height + (9 if MARK in zone.get("cards", "") else 0)

    def ring(
        self, zone: Zone, seats: dict[str, SeatScene], x: float, y: float, room: float
    ) -> float:
        """A card before each seat, as they sit, clockwise from the viewer or seat 0 at the bottom; where it ends."""
        count = len(self.names)
        tall = 290.0 if count <= 5 else 370.0
        width = 62.0 if count <= 5 else 50.0 if count <= 7 else 40.0
        height = width * HEIGHT / WIDTH
        theme = self.theme
        self.text(x, y + 14, zone["label"], size=14, fill=theme.felt_ink, bold=True)
        slots = zone.get("slots", {})
        for seat in range(count):
            turn = (seat - (self.viewer or 0)) * 2 * pi / count
            middle = x + room / 2 - sin(turn) * (room / 2 - 62)
            top = y + tall / 2 + cos(turn) * (tall / 2 - height / 2 - 16) - height / 2 - 8
            corner = middle - width / 2
            token = slots.get(str(seat))
            moves = "turn" in seats[str(seat)]
            if token is None:
                line = theme.accent if moves else theme.felt_ink
                self.parts.append(
                    f'<rect x="{corner:g}" y="{top:g}" width="{width:g}" height="{height:g}" rx="6" '
                    f'fill="none" stroke="{line}" stroke-width="{3 if moves else 1}" '
                    'stroke-dasharray="5 4"/>'
                )
            else:
                self.card(corner, top, width, token.rstrip(MARK))
            label = self.names[seat]
            if token is not None and token.endswith(MARK):
                label += " led"
            elif moves:
                label += " to play"
            size = min(text_width(label, 13, True) + 14, 124.0)
            if moves:
                self.box(middle - size / 2, top + height + 3, size, 20, theme.accent)
            self.text(
                middle,
                top + height + 18,
                label,
                size=13,
                bold=True,
                fill=theme.accent_ink if moves else theme.felt_ink,
                anchor="middle",
                width=size - 8,
            )
        return y + tall + 8

    def grid(self, zone: Zone, x: float, y: float, room: float) -> float:
        """A table of texts; where it ends."""
        head = zone.get("head", [])
        first = 90.0
        step = min((room - first) / max(1, len(head) - 1), 300.0)
        ink = self.theme.felt_ink
        for place, cell in enumerate(head):
            at = x if not place else x + first + (place - 1) * step
            self.text(at, y + 14, cell, size=14, bold=True, fill=ink, width=step - 16)
        for cells in zone.get("rows", {}).values():
            y += 24
            for place, cell in enumerate(cells):
                at = x if not place else x + first + (place - 1) * step
                text = cell.removesuffix(MARK)
                marked = bool(place) and text != cell
                room_here = min(text_width(text, 14, marked), step - 22)
                if marked:
                    self.box(at - 6, y - 1, room_here + 14, 21, self.theme.accent)
                self.text(
                    at,
                    y + 14,
                    text,
                    size=14,
                    bold=marked,
                    fill=self.theme.accent_ink if marked else ink,
                    width=room_here + 1,
                )
        y += 24
        note = zone.get("note")
        if note:
            self.text(x, y + 14, note, size=13, fill=ink, width=room)
            y += 22
        return y

    def seats(self, scene: Scene) -> None:
        """One row a seat: name, numbers, hand."""
        theme = self.theme
        columns = [EDGE + 200 + 62 * place for place in range(3)]
        start = EDGE + 200 + 62 * 3 - 10
        for x, word in zip(columns, game_scene(self.game).HEADINGS, strict=True):
            self.text(
                x + 22, self.y + 12, word, size=13, fill=theme.muted, anchor="middle", width=60
            )
        self.text(start, self.y + 12, "hand", size=13, fill=theme.muted)
        self.y += 18
        largest = max(
            len(seat.get("hand", "").split()) + seat.get("backs", 0)
            for seat in scene["seats"].values()
        )
        self.wide = 56.0 if largest <= 3 else 42.0
        for seat, name in enumerate(self.names):
            self.seat(scene, seat, name, scene["seats"][str(seat)], columns, start)

    def seat(
        self,
        scene: Scene,
        seat: int,
        name: str,
        row: SeatScene,
        columns: Sequence[float],
        start: float,
    ) -> None:
        """One seat's row."""
        theme, y = self.theme, self.y
        pile = row.get("pile", "").split()
        below = self.wide * HEIGHT / WIDTH + 8
        height = below + 6 + (46 if pile else 0)
        moves = bool(row.get("turn"))
        self.box(EDGE, y, PAGE - 2 * EDGE, height - 6, theme.panel, theme.line)
        if moves:
            self.parts.append(
                f'<path d="M{EDGE + 8} {y + 12:g}l16 11l-16 11z" fill="{theme.accent}" '
                f'stroke="{theme.ink}"/>'
            )
        self.text(EDGE + 32, y + 28, name, size=16, bold=True, width=150)
        notes = []
        if moves:
            notes.append("to move")
        if seat in scene.get("winners", ()):
            notes.append("wins")
        if seat == scene["dealer"]:
            notes.append("dealer")
        note = row.get("note")
        if note:
            notes.append(note)
        self.text(EDGE + 32, y + 48, ", ".join(notes), size=13, fill=theme.muted, width=160)
        for place, (x, value) in enumerate(zip(columns, row["values"], strict=True)):
            self.text(x + 22, y + 34, str(value), size=17, bold=not place, anchor="middle")
        room = PAGE - EDGE - 12 - start
        names = row.get("hand", "").split()
        backs = row.get("backs", 0)
        if names or backs:
            end = self.fan(start, y + 4, self.wide, [*names, *[BACK] * backs], room - 90)
            if backs:
                text = (
                    f"{backs} face down" if names else f"{backs} cards" if backs > 1 else "1 card"
                )
                self.text(end + 6, y + 38, text, size=13, fill=theme.muted, width=84)
        else:
            self.text(start, y + 38, "no cards", size=14, fill=theme.muted)
        if pile:
            self.text(start, y + below + 25, "took", size=13, fill=theme.muted)
            self.fan(start + 36, y + below + 1, 27, pile, room - 40)
        self.y += height

    def finish(self, label: str) -> Picture:
        """The picture, with the drawings of the cards in it."""
        symbols = []
        for name in sorted(self.used):
            if name == BACK:
                drawn = back(self.theme)
            else:
                card = self.card_types.get(name)
                if card is None:
                    assert self.rules is not None
                    card = self.rules._parse_card(name)
                drawn = game_scene(self.game).face(card, self.theme)
            symbols.append(
                f'<symbol id="{self.symbol(name)}" viewBox="0 0 {WIDTH} {HEIGHT}">{drawn}</symbol>'
            )
        body = "".join(self.parts)
        return Picture(
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {PAGE} {self.y:g}" '
            f'width="{PAGE}" height="{self.y:g}" role="img" aria-label="{escape(label)}">'
            f"<defs>{''.join(symbols)}</defs>"
            f'<rect width="{PAGE}" height="{self.y:g}" fill="{self.theme.page}"/>{body}</svg>'
        )


def text_width(text: str, size: float, bold: bool = False) -> float:
    """About how wide a line of text is."""
    wide = 0.0
    for letter in text:
        wide += 0.34 if letter in " .,:;il|I'!" else 0.72 if letter.isupper() else 0.62
    return wide * size * (1.06 if bold else 1.0)
