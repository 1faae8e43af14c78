"""Scoring a deal of Von Herzen: from runs on a table, or from a game's own position."""

from __future__ import annotations

from collections import Counter

from herzen.cards import read_cards
from herzen.errors import CardError, SetupError
from herzen.integers import exact_int
from herzen.scoring import ScoreSheet
from herzen.vonherzen import _runs
from herzen.vonherzen.cards import CARDS, Card
from herzen.vonherzen.rules import VonHerzenRules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from herzen.cards import Card as AnyCard

    Hand = Iterable[AnyCard | str] | int


class RunScorer:
    """Scores runs and hands under the given rules (V-SCORE)."""

    def __init__(self, rules: VonHerzenRules | None = None) -> None:
        checked = VonHerzenRules() if rules is None else rules
        if not isinstance(checked, VonHerzenRules):
            raise TypeError(f"RunScorer needs VonHerzenRules, not {type(rules).__name__}")
        self._rules = checked

    @property
    def rules(self) -> VonHerzenRules:
        """The options that it scores by."""
        return self._rules

    def score(
        self, runs: Sequence[tuple[int, Iterable[AnyCard | str]]] = (), hands: Sequence[Hand] = ()
    ) -> ScoreSheet:
        """The score of a deal.

        runs: (owner, cards) of each run, cards in any order, complete as they lie (lay-offs included). hands: the
        cards left to each seat, or their number; empty for none. The sheet's totals are the deal's points.
        CardError for an unknown card, SetupError for a card twice, an invalid run, or a wrong number of hands.
        """
        players = self.rules.players
        if isinstance(runs, (str, bytes)) or not hasattr(runs, "__iter__"):
            raise SetupError("runs: a sequence of (owner, cards) is needed")
        if (
            isinstance(hands, (str, bytes))
            or not hasattr(hands, "__len__")
            or len(hands) not in (0, players)
        ):
            raise SetupError(f"{players} hands are needed, one a seat")
        seen: Counter[Card] = Counter()
        read_runs = []
        for number, row in enumerate(runs):
            if isinstance(row, (str, bytes)) or not hasattr(row, "__len__") or len(row) != 2:
                raise SetupError(f"runs[{number}]: (owner, cards) is needed")
            owner, cards = exact_int(row[0]), row[1]
            if owner is None or not 0 <= owner < players:
                raise SetupError(f"runs[{number}]: the owner is a seat 0..{players - 1}")
            read = self._read(cards, seen)
            run = _runs.run_of(self.rules._compiled, sum(1 << card.index for card in read))
            if run is None:
                raise SetupError(
                    f"runs[{number}]: {' '.join(map(str, read))} is no run under these rules"
                )
            read_runs.append((owner, run[0]))
        held = []
        for seat, hand in enumerate(hands or [0] * players):
            if isinstance(hand, int) and not isinstance(hand, bool):
                if not 0 <= hand <= 32:
                    raise SetupError(f"hands[{seat}]: 0..32 cards")
                held.append(hand)
            elif isinstance(hand, bool) or not hasattr(hand, "__iter__"):
                raise SetupError(f"hands[{seat}]: cards or their number are needed")
            else:
                held.append(len(self._read(hand, seen)))
        if sum(held) + sum(len(cards) for _, cards in read_runs) > 32:
            raise SetupError("there are only 32 cards")
        return self._sheet(read_runs, held)

    def _read(self, cards: Iterable[AnyCard | str], seen: Counter[Card]) -> list[Card]:
        try:
            read = read_cards(Card.parse, cards, "cards")
        except SetupError as error:
            raise CardError(str(error)) from None
        for card in read:
            seen[card] += 1
            if seen[card] > 1:
                raise SetupError(f"{card} stands twice")
        return read

    def _sheet(self, runs: Sequence[tuple[int, bytes]], held: Sequence[int]) -> ScoreSheet:
        totals = [-count for count in held]
        lines = []
        for owner, cards in runs:
            run = _runs.run_of(self.rules._compiled, sum(1 << card for card in cards))
            assert run is not None
            joker = run[1]
            points = _runs.points_of_run(self.rules._compiled, len(cards), joker)
            totals[owner] += points
            shown = " ".join(CARDS[card].symbol for card in cards)
            lines.append(f"Seat {owner}: run {shown} {points:+d}" + self._why(len(cards), joker))
        lines += [
            f"Seat {seat}: {count} card{'s' if count > 1 else ''} in hand {-count:+d}"
            for seat, count in enumerate(held)
            if count
        ]
        lines += self._ends(totals)
        return ScoreSheet(tuple(totals), tuple(lines))

    def _why(self, length: int, joker: bool) -> str:
        parts = (["the joker counts nothing"] if joker else []) + (
            ["a flute"] if length == 8 else []
        )
        return f" ({', '.join(parts)})" if parts else ""

    def _ends(self, totals: Sequence[int]) -> Iterator[str]:
        for seat, total in enumerate(totals):
            yield f"Seat {seat}: {total:+d}"
