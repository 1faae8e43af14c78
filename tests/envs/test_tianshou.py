"""tianshou's collector plays the AEC environments.

Needs tianshou and torch (`herzen[learners]`), which CI installs.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.batch.cases import every_case
from tests.contract.games import Adapter

pytestmark = [
    pytest.mark.ci,
    # tianshou's own: what its dependencies call deprecated.
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]

HAND: dict[str, dict[str, Any]] = {
    "hearts": {"max_hands": 1, "moon": "add"},
    "vonherzen": {"max_deals": 1},
    "herzsammler": {},
}
WIDTH = 4
# Of no legal match: by it a match that an illegal action ended would be seen.
ILLEGAL_REWARD = -1000.0


@pytest.fixture
def tianshou() -> Any:
    return pytest.importorskip("tianshou", reason='needs ".[learners]"')


def environments(case: Adapter) -> Any:
    from tianshou.env import DummyVectorEnv, PettingZooEnv

    from herzen.envs import pettingzoo as ours

    def make() -> Any:
        return PettingZooEnv(ours.env(case.name, HAND[case.name], illegal_reward=ILLEGAL_REWARD))

    made = DummyVectorEnv([make for _ in range(WIDTH)])
    made.seed(1)
    return made


@every_case
def test_its_collector_plays_whole_matches(case: Adapter, tianshou: Any) -> None:
    from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
    from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
    from tianshou.data import Collector, VectorReplayBuffer
    from tianshou.env import PettingZooEnv

    from herzen.envs import pettingzoo as ours

    table = PettingZooEnv(ours.env(case.name, HAND[case.name]))
    players = [MARLRandomDiscreteMaskedOffPolicyAlgorithm(table.action_space) for _ in table.agents]
    np.random.seed(1)
    buffer = VectorReplayBuffer(20_000, WIDTH)
    collector = Collector(
        MultiAgentOffPolicyAlgorithm(algorithms=players, env=table), environments(case), buffer
    )
    collector.reset()
    found = collector.collect(n_episode=8)
    assert found.n_collected_episodes == 8
    assert found.returns.shape == (8, case.rules(HAND[case.name]).players)
    if case.name == "hearts":
        assert set(found.returns.sum(1).tolist()) <= {-26.0, -78.0}
    assert found.returns.min() > ILLEGAL_REWARD
    # Each transition was made by the agent that the mask was of, and legal.
    kept = buffer[:]
    assert len(kept) == found.n_collected_steps
    masks = np.asarray(kept.obs.mask, dtype=bool)
    assert masks[np.arange(len(kept)), np.asarray(kept.act, dtype=int)].all()
