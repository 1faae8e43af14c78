"""Counting and drawing the ways to deal cards of a few classes to a few places.

Cards of one class may go to the same places. What is counted is the number of ways to give every place its number of
cards, each card being its own. A way is drawn in two steps: first how many cards of each class every place gets, from
a graph of small tables that holds exact counts, then which ones, all being alike.
"""

from __future__ import annotations

from math import factorial

from herzen._counting import END, Graph, Tables

__all__ = ("END", "CardClass", "Graph", "Plan")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class CardClass:
    """Cards that may go to the same places."""

    __slots__ = ("bounds", "cards", "places")

    def __init__(
        self,
        cards: Sequence[int],
        places: int,
        bounds: Mapping[int, tuple[int, int]] | None = None,
    ) -> None:
        self.cards = tuple(cards)
        self.places = places
        """Bit mask of the places."""
        self.bounds = dict(bounds or {})
        """Place -> least and greatest number of these cards there, where these are known."""


class Plan:
    """The ways to deal these classes: their number, and the graph that draws one."""

    def __init__(self, classes: Sequence[CardClass], room: Mapping[int, int], graph: Graph) -> None:
        """`room`: number of cards of each place; `graph` gets the nodes that draw one."""
        self.classes = list(classes)
        self.graph = graph
        self.groups = self._merge(room)
        """Places that take the same classes, in which no number is known."""
        sizes = [len(some.cards) for some in classes]
        rooms = [sum(room[place] for place in group) for group in self.groups]
        cells = [[self._cell(some, group) for group in self.groups] for some in classes]
        # Classes and groups are the two sides of one table: go along the side that leaves less to remember.
        self._turned = _states(rooms) > _states(sizes)
        if self._turned:
            cells = [list(column) for column in zip(*cells, strict=True)]
            sizes, rooms = rooms, sizes
        self.root, weight = self._count(cells, sizes, rooms)
        if self._turned and weight:
            weight = weight * _factorials(rooms) // _factorials(sizes)
        for group in self.groups:
            if len(group) > 1:
                weight *= factorial(sum(room[place] for place in group))
                weight //= _factorials([room[place] for place in group])
        self.weight = weight
        """The number of ways."""

    def _merge(self, room: Mapping[int, int]) -> list[list[int]]:
        merged: dict[object, list[int]] = {}
        for place, size in sorted(room.items()):
            if size:
                takes = tuple(some.places >> place & 1 for some in self.classes)
                bound = any(place in some.bounds for some in self.classes)
                merged.setdefault((takes, place if bound else None), []).append(place)
        return list(merged.values())

    @staticmethod
    def _cell(some: CardClass, group: Sequence[int]) -> tuple[int, int] | None:
        # Least and greatest number, None where nothing may go.
        if not some.places >> group[0] & 1:
            return None
        return some.bounds.get(group[0], (0, len(some.cards)))

    def _count(
        self,
        cells: Sequence[Sequence[tuple[int, int] | None]],
        sizes: Sequence[int],
        rooms: Sequence[int],
    ) -> tuple[int, int]:
        """The first node, and the sum over all tables of the product over rows of row! / (product of cells!)."""
        if sum(sizes) != sum(rooms):
            return END, 0
        # The rows with the fewest cells first, so that the last one, which takes what is left, has many.
        rows = sorted(
            range(len(sizes)),
            key=lambda row: (sum(cell is not None for cell in cells[row]), sizes[row]),
        )
        bounds = [{column: cell for column, cell in enumerate(cells[row]) if cell} for row in rows]
        order = [sorted(some, key=rooms.__getitem__) for some in bounds]
        return Tables(
            [sizes[row] for row in rows],
            list(rooms),
            order,
            bounds,
            rows,
            self._turned,
            self.graph,
        ).count()


def _states(sizes: Sequence[int]) -> int:
    """About how many different remainders there can be: the largest one follows from the others."""
    product = 1
    for size in sorted(sizes)[:-1]:
        product *= size + 1
    return product


def _factorials(sizes: Sequence[int]) -> int:
    product = 1
    for size in sizes:
        product *= factorial(size)
    return product
