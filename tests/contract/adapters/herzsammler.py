"""Herzsammler for the contract tests: with a twin that can tell of which deck its game may also be."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import permutations
from typing import Any

import herzen
from tests.contract.adapter import Adapter, Fields, History
from tests.reference.herzsammler import HerzsammlerTwin
from tests.reference.herzsammler_options import random_rules
from tests.reference.herzsammler_resample import resample_hidden
from tests.reference.herzsammler_rules import LETTERS, OPEN_CARDS, resolve, table_of


class TellingTwin(HerzsammlerTwin):
    """The twin, which also keeps the deck and the moves of the present game."""

    dealt: list[str]
    told: History

    def _deck(self) -> list[str]:
        self.dealt = super()._deck()
        self.told = []
        return list(self.dealt)

    def play(self, seat: int, text: str) -> None:
        """As the twin's; a move that ends the game belongs to no later one."""
        told = list(self.told)
        number = self.deal_number
        super().play(seat, text)
        if self.deal_number == number:
            self.told = [*told, (seat, text)]

    def copy(self) -> TellingTwin:
        """An independent copy."""
        twin = super().copy()
        twin.__class__ = TellingTwin
        assert isinstance(twin, TellingTwin)
        return twin


class _Places:
    """The game so far by places in the deck: which place's card lies where now."""

    def __init__(self, twin: TellingTwin) -> None:
        self.twin = twin
        n, dealt = twin.n, 2 * twin.n
        self.hands: list[list[int]] = [[] for _ in range(n)]
        for place in range(dealt):
            self.hands[(twin.dealer + 1 + place) % n].append(place)
        self.open = list(range(dealt, dealt + OPEN_CARDS))
        self.stack = list(range(dealt + OPEN_CARDS, len(twin.dealt)))
        self.seen: set[int] = set(self.open)
        self.barred: dict[int, set[str]] = {}
        self._draw((twin.dealer + 1) % n)
        for number, (seat, text) in enumerate(twin.told):
            self._show(seat, text.split())
            if not twin.over or number + 1 < len(twin.told):
                self._draw((seat + 1) % n)

    def _draw(self, seat: int) -> None:
        if self.stack:
            self.hands[seat].append(self.stack.pop(0))

    def _objects(self, place: int) -> set[str]:
        return set(self.twin.table.faces[self.twin.dealt[place]].objects)

    def _show(self, seat: int, words: Sequence[str]) -> None:
        # Of equal cards the one that everybody knows is shown first.
        own = [place for place in self.hands[seat] if self.twin.dealt[place] == words[1]]
        place = min(own, key=lambda held: held not in self.seen)
        self.hands[seat].remove(place)
        self.seen.add(place)
        wanted = {words[3]} if len(words) > 2 else self._objects(place)
        taken = [other for other in self.open if wanted & self._objects(other)]
        if not taken:
            on_table = {letter for other in self.open for letter in self._objects(other)}
            for held in self.hands[seat]:
                self.barred.setdefault(held, set()).update(on_table)
            self.stack.append(place)
            return
        self.open = [other for other in self.open if other not in taken] + [place]
        while len(self.open) < OPEN_CARDS and self.stack:
            self.open.append(self.stack.pop(0))
            self.seen.add(self.open[-1])


def retold_deck(twin: TellingTwin) -> list[str] | None:
    """A deck with which the moves of this game lead to the twin's position; None if none was found.

    Hidden cards change places with hidden cards only. Under must_match a card must not lie where
    it would have had to be shown before.
    """
    places = _Places(twin)
    deck = list(twin.dealt)
    hidden = [place for place in places.stack if place not in places.seen]
    for place, card in zip(hidden, twin.stack, strict=False):
        deck[place] = card
    for seat in twin.seats:
        slots = [place for place in places.hands[seat] if place not in places.seen]
        cards = twin.unknown_in_hand(seat)
        if sorted(cards) == sorted(deck[place] for place in slots):
            continue  # the viewer's own hand, above all: it saw when it drew which card
        for order in permutations(cards):
            if not twin.rules["must_match"] or all(
                places.barred.get(place, set()).isdisjoint(twin.table.faces[card].objects)
                for place, card in zip(slots, order, strict=True)
            ):
                break
        else:
            return None
        for place, card in zip(slots, order, strict=True):
            deck[place] = card
    return deck


def _resample(twin: TellingTwin, seat: int | None, rng: random.Random) -> TellingTwin | None:
    # Swaps in the stack alone tell little: the most changed of a few arrangements is taken.
    best, changed = None, -1
    for _ in range(6):
        other = resample_hidden(twin, seat, rng)
        assert isinstance(other, TellingTwin)
        moved = sum(one != two for one, two in zip(twin.hands, other.hands, strict=True))
        if moved > changed and retold_deck(other) is not None:
            best, changed = other, moved
    return best


def _retell(twin: TellingTwin, moves: History) -> tuple[list[str], History]:
    deck = retold_deck(twin)
    assert deck is not None
    return deck, moves


def _deck(fields: Fields) -> list[str]:
    return list(table_of(resolve(fields)).deck)


def _move(rng: random.Random, fields: Fields) -> str:
    card = rng.choice(_deck(fields))
    kind = rng.random()
    if kind < 0.1:
        card = rng.choice("RYGBV") + rng.choice("H12345") + "".join(rng.sample(LETTERS, 2))
    named = resolve(fields)["choose_object"] if kind < 0.8 else rng.random() < 0.5
    letter = rng.choice(card[-2:]) if rng.random() < 0.9 else rng.choice(LETTERS)
    return f"show {card} by {letter}" if named else f"show {card}"


def _near(rng: random.Random, twin: HerzsammlerTwin, seat: int) -> str:
    card = rng.choice(twin.hands[seat] or twin.table.deck)
    return (
        f"show {card} by {rng.choice(card[-2:])}" if twin.rules["choose_object"] else f"show {card}"
    )


def _chance(fields: Fields, seed: int, deal_number: int) -> Sequence[int]:
    return ()


SMALL_DECK: list[list[Any]] = [
    [colour, kind, 0 if kind == "heart" else 3 + number, number, (number + step) % 6]
    for colour in ("red", "blue", "Green")
    for step, kind in enumerate(("heart", "numeral", "numeral"))
    for number in range(5)
]
"""45 cards, with doubles (hearts) and without equal cards."""

HERZSAMMLER = Adapter(
    name="herzsammler",
    kind=herzen.Herzsammler,
    twin=TellingTwin,
    random_rules=random_rules,
    resample=_resample,
    retell=_retell,
    public_chance=_chance,
    deck=_deck,
    zones=("hands", "open", "stack", "collections"),
    moves=_move,
    near=_near,
    lazy_codes=False,
    simultaneous=False,
    held="show {}".format,
    refusals=frozenset({"not_your_turn", "not_held"}),
    near_refusals=frozenset({"unknown_move", "must_match"}),
    variants=(
        {},
        {"players": 3, "games": 2},
        {"players": 4, "end": "short"},
        {"choose_object": True, "must_match": True},
        {"majority_tie": "none", "tie_break": "hearts", "games": 3},
        {"deck": SMALL_DECK, "require_heart": True, "stall_limit": 3},
    ),
)
