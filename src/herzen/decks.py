"""Decks that somebody chose, in place of those that a seed deals: read, told as texts, still to come in a match."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from herzen import _replay
from herzen.cards import Card, read_cards
from herzen.errors import SetupError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from herzen.game import Game
    from herzen.rules import Rules

    Deck = Iterable[Card | str]


def read_decks(rules: Rules, deals: Iterable[Deck | None]) -> tuple[bytes | None, ...]:
    """Decks as card indices, top first, None for those of the seed; SetupError for what is none."""
    if isinstance(deals, (str, bytes, Mapping)) or not isinstance(deals, Iterable):
        raise SetupError("deals: a sequence of decks is needed")
    return tuple(
        None if deck is None else read_deck(rules, deck, f"deals[{number}]")
        for number, deck in enumerate(deals)
    )


def read_deck(rules: Rules, deck: Deck, where: str) -> bytes:
    """A complete deck as card indices, top first; the m-th mention of a text is its m-th copy."""
    if type(deck) is list:
        read = read_texts(rules, deck)
        if read is not None:
            return read
    if isinstance(deck, (bytes, Mapping)) or not isinstance(deck, Iterable):
        raise SetupError(f"{where}: a sequence of cards is needed")
    copies: dict[Card, list[int]] = {}
    for index in reversed(rules._deck()):
        copies.setdefault(rules._card(index), []).append(index)
    out = bytearray()
    for card in read_cards(rules._parse_card, deck, where):
        left = copies.get(card)
        if not left:
            raise SetupError(
                f"{where}: {card} is not in the deck" + ("" if left is None else " so often")
            )
        out.append(left.pop())
    missing = [str(card) for card, left in copies.items() if left]
    if missing:
        raise SetupError(f"{where}: cards are missing: {' '.join(sorted(missing)[:10])}")
    return bytes(out)


def read_texts(rules: Rules, deck: list[Any]) -> bytes | None:
    """The same of the cards' own texts, quickly; None for any other list, which may still be a deck."""
    known = rules._deck_copies()
    return _replay.read_deck(deck, known.first, known.following, known.size)


def texts_of(rules: Rules, deck: bytes) -> tuple[str, ...]:
    """The texts of the cards of a deck."""
    return _replay.deck_texts(deck, rules._deck_copies().texts)


# ---- of a match --------------------------------------------------------------------------------------------


def without_seeded(game: Game) -> tuple[bytes | None, ...]:
    """A match's decks without those that its seed deals anyway: they make no difference to it."""
    if not game.has_seed:
        return game.decks
    kinds = game.rules._deck_copies().kinds
    kept = [
        None
        if deck is None
        or deck.translate(kinds) == game._seed_deck(game.first_deck + place).translate(kinds)
        else deck
        for place, deck in enumerate(game.decks)
    ]
    while kept and kept[-1] is None:
        kept.pop()
    return tuple(kept)


def decks_to_come(game: Game) -> list[tuple[int, bytes]]:
    """(deal number, deck) of the decks that have not been dealt yet."""
    return [
        (number, deck)
        for number, deck in enumerate(game.decks, game.first_deck)
        if deck is not None and number > game.deal_number
    ]
