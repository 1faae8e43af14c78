"""Melding and laying off: V-MELD, V-LAY."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from herzen.vonherzen import VonHerzen
from tests.vonherzen.table import (
    FLUTE,
    JOKER_FLUTE,
    at,
    cards,
    found,
    in_order,
    kinds,
    legal,
    play,
    refused,
    run_of,
    texts,
)

OWN = (0, "bQ bK bA")
"""A run that lets seat 0 lay off; red cards that are no queen, king, ace, J or 7 do not go on it."""


def meld_text(run: str) -> str:
    return "meld " + " ".join(cards(run))


def may_meld(run: str, **fields: Any) -> bool:
    """Whether a hand of these cards, and one that is of no use, may lay just this run."""
    spare = next(card for card in ("7S", "8S", "9S", "TS") if card not in cards(run))
    game = at(f"{run} {spare}", **fields)
    listed = [in_order(text.split()[1:]) for text in legal(game, "meld")]
    assert game.is_legal(meld_text(run)) == (in_order(lower(run)) in listed)
    return game.is_legal(meld_text(run))


def lower(run: str) -> list[str]:
    """The cards of a run with the lower copies."""
    return cards(run.replace("R", "r").replace("B", "b"))


def test_melds_and_lay_offs_in_any_order() -> None:
    """V-MELD-1: after the draw any number of both, in any order."""
    game = at("b7 b8 b9 r7 r8 r9 rT B7 R7 bJ", (1, "bQ bK bA"))
    events = play(
        game, "meld b7 b8 b9", "layoff bJ 0", "meld r7 r8 r9", "layoff rT 2", "discard R7"
    )
    assert kinds(events) == ["Melded", "LaidOff", "Melded", "LaidOff", "Discarded"]
    assert [owner for _, owner, _ in game.runs] == [1, 0, 0]
    assert texts(game.hand(0)) == cards("B7")


@pytest.mark.parametrize(
    "run",
    [
        *("r8 r9 rT", "rK rA r7", "rA r7 r8", "bA b7 b8", "rQ rK rA", "r7 r8 r9 rT"),
        *("bT bJ bQ bK bA b7 b8", FLUTE),
    ],
)
def test_runs_of_one_colour(run: str) -> None:
    """V-MELD-2: 3 to 8 cards of one colour, consecutive in the ring of ranks."""
    assert may_meld(run)


@pytest.mark.parametrize(
    "run",
    [
        *("r8 r9", "r8 r9 rJ", "r7 r8 rT rJ", "r8 R8 r9", "r8 R8 r9 rT", "r7 rA", "r8 r9 bQ"),
        "r7 r8 r9 rT rJ rQ rK rA R7",
    ],
)
def test_what_is_no_run(run: str) -> None:
    """V-MELD-2, row 37: too few or too many cards, a hole, a rank twice."""
    refused(at(f"{run} bK"), meld_text(run), "not_a_run")


def test_both_copies_make_one_canonical_run() -> None:
    """V-MELD-2, V-CARD-3, row 37: a hand with both red 8s lists one run."""
    game = at("r8 R8 r9 rT bK BQ")
    assert legal(game, "meld") == ["meld 8D 9D TD"]
    refused(game, "meld r8 R8 r9 rT", "not_a_run")
    assert game.is_legal("meld 8H 9D TD")


@pytest.mark.parametrize(
    ("run", "place"),
    [
        *(("r8 r9 bT rJ", 2), ("b7 r8 r9 rT", 0), ("r8 r9 rT bJ", 3), ("r8 b9 rT rJ", 1)),
        *(("r7 r8 r9 rT bJ rQ", 4), ("bA b7 r8 b9", 2), ("rK bA r7 r8", 1), (JOKER_FLUTE, 4)),
    ],
)
def test_a_joker_anywhere(run: str, place: int) -> None:
    """V-MELD-3, row 31: one card of the other colour with the right rank, at any place."""
    assert may_meld(run)
    game = at(f"{run} B8 B9")
    play(game, meld_text(run))
    laid = run_of(game, 0)
    assert laid == cards(run)
    reds = [card[1] in "DH" for card in laid]
    assert [index for index, red in enumerate(reds) if reds.count(red) == 1] == [place]


@pytest.mark.parametrize(
    "run",
    ["r8 b9 rT", "r8 b9 rT bJ", "r8 r9 b8 rT", "r7 r8 r9 bJ", "b7 r8 r9 rT bJ", "r8 r9 bT"],
)
def test_jokers_that_make_no_run(run: str) -> None:
    """V-MELD-3, row 31: three real cards at least, one joker at most, of the right rank."""
    refused(at(f"{run} rK"), meld_text(run), "not_a_run")


@pytest.mark.parametrize(
    ("laid", "valid"),
    [
        ("rK rA r7", True),
        ("r8 r9 bT rJ", True),
        ("b7 r8 r9 rT", True),
        ("r8 r9 rT bJ", True),
        ("r8 b9 rT", False),
        ("r8 b9 rT bJ", False),
        ("r8 R8 r9 rT", False),
        ("r7 r8 r9 rT bJ rQ", True),
    ],
)
def test_the_table_of_runs(laid: str, valid: bool) -> None:
    """V-MELD-2, V-MELD-3: the examples of the rules page."""
    game = at(f"{laid} B8 B9")
    assert game.is_legal(meld_text(laid)) == valid
    assert (
        in_order(cards(laid)) in [in_order(m.split()[1:]) for m in legal(game, "meld")]
    ) == valid


def test_a_joker_stays() -> None:
    """V-MELD-4: no move replaces a joker or takes it back."""
    game = at("rT RT r7 bT b9", (0, "r8 r9 BT rJ"))
    assert legal(game, "layoff") == ["layoff 7D 0"]
    refused(game, "layoff rT 0", "does_not_fit")
    play(game, "layoff r7 0")
    assert run_of(game, 0) == ["7D", "8D", "9D", "TS", "JD"]


def test_the_order_of_a_run() -> None:
    """V-MELD-5: any order is accepted; written upwards from the first rank, eight cards from the 7."""
    for order in itertools.permutations(cards("rK rA r7 r8")):
        game = at("rK rA r7 r8 bJ")
        play(game, "meld " + " ".join(order))
        assert run_of(game, 0) == ["KD", "AD", "7D", "8D"]
    shuffled = "rT rQ rA r8 rJ rK r9 r7"
    game = at(f"{shuffled} bJ")
    events = play(game, meld_text(shuffled))
    assert run_of(game, 0) == cards(FLUTE)
    assert texts(found(events, "Melded").cards) == cards(FLUTE)


def test_an_eight_card_run_starts_at_the_seven_however_it_came() -> None:
    """V-MELD-5: also when the eighth card is laid off, at either end, with a joker before it."""
    for first, missing in ((0, "rA"), (3, "r9"), (6, "rQ"), (4, "rT")):
        ranks = FLUTE.split()
        run = [ranks[(first + place) % 8] for place in range(7)]
        assert missing not in run
        game = at(
            f"{missing} b8", (1, " ".join(run)), OWN if "Q" not in missing else (0, "b9 bT bJ")
        )
        play(game, f"layoff {missing} 0")
        assert run_of(game, 0) == cards(FLUTE)
    joker = at("rQ B8", (0, "rK rA b7 r8 r9 rT rJ"))
    play(joker, "layoff rQ 0")
    assert run_of(joker, 0) == cards("b7 r8 r9 rT rJ rQ rK rA")
    assert joker.points[0] == 9 - 1
    refused(joker, "layoff B8 0", "run_closed")


def test_runs_are_numbered_over_the_table() -> None:
    """V-MELD-6: from 0 in the order melded, whoever owns them."""
    game = at("b7 b8 b9 r7 r8 r9 R7 R9", (2, "rJ rQ rK"), (1, "bJ bQ bK"))
    play(game, "meld r7 r8 r9", "meld b7 b8 b9")
    assert [(number, owner) for number, owner, _ in game.runs] == [(0, 2), (1, 1), (2, 0), (3, 0)]
    refused(game, "layoff R7 4", "no_such_run")
    assert game.melded == (0, 1, 2)


def test_no_wrapping() -> None:
    """V-MELD-7: wrap=False: nothing before 7 or after A, melded or laid off."""
    for run in ("rK rA r7", "rA r7 r8", "rK rA b7 r8"):
        refused(at(f"{run} bJ", wrap=False), meld_text(run), "no_wrap")
        assert not may_meld(run, wrap=False)
    for run in ("rQ rK rA", "r7 r8 r9", FLUTE, JOKER_FLUTE):
        assert may_meld(run, wrap=False)
    game = at("r7 r9 rA b7", (0, "rT rJ rQ rK"), (1, "R7 R8 R9"), wrap=False)
    assert legal(game, "layoff") == ["layoff 9D 0", "layoff AD 0"]
    play(game, "layoff rA 0")
    refused(game, "layoff r7 0", "does_not_fit")
    refused(game, "layoff r9 1", "does_not_fit")


@pytest.mark.parametrize(
    ("run", "wrap", "code"),
    [
        ("b7 r8 r9 rT", True, "joker_at_end"),
        ("r8 r9 rT bJ", True, "joker_at_end"),
        ("r8 r9 bT rJ", True, None),
        ("r8 r9 rT rJ", True, None),
        ("b7 r8 r9 rT rJ rQ rK rA", True, None),
        ("r7 r8 r9 rT rJ rQ rK bA", True, None),
        ("b7 r8 r9 rT rJ rQ rK rA", False, "joker_at_end"),
        ("r7 r8 r9 rT rJ rQ rK bA", False, "joker_at_end"),
        ("r7 b8 r9 rT rJ rQ rK rA", False, None),
    ],
)
def test_jokers_inside(run: str, wrap: bool, code: str | None) -> None:
    """V-MELD-8: joker_ends=False: real cards on both sides; a closed ring has no ends, a line of eight has."""
    fields = {"joker_ends": False, "wrap": wrap}
    assert may_meld(run, **fields) == (code is None)
    if code:
        refused(at(f"{run} B9", **fields), meld_text(run), code)  # type: ignore[arg-type]


def test_one_meld_a_turn() -> None:
    """V-MELD-9: one_meld_per_turn: one new run a turn; lay-offs are not limited; the next turn is free again."""
    game = at("b7 b8 b9 bT r7 r8 r9 rK", one_meld_per_turn=True)
    play(game, "meld b7 b8 b9")
    refused(game, "meld r7 r8 r9", "one_meld_per_turn")
    assert legal(game, "meld") == []
    assert "layoff TC 0" in legal(game)
    play(game, "layoff bT 0", "end", "draw stock", "end", "draw stock", "end", "draw stock")
    assert "meld 7D 8D 9D" in legal(game)


# ---- laying off ----------------------------------------------------------------------------------


def lay_offs(hand: str, *runs: tuple[int, str], **fields: Any) -> list[str]:
    """What seat 0 may lay off: "card run"."""
    return [text[7:] for text in legal(at(f"{hand} B8", *runs, **fields), "layoff")]


def test_laying_off_needs_a_run_of_ones_own() -> None:
    """V-LAY-1: any run of the table at either end, once the seat has melded itself, this turn included."""
    game = at("rT rA b7 b8 b9 B8", (1, "rJ rQ rK"), own_joker_extend=False)
    refused(game, "layoff rT 0", "not_melded")
    refused(game, "layoff rT 1", "no_such_run")
    assert legal(game, "layoff") == []
    play(game, "meld b7 b8 b9")
    assert legal(game, "layoff") == ["layoff TD 0", "layoff AD 0"]
    play(game, "layoff rA 0")
    assert run_of(game, 0) == cards("rJ rQ rK rA")
    refused(game, "layoff rT 7", "no_such_run")
    refused(game, "layoff bA 0", "not_held")


def test_chains() -> None:
    """V-LAY-2, row 32: a card that fits only after another one is laid one move later."""
    game = at("rT r9 B8", OWN, (1, "rJ rQ rK"))
    refused(game, "layoff r9 1", "does_not_fit")
    assert legal(game, "layoff") == ["layoff TD 1"]
    play(game, "layoff rT 1")
    assert legal(game, "layoff") == ["layoff 9D 1"]
    play(game, "layoff r9 1")
    assert run_of(game, 1) == cards("r9 rT rJ rQ rK")


def test_on_the_runs_of_others() -> None:
    """V-LAY-3: real cards only; the run keeps its owner, who gets the point."""
    game = at("rT bT B8", OWN, (1, "rJ rQ rK"))
    refused(game, "layoff bT 1", "joker_on_others")
    before = game.points
    events = play(game, "layoff rT 1")
    assert found(events, "LaidOff").owner == 1
    assert game.runs[1][1] == 1
    assert game.points == (before[0] + 1, before[1] + 1, before[2])


def test_jokers_on_ones_own_runs() -> None:
    """V-LAY-4: on a run of one's own a joker may be laid too, if it has none."""
    assert lay_offs("bT bJ rT", (0, "rJ rQ rK"), (1, "bQ bK bA")) == ["TC 0", "JC 1", "TD 0"]
    game = at("bT r9 b8 B9", (0, "rJ rQ rK"))
    play(game, "layoff bT 0")
    refused(game, "layoff B9 0", "second_joker")
    play(game, "layoff r9 0")
    assert run_of(game, 0) == cards("r9 bT rJ rQ rK")
    assert game.points[0] == 4 - 2
    first = at("bA rT B8", (0, "bT rJ rQ rK"))
    refused(first, "layoff bA 0", "second_joker")
    refused(first, "layoff rT 0", "does_not_fit")


