"""Numbers from outside: huge ones, ones whose comparisons lie, and what errors keep of them."""

from __future__ import annotations

import gc
import importlib
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import herzen
from tests.contract.adapter import Adapter
from tests.contract.checks import every_game, walk
from tests.contract.samples import played

HUGE = 10**5000  # more digits than Python writes out


class Liar(int):
    """A number that is smaller and greater than every other, and equal to it."""

    def __lt__(self, other: int) -> bool:
        return True

    def __le__(self, other: int) -> bool:
        return True

    def __gt__(self, other: int) -> bool:
        return True

    def __ge__(self, other: int) -> bool:
        return True

    def __eq__(self, other: object) -> bool:
        return True

    def bit_length(self) -> int:
        return 1

    __hash__ = int.__hash__


class Holder:
    """An index that is no int; a subclass of int in it is handed out as it is."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __index__(self) -> int:
        return self.number


class Word(str):
    """A text that is equal to every other."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = str.__hash__


@every_game
@pytest.mark.parametrize(
    "number", [HUGE, -HUGE, Liar(2 * 10**9), Liar(-5)], ids=["huge", "-huge", "liar", "-liar"]
)
def test_numbers_out_of_range_have_their_errors(case: Adapter, number: int) -> None:
    game = played(case, case.variants[0], 9)
    record = game.record()
    code = game.codes()[0]
    calls: list[tuple[type[BaseException], Callable[[], Any]]] = [
        (IndexError, lambda: game.hand(number)),
        (IndexError, lambda: game.view(number)),
        (IndexError, lambda: game.codes(number)),
        (IndexError, lambda: game.events(number)),
        (IndexError, lambda: game.play(code, seat=number)),
        (IndexError, lambda: case.kind(dealer=number)),
        (IndexError, lambda: record.replay(number)),
        (herzen.IllegalMove, lambda: game.play(number)),
        (herzen.IllegalMove, lambda: game.play_code(number)),
        (herzen.RulesError, lambda: case.kind.rules_type(players=number)),
        (herzen.RulesError, lambda: case.kind.rules_type.from_dict({number: 1})),  # type: ignore[dict-item]
    ]
    if type(number) is int:
        calls.append((herzen.SeedError, lambda: case.kind(seed=number)))
    for error, call in calls:
        with pytest.raises(error) as caught:
            call()
        assert isinstance(caught.value, error)
        assert len(str(caught.value)) < 300
        assert len(repr(caught.value)) < 400
    if number > 0:
        with pytest.raises(herzen.StaleState):
            game.play(code, expect=number)
    codes = played(case, case.variants[0], 0).codes()
    if not isinstance(codes, bytes):  # these have Python's own answer
        assert number not in codes


@every_game
def test_a_card_is_made_of_a_text(case: Adapter) -> None:
    kind: Any = vars(importlib.import_module(f"herzen.{case.name}"))["Card"]
    for thing in (None, 5, 1.5, (), ("Q", "S"), range(3), b"QS", object(), kind(case.deck({})[0])):
        for make in (kind, kind.parse):
            with pytest.raises(TypeError):
                make(thing)
    with pytest.raises(herzen.CardError) as caught:
        kind("x" * 5_000)
    assert len(str(caught.value)) < 300


def numbered(data: Any, number: int) -> Any:
    """The same with another number in the place of every one."""
    if isinstance(data, dict):
        return {key: numbered(value, number) for key, value in data.items()}
    if isinstance(data, list):
        return [numbered(value, number) for value in data]
    return number if type(data) is int else data


@every_game
def test_views_name_only_seats_that_there_are(case: Adapter) -> None:
    """In every field that names seats or has an entry a seat: text and pictures look names up by them."""
    kind = case.kind.view_type
    left = {*kind._seats_in, *kind._by_seat}
    for _, game in walk(case, 600, 5, every=3, by_kind=True):
        if not left:
            break
        data = game.view(game.turn).to_dict()
        for name in left & set(data):
            wrong: list[Any] = [numbered(data[name], -1), numbered(data[name], game.players)]
            if name in kind._by_seat:
                wrong = [data[name][1:], [*data[name], data[name][0]]]
            if wrong[0] == data[name]:
                continue  # there is none now
            for value in wrong:
                with pytest.raises(herzen.RecordError, match=r"seats are|entries are needed"):
                    herzen.View.from_dict(data | {name: value})
            left.discard(name)
            break
    assert not left


def test_long_words_are_quoted_shortly() -> None:
    for call in (
        lambda: herzen.hearts.MoonChoice("x" * 5_000),
        lambda: herzen.herzsammler.Show("R3af", "x" * 5_000),
        lambda: herzen.new("x" * 5_000),
        lambda: herzen.View.from_dict({"game": ["x" * 5_000]}),
    ):
        with pytest.raises(ValueError) as caught:  # noqa: PT011
            call()
        assert len(str(caught.value)) < 300


