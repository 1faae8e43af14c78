"""How the rule player of Von Herzen plays; `bot.py` says what it thinks, in words.

One function, `rule_action`, chooses the learners' action of the seat to move. It reads what that seat may know: its
hand, the table, the sizes of hands and of an offer, its own offer, cards openly taken. Worth is counted in hundredths
of a point, so that nothing depends on how a processor rounds.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t

from libc.string cimport memcpy

from herzen._core cimport DEAL_OVER, Position, Rules, State, hz_bounded, hz_lowest, hz_nth_bit, hz_popcount, hz_stream
from herzen.vonherzen._moves cimport OPS, Choices, act, code_after, find_choices, pile_cards
from herzen.vonherzen._rules cimport *

from herzen.knowledge import position_of
from herzen.vonherzen.knowledge import read_table

cdef enum:
    REAL = 200              # a real card laid to a run of one's own: -1 becomes +1
    OTHERS = 100            # a card laid to another seat's run, or a joker: -1 becomes 0
    JOKER = 100
    NEIGHBOURS = 100        # two cards in a row
    GAP = 70                # two cards around a gap
    FILLS_GAP = 300         # a card of the other colour for the gap of four in a row
    SECOND = 20             # a second copy of a kind
    USELESS = 75            # a card worth less is given away gladly
    MOST_OFFERED = 3
    KEPT = 175              # if every card is worth more than this, a turn ends without a discard
    MARGIN = 40             # by how much a card of the pile must beat the stock's average: everybody sees it
    WANTED = 50             # what a discard costs that goes on a run of another seat
    FEW = 2                 # cards in another hand from which the end is near

ctypedef struct Worth:      # by the set of ranks held of one colour
    int32_t runs[256]       # best partition into runs, and a little for neighbours and gaps
    uint8_t gaps[256]       # the ranks of gaps in three of four

cdef Worth WORTH[2]         # without wrap, with it


cdef uint32_t row_of(int first, int length) noexcept nogil:
    return turn_ranks((1 << length) - 1, first)


cdef void fill(Worth *worth, bint wrap) noexcept nogil:
    """The worth of all sets of ranks; a set's best run leaves a smaller set, so they come in order."""
    cdef uint32_t held, row, ends, missing
    cdef int first, length
    cdef int32_t loose, best
    for held in range(256):
        loose = 0
        worth.gaps[held] = 0
        for first in range(8):
            row = row_of(first, 2)
            if (wrap or first < 7) and row & held == row:
                loose += NEIGHBOURS
            ends = row_of(first, 3) & ~row_of((first + 1) & 7, 1)
            if (wrap or first < 6) and ends & held == ends:
                loose += GAP
            row = row_of(first, 4)
            missing = row & ~held
            if (wrap or first < 5) and hz_popcount(missing) == 1 and missing & row_of((first + 1) & 7, 2):
                worth.gaps[held] |= <uint8_t> missing
        best = loose
        for length in range(3, 9):
            for first in range(8 if wrap and length < 8 else 9 - length):
                row = row_of(first, length)
                if row & held == row:
                    best = max(best, REAL * length + worth.runs[held ^ row])
        worth.runs[held] = best


fill(&WORTH[0], False)
fill(&WORTH[1], True)


ctypedef struct Hand:
    const Worth *worth
    uint32_t kinds                  # held, 16 bits
    uint32_t twice                  # of these two copies are held
    int32_t total                   # worth of the hand
    int32_t fits[16]                # by kind: what it is worth that it goes on a run on the table
    uint32_t wanted                 # kinds that go on runs of others


cdef inline int32_t worth_of(const Worth *worth, uint32_t kinds) noexcept nogil:
    cdef uint32_t black = kinds & 0xFF, red = kinds >> 8
    return (
        worth.runs[black] + worth.runs[red]
        + (FILLS_GAP if worth.gaps[black] & red else 0) + (FILLS_GAP if worth.gaps[red] & black else 0)
    )


cdef inline uint32_t doubles_of(uint32_t cards) noexcept nogil:
    """The kinds of which both copies are in a set of cards."""
    return cards & cards >> 24 & 0xFF | cards & cards >> 8 & 0xFF00


