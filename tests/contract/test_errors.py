"""Wrong calls: each has its own error, code and sentence, and changes nothing."""

from __future__ import annotations

import copy
import os
import pickle
import random
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import herzen
from tests.contract.adapter import Adapter
from tests.contract.checks import error_of, every_game, some_position, walk
from tests.contract.samples import played
from tests.tiers import scale

Call = Callable[[herzen.Game], Any]


class Unchanged:
    """A `with` block after which a game is as it was before."""

    def __init__(self, game: herzen.Game) -> None:
        self.game = game

    def _state(self) -> tuple[Any, ...]:
        game = self.game
        return game.fingerprint(), game.version, game.ply, game.log, game.moves, game.to_setup()

    def __enter__(self) -> None:
        self.before = self._state()

    def __exit__(self, *_: object) -> None:
        assert self._state() == self.before


def refused(game: herzen.Game, kind: type[BaseException], call: Call) -> Any:
    """The error of the call; the game is unchanged."""
    with Unchanged(game), pytest.raises(kind) as caught:
        call(game)
    assert type(caught.value) is kind or kind is not TypeError
    assert str(caught.value)
    return caught.value


NO_MOVES: list[Any] = [None, 1.5, True, False, [], ["QS"], {}, b"QS", object(), float("nan"), 1j]
NO_SEATS: list[Any] = ["0", 1.0, True, False, [0], b"0", object()]

MOVE_CALLS: dict[str, Callable[[herzen.Game, Any], Any]] = {
    "play": lambda game, move: game.play(move),
    "is_legal": lambda game, move: game.is_legal(move),
    "why_illegal": lambda game, move: game.why_illegal(move),
    "play_code": lambda game, move: game.play_code(move),
    "parse": lambda game, move: game.parse(move),
}

SEAT_CALLS: dict[str, Callable[[herzen.Game, Any], Any]] = {
    "play": lambda game, seat: game.play(game.codes()[0], seat=seat),
    "is_legal": lambda game, seat: game.is_legal(game.codes()[0], seat),
    "why_illegal": lambda game, seat: game.why_illegal(game.codes()[0], seat),
    "legal_moves": lambda game, seat: game.legal_moves(seat),
    "codes": lambda game, seat: game.codes(seat),
    "hand": lambda game, seat: game.hand(seat),
    "view": lambda game, seat: game.view(seat),
    "events": lambda game, seat: game.events(seat),
}


@every_game
@pytest.mark.parametrize("name", MOVE_CALLS)
def test_what_is_no_move_is_a_type_error(case: Adapter, name: str) -> None:
    game = played(case, case.variants[0], 9)
    for move in NO_MOVES:
        refused(game, TypeError, lambda g, move=move: MOVE_CALLS[name](g, move))
    if name in ("play_code", "parse"):  # these take codes only, texts only
        other = "QS" if name == "play_code" else 5
        refused(game, TypeError, lambda g: MOVE_CALLS[name](g, other))


@every_game
@pytest.mark.parametrize("name", SEAT_CALLS)
def test_what_is_no_seat_is_a_type_error_or_index_error(case: Adapter, name: str) -> None:
    game = played(case, case.variants[0], 9)
    for seat in NO_SEATS:
        refused(game, TypeError, lambda g, seat=seat: SEAT_CALLS[name](g, seat))
    if name == "hand":
        refused(game, TypeError, lambda g: g.hand(None))
    for seat in (-1, game.players, 127, 128, 256, -(2**31), 2**32, 2**70, -(2**70)):
        refused(game, IndexError, lambda g, seat=seat: SEAT_CALLS[name](g, seat))


@every_game
def test_seats_and_numpy_ints_are_seats(case: Adapter) -> None:
    numpy = pytest.importorskip("numpy")
    game = played(case, case.variants[0], 9)
    for seat in (game.seats[1], numpy.int8(1), numpy.int64(1)):
        assert game.hand(seat) == game.hand(1)
        assert game.view(seat).dumps() == game.view(1).dumps()
        assert type(game.view(seat).seat) is int
        assert list(game.codes(seat)) == list(game.codes(1))
    for event in game.copy().play(game.codes()[0], seat=game.turn):
        assert all(type(value) is int for key, value in event.to_dict().items() if key == "seat")


