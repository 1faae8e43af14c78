"""The games in OpenSpiel: its own suites, what these do not notice, its search, and its own Hearts."""

from __future__ import annotations

import copy
import pickle
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import herzen
from herzen.envs.common import sign
from herzen.envs.openspiel_hearts import SWITCHES, card_index, spiel_action
from tests.batch.actions import Player
from tests.batch.cases import every_case
from tests.batch.test_observe import worlds
from tests.contract.games import GAMES, Adapter
from tests.tiers import scale

pytest.importorskip("pyspiel", reason='needs ".[envs]"')

import pyspiel
from absl import flags
from open_spiel.integration_tests import api_test
from open_spiel.python.algorithms import generate_playthrough, ismcts, mcts

from herzen.envs import openspiel as ours

pytestmark = pytest.mark.ci

SHORT: dict[str, dict[str, Any]] = {
    "hearts": {"max_hands": 2, "moon": "add"},
    "vonherzen": {"max_deals": 2, "players": 2},
    "herzsammler": {"games": 2},
}
REFUSED: Any = (pyspiel.SpielError, herzen.HerzenError, ValueError)


def games() -> list[Any]:
    """All three as they are registered, and with rules of our own."""
    found = [pyspiel.load_game(ours.short_name(case.name)) for case in GAMES]
    return found + [ours.load_game(name, fields) for name, fields in SHORT.items()]


every_game = pytest.mark.parametrize("game", games(), ids=str)


def deal(game: Any, seed: int = 0) -> Any:
    """The state after the seed was drawn."""
    state = game.new_initial_state()
    for byte in seed.to_bytes(ours.SEED_BYTES, "little"):
        state.apply_action(byte)
    return state


def playout(game: Any, seed: int) -> list[Any]:
    """All states of a random match, the drawing of its seed included."""
    rng = random.Random(seed)
    states = [game.new_initial_state()]
    while not states[-1].is_terminal():
        states.append(states[-1].child(rng.choice(states[-1].legal_actions())))
    return states


# ---- OpenSpiel's suites ----------------------------------------------------------------------------------
@every_game
def test_its_random_simulations(game: Any) -> None:
    pyspiel.random_sim_test(
        game, num_sims=scale(quick=1, ci=2, full=20), serialize=True, verbose=False
    )


@pytest.fixture
def parsed_flags() -> Iterator[None]:
    """OpenSpiel's scripts read flags of the command line: here there are none."""
    flags.FLAGS.mark_as_parsed()
    yield
    flags.FLAGS.unparse_flags()


@every_case
def test_its_playthroughs_replay(case: Adapter, tmp_path: Path, parsed_flags: None) -> None:
    text = generate_playthrough.playthrough(ours.short_name(case.name), [], seed=3)
    path = tmp_path / "playthrough.txt"
    path.write_text(text, encoding="utf-8")
    expected, actual = generate_playthrough.replay(str(path))
    assert expected == actual
    assert "IsTerminal() = True" in text


def _partial_tree_tests(number: int, game: Any) -> type:
    """OpenSpiel's tests of part of a tree, with whole playouts: its own sampling never leaves the deal."""

    def prepare(cls: Any) -> None:
        states = playout(game, 1)
        cls.some_states = [*states[:12], *states[12:-1:3], states[-1]]
        cls.game_type = game.get_type()

    return type(
        f"TestPartialTree{number}",
        (api_test.EnforceAPIOnPartialTreeBase,),
        {"game": game, "game_name": game.get_type().short_name, "setUpClass": classmethod(prepare)},
    )


for _number, _game in enumerate(games()):
    globals()[f"TestPartialTree{_number}"] = _partial_tree_tests(_number, _game)


# ---- rules, points, revokes --------------------------------------------------------------------------------
@every_case
def test_legal_actions_and_returns_are_those_of_the_rules(case: Adapter) -> None:
    """Step by step beside a Game that is played by its legal moves."""
    rng = random.Random(9)
    for number, fields in enumerate(case.variants):
        rules = case.rules({**fields, **SHORT[case.name], "players": case.rules(fields).players})
        state = deal(ours.load_game(case.name, rules), number)
        player = Player(case.kind(rules, seed=number))
        before = player.game.scores
        while not player.game.over:
            turn = player.game._turn
            assert state.current_player() == turn
            legal = player.actions()
            assert state.legal_actions() == legal
            for other in range(rules.players):
                assert state.legal_actions(other) == (legal if other == turn else [])
            action = rng.choice(legal)
            player.play(action)
            state.apply_action(action)
            now = player.game.scores
            assert state.returns() == [sign(rules) * score for score in now]
            assert state.rewards() == [
                sign(rules) * (b - a) for a, b in zip(before, now, strict=True)
            ]
            before = now
        assert state.is_terminal()


