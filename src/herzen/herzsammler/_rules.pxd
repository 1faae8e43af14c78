# The rules of Herzsammler on one plain struct. Numbers such as S-TAKE-1 are those of docs/rules/herzsammler.rst.
#
# A card is the number of its kind: the lowest id in the deck among equal cards. Which copy a card is, the position
# does not know. Sets of cards are sets of ids: so many cards of a kind are so many of its lowest ids.

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t

from herzen._core cimport Head, MAX_DECK, Ops, Rules, hz_lowest, hz_popcount, hz_stream

cdef enum:
    SEATS = 4
    HAND = 3
    OPEN = 6
    OBJECTS = 26
    VALUE_BITS = 7          # of the highest value, 99
    COLOURS = 8
    NO_CARD = 255

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

ctypedef struct Cards:      # a set of ids
    uint64_t low, high

ctypedef struct Block:
    Rules head
    uint8_t kind[MAX_DECK]          # of a card by its id
    uint8_t copies[MAX_DECK]        # of a kind
    uint32_t objects[MAX_DECK]      # of a kind: one bit an object (one in all for a double)
    Cards showing[OBJECTS]          # an object
    Cards hearts[COLOURS]           # of a colour
    Cards worth[COLOURS][VALUE_BITS]        # of a colour, with that bit in the value
    uint8_t first[MAX_DECK]         # the objects in alphabetical order
    uint8_t second[MAX_DECK]
    uint8_t colour[MAX_DECK]        # its number
    uint8_t value[MAX_DECK]         # of a numeral
    bint heart[MAX_DECK]
    int32_t colours, value_bits, games, stall_limit
    bint alike                      # some cards are equal
    bint choose_object, must_match, end_short, ties_keep, require_heart, hearts_decide

ctypedef struct Herzsammler:
    Head head
    int32_t totals[SEATS]
    int32_t hearts_won[SEATS]       # heart cards of finished games
    int32_t misses                  # in a row
    Cards open
    Cards collected[SEATS]          # in this game
    Cards taken                     # in the last turn, for its events; shown, drawn and opened below too
    uint32_t hand[SEATS]            # sorted, a byte each, the lowest first; NO_CARD behind (see hand_card)
    uint8_t known[SEATS][HAND]      # cards that everybody knows in a hand, in the order drawn, NO_CARD behind
    uint32_t barred[SEATS][HAND]    # objects that a hand's unknown cards cannot show, oldest first
    uint8_t barred_count[SEATS]
    uint8_t stack[MAX_DECK]         # a ring
    uint8_t top, size, bottom       # bottom: how many cards at its end are known
    uint8_t reason
    uint8_t shown, drawn, drawn_known, opened_count
    uint8_t opened[OPEN]

cdef Ops OPS

cdef uint32_t act(void *pos, const Rules *rules, int action) noexcept nogil

cdef inline int hand_card(const Herzsammler *p, int seat, int place) noexcept nogil:
    """The card at a place of a sorted hand, NO_CARD behind the last one."""
    return p.hand[seat] >> 8 * place & 0xFF

cdef inline int hand_size(const Herzsammler *p, int seat) noexcept nogil:
    """Number of cards in a hand."""
    cdef int size = 0
    while size < HAND and hand_card(p, seat, size) != NO_CARD:
        size += 1
    return size

cdef inline uint32_t below(uint32_t row, int kind) noexcept nogil:
    """The part of a hand that lies before a kind, as ones. Kinds are below 128, so no byte borrows."""
    cdef uint32_t highs = <uint32_t> 0x80808080
    cdef uint32_t less = highs & ~((row | highs) - <uint32_t> 0x01010101 * <uint32_t> kind)
    return (<uint32_t> 1 << 8 * hz_popcount(less)) - 1

cdef inline uint32_t put(uint32_t row, int kind) noexcept nogil:
    """Insert a card into a hand that has room for it."""
    cdef uint32_t before = below(row, kind)
    return row & before | (row & ~before) << 8 | <uint32_t> kind * (before + 1)

cdef inline bint has(const Cards *cards, int card) noexcept nogil:
    return (cards.high if card & 64 else cards.low) >> (card & 63) & 1

cdef inline int size_of(const Cards *cards) noexcept nogil:
    return hz_popcount(cards.low) + hz_popcount(cards.high)

cdef inline int common(const Cards *a, const Cards *b) noexcept nogil:
    """How many cards are in both sets."""
    return hz_popcount(a.low & b.low) + hz_popcount(a.high & b.high)

cdef inline int numerals_in(const Cards *cards, const Block *b, int colour) noexcept nogil:
    """The points of a colour's numerals in a set."""
    cdef int points = 0, bit
    for bit in range(b.value_bits):
        points += common(cards, &b.worth[colour][bit]) << bit
    return points

cdef inline int numerals(const Herzsammler *p, const Block *b, int seat, int colour) noexcept nogil:
    """The points of a colour's numerals in a seat's collection."""
    return numerals_in(&p.collected[seat], b, colour)

cdef inline int pop_lowest(Cards *cards) noexcept nogil:
    """Take the lowest id out of a set that is not empty."""
    cdef int card
    if cards.low:
        card = hz_lowest(cards.low)
        cards.low &= cards.low - 1
    else:
        card = 64 + hz_lowest(cards.high)
        cards.high &= cards.high - 1
    return card

cdef inline void add(Cards *cards, const Block *b, int kind) noexcept nogil:
    """Add a card to a set: the lowest id of its kind that is not in it."""
    cdef int card = kind
    if b.alike:
        while has(cards, card):
            card += 1
            while b.kind[card] != kind:
                card += 1
    cards.low |= <uint64_t> (card >> 6 ^ 1) << (card & 63)      # no branch: which half cannot be predicted
    cards.high |= <uint64_t> (card >> 6) << (card & 63)

cdef inline Cards taken_by(const Herzsammler *p, const Block *b, int64_t code) noexcept nogil:
    """S-TAKE: the open cards that a move takes, by both objects of its card or by the one that was named."""
    cdef int kind = <int> (code >> 1)
    cdef const Cards *one = &b.showing[b.first[kind]]
    cdef const Cards *two = &b.showing[b.second[kind]]
    cdef Cards taken
    if b.choose_object:
        one = two = two if code & 1 else one
    taken.low = p.open.low & (one.low | two.low)
    taken.high = p.open.high & (one.high | two.high)
    return taken

cdef int legal_codes(const Herzsammler *p, const Block *b, int seat, uint8_t *codes) noexcept nogil
cdef uint32_t show_card(Herzsammler *p, const Block *b, int64_t code) noexcept nogil
cdef void game_points(const Herzsammler *p, const Block *b, int32_t *points) noexcept nogil
cdef int legal(const void *pos, const Rules *rules, uint64_t *mask) noexcept nogil
