"""A rule player for Von Herzen, and uniformly random play action by action.

How `RuleBot` thinks. Everything is measured in points of the deal: a real card that goes from the hand to a run of
one's own brings 2 (it counted -1 and counts +1), a joker and a card laid to somebody else's run bring 1.

- **Worth of a hand**: of each colour the best partition into runs, 2 a card; of the rest a little for neighbours and
  for two cards around a gap; a bit for a card of the other colour that fills the gap of three. A second copy of a
  kind is worth next to nothing. Worth of a card: what the hand loses without it, and more if it goes on a run that
  lies on the table. It comes from tables of 256 entries, so a decision takes microseconds.
- **Exchange**: offer the cards that are worth least, three at most, if there are any useless ones. Accept or take
  over for useless cards of one's own; where there are too few of them, counter with their number; else decline.
- **Drawing**: take a card of the pile if it is worth clearly more than a card of the stock is on average.
- **Melding**: lay what brings most, together with the worth of the hand that stays. Then lay off on one's own runs.
  On others' runs only what is of no use, or anything when the end is near.
- **Ending**: discard the card that is worth least, less gladly one that goes on a run of another seat, since the next
  seat may take it. End without a discard only if every card is worth keeping and the end is not near.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from herzen.bots.base import SeededBot, legal
from herzen.game import Game
from herzen.moves import Move as AnyMove
from herzen.seeds import Stream
from herzen.view import View
from herzen.vonherzen import _zones
from herzen.vonherzen.cards import Card, cards_at
from herzen.vonherzen.game import Phase, VonHerzen
from herzen.vonherzen.moves import (
    Accept,
    Agree,
    Counter,
    Decline,
    Discard,
    Draw,
    EndTurn,
    LayOff,
    Meld,
    Move,
    Offer,
    Stay,
    TakeOver,
    Withdraw,
)
from herzen.vonherzen.view import VonHerzenView

RANKS = 8
REAL, OTHERS, JOKER = 2.0, 1.0, 1.0
NEIGHBOURS, GAP, FILLS_GAP, SECOND = 1.0, 0.7, 3.0, 0.2
USELESS = 0.75
"""A card worth less is given away gladly."""
MOST_OFFERED = 3
KEPT = 1.75
"""If every card is worth more than this, a turn ends without a discard."""
MARGIN = 0.4
"""How much better than the stock's average a card of the pile must be: everybody sees it."""
FEW = 2
"""Cards in another hand from which the end is near."""


# ---- uniformly random play -----------------------------------------------------------------------------------


def draw(game: Game, stream: Stream) -> int:
    """The code of a uniformly random move of the seat `turn`, drawn action by action as docs/seeds.rst says."""
    assert isinstance(game, VonHerzen)
    phase = game.phase
    if phase in (Phase.DRAW, Phase.MELD):
        moves = sorted(game.legal_moves(), key=_action_order)
        return moves[stream.bounded(len(moves))].code
    facts = _zones.facts(game)
    hand = _zones.hand(game, game._turn)
    if phase is Phase.OFFER:
        return Offer(_picks(hand, None, stream)).code
    counter = facts["counter"] or 0
    if phase is Phase.GIVE:
        return Accept(_picks(hand, counter, stream)).code
    if phase is Phase.AGREE:
        if stream.bounded(1 if game.rules.counter_binding else 2):
            return Withdraw().code
        return Agree(_picks(facts["offered"], counter, stream)).code
    size = facts["size"]
    if phase is Phase.TAKEOVER:
        return (Stay() if stream.bounded(2) else TakeOver(_picks(hand, size, stream))).code
    chosen = stream.bounded(size + 1)
    if chosen > 1:
        return Counter(chosen - 1).code
    return (Decline() if chosen else Accept(_picks(hand, size, stream))).code


def _picks(pool: bytes, size: int | None, stream: Stream) -> list[Card]:
    """So many cards, kind by kind; with None the action "done" stands after the kinds and ends the picking."""
    cards = sorted(cards_at(pool), key=lambda card: (kind_of(card), card))
    picked: list[Card] = []
    while size is None or len(picked) < size:
        lowest = list({kind_of(card): card for card in reversed(cards)}.values())[::-1]
        chosen = stream.bounded(len(lowest) + (size is None))
        if chosen == len(lowest):
            break
        picked.append(lowest[chosen])
        cards.remove(lowest[chosen])
    return picked


