"""What a view of Von Herzen tells about the cards: the zones it shows, and what may lie in the others.

Zones hold most of it. The events add what the seat saw happen: swaps of others after it had given cards away, hands
that were small for a while, turns that ended without a discard where one was due.
"""

from __future__ import annotations

from math import factorial, gcd, prod
from operator import itemgetter
from typing import NamedTuple

from herzen.errors import SetupError
from herzen.knowledge import ViewZones, read_common
from herzen.setups import number
from herzen.vonherzen import events as told
from herzen.vonherzen.cards import CARDS
from herzen.vonherzen.flows import (
    TOO_MANY,
    Counts,
    Own,
    State,
    Swap,
    exchanged,
    follow,
    spread,
    way_to,
)
from herzen.vonherzen.setup import (
    AGREE,
    ANSWER,
    DRAW,
    GIVE,
    OFFER,
    OVER,
    PHASES,
    TAKEOVER,
    read_drawn,
    read_last_turns,
    read_run,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from herzen.vonherzen.view import VonHerzenView

DECK = 32
WHOLE_DECK = dict.fromkeys(range(DECK), 1)
EXCHANGED = (told.Offered, told.Answered, told.Swapped)


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


class Choice(NamedTuple):
    """One way to share out the hidden cards of the classes, and one way of swaps that leads to it."""

    weight: int
    counts: tuple[Counts, ...]
    """By class, then by seat."""
    ways: tuple[tuple[Counts, Counts], ...]
    """For each step: cards of each class from and to the proposer; () where nothing is remembered."""


class Knowledge(NamedTuple):
    """What there is to be placed."""

    zones: dict[str, Any]
    """As `_zones.place` reads them. Other hands hold only the cards known there, a hidden stock has zeros."""
    slots: list[int]
    """Cards that each hand lacks."""
    free: bytes
    """The hidden cards that may lie in any hand or in the stock."""
    classes: list[bytes]
    """The hidden cards of each class; they lie in hands."""
    choices: list[Choice]
    """The ways to share them out, with weights: how many placements, but for a common factor."""
    remembered: bool
    """Whether the swaps of others are known, so that they can be made up."""
    steps: list[Step]
    """The swaps: all of them if `remembered`, otherwise the viewer's own."""
    laid: list[bytes]
    """By seat: cards of no class that it had not taken openly and that were seen to be its own, in that order."""
    shown: list[list[bytes]]
    """By class and seat: cards of the class that were seen to be this seat's at the end of the exchange."""
    offer: tuple[int, int, int] | None
    """Proposer, cards offered, cards agreed to (0: none yet) where the viewer does not know which."""


def read_table(view: VonHerzenView) -> tuple[dict[str, Any], int]:
    """A position that shows the viewer the same, whether it can be or not, as `_zones.place` reads it.

    Hidden cards lie in any order, an offer that the viewer does not see is empty; its size comes second (0: none).
    SetupError if the zones do not fit each other. For players that look at nothing hidden.
    """
    read = ViewZones(view.rules.players, CARDS, WHOLE_DECK)
    zones, _ = _read_zones(view, read)
    hidden, slots = _hidden(zones, read)
    for seat, count in enumerate(slots):
        zones["hands"][seat] += bytes(hidden[:count])
        hidden = hidden[count:]
    if not zones["turned_over"]:
        zones["stock"] = bytes(hidden)
    return zones, 0 if view.offer is None else view.offer["size"] or 0


def read_view(view: VonHerzenView) -> Knowledge:
    """What a view tells; SetupError if it contradicts itself."""
    n = view.rules.players
    read = ViewZones(n, CARDS, WHOLE_DECK)
    zones, offer = _read_zones(view, read)
    exchange = _Exchange(view, _own_swaps(view, read), read)
    tracked = exchange.classes()
    play = _Play(view, exchange.class_of(), read)
    for seat, pinned in enumerate(play.pinned):
        for card in sorted(pinned):
            if not read.left[card]:
                raise SetupError(f"events: {CARDS[card]} lies elsewhere than they say")
            read.left[card] = 0
        zones["hands"][seat] = bytes(sorted({*zones["hands"][seat], *pinned}))
    hidden, slots = _hidden(zones, read)
    classes = [bytes(sorted(cards & set(hidden))) for cards in tracked]
    in_class = {card for cards in classes for card in cards}
    if zones["phase"] <= GIVE and any(cards - in_class for cards in tracked):
        raise SetupError("swaps: a card that was given away is not in another hand")
    limits = [0 if seat == view.seat else min(slots[seat], play.least[seat]) for seat in range(n)]
    return Knowledge(
        zones,
        slots,
        bytes(card for card in hidden if card not in in_class),
        classes,
        _choices(exchange, tracked, classes, play, slots, limits),
        exchange.complete,
        exchange.steps() if exchange.complete else exchange.own_steps,
        [bytes(cards) for cards in play.laid],
        [[bytes(sorted(play.shown_at(cards, seat))) for seat in range(n)] for cards in tracked],
        offer,
    )


def _hidden(zones: dict[str, Any], read: ViewZones) -> tuple[list[int], list[int]]:
    """The hidden cards, and how many of them lie in each hand."""
    hidden = [card for card in range(DECK) if read.left[card]]
    slots = [size - len(hand) for size, hand in zip(zones["sizes"], zones["hands"], strict=True)]
    if min(slots) < 0:
        raise SetupError(
            f"hand_sizes[{slots.index(min(slots))}]: fewer than the cards known to be there"
        )
    expected = sum(slots) + (0 if zones["turned_over"] else len(zones["stock"]))
    if len(hidden) != expected:
        raise SetupError(
            f"hand_sizes, stock_size: {len(hidden)} cards lie nowhere else, not {expected}"
        )
    return hidden, slots


# ---- zones -------------------------------------------------------------------------------------------------


def _read_zones(
    view: VonHerzenView, read: ViewZones
) -> tuple[dict[str, Any], tuple[int, int, int] | None]:
    """The zones as the view shows them, checked, and the pending offer that is not the viewer's."""
    rules, n = view.rules, view.rules.players
    zones = read_common(view, read, PHASES)
    at, sizes = zones["phase"], zones["sizes"]
    own = bytes(sorted(read.cards(view.hand, "hand")))
    known = [b""] * n
    for seat, cards in read.by_seat(view.known, "known"):
        if seat == view.seat:
            known[seat] = bytes(card.index for card in read.named(cards, f"known[{seat}]"))
            if not set(known[seat]) <= set(own) or len(set(known[seat])) < len(known[seat]):
                raise SetupError(f"known[{seat}]: cards of the viewer's hand are needed")
        else:
            known[seat] = read.cards(cards, f"known[{seat}]")
    zones["known"] = dict(enumerate(known))
    zones["hands"] = [own if seat == view.seat else cards for seat, cards in enumerate(known)]
    zones["pile"] = read.cards(view.pile, "pile")
    zones["turned_over"] = view.stock is not None
    size = number(view.stock_size, 0, DECK, "stock_size")
    zones["stock"] = bytes(size) if view.stock is None else read.cards(view.stock, "stock")
    zones["runs"] = [
        (
            read.seat(owner, f"runs[{place}]"),
            read_run(rules, read.cards(cards, f"runs[{place}]"), place),
        )
        for place, (_, owner, cards) in enumerate(view.runs)
    ]
    zones["turns_taken"] = number(view.turns_taken, 0, 1_000_000, "turns_taken")
    zones["idle_turns"] = number(view.idle_turns, 0, 1_000_000, "idle_turns")
    zones["melds"] = number(view.melded_this_turn, 0, 10, "melded_this_turn")
    zones["progress"] = view.progress
    total = n * rules.exchange_rounds
    zones["proposals"] = number(view.proposals, 0, total, "proposals")
    if at <= GIVE and zones["proposals"] == total:
        raise SetupError("proposals: all have been made, the exchange is over")
    if GIVE < at < OVER and zones["proposals"] < total:
        raise SetupError("proposals: the exchange is not over")
    zones["last_left"] = read_last_turns(zones, view.last_turns, read, n)
    if (
        view.drawn is not None
        and read.left[view.drawn.index]
        and zones["turn"] not in (-1, view.seat)
    ):
        # Set-ups know what was drawn, and yet do not list it as known; it must be in the hand all the same.
        hand = zones["hands"][zones["turn"]]
        zones["hands"][zones["turn"]] = bytes(sorted((*hand, view.drawn.index)))
        read.left[view.drawn.index] = 0
    zones["drawn"] = read_drawn(zones, view.drawn, read)
    zones["blocked"] = at == OVER and all(sizes)
    _check_sizes(view, zones)
    offer = _read_offer(view, zones)
    return zones, offer


def _check_sizes(view: VonHerzenView, zones: dict[str, Any]) -> None:
    at, sizes = zones["phase"], zones["sizes"]
    if at <= GIVE:
        if sizes != [view.rules.hand_size] * len(sizes) or zones["runs"]:
            raise SetupError(
                f"hand_sizes: all have {view.rules.hand_size} cards during the exchange, and nothing is melded"
            )
    elif at != OVER:
        if not sizes[zones["turn"]]:
            raise SetupError(f"hand_sizes[{zones['turn']}]: the seat to move holds a card")
        if not zones["last_left"] and not all(sizes):
            raise SetupError(
                "hand_sizes: a seat without cards ends the deal, unless there are last turns"
            )
    if at == DRAW and not zones["stock"] and not zones["pile"]:
        raise SetupError("phase draw: there is neither stock nor pile")
    if at == DRAW and (zones["melds"] or zones["progress"]):
        raise SetupError("phase draw: nothing has been melded in this turn")


def _read_offer(view: VonHerzenView, zones: dict[str, Any]) -> tuple[int, int, int] | None:
    """Fill in the pending offer: of the viewer's its cards, of another seat only numbers, which are returned."""
    rules, n, at = view.rules, view.rules.players, zones["phase"]
    zones |= {"offered": b"", "agreed": b"", "counter": None, "asked": 0}
    proposer = (zones["dealer"] - 1 - zones["proposals"]) % n
    if not ANSWER <= at <= GIVE:
        if view.offer is not None or view.my_offer is not None or view.my_agreed is not None:
            raise SetupError("offer: there is none in this phase")
        if at == OFFER and zones["turn"] != proposer:
            raise SetupError(f"turn: the proposer is seat {proposer}")
        return None
    if view.offer is None:
        raise SetupError(f"offer: there is one in phase {view.phase}")
    size = number(view.offer["size"], 1, rules.hand_size, "offer: size")
    counter = view.offer["counter"]
    if counter is not None:
        number(counter, 1, size - 1, "offer: counter")
    others = max(n - 2, 0)
    asked = {ANSWER: 0, TAKEOVER: (proposer - 2 - zones["turn"]) % n}.get(at, others)
    turns = {
        ANSWER: (proposer - 1) % n,
        TAKEOVER: (proposer - 2 - asked) % n,
        AGREE: proposer,
        GIVE: (proposer - 1) % n,
    }
    if zones["turn"] != turns[at] or (at == TAKEOVER and asked >= others):
        raise SetupError("turn: it is another seat's")
    if (at == ANSWER and counter is not None) or (at in (AGREE, GIVE) and counter is None):
        raise SetupError("offer: the counter does not fit the phase")
    if at == TAKEOVER and counter is None and not rules.others_after_decline:
        raise SetupError("offer: nobody is asked after a decline")
    zones |= {"counter": counter, "asked": asked}
    agreed = (counter or 0) if at == GIVE else 0
    if proposer != view.seat:
        return proposer, size, agreed
    offered = [card.index for card in view.my_offer or ()]
    given = [card.index for card in view.my_agreed or ()]
    if (
        len(set(offered)) != size
        or len(offered) != size
        or not set(offered) <= set(zones["hands"][proposer])
    ):
        raise SetupError(f"my_offer: {size} cards of the viewer's hand are needed")
    if len(set(given)) != agreed or len(given) != agreed or not set(given) <= set(offered):
        raise SetupError(f"my_agreed: {agreed} cards of the offer are needed")
    zones |= {"offered": bytes(sorted(offered)), "agreed": bytes(sorted(given))}
    return None


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


# ---- the exchange ------------------------------------------------------------------------------------------


class _Exchange:
    """The viewer's swaps in order, and between them those of others as far as the events tell."""

    def __init__(
        self,
        view: VonHerzenView,
        swaps: list[tuple[int, frozenset[int], frozenset[int]]],
        read: ViewZones,
    ) -> None:
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


# ---- the play ----------------------------------------------------------------------------------------------


class _Play:
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


# ---- choices -----------------------------------------------------------------------------------------------


def _choices(
    exchange: _Exchange,
    tracked: list[set[int]],
    classes: list[bytes],
    play: _Play,
    slots: list[int],
    limits: list[int],
) -> list[Choice]:
    """The ways to share out the hidden cards of the classes, each once; SetupError if there is none."""
    n = exchange.n
    none = [tuple(0 for _ in range(n)) for _ in classes]
    if not any(classes):
        layers = exchange.layers() if exchange.complete and exchange.seen else []
        ways = _remember(exchange, layers, _fitting(layers, tracked, play, n)) if layers else ()
        return [Choice(1, tuple(none), ways)]
    layers = exchange.layers()
    found: dict[tuple[Counts, ...], State] = {}
    for state in layers[-1]:
        for counts in _hidden_of(state, tracked, classes, play, n, exchange.complete):
            if all(sum(of[seat] for of in counts) <= limits[seat] for seat in range(n)):
                found.setdefault(counts, state)
    if not found:
        raise SetupError("swaps: no hands can hold the cards that were given away")
    weights = [
        prod(_multinomial(slots[seat], [of[seat] for of in counts]) for seat in range(n))
        for counts in found
    ]
    common = gcd(*weights)
    if sum(weights) >= common << 64:
        raise NotImplementedError(TOO_MANY)
    return [
        Choice(weight // common, counts, _remember(exchange, layers, state))
        for weight, (counts, state) in sorted(
            zip(weights, found.items(), strict=True), key=itemgetter(1)
        )
    ]


def _hidden_of(
    state: State,
    tracked: list[set[int]],
    classes: list[bytes],
    play: _Play,
    n: int,
    complete: bool,
) -> Iterator[tuple[Counts, ...]]:
    """What is hidden in the hands after this state of the exchange: less what was seen of it since.

    Cards that were seen, but not whose they had been, may be taken off any hand.
    """

    def of_class(place: int) -> Iterator[tuple[Counts, ...]]:
        if place == len(classes):
            yield ()
            return
        held = [state[seat][place] - len(play.shown_at(tracked[place], seat)) for seat in range(n)]
        if min(held) < 0 or sum(held) < len(classes[place]):
            return
        if complete and sum(held) > len(classes[place]):
            raise SetupError(
                "events: they do not tell of a card that left the hand it was given to"
            )
        for counts in spread(len(classes[place]), held):
            for others in of_class(place + 1):
                yield (counts, *others)

    yield from of_class(0)


def _fitting(
    layers: list[dict[State, State | None]], tracked: list[set[int]], play: _Play, n: int
) -> State:
    """A state of the exchange that agrees with whose the cards were seen to be."""
    for state in layers[-1]:
        if all(
            state[seat][place] == len(play.shown_at(cards, seat))
            for place, cards in enumerate(tracked)
            for seat in range(n)
        ):
            return state
    raise SetupError("swaps: no hands can have held the cards that were given away")


def _remember(
    exchange: _Exchange, layers: list[dict[State, State | None]], last: State
) -> tuple[tuple[Counts, Counts], ...]:
    """One way of swaps that leads to a state at the end of the exchange; nothing where not all swaps are known."""
    if not exchange.complete:
        return ()
    states = way_to(layers, last)
    return tuple(
        exchanged(before, after, move, exchange.rules.hand_size)
        if isinstance(move, Swap)
        else ((), ())
        for move, before, after in zip(exchange.moves(), states, states[1:], strict=False)
    )


def _multinomial(total: int, groups: list[int]) -> int:
    rest = total - sum(groups)
    return factorial(total) // (factorial(rest) * prod(map(factorial, groups)))
