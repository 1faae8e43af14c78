"""Runs of Von Herzen: what makes one, what fits to one, what it is worth."""

from libc.string cimport memcpy

from herzen._core cimport Compiled, hz_lowest, hz_popcount, run_points


cdef int read_run(uint32_t cards, const Block *b, Run *run) noexcept nogil:
    """V-MELD: LEGAL and the run that these cards make, or what is wrong with them."""
    cdef uint32_t ranks[2]
    cdef uint32_t all_ranks, starts
    cdef int black, red, colour, length = hz_popcount(cards), i, rank
    ranks[0] = ranks_of(cards, 0)
    ranks[1] = ranks_of(cards, 1)
    black = hz_popcount(ranks[0])
    red = hz_popcount(ranks[1])
    if black + red != length or length > 8:
        return NOT_A_RUN            # a rank twice in one colour
    colour = 1 if red > black else 0
    all_ranks = ranks[0] | ranks[1]
    if max(black, red) < 3 or min(black, red) > 1 or hz_popcount(all_ranks) != length:
        return NOT_A_RUN
    starts = all_ranks & ~turn_ranks(all_ranks, 1)
    if hz_popcount(starts) > 1:
        return NOT_A_RUN
    run.colour = <uint8_t> colour
    run.length = <uint8_t> length
    run.first = <uint8_t> (hz_lowest(starts) if starts else 0)
    run.joker = NO_CARD
    for i in range(length):
        rank = (run.first + i) & 7
        if ranks[colour] >> rank & 1:
            run.cards[i] = <uint8_t> card_of(cards, 8 * colour + rank)
        else:
            run.cards[i] = <uint8_t> card_of(cards, 8 * (1 - colour) + rank)
            run.joker = <uint8_t> i
    if not b.wrap and run.first + length > 8:
        return NO_WRAP
    if run.joker != NO_CARD and not joker_may_lie(b, run.length, run.joker):
        return JOKER_AT_END
    return LEGAL


cdef void lay_off(Run *run, const Block *b, int card) noexcept nogil:
    """Lay a fitting card to a run; a full run is written from its seven."""
    cdef uint8_t row[8]
    cdef int i
    if rank_of(card) == ((run.first + run.length) & 7):
        i = run.length
    else:
        for i in range(run.length, 0, -1):
            run.cards[i] = run.cards[i - 1]
        i = 0
        run.first = (run.first - 1) & 7
        if run.joker != NO_CARD:
            run.joker += 1
    run.cards[i] = <uint8_t> card
    run.length += 1
    if colour_of(card) != run.colour:
        run.joker = <uint8_t> i
    if run.length == 8:
        for i in range(8):
            row[rank_of(run.cards[i])] = run.cards[i]
        memcpy(run.cards, row, 8)
        if run.joker != NO_CARD:
            run.joker = (run.joker + run.first) & 7
        run.first = 0
    note_fitting(run, b)


# ---- the melds of a hand -----------------------------------------------------------------------------------

cdef void fill_melds(Melds *melds, bint wrap, bint joker_ends) noexcept nogil:
    """Number the shapes and list, for every set of ranks, those that read_run takes."""
    cdef Block b
    cdef Run run
    cdef bint legal[SHAPES_OF_COLOUR]
    cdef Shape *shape
    cdef int length, first, place, number = 0, used = 0, mine
    cdef uint32_t window, joker
    b.wrap = wrap
    b.joker_ends = joker_ends
    for length in range(3, 9):
        for first in range(8 if length < 8 else 1):
            window = turn_ranks((1 << length) - 1, first)
            for place in range(-1, length if length > 3 else 0):
                joker = 0 if place < 0 else turn_ranks(1, (first + place) & 7)
                shape = &melds.shapes[number]
                shape.real = <uint8_t> (window & ~joker)
                shape.joker = <uint8_t> joker
                legal[number] = read_run(shape.real | joker << 8, &b, &run) == LEGAL      # clubs and a diamond
                number += 1
    for mine in range(256):
        melds.start[mine] = <uint16_t> used
        for number in range(SHAPES_OF_COLOUR):
            shape = &melds.shapes[number]
            if shape.real & ~mine or not legal[number]:
                continue
            melds.listed[used] = <uint8_t> number
            used += 1
            if shape.joker:
                melds.jokered[mine] += <uint64_t> 1 << 8 * hz_lowest(shape.joker)
            else:
                melds.natural[mine] += 1
    melds.start[256] = <uint16_t> used


cdef Melds MELDS[4]
fill_melds(&MELDS[0], False, False)
fill_melds(&MELDS[1], False, True)
fill_melds(&MELDS[2], True, False)
fill_melds(&MELDS[3], True, True)


cdef const Melds *melds_under(bint wrap, bint joker_ends) noexcept nogil:
    """The melds under these options."""
    return &MELDS[2 * wrap + joker_ends]


# ---- for the scorer ----------------------------------------------------------------------------------------

def run_of(compiled, uint32_t cards) -> tuple[bytes, bool] | None:
    """(cards upwards, holds a joker) of the run that these cards make under these rules, None if none.

    Also of a run that was laid off to: what may lie after that might have been melded at once."""
    cdef Compiled holder = compiled
    cdef Run run
    cdef int i
    if read_run(cards, <Block *> holder.block, &run) != LEGAL:
        return None
    return bytes([run.cards[i] for i in range(run.length)]), run.joker != NO_CARD


def points_of_run(compiled, int length, bint joker) -> int:
    """Points of a run."""
    cdef Compiled holder = compiled
    cdef Block *b = <Block *> holder.block
    return run_points(length, joker, 8, b.flute_bonus, b.natural_flute_bonus)
