"""Sampled worlds of Herzsammler: exactly the possible placements, each equally likely (S-KNOW)."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, pairwise
from typing import Any

import pytest

import herzen
from herzen.herzsammler import Herzsammler, HerzsammlerRules
from herzen.herzsammler._worlds import Worlds
from tests.chances import LIMIT, deviation
from tests.herzsammler.table import EXAMPLE_HAND, EXAMPLE_OPEN, deck_of, middle, rows, small, texts
from tests.reference.chacha import Stream
from tests.reference.herzsammler import HerzsammlerTwin, fits
from tests.reference.herzsammler_options import random_deck, random_rules
from tests.reference.herzsammler_worlds import placement, worlds
from tests.tiers import scale

SAMPLE = 5
"""Domain of the streams that sampled worlds are drawn from."""

Levels = tuple[tuple[int, ...], ...]
"""For each barred hand the first of its places that each of its cards fits."""


def played(
    fields: dict[str, Any], rng: random.Random, moves: int
) -> tuple[list[str], list[tuple[int, str]], Herzsammler]:
    """A match after so many random moves, at most to the end of its first game: (deck, moves, match)."""
    game = Herzsammler(HerzsammlerRules(**fields), seed=rng.getrandbits(64))
    deck = texts(game.rules._card(index) for index in game._deck(0))
    made = []
    while not game.over and len(made) < moves:
        code = rng.choice(game.codes())
        made.append((int(game.turn), str(game._from_code(code))))
        game.play_code(code)
    return deck, made, game


def where(game: herzen.Game, seat: int | None) -> tuple[tuple[str, ...], ...]:
    """Where the cards lie that a seat does not see."""
    zones = game._setup_zones(game)
    return placement(zones["hands"], zones["stack"], seat)


def samples(view: herzen.View, count: int) -> Iterator[herzen.Game]:
    """What `view.sample` gives for the seeds from 0 on; the view is read once."""
    return map(Worlds(view).sample, range(count))


def drawn(view: herzen.View, count: int) -> Counter[tuple[tuple[str, ...], ...]]:
    """Where the hidden cards lie in so many samples."""
    return Counter(where(world, view.seat) for world in samples(view, count))


def small_deck(rng: random.Random, size: int) -> list[list[Any]]:
    """Cards of many objects, some of them equal, so that many turns miss."""
    deck = random_deck(rng, 2)
    while len(deck) < size:
        deck += random_deck(rng, 2)
    return [[*row[:3], rng.randrange(9), rng.randrange(9)] for row in deck[:size]]


@pytest.mark.parametrize("number", range(scale(quick=4, ci=15, full=600)))
def test_all_worlds_equally_likely(number: int) -> None:
    """Against every legal history of small decks; under must_match misses tell what hands do not hold."""
    rng = random.Random(f"worlds {number}")
    players = rng.choice([2, 2, 3])
    fields: dict[str, Any] = {
        "players": players,
        "deck": small_deck(rng, 2 * players + 6 + rng.choice([2, 3])),
        "must_match": number % 5 != 0,
        "choose_object": rng.random() < 0.3,
        "end": rng.choice(["empty", "short"]),
    }
    deck, moves, game = played(fields, rng, rng.randrange(3, 12))
    seat = rng.choice([None, *range(players)]) if players == 2 else rng.randrange(players)
    possible = worlds(fields, deck, moves, seat)
    assert where(game, seat) in possible
    counts = drawn(game.view(seat), min(2_000, 12 * len(possible)))
    if len(possible) < 200:
        assert deviation(counts, possible) < LIMIT
    else:
        assert set(counts) <= set(possible)


@pytest.mark.parametrize("part", range(scale(quick=1, ci=2, full=40)))
def test_no_sample_contradicts_what_was_seen(part: int) -> None:
    """Under all rules: known cards are where they are, and under must_match no hand holds what a miss rules out."""
    rng = random.Random(f"seen {part}")
    left = scale(quick=120, ci=220, full=2_500)
    while left > 0:
        fields = random_rules(rng)
        seed = rng.getrandbits(64)
        game, twin = (
            Herzsammler(HerzsammlerRules(**fields), seed=seed),
            HerzsammlerTwin(fields, seed),
        )
        while not game.over:
            if rng.random() < 0.15:
                viewer = rng.choice([None, *range(game.players)])
                world = game.view(viewer).sample(left + 10_000)
                left -= 1
                stack = texts(world._cards_at(world._zones.stack(world)))
                assert stack[len(stack) - twin.bottom_size :] == twin.bottom
                for seat in range(game.players):
                    unknown = Counter(texts(world.hand(seat))) - Counter(twin.known[seat])
                    assert unknown.total() == len(twin.barred[seat])
                    assert fits(twin.table, list(unknown.elements()), twin.barred[seat])
            seat = int(game.turn)
            move = rng.choice(texts(game.legal_moves()))
            game.play(move)
            twin.play(seat, move)


def test_a_miss_under_must_match_tells_what_a_hand_does_not_hold() -> None:
    """S-KNOW-6: seat 1 missed, so it holds nothing that shows an a or a b, which lie open."""
    lying = "G1ab G2ab G3ab G4ab G5ab G6ab"
    stack = "Y1cd Y2gh Y3cd Y4ab Y5ah Y0gi"
    for must_match, hands in ((True, 3), (False, 10)):
        game = small("R1cd R2cd", "B1ef B2ef", open=lying, stack=stack, must_match=must_match)
        game.play("show R1cd")
        game.play("show B1ef")
        found = Counter(tuple(texts(world.hand(1))) for world in samples(game.view(0), 60 * hands))
        assert len(found) == hands
        assert deviation(found, dict.fromkeys(found, 1)) < LIMIT
        shown = {letter for hand in found for card in hand for letter in card[-2:]}
        assert ("a" in shown) is not must_match


def test_the_chain_of_barred_places() -> None:
    """The oldest of three unknown cards is barred from most: exactly the hands that fit, each alike."""
    hands = ["R1ac R2bc", "B1fg B2ef B3de"]
    lying, stack = "G1gh G2gh G3gh G4gh G5gh G6gh", "Y1ad Y2bd Y3cd Y4de Y5ef Y6bc"
    game = middle(
        *hands,
        turn=1,
        open=lying,
        stack=stack,
        rules=HerzsammlerRules(deck=rows(" ".join([*hands, lying, stack])), must_match=True),
        barred=[["", ""], ["de", "d", ""]],
    )
    fits = {
        frozenset(hand): 1
        for hand in combinations(f"{hands[1]} {stack}".split(), 3)
        if any(not {"d", "e"} & set(card[-2:]) for card in hand)
        and sum("d" not in card[-2:] for card in hand) >= 2
    }
    assert 10 < len(fits) < 84
    found = Counter(
        frozenset(texts(world.hand(1))) for world in samples(game.view(0), 40 * len(fits))
    )
    assert deviation(found, fits) < LIMIT


def drawn_below(stream: Stream, n: int) -> tuple[int, int]:
    """A number below n > 2**32 from pairs of words, low first; and how many pairs were refused."""
    refused = 0
    while (number := stream.next32() | stream.next32() << 32) < 2**64 % n:
        refused += 1
    return number % n, refused


class Ways:
    """All ways to fill barred hands from hidden cards, counted card by card; a number names one."""

    def __init__(self, hidden: Sequence[str], barred: Sequence[Sequence[str]]) -> None:
        self.hidden = hidden
        self.sizes = [len(places) for places in barred]
        self.levels = [
            [
                next((j for j, bar in enumerate(places) if not set(bar) & set(card[-2:])), None)
                for places in barred
            ]
            for card in hidden
        ]
        self.count = cache(self._count)
        self.empty: Levels = ((),) * len(barred)

    def onward(self, at: int, hands: Levels) -> Iterator[tuple[int, Levels]]:
        """To whom the card may go, -1 for no barred hand, and the hands after it: the levels of their cards."""
        yield -1, hands
        for seat, level in enumerate(self.levels[at]):
            if level is not None and len(hands[seat]) < self.sizes[seat]:
                grown = tuple(sorted((*hands[seat], level)))
                yield seat, (*hands[:seat], grown, *hands[seat + 1 :])

    def _count(self, at: int, hands: Levels) -> int:
        if at < len(self.hidden):
            return sum(self.count(at + 1, after) for _, after in self.onward(at, hands))
        full = [len(hand) for hand in hands] == self.sizes
        return int(full and all(level <= j for hand in hands for j, level in enumerate(hand)))

    def way(self, number: int) -> list[list[str]]:
        """The hands of the way of this number."""
        found: list[list[str]] = [[] for _ in self.sizes]
        hands = self.empty
        for at, card in enumerate(self.hidden):
            for seat, after in self.onward(at, hands):
                ways = self.count(at + 1, after)
                if number < ways:
                    hands = after
                    if seat >= 0:
                        found[seat].append(card)
                    break
                number -= ways
        return found


def test_more_ways_than_a_word_counts() -> None:
    """Nine barred places, 122 hidden cards: one number below more than 2**32 names the way; some draws are refused."""
    deck = (deck_of(HerzsammlerRules()) * 2)[:128]
    hands = [" ".join(deck[start:end]) for start, end in pairwise((0, 3, 5, 7, 9))]
    barred = [["c", "c", ""], ["g", ""], ["a", "a"], ["e", "e"]]
    rules = HerzsammlerRules(players=4, deck=rows(" ".join(deck)), must_match=True)
    view = middle(*hands, open=" ".join(deck[9:15]), rules=rules, barred=barred).view(None)
    ways = Ways(sorted(deck[:9] + deck[15:], key=deck.index), barred)
    count = ways.count(0, ways.empty)
    assert count > 2**53
    worlds = Worlds(view)
    draws = [drawn_below(Stream(seed, SAMPLE), count) for seed in range(300)]
    refused = [seed for seed, (_, times) in enumerate(draws) if times]
    assert refused
    for seed in (*range(20), *refused):
        world = worlds.sample(seed)
        found = [sorted(texts(world.hand(seat))) for seat in range(4)]
        assert found == [sorted(hand) for hand in ways.way(draws[seed][0])]


def test_the_known_end_of_the_stack_stays() -> None:
    game = middle(EXAMPLE_HAND, "G1be G2fj", open=EXAMPLE_OPEN, bottom="R2ab R2ci")
    view = game.view(None)
    assert texts(view.bottom) == ["R2ab", "R2ci"]
    stacks = {where(view.sample(number), None)[-1] for number in range(20)}
    assert {stack[-2:] for stack in stacks} == {("R2ab", "R2ci")}
    assert len(stacks) == 20


WRONG: list[tuple[str, Any]] = [
    ("hand", ["R1di"]),
    ("hand", ["R1dh", "R1dh", "R1dh"]),
    ("hand_sizes", [3]),
    ("hand_sizes", [3, 2**70]),
    ("hand_sizes", [2, 3]),
    ("stack_size", 80),
    ("stack_size", -1),
    ("bottom", ["R1dh", "R1dh"]),
    ("known", {"5": ["R1dh"]}),
    ("known", {"1": ["R1dh", "R1di", "R2ab"]}),
    ("known", {"0": ["V5ef"]}),
    ("open", []),
    ("open", ["R1dh"] * 6),
    ("collections", [["R1dh"], []]),
    ("collections", []),
    ("misses", 30),
    ("hearts_won", [1]),
    ("scores", [1, 2, 3]),
    ("points", [5, 5]),
    ("winners", [0]),
    ("over", True),
    ("phase", "over"),
    ("phase", "sleep"),
    ("turn", 7),
    ("turn", None),
    ("to_move", [0, 1]),
    ("dealer", 2),
    ("deal_number", 1),
    ("ply", -1),
    ("version", 2**32),
    ("names", ["Ann"]),
    ("seat", 9),
    ("seat", None),
    ("legal_moves", []),
    ("barred", [["", ""], [""]]),
    ("barred", [["ab"], []]),
]


@pytest.mark.parametrize(("field", "value"), WRONG)
def test_a_view_that_contradicts_itself(field: str, value: Any) -> None:
    data = Herzsammler(HerzsammlerRules(must_match=True), seed=1).view(0).to_dict()
    assert data[field] != value
    with pytest.raises((herzen.SetupError, herzen.RecordError)):
        herzen.View.from_dict(json.loads(json.dumps(data | {field: value}))).sample(1)


def test_barred_hands_that_no_cards_fill() -> None:
    data = Herzsammler(HerzsammlerRules(must_match=True), seed=1).view(0).to_dict()
    everything = "abcdefghij"
    view = herzen.View.from_dict(data | {"barred": [["", "", ""], [everything, everything]]})
    with pytest.raises(herzen.SetupError, match="barred"):
        view.sample(1)
    view = herzen.View.from_dict(data | {"barred": [[everything, "", ""], ["", ""]]})
    with pytest.raises(herzen.SetupError, match="barred"):
        view.sample(1)
