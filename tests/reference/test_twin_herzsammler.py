"""The Herzsammler twin against the worked examples of the rules and faults reported elsewhere."""

from __future__ import annotations

import random
import statistics
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, permutations
from typing import Any

import pytest

from tests.reference.herzsammler import (
    HerzsammlerTwin,
    IllegalTwinMove,
    deck_for,
    fits,
)
from tests.reference.herzsammler_options import (
    deck_is_valid,
    is_valid,
    random_deck,
    random_rules,
)
from tests.reference.herzsammler_resample import hidden_zones, resample_hidden
from tests.reference.herzsammler_rules import (
    DEFAULT_DECK,
    DEFAULTS,
    FIELDS,
    LETTERS,
    card_text,
    changed_fields,
    colour_points,
    game_points,
    keepers,
    load_rows,
    resolve,
    table_of,
    winners_of,
)
from tests.tiers import scale

COLOURS = {"R": "red", "Y": "yellow", "G": "green", "B": "blue", "V": "violet"}
OPEN = "Bdf Bdg Beh Bei Bfj Bgk"  # numerals of value 1, see `cards`


def cards(text: str) -> list[str]:
    """Card texts; `Bdf` is short for `B1df`."""
    return [word if len(word) > 3 else word[0] + "1" + word[1:] for word in text.split()]


def row(card: str) -> list[Any]:
    face, objects = card[1:-2], [LETTERS.index(letter) for letter in card[-2:]]
    heart = face == "H"
    return [COLOURS[card[0]], "heart" if heart else "numeral", 0 if heart else int(face), *objects]


def dealt(
    rules: dict[str, Any], hands: Sequence[str], stack: str, open_cards: str = OPEN
) -> HerzsammlerTwin:
    """A game that starts with these hands, open cards and stack; seat 0 has drawn from it.

    The deck is made of these cards, in alphabetical order.
    """
    lists = [cards(hand) for hand in hands]
    rest = cards(open_cards) + cards(stack)
    deck = sorted([card for hand in lists for card in hand] + rest)
    given = {"players": len(hands), **rules, "deck": [row(card) for card in deck]}
    assert is_valid(given), given
    return HerzsammlerTwin(given, deals=[deck_for(lists, len(hands) - 1, rest)])


def show_all(twin: HerzsammlerTwin, text: str) -> HerzsammlerTwin:
    for card in cards(text):
        assert twin.turn is not None
        twin.play(twin.turn, f"show {card}")
    return twin


def reason(twin: HerzsammlerTwin) -> str | None:
    return None if twin.hand_result is None else str(twin.hand_result["reason"])


# ---- Options and deck ----------------------------------------------------------------------


def test_there_are_ten_fields_and_none_differs_by_default() -> None:
    assert len(FIELDS) == 10
    assert changed_fields(resolve({})) == {}
    assert changed_fields(resolve({"players": None, "deck": None})) == {}
    turned = [[colour, kind, value, b, a] for colour, kind, value, a, b in DEFAULT_DECK]
    assert changed_fields(resolve({"deck": turned, "games": 3})) == {"games": 3}
    assert list(changed_fields(resolve({"deck": DEFAULT_DECK[::-1]}))) == ["deck"]


def test_our_deck() -> None:
    table = table_of(DEFAULTS)
    assert len(set(table.deck)) == 90
    assert table.colours == ["red", "yellow", "green", "blue", "violet"]
    pairs = Counter(table.faces[card].objects for card in table.deck)
    assert pairs == dict.fromkeys(map("".join, combinations("abcdefghij", 2)), 2)
    for colour in table.colours:
        faces = [face for face in table.faces.values() if face.colour == colour]
        assert sum(face.heart for face in faces) == 8
        assert sorted(face.value for face in faces if not face.heart) == [
            1,
            1,
            2,
            2,
            3,
            3,
            4,
            4,
            5,
            5,
        ]
        assert all(face.value == 0 for face in faces if face.heart)
    assert table.deck[:3] == ["R1dh", "R1di", "R2ab"]
    assert "R3af" in table.deck
    assert table.order["VHbf"] == 84


