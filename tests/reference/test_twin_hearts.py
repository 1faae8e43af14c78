"""The Hearts twin against the worked examples of the rules and faults reported elsewhere."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from tests.reference import hearts_score as score
from tests.reference.hearts import HeartsTwin, IllegalTwinMove, deck_for
from tests.reference.hearts_options import is_valid, random_rules
from tests.reference.hearts_rules import (
    FIELDS,
    KINDS,
    changed_fields,
    deck_of,
    resolve,
    sort_cards,
    table_of,
)
from tests.reference.resample import hidden_zones, resample_hidden

HEARTS = [card for card in KINDS if card[1] == "H"]
BLACK_MARIA: dict[str, Any] = {
    "extra_penalties": {"KS": 10, "AS": 7},
    "pass_cycle": ["right"],
    "lead": "dealer_left",
    "first_trick_points": "allow",
}
PRESETS: dict[str, dict[str, Any]] = {
    "classic": {},
    "plain": {"pass_cycle": [], "moon": "off"},
    "omnibus": {"bonus": {"JD": -10}},
    "black_maria": BLACK_MARIA,
    "microsoft": {"queen_breaks": False, "moon": "add"},
    "openspiel": {"moon": "add", "pass_cycle": "random", "max_hands": 1},
    "yahoo": {"lead_when_stuck": "hearts_or_queen"},
}


def cards(text: str) -> list[str]:
    return text.split()


def at(
    rules: dict[str, Any],
    hand: str,
    *,
    led: str = "",
    broken: bool = False,
    trick_one: bool = False,
) -> HeartsTwin:
    """Seat 1 is to move with this hand; `led` are the cards already in the trick, from seat 0."""
    twin = HeartsTwin(rules)
    if twin.phase == "pass":
        twin.start_play()
    twin.hands[1] = sort_cards(cards(hand))
    twin.trick = [((2 - len(led.split()) + k - 1) % twin.n, c) for k, c in enumerate(cards(led))]
    twin.broken = broken
    twin._turn = 1
    if not trick_one:
        twin.tricks = [(0, [], 0)]
    return twin


def legal(rules: dict[str, Any], hand: str, **where: Any) -> list[str]:
    return at(rules, hand, **where).legal(1)


def dealt(rules: dict[str, Any], hands: Sequence[str], kitty: str = "") -> HeartsTwin:
    """A match whose first deal gives these hands; seat 0 is left of the dealer."""
    lists = [cards(hand) for hand in hands]
    rest = cards(kitty)
    removed = Counter(KINDS * rules.get("decks", 1))
    removed.subtract(card for zone in [*lists, rest] for card in zone)
    assert min(removed.values()) >= 0
    given = {**rules, "players": len(hands), "removed": list(removed.elements())}
    given["extras"] = "kitty" if rest else "remove"
    assert is_valid(given), given
    return HeartsTwin(given, dealer=len(hands) - 1, deals=[deck_for(lists, len(hands) - 1, rest)])


def play_all(twin: HeartsTwin, text: str) -> HeartsTwin:
    for card in cards(text):
        assert twin.turn is not None
        twin.play(twin.turn, card)
    return twin


def winner_of(text: str, rules: dict[str, Any] | None = None) -> str | None:
    twin = HeartsTwin({"decks": 2} if rules is None else rules)
    twin.trick = list(enumerate(cards(text)))
    winner = twin.trick_winner()
    return None if winner is None else twin.trick[winner][1]


# ---- Options -------------------------------------------------------------------------------


def test_there_are_thirty_fields_and_none_differs_by_default() -> None:
    assert len(FIELDS) == 30
    assert changed_fields(resolve({})) == {}
    assert changed_fields(resolve({"decks": 2, "players": 8})) == {"decks": 2}
    assert changed_fields(resolve({"players": 3, "removed": ["2D"]})) == {"players": 3}


@pytest.mark.parametrize(("players", "size"), [(3, 17), (4, 13), (5, 10), (6, 8), (7, 7)])
def test_hand_sizes_with_one_pack(players: int, size: int) -> None:
    table = table_of(resolve({"players": players}))
    assert (table.hand_size, table.kitty_size, table.total) == (size, 0, 26)


@pytest.mark.parametrize(
    ("players", "size", "kitty"),
    [(5, 20, 4), (6, 17, 2), (7, 14, 6), (8, 13, 0), (9, 11, 5), (10, 10, 4), (11, 9, 5)],
)
def test_hand_sizes_with_two_packs(players: int, size: int, kitty: int) -> None:
    table = table_of(resolve({"decks": 2, "players": players}))
    assert (table.hand_size, table.kitty_size, table.total) == (size, kitty, 52)


def test_total_points_in_play() -> None:
    assert table_of(resolve({"players": 6, "removed": cards("2C 2D 2H 2S")})).total == 25
    assert table_of(resolve({**BLACK_MARIA, "players": 3, "removed": ["2C"]})).total == 43
    assert table_of(resolve({"heart_points": "rank"})).total == sum(range(2, 15)) + 13
    assert table_of(resolve({"heart_points": "face"})).total == 9 + 14 + 13
    assert table_of(resolve({"heart_points": "spot"})).total == 54 + 40 + 13
    assert table_of(resolve({"heart_points": 0, "queen_points": 0})).total == 0


def test_removed_takes_out_one_copy_of_the_second_pack_first() -> None:
    deck = deck_of(resolve({"decks": 2, "removed": ["2C", "3C", "3C"]}))
    assert deck.count("2C") == 1
    assert deck[0] == "2C"
    assert "3C" not in deck


def test_five_players_lose_the_two_of_diamonds_and_of_clubs() -> None:
    assert resolve({"players": 5})["removed"] == ["2C", "2D"]


# ---- Passing -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "directions"),
    [
        (4, "left right across hold left"),
        (3, "left right left right left"),
        (5, "left right left right left"),
        (6, "left right left right left"),
        (7, "left right left right left"),
    ],
)
def test_pass_cycle(players: int, directions: str) -> None:
    twin = HeartsTwin({"players": players, "target": 1000}, seed=5)
    for number, direction in enumerate(directions.split()):
        while twin.deal_number < number:
            twin.random_move()
        assert twin.pass_direction == direction
        assert twin.phase == ("play" if direction == "hold" else "pass")


def test_received_cards_arrive_together_and_the_opener_is_found_after_the_pass() -> None:
    twin = HeartsTwin({}, seed=3)
    holder = next(seat for seat in range(4) if "2C" in twin.hands[seat])
    passes = [["2C", *h[1:3]] if "2C" in h else h[:3] for h in twin.hands]
    before = [list(hand) for hand in twin.hands]
    for seat in (2, 0, 3):
        twin.play(seat, "pass " + " ".join(passes[seat]))
        assert twin.hands == before
        assert twin.view(None)["committed"] == sorted(twin.passes)
    with pytest.raises(IllegalTwinMove, match="not_your_turn"):
        twin.play(0, "pass " + " ".join(passes[0]))
    twin.play(1, "pass " + " ".join(passes[1]))
    assert set(passes[0]) <= set(twin.hands[1])
    assert twin.turn == (holder + 1) % 4
    assert twin.legal((holder + 1) % 4) == ["2C"]
    assert twin.view(0)["my_pass"] == passes[0]
    assert twin.view(0)["received"] == passes[3]
    assert set(twin.view(0)["known"]["1"]) == set(passes[0])


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("pass", "wrong_number"),
        ("pass 2C 3C", "wrong_number"),
        ("pass 2C 3C 4C 5C", "wrong_number"),
        ("pass 2C 2C 3C", "not_held"),
        ("pass 2C 3C AS", "not_held"),
        ("2C", "wrong_phase"),
        ("moon add", "wrong_phase"),
        ("hello", "unknown_move"),
        ("pass 4C 2C 3C", None),
    ],
)
def test_a_pass_names_exactly_three_cards_of_the_hand(text: str, code: str | None) -> None:
    twin = HeartsTwin({})
    twin.hands[0] = KINDS[:13]
    assert twin.why(0, text) == code
    assert len(twin.legal(0)) == 286


@pytest.mark.parametrize("players", [4, 5])
def test_keep_spades(players: int) -> None:
    twin = HeartsTwin({"keep_spades": True, "players": players})
    twin.hands[0] = cards("5C 6C 7D 8D QS KS")
    assert twin.legal(0) == ["pass 5C 6C 7D", "pass 5C 6C 8D", "pass 5C 7D 8D", "pass 6C 7D 8D"]
    assert twin.why(0, "pass 5C 6C QS") == "keep_spades"
    twin.hands[0] = cards("5C QS KS AS")
    assert twin.legal(0) == ["pass 5C QS KS"]
    assert twin.actions() == [KINDS.index(c) for c in cards("5C QS KS")]


def test_two_copies_may_be_passed_and_are_listed_once() -> None:
    twin = HeartsTwin({"decks": 2, "pass_cycle": ["left"], "pass_count": 2, "keep_spades": True})
    twin.hands[0] = cards("2C 2C 3C")
    assert twin.legal(0) == ["pass 2C 2C", "pass 2C 3C"]
    twin.hands[0] = cards("QS QS KS")
    assert twin.legal(0) == ["pass QS QS"]


def test_picks_of_a_pass_are_those_of_some_legal_pass() -> None:
    rng = random.Random(8)
    hands = ["5C QS KS AS", "QS QS KS AS", "2C 2C 3D QS", "5C 5C 6D QS KS AS", "AS AS KS QS"]
    for hand in hands:
        for count in (1, 2, 3, 4):
            rules = {"decks": 2, "pass_cycle": ["left"], "pass_count": count}
            twin = HeartsTwin({**rules, "keep_spades": rng.random() < 0.7})
            twin.hands[0] = cards(hand)
            passes = [Counter(chosen) for chosen in twin.legal_passes(0)]
            picks: list[str] = []
            while len(picks) < count:
                fits = {c for c in hand.split() for p in passes if Counter([*picks, c]) <= p}
                assert [KINDS[a] for a in twin.actions(picks)] == sort_cards(fits)
                picks.append(rng.choice(sort_cards(fits)))
            assert twin.is_legal(0, "pass " + " ".join(picks))


# ---- Leading -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "hand", "broken", "lead"),
    [
        ({}, "2H 3S", False, "3S"),
        ({}, "2H 9H", False, "2H 9H"),
        ({}, "2H 3S", True, "2H 3S"),
        ({"break_required": False}, "2H 3S", False, "2H 3S"),
        ({}, "2H QS", False, "QS"),
        ({"lead_when_stuck": "hearts_or_queen"}, "2H QS", False, "2H QS"),
        ({"lead_when_stuck": "hearts_or_queen"}, "2H QS 3S", False, "3S QS"),
        ({"lead_when_stuck": "hearts_or_queen", "queen_points": 0}, "2H QS", False, "QS"),
        ({"queen_lead": "after_hearts"}, "2H 3C QS", False, "3C"),
        ({"queen_lead": "after_hearts"}, "2H 3C QS", True, "3C 2H QS"),
        ({"queen_lead": "after_hearts"}, "2H QS", False, "QS"),
        ({"queen_lead": "after_hearts", "queen_points": 0}, "2H 3C QS", False, "3C QS"),
        ({"queen_lead": "after_hearts", "break_required": False}, "2H QS", False, "2H"),
        (
            {"queen_lead": "after_hearts", "lead_when_stuck": "hearts_or_queen"},
            "2H QS",
            False,
            "2H",
        ),
    ],
)
def test_lead_set(rules: dict[str, Any], hand: str, broken: bool, lead: str) -> None:
    assert legal(rules, hand, broken=broken) == cards(lead)


def test_reasons_for_forbidden_leads() -> None:
    assert at({}, "2H 3S").why(1, "2H") == "hearts_not_broken"
    assert at({"queen_lead": "after_hearts"}, "3C QS").why(1, "QS") == "queen_lead"
    twin = at({"decks": 2}, "3C QS 2H", trick_one=True)
    assert twin.why(1, "QS") == "opening_penalty"
    assert twin.why(1, "2H") == "hearts_not_broken"
    assert twin.why(1, "4H") == "not_held"


def test_step_six_takes_penalty_cards_from_the_opening_lead_only() -> None:
    rules = {"decks": 2, "extra_penalties": {"KS": 10}}
    assert legal(rules, "3C QS KS", trick_one=True) == ["3C"]
    assert legal(rules, "QS KS", trick_one=True) == ["QS", "KS"]
    assert legal(rules, "3C QS KS") == ["3C", "QS", "KS"]
    assert legal({"lead": "dealer_left"}, "3C QS", trick_one=True) == ["3C", "QS"]


def test_low_club_opens_with_the_lowest_club_of_the_deck() -> None:
    twin = HeartsTwin({"players": 7}, seed=1)
    twin.start_play()
    assert twin.turn is not None
    assert twin.legal(twin.turn) == ["2C"]
    twin = HeartsTwin({"players": 7, "removed": cards("2C 2D 3D")}, seed=1)
    twin.start_play()
    assert twin.turn is not None
    assert twin.legal(twin.turn) == ["3C"]
    assert twin.why(twin.turn, next(c for c in twin.hands[twin.turn] if c != "3C")) == (
        "must_lead_low_club"
    )


def test_low_club_in_the_kitty() -> None:
    hands = ["9S QS", "3C 4C", "5D 6D"]
    twin = dealt({"pass_count": 0}, hands, kitty="2C 2H")
    assert twin.turn == 1
    assert twin.legal(1) == ["3C"]
    twin = dealt({"pass_count": 0, "lead": "any_club"}, hands, kitty="2C 2H")
    assert (twin.turn, twin.legal(1)) == (1, ["3C", "4C"])


def test_of_two_holders_the_first_from_the_dealers_left_opens() -> None:
    hands = ["9S QS", "3S 5D", "3C 6D", "3C 8D", "9C TC"]
    twin = dealt({"decks": 2, "pass_count": 0, "lead": "low_club"}, hands, kitty="2C 2H")
    assert (twin.turn, twin.legal(2)) == (2, ["3C"])


def test_pass_lead_goes_on_to_the_left() -> None:
    rules = {"pass_count": 0, "lead": "dealer_left", "lead_when_stuck": "pass_lead"}
    twin = dealt(rules, ["2H 3H", "4H 5H", "6H QS"])
    assert (twin.turn, twin.ply) == (2, 0)
    assert twin.legal(2) == ["QS"]
    twin.play(2, "QS")
    assert twin.turn == 0
    rules["queen_points"] = 0
    twin = dealt(rules, ["2H 3H", "4H 5H", "6H 7H"])
    assert (twin.turn, twin.legal(0)) == (0, ["2H", "3H"])


# ---- Following -----------------------------------------------------------------------------


def test_trick_one_takes_no_hearts_and_no_queen() -> None:
    twin = at({}, "QS AH 5D", led="2C", trick_one=True)
    assert twin.legal(1) == ["5D"]
    before = twin.copy()
    with pytest.raises(IllegalTwinMove, match="first_trick_points"):
        twin.play(1, "AH")
    assert [twin.view(seat) for seat in twin.seats] == [before.view(s) for s in twin.seats]
    assert hidden_zones(twin) == hidden_zones(before)
    allowed = {"first_trick_points": "allow"}
    assert legal(allowed, "QS AH 5D", led="2C", trick_one=True) == cards("5D AH QS")
    assert legal({}, "QS AH", led="2C", trick_one=True) == cards("AH QS")
    assert legal({}, "QS AH 5D", led="2C") == cards("5D AH QS")


def test_other_penalties_and_bonus_cards_may_be_thrown_on_trick_one() -> None:
    rules = {"extra_penalties": {"KS": 10}, "bonus": {"JD": -10}}
    assert legal(rules, "QS KS 2H JD", led="2C", trick_one=True) == cards("JD KS")
    assert legal({"queen_points": 0}, "QS 2H", led="2C", trick_one=True) == ["QS"]
    assert legal({"heart_points": 0}, "5D 2H", led="2C", trick_one=True) == ["5D"]


def test_follow_suit_on_a_heart_trick() -> None:
    twin = at({}, "2C 4H 9H", led="3H", broken=True)
    assert twin.legal(1) == ["4H", "9H"]
    assert twin.why(1, "2C") == "must_follow_suit"


def test_seven_point_cards_pay_on_trick_one() -> None:
    rest = [card for card in KINDS if card[1] in "CD" and card not in cards("2D 3D 3C")]
    spades = [card for card in KINDS if card[1] == "S" and card != "QS"]
    others = rest + spades + cards("8H 9H TH JH QH KH AH")
    opener = ["2C", *others[1:7]]
    others = others[7:]
    hands = [opener, cards("2H 3H 4H 5H 6H 7H QS")] + [others[k::5] for k in range(5)]
    deck = deck_for(hands, 6)
    twin = HeartsTwin({"players": 7, "pass_count": 0}, deals=[deck])
    twin.play(0, "2C")
    assert "QS" in twin.legal(1)
    twin.play(1, "QS")
    while not twin.tricks:
        twin.random_move()
    winner = twin.tricks[0][2]
    assert winner is not None
    assert twin.points[winner] == 13
    assert twin.broken


def test_hearts_are_broken_by_a_heart_or_the_queen() -> None:
    rows: list[tuple[dict[str, Any], str, bool]] = [
        ({}, "5D", False),
        ({}, "5H", True),
        ({}, "QS", True),
        ({"queen_breaks": False}, "QS", False),
        ({"queen_points": 0}, "QS", False),
        ({"heart_points": 0}, "5H", True),
    ]
    for rules, card, broken in rows:
        twin = at(rules, f"{card} 6D", led="2C")
        twin.play(1, card)
        assert twin.broken == broken, (rules, card)


# ---- Tricks --------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(
    ("trick", "card"),
    [
        ("5D AS KD 2D", "KD"),
        ("2C AH AS AD", "2C"),
        ("TS JS 9S QS", "QS"),
        ("9H TH 2H 8H", "TH"),
    ],
)
def test_highest_card_of_the_suit_led_wins(preset: str, trick: str, card: str) -> None:
    assert winner_of(trick, PRESETS[preset]) == card


@pytest.mark.parametrize(
    ("trick", "card"),
    [
        ("KC 9C KC 4C 2C AH", "9C"),
        ("QS KS QS KS 2S AH", "2S"),
        ("2S 7S 7S 4S 4S 3S", "3S"),
        ("AC AC KH 4C 4C AS", None),
    ],
)
def test_identical_cards_cancel(trick: str, card: str | None) -> None:
    assert winner_of(trick) == card


CANCELLED = ["AC QS", "AC 3D", "4C KS", "4C 5D", "9D 6D"]


def test_cancelled_cards_score_and_a_held_trick_goes_to_the_next_winner() -> None:
    twin = dealt({"decks": 2, "pass_count": 0}, CANCELLED)
    play_all(twin, "AC AC 4C 4C 9D")
    assert twin.view(0)["tricks"] == [[0, cards("AC AC 4C 4C 9D"), None]]
    assert (twin.turn, twin.points) == (0, [0] * 5)
    assert not any(twin.piles)
    play_all(twin, "QS 3D KS 5D 6D")
    assert len(twin.piles[2]) == 10
    assert (twin.phase, twin.points) == ("moon", [0, 0, 13, 0, 0])
    twin.play(2, "moon add")
    assert (twin.scores, twin.deal_number) == ([13, 13, 0, 13, 13], 1)
    assert twin.hand_result is not None
    assert (twin.hand_result["moon"], twin.hand_result["kind"]) == (2, "add")


def test_moon_with_held_over_tricks() -> None:
    twin = dealt({"decks": 2, "pass_count": 0, "sun": "double", "max_hands": 1}, CANCELLED)
    play_all(twin, "AC AC 4C 4C 9D QS 3D KS 5D 6D")
    assert (twin.phase, twin.turn) == ("moon", 2)
    twin.play(2, "moon subtract")
    assert (twin.scores, twin.winners) == ([0, 0, -26, 0, 0], [2])


@pytest.mark.parametrize(("option", "taker"), [("leader", 0), ("second", 3)])
def test_cancelled_last_trick(option: str, taker: int) -> None:
    hands = ["4C QS", "KC 3D", "4C 2D", "KC 5D", "9D 6D"]
    rules = {"decks": 2, "pass_count": 0, "last_cancelled": option, "queen_points": 0}
    twin = dealt({**rules, "max_hands": 1}, hands, kitty="3S 3S")
    play_all(twin, "QS 3D 2D 5D 6D")
    assert twin.kitty_taker == 0
    play_all(twin, "4C KC 4C KC 9D")
    assert twin.tricks[-1][2] == taker
    assert twin.hand_result is not None
    assert set(cards("4C KC 9D")) <= set(twin.hand_result["piles"][taker])


def test_kitty_waits_with_a_held_over_first_trick() -> None:
    twin = dealt({"decks": 2, "pass_count": 0, "moon": "off", "max_hands": 1}, CANCELLED, "2H 2H")
    play_all(twin, "AC AC 4C 4C 9D")
    assert twin.kitty_taker is None
    play_all(twin, "QS 3D KS 5D 6D")
    assert twin.hand_result is not None
    assert sorted(twin.hand_result["piles"][2][-4:]) == sorted(cards("2H 2H QS KS"))
    assert twin.scores == [0, 0, 15, 0, 0]


@pytest.mark.parametrize(
    ("option", "taker"), [("first_trick", 0), ("first_points", 2), ("last_trick", 1)]
)
def test_kitty_to(option: str, taker: int) -> None:
    hands = ["9C 5S 3D", "2D 3S TD", "4D QS 8D"]
    rules = {"pass_count": 0, "kitty_to": option, "lead": "dealer_left", "max_hands": 1}
    twin = dealt({**rules, "queen_lead": "after_hearts"}, hands, kitty="2H 3H")
    play_all(twin, "9C 2D 4D")
    assert twin.kitty_taker == (0 if option == "first_trick" else None)
    assert twin.view(0)["kitty"] == (["2H", "3H"] if option == "first_trick" else None)
    assert twin.points == [0, 0, 0]
    play_all(twin, "5S 3S QS")
    assert twin.kitty_taker == {"first_trick": 0, "first_points": 2, "last_trick": None}[option]
    assert twin.view(None)["kitty"] is None
    play_all(twin, "8D 3D TD")
    assert twin.kitty_taker == taker
    assert twin.view(None)["kitty"] == ["2H", "3H"]
    assert sum(twin.points) == 15


# ---- Score of a hand -----------------------------------------------------------------------


def shooter(rules: dict[str, Any], *piles: str) -> int | None:
    resolved = resolve(rules)
    return score.moon_shooter(resolved, table_of(resolved), [cards(pile) for pile in piles])


def test_moon_is_decided_by_the_cards() -> None:
    all_hearts = " ".join(HEARTS)
    omnibus = {"bonus": {"JD": -10}}
    assert shooter(omnibus, "2H 3H 4H QS", "JD", "", "") is None
    assert shooter(omnibus, all_hearts + " QS", "JD", "", "") == 0
    assert shooter(omnibus, "", "", all_hearts + " QS JD", "") == 2
    assert shooter(omnibus, " ".join(HEARTS[1:]) + " QS", "2H", "", "") is None
    assert shooter({**omnibus, "moon_needs_bonus": True}, all_hearts + " QS", "JD", "", "") is None
    assert shooter({"queen_points": 0}, all_hearts, "QS", "", "") == 0
    assert shooter({"heart_points": 0}, "QS", all_hearts, "", "") == 0
    assert shooter({"heart_points": 0, "queen_points": 0}, all_hearts, "", "", "") is None
    assert shooter({"moon": "off"}, all_hearts + " QS", "", "", "") is None
    assert shooter({"decks": 2}, all_hearts + " QS", "", "", "", "", "", "", "") is None


def points(
    rules: dict[str, Any], took: str, shooter: int | None, kind: str | None, *piles: str
) -> list[int]:
    resolved = resolve(rules)
    lists = [cards(pile) for pile in piles]
    took_trick = [letter == "x" for letter in took]
    return score.hand_points(resolved, table_of(resolved), lists, took_trick, shooter, kind)


def test_moon_sun_bonus_and_no_trick_points() -> None:
    moon = " ".join(HEARTS) + " QS"
    rules = {"bonus": {"JD": -10}, "no_trick_bonus": -5}
    assert points(rules, "xx--", 0, "add", moon, "JD", "", "") == [0, 16, 26, 26]
    assert points(rules, "xx--", 0, "subtract", moon, "JD", "", "") == [-26, -10, 0, 0]
    assert points(rules, "xx--", None, None, "2H QS", "JD 4H", "", "") == [14, -9, -5, -5]
    rules = {"sun": "double"}
    assert points(rules, "x---", 0, "add", moon, "", "", "") == [0, 52, 52, 52]
    assert points(rules, "x---", 0, "subtract", moon, "", "", "") == [-52, 0, 0, 0]
    assert points(rules, "xx--", 0, "subtract", moon, "", "", "") == [-26, 0, 0, 0]


def test_a_trick_with_the_omnibus_card_is_worth_winning() -> None:
    table = table_of(resolve({"bonus": {"JD": -10}}))
    assert sum(table.value.get(card, 0) for card in cards("JD 2D 3D 4D")) == -10


@pytest.mark.parametrize(
    ("scores", "totals"),
    [
        ([95, 80, 40, 20], [69, 80, 40, 20]),
        ([10, 80, 40, 20], [10, 106, 66, 46]),
        ([95, 40, 30, 20], [95, 66, 56, 46]),
    ],
)
def test_auto_moon_examples(scores: list[int], totals: list[int]) -> None:
    rules = resolve({"moon": "auto"})
    table = table_of(rules)
    piles = [[*HEARTS, "QS"], [], [], []]
    took = [True, True, False, False]
    kind = score.auto_kind(rules, table, piles, took, 0, scores, 1)
    hand = score.hand_points(rules, table, piles, took, 0, kind)
    assert score.new_totals(rules, scores, hand) == totals


# ---- Match ---------------------------------------------------------------------------------


def test_subtracting_below_zero_and_the_floor() -> None:
    for total, new, floored in [
        (0, -26, 0),
        (20, -6, 0),
        (25, -1, 0),
        (26, 0, 0),
        (51, 25, 25),
        (52, 26, 26),
    ]:
        assert score.new_totals(resolve({}), [total], [-26]) == [new]
        assert score.new_totals(resolve({"floor": 0}), [total], [-26]) == [floored]


def test_exact_reset_once_and_below_the_floor() -> None:
    rules = resolve({"exact_reset": {100: 50, 0: -20}, "floor": 0})
    assert score.new_totals(rules, [90, 3, 60, 5], [10, -8, 40, 1]) == [50, -20, 50, 6]
    assert not score.match_ends(rules, [50, -20, 50, 6], 1)


def test_end_test_and_hand_limits() -> None:
    assert score.match_ends(resolve({}), [100, 0], 1)
    assert not score.match_ends(resolve({"end_test": "exceed"}), [100, 0], 1)
    assert score.match_ends(resolve({"end_test": "exceed"}), [101, 0], 1)
    assert not score.match_ends(resolve({"tie": "play_on"}), [100, 40, 40, 60], 1)
    assert score.match_ends(resolve({"tie": "play_on"}), [100, 40, 41, 60], 1)
    assert score.match_ends(resolve({"tie": "play_on", "max_hands": 3}), [100, 40, 40, 60], 3)
    assert score.match_ends(resolve({}), [0, 0], 1000)
    assert not score.match_ends(resolve({}), [0, 0], 999)
    assert not score.match_ends(resolve({"max_hands": 2000}), [0, 0], 1000)


def finished_hand(rules: dict[str, Any], scores: list[int]) -> HeartsTwin:
    """The last trick gives seat 3 four points."""
    twin = at(rules, "", broken=True)
    twin.hands = [["2H"], ["3H"], ["4H"], ["5H"]]
    twin.scores = scores
    twin._turn = 0
    return play_all(twin, "2H 3H 4H 5H")


def test_play_on_deals_the_next_hand() -> None:
    twin = finished_hand({"tie": "play_on"}, [100, 40, 40, 56])
    assert twin.scores == [100, 40, 40, 60]
    assert (twin.phase, twin.deal_number, twin.pass_direction) == ("pass", 1, "right")
    assert (twin.dealer, twin.tricks, twin.points, twin.broken) == (0, [], [0] * 4, False)


def test_several_lowest_share_the_win() -> None:
    twin = finished_hand({}, [101, 105, 30, 26])
    assert (twin.over, twin.scores, twin.winners) == (True, [101, 105, 30, 30], [2, 3])
    assert (twin.turn, twin.to_move, twin.legal(0)) == (None, [], [])
    assert twin.why(0, "2C") == "game_over"


def test_stop_when_decided_gives_the_totals_of_playing_on() -> None:
    rng = random.Random(11)
    stopped = 0
    while stopped < 25:
        rules = {**random_rules(rng), "stop_when_decided": True, "max_hands": 1}
        seed = rng.getrandbits(64)
        short = HeartsTwin(rules, seed)
        moves = short.random_action_play()
        if not short.hands[0]:
            continue
        stopped += 1
        long = HeartsTwin({**rules, "stop_when_decided": False}, seed)
        kind = [move for move in moves if move[1].startswith("moon")]
        for seat, text, _ in moves[: len(moves) - len(kind)]:
            long.play(seat, text)
        while long.phase == "play":
            long.random_move()
        for seat, text, _ in kind:
            long.play(seat, text)
        assert long.scores == short.scores, rules


@pytest.mark.parametrize(
    "changed",
    [{"no_trick_bonus": -5}, {"sun": "double"}, {"bonus": {"JD": -10}}],
)
def test_hand_is_not_decided_while_something_is_open(changed: dict[str, Any]) -> None:
    def position(rules: dict[str, Any]) -> HeartsTwin:
        twin = HeartsTwin({"stop_when_decided": True, **rules})
        twin.hands = [["2C"], ["3C"], ["4C"], ["JD"]]
        twin.took_trick = [True, False, False, False]
        return twin

    assert position({})._is_decided()
    assert not position(changed)._is_decided()
    assert position({"sun": "double", "moon": "off"})._is_decided()


def test_the_same_seed_deals_the_same_cards_whatever_is_played() -> None:
    one, other = HeartsTwin({"max_hands": 3}, 9), HeartsTwin({"max_hands": 3}, 9)
    for _ in range(2):
        assert one.hands == other.hands
        number = one.deal_number
        while one.deal_number == number:
            one.random_move()
        while other.deal_number == number:
            assert other.turn is not None
            other.play(other.turn, other.legal(other.turn)[-1])


# ---- Random matches ------------------------------------------------------------------------


def all_cards(twin: HeartsTwin) -> list[str]:
    zones = [*twin.hands, *twin.piles, twin.held, [card for _, card in twin.trick]]
    if twin.kitty_taker is None:
        zones.append(twin.kitty)
    return sort_cards(card for zone in zones for card in zone)


def check_moves(twin: HeartsTwin) -> None:
    for seat in twin.seats:
        moves = twin.legal(seat)
        assert bool(moves) == (seat in twin.to_move)
        if twin.phase == "play" and seat == twin.turn:
            assert moves == [card for card in KINDS if twin.is_legal(seat, card)]
            assert set(moves) <= set(twin.hands[seat])
    assert twin.actions()


def test_random_matches_conserve_the_cards() -> None:
    rng = random.Random(1)
    for seed in range(250):
        rules = random_rules(rng)
        twin = HeartsTwin(rules, seed)
        while not twin.over:
            if rng.random() < 0.1:
                assert all_cards(twin) == sort_cards(twin.table.deck), rules
                check_moves(twin)
            number, was = twin.deal_number, twin.hand_result
            twin.random_move()
            if twin.over or twin.deal_number != number:
                result = twin.hand_result
                assert result is not None
                assert result is not was
                if result["moon"] is None and not twin.rules["bonus"]:
                    least = twin.table.total + twin.rules["no_trick_bonus"] * twin.n
                    assert least <= sum(result["points"]) <= twin.table.total
        assert all_cards(twin) == sort_cards(twin.table.deck)
        assert twin.winners
        assert twin.deal_number + 1 <= (twin.rules["max_hands"] or 1000)


def test_resampled_positions_look_the_same() -> None:
    rng = random.Random(2)
    changed = 0
    for seed in range(80):
        twin = HeartsTwin(random_rules(rng), seed)
        while not twin.over:
            twin.random_move()
            if rng.random() < 0.02 or twin.over or twin.phase == "moon":
                for seat in (None, rng.randrange(twin.n)):
                    other = resample_hidden(twin, seat, rng)
                    assert other is not None
                    assert other.view(seat) == twin.view(seat)
                    assert all_cards(other) == all_cards(twin)
                    changed += hidden_zones(other)["hands"] != hidden_zones(twin)["hands"]
    assert changed > 100


def test_copies_are_independent() -> None:
    twin = HeartsTwin({}, 4)
    twin.random_action_play(30)
    copy, view = twin.copy(), twin.view(0)
    rest = copy.random_action_play()
    assert twin.view(0) == view
    assert twin.random_action_play() == rest
