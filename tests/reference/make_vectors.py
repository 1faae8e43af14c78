"""Golden vectors of seeds, streams, shuffles and random play, for other languages.

    python -m tests.reference.make_vectors > tests/data/vectors.json

The file is golden: never regenerate it to make a test pass. A difference means that the same
seed no longer deals the same cards, which may never happen.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from tests.reference.chacha import CHANCE, DEALS, Stream, child, parse_seed, seed_text
from tests.reference.hearts import HeartsTwin
from tests.reference.hearts_rules import deck_of, resolve

BIG = (1 << 256) - 1
INTS = [0, 1, 42, 2**31, 2**32, 2**64 + 5, 10**70, BIG]
TEXTS = ["", "0", "42", "friday", "Herz", "Königin", "ко́роль", "♥Q♠", "😀", "e\u0301", "\u00e9"]
BYTES = [b"", b"42", b"\x00", b"\xff\xfe", bytes(range(32))]
SEEDS = [0, 1, parse_seed("friday"), BIG]
ADDRESSES = [(0, 0), (0, 1), (1, 0), (2, 0), (4, 7), (5, 1), (0, 2**32), (1, 2**32 + 3)]
ADDRESSES += [(0, 2**64 - 1), (2**32 - 1, 0)]
BOUNDS = [
    [1] * 20,
    [2] * 20,
    [52] * 40,
    [3_000_000_000] * 40,
    [2**31 + 1] * 20,
    [2**32 - 1] * 10,
    list(range(1, 41)),
]
CHILD_INDICES = [0, 1, 2, 999_999, 2**32 - 1, 2**32, 2**40]
DEALT = [0, 1, 7, 999]
DECKS: list[dict[str, Any]] = [
    {"decks": 1, "removed": []},
    {"decks": 1, "removed": ["2D"]},
    {"decks": 2, "removed": []},
]
PLAYED: list[dict[str, Any]] = [
    {},
    {"players": 5, "keep_spades": True, "lead": "dealer_left", "extras": "kitty"},
    {"decks": 2, "players": 6, "pass_count": 4, "pass_cycle": "random"},
]


def seed_vectors() -> list[dict[str, str]]:
    """Each form of a seed (ints in decimal, bytes in hex) and its 64 hex digits."""
    rows = [{"form": "int", "value": str(x), "seed": seed_text(parse_seed(x))} for x in INTS]
    rows += [{"form": "str", "value": x, "seed": seed_text(parse_seed(x))} for x in TEXTS]
    rows += [{"form": "bytes", "value": x.hex(), "seed": seed_text(parse_seed(x))} for x in BYTES]
    return rows


def stream_vectors() -> list[dict[str, Any]]:
    """The first 40 words of streams."""
    rows = []
    for seed in SEEDS:
        for domain, index in ADDRESSES:
            stream = Stream(seed, domain, index)
            words = [stream.next32() for _ in range(40)]
            rows.append(
                {"seed": seed_text(seed), "domain": domain, "index": str(index), "words": words}
            )
    return rows


def bounded_vectors() -> list[dict[str, Any]]:
    """The results of calls bounded(n) one after the other, and the words they used."""
    rows = []
    for seed in SEEDS:
        for bounds in BOUNDS:
            stream = Stream(seed, 2, 0)
            results = [stream.bounded(n) for n in bounds]
            following = stream.next32()
            row = {"seed": seed_text(seed), "domain": 2, "index": "0", "n": bounds}
            rows.append({**row, "results": results, "next_word": following})
    return rows


def child_vectors() -> list[dict[str, str]]:
    """child(seed, i)."""
    return [
        {"seed": seed_text(seed), "index": str(i), "child": seed_text(child(seed, i))}
        for seed in SEEDS
        for i in CHILD_INDICES
    ]


def shuffle_vectors() -> list[dict[str, Any]]:
    """Decks as they are dealt, top first; the two copies of a card have the same text."""
    rows = []
    for seed in SEEDS:
        for deal in DEALT:
            for fields in DECKS:
                deck = deck_of(resolve({**fields, "extras": "kitty"}))
                Stream(seed, DEALS, deal).shuffle(deck)
                rows.append({"seed": seed_text(seed), "deal": deal, **fields, "deck": deck})
    return rows


def direction_vectors() -> list[dict[str, Any]]:
    """Directions of pass_cycle="random" in deals 0, 1, 2, ..."""
    rows = []
    for seed in SEEDS:
        for players in (4, 5):
            directions = ["left", "right", "across", "hold"]
            if players % 2:
                directions.remove("across")
            drawn = [Stream(seed, CHANCE, k).bounded(len(directions)) for k in range(30)]
            names = [directions[k] for k in drawn]
            rows.append({"seed": seed_text(seed), "players": players, "directions": names})
    return rows


def play_vectors() -> list[dict[str, Any]]:
    """The first 60 actions of uniformly random play, and the moves they complete."""
    rows = []
    for rules in PLAYED:
        for seed in SEEDS:
            twin = HeartsTwin(rules, seed)
            actions: list[int] = []
            moves: list[list[Any]] = []
            while len(actions) < 60:
                seat, text, drawn = twin.random_move()
                actions += drawn
                if len(actions) <= 60:
                    moves.append([seat, text])
            row = {"seed": seed_text(seed), "rules": rules, "actions": actions[:60]}
            rows.append({**row, "moves": moves})
    return rows


def vectors() -> dict[str, Any]:
    """The whole file."""
    return {
        "format": "herzen-vectors",
        "version": 1,
        "note": "Golden: never regenerate to make a test pass. 64-bit and larger integers are"
        " decimal texts, seeds are 64 hex digits, big-endian.",
        "seeds": seed_vectors(),
        "streams": stream_vectors(),
        "bounded": bounded_vectors(),
        "children": child_vectors(),
        "shuffles": shuffle_vectors(),
        "random_directions": direction_vectors(),
        "hearts_random_play": play_vectors(),
    }


def dumps() -> str:
    """The text of the file: one row a line, ASCII only."""
    parts = []
    for key, value in vectors().items():
        if isinstance(value, list):
            rows = ",\n  ".join(json.dumps(row) for row in value)
            parts.append(f'"{key}": [\n  {rows}\n]')
        else:
            parts.append(f'"{key}": {json.dumps(value)}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main() -> None:
    """Write the vectors to the standard output."""
    sys.stdout.write(dumps())


if __name__ == "__main__":
    main()
