"""Every engine against its plain-Python twin: the same legal moves, states, scores and views.

A Hypothesis state machine plays, takes back, copies, pickles and records; plain random matches
cover the counts. `events` and `version` are the engine's own and are left out.
"""

from __future__ import annotations

import pickle
import random
from typing import Any, ClassVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import herzen
from tests.contract.adapter import Adapter
from tests.contract.beside_twin import (
    play_beside_twin,
    play_decks_beside_twin,
    refuse_beside_twin,
)
from tests.contract.checks import all_viewers, assert_same, every_game, parts
from tests.contract.games import GAMES
from tests.tiers import scale

BIG = st.integers(0, 2**64)


class EngineAndTwin(RuleBasedStateMachine):
    """One match, played on the engine and on its twin."""

    case: ClassVar[Adapter]

    def __init__(self) -> None:
        super().__init__()
        self.before: list[Any] = []  # the twin before each move that can be taken back

    @initialize(number=BIG, seed=st.integers(0, 2**256 - 1), dealer=st.integers(0, 20))
    def begin(self, number: int, seed: int, dealer: int) -> None:
        self.fields = self.case.random_rules(random.Random(number))
        self.rng = random.Random(number)
        rules = self.case.rules(self.fields)
        dealer %= rules.players
        self.game = self.case.kind(rules, seed=seed, dealer=dealer)
        self.twin = self.case.twin(self.fields, seed, dealer)

    def _play(self, seat_choice: int, move_choice: int) -> None:
        seats = self.twin.to_move
        seat = seats[seat_choice % len(seats)]
        texts = self.twin.legal(seat)
        text = texts[move_choice % len(texts)]
        self.before.append(self.twin.copy())
        self.twin.play(seat, text)
        self.game.play(text, seat=seat, expect=self.game.version)

    @precondition(lambda self: not self.twin.over)
    @rule(seat=BIG, move=BIG)
    def play(self, seat: int, move: int) -> None:
        """A legal move (a committed pass, a card, a decision)."""
        self._play(seat, move)

    @precondition(lambda self: not self.twin.over)
    @rule(count=st.integers(2, 60), number=BIG)
    def play_on(self, count: int, number: int) -> None:
        """Many random moves at once, to get on."""
        rng = random.Random(number)
        for _ in range(count):
            if self.twin.over:
                break
            self._play(rng.getrandbits(32), rng.getrandbits(32))

    @rule(seat=BIG, number=BIG)
    def refuse(self, seat: int, number: int) -> None:
        """An illegal move has the twin's error code and changes nothing."""
        seat %= self.twin.n
        text = self.case.moves(random.Random(number), self.fields)
        code = self.twin.why(seat, text)
        assert self.game.is_legal(text, seat) == (code is None)
        if code is None:
            return
        before, version = self.game.fingerprint(), self.game.version
        with pytest.raises(herzen.IllegalMove) as caught:
            self.game.play(text, seat=seat)
        assert caught.value.code == code
        assert (self.game.fingerprint(), self.game.version) == (before, version)

    @precondition(lambda self: self.before)
    @rule(count=st.integers(1, 8))
    def undo(self, count: int) -> None:
        """Take moves back, also across the end of a deal and of the match."""
        for _ in range(min(count, len(self.before))):
            version = self.game.version
            self.game.undo()
            self.twin = self.before.pop()
            assert self.game.version == version + 1

    @rule()
    def copy(self) -> None:
        """Go on with a copy; what happens to the original does not reach it."""
        original, self.game = self.game, self.game.copy()
        if not original.over:
            original.play(original.codes()[-1])
        elif original.moves:
            original.undo()

    @rule()
    def round_trip_pickle(self) -> None:
        self.game = pickle.loads(pickle.dumps(self.game))

    @rule()
    def round_trip_record(self) -> None:
        version = self.game.version
        self.game = herzen.Record.loads(self.game.record().dumps()).replay()
        assert self.game.version == version

    @rule()
    def round_trip_setup(self) -> None:
        """The setup text gives the same position (it has no history, so the match goes on here)."""
        copied = eval(self.game.to_setup(), {"herzen": herzen})
        assert copied.fingerprint() == self.game.fingerprint()

    @invariant()
    def same(self) -> None:
        if hasattr(self, "twin"):
            assert_same(self.game, self.twin, all_viewers(self.game))
            assert self.game.ply == len(self.before)


def _machine(adapter: Adapter, name: str) -> Any:
    test = type(name, (EngineAndTwin,), {"case": adapter}).TestCase
    test.settings = settings(
        max_examples=scale(smoke=3, quick=5, ci=9, full=5_000),
        stateful_step_count=scale(quick=13, ci=24, full=150),
    )
    return test


for _adapter in GAMES:
    _name = f"{_adapter.kind.__name__}AndTwin"
    globals()[f"Test{_name}"] = _machine(_adapter, _name)


@parts
@every_game
def test_random_matches(case: Adapter, part: int) -> None:
    """Whole matches under random rules, compared at every state; so many deals of each game."""
    rng = random.Random(2_000 + part)
    deals = 0
    while deals < scale(smoke=6, quick=15, ci=24, full=500):  # in all 144 in ci, 20,000 in full
        deals += play_beside_twin(case, rng)


@every_game
def test_illegal_moves_have_the_code_of_the_twin(case: Adapter) -> None:
    rng = random.Random(21)
    seen: set[str | None] = set()
    for _ in range(scale(quick=10, ci=20, full=6_000)):
        seen |= refuse_beside_twin(case, rng)
    assert case.refusals | case.near_refusals | {None} <= seen


@every_game
def test_explicit_decks_and_dealers(case: Adapter) -> None:
    """Decks given come first, then the seed goes on; the first dealer is the one given."""
    rng = random.Random(22)
    for _ in range(scale(smoke=4, quick=8, ci=18, full=1_500)):
        play_decks_beside_twin(case, rng)
