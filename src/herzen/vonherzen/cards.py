"""The cards of Von Herzen: 32, `7C`..`AC`, `7D`..`AD`, `7H`..`AH`, `7S`..`AS`; index = suit * 8 + rank."""

from __future__ import annotations

from herzen.cards import SuitCard


class Card(SuitCard, ranks="789TJQKA"):
    """A card of the short pack. Its kind, which the rules see, is its colour and rank."""

    __slots__ = ()

    @property
    def red(self) -> bool:
        """Whether the card is red: a diamond or a heart."""
        return self.suit in (1, 2)


CARDS: tuple[Card, ...] = Card._all  # type: ignore[assignment]
"""All 32 in canonical order."""


def cards_at(indices: bytes) -> tuple[Card, ...]:
    """The cards of these indices, in the order given."""
    return tuple([CARDS[index] for index in indices])
