"""Drawings of Herzsammler's cards: a band in the card's colour with its numeral or heart, and its two objects."""

from __future__ import annotations

from xml.sax.saxutils import escape

from herzen.cards import Card as AnyCard
from herzen.herzsammler.cards import LETTERS, Card
from herzen.herzsammler.text import OBJECTS, face_of, objects_of
from herzen.render.faces import FONT, SUIT_PATHS, blank
from herzen.render.themes import Theme

HUES = ("red", "yellow", "green", "blue", "violet", "orange", "grey", "brown")
"""The colours that a theme has; other names get the hue of their place in the deck."""

# In a square of 24, the outline first, then what is filled.
DRAWINGS: dict[str, tuple[str, str]] = {
    "anchor": (
        "M12 7v14.5M7 11h10M3.5 13.5c.5 5.5 4 8 8.5 8s8-2.5 8.5-8M14.5 4.5a2.5 2.5 0 1"
        " 1-5 0a2.5 2.5 0 1 1 5 0z",
        "",
    ),
    "apple": (
        "M12 7.5C12 5 13 3 15.5 2",
        "M12 7.5c-2.5-1.8-8-1.5-8.8 4C2.5 17 6 22.5 9.5 22.5c1.2 0 1.5-.6 2.5-.6s1.3.6"
        " 2.5.6c3.5 0 7-5.5 6.3-11-.8-5.5-6.3-5.8-8.8-4z",
    ),
    "bell": (
        "M2.5 18.5h19",
        "M12 2.5c-4 0-6 3-6 7.5 0 4-.8 6-3 8h18c-2.2-2-3-4-3-8 0-4.5-2-7.5-6-7.5zM14.3 20"
        "a2.3 2.3 0 0 1-4.6 0z",
    ),
    "candle": (
        "M7 22h10",
        "M9 10h6v12H9zM12 .8c2.2 2.8 3 4.2 3 5.5a3 3 0 0 1-6 0c0-1.3.8-2.7 3-5.5z",
    ),
    "drum": (
        "M3 8c0-2 4-3.5 9-3.5S21 6 21 8s-4 3.5-9 3.5S3 10 3 8zM3 8v9c0 2 4 3.5 9 3.5"
        "s9-1.5 9-3.5V8M4.5 10.5L8 19.5l4-8 4 8 3.5-9",
        "",
    ),
    "key": (
        "M10.5 8a4 4 0 1 1-8 0a4 4 0 1 1 8 0zM9.4 10.9L20.5 21.5M16 17.3l3-3M18.8 19.9l2.7-2.7",
        "",
    ),
    "moon": (
        "",
        "M15.5 2A10.5 10.5 0 1 0 22 15.8 9 9 0 0 1 15.5 2z",
    ),
    "shell": (
        "M12 21.5L2.5 11C2.5 6 6.5 3 12 3s9.5 3 9.5 8zM12 21.5V3.5M12 21.5L7 4.5M12 21.5"
        "L17 4.5M8.5 21.5h7",
        "",
    ),
    "star": (
        "",
        "M12 1.5l3.2 7 7.6.8-5.7 5.1 1.6 7.6L12 18.2 5.3 22l1.6-7.6L1.2 9.3l7.6-.8z",
    ),
    "tulip": (
        "M12 13v9.5M12 22c-4 0-6.5-2-7.5-6 4 .3 6.5 2 7.5 6zM12 22c4 0 6.5-2 7.5-6-4"
        " .3-6.5 2-7.5 6z",
        "M12 14c-4.5 0-6.5-3-6.5-6.5V2l3.3 3L12 1l3.2 4 3.3-3v5.5c0 3.5-2 6.5-6.5 6.5z",
    ),
}


def hue_of(card: Card) -> int:
    """The number of the card's colour in a theme's `hues`."""
    if card.colour in HUES:
        return HUES.index(card.colour)
    colours = list(dict.fromkeys(row[0] for row in card._rows))
    return colours.index(card.colour) % len(HUES)


def _object(card: Card, letter: str, x: float, y: float, size: float, theme: Theme) -> str:
    """An object of our deck as a drawing, one of another deck as its letter."""
    if type(card) is not Card:
        return (
            f'<circle cx="{x + size / 2:g}" cy="{y + size / 2:g}" r="{size / 2:g}" fill="none" '
            f'stroke="{theme.edge}" stroke-width="3"/><text x="{x + size / 2:g}" '
            f'y="{y + size * 0.72:g}" font-family="{FONT}" font-size="{size * 0.65:g}" '
            f'font-weight="700" text-anchor="middle" fill="{theme.edge}">{letter}</text>'
        )
    outline, filled = DRAWINGS[OBJECTS[LETTERS.index(letter)]]
    parts = f'<path d="{filled}" fill="{theme.edge}"/>' if filled else ""
    if outline:
        parts += (
            f'<path d="{outline}" fill="none" stroke="{theme.edge}" stroke-width="2" '
            'stroke-linecap="round" stroke-linejoin="round"/>'
        )
    return f'<g transform="translate({x:g} {y:g}) scale({size / 24:g})">{parts}</g>'


def face(card: AnyCard, theme: Theme) -> str:
    """The drawing of a card; in a fan, the band with colour and value shows."""
    assert isinstance(card, Card)
    hue = hue_of(card)
    ground, ink = theme.hues[hue], theme.hue_inks[hue]
    band = f'<path d="M3 11a8 8 0 0 1 8-8H40V137H11a8 8 0 0 1-8-8z" fill="{ground}"/>'
    if card.kind == "heart":
        sign = f'<path transform="translate(6 12) scale(.31)" fill="{ink}" d="{SUIT_PATHS[2]}"/>'
    else:
        narrow = ' textLength="32" lengthAdjust="spacingAndGlyphs"' if card.value > 9 else ""
        sign = (
            f'<text x="21.5" y="43" font-family="{FONT}" font-size="42" font-weight="700" '
            f'text-anchor="middle" fill="{ink}"{narrow}>{card.value}</text>'
        )
    initial = (
        f'<text x="21.5" y="84" font-family="{FONT}" font-size="28" font-weight="700" '
        f'text-anchor="middle" fill="{ink}">{card.colour[0].upper()}</text>'
    )
    letters = list(dict.fromkeys(card.objects))
    if len(letters) == 1:
        objects = _object(card, letters[0], 48, 38, 44, theme)
    else:
        objects = _object(card, letters[0], 49, 12, 42, theme)
        objects += _object(card, letters[1], 49, 65, 42, theme)
    code = (
        f'<text x="69.5" y="130" font-family="{FONT}" font-size="19" font-weight="700" '
        f'text-anchor="middle" fill="{theme.edge}">{escape(str(card))}</text>'
    )
    return f"{blank(theme)}{band}{sign}{initial}{objects}{code}"


def card_name(card: AnyCard) -> str:
    """As people say it: red 3 with anchor, key."""
    assert isinstance(card, Card)
    return f"{face_of(card, True)} with {objects_of(card)}"
