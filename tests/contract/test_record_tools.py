"""What one does with records besides replaying: annotate, mark, find, compare, cut."""

from __future__ import annotations

import json
import pickle
import random
from typing import Any

import pytest

import herzen
from herzen.log import first_deal
from herzen.record_diff import Difference
from tests.contract.adapter import Adapter
from tests.contract.changed import assert_agreed, holds_floats
from tests.contract.checks import error_of, every_game
from tests.contract.samples import Data, played, samples, with_undos, without_seed
from tests.tiers import scale


def read(data: Data) -> herzen.Record:
    """The record of this JSON."""
    return herzen.Record.loads(json.dumps(data))


# ---- fingerprints every k moves ------------------------------------------------------------------


@every_game
@pytest.mark.parametrize("every", [1, 7, 16, 1000])
def test_fingerprints_after_every_k_moves(case: Adapter, every: int) -> None:
    for game in (
        played(case, case.variants[0], 48),
        with_undos(played(case, case.variants[1], 40)),
    ):
        record = game.record(fingerprints=every)
        count = len(record.moves)
        at = [number for number, _ in record.fingerprints]
        assert at == sorted({*range(every, count, every), count})
        for number, mark in record.fingerprints:
            assert record.replay(to=number).fingerprint() == mark
        read(record.to_dict()).verify()
        assert record.fingerprints[-1:] == game.record().fingerprints
    bare = game.copy(history=False).record(fingerprints=every)
    assert bare.fingerprints == ((0, game.fingerprint()),)
    seedless = read(without_seed(game.record().to_dict())).replay()
    assert seedless.record(fingerprints=every).fingerprints == ()
    for wrong in (0, -1):
        with pytest.raises(ValueError, match="fingerprints"):
            game.record(fingerprints=wrong)
    for kind in (1.0, "1", True):
        with pytest.raises(TypeError, match="fingerprints"):
            game.record(fingerprints=kind)  # type: ignore[arg-type]


# ---- time stamps and notes -----------------------------------------------------------------------


@every_game
def test_stamps_and_notes_come_back(case: Adapter) -> None:
    game = played(case, case.variants[0], 5)
    stamps = [1_700_000_000_000, None, 0, 2**53 - 1, 5]
    record = game.record({"table": 7}, stamps=stamps, notes={5: "end", 0: "♥ \ud800"})
    again = herzen.Record.loads(record.dumps())
    assert again == record
    assert again.stamps == tuple(stamps)
    assert again.notes == ((0, "♥ \ud800"), (5, "end"))
    assert again.meta["table"] == 7
    more = again.annotate(notes=[(3, "b"), (3, "a")])
    assert more.notes == ((3, "b"), (3, "a"))
    assert more.stamps == tuple(stamps)
    assert again.notes[0][0] == 0  # the first is as it was
    plain = game.record()
    assert (plain.stamps, plain.notes, plain.meta) == ((), (), {})
    more.verify()
    with pytest.raises(TypeError, match="stamp"):
        game.record(stamp=stamps)  # type: ignore[call-arg]


WRONG: list[Any] = [
    None,
    [],
    "x",
    {"time": []},
    {"stamps": None},
    {"stamps": []},
    {"stamps": [1, 2, 3, 4]},
    {"stamps": [1] * 6},
    {"stamps": [1, 2, 3, 4, -1]},
    {"stamps": [1, 2, 3, 4, 2**53]},
    {"stamps": [1, 2, 3, 4, 5.0]},
    {"stamps": [1, 2, 3, 4, True]},
    {"stamps": ["1"] * 5},
    {"notes": {}},
    {"notes": [1]},
    {"notes": [[1]]},
    {"notes": [[1, 2]]},
    {"notes": [[1, "x", "y"]]},
    {"notes": [["1", "x"]]},
    {"notes": [[6, "x"]]},
    {"notes": [[-1, "x"]]},
    {"notes": [[True, "x"]]},
    {"notes": [[2, "x"], [1, "y"]]},
]


@pytest.mark.parametrize("own", WRONG, ids=json.dumps)
def test_wrong_annotations_are_refused(own: Any) -> None:
    game = herzen.Hearts(seed=1)
    for _ in range(5):
        game.play_code(game.codes()[0])
    data = game.record().to_dict()
    with pytest.raises(herzen.RecordError, match=r"meta\.herzen"):
        read(data | {"meta": {"herzen": own}})
    with pytest.raises(herzen.RecordError, match=r"meta\.herzen"):
        herzen.Record.of(game, meta={"herzen": own}).dumps()
    if not holds_floats(own):  # which JSON Schema takes for integers
        assert not assert_agreed(data | {"meta": {"herzen": own}})
    free = data | {"meta": {"Herzen": own, "stamps": own, "notes": own}}
    read(free)  # what is not read is free
    assert assert_agreed(free)


