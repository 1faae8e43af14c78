"""What the contract tests need to know of a game."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import herzen

Fields = dict[str, Any]
History = list[tuple[int, str]]


@dataclass(frozen=True, eq=False)
class Adapter:
    """What the contract tests need to know of one game."""

    name: str
    kind: type[herzen.Game]
    twin: Callable[..., Any]
    """twin(fields, seed, dealer, deals): the plain-Python twin."""
    random_rules: Callable[[random.Random], Fields]
    """Fields of random valid rules, plain values only."""
    resample: Callable[[Any, int | None, random.Random], Any]
    """Another twin with everything hidden from a seat rearranged; None if none was found."""
    retell: Callable[[Any, History], tuple[list[str], History]]
    """Of a (resampled) twin: the deck of its deal, and the deal's moves so far as it has them."""
    public_chance: Callable[[Fields, int, int], Sequence[int]]
    """What everybody has seen of the seed: (fields, seed, deal number) -> draws so far."""
    deck: Callable[[Fields], list[str]]
    """The cards in play under these fields."""
    zones: tuple[str, ...]
    """The zones of `setup` that together hold every card once."""
    moves: Callable[[random.Random, Fields], str]
    """A random text that is a move of the game, legal or not."""
    near: Callable[[random.Random, Any, int], str]
    """A text that nearly is, or is, a legal move of a seat of a twin: of cards that it holds, mostly."""
    variants: tuple[Fields, ...]
    """A few fixed rules: the presets and numbers of players that goldens and tests use."""
    lazy_codes: bool = True
    """Whether some decisions have codes above 255, so that `codes` is no `bytes`."""
    simultaneous: bool = True
    """Whether seats choose at the same time in some phase."""
    alike: Callable[[str], str] = str
    """A move text with alike cards written alike: legal moves are listed for one of them only."""
    held: Callable[[str], str] = str
    """The move that plays a held card."""
    refusals: frozenset[str] = frozenset({"not_your_turn", "wrong_phase", "not_held"})
    """Error codes that random illegal moves must meet."""
    near_refusals: frozenset[str] = frozenset()
    """Error codes that moves which are nearly legal must meet, besides."""

    def rules(self, fields: Mapping[str, Any]) -> herzen.Rules:
        """The rules object of these fields."""
        return self.kind.rules_type(**fields)

    def new(self, fields: Mapping[str, Any], seed: Any = 0, **keywords: Any) -> herzen.Game:
        """A match under these fields."""
        return self.kind(self.rules(fields), seed=seed, **keywords)

    def cards(self, game: herzen.Game) -> list[str]:
        """All cards of a position, wherever they lie, sorted."""
        zones = game._setup_zones(game)
        return sorted(card for zone in self.zones for card in _texts(zones.get(zone, ())))

    def __str__(self) -> str:
        return self.name


def _texts(zone: Any) -> Iterable[str]:
    # The texts in nested sequences; numbers (seats) are no cards.
    if isinstance(zone, str):
        yield zone
    elif isinstance(zone, Mapping):
        yield from _texts(list(zone.values()))
    elif isinstance(zone, (list, tuple)):
        for part in zone:
            yield from _texts(part)
