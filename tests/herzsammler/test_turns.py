"""S-TURN, S-TAKE and S-MISS: showing a card, taking, filling up, missing."""

from __future__ import annotations

import pytest

import herzen
from herzen.herzsammler import Herzsammler, Show
from tests.herzsammler.table import (
    EXAMPLE_OPEN,
    cards,
    example,
    found,
    kinds,
    legal,
    middle,
    refused,
    small,
    texts,
)

# ---- a turn --------------------------------------------------------------------------------------------------


def test_the_top_card_is_drawn() -> None:
    """S-TURN-1: at the start of a turn the seat draws the top card by itself and holds 3 cards."""
    game = small(
        "R1ab R2ab", "B1cd B2cd", open="G1ac G2ef G3ef G4ef G5ef G6ef", stack="Y1gh Y2gh Y3gh"
    )
    assert texts(game.hand(0)) == ["R1ab", "R2ab", "Y1gh"]
    assert game.hand_sizes == (3, 2)
    events = game.play("show R1ab")
    assert kinds(events) == ["Shown", "Taken", "Drawn"]
    assert (found(events, "Drawn").seat, str(found(events, "Drawn").card)) == (1, "Y2gh")
    assert texts(game.hand(1)) == ["B1cd", "B2cd", "Y2gh"]
    assert game.hand_sizes == (2, 3)


def test_any_card_may_be_shown() -> None:
    """S-TURN-2: every card of the hand, a deliberate miss too; it is the only decision."""
    game = example()
    assert game.phase == "show"
    assert legal(game) == ["show RHcd", "show BHfj", "show V5aj"]
    assert legal(game, 1) == []
    missing = small(
        "R1ab R2ab", "B1cd B2cd", open="G1ac G2ef G3ef G4ef G5ef G6ef", stack="Y1gh Y2gh Y3gh"
    )
    assert legal(missing) == ["show R1ab", "show R2ab", "show Y1gh"]
    assert kinds(missing.play("show Y1gh")) == ["Shown", "Missed", "Drawn"]


def test_a_card_that_is_not_held() -> None:
    """S-TURN-2: a card in another hand, open, or in the stack is refused in the same words."""
    game = example()
    for card in ("G1be", "RHah", "R1dh"):
        assert refused(game, f"show {card}", "not_held") == f"seat 0 does not hold {card}"


def test_must_match() -> None:
    """S-TURN-3: if any move takes a card, only such moves are legal; without one every card is."""
    zones = {"open": "G1ac G2ef G3ef G4ef G5ef G6ef", "stack": "Y1gh Y2gh Y3gh"}
    assert legal(small("R1ab R2ij", "B1cd B2cd", **zones)) == [
        "show R1ab",
        "show R2ij",
        "show Y1gh",
    ]
    game = small("R1ab R2ij", "B1cd B2cd", **zones, must_match=True)
    assert legal(game) == ["show R1ab"]
    assert "must take an open card where it can: show R1ab" in refused(
        game, "show Y1gh", "must_match"
    )
    stuck = small("R1bi R2ij", "B1cd B2cd", **zones, must_match=True)
    assert legal(stuck) == ["show R1bi", "show R2ij", "show Y1gh"]


def test_must_match_with_choose_object() -> None:
    """S-TURN-3, S-TURN-4: with both options it is the move, not the card, that must take."""
    game = example(must_match=True, choose_object=True)
    assert legal(game) == [
        "show RHcd by d",
        "show BHfj by f",
        "show BHfj by j",
        "show V5aj by a",
        "show V5aj by j",
    ]
    assert "must take" in refused(game, "show RHcd by c", "must_match")


def test_choose_object() -> None:
    """S-TURN-4: one move for each card and object, both offered although they take the same; a double has one."""
    game = small(
        "R1ab R2cc",
        "B1cd B2cd",
        open="G1ab G2ef G3ef G4ef G5ef G6ef",
        stack="Y1gh Y2gh Y3gh",
        choose_object=True,
    )
    assert legal(game) == [
        "show R1ab by a",
        "show R1ab by b",
        "show R2cc by c",
        "show Y1gh by g",
        "show Y1gh by h",
    ]
    assert list(game.codes()) == [0, 1, 2, 20, 21]
    copies = [game.copy(), game.copy()]
    for copy, letter in zip(copies, "ab", strict=True):
        copy.play(Show(game.hand(0)[0], letter))
    assert copies[0] == copies[1]


