"""The rule player of Herzsammler: legal under all rules, a function of its view, and far better than chance."""

from __future__ import annotations

import random

import pytest

import herzen
from herzen.bots import RandomBot, RuleBot, seated
from herzen.herzsammler import Herzsammler, HerzsammlerRules
from herzen.seeds import child
from herzen.simulation import play_bots
from tests.contract.adapters.herzsammler import HERZSAMMLER
from tests.herzsammler.table import middle, rows, small
from tests.tiers import scale


@pytest.mark.parametrize("number", range(scale(quick=8, ci=48, full=5_000)))
def test_a_legal_move_under_any_rules_and_deck(number: int) -> None:
    fields = HERZSAMMLER.random_rules(random.Random(f"bots {number}"))
    game = HERZSAMMLER.new(fields, number)
    bots = [seated("rule", number, seat) for seat in range(game.players)]
    while not game.over and game.ply < 150:
        view = game.view(game.turn)
        move = bots[int(game.turn)].choose(view)
        assert move in view.legal_moves
        game.play(move)


def test_a_view_read_back_gets_the_same_move() -> None:
    rng = random.Random(2)
    for number in range(10):
        game = HERZSAMMLER.new(HERZSAMMLER.random_rules(rng), number)
        bot = RuleBot(5)
        while not game.over and game.ply < 30:
            view = game.view(game.turn)
            move = bot.choose(view)
            assert RuleBot(5).choose(herzen.View.loads(view.dumps())) == move == bot.choose(view)
            game.play(rng.choice(view.legal_moves))


def test_choosing_leaves_nothing_behind() -> None:
    """What the bot has seen before makes no difference: views in any order, other decks in between."""
    games = [Herzsammler(HerzsammlerRules(players=n), seed=n) for n in (2, 3, 4)]
    games.append(
        small("R1ab R2ab", "B1cd B2cd", open="G1ac G2ef G3bf G4ef G5ef G6ef", stack="Y1gh Y2gh")
    )
    views = [game.view(game.turn) for game in games]
    alone = [RuleBot(1).choose(view) for view in views]
    bot = RuleBot(1)
    assert [bot.choose(view) for view in reversed(views)][::-1] == alone


def test_nothing_to_choose() -> None:
    with pytest.raises(ValueError, match="may not act"):
        RuleBot(1).choose(Herzsammler(seed=1).view(1))


DUELS = [
    ({}, 0.85),
    ({"choose_object": True}, 0.85),
    ({"must_match": True}, 0.8),
    ({"end": "short", "majority_tie": "none"}, 0.85),
    ({"players": 3}, 0.65),
    ({"players": 4, "require_heart": True}, 0.5),
]


@pytest.mark.parametrize(("fields", "share"), DUELS)
def test_it_beats_random_players(fields: dict[str, object], share: float) -> None:
    """Duplicate deals, the bot in every seat once: it wins far more than its share of the matches."""
    rules = HerzsammlerRules(**fields)  # type: ignore[arg-type]
    won = total = lead = 0
    for number in range(scale(quick=8, ci=18, full=500)):
        for mine in range(rules.players):
            game = Herzsammler(rules, seed=child(31, number))
            play_bots(
                game, [RuleBot if seat == mine else RandomBot for seat in range(rules.players)]
            )
            won += [int(seat) for seat in game.winners] == [mine]
            lead += (rules.players - 1) * game.scores[mine] - (sum(game.scores) - game.scores[mine])
            total += 1
    assert won / total > share
    assert lead > 0


# ---- single decisions ----------------------------------------------------------------------------------------


def chosen(game: Herzsammler) -> str:
    return str(RuleBot(1).choose(game.view(game.turn))).removeprefix("show ")


def test_it_takes_rather_than_misses() -> None:
    game = middle("R3af B4hj G4bd", "G1be G2fj", open="RHce YHci V4cg V2ai VHei GHeg")
    assert chosen(game) != "B4hj"  # nothing lying shows h or j


def test_it_takes_the_heart_that_wins_a_majority() -> None:
    """Red hearts 2 to 2, so both keep: one heart more costs the other seat 10, and the blue 1 takes a 2."""
    zones = {
        "open": "RHdo V2ip V0qr V0qr V0qr V0qr",
        "stack": "V0st V0st V0st V0st V0st V0st",
        "collections": ["RHab RHab R5ab R5ab R4ab", "RHab RHab R3ab R3ab R4ab"],
    }
    hands = ["G3cd B1ij Y3kl", "G1mn G2mn"]
    deck = " ".join([*hands, zones["open"], zones["stack"], *zones["collections"]])  # type: ignore[list-item]
    game = middle(*hands, **zones, rules=HerzsammlerRules(deck=rows(deck)))  # type: ignore[arg-type]
    assert chosen(game) == "G3cd"


def test_it_ends_the_last_game_when_it_wins_by_it_and_not_when_it_loses() -> None:
    """Seat 0 may end the game: it does so exactly if it is then ahead."""
    for scores, ends in (((50, 0), True), ((0, 50), False)):
        lying = "G1ac G2op G3op G4op G5op G6op"
        rules_fields = {"games": 2}
        game = small("R1ab R2rs", "B1gh B2gh", open=lying, stack="Y1kl", **rules_fields)
        zones = game._setup_zones(game) | {"scores": scores, "deal_number": 1}
        late = Herzsammler.setup(game.rules, **zones)
        assert (chosen(late) == "R1ab") is ends


def test_it_does_not_open_a_good_card_for_nothing() -> None:
    """Two cards take the same worthless card; it opens the worthless one of them."""
    game = small(
        "R1ab VHab",
        "B1gh B2ab",
        open="G0ac G1op G2op G3op G4op G5op",
        stack=f"Y1kl {'V9mn ' * 6}Y2ab Y3ab",
        must_match=True,
    )
    assert chosen(game) == "R1ab"
