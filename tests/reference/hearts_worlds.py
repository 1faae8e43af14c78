"""All worlds that fit a view of Hearts, by trying: the oracle of `View.sample`.

Every way to lay the unseen cards is tried, each card on its own (copies are two cards). It is a
world if some passes lead to it and the twin then plays all that was seen, card by card, as legal
moves. Nothing is inferred: voids, openings, leads passed on and the rest come out of the replay.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import factorial
from typing import Any

from tests.reference.hearts import HeartsTwin, IllegalTwinMove
from tests.reference.hearts_rules import sort_cards

World = tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]
"""Hands by seat, kitty."""


class Unknown:
    """What a view leaves open: unseen cards and the places where they may lie."""

    def __init__(self, view: Mapping[str, Any]) -> None:
        self.view = view
        self.twin = HeartsTwin(view["rules"])
        self.twin.first_dealer = self.twin.dealer = view["dealer"]
        self.n = self.twin.n
        self.seat = view["seat"]
        self.plays = _plays(view, self.n)
        self.played = [[c for s, c in self.plays if s == seat] for seat in self.twin.seats]
        self.held: list[list[str]] = [[] for _ in self.twin.seats]
        if self.seat is not None:
            self.held[self.seat] = list(view["hand"])
        for seat, cards in self._known().items():
            self.held[seat] = cards
        seen = [c for cards in [*self.played, *self.held] for c in cards]
        seen += view["kitty"] or []
        self.unseen = sorted((Counter(self.twin.table.deck) - Counter(seen)).elements())
        room = [s - len(h) for s, h in zip(view["hand_sizes"], self.held, strict=True)]
        room.append(0 if view["kitty"] is not None else view["kitty_size"])
        self.room = room

    def _known(self) -> dict[int, list[str]]:
        # The cards that the viewer passed on, less those that the receiver has played.
        if not self.view["received"]:
            return {}
        self.twin.pass_direction = self.view["pass_direction"]
        to = self.twin.receiver_of(self.seat)
        return {to: sorted((Counter(self.view["my_pass"]) - Counter(self.played[to])).elements())}

    @property
    def ways(self) -> int:
        """The number of ways to lay the unseen cards."""
        ways = factorial(len(self.unseen))
        for size in self.room:
            ways //= factorial(size)
        return ways

    def worlds(self) -> Counter[World]:
        """Each world, with the number of ways to lay the cards that give it."""
        found: Counter[World] = Counter()
        possible: dict[World, bool] = {}
        for places in _shares(list(range(len(self.unseen))), self.room):
            laid = [sort_cards(self.unseen[card] for card in place) for place in places]
            kitty = laid.pop() if self.view["kitty"] is None else list(self.view["kitty"])
            hands = [
                sort_cards(held + some)
                for held, some in zip(self.held, laid[: self.n], strict=True)
            ]
            world = tuple(map(tuple, hands)), tuple(kitty)
            if world not in possible:
                possible[world] = self.fits(hands, kitty)
            if possible[world]:
                found[world] += 1
        return found

    def fits(self, hands: Sequence[Sequence[str]], kitty: Sequence[str]) -> bool:
        """Whether a legal history gives these hands and this kitty, and all that the seat saw."""
        if self.view["phase"] == "pass":
            return True  # any hand has a legal pass, and the viewer's own is seen
        after = [sort_cards([*hand, *self.played[s]]) for s, hand in enumerate(hands)]
        return self._passes_exist(after) and self._plays_exist(after, kitty)

    def _passes_exist(self, after: list[list[str]]) -> bool:
        rules, view = self.twin.rules, self.view
        passing = rules["pass_count"] > 0 and view["pass_direction"] != "hold"
        if not passing or (self.seat is not None and view["received"] is None):
            return True
        self.twin.pass_direction = view["pass_direction"]
        given: dict[int, list[str]] = {}
        if self.seat is not None:
            giver = next(s for s in self.twin.seats if self.twin.receiver_of(s) == self.seat)
            given = {self.seat: view["my_pass"], giver: view["received"]}
        return self._complete(after, given)

    def _complete(self, after: list[list[str]], given: dict[int, list[str]]) -> bool:
        # Choose what is not known yet of the passes, seat by seat.
        for seat in self.twin.seats:
            if seat in given:
                continue
            received = after[self.twin.receiver_of(seat)]
            for some in set(combinations(received, self.twin.rules["pass_count"])):
                if self._complete(after, {**given, seat: list(some)}):
                    return True
            return False
        before = [Counter(hand) for hand in after]
        for seat, cards in given.items():
            receiver = self.twin.receiver_of(seat)
            if Counter(cards) - Counter(after[receiver]):
                return False
            before[receiver].subtract(cards)
            before[seat].update(cards)
        self.twin.begin(
            [sort_cards(hand.elements()) for hand in before], [], self.view["pass_direction"]
        )
        return all(
            self.twin.is_legal(seat, "pass " + " ".join(cards)) for seat, cards in given.items()
        )

    def _plays_exist(self, after: list[list[str]], kitty: Sequence[str]) -> bool:
        twin, view = self.twin, self.view
        try:
            twin.begin(after, kitty, view["pass_direction"])
            if not twin.passes and twin.phase == "pass":
                twin.start_play()
            for seat, card in self.plays[:-1] if view["over"] else self.plays:
                twin.play(seat, card)
        except IllegalTwinMove:
            return False
        except ValueError:  # no club in any hand: nobody can open
            return False
        if view["over"]:  # the last play would score the hand a second time
            return twin.is_legal(*self.plays[-1])
        return (twin.turn, twin.phase) == (view["turn"], view["phase"])


def _plays(view: Mapping[str, Any], n: int) -> list[tuple[int, str]]:
    plays = [
        ((leader + place) % n, card)
        for leader, cards, _ in view["tricks"]
        for place, card in enumerate(cards)
    ]
    return plays + [(seat, card) for seat, card in view["trick"]]


def _shares(cards: list[int], room: Sequence[int]) -> Iterator[list[tuple[int, ...]]]:
    # All ways to share the cards out so that each place has its number.
    if not room:
        if not cards:
            yield []
        return
    for here in combinations(cards, room[0]):
        rest = [card for card in cards if card not in here]
        for others in _shares(rest, room[1:]):
            yield [here, *others]
