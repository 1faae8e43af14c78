"""Hostile texts: records, and anything else, with their bytes changed."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

import herzen
from tests.contract.games import GAMES
from tests.contract.samples import from_setup, played, with_undos, without_seed

TOKENS = [
    *(b'"', b"'", b"\\", b"{", b"}", b"[", b"]", b",", b":", b"\0", b"\n", b" ", b"-", b"+", b"."),
    *(b"0", b"1", b"9", b"10", b"99", b"-1", b"1.0", b"1e5", b"1e999", b"-0", b"00", b"0x1"),
    *(b"null", b"true", b"false", b"NaN", b"Infinity", b"-Infinity", b'""', b"{}", b"[]", b"[0]"),
    *(
        b"\xff",
        b"\xc3",
        b"\xed\xa0\x80",
        b"\xef\xbb\xbf",
        b"\xf0\x9f\x98\x80",
        b"\\ud800",
        b"\\u0000",
    ),
    *(b"\\udc00", b'"QS"', b'"2C"', b'"pass 2C 3C 4C"', b'"meld 8H 9D TC"', b'"show R3af"', b'"x"'),
    *(b'"version":1,', b'"meta":{},', b'"seed":null,', b'"setup":{},', b'"herzen":{"notes":[]}'),
    *(b"9" * 400, b"9" * 5_000, b"[" * 300, b'{"a":' * 300, b'"' + b"x" * 3_000 + b'"'),
    *(b"18446744073709551616", b"9007199254740993", b"2147483648", b"-9223372036854775809"),
]


def starting_texts() -> list[bytes]:
    """Small records and records of seats of every kind."""
    out = []
    for case in GAMES:
        fields = case.variants[0]
        game = played(case, fields, 7)
        records = [
            game.record({"note": ["x"]}, fingerprints=2, notes={3: "n"}, stamps=[1] * 7),
            case.new(case.variants[-1], 2).record(),
            from_setup(game).record(),
            with_undos(played(case, fields, 6)).record(),
            herzen.Record.from_dict(without_seed(game.record().to_dict())),
        ]
        out += [record.dumps().encode() for record in records]
        out.append(records[0].for_seat(0).dumps().encode())
    return out


def mutated(text: bytes, others: Sequence[bytes], rng: random.Random) -> bytes:
    """The text with its bytes changed in one to four places."""
    out = bytearray(text)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        at = rng.randrange(len(out) + 1)
        way = rng.randrange(11)
        if way == 0 and at < len(out):
            out[at] = rng.randrange(256)
        elif way == 1 and at < len(out):
            out[at] ^= 1 << rng.randrange(8)
        elif way == 2:
            del out[at : at + rng.choice((1, 1, 2, 8, 60))]
        elif way == 3:
            out[at:at] = out[at : at + rng.choice((1, 5, 40))]
        elif way == 4:
            out[at:at] = rng.choice(TOKENS)
        elif way == 5:
            # A number or a text is replaced as a whole: most of what follows is still JSON.
            places = list(re.finditer(rb'-?\d+|"[^"\\]*"|null|\{\}|\[\]', bytes(out)))
            if places:
                place = rng.choice(places)
                out[place.start() : place.end()] = rng.choice(TOKENS)
        elif way == 6:
            other = rng.choice(others)
            there = rng.randrange(len(other) + 1)
            out[at:] = other[there:]
        elif way == 7:
            places = list(re.finditer(rb'-?\d+|"[^"\\]*"', bytes(out)))
            if len(places) > 1:
                one, two = rng.choice(places), rng.choice(places)
                out[one.start() : one.end()] = two.group()
        elif way == 8:
            del out[at:]
        else:
            # Moves, marks and notes: still a record, often, but of another match.
            begin, end = out.find(b'"moves":'), out.find(b'"result":')
            places = list(re.finditer(rb'\d+|"[^"\\:]*"(?!:)', bytes(out)))
            aimed = [place for place in places if begin + 8 < place.start() < end]
            if aimed:
                place = rng.choice(aimed)
                out[place.start() : place.end()] = rng.choice(aimed).group()
    return bytes(out)