def test_options_and_zones_of_any_size_have_their_errors() -> None:
    for number in (HUGE, -HUGE, Liar(10**9), Liar(-(10**9))):
        for name, value in (
            ("target", number),
            ("heart_points", number),
            ("heart_points", [number] * 13),
            ("bonus", {"JD": number}),
            ("exact_reset", {number: 0}),
            ("exact_reset", {0: number}),
            ("pass_cycle", [number]),
            ("pass_cycle", number),
            ("removed", [number]),
            ("lead", number),
            ("keep_spades", number),
            ("floor", number),
        ):
            with pytest.raises(herzen.RulesError):
                herzen.HeartsRules(**{name: value})
        for name in ("blocked_after", "hand_size", "flute_bonus"):
            with pytest.raises(herzen.RulesError):
                herzen.VonHerzenRules(**{name: number})
        row = ("red", "numeral", 1, 0, 0)
        for place in range(2, 5):
            wrong = (*row[:place], number, *row[place + 1 :])
            with pytest.raises(herzen.RulesError):
                herzen.HerzsammlerRules(deck=[wrong, *[row] * 20])
        hands = [["2C"], ["3C"], ["4C"], ["5C"]]
        for name in ("turn", "dealer", "deal_number", "pass_direction", "phase", "scores"):
            with pytest.raises(herzen.SetupError):
                herzen.Hearts.setup(**{"hands": hands, "turn": 0, name: number})
        with pytest.raises(herzen.SetupError):
            herzen.TrickScorer().score([[]] * 4, totals=[number * 10, 0, 0, 0])
        with pytest.raises(herzen.SetupError):
            herzen.TrickScorer().score([[]] * 4, moon=number)  # type: ignore[arg-type]
        with pytest.raises(herzen.SetupError):
            herzen.RunScorer().score([(number, ["7C", "8C", "9C"])])


def test_words_are_read_as_they_are() -> None:
    for name in ("lead", "moon", "pass_cycle", "heart_points", "extras"):
        with pytest.raises(herzen.RulesError):
            herzen.HeartsRules(**{name: Word("nonsense")})
    with pytest.raises(herzen.RulesError):
        herzen.VonHerzenRules(blocked_after=Word("nonsense"))
    with pytest.raises(herzen.RulesError):
        herzen.HerzsammlerRules(deck=[("red", Word("nonsense"), 0, 0, 0)] * 20)
    assert herzen.HeartsRules(moon=Word("add")) == herzen.HeartsRules(moon="add")
    assert type(herzen.HeartsRules(moon=Word("add")).moon) is str


@every_game
def test_exact_numbers_of_other_types_are_seeds(case: Adapter) -> None:
    numpy = pytest.importorskip("numpy")
    for seed in (numpy.int64(7), numpy.uint8(7), Holder(7), Liar(7)):
        assert case.kind(seed=seed) == case.kind(seed=7)
    for wrong in (True, 7.0, numpy.float64(7), numpy.bool_(True), numpy.int64(-7)):
        with pytest.raises(herzen.SeedError):
            case.kind(seed=wrong)


@every_game
def test_an_error_does_not_carry_the_game(case: Adapter) -> None:
    """It may be sent to a client."""
    game = played(case, case.variants[0], 9)

    class Code(int):
        pass

    class Text(str):
        pass

    code, text = Code(1 << 50), Text("no move")
    code.game = text.game = game  # type: ignore[attr-defined]
    for move in (game.seats[1], code, text, Holder(1 << 50)):
        for seat in (None, next(seat for seat in range(game.players) if seat not in game.to_move)):
            with pytest.raises(herzen.IllegalMove) as caught:
                game.play(move, seat=seat)  # type: ignore[arg-type]
            assert type(caught.value.move) in (int, str)
            assert b"_unpickle" not in pickle.dumps(caught.value)


@every_game
def test_games_are_reachable_from_the_package(case: Adapter) -> None:
    import subprocess
    import sys

    code = f"import herzen; assert herzen.{case.name}.Move and {case.name!r} in dir(herzen)"
    subprocess.run([sys.executable, "-c", code], check=True)


