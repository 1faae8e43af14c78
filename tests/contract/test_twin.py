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
from tests.contract.checks import all_viewers, assert_same, error_of, every_game, parts
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
        max_examples=scale(smoke=3, quick=10, ci=15, full=5_000),
        stateful_step_count=scale(quick=25, ci=40, full=150),
    )
    return test


for _adapter in GAMES:
    _name = f"{_adapter.kind.__name__}AndTwin"
    globals()[f"Test{_name}"] = _machine(_adapter, _name)


@parts
@every_game
def test_random_matches(case: Adapter, part: int) -> None:
    """Whole matches under random rules, compared at every state; so many deals of each game.

    Two viewers look at each state: the seat whose legal moves count, and any seat or the public.
    """
    rng = random.Random(2_000 + part)
    deals = 0
    while deals < scale(smoke=6, quick=30, ci=60, full=500):  # in all 240 in ci, 20,000 in full
        fields = case.random_rules(rng)
        seed, dealer = rng.getrandbits(256), rng.randrange(case.rules(fields).players)
        game = case.new(fields, seed, dealer=dealer)
        twin = case.twin(fields, seed, dealer)
        while True:
            try:
                assert_same(game, twin, [twin.turn or 0, rng.choice(all_viewers(game))])
            except AssertionError as error:
                raise AssertionError(f"deal {deals}: {fields}, seed {seed}") from error
            if twin.over:
                break
            seat = rng.choice(twin.to_move)
            text = rng.choice(twin.legal(seat))
            deal, hand_result = twin.deal_number, twin.hand_result
            events = game.play(text, seat=seat)
            twin.play(seat, text)
            if twin.hand_result is not hand_result:  # the deal is over
                deals += 1
                assert game.last_deal is not None
                assert list(game.last_deal.totals) == list(twin.hand_result["points"])
                assert {event.deal for event in events} <= {deal, deal + 1}
        assert game.last_deal is not None


@every_game
def test_illegal_moves_have_the_code_of_the_twin(case: Adapter) -> None:
    rng = random.Random(21)
    seen = set()
    for _ in range(scale(quick=20, ci=50, full=6_000)):
        fields = case.random_rules(rng)
        seed = rng.getrandbits(256)
        game, twin = case.new(fields, seed), case.twin(fields, seed)
        while not twin.over:
            for _ in range(3):
                # Mostly the seat to move, and often of what it holds: rule faults, not "not held".
                seat = twin.turn if rng.random() < 0.8 else rng.randrange(twin.n)
                text = case.moves(rng, fields)
                if rng.random() < 0.5:
                    text = case.near(rng, twin, seat)
                # The engine reads more ways of writing a card than the twin does.
                if error_of(lambda game=game, text=text: game.parse(text)) is None:
                    text = str(game.parse(text))
                code = twin.why(seat, text)
                seen.add(code)
                assert game.is_legal(text, seat) == (code is None)
                if code is not None:
                    before = game.fingerprint()
                    with pytest.raises(herzen.IllegalMove) as caught:
                        game.play(text, seat=seat)
                    assert caught.value.code == code, (fields, text)
                    assert game.fingerprint() == before
            seat = rng.choice(twin.to_move)
            text = rng.choice(twin.legal(seat))
            game.play(text, seat=seat)
            twin.play(seat, text)
        assert twin.why(0, case.moves(rng, fields)) == "game_over"
    assert case.refusals | case.near_refusals | {None} <= seen


@every_game
def test_explicit_decks_and_dealers(case: Adapter) -> None:
    """Decks given come first, then the seed goes on; the first dealer is the one given."""
    rng = random.Random(22)
    for _ in range(scale(smoke=4, quick=15, ci=30, full=1_500)):
        fields = case.random_rules(rng)
        decks = []
        for _ in range(rng.randrange(1, 4)):
            deck = case.deck(fields)
            rng.shuffle(deck)
            decks.append(deck)
        seed, dealer = rng.getrandbits(256), rng.randrange(case.rules(fields).players)
        game = case.new(fields, seed, dealer=dealer, deals=decks)
        twin = case.twin(fields, seed, dealer, decks)
        while not twin.over:
            seat = rng.choice(twin.to_move)
            text = rng.choice(twin.legal(seat))
            deal = twin.deal_number
            game.play(text, seat=seat)
            twin.play(seat, text)
            if twin.deal_number != deal:
                assert_same(game, twin, all_viewers(game))
        assert_same(game, twin, all_viewers(game))
