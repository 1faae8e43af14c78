"""How deals and matches end: V-END, V-SCORE-4 to V-SCORE-7."""

from __future__ import annotations

import random
from typing import Any

import pytest

import herzen
from herzen.vonherzen import VonHerzen, VonHerzenRules
from tests.reference.vonherzen_options import random_rules
from tests.reference.vonherzen_rules import deals_of, resolve
from tests.tiers import scale
from tests.vonherzen.table import (
    CARDS,
    all_cards,
    at,
    dealt,
    found,
    kinds,
    legal,
    play,
    refused,
    run_of,
    state,
    texts,
)

FIRST_ROUND: dict[str, Any] = {"exchange_rounds": 0, "max_deals": 1}
OUT = ("draw stock", "meld 7C 8C 9C", "discard JC")
"""The first turn of a deal in which a seat has 7C 8C 9C and draws JC."""


def test_going_out_later_ends_the_deal() -> None:
    """V-END-1, V-END-2: a seat without cards ends the deal at once; nobody gets a last turn after the first round."""
    game = at("8C 9C TC", max_deals=1)
    events = play(game, "meld 8C 9C TC")
    assert kinds(events) == ["Melded", "DealScored", "GameEnded"]
    assert game.over
    assert game.scores == (3, -1, -1)
    assert game.last_turns == ()


def test_last_turns() -> None:
    """V-END-2: out in the first round: each seat that had no turn yet gets one, in turn order."""
    game = dealt("7C 8C 9C", "7D 8D 9D", "KS QH TC", first="JC JD", **FIRST_ROUND)
    events = play(game, *OUT)
    assert kinds(events)[-1] == "LastTurns"
    assert found(events, "LastTurns").out == 0
    assert found(events, "LastTurns").seats == game.last_turns == (1, 2)
    assert state(game) == ("meld", 1)
    assert game.turns_taken == 1
    play(game, "end")
    assert (state(game), game.last_turns) == (("meld", 2), (2,))
    play(game, "end")
    assert game.over
    assert game.scores == (3, -3, -3)
    assert game.turns_taken == 1
    assert game.last_turns == ()


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_who_has_a_last_turn(players: int) -> None:
    """V-END-2: only seats after the one that goes out; none if it is the n-th of the round."""
    for out in range(players):
        own = "7C 8C 9C"
        hands = [" ".join(CARDS[29 - 3 * seat : 32 - 3 * seat]) for seat in range(players)]
        hands[out] = own
        game = dealt(*hands, **FIRST_ROUND)
        for _ in range(out):
            play(game, "draw stock", "end")
        play(game, "draw stock", f"meld {own}")
        play(game, legal(game, "discard")[0])
        assert list(game.last_turns) == list(range(out + 1, players))
        assert game.over == (out == players - 1)


def test_what_a_last_turn_allows() -> None:
    """V-END-3: no draw, no discard; melds, lay-offs after an own run, `end` always, also as the only move."""
    hands = ["7C 8C 9C", "7D 8D TC", "KS QH TS"]
    game = dealt(*hands, first="JC 9D", **FIRST_ROUND)
    play(game, *OUT)
    assert legal(game) == ["end"]
    refused(game, "draw stock", "wrong_phase")
    refused(game, "draw pile", "wrong_phase")
    refused(game, "discard 7D", "last_turn")
    refused(game, "layoff TC 0", "not_melded")
    other = dealt("7C 8C 9C", "7D 8D 9D", "KS QH TS", first="JC", **FIRST_ROUND)
    play(other, *OUT)
    assert legal(other) == ["meld 7D 8D 9D", "end"]
    rich = dealt("7C 8C 9C TS", "7D 8D 9D 7H", "KS QH TC JH", first="JC TD", **FIRST_ROUND)
    play(rich, "draw stock", "meld 7C 8C 9C TS", "discard JC")
    assert rich.melded == (0,)
    play(rich, "meld 7D 8D 9D")
    refused(rich, "discard 7H", "last_turn")
    play(rich, "end")
    assert state(rich) == ("meld", 2)
    assert legal(rich) == ["end"]


