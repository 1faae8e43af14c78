"""S-DECK: the cards, and decks of one's own as data."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import herzen
from herzen.herzsammler import Card, Herzsammler, HerzsammlerRules, Show, load_deck, parse
from herzen.simulation import play_randomly
from tests.herzsammler.table import DECK, deck_of, kinds, legal, middle, rows, small, texts

DATA = Path(__file__).parents[1] / "data" / "herzsammler_deck.csv"
HEADER = "id,colour,kind,value,obj_a,obj_b\n"
COLOURS = ["red", "yellow", "green", "blue", "violet"]
EQUAL = "R1ab R1ab G2cd G2cd R1ab YHef YHef B3aa B3aa V1gh V1gh Y1ab Y2cd"
"""13 cards, four kinds of them more than once."""


def ours() -> list[Card]:
    return [Card(text) for text in DECK]


def test_ninety_cards() -> None:
    """S-DECK-1: five colours; in each, values 1 to 5 twice and 8 hearts of value 0."""
    deck = ours()
    assert len(deck) == 90
    assert list(dict.fromkeys(card.colour for card in deck)) == COLOURS
    for colour in COLOURS:
        own = [card for card in deck if card.colour == colour]
        numerals = Counter(card.value for card in own if card.kind == "numeral")
        assert numerals == dict.fromkeys(range(1, 6), 2)
        assert [card.value for card in own if card.kind == "heart"] == [0] * 8


def test_every_pair_of_objects_twice() -> None:
    """S-DECK-2: two different objects out of ten, each of the 45 pairs on exactly two cards."""
    pairs = Counter(card.objects for card in ours())
    assert pairs == dict.fromkeys(combinations("abcdefghij", 2), 2)


def test_ids_are_rows() -> None:
    """S-DECK-3: the id is the number of the row; ids are the canonical order and the start of the shuffle."""
    lines = DATA.read_text(encoding="utf-8").splitlines()[1:]
    for number, (line, card) in enumerate(zip(lines, ours(), strict=True)):
        ident, colour, kind, value, first, second = line.split(",")
        assert (int(ident), card.index) == (number, number)
        assert (card.colour, card.kind, card.value) == (colour, kind, int(value))
        assert card.objects == ("abcdefghij"[int(first)], "abcdefghij"[int(second)])
    assert sorted(ours()) == ours()
    assert HerzsammlerRules()._deck() == list(range(90))


@pytest.mark.parametrize(
    ("text", "colour", "kind", "value", "objects"),
    [
        ("R3af", "red", "numeral", 3, ("a", "f")),
        ("VHbf", "violet", "heart", 0, ("b", "f")),
        ("G1be", "green", "numeral", 1, ("b", "e")),
    ],
)
def test_texts(text: str, colour: str, kind: str, value: int, objects: tuple[str, str]) -> None:
    """S-DECK-4: initial, value or H, letters in alphabetical order; other cases and orders are read too."""
    card = Card(text)
    assert (card.colour, card.kind, card.value, card.objects) == (colour, kind, value, objects)
    assert str(card) == text
    for other in (text.lower(), f" {text} ", text[:-2] + text[-1] + text[-2]):
        assert Card.parse(other) is card


@pytest.mark.parametrize(
    "text", ["", "R3", "R3ab", "X3af", "R6af", "R03af", "3Raf", "R3aff", "QS", "Ⓡ3af"]
)
def test_no_such_card(text: str) -> None:
    """S-DECK-4: what is not in the deck is no card."""
    with pytest.raises(herzen.CardError, match="no such card"):
        Card.parse(text)


def test_two_digit_values_and_colours_with_an_h() -> None:
    """S-DECK-4: values above 9 have two digits; a colour "Hazel" makes `H3ab` and `HHab`."""
    deck = [
        ["blue", "numeral", 12, 2, 3],
        ["Hazel", "numeral", 3, 0, 1],
        ["Hazel", "heart", 0, 0, 1],
    ]
    deck += [["blue", "numeral", value, 4, 5] for value in range(90, 100)]
    rules = HerzsammlerRules(deck=deck)
    assert deck_of(rules)[:4] == ["B12cd", "H3ab", "HHab", "B90ef"]
    for text in deck_of(rules):
        assert str(rules._cards.parse(text.lower())) == text


def test_cards_are_immutable_and_alone() -> None:
    """S-DECK-4: one object for each text; equal only to itself; copies and pickles are the card."""
    card = Card("R3af")
    for other in (copy.copy(card), copy.deepcopy(card), pickle.loads(pickle.dumps(card))):
        assert other is card
    assert card != "R3af"
    assert len({card, Card("r3fa")}) == 1
    with pytest.raises(AttributeError, match="immutable"):
        card.value = 5


# ---- decks of one's own --------------------------------------------------------------------------------------


def test_a_deck_of_ones_own_is_played() -> None:
    """S-DECK-5: rows (colour, kind, value, object a, object b) replace the deck."""
    game = small("R1ab G1cd", "B1ef B2ef", open="V1aa V2bb V3cc V4dd V5ee V9gg", stack="YHab Y1gg")
    assert texts(game.hand(0)) == ["R1ab", "G1cd", "YHab"]
    events = game.play("show YHab")
    assert [str(card) for card in events[1].cards] == ["V1aa", "V2bb"]
    card = game.hand(0)[0]
    assert (card.colour, card.kind, card.value, card.objects) == ("red", "numeral", 1, ("a", "b"))
    assert "Y1gg" in texts(game.open)
    assert game.over


def test_objects_in_any_order() -> None:
    """S-DECK-5, S-OPT-8: which object of a row comes first does not matter."""
    deck = rows("R1ab R2ab R3ab R4ab R5ab R6ab R7ab R8ab R9ab RHac RHbc")
    turned = [[*row[:3], row[4], row[3]] for row in deck]
    assert HerzsammlerRules(deck=deck) == HerzsammlerRules(deck=turned)
    assert HerzsammlerRules(deck=turned).deck[0] == ("red", "numeral", 1, 0, 1)


def test_a_double_matches_as_its_one_object() -> None:
    """S-DECK-6: G2ff takes what shows f, is taken by what shows f, and has one move under choose_object."""
    zones = {"open": "R1fg R2ef R3gh R4gh R5gh R6gh", "stack": "Y1hh Y2hh Y3hh"}
    game = small("G2ff B1gg", "B2ff B3hh", **zones)
    events = game.play("show G2ff")
    assert texts(events[1].cards) == ["R1fg", "R2ef"]
    assert texts(game.play("show B2ff")[1].cards) == ["G2ff"]
    chosen = small("G2ff B1gh", "B2ff B3hh", **zones, choose_object=True)
    assert legal(chosen) == [
        "show G2ff by f",
        "show B1gh by g",
        "show B1gh by h",
        "show Y1hh by h",
    ]


def equal_game(**fields: Any) -> Herzsammler:
    rules = HerzsammlerRules(deck=rows(EQUAL), **fields)
    return Herzsammler(rules, seed=3)


def test_equal_cards_are_one_kind() -> None:
    """S-DECK-7: equal cards are one card with the lowest id; they lie side by side and give one move."""
    rules = HerzsammlerRules(deck=rows(EQUAL))
    cards = rules._cards._by_id
    assert cards[0] is cards[1] is cards[4]
    assert [card.index for card in cards] == [0, 0, 2, 2, 0, 5, 5, 7, 7, 9, 9, 11, 12]
    rest = "G2cd G2cd YHef YHef B3aa B3aa V1gh V1gh Y1ab Y2cd".split()
    game = Herzsammler.from_hands(
        [["R1ab", "B3aa"], ["V1gh", "V1gh"]],
        rules,
        rest=[
            *"G2cd YHef G2cd YHef B3aa Y2cd R1ab".split(),
            "Y1ab",
            "R1ab",
        ],
    )
    assert sorted(rest + ["R1ab"] * 3) == sorted(deck_of(rules))
    assert texts(game.hand(0)) == ["R1ab", "R1ab", "B3aa"]
    assert legal(game) == ["show R1ab", "show B3aa"]
    assert list(game.codes()) == [0, 14]
    assert texts(game.open) == ["G2cd", "G2cd", "YHef", "YHef", "B3aa", "Y2cd"]


def test_codes_of_higher_copies_are_no_moves() -> None:
    """S-DECK-7: whichever copy is held, the move has the number of the lowest id."""
    rules = HerzsammlerRules(deck=rows(EQUAL))
    rest = "R1ab R1ab G2cd G2cd YHef YHef Y2cd B3aa Y1ab".split()
    game = Herzsammler.from_hands([["R1ab", "B3aa"], ["V1gh", "V1gh"]], rules, rest=rest)
    assert 0 in game.codes()
    for code in (2, 8, 1):
        with pytest.raises(herzen.IllegalMove) as caught:
            game.play(code)
        assert caught.value.code == "unknown_move"
    assert texts([game.play(0)[0].card]) == ["R1ab"]


def test_nothing_shows_which_copy_a_card_is() -> None:
    """S-DECK-7: a deck given as texts or as cards is the same: games, views and records are equal.

    The m-th mention of a text in an explicit deck is the m-th such card.
    """
    rules = HerzsammlerRules(deck=rows(EQUAL))
    deck = "R1ab G2cd R1ab YHef B3aa V1gh V1gh Y2cd G2cd YHef Y1ab B3aa R1ab".split()
    one = Herzsammler(rules, seed=1, deals=[deck])
    two = Herzsammler(rules, seed=1, deals=[[rules._cards.parse(text) for text in deck]])
    for _ in range(2):
        assert one == two
        assert one.view(0).dumps() == two.view(0).dumps()
        assert one.record().dumps() == two.record().dumps()
        one.play(one.codes()[0])
        two.play(two.legal_moves()[0])
    with pytest.raises(herzen.SetupError, match="R1ab is not in the deck so often"):
        Herzsammler(rules, deals=[[*deck[:11], "R1ab", "R1ab"]])
    with pytest.raises(herzen.SetupError, match="cards are missing: Y2cd"):
        Herzsammler(rules, deals=[[card for card in deck if card != "Y2cd"]])


def test_a_colour_may_lack_hearts_or_numerals() -> None:
    """S-DECK-8: without hearts of a colour in the deck all seats are tied at zero in it and keep."""
    hearts_only = "YHab YHcd YHef"
    deck = f"R1ab R2ab R3cd R4cd R5ef R6ef R7gh R8gh {hearts_only}"
    for fields, points in (
        ({}, (3, 7)),
        ({"require_heart": True}, (0, 0)),
        ({"majority_tie": "none"}, (0, 0)),
    ):
        rules = HerzsammlerRules(deck=rows(deck), **fields)
        sheet = herzen.MajorityScorer(rules).score(
            [["R1ab", "R2ab", "YHab"], ["R7gh", "YHcd", "YHef"]]
        )
        assert sheet.totals == points


# ---- files and pickles ---------------------------------------------------------------------------------------


def test_load_deck_reads_ours(tmp_path: Path) -> None:
    """S-OPT-9: the csv of our deck is the default deck; one of one's own is read like it."""
    assert load_deck(DATA) == HerzsammlerRules().deck
    assert HerzsammlerRules(deck=load_deck(DATA)) == HerzsammlerRules()
    file = tmp_path / "deck.csv"
    body = "".join(f"{i},red,numeral,{i},{i},{(i + 1) % 9}\r\n" for i in range(11))
    file.write_bytes((HEADER.replace("\n", "\r\n") + body).encode())
    deck = load_deck(str(file))
    assert deck[8] == ("red", "numeral", 8, 0, 8)
    assert deck_of(HerzsammlerRules(deck=deck))[8] == "R8ai"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "the first line must be id,colour"),
        ("id,colour\n", "the first line must be id,colour"),
        (HEADER + "0,red,numeral,1,0\n", "line 2: 6 fields are needed, the id 0 first"),
        (HEADER + "0,red,numeral,1,0,1\n2,red,numeral,1,0,1\n", "line 3: 6 fields"),
        (HEADER + "0,red,numeral,1,0,1\n\n", "line 3: 6 fields"),
        (HEADER + "0,red,numeral,one,0,1\n", "line 2: value and objects are numbers"),
        (HEADER + "0,red,numeral,1,0,x\n", "line 2: value and objects are numbers"),
        (HEADER + "0,red,joker,1,0,1\n", 'row 0: a card is a "numeral" or a "heart"'),
        (HEADER + "0,red,heart,1,0,1\n", "row 0: a heart has the value 0"),
        (HEADER + "0,red,numeral,100,0,1\n", "row 0: value is a number 0..99"),
        (HEADER + "0,red,numeral,1,0,26\n", "row 0: object b is a number 0..25"),
        (HEADER + "0,,numeral,1,0,1\n", "row 0: a colour is a text"),
        (HEADER, "1 to 8 colours"),
    ],
)
def test_load_deck_names_the_line(tmp_path: Path, content: str, message: str) -> None:
    """S-OPT-9: a file that is no deck is refused, with the place."""
    file = tmp_path / "deck.csv"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(herzen.SetupError, match=message):
        load_deck(file)


