"""Herzsammler in plain Python, readable as a rule book: the oracle of the engine.

Cards are texts ("R3af"), hands are sorted lists, equal cards of a deck are equal texts. Every
rule is one small function whose comment states it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any

from tests.reference.chacha import DEALS, RANDOM_PLAY, Stream
from tests.reference.herzsammler_rules import (
    HAND,
    OPEN_CARDS,
    Table,
    changed_fields,
    game_points,
    hearts_in,
    resolve,
    table_of,
    winners_of,
)


class IllegalTwinMove(ValueError):
    """The move is not legal; `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def deck_for(hands: Sequence[Sequence[str]], dealer: int, rest: Sequence[str]) -> list[str]:
    """A deck, top first, that deals these hands and leaves `rest`: open cards, then the stack."""
    n = len(hands)
    return [hands[(dealer + 1 + k) % n][k // n] for k in range(HAND * n)] + list(rest)


def fits(table: Table, cards: Sequence[str], barred: Sequence[str]) -> bool:
    """Whether unknown cards of a hand can be these, given what `barred` says of them.

    One card for each entry of `barred`, in some order, that shows none of its objects.
    """
    objects = [set(table.faces[card].objects) for card in cards]
    return any(
        all(shown.isdisjoint(bar) for shown, bar in zip(order, barred, strict=True))
        for order in permutations(objects)
    )


def _clone(value: Any) -> Any:
    if isinstance(value, list):
        return [_clone(item) for item in value]
    if isinstance(value, dict):
        return {key: _clone(item) for key, item in value.items()}
    if isinstance(value, Stream):
        return value.copy()
    return value


class HerzsammlerTwin:
    """A match (one game or a series) of Herzsammler under any valid rules."""

    def __init__(
        self,
        rules: Mapping[str, object],
        seed: int = 0,
        dealer: int | None = None,
        deals: Sequence[Sequence[str]] = (),
    ) -> None:
        """`rules` holds the given fields only; `deals` are decks (top first) used first."""
        self.rules: dict[str, Any] = resolve(rules)
        self.table = table_of(self.rules)
        self.n: int = self.rules["players"]
        self.seed = seed
        self.deals = [list(deck) for deck in deals]
        self.first_dealer = self.n - 1 if dealer is None else dealer
        self.names = [f"Seat {seat}" for seat in range(self.n)]
        # The match.
        self.over = False
        self.winners: list[int] = []
        self.scores = [0] * self.n
        self.hearts_won = [0] * self.n  # heart cards collected in finished games
        self.ply = 0
        self.hand_result: dict[str, Any] | None = None
        self.random_stream = Stream(seed, RANDOM_PLAY, 0)
        self.deal_number = 0
        self._deal()

    @property
    def seats(self) -> range:
        """All seats, 0..n-1."""
        return range(self.n)

    @property
    def phase(self) -> str:
        """The only decision is which card to show."""
        return "over" if self.over else "show"

    # ---- Deal ------------------------------------------------------------------------------

    def _deck(self) -> list[str]:
        # Explicit decks come first; then deal k is shuffled by stream (seed, domain 0, index k).
        if self.deal_number < len(self.deals):
            return list(self.deals[self.deal_number])
        deck = list(self.table.deck)
        Stream(self.seed, DEALS, self.deal_number).shuffle(deck)
        return deck

    def _deal(self) -> None:
        # The deal moves left after every deal; card k goes to seat dealer+1+k for k < 2n, the
        # next six lie open, the rest is the stack.
        self.dealer = (self.first_dealer + self.deal_number) % self.n
        deck = self._deck()
        dealt = HAND * self.n
        hands = [deck[(seat - self.dealer - 1) % self.n : dealt : self.n] for seat in self.seats]
        self.begin(hands, deck[dealt : dealt + OPEN_CARDS], deck[dealt + OPEN_CARDS :])

    def begin(
        self, hands: Sequence[Sequence[str]], open_cards: Sequence[str], stack: Sequence[str]
    ) -> None:
        """Start a game from these zones (stack top first); left of the dealer begins."""
        self.hands = [self.table.sort(hand) for hand in hands]
        self.open = self.table.sort(open_cards)
        self.stack = list(stack)
        self.bottom_size = 0  # so many cards at the bottom of the stack are known to all
        self.known: list[list[str]] = [[] for _ in self.seats]  # cards all know to be in a hand
        # For each other card of a hand, oldest first: objects it cannot show (see `_bar`).
        self.barred = [[""] * len(hand) for hand in hands]
        self.collections: list[list[str]] = [[] for _ in self.seats]
        self.misses = 0  # in a row, over all seats
        self._start_turn((self.dealer + 1) % self.n)

    # ---- A turn ----------------------------------------------------------------------------

    def _start_turn(self, seat: int) -> None:
        # Step 1: draw the top card of the stack. "short": without a stack there is no step 1,
        # and a seat that holds no card then ends the game.
        self._turn = seat
        if self.stack:
            card, was_known = self._from_stack()
            self.hands[seat] = self.table.sort([*self.hands[seat], card])
            if was_known:
                self.known[seat] = self.table.sort([*self.known[seat], card])
            else:
                self.barred[seat].append("")
        elif not self.hands[seat]:
            self._end_game("no_card")

    def _from_stack(self) -> tuple[str, bool]:
        # The top card, and whether everybody knew it from a miss.
        was_known = len(self.stack) == self.bottom_size
        if was_known:
            self.bottom_size -= 1
        return self.stack.pop(0), was_known

    def taken_by(self, card: str, letter: str | None = None) -> list[str]:
        """Every open card that shows one of the card's objects, or the one object named."""
        wanted = self.table.faces[card].objects if letter is None else letter
        return [other for other in self.open if set(wanted) & set(self.table.faces[other].objects)]

    def _show(self, seat: int, card: str, letter: str | None) -> None:
        taken = self.taken_by(card, letter)
        self._leave_hand(seat, card)
        if taken:
            self._capture(seat, card, taken)
        else:
            self._miss(seat, card)

    def _leave_hand(self, seat: int, card: str) -> None:
        # A card known to be there is known no longer. Any other card is taken for the oldest
        # one it can have been.
        self.hands[seat].remove(card)
        if card in self.known[seat]:
            self.known[seat].remove(card)
            return
        objects = set(self.table.faces[card].objects)
        bars = self.barred[seat]
        del bars[next(k for k, bar in enumerate(bars) if not objects & set(bar))]

    def _capture(self, seat: int, card: str, taken: Sequence[str]) -> None:
        # Steps 3-5: all matching cards are taken, the shown card becomes an open card, and the
        # open cards are filled to six.
        self.misses = 0
        self.collections[seat] = self.table.sort([*self.collections[seat], *taken])
        for other in taken:
            self.open.remove(other)
        self.open.append(card)
        missing = OPEN_CARDS - len(self.open)
        short = missing > len(self.stack)
        for _ in range(min(missing, len(self.stack))):
            self.open.append(self._from_stack()[0])
        self.open = self.table.sort(self.open)
        # "empty": the game ends after a turn if the stack is then empty. "short": it ends when
        # a fill falls short; a fill of no cards never does.
        if self.rules["end"] == "short" and short:
            self._end_game("short")
        elif self.rules["end"] == "empty" and not self.stack:
            self._end_game("empty")
        else:
            self._start_turn((seat + 1) % self.n)

    def _miss(self, seat: int, card: str) -> None:
        # The shown card goes under the stack, where everybody knows it. The stall_limit-th miss
        # in a row ends the game.
        self._bar(seat)
        self.stack.append(card)
        self.bottom_size += 1
        self.misses += 1
        if self.misses >= self.rules["stall_limit"]:
            self._end_game("stalled")
        else:
            self._start_turn((seat + 1) % self.n)

    def _bar(self, seat: int) -> None:
        # must_match: a miss proves that no card of the hand shows an object of an open card.
        # Cards drawn later are not concerned, so an older card never has fewer barred objects.
        if self.rules["must_match"]:
            objects = set(self.table.objects_of(self.open))
            self.barred[seat] = ["".join(sorted(objects | set(b))) for b in self.barred[seat]]

    # ---- The end of a game -----------------------------------------------------------------

    @property
    def points(self) -> list[int]:
        """The points of this game as if it ended now. Hand cards and open cards do not count."""
        return game_points(self.rules, self.table, self.collections)

    def _end_game(self, reason: str) -> None:
        # Points are added to the totals; after `games` games the match is over.
        points = self.points
        hearts = [hearts_in(self.table, cards) for cards in self.collections]
        self.hand_result = {
            "points": points,
            "reason": reason,
            "collections": [list(cards) for cards in self.collections],
            "hearts": hearts,
        }
        self.scores = [a + b for a, b in zip(self.scores, points, strict=True)]
        self.hearts_won = [a + b for a, b in zip(self.hearts_won, hearts, strict=True)]
        if self.deal_number + 1 == self.rules["games"]:
            self.over = True
            self.winners = winners_of(self.rules, self.scores, self.hearts_won)
        else:
            self.deal_number += 1
            self._deal()

    # ---- Moves -----------------------------------------------------------------------------

    @property
    def to_move(self) -> list[int]:
        """The one seat that may act; none when the match is over."""
        return [] if self.over else [self._turn]

    @property
    def turn(self) -> int | None:
        """The seat that may act."""
        return None if self.over else self._turn

    def code_of(self, card: str, letter: str | None) -> int:
        """2 * id, and 2 * id + 1 for the second object under choose_object."""
        objects = self.table.faces[card].objects
        return 2 * self.table.order[card] + (0 if letter is None else objects.index(letter))

    def text_of(self, card: str, letter: str | None) -> str:
        """With choose_object the object is always written, without it never."""
        return f"show {card}" if letter is None else f"show {card} by {letter}"

    def _letters(self, card: str) -> list[str | None]:
        # choose_object: one move for each object; a card that shows one object twice has one.
        return list(self.table.faces[card].objects) if self.rules["choose_object"] else [None]

    def moves_of(self, seat: int) -> list[tuple[str, str | None]]:
        """The legal moves (card, object) in ascending code; [] if the seat may not act.

        Any card of the hand may be shown, a deliberate miss too. must_match: if any move takes
        a card, only such moves are legal.
        """
        if seat not in self.to_move:
            return []
        cards = list(dict.fromkeys(self.hands[seat]))
        moves = [(card, letter) for card in cards for letter in self._letters(card)]
        if self.rules["must_match"]:
            moves = [move for move in moves if self.taken_by(*move)] or moves
        return moves

    def legal(self, seat: int) -> list[str]:
        """The texts of the seat's legal moves in ascending code; [] if it may not act."""
        return [self.text_of(*move) for move in self.moves_of(seat)]

    def is_legal(self, seat: int, text: str) -> bool:
        """Whether the seat may make this move now."""
        return self.why(seat, text) is None

    def why(self, seat: int, text: str) -> str | None:
        """The error code of a move, None if it is legal.

        Checked in the order over, turn, syntax, held, rule.
        """
        if self.over:
            return "game_over"
        if seat not in self.to_move:
            return "not_your_turn"
        move = self._read(text)
        if move is None:
            return "unknown_move"
        if move[0] not in self.hands[seat]:
            return "not_held"
        return None if move in self.moves_of(seat) else "must_match"

    def _read(self, text: str) -> tuple[str, str | None] | None:
        # The card and the object of a move text; None if these rules have no such move.
        words = text.split()
        if len(words) < 2 or words[0] != "show" or words[1] not in self.table.faces:
            return None
        letters = {self.text_of(words[1], letter): letter for letter in self._letters(words[1])}
        text = " ".join(words)
        return (words[1], letters[text]) if text in letters else None

    def play(self, seat: int, text: str) -> None:
        """Make a move; IllegalTwinMove, and nothing changed, if it is not legal."""
        code = self.why(seat, text)
        if code is not None:
            raise IllegalTwinMove(code)
        move = self._read(text)
        assert move is not None
        self.ply += 1
        self._show(seat, *move)

    # ---- Random play in the learners' action space -----------------------------------------

    def actions(self) -> list[int]:
        """The legal actions of seat `turn`, ascending."""
        return [] if self.over else [self.code_of(*move) for move in self.moves_of(self._turn)]

    def random_move(self) -> tuple[int, str, list[int]]:
        """Play one move of uniformly random play: (seat, text, the action drawn for it).

        One bounded(n) of stream (seed, domain 2, index 0) for each move, forced ones too.
        """
        seat = self.turn
        if seat is None:
            raise IllegalTwinMove("game_over")
        moves = self.moves_of(seat)
        move = moves[self.random_stream.bounded(len(moves))]
        text = self.text_of(*move)
        self.play(seat, text)
        return seat, text, [self.code_of(*move)]

    def random_action_play(self, moves: int | None = None) -> list[tuple[int, str, list[int]]]:
        """Uniformly random play for so many moves, or to the end of the match."""
        played: list[tuple[int, str, list[int]]] = []
        while not self.over and (moves is None or len(played) < moves):
            played.append(self.random_move())
        return played

    # ---- What a seat sees ------------------------------------------------------------------

    @property
    def bottom(self) -> list[str]:
        """The known cards at the bottom of the stack in drawing order, the lowest one last."""
        return self.stack[len(self.stack) - self.bottom_size :]

    def unknown_in_hand(self, seat: int) -> list[str]:
        """The cards of a hand that are not known to all."""
        unknown = Counter(self.hands[seat]) - Counter(self.known[seat])
        return self.table.sort(unknown.elements())

    def view(self, seat: int | None) -> dict[str, Any]:
        """The view of a seat, or of a spectator, without `events` and `version`.

        Private is one's own hand alone. `known` and `barred` are the same for all viewers.
        """
        return {
            "game": "herzsammler",
            "seat": seat,
            "over": self.over,
            "winners": list(self.winners),
            "phase": self.phase,
            "turn": self.turn,
            "to_move": self.to_move,
            "ply": self.ply,
            "dealer": self.dealer,
            "deal_number": self.deal_number,
            "scores": list(self.scores),
            "points": self.points,
            "names": list(self.names),
            "hand": [] if seat is None else list(self.hands[seat]),
            "hand_sizes": [len(hand) for hand in self.hands],
            "known": {str(s): list(cards) for s, cards in enumerate(self.known) if cards},
            "legal_moves": [] if seat is None else self.legal(seat),
            "rules": changed_fields(self.rules),
            "open": list(self.open),
            "collections": [list(cards) for cards in self.collections],
            "stack_size": len(self.stack),
            "bottom": self.bottom,
            "misses": self.misses,
            "hearts_won": list(self.hearts_won),
            "barred": [list(b) for b in self.barred] if self.rules["must_match"] else [],
        }

    def copy(self) -> HerzsammlerTwin:
        """An independent copy."""
        twin = HerzsammlerTwin.__new__(HerzsammlerTwin)
        shared = {"rules": self.rules, "table": self.table}
        for name, value in self.__dict__.items():
            twin.__dict__[name] = shared[name] if name in shared else _clone(value)
        return twin
