"""Von Herzen: the lists of legal moves, the actions of learners, random play, and the table of operations."""

from libc.stdlib cimport calloc
from libc.string cimport memset

from herzen._codes cimport codes_from
from herzen._core cimport (
    DEAL_OVER, MATCH_OVER, Compiled, begin_deal, hz_bounded, hz_lowest, hz_nth_bit, hz_popcount, hz_stream,
    seats_with_most,
)
from herzen.vonherzen._rules cimport *


# ---- lists of legal moves ----------------------------------------------------------------------------------

cdef inline int64_t code_of(int verb, uint32_t part) noexcept nogil:
    return <int64_t> verb << 32 | part


cdef inline void put_in_order(int64_t *codes, int n, int64_t code) noexcept nogil:
    """Put a code into an ascending row of n."""
    cdef int i = n
    while i and codes[i - 1] > code:
        codes[i] = codes[i - 1]
        i -= 1
    codes[i] = code


cdef int subsets(uint32_t pool, int size, int verb, int64_t *codes) noexcept nogil:
    """All choices of kinds out of a pool (of `size` cards; any number if negative), lowest copies, ascending."""
    cdef uint32_t found[256]
    cdef int count = 1, grown, i, kind, kept = 0
    cdef uint32_t low, both, copies, value
    found[0] = 0
    for kind in range(16):
        low = lowest_copies(pool, 1 << kind)
        if low == 0:
            continue
        both = low | lowest_copies(pool & ~low, 1 << kind)
        grown = count
        for copies in range(2 if both != low else 1):
            for i in range(count):
                value = found[i] | (both if copies else low)
                if size < 0 or hz_popcount(value) <= size:
                    found[grown] = value
                    grown += 1
        count = grown
    for i in range(count):
        if size < 0 or hz_popcount(found[i]) == size:
            put_in_order(codes, kept, code_of(verb, found[i]))
            kept += 1
    return kept


cdef int legal_codes(const VonHerzen *p, const Block *b, int seat, int64_t *codes) noexcept nogil:
    """The codes of the canonical legal moves, ascending; their number (at most LONGEST_LIST)."""
    cdef Choices c
    cdef const Shape *shape
    cdef uint32_t kinds, pool
    cdef int phase = p.head.phase, count = 0, i, kind, colour
    if phase == OFFERING:
        return subsets(p.hand[seat], -1, OFFER, codes)
    if phase == ANSWERING:
        count = subsets(p.hand[seat], p.size, ACCEPT, codes)
        codes[count] = code_of(DECLINE, 0)
        count += 1
        for i in range(1, p.size):
            codes[count] = code_of(COUNTER, i)
            count += 1
        return count
    if phase == TAKING_OVER:
        count = subsets(p.hand[seat], p.size, TAKE_OVER, codes)
        codes[count] = code_of(STAY, 0)
        return count + 1
    if phase == AGREEING:
        count = subsets(p.offered, p.counter, AGREE, codes)
        if not b.counter_binding:
            codes[count] = code_of(WITHDRAW, 0)
            count += 1
        return count
    if phase == GIVING:
        return subsets(p.hand[seat], p.counter, ACCEPT, codes)
    if phase == DRAWING:
        if p.stock_size:
            codes[0] = code_of(DRAW, FROM_STOCK)
            count = 1
        if p.pile_size and not b.any_of_pile:
            codes[count] = code_of(DRAW, FROM_PILE)
            count += 1
        elif p.pile_size:
            pool = pile_cards(p)
            pool = lowest_copies(pool, kinds_of(pool))
            while pool:
                codes[count] = code_of(DRAW, FROM_CARDS + hz_lowest(pool))
                count += 1
                pool &= pool - 1
        return count
    if phase != MELDING:
        return 0
    find_choices(p, b, seat, &c)
    for colour in range(2 if c.melds[0] + c.melds[1] else 0):
        for i in range(b.melds.start[c.ranks[colour]], b.melds.start[c.ranks[colour] + 1]):
            shape = &b.melds.shapes[b.melds.listed[i]]
            if shape.joker & ~c.ranks[1 - colour]:
                continue
            put_in_order(codes, count, code_of(MELD, meld_cards(shape, colour, p.hand[seat])))
            count += 1
    pool = lowest_copies(p.hand[seat], 0xFFFF)
    if c.layoffs:
        kinds = pool
        while kinds:
            kind = kind_of(hz_lowest(kinds))
            for i in range(p.run_count):
                if c.fitting[i] >> kind & 1:
                    codes[count] = code_of(LAY_OFF, 10 * hz_lowest(kinds) + i)
                    count += 1
            kinds &= kinds - 1
    while pool:
        if c.discards >> kind_of(hz_lowest(pool)) & 1:
            codes[count] = code_of(DISCARD, hz_lowest(pool))
            count += 1
        pool &= pool - 1
    if c.may_end:
        codes[count] = code_of(END, 0)
        count += 1
    return count