@every_game
def test_a_version_is_an_int(case: Adapter) -> None:
    game = played(case, case.variants[0], 9)
    for expect in ("9", 9.0, True, [], object()):
        refused(game, TypeError, lambda g, e=expect: g.play(g.codes()[0], expect=e))


UNKNOWN = (
    "",
    " ",
    "\0",
    "no such move",
    "1",
    "0",
    "-1",
    "pass",
    "QS QS QS QS",
    "♥",
    "\ud800",
    "x" * 10**5,
    "pass " * 10**4,
    "play QS",
    "ＱＳ",
    "moon",
    "moon  sideways",
    "offer",
    "None",
    "[]",
)


@every_game
def test_texts_that_cannot_be_read_are_unknown_moves(case: Adapter) -> None:
    """Also by `parse`; the sentence quotes a text shortly and in ASCII."""
    game = played(case, case.variants[0], 9)
    for text in UNKNOWN:
        unread = error_of(lambda text=text: game.parse(text))
        if unread is None:
            continue  # a move of this game that can be read, such as an empty pass
        assert unread.code == "unknown_move"
        assert str(unread).isprintable()
        assert len(str(unread)) < 300
        error = refused(game, herzen.IllegalMove, lambda g, text=text: g.play(text))
        assert (error.code, error.seat, error.move) == ("unknown_move", int(game.turn or 0), text)
        assert error.reason == str(error)


@every_game
def test_codes_of_any_size_are_unknown_moves(case: Adapter) -> None:
    game = played(case, case.variants[0], 9)
    for code in (-1, 2**31, 2**62, 2**63 - 1, 2**63, -(2**63), 2**64, 2**200, -(2**200), 10**5000):
        error = refused(game, herzen.IllegalMove, lambda g, code=code: g.play(code))
        # A code of 63 bits may be that of a move of another phase; no other can be one.
        assert error.code == "unknown_move" or (0 < code < 2**63 and error.code == "wrong_phase")
        assert len(str(error)) < 300
        again = refused(game, herzen.IllegalMove, lambda g, code=code: g.play_code(code))
        assert (again.code, str(again)) == (error.code, str(error))


def test_moves_of_another_game_are_unknown_moves() -> None:
    class Strange(herzen.Move):
        __slots__ = ()

    move = object.__new__(Strange)._fill(code=0, _text="QS")
    game = herzen.Hearts(seed=1)
    assert refused(game, herzen.IllegalMove, lambda g: g.play(move)).code == "unknown_move"


@every_game
def test_the_order_of_the_checks(case: Adapter) -> None:
    """Over, stale, turn, syntax, held, rule: a seat not to move learns only that."""
    rng = random.Random(1)
    orders = 0
    for _, game in walk(case, scale(smoke=400, quick=750, ci=3_600, full=300_000), 40, every=20):
        text, garbage = case.moves(rng, game.rules.to_dict()), "no such move"
        if game.over:
            for move in (text, garbage, 2**99, game.moves[-1]):
                for seat in (None, *range(game.players)):
                    for expect in (None, 0, game.version, game.version + 5):
                        with pytest.raises(herzen.GameOver) as over:
                            game.play(move, seat=seat, expect=expect)
                        assert over.value.code == "game_over"
            assert game.turn is None
            assert game.to_move == game.legal_moves() == game.legal_moves(0) == ()
            assert len(game.codes()) == 0
            assert not game.is_legal(text)
            continue
        acting = [int(seat) for seat in game.to_move]
        for seat in range(game.players):
            if seat in acting:
                for move in (text, garbage, 2**99):
                    with pytest.raises(herzen.StaleState) as stale:
                        game.play(move, seat=seat, expect=game.version + 1)
                    assert stale.value.code == "stale"
                with pytest.raises(herzen.IllegalMove) as unread:
                    game.play(garbage, seat=seat, expect=game.version)
                assert unread.value.code == "unknown_move"
                continue
            answers = set()
            legal_for_turn = game.legal_moves()[0]
            for move in (text, garbage, 2**99, legal_for_turn, str(legal_for_turn)):
                for expect in (None, 0, game.version):
                    with pytest.raises(herzen.IllegalMove) as turn:
                        game.play(move, seat=seat, expect=expect)
                    answers.add((turn.value.code, str(turn.value)))
            assert len(answers) == 1
            assert answers.pop()[0] == "not_your_turn"
            orders += 1
    assert orders


