"""The golden matches: the same on the twin, on the engine and in the engine's own random play.

tests/data/golden_matches.json is never regenerated to make a test pass; make_golden.py wrote it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from herzen.registry import GAMES as REGISTERED
from tests.contract.games import GAMES
from tests.contract.make_golden import MATCHES, adapter, deal_marks, digest, twin_match

DATA = Path(__file__).parents[1] / "data" / "golden_matches.json"
GOLDEN: dict[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))

every_match = pytest.mark.parametrize(
    "golden", GOLDEN["matches"], ids=lambda match: f"{match['game']}, {match['name']}"
)


def test_every_game_of_the_registry_is_tested() -> None:
    """By the contract tests, and with golden matches."""
    assert [case.name for case in GAMES] == [*REGISTERED]
    assert {match["game"] for match in GOLDEN["matches"]} == {*REGISTERED}


def test_the_file_holds_every_match() -> None:
    assert (GOLDEN["format"], GOLDEN["version"]) == ("herzen-golden-matches", 1)
    rows = [(match["game"], match["name"], match["rules"]) for match in GOLDEN["matches"]]
    assert rows == [(game, name, fields) for game, name, fields, _ in MATCHES]


@every_match
def test_twin_and_engine_play_the_golden_match(golden: dict[str, Any]) -> None:
    """The twin draws the same moves; the engine accepts them and stands where it always stood."""
    seed = int(golden["seed"], 16)
    match = twin_match(golden["game"], golden["rules"], seed)
    assert len(match["moves"]) == golden["moves"]
    assert digest(match["moves"]) == golden["moves_digest"]
    assert (match["scores"], match["winners"]) == (golden["scores"], golden["winners"])
    game = adapter(golden["game"]).new(golden["rules"], seed)
    assert deal_marks(game, match["moves"]) == golden["deals"]
    assert game.fingerprint() == golden["fingerprint"] == golden["deals"][-1]
    assert game.over
    assert list(game.scores) == golden["scores"]
    assert [int(seat) for seat in game.winners] == golden["winners"]
    assert len(game.moves) == golden["moves"]


@every_match
def test_the_engines_own_random_play_gives_the_golden_match(golden: dict[str, Any]) -> None:
    """The loop of simulate draws from the same stream in the same order."""
    game = adapter(golden["game"]).new(golden["rules"], int(golden["seed"], 16))
    assert game._playout() == golden["actions"]
    assert list(game.scores) == golden["scores"]
    assert game.ply == golden["moves"]
    assert game.fingerprint() == golden["fingerprint"]
