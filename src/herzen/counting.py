"""Counting and drawing the ways to deal cards of a few classes to a few places.

Cards of one class may go to the same places. What is counted is the number of ways to give every place its number of
cards, each card being its own. A way is drawn in two steps: first how many cards of each class every place gets, from
a graph of small tables that holds exact counts, then which ones, all being alike.
"""

from __future__ import annotations

from math import comb, factorial, gcd

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

END = -1
"""The node after the last one."""


class Node:
    """One number to draw: how many cards of a class go to a group of places."""

    __slots__ = ("children", "group", "kind", "lowest", "weights")

    def __init__(
        self, kind: int, group: int, lowest: int, weights: list[int], children: list[int]
    ) -> None:
        self.kind = kind
        """The class."""
        self.group = group
        self.lowest = lowest
        """The first number; the others follow without a gap."""
        common = gcd(*weights)
        self.weights = [weight // common for weight in weights]
        self.children = children
        """The node that comes next, by number drawn."""


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

    def __init__(
        self, classes: Sequence[CardClass], room: Mapping[int, int], nodes: list[Node]
    ) -> None:
        """`room`: number of cards of each place; appends to `nodes` what the graph needs."""
        self.classes = list(classes)
        self.nodes = nodes
        self.groups = self._merge(room)
        """Places that take the same classes, in which no number is known."""
        sizes = [len(some.cards) for some in classes]
        rooms = [sum(room[place] for place in group) for group in self.groups]
        cells = [
            [self._cell(some, group) for group in self.groups] for some in classes
        ]
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
            range(len(sizes)), key=lambda row: (sum(cell is not None for cell in cells[row]), sizes[row])
        )
        columns = [
            sorted(
                (column for column, cell in enumerate(cells[row]) if cell), key=rooms.__getitem__
            )
            for row in rows
        ]
        bounds = [cells[row] for row in rows]
        # What later rows can and must take of each column.
        most = [[0] * len(rooms) for _ in range(len(rows) + 1)]
        least = [[0] * len(rooms) for _ in range(len(rows) + 1)]
        for at in reversed(range(len(rows))):
            for column in range(len(rooms)):
                cell = bounds[at][column]
                low, high = cell or (0, 0)
                most[at][column] = most[at + 1][column] + min(high, sizes[rows[at]])
                least[at][column] = least[at + 1][column] + low
        found: dict[tuple[int, int, int, tuple[int, ...]], tuple[int, int]] = {}

        def visit(at: int, place: int, left: int, rest: tuple[int, ...]) -> tuple[int, int]:
            if place == len(columns[at]):
                if left:
                    return END, 0
                if at + 1 == len(rows):
                    return END, 0 if any(rest) else 1
                return visit(at + 1, 0, sizes[rows[at + 1]], rest)
            key = (at, place, left, rest)
            if key in found:
                return found[key]
            column = columns[at][place]
            cell = bounds[at][column]
            assert cell is not None
            others = sum(rest[other] for other in columns[at][place + 1 :])
            low = max(cell[0], rest[column] - most[at + 1][column], left - others, 0)
            high = min(cell[1], left, rest[column] - least[at + 1][column])
            weights: list[int] = []
            children: list[int] = []
            for number in range(low, high + 1):
                after = rest[:column] + (rest[column] - number,) + rest[column + 1 :]
                child, weight = visit(at, place + 1, left - number, after)
                if not weight and not weights:
                    low += 1
                    continue
                weights.append(weight * comb(left, number))
                children.append(child)
            while weights and not weights[-1]:
                weights.pop()
                children.pop()
            result = END, sum(weights)
            if len(weights) == 1 and low == 0:
                result = children[0], weights[0]
            elif weights:
                kind, group = (column, rows[at]) if self._turned else (rows[at], column)
                self.nodes.append(Node(kind, group, low, weights, children))
                result = len(self.nodes) - 1, sum(weights)
            found[key] = result
            return result

        if not rows:
            return END, 1
        return visit(0, 0, sizes[rows[0]], tuple(rooms))


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
