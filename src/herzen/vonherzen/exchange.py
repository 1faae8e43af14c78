"""The exchange as a seat of Von Herzen saw it: its own swaps, and those of others that the events tell of."""

from __future__ import annotations

from typing import NamedTuple

from herzen.errors import SetupError
from herzen.setups import number
from herzen.vonherzen import events as told
from herzen.vonherzen.flows import Own, State, Swap, follow, spread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from herzen.knowledge import ViewZones
    from herzen.vonherzen.view import VonHerzenView


class Step(NamedTuple):
    """A swap of the deal in the order of the swaps: one of others, or one of the viewer with its cards."""

    proposer: int
    partner: int
    size: int
    given: frozenset[int]
    """From the proposer; of a swap of others nothing."""
    received: frozenset[int]
    fresh: int
    """Of one of the viewer's: the class of the cards that it gave, else 0."""
    back: tuple[frozenset[int], ...]
    """Of one of the viewer's: cards of each class that it got back."""


class Exchange:
    """The viewer's swaps in order, and between them those of others as far as the events tell."""

    def __init__(self, view: VonHerzenView, read: ViewZones) -> None:
        swaps = _own_swaps(view, read)
        self.rules, self.seat, self.n = view.rules, view.seat, view.rules.players
        self.swaps = swaps
        self.complete = bool(view.events) and isinstance(view.events[0], told.Dealt)
        self.seen: list[Swap] = []
        for event in view.events:
            if isinstance(event, told.Swapped):
                proposer, partner = (
                    read.seat(event.proposer, "events"),
                    read.seat(event.partner, "events"),
                )
                size = number(event.size, 1, self.rules.hand_size, "events: size of a swap")
                if proposer == partner:
                    raise SetupError("events: a seat swaps with itself")
                self.seen.append(Swap(proposer, partner, size))
        mine = [swap for swap in self.seen if self.seat in (swap.proposer, swap.partner)]
        self.before = len(swaps) - len(mine)
        with_whom = [
            (swap.partner if swap.proposer == self.seat else swap.proposer, swap.size)
            for swap in mine
        ]
        told_of = [(partner, len(given)) for partner, given, _ in swaps[max(self.before, 0) :]]
        if self.before < 0 or with_whom != told_of or (self.complete and self.before):
            raise SetupError("swaps: not those that the events tell of")
        if len(self.seen) + self.before > view.proposals:
            raise SetupError("events: more swaps than proposals")
        self.width = 1 + len(swaps) - self.before
        self._where: dict[int, int] = {}
        # Of swaps before the first event it is not known who proposed; nothing depends on it.
        proposers: list[int | None] = [self.seat] * self.before
        proposers += [swap.proposer for swap in mine]
        self.loose = 0
        self.own_steps: list[Step] = []
        for place, who in enumerate(proposers):
            self.own_steps.append(self._step(place, who))
            if place < self.before:
                self.loose = len(self._where)

    def _step(self, place: int, proposer: int | None) -> Step:
        """The viewer's next swap; notes to which class cards belong from then on."""
        partner, given, received = self.swaps[place]
        assert self.seat is not None
        fresh = max(0, place - self.before + 1)
        back: list[set[int]] = [set() for _ in range(self.width)]
        for card in received & set(self._where):
            back[self._where.pop(card)].add(card)
        if given & set(self._where):
            raise SetupError(f"swaps[{place}]: a card that was given away before is given again")
        self._where.update(dict.fromkeys(given, fresh))
        sets = tuple(frozenset(cards) for cards in back)
        if proposer == self.seat:
            return Step(self.seat, partner, len(given), given, received, fresh, sets)
        return Step(partner, self.seat, len(given), received, given, fresh, sets)

    def steps(self) -> list[Step]:
        """All swaps in order."""
        own = iter(self.own_steps)
        return [
            next(own)
            if self.seat in (swap.proposer, swap.partner)
            else Step(*swap, frozenset(), frozenset(), 0, ())
            for swap in self.seen
        ]

    def classes(self) -> list[set[int]]:
        """The cards of each class that have not come back in the exchange.

        The first class is what was given away before the first event: nothing is known of what others swapped then.
        After it each swap of the viewer makes one.
        """
        return [
            {card for card, number in self._where.items() if number == place}
            for place in range(self.width)
        ]

    def class_of(self) -> dict[int, int]:
        """The class of each card that has one."""
        return dict(self._where)

    def layers(self) -> list[dict[State, State | None]]:
        """What others' hands may hold of the classes, from the first event to the end of the exchange."""
        size = self.rules.hand_size
        rooms = [0 if seat == self.seat else size for seat in range(self.n)]
        starts = [
            tuple((count,) + (0,) * (self.width - 1) for count in counts)
            for counts in spread(self.loose, rooms)
        ]
        return follow(starts, self.moves(), size)

    def moves(self) -> list[Swap | Own]:
        """The swaps from the first event on, as `follow` reads them."""
        own = iter(self.own_steps[self.before :])
        moves: list[Swap | Own] = []
        for swap in self.seen:
            if self.seat not in (swap.proposer, swap.partner):
                moves.append(swap)
                continue
            step = next(own)
            partner = step.partner if step.proposer == self.seat else step.proposer
            moves.append(Own(partner, step.size, step.fresh, tuple(map(len, step.back))))
        return moves


def _own_swaps(
    view: VonHerzenView, read: ViewZones
) -> list[tuple[int, frozenset[int], frozenset[int]]]:
    """(with whom, given, received) of the viewer's swaps, checked one by one."""
    rules = view.rules
    if view.swaps and view.seat is None:
        raise SetupError("swaps: a spectator has none")
    if len(view.swaps) > rules.players * rules.exchange_rounds:
        raise SetupError("swaps: more than there were proposals")
    out = []
    for place, (partner, given, received) in enumerate(view.swaps):
        where = f"swaps[{place}]"
        gave = frozenset(card.index for card in read.named(given, where))
        got = frozenset(card.index for card in read.named(received, where))
        if read.seat(partner, where) == view.seat:
            raise SetupError(f"{where}: the viewer swaps with another seat")
        if (
            not 0 < len(gave) == len(given) == len(got) == len(received) <= rules.hand_size
            or gave & got
        ):
            raise SetupError(f"{where}: as many cards must come as go, each once")
        out.append((partner, gave, got))
    return out
