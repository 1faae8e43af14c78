"""What runs and hands score: V-SCORE-1 to V-SCORE-3, V-KNOW-8, and `RunScorer` on tables of any kind."""

from __future__ import annotations

import pickle
import random
from typing import Any

import pytest

import herzen
from herzen.vonherzen import RunScorer, VonHerzen, VonHerzenRules
from tests.reference.vonherzen_options import random_rules
from tests.reference.vonherzen_rules import resolve
from tests.reference.vonherzen_runs import arrange, deal_points
from tests.tiers import scale
from tests.vonherzen.table import FLUTE, JOKER_FLUTE, at, cards, play, texts


def points_of(run: str, **fields: Any) -> int:
    """Points of one run, by the scorer; laid in a game it is the same."""
    sheet = RunScorer(VonHerzenRules(**fields)).score(runs=[(1, cards(run))])
    game = at("b7 B7", (1, run), **fields) if "b7" not in run else at("B8 R8", (1, run), **fields)
    assert game.points[1] == sheet.totals[1] - len(game.hand(1))
    return sheet.totals[1]


@pytest.mark.parametrize(
    ("run", "points"),
    [
        *(("bA b7 b8", 3), ("rQ rK rA", 3), ("rK rA r7", 3), ("r8 r9 bT rJ", 3)),
        *(("b7 r8 r9 rT", 3), ("r8 r9 rT bJ", 3), ("r7 r8 r9 rT bJ rQ", 5)),
        *(("bT bJ bQ bK bA b7 b8", 7), (FLUTE, 10), (JOKER_FLUTE, 9)),
    ],
)
def test_points_of_runs(run: str, points: int) -> None:
    """V-SCORE-1, V-SCORE-3, rows 35 and 38: a real card 1, wherever it lies; a joker 0; a flute 2 more."""
    assert points_of(run) == points


def test_the_owner_scores() -> None:
    """V-SCORE-1: whoever laid a card, the point is the owner's."""
    game = at("rT B8", (0, "bQ bK bA"), (1, "rJ rQ rK"))
    before = game.points
    play(game, "layoff rT 1")
    assert game.points == (before[0] + 1, before[1] + 1, before[2])
    assert RunScorer().score(runs=[(1, cards("rT rJ rQ rK"))]).totals == (0, 4, 0)


def test_cards_in_hand() -> None:
    """V-SCORE-2, rows 38 and 40: -1 each, a card that could be a joker too; nothing melded, 8 in hand: -8."""
    assert RunScorer().score(hands=[8, 0, 3]).totals == (-8, 0, -3)
    assert RunScorer().score(hands=[cards("bT rJ"), [], ["7C"]]).totals == (-2, 0, -1)
    sheet = RunScorer().score([(0, cards("r8 r9 bT rJ"))], hands=[["7C", "9S"], 0, 0])
    assert sheet.totals == (1, 0, 0)
    game = at("r8 r9 bT rJ 7S 9S")
    assert game.points[0] == -6
    play(game, "meld r8 r9 bT rJ")
    assert game.points[0] == 1
    idle = VonHerzen(VonHerzenRules(players=4, exchange_rounds=0, max_deals=1), seed=1)
    while not idle.over:
        play(idle, "end")
    assert idle.scores == (-8, -8, -8, -8)
    assert [int(seat) for seat in idle.winners] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("run", "fields", "points"),
    [
        (FLUTE, {}, 10),
        (FLUTE, {"natural_flute_bonus": 4}, 12),
        (FLUTE, {"flute_bonus": 7}, 10),
        (FLUTE, {"natural_flute_bonus": 0}, 8),
        (JOKER_FLUTE, {}, 9),
        (JOKER_FLUTE, {"natural_flute_bonus": 4}, 9),
        (JOKER_FLUTE, {"flute_bonus": 100}, 107),
        (JOKER_FLUTE, {"flute_bonus": 0}, 7),
    ],
)
def test_flutes(run: str, fields: dict[str, int], points: int) -> None:
    """V-SCORE-3: with a joker flute_bonus, without natural_flute_bonus, never both."""
    assert points_of(run, **fields) == points


def test_a_flute_by_another_hand() -> None:
    """V-SCORE-3: the bonus is the owner's, however the run reached eight cards and whoever laid the last."""
    game = at("rQ B8", (0, "b9 bT bJ"), (1, "rK rA r7 r8 r9 rT rJ"), natural_flute_bonus=4)
    before = game.points
    play(game, "layoff rQ 1")
    assert game.points == (before[0] + 1, before[1] + 5, before[2])
    melded = at(f"{FLUTE} 7S")
    play(melded, "meld " + FLUTE)
    assert melded.points[0] == 10 - 1


def test_points_during_a_deal() -> None:
    """V-KNOW-8: runs with their bonus, less one a card held; the same for every viewer."""
    game = at("b7 b8 KS", (0, "r8 r9 bT rJ"), (2, "rK rA R7 R8 R9"))
    sizes = game.hand_sizes
    expected = (3 - sizes[0], -sizes[1], 5 - sizes[2])
    assert game.points == expected
    assert {game.view(viewer).points for viewer in (0, 1, 2, None)} == {expected}


# ---- the scorer ----------------------------------------------------------------------------------


