"""`VonHerzen`: one match, seen through the rules of `_rules.pyx`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum

from herzen._core import Position
from herzen.game import Game
from herzen.scoring import ScoreSheet
from herzen.seeds import Seed, parse_seed
from herzen.view import known_cards
from herzen.vonherzen import _zones
from herzen.vonherzen import setup as setups
from herzen.vonherzen.cards import CARDS, Card, cards_at
from herzen.vonherzen.events import (
    Answered,
    DealScored,
    Dealt,
    Discarded,
    Drawn,
    LaidOff,
    LastTurns,
    Melded,
    Offered,
    StockTurned,
    Swapped,
    TurnEnded,
)
from herzen.vonherzen.moves import (
    Accept,
    Agree,
    Counter,
    Discard,
    Draw,
    LayOff,
    Meld,
    Move,
    Offer,
    TakeOver,
    from_code,
)
from herzen.vonherzen.rules import VonHerzenRules
from herzen.vonherzen.scoring import RunScorer
from herzen.vonherzen.setup import last_turns
from herzen.vonherzen.view import VonHerzenView, public_offer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar, Self, SupportsIndex

    from herzen.cards import Card as AnyCard
    from herzen.decks import Deck
    from herzen.log import Told

# Flags of _rules.pxd: what a move brought about.
DID_MOVE, DID_SWAP, DID_TURN_OVER, DID_LAST_TURNS, DID_SCORE, DID_DEAL = (
    1 << bit for bit in range(8, 14)
)

# Error code and sentence for each verdict of _rules.pxd.
_VERDICTS = (
    ("", ""),
    ("wrong_phase", "{word} is not to be decided now: the phase is {phase}"),
    ("wrong_number", "{size} cards are needed"),
    ("not_held", "seat {seat} does not hold all of {cards}"),
    ("not_offered", "only cards of the offer can be agreed to"),
    ("counter_binding", "the counter is binding: the offer cannot be withdrawn"),
    ("top_card_only", 'only the top card of the pile may be taken: "draw pile"'),
    ("not_in_pile", "{cards} is not in the pile"),
    ("stock_empty", "the stock is empty"),
    ("name_the_card", 'any card of the pile may be taken: name it, as in "draw 9H"'),
    ("pile_empty", "the pile is empty"),
    (
        "not_a_run",
        "{cards} is no run: 3 to 8 cards of a colour, ranks in a row, one joker from four cards on",
    ),
    ("no_wrap", "nothing is laid before 7 or after A under these rules"),
    ("joker_at_end", "the joker needs real cards on both sides"),
    ("one_meld_per_turn", "only one new run may be melded in a turn"),
    ("no_such_run", "there is no run with this number"),
    ("not_melded", "seat {seat} must meld a run of its own first"),
    ("run_closed", "a run of eight is closed"),
    ("does_not_fit", "{cards} does not continue this run"),
    ("joker_on_others", "a joker may be laid to one's own runs only"),
    ("second_joker", "this run has its joker"),
    ("joker_extend", "no joker is laid off under these rules"),
    ("last_turn", "nothing is discarded in a last turn"),
    ("drawn_kind", "{cards} is of the kind just taken from the pile"),
    ("must_discard", "a card must be discarded"),
    ("unknown_move", "there is no such move"),
)
_SETS = (Offer, Accept, TakeOver, Agree, Meld)


class Phase(StrEnum):
    """What is to be decided in Von Herzen."""

    OFFER = "offer"
    ANSWER = "answer"
    TAKEOVER = "takeover"
    AGREE = "agree"
    GIVE = "give"
    DRAW = "draw"
    MELD = "meld"
    OVER = "over"


class VonHerzen(Game):
    """A match of Von Herzen, 2 to 6 players."""

    __slots__ = ()
    name = "vonherzen"
    COUNTS = ("blocked",)
    phases = tuple(Phase)
    _zones: ClassVar[Any] = _zones
    _setups: ClassVar[Any] = setups
    move_type = Move
    rules_type = VonHerzenRules
    view_type = VonHerzenView
    if TYPE_CHECKING:

        @property
        def rules(self) -> VonHerzenRules: ...
        def hand(self, seat: SupportsIndex) -> tuple[Card, ...]: ...
        def view(self, seat: SupportsIndex | None) -> VonHerzenView: ...

    # ---- other ways to begin ---------------------------------------------------------------------------
    @classmethod
    def setup(
        cls,
        rules: VonHerzenRules | None = None,
        *,
        hands: Sequence[Iterable[AnyCard | str]],
        turn: int | None,
        seed: Seed = None,
        dealer: int | None = None,
        names: Sequence[str] | None = None,
        phase: str | None = None,
        deal_number: int = 0,
        scores: Sequence[int] | None = None,
        runs: Sequence[Sequence[Any]] = (),
        pile: Iterable[AnyCard | str] = (),
        stock: Iterable[AnyCard | str] = (),
        melded: Iterable[int] | None = None,
        turns_taken: int | None = None,
        last_turns: Sequence[int] = (),
        drawn: AnyCard | str | None = None,
        melded_this_turn: int = 0,
        idle_turns: int = 0,
        proposals: int | None = None,
        offer: Mapping[str, Any] | None = None,
        turned_over: bool = False,
        progress: bool | None = None,
        deals: Iterable[Deck | None] = (),
    ) -> Self:
        """Any position, for puzzles and tests; whether play could reach it is not checked.

        hands: now held. turn: who acts (None when over). phase: "draw" if None. runs: (owner, cards) by number. pile:
        top last. stock: top first. melded: the owners of the runs (found from them). turns_taken: normal turns of
        this deal (all have had one if None). last_turns: seats in turn order. drawn: taken from the pile in this
        turn. proposals: finished ones (all if None). offer: proposer, receiver, cards, counter, asked (seats that
        stayed) and in phase give agreed. turned_over: the stock is a turned pile. progress: this turn is not idle.
        SetupError for cards missing or doubled, or zones that do not fit each other.
        """
        checked = cls._read_rules(rules)
        zones = {
            "hands": hands, "turn": turn, "dealer": dealer, "phase": phase, "deal_number": deal_number,
            "scores": scores, "runs": runs, "pile": pile, "stock": stock, "melded": melded,
            "turns_taken": turns_taken, "last_turns": last_turns, "drawn": drawn,
            "melded_this_turn": melded_this_turn, "idle_turns": idle_turns, "proposals": proposals, "offer": offer,
            "turned_over": turned_over, "progress": progress,
        }  # fmt: skip
        return cls._from_setup(checked, parse_seed(seed), names, deals, zones)

    # ---- public facts ----------------------------------------------------------------------------------
    def _fact(self, name: str) -> Any:
        return dict(_zones.facts(self))[name]

    @property
    def runs(self) -> tuple[tuple[int, int, tuple[Card, ...]], ...]:
        """(number, owner, cards upwards) of the runs on the table."""
        return tuple(
            (number, owner, cards_at(cards))
            for number, (owner, cards) in enumerate(_zones.runs(self))
        )

    @property
    def pile(self) -> tuple[Card, ...]:
        """The open pile, top last."""
        return cards_at(_zones.pile(self))

    @property
    def stock_size(self) -> int:
        """Cards in the stock."""
        return len(_zones.stock(self))

    @property
    def stock(self) -> tuple[Card, ...] | None:
        """The stock, top first, once it was turned over in this deal: its order is public then."""
        return cards_at(_zones.stock(self)) if self._fact("turned_over") else None

    @property
    def proposals(self) -> int:
        """Finished proposals of this deal."""
        return int(self._fact("proposals"))

    @property
    def offer(self) -> Mapping[str, int | None] | None:
        """proposer, receiver, size, counter of the pending offer."""
        if self.phase not in (Phase.ANSWER, Phase.TAKEOVER, Phase.AGREE, Phase.GIVE):
            return None
        facts = _zones.facts(self)
        proposer = facts["proposer"]
        return public_offer(
            proposer, (proposer - 1) % self.players, facts["size"], facts["counter"]
        )

    @property
    def melded(self) -> tuple[int, ...]:
        """Seats that have melded a run in this deal."""
        mask = self._fact("melded")
        return tuple(seat for seat in range(self.players) if mask >> seat & 1)

    @property
    def last_turns(self) -> tuple[int, ...]:
        """Seats that have a last turn now or still to come, in turn order."""
        return tuple(last_turns(self))

    @property
    def turns_taken(self) -> int:
        """Normal turns finished in this deal."""
        return int(self._fact("turns_taken"))

    @property
    def idle_turns(self) -> int:
        """Idle normal turns in a row."""
        return int(self._fact("idle_turns"))

    @property
    def drawn(self) -> Card | None:
        """The card taken from the pile in this turn."""
        card = self._fact("drawn")
        return None if card is None else CARDS[card]

    @property
    def melded_this_turn(self) -> int:
        """New runs in this turn."""
        return int(self._fact("melds"))

    @property
    def progress(self) -> bool:
        """Whether this turn is not idle."""
        return bool(self._fact("progress"))

    # ---- what Game asks for ----------------------------------------------------------------------------
    def _from_code(self, code: int) -> Move:
        return from_code(code)

    def _judge(self, move: Any, seat: int) -> tuple[str, str] | None:
        verdict = _zones.verdict(self, seat, move.code)
        if not verdict:
            return None
        code, sentence = _VERDICTS[verdict]
        facts = _zones.facts(self)
        size = facts["counter"] if self.phase in (Phase.AGREE, Phase.GIVE) else facts["size"]
        if isinstance(move, Counter):
            sentence = (
                "a counter is smaller than the offer of {size}"
                if code == "wrong_number"
                else sentence
            )
        named = getattr(move, "cards", None) or (
            getattr(move, "card", None) or getattr(move, "source", ""),
        )
        cards = " ".join(card.symbol if isinstance(card, Card) else str(card) for card in named)
        return code, sentence.format(
            word=move.word, phase=self.phase.value, size=size, seat=seat, cards=cards
        )

    def _points_now(self) -> tuple[int, ...]:
        return tuple(_zones.points(self))

    def _hand(self, seat: int) -> tuple[Card, ...]:
        return cards_at(_zones.hand(self, seat))

    def _sheet(self, position: Position) -> ScoreSheet:
        held = [len(_zones.hand(position, seat)) for seat in range(position.players)]
        return RunScorer(self.rules)._sheet(_zones.runs(position), held)

    def _tell_move(self, at: Position, seat: int, code: int, flags: int, automatic: bool) -> Told:
        yield self._told(at, seat, from_code(code), automatic)
        if flags & DID_SWAP:
            proposer, partner, given, received = _zones.swaps(at)[-1]
            yield Swapped, {
                "proposer": proposer, "partner": partner, "size": len(given), "from_proposer": cards_at(given),
                "from_partner": cards_at(received),
            }  # fmt: skip
        if flags & DID_TURN_OVER:
            yield StockTurned, {"cards": cards_at(_zones.stock(at))}
        if flags & DID_LAST_TURNS:
            yield LastTurns, {"out": seat, "seats": tuple(last_turns(at))}
        if flags & DID_SCORE:
            sheet = self._sheet(at)
            yield DealScored, {
                "points": sheet.totals, "scores": at._scores(), "blocked": _zones.facts(at)["blocked"],
                "lines": sheet.lines,
            }  # fmt: skip

    def _told(
        self, at: Position, seat: int, move: Move, automatic: bool
    ) -> tuple[Any, dict[str, Any]]:
        """The event of a move itself."""
        own: dict[str, Any] = {"seat": seat, "automatic": automatic}
        if isinstance(move, Offer):
            return Offered, own | {"size": len(move.cards), "cards": move.cards}
        if isinstance(move, Draw):
            facts = _zones.facts(at)
            card = facts["source_card"]
            assert card is not None
            source = "stock" if move.source == "stock" else "pile"
            public = facts["source_known"]
            return Drawn, own | {"source": source, "card": CARDS[card], "public": public}
        if isinstance(move, Meld):
            runs = _zones.runs(at)
            return Melded, own | {"run": len(runs) - 1, "cards": cards_at(runs[-1][1])}
        if isinstance(move, LayOff):
            return LaidOff, own | {
                "card": move.card,
                "run": move.run,
                "owner": _zones.runs(at)[move.run][0],
            }
        if isinstance(move, Discard):
            return Discarded, own | {"card": move.card}
        if move.word == "end":
            return TurnEnded, own
        cards = getattr(move, "cards", None)
        number = move.n if isinstance(move, Counter) else None if cards is None else len(cards)
        return Answered, own | {"answer": move.word, "number": number, "cards": cards}

    def _tell_deal(self, at: Position, flags: int) -> Told:
        stock, pile = _zones.stock(at), _zones.pile(at)
        turned = flags & DID_TURN_OVER
        yield (
            Dealt,
            {
                "dealer": at.dealer,
                "hands": tuple(cards_at(_zones.hand(at, seat)) for seat in range(at.players)),
                "stock": () if turned else cards_at(stock),
                "stock_size": 0 if turned else len(stock),
                "pile": cards_at(stock if turned else pile),
            },
        )
        if turned:
            yield StockTurned, {"cards": cards_at(stock)}

    def _view_zones(self, seat: int | None) -> dict[str, Any]:
        facts = _zones.facts(self)
        mine = seat is not None and facts["proposer"] == seat and self.offer is not None
        swaps = []
        for proposer, partner, given, received in _zones.swaps(self):
            if seat == proposer:
                swaps.append((partner, cards_at(given), cards_at(received)))
            elif seat == partner:
                swaps.append((proposer, cards_at(received), cards_at(given)))
        known = {
            at: cards_at(_zones.known(self, at))
            for at in range(self.players)
            if _zones.known(self, at)
        }
        return {
            "known": known_cards(known),
            "runs": self.runs,
            "pile": self.pile,
            "stock_size": self.stock_size,
            "stock": self.stock,
            "proposals": self.proposals,
            "offer": self.offer,
            "my_offer": cards_at(facts["offered"]) if mine else None,
            "my_agreed": cards_at(facts["agreed"]) if mine and facts["agreed"] else None,
            "swaps": tuple(swaps),
            "melded": self.melded,
            "last_turns": self.last_turns,
            "turns_taken": self.turns_taken,
            "idle_turns": self.idle_turns,
            "drawn": self.drawn,
            "melded_this_turn": self.melded_this_turn,
            "progress": self.progress,
        }