def _action_order(move: AnyMove) -> tuple[int, ...]:
    """Sorts the moves of a turn as the learners' actions stand."""
    assert isinstance(move, Move)
    match move:
        case Draw(source):
            if isinstance(source, str):
                return (int(source == "pile"),)
            return (1, *kind_of(source))
        case Meld(cards):
            reds = sum(card.red for card in cards)
            red = 2 * reds > len(cards)
            first = cards[0].rank if len(cards) < RANKS else 0
            joker = next((place for place, card in enumerate(cards) if card.red != red), -1)
            return (move.verb, int(red), len(cards), first, joker)
        case LayOff(card, run):
            return (move.verb, *kind_of(card), run)
        case Discard(card):
            return (move.verb, *kind_of(card))
    return (move.verb,)


# ---- what cards are worth ------------------------------------------------------------------------------------


class Tables(NamedTuple):
    """By the set of ranks held of one colour: what they are worth, and the ranks of gaps in three of four."""

    worth: tuple[float, ...]
    gaps: tuple[int, ...]


def _rows(length: int, wrap: bool) -> list[int]:
    """The sets of ranks that are `length` in a row."""
    last = RANKS if wrap and length < RANKS else RANKS - length + 1
    return [sum(1 << (first + place) % RANKS for place in range(length)) for first in range(last)]


@cache
def tables(wrap: bool) -> Tables:
    """The tables for runs that wrap or do not."""
    runs = [(row, REAL * length) for length in range(3, RANKS + 1) for row in _rows(length, wrap)]
    pairs = [(row, NEIGHBOURS) for row in _rows(2, wrap)]
    pairs += [(pair, GAP) for pair in _around_gaps(wrap)]
    # Four in a row, and the two in the middle.
    fours = list(zip(_rows(4, wrap), _inner_pairs(wrap), strict=True))
    worth: list[float] = []
    gaps: list[int] = []
    for held in range(1 << RANKS):
        best = sum(value for pair, value in pairs if pair & held == pair)
        for run, value in runs:
            if run & held == run:
                best = max(best, value + worth[held ^ run])
        worth.append(best)
        # A gap at an end leaves three in a row, a run already.
        missing = [(four & ~held, inner) for four, inner in fours]
        gaps.append(sum({gap for gap, inner in missing if gap.bit_count() == 1 and gap & inner}))
    return Tables(tuple(worth), tuple(gaps))


def _inner_pairs(wrap: bool) -> list[int]:
    """The middle two of four ranks in a row, for each such four."""
    last = RANKS if wrap else RANKS - 3
    return [1 << (first + 1) % RANKS | 1 << (first + 2) % RANKS for first in range(last)]


def _around_gaps(wrap: bool) -> list[int]:
    """The pairs of ranks with one rank between them."""
    last = RANKS if wrap else RANKS - 2
    return [1 << first | 1 << (first + 2) % RANKS for first in range(last)]


def kind_of(card: Card) -> tuple[int, int]:
    """(colour, rank): black 0, red 1."""
    return int(card.red), card.rank


