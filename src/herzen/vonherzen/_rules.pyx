"""Von Herzen on one plain struct: the exchange, the turns, runs and lay-offs, the ends of a deal, the score."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdlib cimport calloc
from libc.string cimport memcpy, memset

from herzen._core cimport (
    DEAL_OVER, MATCH_OVER, Codes, Compiled, Ops, begin_deal, codes_from, hz_bounded, hz_lowest, hz_nth_bit,
    hz_popcount, run_points,
)


# ---- dealing and the exchange ------------------------------------------------------------------------------

cdef uint32_t deal(void *pos, const Rules *rules, const uint32_t *key, const uint8_t *deck) noexcept nogil:
    """V-DEAL: the hands, the stock, perhaps a card turned up; then the exchange or the first turn."""
    cdef VonHerzen *p = <VonHerzen *> pos
    cdef const Block *b = <const Block *> rules
    cdef Head head = p.head
    cdef int32_t totals[SEATS]
    cdef int n = b.head.players, i
    memcpy(totals, p.totals, sizeof(totals))
    memset(p, 0, sizeof(VonHerzen))
    p.head = head
    memcpy(p.totals, totals, sizeof(totals))
    p.drawn = p.source_card = NO_CARD
    for i in range(n * b.hand_size):
        p.hand[(head.dealer + 1 + i) % n] |= card_bit(deck[i])
    for i in range(n * b.hand_size, CARDS):
        p.stock[p.stock_size] = deck[i]
        p.stock_size += 1
    if b.turn_up and p.stock_size:
        p.pile[0] = take_stock(p)
        p.pile_size = 1
    return DID_DEAL | open_proposal(p, b)


cdef uint8_t take_stock(VonHerzen *p) noexcept nogil:
    """The top card of the stock."""
    cdef uint8_t card = p.stock[p.stock_top]
    p.stock_top += 1
    p.stock_size -= 1
    return card


cdef int proposer_of(const VonHerzen *p) noexcept nogil:
    """V-EXCH: right of the dealer first, on to the right, the dealer last."""
    cdef int n = p.head.players
    return (p.head.dealer + 2 * n - 1 - p.proposals % n) % n


cdef uint32_t open_proposal(VonHerzen *p, const Block *b) noexcept nogil:
    """The next proposal, or the play where all have proposed."""
    cdef int n = p.head.players
    p.offered = p.agreed = 0
    p.size = p.counter = p.asked = 0
    if p.proposals == n * b.rounds:
        p.head.turn = <int8_t> ((p.head.dealer + 1) % n)
        return begin_turn(p, b)
    p.head.phase = OFFERING
    p.head.turn = <int8_t> proposer_of(p)
    return 0


cdef uint32_t end_proposal(VonHerzen *p, const Block *b) noexcept nogil:
    p.proposals += 1
    return open_proposal(p, b)


cdef uint32_t swap(VonHerzen *p, const Block *b, int partner, uint32_t given, uint32_t received) noexcept nogil:
    """Proposer and partner take each other's cards; nobody else learns them."""
    cdef int proposer = proposer_of(p)
    cdef Swap *done = &p.swaps[p.swap_count]
    p.swap_count += 1
    done.proposer = <uint8_t> proposer
    done.partner = <uint8_t> partner
    done.from_proposer = given
    done.from_partner = received
    p.hand[proposer] ^= given | received
    p.hand[partner] ^= given | received
    return DID_SWAP | end_proposal(p, b)


cdef void ask_others(VonHerzen *p) noexcept nogil:
    """The next seat that may take the offer over: on to the right from the receiver's right neighbour."""
    cdef int n = p.head.players
    p.head.phase = TAKING_OVER
    p.head.turn = <int8_t> ((proposer_of(p) + 2 * n - 2 - p.asked) % n)


cdef uint32_t nobody_took_over(VonHerzen *p, const Block *b) noexcept nogil:
    if p.counter == 0:
        return end_proposal(p, b)
    p.head.phase = AGREEING
    p.head.turn = <int8_t> proposer_of(p)
    return 0


