from collections.abc import Sequence

from herzen._core import Compiled
from herzen.herzsammler.rules import HerzsammlerRules

def compile_rules(
    rules: HerzsammlerRules, deck: list[tuple[int, bool, int, int, int]], kinds: list[int]
) -> Compiled: ...
def keeps(
    compiled: Compiled, hearts: Sequence[Sequence[int]], points: Sequence[Sequence[int]]
) -> list[list[int]]: ...
