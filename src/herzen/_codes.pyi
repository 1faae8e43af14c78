"""Codes of legal moves as sequences: made compact, turned into Python numbers when asked for."""

from collections.abc import Sequence
from typing import SupportsIndex, final, overload

class _Sequence(Sequence[int]):
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: SupportsIndex, /) -> int: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[int]: ...
    def __contains__(self, code: object, /) -> bool: ...
    def index(self, code: int) -> int: ...  # type: ignore[override]
    def count(self, code: object) -> int: ...

@final
class Codes(_Sequence):
    """Codes of legal moves, ascending, as numbers that become Python objects when asked for."""

@final
class Combinations(_Sequence):
    """The codes of all choices of `size` cards out of a multiset, ascending, made when asked for."""