cdef uint32_t exchange(VonHerzen *p, const Block *b, int seat, int verb, uint32_t part) noexcept nogil:
    """A legal move of the exchange."""
    cdef int n = p.head.players
    if verb == OFFER:
        if part == 0:
            return end_proposal(p, b)
        p.offered = part
        p.size = <uint8_t> hz_popcount(part)
        p.head.phase = ANSWERING
        p.head.turn = <int8_t> ((seat + n - 1) % n)
        return 0
    if verb == ACCEPT:
        return swap(p, b, seat, p.agreed if p.head.phase == GIVING else p.offered, part)
    if verb == TAKE_OVER:
        return swap(p, b, seat, p.offered, part)
    if verb == DECLINE:
        if not b.others_after_decline or n == 2:
            return end_proposal(p, b)
        ask_others(p)
        return 0
    if verb == COUNTER:
        p.counter = <uint8_t> part
        if n == 2:
            return nobody_took_over(p, b)
        ask_others(p)
        return 0
    if verb == STAY:
        p.asked += 1
        if p.asked == n - 2:
            return nobody_took_over(p, b)
        ask_others(p)
        return 0
    if verb == AGREE:
        p.agreed = part
        p.head.phase = GIVING
        p.head.turn = <int8_t> ((seat + n - 1) % n)
        return 0
    return end_proposal(p, b)       # WITHDRAW


# ---- turns -------------------------------------------------------------------------------------------------

cdef void clear_turn(VonHerzen *p) noexcept nogil:
    p.drawn = NO_CARD
    p.melds = p.progress = 0


cdef uint32_t begin_turn(VonHerzen *p, const Block *b) noexcept nogil:
    """V-TURN, V-DRAW: a normal turn begins; an empty stock may be renewed from the pile."""
    cdef uint32_t did = 0
    clear_turn(p)
    if b.turn_over and p.stock_size == 0 and p.pile_size:
        memcpy(p.stock, p.pile, p.pile_size)
        p.stock_top = 0
        p.stock_size = p.pile_size
        p.pile_size = 0
        p.turned_over = 1
        did = DID_TURN_OVER
    p.head.phase = DRAWING if p.stock_size or p.pile_size else MELDING
    return did


cdef uint32_t end_turn(VonHerzen *p, const Block *b) noexcept nogil:
    """V-END: last turns, the end of the deal, or the next turn."""
    cdef int n = p.head.players
    cdef bint out = p.hand[p.head.turn] == 0
    if p.last_left:
        clear_turn(p)
        p.last_left -= 1
        if p.last_left == 0:
            return score_deal(p, b)
        p.head.turn = <int8_t> ((p.head.turn + 1) % n)
        p.head.phase = MELDING
        return 0
    p.turns_taken += 1
    p.idle_turns = 0 if p.progress else p.idle_turns + 1
    clear_turn(p)
    if out:
        if p.turns_taken >= n:
            return score_deal(p, b)
        p.last_left = <uint8_t> (n - p.turns_taken)
        p.head.turn = <int8_t> ((p.head.turn + 1) % n)
        p.head.phase = MELDING
        return DID_LAST_TURNS
    if (b.blocked_after and p.idle_turns >= b.blocked_after) or (not b.blocked_after and p.turns_taken >= 1000):
        p.blocked = 1
        return score_deal(p, b)
    p.head.turn = <int8_t> ((p.head.turn + 1) % n)
    return begin_turn(p, b)


