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


cdef int subsets(uint32_t pool, int size, int verb, int64_t *codes) noexcept nogil:
    """All choices of kinds out of a pool (of `size` cards; any number if negative), lowest copies, ascending."""
    cdef uint32_t found[256]
    cdef int count = 1, grown, i, j, kind, kept = 0
    cdef uint32_t low, both, kinds, copies, value
    found[0] = 0
    for kind in range(16):
        kinds = lowest_copies(pool, kind >> 3, 1 << (kind & 7))
        if kinds == 0:
            continue
        low = kinds
        both = low | (pool & ~low & (lowest_copies(pool & ~low, kind >> 3, 1 << (kind & 7))))
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
            value = found[i]
            j = kept
            while j and <uint32_t> codes[j - 1] > value:
                codes[j] = codes[j - 1]
                j -= 1
            codes[j] = code_of(verb, value)
            kept += 1
    return kept


cdef int legal_melds(const VonHerzen *p, const Block *b, int seat, uint32_t *melds, uint16_t *shapes) noexcept nogil:
    """Every run that the hand can lay, lowest copies; with its number among the learners' shapes. Unsorted."""
    cdef uint32_t hand = p.hand[seat], mine, other, window, missing
    cdef int colour, length, first, place, count = 0, shape
    if b.one_meld and p.melds:
        return 0
    for colour in range(2):
        mine = ranks_of(hand, colour)
        if hz_popcount(mine) < 3:
            continue
        other = ranks_of(hand, 1 - colour)
        shape = 225 * colour
        for length in range(3, 9):
            for first in range(8 if length < 8 else 1):
                window = turn_ranks((1 << length) - 1, first)
                missing = window & ~mine
                if (missing & (missing - 1)) == 0 and (b.wrap or first + length <= 8):
                    if missing == 0:
                        melds[count] = lowest_copies(hand, colour, window)
                        shapes[count] = <uint16_t> shape
                        count += 1
                    if length > 3:
                        for place in range(length):
                            missing = 1 << ((first + place) & 7)
                            if window & ~mine & ~missing == 0 and other & missing and joker_may_lie(b, length, place):
                                melds[count] = lowest_copies(hand, colour, window & ~missing) | lowest_copies(
                                    hand, 1 - colour, missing
                                )
                                shapes[count] = <uint16_t> (shape + 1 + place)
                                count += 1
                shape += 1 if length == 3 else 1 + length
    return count


cdef uint32_t canonical(uint32_t cards) noexcept nogil:
    """The lower copy of each kind in a set of cards."""
    return lowest_copies(cards, 0, 0xFF) | lowest_copies(cards, 1, 0xFF)


cdef int legal_codes(const VonHerzen *p, const Block *b, int seat, int64_t *codes) noexcept nogil:
    """The codes of the canonical legal moves, ascending; their number (at most LONGEST_LIST)."""
    cdef uint32_t melds[SHAPES]
    cdef uint16_t shapes[SHAPES]
    cdef uint32_t kinds, pool
    cdef int phase = p.head.phase, count = 0, i, j, card
    cdef int64_t code
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
            pool = 0
            for i in range(p.pile_size):
                pool |= card_bit(p.pile[i])
            pool = canonical(pool)
            while pool:
                codes[count] = code_of(DRAW, FROM_CARDS + hz_lowest(pool))
                count += 1
                pool &= pool - 1
        return count
    if phase != MELDING:
        return 0
    for i in range(legal_melds(p, b, seat, melds, shapes)):
        code = code_of(MELD, melds[i])
        j = count
        while j and codes[j - 1] > code:
            codes[j] = codes[j - 1]
            j -= 1
        codes[j] = code
        count += 1
    pool = canonical(p.hand[seat])
    if p.melded >> seat & 1:
        kinds = pool
        while kinds:
            card = hz_lowest(kinds)
            kinds &= kinds - 1
            for i in range(p.run_count):
                if fits(&p.runs[i], b, seat, card) == LEGAL:
                    codes[count] = code_of(LAY_OFF, 10 * card + i)
                    count += 1
    if not p.last_left:
        while pool:
            card = hz_lowest(pool)
            pool &= pool - 1
            if may_discard(p, b, card):
                codes[count] = code_of(DISCARD, card)
                count += 1
    if may_end(p, b, seat):
        codes[count] = code_of(END, 0)
        count += 1
    return count