cdef void hold(Hand *h, const VonHerzen *p, const Block *b, uint32_t cards) noexcept nogil:
    """Look at some cards of the seat to move, at this table."""
    cdef const Run *run
    cdef uint32_t kinds
    cdef int32_t value
    cdef int i, kind, seat = p.head.turn
    h.worth = &WORTH[b.wrap]
    h.kinds = kinds_of(cards)
    h.twice = doubles_of(cards)
    h.total = worth_of(h.worth, h.kinds)
    h.wanted = 0
    for kind in range(16):
        h.fits[kind] = 0
    for i in range(p.run_count):
        run = &p.runs[i]
        kinds = run.fitting[0]
        value = REAL
        if run.owner != seat:
            value = 80 * OTHERS // 100 if p.melded >> seat & 1 else 30 * OTHERS // 100
            h.wanted |= kinds
        while kinds:
            kind = hz_lowest(kinds)
            kinds &= kinds - 1
            h.fits[kind] = max(h.fits[kind], value)


cdef inline int32_t value_of(const Hand *h, int kind) noexcept nogil:
    """What the hand loses without one card of a kind that it holds."""
    if h.twice >> kind & 1:
        return SECOND + h.fits[kind]
    return h.total - worth_of(h.worth, h.kinds & ~(<uint32_t> 1 << kind)) + h.fits[kind]


cdef inline int32_t gain_of(const Hand *h, int kind) noexcept nogil:
    """What one more card of a kind would bring."""
    if h.kinds >> kind & 1:
        return SECOND + h.fits[kind]
    return worth_of(h.worth, h.kinds | <uint32_t> 1 << kind) - h.total + h.fits[kind]


cdef int worst_of(const Hand *h, uint32_t kinds, int32_t *value) noexcept nogil:
    """The kind that is worth least, the lowest of several."""
    cdef int kind, worst = -1
    cdef int32_t one
    while kinds:
        kind = hz_lowest(kinds)
        kinds &= kinds - 1
        one = value_of(h, kind)
        if worst < 0 or one < value[0]:
            worst = kind
            value[0] = one
    return worst


cdef void let_go(Hand *h, int kind) noexcept nogil:
    """One card of a kind leaves the hand."""
    cdef uint32_t bit = <uint32_t> 1 << kind
    if h.twice & bit:
        h.twice ^= bit
        return
    h.kinds &= ~bit
    h.total = worth_of(h.worth, h.kinds)


# ---- the exchange ------------------------------------------------------------------------------------------

cdef int next_pick(const VonHerzen *p, const Block *b, uint32_t pool, int32_t *value) noexcept nogil:
    """The kind of a pool that is worth least to the hand, without what is picked already."""
    cdef Hand h
    hold(&h, p, b, p.hand[p.head.turn] & ~p.picked)
    return worst_of(&h, kinds_of(pool & ~p.picked), value)


cdef int useless_cards(const VonHerzen *p, const Block *b, int size) noexcept nogil:
    """How many of the `size` cards that are worth least are useless."""
    cdef Hand h
    cdef int32_t value = 0
    cdef int count = 0, kind
    hold(&h, p, b, p.hand[p.head.turn])
    for _ in range(size):
        kind = worst_of(&h, h.kinds, &value)
        count += value < USELESS
        let_go(&h, kind)
    return count


cdef int exchange_action(const VonHerzen *p, const Block *b) noexcept nogil:
    cdef uint32_t hand = p.hand[p.head.turn]
    cdef int32_t value = 0
    cdef int kind, useless
    if p.head.phase == OFFERING:
        if hz_popcount(p.picked) == MOST_OFFERED or p.picked == hand:
            return DO_DONE
        kind = next_pick(p, b, hand, &value)
        return DO_PICK + kind if value < USELESS else DO_DONE
    if p.head.phase == GIVING or p.opener:
        return DO_PICK + next_pick(p, b, p.offered if p.head.phase == AGREEING else hand, &value)
    if p.head.phase == AGREEING:
        return DO_AGREE
    useless = useless_cards(p, b, p.size)
    if p.head.phase == TAKING_OVER:
        return DO_TAKE_OVER if useless == p.size else DO_STAY
    if useless == p.size:
        return DO_ACCEPT
    return DO_COUNTER + useless if useless else DO_DECLINE


# ---- turns -------------------------------------------------------------------------------------------------

