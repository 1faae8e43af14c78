"""From a recorded match to the smallest position that shows a fault: `Record.shrink`.

What is a fault says a check of the caller: a function of a game that returns something true, or does not raise,
where all is well. What it returns or raises at the first fault is what it must go on returning or raising.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from herzen.decks import decks_to_come, texts_of
from herzen.errors import HerzenError
from herzen.registry import game_class, game_part

if TYPE_CHECKING:
    from herzen.game import Game
    from herzen.record import Record
    from herzen.rules import Rules

    Check = Callable[[Game], object]

ATTEMPTS = 5_000
"""Positions tried at most, unless told otherwise."""


@dataclass(frozen=True)
class Failure:
    """How a check fails."""

    kind: str
    """Name of the exception; "false" if it returned something false."""
    told: str
    """What it says, on one line."""

    def __str__(self) -> str:
        return f"{self.kind}: {self.told}" if self.told else self.kind


@dataclass(frozen=True)
class Shrunk:
    """The smallest things found that still fail a check."""

    moves: int
    """Length of the shortest prefix after which the check fails."""
    failure: Failure
    """How it fails there."""
    prefix: Record
    """The record of these moves."""
    setup: str | None
    """A call of `setup` that evaluates, with only herzen imported, to the smallest position found that fails in the
    same way. None: the failure needs what no position holds, such as the moves before it."""
    attempts: int
    """Positions tried."""

    def test(self, check: str) -> str:
        """The text of a test that fails. check: the source of the check, as lines that see `game`."""
        body = "\n".join(f"    {line}".rstrip() for line in check.strip("\n").split("\n"))
        if self.setup is not None:
            made = f"    game = {self.setup}"
        else:
            made = f"    game = herzen.Record.loads({self.prefix.dumps()!r}).replay()"
        return f"import herzen\n\n\ndef test_the_position_that_failed() -> None:\n{made}\n{body}\n"


def failure_of(check: Check, game: Game) -> Failure | None:
    """How a check of a game fails; None if it does not."""
    try:
        held = check(game.copy())
    except Exception as error:
        return Failure(type(error).__name__, " ".join(str(error).split())[:200])
    return None if held else Failure("false", "")


def shrink(record: Record, check: Check, attempts: int = ATTEMPTS) -> Shrunk | None:
    """See `Record.shrink`."""
    moves = -1
    for game in record.positions():
        moves += 1
        failure = failure_of(check, game)
        if failure is not None:
            break
    else:
        return None
    search = _Search(check, failure.kind, attempts)
    at = _Place(
        rules=game.rules,
        seed=game.seed or 0,  # not known: any will do, if only it is always the same
        names=game._names,
        decks=tuple(list(texts_of(game.rules, game._deck(n))) for n in _pending(game)),
        zones=game._setup_zones(game),
    )
    found = search.smallest(record.game, at)
    return Shrunk(
        moves=moves,
        failure=failure,
        prefix=record.prefix(moves),
        setup=None if found is None else found.text(record.game),
        attempts=search.tried,
    )


def _pending(game: Game) -> range:
    numbers = [number for number, _ in decks_to_come(game)]
    return range(game.deal_number + 1, max(numbers, default=game.deal_number) + 1)


@dataclass(frozen=True)
class _Place:
    """What a position is set up from."""

    rules: Rules
    seed: int
    names: tuple[str, ...] | None
    decks: tuple[list[str], ...]
    zones: dict[str, Any]

    def text(self, name: str) -> str:
        """The call of `setup`; what is at its default is left out."""
        parts = [f"herzen.{self.rules!r}"] if self.rules.changed() else []
        parts += [f"{zone}={value!r}" for zone, value in self.zones.items()]
        parts.append(f"seed={self.seed:#x}")
        if self.names is not None:
            parts.append(f"names={list(self.names)!r}")
        if self.decks:
            parts.append(f"deals={list(self.decks)!r}")
        return f"herzen.{game_class(name).__name__}.setup({', '.join(parts)})"


class _Search:
    """Tries smaller positions until none of them fails in the same way."""

    def __init__(self, check: Check, kind: str, attempts: int) -> None:
        self.check = check
        self.kind = kind
        self.left = attempts
        self.tried = 0

    def smallest(self, name: str, place: _Place) -> _Place | None:
        """The smallest place found; None if the first one does not fail."""
        if not self.fails(name, place):
            return None
        smaller: _Place | None = place
        while smaller is not None:
            place = smaller
            candidates = _smaller(name, place)
            smaller = next((at for at in candidates if self.left and self.fails(name, at)), None)
        return place

    def fails(self, name: str, place: _Place) -> bool:
        """Whether there is such a position, and it fails in the same way."""
        kind = game_class(name)
        try:
            game = kind._from_setup(place.rules, place.seed, place.names, place.decks, place.zones)
        except (HerzenError, TypeError, IndexError):
            return False
        self.left -= 1
        self.tried += 1
        failure = failure_of(self.check, game)
        return failure is not None and failure.kind == self.kind


def _smaller(name: str, place: _Place) -> Iterator[_Place]:
    """Places with less in them, those first that leave out most. Each step leads down, so that every search ends."""
    if place.names is not None:
        yield replace(place, names=None)
    if place.decks:
        yield replace(place, decks=())
    if place.seed:
        yield replace(place, seed=0)
    yield from _plainer_rules(place)
    needed = _needed(name)
    for zone in place.zones:
        if zone not in needed:
            yield replace(place, zones={k: v for k, v in place.zones.items() if k != zone})
    for zones in game_part(name, "smaller").smaller(place.rules, place.zones):
        yield replace(place, zones=zones)


def _plainer_rules(place: _Place) -> Iterator[_Place]:
    changed = place.rules.changed()
    for option in changed:
        try:
            rules = type(place.rules)(**{k: v for k, v in changed.items() if k != option})
        except HerzenError:
            continue
        yield replace(place, rules=rules)


def _needed(name: str) -> set[str]:
    """The keywords of `setup` that have no default."""
    kind: Any = game_class(name)
    parameters = inspect.signature(kind.setup).parameters
    return {key for key, value in parameters.items() if value.default is inspect.Parameter.empty}