def test_texts_of_other_decks() -> None:
    assert card_text(("blue", "numeral", 12, 2, 2)) == "B12cc"
    assert card_text(("hazel", "heart", 0, 24, 25)) == "HHyz"
    assert table_of(resolve({"deck": [["a", "numeral", 0, 5, 1]]})).deck == ["A0bf"]


@pytest.mark.parametrize(
    ("change", "valid"),
    [
        ({}, True),
        ({0: ["red", "heart", 1, 0, 1]}, False),
        ({0: ["red", "numeral", 100, 0, 1]}, False),
        ({0: ["red", "numeral", 99, 25, 25]}, True),
        ({0: ["red", "numeral", 1, 0, 26]}, False),
        ({0: ["Red", "numeral", 1, 0, 1]}, False),
        ({k: [f"{letter}x", "heart", 0, 0, 1] for k, letter in enumerate("abcdefgh")}, False),
    ],
)
def test_decks_are_checked(change: dict[int, list[Any]], valid: bool) -> None:
    rows: list[Any] = [["red", "numeral", 1, 0, 1]] * 11
    rows = [change.get(number, row) for number, row in enumerate(rows)]
    assert deck_is_valid(rows, 2) == valid
    assert not deck_is_valid(rows, 3)
    assert not deck_is_valid(rows[1:], 2)


# ---- Deal and turn -------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "stack"), [(2, 80), (3, 78), (4, 76)])
def test_deal(players: int, stack: int) -> None:
    deck = list(table_of(DEFAULTS).deck)
    random.Random(players).shuffle(deck)
    for dealer in (None, 0, 1):
        twin = HerzsammlerTwin({"players": players}, dealer=dealer, deals=[deck])
        first = 0 if dealer is None else (dealer + 1) % players
        assert twin.turn == first
        assert len(twin.stack) == stack - 1
        assert set(twin.hands[first]) == {deck[0], deck[players], deck[2 * players + 6]}
        second = (first + 1) % players
        assert set(twin.hands[second]) == {deck[1], deck[players + 1]}
        assert set(twin.open) == set(deck[2 * players : 2 * players + 6])
        assert twin.stack == deck[2 * players + 7 :]


def test_every_card_with_one_of_the_objects_is_taken() -> None:
    twin = dealt({}, ["RHdz Rdx", "YHaa YHab"], "Gdd Gpp Gqq Grr Gss")
    assert twin.hands[0] == cards("Gdd Rdx RHdz")
    twin.play(0, "show R1dx")
    assert twin.collections[0] == cards("Bdf Bdg")
    assert twin.open == sorted(cards("Beh Bei Bfj Bgk Rdx Gpp"))
    assert twin.hands[1] == sorted(cards("YHaa YHab Gqq"))
    assert twin.stack == cards("Grr Gss")
    assert twin.points == [2, 0]
    assert (twin.turn, twin.misses) == (1, 0)


def test_taken_cards_make_the_stack_smaller_and_a_miss_does_not() -> None:
    rng = random.Random(4)
    for seed in range(60):
        twin = HerzsammlerTwin({"players": 2 + seed % 3}, seed)
        while not twin.over:
            seat, size = twin.turn, len(twin.stack) + 1  # before step 1
            assert seat is not None
            card = rng.choice(twin.hands[seat])
            taken = len(twin.taken_by(card))
            twin.play(seat, f"show {card}")
            drawn = 0 if twin.over else 1
            assert len(twin.stack) + drawn == max(0, size - taken)


def test_a_deliberate_miss_is_allowed_and_goes_under_the_stack() -> None:
    twin = dealt({}, ["RHdz Rxy", "YHaa YHab"], "Gdd Gpp Gqq")
    show_all(twin, "Rxy")
    assert twin.stack == cards("Gqq Rxy")
    assert (twin.bottom, twin.misses, twin.collections) == (cards("Rxy"), 1, [[], []])
    assert twin.hands[1] == sorted(cards("YHaa YHab Gpp"))