@every_game
def test_refused_moves_change_nothing(case: Adapter) -> None:
    """Row 77: the same answer before and after, by play, is_legal and why_illegal."""
    rng = random.Random(2)
    codes: set[str] = set()
    for _ in range(scale(smoke=15, quick=30, ci=72, full=6_000)):
        game = some_position(case, rng)
        with Unchanged(game):
            for _ in range(30):
                seat = rng.randrange(game.players)
                move = case.moves(rng, game.rules.to_dict())
                why = game.why_illegal(move, seat)
                assert game.is_legal(move, seat) == (why is None)
                if why is None:
                    continue
                with pytest.raises(herzen.IllegalMove) as caught:
                    game.play(move, seat=seat)
                error = caught.value
                assert (error.reason, str(error)) == (why, why)
                assert error.seat == seat
                assert error.move == move
                assert error.code != "illegal_move"
                codes.add(error.code)
    assert case.refusals <= codes


@every_game
def test_errors_of_moves_are_pickled_with_their_attributes(case: Adapter) -> None:
    rng = random.Random(3)
    kinds = set()
    for game in (played(case, case.variants[0], 9), played(case, case.variants[0], 10**6)):
        for seat in range(game.players):
            for move in ("nonsense", 2**80, case.moves(rng, {}), game.moves[0]):
                for expect in (None, game.version + 1):
                    arguments = {"seat": seat, "expect": expect}
                    error = error_of(partial(game.copy().play, move, **arguments))
                    if error is None:
                        continue
                    kinds.add(type(error))
                    again = pickle.loads(pickle.dumps(error))
                    assert type(again) is type(error)
                    assert again.args == error.args
                    for name in ("code", "move", "seat", "reason"):
                        assert getattr(again, name) == getattr(error, name)
                    assert f"{game.seed:x}" not in repr(vars(again))
    assert kinds == {herzen.IllegalMove, herzen.StaleState, herzen.GameOver}


def test_the_family_of_errors() -> None:
    """All are HerzenErrors and ValueErrors with a code; pickles keep type, sentence and code."""
    made = [
        herzen.HerzenError("a", code="x"),
        herzen.IllegalMove("QS", 1, "b", code="not_held"),
        herzen.GameOver(3, None, "c"),
        herzen.StaleState("QS", 2, "d"),
        herzen.RulesError("e"),
        herzen.SeedError("f", code="no_seed"),
        herzen.CardError("g"),
        herzen.SetupError("h"),
        herzen.RecordError("i"),
        herzen.ReplayMismatch("j", index=4, expected=[1], found=None),
    ]
    codes = [
        "x",
        "not_held",
        "game_over",
        "stale",
        "bad_rules",
        "no_seed",
        "unknown_card",
        "bad_setup",
    ]
    assert [error.code for error in made] == [*codes, "bad_record", "replay_mismatch"]
    for error in made:
        assert isinstance(error, herzen.HerzenError)
        assert isinstance(error, ValueError)
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error)
        assert (str(again), vars(again), again.code) == (str(error), vars(error), error.code)
    for kind in (herzen.GameOver, herzen.StaleState):
        assert issubclass(kind, herzen.IllegalMove)


# ---- beginning -----------------------------------------------------------------------------------


