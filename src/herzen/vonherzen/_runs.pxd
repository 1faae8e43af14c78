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

    SHAPES_OF_COLOUR = 225
    LISTED = 2785           # melds of all 256 sets of ranks: each shape for each set that holds its real cards

ctypedef struct Shape:      # a run as learners number it, in one colour
    uint8_t real            # the ranks of its real cards
    uint8_t joker           # the rank (one bit) that the other colour stands for, 0 if none

# The melds of one colour by the set of ranks held of it, under one setting of the options that shape runs.
ctypedef struct Melds:
    uint64_t jokered[256]           # byte r: how many have their joker at rank r
    uint8_t natural[256]            # how many have none
    uint16_t start[257]             # where a set's melds begin in the list
    uint8_t listed[LISTED]          # numbers of shapes, ascending for each set
    Shape shapes[SHAPES_OF_COLOUR]

ctypedef struct Block:
    Rules head
    const Melds *melds
    int32_t hand_size, rounds, blocked_after, deals, flute_bonus, natural_flute_bonus
    bint turn_up, others_after_decline, counter_binding, any_of_pile, turn_over, one_meld, wrap, joker_ends
    bint own_joker_extend, discard_mandatory, discard_drawn

ctypedef struct Run:
    uint8_t owner, colour, first, length
    uint8_t joker                   # its place, NO_CARD if none
    uint16_t fitting[2]             # the kinds that fit to it: laid by others, laid by its owner
    uint8_t cards[8]                # upwards from the first rank

cdef inline uint32_t card_bit(int card) noexcept nogil:
    return <uint32_t> 1 << card

cdef inline uint32_t set_of(object cards) except? 0xFFFFFFFF:
    """Cards of any Python sequence as a set."""
    cdef uint32_t out = 0
    for card in cards:
        out |= card_bit(card)
    return out

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

cdef inline int kind_of(int card) noexcept nogil:
    """Clubs and diamonds are numbered like their kinds."""
    return card if card < 16 else card - (24 if card >= 24 else 8)

cdef inline uint32_t kinds_of(uint32_t cards) noexcept nogil:
    """The kinds (16 bits) in a set of cards."""
    return (cards | cards >> 24) & 0xFF | (cards | cards >> 8) & 0xFF00

cdef inline uint32_t lowest_copies(uint32_t cards, uint32_t kinds) noexcept nogil:
    """The lower copy held of each of these kinds."""
    cdef uint32_t other = kinds & ~cards
    return kinds & cards | (other << 24 | (other & 0xFF00) << 8) & cards

cdef inline int card_of(uint32_t cards, int kind) noexcept nogil:
    """The lower copy of a kind that is held."""
    return kind if cards >> kind & 1 else kind + (24 if kind < 8 else 8)

cdef inline uint32_t turn_ranks(uint32_t ranks, int by) noexcept nogil:
    """Ranks shifted upwards, cyclic."""
    return (ranks << by | ranks >> (8 - by)) & 0xFF

cdef inline bint joker_may_lie(const Block *b, int length, int place) noexcept nogil:
    """joker_ends (V-MELD): a run of all eight ranks has no ends where runs wrap."""
    return b.joker_ends or (0 < place < length - 1) or (length == 8 and b.wrap)

cdef inline uint32_t end_ranks(const Run *run, const Block *b) noexcept nogil:
    """V-LAY: the ranks that fit to an end of a run; a run of all eight has none."""
    if run.length == 8:
        return 0
    if b.wrap:
        return turn_ranks(1, (run.first + 7) & 7) | turn_ranks(1, (run.first + run.length) & 7)
    return (1 << run.first >> 1 | 1 << (run.first + run.length)) & 0xFF

cdef inline int joker_fits(const Run *run, const Block *b, int seat) noexcept nogil:
    """V-LAY: LEGAL, or why a seat may not lay a joker to an end of a run."""
    if run.owner != seat:
        return JOKER_ON_OTHERS
    if run.joker != NO_CARD:
        return SECOND_JOKER
    if not b.own_joker_extend:
        return JOKER_EXTEND
    if not b.joker_ends and not (run.length == 7 and b.wrap):
        return JOKER_AT_END
    return LEGAL

cdef inline int fits(const Run *run, const Block *b, int seat, int card) noexcept nogil:
    """V-LAY: LEGAL, or why a card may not be laid to a run by a seat that has melded."""
    if run.length == 8:
        return RUN_CLOSED
    if not end_ranks(run, b) >> rank_of(card) & 1:
        return DOES_NOT_FIT
    return LEGAL if colour_of(card) == run.colour else joker_fits(run, b, seat)

cdef inline void note_fitting(Run *run, const Block *b) noexcept nogil:
    """V-LAY: for a run and its owner. What fits changes only with the run, and is asked for at every move."""
    cdef uint32_t ranks = end_ranks(run, b)
    run.fitting[0] = run.fitting[1] = <uint16_t> (ranks << 8 * run.colour)
    if joker_fits(run, b, run.owner) == LEGAL:
        run.fitting[1] |= <uint16_t> (ranks << 8 * (1 - run.colour))

cdef inline int count_melds(const Melds *melds, uint32_t mine, uint32_t other) noexcept nogil:
    """How many melds of one colour there are, by the ranks held of it and, for the joker, of the other."""
    cdef uint64_t ones = 0x0101010101010101, ranks = other * ones & <uint64_t> 0x8040201008040201
    ranks = ((ranks + 0x7F * ones) >> 7 & ones) * 0xFF          # a whole byte for each rank of the other colour
    return melds.natural[mine] + <int> ((melds.jokered[mine] & ranks) * ones >> 56)

cdef inline uint32_t meld_cards(const Shape *shape, int colour, uint32_t hand) noexcept nogil:
    """V-MELD: the cards of a meld that a hand can lay, lowest copies."""
    return lowest_copies(hand, <uint32_t> shape.real << 8 * colour | <uint32_t> shape.joker << 8 * (1 - colour))

cdef int read_run(uint32_t cards, const Block *b, Run *run) noexcept nogil
cdef const Melds *melds_under(bint wrap, bint joker_ends) noexcept nogil
cdef void lay_off(Run *run, const Block *b, int card) noexcept nogil
