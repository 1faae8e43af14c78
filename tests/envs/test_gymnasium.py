"""Gymnasium: the single environment against Game, the native vector environment against SyncVectorEnv."""

from __future__ import annotations

import copy
import json
import pickle
import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import herzen
from herzen.batch import Batch, IllegalActions
from herzen.bots import RandomBot, RuleBot, bot_seed
from herzen.envs.common import VARIANTS, env_id, illegal_reward
from herzen.registry import game_class
from herzen.seeds import child
from tests.batch.cases import every_case, short_rules
from tests.batch.encode import differences, encode
from tests.batch.test_observe import worlds
from tests.batch.test_seat import Alone
from tests.contract.games import Adapter
from tests.tiers import scale

pytest.importorskip("gymnasium", reason='needs ".[envs]"')

import gymnasium
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from herzen.envs.gymnasium import SeatEnv, VectorEnv

pytestmark = pytest.mark.ci

MODES = (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP, AutoresetMode.DISABLED)


def legal_actions(env: SeatEnv) -> list[int]:
    return np.flatnonzero(env.action_masks()).tolist()


# ---- the single environment --------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_gymnasiums_own_check(variant: str) -> None:
    env = gymnasium.make(env_id(variant), render_mode="ansi")
    check_env(env.unwrapped)
    assert isinstance(env.unwrapped, SeatEnv)
    assert env.unwrapped.rules.game == VARIANTS[variant][0]


@every_case
@pytest.mark.parametrize("reward", ["hand", "match"])
def test_it_plays_the_match_of_its_seed(case: Adapter, reward: Any) -> None:
    """Masks, observations, rewards and ends, as of a Game played action by action."""
    rng = random.Random(3)
    for fields in case.variants[: scale(quick=1, ci=3, full=100)]:
        rules = case.rules(fields)
        seat = rng.randrange(rules.players)
        env = SeatEnv(case.name, seat, rules=rules, reward=reward)
        seed = rng.getrandbits(60)
        for number in range(2):
            seen, info = env.reset(seed=seed) if number == 0 else env.reset()
            alone = Alone(rules, child(seed, number) if number else seed, seat)
            alone.others()
            assert info == {}
            got, brought = [], []
            over = False
            while not over:
                legal = alone.player.actions()
                assert np.flatnonzero(seen["action_mask"]).tolist() == legal == legal_actions(env)
                if rng.random() < 0.03:
                    expected = encode(alone.player, seat)
                    assert not differences(env._table.batch, seen["observation"], expected)
                action = rng.choice(legal)
                brought.append(alone.step(action))
                seen, points, over, truncated, info = env.step(np.int64(action))
                got.append(points)
                assert truncated is False
                assert over is alone.player.game.over
            game = alone.player.game
            assert info.keys() == {"scores", "won", "illegal"}
            assert tuple(info["scores"]) == game.scores
            assert info["won"] is (seat in game.winners)
            assert info["illegal"] is False
            total = alone.sign * game.scores[seat]
            assert got == (brought if reward == "hand" else [0] * (len(got) - 1) + [total])
            assert sum(got) == total
            assert not seen["action_mask"].any()


def test_deals_before_the_first_decision_count() -> None:
    """Deals of Von Herzen that the first idle turn ends: some are over before a seat's turn, and cost it its cards."""
    rules = herzen.VonHerzenRules(
        players=6, exchange_rounds=0, turn_up=True, blocked_after=1, max_deals=3
    )
    n = 60
    seats = np.arange(n) % 6
    totals = []
    early = 0
    for i in range(n):
        env = SeatEnv("vonherzen", int(seats[i]), rules=rules)
        env.reset(seed=i)
        early += bool(env._table.batch.scores[0, seats[i]])
        total, over = 0.0, False
        while not over:
            _, reward, over, _, info = env.step(legal_actions(env)[0])
            total += reward
        assert total == info["scores"][seats[i]]
        totals.append(total)
    assert early > 5
    many = VectorEnv("vonherzen", n, seats, rules=rules)
    many.reset(seed=0)
    sums, left = np.zeros(n), np.ones(n, np.bool_)
    while left.any():
        _, rewards, over, _, _ = many.step(many.action_masks().argmax(1))
        sums += rewards * left
        left &= ~over
    assert sums.tolist() == totals


