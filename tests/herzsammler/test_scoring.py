"""S-SCORE: who keeps numerals, and who wins. MajorityScorer on real tables."""

from __future__ import annotations

import random
from itertools import permutations
from typing import Any

import pytest

import herzen
from herzen import MajorityScorer
from herzen.herzsammler import Card, Herzsammler, HerzsammlerRules
from herzen.simulation import play_randomly
from tests.herzsammler.table import DECK, cards, found, middle, rows
from tests.reference.herzsammler_options import random_rules
from tests.reference.herzsammler_rules import game_points, resolve, table_of
from tests.tiers import scale

RED_HEARTS = [card for card in DECK if card.startswith("RH")]
NUMERALS = {value: [card for card in DECK if card.startswith(f"R{value}")] for value in range(1, 6)}


def piles(hearts: tuple[int, ...], numerals: tuple[int, ...]) -> list[list[str]]:
    """Red collections with so many hearts and one red numeral of this value (two 5s at most, and so on)."""
    left, values = list(RED_HEARTS), {value: list(own) for value, own in NUMERALS.items()}
    out = []
    for count, value in zip(hearts, numerals, strict=True):
        out.append([left.pop() for _ in range(count)] + ([values[value].pop()] if value else []))
    return out


EXAMPLES: list[tuple[tuple[int, ...], tuple[int, ...], dict[str, Any], tuple[int, ...]]] = [
    ((2, 2, 2), (5, 3, 1), {}, (5, 3, 1)),
    ((2, 2, 2), (5, 3, 1), {"majority_tie": "none"}, (0, 0, 0)),
    ((0, 0), (5, 4), {}, (5, 4)),
    ((0, 0), (5, 4), {"require_heart": True}, (0, 0)),
    ((0, 0), (5, 4), {"majority_tie": "none"}, (0, 0)),
    ((1, 0), (5, 4), {}, (5, 0)),
    ((1, 0), (5, 4), {"majority_tie": "none"}, (5, 0)),
    ((1, 0), (5, 4), {"require_heart": True}, (5, 0)),
    ((1, 0), (5, 4), {"majority_tie": "none", "require_heart": True}, (5, 0)),
    ((3, 3, 2), (5, 3, 1), {}, (5, 3, 0)),
    ((3, 3, 2), (5, 3, 1), {"majority_tie": "none"}, (0, 0, 0)),
    ((1, 2, 4, 1), (5, 3, 1, 2), {}, (0, 0, 1, 0)),
]


@pytest.mark.parametrize(("hearts", "numerals", "fields", "points"), EXAMPLES)
def test_worked_examples(
    hearts: tuple[int, ...],
    numerals: tuple[int, ...],
    fields: dict[str, Any],
    points: tuple[int, ...],
) -> None:
    """S-SCORE-2, S-SCORE-3, S-SCORE-4, S-SCORE-5, rows 49 and 50: the table of the rules page, in any order of seats.

    hearts 0/0 with numerals 5/4 give 5, 4 by default and 0, 0 with require_heart.
    """
    rules = HerzsammlerRules(players=len(hearts), **fields)
    lying = piles(hearts, numerals)
    for order in permutations(range(len(hearts))):
        sheet = MajorityScorer(rules).score([lying[seat] for seat in order])
        assert sheet.totals == tuple(points[seat] for seat in order)


@pytest.mark.parametrize(("hearts", "numerals", "fields", "points"), EXAMPLES)
def test_worked_examples_in_a_game(
    hearts: tuple[int, ...],
    numerals: tuple[int, ...],
    fields: dict[str, Any],
    points: tuple[int, ...],
) -> None:
    """S-SCORE-2, S-KNOW-8, rows 49 and 50: a running game's points are those of the table."""
    n = len(hearts)
    hands = ["Y1ac Y1gh Y2dj", "Y2ei Y3bg", "Y3fh Y4ej", "Y4fi Y5ad"][:n]
    game = middle(
        *hands,
        open="YHag YHaj YHbd YHbh YHcg YHci",
        rules=HerzsammlerRules(players=n, **fields),
        collections=[" ".join(pile) for pile in piles(hearts, numerals)],
    )
    assert game.points == points
    assert game.view(None).points == points
    assert game.scores == (0,) * n


def test_two_colours() -> None:
    """S-SCORE-1, S-SCORE-2: hearts (3,0) against (2,1), numerals (4,9) against (7,2): 4 to 2."""
    first = "RHah RHbe RHcd R4bj Y4ej Y5ad"
    second = "RHce RHdf YHag R5cj R2ab Y2dj"
    sheet = MajorityScorer().score([cards(first), cards(second)])
    assert sheet.totals == (4, 2)
    assert sheet.lines[:2] == (
        "red: seat 0 has 3 hearts, keeps 4; seat 1 has 2 hearts, loses 7",
        "yellow: seat 0 has 0 hearts, loses 9; seat 1 has 1 hearts, keeps 2",
    )