cdef uint32_t take_turn(VonHerzen *p, const Block *b, int seat, int verb, uint32_t part) noexcept nogil:
    """A legal move of the play."""
    cdef Run *run
    cdef int card, i
    if verb == DRAW:
        draw_card(p, seat, part)
        p.head.phase = MELDING
        return 0
    if verb == MELD:
        run = &p.runs[p.run_count]
        read_run(part, b, run)
        run.owner = <uint8_t> seat
        p.run_count += 1
        p.hand[seat] &= ~part
        p.known[seat] &= ~part
        p.melded |= <uint8_t> (1 << seat)
        p.melds += 1
        p.progress = 1
        return end_turn(p, b) if p.hand[seat] == 0 else 0
    if verb == LAY_OFF:
        card = part // 10
        lay_off(&p.runs[part % 10], card)
        p.hand[seat] &= ~card_bit(card)
        p.known[seat] &= ~card_bit(card)
        p.progress = 1
        return end_turn(p, b) if p.hand[seat] == 0 else 0
    if verb == DISCARD:
        p.pile[p.pile_size] = <uint8_t> part
        p.pile_size += 1
        p.hand[seat] &= ~card_bit(part)
        p.known[seat] &= ~card_bit(part)
    return end_turn(p, b)


cdef void draw_card(VonHerzen *p, int seat, uint32_t part) noexcept nogil:
    cdef int card, i
    if part == FROM_STOCK:
        card = take_stock(p)
        if p.turned_over:           # everybody saw these cards
            p.known[seat] |= card_bit(card)
        else:
            p.progress = 1
    else:
        i = p.pile_size - 1
        if part >= FROM_CARDS:
            while p.pile[i] != part - FROM_CARDS:
                i -= 1
        card = p.pile[i]
        p.pile_size -= 1
        while i < p.pile_size:
            p.pile[i] = p.pile[i + 1]
            i += 1
        p.known[seat] |= card_bit(card)
        p.drawn = <uint8_t> card
    p.source_card = <uint8_t> card
    p.source_known = p.turned_over or part != FROM_STOCK
    p.hand[seat] |= card_bit(card)


# ---- runs --------------------------------------------------------------------------------------------------

cdef inline uint32_t turn_ranks(uint32_t ranks, int by) noexcept nogil:
    """Ranks shifted upwards, cyclic."""
    return (ranks << by | ranks >> (8 - by)) & 0xFF


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
            run.cards[i] = <uint8_t> hz_lowest(lowest_copies(cards, colour, 1 << rank))
        else:
            run.cards[i] = <uint8_t> hz_lowest(lowest_copies(cards, 1 - colour, 1 << rank))
            run.joker = <uint8_t> i
    if not b.wrap and run.first + length > 8:
        return NO_WRAP
    if run.joker != NO_CARD and not joker_may_lie(b, run.length, run.joker):
        return JOKER_AT_END
    return LEGAL


cdef inline bint joker_may_lie(const Block *b, int length, int place) noexcept nogil:
    """joker_ends (V-MELD): a run of all eight ranks has no ends where runs wrap."""
    return b.joker_ends or (0 < place < length - 1) or (length == 8 and b.wrap)


cdef int fits(const Run *run, const Block *b, int seat, int card) noexcept nogil:
    """V-LAY: LEGAL, or why a card may not be laid to a run by a seat that has melded."""
    cdef int rank = rank_of(card), before = run.first - 1, after = run.first + run.length
    cdef bint joker = colour_of(card) != run.colour
    if run.length == 8:
        return RUN_CLOSED
    if b.wrap:
        if rank != (before & 7) and rank != (after & 7):
            return DOES_NOT_FIT
    elif rank != before and rank != after:
        return DOES_NOT_FIT
    if not joker:
        return LEGAL
    if run.owner != seat:
        return JOKER_ON_OTHERS
    if run.joker != NO_CARD:
        return SECOND_JOKER
    if not b.own_joker_extend:
        return JOKER_EXTEND
    if not b.joker_ends and not (run.length == 7 and b.wrap):
        return JOKER_AT_END
    return LEGAL


cdef void lay_off(Run *run, int card) noexcept nogil:
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


# ---- scoring -----------------------------------------------------------------------------------------------

cdef void deal_points(const VonHerzen *p, const Block *b, int32_t *points) noexcept nogil:
    """V-SCORE: runs for their owners, less one for each card in hand."""
    cdef int seat, i
    cdef const Run *run
    for seat in range(b.head.players):
        points[seat] = -hz_popcount(p.hand[seat])
    for i in range(p.run_count):
        run = &p.runs[i]
        points[run.owner] += run_points(
            run.length, run.joker != NO_CARD, 8, b.flute_bonus, b.natural_flute_bonus
        )