@every_case
def test_what_the_seat_cannot_know_changes_nothing(case: Adapter) -> None:
    """Hidden cards rearranged: observation, mask, infos and pictures keep every byte."""
    seen: Counter[str] = Counter()
    for seat, game, other in worlds(case, scale(quick=6, ci=36, full=1000), 5):
        if game._turn != seat:
            continue
        shown = []
        for position in (game, other):
            env = SeatEnv(case.name, seat, rules=game.rules, mask_in="both", render_mode="ansi")
            env.reset(seed=1)
            env._table.batch.put(0, position)
            row, info = env._look()
            shown.append(
                (
                    row["observation"].tobytes(),
                    row["action_mask"].tobytes(),
                    info["action_mask"].tobytes(),
                    env.action_masks().tobytes(),
                    env.render(),
                )
            )
        assert shown[0] == shown[1]
        seen["pairs"] += 1
        seen["differ"] += any(game.hand(who) != other.hand(who) for who in range(game.players))
    assert seen["differ"] > seen["pairs"] // 3 > 0


@every_case
def test_nothing_returned_shares_memory(case: Adapter) -> None:
    env = SeatEnv(case.name, rules=short_rules(case), mask_in="both")
    first, info = env.reset(seed=1)
    kept = copy.deepcopy((first, info))
    for _ in range(8):
        seen, _, over, _, new = env.step(legal_actions(env)[0])
        for one in (seen["observation"], seen["action_mask"], new["action_mask"]):
            for old in (first["observation"], first["action_mask"], info["action_mask"]):
                assert not np.shares_memory(one, old)
        assert not np.shares_memory(seen["action_mask"], new["action_mask"])
        assert not over
    assert data_equivalence(kept, (first, info), exact=True)
    seen["observation"][:] = 9  # may be written to, and that changes nothing
    masks = env.action_masks()
    masks[:] = False
    assert env.action_masks().any()


@every_case
@pytest.mark.parametrize("opponents", ["random", "rule", RuleBot(1)], ids=str)
def test_copies_and_pickles_go_on_alike(case: Adapter, opponents: Any) -> None:
    env = SeatEnv(case.name, 1, opponents)
    env.reset(seed=4)
    for _ in range(5):
        env.step(legal_actions(env)[0])
    twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    over = False
    for _ in range(60):
        if over:
            break
        action = legal_actions(env)[0]
        result = env.step(action)
        over = result[2]
        for twin in twins:
            assert data_equivalence(twin.step(action), result, exact=True)
    result = env.reset()
    for twin in twins:
        assert data_equivalence(twin.reset(), result, exact=True)


def test_a_revoke_ends_the_episode_or_raises() -> None:
    rules = herzen.HeartsRules(pass_cycle=("hold",))
    env = SeatEnv("hearts", 2, rules=rules)
    low = illegal_reward(rules)
    assert low <= -rules.target
    for seed in range(40):
        seen, _ = env.reset(seed=seed)
        hand = np.flatnonzero(seen["observation"][:52]).tolist()
        revokes = sorted(set(hand) - set(legal_actions(env)))
        if not revokes:
            continue
        seen, reward, terminated, truncated, info = env.step(revokes[0])
        assert (reward, terminated, truncated) == (low, True, False)
        assert (info["illegal"], info["won"]) == (True, False)
        assert not seen["action_mask"].any()
        assert not env.action_masks().any()
        with pytest.raises(ResetNeeded):
            env.step(revokes[0])
        again = SeatEnv("hearts", 2, rules=rules, illegal="raise")
        first, _ = again.reset(seed=seed)
        for wrong in (revokes[0], 53, -1, 54, 10**30):
            with pytest.raises(IllegalActions):
                again.step(wrong)
        legal = legal_actions(again)
        assert np.flatnonzero(first["action_mask"]).tolist() == legal
        again.step(legal[0])
        mild = SeatEnv("hearts", 2, rules=rules, illegal_reward=-1)
        mild.reset(seed=seed)
        assert mild.step(revokes[0])[1] == -1.0
        break
    else:
        raise AssertionError("no seat ever had to follow suit")


