"""n positions in one piece of memory, and the loops over them that need no Python object."""

from typing_extensions import disjoint_base

@disjoint_base
class Slots:
    @property
    def n(self) -> int: ...
    @property
    def num_actions(self) -> int: ...
