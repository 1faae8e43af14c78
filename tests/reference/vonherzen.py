"""Von Herzen in plain Python, readable as a rule book: the oracle of the engine.

Cards are texts ("QS"), hands are sorted lists. Every rule is one small function whose comment
states it. Runs, their shapes and points are in `vonherzen_runs`, texts and codes of moves in
`vonherzen_moves`, random play over the learners' actions in `vonherzen_actions`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from tests.reference import vonherzen_runs as runs
from tests.reference.chacha import DEALS, RANDOM_PLAY, Stream
from tests.reference.vonherzen_actions import ActionPlay
from tests.reference.vonherzen_moves import PHASES, Move, code_of, mask_of, read, text_of
from tests.reference.vonherzen_rules import (
    CARDS,
    COPIES,
    KIND,
    RANK,
    changed_fields,
    deals_of,
    is_blocked,
    resolve,
    sort_cards,
)

IN_HAND = ("offer", "accept", "takeover", "meld", "layoff", "discard")


class IllegalTwinMove(ValueError):
    """The move is not legal; `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def deck_for(hands: Sequence[Sequence[str]], dealer: int, rest: Sequence[str] = ()) -> list[str]:
    """A deck, top first, that deals these hands and leaves `rest` as the stock."""
    n = len(hands)
    size = len(hands[0])
    return [hands[(dealer + 1 + k) % n][k // n] for k in range(n * size)] + list(rest)


def choices(pool: Sequence[str], size: int | None = None) -> list[list[str]]:
    """Sets of cards of the pool, one for each choice of kinds, in ascending code.

    Where one of two copies is chosen it is the lower one. `size` None: of any size.
    """
    held = [[card for card in copies if card in pool] for copies in COPIES]
    parts = [[copies[:count] for count in range(len(copies) + 1)] for copies in held if copies]
    sets = [sort_cards(card for part in chosen for card in part) for chosen in product(*parts)]
    return sorted((cards for cards in sets if size in (None, len(cards))), key=mask_of)


def _clone(value: Any) -> Any:
    if isinstance(value, list):
        return [_clone(item) for item in value]
    if isinstance(value, dict):
        return {key: _clone(item) for key, item in value.items()}
    return value.copy() if isinstance(value, Stream) else value


class VonHerzenTwin(ActionPlay):
    """A match of Von Herzen under any valid rules."""

    def __init__(
        self,
        rules: Mapping[str, object],
        seed: int = 0,
        dealer: int | None = None,
        deals: Sequence[Sequence[str]] = (),
    ) -> None:
        """`rules` holds the given fields only; `deals` are decks (top first) used first."""
        self.rules: dict[str, Any] = resolve(rules)
        self.n: int = self.rules["players"]
        self.shapes = [
            (number, shape)
            for number, shape in enumerate(runs.SHAPES)
            if runs.shape_is_allowed(self.rules, shape)
        ]
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
        self.decks: list[list[str]] = []  # of the deals so far, top first
        self.history: list[tuple[int, str]] = []
        self.begin(self._deck())

    # ---- Deal ------------------------------------------------------------------------------

    @property
    def seats(self) -> range:
        """All seats, 0..n-1."""
        return range(self.n)

    def _deck(self) -> list[str]:
        # Explicit decks come first; then deal k is shuffled by stream (seed, domain 0, index k).
        if self.deal_number < len(self.deals):
            return list(self.deals[self.deal_number])
        deck = list(CARDS)
        Stream(self.seed, DEALS, self.deal_number).shuffle(deck)
        return deck

    def begin(self, deck: Sequence[str]) -> None:
        """Start deal `deal_number` from this deck.

        The deal moves left after every deal; card k goes to seat dealer+1+k, the rest is the
        stock, top first. turn_up: its top card starts the pile.
        """
        self.decks[self.deal_number :] = [list(deck)]
        self.scores_before = list(self.scores)
        self.deal_start = len(self.history)
        self.dealer = (self.first_dealer + self.deal_number) % self.n
        dealt = self.n * self.rules["hand_size"]
        self.hands = [
            sort_cards(deck[(seat - self.dealer - 1) % self.n : dealt : self.n])
            for seat in self.seats
        ]
        self.stock = list(deck[dealt:])
        self.turned_over = False  # then the order of the stock is public
        self.pile: list[str] = []  # top last
        if self.rules["turn_up"] and self.stock:
            self.pile.append(self.stock.pop(0))
        self.runs: list[tuple[int, list[str]]] = []  # (owner, cards), numbered from 0
        self.taken: list[list[str]] = [[] for _ in self.seats]  # openly taken, still in hand
        self.swaps: list[list[tuple[int, list[str], list[str]]]] = [[] for _ in self.seats]
        self.offer: dict[str, Any] | None = None
        self.proposals = 0  # finished ones
        self.turns_taken = 0  # normal turns
        self.idle_turns = 0  # the last so many normal turns were idle
        self.last_turns: list[int] = []  # seats that have one now or still to come
        self._new_turn()
        self._next_proposal()

    def _new_turn(self) -> None:
        self.drawn: str | None = None  # the card taken from the pile in this turn
        self.melded_this_turn = 0
        self.progress = False  # the turn is not idle

    # ---- Phase 1: exchange -----------------------------------------------------------------

    def _next_proposal(self) -> None:
        # Each seat proposes once a round: right of the dealer first, then on to the right, the
        # dealer last; the same order in every round. Then the dealer's left begins to play.
        self.offer = None
        if self.proposals < self.n * self.rules["exchange_rounds"]:
            self.phase = "offer"
            self._turn = (self.dealer - 1 - self.proposals) % self.n
        else:
            self._begin_turn((self.dealer + 1) % self.n)

    def _end_proposal(self) -> None:
        self.proposals += 1
        self._next_proposal()

    def _pending(self) -> dict[str, Any]:
        assert self.offer is not None
        return self.offer

    def _make_offer(self, seat: int, cards: list[str]) -> None:
        # Cards for the right neighbour, or none: then the proposal is over. They stay in the
        # proposer's hand until swapped.
        if not cards:
            self._end_proposal()
            return
        receiver = (seat - 1) % self.n
        self.offer = {
            "proposer": seat,
            "receiver": receiver,
            "cards": cards,
            "counter": None,
            "asked": [],
            "agreed": None,
        }
        self.phase, self._turn = "answer", receiver

    def others(self) -> list[int]:
        """The seats that may take over, in the order in which they are asked.

        Counter-clockwise from the receiver's right neighbour, without proposer and receiver.
        """
        return [(self._pending()["receiver"] - k) % self.n for k in range(1, self.n - 1)]

    def _ask_others(self) -> None:
        # The next seat to be asked; after the last one the proposer answers a counter, and
        # after a decline nothing moves.
        waiting = [seat for seat in self.others() if seat not in self._pending()["asked"]]
        if waiting:
            self.phase, self._turn = "takeover", waiting[0]
        elif self._pending()["counter"] is not None:
            self.phase, self._turn = "agree", self._pending()["proposer"]
        else:
            self._end_proposal()

    def _decline(self) -> None:
        if self.rules["others_after_decline"]:
            self._ask_others()
        else:
            self._end_proposal()

    def _counter(self, number: int) -> None:
        self._pending()["counter"] = number
        self._ask_others()

    def _stay(self, seat: int) -> None:
        self._pending()["asked"].append(seat)
        self._ask_others()

    def _agree(self, cards: list[str]) -> None:
        self._pending()["agreed"] = cards
        self.phase, self._turn = "give", self._pending()["receiver"]

    def _swap(self, seat: int, cards: list[str]) -> None:
        # `seat` gives these cards and gets those offered, or agreed on; both take them.
        offer = self._pending()
        proposer = offer["proposer"]
        offered = offer["cards"] if offer["agreed"] is None else offer["agreed"]
        for giver, taker, given, got in (
            (proposer, seat, offered, cards),
            (seat, proposer, cards, offered),
        ):
            kept = [card for card in self.hands[giver] if card not in given]
            self.hands[giver] = sort_cards([*kept, *got])
            self.swaps[giver].append((taker, list(given), list(got)))
        self._end_proposal()

    def answer_size(self) -> int:
        """How many cards the seat to answer must name (or agree to)."""
        offer = self._pending()
        wanted = offer["counter"] if self.phase in ("agree", "give") else len(offer["cards"])
        return int(wanted)

    # ---- Phase 2: turns --------------------------------------------------------------------

    def _begin_turn(self, seat: int) -> None:
        # A normal turn starts with a draw if stock or pile has a card. stock_refill: an empty
        # stock is first made of the whole pile, its bottom card on top. Last turns: no draw.
        self._turn = seat
        self._new_turn()
        self.phase = "meld"
        if self.last_turns:
            return
        if self.rules["stock_refill"] == "turn_over" and not self.stock and self.pile:
            self.stock, self.pile = self.pile, []
            self.turned_over = True
        if self.stock or self.pile:
            self.phase = "draw"

    def _draw(self, seat: int, move: Move) -> None:
        # A card of a turned-over stock or of the pile is taken openly; only a card of the
        # original stock makes the turn more than idle.
        if move.cards or move.number == 1:
            card = move.cards[0] if move.cards else self.pile[-1]
            self.pile.remove(card)
            self.drawn = card
        else:
            card = self.stock.pop(0)
            self.progress = self.progress or not self.turned_over
        if self.drawn is not None or self.turned_over:
            self.taken[seat] = sort_cards([*self.taken[seat], card])
        self.hands[seat] = sort_cards([*self.hands[seat], card])
        self.phase = "meld"

    def _put_down(self, seat: int, cards: Sequence[str]) -> None:
        self.hands[seat] = [card for card in self.hands[seat] if card not in cards]
        self.taken[seat] = [card for card in self.taken[seat] if card not in cards]

    def _meld(self, seat: int, cards: Sequence[str]) -> None:
        run = runs.arrange(cards)
        assert run is not None
        self.runs.append((seat, run))
        self.melded_this_turn += 1
        self._lay(seat, cards)

    def _lay_off(self, seat: int, card: str, number: int) -> None:
        owner, run = self.runs[number]
        self.runs[number] = (owner, runs.extended(run, card))
        self._lay(seat, [card])

    def _lay(self, seat: int, cards: Sequence[str]) -> None:
        # The turn ends the moment the last card is laid.
        self._put_down(seat, cards)
        self.progress = True
        if not self.hands[seat]:
            self._end_turn()

    def _discard(self, seat: int, card: str) -> None:
        self._put_down(seat, [card])
        self.pile.append(card)
        self._end_turn()

    def _end_turn(self) -> None:
        # Going out ends the deal; in the first round of turns each seat that has had no turn
        # yet gets a last turn, in turn order. Then comes the test for a blocked deal.
        seat = self._turn
        if self.last_turns:
            self.last_turns.pop(0)
            if self.last_turns:
                self._begin_turn(self.last_turns[0])
            else:
                self._score_deal(blocked=False)
            return
        self.turns_taken += 1
        self.idle_turns = 0 if self.progress else self.idle_turns + 1
        if not self.hands[seat]:
            waiting = max(0, self.n - self.turns_taken)
            self.last_turns = [(seat + k) % self.n for k in range(1, waiting + 1)]
            if self.last_turns:
                self._begin_turn(self.last_turns[0])
            else:
                self._score_deal(blocked=False)
        elif is_blocked(self.rules, self.idle_turns, self.turns_taken):
            self._score_deal(blocked=True)
        else:
            self._begin_turn((seat + 1) % self.n)

    # ---- Melds, lay-offs, discards ---------------------------------------------------------

    def melded(self) -> list[int]:
        """The seats that have melded a run of their own in this deal, ascending."""
        return sorted({owner for owner, _ in self.runs})

    def held_kinds(self, seat: int) -> dict[int, str]:
        """Kind -> the lowest card of that kind in the hand."""
        return {KIND[card]: card for card in reversed(self.hands[seat])}

    def may_meld(self) -> bool:
        """one_meld_per_turn: at most one new run a turn."""
        return not (self.rules["one_meld_per_turn"] and self.melded_this_turn)

    def melds(self, seat: int) -> list[tuple[int, runs.Shape]]:
        """(number, shape) of every run the hand can meld, ascending."""
        if not self.may_meld():
            return []
        hand = sum(1 << kind for kind in self.held_kinds(seat))
        return [(number, shape) for number, shape in self.shapes if shape.mask & ~hand == 0]

    def lay_offs(self, seat: int) -> list[tuple[int, int]]:
        """(kind, run) of every lay-off, ascending.

        The seat must have melded a run of its own; real cards fit on any run, a joker on one's
        own run without one.
        """
        if all(owner != seat for owner, _ in self.runs):
            return []
        held = self.held_kinds(seat)
        return sorted(
            (kind, number)
            for number in range(len(self.runs))
            for rank in runs.open_ranks(self.rules, self.runs[number][1])
            for kind in (rank, 8 + rank)
            if kind in held and self.why_not_lay_off(seat, held[kind], number) is None
        )

    def why_not_lay_off(self, seat: int, card: str, number: int) -> str | None:
        """Why a card may not be laid on a run: see `lay_offs`. One card fits at an end."""
        if number >= len(self.runs):
            return "no_such_run"
        owner, run = self.runs[number]
        if all(other != seat for other, _ in self.runs):
            return "not_melded"
        if len(run) == 8:
            return "run_closed"
        if RANK[card] not in runs.open_ranks(self.rules, run):
            return "does_not_fit"
        if not runs.is_joker_for(run, card):
            return None
        return "joker_on_others" if owner != seat else runs.takes_joker(self.rules, run)

    def why_not_discard(self, card: str) -> str | None:
        """Last turns have no discard; nor may the kind just taken from the pile go back."""
        if self.last_turns:
            return "last_turn"
        taken = self.drawn is not None and KIND[card] == KIND[self.drawn]
        return "drawn_kind" if taken and not self.rules["discard_drawn"] else None

    def why_not_end(self, seat: int) -> str | None:
        """discard_mandatory: only if no card may be discarded; last turns may always end."""
        if not self.rules["discard_mandatory"] or self.last_turns:
            return None
        can_discard = any(self.why_not_discard(card) is None for card in self.hands[seat])
        return "must_discard" if can_discard else None

    # ---- The end of a deal -----------------------------------------------------------------

    @property
    def points(self) -> list[int]:
        """Points of this deal so far: runs for their owners, less one per card held."""
        return runs.deal_points(self.rules, self.runs, [len(hand) for hand in self.hands])

    def _score_deal(self, blocked: bool) -> None:
        # Highest total wins, ties are shared.
        self._new_turn()
        self.hand_result = {
            "points": self.points,
            "runs": [(owner, list(run)) for owner, run in self.runs],
            "hand_sizes": [len(hand) for hand in self.hands],
            "blocked": blocked,
        }
        self.scores = [a + b for a, b in zip(self.scores, self.points, strict=True)]
        if self.deal_number + 1 >= deals_of(self.rules):
            self.over = True
            self.phase = "over"
            self.winners = [s for s in self.seats if self.scores[s] == max(self.scores)]
        else:
            self.deal_number += 1
            self.begin(self._deck())

    # ---- Moves -----------------------------------------------------------------------------

    @property
    def turn(self) -> int | None:
        """The seat that is to act."""
        return None if self.over else self._turn

    @property
    def to_move(self) -> list[int]:
        """The seat that is to act, as a list."""
        return [] if self.over else [self._turn]

    def legal(self, seat: int) -> list[str]:
        """The texts of the seat's legal moves in ascending code; [] if it may not act.

        One canonical move for each choice of kinds: the lower copy where one moves.
        """
        if seat not in self.to_move:
            return []
        hand = self.hands[seat]
        if self.phase == "offer":
            return [text_of("offer", cards) for cards in choices(hand)]
        if self.phase in ("answer", "takeover", "give"):
            verb = "takeover" if self.phase == "takeover" else "accept"
            sets = [text_of(verb, cards) for cards in choices(hand, self.answer_size())]
            if self.phase == "takeover":
                return [*sets, "stay"]
            if self.phase == "give":
                return sets
            return [*sets, "decline", *(f"counter {k}" for k in range(1, self.answer_size()))]
        if self.phase == "agree":
            pool = self._pending()["cards"]
            sets = [text_of("agree", cards) for cards in choices(pool, self.answer_size())]
            return sets if self.rules["counter_binding"] else [*sets, "withdraw"]
        return self._legal_draws() if self.phase == "draw" else self._legal_plays(seat)

    def _legal_draws(self) -> list[str]:
        # The stock; the top card of the pile, or with "any" each kind of the pile.
        draws = ["draw stock"] if self.stock else []
        if self.rules["draw_from_pile"] == "top":
            return [*draws, "draw pile"] if self.pile else draws
        lowest = {KIND[card]: card for card in reversed(sort_cards(self.pile))}
        return draws + [f"draw {card}" for card in sort_cards(lowest.values())]

    def _legal_plays(self, seat: int) -> list[str]:
        held = self.held_kinds(seat)
        texts = [
            text_of("meld", [held[kind] for kind in shape.kinds]) for _, shape in self.melds(seat)
        ]
        texts += [f"layoff {held[kind]} {number}" for kind, number in self.lay_offs(seat)]
        texts += [f"discard {c}" for c in held.values() if self.why_not_discard(c) is None]
        if self.why_not_end(seat) is None:
            texts.append("end")
        return sorted(texts, key=code_of)

    def is_legal(self, seat: int, text: str) -> bool:
        """Whether the seat may make this move now; any held copy of a card will do."""
        return self.why(seat, text) is None

    def why(self, seat: int, text: str) -> str | None:
        """The error code of a move, None if it is legal.

        Checked in the order over, turn, syntax, phase, number, held, rule.
        """
        if self.over:
            return "game_over"
        if seat != self._turn:
            return "not_your_turn"
        move = read(text)
        if move is None:
            return "unknown_move"
        if self.phase not in PHASES[move.verb]:
            return "wrong_phase"
        if (
            move.verb in ("accept", "takeover", "agree") and len(move.cards) != self.answer_size()
        ) or (move.verb == "counter" and move.number >= self.answer_size()):
            return "wrong_number"
        if move.verb in (*IN_HAND, "agree") and not set(move.cards) <= set(self.hands[seat]):
            return "not_held"
        return self._why_not(seat, move)

    def _why_not(self, seat: int, move: Move) -> str | None:
        if move.verb == "agree":
            return None if set(move.cards) <= set(self._pending()["cards"]) else "not_offered"
        if move.verb == "withdraw":
            return "counter_binding" if self.rules["counter_binding"] else None
        if move.verb == "draw":
            return self._why_not_draw(move)
        if move.verb == "meld":
            reason = runs.why_not_run(self.rules, move.cards)
            return reason or (None if self.may_meld() else "one_meld_per_turn")
        if move.verb == "layoff":
            return self.why_not_lay_off(seat, move.cards[0], move.number)
        if move.verb == "discard":
            return self.why_not_discard(move.cards[0])
        return self.why_not_end(seat) if move.verb == "end" else None

    def _why_not_draw(self, move: Move) -> str | None:
        # "draw pile" exists only with draw_from_pile="top", "draw CARD" only with "any".
        is_any = self.rules["draw_from_pile"] == "any"
        if move.cards:
            if not is_any:
                return "top_card_only"
            return None if move.cards[0] in self.pile else "not_in_pile"
        if move.number == 0:
            return None if self.stock else "stock_empty"
        if is_any:
            return "name_the_card"
        return None if self.pile else "pile_empty"

    def play(self, seat: int, text: str) -> None:
        """Make a move; IllegalTwinMove, and nothing changed, if it is not legal."""
        code = self.why(seat, text)
        move = read(text)
        if code is not None or move is None:
            raise IllegalTwinMove(code or "unknown_move")
        self.ply += 1
        self.history.append((seat, text))
        cards = list(move.cards)
        match move.verb:
            case "offer":
                self._make_offer(seat, cards)
            case "accept" | "takeover":
                self._swap(seat, cards)
            case "decline":
                self._decline()
            case "counter":
                self._counter(move.number)
            case "stay":
                self._stay(seat)
            case "agree":
                self._agree(cards)
            case "withdraw":
                self._end_proposal()
            case "draw":
                self._draw(seat, move)
            case "meld":
                self._meld(seat, cards)
            case "layoff":
                self._lay_off(seat, cards[0], move.number)
            case "discard":
                self._discard(seat, cards[0])
            case _:
                self._end_turn()

    # ---- What a seat sees ------------------------------------------------------------------

    def view(self, seat: int | None) -> dict[str, Any]:
        """The view of a seat, or of a spectator, without `events` and `version`."""
        offer = self.offer
        mine = offer if offer is not None and seat == offer["proposer"] else None
        return {
            "game": "vonherzen",
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
            "known": {str(s): list(cards) for s, cards in enumerate(self.taken) if cards},
            "legal_moves": [] if seat is None else self.legal(seat),
            "rules": changed_fields(self.rules),
            "runs": [[k, owner, list(run)] for k, (owner, run) in enumerate(self.runs)],
            "pile": list(self.pile),
            "stock_size": len(self.stock),
            "stock": list(self.stock) if self.turned_over else None,
            "proposals": self.proposals,
            "offer": None
            if offer is None
            else {
                "proposer": offer["proposer"],
                "receiver": offer["receiver"],
                "size": len(offer["cards"]),
                "counter": offer["counter"],
            },
            "my_offer": None if mine is None else list(mine["cards"]),
            "my_agreed": None if mine is None or mine["agreed"] is None else list(mine["agreed"]),
            "swaps": []
            if seat is None
            else [[other, list(given), list(got)] for other, given, got in self.swaps[seat]],
            "melded": self.melded(),
            "turns_taken": self.turns_taken,
            "idle_turns": self.idle_turns,
            "last_turns": list(self.last_turns),
            "drawn": self.drawn,
            "melded_this_turn": self.melded_this_turn,
            "progress": self.progress,
        }

    def copy(self) -> VonHerzenTwin:
        """An independent copy."""
        twin = VonHerzenTwin.__new__(VonHerzenTwin)
        for name, value in self.__dict__.items():
            if name in ("rules", "shapes"):
                twin.__dict__[name] = value
            elif name == "history":
                twin.__dict__[name] = list(value)
            else:
                twin.__dict__[name] = _clone(value)
        return twin

    @classmethod
    def from_setup(
        cls,
        rules: Mapping[str, object],
        *,
        hands: Sequence[Sequence[str]],
        turn: int,
        phase: str = "draw",
        **zones: Any,
    ) -> VonHerzenTwin:
        """Any position. `zones` are attributes of the twin by name; the rest of a fresh deal.

        Not given: no runs, empty pile and stock, the first round of turns over.
        """
        twin = cls(rules, dealer=zones.pop("dealer", None))
        twin.hands = [sort_cards(hand) for hand in hands]
        twin.phase, twin._turn = phase, turn
        twin.stock, twin.pile = [], []
        if phase in ("draw", "meld"):
            twin.offer, twin.proposals = None, twin.n * twin.rules["exchange_rounds"]
            twin.turns_taken = twin.n
        for name, value in zones.items():
            assert name in twin.__dict__, name
            setattr(twin, name, _clone(value))
        return twin