# ---- Moves ---------------------------------------------------------------------------------


def test_codes_and_texts() -> None:
    twin = HerzsammlerTwin({}, 3)
    ids = [twin.table.order[card] for card in twin.hands[0]]
    assert twin.actions() == [2 * number for number in ids]
    assert twin.legal(0) == [f"show {card}" for card in twin.hands[0]]
    assert twin.legal(1) == []
    twin = HerzsammlerTwin({"choose_object": True}, 3)
    assert twin.actions() == [code for number in ids for code in (2 * number, 2 * number + 1)]
    assert twin.legal(0)[:2] == [
        f"show {twin.hands[0][0]} by {letter}" for letter in twin.hands[0][0][-2:]
    ]


def test_choose_object_takes_by_the_named_object_alone() -> None:
    hands, stack = ["Rde RHdx", "YHaa YHab"], "Gdd Gpp Gqq Grr Gss"
    twin = dealt({"choose_object": True}, hands, stack)
    both = ["show R1de by d", "show R1de by e", "show RHdx by d", "show RHdx by x"]
    assert twin.legal(0) == ["show G1dd by d", *both]
    assert twin.why(0, "show G1dd") == "unknown_move"
    assert twin.why(0, "show R1de by x") == "unknown_move"
    twin.play(0, "show R1de by e")
    assert twin.collections[0] == cards("Beh Bei")
    twin = dealt({"choose_object": True}, hands, stack)
    twin.play(0, "show RHdx by x")
    assert (twin.misses, twin.bottom) == (1, ["RHdx"])
    twin = dealt(
        {"choose_object": True}, ["Rfj RHdx", "YHaa YHab"], stack, "Bfj Bfj Bkk Bkk Bkk Bkk"
    )
    assert twin.taken_by("R1fj", "f") == twin.taken_by("R1fj", "j") == cards("Bfj Bfj")
    assert "show R1fj by f" in twin.legal(0)
    assert "show R1fj by j" in twin.legal(0)


def test_must_match() -> None:
    hands, stack = ["Rde RHxy", "YHaa YHab"], "Gzz Gpp Gqq Grr"
    twin = dealt({"must_match": True}, hands, stack)
    assert twin.legal(0) == ["show R1de"]
    assert twin.why(0, "show RHxy") == "must_match"
    twin = dealt({"must_match": True, "choose_object": True}, ["Rdz RHxy", "YHaa YHab"], stack)
    assert twin.legal(0) == ["show R1dz by d"]
    assert twin.why(0, "show R1dz by z") == "must_match"
    twin = dealt({"must_match": True}, ["Rxy RHxy", "YHaa YHab"], stack)
    assert twin.legal(0) == ["show G1zz", "show R1xy", "show RHxy"]


def test_equal_cards_are_one_move_and_sorted_by_kind() -> None:
    rows: list[Any] = [["red", "numeral", 1, 0, 1], ["blue", "heart", 0, 2, 3]]
    rows += [["green", "numeral", number, 4, 5] for number in range(6)]
    rows += [["red", "numeral", 1, 1, 0], ["blue", "numeral", 9, 7, 8], ["red", "heart", 0, 9, 9]]
    table = table_of(resolve({"deck": rows}))
    assert table.order["R1ab"] == 0
    assert table.sort(["B9hi", "R1ab", "BHcd", "R1ab"]) == ["R1ab", "R1ab", "BHcd", "B9hi"]
    rest = [table.deck[k] for k in (2, 3, 4, 5, 6, 7, 10)]
    hands = [["R1ab", "R1ab"], ["BHcd", "B9hi"]]
    twin = HerzsammlerTwin({"deck": rows}, deals=[deck_for(hands, 1, rest)])
    assert twin.legal(0) == ["show R1ab", "show RHjj"]
    assert twin.actions() == [0, 20]
    twin.play(0, "show R1ab")
    assert twin.hands[0] == ["R1ab", "RHjj"]


