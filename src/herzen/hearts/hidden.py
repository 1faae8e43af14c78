"""What no view shows and worlds must allow for: passes under keep_spades, and cards captured before a set-up."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement, product
from math import prod

from herzen.hearts.cases import Case
from herzen.hearts.seen import GONE, Seen, mask_of, members
from herzen.hearts.setup import MOON

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from herzen.counting import CardClass

MOST_WAYS_KEPT = 2000
"""Ways to lay the spades of keep_spades, each of which is a case of its own."""
MOST_WAYS_CAPTURED = 3000
"""Ways in which cards captured before a set-up may be worth their points, each of which is a case of its own."""


def kept_cases(seen: Seen) -> list[Case] | None:
    """keep_spades bears on hands where one may have had too few other cards to pass (H-PASS-10)."""
    if not (seen.rules.keep_spades and seen.zones["exchanged"]):
        return None
    kinds = members(seen.sets["kept"])
    count = seen.rules.pass_count
    if not count < seen.hand_size < count + sum(seen.deck[kind] for kind in kinds):
        return None
    places = [place for place, size in seen.room.items() if size]
    ways = [
        list(combinations_with_replacement(places, seen.unseen[kind]))
        for kind in kinds
        if seen.unseen[kind]
    ]
    if prod(map(len, ways)) > MOST_WAYS_KEPT:
        raise NotImplementedError(
            f"keep_spades, two packs, {count} cards passed of hands of only {seen.hand_size}"
        )
    kept = Passing(seen)
    unseen = [kind for kind in kinds if seen.unseen[kind]]
    cases = []
    for some in product(*ways):
        passes = kept.passes(dict(zip(unseen, some, strict=True)))
        if passes is not None:
            masks = {kind: mask_of(where) for kind, where in zip(unseen, some, strict=True)}
            needs = [
                (place, 1 << kind)
                for kind, where in zip(unseen, some, strict=True)
                for place in sorted(set(where))
            ]
            cases.append(Case(places=masks, needs=needs, kept=passes))
    return cases


class Passing:
    """Which passes under keep_spades lead to hands with these kept cards, A, K and Q of spades.

    A seat passes no kept card, or it had fewer other cards than it had to pass: then it passed all of those and its
    lowest kept ones, so that all others it has after the exchange are cards that it received.
    """

    def __init__(self, known: Seen) -> None:
        self.n = known.n
        self.size = known.hand_size
        self.count = known.rules.pass_count
        kinds = members(known.sets["kept"])
        self.seen = [
            [kind for kind in kinds for _ in range((held + known.played_by(seat))[kind])]
            for seat, held in enumerate(known.held)
        ]
        self.told = {
            seat: tuple(kind for kind in cards if kind in kinds)
            for seat, cards in known.zones["passed"].items()
        }
        step = {"left": 1, "right": self.n - 1, "across": self.n // 2}[known.view.pass_direction]
        self.receiver = [(seat + step) % self.n for seat in range(self.n)]

    def passes(self, places: Mapping[int, Sequence[int]]) -> dict[int, tuple[int, ...]] | None:
        """Seat -> the kept cards it passed, if unseen ones (kind -> places) lie so; None if no passes lead there."""
        hands = [
            sorted(
                [*self.seen[seat], *(k for k, where in places.items() for p in where if p == seat)]
            )
            for seat in range(self.n)
        ]
        found: dict[int, tuple[int, ...]] = {}
        for first in range(self.n):
            if first not in found and not self._round(hands, first, found):
                return None
        return {seat: cards for seat, cards in found.items() if cards}

    def _options(self, hands: Sequence[list[int]], seat: int) -> list[tuple[int, ...]]:
        """The kept cards that a seat may have passed, by what its receiver has."""
        to = hands[self.receiver[seat]]
        options = (
            [self.told[seat]]
            if seat in self.told
            else [
                cards
                for number in range(min(self.count, len(to)) + 1)
                for cards in dict.fromkeys(combinations(to, number))
            ]
        )
        others = self.size - len(to)
        return [
            cards
            for cards in options
            if not Counter(cards) - Counter(to) and self.count - len(cards) <= others
        ]

    def _legal(self, hand: list[int], received: tuple[int, ...], passed: tuple[int, ...]) -> bool:
        """Whether a seat that has these kept cards after the exchange may have passed those."""
        if not passed:
            return True
        stayed = Counter(hand) - Counter(received)
        return self.size - len(hand) == self.count - len(received) and (
            not stayed or max(passed) <= min(stayed)
        )

    def _round(
        self, hands: Sequence[list[int]], first: int, found: dict[int, tuple[int, ...]]
    ) -> bool:
        """Find the passes of the seats that pass on to each other in a round."""
        for start in self._options(hands, first):
            # What each seat may have passed -> what the seat before it passed then.
            before: list[dict[tuple[int, ...], tuple[int, ...]]] = [{start: ()}]
            seats = [first]
            while self.receiver[seats[-1]] != first:
                seat = self.receiver[seats[-1]]
                before.append(
                    {
                        cards: got
                        for cards in self._options(hands, seat)
                        for got in before[-1]
                        if self._legal(hands[seat], got, cards)
                    }
                )
                seats.append(seat)
            for last in before[-1]:
                if self._legal(hands[first], last, start):
                    cards = last
                    for place in reversed(range(len(seats))):
                        found[seats[place]] = cards
                        cards = before[place][cards]
                    return True
        return False


def may_be_held(seen: Seen) -> bool:
    """Whether tricks held over before a set-up may lie on the table still."""
    return seen.rules.decks == 2 and all(winner is None for _, _, winner in seen.zones["tricks"])


def captured(
    seen: Seen, classes: Sequence[CardClass], worth: Sequence[int], total: int
) -> Iterator[tuple[int, ...]]:
    """How many cards of each class can have been captured before a set-up, 0 for cards of no worth: those are
    worth this total, and more only where tricks may be held over.
    """
    most = [
        min(len(some.cards), seen.gone) if value and some.places >> GONE & 1 else 0
        for some, value in zip(classes, worth, strict=True)
    ]
    exactly = not may_be_held(seen)
    left = MOST_WAYS_CAPTURED

    def choose(at: int, room: int, total: int) -> Iterator[tuple[int, ...]]:
        nonlocal left
        rest = [number * value for number, value in zip(most[at:], worth[at:], strict=True)]
        if total > sum(part for part in rest if part > 0):
            return
        if exactly and total < sum(part for part in rest if part < 0):
            return
        if at == len(classes):
            left -= 1
            if left < 0:
                raise NotImplementedError(
                    "a set-up with cards captured before, which may be worth their points in very many ways"
                )
            yield ()
            return
        for number in range(min(most[at], room) + 1):
            for others in choose(at + 1, room - number, total - number * worth[at]):
                yield (number, *others)

    return choose(0, seen.gone, total)


def share(
    seen: Seen, groups: Sequence[tuple[int, int]], points: list[int]
) -> list[tuple[int, int]] | None:
    """(points, pile) of so many cards of each worth, so that the piles have these points; None if impossible.

    With two packs, what no seat has taken may have been held over.
    """
    # Bonus cards first: what is left for penalty cards then only falls.
    cards = sorted(
        (worth for worth, count in groups for _ in range(count)),
        key=lambda worth: (worth > 0, -abs(worth)),
    )
    held = may_be_held(seen)
    shooter = seen.zones["turn"] if seen.zones["phase"] == MOON else None
    dead: set[tuple[int, tuple[int, ...]]] = set()
    bonuses = sum(worth < 0 for worth in cards)
    rests = [sum(cards[at:]) for at in range(len(cards) + 1)]

    def fill(at: int, left: tuple[int, ...]) -> list[tuple[int, int]] | None:
        if at == len(cards):
            return None if any(left) else []
        if (at, left) in dead:
            return None
        if at >= bonuses and not sum(left) <= rests[at] <= sum(left) + (rests[0] if held else 0):
            return None
        if len(dead) > MOST_WAYS_CAPTURED:
            raise NotImplementedError(
                "a set-up with cards captured before, whose points are hard to share out"
            )
        tried = set()
        for pile in range(seen.n + held):
            after = left
            if pile < seen.n:
                if (cards[at] > 0 and left[pile] < cards[at]) or left[pile] in tried:
                    continue
                if shooter is None:  # piles that lack as much are alike
                    tried.add(left[pile])
                elif pile != shooter and cards[at] > 0:
                    continue
                after = (*left[:pile], left[pile] - cards[at], *left[pile + 1 :])
            rest = fill(at + 1, after)
            if rest is not None:
                return [(cards[at], pile), *rest]
        dead.add((at, left))
        return None

    slots = fill(0, tuple(points))
    if slots is None:
        return None
    over = sum(pile == seen.n for _, pile in slots)
    plain = seen.gone - len(cards)
    return slots if -over % seen.n <= plain else None