@pytest.mark.parametrize(
    ("choose", "move"),
    [
        (False, "show V5aj by a"),
        (False, "show V5aj by b"),
        (False, "show V9aj"),
        (False, "V5aj aj"),
        (False, "show"),
        (False, ""),
        (False, "play V5aj"),
        (False, "show V5aj " + "x" * 100),
        (False, 2 * 80 + 1),
        (False, 180),
        (False, -1),
        (False, 2**70),
        (True, "show V5aj"),
        (True, "show V5aj by b"),
        (True, "show V5aj by"),
        (True, 180),
    ],
)
def test_what_is_no_move(choose: bool, move: str | int) -> None:
    """S-TURN-4: an object is always named under choose_object and never without; other texts are no move."""
    refused(example(choose_object=choose), move, "unknown_move")


def test_moves_of_the_other_form_are_no_moves() -> None:
    """S-TURN-4: the same holds for move objects; wrong types are a TypeError."""
    refused(example(), Show("V5aj", "a"), "unknown_move")
    refused(example(choose_object=True), Show("V5aj"), "unknown_move")
    for wrong in (None, 1.0, True, b"show V5aj"):
        with pytest.raises(TypeError):
            example().play(wrong)  # type: ignore[arg-type]


def test_lenient_texts() -> None:
    """S-TURN-4: runs of blanks, other cases and the other order of letters are read; codes are 2·id + k."""
    assert str(example().parse("  SHOW   v5ja ")) == "show V5aj"
    chosen = example(choose_object=True)
    assert chosen.parse("show v5aj BY J").code == 2 * 80 + 1
    assert [move.code for move in chosen.legal_moves()] == list(chosen.codes())
    assert [str(chosen.parse(str(move))) for move in chosen.legal_moves()] == legal(chosen)


def test_the_seat_to_the_left_is_next() -> None:
    """S-TURN-5: after a taking and after a miss; nobody is skipped, and others may not act."""
    game = example()
    assert "it is not seat 1's turn" in refused(game, "show G1be", "not_your_turn", seat=1)
    game.play("show BHfj")
    assert game.turn == 1
    refused(game, "show RHcd", "not_your_turn", seat=0)


def test_order_of_checks() -> None:
    """S-TURN-6: the match over, then the version, the turn, the text, the card, the rule."""
    game = example(must_match=True)
    for move, seat, expect, code in (
        ("no move", 1, 5, "stale"),
        ("no move", 1, None, "not_your_turn"),
        ("no move", 0, None, "unknown_move"),
        ("show G1be", 0, None, "not_held"),
    ):
        with pytest.raises(herzen.IllegalMove) as caught:
            game.play(move, seat=seat, expect=expect)
        assert caught.value.code == code
    with pytest.raises(IndexError):
        game.play("show V5aj", seat=2)


def test_a_refused_move_changes_nothing() -> None:
    """S-TURN-6, row 43: after refused moves of every kind the legal ones still work as before."""
    game, plain = example(must_match=True), example(must_match=True)
    refused(game, "show RHah", "not_held")
    refused(game, "nonsense", "unknown_move")
    refused(game, "show G1be", "not_your_turn", seat=1)
    assert game.play("show V5aj") == plain.play("show V5aj")
    assert game == plain


# ---- taking --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "taken", "filled"),
    [
        ("RHcd", "BHdh", 0),
        ("BHfj", "YHef B1ij", 1),
        ("V5aj", "RHah G3ae B1ij", 2),
        ("V5aj by a", "RHah G3ae", 1),
        ("V5aj by j", "B1ij", 0),
        ("RHcd by c", "", None),
    ],
)
def test_the_worked_example(move: str, taken: str, filled: int | None) -> None:
    """S-TAKE-1, S-TAKE-2, S-TAKE-5, S-MISS-2: every row of the worked example."""
    game = example(choose_object=" by " in move)
    size, top = game.stack_size, texts(game.record().setup["stack"])
    events = game.play(f"show {move}")
    if filled is None:
        assert kinds(events) == ["Shown", "Missed", "Drawn"]
        assert (game.collections[0], texts(game.open)) == ((), EXAMPLE_OPEN.split())
        assert (game.stack_size, texts(game.bottom)) == (size, ["RHcd"])  # one under it, one drawn
        return
    assert texts(found(events, "Taken").cards) == cards(taken)
    assert texts(game.collections[0]) == cards(taken)
    opened = top[:filled]
    assert ("Opened" in kinds(events)) == bool(filled)
    if filled:
        assert texts(found(events, "Opened").cards) == opened
    left = [card for card in EXAMPLE_OPEN.split() if card not in cards(taken)]
    assert sorted(texts(game.open)) == sorted([*left, move.split()[0], *opened])
    assert str(found(events, "Drawn").card) == top[filled]
    assert game.stack_size == size - filled - 1


