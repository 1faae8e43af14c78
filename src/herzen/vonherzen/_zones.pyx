"""Reading positions of Von Herzen from Python, setting them up, and their bytes for the fingerprint.

Cards are card indices; sets are ascending `bytes`, pile, stock and runs are `bytes` in order."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.string cimport memset

from herzen._core cimport Position, State, hz_lowest, put_head, put_number, put_pile, set_head
from herzen.vonherzen._rules cimport *


cdef bytes _cards(uint32_t cards):
    cdef bytearray out = bytearray()
    while cards:
        out.append(hz_lowest(cards))
        cards &= cards - 1
    return bytes(out)


def hand(Position position, int seat) -> bytes:
    """The cards that a seat holds."""
    return _cards((<VonHerzen *> position.pos).hand[seat])


def known(Position position, int seat) -> bytes:
    """Cards that the seat took openly and still holds."""
    return _cards((<VonHerzen *> position.pos).known[seat])


def runs(Position position) -> list[tuple[int, bytes]]:
    """(owner, cards upwards) of the runs, by number."""
    cdef VonHerzen *p = <VonHerzen *> position.pos
    cdef int i
    return [
        (p.runs[i].owner, bytes(p.runs[i].cards[:p.runs[i].length])) for i in range(p.run_count)
    ]


def pile(Position position) -> bytes:
    """The open pile, top last."""
    cdef VonHerzen *p = <VonHerzen *> position.pos
    return bytes(p.pile[:p.pile_size])


def stock(Position position) -> bytes:
    """The stock, top first."""
    cdef VonHerzen *p = <VonHerzen *> position.pos
    return bytes(p.stock[p.stock_top:p.stock_top + p.stock_size])


def swaps(Position position) -> list[tuple[int, int, bytes, bytes]]:
    """(proposer, partner, cards from the proposer, cards from the partner) of this deal's swaps."""
    cdef VonHerzen *p = <VonHerzen *> position.pos
    cdef int i
    return [
        (
            p.swaps[i].proposer, p.swaps[i].partner, _cards(p.swaps[i].from_proposer),
            _cards(p.swaps[i].from_partner),
        )
        for i in range(p.swap_count)
    ]


def points(Position position) -> list[int]:
    """Each seat's points: its runs less one for each card it holds."""
    cdef int32_t out[SEATS]
    cdef int seat
    deal_points(<VonHerzen *> position.pos, <const Block *> position.block, out)
    return [out[seat] for seat in range(position.players)]


def facts(Position position) -> dict[str, object]:
    """The small facts of a position, by name."""
    cdef VonHerzen *p = <VonHerzen *> position.pos
    return {
        "proposals": p.proposals,
        "proposer": proposer_of(p),
        "size": p.size,
        "counter": p.counter or None,
        "asked": p.asked,
        "offered": _cards(p.offered),
        "agreed": _cards(p.agreed),
        "melded": p.melded,
        "last_left": p.last_left,
        "turns_taken": p.turns_taken,
        "idle_turns": p.idle_turns,
        "drawn": None if p.drawn == NO_CARD else p.drawn,
        "melds": p.melds,
        "progress": bool(p.progress),
        "turned_over": bool(p.turned_over),
        "blocked": bool(p.blocked),
        "source_card": None if p.source_card == NO_CARD else p.source_card,
        "source_known": bool(p.source_known),
    }


def verdict(Position position, int seat, int64_t code) -> int:
    """Number (LEGAL, ... of _rules.pxd) of the rule that forbids a move to a seat that may act; 0: none does."""
    return judge(<VonHerzen *> position.pos, <const Block *> position.block, seat, code)


def place(State state, dict zones) -> None:
    """Fill a fresh position from checked zones (see setup.py)."""
    cdef VonHerzen *p = <VonHerzen *> state.pos
    cdef const Block *b = <const Block *> state.block
    cdef int n = b.head.players, seat, i
    memset(p, 0, sizeof(VonHerzen))
    set_head(&p.head, state.block, zones)
    for seat in range(n):
        p.totals[seat] = zones["scores"][seat]
        p.hand[seat] = set_of(zones["hands"][seat])
    for seat, cards in zones.get("known", {}).items():
        p.known[seat] = set_of(cards)
    for i, (owner, cards) in enumerate(zones["runs"]):
        read_run(set_of(cards), b, &p.runs[i])
        p.runs[i].owner = owner
        note_fitting(&p.runs[i], b)
        p.melded |= <uint8_t> (1 << <int> owner)
    p.run_count = len(zones["runs"])
    for i, card in enumerate(zones["pile"]):
        p.pile[i] = card
    p.pile_size = len(zones["pile"])
    for i, card in enumerate(zones["stock"]):
        p.stock[i] = card
    p.stock_size = len(zones["stock"])
    p.turned_over = zones["turned_over"]
    p.turns_taken = zones["turns_taken"]
    p.idle_turns = zones["idle_turns"]
    p.last_left = zones["last_left"]
    p.drawn = NO_CARD if zones["drawn"] is None else zones["drawn"]
    p.melds = zones["melds"]
    p.progress = zones["progress"]
    p.proposals = zones["proposals"]
    p.offered = set_of(zones["offered"])
    p.agreed = set_of(zones["agreed"])
    p.size = len(zones["offered"])
    p.counter = zones["counter"] or 0
    p.asked = zones["asked"]
    p.source_card = NO_CARD
    p.blocked = zones.get("blocked", False)
    for i, (proposer, partner, given, received) in enumerate(zones.get("swaps", ())):
        p.swaps[i].proposer = proposer
        p.swaps[i].partner = partner
        p.swaps[i].from_proposer = set_of(given)
        p.swaps[i].from_partner = set_of(received)
        p.swap_count += 1


def digest(Position position) -> bytes:
    """The zones as bytes, in the order that docs/fingerprint.rst gives."""
    cdef const VonHerzen *p = <const VonHerzen *> position.pos
    cdef int n = p.head.players, seat, i
    cdef uint8_t out[512]       # 32 cards, each in one zone, and the offered ones in a hand too
    cdef uint8_t *at = out
    at = put_head(out, &p.head)
    at[0] = p.proposals
    at[1] = p.counter
    at[2] = p.asked
    at[3] = p.last_left
    at[4] = p.drawn
    at[5] = p.melds
    at[6] = p.progress
    at[7] = p.turned_over
    at = put_number(at + 8, <uint32_t> p.head.deal_number)
    at = put_number(at, <uint32_t> p.turns_taken)
    at = put_number(at, <uint32_t> p.idle_turns)
    for seat in range(n):
        at = put_number(at, <uint32_t> p.totals[seat])
        at = _put_set(at, p.hand[seat])
    at = _put_set(at, p.offered)
    at = _put_set(at, p.agreed)
    at = put_pile(at, p.pile, p.pile_size)
    at = put_pile(at, &p.stock[p.stock_top], p.stock_size)
    at[0] = p.run_count
    at += 1
    for i in range(p.run_count):
        at[0] = p.runs[i].owner
        at = put_pile(at + 1, p.runs[i].cards, p.runs[i].length)
    return PyBytes_FromStringAndSize(<char *> out, at - out)


cdef uint8_t *_put_set(uint8_t *at, uint32_t cards) noexcept:
    """Write a set of cards as a sorted pile."""
    cdef uint8_t *pile = at
    at += 1
    while cards:
        at[0] = <uint8_t> hz_lowest(cards)
        at += 1
        cards &= cards - 1
    pile[0] = <uint8_t> (at - pile - 1)
    return at
