"""A rule player for Hearts, and uniformly random play action by action.

How `RuleBot` thinks. Everything is measured in points of the game, so that all options that change the worth of
cards (bonus cards, Black Maria, rank points, two packs) are played by the same few rules:

- **Danger**: how many points a card that stays in the hand is likely to bring. It is high for cards that win
  tricks against their owner's will (high, few lower cards of the suit to duck with) and lead to points: hearts,
  cards above penalty cards that are still out. Cards above a bonus card are worth keeping: their danger is below 0.
- **Passing**: pass the cards whose loss lowers the danger of the hand most, one after another. Suits that become
  empty count a little.
- **Playing**: of the legal cards take the one with the lowest cost = chance that it wins the trick * points in the
  trick, less the danger that goes with it. So the bot ducks, throws the queen and high hearts when it can, plays
  high where nothing can happen, and takes tricks with a bonus card in them.
- **The moon**: where one opponent alone has taken penalty cards, and many, a trick with points is worth taking
  and nothing is thrown to that opponent. Who has all of them and holds only sure tricks takes the rest.
- **The decision after a moon**: whichever leaves the shooter further ahead, looking at the end of the match, floor
  and resets.

It counts cards and remembers what it has passed; it does not search. Ties are broken by the bot's stream.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from herzen._core import trick_winner
from herzen.bots.base import SeededBot, legal
from herzen.game import Game
from herzen.hearts import _zones
from herzen.hearts.cards import CARDS
from herzen.hearts.game import Hearts, Phase
from herzen.hearts.moves import MoonChoice, Pass, Play
from herzen.hearts.rules import HeartsRules
from herzen.hearts.view import HeartsView
from herzen.moves import Move
from herzen.seeds import Stream
from herzen.view import View

SUITS = range(4)
HEARTS = 2
KEPT = (49, 50, 51)
"""Q♠ K♠ A♠, which `keep_spades` keeps from being passed."""

# The weights of the rules above. They were set by playing many deals against other settings.
FALL = 0.2
"""Chance that a penalty or bonus card that is out falls on a higher card of its suit."""
DUMP = 0.5
"""Share of the points that are still out which a void player throws, measured per trick."""
ALWAYS = 0.12
"""Least chance that a well guarded card has to be played to a trick of its suit."""
EMPTY = 0.3
"""Worth of having no card of a suit: points can be thrown on it."""
LATER = 0.7
"""Weight of danger to come against points in the present trick."""
THREAT = 0.3
"""Share of all penalty points at which a seat that has taken them alone is suspected of shooting the moon."""


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


class _Table:
    """What a view tells: the worth of cards, who has what, what is still out. Cards are indices 0..51."""

    def __init__(self, view: HeartsView) -> None:
        rules: HeartsRules = view.rules
        assert view.seat is not None
        self.view = view
        self.rules = rules
        self.me = view.seat
        self.players = len(view.names)
        self.points = rules._points()
        self.deck = Counter(index % 52 for index in rules._deck())
        self.total = sum(max(0, self.points[card]) * count for card, count in self.deck.items())
        self.hand = [card.index for card in view.hand]
        self.trick = [card.index for _, card in view.trick]
        out = Counter(self.deck)
        out.subtract(self.hand)
        out.subtract(self.trick)
        self.piles: list[list[int]] = [[] for _ in range(self.players)]
        self.held: list[int] = []
        for _, cards, winner in view.tricks:
            self.held += [card.index for card in cards]
            if winner is not None:
                self.piles[winner] += self.held
                self.held = []
        for pile in (*self.piles, self.held):
            out.subtract(pile)
        if view.kitty is not None:
            out.subtract(card.index for card in view.kitty)
        self.out = Counter({card: count for card, count in out.items() if count > 0})
        """Cards that the viewer has not seen in this deal: in other hands, or in the kitty."""
        self.out_of = [
            sorted(card for card in self.out.elements() if card // 13 == suit) for suit in SUITS
        ]
        self.points_out = sum(max(0, self.points[card]) * count for card, count in self.out.items())
        self._dangers: dict[tuple[int, ...], float] = {}
        self.suspect = self._suspect()
        self.ahead = self._alone() == self.me

    def worth(self, cards: Iterable[int]) -> int:
        """Points of these cards."""
        return sum(self.points[card] for card in cards)

    def _alone(self) -> int | None:
        """The one seat that has taken penalty cards, if there is exactly one."""
        takers = [
            seat
            for seat, pile in enumerate(self.piles)
            if any(self.points[card] > 0 for card in pile)
        ]
        return takers[0] if len(takers) == 1 else None

    def _suspect(self) -> int | None:
        """The opponent that may be shooting the moon."""
        alone = self._alone()
        if self.rules.moon == "off" or alone is None or alone == self.me or self.total == 0:
            return None
        taken = sum(max(0, self.points[card]) for card in self.piles[alone])
        return alone if taken >= THREAT * self.total else None

    def to_follow(self) -> list[int]:
        """The seats that play to this trick after the viewer."""
        left = self.players - 1 - len(self.trick)
        return [(self.me + 1 + place) % self.players for place in range(left)]

    def void(self, seat: int, suit: int) -> bool:
        """Whether the seat is known to hold no card of the suit."""
        return "CDHS"[suit] in self.view.voids[seat]

    def winner(self, cards: list[int]) -> int | None:
        """Place of the card that wins these, in the order played; None if all of the suit led cancel out."""
        lanes = bytes(card // 13 * 16 + card % 13 for card in cards)
        place = trick_winner(lanes, self.rules.decks == 2)[0]
        return None if place < 0 else place

    # ---- danger ------------------------------------------------------------------------------------------
    def danger(self, suit: int, held: list[int]) -> float:
        """Points that the cards held of one suit (ascending) are likely to bring."""
        key = (suit, *held)
        known = self._dangers.get(key)
        if known is None:
            known = self._dangers[key] = self._danger(suit, held)
        return known

    def _danger(self, suit: int, held: list[int]) -> float:
        if not held:
            return 0.0 if suit == HEARTS else -EMPTY
        out = self.out_of[suit]
        rounds = max(1.0, (len(held) + len(out)) / self.players)
        rivals = min(self.players - 1, len(out))
        base = self._points_of_a_round(suit, out)
        danger = 0.0
        for place, card in enumerate(held):
            lower = sum(1 for other in out if other < card)
            wins = (lower / len(out)) ** max(1, rivals - 1) if out else 1.0
            played = max(ALWAYS, 1.0 - place / rounds) if place else 1.0
            # The hearts that a round of hearts brings are in `base`.
            above = (
                0.0 if suit == HEARTS else FALL * self.worth(other for other in out if other < card)
            )
            danger += (
                wins * played * (base + self.points[card])
                + min(1.0, played + ALWAYS) * wins**0.25 * above
            )
        return danger

    def _points_of_a_round(self, suit: int, out: list[int]) -> float:
        """Points that a round of the suit brings besides the card looked at and those below it."""
        tricks = max(1, len(self.hand))
        thrown = DUMP * self.points_out / tricks / 2
        if suit != HEARTS or not out:
            return thrown
        return thrown + min(self.players - 1, len(out)) * self.worth(out) / len(out)

    def suits_of(self, cards: Iterable[int]) -> list[list[int]]:
        """The cards by suit, ascending."""
        suits: list[list[int]] = [[], [], [], []]
        for card in sorted(cards):
            suits[card // 13].append(card)
        return suits

    # ---- tricks ------------------------------------------------------------------------------------------
    def chance_to_win(self, card: int) -> float:
        """Chance that this card, played now, wins the trick."""
        now = self.winner([*self.trick, card])
        if now is None or now != len(self.trick):
            return 0.0
        out = self.out_of[card // 13]
        followers = [seat for seat in self.to_follow() if not self.void(seat, card // 13)]
        if not out or not followers:
            return 1.0
        higher = sum(1 for other in out if other >= card)
        return (1.0 - higher / len(out)) ** min(len(followers), len(out))

    def points_to_come(self, suit: int) -> float:
        """Points that the seats after the viewer are likely to add to this trick."""
        if not self.out or not self.points_out:
            return 0.0
        out = self.out_of[suit]
        average = self.points_out / self.out.total()
        first = not self.view.tricks and self.rules.first_trick_points == "forbid"
        coming = 0.0
        for seat in self.to_follow():
            if not out or self.void(seat, suit):
                coming += 0.0 if first else 2 * DUMP * average
            else:
                follows = len(out) / (len(out) + self.players)
                coming += self.worth(out) / len(out) * follows + (
                    0.0 if first else (1 - follows) * DUMP * average
                )
        return coming

    def kitty_to_come(self) -> float:
        """Points that are likely to lie in a kitty that goes with this trick."""
        if not self.view.kitty_size or self.view.kitty is not None or not self.out:
            return 0.0
        first = not any(winner is not None for _, _, winner in self.view.tricks)
        goes = first if self.rules.kitty_to == "first_trick" else len(self.hand) == 1
        return (
            self.view.kitty_size * self.worth(self.out.elements()) / self.out.total()
            if goes
            else 0.0
        )

    def sure_tricks(self) -> bool:
        """Whether the viewer, leading, takes every trick that is left, however the other cards lie."""
        for suit, held in enumerate(self.suits_of(self.hand)):
            out = self.out_of[suit]
            if not held or not out:
                continue
            winners = sum(1 for card in held if card > out[-1])
            if winners < len(held) and winners < len(out):
                return False
        return True


class RuleBot(SeededBot):
    """Plays Hearts by the rules of thumb that this module's docstring lists. `herzen.bots.RuleBot` finds it."""

    def choose(self, view: View) -> Move:
        """See `herzen.bots.Bot.choose`; ValueError if the viewer may not act."""
        moves = legal(view)
        assert isinstance(view, HeartsView)
        if len(moves) == 1:
            return moves[0]
        if view.phase == Phase.MOON:
            return _moon_choice(view)
        table = _Table(view)
        if view.phase == Phase.PASS:
            return _pass(table)
        return self._play(table, [move for move in moves if isinstance(move, Play)])

    def _play(self, table: _Table, moves: list[Play]) -> Play:
        if table.ahead and table.rules.moon != "off" and table.points_out:
            shooting = _shoot(table, moves)
            if shooting is not None:
                return shooting
        suits = table.suits_of(table.hand)
        costs = [_cost(table, suits, move.card.index) for move in moves]
        best = [move for move, cost in zip(moves, costs, strict=True) if cost - min(costs) < 1e-9]
        return best[self._stream(table.view).bounded(len(best))]


