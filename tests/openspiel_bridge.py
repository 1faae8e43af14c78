"""OpenSpiel's Hearts beside ours, ply by ply.

`pyspiel` is imported when the first deal is played, so that this module can be collected without it. Which option is
which switch of OpenSpiel's stands in `herzen.envs.openspiel_hearts`.

What it does differently, and what the bridge does about it:

- `pass_cards=False` leaves all four directions in `chance_outcomes()`. Only "no pass" is legal: the bridge plays that.
- `apply_action` takes any card that is held, also a revoke. The bridge plays legal cards only; that ours refuses
  every other card is checked here.
- A pass is three picks in seat order. Ours is one move, and seats commit in any order.
- `must_break_hearts=False` makes it say that hearts are broken from the start. Ours tracks what was played (H-PLAY-9).
- `returns()` is 26 minus the points, a number to maximise.
- Its observations show passed cards too early and its resampling ignores voids. Neither is compared.
"""

from __future__ import annotations

import importlib
import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Any

import pytest

import herzen
from herzen.envs.openspiel_hearts import DIRECTIONS, SWITCHES, card_index, spiel_action
from herzen.hearts import Card, Pass

CARDS = [Card(rank + suit) for suit in "CDHS" for rank in "23456789TJQKA"]
QUEEN = Card("QS").index
JACK = Card("JD").index
CLUBS = frozenset(range(13))
HEARTS = frozenset(range(26, 39))
POINTS = HEARTS | {QUEEN}
TOTAL = 26

Options = Mapping[str, bool]
Chooser = Callable[[random.Random, Sequence[int]], int]
"""Chooses one of the legal cards."""


@cache
def _spiel_game(values: tuple[bool, ...]) -> Any:
    pyspiel = importlib.import_module("pyspiel")
    return pyspiel.load_game("hearts", dict(zip(SWITCHES, values, strict=True)))


def spiel_defaults() -> dict[str, bool]:
    """The switches that the installed OpenSpiel has, with their defaults."""
    specification = (
        importlib.import_module("pyspiel").load_game("hearts").get_type().parameter_specification
    )
    return dict(specification)


def at_random(rng: random.Random, legal: Sequence[int]) -> int:
    """A uniformly random card."""
    return legal[int(rng.random() * len(legal))]


def prefer(*wishes: Iterable[int], then: Chooser = at_random) -> Chooser:
    """Plays from the first of these sets that offers a legal card, else from all."""
    sets = [frozenset(wish) for wish in wishes]

    def choose(rng: random.Random, legal: Sequence[int]) -> int:
        for wish in sets:
            wanted = [card for card in legal if card in wish]
            if wanted:
                return then(rng, wanted)
        return then(rng, legal)

    return choose


