"""View.sample of Hearts against the enumeration of all worlds in small positions."""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest

import herzen
from herzen.counting import CardClass, Graph, Plan
from herzen.hearts.cards import CARDS
from herzen.hearts.seen import KITTY
from tests.hearts.table import small_deal, texts
from tests.hearts.worlds import (
    assert_uniform,
    count,
    knowledge,
    positions,
    sampled,
    small_fields,
    world_of,
)
from tests.reference.hearts_worlds import Unknown
from tests.tiers import scale

MOST_WAYS = scale(quick=150, ci=200, full=3000)


def unknown(view: herzen.View) -> Unknown:
    """The same view for the oracle."""
    return Unknown(json.loads(view.dumps()))


def test_every_world_once() -> None:
    """Random small matches under random options: the worlds counted are those found by trying, and all are drawn
    equally often.
    """
    rng = random.Random(20)
    left = scale(quick=150, ci=150, full=30_000)
    constrained = several = tested = refused = 0
    phases: Counter[str] = Counter()
    while left:
        for game, seat in positions(rng, small_fields(rng)):
            if not left or rng.random() < 0.6:
                continue
            view = game.view(seat)
            oracle = unknown(view)
            if oracle.ways > MOST_WAYS:
                continue
            try:
                ways = count(view)
            except NotImplementedError:
                refused += 1
                continue
            left -= 1
            phases[view.phase] += 1
            worlds = oracle.worlds()
            assert ways == worlds.total(), view.dumps()
            assert world_of(game) in worlds
            constrained += ways < oracle.ways
            several += len(knowledge(view).piles) > 1
            if 2 <= len(worlds) <= 60 and rng.random() < 0.4:
                tested += 1
                assert_uniform(sampled(view, 12 * len(worlds)), worlds)
    assert constrained > 15
    assert several
    assert tested > 15
    assert refused < 20
    assert {"pass", "play", "over"} <= set(phases)


def view_after(game: herzen.Hearts, seat: int | None, moves: str = "") -> herzen.hearts.HeartsView:
    """The view of a seat once these cards are played."""
    for move in moves.split():
        game.play(move)
    return game.view(seat)


def fits(view: herzen.View) -> Counter[str]:
    """The hands that the next seat may hold, by the ways to lay the cards; both counts must agree."""
    assert isinstance(view, herzen.hearts.HeartsView)
    worlds = unknown(view).worlds()
    assert count(view) == worlds.total()
    assert_uniform(sampled(view, 40 * len(worlds)), worlds)
    seat = 1 if view.seat in (0, None) else 0
    hands: Counter[str] = Counter()
    for (held, _), ways in worlds.items():
        hands[" ".join(held[seat])] += ways
    return hands


def test_a_seat_that_failed_to_follow_is_void() -> None:
    """H-PLAY-1: seat 1 threw a diamond on a club, so it holds none of the clubs left."""
    game = small_deal("2C 3D 9S", "5D 6D TS", "4C KD 7C", queen_points=0, moon="off")
    view = view_after(game, 0, "2C 5D")
    hands = fits(view)
    assert all("C" not in hand for hand in hands)
    assert hands.total() < unknown(view).ways


def test_a_heart_on_trick_1_means_nothing_else() -> None:
    """H-PLAY-4: under "forbid" who throws a heart on trick 1 holds only hearts and Q♠."""
    deal = ("2C 3D", "5H 6H", "4C QS", "3C 8D")
    view = view_after(small_deal(*deal, moon="off"), 0, "2C 5H")
    assert set(fits(view)) == {"6H", "QS"}
    view = view_after(small_deal(*deal, moon="off", first_trick_points="allow"), 0, "2C 5H")
    assert {"6H", "QS", "8D"} == set(fits(view))


def test_the_opener_held_the_lowest_club() -> None:
    """H-LEAD-1 to H-LEAD-3: lower clubs lie in the kitty, and before the lead the lowest club is in the hand."""
    deal = ("5D TS", "4C KD", "7C 8D")
    game = small_deal(*deal, kitty="3C 2S", queen_points=0, moon="off")
    assert game.turn == 1
    hands = fits(game.view(0))
    assert set(hands) >= {"3C KD", "4C 8D"}
    assert all("3C" in hand or "4C" in hand or "7C" in hand for hand in hands)
    assert all("3C" not in hand for hand in fits(view_after(game, 0, "4C")))
    game = small_deal(*deal, kitty="3C 2S", queen_points=0, moon="off", lead="any_club")
    assert any("3C" in hand for hand in fits(view_after(game, 0, "4C")))


