"""Targets that call with what nobody should call with: arrays of any kind, arguments of any kind."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

import herzen
from herzen.batch import Batch
from tests.batch.follow import everything
from tests.contract.adapter import Adapter
from tests.contract.checks import some_position
from tests.contract.games import GAMES
from tests.fuzz.target import Target

# ---- arrays ----------------------------------------------------------------------------------------

DTYPES = (*np.typecodes["All"], ">i8", ">i4", "S3", "U2", "V4", "i4,i4", "object")
INTEGERS = np.typecodes["AllInteger"]
NO_ARRAYS: list[Any] = [None, 1, -1, "no", b"no", [], {}, [None], [2**70], object(), range(2)]
VALUES = (0, 1, 2, -1, 53, 54, 674, 2**31, 2**62)


def hostile_array(rng: random.Random, batch: Batch, width: int) -> Any:
    """Something in the place of an array: a good one, one of another dtype, shape or order, or none at all."""
    n = batch.n
    match rng.randrange(12):
        case 0:
            return rng.choice(NO_ARRAYS)
        case 1:
            return [rng.choice((*VALUES, 2**63, -(2**63) - 1, 1.0, True)) for _ in range(n)]
        case 2:
            return batch.random_actions()
        case 3:
            actions: Any = batch.random_actions()
            return memoryview(actions)
        case 4:
            return rng.randbytes(n * rng.choice((1, 8, width)))
    usual = [(n,), (n,), (n, width), (n, width)]
    odd = [(n + 1,), (n - 1,), (0,), (), (n, 1), (1, n), (n, width, 1)]
    shape: tuple[int, ...] = rng.choice(usual if rng.random() < 0.7 else odd)
    numbers = np.array([rng.choice(VALUES) for _ in range(7)])
    kind = rng.choice(INTEGERS if rng.random() < 0.6 else DTYPES)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # values that do not fit
        array: Any = np.resize(numbers, shape).astype(kind)
    match rng.randrange(8):
        case 0:
            array = np.asfortranarray(array)
        case 1 if array.ndim:
            array = np.repeat(array, 2, axis=0)[::2]
        case 2 if array.ndim:
            array = array[::-1]
        case 3:
            array.flags.writeable = False
        case 4 if array.size and array.ndim:
            array = np.broadcast_to(array.ravel()[:1], shape)
        case 5 if not array.dtype.hasobject:
            odd_place = np.zeros(array.nbytes + 1, np.uint8)[1:]  # not aligned
            array = np.ndarray(array.shape, array.dtype, odd_place.data)
    return array


CHANGES = 6
"""So many of the calls below, the first ones, may change the batch."""
CALLS = 12


def call_batch(batch: Batch, which: int, given: list[Any], seat: Any) -> None:
    """One of the calls that take arrays."""
    match which:
        case 0:
            batch.step(given[0])
        case 1:
            batch.step_seat(given[0], seat, rewards=given[1], illegal=given[2])
        case 2:
            batch.step_seat(
                batch.legal_mask().argmax(1), given[0], rewards=given[1], illegal=given[2]
            )
        case 3:
            batch.play_others(given[0])
        case 4:
            batch.reset(given[0], seeds=given[1])
        case 5:
            batch.random_actions(out=given[0])  # draws
        case 6:
            batch.legal_mask(out=given[0])
        case 7:
            batch.legal_mask(where=given[0])
        case 8:
            batch.observe(out=given[0], seat=seat)
        case 9:
            batch.observe(where=given[0], seat=seat)
        case 10:
            batch.final_observe(out=given[0], seat=seat)
        case _:
            batch.legal_mask(out=given[0], where=given[1])


def arrays(rng: random.Random) -> None:
    """Arrays of any kind in every place where a batch takes one: an error and no change, or an answer."""
    case = rng.choice(GAMES)
    rules, n = case.rules(case.random_rules(rng)), rng.choice((1, 2, 5))
    mode: Any = rng.choice(("off", "next", "same"))
    batch = Batch(rules, n, seed=rng.getrandbits(64), autoreset=mode)
    width = rng.choice((batch.num_actions, batch.observation_shape[0]))
    for _ in range(30):
        given = [hostile_array(rng, batch, width) for _ in range(3)]
        which = rng.randrange(CALLS)
        batch.random_actions()  # a stream that is opened and not drawn from makes another pickle
        before = everything(batch)
        try:
            call_batch(batch, which, given, rng.choice((None, 0, 1, -1, 99, 2**70, given[1])))
        except (TypeError, ValueError, IndexError):
            assert everything(batch) == before, which
        else:
            assert which < CHANGES or everything(batch) == before, which
        if rng.random() < 0.3:
            batch.step(batch.random_actions())
    deck = sorted(case.cards(case.kind(rules, seed=1)))
    for i in range(n):
        assert sorted(case.cards(batch.game(i))) == deck


# ---- arguments -------------------------------------------------------------------------------------

METHODS = [
    *(("play", 3), ("play_code", 1), ("is_legal", 2), ("why_illegal", 2), ("parse", 1)),
    *(("legal_moves", 1), ("codes", 1), ("hand", 1), ("view", 1), ("events", 2)),
    *(("undo", 0), ("play_forced", 0)),
]
"""Methods of a game and the number of their arguments at most."""
REFUSALS: tuple[type[Exception], ...] = (herzen.HerzenError, TypeError, IndexError)
"""What wrong arguments to methods may raise."""
NUMBERS = [0, 1, 2, 3, 52, 53, -1, 127, 128, 255, 256, 2**31, 2**32, 2**63, -(2**63), 2**64, 10**30]
NO_ARGUMENTS: list[Any] = [None, True, 1.0, float("nan"), 1j, b"QS", [], {}, (), object(), range(3)]


def odd_argument(rng: random.Random, game: herzen.Game, case: Adapter) -> Any:
    """Something to call with: of a right kind, nearly so, or of no kind."""
    other = rng.choice(GAMES).new({}, 1)
    text = case.moves(rng, game.rules.to_dict())
    match rng.randrange(6):
        case 0:
            return rng.choice(NO_ARGUMENTS)
        case 1:
            return rng.choice([*NUMBERS, rng.getrandbits(rng.randrange(1, 70)), *game.codes()[:2]])
        case 2:
            return rng.choice([np.int8(1), np.int64(2**62), np.float64(1), np.bool_(True)])
        case 3:
            odd = ["", "\0", "♥", "\ud800", "x" * 5_000]
            return rng.choice(
                [text, text, text.lower(), f"{text} ", text[:-1], f"{text} {text}", *odd]
            )
        case 4:
            return rng.choice([[text], {0: text}, {text: 0}, [[text]], list(game.codes()[:2])])
    moves = [*game.legal_moves()[-1:], *game.moves[-1:], *other.legal_moves()[:1]]
    return rng.choice(
        [*moves, game.seats[0], other.seats[-1], *game.hand(0), game.view(None), game]
    )


def refused(call: Callable[[], object], *more: type[Exception]) -> bool:
    """Whether the call raises one of the errors that wrong arguments may raise; others come through."""
    try:
        call()
    except REFUSALS + more as error:
        assert len(str(error)) < 2_000, f"{str(error)[:200]} ..."
        return True
    return False


def calls(rng: random.Random) -> None:
    """Arguments of any kind to methods and constructors: a clear error and no change, or an answer."""
    case = rng.choice(GAMES)
    game = some_position(case, rng)

    def given(most: int) -> list[Any]:
        return [odd_argument(rng, game, case) for _ in range(rng.randrange(most + 1))]

    for _ in range(40):
        name, most = rng.choice(METHODS)
        arguments = given(most)
        before = game.fingerprint(), game.version, game.ply, game.history
        if refused(partial(getattr(game, name), *arguments)):
            after = game.fingerprint(), game.version, game.ply, game.history
            assert after == before, (name, arguments)
    parts = vars(import_module(f"herzen.{case.name}"))
    kinds: list[Any] = [
        part
        for part in parts.values()
        if isinstance(part, type) and issubclass(part, (herzen.Move, herzen.Card))
    ]
    kind: Any = case.kind
    for _ in range(20):
        make = rng.choice([*kinds, parts["Card"].parse, kind.rules_type, kind])
        refused(partial(make, *given(3)), ValueError)  # a word that is none
    options = {
        name: odd_argument(rng, game, case) for name in rng.sample(kind.rules_type._fields, 2)
    }
    refused(partial(kind.rules_type, **options))
    words = rng.sample(("seed", "dealer", "deals", "names"), 2)
    refused(partial(kind, **{word: odd_argument(rng, game, case) for word in words}))
    hands = [list(game.hand(seat)) for seat in range(game.players)]
    rng.choice(hands).extend(given(1))
    refused(partial(kind.from_hands, hands, game.rules, rest=given(2)))
    turn = odd_argument(rng, game, case)
    refused(partial(kind.setup, game.rules, hands=hands, turn=turn, scores=given(2) or None))


TARGETS = [
    Target("arrays", "arrays of any kind to a batch", arrays),
    Target("calls", "arguments of any kind to methods and constructors", calls),
]
