# The rules of Herzsammler on one plain struct. Numbers such as S-TAKE-1 are those of docs/rules/herzsammler.rst.
#
# A card is the number of its kind: the lowest id in the deck among equal cards. Which copy a card is, the position
# does not know.

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t

from herzen._core cimport Head, MAX_DECK, Ops, Rules, hz_stream

cdef enum:
    SEATS = 4
    HAND = 3
    OPEN = 6
    COLOURS = 8
    NO_CARD = 255
    NOWHERE = 255

    SHOWING = 0             # phases
    FINISHED = 1

    NOT_ENDED = 0           # why a game ended
    EMPTY = 1
    SHORT = 2
    NO_CARDS = 3
    STALLED = 4

    DID_SHOW = 1 << 8       # what a move brought about, one event each
    DID_TAKE = 1 << 9
    DID_MISS = 1 << 10
    DID_OPEN = 1 << 11
    DID_DRAW = 1 << 12
    DID_SCORE = 1 << 13
    DID_DEAL = 1 << 14

ctypedef struct Block:
    Rules head
    uint8_t kind[MAX_DECK]          # of a card by its id
    uint8_t copies[MAX_DECK]        # of a kind
    uint32_t objects[MAX_DECK]      # of a kind: one bit an object (one in all for a double)
    uint8_t first[MAX_DECK]         # the objects in alphabetical order
    uint8_t second[MAX_DECK]
    uint8_t colour[MAX_DECK]
    uint8_t value[MAX_DECK]
    uint8_t heart[MAX_DECK]
    int32_t colours, games, stall_limit
    bint choose_object, must_match, end_short, ties_keep, require_heart, hearts_decide

ctypedef struct Herzsammler:
    Head head
    int32_t totals[SEATS]
    int32_t hearts_won[SEATS]       # heart cards of finished games
    int32_t misses                  # in a row
    int16_t points[SEATS][COLOURS]  # of the numerals collected in this game
    uint8_t hearts[SEATS][COLOURS]  # collected in this game
    uint8_t hand[SEATS][HAND]       # sorted, NO_CARD behind
    uint8_t known[SEATS][HAND]      # cards that everybody knows in a hand, in the order drawn, NO_CARD behind
    uint32_t barred[SEATS][HAND]    # objects that a hand's unknown cards cannot show, oldest first
    uint8_t barred_count[SEATS]
    uint8_t open[OPEN]              # sorted, NO_CARD behind
    uint8_t owner[MAX_DECK]         # of a collected card by id, NOWHERE if not collected
    uint8_t stack[MAX_DECK]         # a ring
    uint8_t top, size, bottom       # bottom: how many cards at its end are known
    uint8_t reason
    uint8_t shown, drawn, drawn_known, taken_count, opened_count        # the last turn, for its events
    uint8_t taken[OPEN]
    uint8_t opened[OPEN]

cdef Ops OPS

cdef inline uint32_t shown_objects(const Block *b, int64_t code) noexcept nogil:
    """The objects by which a move takes: both, or the one that was named."""
    cdef int kind = <int> (code >> 1)
    if not b.choose_object:
        return b.objects[kind]
    return <uint32_t> 1 << (b.second[kind] if code & 1 else b.first[kind])

cdef inline bint takes(const Herzsammler *p, const Block *b, int64_t code) noexcept nogil:
    """Whether a move takes an open card."""
    cdef uint32_t objects = shown_objects(b, code)
    cdef int i
    for i in range(OPEN):
        if p.open[i] == NO_CARD:
            return False
        if b.objects[p.open[i]] & objects:
            return True
    return False

cdef int legal_codes(const Herzsammler *p, const Block *b, int seat, uint8_t *codes) noexcept nogil
cdef uint32_t show_card(Herzsammler *p, const Block *b, int64_t code) noexcept nogil
cdef void game_points(const Herzsammler *p, const Block *b, int32_t *points) noexcept nogil
cdef void collect(Herzsammler *p, const Block *b, int seat, int kind) noexcept nogil
cdef int legal(const void *pos, const Rules *rules, uint64_t *mask) noexcept nogil
