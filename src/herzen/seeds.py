"""Seeds: what the outside may give for one, and the seeds and streams that follow from it (docs/seeds.rst)."""

from __future__ import annotations

from herzen._core import Stream, child
from herzen.errors import SeedError
from herzen.integers import exact_int, short

__all__ = ["Seed", "Stream", "child", "parse_seed", "read_seed", "seed_text"]

type_error = "a seed is an int 0 <= s < 2**256, a str, bytes or None"
Seed = int | str | bytes | None
"""What may be given for a seed; `parse_seed` says what it becomes."""
LIMIT = 1 << 256
"""Seeds are below this."""


def parse_seed(seed: Seed) -> int:
    """The seed as an integer 0 <= s < 2**256.

    None takes 32 bytes from the operating system; str (as UTF-8) and bytes are hashed. SeedError for all else.
    """
    number = exact_int(seed)
    if number is not None:
        if not 0 <= number < LIMIT:
            raise SeedError(f"a seed is at least 0 and below 2**256, not {short(number)}")
        return number
    if seed is None:
        import os

        return int.from_bytes(os.urandom(32), "little")
    if isinstance(seed, str):
        try:
            raw = str(seed).encode("utf-8")
        except UnicodeEncodeError:
            raise SeedError(
                "a seed text must be valid Unicode; this one has a lone surrogate"
            ) from None
    elif isinstance(seed, (bytes, bytearray)):
        raw = bytes(seed)
    else:
        raise SeedError(f"{type_error}, not {type(seed).__name__}")
    import hashlib

    digest = hashlib.blake2b(raw, digest_size=32, person=b"herzen-seed").digest()
    return int.from_bytes(digest, "little")


def seed_text(seed: int) -> str:
    """The text form of a seed: 64 hex digits, most significant first."""
    return f"{seed:064x}"


def read_seed(text: str) -> int:
    """A seed as command lines read it: 64 hex digits, or all digits an integer, else the text's hash."""
    if len(text) == 64 and all(digit in "0123456789abcdefABCDEF" for digit in text):
        return int(text, 16)
    if text.isascii() and text.isdigit() and len(text) <= 78:
        return parse_seed(int(text))
    return parse_seed(text)
