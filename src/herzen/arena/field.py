"""Who meets whom, and in which seats: tables of bots, and the line-ups in which each table is seated.

A table says which bots sit together. A line-up says which bot sits in which seat. Both are tuples of numbers of bots,
as long as there are seats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from herzen.errors import ArenaError

Table = tuple[int, ...]
FIELDS = ("mixed", "one", "pairs")
SEATINGS = ("rotations", "all")
MOST_LINEUPS = 10_000


def tables(field: str, bots: int, seats: int) -> tuple[Table, ...]:
    """The tables of a field of so many bots; ArenaError where there are none."""
    if field == "mixed":
        found = list(_mixed(bots, seats))
    elif bots < 2:
        raise ArenaError(f"field {field}: at least two bots are needed")
    elif field == "one":
        found = [
            (one, *[other] * (seats - 1))
            for one in range(bots)
            for other in range(bots)
            if one != other
        ]
    else:
        found = []
        for pair in combinations(range(bots), 2):
            found.append(_table({pair[0]: seats - seats // 2, pair[1]: seats // 2}))
            if seats % 2:
                found.append(_table({pair[0]: seats // 2, pair[1]: seats - seats // 2}))
    return tuple(dict.fromkeys(found))  # with two seats, one against one is the same table twice


def _mixed(bots: int, seats: int) -> Iterator[Table]:
    """All tables where the numbers of seats of any two bots differ by one at most."""
    each, more = divmod(seats, bots)
    for chosen in combinations(range(bots), more):
        yield _table({bot: each + (bot in chosen) for bot in range(bots)})


def _table(seats_of: dict[int, int]) -> Table:
    """The bots dealt round in turn, so that those of one kind sit apart: 0 1 2 0 1 0."""
    rounds = range(max(seats_of.values()))
    return tuple(bot for turn in rounds for bot, count in seats_of.items() if turn < count)


def canonical(table: Sequence[int]) -> Table:
    """The order in which a table is rotated."""
    return _table(dict(sorted(Counter(table).items())))


def lineups(table: Table, seating: str) -> tuple[Table, ...]:
    """The different line-ups of a table: its rotations, or all orders; ArenaError if there are too many."""
    if seating == "rotations":
        turns = range(len(table))
        return tuple(
            dict.fromkeys(table[-turn:] + table[:-turn] if turn else table for turn in turns)
        )
    found = []
    for lineup in _orders(Counter(table), len(table)):
        found.append(lineup)
        if len(found) > MOST_LINEUPS:
            raise ArenaError(f"seating all: more than {MOST_LINEUPS} line-ups of one table")
    return tuple(found)


def _orders(left: Counter[int], seats: int) -> Iterator[Table]:
    """The different orders of a multiset, ascending."""
    if not seats:
        yield ()
        return
    for bot in sorted(left):
        if left[bot]:
            left[bot] -= 1
            for rest in _orders(left, seats - 1):
                yield (bot, *rest)
            left[bot] += 1
