from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Literal, Self, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import disjoint_base

from herzen.batch._crew import Crew
from herzen.game import Game
from herzen.rules import Rules
from herzen.seeds import Seed

@disjoint_base
class Batch(Crew):
    def __init__(
        self,
        rules: Rules,
        n: int,
        *,
        seed: Seed | Sequence[Seed] | NDArray[np.integer[Any]] = None,
        autoreset: Literal["off", "next", "same"] = "off",
        threads: int = 1,
    ) -> None: ...
    @property
    def rules(self) -> Rules: ...
    @property
    def autoreset(self) -> str: ...
    @property
    def threads(self) -> int: ...
    @property
    def observation_shape(self) -> tuple[int]: ...
    @property
    def observation_layout(self) -> Mapping[str, slice]: ...
    @property
    def to_move(self) -> NDArray[np.int8]: ...
    @property
    def done(self) -> NDArray[np.bool_]: ...
    @property
    def scores(self) -> NDArray[np.int32]: ...
    @property
    def winners(self) -> NDArray[np.bool_]: ...
    def step(self, actions: ArrayLike) -> None: ...
    def step_seat(
        self,
        actions: ArrayLike,
        seat: SupportsIndex | NDArray[np.int8],
        *,
        others: str | Sequence[str] = "random",
        rewards: NDArray[np.int32] | None = None,
        illegal: NDArray[np.bool_] | None = None,
    ) -> NDArray[np.int32]: ...
    def play_others(
        self, seat: SupportsIndex | NDArray[np.int8], *, others: str | Sequence[str] = "random"
    ) -> None: ...
    def random_actions(self, out: NDArray[np.int64] | None = None) -> NDArray[np.int64]: ...
    def reset(
        self,
        mask: ArrayLike | None = None,
        *,
        seeds: Sequence[Seed] | NDArray[np.integer[Any]] | None = None,
    ) -> None: ...
    def legal_mask(
        self, out: NDArray[np.bool_] | None = None, *, where: ArrayLike | None = None
    ) -> NDArray[np.bool_]: ...
    def observe(
        self,
        out: NDArray[np.int8] | None = None,
        seat: SupportsIndex | NDArray[np.int8] | None = None,
        *,
        where: ArrayLike | None = None,
    ) -> NDArray[np.int8]: ...
    def final_observe(
        self,
        out: NDArray[np.int8] | None = None,
        seat: SupportsIndex | NDArray[np.int8] | None = None,
    ) -> NDArray[np.int8]: ...
    def game(self, i: SupportsIndex) -> Game: ...
    def put(self, i: SupportsIndex, game: Game) -> None: ...
    def close(self) -> None: ...
    def __len__(self) -> int: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        traceback: TracebackType | None = None,
    ) -> None: ...