# ---- the learners' actions ---------------------------------------------------------------------------------

cdef inline uint64_t bit_of(int action) noexcept nogil:
    return <uint64_t> 1 << action


cdef inline void allow(uint64_t *mask, int action) noexcept nogil:
    mask[action >> 6] |= <uint64_t> 1 << (action & 63)


cdef inline uint32_t pool_of(const VonHerzen *p) noexcept nogil:
    """What may be picked from: the offered cards when agreeing, else the hand."""
    return p.offered if p.head.phase == AGREEING else p.hand[p.head.turn]


cdef inline uint64_t early_actions(const VonHerzen *p, const Block *b) noexcept nogil:
    """The actions of every phase but melding: all lie in the mask's first word."""
    cdef uint64_t actions
    cdef int phase = p.head.phase
    if phase == DRAWING:
        actions = bit_of(DO_DRAW_STOCK) if p.stock_size else 0
        if p.pile_size:
            actions |= <uint64_t> kinds_of(pile_cards(p)) << DO_DRAW_KIND if b.any_of_pile else bit_of(DO_DRAW_PILE)
        return actions
    if phase == OFFERING or phase == GIVING or p.opener:
        actions = kinds_of(pool_of(p) & ~p.picked)
        return actions | bit_of(DO_DONE) if phase == OFFERING else actions
    if phase == ANSWERING:          # of a counter every number below the size
        return bit_of(DO_ACCEPT) | bit_of(DO_DECLINE) | (bit_of(p.size) - 1 & ~<uint64_t> 1) << DO_COUNTER
    if phase == TAKING_OVER:
        return bit_of(DO_TAKE_OVER) | bit_of(DO_STAY)
    return bit_of(DO_AGREE) | (0 if b.counter_binding else bit_of(DO_WITHDRAW))


cdef int legal(const void *pos, const Rules *rules, uint64_t *mask) noexcept nogil:
    cdef const VonHerzen *p = <const VonHerzen *> pos
    cdef const Block *b = <const Block *> rules
    cdef Choices c
    cdef int i, colour, count
    cdef uint32_t kinds
    memset(mask, 0, MASK_WORDS * 8)
    if p.head.turn < 0:
        return 0
    if p.head.phase != MELDING:
        mask[0] = early_actions(p, b)
        return hz_popcount(mask[0])
    count = find_choices(p, b, p.head.turn, &c)
    for colour in range(2):
        if c.melds[colour]:
            for i in range(b.melds.start[c.ranks[colour]], b.melds.start[c.ranks[colour] + 1]):
                if b.melds.shapes[b.melds.listed[i]].joker & ~c.ranks[1 - colour] == 0:
                    allow(mask, DO_MELD + SHAPES_OF_COLOUR * colour + b.melds.listed[i])
    for i in range(p.run_count if c.layoffs else 0):
        kinds = c.fitting[i]
        while kinds:
            allow(mask, DO_LAY_OFF + 10 * hz_lowest(kinds) + i)
            kinds &= kinds - 1
    mask[DO_DISCARD >> 6] |= <uint64_t> c.discards << (DO_DISCARD & 63)
    if c.may_end:
        allow(mask, DO_END)
    return count


