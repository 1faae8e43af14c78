"""The streams against the published vector, their definition and the golden file."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.reference import make_vectors
from tests.reference.chacha import MASK, Stream, chacha8_block, child, parse_seed, seed_text

VECTORS = Path(__file__).parents[1] / "data" / "vectors.json"


def test_block_function_gives_the_published_chacha8_vector() -> None:
    words = chacha8_block(bytes(32), 0, (0, 0, 0))
    text = b"".join(w.to_bytes(4, "little") for w in words).hex()
    assert text == (
        "3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e"
        "984ce172b9216f419f445367456d5619314a42a3da86b001387bfdb80e0cfe42"
    )


def test_stream_reads_the_blocks_in_order() -> None:
    stream = Stream(7, 2, (5 << 32) + 9)
    key = (7).to_bytes(32, "little")
    blocks = [word for k in range(3) for word in chacha8_block(key, k, (2, 9, 5))]
    assert [stream.next32() for _ in range(48)] == blocks


def test_bounded_rejects_the_short_end() -> None:
    n = 3_000_000_000
    words, stream = Stream(1, 2), Stream(1, 2)
    for _ in range(200):
        m = words.next32() * n
        while m & MASK < (2**32 % n):
            m = words.next32() * n
        assert stream.bounded(n) == m >> 32
    assert stream.next32() == words.next32()


def test_bounded_uses_one_word_for_one() -> None:
    stream, words = Stream(3, 0), Stream(3, 0)
    assert stream.bounded(1) == 0
    words.next32()
    assert stream.next32() == words.next32()


def test_shuffle_is_fair() -> None:
    places = Counter[int]()
    for seed in range(3000):
        cards = list(range(6))
        Stream(seed, 0, 0).shuffle(cards)
        places[cards.index(0)] += 1
    assert all(abs(places[k] - 500) < 100 for k in range(6))


def test_seed_forms() -> None:
    assert parse_seed(0) == 0
    assert parse_seed("42") == parse_seed(b"42") != 42
    assert len(seed_text(parse_seed("friday"))) == 64
    for bad in (-1, 1 << 256, True):
        with pytest.raises(ValueError, match="not a seed"):
            parse_seed(bad)
    with pytest.raises(ValueError, match="surrogates"):
        parse_seed("\ud800")
    assert child(1, 0) != child(1, 1)


def test_golden_vectors_still_hold() -> None:
    golden = json.loads(VECTORS.read_text(encoding="utf-8"))
    assert json.loads(json.dumps(make_vectors.vectors())) == golden