def test_a_sheet_says_why() -> None:
    """V-SCORE-1, V-SCORE-2: one line for each run and hand, then the totals."""
    sheet = RunScorer().score(
        [(0, cards("rJ bT r8 r9")), (2, cards(FLUTE.replace("r", "R")))], hands=[2, 0, ["7C"]]
    )
    assert sheet.totals == (1, 0, 9)
    assert sheet.lines == (
        "Seat 0: run 8♦ 9♦ 10♣ J♦ +3 (the joker counts nothing)",
        "Seat 2: run 7♥ 8♥ 9♥ 10♥ J♥ Q♥ K♥ A♥ +10 (a flute)",
        "Seat 0: 2 cards in hand -2",
        "Seat 2: 1 card in hand -1",
        "Seat 0: +1",
        "Seat 1: +0",
        "Seat 2: +9",
    )
    assert pickle.loads(pickle.dumps(sheet)) == sheet


@pytest.mark.parametrize(
    ("runs", "hands", "error"),
    [
        ([(0, ["8D", "9D"])], [], herzen.SetupError),
        ([(0, ["8D", "9D", "JD"])], [], herzen.SetupError),
        ([(0, ["8D", "8H", "9D", "TD"])], [], herzen.SetupError),
        ([(0, ["8D", "9D", "TD"]), (1, ["8D", "9H", "TH"])], [], herzen.SetupError),
        ([(0, ["8D", "9D", "TD"])], [["8D"], [], []], herzen.SetupError),
        ([(3, ["8D", "9D", "TD"])], [], herzen.SetupError),
        ([(-1, ["8D", "9D", "TD"])], [], herzen.SetupError),
        ([(True, ["8D", "9D", "TD"])], [], herzen.SetupError),
        ([(0, ["8D", "9D", "6D"])], [], herzen.CardError),
        ([(0, ["8D", "9D", "2D"])], [], herzen.CardError),
        ([], [1, 2], herzen.SetupError),
        ([], [1, 2, 3, 4], herzen.SetupError),
        ([], [33, 0, 0], herzen.SetupError),
        ([], [11, 11, 11], herzen.SetupError),
        ([], [-1, 0, 0], herzen.SetupError),
        ([], [True, 0, 0], herzen.SetupError),
        ([], [1.0, 0, 0], herzen.SetupError),
        ([], [["XX"], 0, 0], herzen.CardError),
        (["8D 9D TD"], [], herzen.SetupError),
        ([(0,)], [], herzen.SetupError),
    ],
)
def test_tables_that_cannot_be(runs: Any, hands: Any, error: type[Exception]) -> None:
    """V-MELD-2, V-CARD-1: unknown cards are CardError; doubled cards, invalid runs, wrong numbers SetupError."""
    with pytest.raises(error):
        RunScorer().score(runs, hands)


def test_the_scorer_needs_rules_of_this_game() -> None:
    with pytest.raises(TypeError, match="VonHerzenRules"):
        RunScorer(herzen.HeartsRules())  # type: ignore[arg-type]
    assert RunScorer().score().totals == (0, 0, 0)
    assert RunScorer(VonHerzenRules(players=5)).score().totals == (0,) * 5


def test_runs_that_options_forbid_are_refused() -> None:
    """V-SCORE-1: what may not be laid under `wrap` and `joker_ends` is no run."""
    rules = VonHerzenRules(wrap=False, joker_ends=False)
    for run in ("rK rA r7", "b7 r8 r9 rT"):
        assert RunScorer().score([(0, cards(run))]).totals[0] == 3
        with pytest.raises(herzen.SetupError):
            RunScorer(rules).score([(0, cards(run))])


def test_the_scorer_agrees_with_the_game_and_the_twin() -> None:
    """V-SCORE-1 to V-SCORE-3, V-SCORE-6: the tables at the ends of real deals."""
    choose = random.Random(11)
    with_runs = 0
    for number in range(scale(quick=20, ci=96, full=8_000)):
        fields = random_rules(choose)
        game = VonHerzen(VonHerzenRules(**fields), seed=number)
        runs: list[Any] = []
        sizes: list[int] = []
        while not game.over:
            moves = game.legal_moves()
            laying = [move for move in moves if move.word in ("meld", "layoff")]
            before = game.copy(history=False)
            move = choose.choice(laying or moves)
            for event in game.play(move):
                name = type(event).__name__
                if name == "Melded":
                    runs = [[owner, texts(laid)] for _, owner, laid in before.runs]
                    runs.append([event.seat, texts(event.cards)])
                elif name == "LaidOff":
                    runs = [[owner, texts(laid)] for _, owner, laid in before.runs]
                    run = arrange([*runs[event.run][1], str(event.card)])
                    assert run is not None
                    runs[event.run][1] = run
                elif name == "DealScored":
                    sizes = list(before.hand_sizes)
                    mover = int(before.turn)
                    gone = {"meld": len(getattr(move, "cards", ())), "layoff": 1, "discard": 1}
                    sizes[mover] -= gone.get(move.word, 0)
                    sheet = RunScorer(game.rules).score([tuple(run) for run in runs], sizes)
                    assert sheet.totals == event.points
                    assert sheet.lines == event.lines
                    assert list(sheet.totals) == deal_points(resolve(fields), runs, sizes)
                    with_runs += bool(runs)
                elif name == "Dealt":
                    runs = []
    assert with_runs > 50
