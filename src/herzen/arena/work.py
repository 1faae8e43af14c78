"""What a worker does: it plays all line-ups of some deals and hands back what came of them.

Everything here follows from the plan and the number of the deal, so it does not matter who does it, or where.
"""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING

from herzen.bots import bot_maker
from herzen.bots.failures import failure
from herzen.errors import ArenaError
from herzen.game import Game
from herzen.record import Record
from herzen.registry import game_class
from herzen.render.text import game_text
from herzen.rules import Rules
from herzen.seeds import child
from herzen.simulation import play_bots

if TYPE_CHECKING:
    from herzen.arena.field import Table
    from herzen.bots import Bot


@dataclass(frozen=True, slots=True)
class Plan:
    """What a worker has to know of a tournament."""

    rules: Rules
    seed: int
    bots: tuple[str, ...]
    lineups: tuple[Table, ...]
    records: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one game."""

    scores: tuple[int, ...]
    """Final scores, by seat."""
    winners: tuple[int, ...]
    """Seats that won."""
    hands: int
    """Deals of the match."""
    plies: int
    """Moves of the match."""
    counts: tuple[tuple[int, ...], ...]
    """For each thing that the game counts besides, a number for each seat."""


@dataclass(frozen=True, slots=True)
class Played:
    """One deal: an outcome for each line-up, and the records as compressed JSON Lines."""

    deal: int
    outcomes: tuple[Outcome, ...]
    records: bytes | None


def play_deals(plan: Plan, deals: Sequence[int]) -> tuple[list[Played], float]:
    """Play these deals; also the seconds that it took. ArenaError where a bot fails."""
    start = monotonic()
    makers = [bot_maker(word) for word in plan.bots]
    return [_play_deal(plan, makers, deal) for deal in deals], monotonic() - start


def _play_deal(plan: Plan, makers: Sequence[Callable[[int], Bot]], deal: int) -> Played:
    kind = game_class(plan.rules.game)
    text = game_text(kind.name)
    seed = child(plan.seed, deal)
    outcomes, lines = [], []
    for number, lineup in enumerate(plan.lineups):
        words = [plan.bots[bot] for bot in lineup]
        counts: Counter[tuple[str, int]] = Counter()
        game = kind(plan.rules, seed=seed)

        def watch(game: Game, counts: Counter[tuple[str, int]] = counts) -> None:
            counts.update(text.counted(game))

        where = f"deal {deal}, line-up {number} ({', '.join(words)})"

        def blame(
            game: Game, seat: int, error: Exception, where: str = where, words: list[str] = words
        ) -> ArenaError:
            return ArenaError(f"{where}, {failure(words[seat], seat, game.ply, error)}")

        play_bots(game, [makers[bot] for bot in lineup], watch, blame)
        seats = range(game.players)
        outcomes.append(
            Outcome(
                scores=game.scores,
                winners=tuple(int(seat) for seat in game.winners),
                hands=game.deal_number + 1,
                plies=game.ply,
                counts=tuple(
                    tuple(counts[heading, seat] for seat in seats) for heading in text.COUNTED
                ),
            )
        )
        if plan.records:
            lines.append(_line(game, words, deal, number))
    # The line-ups of a deal share its cards: together they take a third of the room.
    packed = zlib.compress("\n".join(lines).encode(), 9) if plan.records else None
    return Played(deal, tuple(outcomes), packed)


def _line(game: Game, words: list[str], deal: int, lineup: int) -> str:
    """The game's record, the bots' words as names. While they play the bots do not see who sits where."""
    record = Record.of(game, {"arena": {"deal": deal, "lineup": lineup}})
    return json.dumps(record.to_dict() | {"names": words}, separators=(",", ":"))
