# The rules of Von Herzen on one plain struct. Numbers such as V-MELD-3 are those of docs/rules/vonherzen.rst.
#
# A card is its index, suit * 8 + rank with suits clubs, diamonds, hearts, spades and rank 0 = seven; a set of cards
# is a 32-bit set. The rules see kinds: 8 * colour + rank, black (clubs, spades) 0, red 1; two cards of each kind.

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from herzen._core cimport Head, Rules, hz_stream

cdef enum:
    SEATS = 6
    CARDS = 32
    RUNS = 10
    SWAPS = 12
    NO_CARD = 255
    LONGEST_LIST = 700
    SHAPES = 450

    OFFERING = 0            # phases
    ANSWERING = 1
    TAKING_OVER = 2
    AGREEING = 3
    GIVING = 4
    DRAWING = 5
    MELDING = 6
    FINISHED = 7

    OFFER = 0               # verbs: a code is verb << 32 | part
    ACCEPT = 1
    DECLINE = 2
    COUNTER = 3
    TAKE_OVER = 4
    STAY = 5
    AGREE = 6
    WITHDRAW = 7
    DRAW = 8
    MELD = 9
    LAY_OFF = 10
    DISCARD = 11
    END = 12

    FROM_STOCK = 0          # parts of DRAW; a card of the pile is FROM_CARDS + card
    FROM_PILE = 1
    FROM_CARDS = 2

    DO_PICK = 0             # actions of learners
    DO_DONE = 16
    DO_ACCEPT = 17
    DO_DECLINE = 18
    DO_COUNTER = 18         # + number
    DO_TAKE_OVER = 26
    DO_STAY = 27
    DO_AGREE = 28
    DO_WITHDRAW = 29
    DO_DRAW_STOCK = 30
    DO_DRAW_PILE = 31
    DO_DRAW_KIND = 32
    DO_MELD = 48
    DO_LAY_OFF = 498
    DO_DISCARD = 658
    DO_END = 674
    ACTIONS = 675
    MASK_WORDS = 11

    DID_MOVE = 1 << 8       # what a move brought about, one event each
    DID_SWAP = 1 << 9
    DID_TURN_OVER = 1 << 10
    DID_LAST_TURNS = 1 << 11
    DID_SCORE = 1 << 12
    DID_DEAL = 1 << 13

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

ctypedef struct Swap:
    uint8_t proposer, partner
    uint32_t from_proposer, from_partner

ctypedef struct VonHerzen:
    Head head
    int32_t totals[SEATS]
    uint32_t hand[SEATS]
    uint32_t known[SEATS]           # cards openly taken and still in that hand
    int32_t turns_taken, idle_turns
    uint32_t offered, agreed
    Swap swaps[SWAPS]
    Run runs[RUNS]
    uint8_t pile[CARDS]             # top last
    uint8_t stock[CARDS]            # top first
    uint8_t pile_size, stock_top, stock_size
    uint8_t proposals, size, counter, asked, swap_count, run_count, melded, last_left, drawn, melds, progress
    uint8_t turned_over, blocked
    uint8_t source_known            # the card drawn last was seen by everybody
    uint8_t source_card
    uint8_t opener                  # learners: the action that opened the picking
    uint8_t picked[16]              # copies picked of each kind

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

cdef int judge(const VonHerzen *p, const Block *b, int seat, int64_t code) noexcept nogil
cdef int legal_codes(const VonHerzen *p, const Block *b, int seat, int64_t *codes) noexcept nogil
cdef uint32_t apply_code(VonHerzen *p, const Block *b, int seat, int64_t code) noexcept nogil
cdef void deal_points(const VonHerzen *p, const Block *b, int32_t *points) noexcept nogil
cdef int read_run(uint32_t cards, const Block *b, Run *run) noexcept nogil
cdef int proposer_of(const VonHerzen *p) noexcept nogil