def test_must_match_forbids_the_last_row() -> None:
    """S-TURN-3: under must_match the miss of the worked example is illegal."""
    refused(example(choose_object=True, must_match=True), "show RHcd by c", "must_match")
    assert example(choose_object=True).is_legal("show RHcd by c")


def test_all_that_matches_is_taken() -> None:
    """S-TAKE-1: with six matching cards all six are taken; nothing is left lying."""
    game = small(
        "R1ab R2cd", "B1cd B2cd", open="G1ac G2ad G3ae G4bf G5bg G6ab", stack="Y1gh " + "Y2gh " * 7
    )
    game.play("show R1ab")
    assert texts(game.collections[0]) == ["G1ac", "G2ad", "G3ae", "G4bf", "G5bg", "G6ab"]
    assert sorted(texts(game.open)) == ["R1ab"] + ["Y2gh"] * 5


def test_only_the_named_object_takes() -> None:
    """S-TAKE-2: with choose_object cards with the other object stay."""
    game = small(
        "R1ab R2cd",
        "B1cd B2cd",
        open="G1ac G2bd G3ab G4cf G5cg G6hi",
        stack="Y1gh Y2gh Y3gh Y4gh",
        choose_object=True,
    )
    game.play("show R1ab by b")
    assert texts(game.collections[0]) == ["G2bd", "G3ab"]


def test_collections_are_open() -> None:
    """S-TAKE-3: taken cards lie in the seat's collection, which all see; each seat has its own."""
    game = example()
    game.play("show V5aj")
    game.play("show G1be")  # no b or e is left but Y3bg and YHef
    assert texts(game.collections[0]) == ["RHah", "G3ae", "B1ij"]
    assert {"Y3bg", "YHef"} <= set(texts(game.collections[1]))
    for viewer in (0, 1, None):
        assert game.view(viewer).collections == game.collections


def test_the_shown_card_stays() -> None:
    """S-TAKE-4: the shown card becomes an open card, although it matches itself; the next seat may take it."""
    game = small(
        "R1ab R2ab",
        "B1ax B2cd".replace("x", "i"),
        open="G1ac G2ef G3ef G4ef G5ef G6ef",
        stack="Y1gh Y2gh Y3gh",
    )
    game.play("show R1ab")
    assert "R1ab" in texts(game.open)
    assert texts(game.collections[0]) == ["G1ac"]
    game.play("show B1ai")
    assert texts(game.collections[1]) == ["R1ab"]


@pytest.mark.parametrize("taken", range(1, 7))
def test_filled_to_six(taken: int) -> None:
    """S-TAKE-5: t cards taken: t-1 filled, so with the card drawn the stack is t smaller."""
    lying = ["G1ac", "G2ad", "G3ae", "G4bf", "G5bg", "G6bh"][:taken] + ["G9ij"] * (6 - taken)
    stack = "Y1kl Y2kl Y3kl Y4kl Y5kl Y6kl Y7kl Y8kl Y9kl"
    game = small("R1ab R2ab", "B1cd B2cd", open=" ".join(lying), stack=stack)
    before = 9  # before the card was drawn
    events = game.play("show R1ab")
    told = [
        str(card) for event in events if type(event).__name__ == "Opened" for card in event.cards
    ]
    assert told == stack.split()[1:taken]
    assert len(game.open) == 6
    assert game.stack_size == before - taken - 1  # the next seat has drawn too


