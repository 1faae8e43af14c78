"""What a bot is, the two bots that every game has, and their seeds (docs/seeds.rst, domains 2 and 3)."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from herzen.bots._search import rule_code
from herzen.errors import SetupError
from herzen.moves import Move
from herzen.registry import game_part
from herzen.seeds import Seed, Stream, parse_seed
from herzen.view import View

DECISIONS, BOT_SEEDS = 2, 3  # domains of the streams


@runtime_checkable
class Bot(Protocol):
    """A player: sees a view, answers with a legal move. It never gets the game or its seed."""

    def choose(self, view: View) -> Move:
        """A move out of `view.legal_moves`, which is not empty; the same view always gets the same move."""
        ...


class SeededBot:
    """Base of bots that draw at random.

    seed: as a game's, an int, str, bytes or None for a fresh one. `choose` is a pure function of the view: a
    decision draws from Stream(seed, 2, view.ply) and from nothing else.
    """

    def __init__(self, seed: Seed = None) -> None:
        self._seed = parse_seed(seed)

    def _stream(self, view: View) -> Stream:
        return Stream(self._seed, DECISIONS, view.ply)

    def choose(self, view: View) -> Move:
        """See `Bot.choose`."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


class RandomBot(SeededBot):
    """Takes one of its legal moves, each equally likely: one bounded(n) over them in ascending code."""

    def choose(self, view: View) -> Move:
        """See `Bot.choose`; ValueError if the viewer may not act."""
        moves = legal(view)
        return moves[self._stream(view).bounded(len(moves))]


class RuleBot(SeededBot):
    """The rule player of whatever game the view is of: fast, sensible, and not strong.

    How it thinks is told in the docstrings of `herzen.hearts.bot`, `herzen.vonherzen.bot`, `herzen.herzsammler.bot`.
    It reads what its seat knows and draws at random between equally good moves only.
    """

    def choose(self, view: View) -> Move:
        """See `Bot.choose`; ValueError if the viewer may not act."""
        moves = legal(view)
        if view.seat not in view.to_move:
            raise SetupError("the view contradicts itself: the viewer is not to move")
        if len(moves) == 1:
            return moves[0]
        code = rule_choice(view, self._seed)
        for move in moves:
            if move.code == code:
                return move
        raise SetupError("legal_moves: the view contradicts itself, these are not what it allows")


def rule_choice(view: View, seed: int) -> int:
    """The code of the move that a `RuleBot` with this seed makes. SetupError if the view contradicts itself."""
    table = game_part(view.game, "_policy").table_of(view)
    if view.seat is None or not table._actors >> view.seat & 1:
        raise SetupError("legal_moves: the view contradicts itself, the viewer may not act")
    return rule_code(table, view.seat, seed, view.ply)


def bot_seed(seed: int, seat: int) -> int:
    """The seed of the bot in a seat of the match with this seed: the first 32 bytes of Stream(seed, 3, seat)."""
    return Stream(seed, BOT_SEEDS, seat).seed()


def legal(view: View) -> tuple[Move, ...]:
    """The viewer's legal moves; ValueError if it may not act."""
    if not view.legal_moves:
        raise ValueError("nothing to choose: the viewer may not act")
    return view.legal_moves
