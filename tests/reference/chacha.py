"""Seeds and random streams in plain Python.

A stream is ChaCha with 8 rounds, keyed by the 256-bit seed and addressed by a domain and an
index. Everything random in a game comes from such a stream: the same seed deals the same cards
on every platform.
"""

from __future__ import annotations

import hashlib
import struct
from typing import TypeVar

T = TypeVar("T")

MASK = 0xFFFFFFFF
SEED_LIMIT = 1 << 256

DEALS = 0
CHILDREN = 1
RANDOM_PLAY = 2
BOTS = 3
CHANCE = 4
SAMPLING = 5

_CONSTANTS = struct.unpack("<4I", b"expand 32-byte k")
_COLUMNS = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15))
_DIAGONALS = ((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))


def _rotl(x: int, n: int) -> int:
    return ((x << n) | (x >> (32 - n))) & MASK


def _quarter_round(s: list[int], a: int, b: int, c: int, d: int) -> None:
    s[a] = (s[a] + s[b]) & MASK
    s[d] = _rotl(s[d] ^ s[a], 16)
    s[c] = (s[c] + s[d]) & MASK
    s[b] = _rotl(s[b] ^ s[c], 12)
    s[a] = (s[a] + s[b]) & MASK
    s[d] = _rotl(s[d] ^ s[a], 8)
    s[c] = (s[c] + s[d]) & MASK
    s[b] = _rotl(s[b] ^ s[c], 7)


def chacha8_block(key: bytes, counter: int, nonce: tuple[int, int, int]) -> list[int]:
    """The 16 output words of one block: word 12 is the counter, words 13-15 are the nonce."""
    start = [*_CONSTANTS, *struct.unpack("<8I", key), counter, *nonce]
    state = list(start)
    for _double_round in range(4):
        for a, b, c, d in _COLUMNS:
            _quarter_round(state, a, b, c, d)
        for a, b, c, d in _DIAGONALS:
            _quarter_round(state, a, b, c, d)
    return [(x + y) & MASK for x, y in zip(state, start, strict=True)]


class Stream:
    """Stream(seed, domain, index): the words of blocks 0, 1, 2, ... in order."""

    def __init__(self, seed: int, domain: int, index: int = 0) -> None:
        self._key = seed.to_bytes(32, "little")
        self._nonce = (domain, index & MASK, index >> 32)
        self._words: list[int] = []
        self._blocks = 0
        self._at = 0

    def next32(self) -> int:
        """The next word, 0 <= w < 2^32."""
        if self._at == len(self._words):
            self._words = chacha8_block(self._key, self._blocks, self._nonce)
            self._blocks += 1
            self._at = 0
        self._at += 1
        return self._words[self._at - 1]

    def read(self, count: int) -> bytes:
        """The next `count` bytes (a multiple of 4): words written little-endian."""
        return b"".join(struct.pack("<I", self.next32()) for _ in range(count // 4))

    def bounded(self, n: int) -> int:
        """A number 0 <= r < n by Lemire's method; one word is used for n = 1 too."""
        m = self.next32() * n
        if m & MASK < n:
            threshold = ((1 << 32) - n) % n
            while m & MASK < threshold:
                m = self.next32() * n
        return m >> 32

    def shuffle(self, cards: list[T]) -> None:
        """In place: for i = len-1 ... 1, swap i with bounded(i+1); position 0 is the top."""
        for i in range(len(cards) - 1, 0, -1):
            j = self.bounded(i + 1)
            cards[i], cards[j] = cards[j], cards[i]

    def copy(self) -> Stream:
        """A stream at the same place."""
        twin = Stream.__new__(Stream)
        twin.__dict__.update(self.__dict__)
        return twin


def parse_seed(seed: int | str | bytes) -> int:
    """The integer behind a seed; text and bytes are hashed; anything unfit is a ValueError."""
    if isinstance(seed, str):
        seed = seed.encode("utf-8")  # a lone surrogate raises UnicodeEncodeError, a ValueError
    if isinstance(seed, bytes):
        digest = hashlib.blake2b(seed, digest_size=32, person=b"herzen-seed").digest()
        return int.from_bytes(digest, "little")
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < SEED_LIMIT:
        raise ValueError(f"not a seed: {seed!r}")
    return seed


def seed_text(seed: int) -> str:
    """The text form of a seed: 64 hex digits, big-endian."""
    return f"{seed:064x}"


def child(seed: int, i: int) -> int:
    """child(seed, i): the first 32 bytes of Stream(seed, 1, i), read little-endian."""
    return int.from_bytes(Stream(seed, CHILDREN, i).read(32), "little")