def test_lay_offs_in_a_last_turn() -> None:
    """V-END-3: lay-offs once the seat has melded a run of its own."""
    game = dealt("7C 8C 9C TC", "7D 8D 9D JC", "KS QH TH JH", first="KD", **FIRST_ROUND)
    play(game, "draw stock", "meld 7C 8C 9C TC", "discard KD")
    refused(game, "layoff JC 0", "not_melded")
    play(game, "meld 7D 8D 9D")
    assert legal(game) == ["layoff JC 0", "end"]
    play(game, "layoff JC 0")
    assert run_of(game, 0) == ["7C", "8C", "9C", "TC", "JC"]
    assert game.last_turns == (2,)


def test_options_in_last_turns() -> None:
    """V-END-3: one_meld_per_turn holds, discard_mandatory does not."""
    hands = ["7C 8C 9C 7S 8S 9S", "7D 8D 9D JD QD KD", "TH JH QH KH AH AS"]
    for one in (False, True):
        game = dealt(
            *hands, first="JC", one_meld_per_turn=one, discard_mandatory=True, **FIRST_ROUND
        )
        play(game, "draw stock", "meld 7C 8C 9C")
        assert ("meld 7S 8S 9S" in legal(game)) == (not one)
        if one:
            continue
        play(game, "meld 7S 8S 9S", "discard JC")
        assert "end" in legal(game)
        play(game, "meld 7D 8D 9D")
        assert "meld JD QD KD" in legal(game)
    zones = {"last_turns": [0, 1], "turns_taken": 1, "melded_this_turn": 1}
    last = at("7D 8D 9D KC", (0, "bJ bQ b9 bT"), zones=zones, one_meld_per_turn=True)
    refused(last, "meld 7D 8D 9D", "one_meld_per_turn")
    free = at("7D 8D 9D KC", zones={"last_turns": [0, 1], "turns_taken": 1}, discard_mandatory=True)
    assert legal(free) == ["meld 7D 8D 9D", "end"]


def test_more_seats_go_out_in_last_turns() -> None:
    """V-END-4: the rest still have theirs; the deal ends after the last of them."""
    hands = ["7C 8C 9C", "7D 8D 9D", "KS QH TC", "JS QS KC"]
    game = dealt(*hands, first="JC", **FIRST_ROUND)
    play(game, *OUT)
    events = play(game, "meld 7D 8D 9D")
    assert kinds(events) == ["Melded"]
    assert (state(game), game.last_turns) == (("meld", 2), (2, 3))
    play(game, "end")
    events = play(game, "meld JS QS KC")
    assert kinds(events) == ["Melded", "DealScored", "GameEnded"]
    assert game.scores == (3, 3, -3, 3)
    assert [int(seat) for seat in game.winners] == [0, 1, 3]


def test_what_is_idle() -> None:
    """V-END-5: a turn without a card of the original stock, a meld or a lay-off."""
    game = at("8C 9C TC KD KS", pile="9D 8D", phase="draw")
    assert game.idle_turns == 0
    play(game, "draw pile", "discard KD")
    assert game.idle_turns == 1
    play(game, "draw pile", "end")
    assert game.idle_turns == 2
    play(game, "draw stock")
    assert game.progress
    play(game, "end")
    assert game.idle_turns == 0
    play(game, "draw pile")
    assert not game.progress
    play(game, "meld 8C 9C TC", "end")
    assert game.idle_turns == 0
    laid = at("8C KD", (0, "b9 bT bJ"), pile="KS", phase="draw", zones={"idle_turns": 3})
    play(laid, "draw pile", "layoff 8C 0", "discard KD")
    assert laid.idle_turns == 0
    nothing = at("8C KD", pile="KS", stock="", phase="draw", zones={"idle_turns": 3})
    play(nothing, "draw pile", "end")
    assert nothing.idle_turns == 4


