"""The table as text: all of it to the server, to a viewer what it may know."""

from __future__ import annotations

import functools
import operator
import random

import pytest

import herzen
from herzen.hearts import text as hearts_text
from herzen.render.text import fill, game_text, grid, listed, shorten, table
from herzen.simulation import play_randomly
from tests.reference.hearts_options import random_rules
from tests.tiers import scale

NAMES = ["North", "East", "South", "West"]


def at_play(**options: object) -> herzen.Hearts:
    rules = herzen.HeartsRules(pass_count=0, **options)  # type: ignore[arg-type]
    return herzen.Hearts(rules, seed="friday", names=NAMES)


def test_the_server_sees_all_hands() -> None:
    game = at_play()
    shown = str(game).splitlines()
    assert shown == [
        "Hearts, deal 1: no passing, dealt by West",
        f"Trick 1 of 13: {game.turn} to lead, hearts are not broken",
        "",
        "   seat     total  deal  tricks",
        *(
            f"{'>' if game.turn == seat else ' '}  {seat} {name:<7}    0     0       0"
            for seat, name in enumerate(NAMES)
        ),
        "",
        "hands",
        "   0 North  ♣ 4  ♦ 3 9 10 J Q K  ♠ 2 5 9 Q  ♥ 4 7",
        *shown[11:],
    ]
    assert [line[3:10] for line in shown[11:]] == ["1 East ", "2 South", "3 West "]


def test_a_trick_on_the_table_says_who_led() -> None:
    game = at_play()
    first = int(game.turn)
    game.play("2C")
    lines = str(game).splitlines()
    assert f"{(first + 1) % 4} {NAMES[(first + 1) % 4]}" in next(
        line for line in lines if line.startswith(">")
    )
    assert next(line for line in lines if "♣ led" in line).endswith("2♣ led")


def test_a_viewer_sees_its_own_hand_and_what_it_passed() -> None:
    game = herzen.Hearts(seed="friday", names=NAMES)
    for seat, cards in enumerate(("QD KD QS", "AD AH AS", "9H JH QH", "AC KH KS")):
        game.play(f"pass {cards}", seat=seat)
    lines = str(game.view(0)).splitlines()
    assert "hands" not in lines
    assert lines[-3:] == [
        "hand   ♣ 4 A  ♦ 3 9 10 J  ♠ 2 5 9 K  ♥ 4 7 K",
        "got    A♣ K♠ K♥",
        "passed Q♦ K♦ Q♠ (with East)",
    ]
    assert not any(
        symbol in line for line in str(game.view(None)).splitlines() for symbol in "♣♦♥♠"
    )


def test_permuting_what_a_seat_cannot_know_leaves_its_text_as_it_is() -> None:
    hands = [["QS", "2C", "5D"], ["3C", "4C", "9H"], ["6C", "7C", "8C"], ["9C", "TC", "JC"]]
    deck = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]
    held = functools.reduce(operator.iadd, hands, [])
    taken = [[card for card in deck if card not in held], [], [], []]
    other = [hands[0], hands[2], hands[3], hands[1]]
    texts = {
        str(herzen.Hearts.setup(hands=each, turn=0, taken=taken).view(0)) for each in (hands, other)
    }
    assert len(texts) == 1


def test_a_committed_pass_is_shown_to_the_server_and_to_its_owner_only() -> None:
    game = herzen.Hearts(seed="friday")
    game.play("pass QD KD QS", seat=0)
    assert "passes Q♦ K♦ Q♠" in str(game)
    assert "passes Q♦ K♦ Q♠" in str(game.view(0))
    for seat in (1, 2, 3, None):
        assert "passes" not in str(game.view(seat))
        assert "has passed" in str(game.view(seat))


def test_held_over_tricks_and_the_kitty_are_on_the_table() -> None:
    rules = herzen.HeartsRules.cancellation(players=5, pass_count=0)
    game = herzen.Hearts(rules, seed=1)
    assert "Kitty: " in str(game)
    assert "Kitty: 4 cards, face down" in str(game.view(0))
    deck = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"] * 2
    held = [["2C"], ["3C"], ["4C"], ["5C"], ["6C"]]
    trick = ["KS", "KS", "QS", "QS", "2H"]
    for card in [*functools.reduce(operator.iadd, held, []), *trick]:
        deck.remove(card)
    game = herzen.Hearts.setup(
        rules, hands=held, turn=0, tricks=[[0, trick, None]], taken=[deck, [], [], [], []]
    )
    assert "Held over: K♠ K♠ Q♠ Q♠ 2♥" in str(game)


