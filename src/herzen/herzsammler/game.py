"""`Herzsammler`: one match, seen through the rules of `_rules.pyx`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum

from herzen._core import Position
from herzen.game import Game
from herzen.herzsammler import _zones
from herzen.herzsammler import setup as setups
from herzen.herzsammler.events import Dealt, Drawn, GameScored, Missed, Opened, Shown, Taken
from herzen.herzsammler.moves import Move, Show, from_code
from herzen.herzsammler.rules import HerzsammlerRules
from herzen.herzsammler.scoring import MajorityScorer
from herzen.herzsammler.setup import letters
from herzen.herzsammler.view import HerzsammlerView
from herzen.scoring import ScoreSheet
from herzen.seeds import Seed, parse_seed
from herzen.view import known_cards

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar, Self, SupportsIndex

    from herzen.cards import Card as AnyCard
    from herzen.decks import Deck
    from herzen.herzsammler.cards import Card
    from herzen.log import Told

# Flags of _rules.pxd: what a move brought about.
DID_SHOW, DID_TAKE, DID_MISS, DID_OPEN, DID_DRAW, DID_SCORE, DID_DEAL = (
    1 << bit for bit in range(8, 15)
)


class Phase(StrEnum):
    """What is to be decided in Herzsammler."""

    SHOW = "show"
    OVER = "over"


class Herzsammler(Game):
    """A match of Herzsammler: 2 or 3 players (4 unofficial), one game or a series."""

    __slots__ = ()
    name = "herzsammler"
    COUNTS = ("misses",)
    phases = tuple(Phase)
    _zones: ClassVar[Any] = _zones
    _setups: ClassVar[Any] = setups
    move_type = Move
    rules_type = HerzsammlerRules
    view_type = HerzsammlerView
    if TYPE_CHECKING:

        @property
        def rules(self) -> HerzsammlerRules: ...
        def hand(self, seat: SupportsIndex) -> tuple[Card, ...]: ...
        def view(self, seat: SupportsIndex | None) -> HerzsammlerView: ...

    # ---- other ways to begin ---------------------------------------------------------------------------
    @classmethod
    def setup(
        cls,
        rules: HerzsammlerRules | None = None,
        *,
        hands: Sequence[Iterable[AnyCard | str]],
        turn: int | None,
        open: Iterable[AnyCard | str],
        stack: Iterable[AnyCard | str],
        seed: Seed = None,
        dealer: int | None = None,
        names: Sequence[str] | None = None,
        phase: str | None = None,
        deal_number: int = 0,
        scores: Sequence[int] | None = None,
        collections: Sequence[Iterable[AnyCard | str]] | None = None,
        bottom: Iterable[AnyCard | str] = (),
        misses: int = 0,
        hearts_won: Sequence[int] | None = None,
        known: Mapping[Any, Iterable[AnyCard | str]] | None = None,
        barred: Sequence[Sequence[str]] | None = None,
        deals: Iterable[Deck | None] = (),
    ) -> Self:
        """Any position, for puzzles and tests; whether play could reach it is not checked.

        hands: now held, the drawn card of `turn` included. open: the six open cards. stack: top first. bottom: those
        last cards of the stack that everybody knows. collections: by seat. misses: in a row. hearts_won: heart cards
        of finished games. known: seat -> cards that everybody knows there. barred: see the view. SetupError for
        cards missing or doubled, or sizes that do not fit the turn.
        """
        checked = cls._read_rules(rules)
        zones = {
            "hands": hands,
            "turn": turn,
            "open": open,
            "stack": stack,
            "dealer": dealer,
            "phase": phase,
            "deal_number": deal_number,
            "scores": scores,
            "collections": collections,
            "bottom": bottom,
            "misses": misses,
            "hearts_won": hearts_won,
            "known": known,
            "barred": barred,
        }
        return cls._from_setup(checked, parse_seed(seed), names, deals, zones)

    # ---- public facts ----------------------------------------------------------------------------------
    @property
    def open(self) -> tuple[Card, ...]:
        """The open cards."""
        return self._cards_at(_zones.open_cards(self))

    @property
    def collections(self) -> tuple[tuple[Card, ...], ...]:
        """What each seat has collected in this game."""
        return tuple(self._cards_at(_zones.collection(self, seat)) for seat in range(self.players))

    @property
    def stack_size(self) -> int:
        """Cards in the stack."""
        return int(_zones.facts(self)["stack_size"])

    @property
    def bottom(self) -> tuple[Card, ...]:
        """The last cards of the stack, which were missed: in the order they will be drawn."""
        stack = _zones.stack(self)
        return self._cards_at(stack[len(stack) - _zones.facts(self)["bottom"] :])

    @property
    def misses(self) -> int:
        """Misses in a row."""
        return int(_zones.facts(self)["misses"])

    @property
    def hearts_won(self) -> tuple[int, ...]:
        """Heart cards that each seat collected in the finished games."""
        return tuple(_zones.facts(self)["hearts_won"])

    @property
    def barred(self) -> tuple[tuple[str, ...], ...]:
        """Under `must_match`, by seat: objects that each unknown card cannot show; () otherwise."""
        if not self.rules.must_match:
            return ()
        return tuple(
            tuple(letters(bits) for bits in _zones.barred(self, seat))
            for seat in range(self.players)
        )

    # ---- what Game asks for ----------------------------------------------------------------------------
    def _cards_at(self, cards: bytes) -> tuple[Card, ...]:
        by_id = self.rules._cards._by_id
        return tuple([by_id[card] for card in cards])

    def _from_code(self, code: int) -> Move:
        return from_code(code, self.rules._cards, self.rules.choose_object)

    def _judge(self, move: Any, seat: int) -> tuple[str, str] | None:
        assert isinstance(move, Show)
        if move.card is not self.rules._cards._by_text.get(str(move.card)) or (
            (move.object is None) == self.rules.choose_object
        ):
            form = "an object must be named" if self.rules.choose_object else "no object is named"
            return (
                "unknown_move",
                f"{move} is no move under these rules: {form}, and the deck must hold the card",
            )
        if move.card.index not in _zones.hand(self, seat):
            return "not_held", f"seat {seat} does not hold {move.card}"
        if not self._check(seat, move.code):
            example = self._from_code(self.codes(seat)[0])
            return "must_match", f"must take an open card where it can: {example}"
        return None

    def _points_now(self) -> tuple[int, ...]:
        return tuple(_zones.points(self))

    def _hand(self, seat: int) -> tuple[Card, ...]:
        return self._cards_at(_zones.hand(self, seat))

    def _sheet(self, position: Position) -> ScoreSheet:
        return MajorityScorer(self.rules)._sheet(
            [self._cards_at(_zones.collection(position, seat)) for seat in range(position.players)]
        )

    def _tell_move(self, at: Position, seat: int, code: int, flags: int, automatic: bool) -> Told:
        facts = _zones.facts(at)
        move = self._from_code(code)
        assert isinstance(move, Show)
        yield (
            Shown,
            {"seat": seat, "card": move.card, "object": move.object, "automatic": automatic},
        )
        if flags & DID_TAKE:
            yield Taken, {"seat": seat, "cards": self._cards_at(facts["taken"])}
        if flags & DID_MISS:
            yield Missed, {"seat": seat, "card": move.card, "misses": facts["misses"]}
        if flags & DID_OPEN:
            yield Opened, {"cards": self._cards_at(facts["opened"])}
        if flags & DID_DRAW:
            yield self._drawn(at)
        if flags & DID_SCORE:
            sheet = self._sheet(at)
            yield (
                GameScored,
                {
                    "points": sheet.totals,
                    "scores": at._scores(),
                    "reason": facts["reason"],
                    "lines": sheet.lines,
                },
            )

    def _drawn(self, at: Position) -> tuple[Any, dict[str, Any]]:
        card, known = _zones.last_drawn(at)
        return Drawn, {"seat": at._turn, "card": self.rules._card(card), "known": known}

    def _tell_deal(self, at: Position, flags: int) -> Told:
        first = at._turn
        card, _ = _zones.last_drawn(at)
        hands = []
        for seat in range(at.players):
            cards = list(_zones.hand(at, seat))
            if seat == first:
                cards.remove(card)
            hands.append(self._cards_at(bytes(cards)))
        yield (
            Dealt,
            {
                "dealer": at.dealer,
                "hands": tuple(hands),
                "open": self._cards_at(_zones.open_cards(at)),
                "stack_size": _zones.facts(at)["stack_size"] + 1,
            },
        )
        yield self._drawn(at)

    def _view_zones(self, seat: int | None) -> dict[str, Any]:
        known = {
            at: self._cards_at(bytes(sorted(_zones.known(self, at))))
            for at in range(self.players)
            if _zones.known(self, at)
        }
        return {
            "known": known_cards(known),
            "open": self.open,
            "collections": self.collections,
            "stack_size": self.stack_size,
            "bottom": self.bottom,
            "misses": self.misses,
            "hearts_won": self.hearts_won,
            "barred": self.barred,
        }