def _cost(table: _Table, suits: list[list[int]], card: int) -> float:
    """Points that playing this card is likely to bring, less the danger that leaves the hand with it."""
    suit = card // 13
    rest = list(suits[suit])
    rest.remove(card)
    relief = LATER * (table.danger(suit, suits[suit]) - table.danger(suit, rest))
    points = float(table.worth([*table.trick, *table.held]))
    led = table.trick[0] // 13 if table.trick else suit
    if table.trick and suit != led:
        return -relief - table.points[card] * 0.1 + _gift(table, card)
    chance = table.chance_to_win(card)
    stakes = points + table.points[card] + table.points_to_come(led) + table.kitty_to_come()
    if table.rules.no_trick_bonus and not _has_trick(table):
        stakes -= table.rules.no_trick_bonus / len(table.hand)
    if table.suspect is not None and points > 0:
        # Whoever takes one penalty card ends the attempt at the moon.
        stakes -= table.total / 2
    cost = chance * stakes - relief
    # A card that loses the trick and carries points goes to somebody else, which is a gain.
    return cost - (1.0 - chance) * table.points[card] * 0.1


def _gift(table: _Table, card: int) -> float:
    """What is against throwing this card on the trick: a penalty card for a shooter, a bonus for anybody."""
    place = table.winner(table.trick)
    winner = None if place is None else table.view.trick[place][0]
    if table.suspect is not None and winner == table.suspect and table.points[card] > 0:
        return table.total / 4 + table.points[card]
    return max(0.0, -float(table.points[card]))


