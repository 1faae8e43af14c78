"""Scores with their reasons. The games score themselves with the same scorers."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol, Self
else:
    Protocol = object


class ScoreSheet:
    """Points by seat and the lines that say why. Immutable; equal if both are equal."""

    __slots__ = ("lines", "totals")
    totals: tuple[int, ...]
    """The deal's points by seat; the new totals where the scorer was given the totals before."""
    lines: tuple[str, ...]
    """One sentence for each thing that counted, in the order of the rules."""

    def __new__(cls, totals: tuple[int, ...], lines: tuple[str, ...] = ()) -> Self:
        sheet = object.__new__(cls)
        object.__setattr__(sheet, "totals", tuple(totals))
        object.__setattr__(sheet, "lines", tuple(lines))
        return sheet

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("score sheets are immutable")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ScoreSheet):
            return NotImplemented
        return self.totals == other.totals and self.lines == other.lines

    def __hash__(self) -> int:
        return hash((self.totals, self.lines))

    def __str__(self) -> str:
        return "\n".join((*self.lines, "Totals: " + ", ".join(map(str, self.totals))))

    def __repr__(self) -> str:
        return f"ScoreSheet(totals={self.totals!r}, lines={self.lines!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return ScoreSheet, (self.totals, self.lines)


class Scorer(Protocol):
    """What scores captured cards, runs or collections of one game under its rules."""

    def score(self, *args: Any, **kwargs: Any) -> ScoreSheet:
        """The score sheet of what lies on the table."""
        ...
