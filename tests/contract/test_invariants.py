"""What holds at every state of every game, over random plies under random rules.

The cheap checks run at every ply, the dear ones at one ply in so many (`every`).
"""

from __future__ import annotations

import pickle
import random

import pytest

import herzen
from tests.contract.adapter import Adapter
from tests.contract.checks import all_viewers, every_game, some_position, step, walk
from tests.contract.invariants import (
    COPIES,
    check_copy,
    check_copy_without_history,
    check_record,
    check_setup_text,
    check_undo,
    check_verdicts,
    check_view_text,
    check_whole_match,
    odd_codes,
)
from tests.tiers import scale

PLIES = scale(quick=3_000, ci=6_000, full=1_000_000)
FEWER = scale(quick=500, ci=1_200, full=250_000)


@every_game
def test_cards_are_conserved(case: Adapter) -> None:
    """Every card lies in one zone, at every state."""
    deck: list[str] = []
    for _, game in walk(case, PLIES, 1):
        if game.ply == 0:
            deck = sorted(case.deck(game.rules.to_dict()))
        assert case.cards(game) == deck


@every_game
def test_undo_restores_every_state_and_the_move_goes_on_as_before(case: Adapter) -> None:
    """One undo gives back the exact position, replaying gives the same events but their version."""
    before = ""
    for rng, game in walk(case, scale(quick=3_000, ci=6_000, full=1_000_000), 2):
        before = check_undo(game, before, rng)


@every_game
def test_a_whole_match_can_be_taken_back_and_played_again(case: Adapter) -> None:
    """All the way to the first move and on again: the same positions and the same log."""
    rng = random.Random(3)
    for _ in range(scale(smoke=3, quick=15, ci=18, full=1_000)):
        check_whole_match(case.new(case.random_rules(rng), rng.getrandbits(256)), rng)


@every_game
@pytest.mark.parametrize("way", COPIES)
def test_copies_are_equal_and_independent(case: Adapter, way: str) -> None:
    """A copy has everything the original has; playing on and taking back reach only one of them."""
    make = COPIES[way]
    for rng, game in walk(case, FEWER, 4, every=40 if "pickle" in way else 10):
        check_copy(make, game, rng)


@every_game
def test_a_copy_without_history_is_the_position_alone(case: Adapter) -> None:
    for rng, game in walk(case, FEWER, 5, every=8):
        check_copy_without_history(game, rng)


@every_game
def test_the_setup_text_gives_the_position_back(case: Adapter) -> None:
    """`to_setup()` evaluates with only `herzen` imported to the same fingerprint, seed included."""
    for rng, game in walk(case, FEWER, 6, every=8):
        check_setup_text(game, rng)


@every_game
def test_a_record_gives_the_match_back(case: Adapter) -> None:
    """From record to text to replay: the same fingerprint, version, history and views."""
    for rng, game in walk(case, FEWER, 7, every=40):
        check_record(game, rng)


@every_game
def test_without_undos_the_views_of_a_replay_are_the_same_to_the_byte(case: Adapter) -> None:
    for _, game in walk(case, FEWER, 8, every=40):
        other = herzen.Record.loads(game.record().dumps()).replay()
        for viewer in all_viewers(game):
            assert other.view(viewer).dumps() == game.view(viewer).dumps()
        assert other.log == game.log


@every_game
def test_looking_changes_nothing(case: Adapter) -> None:
    """Row 59: looking a hundred times between the moves gives the same match."""
    rng = random.Random(9)
    for _ in range(scale(quick=1, ci=2, full=100)):
        fields, seed = case.random_rules(rng), rng.getrandbits(256)
        looked, plain = case.new(fields, seed), case.new(fields, seed)
        while not plain.over:
            before = (looked.fingerprint(), looked.version)
            for _ in range(100 if plain.ply == 0 or rng.random() < 0.02 else 1):
                for seat in range(looked.players):
                    looked.legal_moves(seat)
                    looked.codes(seat)
                looked.is_legal(case.moves(rng, fields))
                looked.why_illegal(case.moves(rng, fields), rng.randrange(looked.players))
                str(looked)
                repr(looked)
                looked.copy()
                looked.copy(history=False)
                looked.to_setup()
            viewer = rng.choice(all_viewers(looked))
            looked.view(viewer).dumps()
            looked.events(viewer)
            looked.record().dumps()
            pickle.dumps(looked)
            _ = looked.log, looked.points, looked.winners, looked.last_deal
            assert (looked.fingerprint(), looked.version) == before
            seat, events = step(plain, rng)
            assert looked.play(plain.moves[-1], seat=seat) == events
            assert looked.fingerprint() == plain.fingerprint()