def test_colours_count_on_their_own() -> None:
    """S-SCORE-1: hearts of one colour do nothing for another, and score nothing themselves."""
    hearts = [card for card in DECK if card[1] == "H"]
    assert MajorityScorer().score([hearts, []]).totals == (0, 0)
    yellow = [card for card in hearts if card[0] == "Y"]
    assert MajorityScorer().score([[*yellow, "R3af"], ["R2ab"]]).totals == (3, 2)


def test_cards_count_not_values() -> None:
    """S-SCORE-2: the most heart cards, equal cards one by one."""
    deck = rows("RHab RHab RHcd R9ef R9ef R8gh" + " B1ij" * 6)
    rules = HerzsammlerRules(deck=deck)
    sheet = MajorityScorer(rules).score([["RHab", "RHab", "R9ef"], ["RHcd", "R9ef", "R8gh"]])
    assert sheet.totals == (9, 0)


def test_all_tied_or_nobody() -> None:
    """S-SCORE-3: tied for most: all keep; with "none" nobody, and whoever has fewer gets nothing either."""
    lying = piles((4, 4, 0), (5, 4, 3))
    assert MajorityScorer(HerzsammlerRules(players=3)).score(lying).totals == (5, 4, 0)
    none = HerzsammlerRules(players=3, majority_tie="none")
    assert MajorityScorer(none).score(lying).totals == (0, 0, 0)


def test_all_seats_tied_at_zero() -> None:
    """S-SCORE-4, row 50: no seat with a heart: all keep, not one of them; "none": nobody."""
    lying = piles((0, 0, 0, 0), (5, 4, 0, 3))
    assert MajorityScorer(HerzsammlerRules(players=4)).score(lying).totals == (5, 4, 0, 3)
    none = HerzsammlerRules(players=4, majority_tie="none")
    assert MajorityScorer(none).score(lying).totals == (0, 0, 0, 0)


def test_require_heart_with_a_heart() -> None:
    """S-SCORE-5: it matters only where no seat has a heart of the colour."""
    rules = HerzsammlerRules(require_heart=True)
    assert MajorityScorer(rules).score([["R3af", "YHag", "Y2dj"], ["R2ab", "Y5ad"]]).totals == (
        2,
        0,
    )


def test_the_best_total_wins() -> None:
    """S-SCORE-6, row 23: points are added to the totals; the best wins; all who are tied win together."""
    for scores, collected, winners in (
        ((12, 12), ("", ""), (0, 1)),
        ((12, 13), ("", ""), (1,)),
        ((0, 0), ("", ""), (0, 1)),
        ((12, 9), ("", "R3eh"), (0, 1)),
        ((12, 9), ("", "R4fg"), (1,)),
    ):
        game = ending(scores, collected)
        assert tuple(int(seat) for seat in game.winners) == winners


def ending(
    scores: tuple[int, ...],
    collected: tuple[str, ...],
    won: tuple[int, ...] | None = None,
    **fields: Any,
) -> Herzsammler:
    """A match after a last turn that takes one violet heart for seat 0; the last seat but one has nothing else.

    `collected`: red numerals of each seat. The rest of the deck is nobody's: it does not exist.
    """
    n = len(scores)
    hands = [["B1ab"], *[[] for _ in range(n - 1)]]
    lying = ["VHac", "G0op", "G1op", "G2op", "G3op", "G4op"]
    filler = ["Y0qr"] * 12
    deck = [*hands[0], *lying, *filler, *(card for pile in collected for card in pile.split())]
    rules = HerzsammlerRules(players=n, end="short", games=3, deck=rows(" ".join(deck)), **fields)
    piles = [cards(pile) for pile in collected]
    piles[-1] += filler
    game = Herzsammler.setup(
        rules,
        hands=hands,
        turn=0,
        open=lying,
        stack=[],
        collections=piles,
        scores=scores,
        hearts_won=won,
        deal_number=2,
    )
    events = game.play("show B1ab")
    assert found(events, "GameEnded").winners == tuple(int(seat) for seat in game.winners)
    assert found(events, "GameScored").reason == "no_card"
    return game


def test_three_tied_or_two() -> None:
    """S-SCORE-6, row 23: nobody who is tied is dropped, whichever seat it is: [12, 12, 7] gives (0, 1)."""
    for scores, winners in (
        ((12, 12, 7), (0, 1)),
        ((7, 12, 12), (1, 2)),
        ((12, 7, 12), (0, 2)),
        ((5, 5, 5), (0, 1, 2)),
    ):
        game = ending(scores, ("", "", ""))
        assert game.scores == scores
        assert tuple(int(seat) for seat in game.winners) == winners