@every_case
def test_no_revoke_is_taken(case: Adapter) -> None:
    game = ours.load_game(case.name)
    state = deal(game, 4)
    rng = random.Random(4)
    for _ in range(30):
        legal = state.legal_actions()
        before = str(state), state.serialize()
        wrong = sorted(set(range(game.num_distinct_actions())) - set(legal))
        for action in rng.sample(wrong, min(8, len(wrong))):
            with pytest.raises(REFUSED):
                state._apply_action(action)
        assert (str(state), state.serialize()) == before
        state.apply_action(rng.choice(legal))
    last = playout(game, 4)[-1]
    before = str(last), last.serialize()
    with pytest.raises(REFUSED):
        last._apply_action(0)
    assert (str(last), last.serialize()) == before


@every_game
def test_returns_keep_within_the_utilities(game: Any) -> None:
    for seed in range(scale(quick=2, ci=5, full=100)):
        last = playout(game, seed)[-1]
        assert game.min_utility() <= min(last.returns())
        assert max(last.returns()) <= game.max_utility()
        assert len(last.history()) <= game.max_history_length()


def test_rules_are_in_the_games_name() -> None:
    rules = herzen.HeartsRules.black_maria(max_hands=3, exact_reset={100: 50})
    game = ours.load_game("hearts", rules)
    assert game.rules == rules
    again = pyspiel.load_game(str(game))
    assert again.rules == rules
    assert again == game
    usual = pyspiel.load_game("herzen_hearts")
    assert usual.rules == herzen.HeartsRules(max_hands=1)
    assert str(usual) == "herzen_hearts()"


@pytest.mark.parametrize(
    ("name", "rules", "error"),
    [
        ("hearts", {}, "max_hands"),
        ("hearts", {"aim": 1}, "aim"),
        ("skat", None, "no such game"),
    ],
)
def test_wrong_games(name: str, rules: Any, error: str) -> None:
    with pytest.raises((ValueError, RuntimeError), match=error):
        ours.load_game(name, rules)


# ---- hidden information ------------------------------------------------------------------------------------
@every_case
def test_what_a_player_cannot_know_changes_nothing_it_gets(case: Adapter) -> None:
    seen: Counter[str] = Counter()
    for seat, game, other in worlds(case, scale(quick=5, ci=14, full=600), 29):
        fields = {} if case.name != "hearts" else {"max_hands": game.rules.max_hands or 10_000}
        if fields:
            game, other = (under(world, fields) for world in (game, other))
        shown = [everything(case, world, seat) for world in (game, other)]
        assert shown[0] == shown[1], (seat, game.to_setup(), other.to_setup())
        seen["differ"] += everything(case, game, (seat + 1) % game.players) != everything(
            case, other, (seat + 1) % game.players
        )
        seen["all"] += 1
    assert seen["differ"] > seen["all"] // 4


def under(game: herzen.Game, fields: dict[str, Any]) -> herzen.Game:
    """The game under rules with other fields."""
    data = game.record().to_dict()
    data["rules"] = game.rules.replace(**fields).to_dict()
    data["fingerprints"] = []
    return herzen.Record.from_dict(data).replay()


def everything(case: Adapter, game: herzen.Game, seat: int) -> list[Any]:
    """All that a state gives a player."""
    spiel = ours.load_game(case.name, game.rules)
    state = deal(spiel)
    table = state._table
    table.match.batch.put(0, game)
    table._forget()
    kinds = [
        pyspiel.IIGObservationType(public, recall, private)
        for public in (False, True)
        for recall in (False, True)
        for private in (pyspiel.PrivateInfoType.NONE, pyspiel.PrivateInfoType.SINGLE_PLAYER)
    ]
    found: list[Any] = [
        state.information_state_string(seat),
        state.information_state_tensor(seat),
        state.observation_string(seat),
        state.observation_tensor(seat),
        *[spiel.make_py_observer(kind).string_from(state, seat) for kind in kinds],
    ]
    if state.current_player() == seat:
        found += [state.legal_actions(), state.legal_actions_mask()]
    return found


