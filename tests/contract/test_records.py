"""Records: what is written, what is refused and where, how verify finds the first difference."""

from __future__ import annotations

import copy
import gzip
import json
import pickle
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import herzen
from tests.contract.adapter import Adapter
from tests.contract.checks import all_viewers, error_of, every_game, some_position, step
from tests.contract.samples import Data, from_setup, played, samples, with_undos, without_seed
from tests.tiers import scale

KEYS = (
    "format",
    "version",
    "game",
    "rules",
    "seed",
    "dealer",
    "deals",
    "setup",
    "names",
    "moves",
    "undos",
    "result",
    "fingerprints",
    "meta",
)


def read(data: Data) -> herzen.Record:
    """The record of this JSON."""
    return herzen.Record.loads(json.dumps(data))


def refused(data: Any, place: str) -> None:
    """The loader refuses this JSON and names the place."""
    with pytest.raises(herzen.RecordError, match=place) as caught:
        read(data)
    assert caught.value.code == "bad_record"
    assert len(str(caught.value)) < 400


# ---- what is written -----------------------------------------------------------------------------


@every_game
def test_a_record_holds_the_documented_keys(case: Adapter) -> None:
    game = played(case, case.variants[0], 12)
    data = json.loads(game.record().dumps())
    assert tuple(data) == KEYS
    assert (data["format"], data["version"], data["game"]) == ("herzen-record", 1, case.name)
    assert data["rules"] == {}
    assert data["seed"] == f"{game.seed:064x}"
    assert data["dealer"] == game.players - 1
    assert [sorted(deck) for deck in data["deals"]] == [sorted(case.deck({}))] * (
        game.deal_number + 1
    )
    assert data["setup"] is data["names"] is data["result"] is None
    assert data["moves"] == [[seat, str(move)] for seat, move in game.history]
    assert data["undos"] == 0
    assert data["fingerprints"] == [[12, game.fingerprint()]]
    assert data["meta"] == {}
    assert game.record().dumps().isascii()
    assert "\n" not in game.record().dumps()


@every_game
def test_every_kind_of_record_reads_replays_and_verifies(case: Adapter) -> None:
    """Fresh, in mid-deal, over, set up, with undos, without a seed, with names and meta."""
    kinds = set()
    for data in samples(case):
        record = read(data)
        assert record.to_dict() == data
        record.verify()
        game = record.replay()
        assert game.version == len(data["moves"]) + 2 * data["undos"]
        assert game.over == (data["result"] is not None)
        assert [[seat, str(move)] for seat, move in game.history] == data["moves"]
        again = game.record()
        assert again.to_dict() == data | {"meta": {}}
        kinds |= {
            name
            for name, holds in {
                "setup": data["setup"] is not None,
                "undone": data["undos"],
                "seedless": data["seed"] is None,
                "over": data["result"],
                "running": not data["result"],
                "named": data["names"],
                "empty": not data["moves"],
                "long": len(data["deals"]) > 1,
            }.items()
            if holds
        }
        if data["seed"] is not None:
            record.verify(seed=True)
    assert len(kinds) == 8


@every_game
def test_replay_to_a_move(case: Adapter) -> None:
    """replay(to=n): n moves applied; no version is promised but n."""
    game = played(case, case.variants[1], 60)
    record = game.record()
    walked = case.new(case.variants[1], "records")
    for number, (seat, move) in enumerate(game.history):
        there = record.replay(to=number)
        assert there.fingerprint() == walked.fingerprint()
        assert (there.ply, there.version, len(there.moves)) == (number, number, number)
        walked.play(move, seat=seat)
    for bad in (-1, len(record.moves) + 1, 2**70):
        with pytest.raises(IndexError):
            record.replay(to=bad)
    for bad in (1.0, "1", True, [1]):
        with pytest.raises(TypeError):
            record.replay(to=bad)  # type: ignore[arg-type]


@every_game
def test_records_are_values(case: Adapter) -> None:
    """Equal by content, immutable, pickled and copied, and the game goes on without them."""
    game = played(case, case.variants[0], 20)
    record = game.record()
    for other in (
        read(record.to_dict()),
        pickle.loads(pickle.dumps(record)),
        copy.deepcopy(record),
    ):
        assert other == record
        assert other.dumps() == record.dumps()
    step(game, random.Random(1))
    assert game.record() != record
    assert len(record.moves) == 20
    with pytest.raises(AttributeError):
        record.seed = 1
    with pytest.raises(TypeError):
        hash(record)
    assert f"{game.seed:x}" not in repr(record)


