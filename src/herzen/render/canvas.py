"""Laying out a scene as SVG: elements from the top downwards (see `herzen.render.svg`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from math import cos, pi, sin
from typing import TYPE_CHECKING
from zlib import crc32

from herzen.render.faces import BACK, FONT, HEIGHT, WIDTH, back
from herzen.render.scene import MARK, Scene, SeatScene, Zone, game_scene, totals_note
from herzen.render.text import shorten
from herzen.render.themes import Theme

if TYPE_CHECKING:
    from herzen.cards import Card

PAGE = 880
"""Width of a picture."""
EDGE = 16


class Canvas:
    """A picture in the making: elements from the top downwards."""

    def __init__(
        self, theme: Theme, game: str, find: Callable[[str], Card], names: Sequence[str] = ()
    ) -> None:
        """find: the card of a text."""
        self.theme = theme
        self.game = game
        self.find = find
        self.names = names
        self.viewer: int | None = None
        self.parts: list[str] = []
        self.drawn: dict[str, tuple[str, str]] = {}
        """Identifier and drawing of the cards that were used, by text."""
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
        """The identifier of a card's drawing: another one for another drawing, as a page may hold many pictures."""
        if name not in self.drawn:
            if name == BACK:
                drawing = back(self.theme)
            else:
                drawing = game_scene(self.game).face(self.find(name), self.theme)
            self.drawn[name] = (f"hz-{crc32(drawing.encode()):08x}-{name}", drawing)
        return self.drawn[name][0]

    # ---- parts -----------------------------------------------------------------------------------------
    def heading(self, scene: Scene, who: str) -> None:
        """The deal, what is to be decided, and for whose eyes the picture is."""
        room = PAGE - 2 * EDGE
        self.text(EDGE, self.y + 17, scene["title"], size=18, bold=True, width=room)
        self.text(EDGE, self.y + 40, scene["status"], size=16, width=room - 250)
        self.text(
            PAGE - EDGE, self.y + 40, who, size=14, fill=self.theme.muted, anchor="end", width=235
        )
        self.y += 54

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
        tall = 290.0 if count <= 5 else 370.0 if count <= 7 else 430.0
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
            # Among many there is room for a few letters only; the colour tells who is to play.
            label = self.names[seat] if count <= 5 else shorten(self.names[seat], 9)
            if token is not None and token.endswith(MARK):
                label += " led"
            elif moves and count <= 5:
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
        note = totals_note(self.game)
        self.text(PAGE - EDGE, self.y + 12, note, size=13, fill=theme.muted, anchor="end")
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

    def finish(self, label: str) -> str:
        """The picture, with the drawings of the cards in it."""
        symbols = "".join(
            f'<symbol id="{name}" viewBox="0 0 {WIDTH} {HEIGHT}">{drawing}</symbol>'
            for name, drawing in sorted(self.drawn.values())
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {PAGE} {self.y:g}" '
            f'width="{PAGE}" height="{self.y:g}" role="img" aria-label="{escape(label)}">'
            f"<defs>{symbols}</defs>"
            f'<rect width="{PAGE}" height="{self.y:g}" fill="{self.theme.page}"/>'
            f"{''.join(self.parts)}</svg>"
        )


def text_width(text: str, size: float, bold: bool = False) -> float:
    """About how wide a line of text is."""
    wide = 0.0
    for letter in text:
        wide += 0.34 if letter in " .,:;il|I'!" else 0.72 if letter.isupper() else 0.62
    return wide * size * (1.06 if bold else 1.0)