@every_case
def test_information_states_are_what_was_seen(case: Adapter) -> None:
    """Equal if and only if all that the player saw is; never equal for two players."""
    rng = random.Random(5)
    game = ours.load_game(case.name)
    by_text: dict[str, tuple[int, tuple[Any, ...]]] = {}
    met = 0
    for seed in (1, 1, 1, 2):  # the same deal, and another
        state = deal(game, seed)
        seen: list[tuple[Any, ...]] = [() for _ in range(game.num_players())]
        for _ in range(25):
            if state.is_terminal():
                break
            for seat in range(game.num_players()):
                now = state._table.observation(seat).tobytes()
                if seen[seat][-1:] != (now,):
                    seen[seat] = (*seen[seat], now)
                text = state.information_state_string(seat)
                known = by_text.setdefault(text, (seat, seen[seat]))
                assert known == (seat, seen[seat])
                met += 1
            turn = state.current_player()
            # Few actions, so that the matches meet.
            action = rng.choice(state.legal_actions()[:2])
            seen[turn] = (*seen[turn], action)
            state.apply_action(action)
    assert met > len(by_text)  # some were met again


@every_case
def test_resampled_states_look_the_same_to_their_player(case: Adapter) -> None:
    rng = random.Random(3)
    game = ours.load_game(case.name)
    differ = total = 0
    for seed in range(scale(quick=2, ci=3, full=40)):
        state = deal(game, seed)
        while not state.is_terminal():
            if rng.random() < 0.15:
                for seat in {state.current_player(), rng.randrange(game.num_players())}:
                    other = state.resample_from_infostate(seat, rng.random)
                    assert state_of(other, seat) == state_of(state, seat)
                    assert other.current_player() == state.current_player()
                    if seat == state.current_player():
                        assert other.legal_actions() == state.legal_actions()
                    assert other.history() == []
                    differ += str(other) != str(state)
                    total += 1
                    while not other.is_terminal():
                        other.apply_action(rng.choice(other.legal_actions()))
            state.apply_action(rng.choice(state.legal_actions()))
    assert differ > total // 2


def state_of(state: Any, seat: int) -> list[Any]:
    return [
        state.information_state_string(seat),
        state.information_state_tensor(seat),
        state.observation_string(seat),
        state.observation_tensor(seat),
    ]


def test_nothing_is_resampled_before_the_deal() -> None:
    state = ours.load_game("hearts").new_initial_state()
    with pytest.raises(ValueError, match="not dealt"):
        state.resample_from_infostate(0, lambda: 0.5)


# ---- copies --------------------------------------------------------------------------------------------------
@every_game
def test_copies_and_pickles_in_mid_game(game: Any) -> None:
    states = playout(game, 2)
    for state in [*states[:10:3], *states[10::17], states[-1]]:
        others = [
            state.clone(),
            copy.deepcopy(state),
            pickle.loads(pickle.dumps(state)),
            pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1],
        ]
        before = str(state), state.serialize()
        for other in others:
            rng = random.Random(1)
            assert str(other) == str(state)
            assert other.history() == state.history()
            while not other.is_terminal():
                other.apply_action(rng.choice(other.legal_actions()))
        assert len({str(other) for other in others}) == 1
        assert (str(state), state.serialize()) == before


@every_case
def test_the_seed_is_what_was_drawn(case: Adapter) -> None:
    state = deal(ours.load_game(case.name), 123_456_789_012)
    rules = state.get_game().rules
    game = herzen.new(case.name, rules, seed=123_456_789_012)
    for seat in range(rules.players):
        assert state._table.view(seat).hand == game.hand(seat)


# ---- search --------------------------------------------------------------------------------------------------
@every_case
def test_its_ismcts_plays(case: Adapter) -> None:
    """OpenSpiel's search against random players, for whole matches; all it does is legal."""
    game = ours.load_game(case.name, SHORT[case.name] if case.name == "vonherzen" else None)
    bot = ismcts.ISMCTSBot(
        game=game,
        evaluator=mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)),
        uct_c=30.0,
        max_simulations=scale(quick=2, ci=5, full=100),
        random_state=np.random.RandomState(2),
        final_policy_type=ismcts.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
        allow_inconsistent_action_sets=False,
    )
    # What it samples from is a seeded generator, so that the test repeats.
    numbers = random.Random(3)
    bot.set_resampler(lambda state, seat: state.resample_from_infostate(seat, numbers.random))
    state = deal(game, 6)
    searched = 0
    rng = random.Random(6)
    while not state.is_terminal() and searched < scale(quick=3, ci=10, full=10_000):
        legal = state.legal_actions()
        if state.current_player() == 0 and len(legal) > 1:
            action = bot.step(state)
            assert action in legal
            searched += 1
        else:
            action = rng.choice(legal)
        state.apply_action(action)
    assert searched >= 4