cdef int draw_action(const VonHerzen *p, const Block *b) noexcept nogil:
    """The best card of the pile, or the stock."""
    cdef Hand h
    cdef uint32_t seen, kinds, twice
    cdef int64_t best = 0, value
    cdef int kind, unseen, total = 0, action = -1, seat
    hold(&h, p, b, p.hand[p.head.turn])
    if p.stock_size:
        action = DO_DRAW_STOCK
        if p.turned_over:
            best = gain_of(&h, kind_of(p.stock[p.stock_top]))
        else:                       # on average over the cards not seen
            seen = p.hand[p.head.turn] | pile_cards(p)
            for seat in range(p.head.players):
                seen |= p.known[seat]
            for seat in range(p.run_count):
                for unseen in range(p.runs[seat].length):
                    seen |= card_bit(p.runs[seat].cards[unseen])
            kinds = kinds_of(seen)
            twice = doubles_of(seen)
            for kind in range(16):
                unseen = 2 - (kinds >> kind & 1) - (twice >> kind & 1)
                total += unseen
                if unseen:
                    best += unseen * gain_of(&h, kind)
            best = best // total if total else 0
    if p.pile_size:
        kinds = kinds_of(pile_cards(p)) if b.any_of_pile else <uint32_t> 1 << kind_of(p.pile[p.pile_size - 1])
        while kinds:
            kind = hz_lowest(kinds)
            kinds &= kinds - 1
            value = gain_of(&h, kind) - MARGIN
            if action < 0 or value > best:
                best = value
                action = DO_DRAW_KIND + kind if b.any_of_pile else DO_DRAW_PILE
    return action


cdef bint near_the_end(const VonHerzen *p, const Block *b) noexcept nogil:
    """Whether the deal may be over before the seat's next turn."""
    cdef int seat
    if p.last_left or (b.blocked_after and p.idle_turns + p.head.players >= b.blocked_after):
        return True
    for seat in range(p.head.players):
        if seat != p.head.turn and hz_popcount(p.hand[seat]) <= FEW:
            return True
    return False


cdef int best_meld(const Hand *h, const VonHerzen *p, const Block *b, const Choices *c) noexcept nogil:
    """The meld that brings most, together with the worth of the hand that stays."""
    cdef const Shape *shape
    cdef int32_t value, best = 0
    cdef int i, colour, action = -1
    cdef uint32_t kinds, left
    for colour in range(2):
        for i in range(b.melds.start[c.ranks[colour]], b.melds.start[c.ranks[colour] + 1]):
            shape = &b.melds.shapes[b.melds.listed[i]]
            if shape.joker & ~c.ranks[1 - colour]:
                continue
            kinds = <uint32_t> shape.real << 8 * colour | <uint32_t> shape.joker << 8 * (1 - colour)
            left = h.kinds & ~kinds | h.twice & kinds
            value = REAL * hz_popcount(shape.real) + worth_of(h.worth, left)
            if shape.joker:         # it may fit a run on the table as a real card
                value += JOKER - h.fits[hz_lowest(<uint32_t> shape.joker << 8 * (1 - colour))]
            if hz_popcount(kinds) == 8:
                value += 100 * (b.flute_bonus if shape.joker else b.natural_flute_bonus)
            if action < 0 or value > best:
                best = value
                action = DO_MELD + SHAPES_OF_COLOUR * colour + b.melds.listed[i]
    return action