@pytest.mark.parametrize(
    ("seat", "text", "code"),
    [
        (1, "show hello", "not_your_turn"),
        (0, "show hello", "unknown_move"),
        (0, "show", "unknown_move"),
        (0, "R1dx", "unknown_move"),
        (0, "show R1dx by d", "unknown_move"),
        (0, "show R1dx G1dd", "unknown_move"),
        (0, "show R2dx", "unknown_move"),
        (0, "show YHaa", "not_held"),
        (0, "show B1df", "not_held"),
        (0, "show R1dx", None),
    ],
)
def test_error_codes(seat: int, text: str, code: str | None) -> None:
    twin = dealt({}, ["RHdz Rdx", "YHaa YHab"], "Gdd Gpp Gqq Grr Gss")
    before = twin.copy()
    assert twin.why(seat, text) == code
    if code is not None:
        with pytest.raises(IllegalTwinMove, match=code):
            twin.play(seat, text)
        assert hidden_zones(twin) == hidden_zones(before)
        assert [twin.view(s) for s in (0, 1, None)] == [before.view(s) for s in (0, 1, None)]


# ---- End of a game -------------------------------------------------------------------------


def test_last_card_drawn_and_missed_becomes_the_whole_stack() -> None:
    twin = dealt({}, ["Rxy Rxz", "YHaa YHab"], "Gpp")
    assert twin.stack == []
    show_all(twin, "Gpp")
    assert not twin.over
    assert twin.stack == []
    assert twin.hands[1] == sorted(cards("YHaa YHab Gpp"))
    assert twin.known == [[], cards("Gpp")]


@pytest.mark.parametrize("limit", [1, 2, 30])
def test_stall_guard(limit: int) -> None:
    twin = dealt({"stall_limit": limit}, ["Rxy Rxz", "YHaa YHab"], "Gpp")
    for turn in range(limit):
        assert not twin.over
        assert twin.misses == turn
        twin.random_move()
    assert (twin.over, twin.misses, reason(twin)) == (True, limit, "stalled")
    assert len(twin.stack) == twin.bottom_size == 1
    assert (twin.scores, twin.winners) == ([0, 0], [0, 1])


def test_a_capture_resets_the_misses_in_a_row() -> None:
    twin = dealt({"stall_limit": 2}, ["Rxy Rxz", "YHaa Ydd"], "Gpp Gqq Grr Gss Gtt Guu")
    show_all(twin, "Gpp")
    assert twin.misses == 1
    show_all(twin, "Ydd")
    assert twin.misses == 0
    show_all(twin, "Rxy")
    assert (twin.misses, twin.over) == (1, False)


def test_empty_ends_when_the_stack_is_empty_after_a_turn() -> None:
    twin = dealt({}, ["Rdd Rxz", "YHaa YHab"], "Gpp Gqq")  # takes 2, fills 1
    show_all(twin, "Rdd")
    assert (twin.over, reason(twin), len(twin.open)) == (True, "empty", 6)
    twin = dealt({}, ["Rkk Rxz", "YHaa YHab"], "Gpp")  # takes 1, nothing to fill
    show_all(twin, "Rkk")
    assert (twin.over, reason(twin), len(twin.open)) == (True, "empty", 6)
    twin = dealt({}, ["Rde Rxz", "YHaa YHab"], "Gpp Gqq")  # takes 4, fills 1 of 3
    show_all(twin, "Rde")
    assert (twin.over, reason(twin), len(twin.open)) == (True, "empty", 4)
    assert twin.stack == []
    assert twin.hands[0] == sorted(cards("Gpp Rxz"))
    assert (twin.phase, twin.turn, twin.to_move, twin.legal(1)) == ("over", None, [], [])
    assert twin.why(1, "show YHaa") == "game_over"


