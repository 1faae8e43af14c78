"""Scoring a game of Herzsammler: from collections on a table, or from a game's own position."""

from __future__ import annotations

from collections import Counter

from herzen.cards import read_cards
from herzen.errors import CardError, SetupError
from herzen.herzsammler import _rules
from herzen.herzsammler.rules import HerzsammlerRules
from herzen.scoring import ScoreSheet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from herzen.cards import Card as AnyCard
    from herzen.herzsammler.cards import Card


class MajorityScorer:
    """Scores collections under the given rules (S-SCORE)."""

    def __init__(self, rules: HerzsammlerRules | None = None) -> None:
        checked = HerzsammlerRules() if rules is None else rules
        if not isinstance(checked, HerzsammlerRules):
            raise TypeError(f"MajorityScorer needs HerzsammlerRules, not {type(rules).__name__}")
        self._rules = checked
        self._deck = Counter(card.index for card in self.rules._cards._by_id)
        self._colours = list(dict.fromkeys(row[0] for row in self.rules.deck))

    @property
    def rules(self) -> HerzsammlerRules:
        """The options that it scores by."""
        return self._rules

    def score(self, collections: Sequence[Iterable[AnyCard | str]]) -> ScoreSheet:
        """The score of what each seat has collected, one collection a seat, in any order and incomplete if need be.

        The sheet's totals are the game's points. CardError for an unknown card, SetupError for a card too many or
        a wrong number of collections.
        """
        players = self.rules.players
        if isinstance(collections, (str, bytes)) or len(collections) != players:
            raise SetupError(f"{players} collections are needed, one a seat")
        read: list[list[Card]] = []
        seen: Counter[int] = Counter()
        for pile in collections:
            try:
                read.append(read_cards(self.rules._parse_card, pile, "collection"))
            except SetupError as error:
                raise CardError(str(error)) from None
            for card in read[-1]:
                seen[card.index] += 1
                if seen[card.index] > self._deck[card.index]:
                    raise SetupError(f"{card} lies in the collections {seen[card.index]} times")
        return self._sheet(read)

    def _sheet(self, collections: Sequence[Sequence[Card]]) -> ScoreSheet:
        hearts = [[0] * len(self._colours) for _ in collections]
        points = [[0] * len(self._colours) for _ in collections]
        for seat, pile in enumerate(collections):
            for card in pile:
                colour = self._colours.index(card.colour)
                if card.kind == "heart":
                    hearts[seat][colour] += 1
                else:
                    points[seat][colour] += card.value
        kept = _rules.keeps(self.rules._compiled, hearts, points)
        totals = tuple(sum(row[seat] for row in kept) for seat in range(len(collections)))
        return ScoreSheet(totals, tuple(self._lines(hearts, points, kept, totals)))

    def _lines(
        self,
        hearts: Sequence[Sequence[int]],
        points: Sequence[Sequence[int]],
        kept: Sequence[Sequence[int]],
        totals: Sequence[int],
    ) -> Iterator[str]:
        for number, colour in enumerate(self._colours):
            parts = []
            for seat in range(len(totals)):
                worth = points[seat][number]
                if hearts[seat][number] or worth:
                    fate = "keeps" if kept[number][seat] == worth else "loses"
                    parts.append(f"seat {seat} has {hearts[seat][number]} hearts, {fate} {worth}")
            if parts:
                yield f"{colour}: " + "; ".join(parts)
        for seat, total in enumerate(totals):
            yield f"Seat {seat}: {total}"
