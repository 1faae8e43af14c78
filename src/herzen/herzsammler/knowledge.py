"""What a view of Herzsammler tells about the cards: the zones it shows, and what may lie in the others."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from herzen.errors import SetupError
from herzen.herzsammler.setup import OVER, PHASES, object_sets, shown_by
from herzen.knowledge import ViewZones, read_common
from herzen.setups import number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from herzen.herzsammler.rules import HerzsammlerRules
    from herzen.herzsammler.view import HerzsammlerView

HANDS, OPEN = 3, 6
REASONS = (None, "empty", "short", "no_card", "stalled")


def read_view(view: HerzsammlerView) -> dict[str, Any]:
    """The zones of a view as `_zones.place` reads them; SetupError if they do not fit each other.

    Other hands hold only the cards that everybody knows there. `slots` says how many each lacks, `hidden` which
    cards (kinds, ascending) lie there or on top of the stack; there the stack has zeros.
    """
    rules = view.rules
    n = rules.players
    read = ViewZones(n, rules._cards._by_id, Counter([card.index for card in rules._cards._by_id]))
    zones = read_common(view, read, PHASES, rules.games)
    at, sizes = zones["phase"], zones["sizes"]
    own = bytes(sorted(read.cards(view.hand, "hand")))
    known = _known(view, read, own)
    zones["known"] = known
    zones["hands"] = [own if seat == view.seat else cards for seat, cards in enumerate(known)]
    zones["collections"] = [
        read.cards(cards, f"collections[{seat}]")
        for seat, cards in enumerate(read.per_seat(view.collections, "collections"))
    ]
    zones["open"] = bytes(sorted(read.cards(view.open, "open")))
    bottom = read.cards(view.bottom, "bottom")
    zones["bottom"] = len(bottom)
    zones["misses"] = number(view.misses, 0, rules.stall_limit - (at != OVER), "misses")
    zones["hearts_won"] = [
        number(count, 0, 1_280_000, "hearts_won")
        for count in read.per_seat(view.hearts_won, "hearts_won")
    ]
    slots = [size - len(hand) for size, hand in zip(sizes, zones["hands"], strict=True)]
    _check_sizes(rules, zones, view.stack_size)
    on_top = number(view.stack_size, len(bottom), 128, "stack_size") - len(bottom)
    hidden = bytes([card for card, count in sorted(read.left.items()) for _ in range(count)])
    if len(hidden) != sum(slots) + on_top:
        raise SetupError(
            f"hand_sizes, stack_size: {len(hidden)} cards lie nowhere else, not {sum(slots) + on_top}"
        )
    zones["stack"] = bytes(on_top) + bottom
    zones["barred"] = _barred(view, zones, read)
    zones["reason"] = _reason(rules, zones) if at == OVER else 0
    return zones | {"slots": slots, "hidden": hidden}


def read_table(view: HerzsammlerView) -> dict[str, Any]:
    """A position that shows the viewer the same, whether it can be or not, as `_zones.place` reads it.

    Hidden cards lie in any order. For players that look at nothing hidden.
    """
    zones = read_view(view)
    hidden: bytes = zones["hidden"]
    for seat, count in enumerate(zones["slots"]):
        zones["hands"][seat] = bytes(sorted(zones["hands"][seat] + hidden[:count]))
        hidden = hidden[count:]
    zones["stack"] = hidden + zones["stack"][len(hidden) :]
    return zones


def _known(view: HerzsammlerView, read: ViewZones, own: bytes) -> list[bytes]:
    """The cards that everybody knows in each hand. Those of the viewer lie in its hand, which is read already."""
    known = [b""] * read.players
    for seat, cards in read.by_seat(view.known, "known"):
        if seat == view.seat:
            known[seat] = bytes(card.index for card in read.named(cards, f"known[{seat}]"))
            if Counter(known[seat]) - Counter(own):
                raise SetupError(f"known[{seat}]: cards of the viewer's hand are needed")
        else:
            known[seat] = read.cards(cards, f"known[{seat}]")
        known[seat] = bytes(sorted(known[seat]))
    return known


def _check_sizes(rules: HerzsammlerRules, zones: dict[str, Any], stack: int) -> None:
    """Hands and open cards must fit the turn."""
    playing = zones["phase"] != OVER
    if len(zones["open"]) > OPEN or (playing and len(zones["open"]) < OPEN):
        raise SetupError("open: six cards are needed")
    short = not playing or (rules.end == "short" and not stack)
    for seat, size in enumerate(zones["sizes"]):
        mine = seat == zones["turn"]
        full = HANDS if mine or not playing else HANDS - 1
        least = (1 if mine else 0) if short else full
        if not least <= size <= full:
            raise SetupError(f"hand_sizes[{seat}]: {least}..{full} cards are needed, not {size}")
        if len(zones["hands"][seat]) > size:
            raise SetupError(f"known[{seat}]: more cards than the hand holds")


def _barred(view: HerzsammlerView, zones: dict[str, Any], read: ViewZones) -> list[list[int]]:
    """What the unknown cards of each hand cannot show (S-KNOW-6), the older entry never the weaker one."""
    unknown = [
        size - len(known) for size, known in zip(zones["sizes"], zones["known"], strict=True)
    ]
    if not view.rules.must_match:
        return [[0] * count for count in unknown]
    barred = object_sets(view.barred, read)
    for seat, sets in enumerate(barred):
        if len(sets) != unknown[seat] or any(a & b != b for a, b in pairwise(sets)):
            raise SetupError(
                f"barred[{seat}]: one entry for each unknown card, each within the one before"
            )
    if view.seat is not None:
        mine = Counter(zones["hands"][view.seat]) - Counter(zones["known"][view.seat])
        shown = [shown_by(view.rules, card) for card in mine.elements()]
        for place, objects in enumerate(barred[view.seat]):
            if sum(not objects & shows for shows in shown) < place + 1:
                raise SetupError(f"barred[{view.seat}]: the hand shows what it cannot")
    return barred


def _reason(rules: HerzsammlerRules, zones: dict[str, Any]) -> int:
    """Why the last game ended, as its end position tells."""
    if zones["misses"] >= rules.stall_limit:
        return REASONS.index("stalled")
    if rules.end == "empty":
        return REASONS.index("empty")
    return REASONS.index("short" if len(zones["open"]) < OPEN else "no_card")
