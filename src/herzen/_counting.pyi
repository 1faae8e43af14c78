from typing_extensions import disjoint_base

END: int

@disjoint_base
class Graph:
    def __len__(self) -> int: ...
    def node(self, number: int) -> tuple[int, int, int, list[int], list[int]]: ...
    def choice(self, weights: list[int]) -> int: ...

@disjoint_base
class Tables:
    def __init__(
        self,
        rows: list[int],
        columns: list[int],
        order: list[list[int]],
        bounds: list[dict[int, tuple[int, int]]],
        names: list[int],
        turned: bool,
        graph: Graph,
    ) -> None: ...
    def count(self) -> tuple[int, int]: ...
