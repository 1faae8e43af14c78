"""Where two records of what should be one match part: `Record.diff`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from herzen.errors import HerzenError, ReplayMismatch
from herzen.events import plain
from herzen.log import first_deal

if TYPE_CHECKING:
    from herzen.game import Game
    from herzen.record import Record


@dataclass(frozen=True, slots=True)
class Difference:
    """The first difference between two records. As text it is one sentence."""

    kind: str
    """"game", "rules", "deal", "move", "state", "result" or "seed"."""
    index: int
    """Number of moves applied, the same in both records, before the difference shows."""
    mine: Any
    """What the record has whose `diff` was called, JSON-ready; None: nothing."""
    theirs: Any
    """What the other record has."""
    sentence: str
    """What differs, in English. It may name cards of all hands, never a seed."""

    def __str__(self) -> str:
        return self.sentence

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready: the fields by name."""
        return asdict(self)


def first_difference(mine: Record, theirs: Record) -> Difference | None:
    """See `Record.diff`."""
    if mine.game != theirs.game:
        return Difference(
            "game",
            0,
            mine.game,
            theirs.game,
            f"the games differ: {mine.game} here, {theirs.game} there",
        )
    return _rules(mine, theirs) or _beginning(mine, theirs) or _course(mine, theirs)


def _rules(mine: Record, theirs: Record) -> Difference | None:
    names = [
        name
        for name in mine.rules._fields
        if getattr(mine.rules, name) != getattr(theirs.rules, name)
    ]
    if not names:
        return None
    here, there = (
        {name: plain(getattr(record.rules, name)) for name in names} for record in (mine, theirs)
    )
    told = ", ".join(f"{name} is {here[name]!r} here, {there[name]!r} there" for name in names)
    return Difference("rules", 0, here, there, f"the rules differ: {told}")


def _beginning(mine: Record, theirs: Record) -> Difference | None:
    """Who dealt and what lay where before the first move."""
    here, there = mine._start(), theirs._start()
    if here._zones.digest(here) == there._zones.digest(there):
        return None
    if mine.setup is None and theirs.setup is None:
        if mine.dealer != theirs.dealer:
            told = f"the dealers differ: seat {mine.dealer} here, seat {theirs.dealer} there"
            return Difference("deal", 0, mine.dealer, theirs.dealer, told)
        return _decks(mine, theirs, 0, 0, here.deal_number)
    zones = [game._setup_zones(game) for game in (here, there)]
    for name in zones[0]:
        if zones[0][name] != zones[1].get(name):
            told = f"the matches begin differently: {name} is {zones[0][name]!r} here, {zones[1].get(name)!r} there"
            return Difference("deal", 0, zones[0][name], zones[1].get(name), told)
    return Difference("deal", 0, zones[0], zones[1], "the matches begin differently")


def _decks(mine: Record, theirs: Record, place: int, index: int, deal: int) -> Difference | None:
    """The decks number `place` of the records, with which deal number `deal` began."""
    if place >= min(len(mine.deals), len(theirs.deals)):
        return None
    here, there = mine.deals[place], theirs.deals[place]
    if here == there:
        return None
    at = next(at for at, (one, two) in enumerate(zip(here, there, strict=True)) if one != two)
    told = f"deal {deal}: card {at} of the deck is {here[at]} here, {there[at]} there"
    return Difference("deal", index, list(here), list(there), told)


def _course(mine: Record, theirs: Record) -> Difference | None:
    """Deals, positions and moves in the order in which they come."""
    same_seed = mine.seed == theirs.seed
    marks = [dict(record.fingerprints) if same_seed else {} for record in (mine, theirs)]
    games = _replayed(mine)
    deal = None
    for index in range(max(len(mine.moves), len(theirs.moves)) + 1):
        game = next(games)
        if game is not None and game.deal_number != deal:
            first = first_deal(game).start.deal_number + (0 if mine.setup is None else 1)
            found = None
            if game.deal_number >= first:
                found = _decks(mine, theirs, game.deal_number - first, index, game.deal_number)
            if found is not None:
                return found
            deal = game.deal_number
        if index in marks[0] or index in marks[1]:
            here, there = (own.get(index, _mark(game)) for own in marks)
            if here is not None and there is not None and here != there:
                told = f"after {index} moves, all of them the same, the positions differ"
                return Difference("state", index, here, there, told)
        if index < max(len(mine.moves), len(theirs.moves)):
            parted = _moves(mine, theirs, index)
            if parted is not None:
                return parted
    if mine.result != theirs.result:
        told = f"the results differ: {_told(mine.result)} here, {_told(theirs.result)} there"
        return Difference("result", len(mine.moves), mine.result, theirs.result, told)
    if not same_seed:
        told = "the seeds differ, though nothing that was dealt so far does"
        return Difference("seed", len(mine.moves), None, None, told)
    return None


def _replayed(record: Record) -> Iterator[Game | None]:
    """The game after each number of moves; None from where the record does not replay."""
    with suppress(ReplayMismatch):
        yield from record.positions()
    while True:
        yield None


def _mark(game: Game | None) -> str | None:
    return None if game is None or not game.has_seed else game.fingerprint()


def _moves(mine: Record, theirs: Record, index: int) -> Difference | None:
    here, there = (
        record.moves[index] if index < len(record.moves) else None for record in (mine, theirs)
    )
    if here == there or (here and there and here[0] == there[0] and _alike(mine, here, there)):
        return None
    told = f"move {index}: {_played(here)} here, {_played(there)} there"
    return Difference("move", index, here and list(here), there and list(there), told)


def _alike(record: Record, here: tuple[int, str], there: tuple[int, str]) -> bool:
    """Whether two texts stand for one move."""
    try:
        one, two = (record.rules._parse_move(text) for _, text in (here, there))
    except HerzenError:
        return False
    return one == two


def _played(move: tuple[int, str] | None) -> str:
    if move is None:
        return "the record has ended"
    shown = ascii(move[1]) if len(move[1]) <= 60 else ascii(move[1][:57]) + "..."
    return f"seat {move[0]} plays {shown}"


def _told(result: dict[str, Any] | None) -> str:
    if result is None:
        return "none"
    return f"scores {result['scores']} with winners {result['winners']}"
