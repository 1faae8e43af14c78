"""Another project that plays Hearts on the engine at C level: its loop makes no Python object."""

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free

from herzen._core cimport (
    DEAL_OVER, DOMAIN_PLAY, Compiled, Head, Position, Rules, begin_deal, hz_bounded, hz_nth_bit, hz_popcount,
    hz_stream, hz_stream_open, read_key,
)
from herzen.hearts cimport _rules


def random_deal(rules, seed, int dealer):
    """Deal the first deal of a seed and play it at random through the table of operations.

    (number of actions, cards played by index in order, card points by seat)."""
    cdef Compiled compiled = rules._compiled
    cdef const Rules *block = compiled.block
    cdef uint32_t key[8]
    cdef uint32_t flags = 0
    cdef uint64_t mask[1]
    cdef int actions = 0, n, choice, seat, i
    cdef hz_stream stream
    cdef _rules.Hearts *table
    if block.ops.size != sizeof(_rules.Hearts):
        raise ValueError("these are not the rules of Hearts")
    read_key(seed, key)
    cdef void *pos = calloc(1, block.ops.size)
    if pos == NULL:
        raise MemoryError
    try:
        with nogil:
            (<Head *> pos).players = <signed char> block.players
            (<Head *> pos).deal_number = -1
            (<Head *> pos).dealer = <signed char> ((dealer + block.players - 1) % block.players)
            begin_deal(pos, block, key, NULL)
            hz_stream_open(&stream, key, DOMAIN_PLAY, 0)
            while not flags & DEAL_OVER:
                n = block.ops.legal(pos, block, mask)
                choice = hz_nth_bit(mask[0], hz_bounded(&stream, <uint32_t> n))
                flags = block.ops.act(pos, block, choice)
                actions += 1
        table = <_rules.Hearts *> pos
        cards = [_rules.KIND[table.log[i]] for i in range(table.logged)]
        points = [table.penalty_points[seat] + table.bonus_points[seat] for seat in range(block.players)]
        return actions, cards, points
    finally:
        free(pos)


def playable(Position position):
    """Cards by index that the seat to play may play, and how many cards it holds."""
    cdef const _rules.Hearts *table = <const _rules.Hearts *> position.pos
    cdef const _rules.Block *block = <const _rules.Block *> position.block
    cdef uint64_t legal, hand
    with nogil:
        legal = _rules.legal_cards(table, block, NULL)
        hand = table.one[table.head.turn]
    return [_rules.KIND[lane] for lane in range(64) if legal >> lane & 1], hz_popcount(hand)
