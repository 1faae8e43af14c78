"""A rule player for Von Herzen, and uniformly random play action by action.

How `RuleBot` thinks. Everything is measured in points of the deal: a real card that goes from the hand to a run of
one's own brings 2 (it counted -1 and counts +1), a joker and a card laid to somebody else's run bring 1.

- **Worth of a hand**: of each colour the best partition into runs, 2 a card; of the rest a little for neighbours and
  for two cards around a gap; a bit for a card of the other colour that fills the gap of three. A second copy of a
  kind is worth next to nothing. Worth of a card: what the hand loses without it, and more if it goes on a run that
  lies on the table.
- **Exchange**: offer the cards that are worth least, three at most, if there are any useless ones. Accept or take
  over for useless cards of one's own; where there are too few of them, counter with their number; else decline.
- **Drawing**: take a card of the pile if it is worth clearly more than a card of the stock is on average.
- **Melding**: lay what brings most, together with the worth of the hand that stays. Then lay off on one's own runs.
  On others' runs only what is of no use, or anything when the end is near.
- **Ending**: discard the card that is worth least, less gladly one that goes on a run of another seat, since the next
  seat may take it. End without a discard only if every card is worth keeping and the end is not near.

It remembers nothing but what the view says, and does not search. The rules are written once, at C level
(`_policy.pyx`), for search to play on with; `RuleBot` asks them on a position made from its view.
"""

from __future__ import annotations

from herzen.bots.base import SeededBot, legal
from herzen.game import Game
from herzen.moves import Move as AnyMove
from herzen.seeds import Stream
from herzen.view import View
from herzen.vonherzen import _policy, _zones
from herzen.vonherzen.cards import Card, cards_at
from herzen.vonherzen.game import Phase, VonHerzen
from herzen.vonherzen.moves import (
    Accept,
    Agree,
    Counter,
    Decline,
    Discard,
    Draw,
    LayOff,
    Meld,
    Move,
    Offer,
    Stay,
    TakeOver,
    Withdraw,
    from_code,
)

RANKS = 8


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


# ---- the rule player ------------------------------------------------------------------------------------------


def kind_of(card: Card) -> tuple[int, int]:
    """(colour, rank): black 0, red 1."""
    return int(card.red), card.rank


class RuleBot(SeededBot):
    """Plays Von Herzen by the rules of thumb that this module's docstring lists."""

    def choose(self, view: View) -> Move:
        """See `herzen.bots.Bot.choose`; ValueError if the viewer may not act."""
        moves = legal(view)
        if len(moves) == 1:
            return from_code(moves[0].code)
        return from_code(_policy.rule_code(_policy.table_of(view), self._seed, view.ply))