def test_no_joker_is_laid_off() -> None:
    """V-LAY-5: own_joker_extend=False: no joker is laid off at all; melds may still hold one."""
    assert lay_offs("bT rT", (0, "rJ rQ rK"), own_joker_extend=False) == ["TD 0"]
    game = at("bT rT B8", (0, "rJ rQ rK"), own_joker_extend=False)
    refused(game, "layoff bT 0", "joker_extend")
    assert may_meld("r8 r9 bT rJ", own_joker_extend=False)
    seven = at("bQ B8", (0, "rK rA r7 r8 r9 rT rJ"), own_joker_extend=False, joker_ends=False)
    refused(seven, "layoff bQ 0", "joker_extend")


def test_a_joker_may_close_a_ring() -> None:
    """V-LAY-6: joker_ends=False: no joker is laid off, but the eighth card of a ring."""
    game = at("bT B8", (0, "rJ rQ rK"), joker_ends=False)
    refused(game, "layoff bT 0", "joker_at_end")
    ring = at("bQ B8", (0, "rK rA r7 r8 r9 rT rJ"), joker_ends=False)
    assert legal(ring, "layoff") == ["layoff QC 0"]
    play(ring, "layoff bQ 0")
    assert run_of(ring, 0) == cards("r7 r8 r9 rT rJ bQ rK rA")
    line = at("bA B8", (0, "r7 r8 r9 rT rJ rQ rK"), joker_ends=False, wrap=False)
    refused(line, "layoff bA 0", "joker_at_end")


