"""The Von Herzen twin against the worked examples of the rules and faults reported elsewhere."""

from __future__ import annotations

from typing import Any

import pytest

from tests.reference import vonherzen_runs as runs
from tests.reference.vonherzen import IllegalTwinMove, VonHerzenTwin, choices, deck_for
from tests.reference.vonherzen_actions import ACTIONS
from tests.reference.vonherzen_moves import read, text_of
from tests.reference.vonherzen_options import is_valid
from tests.reference.vonherzen_resample import hidden_zones
from tests.reference.vonherzen_rules import (
    CARDS,
    FIELDS,
    changed_fields,
    deals_of,
    is_blocked,
    resolve,
)


def cards(text: str) -> list[str]:
    """Cards by text, or by colour and rank: `r8` is 8D, `b8` is 8C."""
    suits = {"r": "D", "b": "C"}
    return [word[1] + suits[word[0]] if word[0] in suits else word for word in text.split()]


def at(rules: dict[str, Any], hand: str, *table: tuple[int, str], **zones: Any) -> VonHerzenTwin:
    """Seat 0 is in phase meld with this hand; the others hold the first cards left over."""
    laid = [(owner, cards(run)) for owner, run in table]
    used = {*cards(hand), *zones.get("pile", ()), *(card for _, run in laid for card in run)}
    rest = [card for card in CARDS if card not in used]
    n = resolve(rules)["players"]
    hands = [cards(hand), *(rest[k : k + 1] for k in range(n - 1))]
    zones.setdefault("stock", rest[n - 1 :])
    zones.setdefault("phase", "meld")
    return VonHerzenTwin.from_setup(rules, hands=hands, turn=0, runs=laid, **zones)


def dealt(rules: dict[str, Any], hands: list[str], first: str = "") -> VonHerzenTwin:
    """A match whose first deal gives these hands, the stock starting with `first`."""
    lists = [cards(hand) for hand in hands]
    rest = cards(first)
    rest += [card for card in CARDS if card not in {*rest, *(c for h in lists for c in h)}]
    given = {**rules, "players": len(hands), "hand_size": len(lists[0])}
    return VonHerzenTwin(given, deals=[deck_for(lists, len(hands) - 1, rest)])


def play_all(twin: VonHerzenTwin, *texts: str) -> VonHerzenTwin:
    for text in texts:
        assert twin.turn is not None
        twin.play(twin.turn, text)
    return twin


def kinds_of(twin: VonHerzenTwin, verb: str) -> list[str]:
    return [text for text in twin.legal(0) if text.split()[0] == verb]


def points_of(run: str, rules: dict[str, Any] | None = None) -> int:
    ordered = runs.arrange(cards(run))
    assert ordered is not None
    return runs.run_points(resolve(rules or {}), ordered)


# ---- Options and deal ----------------------------------------------------------------------


def test_nineteen_fields_and_none_differs_by_default() -> None:
    assert len(FIELDS) == 19
    assert changed_fields(resolve({})) == {}
    assert changed_fields(resolve({"players": 5, "hand_size": 6})) == {"players": 5}
    assert changed_fields(resolve({"blocked_after": None})) == {"blocked_after": None}
    assert changed_fields(resolve({"wrap": None})) == {}


@pytest.mark.parametrize(
    ("players", "size", "stock"), [(2, 8, 16), (3, 8, 8), (4, 8, 0), (5, 6, 2), (6, 5, 2)]
)
def test_hand_and_stock_sizes(players: int, size: int, stock: int) -> None:
    twin = VonHerzenTwin({"players": players})
    assert [len(hand) for hand in twin.hands] == [size] * players
    assert len(twin.stock) == stock
    assert is_valid({"players": players, "hand_size": size})
    assert not is_valid({"players": players, "hand_size": size + 1})


def test_cards_go_round_from_the_dealers_left() -> None:
    twin = VonHerzenTwin({"players": 4}, dealer=1, deals=[CARDS])
    assert twin.hands[2] == CARDS[::4]
    assert twin.turn == 0  # the dealer's right proposes first


def test_turn_up_starts_the_pile_before_the_exchange() -> None:
    twin = dealt({"turn_up": True}, ["7C 8C", "9C TC", "JC QC"], "AH KH")
    assert (twin.phase, twin.pile, twin.stock[0]) == ("offer", ["AH"], "KH")
    assert VonHerzenTwin({"turn_up": True, "players": 4}).pile == []


