"""Counting the ways to deal classes of cards to places, against trying them all."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import factorial

from herzen.counting import END, CardClass, Graph, Plan
from tests.tiers import scale

Table = tuple[tuple[int, ...], ...]


def deals(cards: Sequence[int], room: Sequence[int]) -> Iterator[list[tuple[int, ...]]]:
    """All ways to share the cards out."""
    if not room:
        yield []
        return
    for here in combinations(cards, room[0]):
        for others in deals([card for card in cards if card not in here], room[1:]):
            yield [here, *others]


def tables(classes: Sequence[CardClass], room: Sequence[int]) -> Counter[Table]:
    """Number of cards of each class at each place -> the ways to deal them so, by trying all."""
    owner = {card: number for number, some in enumerate(classes) for card in some.cards}
    found: Counter[Table] = Counter()
    for way in deals(sorted(owner), room):
        counts = [Counter(owner[card] for card in place) for place in way]
        table = tuple(tuple(count[number] for number in range(len(classes))) for count in counts)
        if all(_allowed(some, number, table) for number, some in enumerate(classes)):
            found[table] += 1
    return found


def _allowed(some: CardClass, number: int, table: Table) -> bool:
    for place, row in enumerate(table):
        low, high = some.bounds.get(place, (0, 99))
        if not some.places >> place & 1:
            high = 0
        if not low <= row[number] <= high:
            return False
    return True


def drawn(plan: Plan, places: int) -> dict[Table, Fraction]:
    """Table of groups -> its probability, by following every path of the graph."""
    found: dict[Table, Fraction] = {}

    def follow(at: int, chance: Fraction, numbers: list[list[int]]) -> None:
        if at == END:
            key = tuple(map(tuple, numbers))
            assert key not in found
            found[key] = chance
            return
        kind, group, lowest, weights, children = plan.graph.node(at)
        for choice, (weight, child) in enumerate(zip(weights, children, strict=True)):
            if weight:
                after = [list(row) for row in numbers]
                after[group][kind] += lowest + choice
                follow(child, chance * weight / sum(weights), after)

    follow(plan.root, Fraction(1), [[0] * len(plan.classes) for _ in plan.groups])
    return found


def random_case(rng: random.Random) -> tuple[list[CardClass], list[int]]:
    """Classes with places and sometimes bounds, and the room of three or four places."""
    places = rng.randrange(2, 5)
    sizes = [rng.randrange(1, 4) for _ in range(rng.randrange(1, 4))]
    room = [0] * places
    for _ in range(sum(sizes)):
        room[rng.randrange(places)] += 1
    cards = iter(range(sum(sizes)))
    classes = []
    for size in sizes:
        mask = rng.randrange(1, 1 << places) | rng.randrange(1 << places)
        bounds = {}
        if rng.random() < 0.3:
            place = rng.randrange(places)
            if mask >> place & 1 and room[place]:
                low = rng.randrange(2)
                bounds[place] = (low, rng.randrange(low, size + 1))
        classes.append(CardClass([next(cards) for _ in range(size)], mask, bounds))
    return classes, room


def test_counts_and_probabilities() -> None:
    """The number of ways is exact, and every table is drawn with its exact probability."""
    rng = random.Random(1)
    possible = merged = 0
    for _ in range(scale(quick=300, ci=600, full=50_000)):
        classes, room = random_case(rng)
        graph = Graph()
        plan = Plan(classes, dict(enumerate(room)), graph)
        expected = tables(classes, room)
        assert plan.weight == sum(expected.values())
        if not plan.weight:
            continue
        possible += 1
        merged += any(len(group) > 1 for group in plan.groups)
        by_group: Counter[Table] = Counter()
        for table, ways in expected.items():
            key = tuple(
                tuple(
                    sum(table[place][number] for place in group) for number in range(len(classes))
                )
                for group in plan.groups
            )
            by_group[key] += ways
        assert drawn(plan, len(room)) == {
            key: Fraction(ways, plan.weight) for key, ways in by_group.items()
        }
    assert possible > 100
    assert merged > 50


def test_many_cards() -> None:
    """52 cards to four hands, and the same where each hand may miss a suit of its own."""
    hands = dict.fromkeys(range(4), 13)
    graph = Graph()
    free = Plan([CardClass(range(52), 15)], hands, graph)
    assert free.weight == factorial(52) // factorial(13) ** 4
    suits = [CardClass(range(13 * suit, 13 * suit + 13), 15 & ~(1 << suit)) for suit in range(4)]
    void = Plan(suits, hands, graph)
    # Every suit is dealt to three hands: summed over the two numbers that give the other ten.
    assert 0 < void.weight < free.weight
    turned = Plan(suits[::-1], hands, graph)
    assert turned.weight == void.weight


def test_no_cards_and_no_room() -> None:
    graph = Graph()
    assert Plan([], {0: 0, 1: 0}, graph).weight == 1
    assert Plan([], {0: 1}, graph).weight == 0
    assert Plan([CardClass([5], 1)], {0: 0}, graph).weight == 0
    assert len(graph) == 0
