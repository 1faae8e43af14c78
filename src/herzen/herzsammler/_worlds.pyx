"""Worlds of Herzsammler: the hidden cards dealt to the other hands and the top of the stack.

Any deal of the hidden cards will do, but for `must_match`: there a miss proves what the cards of a hand cannot show
(S-KNOW-6). The barred places of a hand form a chain, the oldest takes the fewest cards. So a set of cards fits if and
only if for each place j at least j + 1 of them have a level of at most j. The ways to fill all barred hands are
counted card by card, and one number below their count names one of them.
"""

from libc.stdint cimport int8_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc
from libc.string cimport memcpy, memset

from herzen._core cimport MAX_DECK, State, hz_shuffle, hz_stream
from herzen._counting cimport bounded64
from herzen._worlds cimport Worlds as AnyWorlds
from herzen.herzsammler._rules cimport HAND, SEATS, Block, Herzsammler, put

from herzen.errors import SetupError
from herzen.herzsammler.knowledge import read_view
from herzen.knowledge import position_of


cdef void place(const void *known, hz_stream *chance, void *pos) noexcept nogil:
    """Deal the hidden cards: first what the barred hands take, then the rest at random."""
    cdef const Known *k = <const Known *> known
    cdef Herzsammler *p = <Herzsammler *> pos
    cdef uint8_t left[MAX_DECK]
    cdef int count = k.hidden_count, seat, at = 0
    memcpy(p, &k.table, sizeof(Herzsammler))
    if k.barred_count:
        count = fill_barred(k, chance, p, left)
    else:
        memcpy(left, k.hidden, count)
    hz_shuffle(chance, left, count)
    for seat in range(p.head.players):
        for _ in range(k.slots[seat]):
            p.hand[seat] = put(p.hand[seat], left[at])
            at += 1
    memcpy(p.stack, left + at, count - at)


cdef int fill_barred(const Known *k, hz_stream *chance, Herzsammler *p, uint8_t *left) noexcept nogil:
    """Fill the barred hands, each way equally likely; the number of cards left over."""
    cdef uint64_t number = bounded64(chance, k.ways[0]), ways
    cdef const Barred *hand = NULL
    cdef int state = 0, count = 0, to = 0, card, h, filling, grown
    for card in range(k.hidden_count):
        ways = k.ways[(card + 1) * k.states + state]            # the card goes to none of these hands
        h = -1
        while number >= ways:
            number -= ways
            h += 1
            hand = &k.barred[h]
            ways = 0
            if hand.level[card] != WHOLE:
                filling = state // hand.stride % hand.fillings
                grown = hand.grown[filling][hand.level[card]]
                if grown >= 0:
                    to = state + (grown - filling) * hand.stride
                    ways = k.ways[(card + 1) * k.states + to]
        if h < 0:
            left[count] = k.hidden[card]
            count += 1
        else:
            p.hand[hand.seat] = put(p.hand[hand.seat], k.hidden[card])
            state = to
    return count


cdef void find_fillings(Barred *hand) noexcept:
    """All ways to fill a hand in part, as counts of cards by level, that can be completed.

    Cards of level j and more fit into places - j places only."""
    cdef int found[FILLINGS][3]
    cdef int counts[3]
    cdef int a, b, c, i, j, n = hand.places
    hand.fillings = 0
    for a in range(n + 1):
        for b in range(n):
            for c in range(n - 1 if n > 1 else 1):
                if a + b + c <= n and b + c <= n - 1 and c <= max(n - 2, 0):
                    found[hand.fillings][0] = a
                    found[hand.fillings][1] = b
                    found[hand.fillings][2] = c
                    hand.full[hand.fillings] = a + b + c == n
                    hand.fillings += 1
    for i in range(hand.fillings):
        for j in range(HAND):
            memcpy(counts, found[i], sizeof(counts))
            counts[j] += 1
            hand.grown[i][j] = -1
            for a in range(hand.fillings):
                if found[a][0] == counts[0] and found[a][1] == counts[1] and found[a][2] == counts[2]:
                    hand.grown[i][j] = <int8_t> a


cdef void count_ways(Known *k) noexcept nogil:
    """From the last hidden card back. At most 128**9 / 48 ways: fewer than 2**64."""
    cdef const Barred *hand
    cdef uint64_t ways
    cdef int card, state, h, filling, grown
    cdef bint full
    for state in range(k.states):
        full = True
        for h in range(k.barred_count):
            hand = &k.barred[h]
            full = full and hand.full[state // hand.stride % hand.fillings]
        k.ways[k.hidden_count * k.states + state] = full
    for card in range(k.hidden_count - 1, -1, -1):
        for state in range(k.states):
            ways = k.ways[(card + 1) * k.states + state]
            for h in range(k.barred_count):
                hand = &k.barred[h]
                if hand.level[card] == WHOLE:
                    continue
                filling = state // hand.stride % hand.fillings
                grown = hand.grown[filling][hand.level[card]]
                if grown >= 0:
                    ways += k.ways[(card + 1) * k.states + state + (grown - filling) * hand.stride]
            k.ways[card * k.states + state] = ways


cdef class Worlds(AnyWorlds):
    """The worlds of a `HerzsammlerView`. SetupError if the view contradicts itself."""

    def __cinit__(self, view):
        cdef State table
        cdef const Block *b = <const Block *> self.block
        cdef Barred hands[SEATS]
        cdef Known *k
        cdef int count = 0, states = 1, seat, card, j
        cdef uint32_t objects
        zones = read_view(view)
        table = position_of(view, zones)
        cdef bytes hidden = zones["hidden"]
        memset(hands, 0, sizeof(hands))
        for seat in range(self.block.players):
            if zones["slots"][seat] and zones["barred"][seat][0]:
                hands[count].seat = <uint8_t> seat
                hands[count].places = zones["slots"][seat]
                find_fillings(&hands[count])
                hands[count].stride = states
                states *= hands[count].fillings
                for card in range(len(hidden)):
                    hands[count].level[card] = WHOLE
                    for j in range(hands[count].places - 1, -1, -1):
                        objects = zones["barred"][seat][j]
                        if objects & b.objects[hidden[card]] == 0:
                            hands[count].level[card] = <uint8_t> j
                count += 1
        k = <Known *> calloc(1, sizeof(Known) + (len(hidden) + 1) * states * sizeof(uint64_t) * (count > 0))
        if k == NULL:
            raise MemoryError
        self.known = k
        memcpy(&k.table, table.pos, sizeof(Herzsammler))
        memcpy(k.hidden, <const uint8_t *> hidden, len(hidden))
        memcpy(k.barred, hands, sizeof(hands))
        k.hidden_count = <uint8_t> len(hidden)
        k.barred_count = <uint8_t> count
        k.states = states
        for seat in range(self.block.players):
            k.slots[seat] = zones["slots"][seat]
        for j in range(count):
            k.slots[hands[j].seat] = 0
        if count:
            count_ways(k)
            if k.ways[0] == 0:
                raise SetupError("barred: no unseen cards fit what the hands cannot show")
        self.place = place