@every_game
def test_the_log_is_what_play_returned(case: Adapter) -> None:
    """Indices run on, versions and deals are those of the play; for_seat keeps the number."""
    rng = random.Random(10)
    for _ in range(scale(smoke=3, quick=10, ci=12, full=1_000)):
        game = case.new(case.random_rules(rng), rng.getrandbits(256))
        told = list(game.log)
        while not game.over:
            deal = game.deal_number
            _, events = step(game, rng)
            told += events
            assert events
            assert {event.version for event in events} == {game.version}
            assert all(deal <= event.deal <= game.deal_number for event in events)
        assert list(game.log) == told
        assert [event.index for event in told] == list(range(len(told)))
        for viewer in all_viewers(game):
            seen = game.events(viewer)
            assert [event.index for event in seen] == list(range(len(told)))
            since = rng.randrange(len(told) + 3)
            assert game.events(viewer, since=since) == seen[since:]
            assert seen == tuple(event.for_seat(viewer) for event in told)
        assert herzen.Record.loads(game.record().dumps()).replay().log == tuple(told)


@every_game
def test_public_facts_are_the_same_on_game_and_view(case: Adapter) -> None:
    """`Game` has the public fields of a view as properties of the same names."""
    private = {"game", "seat", "hand", "known", "legal_moves", "events", "my_pass", "received"}
    private |= {"kitty", "my_agreed", "my_offer", "swaps"}  # on views only
    for _, game in walk(case, FEWER, 11, every=40):
        view = game.view(None)
        for name in set(view._readers) - private:
            value, shown = getattr(game, name), getattr(view, name)
            assert value == shown, name
        for seat in game.seats:
            assert seat.view() == game.view(seat)
            assert seat.hand == game.hand(seat) == game.view(seat).hand
            assert seat.legal_moves() == game.legal_moves(seat) == game.view(seat).legal_moves
            assert (seat.name, seat.index, int(seat)) == (game.names[seat], seat, seat)


@every_game
def test_views_come_back_from_their_json_and_pickles(case: Adapter) -> None:
    for rng, game in walk(case, FEWER, 12, every=40):
        check_view_text(game.view(rng.choice(all_viewers(game))))


# ---- codes and moves -----------------------------------------------------------------------------


@every_game
def test_codes_moves_and_verdicts_agree(case: Adapter) -> None:
    """codes, legal_moves, is_legal and why_illegal say the same of legal and illegal moves."""
    for rng, game in walk(case, FEWER, 13, every=8):
        check_verdicts(case, game, rng)


@every_game
def test_codes_are_a_sequence(case: Adapter) -> None:
    """`bytes` where all codes are below 256, else a lazy sequence; both behave like a tuple."""
    lazy = 0
    for rng, game in walk(case, FEWER, 14, every=40):
        if game.over:
            continue
        codes = game.codes(int(game.to_move[-1]))
        listed = list(codes)
        assert isinstance(codes, bytes) == (max(listed) < 256)
        lazy += not isinstance(codes, bytes)
        count = len(codes)
        assert count == len(listed)
        places = {0, count - 1, rng.randrange(count), rng.randrange(count)}
        for place in places:
            assert codes[place] == codes[place - count] == listed[place]
            assert codes.index(listed[place]) == place
            assert listed[place] in codes
            assert codes.count(listed[place]) == 1
        start, stop, stride = (
            rng.randrange(-99, 99),
            rng.randrange(-99, 99),
            rng.choice([-3, -1, 1, 2]),
        )
        assert list(codes[start:stop:stride]) == listed[start:stop:stride]
        assert list(reversed(codes)) == listed[::-1]
        for place in (count, -count - 1, 2**40, -(2**40)):
            with pytest.raises(IndexError):
                codes[place]
        with pytest.raises(IndexError):
            codes[2**70]
        if not isinstance(codes, bytes):
            for code in odd_codes(rng, listed):
                assert (code in codes) == (code in set(listed))
                if code not in set(listed):
                    with pytest.raises(ValueError, match="not in"):
                        codes.index(code)
            for stranger in (None, "pass", 1.5, b"6", True):
                assert stranger not in codes
    assert bool(lazy) == case.lazy_codes


