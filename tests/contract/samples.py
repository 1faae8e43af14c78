"""Records to test with: of every kind that a game can make."""

from __future__ import annotations

import json
import random
from functools import cache
from typing import Any

import herzen
from tests.contract.adapter import Adapter
from tests.contract.checks import step

Data = dict[str, Any]


def played(case: Adapter, fields: Data, moves: int, seed: Any = "records") -> herzen.Game:
    """A game after so many random moves, or at its end."""
    game = case.new(fields, seed)
    rng = random.Random(moves)
    while not game.over and game.ply < moves:
        step(game, rng)
    return game


def from_setup(game: herzen.Game) -> herzen.Game:
    """The game that begins at this position."""
    copied: herzen.Game = eval(game.to_setup(), {"herzen": herzen})
    return copied


def with_undos(game: herzen.Game, count: int = 3) -> herzen.Game:
    """The game with some moves taken back and one played again."""
    for _ in range(min(count, len(game.moves))):
        game.undo()
    if not game.over:
        step(game, random.Random(count))
    return game


def without_seed(data: Data) -> Data:
    """The record as one that does not hold its seed."""
    return data | {"seed": None, "fingerprints": []}


@cache
def sample_texts(case: Adapter) -> tuple[str, ...]:
    """Records of every kind, as JSON texts."""
    out: list[Data] = []
    for number, fields in enumerate(case.variants):
        for moves in (0, 2, 30 + number, 10**6):
            game = played(case, fields, moves)
            out.append(game.record().to_dict())
            born = from_setup(game)
            for _ in range(5):
                if not born.over:
                    step(born, random.Random(moves))
            out.append(born.record().to_dict())
            out.append(with_undos(game).record().to_dict())
        if not case.public_chance(fields, 0, 0):
            out.append(without_seed(out[-1]))
    names = [f"Ann {seat} ♥ \ud83d\ude00" for seat in range(case.rules(case.variants[0]).players)]
    named = case.kind(case.rules(case.variants[0]), seed=1, names=names)
    named.play(named.codes()[0])
    meta = {"table": 7, "note": ["x", {"deep": None}], "e": 1.5}
    noted = named.record(meta, stamps=[1_700_000_000_000], notes={0: "first ♥", 1: "then"})
    out.append(noted.to_dict())
    return tuple(json.dumps(data) for data in out)


def samples(case: Adapter) -> list[Data]:
    """The same as data, fresh at each call."""
    return [json.loads(text) for text in sample_texts(case)]
