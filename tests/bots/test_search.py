"""The rule player in C and the search on it, for every game that has them."""

from __future__ import annotations

import importlib.util
import math

import pytest

import herzen
from herzen.bots import RuleBot, SearchBot
from herzen.bots._search import rule_code, rule_totals, shortlist
from herzen.hearts.cards import CARDS
from herzen.registry import game_part
from tests.contract.adapter import Adapter
from tests.contract.checks import walk
from tests.contract.games import GAMES
from tests.tiers import scale

RULED = [case for case in GAMES if importlib.util.find_spec(f"herzen.{case.name}._policy")]
every_game = pytest.mark.parametrize("case", RULED, ids=str)
PLIES = scale(quick=30, ci=120, full=4_000)


def movers(game: herzen.Game) -> list[int]:
    return [int(seat) for seat in game.to_move]


@every_game
def test_a_playout_makes_the_moves_of_the_rule_player(case: Adapter) -> None:
    """One loop in C for the rest of a deal, and the same decisions one by one.

    Herzsammler plays on by gains alone, which is the same where every move ends the game.
    """
    game_part(case.name, "_policy")
    quick = case.name == "herzsammler"
    compared = 0
    for rng, game in walk(case, 20 * PLIES if quick else PLIES, 5, every=1 if quick else 10):
        seed = rng.getrandbits(64)
        totals = rule_totals(game, seed)
        if not quick or all(_ends_the_deal(game, code) for code in game.codes()):
            assert totals == rule_totals(game, seed, one_by_one=True)
            compared += 1
        elif rng.random() < 0.05:
            assert totals == rule_totals(game, seed)
            assert sum(totals) >= sum(game.scores)
    assert compared > PLIES // 20


def _ends_the_deal(game: herzen.Game, code: int) -> bool:
    after = game.copy(history=False)
    after.play_code(code)
    return after.over or after.deal_number > game.deal_number


@every_game
def test_a_shortlist_holds_different_legal_moves(case: Adapter) -> None:
    game_part(case.name, "_policy")
    met = 0
    for _, game in walk(case, 4 * PLIES, 9, every=1):
        for seat in movers(game):
            if len(game.codes(seat)) > 64:
                codes = shortlist(game, seat, 64)
                assert 1 <= len(codes) <= 64
                assert len(set(codes)) == len(codes)
                assert all(game.is_legal(code, seat) for code in codes)
                assert rule_code(game, seat, 1, game.ply) in codes
                met += 1
    assert met or not case.lazy_codes


@every_game
def test_moves_that_the_view_does_not_allow_are_refused(case: Adapter) -> None:
    """An edited view: its moves would be played on worlds without being checked."""
    tried = 0
    for _, game in walk(case, 4 * PLIES, 13, every=3):
        for seat in movers(game):
            view = game.view(seat).to_dict()
            for other in range(game.players):
                held = [str(move) for move in game.legal_moves(other)]
                strange = [text for text in held if text not in view["legal_moves"]]
                moves = view["legal_moves"][:1] + strange[:3]
                if len(moves) > 2:
                    edited = herzen.View.from_dict(view | {"legal_moves": moves})
                    with pytest.raises(herzen.SetupError, match="legal_moves"):
                        SearchBot(1, simulations=50).choose(edited)
                    try:
                        assert str(RuleBot(1).choose(edited)) == moves[0]
                    except herzen.SetupError as error:
                        assert "legal_moves" in str(error)
                    tried += 1
            if len(view["legal_moves"]) > 2:
                edited = herzen.View.from_dict(view | {"legal_moves": view["legal_moves"][:2]})
                with pytest.raises(herzen.SetupError, match="legal_moves"):
                    SearchBot(1, simulations=50).choose(edited)
                tried += 1
    assert tried > PLIES // 10


@every_game
def test_a_search_chooses_a_legal_move_and_tells_why(case: Adapter) -> None:
    bot = SearchBot(5, simulations=200)
    for _, game in walk(case, PLIES, 11, every=7):
        for seat in movers(game):
            view = game.view(seat)
            said = bot.explain(view)
            assert bot.choose(view) == said[0].move
            assert all(game.is_legal(one.move, seat) for one in said)
            assert len({one.move for one in said}) == len(said)
            if len(view.legal_moves) == 1:
                assert [one.visits for one in said] == [0]
                continue
            assert len(said) == len(view.legal_moves) or len(view.legal_moves) > 64
            assert all(one.visits > 0 and one.error >= 0 for one in said)
            assert sum(one.visits for one in said) <= max(200, 9 * len(said))


@every_game
def test_a_search_depends_on_the_view_and_the_seed_alone(case: Adapter) -> None:
    """Not on threads, on the process or on whether the view travelled as JSON."""
    for rng, game in walk(case, PLIES, 13, every=15):
        for seat in movers(game)[:1]:
            view = game.view(seat)
            seed = rng.getrandbits(64)
            once = SearchBot(seed, simulations=300).explain(view)
            for other in (
                SearchBot(seed, simulations=300).explain(herzen.View.loads(view.dumps())),
                SearchBot(seed, simulations=300, threads=3).explain(view),
            ):
                assert [str(one) for one in other] == [str(one) for one in once]


def test_more_simulations_narrow_the_error() -> None:
    game = herzen.Hearts(herzen.HeartsRules.classic(pass_cycle=()), seed=3)
    for _ in range(9):
        game.play_code(game.codes()[0])
    view = game.view(game.turn)
    few = SearchBot(1, simulations=200).explain(view)
    many = SearchBot(1, simulations=20_000).explain(view)
    assert sum(one.visits for one in many) > 15_000
    assert max(one.error for one in many) < max(one.error for one in few) / 3


def test_it_finds_the_move_that_gets_rid_of_the_queen() -> None:
    hands = [["QS", "2S"], ["5D", "6D"], ["7D", "8D"], ["JS"]]
    out = {"AS", *(card for hand in hands for card in hand)}
    game = herzen.Hearts.setup(
        hands=hands,
        trick=[(3, "AS")],
        turn=0,
        taken=[[], [str(card) for card in CARDS if str(card) not in out], [], []],
    )
    assert str(SearchBot(1, simulations=200).choose(game.view(0))) == "QS"


@pytest.mark.parametrize(
    "keywords",
    [
        {"simulations": 0},
        {"simulations": 10, "time": 1.0},
        {"time": 0.0},
        {"time": math.inf},
        {"threads": 0},
    ],
    ids=str,
)
def test_wrong_limits_are_refused(keywords: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="SearchBot"):
        SearchBot(1, **keywords)  # type: ignore[arg-type]


def test_a_limit_of_time_is_kept_to_a_move() -> None:
    game = herzen.Hearts(seed=1)
    bot = SearchBot(1, time=0.01)
    assert game.is_legal(bot.choose(game.view(0)), 0)


def test_it_does_not_complete_a_moon_for_another_seat() -> None:
    """The same cards, but the seat that wins the trick has taken every heart."""
    hands = [["QS", "2S"], ["5D", "6D"], ["7D", "8D"], ["JS"]]
    out = {"AS", *(card for hand in hands for card in hand)}
    game = herzen.Hearts.setup(
        hands=hands,
        trick=[(3, "AS")],
        turn=0,
        taken=[[], [], [], [str(card) for card in CARDS if str(card) not in out]],
    )
    assert str(SearchBot(1, simulations=200).choose(game.view(0))) == "2S"
