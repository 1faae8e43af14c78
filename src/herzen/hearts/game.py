"""`Hearts`: one match, seen through the rules of `_rules.pyx`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum

from herzen._core import Position
from herzen.cards import Card as AnyCard
from herzen.errors import SetupError
from herzen.game import Game
from herzen.hearts import _zones
from herzen.hearts import setup as setups
from herzen.hearts.cards import CARDS, Card, cards_at
from herzen.hearts.events import (
    Dealt,
    Exchanged,
    HandScored,
    KittyShown,
    KittyTaken,
    LeadPassed,
    MoonChosen,
    Passed,
    Played,
    TrickTaken,
)
from herzen.hearts.moves import MoonChoice, Move, Pass, Play, from_code
from herzen.hearts.rules import DIRECTIONS, HeartsRules
from herzen.hearts.scoring import TrickScorer
from herzen.hearts.view import HeartsView
from herzen.scoring import ScoreSheet
from herzen.seeds import Seed, parse_seed
from herzen.view import known_cards

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar, Self, SupportsIndex

    from herzen.decks import Deck
    from herzen.log import Told

# Flags of _rules.pxd: what a move brought about.
DID_PASS, DID_EXCHANGE, DID_PLAY, DID_TRICK, DID_KITTY = (1 << bit for bit in range(8, 13))
DID_SHOW_KITTY, DID_LEAD_PASSED, DID_CHOOSE, DID_SCORE = (1 << bit for bit in range(13, 17))

SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
KINDS = (None, "add", "subtract")

# The sentence and the code for each WHY_* of _rules.pxd.
_REASONS = (
    ("must_follow_suit", "must follow {led}: holds {example}"),
    ("must_lead_low_club", "must open with the lowest club: {example}"),
    ("must_lead_club", "must open with a club: holds {example}"),
    ("first_trick_points", "no heart and no queen of spades on the first trick: holds {example}"),
    ("hearts_not_broken", "hearts are not broken: must lead another suit, holds {example}"),
    ("queen_lead", "the queen of spades may be led only after hearts are broken: holds {example}"),
    ("opening_penalty", "no penalty card may open the hand: holds {example}"),
)


class Phase(StrEnum):
    """What is to be decided in Hearts."""

    PASS = "pass"
    PLAY = "play"
    MOON = "moon"
    OVER = "over"


class Hearts(Game):
    """A match of Hearts, 3 to 7 players, or of Cancellation Hearts with two packs, 5 to 11 players."""

    __slots__ = ()
    name = "hearts"
    COUNTS = ("moons",)
    phases = tuple(Phase)
    _zones: ClassVar[Any] = _zones
    _setups: ClassVar[Any] = setups
    move_type = Move
    rules_type = HeartsRules
    view_type = HeartsView
    if TYPE_CHECKING:

        @property
        def rules(self) -> HeartsRules: ...
        def hand(self, seat: SupportsIndex) -> tuple[Card, ...]: ...
        def view(self, seat: SupportsIndex | None) -> HeartsView: ...

    # ---- other ways to begin ---------------------------------------------------------------------------
    @classmethod
    def setup(
        cls,
        rules: HeartsRules | None = None,
        *,
        hands: Sequence[Iterable[AnyCard | str]],
        turn: int | None,
        seed: Seed = None,
        dealer: int | None = None,
        names: Sequence[str] | None = None,
        phase: str | None = None,
        deal_number: int = 0,
        scores: Sequence[int] | None = None,
        trick: Sequence[Sequence[Any]] = (),
        tricks: Sequence[Sequence[Any]] = (),
        taken: Sequence[Iterable[AnyCard | str]] | None = None,
        tricks_won: Sequence[int] | None = None,
        hearts_broken: bool | None = None,
        pass_direction: str | None = None,
        committed: Mapping[Any, Iterable[AnyCard | str]] | None = None,
        held: Iterable[AnyCard | str] = (),
        kitty: Iterable[AnyCard | str] = (),
        deals: Iterable[Deck | None] = (),
    ) -> Self:
        """Any position, for puzzles and tests; whether play could reach it is not checked.

        hands: now held. turn: who acts (None when over). phase: "play" if None. trick: (seat, card) on the table.
        tricks: (leader, cards in the order played, winner or None if held over) of this deal; taken: cards
        captured besides those, by seat, and tricks_won their number (len // players if None); held: cards of
        tricks held over besides those. kitty: its cards; left out if they lie in `taken`. hearts_broken: found
        from the cards played if None. committed: seat -> cards. scores: totals. deals: explicit decks for the
        deals after this one. SetupError for cards missing or doubled, or sizes that do not fit the turn.
        """
        checked = cls._read_rules(rules)
        zones = {
            "hands": hands,
            "turn": turn,
            "dealer": dealer,
            "phase": phase,
            "deal_number": deal_number,
            "scores": scores,
            "trick": trick,
            "tricks": tricks,
            "taken": taken,
            "tricks_won": tricks_won,
            "hearts_broken": hearts_broken,
            "pass_direction": pass_direction,
            "committed": committed,
            "held": held,
            "kitty": kitty,
        }
        return cls._from_setup(checked, parse_seed(seed), names, deals, zones)

    def _check_setup(self, zones: dict[str, Any]) -> None:
        """Winners must be those of the rules, and only a shooter decides about the moon."""
        for number, (given, found) in enumerate(
            zip(zones["tricks"], _zones.tricks(self), strict=True)
        ):
            if given[2] != found[2]:
                raise SetupError(
                    f"tricks[{number}]: by the rules its winner is {found[2]}, not {given[2]}"
                )
        if self.phase is Phase.MOON and (
            self.rules.moon != "choice" or _zones.facts(self)["shooter"] != zones["turn"]
        ):
            raise SetupError(f"phase moon: seat {zones['turn']} has not shot the moon")

    # ---- public facts ----------------------------------------------------------------------------------
    @property
    def pass_direction(self) -> str:
        """Where this deal's pass goes: "left", "right", "across" or "hold"."""
        return DIRECTIONS[_zones.facts(self)["direction"]]

    @property
    def committed(self) -> tuple[int, ...]:
        """Seats that have committed a pass while others have not."""
        mask = _zones.facts(self)["committed"]
        return tuple(seat for seat in range(self.players) if mask >> seat & 1)

    @property
    def trick(self) -> tuple[tuple[int, Card], ...]:
        """(seat, card) of the trick on the table, in the order played."""
        leader, cards = _zones.trick(self)
        return tuple(
            ((leader + place) % self.players, card) for place, card in enumerate(cards_at(cards))
        )

    @property
    def tricks(self) -> tuple[tuple[int, tuple[Card, ...], int | None], ...]:
        """(leader, cards in the order played, winner or None if held over) of this deal's tricks."""
        return tuple(
            (leader, cards_at(cards), winner) for leader, cards, winner in _zones.tricks(self)
        )

    @property
    def hearts_broken(self) -> bool:
        """Whether hearts have been broken in this deal (H-PLAY-7)."""
        return bool(_zones.facts(self)["broken"])

    @property
    def voids(self) -> tuple[tuple[str, ...], ...]:
        """By seat, the suits ("C", "D", "H", "S") that it failed to follow in this deal."""
        shown: list[set[int]] = [set() for _ in range(self.players)]
        for first, played in self._laid():
            for place, card in enumerate(played):
                if card // 13 != played[0] // 13:
                    shown[(first + place) % self.players].add(played[0] // 13)
        return tuple(tuple("CDHS"[suit] for suit in sorted(suits)) for suits in shown)

    @property
    def kitty_size(self) -> int:
        """Number of cards in this deal's kitty."""
        return _zones.sizes_of_deal(self)[1]

    # ---- what Game asks for ----------------------------------------------------------------------------
    def _from_code(self, code: int) -> Move:
        return from_code(code)

    def _judge(self, move: Any, seat: int) -> tuple[str, str] | None:
        phase = self.phase
        if phase is Phase.PLAY:
            return self._judge_play(move, seat)
        if phase is Phase.PASS:
            return self._judge_pass(move, seat)
        if not isinstance(move, MoonChoice):
            return "wrong_phase", 'the shooter of the moon decides: "moon add" or "moon subtract"'
        return None

    def _judge_play(self, move: Move, seat: int) -> tuple[str, str] | None:
        if not isinstance(move, Play):
            return "wrong_phase", "a card is to be played now"
        hand = _zones.hand(self, seat)
        if move.card.index not in hand:
            return "not_held", f"seat {seat} does not hold {move.card.symbol}"
        why = _zones.why_card(self, move.card.index)
        if why < 0:
            return None
        code, sentence = _REASONS[why]
        example = CARDS[self.codes(seat)[0]].symbol
        led = _zones.trick(self)[1]
        return code, sentence.format(led=SUIT_NAMES[led[0] // 13] if led else "", example=example)

    def _judge_pass(self, move: Move, seat: int) -> tuple[str, str] | None:
        if not isinstance(move, Pass):
            return "wrong_phase", f"{self.rules.pass_count} cards are to be passed now"
        if len(move.cards) != self.rules.pass_count:
            return (
                "wrong_number",
                f"{self.rules.pass_count} cards are passed, not {len(move.cards)}",
            )
        hand, pool = list(_zones.hand(self, seat)), list(_zones.pass_pool_of(self, seat))
        for card in move.cards:
            if card.index not in hand:
                return "not_held", f"seat {seat} does not hold {card.symbol}" + (
                    " twice" if move.cards.count(card) > 1 else ""
                )
            hand.remove(card.index)
        for card in move.cards:
            if card.index not in pool:
                return "keep_spades", f"{card.symbol} may not be passed" + (
                    ""
                    if len(pool) > self.rules.pass_count
                    else f": must pass {' '.join(CARDS[index].symbol for index in pool)}"
                )
            pool.remove(card.index)
        return None

    def _points_now(self) -> tuple[int, ...]:
        return tuple(_zones.points(self))

    def _hand(self, seat: int) -> tuple[Card, ...]:
        return cards_at(_zones.hand(self, seat))

    def _score(self, position: Position) -> tuple[ScoreSheet, int | None, str | None]:
        """The sheet of a finished hand, its shooter and the kind of the moon."""
        facts = _zones.facts(position)
        piles = [bytearray(pile) for pile in _zones.base_piles(position)]
        held = piles.pop()
        for _, cards, winner in _zones.tricks(position):
            held += cards
            if winner is not None:
                piles[winner] += held
                held = bytearray()
        if facts["kitty"] and facts["kitty_taker"] is not None:
            piles[facts["kitty_taker"]] += facts["kitty"]
        sheet, (shooter, kind) = TrickScorer(self.rules)._sheet(
            [bytes(pile) for pile in piles], facts["tricks_won"], KINDS[facts["kind"]], None
        )
        return sheet, shooter, kind

    def _sheet(self, position: Position) -> ScoreSheet:
        return self._score(position)[0]

    def _tell_move(self, at: Position, seat: int, code: int, flags: int, automatic: bool) -> Told:
        if flags & DID_PASS:
            move = from_code(code)
            assert isinstance(move, Pass)
            yield Passed, {"seat": seat, "cards": move.cards, "automatic": automatic}
        if flags & DID_EXCHANGE:
            received = (
                _zones.passed(at, _zones.receives_from(at, to)) or b"" for to in range(at.players)
            )
            yield Exchanged, {"received": tuple(map(cards_at, received))}
        if flags & DID_PLAY:
            yield Played, {"seat": seat, "card": CARDS[code], "automatic": automatic}
        if flags & DID_TRICK:
            leader, cards, winner = _zones.last_trick(at)
            yield TrickTaken, {"leader": leader, "cards": cards_at(cards), "winner": winner}
        if flags & (DID_KITTY | DID_SHOW_KITTY):
            facts = _zones.facts(at)
            kitty = cards_at(bytes(sorted(facts["kitty"])))
            if flags & DID_KITTY:
                yield KittyTaken, {"seat": facts["kitty_taker"], "cards": kitty}
            if flags & DID_SHOW_KITTY:
                yield KittyShown, {"taker": facts["kitty_taker"], "cards": kitty}
        yield from self._tell_lead(at, flags)
        if flags & DID_CHOOSE:
            yield MoonChosen, {"seat": seat, "kind": KINDS[code - 51]}
        if flags & DID_SCORE:
            sheet, shooter, kind = self._score(at)
            yield (
                HandScored,
                {
                    "points": sheet.totals,
                    "scores": at._scores(),
                    "shooter": shooter,
                    "kind": kind,
                    "lines": sheet.lines,
                },
            )

    def _tell_lead(self, at: Position, flags: int) -> Told:
        if flags & DID_LEAD_PASSED:
            leader, count = _zones.trick(at)[0], _zones.facts(at)["lead_passed"]
            seats = tuple((leader - count + place) % at.players for place in range(count))
            yield LeadPassed, {"seats": seats, "leader": leader}

    def _tell_deal(self, at: Position, flags: int) -> Told:
        facts = _zones.facts(at)
        yield (
            Dealt,
            {
                "dealer": at.dealer,
                "hands": tuple(cards_at(_zones.hand(at, seat)) for seat in range(at.players)),
                "kitty": cards_at(bytes(sorted(facts["kitty"]))),
                "kitty_size": len(facts["kitty"]),
                "pass_direction": DIRECTIONS[facts["direction"]],
            },
        )
        yield from self._tell_lead(at, flags)

    def _view_zones(self, seat: int | None) -> dict[str, Any]:
        facts = _zones.facts(self)
        sees_kitty = facts["kitty"] and (
            facts["kitty_shown"] or (seat is not None and facts["kitty_taker"] == seat)
        )
        mine = None if seat is None else _zones.passed(self, seat)
        received = None
        known: dict[int, tuple[Card, ...]] = {}
        if seat is not None and facts["exchanged"]:
            received = _zones.passed(self, _zones.receives_from(self, seat))
            to = _zones.passes_to(self, seat)
            left = self._still_held(to, mine or b"")
            if left:
                known[to] = cards_at(left)
        return {
            "known": known_cards(known),
            "pass_direction": DIRECTIONS[facts["direction"]],
            "committed": self.committed,
            "my_pass": None if mine is None else cards_at(mine),
            "received": None if received is None else cards_at(received),
            "trick": self.trick,
            "tricks": self.tricks,
            "hearts_broken": bool(facts["broken"]),
            "voids": self.voids,
            "kitty_size": self.kitty_size,
            "kitty": cards_at(bytes(sorted(facts["kitty"]))) if sees_kitty else None,
        }

    def _laid(self) -> list[tuple[int, bytes]]:
        """(leader, cards in the order played) of this deal's tricks, the one on the table last."""
        return [*((leader, cards) for leader, cards, _ in _zones.tricks(self)), _zones.trick(self)]

    def _still_held(self, seat: int, cards: bytes) -> bytes:
        """Those of the cards that the seat has not played in this deal."""
        left = list(cards)
        for first, played in self._laid():
            place = (seat - first) % self.players
            if place < len(played) and played[place] in left:
                left.remove(played[place])
        return bytes(left)
