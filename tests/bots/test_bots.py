"""Bots see views only, are pure functions of them, and play legal moves under all rules."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

import herzen
from herzen.bots import BOTS, Bot, RandomBot, RuleBot, bot_maker, bot_seed, seated
from herzen.hearts import MoonChoice
from herzen.seeds import Stream, child
from herzen.simulation import play_bots
from tests.reference.hearts_options import random_rules
from tests.tiers import scale

PRESETS = [
    "classic",
    "plain",
    "omnibus",
    "black_maria",
    "cancellation",
    "microsoft",
    "openspiel",
    "yahoo",
]


def rules_of(number: int) -> herzen.HeartsRules:
    return herzen.HeartsRules(**random_rules(random.Random(f"bots {number}")))


def play_through(game: herzen.Game, bots: list[Bot], most: int = 2000) -> int:
    """Play with the bots and check every choice; the number of decisions."""
    for count in range(most):
        if game.over:
            return count
        seat = int(game.turn)
        view = game.view(seat)
        move = bots[seat].choose(view)
        assert move in view.legal_moves
        game.play(move, seat=seat)
    return most


@pytest.mark.parametrize("word", sorted(BOTS))
@pytest.mark.parametrize("number", range(scale(quick=8, ci=48, full=5000)))
def test_a_bot_chooses_a_legal_move_under_any_rules(word: str, number: int) -> None:
    rules = rules_of(number)
    game = herzen.Hearts(rules, seed=number)
    assert (
        play_through(game, [seated(word, number, seat) for seat in range(game.players)], most=250)
        > 0
    )


@pytest.mark.parametrize("preset", PRESETS)
def test_the_rule_bot_plays_every_preset_to_the_end(preset: str) -> None:
    rules = getattr(herzen.HeartsRules, preset)(max_hands=2)
    game = herzen.Hearts(rules, seed=f"preset {preset}")
    play_through(game, [seated("rule", 5, seat) for seat in range(game.players)])
    assert game.over


@pytest.mark.parametrize("word", sorted(BOTS))
@pytest.mark.parametrize("number", range(6))
def test_a_view_read_back_from_json_gets_the_same_move(word: str, number: int) -> None:
    game = herzen.Hearts(rules_of(number), seed=number)
    bot, late = seated(word, 1, 0), random.Random(number)
    for _ in range(60):
        if game.over:
            break
        seat = int(game.turn)
        view = game.view(seat)
        move = bot.choose(view)
        far = seated(word, 1, 0)  # a bot that has seen nothing else
        assert far.choose(herzen.View.loads(view.dumps())) == move
        assert bot.choose(view) == move
        game.play(late.choice(view.legal_moves), seat=seat)


def test_a_random_bot_draws_from_the_stream_of_the_ply() -> None:
    game = herzen.Hearts(seed=3)
    bot = RandomBot(77)
    for _ in range(40):
        view = game.view(game.turn)
        drawn = Stream(77, 2, view.ply).bounded(len(view.legal_moves))
        move = bot.choose(view)
        assert move == view.legal_moves[drawn]
        game.play(move)


def test_random_bots_with_other_seeds_differ() -> None:
    view = herzen.Hearts(seed=3).view(0)
    assert len({RandomBot(seed).choose(view) for seed in range(20)}) > 10


def test_the_seed_of_a_bot_comes_from_domain_3() -> None:
    words = Stream(9, 3, 2)
    assert bot_seed(9, 2) == sum(words.next() << 32 * place for place in range(8))
    assert len({bot_seed(9, seat) for seat in range(4)}) == 4


def test_a_bot_shows_no_seed() -> None:
    assert repr(RuleBot(123456789)) == "<RuleBot>"


def test_a_bot_with_nothing_to_choose_says_so() -> None:
    game = herzen.Hearts(herzen.HeartsRules(pass_count=0), seed=1)
    waiting = next(seat for seat in range(4) if game.turn != seat)
    for bot in (RuleBot(1), RandomBot(1)):
        with pytest.raises(ValueError, match="may not act"):
            bot.choose(game.view(waiting))
        assert isinstance(bot, Bot)


def test_an_unknown_word_names_the_bots() -> None:
    with pytest.raises(ValueError, match=r"no such bot: 'clever'.*rule, random"):
        bot_maker("clever")


def test_import_herzen_loads_no_bots_and_no_simulation() -> None:
    code = (
        "import sys, herzen\n"
        "heavy = {'herzen.bots', 'herzen.simulation', 'herzen.hearts.text', 'numpy', 'typer', 'rich'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
        "assert herzen.bots.RuleBot and 'herzen.bots' in sys.modules\n"
        "assert callable(herzen.simulate)\n"
        "assert {'bots', 'simulate'} <= set(dir(herzen))\n"
        "try:\n    herzen.nothing\nexcept AttributeError as error:\n    assert 'nothing' in str(error)\n"
        "else:\n    raise SystemExit(3)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# ---- how well it plays -------------------------------------------------------------------------------------


def test_the_rule_bot_takes_far_fewer_points_than_a_random_bot() -> None:
    """Duplicate deals: every deal is played twice, with the bots' seats exchanged."""
    deals = scale(quick=20, ci=60, full=2000)
    rules = herzen.HeartsRules(max_hands=1)
    rule = chance = 0
    for number in range(deals):
        for first in (0, 1):
            game = herzen.Hearts(rules, seed=child(20, number))
            play_bots(game, [RuleBot if seat % 2 == first else RandomBot for seat in range(4)])
            rule += sum(game.scores[first::2])
            chance += sum(game.scores[1 - first :: 2])
    assert rule * 2 < chance