# ---- the learners' actions ---------------------------------------------------------------------------------

cdef inline void allow(uint64_t *mask, int action) noexcept nogil:
    mask[action >> 6] |= <uint64_t> 1 << (action & 63)


cdef inline int card_of(uint32_t pool, int kind) noexcept nogil:
    """The lower copy of a kind in a pool."""
    return hz_lowest(lowest_copies(pool, kind >> 3, 1 << (kind & 7)))


cdef void allow_kinds(uint64_t *mask, int first, uint32_t cards) noexcept nogil:
    """Allow the actions of the kinds in a set of cards."""
    mask[first >> 6] |= <uint64_t> (ranks_of(cards, 0) | ranks_of(cards, 1) << 8) << (first & 63)
    if first & 63 > 48:
        mask[(first >> 6) + 1] |= <uint64_t> (ranks_of(cards, 0) | ranks_of(cards, 1) << 8) >> (64 - (first & 63))


cdef uint32_t picked_cards(const VonHerzen *p, uint32_t pool) noexcept nogil:
    """The cards that have been picked out of a pool, lowest copies first."""
    cdef uint32_t cards = 0
    cdef int kind, left
    for kind in range(16):
        left = p.picked[kind]
        while left:
            cards |= card_bit(card_of(pool & ~cards, kind))
            left -= 1
    return cards


cdef inline uint32_t pool_of(const VonHerzen *p) noexcept nogil:
    """What may be picked from: the offered cards when agreeing, else the hand."""
    return p.offered if p.head.phase == AGREEING else p.hand[p.head.turn]


cdef int legal(const void *pos, const Rules *rules, uint64_t *mask) noexcept nogil:
    cdef const VonHerzen *p = <const VonHerzen *> pos
    cdef const Block *b = <const Block *> rules
    cdef uint32_t melds[SHAPES]
    cdef uint16_t shapes[SHAPES]
    cdef uint32_t pool, kinds
    cdef int phase = p.head.phase, seat = p.head.turn, i, count = 0, card
    memset(mask, 0, MASK_WORDS * 8)
    if seat < 0:
        return 0
    if phase == OFFERING or phase == GIVING or p.opener:
        pool = pool_of(p)
        allow_kinds(mask, DO_PICK, pool & ~picked_cards(p, pool))
        if phase == OFFERING:
            allow(mask, DO_DONE)
    elif phase == ANSWERING:
        allow(mask, DO_ACCEPT)
        allow(mask, DO_DECLINE)
        for i in range(1, p.size):
            allow(mask, DO_COUNTER + i)
    elif phase == TAKING_OVER:
        allow(mask, DO_TAKE_OVER)
        allow(mask, DO_STAY)
    elif phase == AGREEING:
        allow(mask, DO_AGREE)
        if not b.counter_binding:
            allow(mask, DO_WITHDRAW)
    elif phase == DRAWING:
        if p.stock_size:
            allow(mask, DO_DRAW_STOCK)
        if p.pile_size and not b.any_of_pile:
            allow(mask, DO_DRAW_PILE)
        elif p.pile_size:
            pool = 0
            for i in range(p.pile_size):
                pool |= card_bit(p.pile[i])
            allow_kinds(mask, DO_DRAW_KIND, pool)
    else:
        for i in range(legal_melds(p, b, seat, melds, shapes)):
            allow(mask, DO_MELD + shapes[i])
        kinds = pool = canonical(p.hand[seat])
        if p.melded >> seat & 1:
            while kinds:
                card = hz_lowest(kinds)
                kinds &= kinds - 1
                for i in range(p.run_count):
                    if fits(&p.runs[i], b, seat, card) == LEGAL:
                        allow(mask, DO_LAY_OFF + 10 * (8 * colour_of(card) + rank_of(card)) + i)
        if not p.last_left:
            while pool:
                card = hz_lowest(pool)
                pool &= pool - 1
                if may_discard(p, b, card):
                    allow(mask, DO_DISCARD + 8 * colour_of(card) + rank_of(card))
        if may_end(p, b, seat):
            allow(mask, DO_END)
    for i in range(MASK_WORDS):
        count += hz_popcount(mask[i])
    return count


