"""The games that the contract tests go through: one entry each, in `GAMES`.

An entry says where the game, its plain-Python twin, its random rules and its resampler are, and
how the few things that no game shares (where its cards lie, what a move text looks like) are
read. The tests themselves know no game.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import herzen
from tests.reference import resample
from tests.reference.chacha import CHANCE, Stream
from tests.reference.hearts import HeartsTwin, deck_for
from tests.reference.hearts_options import random_rules
from tests.reference.hearts_rules import KINDS, resolve, sort_cards

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
    variants: tuple[Fields, ...]
    """A few fixed rules: the presets and numbers of players that goldens and tests use."""
    lazy_codes: bool = True
    """Whether some decisions have codes above 255, so that `codes` is no `bytes`."""
    simultaneous: bool = True
    """Whether seats choose at the same time in some phase."""
    rare_phases: frozenset[str] = frozenset()
    """Phases that random positions need not meet."""
    alike: Callable[[str], str] = str
    """A move text with alike cards written alike: legal moves are listed for one of them only."""
    held: Callable[[str], str] = str
    """The move that plays a held card, so that refusals are of more kinds than "not held"."""
    refusals: frozenset[str] = frozenset({"not_your_turn", "wrong_phase", "not_held"})
    """Error codes that random illegal moves must meet."""

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


# ---- Hearts --------------------------------------------------------------------------------------


def _hearts_retell(twin: HeartsTwin, moves: History) -> tuple[list[str], History]:
    # Hands before the passes: back go the received cards and come the passed ones. The plays are
    # public, so only the texts of the passes differ from the true history.
    hands = []
    for seat in twin.seats:
        hand = list(twin.hands[seat])
        if twin.phase != "pass":
            hand += twin.played_by(seat) + twin.passes.get(seat, [])
            for card in twin.received.get(seat, []):
                hand.remove(card)
        hands.append(hand)
    told = [
        (seat, " ".join(["pass", *sort_cards(twin.passes[seat])]) if text[:4] == "pass" else text)
        for seat, text in moves
    ]
    return deck_for(hands, twin.dealer, twin.kitty), told


def _hearts_chance(fields: Fields, seed: int, deal_number: int) -> list[int]:
    rules = resolve(fields)
    if rules["pass_cycle"] != "random":
        return []
    ways = 3 if rules["players"] % 2 else 4
    return [Stream(seed, CHANCE, deal).bounded(ways) for deal in range(deal_number + 1)]


def _hearts_deck(fields: Fields) -> list[str]:
    return list(HeartsTwin(fields).table.deck)


def _hearts_move(rng: random.Random, fields: Fields) -> str:
    kind = rng.random()
    if kind < 0.6:
        return rng.choice(KINDS)
    if kind < 0.95:
        count = rng.choice([resolve(fields)["pass_count"], rng.randrange(6)])
        return " ".join(["pass", *(rng.choice(KINDS) for _ in range(count))])
    return rng.choice(["moon add", "moon subtract"])


HEARTS = Adapter(
    name="hearts",
    kind=herzen.Hearts,
    twin=HeartsTwin,
    random_rules=random_rules,
    resample=resample.resample_hidden,
    retell=_hearts_retell,
    public_chance=_hearts_chance,
    deck=_hearts_deck,
    zones=("hands", "trick", "tricks", "taken", "held", "kitty"),
    moves=_hearts_move,
    variants=(
        {},
        {"players": 3, "extras": "kitty"},
        {"players": 5, "keep_spades": True},
        {"players": 6, "lead_when_stuck": "pass_lead", "stop_when_decided": True},
        {"players": 7, "pass_count": 1, "lead": "any_club"},
        {"bonus": {"JD": -10}, "no_trick_bonus": -5},
        {
            "extra_penalties": {"KS": 10, "AS": 7},
            "pass_cycle": ["right"],
            "lead": "dealer_left",
            "first_trick_points": "allow",
        },
        {"decks": 2, "players": 8},
        {"lead_when_stuck": "hearts_or_queen", "queen_lead": "after_hearts"},
        {"pass_cycle": "random", "moon": "auto"},
    ),
)

GAMES: tuple[Adapter, ...] = (HEARTS,)