class _Hand:
    """The viewer's cards, and what they are worth at this table."""

    def __init__(self, view: VonHerzenView) -> None:
        assert view.seat is not None
        self.view = view
        self.rules = view.rules
        self.me = view.seat
        self.tables = tables(self.rules.wrap)
        self.ranks = [0, 0]
        self.twice = [0, 0]
        for card in view.hand:
            colour, rank = kind_of(card)
            self.twice[colour] |= self.ranks[colour] & 1 << rank
            self.ranks[colour] |= 1 << rank
        self.melded = self.me in view.melded
        self.fits = self._ends()
        self.total = self.worth(*self.ranks)

    def _ends(self) -> dict[tuple[int, int], float]:
        """By kind: the worth of going on a run that lies on the table."""
        found: dict[tuple[int, int], float] = {}
        for _, owner, cards in self.view.runs:
            if len(cards) == RANKS:
                continue
            red = sum(card.red for card in cards) > 1
            value = REAL if owner == self.me else OTHERS * (0.8 if self.melded else 0.3)
            for rank in (cards[0].rank - 1, cards[-1].rank + 1):
                if self.rules.wrap or 0 <= rank < RANKS:
                    kind = int(red), rank % RANKS
                    found[kind] = max(found.get(kind, 0.0), value)
        return found

    def worth(self, black: int, red: int) -> float:
        """Worth of these ranks in hand."""
        worth, gaps = self.tables
        return (
            worth[black]
            + worth[red]
            + (FILLS_GAP if gaps[black] & red else 0.0)
            + (FILLS_GAP if gaps[red] & black else 0.0)
        )

    def without(self, cards: tuple[Card, ...]) -> tuple[int, int]:
        """The ranks of each colour that stay when these cards go."""
        left, twice = list(self.ranks), list(self.twice)
        for card in cards:
            colour, rank = kind_of(card)
            bit = 1 << rank
            if twice[colour] & bit:
                twice[colour] ^= bit
            else:
                left[colour] &= ~bit
        return left[0], left[1]

    def value(self, card: Card) -> float:
        """What the hand loses without this card."""
        colour, rank = kind_of(card)
        fit = self.fits.get((colour, rank), 0.0)
        if self.twice[colour] >> rank & 1:
            return SECOND + fit
        return self.total - self.worth(*self.without((card,))) + fit

    def gain(self, colour: int, rank: int) -> float:
        """What one more card of this kind would bring."""
        fit = self.fits.get((colour, rank), 0.0)
        ranks = list(self.ranks)
        if ranks[colour] >> rank & 1:
            return SECOND + fit
        ranks[colour] |= 1 << rank
        return self.worth(*ranks) - self.total + fit

    def worst(self, cards: tuple[Card, ...], most: int) -> list[tuple[float, Card]]:
        """The cards worth least, with their worth when their turn comes; a kind's lower copy goes first."""
        chosen: list[tuple[float, Card]] = []
        left = list(cards)
        ranks, twice, total = list(self.ranks), list(self.twice), self.total
        while left and len(chosen) < most:
            values = [self.value(card) for card in left]
            value = min(values)
            card = left.pop(values.index(value))
            chosen.append((value, card))
            colour, rank = kind_of(card)
            if self.twice[colour] >> rank & 1:
                self.twice[colour] &= ~(1 << rank)
            else:
                self.ranks[colour] &= ~(1 << rank)
            self.total = self.worth(*self.ranks)
        self.ranks, self.twice, self.total = ranks, twice, total
        return chosen

    def near_the_end(self) -> bool:
        """Whether the deal may be over before the viewer's next turn."""
        view = self.view
        if view.last_turns:
            return True
        others = [size for seat, size in enumerate(view.hand_sizes) if seat != self.me]
        limit = view.rules.blocked_after
        turns = 2 * self.rules.players if limit == "2n" else limit or 10**6
        assert isinstance(turns, int)
        return min(others) <= FEW or view.idle_turns + self.rules.players >= turns


class RuleBot(SeededBot):
    """Plays Von Herzen by the rules of thumb that this module's docstring lists."""

    def choose(self, view: View) -> Move:
        """See `herzen.bots.Bot.choose`; ValueError if the viewer may not act."""
        moves = legal(view)
        assert isinstance(view, VonHerzenView)
        if len(moves) == 1:
            only = moves[0]
            assert isinstance(only, Move)
            return only
        held = _Hand(view)
        if view.phase == Phase.DRAW:
            return _draw(held)
        if view.phase == Phase.MELD:
            return self._turn(held)
        return _exchange(held)

    def _turn(self, held: _Hand) -> Move:
        moves = held.view.legal_moves
        melds = [move for move in moves if isinstance(move, Meld)]
        if melds:
            return max(melds, key=lambda meld: _meld_value(held, meld))
        near = held.near_the_end()
        lay_offs = [
            (_lay_off_value(held, move, near), move) for move in moves if isinstance(move, LayOff)
        ]
        if lay_offs:
            value, best = max(lay_offs, key=lambda pair: pair[0])
            if value > 0:
                return best
        return self._end(held, near)

    def _end(self, held: _Hand, near: bool) -> Move:
        moves = held.view.legal_moves
        discards = [move for move in moves if isinstance(move, Discard)]
        if not discards:
            return EndTurn()
        costs = [_discard_cost(held, move.card) for move in discards]
        least = min(costs)
        may_end = any(isinstance(move, EndTurn) for move in moves)
        if may_end and not near and len(held.view.hand) > 1 and least > KEPT:
            return EndTurn()
        best = [move for move, cost in zip(discards, costs, strict=True) if cost - least < 1e-9]
        return best[self._stream(held.view).bounded(len(best))]


# ---- the exchange --------------------------------------------------------------------------------------------


