"""Reading positions of Herzsammler from Python, setting them up, and their bytes for the fingerprint.

Cards are numbers of kinds. Sets are ascending `bytes`, the stack is `bytes` from the top."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.string cimport memset

from herzen._core cimport MAX_DECK, Position, State, put_head, put_number, set_head, sort_pile
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
    set_head(&p.head, state.block, zones)
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
    cdef const Herzsammler *p = <const Herzsammler *> position.pos
    cdef const Block *b = <const Block *> position.block
    cdef int n = p.head.players, seat, i
    cdef uint8_t out[1024]      # 128 cards, each in one zone, and known ones in a hand too
    cdef uint8_t *at = out
    cdef uint8_t *pile
    at = put_number(put_head(out, &p.head), <uint32_t> p.head.deal_number)
    at = put_number(at, <uint32_t> p.misses)
    for seat in range(n):
        at = put_number(at, <uint32_t> p.totals[seat])
        at = put_number(at, <uint32_t> p.hearts_won[seat])
        pile = at
        at += 1
        for i in range(HAND):
            if hand_card(p, seat, i) != NO_CARD:
                at[0] = <uint8_t> hand_card(p, seat, i)
                at += 1
        pile[0] = <uint8_t> (at - pile - 1)
        pile = at
        at += 1
        for i in range(HAND):
            if p.known[seat][i] != NO_CARD:
                at[0] = p.known[seat][i]
                at += 1
        pile[0] = <uint8_t> (at - pile - 1)
        sort_pile(pile)
        at[0] = p.barred_count[seat]
        at += 1
        for i in range(p.barred_count[seat]):
            at = put_number(at, p.barred[seat][i])
        at = _put_set(at, b, p.collected[seat])
    at = _put_set(at, b, p.open)
    at[0] = p.size
    at += 1
    for i in range(p.size):
        at[i] = p.stack[(p.top + i) & (MAX_DECK - 1)]
    at += p.size
    at[0] = p.bottom
    return PyBytes_FromStringAndSize(<char *> out, at + 1 - out)


cdef uint8_t *_put_set(uint8_t *at, const Block *b, Cards cards) noexcept:
    """Write a set of cards as a sorted pile of kinds."""
    cdef uint8_t *pile = at
    at += 1
    while cards.low | cards.high:
        at[0] = b.kind[pop_lowest(&cards)]
        at += 1
    pile[0] = <uint8_t> (at - pile - 1)
    sort_pile(pile)
    return at