cdef uint32_t complete(VonHerzen *p, const Block *b, int64_t code) noexcept nogil:
    """Play the whole move that an action completes."""
    p.opener = 0
    memset(p.picked, 0, sizeof(p.picked))
    p.head.ply += 1
    return apply_code(p, b, p.head.turn, code)


cdef uint32_t pick(VonHerzen *p, const Block *b, int kind) noexcept nogil:
    """Pick one card; where the number is known the last pick completes the move."""
    cdef int i, count = 0, phase = p.head.phase, verb = ACCEPT
    p.picked[kind] += 1
    if phase == OFFERING:
        return 0
    for i in range(16):
        count += p.picked[i]
    if phase == TAKING_OVER:
        verb = TAKE_OVER
    elif phase == AGREEING:
        verb = AGREE
    if count < (p.size if phase == ANSWERING or phase == TAKING_OVER else p.counter):
        return 0
    return complete(p, b, code_of(verb, picked_cards(p, pool_of(p))))


cdef uint32_t act(void *pos, const Rules *rules, int action) noexcept nogil:
    cdef VonHerzen *p = <VonHerzen *> pos
    cdef const Block *b = <const Block *> rules
    cdef uint32_t melds[SHAPES]
    cdef uint16_t shapes[SHAPES]
    cdef uint32_t pool = 0
    cdef int i
    if action < DO_DONE:
        return pick(p, b, action)
    if action == DO_DONE:
        return complete(p, b, code_of(OFFER, picked_cards(p, pool_of(p))))
    if action == DO_ACCEPT or action == DO_TAKE_OVER or action == DO_AGREE:
        p.opener = <uint8_t> action
        return 0
    if action == DO_DECLINE:
        return complete(p, b, code_of(DECLINE, 0))
    if action < DO_TAKE_OVER:
        return complete(p, b, code_of(COUNTER, action - DO_COUNTER))
    if action == DO_STAY:
        return complete(p, b, code_of(STAY, 0))
    if action == DO_WITHDRAW:
        return complete(p, b, code_of(WITHDRAW, 0))
    if action < DO_DRAW_KIND:
        return complete(p, b, code_of(DRAW, FROM_STOCK if action == DO_DRAW_STOCK else FROM_PILE))
    if action < DO_MELD:
        for i in range(p.pile_size):
            pool |= card_bit(p.pile[i])
        return complete(p, b, code_of(DRAW, FROM_CARDS + card_of(pool, action - DO_DRAW_KIND)))
    if action < DO_LAY_OFF:
        for i in range(legal_melds(p, b, p.head.turn, melds, shapes)):
            if shapes[i] == action - DO_MELD:
                return complete(p, b, code_of(MELD, melds[i]))
        return 0
    pool = p.hand[p.head.turn]
    if action < DO_DISCARD:
        i = action - DO_LAY_OFF
        return complete(p, b, code_of(LAY_OFF, 10 * card_of(pool, i // 10) + i % 10))
    if action < DO_END:
        return complete(p, b, code_of(DISCARD, card_of(pool, action - DO_DISCARD)))
    return complete(p, b, code_of(END, 0))


cdef const int32_t *totals(const void *pos) noexcept nogil:
    return (<const VonHerzen *> pos).totals


cdef uint32_t winners(const void *pos, const Rules *rules) noexcept nogil:
    """V-END: the highest total, alone or shared."""
    return seats_with_most((<const VonHerzen *> pos).totals, rules.players)


cdef uint64_t playout(
    void *pos, const Rules *rules, const uint32_t *key, hz_stream *play, int64_t *counts
) noexcept nogil:
    cdef VonHerzen *p = <VonHerzen *> pos
    cdef uint64_t mask[MASK_WORDS]
    cdef uint64_t actions = 0
    cdef uint32_t did, chosen
    cdef int word, here
    while p.head.turn >= 0:
        actions += 1
        chosen = hz_bounded(play, <uint32_t> legal(pos, rules, mask))
        word = 0
        here = hz_popcount(mask[0])
        while chosen >= <uint32_t> here:
            chosen -= here
            word += 1
            here = hz_popcount(mask[word])
        did = act(pos, rules, 64 * word + hz_nth_bit(mask[word], chosen))
        if did & DEAL_OVER:
            counts[0] += p.blocked
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
    b.own_joker_extend = rules.own_joker_extend
    b.discard_mandatory = rules.discard_mandatory
    b.discard_drawn = rules.discard_drawn
    return compiled