def test_what_an_action_may_be() -> None:
    env = SeatEnv("herzsammler")
    with pytest.raises(ResetNeeded):
        env.step(0)
    env.reset(seed=1)
    wrong: Any
    for wrong in (1.0, None, "3", [1, 2]):
        with pytest.raises((TypeError, ValueError)):
            env.step(wrong)
    for kind in (int, np.int8, np.int32, np.int64, np.array):
        assert env.reset(seed=1)[0] is not None
        assert env.step(kind(legal_actions(env)[0]))[1:4] == (0.0, False, False)
    for _ in range(5):  # as checkers do: without the mask
        env.reset(seed=1)
        env.action_space.seed(5)
        while not env.step(env.action_space.sample())[2]:
            pass


def test_a_seeded_reset_keeps_the_rules() -> None:
    """Row 61 of the bug reports that this is made to avoid: the rules of an environment outlive its resets."""
    for make in (
        lambda rules: SeatEnv("hearts", rules=rules, reward="match", illegal="raise"),
        lambda rules: VectorEnv("hearts", 2, rules=rules, reward="match", illegal="raise"),
    ):
        env: Any = make({"target": 50, "moon": "subtract"})
        for arguments in ({}, {"seed": 3}, {"seed": 3, "options": {}}, {}):
            env.reset(**arguments)
            game = env._table.batch.game(0)
            assert (game.rules.target, game.rules.moon) == (50, "subtract")
            assert (env._table.reward, env._table.illegal) == ("match", "raise")
        env.reset(seed=3)
        rules = herzen.HeartsRules(target=50, moon="subtract")
        assert env._table.batch.game(0).rules == rules
        assert env._table.batch.game(0).seed == 3


@every_case
def test_bots_play_the_other_seats(case: Adapter) -> None:
    """As they do at a table of their own: the same views but for older events, the same moves."""
    rules = short_rules(case)
    players, seat = rules.players, rules.players - 1
    bots: list[Any] = [RuleBot(7), RandomBot(8), "rule", "random"][: players - 1]
    bots += [None] * (players - len(bots))
    env = SeatEnv(case.name, seat, bots, rules)
    for seed in range(3):
        env.reset(seed=seed)
        seated = [
            (RuleBot if bot == "rule" else RandomBot)(bot_seed(seed, i))
            if bot in ("rule", "random")
            else bot
            for i, bot in enumerate(bots)
        ]
        game = game_class(case.name)(rules, seed=seed)
        over = False
        while not over:
            while game._turn not in (seat, -1):
                game.play(seated[game._turn].choose(game.view(game._turn)))
            assert env._table.batch.game(0) == game
            codes = sorted(game.codes())
            # The action that leads to the first move: the first of the mask, until the move is made.
            ply = game.ply
            while not over and env._table.batch.game(0).ply == ply:
                _, reward, over, _, info = env.step(legal_actions(env)[0])
            if not over:
                following = [game.copy(history=False) for _ in codes]
                for one, code in zip(following, codes, strict=True):
                    one.play_code(code)
                    while one._turn not in (seat, -1):
                        one.play(seated[one._turn].choose(one.view(one._turn)))
                now = env._table.batch.game(0)
                (code, *_) = [c for one, c in zip(following, codes, strict=True) if one == now]
                game.play_code(code)
        assert info["scores"].shape == (players,)
        assert (
            reward == (-1 if case.name == "hearts" else 1) * info["scores"][seat]
            or rules.game == "hearts"
        )
    with pytest.raises(ValueError, match="one match"):
        VectorEnv(case.name, 2, seat, bots, rules)


