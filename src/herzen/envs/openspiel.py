"""OpenSpiel: the games as Python games of `pyspiel` (docs/envs-openspiel.rst). Importing this registers them.

>>> from herzen.envs.openspiel import load_game
>>> state = load_game("hearts").new_initial_state()
>>> while state.is_chance_node():
...     state.apply_action(7)
>>> state.current_player()
0
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from copy import copy
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import quote, unquote

import numpy as np

from herzen.batch import Batch
from herzen.envs._single import ILLEGAL, Single
from herzen.envs.common import missing, read_rules, sign
from herzen.envs.openspiel_hearts import from_pyspiel, rules_for, switches_for, to_pyspiel
from herzen.registry import GAMES, game_class, game_part

try:
    import pyspiel
except ModuleNotFoundError:
    raise missing(__name__, "open-spiel") from None

if TYPE_CHECKING:
    from herzen.rules import Rules
    from herzen.view import View

__all__ = [
    "from_pyspiel",
    "load_game",
    "rules_for",
    "switches_for",
    "to_pyspiel",
]

SEED_BYTES = 8
"""Chance nodes of a match: each draws one byte of its seed."""
OUTCOMES = 256
USUAL = "default"
"""The value of the parameter `rules` that stands for one deal under the default rules."""


def load_game(game: str, rules: Rules | Mapping[str, Any] | None = None) -> Any:
    """The `pyspiel` game of this name under these rules; None: one deal under the default rules.

    rules: a rules object, or a mapping of fields. ValueError for rules under which a match has no bound: Hearts needs
    `max_hands`.
    """
    if rules is None:
        return pyspiel.load_game(short_name(game))
    checked = read_rules(game, rules)
    return pyspiel.load_game(short_name(game), {"rules": _written(checked)})


def short_name(game: str) -> str:
    """The name under which a game is registered, such as "herzen_hearts"."""
    game_class(game)
    return f"herzen_{game}"


def _written(rules: Rules) -> str:
    """Rules as the value of a parameter: JSON without the characters that game strings are made of."""
    return quote(json.dumps(rules.to_dict(), separators=(",", ":"), sort_keys=True), safe="")


class Table:
    """A match that is dealt, what the last action brought, and a digest of what each seat has seen."""

    __slots__ = ("changes", "digests", "match", "picks", "ply", "seen", "totals")
    match: Single
    changes: list[int]
    """What the last action added to the totals."""
    digests: list[bytes]
    """Of all that each seat has seen and done."""
    seen: list[bytes]
    """What each seat saw last."""
    picks: list[int]
    """Actions since the last whole move, all of the seat to move."""

    def __init__(self, rules: Rules, seed: int) -> None:
        self.match = Single(Batch(rules, 1, seed=[seed]))
        self.totals = [0] * rules.players
        self.changes = [0] * rules.players
        self.picks = []
        self.ply = 0
        self._forget()

    @property
    def turn(self) -> int:
        """The seat to move; -1 when the match is over."""
        return self.match.turn

    def legal(self) -> list[int]:
        """The legal actions of the seat to move, ascending."""
        found: list[int] = np.flatnonzero(self.match.legal_mask()).tolist()
        return found

    def play(self, action: int) -> None:
        """Play an action for the seat to move; IllegalActions, ValueError after the end."""
        turn = self.turn
        if turn < 0:
            raise ValueError("the match is over")
        batch = self.match.batch
        if self.match.play(action) == ILLEGAL:
            batch.step([action])  # raises
        totals: list[int] = batch.scores[0].tolist()
        self.changes = [now - before for now, before in zip(totals, self.totals, strict=True)]
        self.totals = totals
        ply = batch.game(0).ply
        self.picks = [] if ply != self.ply else [*self.picks, action]
        self.ply = ply
        self.digests[turn] = _digest(self.digests[turn], b"%d" % action)
        self._look()

    def observation(self, seat: int) -> Any:
        """What a seat may know: int8 (size,)."""
        return self.match.observe(seat)

    def view(self, seat: int | None) -> View:
        """What a seat or a spectator may know, without picks that make no whole move yet."""
        return self.match.batch.game(0).view(seat)

    def _forget(self) -> None:
        """Begin the digests with what each seat sees now."""
        self.seen = [b""] * len(self.totals)
        self.digests = [b""] * len(self.totals)
        self._look()

    def _look(self) -> None:
        """Add what each seat sees now to its digest, if it sees anything new."""
        for seat, before in enumerate(self.seen):
            now = self.observation(seat).tobytes()
            if now != before:
                self.seen[seat] = now
                self.digests[seat] = _digest(self.digests[seat], now)

    def sample(self, seat: int, seed: int) -> Table:
        """Another table that looks the same to a seat: a world of `View.sample`."""
        other = Table.__new__(Table)
        other.match = Single(Batch(self.match.batch.rules, 1, seed=0))
        other.match.batch.put(0, self.view(seat).sample(seed))
        other.totals, other.changes, other.ply = self.totals, self.changes, self.ply
        other.picks = self.picks if seat == self.turn else []
        for action in other.picks:
            other.match.play(action)
        # The others have no memories in this world but what they may know in its position.
        other._forget()
        other.digests[seat] = self.digests[seat]
        return other

    def __copy__(self) -> Table:
        other = Table.__new__(Table)
        for name in self.__slots__:
            setattr(other, name, getattr(self, name))
        other.match = Single(copy(self.match.batch))
        other.digests, other.seen = self.digests[:], self.seen[:]
        return other

    def __deepcopy__(self, memo: object) -> Table:
        return copy(self)

    def __reduce__(self) -> tuple[object, ...]:
        return _table, tuple(getattr(self, name) for name in self.__slots__)


def _table(*parts: Any) -> Table:
    """The table of a pickle."""
    table = Table.__new__(Table)
    for name, part in zip(Table.__slots__, parts, strict=True):
        setattr(table, name, part)
    return table


def _digest(before: bytes, seen: bytes) -> bytes:
    """32 bytes for what was seen before and now."""
    return blake2b(before + seen, digest_size=32, person=b"herzen-info").digest()


class Game(pyspiel.Game):  # type: ignore[misc]
    """One of our games in `pyspiel`; its subclasses name which. Made by `load_game` or `pyspiel.load_game`.

    The parameter `rules` is "default" or the text that `load_game` writes. Actions are those of `Batch`
    (docs/batch.rst), returns are the totals, negative in Hearts, and rewards are their parts, deal by deal.
    """

    name: ClassVar[str]
    game_type: ClassVar[Any]

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        text = (params or {}).get("rules", USUAL)
        bounds = game_part(self.name, "bounds")
        fields = bounds.ONE_DEAL if text == USUAL else json.loads(unquote(text))
        rules = read_rules(self.name, fields)
        longest = bounds.length(rules)
        if longest is None:
            raise ValueError("OpenSpiel has to know how long a match can be: give max_hands")
        low, high = sorted(sign(rules) * score for score in bounds.scores(rules))
        info = pyspiel.GameInfo(
            num_distinct_actions=Batch(rules, 1, seed=0).num_actions,
            max_chance_outcomes=OUTCOMES,
            num_players=rules.players,
            min_utility=float(low),
            max_utility=float(high),
            utility_sum=None,
            max_game_length=longest,
        )
        super().__init__(self.game_type, info, {} if text == USUAL else {"rules": text})
        self.rules = rules
        self.action_names: tuple[str, ...] = game_part(self.name, "actions").names(rules)

    def new_initial_state(self, *_: Any) -> State:
        """The state before the seed is drawn."""
        return State(self)

    def max_chance_nodes_in_history(self) -> int:
        """The bytes of the seed."""
        return SEED_BYTES

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """An observer of states of this game."""
        if params:
            raise ValueError(f"observers of {self.name} have no parameters, not {params}")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return Observer(self.rules, kind)


class State(pyspiel.State):  # type: ignore[misc]
    """A position. First its seed is drawn, byte by byte, at chance nodes; all cards and chances come from it."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._drawn: list[int] = []
        self._table: Table | None = None

    def current_player(self) -> int:
        """The seat to move, or pyspiel's number for chance or for the end."""
        if self._table is None:
            return int(pyspiel.PlayerId.CHANCE)
        turn = self._table.turn
        return turn if turn >= 0 else int(pyspiel.PlayerId.TERMINAL)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """256 bytes, equally likely."""
        return [(byte, 1 / OUTCOMES) for byte in range(OUTCOMES)]

    def _legal_actions(self, player: int) -> list[int]:
        assert self._table is not None
        return self._table.legal()

    def _apply_action(self, action: int) -> None:
        if self._table is not None:
            self._table.play(action)
            return
        self._drawn = [*self._drawn, action]
        if len(self._drawn) == SEED_BYTES:
            seed = int.from_bytes(bytes(self._drawn), "little")
            self._table = Table(self.get_game().rules, seed)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"byte {action} of the seed"
        name: str = self.get_game().action_names[action]
        return name

    def is_terminal(self) -> bool:
        """Whether the match is over."""
        return self._table is not None and self._table.turn < 0

    def returns(self) -> list[float]:
        """The totals of the finished deals; of more is better, so those of Hearts are negative."""
        return self._worth([] if self._table is None else self._table.totals)

    def rewards(self) -> list[float]:
        """What the last action added to the returns."""
        return self._worth([] if self._table is None else self._table.changes)

    def _worth(self, scores: list[int]) -> list[float]:
        rules = self.get_game().rules
        return [float(sign(rules) * score) for score in scores or [0] * rules.players]

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> State:
        """A state that looks the same to a player, all cards that it cannot know dealt anew (`View.sample`).

        sampler: gives numbers 0 <= x < 1; the world depends on nothing else. The state has no history.
        """
        table = self._table
        if table is None:
            raise ValueError("the cards are not dealt yet")
        other: State = self.get_game().new_initial_state()
        other._table = table.sample(player, int(sampler() * (1 << 53)))
        return other

    def __str__(self) -> str:
        if self._table is None:
            return f"seed: {' '.join(map(str, self._drawn))}"
        picks = "".join(f"\n{self.get_game().action_names[action]}" for action in self._table.picks)
        return f"{self._table.match.batch.game(0)}{picks}"