def single_trick(hand: str, trick: list[tuple[int, str]], **zones: object) -> str:
    """The card that the rule bot in seat 0 plays; seat 0 plays last of four."""
    deck = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]
    used = {*hand.split(), *(card for _, card in trick)}
    rest = [card for card in deck if card not in used]
    count = len(hand.split())
    others = [rest[seat * (count - 1) : (seat + 1) * (count - 1)] for seat in range(3)]
    taken = rest[3 * (count - 1) :]
    piles = [[], *(taken[seat::3] for seat in range(3))]
    game = herzen.Hearts.setup(
        hands=[hand.split(), *others], turn=0, trick=trick, taken=piles, hearts_broken=True, **zones
    )
    return str(RuleBot(1).choose(game.view(0)))


def test_it_ducks_under_a_trick_with_points() -> None:
    assert single_trick("KC 3C 9D", [(1, "TC"), (2, "2C"), (3, "QS")]) == "3C"


def test_it_plays_high_where_the_trick_is_free_and_cannot_be_lost() -> None:
    assert single_trick("KC QC 9D", [(1, "TC"), (2, "2C"), (3, "4C")]) == "KC"


def test_it_throws_the_queen_of_spades_when_it_cannot_follow() -> None:
    assert single_trick("QS 3D 4D", [(1, "TC"), (2, "2C"), (3, "4C")]) == "QS"


def test_it_takes_a_trick_for_the_bonus_card() -> None:
    rules = herzen.HeartsRules.omnibus()
    assert single_trick("KD 3D 9C", [(1, "TD"), (2, "JD"), (3, "4D")], rules=rules) == "KD"


def test_it_passes_the_queen_of_spades_when_it_has_few_spades() -> None:
    hands = [
        ["2C", "3C", "4C", "5C", "2D", "3D", "4D", "5D", "2H", "3H", "4H", "2S", "QS"],
        ["6C", "7C", "8C", "9C", "6D", "7D", "8D", "9D", "5H", "6H", "7H", "3S", "4S"],
        ["TC", "JC", "QC", "KC", "TD", "JD", "QD", "KD", "8H", "9H", "TH", "5S", "6S"],
        ["AC", "AD", "JH", "QH", "KH", "AH", "7S", "8S", "9S", "TS", "JS", "KS", "AS"],
    ]
    view = herzen.Hearts.from_hands(hands).view(0)
    assert "QS" in str(RuleBot(1).choose(view))


@pytest.mark.parametrize(
    ("scores", "kind"),
    [
        (
            [95, 80, 40, 20],
            "subtract",
        ),  # adding would end the match without the shooter among the winners
        ([10, 80, 40, 20], "add"),  # adding ends the match and wins it
        ([0, 0, 0, 0], "add"),
    ],
)
def test_the_moon_is_decided_with_an_eye_on_the_end(scores: list[int], kind: str) -> None:
    deck = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]
    game = herzen.Hearts.setup(
        hands=[[], [], [], []], turn=0, phase="moon", scores=scores, taken=[deck, [], [], []]
    )
    assert RuleBot(1).choose(game.view(0)) == MoonChoice(kind)
