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

It remembers only what the view says; it does not search. Ties are broken by the bot's stream.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import exp

from herzen.bots.base import SeededBot, legal
from herzen.game import Game
from herzen.herzsammler import _rules
from herzen.herzsammler.cards import Card
from herzen.herzsammler.moves import Show
from herzen.herzsammler.view import HerzsammlerView
from herzen.moves import Move
from herzen.seeds import Stream
from herzen.view import View

# The weights of the rules above. They were set by playing many games against other settings.
SPREAD = 0.8
"""How much each heart that may still be taken blurs a lead in hearts."""
TO_COME = 1.1
"""Weight of the numerals still to be taken, shared out evenly, where a seat keeps them."""
DENY = 1.0
"""Weight of what the next seats can take against what is taken now."""
KEEP = 0.35
"""Weight of what the hand can take the next time."""
UNSEEN_TAKES = 0.6
"""How readily a seat takes a given open card that one of its unknown cards matches."""
WIN = 1000.0
"""Worth of winning the match by the move that ends it."""


def draw(game: Game, stream: Stream) -> int:
    """The code of a uniformly random move of the seat `turn`, as docs/seeds.rst says."""
    codes = game.codes()
    return codes[stream.bounded(len(codes))]


class _Deck:
    """What a deck says, in the form that is wanted here. Made once for each deck."""

    def __init__(self, cards: type[Card]) -> None:
        self.colours = {
            colour: at for at, colour in enumerate(dict.fromkeys(row[0] for row in cards._rows))
        }
        self.colour: dict[Card, int] = {}
        self.letters: dict[Card, frozenset[str]] = {}
        self.hearts = [0] * len(self.colours)
        self.numerals = [0] * len(self.colours)
        for card in cards._by_id:
            at = self.colour[card] = self.colours[card.colour]
            self.letters[card] = frozenset(card.objects)
            self.hearts[at] += card.kind == "heart"
            self.numerals[at] += card.value
        self.size = len(cards._by_id)
        self.showing = Counter(letter for card in cards._by_id for letter in self.letters[card])


_DECKS: dict[type[Card], _Deck] = {}


def _deck(cards: type[Card]) -> _Deck:
    deck = _DECKS.get(cards)
    if deck is None:
        deck = _DECKS[cards] = _Deck(cards)
    return deck


class _Table:
    """What a view tells: collections by colour, what is still out, what others may hold."""

    def __init__(self, view: HerzsammlerView) -> None:
        assert view.seat is not None
        self.view = view
        self.rules = view.rules
        self.me = view.seat
        self.n = view.rules.players
        self.deck = _deck(view.rules._cards)
        width = len(self.deck.colours)
        self.hearts = [[0] * width for _ in range(self.n)]
        self.numerals = [[0] * width for _ in range(self.n)]
        self.hearts_left = list(self.deck.hearts)
        self.numerals_left = list(self.deck.numerals)
        for seat, pile in enumerate(view.collections):
            hearts, numerals = self.hearts[seat], self.numerals[seat]
            for card in pile:
                at = self.deck.colour[card]
                if card.kind == "heart":
                    hearts[at] += 1
                    self.hearts_left[at] -= 1
                else:
                    numerals[at] += card.value
                    self.numerals_left[at] -= card.value
        # Of the cards not collected yet, those that lie in hands and open at the end count for nobody.
        left = self.deck.size - sum(map(len, view.collections))
        never = 2 * self.n + len(view.open)
        self.share = max(0.0, (left - never) / left) if left else 0.0
        self.now = [self._worth_of(at, self._seats(at)) for at in range(width)]
        self.match = self._matching()
        self._gains: dict[tuple[int, int, int, int], float] = {}
        self._dangers: dict[Card, float] = {}

    def _seats(self, at: int) -> list[tuple[int, int]]:
        return [(self.hearts[seat][at], self.numerals[seat][at]) for seat in range(self.n)]

    # ---- worth of collections ----------------------------------------------------------------------------
    def _worth_of(self, at: int, seats: Sequence[tuple[int, int]]) -> list[float]:
        """The points that each seat is likely to keep in a colour, given (hearts, numerals) by seat."""
        coming = self.hearts_left[at] * self.share
        blur = SPREAD * coming**0.5 + 0.05
        future = TO_COME * self.numerals_left[at] * self.share / self.n
        # A tie is enough, or not; without any heart in sight it may be that nobody keeps.
        tie = 0.5 if self.rules.majority_tie == "all" else -0.5
        none = 1 if self.rules.require_heart and coming < 1 else 0
        *_, second, most = sorted([hearts for hearts, _ in seats])
        out = []
        for hearts, numerals in seats:
            lead = hearts - (second if hearts == most else most) + tie
            if not hearts:
                lead -= none
            chance = 1 / (1 + exp(max(-40.0, min(40.0, -1.7 * lead / blur))))
            out.append(chance * (numerals + future))
        return out

    def lead(self, worth: Sequence[float], seat: int) -> float:
        """A seat's points less the mean of the best other seat and of all others."""
        others = [points for other, points in enumerate(worth) if other != seat]
        return worth[seat] - (max(others) + sum(others) / len(others)) / 2

    def gain(self, seat: int, cards: Iterable[Card]) -> float:
        """What taking these cards adds to a seat's lead: colours count on their own."""
        added: dict[int, tuple[int, int]] = {}
        for card in cards:
            at = self.deck.colour[card]
            hearts, numerals = added.get(at, (0, 0))
            added[at] = (
                (hearts + 1, numerals) if card.kind == "heart" else (hearts, numerals + card.value)
            )
        total = 0.0
        for at, (hearts, numerals) in added.items():
            key = (seat, at, hearts, numerals)
            gain = self._gains.get(key)
            if gain is None:
                gain = self._gains[key] = self._gain(*key)
            total += gain
        return total

    def _gain(self, seat: int, at: int, hearts: int, numerals: int) -> float:
        seats = self._seats(at)
        seats[seat] = (seats[seat][0] + hearts, seats[seat][1] + numerals)
        self.hearts_left[at] -= hearts
        self.numerals_left[at] -= numerals
        worth = self._worth_of(at, seats)
        self.hearts_left[at] += hearts
        self.numerals_left[at] += numerals
        return self.lead(worth, seat) - self.lead(self.now[at], seat)

    # ---- other hands -------------------------------------------------------------------------------------
    def _matching(self) -> dict[str, float]:
        """For each object, the share of the unseen cards that show it."""
        view, letters = self.view, self.deck.letters
        seen = [view.hand, view.open, view.bottom, *view.collections]
        seen += [cards for seat, cards in view.known.items() if seat != self.me]
        left = self.deck.size - sum(map(len, seen))
        shown = dict(self.deck.showing)
        for pile in seen:
            for card in pile:
                for letter in letters[card]:
                    shown[letter] -= 1
        return {letter: count / left for letter, count in shown.items()} if left else {}

    def chance_taken(self, seat: int, card: Card) -> float:
        """The chance that a seat takes this open card in its next turn."""
        letters = self.deck.letters[card]
        known = self.view.known.get(seat, ())
        if any(letters & self.deck.letters[other] for other in known):
            return 1.0
        one = min(1.0, sum(self.match.get(letter, 0.0) for letter in letters))
        unknown = self.view.hand_sizes[seat] + 1 - len(known)
        return UNSEEN_TAKES * (1 - (1 - one) ** max(0, unknown))

    def danger(self, card: Card) -> float:
        """What the seats that come next are likely to gain by this open card."""
        total = self._dangers.get(card)
        if total is None:
            total, left = 0.0, 1.0
            for step in range(1, self.n):
                seat = (self.me + step) % self.n
                chance = self.chance_taken(seat, card)
                total += left * chance * max(0.0, self.gain(seat, (card,)))
                left *= 1 - chance
            self._dangers[card] = total
        return total


