from collections.abc import Sequence

from herzen._core import Compiled
from herzen.hearts.rules import HeartsRules

def compile_rules(rules: HeartsRules, points: Sequence[int], deck: Sequence[int]) -> Compiled: ...
def score_piles(
    compiled: Compiled,
    piles: Sequence[bytes],
    tricks: Sequence[int],
    kind: int,
    totals: Sequence[int],
) -> tuple[list[int], int | None, str | None, int, list[int]]: ...
