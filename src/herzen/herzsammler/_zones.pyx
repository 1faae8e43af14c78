"""Reading positions of Herzsammler from Python, setting them up, and their bytes for the fingerprint.

Cards are numbers of kinds. Sets are ascending `bytes`, the stack is `bytes` from the top."""

from libc.string cimport memset

from herzen._core cimport MAX_DECK, Position, State
from herzen.herzsammler._rules cimport *


cdef bytes _set(Position position, Cards cards):
    cdef const Block *b = <const Block *> position.block
    return bytes(sorted([b.kind[card] for card in range(MAX_DECK) if has(&cards, card)]))


def hand(Position position, int seat) -> bytes:
    """The cards that a seat holds."""
    cdef const Herzsammler *p = <const Herzsammler *> position.pos
    cdef int i
    return bytes([hand_card(p, seat, i) for i in range(HAND) if hand_card(p, seat, i) != NO_CARD])


def known(Position position, int seat) -> bytes:
    """The cards that everybody knows in a seat's hand, in the order drawn."""
    cdef Herzsammler *p = <Herzsammler *> position.pos
    cdef int i
    return bytes([p.known[seat][i] for i in range(HAND) if p.known[seat][i] != NO_CARD])


def barred(Position position, int seat) -> list[int]:
    """For each unknown card of a hand, oldest first, the objects (bits) that it cannot show."""
    cdef Herzsammler *p = <Herzsammler *> position.pos
    cdef int i
    return [p.barred[seat][i] for i in range(p.barred_count[seat])]


def open_cards(Position position) -> bytes:
    """The open cards."""
    return _set(position, (<Herzsammler *> position.pos).open)


def stack(Position position) -> bytes:
    """The stack from the top."""
    cdef Herzsammler *p = <Herzsammler *> position.pos
    cdef int i
    return bytes([p.stack[(p.top + i) & (MAX_DECK - 1)] for i in range(p.size)])


def collection(Position position, int seat) -> bytes:
    """What a seat has collected in this game."""
    return _set(position, (<Herzsammler *> position.pos).collected[seat])


def points(Position position) -> list[int]:
    """Each seat's points as if the game ended now."""
    cdef int32_t out[SEATS]
    cdef int seat
    game_points(<Herzsammler *> position.pos, <const Block *> position.block, out)
    return [out[seat] for seat in range(position.players)]


def facts(Position position) -> dict[str, object]:
    """The small facts of a position, by name."""
    cdef Herzsammler *p = <Herzsammler *> position.pos
    cdef int n = p.head.players, seat
    return {
        "scores": [p.totals[seat] for seat in range(n)],
        "hearts_won": [p.hearts_won[seat] for seat in range(n)],
        "misses": p.misses,
        "stack_size": p.size,
        "bottom": p.bottom,
        "reason": (None, "empty", "short", "no_card", "stalled")[p.reason],
        "shown": None if p.shown == NO_CARD else p.shown,
        "taken": _set(position, p.taken),
        "opened": bytes(p.opened[:p.opened_count]),
    }


def last_drawn(Position position) -> tuple[int, bool]:
    """The card drawn last, and whether everybody knew it."""
    cdef Herzsammler *p = <Herzsammler *> position.pos
    return p.drawn, bool(p.drawn_known)


def place(State state, dict zones) -> None:
    """Fill a fresh position from checked zones (see setup.py)."""
    cdef Herzsammler *p = <Herzsammler *> state.pos
    cdef const Block *b = <const Block *> state.block
    cdef int n = b.head.players, seat, i
    memset(p, 0, sizeof(Herzsammler))
    memset(p.hand, NO_CARD, sizeof(p.hand))
    memset(p.known, NO_CARD, sizeof(p.known))
    p.shown = NO_CARD
    p.head.players = <int8_t> n
    p.head.dealer = zones["dealer"]
    p.head.deal_number = zones["deal_number"]
    p.head.phase = zones["phase"]
    p.head.turn = zones["turn"]
    p.head.ply = zones.get("ply", 0)
    p.misses = zones["misses"]
    for seat in range(n):
        p.totals[seat] = zones["scores"][seat]
        p.hearts_won[seat] = zones["hearts_won"][seat]
        for i, card in enumerate(zones["hands"][seat]):
            p.hand[seat] ^= <uint32_t> (NO_CARD ^ <uint8_t> card) << 8 * i
        for i, card in enumerate(zones["known"][seat]):
            p.known[seat][i] = card
        for i, objects in enumerate(zones["barred"][seat]):
            p.barred[seat][i] = objects
        p.barred_count[seat] = len(zones["barred"][seat])
        for card in zones["collections"][seat]:
            add(&p.collected[seat], b, card)
    for card in zones["open"]:
        add(&p.open, b, card)
    p.size = len(zones["stack"])
    for i, card in enumerate(zones["stack"]):
        p.stack[i] = card
    p.bottom = zones["bottom"]
    p.reason = zones.get("reason", 0)
    p.drawn, p.drawn_known = zones.get("drawn", (NO_CARD, False))


def digest(Position position) -> bytes:
    """The zones as bytes, in the order that docs/fingerprint.rst gives."""
    cdef Herzsammler *p = <Herzsammler *> position.pos
    cdef int n = p.head.players, seat
    cdef bytearray out = bytearray()
    out += bytes((n, p.head.phase, p.head.turn & 0xFF, p.head.dealer))
    out += (<uint32_t> p.head.deal_number).to_bytes(4, "little")
    out += (<uint32_t> p.misses).to_bytes(4, "little")
    for seat in range(n):
        out += (<uint32_t> p.totals[seat]).to_bytes(4, "little")
        out += (<uint32_t> p.hearts_won[seat]).to_bytes(4, "little")
        _put(out, hand(position, seat))
        _put(out, bytes(sorted(known(position, seat))))
        out.append(p.barred_count[seat])
        for objects in barred(position, seat):
            out += (<uint32_t> objects).to_bytes(4, "little")
        _put(out, collection(position, seat))
    _put(out, open_cards(position))
    _put(out, stack(position))
    out.append(p.bottom)
    return bytes(out)


cdef int _put(bytearray out, bytes cards) except -1:
    """A zone: its number of cards, then the cards."""
    out.append(len(cards))
    out += cards
    return 0