@pytest.mark.parametrize(
    ("scores", "won", "winners"),
    [
        ((9, 9, 3), (4, 6, 20), (1,)),  # the third has more hearts, but not the best total
        ((9, 9, 3), (7, 6, 0), (0,)),
        ((9, 9, 3), (5, 6, 0), (0, 1)),  # seat 0's heart of the last game counts too
        ((9, 9, 9), (5, 6, 6), (0, 1, 2)),
        ((9, 8, 3), (0, 9, 9), (0,)),
    ],
)
def test_tie_break_by_hearts(
    scores: tuple[int, ...], won: tuple[int, ...], winners: tuple[int, ...]
) -> None:
    """S-SCORE-7: more hearts of all colours and games, kept numerals or not, decide; then the win is shared."""
    game = ending(scores, ("", "", ""), won, tie_break="hearts")
    assert tuple(int(seat) for seat in game.winners) == winners
    assert game.hearts_won == (won[0] + 1, *won[1:])
    shared = ending(scores, ("", "", ""), won)
    best = tuple(seat for seat in range(3) if scores[seat] == max(scores))
    assert tuple(int(seat) for seat in shared.winners) == best


def test_hearts_of_finished_games_are_counted() -> None:
    """S-SCORE-7, S-KNOW-2: hearts_won adds the heart cards of every finished game, and all see it."""
    game = Herzsammler(HerzsammlerRules(games=3), seed=2)
    counts = [0, 0]
    while not game.over:
        number = game.deal_number
        collected = [list(pile) for pile in game.collections]
        events = game.play(game.codes()[0])
        for event in events:
            if type(event).__name__ == "Taken":
                collected[event.seat] += event.cards
        if game.over or game.deal_number != number:
            counts = [
                count + sum(card.kind == "heart" for card in pile)
                for count, pile in zip(counts, collected, strict=True)
            ]
        assert list(game.hearts_won) == counts == list(game.view(None).hearts_won)


# ---- MajorityScorer on a table -------------------------------------------------------------------------------


def test_a_card_table_in_the_living_room() -> None:
    """S-SCORE-2: piles as they lie on the table, in any order and as far as they are laid out."""
    sheet = MajorityScorer().score([["R3af", "RHah"], ["R5cj"]])
    assert sheet.totals == (3, 0)
    assert sheet.lines == (
        "red: seat 0 has 1 hearts, keeps 3; seat 1 has 0 hearts, loses 5",
        "Seat 0: 3",
        "Seat 1: 0",
    )
    assert MajorityScorer().score([[Card("RHah"), "r3fa"], ("R5cj",)]) == sheet
    assert MajorityScorer().score([[], []]).totals == (0, 0)


@pytest.mark.parametrize(
    ("collections", "error", "message"),
    [
        ([["R3af"]], herzen.SetupError, "2 collections are needed"),
        ([["R3af"], [], []], herzen.SetupError, "2 collections are needed"),
        ("R3af", herzen.SetupError, "2 collections are needed"),
        ([["R3af"], ["R3af"]], herzen.SetupError, "R3af lies in the collections 2 times"),
        ([["R3af", "R3fa"], []], herzen.SetupError, "R3af lies in the collections 2 times"),
        ([["R9xx"], []], herzen.CardError, "no such card"),
        ([["QS"], []], herzen.CardError, "no such card"),
        ([[3], []], herzen.CardError, "a card or its text is needed"),
        ([None, []], herzen.CardError, "collection"),
    ],
)
def test_what_cannot_be_scored(collections: Any, error: type[Exception], message: str) -> None:
    """S-SCORE-2: unknown cards are a CardError; cards too many and wrong piles a SetupError."""
    with pytest.raises(error, match=message):
        MajorityScorer().score(collections)


def test_a_scorer_needs_rules_of_its_game() -> None:
    """S-SCORE-1: the rules of another game are a TypeError."""
    with pytest.raises(TypeError, match="HerzsammlerRules"):
        MajorityScorer(herzen.HeartsRules())  # type: ignore[arg-type]


def test_every_score_is_the_twins() -> None:
    """S-SCORE-1, S-SCORE-6: random collections under random rules and decks score as the plain twin scores them."""
    rng = random.Random(17)
    for _ in range(scale(quick=150, ci=360, full=30_000)):
        fields = random_rules(rng)
        table, rules = table_of(resolve(fields)), HerzsammlerRules(**fields)
        deck = list(table.deck)
        rng.shuffle(deck)
        lying = [deck[: rng.randrange(20)] for _ in range(1)]
        while len(lying) < rules.players:
            at = sum(map(len, lying))
            lying.append(deck[at : at + rng.randrange(20)])
        assert list(MajorityScorer(rules).score(lying).totals) == game_points(
            resolve(fields), table, lying
        )


def test_games_score_themselves_with_the_scorer() -> None:
    """S-SCORE-6: last_deal and the event hold the same points and the reasons for them."""
    game = Herzsammler(HerzsammlerRules(players=4), seed=11)
    play_randomly(game)
    event = found(game.log, "GameScored")
    sheet = MajorityScorer(game.rules).score(game.collections)
    assert (event.points, event.lines) == (sheet.totals, sheet.lines)
    assert game.last_deal == sheet
