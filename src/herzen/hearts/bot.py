"""A rule player for Hearts, and uniformly random play action by action.

How `RuleBot` thinks (its rules are in C, in `_policy.pyx`: searches play millions of deals to their ends by them):

- **Passing**: high spades and the queen, unless low spades guard them; then high cards without lower ones of their
  suit, hearts a little sooner, and cards of short suits, so that points can be thrown on them later.
- **Leading**: a low card of a short suit of which others hold higher ones; low spades while the queen is out, if no
  higher spade than the queen is held; not the suit of one's own queen.
- **Following**: the highest card that does not win, the queen under a higher spade at once. Where every card wins:
  the highest if the seat plays last, if no points can come, or if the suit goes round for the first time; otherwise
  the lowest, and below the queen while she is out.
- **Throwing away**: the queen, then high cards with few lower ones beside them, hearts and spades above the queen
  first.
- **Bonus cards** are kept for a trick that takes them; a trick with one in it is taken if it is worth it.
- **The moon**: who alone has taken four penalty cards or more goes on if the hand is likely to take everything. The
  others take a cheap trick from such a seat where they can, keep their high cards, and throw no points on it.
- **The decision after a moon**: whichever leaves the shooter further ahead, looking at the end of the match, floor
  and resets.

It counts which cards are out; who holds them it does not guess. It draws no random numbers, so its seed makes no
difference.
"""

from __future__ import annotations

from herzen.bots._search import rule_move
from herzen.bots.base import SeededBot, legal
from herzen.game import Game
from herzen.hearts import _policy as _policy  # fills in the functions that rule_move calls
from herzen.hearts import _zones
from herzen.hearts._worlds import Worlds
from herzen.hearts.cards import CARDS
from herzen.hearts.game import Hearts, Phase
from herzen.hearts.moves import Pass
from herzen.moves import Move
from herzen.seeds import Stream
from herzen.view import View


def draw(game: Game, stream: Stream) -> int:
    """The code of a uniformly random move of the seat `turn`, drawn action by action as docs/seeds.rst says."""
    assert isinstance(game, Hearts)
    if game.phase is not Phase.PASS:
        codes = game.codes()
        return codes[stream.bounded(len(codes))]
    pool = list(_zones.pass_pool_of(game, game._turn))
    picks = []
    for _ in range(game.rules.pass_count):
        kinds = sorted(set(pool))
        picks.append(kinds[stream.bounded(len(kinds))])
        pool.remove(picks[-1])
    return Pass([CARDS[card] for card in picks]).code


class RuleBot(SeededBot):
    """Plays Hearts by the rules of thumb that this module's docstring lists. `herzen.bots.RuleBot` finds it."""

    def choose(self, view: View) -> Move:
        """See `herzen.bots.Bot.choose`; ValueError if the viewer may not act."""
        moves = legal(view)
        if len(moves) == 1:
            return moves[0]
        assert view.seat is not None
        # Any world will do: the rule player looks at what its seat knows, which is the same in all of them.
        world = Worlds(view).sample(0)
        return world._from_code(rule_move(world, view.seat))