cdef inline int nth_choice(const VonHerzen *p, const Block *b, const Choices *c, int n) noexcept nogil:
    """The n-th action, ascending, of a seat that may meld."""
    cdef uint32_t kinds = 0
    cdef int i, colour, kind
    for colour in range(2):
        if n < c.melds[colour]:
            i = b.melds.start[c.ranks[colour]]
            while True:
                if b.melds.shapes[b.melds.listed[i]].joker & ~c.ranks[1 - colour] == 0:
                    if n == 0:
                        return DO_MELD + SHAPES_OF_COLOUR * colour + b.melds.listed[i]
                    n -= 1
                i += 1
        n -= c.melds[colour]
    if n < c.layoffs:
        for i in range(p.run_count):
            kinds |= c.fitting[i]
        while True:
            kind = hz_lowest(kinds)
            kinds &= kinds - 1
            for i in range(p.run_count):
                if c.fitting[i] >> kind & 1:
                    if n == 0:
                        return DO_LAY_OFF + 10 * kind + i
                    n -= 1
    n -= c.layoffs
    return DO_DISCARD + hz_nth_bit(c.discards | 1 << (DO_END - DO_DISCARD), <uint32_t> n)


cdef inline int64_t pick(VonHerzen *p, const Block *b, int kind) noexcept nogil:
    """Pick one card; where the number is known the last pick completes the move: its code, else -1."""
    cdef int phase = p.head.phase, verb = ACCEPT
    p.picked |= card_bit(card_of(pool_of(p) & ~p.picked, kind))
    if phase == OFFERING or hz_popcount(p.picked) < (
        p.size if phase == ANSWERING or phase == TAKING_OVER else p.counter
    ):
        return -1
    if phase == TAKING_OVER:
        verb = TAKE_OVER
    elif phase == AGREEING:
        verb = AGREE
    return code_of(verb, p.picked)


