"""Legal cards and points equal OpenSpiel's, over all 256 settings of its eight switches.

`herzen.envs.openspiel_hearts` says which option is which, `tests/openspiel_bridge.py` where OpenSpiel differs. These
tests belong to the ci tier because they need `pyspiel` (package open-spiel). Where it is missing there, they fail.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

import pytest

import herzen
from herzen.envs.openspiel_hearts import (
    DIRECTIONS,
    SWITCHES,
    card_index,
    rules_for,
    spiel_action,
)
from tests.openspiel_bridge import (
    CARDS,
    CLUBS,
    HEARTS,
    JACK,
    POINTS,
    QUEEN,
    Chooser,
    Duel,
    all_options,
    before_pass,
    prefer,
    spiel_defaults,
)
from tests.tiers import scale

pytestmark = pytest.mark.ci

DIAMONDS = frozenset(range(13, 26))
SPADES = frozenset(range(39, 52))
SUITS = (CLUBS, DIAMONDS, HEARTS, SPADES)
DECK = CLUBS | DIAMONDS | HEARTS | SPADES

Hands = list[set[int]]
Plan = tuple[Hands, Mapping[int, Chooser]]


# ---- the map ---------------------------------------------------------------------------------------------
def test_every_switch_of_the_installed_openspiel_is_mapped() -> None:
    assert set(spiel_defaults()) == set(SWITCHES)


def test_its_defaults_are_our_preset() -> None:
    assert rules_for(spiel_defaults()) == herzen.HeartsRules.openspiel()


def test_each_switch_changes_our_rules() -> None:
    rules = {rules_for(options) for options in all_options()}
    assert len(rules) == 256


def test_cards_are_numbered_one_to_one() -> None:
    assert [card_index(spiel_action(index)) for index in range(52)] == list(range(52))
    assert sorted(map(spiel_action, range(52))) == list(range(52))


# ---- random deals ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("part", range(4))
def test_random_deals_passes_and_cards(part: int) -> None:
    """Our seed deals and gives the direction of the pass; passes and cards are random."""
    rounds = scale(quick=1, ci=7, full=80)  # times 256 settings
    seen: Counter[str] = Counter()
    for number, options in enumerate(all_options()):
        for turn in range(part, rounds, 4):
            seed = number * rounds + turn
            game = herzen.Hearts(rules_for(options), seed=seed, dealer=3)
            duel = Duel(options, game, random.Random(seed), seen, f"random deal, seed {seed}")
            seen[game.pass_direction] += 1
            duel.swap()
            duel.play({}, refuse=0.02)
    for situation in (
        *DIRECTIONS,
        "cards refused",
        "queen led",
        "points on trick 1",
        "points held back on trick 1",
        "opening with a choice of clubs",
        "bonus for no trick",
        "lead from hearts only, not broken",
    ):
        assert seen[situation], f"no deal met: {situation} ({seen})"


# ---- adversarial deals: hands after the pass, and how seats play them ------------------------------------
def fill(rng: random.Random, *given: tuple[int, Iterable[int]]) -> Hands:
    """Give these cards to these seats and the rest at random; 13 cards each."""
    hands: Hands = [set(), set(), set(), set()]
    for seat, cards in given:
        hands[seat] |= set(cards)
    rest = sorted(DECK - hands[0] - hands[1] - hands[2] - hands[3])
    rng.shuffle(rest)
    for hand in hands:
        while len(hand) < 13:
            hand.add(rest.pop())
    assert not rest
    assert len(set().union(*hands)) == 52
    return hands


def top(suit: frozenset[int], count: int) -> list[int]:
    """The highest cards of a suit."""
    return sorted(suit)[13 - count :]


def others(rng: random.Random, seat: int) -> list[int]:
    """The other seats in random order."""
    return rng.sample([other for other in range(4) if other != seat], 3)


def only_winners(rng: random.Random, seat: int) -> Plan:
    """A seat holds the tops of each suit, the ace of clubs among them: it takes all tricks."""
    counts = [1, 0, 0, 0]
    while sum(counts) < 13:
        suit = rng.randrange(4)
        counts[suit] += counts[suit] < 13
    held = [card for suit, count in zip(SUITS, counts, strict=True) for card in top(suit, count)]
    return fill(rng, (seat, held)), {}


def moon_but_one_trick(rng: random.Random, seat: int) -> Plan:
    """A shooter with one losing diamond, kept for the last trick; the others keep the jack for it."""
    a, b, c = others(rng, seat)
    hearts = rng.randint(6, 7)
    loser = rng.choice(sorted(DIAMONDS - {JACK, *top(DIAMONDS, 3)}))
    held = [*top(HEARTS, hearts), *top(SPADES, 3), *top(CLUBS, 9 - hearts), loser]
    low = sorted(HEARTS)[: 13 - hearts]
    hands = fill(
        rng,
        (seat, held),
        (a, [*low[::3], *top(DIAMONDS, 1)]),
        (b, [*low[1::3], JACK]),
        (c, low[2::3]),
    )
    keeps = prefer(POINTS, DECK - DIAMONDS, DIAMONDS - {JACK, *top(DIAMONDS, 1)})
    leads = prefer(CLUBS, {QUEEN}, SPADES, HEARTS)
    return hands, {seat: leads, a: keeps, b: keeps, c: keeps}


def only_points(rng: random.Random, seat: int) -> Plan:
    """A hand of point cards alone: on trick 1 it may play any of them."""
    return fill(rng, (seat, rng.sample(sorted(POINTS), 13))), {}


def no_clubs(rng: random.Random, seat: int) -> Plan:
    """Two hands without clubs, full of point cards but not only of these."""
    a, *rest = others(rng, seat)
    points = rng.sample(sorted(POINTS), 14)
    plain = rng.sample(sorted(DIAMONDS | SPADES - {QUEEN}), 25)
    first = rng.randint(1, 12)
    second = rng.randint(1, min(12, 14 - first))
    eager = prefer(POINTS)
    hands = fill(
        rng,
        (seat, points[:first] + plain[: 13 - first]),
        (a, points[first : first + second] + plain[13 - first : 26 - first - second]),
    )
    return hands, {seat: eager, a: eager, **dict.fromkeys(rest, prefer(CLUBS))}


def queen_and_hearts(rng: random.Random, seat: int) -> Plan:
    """A seat that wins with its clubs and then has only hearts and the queen to lead."""
    clubs = rng.choice((1, 1, 2, 3))
    held = [*top(CLUBS, clubs), QUEEN, *rng.sample(sorted(HEARTS), 12 - clubs)]
    return fill(rng, (seat, held)), {seat: prefer(CLUBS)}


def hearts_after_clubs(rng: random.Random, seat: int) -> Plan:
    """A seat that wins with its clubs and then has only hearts to lead."""
    clubs = rng.choice((1, 1, 2, 3))
    held = [*top(CLUBS, clubs), *rng.sample(sorted(HEARTS), 13 - clubs)]
    return fill(rng, (seat, held)), {seat: prefer(CLUBS)}


def all_hearts(rng: random.Random, seat: int) -> Plan:
    """All hearts in one hand: hearts stay unbroken unless it throws one."""
    return fill(rng, (seat, HEARTS)), dict.fromkeys(others(rng, seat), prefer(CLUBS))


def long_suits(rng: random.Random, seat: int) -> Plan:
    """Every seat has 10 to 13 cards of one suit."""
    order = rng.sample(SUITS, 4)
    keep = [rng.sample(sorted(suit), rng.randint(10, 13)) for suit in order]
    return fill(rng, *(((seat + place) % 4, cards) for place, cards in enumerate(keep))), {}


def queen_leader(rng: random.Random, seat: int) -> Plan:
    """A seat that wins trick 1 and leads the queen as soon as it may; the others avoid hearts."""
    held = [*top(CLUBS, 1), QUEEN, *rng.sample(sorted(SPADES - {QUEEN}), rng.randint(0, 5))]
    shy = prefer(DECK - HEARTS)
    return fill(rng, (seat, held)), {
        seat: prefer(top(CLUBS, 1), {QUEEN}),
        **dict.fromkeys(others(rng, seat), shy),
    }


def low_cards(rng: random.Random, seat: int) -> Plan:
    """One or two seats with the lowest cards and no wish for a trick."""
    a = others(rng, seat)[0]
    low = sorted(DECK, key=lambda card: (card % 13, rng.random()))
    mine, yours = low[:13], low[13 : rng.choice((13, 26))]
    duck = prefer(*({card for card in DECK if card % 13 == rank} for rank in range(13)))
    return fill(rng, (seat, mine), (a, yours)), {seat: duck, a: duck}


def many_clubs(rng: random.Random, seat: int) -> Plan:
    """The lowest club in a long club suit: which club opens makes a difference."""
    held = [0, *rng.sample(sorted(CLUBS - {0}), rng.randint(4, 11))]
    return fill(rng, (seat, held)), {seat: prefer(top(CLUBS, 6))}


def queen_on_the_jack(rng: random.Random, seat: int) -> Plan:
    """A diamond leader, the jack that follows and a queen to throw: both in one trick."""
    a, b, _ = others(rng, seat)
    hands = fill(
        rng,
        (seat, [*top(CLUBS, 2), *top(DIAMONDS, 3)]),
        (a, [JACK, *rng.sample(sorted(SPADES - {QUEEN}), 2)]),
        (b, [QUEEN, *rng.sample(sorted(CLUBS - {11, 12}), 5), *rng.sample(sorted(HEARTS), 7)]),
    )
    return hands, {seat: prefer(top(CLUBS, 1), DIAMONDS), a: prefer({JACK}), b: prefer({QUEEN})}


def shy_of_hearts(rng: random.Random, seat: int) -> Plan:
    """Random hands in which nobody plays hearts or the queen before it must."""
    shy = prefer(DECK - POINTS, HEARTS) if seat % 2 else prefer(DECK - HEARTS)
    return fill(rng), dict.fromkeys(range(4), shy)


ADVERSARIES: dict[Callable[[random.Random, int], Plan], tuple[str, ...]] = {
    only_winners: (
        *(f"moon of seat {seat}" for seat in range(4)),
        "moon with all tricks",
        "moon with the jack",
        "moon, a seat without a trick",
    ),
    moon_but_one_trick: (
        *(f"moon of seat {seat}" for seat in range(4)),
        "moon without all tricks",
        "moon, the jack elsewhere",
        "moon, a seat without a trick",
    ),
    only_points: ("only point cards on trick 1", "points on trick 1"),
    no_clubs: ("points held back on trick 1", "points allowed on trick 1", "points on trick 1"),
    queen_and_hearts: ("forced lead of the queen", "hearts or queen may be led"),
    hearts_after_clubs: ("lead from hearts only, not broken",),
    all_hearts: ("only point cards on trick 1",),
    long_suits: ("only point cards on trick 1", "bonus for no trick", "moon with all tricks"),
    queen_leader: ("queen led", "queen led without breaking hearts"),
    low_cards: ("bonus for no trick",),
    many_clubs: ("opening with a choice of clubs",),
    queen_on_the_jack: ("queen and jack in one trick",),
    shy_of_hearts: ("lead from hearts only, not broken", "queen led without breaking hearts"),
}
"""Each kind of deal, and what it must have met at least ten times over all settings."""


@pytest.mark.parametrize("kind", ADVERSARIES, ids=lambda kind: kind.__name__)
def test_adversarial_deals(kind: Callable[[random.Random, int], Plan]) -> None:
    """Each kind under all 256 settings, for every seat, after passes in every direction."""
    rounds = scale(quick=1, ci=1, full=10)  # times 256 settings, times 4 seats, times 13 kinds
    seen: Counter[str] = Counter()
    for number, options in enumerate(all_options()):
        for turn in range(4 * rounds):
            seat = turn % 4
            seed = number * 4 * rounds + turn
            rng = random.Random(f"{kind.__name__} {seed}")
            direction = rng.randrange(4) if options["pass_cards"] else 0
            hands, choosers = kind(rng, seat)
            before, passes = before_pass(rng, hands, direction)
            game = herzen.Hearts.from_hands(
                [[CARDS[card] for card in hand] for hand in before],
                rules_for(options, (DIRECTIONS[direction],)),
                dealer=3,
                seed=seed,
            )
            duel = Duel(options, game, rng, seen, f"{kind.__name__}, seat {seat}, seed {seed}")
            duel.swap(passes)
            assert duel.hands == hands, duel.where("the deal is not the one planned")
            duel.play(choosers, refuse=0.01)
    for situation in ADVERSARIES[kind]:
        assert seen[situation] >= 10, f"too few deals met: {situation} ({seen})"
