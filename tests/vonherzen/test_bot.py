"""The rule player of Von Herzen: legal under all rules, a pure function of the view, and sensible."""

from __future__ import annotations

import random

import pytest

import herzen
from herzen.bots import Bot, RandomBot, RuleBot
from herzen.seeds import child
from herzen.simulation import play_bots, simulate
from herzen.vonherzen import VonHerzen, VonHerzenRules, _policy
from tests.reference.vonherzen_options import VALUES, random_rules
from tests.tiers import scale
from tests.vonherzen.table import at, dealt, legal, play, said


def chosen(game: VonHerzen) -> str:
    """What the bot plays for the seat to move."""
    return str(RuleBot(1).choose(game.view(game.turn)))


@pytest.mark.parametrize("number", range(scale(quick=8, ci=48, full=5_000)))
def test_a_legal_move_under_any_rules(number: int) -> None:
    rules = VonHerzenRules(**random_rules(random.Random(f"bots {number}")))
    game = VonHerzen(rules, seed=number)
    bot = RuleBot(number)
    most = 400
    while not game.over and most:
        view = game.view(game.turn)
        move = bot.choose(view)
        assert move in view.legal_moves
        game.play(move)
        most -= 1


@pytest.mark.parametrize(("field", "value"), [(f, v) for f, vs in VALUES.items() for v in vs])
def test_to_the_end_with_every_option(field: str, value: object) -> None:
    rules = VonHerzenRules(max_deals=1, **{field: value})  # type: ignore[arg-type]
    game = VonHerzen(rules, seed=7)
    play_bots(game, [RuleBot] * 3)
    assert game.over


def test_a_pure_function_of_the_view() -> None:
    choose = random.Random(2)
    for number in range(12):
        game = VonHerzen(VonHerzenRules(**random_rules(choose)), seed=number)
        bot = RuleBot(5)
        for _ in range(60):
            if game.over:
                break
            view = game.view(game.turn)
            move = bot.choose(view)
            assert RuleBot(5).choose(herzen.View.loads(view.dumps())) == move
            assert bot.choose(view) == move
            game.play(choose.choice(game.codes()))


def test_a_seat_that_may_not_act() -> None:
    game = VonHerzen(seed=1)
    waiting = (int(game.turn) + 1) % 3
    with pytest.raises(ValueError, match="may not act"):
        RuleBot(1).choose(game.view(waiting))
    assert isinstance(RuleBot(1), Bot)
    assert repr(RuleBot(12345)) == "<RuleBot>"


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_far_better_than_random_play(players: int) -> None:
    """Duplicate deals: each is played twice, with the kinds of players exchanged. Points a seat and deal."""
    deals = scale(quick=8, ci=18, full=1_000)
    rules = VonHerzenRules(players=players, max_deals=1)
    points: dict[bool, list[int]] = {True: [], False: []}
    for number in range(deals):
        for first in (0, 1):
            game = VonHerzen(rules, seed=child(20, number))
            play_bots(
                game, [RuleBot if seat % 2 == first else RandomBot for seat in range(players)]
            )
            for seat, score in enumerate(game.scores):
                points[seat % 2 == first].append(score)
    rule, chance = (sum(points[kind]) / len(points[kind]) for kind in (True, False))
    assert rule > chance + 2.5


# ---- what it does --------------------------------------------------------------------------------


def test_it_offers_what_is_useless() -> None:
    game = dealt("7C 8C 9C JD JH", "TS KS AS 7H 9H", "8H QH 8S 7S QD")
    assert int(game.turn) == 1
    assert set(chosen(game).split()[1:]) <= {"7H", "9H", "TS"}
    play(game, "offer -")
    offered = set(chosen(game).split()[1:])
    assert offered <= {"JD", "JH"}
    assert offered