cdef inline int64_t note_action(VonHerzen *p, const Block *b, int action) noexcept nogil:
    """The code of the whole move that a legal action completes; -1, and the pick noted, if it completes none."""
    cdef uint32_t hand = p.hand[p.head.turn]
    cdef int i, colour
    if action < DO_DONE:
        return pick(p, b, action)
    if action >= DO_DISCARD:
        return code_of(DISCARD, card_of(hand, action - DO_DISCARD)) if action < DO_END else code_of(END, 0)
    if action >= DO_LAY_OFF:
        i = action - DO_LAY_OFF
        return code_of(LAY_OFF, 10 * card_of(hand, i // 10) + i % 10)
    if action >= DO_MELD:
        i = action - DO_MELD
        colour = i >= SHAPES_OF_COLOUR
        return code_of(MELD, meld_cards(&b.melds.shapes[i - SHAPES_OF_COLOUR * colour], colour, hand))
    if action >= DO_DRAW_KIND:
        return code_of(DRAW, FROM_CARDS + card_of(pile_cards(p), action - DO_DRAW_KIND))
    if action >= DO_DRAW_STOCK:
        return code_of(DRAW, FROM_STOCK if action == DO_DRAW_STOCK else FROM_PILE)
    if action == DO_DONE:
        return code_of(OFFER, p.picked)
    if action == DO_ACCEPT or action == DO_TAKE_OVER or action == DO_AGREE:
        p.opener = <uint8_t> action
        return -1
    if action == DO_DECLINE:
        return code_of(DECLINE, 0)
    if action < DO_TAKE_OVER:
        return code_of(COUNTER, action - DO_COUNTER)
    return code_of(STAY if action == DO_STAY else WITHDRAW, 0)


cdef inline uint32_t do_action(VonHerzen *p, const Block *b, int action) noexcept nogil:
    """Play a legal action."""
    cdef int64_t code = note_action(p, b, action)
    if code < 0:
        return 0
    p.opener = 0
    p.picked = 0
    p.head.ply += 1
    return apply_code(p, b, p.head.turn, code)


cdef int64_t code_after(VonHerzen *p, const Block *b, int action) noexcept nogil:
    return note_action(p, b, action)


cdef uint32_t act(void *pos, const Rules *rules, int action) noexcept nogil:
    return do_action(<VonHerzen *> pos, <const Block *> rules, action)


cdef const int32_t *totals(const void *pos) noexcept nogil:
    return (<const VonHerzen *> pos).totals


cdef uint32_t winners(const void *pos, const Rules *rules) noexcept nogil:
    """V-END: the highest total, alone or shared."""
    return seats_with_most((<const VonHerzen *> pos).totals, rules.players)


cdef inline void tally(const void *pos, uint32_t flags, int32_t *counts) noexcept nogil:
    """Deals that ended blocked."""
    if flags & DID_SCORE:
        counts[0] += (<const VonHerzen *> pos).blocked


cdef uint64_t playout(
    void *pos, const Rules *rules, const uint32_t *key, hz_stream *play, int32_t *counts
) noexcept nogil:
    cdef VonHerzen *p = <VonHerzen *> pos
    cdef const Block *b = <const Block *> rules
    cdef Choices c
    cdef uint64_t actions = 0, early
    cdef uint32_t did
    cdef int action
    while p.head.turn >= 0:
        actions += 1
        if p.head.phase == MELDING:
            action = find_choices(p, b, p.head.turn, &c)
            action = nth_choice(p, b, &c, <int> hz_bounded(play, <uint32_t> action))
        else:
            early = early_actions(p, b)
            action = hz_nth_bit(early, hz_bounded(play, <uint32_t> hz_popcount(early)))
        did = do_action(p, b, action)
        if did & DEAL_OVER:
            tally(pos, did, counts)
            if not did & MATCH_OVER:
                begin_deal(pos, rules, key, NULL)
    return actions


cdef object codes_of(const void *pos, const Rules *rules, int seat):
    cdef int64_t found[LONGEST_LIST]
    cdef int count = legal_codes(<const VonHerzen *> pos, <const Block *> rules, seat, found)
    return codes_from(found, count)


OPS.size = sizeof(VonHerzen)
OPS.deal = deal
OPS.actors = actors
OPS.check = check
OPS.apply = apply
OPS.legal = legal
OPS.act = act
OPS.tally = tally
OPS.playout = playout
OPS.totals = totals
OPS.winners = winners
OPS.codes = codes_of


def compile_rules(rules) -> Compiled:
    """The constant block of a VonHerzenRules object."""
    cdef Compiled compiled = Compiled.__new__(Compiled)
    cdef Block *b = <Block *> calloc(1, sizeof(Block))
    cdef int i
    if b == NULL:
        raise MemoryError
    compiled.block = &b.head
    b.head.ops = &OPS
    b.head.players = rules.players
    b.head.actions = ACTIONS
    b.head.deck_size = CARDS
    for i in range(CARDS):
        b.head.deck[i] = i
    b.hand_size = rules.hand_size
    b.rounds = rules.exchange_rounds
    limit = rules.blocked_after
    b.blocked_after = 2 * rules.players if limit == "2n" else limit or 0
    b.deals = rules.full_rounds * rules.players
    if rules.max_deals is not None:
        b.deals = min(b.deals, rules.max_deals)
    b.flute_bonus = rules.flute_bonus
    b.natural_flute_bonus = rules.natural_flute_bonus
    b.turn_up = rules.turn_up
    b.others_after_decline = rules.others_after_decline
    b.counter_binding = rules.counter_binding
    b.any_of_pile = rules.draw_from_pile == "any"
    b.turn_over = rules.stock_refill == "turn_over"
    b.one_meld = rules.one_meld_per_turn
    b.wrap = rules.wrap
    b.joker_ends = rules.joker_ends
    b.melds = melds_under(b.wrap, b.joker_ends)
    b.own_joker_extend = rules.own_joker_extend
    b.discard_mandatory = rules.discard_mandatory
    b.discard_drawn = rules.discard_drawn
    return compiled
