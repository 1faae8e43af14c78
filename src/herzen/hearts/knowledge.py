"""What a view of Hearts tells about the cards that its seat does not see.

Cards are kinds 0..51 here, sets of kinds are bit masks. Places are the seats, the kitty, and `GONE`: the piles of cards
captured before a set-up, which no view shows. Every play that the seat saw says what the player's hand cannot have
held; the engine's own rules are asked which hands may have made it. What remains is counted (herzen.counting).
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement, product
from math import prod

from herzen._core import State
from herzen.counting import CardClass, Graph, Plan
from herzen.errors import SetupError
from herzen.hearts import _zones
from herzen.hearts.cards import CARDS
from herzen.hearts.rules import DIRECTIONS
from herzen.hearts.setup import MOON, OVER, PASS, PHASES, PLAY
from herzen.setups import Zones

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from herzen.hearts.cards import Card
    from herzen.hearts.view import HeartsView

MOST_WAYS_KEPT = 2000
"""Ways to lay the spades of keep_spades, each of which is a case of its own."""
MOST_WAYS_CAPTURED = 3000
"""Ways in which cards captured before a set-up may be worth their points, each of which is a case of its own."""
KITTY = 11
GONE = 12
ALL = (1 << 52) - 1
CLUBS = (1 << 13) - 1
HEARTS = CLUBS << 26


class Case:
    """One of several disjoint ways in which what was seen can have come about."""

    __slots__ = ("kept", "limits", "needs", "places")

    def __init__(
        self,
        limits: dict[int, int] | None = None,
        places: dict[int, int] | None = None,
        needs: Sequence[tuple[int, int]] = (),
        kept: Mapping[int, tuple[int, ...]] | None = None,
    ) -> None:
        self.limits = limits or {}
        """Seat -> the kinds that it may hold now."""
        self.places = places or {}
        """Kind -> mask of the places where its unseen cards may lie."""
        self.needs = tuple(needs)
        """(place, kinds): at least one unseen card of these lies there."""
        self.kept = dict(kept or {})
        """Seat -> the cards it passed of those that keep_spades keeps back from all who have others."""

    def join(self, other: Case) -> Case:
        """Both at once."""
        limits, places = dict(self.limits), dict(self.places)
        for seat, kinds in other.limits.items():
            limits[seat] = limits.get(seat, ALL) & kinds
        for kind, mask in other.places.items():
            places[kind] = places.get(kind, -1) & mask
        return Case(limits, places, self.needs + other.needs, self.kept | other.kept)


class Pile:
    """A plan, and what it says besides: of passes, and of captured cards that count."""

    __slots__ = ("kept", "plan", "slots")

    def __init__(
        self, plan: Plan, kept: Mapping[int, tuple[int, ...]], slots: Sequence[tuple[int, int]]
    ) -> None:
        self.plan = plan
        self.kept = kept
        self.slots = tuple(slots)
        """(points, pile) of the cards gone before that count; pile = players: held over."""


def contradiction(what: str) -> SetupError:
    """The error for views that cannot be."""
    return SetupError(f"the view contradicts itself: {what}")


def kinds_of(cards: Iterable[Card]) -> bytes:
    """The kinds of cards, in the order given."""
    return bytes(card.index for card in cards)


def mask_of(kinds: Iterable[int]) -> int:
    """A set of kinds."""
    mask = 0
    for kind in kinds:
        mask |= 1 << kind
    return mask


def members(mask: int) -> list[int]:
    """The kinds of a set, ascending."""
    return [kind for kind in range(52) if mask >> kind & 1]


class Knowledge:
    """A view, read and checked. SetupError if it contradicts itself, NotImplementedError as docs/sampling.rst lists."""

    def __init__(self, view: HeartsView, position: State) -> None:
        """`position`: an empty one under the view's rules; becomes the view's position without the unseen cards."""
        self.view = view
        self.rules = view.rules
        self.n = view.rules.players
        self.deck = Counter(kind % 52 for kind in self.rules._deck())
        self.hand_size, self.kitty_size = divmod(self.deck.total(), self.n)
        self.position = position
        self.zones = self._read()
        self.sets = _zones.card_sets(position)
        self.plays = self._plays()
        self._count_cards()
        self.graph = Graph()
        self.piles: list[Pile] = []
        """The disjoint cases that are possible."""
        for place_of_kitty in self._readings():
            self._read_history(place_of_kitty)
            if self.piles:
                break
        else:
            raise contradiction("no placement of the unseen cards fits what the seat saw")
        self.hidden_passes = self._hidden_passes()
        """Seats whose pass of this deal the view does not tell."""

    def _read_history(self, place_of_kitty: int | None) -> None:
        """Take the kitty to lie there and find what the passes and plays tell."""
        self._find_kitty(place_of_kitty)
        self._find_start()
        self.zones["hands"] = [bytes(sorted(held.elements())) for held in self.held]
        _zones.place(self.position, self.zones)
        if _zones.tricks(self.position) != self.zones["tricks"]:
            raise contradiction("tricks have other winners by the rules")
        self.allowed = [ALL] * self.n
        self.choices: list[list[Case]] = []
        if self.zones["phase"] != PASS:
            self._read_passes()
            self._read_plays()
        self.piles = self._plan()

    # ---- reading ---------------------------------------------------------------------------------------
    def _read(self) -> dict[str, Any]:
        """The zones of the position, as `_zones.place` reads them; everything checked that it relies on."""
        view, n = self.view, self.n
        read = Zones(n, self.rules._parse_card, self.deck)
        phase = read.phase(view.phase, PHASES, "")
        zones = read.common(
            self.rules,
            phase == OVER,
            view.turn,
            view.dealer,
            view.deal_number,
            view.scores,
        )
        if view.seat is not None:
            read.seat(view.seat, "seat")
        if view.pass_direction not in DIRECTIONS or (view.pass_direction == "across" and n % 2):
            raise contradiction(f"pass_direction {view.pass_direction!r} does not fit")
        if not 0 <= view.ply < 1 << 32 or not 0 <= view.version < 1 << 32:
            raise contradiction("ply and version are numbers from 0 to 2**32 - 1")
        if list(view.committed) != sorted(set(view.committed) & set(range(n))):
            raise contradiction("committed: seats in ascending order are needed")
        if len(view.hand_sizes) != n or any(not 0 <= size <= 104 for size in view.hand_sizes):
            raise contradiction(f"hand_sizes: {n} sizes are needed")
        tricks = [
            (
                read.seat(leader, "tricks"),
                kinds_of(cards),
                None if winner is None else read.seat(winner, "tricks"),
            )
            for leader, cards, winner in view.tricks
        ]
        if any(len(cards) != n for _, cards, _ in tricks):
            raise contradiction(f"tricks: each has {n} cards")
        leader = view.trick[0][0] if view.trick else max(zones["turn"], 0)
        if any(
            seat != (read.seat(leader, "trick") + place) % n
            for place, (seat, _) in enumerate(view.trick)
        ):
            raise contradiction("trick: seats in turn from the leader are needed")
        if view.kitty_size != self.kitty_size or len(view.kitty or ()) not in (0, self.kitty_size):
            raise contradiction(f"kitty: it has {self.kitty_size} cards")
        zones |= {
            "phase": phase,
            "ply": view.ply,
            "pass_direction": DIRECTIONS.index(view.pass_direction),
            "taken": [b""] * n,
            "tricks_won": [0] * n,
            "held": b"",
            "kitty": kinds_of(view.kitty or ()),
            "tricks": tricks,
            "last_trick_done": not any(view.hand_sizes),
            "trick": (leader, kinds_of(card for _, card in view.trick)),
            "hearts_broken": view.hearts_broken,
        }
        self._check_sizes(zones)
        return zones

    def _check_sizes(self, zones: dict[str, Any]) -> None:
        view, n, phase, turn = self.view, self.n, zones["phase"], zones["turn"]
        sizes, in_trick = view.hand_sizes, len(view.trick)
        passes = self.rules.pass_count and view.pass_direction != "hold"
        waiting = [seat for seat in range(n) if seat not in view.committed]
        fits = in_trick < n and (not in_trick or phase == PLAY)
        if phase == PASS:
            fits &= sizes == (self.hand_size,) * n and not view.tricks and bool(passes)
            fits &= waiting[:1] == [turn]
        elif phase == PLAY:
            leader = zones["trick"][0]
            acted = [(leader + place) % n for place in range(in_trick)]
            fits &= turn == (leader + in_trick) % n and sizes[turn] > 0
            fits &= all(size == sizes[turn] - (seat in acted) for seat, size in enumerate(sizes))
        else:
            fits &= len(set(sizes)) == 1 and (not sizes[0] or self.rules.stop_when_decided)
        if view.committed and phase != PASS:
            fits = False
        if not fits:
            raise contradiction(
                f"hand sizes {list(sizes)}, {in_trick} cards on the table, the seats that have passed and the turn do "
                f"not fit phase {PHASES[phase]}"
            )
        if view.seat is not None and len(view.hand) != sizes[view.seat]:
            raise contradiction("hand and hand_sizes differ")
        if view.seat is None and view.hand:
            raise contradiction("a spectator holds no cards")

    def _plays(self) -> list[tuple[int, int, int | None]]:
        """(seat, kind, kind led or None) of all plays that the seat saw."""
        plays: list[tuple[int, int, int | None]] = []
        for leader, cards in (
            *((leader, cards) for leader, cards, _ in self.zones["tricks"]),
            self.zones["trick"],
        ):
            for place, kind in enumerate(cards):
                plays.append(((leader + place) % self.n, kind, cards[0] if place else None))
        return plays

    def _count_cards(self) -> None:
        """Which cards are unseen, how many of them every place has, and which lie where for certain."""
        view, zones = self.view, self.zones
        self.held: list[Counter[int]] = [Counter() for _ in range(self.n)]
        zones["exchanged"] = False
        zones["passed"] = {}
        mine = None if view.my_pass is None else bytes(sorted(kinds_of(view.my_pass)))
        got = None if view.received is None else bytes(sorted(kinds_of(view.received)))
        self.giver = self.taker = None
        if view.seat is not None:
            self.held[view.seat].update(kinds_of(view.hand))
            self._read_my_pass(mine, got)
        seen = Counter(zones["kitty"])
        seen.update(kind for _, kind, _ in self.plays)
        for held in self.held:
            seen.update(held)
        self.unseen = self.deck.copy()
        self.unseen.subtract(seen)
        for kind, left in self.unseen.items():
            if left < 0:
                raise contradiction(f"{CARDS[kind]} is not in the deck, or stands in it too often")
        self.unseen = +self.unseen
        self.room = {
            seat: size - self.held[seat].total() for seat, size in enumerate(view.hand_sizes)
        }
        if min(self.room.values()) < 0:
            raise contradiction("a seat holds fewer cards than are known to lie in its hand")

    def _read_my_pass(self, mine: bytes | None, got: bytes | None) -> None:
        view, zones, seat = self.view, self.zones, self.view.seat
        assert seat is not None
        if mine is not None:
            zones["passed"][seat] = mine
        if zones["phase"] == PASS:
            for other in view.committed:
                if other != seat:
                    zones["passed"][other] = bytes(self.rules.pass_count)
            if got is not None or (mine is not None) != (seat in view.committed):
                raise contradiction("my_pass and received do not fit the seats that have passed")
            if mine is not None and (
                len(mine) != self.rules.pass_count or Counter(mine) - self.held[seat]
            ):
                raise contradiction("the cards passed are cards of the hand until all have passed")
            return
        if (mine is None) != (got is None):
            raise contradiction("who has passed cards has received some")
        if mine is None or got is None:
            return
        if not self.rules.pass_count or view.pass_direction == "hold":
            raise contradiction("nothing is passed in this deal")
        if len(mine) != self.rules.pass_count or len(got) != self.rules.pass_count:
            raise contradiction(f"{self.rules.pass_count} cards are passed")
        zones["exchanged"] = True
        step = {"left": 1, "right": self.n - 1, "across": self.n // 2}[view.pass_direction]
        self.taker, self.giver = (seat + step) % self.n, (seat - step) % self.n
        zones["passed"][self.giver] = got
        self.held[self.taker] += Counter(mine) - self.played_by(self.taker)
        if Counter(got) - self.held[seat] - self.played_by(seat):
            raise contradiction("a card received is neither held nor played")

    def played_by(self, seat: int) -> Counter[int]:
        """The kinds that a seat has played in this deal."""
        return Counter(kind for player, kind, _ in self.plays if player == seat)

    def _readings(self) -> list[int | None]:
        """Where an unseen kitty may lie: in its own place, or among the cards captured before a set-up."""
        if not self.kitty_size or self.view.kitty is not None:
            return [None]
        rest = self.unseen.total() - sum(self.room.values())
        if rest <= self.kitty_size:
            return [KITTY]
        if self.zones["phase"] in (MOON, OVER):
            return [GONE]
        return [GONE, KITTY] if self.rules.kitty_to == "first_trick" else [KITTY, GONE]

    def _find_kitty(self, place: int | None) -> None:
        """The room for the kitty and for the cards captured before a set-up."""
        self.room.pop(KITTY, None)
        self.room.pop(GONE, None)
        self.gone = self.unseen.total() - sum(self.room.values())
        if place is not None:
            self.zones["kitty"] = b""
        if place == KITTY:
            self.room[KITTY] = self.kitty_size
            self.gone -= self.kitty_size
            self.zones["kitty"] = bytes(self.kitty_size)  # any cards, until a world gives them
        if self.gone < 0:
            raise contradiction("there are fewer unseen cards than places for them")
        if self.gone:
            self.room[GONE] = self.gone
        if self.gone and self.zones["phase"] == PASS:
            raise contradiction("in phase pass all cards are in the hands and the kitty")

    def _find_start(self) -> None:
        """Where the history begins: with the deal, or with a set-up, whose plays nobody vouches for."""
        view = self.view
        passes = bool(self.rules.pass_count) and view.pass_direction != "hold"
        dealt = not passes and view.deal_number == 0
        self.start = max(0, len(self.plays) - view.ply)
        self.is_setup = bool(self.gone) or self.start > 0 or (view.ply == len(self.plays) and not dealt)
        if view.seat is None and self.zones["phase"] == PASS:
            for seat in view.committed:
                self.zones["passed"][seat] = bytes(self.rules.pass_count)
        if view.seat is None and self.zones["phase"] != PASS:
            self.zones["exchanged"] = passes and not self.is_setup
        self.zones["kind"] = 0
        for event in view.events:
            if event.__class__.__name__ == "HandScored" and self.zones["phase"] == OVER:
                self.zones["kind"] = {None: 0, "add": 1, "subtract": 2}.get(event.kind, 0)  # type: ignore[attr-defined]

    def _read_passes(self) -> None:
        """keep_spades bears on hands where one may have had too few other cards to pass (H-PASS-10)."""
        if not (self.rules.keep_spades and self.zones["exchanged"]):
            return
        kinds = members(self.sets["kept"])
        count = self.rules.pass_count
        if not count < self.hand_size < count + sum(self.deck[kind] for kind in kinds):
            return
        places = [place for place, size in self.room.items() if size]
        ways = [
            list(combinations_with_replacement(places, self.unseen[kind]))
            for kind in kinds
            if self.unseen[kind]
        ]
        if prod(map(len, ways)) > MOST_WAYS_KEPT:
            raise NotImplementedError(
                f"keep_spades, two packs, {count} cards passed of hands of only {self.hand_size}"
            )
        kept = Passing(self)
        unseen = [kind for kind in kinds if self.unseen[kind]]
        cases = []
        for some in product(*ways):
            passes = kept.passes(dict(zip(unseen, some, strict=True)))
            if passes is not None:
                masks = {
                    kind: mask_of(where) for kind, where in zip(unseen, some, strict=True)
                }
                needs = [
                    (place, 1 << kind)
                    for kind, where in zip(unseen, some, strict=True)
                    for place in sorted(set(where))
                ]
                cases.append(Case(places=masks, needs=needs, kept=passes))
        self.choices.append(cases)

    def _hidden_passes(self) -> list[int]:
        seat = self.view.seat
        if self.zones["phase"] == PASS:
            return [other for other in self.view.committed if other != seat]
        if not self.zones["exchanged"]:
            return []
        return [other for other in range(self.n) if other not in (seat, self.giver)]

    # ---- what the plays tell ---------------------------------------------------------------------------
    def _read_plays(self) -> None:
        """Go through the plays from the last to the first, so that what was played later is known to be held."""
        self._find_broken()
        self.later = [0] * self.n
        at = len(self.plays)
        if self.zones["phase"] == PLAY and not self.view.trick:
            self._read_lead(at, self.zones["turn"], None)
        for seat, kind, led in reversed(self.plays):
            at -= 1
            if at < self.start:
                break
            self._read_play(seat, at)
            self.later[seat] |= 1 << kind
            if led is None:
                self._read_lead(at, seat, kind)

    def _find_broken(self) -> None:
        """Whether hearts were broken before each play, and after the last."""
        breaking = [self.sets["breaking"] >> kind & 1 for _, kind, _ in self.plays]
        first = next((at for at in range(self.start, len(breaking)) if breaking[at]), None)
        if not self.view.hearts_broken:
            if first is not None:
                raise contradiction("hearts are broken by a card that was played")
            self.broken = [False] * (len(self.plays) + 1)
            return
        # After a set-up hearts may have been broken from the start; that they were not shows where a lead was
        # passed on.
        before = self.is_setup and not any(
            at > self.start and self._natural_leader(at) != self.plays[at][0]
            for at in range(0, len(self.plays), self.n)
        )
        if first is None and not before:
            if not self.is_setup:
                raise contradiction("hearts are broken, but no card has broken them")
            before = True
        self.broken = [
            before or (first is not None and at > first) for at in range(len(self.plays) + 1)
        ]

    def _read_play(self, seat: int, at: int) -> None:
        """What the hand that made this play may have held besides, as the engine's rules have it."""
        _, kind, led = self.plays[at]
        opening = at < self.n and not self.gone
        hands = _zones.hands_that_play(
            self.position, kind, -1 if led is None else led, self.broken[at], opening
        )
        if not hands:
            raise contradiction(f"no hand may have played {CARDS[kind]} there")
        most = mask_of([kind])
        for sorts in hands:
            for sort in sorts:
                most |= sort
        self._limit(seat, most, f"seat {seat} played {CARDS[kind]}")
        if len(hands) == 1:
            return
        # Not every part of the greatest hand will do: each hand that will do is a case.
        cases = []
        sure = self.later[seat] | mask_of(self.held[seat])
        for sorts in hands:
            needs = [(seat, sort) for sort in sorts if not (sure | 1 << kind) & sort]
            if not sure & ~sum(sorts) and (self.room[seat] or not needs):
                cases.append(Case({seat: sum(sorts)}, needs=needs))
        if not cases:
            raise contradiction(f"no hand may have played {CARDS[kind]} there")
        self.choices.append(cases)

    def _limit(self, seat: int, kinds: int, why: str) -> None:
        """All that a seat held then is of these kinds."""
        wrong = (self.later[seat] | mask_of(self.held[seat])) & ~kinds
        if wrong:
            raise contradiction(f"{why}, so it cannot have held {CARDS[members(wrong)[0]]}")
        self.allowed[seat] &= kinds

    # ---- who leads -------------------------------------------------------------------------------------
    def _natural_leader(self, at: int) -> int | None:
        """Who has the lead by the trick before, or the deal; None: the holder of a club, or that of a set-up."""
        if at == 0 and not self.is_setup:
            return (self.view.dealer + 1) % self.n if self.rules.lead == "dealer_left" else None
        if at <= self.start and self.is_setup:
            return None
        leader, _, winner = self.zones["tricks"][at // self.n - 1]
        return int(leader if winner is None else winner)

    def _read_lead(self, at: int, seat: int, kind: int | None) -> None:
        """This seat had the lead (kind None: has it now)."""
        natural = self._natural_leader(at)
        if at == 0 and natural is None and not self.is_setup:
            self._read_opener(seat, kind)
            return
        if natural is None:
            natural = seat
        closed = (
            self.rules.lead_when_stuck == "pass_lead"
            and self.rules.break_required
            and not self.broken[at]
        )
        if natural != seat and not closed:
            raise contradiction(f"seat {natural} had the lead, not seat {seat}")
        if not closed:
            return
        # H-LEAD-7: the lead goes on to the left past hands of hearts only.
        skipped = [
            (natural + place) % self.n for place in range((seat - natural) % self.n)
        ]
        for other in skipped:
            self._limit(other, HEARTS, f"seat {other} passed the lead on")
        sure = self.later[seat] | mask_of(self.held[seat])
        if sure & ~HEARTS:
            return
        # The leader holds another card, or everybody holds only hearts and the lead was not passed on.
        cases = [] if kind is not None or not self.room[seat] else [Case(needs=[(seat, ALL & ~HEARTS)])]
        everybody = [self.later[other] | mask_of(self.held[other]) for other in range(self.n)]
        if not skipped and not any(held & ~HEARTS for held in everybody):
            cases.append(Case({other: HEARTS for other in range(self.n)}))
        if not cases:
            raise contradiction(f"seat {seat} holds only hearts and would have passed the lead on")
        self.choices.append(cases)

    def _read_opener(self, seat: int, kind: int | None) -> None:
        """H-LEAD-1 to H-LEAD-3: the seat held the lowest club that lies in a hand, so lower ones lie in the kitty."""
        sure = [self.later[other] | mask_of(self.held[other]) for other in range(self.n)]
        left = (self.view.dealer + 1) % self.n
        before = [(left + place) % self.n for place in range((seat - left) % self.n)]
        elsewhere = ~mask_of(before)
        cases: list[Case] = []
        places: dict[int, int] = {}
        for club in sorted(kind for kind in self.deck if kind < 13):
            holders = [other for other in range(self.n) if sure[other] >> club & 1]
            may_be = kind is None or self.rules.lead == "any_club" or club == kind
            if may_be and not any(other in before for other in holders):
                here = Case(places={**places, club: elsewhere})
                if seat in holders:
                    cases.append(here)
                elif self.unseen[club] and self.room[seat]:
                    here.needs = ((seat, 1 << club),)
                    cases.append(here)
            if holders or (self.unseen[club] and KITTY not in self.room):
                break
            places[club] = 1 << KITTY
        if not cases:
            raise contradiction(f"seat {seat} cannot have held the lowest club")
        self.choices.append(cases)

    # ---- counting --------------------------------------------------------------------------------------
    def _plan(self) -> list[Pile]:
        """The disjoint cases that are possible, each with its plan; [] if there is none."""
        points = [
            shown - found
            for shown, found in zip(self.view.points, _zones.points(self.position), strict=False)
        ]
        if len(self.view.points) != self.n or (not self.gone and any(points)):
            raise contradiction("points are not those of the cards captured")
        piles: list[Pile] = []
        for some in product(*self.choices):
            case = Case()
            for part in some:
                case = case.join(part)
            for classes in self._classes(case):
                piles += self._piles(classes, case.kept, points)
        return [pile for pile in piles if pile.plan.weight]

    def _classes(self, case: Case) -> list[list[CardClass]]:
        """The unseen cards by the places where they may lie; several lists where a seat needs one of some kinds."""
        room = [place for place, size in self.room.items() if size]
        grouped: dict[tuple[object, ...], tuple[int, list[int]]] = {}
        values = self.rules._points() if self.gone else [0] * 52
        for kind, count in sorted(self.unseen.items()):
            mask = 0
            for place in room:
                kinds = ALL
                if place < self.n:
                    kinds = self.allowed[place] & case.limits.get(place, ALL)
                mask |= (kinds >> kind & 1) << place
            mask &= case.places.get(kind, -1)
            key = (mask, values[kind], *(kinds >> kind & 1 for _, kinds in case.needs))
            grouped.setdefault(key, (mask, []))[1].extend([kind] * count)
        for seat, limit in case.limits.items():
            if mask_of(self.held[seat]) & ~limit:
                return []
        found = [[CardClass(cards, mask) for mask, cards in grouped.values()]]
        for seat, kinds in case.needs:
            found = [after for before in found for after in _with_one(before, seat, kinds)]
        return [self._merged(classes) for classes in found]

    def _merged(self, classes: Sequence[CardClass]) -> list[CardClass]:
        """Classes that are told apart no longer."""
        values = self.rules._points() if self.gone else [0] * 52
        merged: dict[tuple[object, ...], CardClass] = {}
        for number, some in enumerate(classes):
            key = (some.places, values[some.cards[0]], number if some.bounds else None)
            if key in merged:
                merged[key].cards = tuple(sorted(merged[key].cards + some.cards))
            else:
                merged[key] = some
        return list(merged.values())

    def _piles(
        self, classes: list[CardClass], kept: Mapping[int, tuple[int, ...]], points: list[int]
    ) -> list[Pile]:
        """The plans of these classes: one, or one for each way in which captured cards can make up the points."""
        if not self.gone:
            return [Pile(Plan(classes, self.room, self.graph), kept, ())]
        values = self.rules._points()
        worth = [values[some.cards[0]] for some in classes]
        piles: list[Pile] = []
        for counts in self._captured(classes, worth, sum(points)):
            slots = self._share(list(zip(worth, counts, strict=True)), points)
            if slots is None:
                continue
            bounded = [
                CardClass(some.cards, some.places, {**some.bounds, GONE: (count, count)})
                if value
                else some
                for some, value, count in zip(classes, worth, counts, strict=True)
            ]
            piles.append(Pile(Plan(bounded, self.room, self.graph), kept, slots))
        return piles

    def _may_be_held(self) -> bool:
        """Whether tricks held over before a set-up may lie on the table still."""
        return self.rules.decks == 2 and all(winner is None for _, _, winner in self.zones["tricks"])

    def _captured(
        self, classes: Sequence[CardClass], worth: Sequence[int], total: int
    ) -> Iterator[tuple[int, ...]]:
        """How many cards of each class can have been captured before a set-up, 0 for cards of no worth: those are
        worth this total, and more only where tricks may be held over."""
        most = [
            min(len(some.cards), self.gone) if value and some.places >> GONE & 1 else 0
            for some, value in zip(classes, worth, strict=True)
        ]
        exactly = not self._may_be_held()
        left = MOST_WAYS_CAPTURED

        def choose(at: int, room: int, total: int) -> Iterator[tuple[int, ...]]:
            nonlocal left
            rest = [number * value for number, value in zip(most[at:], worth[at:], strict=True)]
            if total > sum(part for part in rest if part > 0):
                return
            if exactly and total < sum(part for part in rest if part < 0):
                return
            if at == len(classes):
                left -= 1
                if left < 0:
                    raise NotImplementedError(
                        "a set-up with cards captured before, which may be worth their points in very many ways"
                    )
                yield ()
                return
            for number in range(min(most[at], room) + 1):
                for others in choose(at + 1, room - number, total - number * worth[at]):
                    yield (number, *others)

        return choose(0, self.gone, total)

    def _share(
        self, groups: Sequence[tuple[int, int]], points: list[int]
    ) -> list[tuple[int, int]] | None:
        """(points, pile) of so many cards of each worth, so that the piles have these points; None if impossible.

        With two packs, what no seat has taken may have been held over."""
        # Bonus cards first: what is left for penalty cards then only falls.
        cards = sorted(
            (worth for worth, count in groups for _ in range(count)),
            key=lambda worth: (worth > 0, -abs(worth)),
        )
        held = self._may_be_held()
        shooter = self.zones["turn"] if self.zones["phase"] == MOON else None
        dead: set[tuple[int, tuple[int, ...]]] = set()
        bonuses = sum(worth < 0 for worth in cards)
        rests = [sum(cards[at:]) for at in range(len(cards) + 1)]

        def fill(at: int, left: tuple[int, ...]) -> list[tuple[int, int]] | None:
            if at == len(cards):
                return None if any(left) else []
            if (at, left) in dead:
                return None
            if at >= bonuses and not sum(left) <= rests[at] <= sum(left) + (rests[0] if held else 0):
                return None
            if len(dead) > MOST_WAYS_CAPTURED:
                raise NotImplementedError(
                    "a set-up with cards captured before, whose points are hard to share out"
                )
            tried = set()
            for pile in range(self.n + held):
                after = left
                if pile < self.n:
                    if (cards[at] > 0 and left[pile] < cards[at]) or left[pile] in tried:
                        continue
                    if shooter is None:     # piles that lack as much are alike
                        tried.add(left[pile])
                    elif pile != shooter and cards[at] > 0:
                        continue
                    after = left[:pile] + (left[pile] - cards[at],) + left[pile + 1 :]
                rest = fill(at + 1, after)
                if rest is not None:
                    return [(cards[at], pile), *rest]
            dead.add((at, left))
            return None

        slots = fill(0, tuple(points))
        if slots is None:
            return None
        over = sum(pile == self.n for _, pile in slots)
        plain = self.gone - len(cards)
        return slots if -over % self.n <= plain else None


class Passing:
    """Which passes under keep_spades lead to hands with these kept cards, A, K and Q of spades.

    A seat passes no kept card, or it had fewer other cards than it had to pass: then it passed all of those and its
    lowest kept ones, so that all others it has after the exchange are cards that it received."""

    def __init__(self, known: Knowledge) -> None:
        self.n = known.n
        self.size = known.hand_size
        self.count = known.rules.pass_count
        kinds = members(known.sets["kept"])
        self.seen = [
            [kind for kind in kinds for _ in range((held + known.played_by(seat))[kind])]
            for seat, held in enumerate(known.held)
        ]
        self.told = {
            seat: tuple(kind for kind in cards if kind in kinds)
            for seat, cards in known.zones["passed"].items()
        }
        step = {"left": 1, "right": self.n - 1, "across": self.n // 2}[known.view.pass_direction]
        self.receiver = [(seat + step) % self.n for seat in range(self.n)]

    def passes(self, places: Mapping[int, Sequence[int]]) -> dict[int, tuple[int, ...]] | None:
        """Seat -> the kept cards it passed, if unseen ones (kind -> places) lie so; None if no passes lead there."""
        hands = [
            sorted([*self.seen[seat], *(k for k, where in places.items() for p in where if p == seat)])
            for seat in range(self.n)
        ]
        found: dict[int, tuple[int, ...]] = {}
        for first in range(self.n):
            if first not in found and not self._round(hands, first, found):
                return None
        return {seat: cards for seat, cards in found.items() if cards}

    def _options(self, hands: Sequence[list[int]], seat: int) -> list[tuple[int, ...]]:
        """The kept cards that a seat may have passed, by what its receiver has."""
        to = hands[self.receiver[seat]]
        options = [self.told[seat]] if seat in self.told else [
            cards
            for number in range(min(self.count, len(to)) + 1)
            for cards in dict.fromkeys(combinations(to, number))
        ]
        others = self.size - len(to)
        return [
            cards
            for cards in options
            if not Counter(cards) - Counter(to) and self.count - len(cards) <= others
        ]

    def _legal(self, hand: list[int], received: tuple[int, ...], passed: tuple[int, ...]) -> bool:
        """Whether a seat that has these kept cards after the exchange may have passed those."""
        if not passed:
            return True
        stayed = Counter(hand) - Counter(received)
        return self.size - len(hand) == self.count - len(received) and (
            not stayed or max(passed) <= min(stayed)
        )

    def _round(
        self, hands: Sequence[list[int]], first: int, found: dict[int, tuple[int, ...]]
    ) -> bool:
        """Find the passes of the seats that pass on to each other in a round."""
        for start in self._options(hands, first):
            # What each seat may have passed -> what the seat before it passed then.
            before: list[dict[tuple[int, ...], tuple[int, ...]]] = [{start: ()}]
            seats = [first]
            while self.receiver[seats[-1]] != first:
                seat = self.receiver[seats[-1]]
                before.append(
                    {
                        cards: got
                        for cards in self._options(hands, seat)
                        for got in before[-1]
                        if self._legal(hands[seat], got, cards)
                    }
                )
                seats.append(seat)
            for last in before[-1]:
                if self._legal(hands[first], last, start):
                    cards = last
                    for place in reversed(range(len(seats))):
                        found[seats[place]] = cards
                        cards = before[place][cards]
                    return True
        return False


def _with_one(classes: Sequence[CardClass], place: int, kinds: int) -> list[list[CardClass]]:
    """The same cards where at least one of these kinds lies there: by the first class of which one does."""
    found: list[list[CardClass]] = []
    before: list[int] = []
    for number, some in enumerate(classes):
        if not (kinds >> some.cards[0] & 1 and some.places >> place & 1):
            continue
        copy = [
            CardClass(
                other.cards,
                other.places & ~(1 << place) if at in before else other.places,
                {**other.bounds, place: (1, len(other.cards))} if at == number else other.bounds,
            )
            for at, other in enumerate(classes)
        ]
        found.append(copy)
        if place in some.bounds:     # it does in any case
            break
        before.append(number)
    return found