@every_game
def test_meta_is_kept_and_must_be_json(case: Adapter) -> None:
    game = played(case, case.variants[0], 3)
    meta = {"anything": [1, 2.5, None, {"seed": "x"}], "": "ü"}
    record = herzen.Record.of(game, meta=meta)
    assert herzen.Record.loads(record.dumps()).meta == meta
    for bad in ({"x": object()}, {"x": float("nan")}, {"x": {1, 2}}, {"x": b"y"}):
        with pytest.raises(herzen.RecordError, match="meta"):
            herzen.Record.of(game, meta=bad).dumps()
    loop: dict[str, Any] = {}
    loop["loop"] = loop
    with pytest.raises(herzen.RecordError, match="meta"):
        herzen.Record.of(game, meta=loop).dumps()


# ---- what is refused -----------------------------------------------------------------------------


@every_game
def test_every_key_is_needed_and_no_other_is_allowed(case: Adapter) -> None:
    data = played(case, case.variants[0], 4).record().to_dict()
    for key in KEYS:
        refused(
            {name: value for name, value in data.items() if name != key}, f"missing key '{key}'"
        )
    refused(data | {"comment": 1}, "unknown key 'comment'")
    refused(data | {"": 1}, "unknown key ''")
    read(data | {"meta": {"comment": 1}})
    for other in ([], None, 1, "x", [data]):
        refused(other, "object")


WRONG: list[tuple[str, list[Any]]] = [
    ("format", [None, 1, "herzen", "herzen-record ", ["herzen-record"]]),
    ("version", [None, 0, 2, "1", 1.0, True, [1]]),
    ("game", [None, "", "chess", "Hearts", 1, ["hearts"], {}]),
    ("rules", [None, [], "x", {"no such option": 1}, {"players": "4"}, {"players": 4.0}]),
    ("seed", ["", "12", 7, "F" * 64, "g" * 64, "0" * 63, "0" * 65, "0" * 64 + "\n", ["0" * 64]]),
    ("dealer", [None, -1, 99, "0", 1.0, True, 2**70]),
    ("deals", [None, {}, "x", [1], [None], [["QS"]], [[]], [[1]], [["no card"]], ["QS KS"]]),
    ("setup", [[], "x", 1, {}, {"hands": []}, {"no such": 1}, {"seed": 1}, {"rules": {}}, False]),
    ("names", ["abcd", [], ["a"], [1, 2, 3, 4], {}, 0, False]),
    (
        "moves",
        [
            None,
            {},
            "x",
            [1],
            [[]],
            [[0]],
            [["0", "QS"]],
            [[0, 1]],
            [[0, None]],
            [[99, "QS"]],
            [[-1, "QS"]],
            [[True, "QS"]],
            [[0, "QS", 1]],
            [[0.0, "QS"]],
            [None],
        ],
    ),
    ("undos", [None, -1, 1.0, "1", True, 2**30 + 1, 2**64, []]),
    (
        "result",
        [
            [],
            {},
            1,
            False,
            "x",
            {"scores": [], "winners": []},
            {"scores": [1, 2, 3, 4]},
            {"scores": [1.0, 2, 3, 4], "winners": [0]},
            {"scores": 1, "winners": [0]},
        ],
    ),
    (
        "fingerprints",
        [
            None,
            {},
            "x",
            [1],
            [[0]],
            [[0, "x"]],
            [[-1, "0" * 32]],
            [[10**9, "0" * 32]],
            [["0", "0" * 32]],
            [[0, "G" * 32]],
            [[0, "0" * 31]],
            [[True, "0" * 32]],
        ],
    ),
    ("meta", [None, [], "x", 1, False]),
]


@every_game
@pytest.mark.parametrize(("key", "values"), WRONG, ids=[key for key, _ in WRONG])
def test_wrong_values_are_refused_with_their_place(
    case: Adapter, key: str, values: list[Any]
) -> None:
    data = played(case, case.variants[0], 4).record().to_dict()
    for value in values:
        refused(data | {key: value}, key)


def test_keys_that_stand_twice_are_refused() -> None:
    text = herzen.Hearts(seed=1).record().dumps()
    for doubled in (
        text.replace('"version":1', '"version":1,"version":1'),
        text.replace('"meta":{}', '"meta":{"a":1,"a":1}'),
        text.replace('"rules":{}', '"rules":{"target":50,"target":60}'),
    ):
        with pytest.raises(herzen.RecordError, match="stands twice"):
            herzen.Record.loads(doubled)


