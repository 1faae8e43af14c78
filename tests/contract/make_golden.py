"""Golden matches: whole matches of every game by the documented random stream, made with the twin.

    python -m tests.contract.make_golden > tests/data/golden_matches.json

The moves are those of uniformly random play (stream domain 2, docs/seeds.rst), drawn by the
plain-Python twin; the fingerprints are the engine's. The file is golden: never regenerate it to
make a test pass. A difference means that a seed deals other cards, that a rule has changed, or
that the byte form of the fingerprint has, and none of these may happen.
"""

from __future__ import annotations

import hashlib
import json
import sys
from typing import Any

import herzen
from herzen import HeartsRules
from herzen.seeds import parse_seed, seed_text
from tests.contract.adapter import Adapter
from tests.contract.games import GAMES

NOTE = (
    "Golden: never regenerate to make a test pass. Moves are uniformly random play (stream"
    " domain 2). moves_digest: BLAKE2b-128, in hex, of the lines 'seat text' joined by newlines."
    " deals: the fingerprint of the last position of each deal; that of the last deal is the final"
    " one."
)

MATCHES: list[tuple[str, str, dict[str, Any], str]] = [
    ("hearts", "classic, 4 players", {}, "classic"),
    ("hearts", "3 players, kitty", {"players": 3, "extras": "kitty"}, "three"),
    ("hearts", "5 players", {"players": 5}, "five"),
    ("hearts", "6 players", {"players": 6}, "six"),
    ("hearts", "7 players", {"players": 7}, "seven"),
    ("hearts", "omnibus", HeartsRules.omnibus().to_dict(), "omnibus"),
    ("hearts", "black_maria", HeartsRules.black_maria().to_dict(), "maria"),
    ("hearts", "cancellation, 8 players", HeartsRules.cancellation().to_dict(), "cancel"),
    ("hearts", "yahoo", HeartsRules.yahoo().to_dict(), "yahoo"),
    ("hearts", "random direction", {"pass_cycle": "random"}, "random"),
    ("vonherzen", "3 players", {}, "amour"),
    ("vonherzen", "2 players", {"players": 2, "exchange_rounds": 2, "turn_up": True}, "duo"),
    (
        "vonherzen",
        "6 players, the pile turned over",
        {"players": 6, "stock_refill": "turn_over", "draw_from_pile": "any"},
        "sextet",
    ),
    (
        "vonherzen",
        "strict runs",
        {"players": 4, "wrap": False, "joker_ends": False, "own_joker_extend": False},
        "strict",
    ),
    ("herzsammler", "2 players", {}, "ring"),
    ("herzsammler", "3 players, 3 games", {"players": 3, "games": 3}, "trio"),
    (
        "herzsammler",
        "4 players, objects chosen",
        {"players": 4, "choose_object": True, "must_match": True},
        "chosen",
    ),
    (
        "herzsammler",
        "short end",
        {"end": "short", "tie_break": "hearts", "majority_tie": "none"},
        "short",
    ),
]


def adapter(game: str) -> Adapter:
    """The entry of a game."""
    return next(case for case in GAMES if case.name == game)


def digest(moves: list[tuple[int, str]]) -> str:
    """What the file holds of the moves."""
    lines = "\n".join(f"{seat} {text}" for seat, text in moves)
    return hashlib.blake2b(lines.encode(), digest_size=16).hexdigest()


def twin_match(game: str, fields: dict[str, Any], seed: int) -> dict[str, Any]:
    """The match as the twin plays it."""
    twin = adapter(game).twin(fields, seed)
    played = twin.random_action_play()
    return {
        "moves": [(seat, text) for seat, text, _ in played],
        "actions": sum(len(drawn) for _, _, drawn in played),
        "scores": list(twin.scores),
        "winners": list(twin.winners),
    }


def deal_marks(game: herzen.Game, moves: list[tuple[int, str]]) -> list[str]:
    """Play the moves; the last fingerprint of each deal."""
    marks = [game.fingerprint()]
    for seat, text in moves:
        deal = game.deal_number
        game.play(text, seat=seat)
        if game.deal_number == deal:
            marks[-1] = game.fingerprint()
        else:
            marks.append(game.fingerprint())
    return marks


def golden_match(game: str, name: str, fields: dict[str, Any], seed_name: str) -> dict[str, Any]:
    """One entry of the file."""
    seed = parse_seed(seed_name)
    match = twin_match(game, fields, seed)
    engine = adapter(game).new(fields, seed)
    return {
        "game": game,
        "name": name,
        "rules": fields,
        "seed": seed_text(seed),
        "moves": len(match["moves"]),
        "moves_digest": digest(match["moves"]),
        "actions": match["actions"],
        "scores": match["scores"],
        "winners": match["winners"],
        "deals": deal_marks(engine, match["moves"]),
        "fingerprint": engine.fingerprint(),
    }


def main() -> None:
    """Write the file to the standard output, one match a line."""
    rows = ",\n  ".join(json.dumps(golden_match(*match)) for match in MATCHES)
    sys.stdout.write(
        '{\n"format": "herzen-golden-matches",\n"version": 1,\n'
        f'"note": {json.dumps(NOTE)},\n"matches": [\n  {rows}\n]\n}}\n'
    )


if __name__ == "__main__":
    main()
