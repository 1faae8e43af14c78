"""What a fuzz target is: a stream of cases, each made from its number alone."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import herzen

KNOWN = 10**15
"""The number of a case of texts is `known * KNOWN + number`: so many texts were kept when it was made."""
LONGEST = 4_000
"""Longer texts are not kept."""


class Wrong(AssertionError):
    """An answer that must not be."""


@dataclass(frozen=True)
class Target:
    """Its cases are run and must raise nothing."""

    name: str
    about: str
    """What is tried, in a few words."""
    run: Callable[[random.Random], None]
    """One case; what it raises is a finding."""
    seconds: float = 60.0
    """A case that takes longer hangs."""

    def rng(self, case: int) -> random.Random:
        """Where the case with this number takes its choices from."""
        return random.Random(f"{self.name} {case}")

    def play(self, case: int) -> None:
        """Run the case with this number."""
        self.run(self.rng(case))


@dataclass(frozen=True)
class TextTarget:
    """Its cases are texts, made of those that it begins with and those that were kept, and get answers.

    A text is kept if its answer is new.
    """

    name: str
    about: str
    start: Callable[[], Sequence[bytes]]
    """The texts to begin with."""
    change: Callable[[bytes, Sequence[bytes], random.Random], bytes]
    """change(text, all texts, rng): another text."""
    answer: Callable[[bytes], str]
    """What the text gets, without what is the text's own; what it raises is a finding."""
    seconds: float = 60.0
    most: int = 300
    """Texts to be kept."""
    _started: list[bytes] = field(default_factory=list)

    def started(self) -> list[bytes]:
        """The texts to begin with, made once."""
        if not self._started:
            self._started.extend(self.start())
        return self._started

    def text(self, case: int, kept: Sequence[bytes]) -> bytes:
        """The text of the case with this number: changed from one to begin with or one of the first texts kept."""
        known, number = divmod(case, KNOWN)
        texts = [*self.started(), *kept[:known]]
        rng = random.Random(f"{self.name} {number}")
        return self.change(rng.choice(texts), texts, rng)


AnyTarget = Target | TextTarget


def told(error: BaseException) -> str:
    """The error without what is the text's own, and without what other libraries say, which may change."""
    if not isinstance(error, herzen.HerzenError):
        return type(error).__name__
    words = re.sub(r"\S*/\S*: ", "", str(error))  # a path
    words = re.sub(r"(not JSON|not a gzip file).*", r"\1", words, flags=re.DOTALL)
    words = re.sub(r"\d+|'[^']*('|\.\.\.)|\"[^\"]*(\"|\.\.\.)", "#", words)
    return f"{type(error).__name__}: {words[:60]}"
