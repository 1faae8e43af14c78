"""The table as plain text: the door for all games; what stands on the table each game's `text` module says.

A game's folder has a module `text` with the functions of `GameText`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from herzen.registry import game_part
from herzen.view import View

if TYPE_CHECKING:
    from herzen.cards import SuitCard
    from herzen.events import Event
    from herzen.game import Game

WIDTH = 80
LONGEST_NAME = 14


class GameText(Protocol):
    """What the module `text` in a game's folder offers."""

    HOW_TO_TYPE: str
    """How a person types a move: a line or two."""
    COUNTED: tuple[str, ...]
    """Headings of what `counted` counts."""

    def table(self, shown: Game | View, *, symbols: bool, width: int) -> str:
        """The whole table: of a game with all hands, of a view what its viewer may know."""
        ...

    def hand(self, view: View, *, symbols: bool, width: int) -> str:
        """The viewer's own cards."""
        ...

    def prompt(self, view: View, *, symbols: bool) -> str:
        """What the viewer has to decide, what it may do, and how to write that."""
        ...

    def sentence(self, event: Event, names: Sequence[str], *, symbols: bool) -> str:
        """What happened, as a sentence; empty if it needs no saying."""
        ...

    def describe(self, move_text: str, *, symbols: bool) -> str:
        """A move as people say it."""
        ...

    def complete(self, view: View, typed: str) -> str:
        """The text of the move that a person means who leaves out what is plain."""
        ...

    def thinkable(self, view: View) -> Sequence[str]:
        """Texts of moves that the viewer may think of in this phase, one card each, legal or not."""
        ...

    def counted(self, game: Game) -> Sequence[tuple[str, int]]:
        """(heading, seat) of what the deal that has just ended adds to a summary."""
        ...


def game_text(name: str) -> GameText:
    """The `text` module of the game of this name; ValueError if there is no such game."""
    module: GameText = game_part(name, "text")
    return module


def table(shown: Game | View, *, symbols: bool = True, width: int = WIDTH) -> str:
    """The table as text, without a newline at the end.

    shown: a game, shown with all hands (that is for the server), or a view, shown as far as its viewer may know.
    symbols: suits as Unicode symbols; False for plain ASCII. width: columns after which long lines break.
    """
    name = shown.game if isinstance(shown, View) else shown.name
    text = game_text(name).table(shown, symbols=symbols, width=width)
    return text if symbols else plain_ascii(text)


# ---- what the games' texts are made of -------------------------------------------------------------------------


def clean(text: str) -> str:
    """A name from outside, safe for a terminal: what cannot be printed becomes "?"."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def plain_ascii(text: str) -> str:
    """The text with everything that is not ASCII replaced by "?"."""
    return text.encode("ascii", "replace").decode("ascii")


def shorten(text: str, width: int) -> str:
    """The text cut to a number of columns."""
    return text if len(text) <= width else text[: max(1, width - 1)] + "."


def fill(words: Sequence[str], *, first: str, width: int, between: str = " ") -> list[str]:
    """The words in lines of at most `width` columns; the first line begins with `first`, the others are indented."""
    lines = []
    line, empty = first, True
    for word in words:
        if not empty and len(line) + len(between) + len(word) > width:
            lines.append(line.rstrip())
            line, empty = " " * len(first), True
        line += word if empty else between + word
        empty = False
    return [*lines, line.rstrip()]


def grid(rows: Sequence[Sequence[str]], *, right: Sequence[int] = (), gap: str = "  ") -> list[str]:
    """Rows of cells in columns; the columns in `right` are set flush right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        gap.join(
            cell.rjust(width) if column in right else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def listed(names: Sequence[str]) -> str:
    """Names as a sentence has them: A; A and B; A, B and C."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def paragraphs(blocks: Iterable[Sequence[str]]) -> str:
    """Blocks of lines with an empty line between; blocks without lines are left out."""
    return "\n\n".join("\n".join(lines) for lines in blocks if lines)


def card_text(card: SuitCard, symbols: bool) -> str:
    """One card of a pack: `10♦`, or `TD` in ASCII."""
    return card.symbol if symbols else str(card)


def card_list(cards: Iterable[SuitCard], symbols: bool) -> str:
    """Cards of a pack in the order given, or "no cards"."""
    return " ".join(card_text(card, symbols) for card in cards) or "no cards"


def count_of_cards(count: int) -> str:
    """So many cards, in words."""
    return "1 card" if count == 1 else f"{count} cards"


def table_names(shown: Game | View) -> list[str]:
    """The players' names as tables write them: printable, and not too long."""
    return [shorten(clean(name), LONGEST_NAME) for name in shown.names]


def outcome(shown: Game | View, names: Sequence[str]) -> str:
    """Who has won a match that is over, in one sentence."""
    winners = [int(seat) for seat in shown.winners]
    verb = "wins" if len(winners) == 1 else "share the win"
    won = listed([names[seat] for seat in winners])
    return f"The match is over: {won} {verb} with {shown.scores[winners[0]]}."


def seat_rows(
    shown: Game | View, headings: Sequence[str], numbers: Sequence[int], notes: Sequence[str] = ()
) -> list[str]:
    """One row a seat: whether it may act, its name, its total, its points, one more number, what else is to be said.

    headings: of the last two numbers.
    """
    movers = {int(seat) for seat in shown.to_move}
    rows = [("", "seat", "total", *headings, *([""] if notes else []))]
    rows += [
        (
            ">" if seat in movers else "",
            f"{seat} {name}",
            str(shown.scores[seat]),
            str(shown.points[seat]),
            str(numbers[seat]),
            *notes[seat : seat + 1],
        )
        for seat, name in enumerate(table_names(shown))
    ]
    return grid(rows, right=(2, 3, 4))


def scored(names: Sequence[str], points: Sequence[int], totals: Sequence[int]) -> str:
    """What a deal brought each seat, and its new total."""
    return ", ".join(
        f"{name} {change:+d} = {total}"
        for name, change, total in zip(names, points, totals, strict=True)
    )