def test_a_heart_led_unbroken_means_only_hearts() -> None:
    """H-LEAD-6, H-LEAD-9: who leads a heart unbroken holds only hearts, or hearts and Q♠."""
    deal = ("2D 4S", "3H 4H", "QS 5D", "6D 7D")
    for stuck, hands in (
        ("hearts_only", {"4H"}),
        ("hearts_or_queen", {"4H", "QS"}),
        ("pass_lead", set()),
    ):
        game = small_deal(*deal, lead="dealer_left", lead_when_stuck=stuck, dealer=0, moon="off")
        if stuck == "pass_lead":
            assert game.turn == 2
            assert set(fits(game.view(0))) == {"3H 4H"}
        else:
            assert set(fits(view_after(game, 0, "3H"))) == hands


def test_a_lead_not_passed_on() -> None:
    """H-LEAD-7: the leader holds a card that is no heart, or all hold only hearts."""
    game = small_deal(
        "2H 3H", "4H QS", "5H 6H", lead="dealer_left", lead_when_stuck="pass_lead", dealer=0
    )
    assert all("QS" in hand for hand in fits(game.view(0)))
    game = small_deal(
        "2H 3H",
        "4H 7H",
        "5H 6H",
        lead="dealer_left",
        lead_when_stuck="pass_lead",
        dealer=0,
        kitty="QS",
    )
    hands = fits(game.view(0))
    assert any("QS" in hand for hand in hands)
    assert any("QS" not in hand for hand in hands)


def test_passes_are_remembered() -> None:
    """H-PASS: the cards passed lie with their receiver, those received came from the giver."""
    game = small_deal(
        "2C 9S",
        "5D TS",
        "4C KD",
        "3C JS",
        queen_points=0,
        moon="off",
        pass_count=1,
        pass_cycle=["left"],
    )
    for seat, card in enumerate(("9S", "5D", "KD", "JS")):
        game.play(f"pass {card}", seat=seat)
    view = game.view(0)
    assert texts(view.received) == ["JS"]
    assert all("9S" in hand for hand in fits(view))


def test_copies_are_two_cards() -> None:
    """Two packs: two unseen copies of a card in two hands are laid in two ways, in one hand in one."""
    hands = ["2C 3D", "5D 5D", "4C KD", "7C 8D", "9D TD"]
    game = small_deal(*hands, decks=2, queen_points=0, moon="off")
    worlds = unknown(game.view(0)).worlds()
    both = next(ways for (held, _), ways in worlds.items() if held[1] == ("5D", "5D"))
    apart = next(ways for (held, _), ways in worlds.items() if "5D" in held[1] and "5D" in held[2])
    assert (both, apart) == (1, 2)
    assert count(game.view(0)) == worlds.total()


@pytest.mark.parametrize("seed", range(scale(quick=3, ci=5, full=100)))
def test_cards_lie_where_the_counts_say(seed: int) -> None:
    """Large positions: how often a card lies in each place, against the exact shares."""
    rng = random.Random(seed)
    fields = [{}, {"decks": 2, "players": 6}, {"players": 5, "extras": "kitty"}][seed % 3]
    game = herzen.Hearts(herzen.HeartsRules(**fields), seed=seed)
    while game.phase == "pass" or len(game.tricks) < 4:
        codes = game.codes()
        game.play_code(codes[rng.randrange(len(codes))])
    view = game.view(None if seed % 2 else 0)
    known = knowledge(view)
    (pile,) = known.piles
    # A card of which one copy is unseen, of the class with the most cards.
    some = max(
        pile.plan.classes, key=lambda some: sum(some.cards.count(c) == 1 for c in some.cards)
    )
    card = next(card for card in some.cards if some.cards.count(card) == 1)
    expected: dict[int, int] = {}
    for place in known.room:
        rest = [other for other in pile.plan.classes if other is not some]
        fixed = CardClass([card], 1 << place)
        others = [other for other in some.cards if other != card]
        split = [*rest, CardClass(others, some.places, some.bounds), fixed]
        weight = Plan(split, known.room, Graph()).weight if some.places >> place & 1 else 0
        if weight:
            expected[place] = weight
    assert sum(expected.values()) == pile.plan.weight
    found: Counter[int] = Counter()
    for (hands, kitty), times in sampled(view, 400, seed).items():
        for place, held in zip([*range(len(hands)), KITTY], [*hands, kitty], strict=True):
            known_there = known.held[place][card] if place < len(hands) else 0
            found[place] += times * (held.count(str(CARDS[card])) - known_there)
    assert_uniform(+found, expected)