HOSTILE: dict[str, str | bytes] = {
    "empty": "",
    "space": "  ",
    "no JSON": "{'format': 1}",
    "cut off": herzen.Hearts(seed=1).record().dumps()[:-5],
    "two": herzen.Hearts(seed=1).record().dumps() * 2,
    "deep arrays": "[" * 200_000,
    "deep objects": '{"a":' * 200_000,
    "deep meta": herzen.Hearts(seed=1).record().dumps().replace("{}}", "[" * 99_999 + "]" * 99_999),
    "NaN": herzen.Hearts(seed=1).record().dumps().replace('"meta":{}', '"meta":{"x":NaN}'),
    "infinity": herzen.Hearts(seed=1).record().dumps().replace('"undos":0', '"undos":-Infinity'),
    "huge exponent": herzen.Hearts(seed=1).record().dumps().replace('"undos":0', '"undos":1e999'),
    "huge number": herzen.Hearts(seed=1)
    .record()
    .dumps()
    .replace('"undos":0', '"undos":' + "9" * 9999),
    "huge version": herzen.Hearts(seed=1)
    .record()
    .dumps()
    .replace('"version":1', '"version":1' + "0" * 300),
    "null byte": "\0",
    "bytes that are no text": b"\xff\xfe\xfa{}",
    "surrogate": '{"\\ud800": 1}',
    "number": "12",
    "byte order mark": "\ufeff{}",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_are_refused(name: str) -> None:
    with pytest.raises(herzen.RecordError) as caught:
        herzen.Record.loads(HOSTILE[name])
    assert len(str(caught.value)) < 400


def test_texts_that_are_too_large_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    text = herzen.Hearts(seed=1).record().dumps()
    monkeypatch.setattr("herzen.record_reading.LARGEST", len(text) - 1)
    with pytest.raises(herzen.RecordError, match="at most"):
        herzen.Record.loads(text)


def test_names_with_lone_surrogates_come_back() -> None:
    """They are texts in Python and in JSON; nothing is to stumble over them."""
    data = herzen.Hearts(seed=1).record().to_dict() | {"names": ["\ud800", "b\udfff", "♥", ""]}
    record = read(data)
    record.verify()
    game = record.replay()
    assert game.names == ("\ud800", "b\udfff", "♥", "")
    assert read(game.record().to_dict()).names == game.names
    assert herzen.View.loads(game.view(0).dumps()).names == game.names
    assert from_setup(game).names == game.names
    assert pickle.loads(pickle.dumps(game)).names == game.names


# ---- records without a seed ----------------------------------------------------------------------


@every_game
def test_without_a_seed_play_stops_where_a_deal_would_be_needed(case: Adapter) -> None:
    rng = random.Random(1)
    stopped = 0
    for _ in range(scale(quick=5, ci=15, full=1_000)):
        whole = some_position(case, rng)
        data = whole.record().to_dict()
        if case.public_chance(data["rules"], 0, 0):
            refused(without_seed(data), "seed")
            continue
        game = read(without_seed(data)).replay()
        assert game.seed is None
        assert game.record().to_dict() == without_seed(data)
        assert [game.hand(seat) for seat in range(game.players)] == [
            whole.hand(seat) for seat in range(whole.players)
        ]
        for viewer in all_viewers(whole):
            assert game.view(viewer).hand == whole.view(viewer).hand
        while not game.over:
            before = (game.fingerprint(), game.version, game.log, game.deal_number)
            code = game.codes()[0]
            error = error_of(lambda game=game, code=code: game.play_code(code))
            if error is not None:
                stopped += 1
                assert (type(error), error.code) == (herzen.SeedError, "no_seed")
                assert (game.fingerprint(), game.version, game.log, game.deal_number) == before
                with pytest.raises(herzen.SeedError):
                    game.play(code)
                assert (game.fingerprint(), game.version, game.log, game.deal_number) == before
                assert pickle.loads(pickle.dumps(game)) == game
                break
            assert game.deal_number == before[3]
    assert stopped


# ---- verify --------------------------------------------------------------------------------------


def mismatch(data: Data, **keywords: bool) -> herzen.ReplayMismatch:
    """What verify finds in this record."""
    record = read(data)
    with pytest.raises(herzen.ReplayMismatch) as caught:
        record.verify(**keywords)
    error = caught.value
    assert error.code == "replay_mismatch"
    assert isinstance(error.index, int)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.index, again.expected, again.found) == (
        str(error),
        error.index,
        error.expected,
        error.found,
    )
    return error