def _has_trick(table: _Table) -> bool:
    return bool(table.piles[table.me])


def _shoot(table: _Table, moves: list[Play]) -> Play | None:
    """The card with which the viewer, who has all penalty cards taken so far, goes on to take the rest."""
    if not table.trick:
        if not table.sure_tricks():
            return None
        # Suits whose cards all win first, and each from the top.
        return max(moves, key=lambda move: (not _beaten(table, move.card.index), move.card.rank))
    sure = [move for move in moves if table.chance_to_win(move.card.index) == 1.0]
    for move in sure:
        table.hand.remove(move.card.index)
        shoots = table.sure_tricks()
        table.hand.append(move.card.index)
        if shoots:
            return move
    return None


def _beaten(table: _Table, card: int) -> bool:
    out = table.out_of[card // 13]
    return bool(out) and out[-1] >= card


def _pass(table: _Table) -> Pass:
    """The cards whose loss lowers the danger most, taken one after another."""
    suits = table.suits_of(table.hand)
    kept = KEPT if table.rules.keep_spades else ()
    chosen: list[int] = []
    for _ in range(table.rules.pass_count):
        best: tuple[float, int] | None = None
        for card in sorted({card for held in suits for card in held if card not in kept}):
            suit = card // 13
            rest = list(suits[suit])
            rest.remove(card)
            relief = (
                table.danger(suit, suits[suit])
                - table.danger(suit, rest)
                + max(0, table.points[card]) * 0.1
            )
            if best is None or relief > best[0]:
                best = (relief, card)
        assert best is not None  # with too few cards to choose from there is one legal pass only
        chosen.append(best[1])
        suits[best[1] // 13].remove(best[1])
    return Pass([CARDS[card] for card in chosen])


# ---- after the moon ------------------------------------------------------------------------------------------


def _moon_choice(view: HeartsView) -> MoonChoice:
    """The kind of moon that leaves the shooter further ahead."""
    add, subtract = _outcome(view, "add"), _outcome(view, "subtract")
    return MoonChoice("subtract" if subtract > add else "add")


def _outcome(view: HeartsView, kind: str) -> tuple[int, int]:
    """How good a decision is: (1 wins the match, 0 goes on, -1 loses it; lead over the best opponent)."""
    rules, me = view.rules, view.seat
    points = rules._points()
    total = sum(max(0, points[index % 52]) for index in rules._deck())
    takers = {winner for _, _, winner in view.tricks if winner is not None}
    if rules.sun == "double" and takers == {me}:
        total *= 2
    totals = []
    for seat, before in enumerate(view.scores):
        bonus = min(0, _bonus_taken(view, seat, points))
        moon = (-total if seat == me else 0) if kind == "subtract" else (0 if seat == me else total)
        after = before + moon + bonus
        if rules.floor is not None:
            after = max(after, rules.floor)
        totals.append(dict(rules.exact_reset).get(after, after))
    assert me is not None
    lead = min(after for seat, after in enumerate(totals) if seat != me) - totals[me]
    limit = rules.max_hands or 1000
    met = max(totals) > rules.target or (max(totals) == rules.target and rules.end_test == "reach")
    last = view.deal_number + 1 >= limit
    if not last and rules.tie == "play_on" and totals.count(min(totals)) > 1:
        met = False
    ends = last or met
    return (0 if not ends else 1 if lead >= 0 else -1), lead


def _bonus_taken(view: HeartsView, seat: int, points: list[int]) -> int:
    """Points of the bonus cards that a seat has captured."""
    held: list[int] = []
    taken: list[int] = []
    for _, cards, winner in view.tricks:
        held += [card.index for card in cards]
        if winner is not None:
            taken += held if winner == seat else []
            held = []
    return sum(points[card] for card in taken if points[card] < 0)
