"""Drawings of cards: a card is 100 wide and 140 high. Suits are paths, so that no font has to have them."""

from __future__ import annotations

from xml.sax.saxutils import escape

from herzen.cards import SuitCard
from herzen.render.themes import Theme

WIDTH, HEIGHT = 100, 140
FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif"
BACK = "back"
"""The token of a card that lies face down."""

# In a square of 100. The parts of the club run clockwise, so that they add up.
SUIT_PATHS = (
    "M30 27a20 20 0 1 1 40 0a20 20 0 1 1-40 0zM6 58a20.5 20.5 0 1 1 41 0a20.5 20.5 0 1 1-41 0z"
    "M53 58a20.5 20.5 0 1 1 41 0a20.5 20.5 0 1 1-41 0zM62 40L54 58C54 80 58 90 68 95L32 95"
    "C42 90 46 80 46 58L38 40z",
    "M50 4Q66 30 87 50Q66 70 50 96Q34 70 13 50Q34 30 50 4z",
    "M50 92C24 66 7 50 7 31C7 17 17 8 29 8C39 8 46 14 50 23C54 14 61 8 71 8C83 8 93 17 93 31C93 50 76 66 50 92z",
    "M50 5C44 22 9 42 9 65C9 77 18 85 29 85C37 85 43 81 46 75C45 85 41 92 33 96L67 96C59 92 55 85 54 75"
    "C57 81 63 85 71 85C82 85 91 77 91 65C91 42 56 22 50 5z",
)
"""Clubs, diamonds, hearts, spades."""


def suit_mark(suit: int, x: float, y: float, size: float, colour: str) -> str:
    """A suit's symbol in a square with this corner and size."""
    return (
        f'<path transform="translate({x:g} {y:g}) scale({size / 100:g})" fill="{colour}" '
        f'd="{SUIT_PATHS[suit]}"/>'
    )


def blank(theme: Theme) -> str:
    """The face before anything is on it."""
    return (
        f'<rect x="1.5" y="1.5" width="97" height="137" rx="10" fill="{theme.card}" '
        f'stroke="{theme.edge}" stroke-width="3"/>'
    )


def back(theme: Theme) -> str:
    """The back of every card."""
    lines = "".join(
        f'<path d="M{x} 14L{x + 20} 126M{x + 20} 14L{x} 126" stroke="{theme.back_line}" '
        'stroke-width="3" fill="none"/>'
        for x in (20, 40, 60)
    )
    return (
        f'<rect x="1.5" y="1.5" width="97" height="137" rx="10" fill="{theme.card}" '
        f'stroke="{theme.edge}" stroke-width="3"/>'
        f'<rect x="8" y="8" width="84" height="124" rx="6" fill="{theme.back}"/>{lines}'
    )


def suit_face(card: SuitCard, theme: Theme) -> str:
    """A card of a pack: rank and suit in the corner that shows in a fan, the suit once more, large."""
    rank, colour = card.symbol[:-1], theme.suits[card.suit]
    spread = ' textLength="34" lengthAdjust="spacingAndGlyphs"' if len(rank) > 1 else ""
    return (
        f'{blank(theme)}<text x="24" y="45" font-family="{FONT}" font-size="44" font-weight="700" '
        f'text-anchor="middle" fill="{colour}"{spread}>{escape(rank)}</text>'
        f"{suit_mark(card.suit, 8, 55, 32, colour)}{suit_mark(card.suit, 38, 72, 56, colour)}"
    )


def suit_name(card: SuitCard) -> str:
    """As people say it: queen of spades."""
    from herzen.cards import SUIT_NAMES

    ranks = {"T": "10", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}
    rank = str(card)[0]
    return f"{ranks.get(rank, rank)} of {SUIT_NAMES[card.suit]}"