@every_game
def test_every_form_of_a_move_is_played_alike(case: Adapter) -> None:
    """A Move, its text, its code, a numpy int, play_code: the same position and events."""
    numpy = pytest.importorskip("numpy")
    for rng, game in walk(case, FEWER, 15, every=8):
        if game.over:
            continue
        codes = game.codes()
        code = codes[rng.randrange(len(codes))]
        move = next(move for move in [game._from_code(code)])
        expected = game.copy()
        events = expected.play(move)
        for form in (str(move), code, numpy.int64(code)):
            other = game.copy()
            assert other.play(form) == events
            assert other == expected
        for number in (code, numpy.int64(code)):
            other = game.copy()
            other.play_code(number)
            assert other == expected
            assert other.version == expected.version
            assert other.history == expected.history
            if rng.random() < 0.05:
                assert other.log == expected.log


@every_game
def test_play_code_refuses_as_play_does(case: Adapter) -> None:
    for rng, game in walk(case, FEWER, 16, every=40):
        legal = list(game.codes())
        before = (game.fingerprint(), game.version, game.ply)
        for code in odd_codes(rng, legal):
            if game.is_legal(code):
                continue
            with pytest.raises(herzen.IllegalMove) as one:
                game.play_code(code)
            with pytest.raises(herzen.IllegalMove) as other:
                game.play(code)
            assert type(one.value) is type(other.value)
            assert str(one.value) == str(other.value)
            assert (one.value.code, one.value.seat) == (other.value.code, other.value.seat)
        assert (game.fingerprint(), game.version, game.ply) == before


@every_game
def test_play_forced_stops_where_there_is_a_choice(case: Adapter) -> None:
    forced = 0
    for _, game in walk(case, FEWER, 17, every=8):
        by_hand, other = game.copy(), game.copy()
        events: list[herzen.Event] = []
        while not by_hand.over and len(by_hand.codes()) == 1:
            events += by_hand.play(by_hand.legal_moves()[0])
            forced += 1
        assert other.play_forced() == tuple(events)
        assert other == by_hand
        assert other.history == by_hand.history
        assert other.over or len(other.codes()) > 1
        assert other.play_forced() == ()
    assert forced


# ---- versions ------------------------------------------------------------------------------------


@every_game
def test_versions_count_plays_and_undos_and_plies_count_moves(case: Adapter) -> None:
    rng = random.Random(18)
    for _ in range(scale(smoke=3, quick=10, ci=12, full=1_000)):
        game = case.new(case.random_rules(rng), rng.getrandbits(256))
        version = ply = 0
        for _ in range(rng.randrange(120)):
            assert (game.version, game.ply, len(game.moves)) == (version, ply, ply)
            assert game.view(None).version == version
            if ply and (game.over or rng.random() < 0.3):
                game.undo()
                ply -= 1
            elif not game.over:
                step(game, rng)
                ply += 1
            else:
                break
            version += 1
        assert game.record().undos == (version - ply) // 2


class Openings:
    """By seat, the version at which its present decision was opened: the rule in plain Python.

    A move opens the decisions of all seats that may act after it, unless it was one of several
    choices made at the same time and the others are still to come. Taking such a choice back
    opens it again for its seat alone.
    """

    def __init__(self, game: herzen.Game) -> None:
        self.now = dict.fromkeys(map(int, game.to_move), game.version)
        self.deal = game.deal_number

    def after(self, game: herzen.Game, actor: int, *, undone: bool = False) -> None:
        acting = set(map(int, game.to_move))
        more, fewer = (acting, set(self.now)) if undone else (set(self.now), acting)
        goes_on = bool(fewer) and fewer == more - {actor} and game.deal_number == self.deal
        if goes_on:
            self.now = {seat: self.now.get(seat, game.version) for seat in acting}
        else:
            self.now = dict.fromkeys(acting, game.version)
        self.deal = game.deal_number


