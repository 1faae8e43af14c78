"""`herzen replay FILE --step`: walk through a recorded match in the terminal.

`Walk` knows where one stands and what there is to say about it; `Stepper` is its screen and its keys, with textual.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Footer, Static

from herzen.cli.options import read_seat
from herzen.cli.output import BadInput, Output
from herzen.cli.replay import find_record
from herzen.errors import ReplayMismatch
from herzen.game import Game
from herzen.record import Record
from herzen.render.text import clean, fill, game_text, plain_ascii, table
from herzen.view import View

SERVER = -2
"""The one who sees all hands. A seat is a number, a spectator None."""


class Walk:
    """Where one stands in a record, through whose eyes, and what there is to see."""

    def __init__(self, record: Record, at: int, seat: int | None = SERVER) -> None:
        self.record = record
        self.text = game_text(record.game)
        self.seat = seat
        self.broken = ""
        self.deals: list[int] = []
        self.turns: list[int] = []
        """Where a deal, and a trick or a turn, begins."""
        count = -1
        before: Any = None
        try:
            for game in record.positions():
                count += 1
                # A game with tricks is told trick by trick, any other turn by turn.
                tricks = getattr(game, "tricks", None)
                now = (game.deal_number, game._turn if tricks is None else len(tricks))
                if before is None or now[0] != before[0]:
                    self.deals.append(count)
                if now != before:
                    self.turns.append(count)
                before = now
        except ReplayMismatch as error:
            self.broken = str(error)
        self.last = count
        self.at = min(at, count)

    # ---- going -----------------------------------------------------------------------------------------
    def go(self, to: int) -> None:
        """Stand after so many moves, or at the nearest end."""
        self.at = max(0, min(to, self.last))

    def jump(self, marks: list[int], way: int) -> None:
        """Go to the next mark (way 1) or the one before (-1); to the end or the beginning where there is none."""
        if way > 0:
            self.go(next((mark for mark in marks if mark > self.at), self.last))
        else:
            self.go(next((mark for mark in reversed(marks) if mark < self.at), 0))

    def turn_to(self, way: int) -> None:
        """Look through the eyes of the next (1) or the previous (-1): the server, the seats, a spectator."""
        eyes: list[int | None] = [SERVER, *range(self.record.rules.players), None]
        self.seat = eyes[(eyes.index(self.seat) + way) % len(eyes)]

    # ---- seeing ----------------------------------------------------------------------------------------
    @property
    def game(self) -> Game:
        """The game at this place."""
        return self.record.replay(self.at)

    def eyes(self) -> str:
        """Through whose eyes, in words."""
        if self.seat == SERVER:
            return "all hands"
        if self.seat is None:
            return "a spectator"
        return f"seat {self.seat}"

    def title(self) -> str:
        """Where one stands."""
        deal = sum(1 for mark in self.deals if mark <= self.at)
        return (
            f"{self.record.game}  move {self.at} of {self.last}  deal {deal}  seen by {self.eyes()}"
        )

    def table(self, symbols: bool, width: int) -> str:
        """The table, as far as the viewer may know it."""
        game = self.game
        shown: Game | View = game if self.seat == SERVER else game.view(self.seat)
        return table(shown, symbols=symbols, width=width)

    def story(self, symbols: bool) -> list[str]:
        """What the last move brought about, what comes next, and notes."""
        game = self.game
        names = [clean(name) for name in game.names]
        told = []
        events = game.log if self.seat == SERVER else game.events(self.seat)
        for event in events:
            if event.version == self.at:
                told.append(self.text.sentence(event, names, symbols=symbols))
        if self.seat == SERVER:
            if self.at < self.last:
                mover, move = self.record.moves[self.at]
                told.append(f"Next: {names[mover]}, {self.text.describe(move, symbols=symbols)}")
            told += [f"Note: {clean(text)}" for at, text in self.record.notes if at == self.at]
            if self.record.stamps and self.at:
                stamp = self.record.stamps[self.at - 1]
                told += [] if stamp is None else [f"Played at {stamp} ms"]
        if self.at == self.last and self.broken:
            told.append(f"The record goes on, but does not replay: {clean(self.broken)}")
        elif self.at == self.last and not game.over:
            told.append("The match was not finished.")
        return [line for line in told if line]

    def moves(self, symbols: bool) -> list[str]:
        """The legal moves of the viewer (of the server: of all who may act), and why others are not legal."""
        game = self.game
        told = []
        for mover in game.to_move:
            seat = int(mover)
            if self.seat not in (SERVER, seat):
                continue
            legal = game.legal_moves(seat)
            shown = [str(move) for move in legal[:60]]
            more = f" ... {len(legal)} in all" if len(legal) > len(shown) else ""
            told.append(f"Seat {seat} may play: {', '.join(shown)}{more}")
            for text in self.text.thinkable(game.view(seat)):
                why = game.why_illegal(text, seat)
                if why is not None:
                    told.append(f"  not {text}: {why if symbols else plain_ascii(why)}")
        return told or ["Nobody here has a move to make."]


class Stepper(App[None]):
    """The screen of a walk."""

    CSS = """
    #title { background: $primary; color: $text; padding: 0 1; height: 1; }
    #scroll { height: 1fr; padding: 0 1; }
    #story { margin-top: 1; }
    #moves { margin-top: 1; }
    """
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,space,n", "move(1)", "next", key_display="→"),
        Binding("left,p", "move(-1)", "back", key_display="←"),
        Binding("down,j", "turn(1)", "trick/turn", key_display="↓", priority=True),
        Binding("up,k", "turn(-1)", "", show=False, priority=True),
        Binding("pagedown,d", "deal(1)", "deal", key_display="PgDn", priority=True),
        Binding("pageup,D", "deal(-1)", "", show=False, priority=True),
        Binding("home", "end(-1)", "", show=False, priority=True),
        Binding("end", "end(1)", "", show=False, priority=True),
        Binding("s", "seat(1)", "seat"),
        Binding("S", "seat(-1)", "", show=False),
        Binding("m", "moves", "legal moves"),
        Binding("enter", "typed", "number + Enter: go to", key_display="0-9"),
        Binding("escape", "forget", "", show=False),
        Binding("q", "quit", "quit"),
        Binding("ctrl+c", "interrupt", "", show=False, priority=True),
    ]

    def __init__(self, walk: Walk, symbols: bool) -> None:
        super().__init__()
        self.walk = walk
        self.symbols = symbols
        self.with_moves = False
        self.digits = ""
        self.interrupted = False

    def compose(self) -> ComposeResult:
        """The title, the table with what is told below it, the keys."""
        yield Static(id="title", markup=False)
        with VerticalScroll(id="scroll"):
            yield Static(id="table", markup=False)
            yield Static(id="story", markup=False)
            yield Static(id="moves", markup=False)
        yield Footer()

    def on_mount(self) -> None:
        """Show where the walk begins."""
        self.show()

    def on_resize(self) -> None:
        """Break the lines anew."""
        self.show()

    def show(self) -> None:
        """Show where one stands now."""
        width = max(40, self.size.width - 4)
        typed = f"  go to {self.digits}" if self.digits else ""
        self.query_one("#title", Static).update(Text(self.walk.title() + typed))
        self.query_one("#table", Static).update(_coloured(self.walk.table(self.symbols, width)))
        story = "\n".join(self.walk.story(self.symbols))
        self.query_one("#story", Static).update(_coloured(story))
        moves = self.walk.moves(self.symbols) if self.with_moves else []
        lines = [part for line in moves for part in _broken(line, width)]
        self.query_one("#moves", Static).update(_coloured("\n".join(lines)))

    def _then(self, do: Callable[[], None]) -> None:
        self.digits = ""
        do()
        self.show()

    def action_move(self, way: int) -> None:
        """One move on or back."""
        self._then(lambda: self.walk.go(self.walk.at + way))

    def action_turn(self, way: int) -> None:
        """To the next or the previous trick or turn."""
        self._then(lambda: self.walk.jump(self.walk.turns, way))

    def action_deal(self, way: int) -> None:
        """To the next or the previous deal."""
        self._then(lambda: self.walk.jump(self.walk.deals, way))

    def action_end(self, way: int) -> None:
        """To the beginning or the end."""
        self._then(lambda: self.walk.go(self.walk.last if way > 0 else 0))

    def action_seat(self, way: int) -> None:
        """Through other eyes."""
        self._then(lambda: self.walk.turn_to(way))

    def action_moves(self) -> None:
        """Show the legal moves, or no longer."""
        self.with_moves = not self.with_moves
        self._then(lambda: None)

    def on_key(self, event: Any) -> None:
        """Collect the digits of a move's number."""
        if event.key.isdigit() and len(event.key) == 1 and len(self.digits) < 9:
            self.digits += event.key
            self.show()

    def action_typed(self) -> None:
        """Go to the move whose number was typed."""
        if self.digits:
            number = int(self.digits)
            self._then(lambda: self.walk.go(number))

    def action_forget(self) -> None:
        """Forget the digits."""
        self._then(lambda: None)

    def action_interrupt(self) -> None:
        """Ctrl-C."""
        self.interrupted = True
        self.exit()


def _coloured(text: str) -> Text:
    shown = Text(text)
    shown.highlight_regex(r"(\b(10|[2-9JQKA]))?[♥♦]", "red")
    return shown


def _broken(line: str, width: int) -> list[str]:
    """A long line in lines of at most this width."""
    if len(line) <= width:
        return [line]
    indent = " " * (len(line) - len(line.lstrip()))
    return fill(line.split(), first=indent, width=width)


def step_through(
    path: str, number: int, at: int | None, seat: int | None, ascii_only: bool
) -> None:
    """Walk through record `number` of a file. KeyboardInterrupt if the user pressed Ctrl-C."""
    record, _ = find_record(path, number)
    if at is not None and at > len(record.moves):
        raise BadInput(f"--at: the record has {len(record.moves)} moves, not {at}")
    if seat is not None:
        read_seat(seat, record.rules.players)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise BadInput("--step needs a terminal")
    walk = Walk(record, at or 0, SERVER if seat is None else seat)
    app = Stepper(walk, Output().symbols and not ascii_only)
    app.run()
    if app.interrupted:
        raise KeyboardInterrupt