@every_game
def test_bad_beginnings(case: Adapter) -> None:
    n = case.rules({}).players
    deck = case.deck({})
    for error, keywords in (
        (TypeError, {"rules": {}}),
        (TypeError, {"rules": "classic"}),
        (TypeError, {"dealer": "0"}),
        (TypeError, {"dealer": True}),
        (TypeError, {"dealer": 1.0}),
        (IndexError, {"dealer": -1}),
        (IndexError, {"dealer": n}),
        (TypeError, {"names": "abcd"[:n]}),
        (TypeError, {"names": [1] * n}),
        (herzen.SetupError, {"names": ["a"] * (n + 1)}),
        (herzen.SetupError, {"names": []}),
        (herzen.SetupError, {"deals": "QS"}),
        (herzen.SetupError, {"deals": 5}),
        (herzen.SetupError, {"deals": [5]}),
        (herzen.SetupError, {"deals": [{}]}),
        (herzen.SetupError, {"deals": [[]]}),
        (herzen.SetupError, {"deals": [deck[:-1]]}),
        (herzen.SetupError, {"deals": [[*deck, deck[0]]]}),
        (herzen.SetupError, {"deals": [[*deck[:-1], deck[0]]]}),
        (herzen.SetupError, {"deals": [deck, [*deck[:-1], "no card"]]}),
        (herzen.SetupError, {"deals": [[*deck[:-1], 7]]}),
        (herzen.SetupError, {"deals": [[*deck[:-1], None]]}),
        (herzen.SeedError, {"seed": -1}),
        (herzen.SeedError, {"seed": 2**256}),
        (herzen.SeedError, {"seed": 1.0}),
        (herzen.SeedError, {"seed": True}),
        (herzen.SeedError, {"seed": "\ud800"}),
        (herzen.SeedError, {"seed": [1]}),
    ):
        for make in (case.kind, lambda case=case, **kw: herzen.new(case.name, **kw)):
            with pytest.raises(error) as caught:
                make(**keywords)
            assert str(caught.value)
            if isinstance(caught.value, herzen.HerzenError):
                assert caught.value.code in ("bad_setup", "unknown_card", "bad_seed")
    with pytest.raises(herzen.CardError, match="no card") as unknown:
        case.kind(deals=[[*deck[:-1], "no card"]])
    assert unknown.value.code == "unknown_card"
    assert isinstance(pickle.loads(pickle.dumps(unknown.value)), herzen.SetupError)


@every_game
def test_bad_rules(case: Adapter) -> None:
    for players in (-1, 0, 1, 12, 99, 2**70, "4", 4.0, True, [4], {}):
        with pytest.raises(herzen.RulesError, match="players") as caught:
            case.rules({"players": players})
        assert caught.value.code == "bad_rules"
        assert "allowed" in str(caught.value)
        with pytest.raises(herzen.RulesError, match="players"):
            herzen.new(case.name, players=players)
    with pytest.raises(herzen.RulesError, match="no_such_option"):
        herzen.new(case.name, no_such_option=1)
    with pytest.raises(herzen.RulesError, match="no_such_option"):
        case.kind.rules_type.from_dict({"no_such_option": 1})
    with pytest.raises(TypeError):
        case.rules({"no_such_option": 1})
    for name in ("chess", "", "Hearts", None, 1, ["hearts"]):
        with pytest.raises(ValueError, match="no such game"):
            herzen.new(name)  # type: ignore[arg-type]


# ---- setups --------------------------------------------------------------------------------------


