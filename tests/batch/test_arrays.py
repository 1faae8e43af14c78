"""Arrays in and out, single games, copies, threads, wrong arguments."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import herzen
from herzen.batch import Batch
from herzen.seeds import child
from tests.batch.cases import CASES, every_case, short_rules
from tests.contract.games import Adapter
from tests.tiers import scale

RULES = herzen.HeartsRules()


def assert_array(array: Any, kind: type[Any], shape: tuple[int, ...]) -> None:
    assert array.dtype == kind
    assert array.shape == shape


def test_the_usage_of_the_page_runs() -> None:
    n = 64
    b = herzen.batch.Batch(RULES, n, seed=1, autoreset="same")
    mask = np.empty((n, b.num_actions), np.bool_)
    obs = np.empty((n, *b.observation_shape), np.int8)
    for _ in range(100):
        b.legal_mask(out=mask)
        b.observe(out=obs)
        actions = mask.argmax(1)
        assert actions.dtype == np.int64
        b.step(actions)
    assert_array(b.done, np.bool_, (n,))
    assert_array(b.scores, np.int32, (n, 4))
    assert_array(b.winners, np.bool_, (n, 4))
    assert_array(b.to_move, np.int8, (n,))
    g = b.game(17)
    assert g.legal_moves()
    assert len(g.fingerprint()) == 32
    assert "64 games of hearts" in repr(b)
    assert (len(b), b.n, b.threads, b.autoreset, b.rules) == (64, 64, 1, "same", RULES)


@every_case
def test_sizes_of_the_action_spaces(case: Adapter) -> None:
    batch = Batch(case.rules({}), 1)
    assert batch.num_actions == {"hearts": 54, "vonherzen": 675, "herzsammler": 180}[case.name]


def test_fresh_arrays() -> None:
    batch = Batch(RULES, 3, seed=1)
    mask, obs, actions = batch.legal_mask(), batch.observe(), batch.random_actions()
    assert_array(mask, np.bool_, (3, 54))
    assert_array(obs, np.int8, (3, *batch.observation_shape))
    assert_array(actions, np.int64, (3,))
    assert batch.legal_mask() is not mask
    assert batch.final_observe().shape == obs.shape


OUT: list[tuple[str, type[Any], int]] = [
    ("legal_mask", np.bool_, 54),
    ("observe", np.int8, 0),
    ("final_observe", np.int8, 0),
    ("random_actions", np.int64, -1),
]


@pytest.mark.parametrize(("method", "kind", "width"), OUT)
def test_wrong_out_arrays(method: str, kind: type[Any], width: int) -> None:
    batch = Batch(RULES, 4, seed=1)
    width = batch.observation_shape[0] if width == 0 else width
    shape = (4,) if width < 0 else (4, width)
    call = getattr(batch, method)
    good = np.empty(shape, kind)
    assert call(out=good) is good
    for wrong in (np.float64, np.uint8, np.int16, np.int64 if kind is not np.int64 else np.uint64):
        with pytest.raises(TypeError, match="out"):
            call(out=np.empty(shape, wrong))
    for bad in ((3, *shape[1:]), (*shape, 1), (4 * max(1, width),), (5, *shape[1:])):
        if bad != shape:
            with pytest.raises(ValueError, match="shape"):
                call(out=np.empty(bad, kind))
    with pytest.raises(ValueError, match="contiguous"):
        call(out=np.empty((8, *shape[1:]), kind)[::2])
    if width > 0:
        with pytest.raises(ValueError, match="contiguous"):
            call(out=np.empty(shape, kind, order="F"))
    good.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        call(out=good)
    for thing in ([0] * 4, 3, "text"):
        with pytest.raises(TypeError, match="out"):
            call(out=thing)


def test_actions_of_any_integer_type() -> None:
    for kind in (*np.typecodes["AllInteger"], "list", "strided", "swapped"):
        batch = Batch(RULES, 4, seed=1)
        actions = batch.random_actions()
        given: Any = actions.tolist() if kind == "list" else actions
        if kind == "strided":
            given = np.repeat(actions, 2)[::2]
        elif kind == "swapped":
            given = actions.astype(actions.dtype.newbyteorder())
        elif kind != "list":
            given = actions.astype(kind)
        batch.step(given)
        other = Batch(RULES, 4, seed=1)
        other.step(actions)
        assert (batch.observe() == other.observe()).all()
    batch = Batch(RULES, 2, seed=1)
    for huge in (2**64 - 1, 2**63):
        with pytest.raises(herzen.IllegalMove):
            batch.step(np.array([huge, huge], np.uint64))
    wrong: Any
    for wrong in (np.zeros(2), ["a", "b"], [0.0, 1.0], [True, False], [None, 1], "no"):
        with pytest.raises(TypeError, match="actions"):
            batch.step(wrong)
    for wrong in ([1], [[1, 2]], 3, np.zeros((2, 1), np.int64)):
        with pytest.raises(ValueError, match="shape"):
            batch.step(wrong)


def test_state_arrays_are_read_only_and_stay() -> None:
    batch = Batch(RULES, 3, seed=1)
    arrays = (batch.to_move, batch.done, batch.scores, batch.winners)
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    for _ in range(30):
        batch.step(batch.random_actions())
    present = (batch.to_move, batch.done, batch.scores, batch.winners)
    assert all(now is then for now, then in zip(present, arrays, strict=True))
    name = "n"
    with pytest.raises(AttributeError):
        setattr(batch, name, 4)


def test_wrong_arguments() -> None:
    wrong: Any
    for wrong in (None, "hearts", herzen.Hearts()):
        with pytest.raises(TypeError, match="rules"):
            Batch(wrong, 1)
    for wrong in (0, -1, 2**40):
        with pytest.raises(ValueError, match="n="):
            Batch(RULES, wrong)
        with pytest.raises(ValueError, match="threads="):
            Batch(RULES, 1, threads=wrong)
    for wrong in (1.0, True, "3", None):
        with pytest.raises(TypeError, match="n is an int"):
            Batch(RULES, wrong)
    for wrong in ("on", None, True, 1):
        with pytest.raises(ValueError, match="autoreset"):
            Batch(RULES, 1, autoreset=wrong)
    batch = Batch(RULES, 2)
    for slot in (2, -1):
        with pytest.raises(IndexError):
            batch.game(slot)
        with pytest.raises(IndexError):
            batch.put(slot, herzen.Hearts())
    for wrong in (1.0, True, None, "1"):
        with pytest.raises(TypeError):
            batch.game(wrong)
    with pytest.raises(IndexError):
        batch.observe(seat=4)
    with pytest.raises(TypeError):
        batch.observe(seat=True)
    for mask in ([1, 0], [True], [[True, False]]):
        with pytest.raises((TypeError, ValueError), match="mask"):
            batch.reset(mask)
    with pytest.raises(TypeError):
        batch.__init__(RULES, 2)  # type: ignore[misc]


def test_a_batch_that_was_never_made_gives_errors() -> None:
    bare = Batch.__new__(Batch)
    for call in (
        bare.legal_mask,
        bare.observe,
        bare.random_actions,
        bare.reset,
        lambda: bare.step([]),
        lambda: bare.game(0),
        lambda: pickle.dumps(bare),
        bare.close,
    ):
        with pytest.raises((ValueError, IndexError)):
            call()
    assert "Batch" in repr(bare)
    with pytest.raises(TypeError):
        Batch(None, 1)  # type: ignore[arg-type]


# ---- single games ------------------------------------------------------------------------------------


@every_case
def test_a_game_out_of_a_slot_plays_on_alone(case: Adapter) -> None:
    batch = Batch(case.rules({}), 6, seed=8)
    for _ in range(40):
        batch.step(batch.random_actions())
    for i in range(6):
        game = batch.game(i)
        assert (game.moves, game.log) == ((), ())
        with pytest.raises(herzen.HerzenError):
            game.undo()
        assert (game.version, game.last_deal is None) == (game.ply, not game.over)
        again = pickle.loads(pickle.dumps(game))
        assert again == game
        if not game.over:
            before = batch.game(i).fingerprint()
            game.play(game.legal_moves()[0])
            game.undo()
            assert game.fingerprint() == before == batch.game(i).fingerprint()


def test_a_half_picked_slot_drops_its_picks() -> None:
    batch = Batch(RULES, 1, seed=2)
    start = batch.game(0)
    batch.step(batch.random_actions())
    layout = batch.observation_layout["picked"]
    assert batch.observe()[0][layout].sum() == 1
    assert batch.game(0) == start == herzen.Hearts(RULES, seed=child(2, 0))
    batch.put(0, batch.game(0))
    assert batch.observe()[0][layout].sum() == 0
    vh = Batch(herzen.VonHerzenRules(), 1, seed=2)
    vh.step([int(np.flatnonzero(vh.legal_mask()[0])[0])])  # pick
    vh.step([16])  # offer it
    vh.step([17])  # accept, and choose later
    game = vh.game(0)
    assert game.phase == "answer"
    assert "decline" in map(str, game.legal_moves())
    game.play("decline")
    vh.put(0, vh.game(0))
    assert vh.legal_mask()[0][17]


@every_case
def test_put_goes_on_from_a_game(case: Adapter) -> None:
    rules = case.rules({})
    batch = Batch(rules, 3, seed=4)
    batch.step(batch.random_actions())
    game = case.kind(rules, seed="somewhere else")
    for _ in range(25):
        game.play_code(game.codes()[0])
    batch.put(1, game)
    assert batch.game(1) == game
    assert batch.game(1).ply == game.ply
    assert tuple(batch.scores[1]) == game.scores
    while not batch.done[1]:
        batch.step(batch.random_actions())
    game._playout()
    assert batch.game(1) == game
    # Later matches are the slot's own.
    batch.reset()
    assert batch.game(1) == case.kind(rules, seed=child(child(4, 1), 1))
    # A finished game.
    batch.put(0, game)
    assert (batch.to_move[0], batch.done[0], batch.legal_mask()[0].any()) == (-1, False, False)
    same = Batch(rules, 1, autoreset="same")
    with pytest.raises(ValueError, match="over"):
        same.put(0, game)
    after = Batch(rules, 1, seed=9, autoreset="next")
    after.put(0, game)
    after.step([0])
    assert after.game(0) == case.kind(rules, seed=child(child(9, 0), 1))


def test_put_refuses_what_it_cannot_hold() -> None:
    batch = Batch(RULES, 1)
    with pytest.raises(TypeError, match="Hearts"):
        batch.put(0, herzen.Herzsammler())
    with pytest.raises(ValueError, match="other rules"):
        batch.put(0, herzen.Hearts(herzen.HeartsRules(target=50)))
    order = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]
    with pytest.raises(ValueError, match="explicit decks"):
        batch.put(0, herzen.Hearts(RULES, seed=1, deals=[order, order]))
    record = herzen.Hearts(RULES, seed=1, deals=[order]).record().to_dict()
    record["seed"], record["fingerprints"] = None, []
    with pytest.raises(ValueError, match="seed"):
        batch.put(0, herzen.Record.from_dict(record).replay())


# ---- copies ------------------------------------------------------------------------------------------


@every_case
@pytest.mark.parametrize("mode", ["off", "next", "same"])
def test_pickles_and_copies_go_on_alike(case: Adapter, mode: Any) -> None:
    batch = Batch(short_rules(case), 20, seed=6, autoreset=mode)
    drawn = False
    for steps in (0, 3, 130, 40):
        for _ in range(steps):
            batch.step(batch.random_actions())
            drawn = True
        twins = [pickle.loads(pickle.dumps(batch)), copy.copy(batch), copy.deepcopy(batch)]
        for twin in twins:
            assert everything(twin) == everything(batch)
            assert pickle.dumps(twin) == pickle.dumps(batch)
        twin = twins[0]
        for _ in range(150):
            actions = batch.random_actions()
            assert (twin.random_actions() == actions).all()
            batch.step(actions)
            twin.step(actions)
            assert everything(twin) == everything(batch)
    assert drawn


def everything(batch: Batch) -> list[bytes]:
    arrays = (
        batch.to_move,
        batch.done,
        batch.scores,
        batch.winners,
        batch.legal_mask(),
        batch.observe(),
        batch.final_observe(),
    )
    return [array.tobytes() for array in arrays]


def test_a_pickle_of_another_build_is_refused() -> None:
    batch = Batch(RULES, 2, seed=1)
    parts: Any = batch.__reduce__()
    make, arguments = parts
    rules, n, mode, threads, form, blocks, arrays, drawn = arguments
    assert everything(make(*arguments)) == everything(batch)
    with pytest.raises(ValueError, match="another build"):
        make(rules, n, mode, threads, (*form[:-1], 3), blocks, arrays, drawn)
    for wrong in ([*blocks[:4], b"x"], [blocks[0][:-1], *blocks[1:]], blocks[:2]):
        with pytest.raises(ValueError, match="not the pickle"):
            make(rules, n, mode, threads, form, wrong, arrays, drawn)


# ---- threads -----------------------------------------------------------------------------------------


@every_case
def test_threads_change_nothing(case: Adapter) -> None:
    n = 300
    rules = short_rules(case)
    batches = [Batch(rules, n, seed=6, autoreset="same", threads=t) for t in (1, 2, 3, 7)]
    for _ in range(scale(quick=75, ci=240, full=3000)):
        actions = [batch.random_actions() for batch in batches]
        for batch, own in zip(batches, actions, strict=True):
            assert (own == actions[0]).all()
            batch.step(own)
    first = everything(batches[0])
    for batch in batches[1:]:
        assert everything(batch) == first
        batch.close()


def test_closing() -> None:
    with Batch(RULES, 100, seed=1, threads=2) as batch:
        batch.step(batch.random_actions())
        scores = batch.scores
    assert scores.shape == (100, 4)
    for call in (batch.legal_mask, batch.random_actions, batch.reset, lambda: batch.game(0)):
        with pytest.raises(ValueError, match="closed"):
            call()
    batch.close()
    before = threading.active_count()
    for _ in range(20):
        Batch(RULES, 100, seed=1, threads=3).observe()
    assert threading.active_count() <= before + 6  # those of lost batches end by themselves


def test_two_users_at_once_get_errors() -> None:
    batch = Batch(RULES, 3000, seed=1, autoreset="same", threads=2)
    refused = []

    def use(_: int) -> None:
        for _ in range(30):
            try:
                batch.step(batch.random_actions())
                batch.observe()
            except (RuntimeError, herzen.IllegalMove) as error:
                refused.append(error)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(use, range(4)))
    assert all(isinstance(error, (RuntimeError, herzen.IllegalMove)) for error in refused)
    mask = batch.legal_mask()
    assert mask.any(1).all()  # nothing is broken
    batch.step(mask.argmax(1))


def test_numpy_is_loaded_with_the_batch_only() -> None:
    code = (
        "import sys, herzen; assert 'numpy' not in sys.modules;"
        "herzen.batch.Batch; assert 'numpy' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_every_game_of_the_registry_is_tested() -> None:
    from herzen.registry import GAMES

    assert {case.name for case in CASES} == set(GAMES)
