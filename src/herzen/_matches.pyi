import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

from herzen._core import Compiled

@disjoint_base
class Brake:
    pulled: bool

def play_matches(
    compiled: Compiled,
    seed: int,
    first: int,
    scores: NDArray[np.int32],
    winners: NDArray[np.uint32],
    deals: NDArray[np.int32],
    plies: NDArray[np.int32],
    counts: NDArray[np.int32],
    by_rule: bool = False,
    brake: Brake | None = None,
) -> None: ...
def count_values(numbers: NDArray[np.int32]) -> list[tuple[int, int]]: ...