def test_a_turned_over_stock_is_idle() -> None:
    """V-END-5: cards of a turned-over stock do not count."""
    game = at("8C 9C", stock="", pile="7C AH", stock_refill="turn_over")
    play(game, "discard 9C")
    assert game.idle_turns == 1
    play(game, "draw stock")
    assert not game.progress
    play(game, "end")
    assert game.idle_turns == 2


@pytest.mark.parametrize(("limit", "turns"), [("2n", 6), (1, 1), (4, 4), (6, 6)])
def test_a_blocked_deal(limit: int | str, turns: int) -> None:
    """V-END-6, V-END-8: blocked after so many idle turns in a row, scored as it stands, without last turns."""
    game = at("8C 9C", (1, "r7 r8 r9"), stock="", max_deals=1, blocked_after=limit)
    for place in range(turns):
        assert not game.over
        assert game.idle_turns == place
        events = play(game, "end")
    assert game.over
    assert kinds(events) == ["TurnEnded", "DealScored", "GameEnded"]
    assert found(events, "DealScored").blocked
    assert game.scores == (-2, 3 - 1, -26)


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_twice_the_players(players: int) -> None:
    """V-END-6: "2n" is twice the players, in the first two rounds too."""
    rules = VonHerzenRules(players=players, hand_size=1, exchange_rounds=0, max_deals=1)
    game = VonHerzen.setup(
        rules,
        hands=[CARDS[: 32 - players + 1], *([card] for card in CARDS[32 - players + 1 :])],
        turn=0,
        phase="meld",
        turns_taken=0,
    )
    turns = 0
    while not game.over:
        play(game, "end")
        turns += 1
    assert turns == 2 * players


def test_no_limit_of_idle_turns() -> None:
    """V-END-7: None: the deal is blocked after its 1,000th normal turn, idle or not."""
    rules = VonHerzenRules(players=2, exchange_rounds=0, blocked_after=None, max_deals=1)
    game = VonHerzen(rules, seed=3)
    turns = 0
    while not game.over:
        assert game.turns_taken == turns
        events = play(game, *(["draw stock"] if game.phase == "draw" else []), "end")
        turns += 1
    assert turns == game.turns_taken == 1000
    assert found(events, "DealScored").blocked
    late = at(
        "8C 9C TC 7D", (0, "rJ rQ rK"), blocked_after=None, max_deals=1, zones={"turns_taken": 999}
    )
    play(late, "meld 8C 9C TC")
    assert not late.over
    events = play(late, "end")
    assert late.over
    assert found(events, "DealScored").blocked


def test_going_out_beats_the_block() -> None:
    """V-END-8: a turn in which the seat goes out is not tested; so the first round still gives last turns."""
    game = at("8C", stock="", blocked_after=1, max_deals=1, zones={"turns_taken": 0})
    events = play(game, "discard 8C")
    assert kinds(events) == ["Discarded", "LastTurns"]
    assert game.last_turns == (1, 2)
    play(game, "end")
    events = play(game, "end")
    assert not found(events, "DealScored").blocked
    later = at("8C", stock="", blocked_after=1, max_deals=1)
    assert not found(play(later, "discard 8C"), "DealScored").blocked


def test_the_move_that_ends_a_deal_deals_the_next() -> None:
    """V-END-9: it scores the deal; if the match goes on, the same move deals the next one."""
    game = at("8C 9C TC", (1, "r7 r8 r9"), zones={"scores": [5, 6, 7], "dealer": 1})
    events = play(game, "meld 8C 9C TC")
    assert kinds(events) == ["Melded", "DealScored", "Dealt"]
    scored = found(events, "DealScored")
    assert scored.points == (3, 2, -1)
    assert scored.scores == game.scores == (8, 8, 6)
    assert (game.deal_number, game.dealer, state(game)) == (1, 2, ("offer", 1))
    assert game.last_deal is not None
    assert game.last_deal.totals == (3, 2, -1)
    assert game.points == (-8, -8, -8)
    assert all_cards(game) == CARDS
    play(game, "offer -")
    for _ in range(2):
        game.undo()
    assert (game.deal_number, game.scores, legal(game)[-1]) == (0, (5, 6, 7), "end")