def test_load_deck_refuses_other_bytes_and_missing_files(tmp_path: Path) -> None:
    """S-OPT-9: bytes that are no UTF-8 are no csv; a file that is not there is an OSError."""
    file = tmp_path / "deck.csv"
    file.write_bytes(HEADER.encode() + b"0,r\xff\xfed,numeral,1,0,1\n")
    with pytest.raises(herzen.SetupError, match="not a csv file"):
        load_deck(file)
    with pytest.raises(OSError, match="No such file"):
        load_deck(tmp_path / "none.csv")


def test_pickles_of_decks_of_ones_own() -> None:
    """S-OPT-9: cards, moves, events, views, rules and games of another deck come back as they were."""
    game = equal_game(choose_object=True, games=2)
    game.play(game.codes()[0])
    card, move = game.hand(0)[0], game.legal_moves()[0]
    assert type(card) is not Card
    assert pickle.loads(pickle.dumps(card)) is card
    assert copy.deepcopy(card) is card
    assert card != Card.at(card.index)
    for thing in (move, game.log, game.view(0), game.rules, game):
        assert pickle.loads(pickle.dumps(thing)) == thing
    assert pickle.loads(pickle.dumps(game)).hand(0)[0] is card


def test_records_hold_a_deck_in_full() -> None:
    """S-OPT-9: a record holds another deck as rows and replays alone; of ours it holds nothing."""
    game = equal_game(games=3)
    play_randomly(game)
    data = game.record().to_dict()
    assert data["rules"] == {"deck": [list(row) for row in game.rules.deck], "games": 3}
    record = herzen.Record.loads(game.record().dumps())
    record.verify(seed=True)
    again = record.replay()
    assert again == game
    assert again.rules.deck == game.rules.deck
    assert kinds(again.log) == kinds(game.log)
    assert "deck" not in Herzsammler(seed=1).record().to_dict()["rules"]
    data["rules"]["deck"][0][1] = "joker"
    with pytest.raises(herzen.RecordError, match="row 0"):
        herzen.Record.from_dict(data)


