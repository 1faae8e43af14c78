"""The turns of a deal as a seat of Von Herzen saw them: what their events tell of the hands."""

from __future__ import annotations

from herzen.errors import SetupError
from herzen.vonherzen import events as told
from herzen.vonherzen.cards import CARDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from herzen.knowledge import ViewZones
    from herzen.vonherzen.view import VonHerzenView


class Turns:
    """What the events of the turns tell of the other hands."""

    def __init__(self, view: VonHerzenView, class_of: dict[int, int], read: ViewZones) -> None:
        n = view.rules.players
        self.view, self.class_of = view, class_of
        self.seen: list[set[int]] = [set() for _ in range(n)]
        self.pinned: list[set[int]] = [set() for _ in range(n)]
        self.laid: list[list[int]] = [[] for _ in range(n)]
        self.shown: dict[int, int] = {}
        """Card of a class -> the seat that was first seen to have it after the exchange."""
        self.elsewhere: set[int] = set()
        """Cards of a class that lay open before the first event."""
        self.times: list[tuple[int, int, int, int]] = []
        self.least = [view.rules.hand_size] * n
        self.sizes = self._first_sizes(view, read)
        self.drawn: tuple[int, int] | None = None
        """Seat and card of the last draw from the pile, until its turn ends."""
        self.times += [(seat, size, 0, 0) for seat, size in enumerate(self.sizes)]
        for event in view.events:
            self._tell(event)
        later = [0] * n
        told_later = dict(self.shown)
        for seat, size, seen, told_then in reversed(self.times):
            while len(told_later) > told_then:
                later[told_later.popitem()[1]] += 1
            self.least[seat] = min(self.least[seat], size - seen - later[seat])
        if view.seat is not None:
            self.pinned[view.seat] = set()

    def _first_sizes(self, view: VonHerzenView, read: ViewZones) -> list[int]:
        """The hands' sizes before the first event."""
        sizes = list(view.hand_sizes)
        for event in view.events:
            if isinstance(
                event, (told.Drawn, told.Melded, told.LaidOff, told.Discarded, told.TurnEnded)
            ):
                sizes[read.seat(event.seat, "events")] -= _change(event)
        if min(sizes) < 0 or (
            view.events
            and isinstance(view.events[0], told.Dealt)
            and sizes != [view.rules.hand_size] * len(sizes)
        ):
            raise SetupError("events: they do not go with hand_sizes")
        return sizes

    def _tell(self, event: object) -> None:
        if isinstance(event, told.Drawn):
            self.drawn = None
            if event.public and event.card is not None:
                card = event.card.index
                if card in self.class_of and card not in self.shown:
                    self.elsewhere.add(card)
                self.seen[event.seat].add(card)
                if event.source == "pile":
                    self.drawn = event.seat, card
        elif isinstance(event, told.Melded):
            for laid in event.cards:
                self._lay(event.seat, laid.index)
        elif isinstance(event, (told.LaidOff, told.Discarded)):
            self._lay(event.seat, event.card.index)
        elif not isinstance(event, told.TurnEnded):
            return
        self.sizes[event.seat] += _change(event)
        if isinstance(event, told.TurnEnded):
            self._end(event.seat)
        if isinstance(event, (told.TurnEnded, told.Discarded)):
            self.drawn = None
        self.times.append(
            (event.seat, self.sizes[event.seat], len(self.seen[event.seat]), len(self.shown))
        )

    def _lay(self, seat: int, card: int) -> None:
        """A card of the hand is seen."""
        if card in self.seen[seat]:
            self.seen[seat].discard(card)
            self.pinned[seat].discard(card)
        else:
            self._belongs(seat, card)

    def _belongs(self, seat: int, card: int) -> None:
        """A card was the seat's own: dealt to it, got in the exchange, or drawn from the hidden stock."""
        if card not in self.class_of:
            if any(card in cards for cards in self.laid):
                raise SetupError(f"events: {CARDS[card]} comes out of two hands")
            self.laid[seat].append(card)
        elif card not in self.shown and card not in self.elsewhere:
            if seat == self.view.seat:
                self.elsewhere.add(card)
            else:
                self.shown[card] = seat

    def _end(self, seat: int) -> None:
        """Where a discard was due (V-TURN-3), only cards of the kind just taken from the pile can be left."""
        rules = self.view.rules
        if not rules.discard_mandatory or rules.discard_drawn or self.drawn is None:
            return
        taker, card = self.drawn
        if taker != seat:  # a last turn after a seat went out
            return
        twin = twin_of(card)
        left = {card} & self.seen[seat]
        if len(left) + (twin in self.seen[seat]) < self.sizes[seat]:
            if twin in self.seen[seat] or self.sizes[seat] != len(left) + 1:
                raise SetupError("events: a turn ended without the discard that was due")
            self._belongs(seat, twin)
            self.seen[seat].add(twin)
            self.pinned[seat].add(twin)

    def shown_at(self, cards: set[int], seat: int) -> set[int]:
        """Those of the cards that this seat was first seen to have."""
        return {card for card in cards if self.shown.get(card) == seat}


def twin_of(card: int) -> int:
    """The other copy of a card's kind."""
    return card ^ 24


def _change(event: object) -> int:
    """How many cards more a seat holds after it."""
    if isinstance(event, told.Drawn):
        return 1
    if isinstance(event, told.Melded):
        return -len(event.cards)
    return -1 if isinstance(event, (told.LaidOff, told.Discarded)) else 0