WRONG: list[tuple[Mapping[str, Any], type[Exception]]] = [
    ({"game": "skat"}, ValueError),
    ({"seat": 4}, IndexError),
    ({"seat": None}, TypeError),
    ({"opponents": "search"}, ValueError),
    ({"opponents": None}, TypeError),
    ({"opponents": ["random"] * 3}, ValueError),
    ({"opponents": RuleBot}, TypeError),
    ({"opponents": ["random", 3, None, None]}, TypeError),
    ({"rules": {"target": 0}}, herzen.RulesError),
    ({"rules": {"goal": 3}}, herzen.RulesError),
    ({"rules": herzen.VonHerzenRules()}, TypeError),
    ({"reward": "trick"}, ValueError),
    ({"illegal": "ignore"}, ValueError),
    ({"mask_in": "observation"}, ValueError),
    ({"obs_key": "action_mask"}, ValueError),
    ({"render_mode": "svg"}, ValueError),
]


@pytest.mark.parametrize(("arguments", "error"), WRONG, ids=str)
def test_wrong_arguments(arguments: Mapping[str, Any], error: type[Exception]) -> None:
    for kind, number in ((SeatEnv, {}), (VectorEnv, {"num_envs": 2})):
        with pytest.raises(error):
            kind(**{"game": "hearts", **number, **arguments})


def test_spaces_by_where_the_mask_is() -> None:
    for where in ("obs", "info", "both"):
        env = SeatEnv("hearts", mask_in=where, obs_key="observations")
        seen, info = env.reset(seed=1)
        assert env.observation_space.contains(seen)
        assert ("action_mask" in info) is (where != "obs")
        assert isinstance(seen, dict) is (where != "info")
        if isinstance(seen, dict):
            assert list(seen) == ["action_mask", "observations"] or set(seen) == {
                "observations",
                "action_mask",
            }
        else:
            assert seen.shape == Batch(env.rules, 1).observation_shape


@pytest.mark.parametrize("mode", ["ansi", "rgb_array", "human"])
def test_pictures_are_of_the_seats_view(mode: Any, capsys: pytest.CaptureFixture[str]) -> None:
    env = SeatEnv("hearts", 1, render_mode=mode)
    env.reset(seed=2)
    view = env._table.batch.game(0).view(1)
    printed = capsys.readouterr().out
    frame = env.render()
    if mode == "human":
        assert frame is None
        assert printed == f"{view}\n"
    elif mode == "ansi":
        assert frame == str(view)
        vector = VectorEnv("hearts", 2, 1, render_mode=mode)
        vector.reset(seed=2)
        frames = vector.render()
        assert frames is not None
        assert frames[0] == frame != frames[1]
    else:
        assert frame.dtype == np.uint8
        assert frame.ndim == 3
        assert frame.shape[2] == 3
    assert SeatEnv("hearts").render() is None


def test_closing_twice() -> None:
    envs: tuple[Any, ...] = (SeatEnv("hearts"), VectorEnv("hearts", 3, threads=2))
    for env in envs:
        env.reset(seed=1)
        env.close()
        env.close()
        with pytest.raises(ValueError, match="closed"):
            env.reset()


# ---- the vector environment --------------------------------------------------------------------------


def alike(ours: Any, theirs: Any, path: str = "") -> None:
    """Equal in every key, shape, dtype and byte."""
    if isinstance(theirs, dict):
        assert set(ours) == set(theirs), path
        for key in theirs:
            alike(ours[key], theirs[key], f"{path}/{key}")
        return
    assert type(ours) is type(theirs), path
    if isinstance(theirs, tuple):
        for place, (mine, other) in enumerate(zip(ours, theirs, strict=True)):
            alike(mine, other, f"{path}/{place}")
        return
    if not isinstance(theirs, np.ndarray):
        assert ours == theirs, path
        return
    assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape), path
    if theirs.dtype == object:
        for mine, other in zip(ours, theirs, strict=True):
            alike(mine, other, path)
    else:
        assert ours.tobytes() == theirs.tobytes(), path