def marked(case: Adapter, moves: int) -> Data:
    """A record with a fingerprint after every move."""
    game = case.new(case.variants[0], "marked")
    rng = random.Random(moves)
    marks = [[0, game.fingerprint()]]
    while not game.over and game.ply < moves:
        step(game, rng)
        marks.append([game.ply, game.fingerprint()])
    return game.record().to_dict() | {"fingerprints": marks}


@every_game
def test_verify_names_the_first_move_that_differs(case: Adapter) -> None:
    data = marked(case, 80)
    read(data).verify()
    rng = random.Random(2)
    for index in range(0, len(data["moves"]), 3):
        moves = [list(move) for move in data["moves"]]
        game = read(data).replay(to=index)
        seat, text = moves[index]
        # Another seat.
        other = [
            [(seat + 1) % game.players, text] if k == index else m for k, m in enumerate(moves)
        ]
        if (seat + 1) % game.players not in game.to_move:
            error = mismatch(data | {"moves": other})
            assert (error.index, error.expected) == (index, text)
        # No move at all, and a move that is not legal.
        for bad in ("", "x" * 1000, case.moves(rng, case.variants[0])):
            if not game.is_legal(bad, seat):
                error = mismatch(
                    data | {"moves": [*moves[:index], [seat, bad], *moves[index + 1 :]]}
                )
                assert (error.index, error.expected) == (index, bad)
                assert len(str(error)) < 2_000
        # Another legal move: the fingerprint after it differs.
        legal = [str(move) for move in game.legal_moves(seat) if str(move) != text]
        if legal:
            error = mismatch(
                data | {"moves": [*moves[:index], [seat, legal[0]], *moves[index + 1 :]]}
            )
            assert error.index == index + 1
            assert error.expected == data["fingerprints"][index + 1][1] != error.found
        # A changed fingerprint.
        marks = [list(mark) for mark in data["fingerprints"]]
        marks[index][1] = "0" * 32
        error = mismatch(data | {"fingerprints": marks})
        assert (error.index, error.expected) == (index, "0" * 32)
        assert error.found == data["fingerprints"][index][1]


@every_game
def test_verify_checks_the_result(case: Adapter) -> None:
    over = next(data for data in samples(case) if data["result"] and data["setup"] is None)
    running = next(data for data in samples(case) if not data["result"] and data["moves"])
    scores, winners = over["result"]["scores"], over["result"]["winners"]
    for result in (
        None,
        {"scores": [scores[0] + 1, *scores[1:]], "winners": winners},
        {"scores": scores, "winners": []},
        {"scores": scores, "winners": [*winners, winners[0]]},
    ):
        error = mismatch(over | {"result": result})
        assert error.index == len(over["moves"])
        assert (error.expected, error.found) == (result, over["result"])
    players = len(read(running).replay().seats)
    error = mismatch(running | {"result": {"scores": [0] * players, "winners": [0]}})
    assert error.found is None


@every_game
def test_moves_after_the_end_differ(case: Adapter) -> None:
    over = next(data for data in samples(case) if data["result"])
    data = over | {"moves": [*over["moves"], over["moves"][-1]]}
    assert mismatch(data).index == len(over["moves"])
    with pytest.raises(herzen.ReplayMismatch, match="over"):
        read(data).replay()
    assert read(data).replay(to=len(over["moves"])).over


@every_game
def test_replay_uses_the_decks_and_verify_the_seed_where_asked(case: Adapter) -> None:
    """A record whose seed deals other cards replays all the same: old files never break."""
    game = next(
        game
        for game in (played(case, fields, 400) for fields in case.variants)
        if game.deal_number and not case.public_chance(game.rules.to_dict(), 0, 0)
    )
    data = game.record().to_dict()
    assert len(data["deals"]) > 1
    read(data).verify(seed=True)
    changed = data | {"seed": "0" * 64, "fingerprints": []}
    record = read(changed)
    assert record.replay().history == game.history
    record.verify()
    error = mismatch(changed, seed=True)
    assert error.index == 0
    assert error.expected == data["deals"][0]
    # Only the second deck is another one: the move that brought it about.
    other = list(data["deals"][1])
    other[0], other[1] = other[1], other[0]
    at = next(n for n in range(len(data["moves"]) + 1) if read(data).replay(to=n).deal_number == 1)
    short = data | {"moves": data["moves"][:at], "fingerprints": [], "undos": 0}
    short |= {"deals": [data["deals"][0], other], "result": None}
    read(short).verify()
    error = mismatch(short, seed=True)
    assert (error.index, error.expected) == (at, other)
    assert error.found == data["deals"][1]


# ---- files ---------------------------------------------------------------------------------------