cdef uint32_t score_deal(VonHerzen *p, const Block *b) noexcept nogil:
    cdef int32_t points[SEATS]
    cdef int seat
    deal_points(p, b, points)
    for seat in range(b.head.players):
        p.totals[seat] += points[seat]
    p.last_left = 0
    if p.head.deal_number + 1 >= b.deals:
        p.head.phase = FINISHED
        p.head.turn = -1
        return DID_SCORE | DEAL_OVER | MATCH_OVER
    return DID_SCORE | DEAL_OVER


# ---- legality ----------------------------------------------------------------------------------------------

cdef bint may_discard(const VonHerzen *p, const Block *b, int card) noexcept nogil:
    """V-TURN: not a card of the kind just taken from the pile, unless discard_drawn."""
    return b.discard_drawn or p.drawn == NO_CARD or rank_of(card) != rank_of(p.drawn) or (
        colour_of(card) != colour_of(p.drawn)
    )


cdef bint may_end(const VonHerzen *p, const Block *b, int seat) noexcept nogil:
    """discard_mandatory (V-TURN): only where nothing may be discarded; last turns are free."""
    cdef uint32_t hand = p.hand[seat]
    if not b.discard_mandatory or p.last_left:
        return True
    while hand:
        if may_discard(p, b, hz_lowest(hand)):
            return False
        hand &= hand - 1
    return True


