# The paranoid search of an ending in which only penalty cards count (see _partition.pyx).

from libc.stdint cimport int16_t, int32_t, uint32_t, uint64_t

from herzen.hearts._rules cimport SEATS, Block, Hearts

cdef enum:
    NO_ONE = 14                 # nobody has captured a penalty card
    SEVERAL = 15                # or several seats have, or no moon can come
    FAR = 30000                 # more than any points
    SHAPES = 3                  # words
    EMPTY_LANES = 0xE000        # of each suit

ctypedef struct Trick:
    uint64_t cards
    int seat                    # who plays next
    int played                  # so many cards
    int best                    # the card that wins so far, of the suit led
    int taker                   # who played it
    bint done                   # the seat that is solved has played

ctypedef struct Group:
    # Positions before a lead that can have a proof in common.
    uint64_t shapes[SHAPES]     # how many cards of each suit each seat has, four bits each
    uint64_t special            # which cards that are not like their neighbours are left
    uint64_t places             # and where, by place among the cards left
    uint32_t rest               # leader, who captured, whether hearts are broken
    int32_t first               # of its proofs
    int32_t next

ctypedef struct Proof:
    # A result, and all positions that it holds for: those alike but for the order of cards between two cuts. After it
    # come the places of the cards of all seats but the last.
    uint64_t cuts               # below these places the order counts; without those where a suit begins
    uint64_t alone              # the places between two cuts that are next to each other
    int16_t low                 # bounds of what the seat still gets
    int16_t high
    int32_t next

ctypedef struct Ending:
    const Block *block
    Hearts rules                # the position at the root, for the rules of leads; `broken` is kept
    int seat                    # whose points are fought about
    int players
    uint64_t special            # cards that are not like their neighbours
    uint64_t hands[SEATS]
    uint64_t shapes[SHAPES]     # of these, as in a group
    uint64_t left               # all cards of these and of the trick
    int points                  # of these
    int sole                    # who has captured penalty cards
    int moon[SEATS]             # what a moon of a seat changes in the end
    int most                    # the most of these that others can do to the seat
    int32_t history[SEATS][2][64]
    Trick root
    uint64_t nodes
    char *proofs
    size_t stride               # bytes from one to the next
    int32_t count, room
    Group *groups
    int32_t *first              # of the groups with a hash, by its low bits
    int32_t group_count, group_room
    uint64_t mask


cdef inline uint64_t distinct(uint64_t legal, uint64_t others, uint64_t special) noexcept nogil:
    """Of legal cards that are as good as each other only the lowest: neighbours with no other card between.

    others: the cards that part them; special: cards that are like no other."""
    cdef uint64_t alone = legal & special, empty = <uint64_t> EMPTY_LANES * 0x0001000100010001ULL, room
    legal ^= alone
    room = ~(others | alone | empty)
    # An addition carries from the start of each room through its gaps to its first card.
    return alone | legal & ((room & ~legal) + (room & ~(room << 1)))


cdef inline bint takes_all(uint64_t own, uint64_t others, uint64_t *cuts) noexcept nogil:
    """Whether a seat that leads wins every trick, whatever it leads: it holds the highest cards of its suits.

    cuts: gets the cards below which the order counts for that."""
    cdef uint64_t suit = 0xFFFF, lowest
    cuts[0] = 0
    while suit:
        if own & suit and others & suit:
            lowest = own & suit & (0 - (own & suit))
            if lowest < others & suit:
                return False
            cuts[0] |= lowest
        suit <<= 16
    return True


cdef inline bint stays_under(uint64_t own, uint64_t others, uint64_t *cuts) noexcept nogil:
    """Whether a seat that does not lead need never win a trick.

    So it is if in every suit its lowest card is below their lowest, its second below their second, and so on: under a
    card led it plays its highest that is lower, and what remains is so again. cuts: as above."""
    cdef uint64_t mine, theirs, low, high, last, suit = 0xFFFF
    cuts[0] = 0
    while suit:
        mine = own & suit
        theirs = others & suit
        last = 0
        while mine and theirs:
            low = mine & (0 - mine)
            high = theirs & (0 - theirs)
            if low > high:
                return False
            if last <= low:     # no cut between them yet
                last = high
                cuts[0] |= high
            mine ^= low
            theirs ^= high
        suit <<= 16
    return True


cdef int open_ending(Ending *s, const Hearts *p, const Block *b, int seat, uint64_t special) except -1
cdef void close_ending(Ending *s) noexcept
cdef int ending_value(Ending *s, int bound) noexcept nogil
cdef int value_after(Ending *s, int lane, int bound) noexcept nogil