# ---- the match -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "deals"),
    [
        ({}, 6),
        ({"players": 4, "full_rounds": 1}, 4),
        ({"players": 6, "full_rounds": 3}, 18),
        ({"max_deals": 4}, 4),
        ({"max_deals": 40}, 6),
        ({"max_deals": 1}, 1),
    ],
)
def test_how_many_deals(fields: dict[str, Any], deals: int) -> None:
    """V-SCORE-4, V-SCORE-5: full_rounds times n deals, or max_deals if that comes first."""
    game = VonHerzen(VonHerzenRules(**fields), seed=4)
    dealers: list[int] = []
    totals = [0] * game.players
    choose = random.Random(4)
    while not game.over:
        codes = game.codes()
        for event in game.play(codes[choose.randrange(len(codes))]):
            if type(event).__name__ == "DealScored":
                totals = [a + b for a, b in zip(totals, event.points, strict=True)]
                assert tuple(totals) == event.scores
                dealers.append(int(game.dealer))
    assert game.deal_number + 1 == len(dealers) == deals
    assert game.scores == tuple(totals)
    assert game.dealer == (game.players - 1 + deals - 1) % game.players


@pytest.mark.parametrize(
    ("scores", "winners"),
    [((0, 0, 0), [0]), ((0, 4, 3), [0, 1]), ((-60, -49, -49), [1, 2]), ((0, 4, 4), [0, 1, 2])],
)
def test_who_wins(scores: tuple[int, ...], winners: list[int]) -> None:
    """V-SCORE-6: the highest total, also a negative one; ties share."""
    game = at("8C 9C TC", max_deals=1, zones={"scores": scores})
    assert game.winners == ()
    events = play(game, "meld 8C 9C TC")
    assert game.scores == (scores[0] + 3, scores[1] - 1, scores[2] - 1)
    assert [int(seat) for seat in game.winners] == winners
    assert list(found(events, "GameEnded").winners) == winners


def test_after_the_end() -> None:
    """V-SCORE-7: nobody is to move and no move is legal."""
    game = at("8C 9C TC", max_deals=1)
    play(game, "meld 8C 9C TC")
    assert game.phase == "over"
    assert (game.turn, game.to_move) == (None, ())
    for seat in range(3):
        assert game.legal_moves(seat) == ()
        assert len(game.codes(seat)) == 0
        with pytest.raises(herzen.GameOver):
            game.play("end", seat=seat)
    refused(game, "end", "game_over")


def test_every_game_ends() -> None:
    """V-END-1, V-END-6, V-SCORE-4, rows 40 and 47: under all rules a match ends, with scores, with all cards."""
    choose = random.Random(7)
    ends = {"blocked": 0, "out": 0, "last": 0}
    for number in range(scale(quick=60, ci=72, full=6_000)):
        fields = random_rules(choose)
        game = VonHerzen(VonHerzenRules(**fields), seed=number)
        while not game.over:
            codes = game.codes()
            assert len(codes)
            for event in game.play(codes[choose.randrange(len(codes))]):
                name = type(event).__name__
                ends["last"] += name == "LastTurns"
                if name == "DealScored":
                    ends["blocked" if event.blocked else "out"] += 1
                    assert sum(event.points) >= -32
                    assert event.lines
        assert game.deal_number + 1 == deals_of(resolve(fields))
        assert all_cards(game) == CARDS
        assert game.last_deal is not None
        assert texts(game.hand(0)) == texts(game.view(0).hand)
    assert min(ends.values()) > 0
