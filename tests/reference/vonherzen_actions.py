"""Von Herzen: random play in the learners' space of 675 actions.

A move is made by one action, or by several where it names a set of cards. `picks` are the
actions chosen so far for the present move; it is empty between moves. Kinds are 0..15: black
before red, then rank.

======= ======================================================================================
0-15    pick one more card of that kind
16      done: the picked cards, or none, are the offer
17, 18  accept, decline
19-25   counter 1-7
26-29   take over, stay, agree, withdraw
30, 31  draw stock, draw pile
32-47   draw that kind from the pile
48-497  meld run shape action-48 (`vonherzen_runs.SHAPES`)
498-657 lay a card of kind (action-498) // 10 off on run (action-498) % 10
658-673 discard that kind
674     end
======= ======================================================================================

Which actions are legal, by phase:

- offer: without or with picks, every kind of which the hand holds more cards than are picked,
  and always done. Picks come in any order; done ends the move, also as the only action.
- answer: accept, decline, counter 1..k-1. After accept, kinds of the hand as above; the k-th
  pick ends the move.
- takeover: take over, stay. After take over as after accept.
- agree: agree, and withdraw unless counter_binding. After agree, kinds of the *offered* cards;
  the k'-th pick ends the move.
- give: kinds of the hand at once; the k'-th pick ends the move. There is no accept action, as
  the phase has one kind of move.
- draw: draw stock if the stock has a card; with "top", draw pile if the pile has a card; with
  "any", each kind in the pile.
- meld: each shape, lay-off and discard that is a legal move, and end if it is legal.

A kind stands for the lowest copy held (or offered, or in the pile); a kind picked twice for
both. So every legal action leads to a legal move, and every move in `legal` is reached: by
exactly one action sequence, apart from the order of the picks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tests.reference.vonherzen_moves import read, text_of
from tests.reference.vonherzen_rules import COPIES, KIND
from tests.reference.vonherzen_runs import SHAPES, arrange

if TYPE_CHECKING:
    from tests.reference.chacha import Stream
    from tests.reference.vonherzen_runs import Shape

DONE, ACCEPT, DECLINE, COUNTER = 16, 17, 18, 18
TAKE_OVER, STAY, AGREE, WITHDRAW = 26, 27, 28, 29
DRAW_STOCK, DRAW_PILE, DRAW_KIND = 30, 31, 32
MELD, LAY_OFF, DISCARD, END = 48, 498, 658, 674
ACTIONS = 675

SHAPE_NUMBER = {shape.kinds: number for number, shape in enumerate(SHAPES)}
FIXED = {
    "decline": DECLINE,
    "stay": STAY,
    "withdraw": WITHDRAW,
    "draw stock": DRAW_STOCK,
    "draw pile": DRAW_PILE,
    "end": END,
}
FIXED_TEXT = {action: text for text, action in FIXED.items()}
OPENING = {"accept": ACCEPT, "takeover": TAKE_OVER, "agree": AGREE}


class ActionPlay:
    """The actions of a Von Herzen twin; a base class of the twin."""

    # What it uses of the twin.
    rules: dict[str, Any]
    over: bool
    phase: str
    hands: list[list[str]]
    stock: list[str]
    pile: list[str]
    offer: dict[str, Any] | None
    random_stream: Stream

    if TYPE_CHECKING:

        @property
        def turn(self) -> int | None: ...
        def answer_size(self) -> int: ...
        def melds(self, seat: int) -> list[tuple[int, Shape]]: ...
        def lay_offs(self, seat: int) -> list[tuple[int, int]]: ...
        def held_kinds(self, seat: int) -> dict[int, str]: ...
        def why_not_discard(self, card: str) -> str | None: ...
        def why_not_end(self, seat: int) -> str | None: ...
        def play(self, seat: int, text: str) -> None: ...

    def _pool(self, seat: int) -> list[str]:
        # The cards that may be picked: the offered ones when agreeing, else the hand.
        if self.phase == "agree" and self.offer is not None:
            cards: list[str] = self.offer["cards"]
            return cards
        return self.hands[seat]

    def actions(self, picks: Sequence[int] = ()) -> list[int]:
        """The legal actions of seat `turn`, ascending, after these picks."""
        seat = self.turn
        if seat is None:
            return []
        if self.phase == "draw":
            return self._draw_actions()
        if self.phase == "meld":
            return self._play_actions(seat)
        if picks or self.phase in ("offer", "give"):
            left = Counter(KIND[card] for card in self._pool(seat))
            left.subtract(picks)
            kinds = [kind for kind in range(16) if left[kind] > 0]
            return [*kinds, DONE] if self.phase == "offer" else kinds
        if self.phase == "answer":
            return [ACCEPT, DECLINE, *(COUNTER + k for k in range(1, self.answer_size()))]
        if self.phase == "takeover":
            return [TAKE_OVER, STAY]
        return [AGREE] if self.rules["counter_binding"] else [AGREE, WITHDRAW]

    def _draw_actions(self) -> list[int]:
        found = [DRAW_STOCK] if self.stock else []
        if self.rules["draw_from_pile"] == "any":
            return found + sorted({DRAW_KIND + KIND[card] for card in self.pile})
        return [*found, DRAW_PILE] if self.pile else found

    def _play_actions(self, seat: int) -> list[int]:
        found = [MELD + number for number, _ in self.melds(seat)]
        found += [LAY_OFF + 10 * kind + number for kind, number in self.lay_offs(seat)]
        held = self.held_kinds(seat)
        found += sorted(DISCARD + k for k in held if self.why_not_discard(held[k]) is None)
        return [*found, END] if self.why_not_end(seat) is None else found

    def move_of(self, picks: Sequence[int]) -> str | None:
        """The text of the move that these actions make; None while it is half-picked."""
        seat = self.turn
        assert seat is not None
        last = picks[-1]
        if last in FIXED_TEXT:
            return FIXED_TEXT[last]
        if last >= DRAW_KIND:
            return self._single_move(seat, last)
        if COUNTER < last < TAKE_OVER:
            return f"counter {last - COUNTER}"
        chosen = Counter(kind for kind in picks if kind < DONE)
        pool = self._pool(seat)
        cards = [
            card
            for kind, count in chosen.items()
            for card in [card for card in COPIES[kind] if card in pool][:count]
        ]
        if self.phase == "offer":
            return text_of("offer", cards) if last == DONE else None
        verbs = {"answer": "accept", "give": "accept"}
        verb = verbs.get(self.phase, self.phase)
        return text_of(verb, cards) if len(cards) == self.answer_size() else None

    def _single_move(self, seat: int, action: int) -> str:
        held = self.held_kinds(seat)
        if action >= DISCARD:
            return f"discard {held[action - DISCARD]}"
        if action >= LAY_OFF:
            kind, number = divmod(action - LAY_OFF, 10)
            return f"layoff {held[kind]} {number}"
        if action >= MELD:
            return text_of("meld", [held[kind] for kind in SHAPES[action - MELD].kinds])
        return "draw " + next(card for card in COPIES[action - DRAW_KIND] if card in self.pile)

    def actions_of(self, text: str) -> list[int]:
        """The actions that make a legal move, picks ascending."""
        move = read(text)
        assert move is not None
        if text in FIXED:
            return [FIXED[text]]
        kinds = sorted(KIND[card] for card in move.cards)
        match move.verb:
            case "counter":
                return [COUNTER + move.number]
            case "draw":
                return [DRAW_KIND + kinds[0]]
            case "discard":
                return [DISCARD + kinds[0]]
            case "layoff":
                return [LAY_OFF + 10 * kinds[0] + move.number]
            case "meld":
                run = arrange(move.cards)
                assert run is not None
                return [MELD + SHAPE_NUMBER[tuple(KIND[card] for card in run)]]
            case "offer":
                return [*kinds, DONE]
        return kinds if self.phase == "give" else [OPENING[move.verb], *kinds]

    def random_move(self) -> tuple[int, str, list[int]]:
        """Play one move of uniformly random play: (seat, text, the actions drawn for it).

        One bounded(n) of stream (seed, domain 2, index 0) per action, forced ones too.
        """
        seat = self.turn
        assert seat is not None, "game_over"
        picks: list[int] = []
        text = None
        while text is None:
            legal = self.actions(picks)
            picks.append(legal[self.random_stream.bounded(len(legal))])
            text = self.move_of(picks)
        self.play(seat, text)
        return seat, text, picks

    def random_action_play(self, moves: int | None = None) -> list[tuple[int, str, list[int]]]:
        """Uniformly random play for so many moves, or to the end of the match."""
        played: list[tuple[int, str, list[int]]] = []
        while not self.over and (moves is None or len(played) < moves):
            played.append(self.random_move())
        return played