cdef int32_t lay_off_value(
    const Hand *h, const VonHerzen *p, const Block *b, const Run *run, int kind, bint near, const int32_t *points
) noexcept nogil:
    """What it brings to lay a card to a run; it is laid if that is more than 0."""
    cdef bint real = kind >> 3 == run.colour
    cdef int32_t keep = value_of(h, kind) - h.fits[kind], bonus = 0, value
    if run.length == 7:
        bonus = 100 * (b.natural_flute_bonus if real and run.joker == NO_CARD else b.flute_bonus)
    if run.owner == p.head.turn:
        return (REAL if real else JOKER) + bonus - (0 if near else keep // 2)
    # The owner gains the point, too: the more it has, the less gladly.
    value = OTHERS - (p.totals[run.owner] + points[run.owner]) - bonus // 2
    if near or hz_popcount(p.hand[p.head.turn]) == 1:
        return max(value, 1)
    return value - keep if keep < USELESS else -keep


cdef int turn_action(const VonHerzen *p, const Block *b, hz_stream *chance) noexcept nogil:
    cdef Hand h
    cdef Choices c
    cdef int32_t points[SEATS]
    cdef int32_t value, best = 0
    cdef uint32_t kinds, cheapest = 0
    cdef int i, kind, action = -1
    cdef bint near
    if find_choices(p, b, p.head.turn, &c) == 1 and c.may_end:
        return DO_END
    hold(&h, p, b, p.hand[p.head.turn])
    if c.melds[0] + c.melds[1]:
        return best_meld(&h, p, b, &c)
    near = near_the_end(p, b)
    if c.layoffs:
        deal_points(p, b, points)
        for i in range(p.run_count):
            kinds = c.fitting[i]
            while kinds:
                kind = hz_lowest(kinds)
                kinds &= kinds - 1
                value = lay_off_value(&h, p, b, &p.runs[i], kind, near, points)
                if value > best:
                    best = value
                    action = DO_LAY_OFF + 10 * kind + i
        if action >= 0:
            return action
    kinds = c.discards
    while kinds:
        kind = hz_lowest(kinds)
        kinds &= kinds - 1
        value = value_of(&h, kind) + (WANTED if h.wanted >> kind & 1 else 0)
        if cheapest == 0 or value < best:
            best = value
            cheapest = 0
        if value == best:
            cheapest |= <uint32_t> 1 << kind
    if cheapest == 0 or (c.may_end and not near and best > KEPT and hz_popcount(p.hand[p.head.turn]) > 1):
        return DO_END
    return DO_DISCARD + hz_nth_bit(cheapest, hz_bounded(chance, <uint32_t> hz_popcount(cheapest)))


cdef int rule_action(const void *pos, const Rules *rules, hz_stream *chance) noexcept nogil:
    """The learners' action (docs/batch.rst) that the rule player takes in the seat `turn`, which must be one.

    Of the hidden zones it reads that seat's own only. `chance` decides between equal discards."""
    cdef const VonHerzen *p = <const VonHerzen *> pos
    cdef const Block *b = <const Block *> rules
    if p.head.phase == MELDING:
        return turn_action(p, b, chance)
    if p.head.phase == DRAWING:
        return draw_action(p, b)
    return exchange_action(p, b)


cdef int64_t rule_move(const void *pos, const Rules *rules, int seat, hz_stream *chance) noexcept nogil:
    cdef VonHerzen table
    cdef int64_t code = -1
    memcpy(&table, pos, sizeof(VonHerzen))
    table.head.turn = <int8_t> seat
    table.opener = 0
    table.picked = 0
    while code < 0:
        code = code_after(&table, <const Block *> rules, rule_action(&table, rules, chance))
    return code


cdef uint32_t rule_playout(void *pos, const Rules *rules, hz_stream *chance) noexcept nogil:
    cdef uint32_t did = 0
    while (<VonHerzen *> pos).head.turn >= 0 and not did & DEAL_OVER:
        did = act(pos, rules, rule_action(pos, rules, chance))
    return did


cdef int32_t weigh(const void *pos, const Rules *rules, int seat, int64_t code) noexcept nogil:
    """Cards that are given away weigh what the hand gains by it; what gives none away is always worth a look."""
    cdef VonHerzen table
    cdef Hand h
    cdef int64_t verb = code >> 32
    cdef uint32_t kinds = kinds_of(<uint32_t> code), twice = doubles_of(<uint32_t> code)
    cdef int32_t weight = 0
    cdef int kind
    if verb != OFFER and verb != ACCEPT and verb != TAKE_OVER and verb != AGREE:
        return 1 << 20
    memcpy(&table, pos, sizeof(VonHerzen))
    table.head.turn = <int8_t> seat
    hold(&h, &table, <const Block *> rules, table.hand[seat])
    while kinds:
        kind = hz_lowest(kinds)
        kinds &= kinds - 1
        weight += USELESS - value_of(&h, kind)
        if twice >> kind & 1:
            weight += USELESS - value_of(&h, kind)
    return weight


OPS.rule_action = rule_action
OPS.rule_move = rule_move
OPS.rule_playout = rule_playout
OPS.weigh = weigh


# ---- from Python -------------------------------------------------------------------------------------------

def table_of(view) -> Position:
    """A position that shows the seat to move the same; what is hidden lies anyhow. SetupError if the view cannot be."""
    zones, size = read_table(view)
    cdef State table = position_of(view, zones)
    (<VonHerzen *> table.pos).size = size
    return table


def worth_tables(wrap: bool) -> tuple[list[int], list[int]]:
    """By the set of ranks (bits) held of one colour: what it is worth, and the ranks of gaps in three of four."""
    cdef Worth *worth = &WORTH[1 if wrap else 0]
    return [worth.runs[held] for held in range(256)], [worth.gaps[held] for held in range(256)]
