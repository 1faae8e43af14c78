# Lists of legal moves of Von Herzen, for search and bots at C level.

from herzen._core cimport Ops, hz_popcount
from herzen.vonherzen._rules cimport *

cdef Ops OPS

ctypedef struct Choices:
    uint32_t ranks[2]           # held of each colour
    int melds[2]                # how many of each colour
    int layoffs                 # how many, over all runs
    uint16_t fitting[RUNS]      # the kinds held that a run takes
    uint32_t discards           # the kinds that may be discarded
    bint may_end

cdef inline int find_choices(const VonHerzen *p, const Block *b, int seat, Choices *c) noexcept nogil:
    """Count what a seat may do while melding, and note what names each choice; the number of all."""
    cdef uint32_t kinds = kinds_of(p.hand[seat])
    cdef int i
    c.ranks[0] = kinds & 0xFF
    c.ranks[1] = kinds >> 8
    c.melds[0] = c.melds[1] = c.layoffs = 0
    if not (b.one_meld and p.melds):
        c.melds[0] = count_melds(b.melds, c.ranks[0], c.ranks[1])
        c.melds[1] = count_melds(b.melds, c.ranks[1], c.ranks[0])
    if p.melded >> seat & 1:
        for i in range(p.run_count):
            c.fitting[i] = <uint16_t> (kinds & p.runs[i].fitting[p.runs[i].owner == seat])
            c.layoffs += hz_popcount(c.fitting[i])
    c.discards = 0 if p.last_left else kinds & ~barred_kinds(p, b)
    c.may_end = may_end(p, b, seat)
    return c.melds[0] + c.melds[1] + c.layoffs + hz_popcount(c.discards) + c.may_end

cdef inline uint32_t pile_cards(const VonHerzen *p) noexcept nogil:
    """The open pile as a set."""
    cdef uint32_t cards = 0
    cdef int i
    for i in range(p.pile_size):
        cards |= card_bit(p.pile[i])
    return cards

cdef int legal(const void *pos, const Rules *rules, uint64_t *mask) noexcept nogil
cdef uint32_t act(void *pos, const Rules *rules, int action) noexcept nogil
cdef int legal_codes(const VonHerzen *p, const Block *b, int seat, int64_t *codes) noexcept nogil
# The code of the whole move that a legal action completes; -1, and the pick noted, if it completes none.
cdef int64_t code_after(VonHerzen *p, const Block *b, int action) noexcept nogil
