"""The errors of herzen: one small family of ValueErrors, each with a stable code.

A code is safe for everybody to see. The sentence says which rule forbids the thing; it may name cards of the
mover's own hand, and no others. All errors can be pickled.
"""

from __future__ import annotations


class HerzenError(ValueError):
    """Base of all errors that herzen raises on purpose. `code` is a stable word for programs."""

    code: str = "error"

    def __init__(self, message: str, *, code: str | None = None) -> None:
        super().__init__(message)
        if code is not None:
            self.code = code

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.args, dict(self.__dict__))


def _rebuild(
    kind: type[HerzenError], args: tuple[object, ...], state: dict[str, object]
) -> HerzenError:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(state)
    return error


class IllegalMove(HerzenError):
    """A move that may not be played; the game is unchanged.

    `move`: what was given (a move, a text or a code); `seat`: for whom, or None; `reason`: the sentence.
    """

    code = "illegal_move"

    def __init__(
        self, move: object, seat: int | None, reason: str, *, code: str | None = None
    ) -> None:
        super().__init__(reason, code=code)
        self.move = move
        self.seat = seat
        self.reason = reason


class GameOver(IllegalMove):
    """A move after the match has ended."""

    code = "game_over"


class StaleState(IllegalMove):
    """The position has changed since the version that the mover had seen."""

    code = "stale"


class RulesError(HerzenError):
    """An impossible rules object; the sentence names field, value and what is allowed."""

    code = "bad_rules"


class SeedError(HerzenError):
    """Something that is no seed: negative, 2**256 or more, or of a wrong type."""

    code = "bad_seed"


class CardError(HerzenError):
    """A text or number that names no card of the deck."""

    code = "unknown_card"


class SetupError(HerzenError):
    """A position, deck or set of piles that cannot be: cards missing or doubled, sizes that do not fit."""

    code = "bad_setup"


class SetupCardError(SetupError, CardError):
    """An unknown card in a position, deck or pile."""

    code = "unknown_card"


class RecordError(HerzenError):
    """A record or view that cannot be read; the sentence gives the place."""

    code = "bad_record"


class ArenaError(HerzenError):
    """A tournament that cannot be played or gone on with; the sentence says why."""

    code = "bad_tournament"


class ReplayMismatch(HerzenError):
    """A record that does not replay to what it says.

    `index`: number of moves applied before the difference; `expected`: what the record says; `found`: what the
    rules give.
    """

    code = "replay_mismatch"

    def __init__(self, message: str, *, index: int, expected: object, found: object) -> None:
        super().__init__(message)
        self.index = index
        self.expected = expected
        self.found = found
