# Runs of Von Herzen. A card is its index, suit * 8 + rank with suits clubs, diamonds, hearts, spades and rank
# 0 = seven; a set of cards is a 32-bit set. The rules see kinds: 8 * colour + rank, black (clubs, spades) 0, red 1;
# two cards of each kind.

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from herzen._core cimport Rules

cdef enum:
    CARDS = 32
    NO_CARD = 255

    LEGAL = 0               # verdicts of judge
    WRONG_PHASE = 1
    WRONG_NUMBER = 2
    NOT_HELD = 3
    NOT_OFFERED = 4
    BINDING = 5
    TOP_CARD_ONLY = 6
    NOT_IN_PILE = 7
    STOCK_EMPTY = 8
    NAME_THE_CARD = 9
    PILE_EMPTY = 10
    NOT_A_RUN = 11
    NO_WRAP = 12
    JOKER_AT_END = 13
    ONE_MELD = 14
    NO_SUCH_RUN = 15
    NOT_MELDED = 16
    RUN_CLOSED = 17
    DOES_NOT_FIT = 18
    JOKER_ON_OTHERS = 19
    SECOND_JOKER = 20
    JOKER_EXTEND = 21
    LAST_TURN = 22
    DRAWN_KIND = 23
    MUST_DISCARD = 24
    UNKNOWN = 25

ctypedef struct Block:
    Rules head
    int32_t hand_size, rounds, blocked_after, deals, flute_bonus, natural_flute_bonus
    bint turn_up, others_after_decline, counter_binding, any_of_pile, turn_over, one_meld, wrap, joker_ends
    bint own_joker_extend, discard_mandatory, discard_drawn

ctypedef struct Run:
    uint8_t owner, colour, first, length
    uint8_t joker                   # its place, NO_CARD if none
    uint8_t cards[8]                # upwards from the first rank

cdef inline uint32_t card_bit(int card) noexcept nogil:
    return <uint32_t> 1 << card

cdef inline int rank_of(int card) noexcept nogil:
    return card & 7

cdef inline int colour_of(int card) noexcept nogil:
    """Black 0: clubs and spades; red 1."""
    return ((card >> 3) + 1) >> 1 & 1

cdef inline uint32_t ranks_of(uint32_t cards, int colour) noexcept nogil:
    """The ranks (8 bits) of one colour in a set of cards."""
    if colour:
        return (cards >> 8 | cards >> 16) & 0xFF
    return (cards | cards >> 24) & 0xFF

cdef inline uint32_t lowest_copies(uint32_t cards, int colour, uint32_t ranks) noexcept nogil:
    """The lower copy held of each of these kinds."""
    cdef uint32_t low
    if colour:
        low = ranks & cards >> 8
        return (low & 0xFF) << 8 | (ranks & ~low & cards >> 16 & 0xFF) << 16
    low = ranks & cards
    return low & 0xFF | (ranks & ~low & cards >> 24 & 0xFF) << 24

cdef inline uint32_t turn_ranks(uint32_t ranks, int by) noexcept nogil:
    """Ranks shifted upwards, cyclic."""
    return (ranks << by | ranks >> (8 - by)) & 0xFF

cdef inline bint joker_may_lie(const Block *b, int length, int place) noexcept nogil:
    """joker_ends (V-MELD): a run of all eight ranks has no ends where runs wrap."""
    return b.joker_ends or (0 < place < length - 1) or (length == 8 and b.wrap)

cdef int read_run(uint32_t cards, const Block *b, Run *run) noexcept nogil
cdef int fits(const Run *run, const Block *b, int seat, int card) noexcept nogil
cdef void lay_off(Run *run, int card) noexcept nogil