# ---- Runs ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("run", "points"),
    [
        ("rK rA r7", 3),
        ("r8 r9 bT rJ", 3),
        ("b7 r8 r9 rT", 3),
        ("r8 r9 rT bJ", 3),
        ("r7 r8 r9 rT bJ rQ", 5),
        ("bA b7 b8", 3),
        ("rQ rK rA", 3),
        ("r7 r8 r9 rT rJ rQ rK rA", 10),
        ("r7 r8 r9 rT bJ rQ rK rA", 9),
    ],
)
def test_valid_runs(run: str, points: int) -> None:
    assert runs.why_not_run(resolve({}), cards(run)) is None
    assert runs.arrange(cards(run)[::-1]) == cards(run)
    assert points_of(run) == points


@pytest.mark.parametrize(
    "run",
    ["r8 b9 rT", "r8 b9 rT bJ", "8D 8H 9D TD", "8D 8H 9D", "r8 r9", "r8 r9 rJ", "r7 r8 rT rJ"],
)
def test_invalid_runs(run: str) -> None:
    assert runs.why_not_run(resolve({}), cards(run)) == "not_a_run"


def test_flute_bonuses() -> None:
    natural, joker = "r7 r8 r9 rT rJ rQ rK rA", "r7 r8 r9 rT rJ bQ rK rA"
    assert points_of(natural, {"natural_flute_bonus": 4}) == 12
    assert points_of(joker, {"natural_flute_bonus": 4}) == 9
    assert points_of(joker, {"flute_bonus": 0}) == 7


def test_an_eight_card_run_is_written_from_the_seven() -> None:
    assert text_of("meld", cards("rT rJ rQ rK rA r7 r8 r9")) == "meld 7D 8D 9D TD JD QD KD AD"
    assert text_of("meld", cards("r7 r8 rK rA")) == "meld KD AD 7D 8D"


@pytest.mark.parametrize(
    ("rules", "run", "code"),
    [
        ({"wrap": False}, "rK rA r7", "no_wrap"),
        ({"wrap": False}, "rQ rK rA", None),
        ({"joker_ends": False}, "b7 r8 r9 rT", "joker_at_end"),
        ({"joker_ends": False}, "r8 r9 bT rJ", None),
        ({"joker_ends": False}, "b7 r8 r9 rT rJ rQ rK rA", None),
        ({"joker_ends": False, "wrap": False}, "b7 r8 r9 rT rJ rQ rK rA", "joker_at_end"),
        ({"joker_ends": False, "wrap": False}, "r7 b8 r9 rT rJ rQ rK rA", None),
    ],
)
def test_options_of_runs(rules: dict[str, Any], run: str, code: str | None) -> None:
    assert at(rules, run).why(0, "meld " + " ".join(cards(run))) == code


def test_there_are_450_shapes_in_the_order_of_the_action_space() -> None:
    assert len(set(runs.SHAPES)) == 450
    order = [(s.colour, s.length, s.first, -1 if s.joker is None else s.joker) for s in runs.SHAPES]
    assert order == sorted(order)
    assert len({shape.mask for shape in runs.SHAPES}) == 450
    assert ACTIONS == 48 + 450 + 160 + 16 + 1


def test_both_copies_give_one_canonical_run() -> None:
    twin = at({}, "8D 8H 9H TD TH b7")
    assert kinds_of(twin, "meld") == ["meld 8D 9H TD", "meld 7C 8D 9H TD"]
    twin.play(0, "meld TH 9H 8H")
    assert twin.runs == [(0, ["8H", "9H", "TH"])]
    assert twin.hands[0] == ["7C", "8D", "TD"]


# ---- Laying off ----------------------------------------------------------------------------


def lay_offs(rules: dict[str, Any], hand: str, *table: tuple[int, str]) -> list[str]:
    return [text[7:] for text in kinds_of(at(rules, hand, *table), "layoff")]


OWN = (0, "bQ bK bA")