# ---- OpenSpiel's own Hearts ----------------------------------------------------------------------------------
def spiel_states(seed: int, options: dict[str, bool]) -> list[Any]:
    """The states of a random hand of OpenSpiel's own game, of legal moves."""
    rng = random.Random(seed)
    state = pyspiel.load_game("hearts", options).new_initial_state()
    states = []
    while True:
        states.append(state.clone())
        if state.is_terminal():
            return states
        legal = state.legal_actions()
        if state.is_chance_node() and not options["pass_cards"] and len(state.history()) == 0:
            legal = [0]  # the others are listed, but not legal
        state.apply_action(rng.choice(legal))


def test_its_states_become_ours_and_come_back() -> None:
    rng = random.Random(8)
    directions: Counter[str] = Counter()
    for seed in range(scale(quick=3, ci=12, full=200)):
        options = {name: rng.random() < 0.5 for name in SWITCHES}
        options["pass_cards"] = seed % 3 > 0
        states = spiel_states(seed, options)
        for state in states[53::4] + states[-1:]:
            match = ours.from_pyspiel(state)
            assert match.rules == ours.rules_for(options, match.rules.pass_cycle)
            assert ours.switches_for(match.rules) == options
            back = ours.to_pyspiel(match)
            directions[match.pass_direction] += 1
            if match.phase == "pass":  # picks that make no pass yet are left out
                assert (
                    53 + 3 * len(match.moves) <= len(state.history()) <= 55 + 3 * len(match.moves)
                )
                continue
            assert told(back) == told(state)
            assert back.legal_actions() == state.legal_actions()
            assert back.returns() == state.returns()
            if not match.over:
                assert back.current_player() == match.turn
                assert [card_index(a) for a in state.legal_actions()] == sorted(
                    match.codes(), key=lambda code: spiel_action(code)
                )
            else:
                assert [26 - points for points in match.scores] == state.returns()
    assert set(directions) == {"left", "right", "across", "hold"}


def told(state: Any) -> list[int]:
    """The history with the picks of each pass in order."""
    history = state.history()
    passed = 12 if history[0] else 0
    for first in range(53, 53 + passed, 3):
        history[first : first + 3] = sorted(history[first : first + 3])
    return list(history)


def test_what_cannot_be_carried_over() -> None:
    with pytest.raises(ValueError, match="not dealt"):
        ours.from_pyspiel(pyspiel.load_game("hearts").new_initial_state())
    with pytest.raises(ValueError, match="OpenSpiel's hearts"):
        ours.from_pyspiel(pyspiel.load_game("tic_tac_toe").new_initial_state())
    with pytest.raises(ValueError, match="'target'"):
        ours.to_pyspiel(herzen.Hearts(herzen.HeartsRules.openspiel(target=50), seed=1))
    rules = herzen.HeartsRules.openspiel(pass_cycle=["left"])
    game = herzen.Hearts(rules, seed=1, dealer=1)
    state = ours.to_pyspiel(game)
    for seat in range(4):  # all 13 cards may be passed
        assert hand_of(state) == [card.index for card in game.hand(seat)]
        for move in game.legal_moves(seat)[0].cards:
            state.apply_action(spiel_action(move.index))
    game.play(game.legal_moves(2)[0], seat=2)
    with pytest.raises(ValueError, match="order of the seats"):
        ours.to_pyspiel(game)
    with pytest.raises(ValueError, match="beginning"):
        ours.to_pyspiel(game.copy(history=False))
    revoke = next(state for state in (revoked(seed) for seed in range(50)) if state is not None)
    with pytest.raises(herzen.IllegalMove):
        ours.from_pyspiel(revoke)


def hand_of(state: Any) -> list[int]:
    """The cards that the seat to move may play or pass."""
    return sorted(card_index(action) for action in state.legal_actions())


def revoked(seed: int) -> Any:
    """A state after a revoke, which OpenSpiel takes; None if nobody could."""
    rng = random.Random(seed)
    states = [s for s in spiel_states(seed, pyspiel_defaults()) if not s.is_chance_node()]
    for state in states[12:-5]:
        match = ours.from_pyspiel(state)
        if match.phase != "play":
            continue
        held = [card.index for card in match.hand(match._turn)]
        wrong = sorted(set(held) - set(match.codes()))
        if wrong:
            state.apply_action(spiel_action(rng.choice(wrong)))
            return state
    return None


def pyspiel_defaults() -> dict[str, bool]:
    return dict(pyspiel.load_game("hearts").get_type().parameter_specification)
