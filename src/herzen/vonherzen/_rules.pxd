# The rules of Von Herzen on one plain struct. Numbers such as V-MELD-3 are those of docs/rules/vonherzen.rst.

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from herzen._core cimport Head, Rules
from herzen.vonherzen._runs cimport *

cdef enum:
    SEATS = 6
    RUNS = 10
    SWAPS = 12
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
    uint32_t picked                 # cards picked, of each kind the lower copies first

cdef inline uint32_t barred_kinds(const VonHerzen *p, const Block *b) noexcept nogil:
    """V-TURN: not a card of the kind just taken from the pile is discarded, unless discard_drawn."""
    return 0 if b.discard_drawn or p.drawn == NO_CARD else <uint32_t> 1 << kind_of(p.drawn)

cdef inline bint may_end(const VonHerzen *p, const Block *b, int seat) noexcept nogil:
    """discard_mandatory (V-TURN): only where nothing may be discarded; last turns are free."""
    return not b.discard_mandatory or p.last_left or kinds_of(p.hand[seat]) & ~barred_kinds(p, b) == 0

cdef int judge(const VonHerzen *p, const Block *b, int seat, int64_t code) noexcept nogil
cdef uint32_t apply_code(VonHerzen *p, const Block *b, int seat, int64_t code) noexcept nogil
cdef void deal_points(const VonHerzen *p, const Block *b, int32_t *points) noexcept nogil
cdef int proposer_of(const VonHerzen *p) noexcept nogil
cdef uint32_t deal(void *pos, const Rules *rules, const uint32_t *key, const uint8_t *deck) noexcept nogil
cdef uint32_t actors(const void *pos, const Rules *rules) noexcept nogil
cdef bint check(const void *pos, const Rules *rules, int seat, int64_t code) noexcept nogil
cdef uint32_t apply(void *pos, const Rules *rules, int seat, int64_t code) noexcept nogil
