"""Integers from outside: read exactly, and worded shortly in errors."""

from __future__ import annotations

from operator import index

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

WORDED = 300
"""Numbers of more bits are not written out: Python refuses to, for very long ones."""


def exact_int(value: Any) -> int | None:
    """The number as a plain int, whose comparisons can be trusted; None for bool, float and what is no integer."""
    if type(value) is int:
        return value
    if isinstance(value, (bool, float)):
        return None
    try:
        return int(index(value))
    except TypeError:
        return None


def short(number: int) -> str:
    """An integer as text, a very long one by its size."""
    bits = number.bit_length()
    return str(number) if bits < WORDED else f"{'-' if number < 0 else ''}2**{bits - 1} or more"


def shown(value: object, room: int = 60) -> str:
    """The repr of anything, cut to `room` characters."""
    try:
        text = short(value) if type(value) is int else repr(value)
    except ValueError:  # it holds an integer that Python does not write out
        text = f"a {type(value).__name__}"
    return text if len(text) <= room else text[: room - 3] + "..."
