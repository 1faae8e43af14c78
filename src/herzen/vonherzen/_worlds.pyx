"""Worlds of Von Herzen: the hidden cards dealt to the other hands and the stock.

Which cards may lie where is worked out once for a view, in knowledge.py and flows.py: cards that the viewer gave away
form classes that must be shared out among the hands in one of some ways, each with the number of placements that it
stands for; all other hidden cards may lie anywhere. Here a way is drawn by its weight, then cards are.

What the others remember is made up to fit: offered cards out of the proposer's hand, and the cards of swaps that the
viewer did not see by going back from the hands at the end of the exchange.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc
from libc.string cimport memcpy

from herzen._core cimport State, hz_bounded, hz_nth_set, hz_popcount, hz_shuffle, hz_stream, hz_lowest
from herzen._counting cimport bounded64
from herzen._worlds cimport Worlds as AnyWorlds
from herzen.vonherzen._rules cimport CARDS, GIVING, SEATS, Swap, VonHerzen, card_bit, proposer_of, set_of

from herzen.knowledge import position_of
from herzen.vonherzen.knowledge import read_view


cdef inline uint32_t some_of(uint32_t cards, int count, hz_stream *chance) noexcept nogil:
    """So many cards of a set, each choice equally likely; all if there are fewer."""
    cdef uint32_t chosen = 0, card
    while count > 0 and cards:
        card = <uint32_t> hz_nth_set(cards, hz_bounded(chance, <uint32_t> hz_popcount(cards)))
        chosen |= card
        cards ^= card
        count -= 1
    return chosen


cdef uint32_t after_exchange(const Known *k, const VonHerzen *p, int seat, hz_stream *chance) noexcept nogil:
    """A hand that the seat may have had at the end of the exchange.

    Of its own cards those that came to light first: later ones may have been drawn from the stock."""
    cdef uint32_t cards = 0
    cdef int i, need
    if p.head.phase <= GIVING:
        return p.hand[seat]
    for i in range(k.classes):
        cards |= k.hidden[i] & p.hand[seat] | k.shown[i][seat]
    need = k.hand_size - hz_popcount(cards)
    for i in range(k.laid_count[seat]):
        if need > 0:
            cards |= card_bit(k.laid[seat][i])
            need -= 1
    return cards | some_of(p.hand[seat] & k.free, need, chance)


cdef uint32_t came(
    uint32_t hand, const uint8_t *count, const uint32_t *members, int classes, int size, hz_stream *chance
) noexcept nogil:
    """Cards of a hand that may have come in a swap: so many of each class, the rest of none."""
    cdef uint32_t cards = 0, others = hand
    cdef int i
    for i in range(classes):
        cards |= some_of(hand & members[i], count[i], chance)
        others &= ~members[i]
    return cards | some_of(others, size - hz_popcount(cards), chance)


cdef void remember(const Known *k, const Choice *choice, hz_stream *chance, VonHerzen *p) noexcept nogil:
    """Make up the cards of the swaps that the viewer did not see, from the last one back."""
    cdef uint32_t hand[SEATS]
    cdef uint32_t members[CLASSES]
    cdef const Step *step
    cdef Swap *swap
    cdef uint32_t both
    cdef int seat, i, at
    for seat in range(p.head.players):
        hand[seat] = 0 if seat == k.viewer else after_exchange(k, p, seat, chance)
    for i in range(k.classes):
        members[i] = k.hidden[i]
        for seat in range(p.head.players):
            members[i] |= k.shown[i][seat]
    for at in range(k.steps - 1, -1, -1):
        step = &k.step[at]
        swap = &p.swaps[at]
        if step.own:
            both = swap.from_proposer | swap.from_partner
            hand[step.partner if step.proposer == k.viewer else step.proposer] ^= both
            members[step.fresh] = 0
            for i in range(k.classes):
                members[i] |= step.back[i]
            continue
        swap.from_proposer = came(
            hand[step.partner], choice.given[at], members, k.classes, step.size, chance
        )
        swap.from_partner = came(
            hand[step.proposer], choice.received[at], members, k.classes, step.size, chance
        )
        both = swap.from_proposer | swap.from_partner
        hand[step.proposer] ^= both
        hand[step.partner] ^= both


cdef void place(const void *known, hz_stream *chance, void *pos) noexcept nogil:
    """Deal the hidden cards, then make up what the others remember."""
    cdef const Known *k = <const Known *> known
    cdef VonHerzen *p = <VonHerzen *> pos
    cdef const Choice *choice = &k.choice[0]
    cdef uint8_t left[CARDS]
    cdef uint8_t lacking[SEATS]
    cdef uint32_t cards, some
    cdef int n = k.table.head.players, low = 0, high = k.choices - 1, count = 0, seat, i
    cdef uint64_t number
    memcpy(p, &k.table, sizeof(VonHerzen))
    memcpy(lacking, k.slots, sizeof(lacking))
    if high:
        number = bounded64(chance, k.choice[high].below)
        while low < high:
            i = (low + high) >> 1
            if number < k.choice[i].below:
                high = i
            else:
                low = i + 1
        choice = &k.choice[low]
    for i in range(k.classes):
        cards = k.hidden[i]
        for seat in range(n if cards else 0):
            some = some_of(cards, choice.count[i][seat], chance)
            p.hand[seat] |= some
            cards ^= some
            lacking[seat] -= choice.count[i][seat]
    cards = k.free
    while cards:
        left[count] = <uint8_t> hz_lowest(cards)
        count += 1
        cards &= cards - 1
    hz_shuffle(chance, left, count)
    for seat in range(n):
        for _ in range(lacking[seat]):
            count -= 1
            p.hand[seat] |= card_bit(left[count])
    if k.hidden_stock:
        memcpy(p.stock, left, count)
    if k.offered:
        seat = proposer_of(p)
        p.offered = some_of(p.hand[seat], k.offered, chance)
        if k.agreed:
            p.agreed = some_of(p.offered, k.agreed, chance)
    if k.remembered:
        remember(k, choice, chance, p)


cdef class Worlds(AnyWorlds):
    """The worlds of a `VonHerzenView`. SetupError if the view contradicts itself.

    NotImplementedError, only with exchange_rounds=2 and four or more players, if there are too many ways in which
    swaps of others may have carried on cards that the viewer gave away."""

    def __cinit__(self, view):
        cdef State table
        cdef Known *k
        cdef Choice *choice
        cdef int seat, i, j, at
        told = read_view(view)
        zones = told.zones
        zones["swaps"] = [(step.proposer, step.partner, step.given, step.received) for step in told.steps]
        table = position_of(view, zones)
        k = <Known *> calloc(1, sizeof(Known) + len(told.choices) * sizeof(Choice))
        if k == NULL:
            raise MemoryError
        self.known = k
        memcpy(&k.table, table.pos, sizeof(VonHerzen))
        k.viewer = SEATS if view.seat is None else view.seat
        k.hand_size = view.rules.hand_size
        k.hidden_stock = not zones["turned_over"]
        k.free = set_of(told.free)
        k.remembered = told.remembered
        k.classes = <uint8_t> len(told.classes)
        if told.offer is not None:
            _, k.table.size, k.agreed = told.offer
            k.offered = k.table.size
        for seat in range(view.rules.players):
            k.slots[seat] = told.slots[seat]
            k.laid_count[seat] = <uint8_t> len(told.laid[seat])
            for i, card in enumerate(told.laid[seat]):
                k.laid[seat][i] = card
        for i in range(k.classes):
            k.hidden[i] = set_of(told.classes[i])
            for seat in range(view.rules.players):
                k.shown[i][seat] = set_of(told.shown[i][seat])
        k.steps = <uint8_t> len(told.steps)
        for at, step in enumerate(told.steps):
            k.step[at].proposer = step.proposer
            k.step[at].partner = step.partner
            k.step[at].size = step.size
            k.step[at].own = len(step.given) > 0
            k.step[at].fresh = step.fresh
            for i, cards in enumerate(step.back):
                k.step[at].back[i] = set_of(cards)
        k.choices = <int32_t> len(told.choices)
        below = 0
        for j, chosen in enumerate(told.choices):
            choice = &k.choice[j]
            below += chosen.weight
            choice.below = below
            for i in range(k.classes):
                for seat in range(view.rules.players):
                    choice.count[i][seat] = chosen.counts[i][seat]
            for at, (given, received) in enumerate(chosen.ways):
                for i, number in enumerate(given):
                    choice.given[at][i] = number
                for i, number in enumerate(received):
                    choice.received[at][i] = number
        self.place = place
