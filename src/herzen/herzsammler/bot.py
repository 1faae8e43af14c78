"""A rule player for Herzsammler, and uniformly random play.

How `RuleBot` thinks. Everything is measured in points of the game, as a lead: own points less those of the best
other seat (less their mean, where there are several).

- **Worth of collections**: in each colour a seat's numerals count by the chance that it keeps them. That chance comes
  from its lead in hearts and from the hearts that may still be taken; it is sharp once there are none. So a heart is
  worth much where it wins or turns a majority, and a numeral where the majority is likely.
- **Taking**: a move is worth what the collections gain by the cards it takes.
- **Denying**: every card that stays open, the shown one included, may be taken by the seats that come next. What it
  would gain them is a cost, by the chance that they hold a card to take it with. Cards that everybody knows in their
  hands count in full. So the bot takes what others need, and does not open good cards.
- **Keeping**: the cards kept in the hand are worth a part of what the better one could take the next time.
- **The end**: a move that ends the game is judged by the real points, and in the last game by who then wins.

It remembers only what the view says; it does not search. Ties are broken by the bot's stream. The rules are written
once, at C level (`_policy.pyx`), for search to play on with; `RuleBot` asks them on a position made from its view.
"""

from __future__ import annotations

from herzen.bots.base import SeededBot, legal
from herzen.game import Game
from herzen.herzsammler import _policy
from herzen.herzsammler.moves import from_code
from herzen.herzsammler.view import HerzsammlerView
from herzen.moves import Move
from herzen.seeds import Stream
from herzen.view import View


def draw(game: Game, stream: Stream) -> int:
    """The code of a uniformly random move of the seat `turn`, as docs/seeds.rst says."""
    codes = game.codes()
    return codes[stream.bounded(len(codes))]


class RuleBot(SeededBot):
    """Plays Herzsammler by the rules of thumb that this module's docstring lists. `herzen.bots.RuleBot` finds it."""

    def choose(self, view: View) -> Move:
        """See `herzen.bots.Bot.choose`; ValueError if the viewer may not act."""
        moves = legal(view)
        if len(moves) == 1:
            return moves[0]
        assert isinstance(view, HerzsammlerView)
        code = _policy.rule_code(_policy.table_of(view), self._seed, view.ply)
        return from_code(code, view.rules._cards, view.rules.choose_object)
