"""The cards of Hearts: 52, `2C`..`AC`, `2D`..`AD`, `2H`..`AH`, `2S`..`AS`; index = suit * 13 + rank."""

from __future__ import annotations

from herzen.cards import SuitCard


class Card(SuitCard, ranks="23456789TJQKA"):
    """A card of the French pack. With two packs both copies of a card are this one object."""

    __slots__ = ()


CARDS: tuple[Card, ...] = Card._all  # type: ignore[assignment]
"""All 52 in canonical order."""


def cards_at(indices: bytes) -> tuple[Card, ...]:
    """The cards of these indices, in the order given."""
    return tuple([CARDS[index] for index in indices])