def test_lay_off_at_either_end_and_chains() -> None:
    twin = at({}, "9D TD AD 7C", OWN, (1, "rJ rQ rK"))
    assert kinds_of(twin, "layoff") == ["layoff 7C 0", "layoff TD 1", "layoff AD 1"]
    assert twin.why(0, "layoff 9D 1") == "does_not_fit"
    twin.play(0, "layoff TD 1")
    assert twin.runs[1] == (1, cards("rT rJ rQ rK"))
    assert kinds_of(twin, "layoff") == ["layoff 7C 0", "layoff 9D 1", "layoff AD 1"]
    assert twin.points == [3 - 3, 4 - 1, -1]


def test_seven_cards_take_the_missing_rank_once() -> None:
    run = (1, "rK rA r7 r8 r9 rT rJ")
    assert lay_offs({}, "QD QC 9H", OWN, run) == ["QD 1"]
    assert lay_offs({"wrap": False}, "QD QC 9H", OWN, (1, "r7 r8 r9 rT rJ rQ rK")) == []
    twin = at({}, "QD QH", OWN, run)
    twin.play(0, "layoff QH 1")
    assert twin.runs[1][1] == ["7D", "8D", "9D", "TD", "JD", "QH", "KD", "AD"]
    assert twin.why(0, "layoff QD 1") == "run_closed"
    assert twin.points[1] == 10 - 1


def test_a_card_that_fits_two_runs_is_two_moves() -> None:
    table = (OWN, (1, "r7 r8 r9"), (2, "rJ rQ rK"))
    assert lay_offs({}, "TD TH", *table) == ["TD 1", "TD 2"]
    for number, owner in ((1, 1), (2, 2)):
        twin = at({}, "TD TH", *table)
        before = twin.points[owner]
        twin.play(0, f"layoff TD {number}")
        assert twin.points[owner] == before + 1


def test_lay_off_needs_a_run_of_ones_own() -> None:
    twin = at({}, "TD 7C 8C 9C", (1, "rJ rQ rK"))
    assert twin.why(0, "layoff TD 0") == "not_melded"
    assert twin.why(0, "layoff TD 1") == "no_such_run"
    twin.play(0, "meld 7C 8C 9C")
    assert twin.legal(0)[0] == "layoff TD 0"


def test_jokers_are_laid_off_on_ones_own_run_only_and_once() -> None:
    twin = at({}, "TD TC JC 9D", (0, "rJ rQ rK"), (1, "bQ bK bA"))
    assert kinds_of(twin, "layoff") == ["layoff TC 0", "layoff JC 1", "layoff TD 0"]
    twin.play(0, "layoff TC 0")
    assert twin.why(0, "layoff JC 0") == "does_not_fit"
    assert twin.why(0, "layoff 9D 0") is None
    other = at({}, "9C JD", (0, "bT rJ rQ rK"), (1, "bQ bK bA"))
    assert other.why(0, "layoff 9C 0") == "second_joker"
    assert other.why(0, "layoff JD 1") == "joker_on_others"
    assert at({"own_joker_extend": False}, "TC", (0, "rJ rQ rK")).why(0, "layoff TC 0") == (
        "joker_extend"
    )
    no_ends: dict[str, Any] = {"joker_ends": False}
    assert at(no_ends, "TC", (0, "rJ rQ rK")).why(0, "layoff TC 0") == "joker_at_end"
    seven = (0, "rK rA r7 r8 r9 rT rJ")
    assert at(no_ends, "QC", seven).why(0, "layoff QC 0") is None
    assert at({**no_ends, "own_joker_extend": False}, "QC", seven).why(0, "layoff QC 0") == (
        "joker_extend"
    )
    line = (0, "r7 r8 r9 rT rJ rQ rK")
    assert at({**no_ends, "wrap": False}, "AC", line).why(0, "layoff AC 0") == "joker_at_end"


def test_a_run_with_a_joker_at_its_end_grows_beyond_it() -> None:
    twin = at({}, "9D 7C", (0, "bT rJ rQ rK"))
    twin.play(0, "layoff 9D 0")
    assert twin.runs[0][1] == ["9D", "TC", "JD", "QD", "KD"]
    assert twin.points[0] == 4 - 1


# ---- Exchange ------------------------------------------------------------------------------

HANDS = ["7C 8C 9C TC", "JC QC KC AC", "7D 8D 9D TD", "7H 8H 9H TH"]