def test_the_end_names_the_winners_and_the_moon_its_shooter() -> None:
    deck = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]
    game = herzen.Hearts.setup(
        hands=[[]] * 4, turn=1, phase="moon", scores=[90, 0, 0, 0], taken=[[], deck, [], []]
    )
    assert "Seat 1 has shot the moon" in str(game)
    game.play("moon add")
    assert "The match is over: Seat 1 wins with 0." in str(game)


def test_hostile_names_cannot_move_the_cursor() -> None:
    names = ["\x1b[2J", "a\nb", "x" * 50, "\ud800"]
    shown = str(herzen.Hearts(seed=1, names=names))
    assert all(letter.isprintable() or letter == "\n" for letter in shown)
    assert "a?b" in shown
    assert "x" * 20 not in shown


@pytest.mark.parametrize("number", range(scale(quick=13, ci=30, full=2000)))
def test_any_position_can_be_shown_in_ascii_and_in_few_columns(number: int) -> None:
    rules = herzen.HeartsRules(**random_rules(random.Random(f"text {number}")))
    game = herzen.Hearts(rules, seed=number)
    draw = random.Random(number)
    for _ in range(120):
        for shown in (game, game.view(draw.randrange(game.players)), game.view(None)):
            text = table(shown, symbols=False, width=60)
            assert text.isascii()
            assert all(len(line) <= 60 for line in text.splitlines())
            assert text == "\n".join(line.rstrip() for line in text.splitlines())
        if game.over:
            break
        codes = game.codes()
        game.play_code(codes[draw.randrange(len(codes))])


def test_showing_changes_nothing() -> None:
    game = herzen.Hearts(seed=2)
    before = game.fingerprint(), game.version
    str(game), str(game.view(1)), game_text("hearts").counted(game)
    assert (game.fingerprint(), game.version) == before


# ---- talking -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("phase", "typed", "meant"),
    [
        ("pass", "2c, 3d qs", "pass 2c 3d qs"),
        ("pass", "pass 2C 3D QS", "pass 2C 3D QS"),
        ("play", "Q S", "QS"),
        ("play", "play 10h", "10h"),
        ("moon", "add", "moon add"),
        ("moon", "moon subtract", "moon subtract"),
    ],
)
def test_what_is_plain_may_be_left_out(phase: str, typed: str, meant: str) -> None:
    class Shown:
        pass

    view = Shown()
    view.phase = phase  # type: ignore[attr-defined]
    assert hearts_text.complete(view, typed) == meant  # type: ignore[arg-type]


def test_every_event_that_matters_has_a_sentence_and_no_secret() -> None:
    game = herzen.Hearts(
        herzen.HeartsRules(max_hands=2, extras="kitty", players=5), seed=3, names=list("ABCDE")
    )
    play_randomly(game)
    told = [hearts_text.sentence(event, game.names) for event in game.events(None)]
    assert {
        type(event).__name__ for event in game.log if not hearts_text.sentence(event, game.names)
    } <= {
        "Exchanged",
        "GameEnded",
    }
    assert not [sentence for sentence in told if "pass " in sentence and ": pass" in sentence]
    assert any(sentence.startswith("Deal 1 is over.") for sentence in told)
    assert any(sentence.startswith("Trick to ") for sentence in told)


def test_what_a_deal_adds_to_a_summary() -> None:
    deals = []
    for seed in range(40):
        game = herzen.Hearts(herzen.HeartsRules(max_hands=1), seed=seed)
        play_randomly(game)
        deals.append(list(hearts_text.counted(game)))
        takers = [
            winner for _, cards, winner in game.tricks if any(str(card) == "QS" for card in cards)
        ]
        assert deals[-1] == [("queens", takers[0])]
    assert len({tuple(deal) for deal in deals}) == 4


def test_small_helpers() -> None:
    assert listed(["A"]) == "A"
    assert listed(["A", "B", "C"]) == "A, B and C"
    assert shorten("abcdef", 4) == "abc."
    assert fill(["aa", "bb", "cc"], first="> ", width=8) == ["> aa bb", "  cc"]
    assert grid([["a", "1"], ["bb", "10"]], right=(1,)) == ["a    1", "bb  10"]
    with pytest.raises(ValueError, match="no such game"):
        game_text("chess")