cdef int judge(const VonHerzen *p, const Block *b, int seat, int64_t code) noexcept nogil:
    """LEGAL, or the first rule in the documented order that forbids a move to a seat that may act."""
    cdef int64_t verb = code >> 32, part = <uint32_t> code
    cdef uint32_t hand = p.hand[seat], cards = <uint32_t> part
    cdef int phase = p.head.phase, size = hz_popcount(cards), verdict, i
    cdef Run run
    if verb < 0 or verb > END:
        return UNKNOWN
    if verb == OFFER:
        if phase != OFFERING:
            return WRONG_PHASE
        return NOT_HELD if cards & ~hand else LEGAL
    if verb == ACCEPT or verb == TAKE_OVER:
        if verb == ACCEPT and phase == GIVING:
            if size != p.counter:
                return WRONG_NUMBER
        elif phase != (ANSWERING if verb == ACCEPT else TAKING_OVER):
            return WRONG_PHASE
        elif size != p.size:
            return WRONG_NUMBER
        return NOT_HELD if cards & ~hand else LEGAL
    if verb == COUNTER:
        if part < 1 or part > 7:
            return UNKNOWN
        if phase != ANSWERING:
            return WRONG_PHASE
        return WRONG_NUMBER if part >= p.size else LEGAL
    if verb == AGREE:
        if phase != AGREEING:
            return WRONG_PHASE
        if size != p.counter:
            return WRONG_NUMBER
        if cards & ~hand:
            return NOT_HELD
        return NOT_OFFERED if cards & ~p.offered else LEGAL
    if verb == DRAW:
        if part >= FROM_CARDS + CARDS:
            return UNKNOWN
        if phase != DRAWING:
            return WRONG_PHASE
        if part == FROM_STOCK:
            return LEGAL if p.stock_size else STOCK_EMPTY
        if part == FROM_PILE:
            if b.any_of_pile:
                return NAME_THE_CARD
            return LEGAL if p.pile_size else PILE_EMPTY
        if not b.any_of_pile:
            return TOP_CARD_ONLY
        for i in range(p.pile_size):
            if p.pile[i] == part - FROM_CARDS:
                return LEGAL
        return NOT_IN_PILE
    if verb == MELD:
        if phase != MELDING:
            return WRONG_PHASE
        if cards & ~hand:
            return NOT_HELD
        verdict = read_run(cards, b, &run)
        if verdict != LEGAL:
            return verdict
        return ONE_MELD if b.one_meld and p.melds else LEGAL
    if verb == LAY_OFF:
        if part >= 10 * CARDS:
            return UNKNOWN
        if phase != MELDING:
            return WRONG_PHASE
        if not hand >> (part // 10) & 1:
            return NOT_HELD
        if part % 10 >= p.run_count:
            return NO_SUCH_RUN
        if not p.melded >> seat & 1:
            return NOT_MELDED
        return fits(&p.runs[part % 10], b, seat, <int> (part // 10))
    if verb == DISCARD:
        if part >= CARDS:
            return UNKNOWN
        if phase != MELDING:
            return WRONG_PHASE
        if not hand >> part & 1:
            return NOT_HELD
        if p.last_left:
            return LAST_TURN
        return LEGAL if may_discard(p, b, <int> part) else DRAWN_KIND
    if part:
        return UNKNOWN
    if verb == DECLINE:
        return LEGAL if phase == ANSWERING else WRONG_PHASE
    if verb == STAY:
        return LEGAL if phase == TAKING_OVER else WRONG_PHASE
    if verb == WITHDRAW:
        if phase != AGREEING:
            return WRONG_PHASE
        return BINDING if b.counter_binding else LEGAL
    if phase != MELDING:
        return WRONG_PHASE
    return LEGAL if may_end(p, b, seat) else MUST_DISCARD


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


cdef uint32_t apply_code(VonHerzen *p, const Block *b, int seat, int64_t code) noexcept nogil:
    cdef int verb = <int> (code >> 32)
    cdef uint32_t part = <uint32_t> code
    if verb <= WITHDRAW:
        return DID_MOVE | exchange(p, b, seat, verb, part)
    return DID_MOVE | take_turn(p, b, seat, verb, part)


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
    cdef int kind, i
    for kind in range(16):
        for i in range(p.picked[kind]):
            cards |= card_bit(card_of(pool & ~cards, kind))
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
    cdef int i, hand
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


cdef uint64_t playout(void *pos, const Rules *rules, const uint32_t *key, hz_stream *play) noexcept nogil:
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
        if did & (DEAL_OVER | MATCH_OVER) == DEAL_OVER:
            begin_deal(pos, rules, key, NULL)
    return actions


cdef uint32_t actors(const void *pos, const Rules *rules) noexcept nogil:
    cdef const VonHerzen *p = <const VonHerzen *> pos
    return <uint32_t> 1 << p.head.turn if p.head.turn >= 0 else 0


cdef bint check(const void *pos, const Rules *rules, int seat, int64_t code) noexcept nogil:
    return judge(<const VonHerzen *> pos, <const Block *> rules, seat, code) == LEGAL


cdef uint32_t apply(void *pos, const Rules *rules, int seat, int64_t code) noexcept nogil:
    return apply_code(<VonHerzen *> pos, <const Block *> rules, seat, code)


cdef object codes_of(const void *pos, const Rules *rules, int seat):
    cdef int64_t found[LONGEST_LIST]
    cdef int count = legal_codes(<const VonHerzen *> pos, <const Block *> rules, seat, found)
    return codes_from(found, count)


cdef Ops OPS
OPS.size = sizeof(VonHerzen)
OPS.deal = deal
OPS.actors = actors
OPS.check = check
OPS.apply = apply
OPS.legal = legal
OPS.act = act
OPS.playout = playout
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


def run_of(compiled, uint32_t cards) -> tuple[bytes, bool] | None:
    """(cards upwards, holds a joker) of the run that these cards make under any options, None if none."""
    cdef Compiled holder = compiled
    cdef Run run
    cdef int i, verdict = read_run(cards, <Block *> holder.block, &run)
    if verdict == NOT_A_RUN:
        return None
    return bytes([run.cards[i] for i in range(run.length)]), run.joker != NO_CARD


def points_of_run(compiled, int length, bint joker) -> int:
    """Points of a run."""
    cdef Compiled holder = compiled
    cdef Block *b = <Block *> holder.block
    return run_points(length, joker, 8, b.flute_bonus, b.natural_flute_bonus)