def test_all_that_are_left_are_opened() -> None:
    """S-TAKE-6: a stack too small for the fill is opened to the last card."""
    game = small(
        "R1ab R2ab", "B1cd B2cd", open="G1ac G2ad G3ae G4af G5ef G6ef", stack="Y1gh Y2gh Y3gh"
    )
    events = game.play("show R1ab")
    assert texts(found(events, "Opened").cards) == ["Y2gh", "Y3gh"]
    assert sorted(texts(game.open)) == ["G5ef", "G6ef", "R1ab", "Y2gh", "Y3gh"]
    assert game.stack_size == 0


# ---- missing -------------------------------------------------------------------------------------------------


def missing(stack: str = "Y1gh Y2gh Y3gh", **fields: object) -> Herzsammler:
    return small(
        "R1ab R2ab", "B1cd B2cd", open="G1ef G2ef G3ef G4ef G5ef G6ef", stack=stack, **fields
    )


def test_a_miss_goes_under_the_stack() -> None:
    """S-MISS-1: the card goes under the stack, seen by all; no fill; the stack is as large as before the turn."""
    game = missing()
    before = game.stack_size + 1  # the first seat has drawn
    events = game.play("show R1ab")
    assert kinds(events) == ["Shown", "Missed", "Drawn"]
    assert (str(events[1].card), events[1].misses) == ("R1ab", 1)
    assert game.stack_size + 1 == before
    assert texts(game.bottom) == ["R1ab"]
    assert texts(game.open) == ["G1ef", "G2ef", "G3ef", "G4ef", "G5ef", "G6ef"]
    assert game.collections == ((), ())
    for viewer in (0, 1, None):
        assert str(game.events(viewer)[-2].card) == "R1ab"


def test_a_miss_by_the_named_object() -> None:
    """S-MISS-2: a named object that is on no open card is a miss, even if the other would match."""
    game = example(choose_object=True)
    game.play("show RHcd by c")
    assert (texts(game.bottom), game.misses) == (["RHcd"], 1)
    other = example(choose_object=True)
    other.play("show RHcd by d")
    assert texts(other.collections[0]) == ["BHdh"]


def test_the_stack_is_a_queue() -> None:
    """S-MISS-3: missed cards are drawn in the order in which they were missed."""
    game = missing(stack="Y1gh Y2gh")
    game.play("show R1ab")  # seat 1 draws Y2gh
    assert texts(game.bottom) == ["R1ab"]
    events = game.play("show B1cd")  # seat 0 draws R1ab
    assert str(found(events, "Drawn").card) == "R1ab"
    assert texts(game.bottom) == ["B1cd"]
    events = game.play("show Y1gh")
    assert str(found(events, "Drawn").card) == "B1cd"
    longer = missing()
    longer.play("show R1ab")
    longer.play("show B1cd")
    assert texts(longer.bottom) == ["R1ab", "B1cd"]


def test_row_47_the_last_card_of_the_stack() -> None:
    """S-MISS-4, row 47: the last card drawn, no match: its card is the whole stack, and the next seat draws it."""
    for end in ("empty", "short"):
        game = missing(stack="Y1gh", end=end)
        assert (game.stack_size, len(game.hand(0))) == (0, 3)
        events = game.play("show R2ab")
        assert kinds(events) == ["Shown", "Missed", "Drawn"]
        drawn = found(events, "Drawn")
        assert (drawn.seat, str(drawn.card), drawn.known) == (1, "R2ab", True)
        assert (game.stack_size, game.bottom, game.over) == (0, (), False)
        assert texts(game.hand(1)) == ["R2ab", "B1cd", "B2cd"]


def test_forced_steps() -> None:
    """S-TURN-2: play_forced shows a card that is the only move and stops at a choice; the mover alone is told."""
    game = small(
        "R1ab R1ab", "B1cd B2cd", open="G1ac G2ef G3ef G4ef G5ef G6ef", stack="R1ab Y2gh Y3gh Y4gh"
    )
    assert legal(game) == ["show R1ab"]
    events = game.play_forced()
    assert events[0].automatic is True
    assert game.turn == 1
    assert game.play_forced() == ()
    assert game.events(0)[2].automatic is True
    assert game.events(1)[2].automatic is None
    middle_game = middle("R3af R3eh R4bj", "R4fg R5cj", open="RHah RHbe RHcd RHce RHdf RHfi")
    assert middle_game.play("show R3af")[0].automatic is False