def test_short_goes_on_until_a_fill_falls_short() -> None:
    twin = dealt({"end": "short"}, ["Rdd Rxz", "YHaa Ykk"], "Gpp Gqq")
    show_all(twin, "Rdd")  # takes 2 and opens the last card: the fill is complete
    assert not twin.over
    assert twin.hands[1] == sorted(cards("YHaa Ykk"))  # no step 1
    show_all(twin, "Ykk")  # takes 1: a fill of no cards never falls short
    assert not twin.over
    assert twin.hands[0] == sorted(cards("Gpp Rxz"))
    show_all(twin, "Rxz")  # a miss makes its card the whole stack, and the next seat draws it
    assert twin.hands[1] == sorted(cards("YHaa Rxz"))
    assert twin.view(None)["known"] == {"1": cards("Rxz")}
    twin = dealt({"end": "short"}, ["Rde Rxz", "YHaa Ykk"], "Gpp Gqq")
    show_all(twin, "Rde")
    assert (twin.over, reason(twin), len(twin.open)) == (True, "short", 4)


def test_short_ends_when_the_seat_to_move_holds_no_card() -> None:
    open_cards = "Baa Bbb Bcc Bdd Bee Bff"
    twin = dealt({"end": "short"}, ["Raa Rbb", "Ycc Ydd"], "Gee", open_cards)
    for left, card in enumerate(["Raa", "Ycc", "Rbb", "Ydd", "Gee"]):
        assert not twin.over
        assert twin.stack == []
        assert sum(map(len, twin.hands)) == 5 - left
        show_all(twin, card)
    assert (twin.over, reason(twin)) == (True, "no_card")
    assert twin.hands == [[], []]
    assert [len(pile) for pile in twin.collections] == [3, 2]


# ---- Score ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "hearts", "numerals", "points"),
    [
        ({}, [2, 2, 2], [5, 3, 1], [5, 3, 1]),
        ({"majority_tie": "none"}, [2, 2, 2], [5, 3, 1], [0, 0, 0]),
        ({}, [0, 0], [5, 4], [5, 4]),
        ({"require_heart": True}, [0, 0], [5, 4], [0, 0]),
        ({"majority_tie": "none"}, [0, 0], [5, 4], [0, 0]),
        ({"require_heart": True}, [1, 1], [5, 4], [5, 4]),
        ({"require_heart": True, "majority_tie": "none"}, [1, 0], [5, 4], [5, 0]),
        ({}, [3, 2], [4, 7], [4, 0]),
        ({}, [0, 1], [9, 2], [0, 2]),
        ({}, [1, 3, 3], [9, 2, 4], [0, 2, 4]),
        ({"majority_tie": "none"}, [1, 3, 3], [9, 2, 4], [0, 0, 0]),
    ],
)
def test_majority(
    rules: dict[str, Any], hearts: list[int], numerals: list[int], points: list[int]
) -> None:
    for seats in permutations(range(len(hearts))):
        found = colour_points(
            resolve(rules), [hearts[s] for s in seats], [numerals[s] for s in seats]
        )
        assert found == [points[seat] for seat in seats]


def test_two_colours_and_hearts_score_nothing() -> None:
    deck = [row(card) for card in cards("R4aa RHab RHac RHad R7aa RHae RHaf Y9aa Y2aa YHab")]
    rules = resolve({"deck": deck})
    piles = [cards("R4aa RHab RHac RHad Y9aa"), cards("R7aa RHae RHaf Y2aa YHab")]
    assert game_points(rules, table_of(rules), piles) == [4, 2]
    assert keepers(rules, [3, 2]) == [0]
    assert game_points(rules, table_of(rules), [[], []]) == [0, 0]
    assert game_points(rules, table_of(rules), [["R4aa"], ["R7aa", "RHaf"]]) == [0, 7]


@pytest.mark.parametrize(
    ("rule", "scores", "hearts", "winners"),
    [
        ("shared", [7, 9, 9], [9, 1, 2], [1, 2]),
        ("hearts", [7, 9, 9], [9, 1, 2], [2]),
        ("hearts", [9, 9, 9], [2, 1, 2], [0, 2]),
        ("hearts", [9, 8, 1], [0, 5, 5], [0]),
    ],
)
def test_winners(rule: str, scores: list[int], hearts: list[int], winners: list[int]) -> None:
    assert winners_of(resolve({"tie_break": rule}), scores, hearts) == winners