def test_a_record_under_another_deck_does_not_verify() -> None:
    """S-OPT-9: with two rows of the deck exchanged the seed deals other cards."""
    rules = HerzsammlerRules(deck=rows(EQUAL))
    game = Herzsammler(rules, seed=3)
    play_randomly(game)
    data = game.record().to_dict()
    deck = data["rules"]["deck"]
    deck[0], deck[12] = deck[12], deck[0]
    with pytest.raises(herzen.ReplayMismatch):
        herzen.Record.from_dict(data).verify(seed=True)


def test_a_record_that_names_a_card_of_no_deck() -> None:
    """S-OPT-9: decks and moves of a record are read by its own deck."""
    data = equal_game().record().to_dict()
    data["deals"][0][0] = "R3af"
    with pytest.raises(herzen.RecordError, match="no such card"):
        herzen.Record.from_dict(data)


def test_moves_are_values() -> None:
    """S-DECK-4: moves are equal by card and object, pickle, match, and sort by code."""
    move = Show("R3af", "f")
    match move:
        case Show(card, named):
            assert (str(card), named) == ("R3af", "f")
        case _:
            pytest.fail("a Show matches Show")
    assert move == parse("show R3af by f") == pickle.loads(pickle.dumps(move))
    assert len({move, Show(Card("R3af"), "f"), Show("R3af", "a"), Show("R3af")}) == 3
    assert [m.code for m in sorted([Show("R3af", "f"), Show("R3af", "a"), Show("R1dh")])] == [
        0,
        8,
        9,
    ]
    with pytest.raises(ValueError, match="does not show the object"):
        Show("R3af", "b")


def test_a_card_of_another_deck_is_no_move() -> None:
    """S-DECK-5: cards of different decks are different cards, also with the same text."""
    other = Herzsammler(HerzsammlerRules(deck=[*HerzsammlerRules().deck[::-1]]), seed=1)
    game = middle("R3af R3eh R4bj", "R4fg R5cj", open="RHah RHbe RHcd RHce RHdf RHfi")
    strange = next(card for card in other.rules._cards._by_id if str(card) == "R3af")
    assert strange != Card("R3af")
    with pytest.raises(herzen.IllegalMove) as caught:
        game.play(Show(strange))
    assert caught.value.code == "unknown_move"
    assert game.is_legal(Show("R3af"))
