"""Scoring a hand of Hearts: from piles on a table, or from a game's own position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from herzen.cards import Card as AnyCard
from herzen.cards import read_cards
from herzen.errors import CardError, SetupError
from herzen.hearts import _block
from herzen.hearts.cards import Card, cards_at
from herzen.hearts.rules import HeartsRules
from herzen.integers import exact_int, shown
from herzen.scoring import ScoreSheet

Pile = Iterable[AnyCard | str]


class TrickScorer:
    """Scores captured cards under the given rules (H-SCORE-8)."""

    def __init__(self, rules: HeartsRules | None = None) -> None:
        checked = HeartsRules() if rules is None else rules
        if not isinstance(checked, HeartsRules):
            raise TypeError(f"TrickScorer needs HeartsRules, not {type(rules).__name__}")
        self._rules = checked
        self._points = self.rules._points()
        self._deck = Counter(index % 52 for index in self.rules._deck())

    @property
    def rules(self) -> HeartsRules:
        """The options that it scores by."""
        return self._rules

    def points(self, cards: Pile) -> int:
        """Card points of one trick or pile, bonus included, no moon.

        CardError for a card that is not in the rules' deck, SetupError for a card too many.
        """
        return sum(self._points[card.index] for card in self._read(cards, Counter()))

    def score(
        self, piles: Sequence[Pile], *, totals: Sequence[int] | None = None, moon: str | None = None
    ) -> ScoreSheet:
        """The score of a hand whose captured cards lie in `piles`, one pile a seat.

        Piles may be incomplete; an empty one means no trick taken. The moon is judged against the rules' deck;
        `moon` is the shooter's choice, "add" or "subtract" ("add" if None), and counts only where the rules leave
        it to the shooter. The sheet's totals are the hand's points, or with `totals` (before the hand) the new
        totals after floor and reset. CardError for an unknown card, SetupError for a card too many or a wrong
        number of piles.
        """
        players = self.rules.players
        if isinstance(piles, (str, bytes)) or len(piles) != players:
            raise SetupError(f"{players} piles are needed, one a seat")
        seen: Counter[int] = Counter()
        read = [self._read(pile, seen) for pile in piles]
        if isinstance(moon, str):
            moon = str.__str__(moon)
        if moon is not None and (type(moon) is not str or moon not in ("add", "subtract")):
            raise SetupError(f'moon is "add", "subtract" or None, not {shown(moon)}')
        if totals is not None:
            exact = [total for total in map(exact_int, totals) if total is not None]
            if len(exact) != players or len(totals) != players:
                raise SetupError(f"totals: {players} integers are needed")
            if any(abs(total) > 1_000_000_000 for total in exact):
                raise SetupError("totals: out of range")
            totals = exact
        sheet, _ = self._sheet(
            [bytes(card.index for card in pile) for pile in read],
            [len(pile) for pile in read],
            moon if self.rules.moon == "choice" else None,
            totals,
        )
        return sheet

    def _read(self, cards: Pile, seen: Counter[int]) -> list[Card]:
        read = read_cards(Card.parse, cards, "pile")
        for card in read:
            if not self._deck[card.index]:
                raise CardError(f"{card} is not in the deck of these rules")
            seen[card.index] += 1
            if seen[card.index] > self._deck[card.index]:
                raise SetupError(f"{card} lies in the piles {seen[card.index]} times")
        return read

    def _sheet(
        self,
        piles: Sequence[bytes],
        tricks: Sequence[int],
        moon: str | None,
        totals: Sequence[int] | None,
    ) -> tuple[ScoreSheet, tuple[int | None, str | None]]:
        """The sheet, and (shooter, kind of moon)."""
        before = [0] * self.rules.players if totals is None else list(totals)
        points, shooter, kind, total, after = _block.score_piles(
            self.rules._compiled, piles, tricks, {None: 0, "add": 1, "subtract": 2}[moon], before
        )
        lines = list(self._lines(piles, tricks, points, shooter, kind, total))
        if totals is not None:
            for seat, (old, gained, new) in enumerate(zip(before, points, after, strict=True)):
                if old + gained != new:
                    lines.append(f"Seat {seat}: {old} {gained:+d} = {old + gained}, set to {new}")
        return ScoreSheet(tuple(points if totals is None else after), tuple(lines)), (shooter, kind)

    def _lines(
        self,
        piles: Sequence[bytes],
        tricks: Sequence[int],
        points: Sequence[int],
        shooter: int | None,
        kind: str | None,
        total: int,
    ) -> Iterable[str]:
        if shooter is not None:
            yield f"Seat {shooter} has every penalty card: moon, {kind} {total}" + (
                " (doubled: it took every trick)" if self._doubled(tricks, shooter) else ""
            )
        for seat, pile in enumerate(piles):
            for card in cards_at(bytes(sorted(pile))):
                worth = self._points[card.index]
                if worth and (worth < 0 or shooter is None):
                    yield f"Seat {seat}: {card.symbol} {worth:+d}"
            if shooter is None and not tricks[seat] and self.rules.no_trick_bonus:
                yield f"Seat {seat}: no trick {self.rules.no_trick_bonus:+d}"
        for seat, gained in enumerate(points):
            yield f"Seat {seat}: {gained:+d}"

    def _doubled(self, tricks: Sequence[int], shooter: int) -> bool:
        return self.rules.sun == "double" and all(
            bool(taken) == (seat == shooter) for seat, taken in enumerate(tricks)
        )