def test_a_series_adds_totals_and_the_deal_moves_left() -> None:
    twin = HerzsammlerTwin({"players": 3, "games": 4, "stall_limit": 3}, 8)
    totals, hearts, number = [0] * 3, [0] * 3, 0
    while not twin.over:
        assert twin.scores == totals
        assert twin.view(None)["hearts_won"] == hearts
        assert (twin.deal_number, twin.dealer) == (number, (2 + number) % 3)
        result = twin.hand_result
        twin.random_move()
        if twin.hand_result is not result:
            assert twin.hand_result is not None
            totals = [a + b for a, b in zip(totals, twin.hand_result["points"], strict=True)]
            hearts = [a + b for a, b in zip(hearts, twin.hand_result["hearts"], strict=True)]
            number += 1
            if not twin.over:
                assert (twin.turn, twin.misses) == ((twin.dealer + 1) % 3, 0)
                assert twin.collections == [[], [], []]
    assert (number, twin.deal_number, twin.scores) == (4, 3, totals)
    assert twin.hearts_won == hearts


def test_points_are_those_of_a_game_that_ended_now() -> None:
    twin = HerzsammlerTwin({}, 5)
    while not twin.over:
        points = twin.points
        assert points == game_points(twin.rules, twin.table, twin.collections)
        twin.random_move()
    assert twin.points == twin.scores


# ---- Who knows what ------------------------------------------------------------------------


def test_a_missed_card_stays_known_until_it_is_shown() -> None:
    twin = dealt({}, ["Rxy Rxz", "YHaa YHab"], "Gpp Gqq")
    show_all(twin, "Rxy")
    assert twin.view(None)["bottom"] == cards("Rxy")
    assert twin.view(None)["stack_size"] == 1
    assert twin.view(None)["known"] == {}
    show_all(twin, "Gqq")
    for seat in (0, 1, None):
        assert twin.view(seat)["known"] == {"0": cards("Rxy")}
        assert twin.view(seat)["bottom"] == cards("Gqq")
    show_all(twin, "Rxy")
    for seat in (0, 1, None):
        assert twin.view(seat)["known"] == {"1": cards("Gqq")}
        assert twin.view(seat)["bottom"] == cards("Rxy")


def test_known_cards_may_fill_the_open_cards() -> None:
    twin = dealt({}, ["Rxy Rxz", "Ydd YHab"], "Gpp Gqq")
    show_all(twin, "Rxy")
    show_all(twin, "Ydd")  # takes 2, fills 1 with the card all know
    assert "R1xy" in twin.open
    assert (twin.over, twin.bottom, twin.known) == (True, [], [[], []])


def test_a_drawn_card_is_seen_by_its_seat_only() -> None:
    twin = HerzsammlerTwin({"players": 3}, 6)
    while not twin.over:
        for seat in twin.seats:
            view = twin.view(seat)
            assert view["hand"] == twin.hands[seat]
            seen = [view["hand"], view["open"], view["bottom"], *view["collections"]]
            seen += view["known"].values()
            hidden = set(twin.table.deck) - {card for zone in seen for card in zone}
            assert not any(card in str({**view, "rules": 0}) for card in hidden)
        assert twin.view(None)["hand"] == twin.view(None)["legal_moves"] == []
        twin.random_move()


def test_one_of_two_equal_cards_is_known() -> None:
    twin = dealt({}, ["Rxy Rxz", "Rxy YHab"], "Gpp")
    show_all(twin, "Rxy")
    assert twin.hands[1] == sorted(cards("Rxy Rxy YHab"))
    assert twin.known[1] == cards("Rxy")
    show_all(twin, "Rxy")
    assert twin.known[1] == []
    assert twin.unknown_in_hand(1) == sorted(cards("Rxy YHab"))


Log = list[tuple[str, str | None, bool, str]]


