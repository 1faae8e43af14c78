"""Reading a view of Hearts: its zones, checked, and which cards are unseen in how many places.

Cards are kinds 0..51 here, sets of kinds are bit masks. Places are the seats, the kitty, and `GONE`: the piles of cards
captured before a set-up, which no view shows.
"""

from __future__ import annotations

from collections import Counter

from herzen._core import State
from herzen.errors import SetupError
from herzen.hearts import _zones
from herzen.hearts.cards import CARDS
from herzen.hearts.rules import DIRECTIONS
from herzen.hearts.setup import MOON, OVER, PASS, PHASES, PLAY
from herzen.integers import shown
from herzen.setups import Zones

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from herzen.hearts.cards import Card
    from herzen.hearts.view import HeartsView

KITTY = 11
GONE = 12


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


class Seen:
    """A view, read. SetupError if it contradicts itself."""

    def __init__(self, view: HeartsView, position: State) -> None:
        """`position`: an empty one under the view's rules."""
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

    # ---- the zones -------------------------------------------------------------------------------------
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
            raise contradiction(f"pass_direction {shown(view.pass_direction)} does not fit")
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
        self.giver: int | None = None
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
        taker, self.giver = (seat + step) % self.n, (seat - step) % self.n
        zones["passed"][self.giver] = got
        self.held[taker] += Counter(mine) - self.played_by(taker)
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
        taken = self.rules.kitty_to == "first_trick" or self.zones["phase"] in (MOON, OVER)
        return [GONE, KITTY] if taken else [KITTY, GONE]

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

    def anyhow(self) -> dict[str, Any] | None:
        """The zones of a position that looks like this, the unseen cards lying anyhow.

        None if some of them were captured before a set-up.
        """
        self._find_kitty(self._readings()[0])
        if self.gone:
            return None
        self._find_start()
        unseen = sorted(self.unseen.elements())
        hands = []
        for seat in range(self.n):
            some = [*self.held[seat].elements(), *unseen[: self.room[seat]]]
            hands.append(bytes(sorted(some)))
            del unseen[: self.room[seat]]
        if KITTY in self.room:
            self.zones["kitty"] = bytes(unseen)
        return self.zones | {"hands": hands}

    def _find_start(self) -> None:
        """Where the history begins: with the deal, or with a set-up, whose plays nobody vouches for."""
        view = self.view
        passes = bool(self.rules.pass_count) and view.pass_direction != "hold"
        dealt = not passes and view.deal_number == 0
        self.start = max(0, len(self.plays) - view.ply)
        self.is_setup = (
            bool(self.gone) or self.start > 0 or (view.ply == len(self.plays) and not dealt)
        )
        if view.seat is None and self.zones["phase"] == PASS:
            for seat in view.committed:
                self.zones["passed"][seat] = bytes(self.rules.pass_count)
        if view.seat is None and self.zones["phase"] != PASS:
            self.zones["exchanged"] = passes and not self.is_setup
        self.zones["kind"] = 0
        for event in view.events:
            if event.__class__.__name__ == "HandScored" and self.zones["phase"] == OVER:
                self.zones["kind"] = {None: 0, "add": 1, "subtract": 2}.get(event.kind, 0)  # type: ignore[attr-defined]
