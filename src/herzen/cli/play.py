"""`herzen play`: a person against bots."""

from __future__ import annotations

import sys

from herzen.bots import Bot, SearchBot, bot_seed, seated
from herzen.bots.failures import failure
from herzen.cli.options import fresh, read_bots, read_game, read_rules, read_seat, seed_of
from herzen.cli.output import BadInput, Held, Output, silence
from herzen.errors import IllegalMove
from herzen.events import Event
from herzen.game import Game
from herzen.render.text import GameText, fill, game_text, listed, table
from herzen.seeds import seed_text
from herzen.view import View

BOT_NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hedda", "Ivo", "June")
HINT = 4000
"""Simulations for a hint."""
HELP = """\
Other words: table (show everything), hint, undo, help, quit.
If there is only one move, Enter makes it."""


class Stop(Exception):
    """The person has left the table."""


def play_match(
    name: str,
    players: int | None,
    seed_given: str | None,
    seat: int,
    bots: str,
    rule_entries: list[str],
    record: str | None,
    ascii_only: bool,
) -> None:
    """One match with a person in a seat; see the command's options."""
    kind = read_game(name)
    rules = read_rules(kind, rule_entries, players)
    me = read_seat(seat, rules.players)
    words = read_bots(bots, rules.players)
    target = None if record is None else fresh(record)
    seed = seed_of(seed_given)
    others = iter(BOT_NAMES)
    names = ["You" if at == me else next(others) for at in range(rules.players)]
    game = kind(rules, seed=seed, names=names)
    out = Output()
    # Whatever ends the match, what was played is kept; and it is a match, not one in the middle of a move.
    with Held() as held:
        table_of = _Table(game, me, words, out, out.symbols and not ascii_only, held)
        last_words = [] if seed_given is not None else [f"seed {seed_text(seed)}"]
        heard = False
        try:
            try:
                table_of.play()
            except Stop:
                out.say("You have left the table; the match is not finished.")
            else:
                table_of.say_result()
            heard = True
        finally:
            try:
                if target is not None:
                    game.record().dump(target)
                    last_words.append(f"written: {record} (herzen replay {record} shows it)")
            finally:
                _say_last(out, last_words, heard)


def _say_last(out: Output, lines: list[str], heard: bool) -> None:
    """Say these lines. heard: whether it is an error if nobody hears them, as on a terminal that was closed."""
    try:
        for line in lines:
            out.say(line)
        sys.stdout.flush()
    except OSError:
        if heard:
            raise
        silence(sys.stdout)