def test_seven_and_eight_cards() -> None:
    """V-LAY-7: a run of 7 takes its missing rank in one move (or none there without wrap); 8 cards are closed."""
    seven = "rK rA r7 r8 r9 rT rJ"
    assert lay_offs("rQ RQ R9", OWN, (1, seven)) == ["QD 1"]
    assert lay_offs("rA RA R9", OWN, (1, "r7 r8 r9 rT rJ rQ rK"), wrap=False) == ["AD 1"]
    assert lay_offs("r7 R7", OWN, (1, "r8 r9 rT rJ rQ rK rA"), wrap=False) == ["7D 1"]
    assert lay_offs("r9 R9", OWN, (1, "rT rJ rQ rK rA"), wrap=False) == ["9D 1"]
    game = at("RQ rQ B8", OWN, (1, seven))
    play(game, "layoff RQ 1")
    assert run_of(game, 1) == ["7D", "8D", "9D", "TD", "JD", "QH", "KD", "AD"]
    refused(game, "layoff rQ 1", "run_closed")
    assert legal(game, "layoff") == []


def test_two_runs_that_fit_are_two_moves() -> None:
    """V-LAY-8, row 34: the point goes to the owner of the run that was chosen."""
    table = (OWN, (1, "r7 r8 r9"), (2, "rJ rQ rK"))
    assert lay_offs("rT RT", *table) == ["TD 1", "TD 2"]
    for number, owner in ((1, 1), (2, 2)):
        game = at("rT RT B8", *table)
        before = game.points
        play(game, f"layoff rT {number}")
        gained = [after - old for after, old in zip(game.points, before, strict=True)]
        assert gained == [1, int(owner == 1), int(owner == 2)]
        # The two runs now meet or stay apart; they are never joined.
        assert len(game.runs) == 3
    game = at("rT RT B8", *table)
    play(game, "layoff rT 1")
    assert legal(game, "layoff") == ["layoff TH 2"]