def test_proposals_go_counter_clockwise_and_the_dealer_is_last() -> None:
    twin = dealt({"exchange_rounds": 2}, HANDS)
    for seat in (2, 1, 0, 3, 2, 1, 0, 3):
        assert (twin.phase, twin.turn) == ("offer", seat)
        twin.play(seat, "offer -")
    assert (twin.phase, twin.turn, twin.proposals) == ("draw", 0, 8)
    assert dealt({"exchange_rounds": 0}, HANDS).phase == "draw"


def test_accepting_swaps_at_once_and_only_the_two_know() -> None:
    twin = play_all(dealt({}, HANDS), "offer 7D 8D")
    assert (twin.phase, twin.turn, len(twin.hands[2])) == ("answer", 1, 4)
    assert twin.view(1)["offer"] == {"proposer": 2, "receiver": 1, "size": 2, "counter": None}
    assert twin.view(2)["my_offer"] == ["7D", "8D"]
    assert twin.view(1)["my_offer"] is None
    assert "7D" not in str(twin.view(1))
    assert twin.why(1, "accept JC") == "wrong_number"
    assert twin.why(1, "accept JC 7D") == "not_held"
    assert twin.why(1, "counter 2") == "wrong_number"
    assert twin.legal(1)[-2:] == ["decline", "counter 1"]
    twin.play(1, "accept JC QC")
    assert twin.hands[2] == cards("JC QC 9D TD")
    assert twin.hands[1] == cards("KC AC 7D 8D")
    assert twin.view(2)["swaps"] == [[1, ["7D", "8D"], ["JC", "QC"]]]
    assert twin.view(1)["swaps"] == [[2, ["JC", "QC"], ["7D", "8D"]]]
    assert twin.view(0)["swaps"] == []
    assert twin.view(None)["swaps"] == []
    assert (twin.phase, twin.turn) == ("offer", 1)


def test_declining_moves_nothing() -> None:
    twin = play_all(dealt({}, HANDS), "offer 7D", "decline")
    assert (twin.phase, twin.turn) == ("offer", 1)
    twin = play_all(dealt({"others_after_decline": True}, HANDS), "offer 7D", "decline")
    assert (twin.phase, twin.turn) == ("takeover", 0)
    play_all(twin, "stay")
    assert (twin.phase, twin.turn) == ("takeover", 3)
    twin.play(3, "takeover TH")
    assert twin.hands[2] == cards("8D 9D TD TH")
    assert (twin.phase, twin.turn) == ("offer", 1)


def test_counter_take_over_and_stay() -> None:
    twin = play_all(dealt({}, HANDS), "offer 7D 8D 9D", "counter 2", "stay")
    assert (twin.phase, twin.turn) == ("takeover", 3)
    assert twin.legal(3)[-1] == "stay"
    assert len(twin.legal(3)) == 5
    other = twin.copy()
    other.play(3, "takeover 7H 8H 9H")
    assert other.hands[3] == cards("7D 8D 9D TH")
    assert other.hands[1] == cards(HANDS[1])
    twin.play(3, "stay")
    assert (twin.phase, twin.turn) == ("agree", 2)
    assert twin.legal(2) == ["agree 7D 8D", "agree 7D 9D", "agree 8D 9D", "withdraw"]
    assert twin.why(2, "agree 7D TD") == "not_offered"
    twin.play(2, "agree 9D 7D")
    assert (twin.phase, twin.turn) == ("give", 1)
    assert twin.why(1, "decline") == "wrong_phase"
    assert all(text.startswith("accept ") for text in twin.legal(1))
    assert twin.view(1)["offer"] == {"proposer": 2, "receiver": 1, "size": 3, "counter": 2}
    assert twin.view(2)["my_agreed"] == ["7D", "9D"]
    twin.play(1, "accept KC AC")
    assert twin.hands[2] == cards("KC AC 8D TD")


def test_withdraw_and_counter_binding() -> None:
    twin = play_all(dealt({}, HANDS[:2]), "offer 7C 8C", "counter 1")
    assert (twin.phase, twin.turn) == ("agree", 0)
    assert play_all(twin.copy(), "withdraw").turn == 1
    bound = play_all(dealt({"counter_binding": True}, HANDS[:2]), "offer 7C 8C", "counter 1")
    assert bound.legal(0) == ["agree 7C", "agree 8C"]
    assert bound.why(0, "withdraw") == "counter_binding"


