"""Hearts in plain Python, readable as a rule book: the oracle of the engine.

Cards are texts ("QS"), hands are sorted lists, copies of a card are equal texts. Every rule is
one small function whose comment states it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from tests.reference import hearts_score as score
from tests.reference.chacha import CHANCE, DEALS, RANDOM_PLAY, Stream
from tests.reference.hearts_rules import (
    KINDS,
    ORDER,
    QUEEN,
    SUITS,
    changed_fields,
    resolve,
    sort_cards,
    table_of,
)

MOON_MOVES = ["moon add", "moon subtract"]
KEPT_SPADES = ["QS", "KS", "AS"]


class IllegalTwinMove(ValueError):
    """The move is not legal; `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def deck_for(hands: Sequence[Sequence[str]], dealer: int, rest: Sequence[str] = ()) -> list[str]:
    """A deck, top first, that deals these hands and leaves `rest` as the kitty."""
    n = len(hands)
    size = len(hands[0])
    return [hands[(dealer + 1 + k) % n][k // n] for k in range(n * size)] + list(rest)


def _clone(value: Any) -> Any:
    if isinstance(value, list):
        return [_clone(item) for item in value]
    if isinstance(value, dict):
        return {key: _clone(item) for key, item in value.items()}
    if isinstance(value, (set, Stream)):
        return value.copy()
    return value


class HeartsTwin:
    """A match of Hearts under any valid rules."""

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
        self.ply = 0
        self.hand_result: dict[str, Any] | None = None
        self.random_stream = Stream(seed, RANDOM_PLAY, 0)
        self.deal_number = 0
        self._deal()

    # ---- Deal ------------------------------------------------------------------------------

    def _deck(self) -> list[str]:
        # Explicit decks come first; then deal k is shuffled by stream (seed, domain 0, index k).
        if self.deal_number < len(self.deals):
            return list(self.deals[self.deal_number])
        deck = list(self.table.deck)
        Stream(self.seed, DEALS, self.deal_number).shuffle(deck)
        return deck

    def _deal(self) -> None:
        # The deal moves left after every deal; card k goes to seat dealer+1+k, the rest is kitty.
        self.dealer = (self.first_dealer + self.deal_number) % self.n
        deck = self._deck()
        dealt = self.n * self.table.hand_size
        hands = [deck[(seat - self.dealer - 1) % self.n : dealt : self.n] for seat in self.seats]
        self.begin(hands, deck[dealt:], self._direction_of_deal())

    def begin(self, hands: Sequence[Sequence[str]], kitty: Sequence[str], direction: str) -> None:
        """Start a deal from these hands, before passing."""
        self.hands = [sort_cards(hand) for hand in hands]
        self.kitty = sort_cards(kitty)
        self.kitty_taker: int | None = None
        self.pass_direction = direction
        self.passes: dict[int, list[str]] = {}  # committed passes of this deal
        self.received: dict[int, list[str]] = {}
        self.trick: list[tuple[int, str]] = []
        self.tricks: list[tuple[int, list[str], int | None]] = []
        self.captured: list[list[str]] = [[] for _ in self.seats]  # without the kitty
        self.took_trick = [False] * self.n
        self.held: list[str] = []  # cards of tricks held over
        self.broken = False
        self.voids: list[set[str]] = [set() for _ in self.seats]
        self.shooter: int | None = None
        self.play_done = False
        self._turn = 0
        self.phase = "pass"
        if not self._passing_takes_place():
            self.start_play()

    def start_play(self) -> None:
        """Passing is over (or does not take place): the opener is to lead."""
        self.phase = "play"
        self._turn = self.opener()

    @property
    def seats(self) -> range:
        """All seats, 0..n-1."""
        return range(self.n)

    # ---- Passing ---------------------------------------------------------------------------

    def _direction_of_deal(self) -> str:
        # Hand k uses cycle[k mod length]; an empty cycle is hold; "random" draws from domain 4
        # among left, right, across, hold (no across for an odd number of players).
        cycle = self.rules["pass_cycle"]
        if cycle == "random":
            entries = ["left", "right", "across", "hold"]
            if self.n % 2:
                entries.remove("across")
            return entries[Stream(self.seed, CHANCE, self.deal_number).bounded(len(entries))]
        return str(cycle[self.deal_number % len(cycle)]) if cycle else "hold"

    def _passing_takes_place(self) -> bool:
        # pass_count=0 or hold: no pass phase at all.
        return self.rules["pass_count"] > 0 and self.pass_direction != "hold"

    def receiver_of(self, seat: int) -> int:
        """The seat that gets this seat's pass; across is seat + n/2."""
        step = {"left": 1, "right": self.n - 1, "across": self.n // 2, "hold": 0}
        return (seat + step[self.pass_direction]) % self.n

    def pass_pool(self, seat: int) -> list[str]:
        """The held cards of which any `pass_count` are a legal pass.

        Without `keep_spades` the whole hand. With it the hand without QS KS AS; if that is
        fewer than `pass_count` cards, all of them and the lowest of QS < KS < AS, copies
        included, which is then the only legal pass.
        """
        hand = self.hands[seat]
        if not self.rules["keep_spades"]:
            return list(hand)
        others = [card for card in hand if card not in KEPT_SPADES]
        kept = [card for card in hand if card in KEPT_SPADES]
        missing = max(0, self.rules["pass_count"] - len(others))
        return sort_cards(others + sort_cards(kept)[:missing])

    def legal_passes(self, seat: int) -> list[list[str]]:
        """Every legal pass once, sorted cards, in ascending order."""
        found = combinations(self.pass_pool(seat), self.rules["pass_count"])
        return [list(cards) for cards in dict.fromkeys(found)]

    def _why_not_pass(self, seat: int, cards: Sequence[str]) -> str | None:
        # A pass names exactly pass_count cards of the seat's own hand.
        if len(cards) != self.rules["pass_count"]:
            return "wrong_number"
        if Counter(cards) - Counter(self.hands[seat]):
            return "not_held"
        if Counter(cards) - Counter(self.pass_pool(seat)):
            return "keep_spades"
        return None

    def _commit(self, seat: int, cards: Sequence[str]) -> None:
        # Nobody sees received cards until all have passed; the last commit moves all at once.
        self.passes[seat] = sort_cards(cards)
        if len(self.passes) < self.n:
            return
        for giver in self.seats:
            for card in self.passes[giver]:
                self.hands[giver].remove(card)
        for giver in self.seats:
            receiver = self.receiver_of(giver)
            self.received[receiver] = list(self.passes[giver])
            self.hands[receiver] = sort_cards(self.hands[receiver] + self.passes[giver])
        self.start_play()

    # ---- Leading ---------------------------------------------------------------------------

    def opener(self) -> int:
        """The seat that opens the hand.

        "low_club", "any_club": the holder of the lowest club in the deck, or of the lowest club
        held where that lies in the kitty; of two holders the first from the dealer's left.
        "dealer_left": the dealer's left neighbour (or whoever the lead is passed on to).
        """
        left = (self.dealer + 1) % self.n
        if self.rules["lead"] == "dealer_left":
            return self.real_leader(left)
        lowest = self.lowest_club_held()
        return next(s for s in self._clockwise_from(left) if lowest in self.hands[s])

    def lowest_club_held(self) -> str:
        """The lowest club in any hand."""
        lowest = [hand[0] for hand in self.hands if hand and hand[0][1] == "C"]
        return min(lowest, key=ORDER.__getitem__)

    def _clockwise_from(self, seat: int) -> list[int]:
        return [(seat + k) % self.n for k in self.seats]

    def real_leader(self, seat: int) -> int:
        """The seat that leads where `seat` has the lead.

        "pass_lead": a seat that holds only hearts, unbroken, passes the lead to the left; if
        every seat holds only hearts the first one leads.
        """
        if self.rules["lead_when_stuck"] == "pass_lead" and self._hearts_are_closed():
            for other in self._clockwise_from(seat):
                if not all(card[1] == "H" for card in self.hands[other]):
                    return other
        return seat

    def _hearts_are_closed(self) -> bool:
        return self.rules["break_required"] and not self.broken

    def _queen_counts(self) -> bool:
        # With queen_points=0 the queen of spades is an ordinary spade.
        return bool(self.rules["queen_points"] > 0)

    def _is_opening(self) -> bool:
        return not self.tricks and not self.trick

    def opening_set(self, seat: int) -> list[str] | None:
        """The opening card under "low_club" (that card) and "any_club" (any club)."""
        if self.rules["lead"] == "low_club":
            return [self.lowest_club_held()]
        if self.rules["lead"] == "any_club":
            return [card for card in self.hands[seat] if card[1] == "C"]
        return None

    def lead_after_hearts_rule(self, hand: Sequence[str]) -> list[str]:
        """Steps 1-4 of the lead set: hearts may not be led until broken."""
        lead = list(hand)
        if self._hearts_are_closed():
            lead = [card for card in hand if card[1] != "H"] or lead
        if (
            self.rules["lead_when_stuck"] == "hearts_or_queen"
            and not self.broken
            and self._queen_counts()
            and all(card[1] == "H" or card == QUEEN for card in hand)
        ):
            lead = list(hand)
        return lead

    def lead_after_queen_rule(self, lead: Sequence[str]) -> list[str]:
        """Step 5: "after_hearts", not broken: QS leaves, unless nothing would be left."""
        if self.rules["queen_lead"] == "after_hearts" and not self.broken and self._queen_counts():
            return [card for card in lead if card != QUEEN] or list(lead)
        return list(lead)

    def lead_after_opening_rule(self, lead: Sequence[str]) -> list[str]:
        """Step 6: two packs, "dealer_left", opening lead: no penalty cards, if others are left."""
        if self.rules["decks"] == 2 and self.rules["lead"] == "dealer_left" and self._is_opening():
            return [card for card in lead if card not in self.table.penalties] or list(lead)
        return list(lead)

    def lead_set(self, hand: Sequence[str]) -> list[str]:
        """All six steps."""
        lead = self.lead_after_hearts_rule(hand)
        return self.lead_after_opening_rule(self.lead_after_queen_rule(lead))

    # ---- Following -------------------------------------------------------------------------

    def follow_set(self, hand: Sequence[str]) -> list[str]:
        """Follow suit if possible, else any card; trick 1 as in `first_trick_set`."""
        led = self.trick[0][1][1]
        same = [card for card in hand if card[1] == led]
        if same:
            return same
        return list(hand) if self.tricks else self.first_trick_set(hand)

    def first_trick_set(self, hand: Sequence[str]) -> list[str]:
        """Trick 1, void in the suit led: no heart, no QS, unless there is nothing else."""
        if self.rules["first_trick_points"] == "allow":
            return list(hand)
        return [card for card in hand if not self._is_first_trick_card(card)] or list(hand)

    def _is_first_trick_card(self, card: str) -> bool:
        return card[1] == "H" or (card == QUEEN and self._queen_counts())

    def playable(self, seat: int) -> list[str]:
        """The cards this seat may play now, each kind once, ascending."""
        hand = self.hands[seat]
        if self.trick:
            cards = self.follow_set(hand)
        else:
            opening = None if self.tricks else self.opening_set(seat)
            cards = self.lead_set(hand) if opening is None else opening
        return list(dict.fromkeys(cards))

    def _why_not_play(self, seat: int, card: str) -> str | None:
        hand = self.hands[seat]
        if card not in hand:
            return "not_held"
        if card in self.playable(seat):
            return None
        if self.trick:
            led = self.trick[0][1][1]
            can_follow = any(held[1] == led for held in hand)
            return "must_follow_suit" if can_follow else "first_trick_points"
        if not self.tricks and self.rules["lead"] == "low_club":
            return "must_lead_low_club"
        if not self.tricks and self.rules["lead"] == "any_club":
            return "must_lead_club"
        lead = self.lead_after_hearts_rule(hand)
        if card not in lead:
            return "hearts_not_broken"
        if card not in self.lead_after_queen_rule(lead):
            return "queen_lead"
        return "opening_penalty"

    # ---- Tricks ----------------------------------------------------------------------------

    def _play_card(self, seat: int, card: str) -> None:
        if self.trick and card[1] != self.trick[0][1][1]:
            self.voids[seat].add(self.trick[0][1][1])
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        self._break_hearts(card)
        if len(self.trick) == self.n:
            self._end_trick()
        else:
            self._turn = (seat + 1) % self.n

    def _break_hearts(self, card: str) -> None:
        # Any heart breaks hearts, the queen of spades too if queen_breaks.
        if card[1] == "H":
            self.broken = True
        if card == QUEEN and self.rules["queen_breaks"] and self._queen_counts():
            self.broken = True

    def trick_winner(self) -> int | None:
        """The highest uncancelled card of the suit led wins; None: there is no such card.

        Two packs: two identical cards in one trick cancel each other.
        """
        led = self.trick[0][1][1]
        copies = Counter(card for _, card in self.trick)
        best: int | None = None
        best_order = -1
        for seat, card in self.trick:
            if card[1] == led and copies[card] == 1 and ORDER[card] > best_order:
                best, best_order = seat, ORDER[card]
        return best

    def _taker_of_cancelled_last_trick(self) -> int:
        # Its leader; or the seat that played the later copy of the highest cancelled pair of the
        # suit led.
        leader, led_card = self.trick[0]
        if self.rules["last_cancelled"] == "leader":
            return leader
        copies = Counter(card for _, card in self.trick)
        paired = [card for card in copies if card[1] == led_card[1] and copies[card] == 2]
        highest = max(paired, key=ORDER.__getitem__)
        return [seat for seat, card in self.trick if card == highest][-1]

    def _end_trick(self) -> None:
        # The winner takes the trick and all held over, and leads next. A trick that nobody wins
        # is held over, the seat that led it leads again; the last trick is always taken.
        last = not any(self.hands)
        leader = self.trick[0][0]
        winner = self.trick_winner()
        if winner is None and last:
            winner = self._taker_of_cancelled_last_trick()
        cards = [card for _, card in self.trick]
        self.tricks.append((leader, cards, winner))
        self.trick = []
        self.held += cards
        if winner is not None:
            self._capture(winner, last)
        if last or self._is_decided():
            self._end_of_play()
        else:
            self._turn = self.real_leader(leader if winner is None else winner)

    def _capture(self, seat: int, last: bool) -> None:
        if self.kitty and self.kitty_taker is None and self._kitty_goes_with(self.held, last):
            self.kitty_taker = seat
        self.captured[seat] += self.held
        self.took_trick[seat] = True
        self.held = []

    def _kitty_goes_with(self, cards: Sequence[str], last: bool) -> bool:
        # "first_trick": with trick 1 (if that is held over, it waits); "first_points": with the
        # first captured cards that hold a penalty card, else the last trick; "last_trick".
        if self.rules["kitty_to"] == "first_trick" or last:
            return True
        if self.rules["kitty_to"] == "first_points":
            return any(card in self.table.penalties for card in cards)
        return False

    def _is_decided(self) -> bool:
        # stop_when_decided: no penalty or bonus card in a hand or held over (never with a kitty),
        # no no-trick bonus open, no sun open.
        if not self.rules["stop_when_decided"] or self.kitty:
            return False
        if any(card in self.table.value for zone in [*self.hands, self.held] for card in zone):
            return False
        if self.rules["no_trick_bonus"] != 0 and not all(self.took_trick):
            return False
        no_sun = self.rules["sun"] == "off" or self.rules["moon"] == "off"
        return no_sun or sum(self.took_trick) >= 2

    # ---- The end of a hand -----------------------------------------------------------------

    @property
    def piles(self) -> list[list[str]]:
        """Captured cards per seat, kitty included where it is captured, in canonical order."""
        piles = [list(pile) for pile in self.captured]
        if self.kitty_taker is not None:
            piles[self.kitty_taker] += self.kitty
        return [sort_cards(pile) for pile in piles]

    @property
    def points(self) -> list[int]:
        """Card points and bonus of the publicly captured cards of this deal.

        The kitty counts only after the last trick, when all see it.
        """
        piles = self.piles if self.play_done else self.captured
        return [sum(self.table.value.get(card, 0) for card in pile) for pile in piles]

    def _end_of_play(self) -> None:
        # A moon is decided by the captured cards; with "choice" the shooter then decides.
        self.play_done = True
        self.shooter = score.moon_shooter(self.rules, self.table, self.piles)
        if self.shooter is None:
            self._score_hand(None)
        elif self.rules["moon"] == "choice":
            self.phase = "moon"
            self._turn = self.shooter
        elif self.rules["moon"] == "auto":
            self._score_hand(self._auto_kind(self.shooter))
        else:
            self._score_hand(self.rules["moon"])

    def _auto_kind(self, shooter: int) -> str:
        return score.auto_kind(
            self.rules,
            self.table,
            self.piles,
            self.took_trick,
            shooter,
            self.scores,
            self.deal_number + 1,
        )

    def _score_hand(self, kind: str | None) -> None:
        # Hand points, new totals, end of the match or the next deal.
        piles = self.piles
        points = score.hand_points(
            self.rules, self.table, piles, self.took_trick, self.shooter, kind
        )
        self.hand_result = {"points": points, "moon": self.shooter, "kind": kind, "piles": piles}
        self.scores = score.new_totals(self.rules, self.scores, points)
        if score.match_ends(self.rules, self.scores, self.deal_number + 1):
            self.over = True
            self.phase = "over"
            self.winners = score.lowest_seats(self.scores)
        else:
            self.deal_number += 1
            self._deal()

    # ---- Moves -----------------------------------------------------------------------------

    @property
    def to_move(self) -> list[int]:
        """All seats that may act now, ascending."""
        if self.over:
            return []
        if self.phase == "pass":
            return [seat for seat in self.seats if seat not in self.passes]
        return [self._turn]

    @property
    def turn(self) -> int | None:
        """The lowest seat that may act."""
        to_move = self.to_move
        return to_move[0] if to_move else None

    def legal(self, seat: int) -> list[str]:
        """The texts of the seat's legal moves in ascending code order; [] if it may not act."""
        if seat not in self.to_move:
            return []
        if self.phase == "pass":
            return ["pass " + " ".join(cards) for cards in self.legal_passes(seat)]
        if self.phase == "moon":
            return list(MOON_MOVES)
        return self.playable(seat)

    def is_legal(self, seat: int, text: str) -> bool:
        """Whether the seat may make this move now."""
        return self.why(seat, text) is None

    def why(self, seat: int, text: str) -> str | None:
        """The error code of a move, None if it is legal.

        Checked in the order over, turn, syntax, phase, number, held, rule.
        """
        if self.over:
            return "game_over"
        if seat not in self.to_move:
            return "not_your_turn"
        phase, cards = self._read(text)
        if phase is None:
            return "unknown_move"
        if phase != self.phase:
            return "wrong_phase"
        if phase == "pass":
            return self._why_not_pass(seat, cards)
        if phase == "play":
            return self._why_not_play(seat, cards[0])
        return None

    @staticmethod
    def _read(text: str) -> tuple[str | None, list[str]]:
        # The phase a move text belongs to and its cards; (None, []) if it is no move.
        if text in MOON_MOVES:
            return "moon", []
        if text in ORDER:
            return "play", [text]
        words = text.split()
        if words and words[0] == "pass" and all(word in ORDER for word in words[1:]):
            return "pass", words[1:]
        return None, []

    def play(self, seat: int, text: str) -> None:
        """Make a move; IllegalTwinMove, and nothing changed, if it is not legal."""
        code = self.why(seat, text)
        if code is not None:
            raise IllegalTwinMove(code)
        phase, cards = self._read(text)
        self.ply += 1
        if phase == "pass":
            self._commit(seat, cards)
        elif phase == "play":
            self._play_card(seat, cards[0])
        else:
            self._score_hand(text.split()[1])

    # ---- Random play in the learners' action space -----------------------------------------

    def actions(self, picks: Sequence[str] = ()) -> list[int]:
        """The legal actions of seat `turn`, ascending: cards by index, 52 add, 53 subtract.

        A pass is picked one card at a time; a card may be picked if some legal pass holds the
        picks so far and that card.
        """
        seat = self.turn
        if seat is None:
            return []
        if self.phase == "moon":
            return [52, 53]
        if self.phase == "pass":
            left = Counter(self.pass_pool(seat)) - Counter(picks)
            return sorted(ORDER[card] for card in left)
        return [ORDER[card] for card in self.playable(seat)]

    def _draw_action(self, picks: Sequence[str] = ()) -> int:
        actions = self.actions(picks)
        return actions[self.random_stream.bounded(len(actions))]

    def random_move(self) -> tuple[int, str, list[int]]:
        """Play one move of uniformly random play: (seat, text, the actions drawn for it).

        One bounded(n) of stream (seed, domain 2, index 0) per action, forced ones too.
        """
        seat = self.turn
        if seat is None:
            raise IllegalTwinMove("game_over")
        drawn: list[int] = []
        if self.phase == "pass":
            picks: list[str] = []
            while len(picks) < self.rules["pass_count"]:
                drawn.append(self._draw_action(picks))
                picks.append(KINDS[drawn[-1]])
            text = "pass " + " ".join(sort_cards(picks))
        else:
            drawn.append(self._draw_action())
            text = KINDS[drawn[0]] if drawn[0] < 52 else MOON_MOVES[drawn[0] - 52]
        self.play(seat, text)
        return seat, text, drawn

    def random_action_play(self, moves: int | None = None) -> list[tuple[int, str, list[int]]]:
        """Uniformly random play for so many moves, or to the end of the match."""
        played: list[tuple[int, str, list[int]]] = []
        while not self.over and (moves is None or len(played) < moves):
            played.append(self.random_move())
        return played

    # ---- What a seat sees ------------------------------------------------------------------

    def known(self, seat: int | None) -> dict[int, list[str]]:
        """Cards the viewer passed to a seat that this seat has not played since."""
        if seat is None or seat not in self.passes or not self.received:
            return {}
        receiver = self.receiver_of(seat)
        kept = Counter(self.passes[seat]) - Counter(self.played_by(receiver))
        return {receiver: sort_cards(kept.elements())} if kept else {}

    def plays(self) -> list[tuple[int, str]]:
        """All (seat, card) plays of this deal in order."""
        played = [
            ((leader + k) % self.n, card)
            for leader, cards, _ in self.tricks
            for k, card in enumerate(cards)
        ]
        return played + self.trick

    def played_by(self, seat: int) -> list[str]:
        """The cards a seat has played in this deal."""
        return [card for player, card in self.plays() if player == seat]

    def sees_kitty(self, seat: int | None) -> bool:
        """The taker sees the kitty from capture on, everybody after the last trick."""
        if not self.kitty:
            return False
        return self.play_done or (seat is not None and seat == self.kitty_taker)

    def view(self, seat: int | None) -> dict[str, Any]:
        """The view of a seat, or of a spectator, without `events` and `version`."""
        mine = seat is not None and seat in self.passes
        got = seat is not None and seat in self.received
        return {
            "game": "hearts",
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
            "known": {str(other): cards for other, cards in self.known(seat).items()},
            "legal_moves": [] if seat is None else self.legal(seat),
            "rules": changed_fields(self.rules),
            "pass_direction": self.pass_direction,
            "committed": sorted(self.passes) if self.phase == "pass" else [],
            "my_pass": list(self.passes[seat]) if mine and seat is not None else None,
            "received": list(self.received[seat]) if got and seat is not None else None,
            "trick": [[player, card] for player, card in self.trick],
            "tricks": [[leader, list(cards), winner] for leader, cards, winner in self.tricks],
            "hearts_broken": self.broken,
            "voids": [[suit for suit in SUITS if suit in void] for void in self.voids],
            "kitty_size": len(self.kitty),
            "kitty": list(self.kitty) if self.sees_kitty(seat) else None,
        }

    def copy(self) -> HeartsTwin:
        """An independent copy."""
        twin = HeartsTwin.__new__(HeartsTwin)
        shared = {"rules": self.rules, "table": self.table}
        for name, value in self.__dict__.items():
            twin.__dict__[name] = shared[name] if name in shared else _clone(value)
        return twin