class _Table:
    """A match as one person sits at it."""

    def __init__(
        self, game: Game, me: int, words: list[str], out: Output, symbols: bool, held: Held
    ) -> None:
        seed = game.seed
        assert seed is not None
        self.game = game
        self.me = me
        self.out = out
        self.symbols = symbols
        self.text: GameText = game_text(game.name)
        self.held = held
        self.words = words
        self.bots: list[Bot] = []
        for seat, word in enumerate(words):
            try:
                self.bots.append(seated(word, seed, seat))
            except Exception as error:  # a bot of one's own may do anything
                raise BadInput(failure(word, seat, game.ply, error)) from error
        self.adviser = SearchBot(bot_seed(seed, me), simulations=HINT)
        self.told = 0
        self.deal = -1

    def play(self) -> None:
        """Play to the end; Stop if the person leaves."""
        self.out.say(f"You are in seat {self.me}. Type help for help, quit to leave.")
        while not self.game.over:
            movers = [int(seat) for seat in self.game.to_move]
            bots = [seat for seat in movers if seat != self.me]
            if bots:
                # Where several may act at once the person comes last, and sees no more for it.
                self.let_play(bots[0])
            else:
                self.tell()
                self.ask()
        self.tell()

    def let_play(self, seat: int) -> None:
        """Let the bot of a seat move; BadInput if it fails, or chooses what may not be played."""
        view = self.game.view(seat)
        try:
            with self.held.let_in():
                move = self.bots[seat].choose(view)
            self.game.play(move, seat=seat)
        except Exception as error:
            raise BadInput(failure(self.words[seat], seat, self.game.ply, error)) from error

    def tell(self) -> None:
        """Say what has happened since the last time."""
        short: list[str] = []
        for event in self.game.events(self.me, since=self.told):
            self.told = event.index + 1
            sentence = self.text.sentence(event, self.game.names, symbols=self.symbols)
            if self._is_short(event) and sentence:
                short.append(sentence)
                continue
            self._flush(short)
            if sentence:
                self.out.say(f"  {sentence}")
        self._flush(short)

    @staticmethod
    def _is_short(event: Event) -> bool:
        """Whether several of these go on one line."""
        return type(event).__name__ in ("Played", "Passed")

    def _flush(self, short: list[str]) -> None:
        if short:
            for line in fill(short, first="  ", width=self.out.columns, between="   "):
                self.out.say(line)
            short.clear()

    def ask(self) -> None:
        """Get one decision from the person and play it, or take moves back."""
        view = self.game.view(self.me)
        if self.deal != self.game.deal_number:
            self.deal = self.game.deal_number
            self.show_table()  # with the hand
            self.out.say()
        else:
            self.out.say()
            self.out.say(self.text.hand(view, symbols=self.symbols, width=self.out.columns))
        for line in fill(
            self.text.prompt(view, symbols=self.symbols).split(" "),
            first="",
            width=self.out.columns,
        ):
            self.out.say(line)
        while True:
            typed = self.read()
            word = typed.lower()
            if word in ("quit", "exit", "q"):
                raise Stop
            if word in ("help", "h", "?"):
                self.out.say(f"{self.text.HOW_TO_TYPE}\n{HELP}")
            elif word in ("table", "t"):
                self.show_table()
            elif word == "hint":
                self.say_hint(view)
            elif word in ("undo", "u"):
                if self.take_back():
                    return
            elif self.try_move(typed):
                return

    def say_hint(self, view: View) -> None:
        """A good move, what it is worth, and the best other one."""
        with self.held.let_in():
            best, *others = self.adviser.explain(view)
        named = self.text.describe(str(best.move), symbols=self.symbols)
        self.out.say(f"Hint: {named} (type {best.move})")
        if others:
            other = max(others, key=lambda candidate: candidate.value)
            self.out.say(
                f"      {best.value:+.1f} points ahead of the others' mean after this deal; next best: "
                f"{self.text.describe(str(other.move), symbols=self.symbols)}, {other.value:+.1f}"
            )

    def read(self) -> str:
        """A line from the person, without blanks at its ends; Stop at the end of the input."""
        self.out.print("> ", end="")
        self.out.file.flush()
        try:
            with self.held.let_in():
                line = sys.stdin.readline()
        except (KeyboardInterrupt, SystemExit):
            _say_last(self.out, [""], False)
            raise
        if not line:
            self.out.say()
            raise Stop
        if not sys.stdin.isatty():
            self.out.say(line.strip())  # so that a transcript shows what was typed
        return line.strip()

    def try_move(self, typed: str) -> bool:
        """Play what was typed, or explain why not."""
        view = self.game.view(self.me)
        if not typed:
            if len(view.legal_moves) != 1:
                self.out.say("Type a move, or help.")
                return False
            typed = str(view.legal_moves[0])
        try:
            self.game.play(self.text.complete(view, typed), seat=self.me)
        except IllegalMove as error:
            self.out.say(f"Not possible: {self.reason(error, typed)}.")
            return False
        return True

    def reason(self, error: IllegalMove, typed: str) -> str:
        """Why what was typed is not played: where it is no move at all, in words that were typed."""
        if error.code == "unknown_move":
            try:
                self.game.parse(typed)
            except IllegalMove as plain:
                return plain.reason
        return error.reason

    def take_back(self) -> bool:
        """Take moves back up to the person's last decision; False if there is none."""
        movers = [seat for seat, _ in self.game.history]
        if self.me not in movers:
            self.out.say("There is nothing to take back.")
            return False
        while movers.pop() != self.me:
            self.game.undo()
        move = self.game.undo()
        self.told = len(self.game.log)
        self.deal = -1
        self.out.say(f"Taken back: {self.text.describe(str(move), symbols=self.symbols)}")
        return True

    def show_table(self) -> None:
        """The whole table as far as the person may know it."""
        self.out.say()
        self.out.say(table(self.game.view(self.me), symbols=self.symbols, width=self.out.columns))

    def say_result(self) -> None:
        """The end of the match."""
        names, winners = self.game.names, [int(seat) for seat in self.game.winners]
        self.out.say()
        self.out.say(
            "Final scores: "
            + ", ".join(
                f"{name} {score}" for name, score in zip(names, self.game.scores, strict=True)
            ),
            style="bold",
        )
        if winners == [self.me]:
            self.out.say("You have won!")
        else:
            self.out.say(f"Won by {listed([names[seat] for seat in winners])}.")