def test_with_two_players_nobody_is_asked_after_a_decline() -> None:
    rules = {"others_after_decline": True}
    assert play_all(dealt(rules, HANDS[:2]), "offer 7C", "decline").phase == "offer"


def test_either_copy_may_be_named() -> None:
    twin = dealt({}, ["9C TC", "7D 7H", "8C 8S"])
    assert twin.legal(1) == ["offer -", "offer 7D", "offer 7D 7H"]
    play_all(twin, "offer 7H")
    assert twin.view(1)["my_offer"] == ["7H"]
    assert twin.legal(0) == ["accept 9C", "accept TC", "decline"]


# ---- Drawing, discarding, ending -----------------------------------------------------------


def test_an_illegal_draw_changes_nothing() -> None:
    twin = at({}, "7C 8C", phase="draw", stock=[], pile=["9D", "TD"])
    before = hidden_zones(twin), twin.view(0)
    with pytest.raises(IllegalTwinMove, match="stock_empty"):
        twin.play(0, "draw stock")
    assert (hidden_zones(twin), twin.view(0)) == before
    assert twin.legal(0) == ["draw pile"]
    twin.play(0, "draw pile")
    assert (twin.hands[0], twin.pile) == (["7C", "8C", "TD"], ["9D"])
    assert twin.view(None)["known"] == {"0": ["TD"]}


def test_without_stock_and_pile_the_turn_begins_with_melding() -> None:
    twin = dealt({"exchange_rounds": 0}, [f"{low} {high}" for low, high in PAIRS])
    assert (twin.phase, twin.turn) == ("meld", 0)
    twin.play(0, "discard 7C")
    assert (twin.phase, twin.legal(1)) == ("draw", ["draw pile"])


PAIRS = [
    ("7C 8C 9C TC", "JC QC KC AC"),
    ("7D 8D 9D TD", "JD QD KD AD"),
    ("7H 8H 9H TH", "JH QH KH AH"),
    ("7S 8S 9S TS", "JS QS KS AS"),
]


def test_any_card_of_the_pile() -> None:
    rules = {"draw_from_pile": "any"}
    pile = cards("9H 9D 7C KS")
    twin = at(rules, "8C", phase="draw", pile=pile)
    assert twin.legal(0) == ["draw stock", "draw 7C", "draw 9D", "draw KS"]
    assert twin.why(0, "draw pile") == "name_the_card"
    assert twin.why(0, "draw QS") == "not_in_pile"
    twin.play(0, "draw 9H")
    assert twin.pile == cards("9D 7C KS")
    assert twin.why(0, "discard 9H") == "drawn_kind"
    assert at({}, "8C", phase="draw", pile=pile).why(0, "draw KS") == "top_card_only"


def test_neither_copy_of_the_kind_just_taken_may_be_discarded() -> None:
    twin = play_all(at({}, "8C TD", phase="draw", pile=["TH"]), "draw pile")
    assert [twin.why(0, f"discard {c}") for c in cards("8C TD TH")] == [
        None,
        "drawn_kind",
        "drawn_kind",
    ]
    twin = play_all(at({"discard_drawn": True}, "TD", phase="draw", pile=["TH"]), "draw pile")
    assert twin.legal(0) == ["discard TD", "end"]


def test_a_card_from_the_stock_may_be_discarded_at_once() -> None:
    twin = at({}, "8C", phase="draw", stock=["TH", "9H"], pile=["7C"])
    twin.play(0, "draw stock")
    assert twin.view(1)["known"] == {}
    assert twin.view(1)["drawn"] is None
    assert "TH" not in str(twin.view(1))
    twin.play(0, "discard TH")
    assert twin.pile == ["7C", "TH"]


def test_discard_mandatory() -> None:
    rules = {"discard_mandatory": True}
    assert at(rules, "8C 9D").why(0, "end") == "must_discard"
    twin = play_all(at(rules, "TD", phase="draw", pile=["TH"]), "draw pile")
    assert twin.legal(0) == ["end"]
    twin = at(rules, "8C 9C TC")
    twin.play(0, "meld 8C 9C TC")  # going out needs no discard
    assert twin.deal_number == 1
    assert at({}, "8C 9D").legal(0) == ["discard 8C", "discard 9D", "end"]