def _exchange(held: _Hand) -> Move:
    view = held.view
    if view.phase == Phase.OFFER:
        worst = held.worst(view.hand, MOST_OFFERED)
        return Offer([card for value, card in worst if value < USELESS])
    offer = view.offer
    assert offer is not None
    size = offer["counter" if view.phase in (Phase.AGREE, Phase.GIVE) else "size"]
    assert size is not None
    if view.phase == Phase.AGREE:
        assert view.my_offer is not None
        return Agree([card for _, card in held.worst(view.my_offer, size)])
    worst = held.worst(view.hand, size)
    cards = [card for _, card in worst]
    useless = sum(value < USELESS for value, _ in worst)
    if view.phase == Phase.GIVE:
        return Accept(cards)
    if view.phase == Phase.TAKEOVER:
        return TakeOver(cards) if useless == size else Stay()
    if useless == size:
        return Accept(cards)
    return Counter(useless) if useless else Decline()


# ---- turns ---------------------------------------------------------------------------------------------------


def _draw(held: _Hand) -> Move:
    """The best card of the pile, or the stock."""
    draws = [move for move in held.view.legal_moves if isinstance(move, Draw)]
    values = [
        _stock_value(held)
        if move.source == "stock"
        else held.gain(
            *kind_of(held.view.pile[-1] if isinstance(move.source, str) else move.source)
        )
        - MARGIN
        for move in draws
    ]
    return draws[values.index(max(values))]


def _stock_value(held: _Hand) -> float:
    """What the top card of the stock brings: on average over the kinds not seen, unless it is known."""
    view = held.view
    if view.stock:
        return held.gain(*kind_of(view.stock[0]))
    unseen = dict.fromkeys(((colour, rank) for colour in (0, 1) for rank in range(RANKS)), 2)
    known = [card for seat, cards in view.known.items() if seat != held.me for card in cards]
    laid = [card for _, _, cards in view.runs for card in cards]
    for card in (*view.hand, *view.pile, *known, *laid):
        unseen[kind_of(card)] -= 1
    total = sum(unseen.values())
    return sum(count * held.gain(*kind) for kind, count in unseen.items()) / max(1, total)


def _meld_value(held: _Hand, meld: Meld) -> float:
    """What the meld brings, and what the hand that stays is worth."""
    cards = meld.cards
    reds = sum(card.red for card in cards)
    real = max(reds, len(cards) - reds)
    # A joker that would fit a run on the table as a real card is worth more there.
    red = 2 * reds > len(cards)
    jokers = [card for card in cards if card.red != red]
    value = REAL * real + sum(JOKER - held.fits.get(kind_of(card), 0.0) for card in jokers)
    if len(cards) == RANKS:
        natural = real == RANKS
        value += held.rules.natural_flute_bonus if natural else held.rules.flute_bonus
    return value + held.worth(*held.without(cards))


def _lay_off_value(held: _Hand, move: LayOff, near: bool) -> float:
    """Above 0: lay it off."""
    view = held.view
    _, owner, cards = view.runs[move.run]
    mine = owner == held.me
    red = sum(card.red for card in cards) > 1
    real = move.card.red == red
    # What the hand loses beside the fit itself.
    colour, rank = kind_of(move.card)
    keep = held.value(move.card) - held.fits.get((colour, rank), 0.0)
    goes_out = len(view.hand) == 1
    bonus = 0.0
    if len(cards) == RANKS - 1:
        natural = real and all(card.red == red for card in cards)
        bonus = held.rules.natural_flute_bonus if natural else held.rules.flute_bonus
    if mine:
        return (REAL if real else JOKER) + bonus - (keep * 0.5 if not near else 0.0)
    # The owner gains the point, too: the more it has, the less gladly.
    standing = view.scores[owner] + view.points[owner]
    value = OTHERS - 0.01 * standing - bonus / 2
    if near or goes_out:
        return max(value, 0.01)
    return value - keep if keep < USELESS else -keep


def _discard_cost(held: _Hand, card: Card) -> float:
    """What the card is worth in hand, and what it may bring to the seat that draws next."""
    colour, rank = kind_of(card)
    cost = held.value(card)
    for _, owner, cards in held.view.runs:
        if owner == held.me or len(cards) == RANKS:
            continue
        red = sum(other.red for other in cards) > 1
        ends = (cards[0].rank - 1) % RANKS, (cards[-1].rank + 1) % RANKS
        if red == bool(colour) and rank in ends:
            cost += 0.5
    return cost