@pytest.mark.parametrize(
    ("run", "takes"),
    [
        ("rJ rQ rK", ["TD", "AD"]),
        ("rT rJ rQ rK", ["9D", "AD"]),
        ("rK rA r7 r8 r9 rT rJ", ["QD"]),
    ],
)
def test_the_table_of_lay_offs(run: str, takes: list[str]) -> None:
    """V-LAY-1, V-LAY-7: the examples of the rules page."""
    hand = [card for card in cards(FLUTE) if card not in cards(run)]
    game = at(" ".join([*hand, "B8"]), (0, "b9 bT bJ"), (1, run))
    assert [text.split()[1] for text in legal(game, "layoff") if text.endswith(" 1")] == takes


def test_seats_lay_off_on_the_same_run_in_turn() -> None:
    """V-LAY-1, V-LAY-3: a run may grow in the turns of all seats; the owner alone scores."""
    game: VonHerzen = at(
        "rT B8", (0, "rJ rQ rK"), (1, "b7 b8 b9"), others=["r9 BQ", "r8 BK"], stock="B7 BJ BT"
    )
    play(game, "layoff rT 0", "end", "draw stock", "layoff r9 0", "end")
    assert run_of(game, 0) == cards("r9 rT rJ rQ rK")
    play(game, "draw stock")
    refused(game, "layoff r8 0", "not_melded")
    assert game.points[0] == 5 - 1
