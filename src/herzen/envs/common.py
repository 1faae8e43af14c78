"""What all adapters share: rules and variants, names of agents, spaces, rewards, errors for missing packages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from herzen.registry import game_class, game_part
from herzen.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gymnasium import spaces

    from herzen.batch import Batch

GameName: TypeAlias = Literal["hearts", "vonherzen", "herzsammler"]
Reward: TypeAlias = Literal["hand", "match"]
Illegal: TypeAlias = Literal["raise", "terminate"]
MaskIn: TypeAlias = Literal["obs", "info", "both"]

REWARDS = ("hand", "match")
ILLEGAL = ("raise", "terminate")
MASK_IN = ("obs", "info", "both")

MASK = "action_mask"
"""The key of masks, in observations and infos."""
LEAST, MOST = -127, 127
"""All numbers of an observation are in this range."""

VARIANTS: Mapping[str, tuple[GameName, str, Mapping[str, Any]]] = {
    "hearts": ("hearts", "classic", {}),
    "hearts-hand": ("hearts", "classic", {"max_hands": 1}),
    "hearts-3p": ("hearts", "classic", {"players": 3}),
    "hearts-5p": ("hearts", "classic", {"players": 5}),
    "hearts-plain": ("hearts", "plain", {}),
    "hearts-omnibus": ("hearts", "omnibus", {}),
    "hearts-black-maria": ("hearts", "black_maria", {}),
    "hearts-cancellation": ("hearts", "cancellation", {}),
    "hearts-microsoft": ("hearts", "microsoft", {}),
    "hearts-openspiel": ("hearts", "openspiel", {}),
    "hearts-yahoo": ("hearts", "yahoo", {}),
    "vonherzen": ("vonherzen", "classic", {}),
    "vonherzen-deal": ("vonherzen", "classic", {"max_deals": 1}),
    "vonherzen-2p": ("vonherzen", "classic", {"players": 2}),
    "vonherzen-4p": ("vonherzen", "classic", {"players": 4}),
    "herzsammler": ("herzsammler", "classic", {}),
    "herzsammler-3p": ("herzsammler", "classic", {"players": 3}),
}
"""What is registered, by name: the game, its preset, and fields that override the preset's."""


def missing(module: str, package: str, extra: str = "envs") -> ImportError:
    """The error to raise where `module` of ours was imported without the package that it needs."""
    return ImportError(
        f'{module} needs {package}: python -m pip install "herzen[{extra}]"', name=package
    )


def env_id(variant: str) -> str:
    """The name under which a variant is registered, such as "herzen/hearts-omnibus-v0"."""
    return f"herzen/{variant}-v0"


def variant_arguments(variant: str) -> dict[str, Any]:
    """The arguments `game` and `rules` of a variant, JSON-ready: registries keep and write them."""
    game, preset, fields = VARIANTS[variant]
    rules: Rules = getattr(game_class(game).rules_type, preset)(**fields)
    return {"game": game, "rules": rules.to_dict()}


def read_rules(game: str, rules: Rules | Mapping[str, Any] | None = None) -> Rules:
    """The rules of an environment: as they are, from a mapping of fields (also `Rules.to_dict()`), or the defaults.

    ValueError for an unknown game, RulesError for an unknown field or a wrong value, TypeError for other things,
    also for the rules of another game.
    """
    kind = game_class(game)
    if isinstance(rules, Mapping):
        return kind.rules_type.from_dict(rules)
    return kind._read_rules(rules)


def choice(name: str, value: object, allowed: Sequence[str]) -> str:
    """An argument that is one of some words; ValueError that names them."""
    if not isinstance(value, str) or value not in allowed:
        words = ", ".join(f'"{word}"' for word in allowed)
        raise ValueError(f"{name}={value!r}: allowed is {words}")
    return value


def agent_names(players: int) -> list[str]:
    """player_0, player_1, ... of seat 0, seat 1, ..."""
    return [f"player_{seat}" for seat in range(players)]


def sign(rules: Rules) -> int:
    """What points are multiplied with to be rewards, of which more is better: -1 in Hearts, else 1."""
    return -1 if rules._compiled.low_wins else 1


def illegal_reward(rules: Rules) -> float:
    """The reward for an illegal action that ends a match: no legal way through a usual match is worse."""
    low, high = game_part(rules.game, "bounds").scores(rules)
    return float(-max(-low, high))


# ---- spaces ------------------------------------------------------------------------------------------
def action_space(batch: Batch) -> spaces.Discrete:
    """Discrete(num_actions): the actions of docs/batch.rst, the same for all seats and phases."""
    from gymnasium import spaces

    return spaces.Discrete(batch.num_actions)


def observation_box(batch: Batch) -> spaces.Box:
    """Box of int8 for one observation of a batch."""
    import numpy as np
    from gymnasium import spaces

    return spaces.Box(LEAST, MOST, batch.observation_shape, np.int8)


def mask_box(batch: Batch) -> spaces.Box:
    """Box of int8 for one mask: 1 where an action is legal."""
    import numpy as np
    from gymnasium import spaces

    return spaces.Box(0, 1, (batch.num_actions,), np.int8)