def test_it_accepts_for_useless_cards_and_declines_otherwise() -> None:
    run = "7C 8C 9C TC"
    game = dealt(f"{run} QD", "TS KS AS 7H 9H", "8H QH 8S 7S AD")
    play(game, "offer 7H")
    assert chosen(game) == "accept QD"
    two = dealt(f"{run} QD", "TS KS AS 7H 9H", "8H QH 8S 7S AD")
    play(two, "offer 7H 9H")
    assert chosen(two) == "counter 1"
    full = dealt(f"{run} JC", "TS KS AS 7H 9H", "8H QH 8S 7S AD")
    play(full, "offer 7H 9H")
    assert chosen(full) == "decline"


def test_it_takes_the_card_it_needs() -> None:
    assert chosen(at("7C 8C KD", pile="9C", phase="draw")) == "draw pile"
    assert chosen(at("7C 8C KD", pile="QS", phase="draw")) == "draw stock"
    assert chosen(at("7C 8C KD", pile="QS 9S TD", phase="draw", draw_from_pile="any")) == "draw 9S"


def test_it_melds_the_most() -> None:
    game = at("7C 8C 9C TC 7D 8D 9D KS")
    laid = []
    while not chosen(game).startswith("discard"):
        laid.append(chosen(game))
        play(game, laid[-1])
    assert laid == ["meld 7C 8C 9C TC", "meld 7D 8D 9D"]
    assert game.points[0] == 7 - 1
    joker = at("r8 r9 bT rJ 7S KS")
    assert chosen(joker) == said("meld r8 r9 bT rJ")


def test_it_lays_off_on_its_own_runs() -> None:
    game = at("TC KD QH", (0, "b7 b8 b9"), (1, "bJ bQ bK"))
    assert chosen(game) == "layoff TC 0"


def test_it_helps_others_only_with_what_it_cannot_use() -> None:
    useless = at(
        "TC KD 7H", (0, "rJ rQ r9 rT"), (1, "bJ bQ bK"), others=["7S 8S 9S AS", "QS JS KS"]
    )
    assert legal(useless, "layoff")
    assert chosen(useless) == "layoff KD 0"
    play(useless, chosen(useless))
    assert chosen(useless) in ("layoff TC 0", "layoff TC 1")


def test_in_a_last_turn_it_lays_what_it_can() -> None:
    zones = {"last_turns": [0], "turns_taken": 2}
    game = at("7C 8C 9C JD", (1, "r8 r9 rT"), zones=zones)
    laid = []
    while game.deal_number == 0:
        laid.append(chosen(game))
        play(game, laid[-1])
    assert laid == ["meld 7C 8C 9C", "layoff JD 0"]


def test_it_discards_what_is_worth_least_and_not_what_the_next_seat_wants() -> None:
    assert chosen(at("7C 8C KD")) == "discard KD"
    assert chosen(at("TC TD 7H 7D", (1, "rJ rQ rK"))) != "discard TD"


def test_the_worth_of_ranks() -> None:
    """Runs 2 a card, in hundredths; neighbours and gaps a little; nothing at the ends without `wrap`."""
    ring, gaps = _policy.worth_tables(True)
    line, line_gaps = _policy.worth_tables(False)
    assert ring[0b00000111] == 600
    assert ring[0b11111111] == 1600
    assert ring[0b00000001] == 0
    assert 0 < ring[0b00000101] < ring[0b00000011] < 200
    assert ring[0b10000011] == 600 > line[0b10000011]
    assert gaps[0b00001011] == 0b00000100 == line_gaps[0b00001011]
    assert line_gaps[0b10000011] == 0
    assert len(ring) == len(gaps) == 256


def test_simulations_know_it() -> None:
    rules = VonHerzenRules(max_deals=1)
    words = simulate(rules, 4, seed=5, policy=["rule", "random", "rule"])
    again = simulate(rules, 4, seed=5, policy=[RuleBot, RandomBot, RuleBot])
    assert (words.scores == again.scores).all()
    assert (
        simulate(rules, 50, seed=5).scores.tolist()
        == simulate(rules, 50, seed=5, threads=2).scores.tolist()
    )
