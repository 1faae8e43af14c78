"""The events of a match, told from its positions and moves: a match keeps its moves, and events only of this deal."""

from __future__ import annotations

from collections.abc import Iterator

from herzen.events import Event, GameEnded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from herzen._core import Deal
    from herzen.game import Game

    Told = Iterator[tuple[type[Event], dict[str, Any]]]
    # Deal, version, the deal's events up to it, what viewers were shown of them.
    Kept = tuple[Deal, int, list[Event], dict[int | None, tuple[Event, ...]]]

MATCH_OVER = 2  # flags of _core: what a move brought about
DEAL_OVER = 1


def tell(
    game: Game,
    seat: int,
    code: int,
    flags: int,
    dealt: int,
    automatic: bool,
    index: int,
    deal: int,
    version: int,
) -> tuple[Event, ...]:
    """The events of the move just played, the first of them number `index` of the log.

    flags, dealt: what `_play` gave. automatic: whether the seat had no choice. deal: the one that it was played in.
    """
    at = game._last if flags & DEAL_OVER else game
    assert at is not None
    events: list[Event] = []
    for kind, fields in game._tell_move(at, seat, code, flags, automatic):
        events.append(kind(index + len(events), version, deal, **fields))
    if flags & MATCH_OVER:
        ended = {"scores": game.scores, "winners": game._winning()}
        events.append(GameEnded(index + len(events), version, deal, **ended))
    if dealt:
        for kind, fields in game._tell_deal(game, dealt):
            events.append(kind(index + len(events), version, game.deal_number, **fields))
    return tuple(events)


def first_deal(game: Game) -> Deal:
    """Where the history of a match begins that has one."""
    deal = game._deal
    assert deal is not None
    while deal.before is not None:
        deal = deal.before
    return deal


def retell(game: Game, deal: Deal) -> list[Event]:
    """The events from the beginning of a deal on, by playing its moves again."""
    scratch = game._before(deal)
    events: list[Event] = []
    for kind, fields in scratch._tell_deal(scratch, deal.flags) if deal.flags else ():
        events.append(kind(deal.events + len(events), deal.version, scratch.deal_number, **fields))
    for seat, code, version in game._entries(deal.moves):
        automatic = len(scratch.codes(seat)) == 1
        index, number = deal.events + len(events), scratch.deal_number
        flags, dealt = scratch._play(seat, code)
        events += tell(scratch, seat, code, flags, dealt, automatic, index, number, version)
    return events


# ---- this deal's events, kept ------------------------------------------------------------------------------


def _kept(game: Game) -> Kept | None:
    """What is kept until a move is taken back."""
    deal, version, kept = game._deal, game.version, game._log
    if deal is None:
        return None
    if kept is None or kept[0] is not deal or kept[1] != version:
        kept = (deal, version, retell(game, deal), {})
        game._log = kept
    return kept


def keep_on(game: Game, kept: Kept | None, version: int, events: tuple[Event, ...]) -> None:
    """Add the events of a move to what was kept at the version before it, unless other moves came between."""
    if (
        kept is not None
        and kept[0] is game._deal
        and kept[1] == version
        and game.version == version + 1
    ):
        game._log = (kept[0], version + 1, [*kept[2], *events], kept[3])


def deal_log(game: Game) -> list[Event]:
    """This deal's events, unredacted."""
    kept = _kept(game)
    return [] if kept is None else kept[2]


def deal_log_for(game: Game, seat: int | None) -> tuple[Event, ...]:
    """This deal's events as a seat may see them; each is redacted once for each viewer.

    What is kept is replaced, never added to: another thread may be here, too.
    """
    kept = _kept(game)
    if kept is None:
        return ()
    events, shown = kept[2], kept[3]
    seen = shown.get(seat, ())
    if len(seen) < len(events):
        seen = (*seen, *[event.for_seat(seat) for event in events[len(seen) :]])
        shown[seat] = seen
    return seen[: len(events)]
