"""What a view of Hearts tells about the cards that its seat does not see.

Every play that the seat saw says what the player's hand cannot have held; the engine's own rules are asked which hands
may have made it. What remains is counted (herzen.counting).
"""

from __future__ import annotations

from itertools import product

from herzen._core import State
from herzen.counting import CardClass, Graph, Plan
from herzen.hearts import _zones
from herzen.hearts.cards import CARDS
from herzen.hearts.cases import ALL, Case, Pile, with_one
from herzen.hearts.hidden import captured, kept_cases, share
from herzen.hearts.seen import GONE, KITTY, Seen, contradiction, mask_of, members
from herzen.hearts.setup import PASS, PLAY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from herzen.hearts.view import HeartsView

HEARTS = ((1 << 13) - 1) << 26


class Knowledge(Seen):
    """A view and all that follows from it. SetupError, NotImplementedError: as `View.sample`."""

    def __init__(self, view: HeartsView, position: State) -> None:
        """`position`: an empty one under the view's rules; becomes the view's position without the unseen cards."""
        super().__init__(view, position)
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
            kept = kept_cases(self)
            if kept is not None:
                self.choices.append(kept)
            self._read_plays()
        self.piles = self._plan()

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
        skipped = [(natural + place) % self.n for place in range((seat - natural) % self.n)]
        for other in skipped:
            self._limit(other, HEARTS, f"seat {other} passed the lead on")
        sure = self.later[seat] | mask_of(self.held[seat])
        if sure & ~HEARTS:
            return
        # The leader holds another card, or everybody holds only hearts and the lead was not passed on.
        cases = (
            [] if kind is not None or not self.room[seat] else [Case(needs=[(seat, ALL & ~HEARTS)])]
        )
        everybody = [self.later[other] | mask_of(self.held[other]) for other in range(self.n)]
        if not skipped and not any(held & ~HEARTS for held in everybody):
            cases.append(Case(dict.fromkeys(range(self.n), HEARTS)))
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
            found = [after for before in found for after in with_one(before, seat, kinds)]
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
        for counts in captured(self, classes, worth, sum(points)):
            slots = share(self, list(zip(worth, counts, strict=True)), points)
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
