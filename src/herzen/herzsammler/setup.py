"""Setting up positions of Herzsammler: reading the zones, checking that they fit, writing them out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import pairwise

from herzen.errors import SetupError
from herzen.herzsammler import _zones
from herzen.herzsammler.cards import LETTERS
from herzen.setups import Zones, head_of, number, write_common

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from herzen._core import Position
    from herzen.herzsammler.rules import HerzsammlerRules

SHOW, OVER = range(2)
PHASES = ("show", "over")


def letters(objects: int) -> str:
    """A set of objects as letters in alphabetical order."""
    return "".join(letter for bit, letter in enumerate(LETTERS) if objects >> bit & 1)


def write_zones(rules: HerzsammlerRules, position: Position) -> dict[str, Any]:
    """The keywords of `setup` for a position; zones that are at their defaults are left out."""
    seats = range(position.players)
    facts = _zones.facts(position)

    def texts(cards: bytes) -> list[str]:
        return [str(rules._card(card)) for card in cards]

    stack = _zones.stack(position)
    zones: dict[str, Any] = {
        "hands": [texts(_zones.hand(position, seat)) for seat in seats],
        **write_common(position, PHASES),
        "open": texts(_zones.open_cards(position)),
        "stack": texts(stack),
        "collections": [texts(_zones.collection(position, seat)) for seat in seats],
    }
    if facts["bottom"]:
        zones["bottom"] = texts(stack[len(stack) - facts["bottom"] :])
    if facts["misses"]:
        zones["misses"] = facts["misses"]
    if any(facts["hearts_won"]):
        zones["hearts_won"] = facts["hearts_won"]
    known = {seat: texts(bytes(sorted(_zones.known(position, seat)))) for seat in seats}
    if any(known.values()):
        zones["known"] = {str(seat): cards for seat, cards in known.items() if cards}
    if rules.must_match:
        zones["barred"] = [
            [letters(bits) for bits in _zones.barred(position, seat)] for seat in seats
        ]
    return zones


def all_zones(position: Position) -> dict[str, Any]:
    """Everything in a position, as `_zones.place` reads it."""
    seats = range(position.players)
    facts = _zones.facts(position)
    return {
        **head_of(position),
        "scores": list(position._scores()),
        "hearts_won": facts["hearts_won"],
        "misses": facts["misses"],
        "hands": [_zones.hand(position, seat) for seat in seats],
        "known": [_zones.known(position, seat) for seat in seats],
        "barred": [_zones.barred(position, seat) for seat in seats],
        "collections": [_zones.collection(position, seat) for seat in seats],
        "open": _zones.open_cards(position),
        "stack": _zones.stack(position),
        "bottom": facts["bottom"],
        "drawn": _zones.last_drawn(position),
        "reason": (None, "empty", "short", "no_card", "stalled").index(facts["reason"]),
    }


def read_zones(
    rules: HerzsammlerRules,
    *,
    hands: Any,
    turn: Any,
    open: Any,
    stack: Any,
    dealer: Any = None,
    phase: Any = None,
    deal_number: Any = 0,
    scores: Any = None,
    collections: Any = None,
    bottom: Any = (),
    misses: Any = 0,
    hearts_won: Any = None,
    known: Any = None,
    barred: Any = None,
) -> dict[str, Any]:
    """The checked zones of a set-up, as `_zones.place` reads them. SetupError says what does not fit."""
    n = rules.players
    deck = Counter(card.index for card in rules._cards._by_id)
    read = Zones(n, rules._parse_card, deck)
    at = read.phase(phase, PHASES, "show")
    zones = read.common(rules, at == OVER, turn, dealer, deal_number, scores, rules.games)
    zones["phase"] = at
    zones["hands"] = read.hands(hands)
    zones["collections"] = read.piles(collections, "collections")
    zones["open"] = bytes(sorted(read.cards(open, "open")))
    zones["stack"] = read.cards(stack, "stack")
    read.complete(rules._cards._all)
    ends = bytes(card.index for card in read.named(bottom, "bottom"))
    if zones["stack"][len(zones["stack"]) - len(ends) :] != ends or len(ends) > len(zones["stack"]):
        raise SetupError("bottom: the last cards of the stack are needed")
    zones["bottom"] = len(ends)
    zones["misses"] = number(misses, 0, rules.stall_limit - (at == SHOW), "misses")
    zones["hearts_won"] = [
        number(count, 0, 1_280_000, "hearts_won")
        for count in read.per_seat([0] * n if hearts_won is None else hearts_won, "hearts_won")
    ]
    zones["known"] = _known(zones, known, read)
    zones["barred"] = _barred(rules, zones, barred, read)
    if at == SHOW:
        _check_sizes(rules, zones)
    elif len(zones["open"]) > 6 or any(len(hand) > 3 for hand in zones["hands"]):
        raise SetupError("at most six open cards and three cards in a hand")
    return zones


def _check_sizes(rules: HerzsammlerRules, zones: dict[str, Any]) -> None:
    """Hands, open cards and stack must fit the turn."""
    if len(zones["open"]) != 6:
        raise SetupError("open: six cards are needed")
    short = rules.end == "short" and not zones["stack"]
    for seat, hand in enumerate(zones["hands"]):
        mine = seat == zones["turn"]
        full = 3 if mine else 2
        least = (1 if mine else 0) if short else full
        if not least <= len(hand) <= full:
            raise SetupError(f"hands[{seat}]: {least}..{full} cards are needed, not {len(hand)}")


def _known(zones: dict[str, Any], known: Any, read: Zones) -> list[bytes]:
    out = [b""] * read.players
    if known is None:
        return out
    if not isinstance(known, Mapping):
        raise SetupError("known: a mapping of seats to cards is needed")
    for seat, cards in read.by_seat(known, "known"):
        out[seat] = bytes(card.index for card in read.named(cards, f"known[{seat}]"))
        if Counter(out[seat]) - Counter(zones["hands"][seat]):
            raise SetupError(f"known[{seat}]: cards of the seat's hand are needed")
    return out


def _barred(
    rules: HerzsammlerRules, zones: dict[str, Any], barred: Any, read: Zones
) -> list[list[int]]:
    unknown = [
        sorted((Counter(hand) - Counter(known)).elements())
        for hand, known in zip(zones["hands"], zones["known"], strict=True)
    ]
    given = None if barred is None else object_sets(barred, read)
    if given is None or not rules.must_match:
        return [[0] * len(cards) for cards in unknown]
    for seat, sets in enumerate(given):
        if len(sets) != len(unknown[seat]) or any(a & b != b for a, b in pairwise(sets)):
            raise SetupError(
                f"barred[{seat}]: one entry for each unknown card, each within the one before"
            )
        shows = [shown_by(rules, card) for card in unknown[seat]]
        for place in range(len(sets)):  # entry j asks that at least j + 1 cards avoid it
            if sum(not objects & sets[place] for objects in shows) < place + 1:
                raise SetupError(f"barred[{seat}]: the hand shows what it cannot")
    return given


def shown_by(rules: HerzsammlerRules, card: int) -> int:
    """The objects on a card, one bit each."""
    return sum(1 << LETTERS.index(letter) for letter in set(rules._card(card).objects))


def object_sets(barred: Any, read: Zones) -> list[list[int]]:
    """The entries of `barred` by seat, one bit an object."""
    out: list[list[int]] = []
    for seat, entries in enumerate(read.per_seat(barred, "barred")):
        if isinstance(entries, (str, bytes, Mapping)) or not isinstance(entries, Iterable):
            raise SetupError(f"barred[{seat}]: a sequence of texts is needed")
        sets = []
        for entry in entries:
            if not isinstance(entry, str) or any(letter not in LETTERS for letter in entry):
                raise SetupError(f"barred[{seat}]: letters of objects are needed")
            sets.append(sum(1 << LETTERS.index(letter) for letter in set(entry)))
        out.append(sets)
    return out
