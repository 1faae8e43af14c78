"""What the set-ups of all games check alike: zones by seat, cards counted off the deck, numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from herzen.cards import Card, read_cards
from herzen.errors import SetupError
from herzen.integers import exact_int
from herzen.seats import read_seat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from herzen._core import Position
    from herzen.rules import Rules


def number(value: Any, low: int, high: int, where: str) -> int:
    """An integer from low to high; SetupError, naming the place, otherwise."""
    read = exact_int(value)
    if read is None or not low <= read <= high:
        raise SetupError(f"{where}: an integer {low}..{high} is needed")
    return read


class Zones:
    """Reads the keywords of a `setup` and counts the cards off the deck."""

    def __init__(self, players: int, parse: Callable[[str], Card], deck: Mapping[int, int]) -> None:
        self.players = players
        self.parse = parse
        self.left = Counter(deck)

    def cards(self, cards: Any, where: str) -> bytes:
        """Card indices in the order given; each card is taken out of the deck."""
        read = self.named(cards, where)
        for card in read:
            if not self.left[card.index]:
                raise SetupError(
                    f"{where}: {card} is not in the deck, or stands in the set-up too often"
                )
            self.left[card.index] -= 1
        return bytes(card.index for card in read)

    def named(self, cards: Any, where: str) -> list[Card]:
        """Cards in the order given, which stay in the deck: they are counted where they lie."""
        if isinstance(cards, Mapping) or not isinstance(cards, Iterable):
            raise SetupError(f"{where}: cards are needed")
        return read_cards(self.parse, cards, where)

    def complete(self, cards: Sequence[Card]) -> None:
        """All cards must have been named."""
        missing = [str(cards[index]) for index, left in sorted(self.left.items()) if left]
        if missing:
            more = " ..." if len(missing) > 20 else ""
            raise SetupError(f"cards are missing: {' '.join(missing[:20])}{more}")

    def seat(self, seat: Any, where: str) -> int:
        """A seat's number."""
        try:
            return read_seat(seat, self.players)
        except (TypeError, IndexError) as error:
            raise SetupError(f"{where}: {error}") from None

    def per_seat(self, value: Any, where: str) -> Sequence[Any]:
        """One entry for each seat."""
        if (
            isinstance(value, (str, bytes, Mapping))
            or not isinstance(value, Sequence)
            or len(value) != self.players
        ):
            raise SetupError(f"{where}: {self.players} entries are needed, one a seat")
        return value

    def hands(self, hands: Any) -> list[bytes]:
        """The hands by seat, each in ascending order."""
        return [
            bytes(sorted(self.cards(hand, f"hands[{seat}]")))
            for seat, hand in enumerate(self.per_seat(hands, "hands"))
        ]

    def piles(self, piles: Any, where: str) -> list[bytes]:
        """A pile of cards for each seat, in the order given; empty ones for None."""
        given = [()] * self.players if piles is None else self.per_seat(piles, where)
        return [self.cards(pile, f"{where}[{seat}]") for seat, pile in enumerate(given)]

    def by_seat(self, value: Mapping[Any, Any], where: str) -> Iterator[tuple[int, Any]]:
        """(seat, entry) of a mapping whose keys are seats, or their text as JSON has it."""
        for key, entry in value.items():
            text = isinstance(key, str) and key.isascii() and key.isdigit() and len(key) < 3
            yield self.seat(int(key) if text else key, where), entry

    def rows(self, value: Any, width: int, where: str) -> Sequence[Any]:
        """A sequence of rows of so many parts."""
        if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Sequence):
            raise SetupError(f"{where}: a sequence is needed")
        for row in value:
            if isinstance(row, (str, bytes)) or not isinstance(row, Sequence) or len(row) != width:
                raise SetupError(f"{where}: entries of {width} parts are needed")
        return value

    def phase(self, phase: Any, phases: Sequence[str], default: str) -> int:
        """Number of a phase."""
        if phase is None:
            phase = default
        if not isinstance(phase, str) or str.__str__(phase) not in phases:
            raise SetupError(f"phase: one of {', '.join(phases)} is needed")
        return phases.index(str.__str__(phase))

    def common(
        self,
        rules: Rules,
        over: bool,
        turn: Any,
        dealer: Any,
        deal_number: Any,
        scores: Any,
        deals: int = 1_000_000,
    ) -> dict[str, Any]:
        """The zones that all games have: turn, dealer, deal_number, scores."""
        if over and turn is not None:
            raise SetupError("turn: None is needed when the match is over")
        totals = [0] * self.players if scores is None else self.per_seat(scores, "scores")
        return {
            "turn": -1 if over else self.seat(turn, "turn"),
            "dealer": self.players - 1 if dealer is None else self.seat(dealer, "dealer"),
            "deal_number": number(deal_number, 0, deals - 1, "deal_number"),
            "scores": [number(total, -1_000_000_000, 1_000_000_000, "scores") for total in totals],
        }


def write_common(position: Position, phases: Sequence[str]) -> dict[str, Any]:
    """The keywords that the set-ups of all games have, but for hands."""
    return {
        "turn": None if position._turn < 0 else position._turn,
        "dealer": position.dealer,
        "phase": phases[position._phase],
        "deal_number": position.deal_number,
        "scores": list(position._scores()),
    }


def head_of(position: Position) -> dict[str, int]:
    """What all positions begin with, as the games' `_zones.place` read it."""
    return {
        "dealer": position.dealer,
        "deal_number": position.deal_number,
        "phase": position._phase,
        "turn": position._turn,
        "ply": position.ply,
    }