@every_game
def test_hands_and_rest_of_a_wrong_type_are_a_setup_error(case: Adapter) -> None:
    rules = case.kind.rules_type()
    n, size = rules.players, rules._cards_each()
    deck = [str(rules._card(index)) for index in rules._deck()]
    hands = [deck[seat * size : (seat + 1) * size] for seat in range(n)]
    rest = deck[n * size :]
    assert case.kind.from_hands(hands, rest=rest)
    for wrong in (5, None, 1.5, object()):
        for call in (
            lambda wrong=wrong: case.kind.from_hands([wrong] * n, rest=rest),
            lambda wrong=wrong: case.kind.from_hands(wrong, rest=rest),
            lambda wrong=wrong: case.kind.from_hands(hands, rest=wrong),
            lambda wrong=wrong: case.kind.from_hands([[wrong] * size] * n, rest=rest),
        ):
            with pytest.raises(herzen.SetupError):
                call()


def test_scorers_refuse_what_cannot_lie_on_a_table() -> None:
    scorer = herzen.TrickScorer()
    with pytest.raises(herzen.SetupError):
        scorer.points(["QS", "QS"])
    assert scorer.points(["QS", "2H"]) == 14
    assert herzen.TrickScorer(herzen.HeartsRules.cancellation()).points(["QS", "QS"]) == 26
    for option, cards in (
        ("wrap", ["KC", "AC", "7C"]),
        ("joker_ends", ["7C", "8H", "9H", "TH"]),
    ):
        runs = [(0, cards)]
        assert herzen.RunScorer().score(runs).totals[0] > 0
        rules = herzen.VonHerzenRules(**{option: False})
        with pytest.raises(herzen.SetupError, match="under these rules"):
            herzen.RunScorer(rules).score(runs)
        deck = [str(card) for card in map(rules._card, rules._deck()) if str(card) not in cards]
        zones = {"hands": [deck[:3], deck[3:6], deck[6:9]], "turn": 0, "stock": deck[9:]}
        assert herzen.VonHerzen.setup(runs=runs, **zones)
        with pytest.raises(herzen.SetupError, match="under these rules"):
            herzen.VonHerzen.setup(rules, runs=runs, **zones)


def test_a_pass_has_a_code() -> None:
    assert herzen.hearts.Pass(["2C"] * 7).code < 1 << 63
    with pytest.raises(herzen.CardError):
        herzen.hearts.Pass(["2C"] * 8)
    with pytest.raises(herzen.IllegalMove) as caught:
        herzen.Hearts(seed=1).play("pass" + " 2C" * 9)
    assert caught.value.code == "unknown_move"


def test_card_types_of_decks_go_with_their_rules() -> None:
    """A server that reads records with decks of their own does not grow."""
    from herzen.herzsammler import Card

    def types() -> set[type]:
        gc.collect()
        return set(Card.__subclasses__())

    def deck(value: int) -> list[tuple[str, str, int, int, int]]:
        return [("red", "numeral", value, 0, 1)] * 20

    before = types()  # kept, so that none of them goes meanwhile
    kept = herzen.HerzsammlerRules(deck=deck(1))
    card = kept._card(0)
    for value in range(2, 30):
        herzen.HerzsammlerRules(deck=deck(value))
    assert len(types() - before) == 1
    assert herzen.HerzsammlerRules(deck=deck(1))._card(0) is card
    assert pickle.loads(pickle.dumps(card)) is card
    del kept
    assert pickle.loads(pickle.dumps(card)) is card
    assert Card("R3af") is herzen.HerzsammlerRules()._card(Card("R3af").index)


@every_game
def test_views_have_seats_and_numbers_of_their_rules(case: Adapter) -> None:
    game = played(case, case.variants[0], 9)
    data = game.view(0).to_dict()
    n = game.players
    assert herzen.View.from_dict(data) == game.view(0)
    for name, wrong in (
        ("seat", n),
        ("seat", -1),
        ("turn", 99),
        ("dealer", n),
        ("winners", [n]),
        ("to_move", [0, -1]),
        ("known", {str(n): []}),
        ("hand_sizes", []),
        ("hand_sizes", [200] * n),
        ("hand_sizes", [-1] * n),
        ("scores", [0] * (n + 1)),
        ("scores", [1 << 40] * n),
        ("points", []),
        ("names", ["a"]),
        ("version", -1),
        ("version", 1 << 32),
        ("ply", HUGE),
        ("deal_number", -1),
        ("deal_number", 1 << 31),
        ("phase", "nonsense"),
    ):
        with pytest.raises(herzen.RecordError, match=name):
            herzen.View.from_dict({**data, name: wrong})


def test_actions_beyond_64_bits_are_illegal_actions() -> None:
    pytest.importorskip("numpy")
    batch = herzen.batch.Batch(herzen.HeartsRules(), 3, seed=1)
    for wrong in (10**30, -(10**30), HUGE):
        with pytest.raises(herzen.batch.IllegalActions) as caught:
            batch.step([wrong] * 3)
        assert caught.value.slots == (0, 1, 2)
    with pytest.raises(TypeError):
        batch.step([None] * 3)