class Duel:
    """One deal on both engines. Every ply compares the mover, the legal cards, `broken` and the points.

    `seen` counts the situations that the deal met, so that a test can tell that it tested something.
    """

    def __init__(
        self,
        options: Options,
        game: herzen.Hearts,
        rng: random.Random,
        seen: Counter[str],
        note: str,
    ) -> None:
        self.options, self.game, self.rng, self.seen, self.note = options, game, rng, seen, note
        self.state = _spiel_game(tuple(options[name] for name in SWITCHES)).new_initial_state()
        self.hands = [{card.index for card in game.hand(seat)} for seat in range(4)]
        direction = DIRECTIONS.index(game.pass_direction)
        assert options["pass_cards"] or direction == 0, self.where("passing is off")
        self.state.apply_action(direction)
        for row in zip(*(sorted(hand) for hand in self.hands), strict=True):
            for card in row:
                self.state.apply_action(spiel_action(card))
        self.direction = direction

    def where(self, what: str) -> str:
        """A message that says which deal went wrong."""
        switches = " ".join(name for name in SWITCHES if self.options[name])
        return f"{what}: {self.note}, ply {self.game.ply}, on: {switches}, {self.game.to_setup()}"

    # ---- passing ---------------------------------------------------------------------------------------
    def swap(self, passes: Sequence[Sequence[int]] | None = None) -> None:
        """Pass these cards (None: random ones), on our side in a random order of the seats."""
        if not self.direction:
            assert self.game.phase == "play", self.where("no pass in this deal")
            return
        assert self.game.phase == "pass", self.where("a pass is due")
        chosen = [
            self.rng.sample(sorted(self.hands[seat]), 3) if passes is None else list(passes[seat])
            for seat in range(4)
        ]
        for seat in range(4):
            left = set(self.hands[seat])
            for card in chosen[seat]:
                picks = {card_index(action) for action in self.state.legal_actions()}
                assert self.state.current_player() == seat, self.where("who passes")
                assert picks == left, self.where(f"cards that seat {seat} may pass")
                left.remove(card)
                self.state.apply_action(spiel_action(card))
        for seat in self.rng.sample(range(4), 4):
            move = Pass([CARDS[card] for card in chosen[seat]])
            ours = self.game.codes(seat)
            assert len(ours) == 286, self.where(f"number of passes of seat {seat}")
            assert move.code in ours, self.where(f"passes of seat {seat}")
            self.game.play(move, seat=seat)
        for seat in range(4):
            self.hands[seat] -= set(chosen[seat])
        for seat in range(4):
            self.hands[(seat + self.direction) % 4] |= set(chosen[seat])
        for seat in range(4):
            held = {card.index for card in self.game.hand(seat)}
            assert held == self.hands[seat], self.where(f"seat {seat} after the pass")

    # ---- playing ---------------------------------------------------------------------------------------
    def play(self, choosers: Mapping[int, Chooser], refuse: float = 0.0) -> None:
        """Play the hand out. refuse: how often the cards that are not legal are tried on our side."""
        game, state, rng, hands = self.game, self.state, self.rng, self.hands
        trick: list[tuple[int, int]] = []
        taken: list[set[int]] = [set(), set(), set(), set()]
        for ply in range(52):
            seat = state.current_player()
            assert game.turn == seat, self.where("whose turn")
            legal = sorted(map(card_index, state.legal_actions()))
            assert list(game.codes()) == legal, self.where("legal cards")
            broken = game.hearts_broken
            theirs = state.hearts_broken()
            assert theirs == (broken or not self.options["must_break_hearts"]), self.where("broken")
            self._watch(ply, seat, legal, broken, trick)
            if refuse and rng.random() < refuse:
                self._refuses(legal)
            card = choosers.get(seat, at_random)(rng, legal)
            self._watch_card(ply, card, trick)
            state.apply_action(spiel_action(card))
            game.play_code(card)
            hands[seat].remove(card)
            trick.append((seat, card))
            if len(trick) == 4:
                winner = max(
                    (card, seat) for seat, card in trick if card // 13 == trick[0][1] // 13
                )[1]
                taken[winner] |= {card for _, card in trick}
                trick = []
                if ply < 51:
                    points = tuple(int(state.points(seat)) for seat in range(4))
                    assert game.points == points, self.where("points so far")
        assert state.is_terminal(), self.where("theirs is over")
        assert game.over, self.where("ours is over")
        assert game.codes() == b"", self.where("nothing is legal at the end")
        self._compare_scores(taken)

    def _refuses(self, legal: Sequence[int]) -> None:
        before = self.game.fingerprint()
        for card in set(range(52)) - set(legal):
            with pytest.raises(herzen.IllegalMove):
                self.game.play_code(card)
        assert self.game.fingerprint() == before, self.where("a refused card changed the position")
        self.seen["cards refused"] += 1

    def _compare_scores(self, taken: Sequence[set[int]]) -> None:
        theirs = tuple(TOTAL - int(value) for value in self.state.returns())
        assert self.game.scores == theirs, self.where(f"theirs {theirs}, ours {self.game.scores}")
        for seat, cards in enumerate(taken):
            if cards >= POINTS:
                self.seen[f"moon of seat {seat}"] += 1
                self.seen[
                    "moon with all tricks" if len(cards) == 52 else "moon without all tricks"
                ] += 1
                if self.options["jd_bonus"]:
                    self.seen[
                        "moon with the jack" if JACK in cards else "moon, the jack elsewhere"
                    ] += 1
                if self.options["avoid_all_tricks_bonus"] and not all(taken):
                    self.seen["moon, a seat without a trick"] += 1
                return
        if not all(taken) and self.options["avoid_all_tricks_bonus"]:
            self.seen["bonus for no trick"] += 1

    # ---- what the deal met -----------------------------------------------------------------------------
    def _watch(
        self,
        ply: int,
        seat: int,
        legal: Sequence[int],
        broken: bool,
        trick: Sequence[tuple[int, int]],
    ) -> None:
        hand, seen = self.hands[seat], self.seen
        if ply == 0:
            seen["opening with a choice of clubs"] += len(legal) > 1
        elif not trick:
            if not broken and self.options["must_break_hearts"] and hand <= POINTS:
                if QUEEN not in hand:
                    seen["lead from hearts only, not broken"] += 1
                elif legal == [QUEEN] and len(hand) > 1:
                    seen["forced lead of the queen"] += 1
                elif len(hand) > 1:
                    seen["hearts or queen may be led"] += 1
        elif ply < 4 and not hand & CLUBS and hand & POINTS:
            if hand <= POINTS:
                seen["only point cards on trick 1"] += 1
            elif len(legal) < len(hand):
                seen["points held back on trick 1"] += 1
            else:
                seen["points allowed on trick 1"] += 1

    def _watch_card(self, ply: int, card: int, trick: Sequence[tuple[int, int]]) -> None:
        if ply < 4 and card in POINTS:
            self.seen["points on trick 1"] += 1
        if card == QUEEN and not trick:
            self.seen["queen led"] += 1
            if not self.options["qs_breaks_hearts"] and not self.game.hearts_broken:
                self.seen["queen led without breaking hearts"] += 1
        if (
            len(trick) == 3
            and self.options["jd_bonus"]
            and {QUEEN, JACK} <= {card, *(c for _, c in trick)}
        ):
            self.seen["queen and jack in one trick"] += 1


def before_pass(
    rng: random.Random, hands: Sequence[Iterable[int]], direction: int
) -> tuple[list[set[int]], list[list[int]]]:
    """Hands and passes that lead to these hands after the pass: (hands before it, cards passed by seat)."""
    before = [set(hand) for hand in hands]
    passes: list[list[int]] = [[] for _ in hands]
    if direction:
        for seat, hand in enumerate(hands):
            giver = (seat - direction) % 4
            passes[giver] = rng.sample(sorted(hand), 3)
            before[seat] -= set(passes[giver])
            before[giver] |= set(passes[giver])
    return before, passes


def all_options() -> list[dict[str, bool]]:
    """All 256 settings of the switches."""
    names = range(len(SWITCHES))
    settings = [set(on) for count in range(len(SWITCHES) + 1) for on in combinations(names, count)]
    return [{name: place in on for place, name in enumerate(SWITCHES)} for on in settings]