@every_game
@pytest.mark.parametrize("name", ["one.json", "one.json.gz"])
def test_files(case: Adapter, name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    for data in samples(case)[:9]:
        record = read(data)
        record.dump(path)
        assert herzen.Record.load(path) == record
        assert herzen.Record.load(str(path)) == record
    assert path.read_bytes()[:2] == (b"\x1f\x8b" if name.endswith("gz") else b'{"')
    assert [entry.name for entry in tmp_path.iterdir()] == [name]


@every_game
@pytest.mark.parametrize("name", ["many.jsonl", "many.jsonl.gz"])
def test_many_records_in_one_file(case: Adapter, name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    records = [read(data) for data in samples(case)]
    assert herzen.dump_records(path, iter(records)) == len(records)
    assert list(herzen.load_records(path)) == records
    with pytest.raises(herzen.RecordError):  # this is more than one record
        herzen.Record.load(path)
    opener: Callable[..., Any] = gzip.open if name.endswith("gz") else open
    with opener(path, "ab") as file:
        file.write(b'\n\n{"format": 1}\n')
    loaded = herzen.load_records(path)
    assert [next(loaded) for _ in records] == records
    with pytest.raises(herzen.RecordError, match=f"line {len(records) + 1}: "):
        next(loaded)


def test_broken_files(tmp_path: Path) -> None:
    record = herzen.Hearts(seed=1).record()
    whole = tmp_path / "whole.json.gz"
    record.dump(whole)
    packed = whole.read_bytes()
    for number, content in enumerate(
        (
            packed[:-9],
            packed[:30],
            packed[:-4] + b"abcd",
            b"not gzip",
            b"\x1f\x8b",
            b"",
            packed[::-1],
        )
    ):
        path = tmp_path / f"{number}.json.gz"
        path.write_bytes(content)
        with pytest.raises(herzen.RecordError):
            herzen.Record.load(path)
        if content:
            with pytest.raises(herzen.RecordError):
                list(herzen.load_records(path))
    plain = tmp_path / "plain.json"
    plain.write_bytes(record.dumps().encode()[:-7])
    with pytest.raises(herzen.RecordError):
        herzen.Record.load(plain)
    with pytest.raises(FileNotFoundError):
        herzen.Record.load(tmp_path / "none.json")
    with pytest.raises(FileNotFoundError):
        record.dump(tmp_path / "no" / "folder.json")


def test_a_gzip_bomb_is_bounded(tmp_path: Path) -> None:
    """A small file that unpacks to more than a record may have is refused, by line too."""
    path = tmp_path / "bomb.json.gz"
    with gzip.open(path, "wb", compresslevel=9) as file:
        for _ in range(70):
            file.write(b"[" * (1 << 20))
    assert path.stat().st_size < 1 << 20
    with pytest.raises(herzen.RecordError, match="at most"):
        herzen.Record.load(path)
    with pytest.raises(herzen.RecordError, match="at most"):
        list(herzen.load_records(path))


@pytest.mark.parametrize("name", ["kept.json", "kept.json.gz"])
def test_a_failing_writer_leaves_the_old_file(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a file never appears: the error comes through, the old bytes stay, no rest is left."""
    path = tmp_path / name
    game = herzen.Hearts(seed=1)
    game.record().dump(path)
    before = path.read_bytes()
    game.play(game.codes()[0])

    def failing() -> Any:
        yield game.record()
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        herzen.dump_records(path, failing())
    with pytest.raises(herzen.RecordError, match="meta"):
        herzen.Record.of(game, meta={"x": object()}).dump(path)
    with monkeypatch.context() as patch:
        patch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(PermissionError("no")))
        with pytest.raises(PermissionError):
            game.record().dump(path)
    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", lambda *_: (_ for _ in ()).throw(OSError("no sync")))
        with pytest.raises(OSError, match="no sync"):
            game.record().dump(path)
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == [name]


@every_game
def test_undos_are_counted_from_the_start_of_the_record(case: Adapter) -> None:
    game = with_undos(played(case, case.variants[0], 25), 7)
    data = game.record().to_dict()
    assert data["undos"] == 7
    assert len(data["moves"]) == 19
    assert game.version == 19 + 2 * 7
    other = read(data).replay()
    assert other.version == game.version
    with pytest.raises(herzen.StaleState):  # the last thing seen was before the undos
        other.play(other.codes()[0], expect=19)
    bare = game.copy(history=False)
    assert bare.record().to_dict()["undos"] == 0
    assert read(bare.record().to_dict()).replay() == bare