@every_game
def test_a_seat_may_act_on_what_it_saw_when_its_decision_was_opened(case: Adapter) -> None:
    """expect= below the opening of the seat's decision, or above the version, is stale."""
    rng = random.Random(19)
    for _ in range(scale(quick=25, ci=30, full=2_500)):
        game = case.new(case.random_rules(rng), rng.getrandbits(256))
        openings = Openings(game)
        for _ in range(rng.randrange(60)):
            for seat in range(game.players):
                _try_versions(game, seat, openings.now, rng)
            if game.moves and (game.over or rng.random() < 0.25):
                actor = game.history[-1][0]
                game.undo()
                openings.after(game, actor, undone=True)
            elif not game.over:
                actor, _ = step(game, rng)
                openings.after(game, actor)


def _try_versions(game: herzen.Game, seat: int, opened: dict[int, int], rng: random.Random) -> None:
    before, legal = game.version, game.codes(seat)
    code = legal[rng.randrange(len(legal))] if legal else 0
    for expect in {0, before - 1, before, opened.get(seat, 0), opened.get(seat, 0) - 1}:
        other = game.copy()
        if game.over:
            with pytest.raises(herzen.GameOver):
                other.play(code, seat=seat, expect=expect)
        elif seat not in opened:
            with pytest.raises(herzen.IllegalMove) as caught:
                other.play(code, seat=seat, expect=expect)
            assert caught.value.code == "not_your_turn"
        elif expect < opened[seat]:
            with pytest.raises(herzen.StaleState):
                other.play(code, seat=seat, expect=expect)
        else:
            other.play(code, seat=seat, expect=expect)
            assert other.version == before + 1
    for expect in (before + 1, 2**80):
        with pytest.raises(herzen.GameOver if game.over else herzen.StaleState):
            game.play(code, seat=seat, expect=expect)
    assert game.version == before


@every_game
def test_the_seat_whose_move_was_taken_back_must_look_again(case: Adapter) -> None:
    """After an undo its seat cannot play on what it saw before."""
    rng = random.Random(20)
    tried = 0
    while tried < scale(smoke=25, quick=100, ci=240, full=20_000):
        game = some_position(case, rng)
        if not game.moves or game.over:
            continue
        tried += 1
        actor, move = game.history[-1]
        seen = game.version
        undone = game.undo()
        assert undone == move
        with pytest.raises(herzen.StaleState):
            game.play(move, seat=actor, expect=seen)
        with pytest.raises(herzen.StaleState):
            game.play(move, seat=actor, expect=seen - 1)
        game.play(move, seat=actor, expect=game.version)


@every_game
def test_seats_that_choose_at_the_same_time_may_all_answer_one_version(case: Adapter) -> None:
    """All seats of a simultaneous stage play on the version they all saw, in any order."""
    rng = random.Random(21)
    found = 0
    for _, game in walk(case, FEWER, 21, every=2):
        acting = [int(seat) for seat in game.to_move]
        if len(acting) < 2:
            continue
        found += 1
        seen = game.version
        choices = {seat: rng.choice(game.codes(seat)) for seat in acting}
        ends = set()
        for _ in range(3):
            rng.shuffle(acting)
            other = game.copy()
            for seat in acting:
                other.play(choices[seat], seat=seat, expect=seen)
            ends.add(other.fingerprint())
        assert len(ends) == 1
        other = game.copy()
        other.play(choices[acting[0]], seat=acting[0], expect=seen)
        with pytest.raises(herzen.IllegalMove) as caught:  # a committed choice is final
            other.play(choices[acting[0]], seat=acting[0], expect=seen)
        assert caught.value.code == "not_your_turn"
    assert found or not case.simultaneous