@every_game
def test_bad_setups(case: Adapter) -> None:
    """Cards missing, doubled or unknown, sizes and seats that do not fit: SetupError."""
    rng = random.Random(4)
    for _ in range(scale(smoke=15, quick=40, ci=96, full=8_000)):
        game = some_position(case, rng)
        zones = game._setup_zones(game)
        rules = game.rules
        case.kind.setup(rules, seed=game.seed, **zones)
        filled = [seat for seat, hand in enumerate(zones["hands"]) if hand]
        bad: list[dict[str, Any]] = [
            {"turn": 99},
            {"turn": -1},
            {"turn": "0"},
            {"dealer": 99},
            {"dealer": "x"},
            {"phase": "no phase"},
            {"phase": 1},
            {"deal_number": -1},
            {"deal_number": 1.0},
            {"scores": [0]},
            {"scores": 0},
            {"scores": ["0"] * game.players},
            {"scores": [10**12] * game.players},
            {"hands": zones["hands"][:-1]},
            {"hands": 5},
            {"hands": "QS"},
            {"hands": {}},
            {"hands": [*zones["hands"], []]},
            {"hands": [5] * game.players},
        ]
        if not game.over:
            bad.append({"turn": None})
        for seat in filled[:2]:
            hand = zones["hands"][seat]
            others = [h for s, h in enumerate(zones["hands"]) if s != seat]
            for changed in (hand[1:], [*hand, hand[0]], [*hand[1:], "no card"], [*hand[1:], 5]):
                bad.append({"hands": [*others[:seat], changed, *others[seat:]]})
        for change in bad:
            with pytest.raises(herzen.SetupError) as caught:
                case.kind.setup(rules, **{**zones, **change})
            assert caught.value.code in ("bad_setup", "unknown_card"), change
    with pytest.raises(TypeError):
        case.kind.setup(rules, **{**zones, "no_such_zone": 1})
    with pytest.raises(herzen.SeedError):
        case.kind.setup(rules, **zones, seed=-1)
    with pytest.raises(herzen.SetupError):
        case.kind.setup(rules, **zones, names=["a"])


# ---- objects that were never initialised ---------------------------------------------------------

BARE = """
import copy, inspect, pickle, sys
import herzen, herzen._core, herzen.cards, herzen.events, herzen.moves, herzen.rules
from herzen.registry import GAMES, game_class

modules = [m for name, m in sorted(sys.modules.items()) if name.split(".")[0] == "herzen"]
kinds = {k for m in modules for k in vars(m).values()
         if inspect.isclass(k) and k.__module__.split(".")[0] == "herzen"}
kinds |= {game_class(name) for name in GAMES}
tried = 0
ARGUMENTS = ((), (0,), (-1,), (None,), ("QS",), (2**70,), (b"x",), (0, 0), ("QS", 0), ([], {}),
             (0, "x", None))
PLAIN = (repr, str, hash, len, iter, bool, int, list, copy.copy, copy.deepcopy,
         lambda x: x == x, lambda x: x < x, lambda x: x[0], lambda x: 0 in x, pickle.dumps, dir)
for kind in sorted(kinds, key=lambda k: (k.__module__, k.__qualname__)):
    try:
        bare = kind.__new__(kind)
    except Exception:
        continue
    tried += 1
    print(kind, file=sys.stderr, flush=True)
    for look in PLAIN:
        try:
            look(bare)
        except (Exception, RecursionError):
            pass
    for name in dir(bare):
        if name.startswith("_"):
            continue
        try:
            value = getattr(bare, name)
        except Exception:
            continue
        if not callable(value) or inspect.isclass(value):
            continue
        for arguments in ARGUMENTS:
            try:
                value(*arguments)
            except Exception:
                pass
print(tried)
"""


@every_game
def test_a_game_that_was_never_initialised_has_no_copy(case: Adapter) -> None:
    """A copy would have room for no more than that."""
    bare = case.kind.__new__(case.kind)
    for attempt in (bare.copy, lambda: copy.copy(bare), lambda: copy.deepcopy(bare)):
        with pytest.raises(TypeError, match="never initialised"):
            attempt()


def test_objects_that_were_never_initialised_never_crash(tmp_path: Path) -> None:
    """`cls.__new__(cls)` of every class, every public method, odd arguments: errors at most."""
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", BARE],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3_000:]
    assert int(done.stdout.split()[-1]) > 30


@every_game
def test_a_game_that_was_never_initialised_is_over(case: Adapter) -> None:
    bare = case.kind.__new__(case.kind)
    assert bare.over
    assert bare.turn is None
    assert bare.to_move == bare.moves == ()
    with pytest.raises(herzen.HerzenError):
        bare.undo()
    with pytest.raises(herzen.GameOver):
        bare.play_code(0)