def test_one_meld_per_turn() -> None:
    twin = at({"one_meld_per_turn": True}, "7C 8C 9C TC 7D 8D 9D KD")
    twin.play(0, "meld 7C 8C 9C")
    assert twin.why(0, "meld 7D 8D 9D") == "one_meld_per_turn"
    assert "layoff TC 0" in twin.legal(0)
    assert kinds_of(twin, "meld") == []


def test_there_is_no_new_stock_by_default() -> None:
    twin = at({}, "8C 9C", stock=[], pile=["7C"])
    twin.play(0, "discard 9C")
    assert (twin.stock, twin.pile, twin.legal(1)) == ([], ["7C", "9C"], ["draw pile"])


def test_turning_the_pile_over() -> None:
    twin = at({"stock_refill": "turn_over"}, "8C 9C", stock=[], pile=["7C", "AH"])
    assert twin.view(None)["stock"] is None
    twin.play(0, "discard 9C")
    assert (twin.stock, twin.pile, twin.turned_over) == (["7C", "AH", "9C"], [], True)
    assert twin.view(2)["stock"] == ["7C", "AH", "9C"]
    assert twin.legal(1) == ["draw stock"]
    twin.play(1, "draw stock")
    assert twin.view(None)["known"] == {"1": ["7C"]}
    assert not twin.progress
    assert twin.why(1, "discard 7C") is None
    twin.play(1, "discard 7C")
    assert twin.view(None)["known"] == {}


# ---- The end of a deal ---------------------------------------------------------------------

FIRST_ROUND: dict[str, Any] = {"exchange_rounds": 0, "max_deals": 1, "hand_size": 3}


def test_going_out_in_the_first_round_gives_last_turns() -> None:
    hands = ["7C 8C 9C", "7D 8D 9D", "KS QH TC"]
    twin = dealt(FIRST_ROUND, hands, "JC JD")
    play_all(twin, "draw stock", "meld 7C 8C 9C", "discard JC")
    assert (twin.phase, twin.turn, twin.last_turns) == ("meld", 1, [1, 2])
    assert twin.why(1, "draw stock") == "wrong_phase"
    assert twin.legal(1) == ["meld 7D 8D 9D", "end"]
    assert twin.why(1, "discard 7D") == "last_turn"
    twin.play(1, "meld 7D 8D 9D")  # the second to go out: the third still has its turn
    assert (twin.turn, twin.last_turns) == (2, [2])
    assert twin.why(2, "layoff TC 0") == "not_melded"
    assert twin.legal(2) == ["end"]
    twin.play(2, "end")
    assert (twin.over, twin.scores, twin.winners) == (True, [3, 3, -3], [0, 1])
    assert (twin.turns_taken, twin.last_turns) == (1, [])


def test_last_turns_end_without_discard_though_it_is_mandatory() -> None:
    twin = dealt({**FIRST_ROUND, "discard_mandatory": True}, ["7C 8C 9C", "KS QH TC", "KC QC 7H"])
    card = twin.stock[0]
    play_all(twin, "draw stock", "meld 7C 8C 9C", f"discard {card}")
    assert twin.legal(1) == ["end"]


def test_the_last_seat_of_the_first_round_ends_the_deal_at_once() -> None:
    twin = dealt(FIRST_ROUND, ["KS QH TC", "KC QC 7H", "7C 8C 9C"], "AH TH JC")
    play_all(twin, "draw stock", "end", "draw stock", "end")
    play_all(twin, "draw stock", "meld 7C 8C 9C", "discard JC")
    assert twin.over
    assert twin.scores == [-4, -4, 3]


def test_no_last_turns_in_later_rounds() -> None:
    twin = at({"max_deals": 1}, "8C 9C TC")
    twin.play(0, "meld 8C 9C TC")
    assert (twin.over, twin.scores) == (True, [3, -1, -1])


def test_a_joker_scores_nothing_in_a_run_and_minus_one_in_hand() -> None:
    twin = at({}, "8D 9D TC JD 7S 9S")
    assert twin.points[0] == -6
    twin.play(0, "meld 8D 9D TC JD")
    assert twin.points[0] == 3 - 2