def test_annotations_from_python_are_checked() -> None:
    game = herzen.Hearts(seed=1)
    game.play_code(game.codes()[0])
    for bad in ([], [1, 2], [1.5], ["1"], [-1]):
        with pytest.raises(herzen.RecordError, match="stamps"):
            game.record(stamps=bad)  # type: ignore[arg-type]
    for wrong in ({2: "x"}, {"1": "x"}, {1: 2}, [(1, "x", "y")], [1], {None: "x", 1: "y"}):
        with pytest.raises(herzen.RecordError, match="notes"):
            game.record(notes=wrong)  # type: ignore[arg-type]


# ---- find and cut --------------------------------------------------------------------------------


@every_game
def test_find_gives_the_first_position(case: Adapter) -> None:
    record = played(case, case.variants[0], 60).record()
    assert record.find(lambda game: True) == 0
    assert record.find(lambda game: game.ply >= 7) == 7
    assert record.find(lambda game: game.ply % 10 == 3, start=4) == 13
    assert record.find(lambda game: False) is None
    seen: list[str] = []
    record.find(lambda game: seen.append(game.fingerprint()))
    assert seen == [game.fingerprint() for game in record.positions()]
    with pytest.raises(ZeroDivisionError):
        record.find(lambda game: 1 // 0)


@every_game
def test_a_prefix_is_the_record_of_the_game_as_it_was(case: Adapter) -> None:
    record = played(case, case.variants[0], 60).record({"x": 1}, fingerprints=3)
    for to in (0, 1, 30, len(record.moves)):
        cut = record.prefix(to)
        assert cut.moves == record.moves[:to]
        assert cut.replay() == record.replay(to=to)
        cut.verify(seed=True)
        assert cut == record.replay(to=to).record()
    with pytest.raises(IndexError):
        record.prefix(len(record.moves) + 1)


@every_game
def test_the_fast_way_to_a_code_is_that_of_the_parser(case: Adapter) -> None:
    """What replays use for a text they meet for the first time."""
    rng = random.Random(6)
    for fields in case.variants:
        rules = case.rules(fields)
        texts = [case.moves(rng, fields) for _ in range(200)]
        texts += [text.lower() for text in texts[:50]] + [f" {text}  x" for text in texts[:20]]
        texts += [
            "",
            "pass",
            "pass QS QS",
            "offer -",
            "offer",
            "meld 8H 8H 9H",
            "pass " + "QS " * 90,
        ]
        for text in texts:
            error = error_of(lambda text=text, rules=rules: rules._parse_move(text))
            if error is None:
                assert rules._parse_code(text) == rules._parse_move(text).code
            else:
                again = error_of(lambda text=text, rules=rules: rules._parse_code(text))
                assert (type(again), str(again)) == (type(error), str(error))


@every_game
def test_the_fast_replay_says_what_move_by_move_play_says(case: Adapter) -> None:
    """One move changed, by seat or by text: the same error, with the same attributes; or the same game."""
    rng = random.Random(8)
    stopped = 0
    for data in samples(case)[:: scale(quick=6, ci=2, full=1)]:
        if not data["moves"] or len(data["moves"]) > 100:
            continue
        for _ in range(6):
            moves = [list(move) for move in data["moves"]]
            at = rng.randrange(len(moves))
            record = read(data)
            players = record.rules.players
            texts = [case.moves(rng, data["rules"]), "", "no move", rng.choice(moves)[1]]
            moves[at] = [rng.randrange(players), rng.choice(texts)]
            record = read(data | {"moves": moves, "fingerprints": [], "result": None})
            slow = record._start()

            def step_by_step(record: herzen.Record = record, slow: herzen.Game = slow) -> None:
                for index in range(len(record.moves)):
                    record._step(slow, index)

            expected, error = error_of(step_by_step), error_of(record.replay)
            if expected is None:
                assert record.replay(to=len(moves)) == slow
                continue
            stopped += 1
            assert type(error) is type(expected) is herzen.ReplayMismatch
            assert str(error) == str(expected)
            assert vars(error) == vars(expected)
    assert stopped > 5


# ---- differences ---------------------------------------------------------------------------------


def difference(one: herzen.Record, two: herzen.Record) -> Difference:
    """The first difference, which is the same from the other side."""
    found = one.diff(two)
    assert found is not None
    back = two.diff(one)
    assert back is not None
    assert (found.kind, found.index) == (back.kind, back.index)
    assert (found.mine, found.theirs) == (back.theirs, back.mine)
    assert str(found) == found.sentence
    assert len(str(found)) < 2_000
    assert json.loads(json.dumps(found.to_dict()))["kind"] == found.kind
    assert pickle.loads(pickle.dumps(found)) == found
    if one.seed and one.seed > 2**64:
        assert f"{one.seed:x}" not in str(found)
    return found


@every_game
def test_equal_records_do_not_differ(case: Adapter) -> None:
    for data in samples(case)[::3]:
        record = read(data)
        assert record.diff(record) is None
        assert record.diff(read(data | {"meta": {"x": 1}, "undos": 5, "names": None})) is None
    with pytest.raises(TypeError):
        record.diff(record.to_dict())  # type: ignore[arg-type]


def test_other_games_and_rules() -> None:
    hearts = herzen.Hearts(seed=1).record()
    found = difference(hearts, herzen.VonHerzen(seed=1).record())
    assert (found.kind, found.mine, found.theirs) == ("game", "hearts", "vonherzen")
    found = difference(hearts, herzen.Hearts(herzen.HeartsRules(target=50), seed=1).record())
    assert (found.kind, found.mine, found.theirs) == ("rules", {"target": 100}, {"target": 50})
    assert str(found) == "the rules differ: target is 100 here, 50 there"


@every_game
def test_another_deal(case: Adapter) -> None:
    one, two = (case.new({}, seed).record() for seed in ("a", "b"))
    found = difference(one, two)
    assert (found.kind, found.index) == ("deal", 0)
    assert found.mine == list(one.deals[0])
    assert str(found).startswith("deal 0: card ")
    found = difference(case.new({}, 1, dealer=0).record(), case.new({}, 1, dealer=1).record())
    assert (found.kind, found.mine, found.theirs) == ("deal", 0, 1)
    setups = [data for data in samples(case) if data["setup"] and data["setup"]["turn"] is not None]
    begun = setups[0] | {"moves": [], "fingerprints": [], "result": None}
    scores = [total + 1 for total in begun["setup"]["scores"]]
    other = begun | {"setup": begun["setup"] | {"scores": scores}}
    found = difference(read(begun), read(other))
    assert (found.kind, found.index) == ("deal", 0)
    assert "scores" in str(found)


@every_game
def test_a_later_deal(case: Adapter) -> None:
    game = next(
        game
        for game in (played(case, fields, 400) for fields in case.variants)
        if game.deal_number and not case.public_chance(game.rules.to_dict(), 0, 0)
    )
    data = game.record().to_dict()
    at = next(n for n in range(len(data["moves"]) + 1) if read(data).replay(to=n).deal_number == 1)
    deck = list(data["deals"][1])
    deck[2], deck[3] = deck[3], deck[2]
    common = {"moves": data["moves"][:at], "fingerprints": [], "undos": 0, "result": None}
    decks = data["deals"][0]
    one, two = (read(data | common | {"deals": [decks, d]}) for d in (data["deals"][1], deck))
    found = difference(one, two)
    assert (found.kind, found.index) == ("deal", at)
    assert str(found) == f"deal 1: card 2 of the deck is {deck[3]} here, {deck[2]} there"


@every_game
def test_another_move(case: Adapter) -> None:
    game = played(case, case.variants[0], 30)
    data = game.record(fingerprints=4).to_dict()
    rng = random.Random(4)
    for index in range(0, 30, 7):
        there = read(data).replay(to=index)
        seat, text = data["moves"][index]
        legal = [str(move) for move in there.legal_moves(seat) if str(move) != text]
        if not legal:
            continue
        there.play(rng.choice(legal), seat=seat)
        found = difference(read(data), there.record())
        assert (found.kind, found.index, found.mine) == ("move", index, [seat, text])
        assert str(found).startswith(f"move {index}: seat {seat} plays ")
    short = game.record().prefix(12)
    found = difference(game.record(), short)
    assert (found.kind, found.index, found.theirs) == ("move", 12, None)
    # A move that is illegal, and what comes after it, is compared as text.
    bad = [*data["moves"][:9], [data["moves"][9][0], "nonsense"], *data["moves"][10:]]
    broken = read(data | {"moves": bad, "fingerprints": []})
    assert broken.diff(broken) is None
    found = difference(read(data), broken)
    assert (found.kind, found.index) == ("move", 9)


def test_texts_of_one_move_do_not_differ() -> None:
    game = herzen.Hearts(herzen.HeartsRules(pass_cycle=()), seed=3)
    for _ in range(4):
        game.play_code(game.codes()[0])
    data = game.record().to_dict()
    lower = data | {"moves": [[seat, text.lower()] for seat, text in data["moves"]]}
    assert read(data).diff(read(lower)) is None


@every_game
def test_two_servers_that_disagree(case: Adapter) -> None:
    """The same deal and moves, other positions: the first fingerprint that differs."""
    data = played(case, case.variants[0], 30).record(fingerprints=5).to_dict()
    marks = [[number, "0" * 32 if number >= 20 else mark] for number, mark in data["fingerprints"]]
    found = difference(read(data), read(data | {"fingerprints": marks}))
    assert (found.kind, found.index, found.theirs) == ("state", 20, "0" * 32)
    # Only one of them noted the position: the other one is replayed.
    alone = [[7, "0" * 32]]
    found = difference(read(data | {"fingerprints": []}), read(data | {"fingerprints": alone}))
    assert (found.kind, found.index) == ("state", 7)
    assert found.mine == read(data).replay(to=7).fingerprint()


@every_game
def test_results_and_seeds_come_last(case: Adapter) -> None:
    data = next(data for data in samples(case) if data["result"] and not data["setup"])
    scores = [data["result"]["scores"][0] + 1, *data["result"]["scores"][1:]]
    other = data | {"result": data["result"] | {"scores": scores}, "fingerprints": []}
    found = difference(read(data), read(other))
    assert (found.kind, found.theirs["scores"]) == ("result", scores)
    if not case.public_chance(data["rules"], 0, 0):
        found = difference(read(data), read(data | {"seed": "0" * 64, "fingerprints": []}))
        assert (found.kind, found.mine, found.theirs) == ("seed", None, None)


# ---- shrinking -----------------------------------------------------------------------------------


def few_legal(game: herzen.Game) -> bool:
    """A check that fails early in every game, and by the position alone."""
    return game.over or not 2 <= len(game.codes()) <= 4


@every_game
def test_shrink_finds_the_shortest_prefix_and_a_small_position(case: Adapter) -> None:
    shrunk_cards = 0
    for fields in case.variants[:3]:
        record = played(case, fields, 10**6).record()
        found = record.shrink(few_legal)
        assert found is not None
        assert found.moves == record.find(lambda game: not few_legal(game))
        assert (found.failure.kind, str(found.failure)) == ("false", "false")
        assert found.prefix == record.prefix(found.moves)
        assert found.setup is not None
        small = eval(found.setup, {"herzen": herzen})
        assert not few_legal(small)
        assert small.seed == 0
        before = record.replay(to=found.moves)
        assert sum(small.hand_sizes) <= sum(before.hand_sizes)
        shrunk_cards += sum(before.hand_sizes) - sum(small.hand_sizes)
        names: dict[str, Any] = {"few_legal": few_legal}
        exec(found.test("assert few_legal(game)"), names)
        with pytest.raises(AssertionError):
            names["test_the_position_that_failed"]()
    assert shrunk_cards or case.name == "herzsammler"  # there hands have a fixed size


@every_game
def test_a_smaller_position_fails_in_the_same_way(case: Adapter) -> None:
    record = played(case, case.variants[0], 60).record()

    def check(game: herzen.Game) -> bool:
        if len(game.moves) >= 15:
            raise LookupError("after 15 moves")
        if not first_deal(game).flags:
            raise KeyError("set up, not dealt")
        return True

    found = record.shrink(check)
    assert found is not None
    assert str(found.failure) == "LookupError: after 15 moves"
    assert (found.moves, found.setup, found.attempts) == (15, None, 1)
    assert record.shrink(lambda game: True) is None
    played_on = record.shrink(lambda game: game.play_forced() is not None and game.ply < 30)
    assert played_on is not None  # the check may play on: what it gets is a copy
    assert played_on.moves <= 30
    limited = record.shrink(few_legal, attempts=3)
    assert limited is None or limited.attempts <= 3


@every_game
def test_what_only_the_moves_show_has_no_position(case: Adapter) -> None:
    record = played(case, case.variants[0], 60).record()
    found = record.shrink(lambda game: len(game.moves) < 12)
    assert found is not None
    assert (found.moves, found.setup, len(found.prefix.moves)) == (12, None, 12)
    names: dict[str, Any] = {}
    exec(found.test("assert len(game.moves) < 12"), names)
    with pytest.raises(AssertionError):
        names["test_the_position_that_failed"]()


def test_rules_and_names_and_decks_are_left_out_where_they_do_not_matter() -> None:
    rules = herzen.HeartsRules.omnibus(target=50)
    deck = herzen.Hearts(rules, seed=9).record().deals[0]
    game = herzen.Hearts(rules, seed=1, names=list("abcd"), deals=[deck, deck])
    found = game.record().shrink(lambda game: False)
    assert found is not None
    assert found.setup is not None
    assert found.setup.startswith("herzen.Hearts.setup(hands=[[")
    for word in ("Rules", "names", "deals", "scores", "phase"):
        assert word not in found.setup
    kept = game.record().shrink(lambda game: game.rules.target != 50)
    assert kept is not None
    assert kept.setup is not None
    assert "herzen.HeartsRules(target=50)" in kept.setup