class Watch:
    """What everybody sees of one seat: draws (known card or None) and shows."""

    def __init__(self, twin: HerzsammlerTwin, seat: int) -> None:
        self.twin, self.seat = twin, seat
        self.log: Log = [("draw", None, False, "")] * 2
        if twin.turn == seat:
            self.log.append(("draw", None, False, ""))

    def move(self) -> None:
        twin, seat = self.twin, self.seat
        mover = twin.turn
        assert mover is not None
        bars, known = twin.table.objects_of(twin.open), Counter(twin.known[seat])
        misses, size = twin.misses, len(twin.hands[seat]) - (mover == seat)
        text = twin.random_move()[1].split()[1]
        if mover == seat:
            self.log.append(("show", text, twin.misses > misses, bars))
            known -= Counter([text])
        if len(twin.hands[seat]) > size:
            new = Counter(twin.known[seat]) - known
            self.log.append(("draw", next(iter(new), None), False, ""))

    def possible(self, unknown: Sequence[str]) -> bool:
        """Whether some legal history ends with these unknown cards, by trying all of them."""
        hand = Counter(self.twin.known[self.seat]) + Counter(unknown)
        pool = hand + Counter(c for what, c, _, _ in self.log if what == "show" and c)
        given = Counter(c for what, c, _, _ in self.log if what == "draw" and c)
        if given - pool:
            return False
        pool -= given
        states = {((), tuple(sorted(pool.elements())))}
        for what, card, missed, bars in self.log:
            states = set(self._next(states, what, card, missed, bars))
        return any(hand == Counter(held) and not left for held, left in states)

    def _next(self, states: Any, what: str, card: str | None, missed: bool, bars: str) -> list[Any]:
        found = []
        for held, left in states:
            if what == "draw" and card is not None:
                found.append((tuple(sorted([*held, card])), left))
            elif what == "draw":
                for k, drawn in enumerate(left):
                    found.append((tuple(sorted([*held, drawn])), left[:k] + left[k + 1 :]))
            elif card in held and not (
                missed and set(bars) & set(self.twin.table.objects_of(held))
            ):
                k = held.index(card)
                found.append((held[:k] + held[k + 1 :], left))
        return found


def test_barred_objects_are_exactly_what_misses_prove() -> None:
    rng = random.Random(12)
    told = checked = 0
    while told < 300 or checked < 2000:
        players = rng.choice([2, 2, 3])
        rows: list[Any] = random_deck(rng, players)[:22]
        for entry in rows:
            entry[3:5] = [number % rng.choice([9, 16, 26]) for number in entry[3:5]]
        rules = {"players": players, "deck": rows, "must_match": True, "stall_limit": 6}
        rules.update(choose_object=rng.random() < 0.3, end=rng.choice(["empty", "short"]))
        twin = HerzsammlerTwin(rules, rng.getrandbits(64))
        seat = rng.randrange(players)
        watch = Watch(twin, seat)
        for _ in range(rng.randrange(9)):
            if not twin.over:
                watch.move()
        barred = twin.barred[seat]
        if twin.over or not barred:
            continue
        assert fits(twin.table, twin.unknown_in_hand(seat), barred)
        zones = [twin.unknown_in_hand(s) for s in twin.seats]
        zones.append(twin.stack[: len(twin.stack) - twin.bottom_size])
        unseen = sorted(card for zone in zones for card in zone)
        hands = sorted(set(combinations(unseen, len(barred))))
        for unknown in rng.sample(hands, min(len(hands), 12)):
            checked += 1
            told += not fits(twin.table, unknown, barred)
            assert fits(twin.table, unknown, barred) == watch.possible(unknown)


# ---- Random matches ------------------------------------------------------------------------


def all_cards(twin: HerzsammlerTwin) -> list[str]:
    zones = [*twin.hands, *twin.collections, twin.open, twin.stack]
    return sorted(card for zone in zones for card in zone)


