"""Disjoint ways in which what a seat saw can have come about, and the classes of cards in each."""

from __future__ import annotations

from herzen.counting import CardClass, Plan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ALL = (1 << 52) - 1
"""All kinds."""


class Case:
    """One of several disjoint ways in which what was seen can have come about."""

    __slots__ = ("kept", "limits", "needs", "places")

    def __init__(
        self,
        limits: dict[int, int] | None = None,
        places: dict[int, int] | None = None,
        needs: Sequence[tuple[int, int]] = (),
        kept: Mapping[int, tuple[int, ...]] | None = None,
    ) -> None:
        self.limits = limits or {}
        """Seat -> the kinds that it may hold now."""
        self.places = places or {}
        """Kind -> mask of the places where its unseen cards may lie."""
        self.needs = tuple(needs)
        """(place, kinds): at least one unseen card of these lies there."""
        self.kept = dict(kept or {})
        """Seat -> the cards it passed of those that keep_spades keeps back from all who have others."""

    def join(self, other: Case) -> Case:
        """Both at once."""
        limits, places = dict(self.limits), dict(self.places)
        for seat, kinds in other.limits.items():
            limits[seat] = limits.get(seat, ALL) & kinds
        for kind, mask in other.places.items():
            places[kind] = places.get(kind, -1) & mask
        return Case(limits, places, self.needs + other.needs, self.kept | other.kept)


class Pile:
    """A plan, and what it says besides: of passes, and of captured cards that count."""

    __slots__ = ("kept", "plan", "slots")

    def __init__(
        self, plan: Plan, kept: Mapping[int, tuple[int, ...]], slots: Sequence[tuple[int, int]]
    ) -> None:
        self.plan = plan
        self.kept = kept
        self.slots = tuple(slots)
        """(points, pile) of the cards gone before that count; pile = players: held over."""


def with_one(classes: Sequence[CardClass], place: int, kinds: int) -> list[list[CardClass]]:
    """The same cards where at least one of these kinds lies there: by the first class of which one does."""
    found: list[list[CardClass]] = []
    before: list[int] = []
    for number, some in enumerate(classes):
        if not (kinds >> some.cards[0] & 1 and some.places >> place & 1):
            continue
        copy = [
            CardClass(
                other.cards,
                other.places & ~(1 << place) if at in before else other.places,
                {**other.bounds, place: (1, len(other.cards))} if at == number else other.bounds,
            )
            for at, other in enumerate(classes)
        ]
        found.append(copy)
        if place in some.bounds:  # it does in any case
            break
        before.append(number)
    return found
