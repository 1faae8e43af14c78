"""S-OPT: checking options and decks; the set-up of positions."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import herzen
from herzen.herzsammler import Herzsammler, HerzsammlerRules
from tests.herzsammler.table import DECK, example, legal, rows, texts, without

OURS = HerzsammlerRules().deck
SMALL = rows("R1ab R2ab R3ab R4ab R5ab R6ab R7ab R8ab R9ab R1cd R2cd")


@pytest.mark.parametrize(
    ("field", "wrong", "allowed"),
    [
        ("players", 5, "an integer 2..4"),
        ("players", 2.0, "an integer 2..4"),
        ("players", True, "an integer 2..4"),
        ("players", "2", "an integer 2..4"),
        ("choose_object", 1, "True or False"),
        ("choose_object", "yes", "True or False"),
        ("must_match", 0, "True or False"),
        ("require_heart", 1.0, "True or False"),
        ("end", "EMPTY", '"empty" or "short"'),
        ("end", True, '"empty" or "short"'),
        ("majority_tie", "shared", '"all" or "none"'),
        ("tie_break", "", '"shared" or "hearts"'),
        ("games", 0, "an integer 1..10000"),
        ("games", 10_001, "an integer 1..10000"),
        ("games", False, "an integer 1..10000"),
        ("stall_limit", 0, "an integer 1..10000"),
        ("stall_limit", 30.0, "an integer 1..10000"),
    ],
)
def test_wrong_values(field: str, wrong: Any, allowed: str) -> None:
    """S-OPT-1, S-OPT-2: the message names field, value and what is allowed; bool and float are no numbers."""
    with pytest.raises(herzen.RulesError) as caught:
        HerzsammlerRules(**{field: wrong})
    assert str(caught.value) == f"{field}={wrong!r}: allowed is {allowed}"
    assert caught.value.code == "bad_rules"


def test_the_limits_are_allowed() -> None:
    """S-OPT-1: the ends of every range."""
    for fields in ({"games": 1}, {"games": 10_000}, {"stall_limit": 1}, {"stall_limit": 10_000}):
        assert HerzsammlerRules(**fields).to_dict() == {
            name: value for name, value in fields.items() if value != 1 or name == "stall_limit"
        }


def test_none_is_the_default() -> None:
    """S-OPT-2: None for any option gives the default; defaults are in no record."""
    names = HerzsammlerRules._fields
    assert len(names) == 10
    assert HerzsammlerRules(**dict.fromkeys(names)) == HerzsammlerRules()
    assert HerzsammlerRules().to_dict() == HerzsammlerRules.classic().to_dict() == {}
    rules = HerzsammlerRules()
    assert (rules.end, rules.majority_tie, rules.tie_break) == ("empty", "all", "shared")
    assert (rules.games, rules.stall_limit, rules.players) == (1, 30, 2)
    flags = (rules.choose_object, rules.must_match, rules.require_heart)
    assert flags == (False, False, False)


def test_options_that_cannot_apply() -> None:
    """S-OPT-3: accepted, without effect: require_heart under majority_tie="none"."""
    for hearts, points in (((), (0, 0)), (("RHah",), (3, 0))):
        sheets = [
            herzen.MajorityScorer(
                HerzsammlerRules(majority_tie="none", require_heart=require)
            ).score([["R3af", *hearts], ["R5cj"]])
            for require in (False, True)
        ]
        assert sheets[0] == sheets[1]
        assert sheets[0].totals == points


@pytest.mark.parametrize("players", [2, 3, 4])
def test_sizes_of_decks(players: int) -> None:
    """S-OPT-4: at least 2n+7 cards and at most 128."""
    least = 2 * players + 7
    big = [list(row) for row in (*OURS, *OURS)]
    assert len(HerzsammlerRules(players=players, deck=big[:least]).deck) == least
    assert len(HerzsammlerRules(players=players, deck=big[:128]).deck) == 128
    with pytest.raises(
        herzen.RulesError, match=f"deck: at least {least} cards for {players} players, not"
    ):
        HerzsammlerRules(players=players, deck=big[: least - 1])
    with pytest.raises(herzen.RulesError, match="deck: at most 128 cards"):
        HerzsammlerRules(players=players, deck=big[:129])
    game = Herzsammler(HerzsammlerRules(players=players, deck=big[:128]), seed=1)
    while not game.over:
        game.play(game.codes()[-1])


def test_endless_decks_are_refused_in_time() -> None:
    """S-OPT-4: rows are not read beyond the limit."""

    def endless() -> Any:
        while True:
            yield ["red", "numeral", 1, 0, 1]

    with pytest.raises(herzen.RulesError, match="at most 128"):
        HerzsammlerRules(deck=endless())


@pytest.mark.parametrize(
    "colours", [["red", "Rose"], ["r", "R"], [f"{letter}x" for letter in "abcdefghi"]]
)
def test_colours_with_the_same_initial(colours: list[str]) -> None:
    """S-OPT-5: 1 to 8 colours, no two with the same initial as a capital."""
    deck = [[colours[number % len(colours)], "numeral", 1, 0, 1] for number in range(20)]
    with pytest.raises(herzen.RulesError, match="1 to 8 colours with different initials"):
        HerzsammlerRules(deck=deck)


def test_eight_colours() -> None:
    """S-OPT-5: eight are allowed; small and capital initials both."""
    names = [letter + "-colour" for letter in "abcdEFGH"]
    deck = [[names[number % 8], "numeral", 1, 0, 1] for number in range(16)]
    cards = HerzsammlerRules(deck=deck)._cards._by_id
    assert [str(card) for card in cards[:8]] == [f"{letter}1ab" for letter in "ABCDEFGH"]
    assert cards[0].colour == "a-colour"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (["", "numeral", 1, 0, 1], "a colour is a text with a letter A-Z first"),
        (["1red", "numeral", 1, 0, 1], "a colour is a text"),
        (["\xe4gypt", "numeral", 1, 0, 1], "a colour is a text"),
        ([" red", "numeral", 1, 0, 1], "a colour is a text"),
        ([5, "numeral", 1, 0, 1], "a colour is a text"),
        (["red", "joker", 1, 0, 1], 'a card is a "numeral" or a "heart"'),
        (["red", None, 1, 0, 1], 'a card is a "numeral" or a "heart"'),
        (["red", "numeral", 1, 0, 26], r"object b is a number 0\.\.25"),
        (["red", "numeral", 1, -1, 0], r"object a is a number 0\.\.25"),
        (["red", "numeral", 1, "a", 0], "object a is a number"),
        (["red", "numeral", 1, 0, True], "object b is a number"),
        (["red", "numeral", 100, 0, 1], r"value is a number 0\.\.99"),
        (["red", "numeral", -1, 0, 1], "value is a number"),
        (["red", "numeral", 1.0, 0, 1], "value is a number"),
        (["red", "numeral", True, 0, 1], "value is a number"),
        (["red", "heart", 1, 0, 1], "a heart has the value 0"),
        (["red", "numeral", 1, 0], r"\(colour, kind, value, object a, object b\) is needed"),
        (["red", "numeral", 1, 0, 1, 2], "is needed"),
        ("R1ab!", "is needed"),
        (None, "is needed"),
    ],
)
def test_wrong_rows(row: Any, message: str) -> None:
    """S-OPT-5, S-OPT-6, S-OPT-7: what a row may be; the message names the row."""
    with pytest.raises(herzen.RulesError, match=f"deck, row 4: .*{message}"):
        HerzsammlerRules(deck=[*SMALL[:4], row, *SMALL[4:]])


@pytest.mark.parametrize("wrong", [5, True, "R1ab", b"x", {}, [], ()])
def test_what_is_no_deck(wrong: Any) -> None:
    """S-OPT-1: anything but rows."""
    with pytest.raises(herzen.RulesError, match="deck"):
        HerzsammlerRules(deck=wrong)


def test_objects_may_have_gaps() -> None:
    """S-OPT-6: objects 0 to 25, not all of them used."""
    deck = [["red", "numeral", 1, 0, 25], ["red", "numeral", 1, 7, 25], *SMALL]
    rules = HerzsammlerRules(deck=deck)
    assert [str(card) for card in rules._cards._by_id[:2]] == ["R1az", "R1hz"]


def test_values() -> None:
    """S-OPT-7: numerals 0 to 99, hearts 0."""
    deck = [
        ["red", "numeral", 0, 0, 1],
        ["red", "numeral", 99, 0, 1],
        ["red", "heart", 0, 0, 1],
        *SMALL,
    ]
    rules = HerzsammlerRules(deck=deck)
    assert texts(rules._cards._by_id[:3]) == ["R0ab", "R99ab", "RHab"]
    sheet = herzen.MajorityScorer(rules).score([["R0ab", "R99ab"], []])
    assert sheet.totals == (99, 0)


def test_which_decks_are_the_same() -> None:
    """S-OPT-8: our rows are the default, objects in any order; other orders of rows are other decks."""
    turned = [[*row[:3], row[4], row[3]] for row in OURS]
    for same in (OURS, turned, [list(row) for row in OURS], iter(OURS)):
        rules = HerzsammlerRules(deck=same)
        assert rules == HerzsammlerRules()
        assert hash(rules) == hash(HerzsammlerRules())
        assert rules.to_dict() == {}
        assert rules._cards is HerzsammlerRules()._cards
    other = HerzsammlerRules(deck=[OURS[1], OURS[0], *OURS[2:]])
    assert other != HerzsammlerRules()
    assert other.to_dict()["deck"][0] == list(OURS[1])
    assert Herzsammler(other, seed=1) != Herzsammler(seed=1)


def test_rules_come_back() -> None:
    """S-OPT-9: rules of another deck by dict, pickle, repr and replace."""
    rules = HerzsammlerRules(deck=SMALL, games=3, choose_object=True)
    assert HerzsammlerRules.from_dict(rules.to_dict()) == rules
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert eval(repr(rules), {"HerzsammlerRules": HerzsammlerRules}) == rules
    assert rules.replace(games=None, choose_object=None).to_dict() == {
        "deck": [list(r) for r in rules.deck]
    }
    with pytest.raises(herzen.RulesError, match="players"):
        rules.replace(players=3)  # too few cards for three
    with pytest.raises(herzen.RulesError, match="no option 'colour'"):
        HerzsammlerRules.from_dict({"colour": "red"})
    with pytest.raises(AttributeError, match="frozen"):
        rules.games = 2


def test_new_by_name() -> None:
    """S-OPT-1: herzen.new takes the fields as keywords."""
    game = herzen.new("herzsammler", players=3, deck=OURS, seed=1)
    assert isinstance(game, Herzsammler)
    assert game == Herzsammler(HerzsammlerRules(players=3), seed=1)


# ---- set-ups -------------------------------------------------------------------------------------------------

OPEN = "RHah Y3bg YHef G3ae B1ij BHdh".split()
HANDS = ["RHcd BHfj V5aj".split(), "G1be G2fj".split()]
STACK = without(DECK, OPEN, *HANDS)


def zones(**changes: Any) -> dict[str, Any]:
    return {"hands": HANDS, "turn": 0, "open": OPEN, "stack": STACK, "seed": 1} | changes


def test_setup_gives_the_position() -> None:
    """S-TURN-1: the hand of the seat to move holds its drawn card already; a setup draws nothing."""
    game = Herzsammler.setup(**zones(names=["A", "B"], scores=[3, 4], misses=2))
    assert game.hand_sizes == (3, 2)
    assert game.stack_size == 79
    assert (game.ply, game.version, game.moves, game.scores, game.misses) == (0, 0, (), (3, 4), 2)
    assert game.names == ("A", "B")
    assert eval(game.to_setup(), {"herzen": herzen}) == game
    game.play("show V5aj")
    assert eval(game.to_setup(), {"herzen": herzen}) == game


def test_setup_of_every_zone() -> None:
    """S-KNOW-3, S-KNOW-4, S-KNOW-6: bottom, known and barred come in and go out as given."""
    rules = HerzsammlerRules(must_match=True, games=3, tie_break="hearts")
    game = Herzsammler.setup(
        rules,
        **zones(
            bottom=STACK[-2:],
            known={1: ["G1be"]},
            barred=[["", "", ""], ["a"]],
            deal_number=1,
            dealer=0,
            hearts_won=[5, 6],
        ),
    )
    assert texts(game.bottom) == STACK[-2:]
    assert {seat: texts(held) for seat, held in game.view(0).known.items()} == {1: ["G1be"]}
    assert game.barred == (("", "", ""), ("a",))
    assert (game.deal_number, game.dealer, game.hearts_won) == (1, 0, (5, 6))
    assert eval(game.to_setup(), {"herzen": herzen}) == game


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"stack": STACK[1:]}, "missing"),
        ({"stack": [*STACK, "RHah"]}, "RHah"),
        ({"stack": [*STACK[1:], "R9xx"]}, "no such card"),
        ({"open": OPEN[:5], "stack": [OPEN[5], *STACK]}, "open: six cards are needed"),
        (
            {"hands": [HANDS[0][:2], HANDS[1]], "stack": ["V5aj", *STACK]},
            r"hands\[0\]: 3\.\.3 cards",
        ),
        (
            {"hands": [HANDS[0], HANDS[1][:1]], "stack": ["G2fj", *STACK]},
            r"hands\[1\]: 2\.\.2 cards",
        ),
        ({"turn": 1}, r"hands\[0\]: 2\.\.2 cards"),
        ({"turn": None}, "turn"),
        ({"turn": 2}, "turn|seat"),
        ({"hands": HANDS[:1]}, "hands"),
        ({"bottom": [STACK[0]]}, "bottom: the last cards of the stack"),
        ({"bottom": [*STACK, STACK[0]]}, "bottom: the last cards of the stack"),
        ({"misses": 30}, r"misses: an integer 0\.\.29"),
        ({"misses": -1}, "misses"),
        ({"misses": True}, "misses"),
        ({"deal_number": 1}, "deal_number"),
        ({"scores": [1]}, "scores"),
        ({"hearts_won": [1, -1]}, "hearts_won"),
        ({"known": {1: ["RHcd"]}}, r"known\[1\]: cards of the seat's hand"),
        ({"known": {1: ["G1be", "G1be"]}}, r"known\[1\]: cards of the seat's hand"),
        ({"known": {5: ["G1be"]}}, "known|seat"),
        ({"known": ["G1be"]}, "known: a mapping"),
        ({"known": {1: {}}}, r"known\[1\]: cards are needed"),
        ({"bottom": {}}, "bottom: cards are needed"),
        ({"bottom": 5}, "bottom: cards are needed"),
        ({"barred": 5}, "barred"),  # without must_match nothing is barred, but it is read
        ({"barred": [["", "", ""], {}]}, r"barred\[1\]: a sequence of texts"),
        ({"phase": "play"}, "phase"),
        ({"collections": [[]]}, "collections"),
        ({"hands": 5}, "hands"),
    ],
)
def test_setup_errors(changes: dict[str, Any], message: str) -> None:
    """S-TURN-1, S-KNOW-3: cards are conserved, sizes fit the turn, known cards are where they are said to be."""
    with pytest.raises((herzen.SetupError, IndexError), match=message):
        Herzsammler.setup(**zones(**changes))


@pytest.mark.parametrize(
    ("barred", "message"),
    [
        ([["", "", ""]], "barred"),
        ([["", ""], ["", ""]], r"barred\[0\]: one entry for each unknown card"),
        ([["", "", ""], ["b", "bc"]], r"barred\[1\]: one entry .* within"),
        ([["", "", ""], ["e", ""]], None),
        ([["", "", ""], ["bf", "bf"]], r"barred\[1\]: the hand shows what it cannot"),
        ([["", "", ""], ["A", ""]], r"barred\[1\]: letters of objects"),
        ([["", "", ""], [1, ""]], r"barred\[1\]: letters of objects"),
        ([["", "", ""], "xx"], r"barred\[1\]: a sequence of texts"),
    ],
)
def test_setup_of_barred(barred: Any, message: str | None) -> None:
    """S-KNOW-6: an entry for each unknown card, each within the one before, and true of the hand."""
    rules = HerzsammlerRules(must_match=True)
    if message is None:
        assert Herzsammler.setup(rules, **zones(barred=barred)).barred[1] == ("e", "")
        return
    with pytest.raises(herzen.SetupError, match=message):
        Herzsammler.setup(rules, **zones(barred=barred))


def test_sizes_under_short() -> None:
    """S-END-2: with an empty stack hands may be smaller; with a stack they may not."""
    rules = HerzsammlerRules(end="short")
    game = Herzsammler.setup(
        rules,
        **zones(
            hands=[["RHcd"], []],
            stack=[],
            collections=[
                [*STACK, "BHfj", "V5aj"],
                ["G1be", "G2fj"],
            ],
        ),
    )
    assert game.hand_sizes == (1, 0)
    assert legal(game) == ["show RHcd"]
    for hands, pile in (
        ([[], []], ["RHcd", "BHfj", "V5aj", *HANDS[1]]),
        ([HANDS[0], [*HANDS[1], "R1dh"]], []),
    ):
        rest = [card for card in STACK if card not in [*hands[0], *hands[1]]]
        with pytest.raises(herzen.SetupError, match="cards are needed"):
            Herzsammler.setup(
                rules, **zones(hands=hands, stack=[], collections=[[*rest, *pile], []])
            )
    with pytest.raises(herzen.SetupError, match=r"hands\[0\]: 3\.\.3"):
        Herzsammler.setup(rules, **zones(hands=[HANDS[0][:2], HANDS[1]], stack=[*STACK, "V5aj"]))


def test_a_setup_that_is_over() -> None:
    """S-END-8: phase "over": nobody to move; scores and hearts decide."""
    rules = HerzsammlerRules(tie_break="hearts")
    game = Herzsammler.setup(
        rules, **zones(turn=None, phase="over", scores=[4, 4], hearts_won=[1, 2])
    )
    assert (game.over, game.turn, [int(seat) for seat in game.winners]) == (True, None, [1])
    assert eval(game.to_setup(), {"herzen": herzen}) == game
    assert example().winners == ()