def both(case: Adapter, n: int, mode: Any, seats: list[int], **arguments: Any) -> tuple[Any, Any]:
    def one(seat: int) -> Any:
        return lambda: SeatEnv(case.name, seat, **arguments)

    theirs = SyncVectorEnv([one(seat) for seat in seats], autoreset_mode=mode)
    return VectorEnv(case.name, n, seats, autoreset_mode=mode, **arguments), theirs


OPTIONS: list[dict[str, Any]] = [
    {"opponents": "random", "mask_in": "obs", "reward": "hand"},
    {"opponents": "rule", "mask_in": "info", "reward": "match", "illegal_reward": -5.0},
    {"opponents": ["rule", "random", "random", "rule"], "mask_in": "both", "obs_key": "seen"},
]


@every_case
@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
@pytest.mark.parametrize("options", OPTIONS, ids=["random", "rule", "mixed"])
def test_step_for_step_as_sync_vector_env(
    case: Adapter, mode: AutoresetMode, options: dict[str, Any]
) -> None:
    """With illegal actions now and then, resets in between, seeds of every kind, seats of their own."""
    n = 5
    rules = short_rules(case)
    arguments = options | {"rules": rules}
    if isinstance(options["opponents"], list):
        arguments["opponents"] = options["opponents"][: rules.players]
    rng = random.Random(str((case.name, mode)))
    ours, theirs = both(case, n, mode, [i % rules.players for i in range(n)], **arguments)
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.observation_space == theirs.observation_space
    assert ours.single_action_space == theirs.single_action_space
    assert ours.action_space == theirs.action_space
    assert ours.metadata == theirs.metadata
    alike(ours.reset(seed=11), theirs.reset(seed=11))
    ended: Counter[str] = Counter()
    for number in range(scale(quick=60, ci=240, full=5000)):
        masks = ours.action_masks()
        actions = np.array([rng.choice(np.flatnonzero(row).tolist() or [0]) for row in masks])
        if rng.random() < 0.06:
            actions[rng.randrange(n)] = rng.randrange(masks.shape[1])
        result = ours.step(actions)
        alike(result, theirs.step(actions))
        over = result[2]
        ended["all"] += int(over.sum())
        ended["illegal"] += int(over.any()) and int(_ends(result[4])["illegal"].sum())
        if mode is AutoresetMode.DISABLED and over.any():
            for seed in (rng.randrange(100), None):
                options_ = {"reset_mask": over.copy()}
                alike(
                    ours.reset(seed=seed, options=options_),
                    theirs.reset(seed=seed, options={"reset_mask": over.copy()}),
                )
        elif number == 80:
            seeds: Any = [4, None, 2**40, 0, None]
            alike(ours.reset(seed=seeds), theirs.reset(seed=list(seeds)))
        elif number in (2, 119):
            alike(ours.reset(), theirs.reset())
    assert ended["illegal"] > 1
    assert ended["all"] > ended["illegal"] + 1


