"""Golden worlds: a view, a seed, and the world that `view.sample` draws.

    python -m tests.contract.make_golden_worlds GAME > tests/data/golden_worlds_GAME.json

prints the rows of one game; they are added to tests/data/golden_worlds.json once. Golden: never write a row anew to
make a test pass. A difference means that the same seed draws another world than before.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

import herzen
from tests.contract.checks import all_viewers, step_by_kind

GOLDEN = Path(__file__).parents[1] / "data" / "golden_worlds.json"

MANY_OBJECTS = [["red", "numeral", k % 6, k % 26, (7 * k + 3) % 26] for k in range(30)]
MATCHES: list[tuple[str, dict[str, Any], int]] = [
    ("hearts", {}, 20),
    ("hearts", {"players": 3, "extras": "kitty"}, 12),
    ("vonherzen", {}, 4),
    ("vonherzen", {"players": 5}, 50),
    ("vonherzen", {"exchange_rounds": 2, "discard_mandatory": True}, 26),
    ("herzsammler", {}, 9),
    ("herzsammler", {"players": 3, "must_match": True, "deck": MANY_OBJECTS}, 14),
]


def world_row(world: herzen.Game) -> dict[str, Any]:
    """Where the cards lie in a world: hands, and what lies unseen, top first."""
    zones = world._setup_zones(world)
    return {
        "hands": zones["hands"],
        "rest": zones.get("stock", zones.get("stack", zones.get("kitty", []))),
        "fingerprint": world.fingerprint(),
    }


def rows(game: str) -> list[dict[str, Any]]:
    """The rows of one game, from its matches at random places."""
    out = []
    for name, fields, moves in MATCHES:
        if name != game:
            continue
        rng = random.Random(f"golden {name} {moves}")
        match = herzen.new(name, seed=moves, **fields)
        while match.ply < moves and not match.over:
            step_by_kind(match, rng)
        for viewer in all_viewers(match)[-2:]:
            view = match.view(viewer)
            out.append({"view": view.to_dict(), "seed": moves, **world_row(view.sample(moves))})
    return out


if __name__ == "__main__":
    print(json.dumps(rows(sys.argv[1])))