def test_nothing_melded_and_eight_cards_is_minus_eight() -> None:
    twin = VonHerzenTwin({"players": 4, "exchange_rounds": 0, "max_deals": 1})
    while not twin.over:
        assert twin.turn is not None
        twin.play(twin.turn, "end")
    assert twin.scores == [-8] * 4
    assert twin.winners == [0, 1, 2, 3]
    assert twin.hand_result is not None
    assert twin.hand_result["blocked"]
    assert twin.turns_taken == 8


@pytest.mark.parametrize(("limit", "idle"), [("2n", 6), (1, 1), (4, 4)])
def test_blocked_after_idle_turns(limit: object, idle: int) -> None:
    rules = resolve({"blocked_after": limit})
    assert is_blocked(rules, idle, 50)
    assert not is_blocked(rules, idle - 1, 5000)
    assert is_blocked(resolve({"blocked_after": None}), 0, 1000)
    assert not is_blocked(resolve({"blocked_after": None}), 999, 999)


def test_what_makes_a_turn_idle() -> None:
    rules: dict[str, Any] = {"exchange_rounds": 0, "blocked_after": 2, "max_deals": 1}
    twin = dealt({**rules, "turn_up": True}, ["8C 9C TC KD", "7C JC QC KC", "7S 8S 9S TS"])
    play_all(twin, "draw pile", "end")
    assert twin.idle_turns == 1
    play_all(twin, "draw stock", "end")
    assert twin.idle_turns == 0
    play_all(twin, "draw stock", "end", "draw stock", "meld 8C 9C TC", "discard KD")
    twin.stock = []
    twin.phase = "draw"
    play_all(twin, "draw pile", "discard 7C")
    assert (twin.over, twin.idle_turns) == (False, 1)
    twin.play(2, "draw pile")
    twin.play(2, "end")
    assert twin.over


def test_a_guard_ends_a_deal_that_is_never_idle() -> None:
    rules = {"players": 2, "exchange_rounds": 0, "blocked_after": None, "max_deals": 1}
    twin = VonHerzenTwin(rules, 3)
    while not twin.over:
        assert twin.turn is not None
        moves = twin.legal(twin.turn)
        twin.play(twin.turn, moves[0] if twin.phase == "draw" else moves[-1])
    assert twin.turns_taken == 1000


# ---- Match ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "deals"),
    [
        ({}, 6),
        ({"players": 4, "full_rounds": 1}, 4),
        ({"max_deals": 4}, 4),
        ({"max_deals": 40}, 6),
    ],
)
def test_a_match_is_so_many_full_rounds(rules: dict[str, Any], deals: int) -> None:
    assert deals_of(resolve(rules)) == deals
    twin = VonHerzenTwin(rules, 6)
    dealers = [twin.dealer]
    while not twin.over:
        number = twin.deal_number
        twin.random_move()
        if twin.deal_number != number:
            dealers.append(twin.dealer)
    assert dealers == [(twin.n - 1 + k) % twin.n for k in range(deals)]
    assert twin.winners == [s for s in twin.seats if twin.scores[s] == max(twin.scores)]
    assert (twin.turn, twin.to_move, twin.legal(0), twin.why(0, "end")) == (
        None,
        [],
        [],
        "game_over",
    )


# ---- Moves, codes, actions -----------------------------------------------------------------


def test_texts_that_are_no_move() -> None:
    texts = ["", "hello", "offer", "offer 7C 7C", "offer 2C", "accept", "counter 0", "counter 8"]
    texts += ["counter 12", "draw", "draw 7C 8C", "layoff 7C", "layoff 7C 10", "end now", "meld -"]
    assert [text for text in texts if read(text) is not None] == []
    assert VonHerzenTwin({}).why(1, "hello") == "unknown_move"
    assert VonHerzenTwin({}).why(0, "hello") == "not_your_turn"


def test_sets_are_listed_by_mask_and_once_for_each_choice_of_kinds() -> None:
    assert choices(cards("7C 7S 8D")) == [
        [],
        ["7C"],
        ["8D"],
        ["7C", "8D"],
        ["7C", "7S"],
        ["7C", "8D", "7S"],
    ]
    assert choices(cards("7S 8D 8H"), 2) == [["8D", "8H"], ["8D", "7S"]]