class RuleBot(SeededBot):
    """Plays Herzsammler by the rules of thumb that this module's docstring lists. `herzen.bots.RuleBot` finds it."""

    def choose(self, view: View) -> Move:
        """See `herzen.bots.Bot.choose`; ValueError if the viewer may not act."""
        moves = legal(view)
        assert isinstance(view, HerzsammlerView)
        if len(moves) == 1:
            return moves[0]
        table = _Table(view)
        values = [_value(table, move) for move in moves if isinstance(move, Show)]
        best = [
            move for move, value in zip(moves, values, strict=True) if max(values) - value < 1e-9
        ]
        return best[self._stream(view).bounded(len(best))]


def _takes(card: Card, named: str | None, open_cards: Iterable[Card]) -> list[Card]:
    """The open cards that a card takes."""
    first, second = (named, named) if named is not None else card.objects
    return [other for other in open_cards if first in other.objects or second in other.objects]


def _value(table: _Table, move: Show) -> float:
    """How good a move is, in points of lead."""
    view = table.view
    taken = _takes(move.card, move.object, view.open)
    if _ends(table, len(taken)):
        return _final(table, taken)
    value = table.gain(table.me, taken)
    after = list(view.open)
    if taken:
        for card in taken:
            after.remove(card)
        after.append(move.card)
    value -= DENY * sum(map(table.danger, after))
    kept = list(view.hand)
    kept.remove(move.card)
    return value + KEEP * max((_next_time(table, card, after) for card in kept), default=0.0)


def _next_time(table: _Table, card: Card, after: Sequence[Card]) -> float:
    """What a card kept in the hand can take from these open cards the next time, if they still lie there."""
    ways = set(card.objects) if table.rules.choose_object else {None}
    return max(table.gain(table.me, _takes(card, named, after)) for named in ways)


def _ends(table: _Table, taken: int) -> bool:
    """Whether a move that takes so many cards ends the game."""
    view = table.view
    if not taken:
        return view.misses + 1 >= table.rules.stall_limit
    if table.rules.end == "short":
        return taken - 1 > view.stack_size
    return taken - 1 >= view.stack_size


def _final(table: _Table, taken: Iterable[Card]) -> float:
    """The real lead after a move that ends the game; in the last game also who wins the match."""
    hearts = [list(row) for row in table.hearts]
    numerals = [list(row) for row in table.numerals]
    for card in taken:
        at = table.deck.colour[card]
        if card.kind == "heart":
            hearts[table.me][at] += 1
        else:
            numerals[table.me][at] += card.value
    kept = _rules.keeps(table.rules._compiled, hearts, numerals)
    points = [float(sum(row[seat] for row in kept)) for seat in range(table.n)]
    value = table.lead(points, table.me)
    now = sum(table.lead(worth, table.me) for worth in table.now)
    if table.view.deal_number + 1 < table.rules.games:
        return value - now
    totals = [before + more for before, more in zip(table.view.scores, points, strict=True)]
    best = max(totals)
    if totals[table.me] < best:
        return value - now - WIN
    return value - now + (WIN if totals.count(best) == 1 else WIN / 2)