def _ends(infos: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = infos.get("final_info", infos)
    return found


def test_made_by_name() -> None:
    for variant, (game, *_) in VARIANTS.items():
        spec = gymnasium.spec(env_id(variant))
        json.loads(spec.to_json())
        envs = gymnasium.make_vec(env_id(variant), 3)
        assert isinstance(envs, VectorEnv)
        assert envs.rules.game == game
        assert envs.rules == gymnasium.make(env_id(variant)).unwrapped.rules
        assert pickle.loads(pickle.dumps(spec)) == spec
    same = gymnasium.make_vec(
        "herzen/hearts-hand-v0",
        2,
        autoreset_mode=AutoresetMode.SAME_STEP,
        opponents="rule",
        seat=[1, 2],
    )
    assert same.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    plain = gymnasium.make_vec("herzen/hearts-v0", 2, vectorization_mode="sync")
    assert isinstance(plain, SyncVectorEnv)
    plain.close()


@every_case
def test_fresh_arrays_unless_they_are_to_be_reused(case: Adapter) -> None:
    for fresh in (True, False):
        env = VectorEnv(case.name, 4, rules=short_rules(case), copy=fresh)
        twin = VectorEnv(case.name, 4, rules=short_rules(case))
        before = env.reset(seed=1)
        twin.reset(seed=1)
        for _ in range(30):
            actions = env.action_masks().argmax(1)
            after = env.step(actions)
            alike(after, twin.step(actions))
            for key in before[0]:
                assert np.shares_memory(before[0][key], after[0][key]) is not fresh
            for flags in after[1:4]:
                assert not np.shares_memory(flags, env._table.ended)
                assert not np.shares_memory(flags, env._table.batch.done)
            before = after[:1]


def test_a_copied_vector_goes_on_alike() -> None:
    env = VectorEnv("hearts", 5, rules=herzen.HeartsRules(max_hands=1), seat=[0, 1, 2, 3, 0])
    env.reset(seed=1)
    for _ in range(9):
        env.step(env.action_masks().argmax(1))
    twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    for _ in range(60):
        actions = env.action_masks().argmax(1)
        result = env.step(actions)
        for twin in twins:
            alike(twin.step(actions), result)


def test_resets_of_some_environments() -> None:
    env = VectorEnv("hearts", 3, autoreset_mode="Disabled", rules=herzen.HeartsRules(max_hands=1))
    one = {"reset_mask": np.array([True, False, False])}
    with pytest.raises(ResetNeeded):
        env.step([0, 0, 0])
    with pytest.raises(ResetNeeded):
        env.reset(options=one)
    env.reset(seed=1)
    with pytest.raises(TypeError, match="reset_mask"):
        env.reset(options={"reset_mask": [True, False, False]})
    for wrong in (np.zeros(3, np.bool_), np.ones(2, np.bool_)):
        with pytest.raises(ValueError, match="reset_mask"):
            env.reset(options={"reset_mask": wrong})
    with pytest.raises(ValueError, match="seeds are needed"):
        env.reset(seed=[1, 2])
    over = np.zeros(3, np.bool_)
    while not over.any():
        _, _, over, _, _ = env.step(env.action_masks().argmax(1))
    with pytest.raises(ResetNeeded):
        env.step([0, 0, 0])
    env.reset(options={"reset_mask": over})
    env.step(env.action_masks().argmax(1))


def test_threads_change_nothing() -> None:
    envs = [
        VectorEnv("herzsammler", 150, threads=t, autoreset_mode=AutoresetMode.SAME_STEP)
        for t in (1, 3)
    ]
    results = [env.reset(seed=1) for env in envs]
    for _ in range(40):
        alike(results[0], results[1])
        actions = envs[0].action_masks().argmax(1)
        results = [env.step(actions) for env in envs]
    for env in envs:
        env.close()


@pytest.mark.parametrize("mode", MODES[:2], ids=lambda mode: mode.name)
def test_gymnasiums_own_wrappers(mode: AutoresetMode) -> None:
    rules = herzen.HeartsRules(max_hands=1)
    env = RecordEpisodeStatistics(VectorEnv("hearts", 8, rules=rules, autoreset_mode=mode))
    env.reset(seed=1)
    ended = 0
    for _ in range(60):
        masks = env.unwrapped.action_masks()
        _, _, over, _, infos = env.step(masks.argmax(1))
        ends = _ends(infos)
        for i in np.flatnonzero(over):
            ended += 1
            assert infos["episode"]["r"][i] == -ends["scores"][i, 0]
            assert infos["episode"]["l"][i] == (17 if masks[i, 52:].any() else 16)
    assert ended >= 16


def test_vector_seats() -> None:
    with pytest.raises(ValueError, match="3 seats"):
        VectorEnv("hearts", 3, [0, 1])
    with pytest.raises(IndexError):
        VectorEnv("hearts", 2, [0, 4])
    env = VectorEnv("hearts", 4, np.arange(4))
    env.reset(seed=1)
    assert env._table.batch.to_move.tolist() == [0, 1, 2, 3]