class Observer:
    """What players may know of a state, as text and as numbers.

    Tensors are there where an observation is a player's own and public: `player`, one-hot, and `observation`, the
    row of `Batch.observe` (docs/batch.rst) as float32. With perfect recall the text is a digest of all that
    the player has seen and done, equal for two states if and only if that is equal.
    """

    def __init__(self, rules: Rules, kind: Any) -> None:
        self.public: bool = kind.public_info
        self.recall: bool = kind.perfect_recall
        self.private: Any = kind.private_info
        self.dict: dict[str, Any] = {}
        self.tensor: Any = None
        if self.public and self.private == pyspiel.PrivateInfoType.SINGLE_PLAYER:
            size = Batch(rules, 1, seed=0).observation_shape[0]
            self.tensor = np.zeros(rules.players + size, np.float32)
            self.dict["player"] = self.tensor[: rules.players]
            self.dict["observation"] = self.tensor[rules.players :]

    def set_from(self, state: State, player: int) -> None:
        """Write what a player may know to the tensors; zeros before the cards are dealt."""
        if self.tensor is None:
            return
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        if state._table is not None:
            self.dict["observation"][:] = state._table.observation(player)

    def string_from(self, state: State, player: int) -> str | None:
        """What a player may know as text; None for kinds of observations that there are not."""
        table = state._table
        one = self.private == pyspiel.PrivateInfoType.SINGLE_PLAYER
        if self.private == pyspiel.PrivateInfoType.ALL_PLAYERS:
            return str(state) if self.public else None
        if table is None:
            return f"player {player}: nothing is dealt" if one else "nothing is dealt"
        if not one:
            return str(table.view(None)) if self.public else ""
        hand = " ".join(map(str, table.match.batch.game(0).hand(player)))
        if self.recall:
            return f"player {player} of {table.match.batch.rules.game}, {hand}, {table.digests[player].hex()}"
        names = state.get_game().action_names
        picks = [names[action] for action in table.picks] if table.turn == player else []
        own = f"player {player}: {', '.join([hand, *picks])}"
        return f"{own}\n{table.view(player)}" if self.public else own


def _register(name: str) -> None:
    """Make a game known to `pyspiel`."""
    least, most = game_part(name, "bounds").PLAYERS
    game_type = pyspiel.GameType(
        short_name=short_name(name),
        long_name=f"{game_class(name).__name__} (herzen)",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.REWARDS,
        min_num_players=least,
        max_num_players=most,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification={"rules": USUAL},
    )
    kind = type(name.capitalize(), (Game,), {"name": name, "game_type": game_type})
    pyspiel.register_game(game_type, kind)


for _name in GAMES:
    _register(_name)