def check(twin: HerzsammlerTwin) -> None:
    assert all_cards(twin) == sorted(twin.table.deck), twin.rules
    for seat in twin.seats:
        assert not Counter(twin.known[seat]) - Counter(twin.hands[seat])
        assert len(twin.barred[seat]) == len(twin.unknown_in_hand(seat))
        assert fits(twin.table, twin.unknown_in_hand(seat), twin.barred[seat])
    if twin.over:
        return
    assert len(twin.open) == 6
    seat = twin._turn
    sizes = [len(hand) for hand in twin.hands]
    if twin.rules["end"] == "empty":
        assert sizes == [3 if s == seat else 2 for s in twin.seats]
    assert 1 <= sizes[seat] <= 3
    assert all(size <= 2 for s, size in enumerate(sizes) if s != seat)
    assert not twin.stack or sum(sizes) == 2 * twin.n + 1
    codes = twin.actions()
    assert codes == sorted(set(codes))
    letters: list[str] = list(LETTERS) if twin.rules["choose_object"] else [""]
    texts = [f"show {c} by {x}" if x else f"show {c}" for c in twin.table.order for x in letters]
    assert twin.legal(seat) == [text for text in texts if twin.is_legal(seat, text)]
    assert len(twin.legal(seat)) == len(codes) >= 1


@pytest.mark.ci
def test_random_matches_conserve_the_cards_and_end() -> None:
    rng = random.Random(1)
    reasons: Counter[str | None] = Counter()
    for seed in range(scale(quick=200, ci=200, full=400)):
        twin = HerzsammlerTwin(random_rules(rng), seed)
        limit = twin.rules["games"] * len(twin.table.deck) * twin.rules["stall_limit"]
        while not twin.over:
            if rng.random() < 0.1:
                check(twin)
            result = twin.hand_result
            twin.random_move()
            if twin.hand_result is not result:
                reasons[reason(twin)] += 1
        check(twin)
        assert twin.winners
        assert twin.ply <= limit
        assert twin.deal_number + 1 == twin.rules["games"]
    assert set(reasons) == {"empty", "short", "stalled", "no_card"}


@pytest.mark.ci
def test_resampled_positions_look_the_same() -> None:
    rng = random.Random(2)
    changed = 0
    for seed in range(scale(quick=60, ci=60, full=120)):
        twin = HerzsammlerTwin(random_rules(rng), seed)
        while not twin.over:
            twin.random_move()
            if rng.random() < 0.05 or twin.over:
                for seat in (None, *twin.seats):
                    other = resample_hidden(twin, seat, rng)
                    assert other.view(seat) == twin.view(seat)
                    assert all_cards(other) == all_cards(twin)
                    assert other.view(None) == twin.view(None)
                    check(other)
                    changed += hidden_zones(other)["hands"] != hidden_zones(twin)["hands"]
                    other.random_action_play(5)
    assert changed > 250


def test_random_games_last_about_36_turns() -> None:
    turns, misses = [], 0
    for seed in range(400):
        twin = HerzsammlerTwin({}, seed)
        while not twin.over:
            before = twin.misses
            twin.random_move()
            misses += twin.misses > before
        turns.append(twin.ply)
    assert 34 <= statistics.median(turns) <= 38
    assert 0.018 <= misses / sum(turns) <= 0.032


def test_the_same_seed_deals_the_same_cards_whatever_is_played() -> None:
    one, other = HerzsammlerTwin({"games": 3}, 9), HerzsammlerTwin({"games": 3}, 9)
    for number in range(3):
        assert (one.hands, one.open, one.stack) == (other.hands, other.open, other.stack)
        while not one.over and one.deal_number == number:
            one.random_move()
        while not other.over and other.deal_number == number:
            assert other.turn is not None
            other.play(other.turn, other.legal(other.turn)[-1])


def test_copies_are_independent() -> None:
    twin = HerzsammlerTwin({"must_match": True, "games": 2}, 4)
    twin.random_action_play(30)
    copy, view = twin.copy(), twin.view(0)
    rest = copy.random_action_play()
    assert twin.view(0) == view
    assert twin.random_action_play() == rest


def test_deck_file_is_read_in_its_order(tmp_path: Any) -> None:
    path = tmp_path / "deck.csv"
    path.write_text("id,colour,kind,value,obj_a,obj_b\n0,red,heart,0,1,0\n", encoding="utf-8")
    assert load_rows(path) == [("red", "heart", 0, 1, 0)]
