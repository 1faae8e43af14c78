"""Von Herzen on one plain struct: the exchange, the turns, the ends of a deal, the score, what is legal."""

from libc.string cimport memcpy, memset

from herzen._core cimport DEAL_OVER, MATCH_OVER, hz_popcount, left_of, run_points


# ---- dealing and the exchange ------------------------------------------------------------------------------

cdef uint32_t deal(void *pos, const Rules *rules, const uint32_t *key, const uint8_t *deck) noexcept nogil:
    """V-DEAL: the hands, the stock, perhaps a card turned up; then the exchange or the first turn."""
    cdef VonHerzen *p = <VonHerzen *> pos
    cdef const Block *b = <const Block *> rules
    cdef Head head = p.head
    cdef int32_t totals[SEATS]
    cdef int cards = b.head.players * b.hand_size, seat = head.dealer, i
    memcpy(totals, p.totals, sizeof(totals))
    memset(p, 0, sizeof(VonHerzen))
    p.head = head
    memcpy(p.totals, totals, sizeof(totals))
    p.drawn = p.source_card = NO_CARD
    for i in range(cards):
        seat = left_of(seat, b.head.players)
        p.hand[seat] |= card_bit(deck[i])
    p.stock_size = <uint8_t> (CARDS - cards)
    memcpy(p.stock, deck + cards, p.stock_size)
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
        p.head.turn = <int8_t> left_of(p.head.dealer, p.head.players)
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
        p.head.turn = <int8_t> left_of(p.head.turn, p.head.players)
        p.head.phase = MELDING
        return 0
    p.turns_taken += 1
    p.idle_turns = 0 if p.progress else p.idle_turns + 1
    clear_turn(p)
    if out:
        if p.turns_taken >= n:
            return score_deal(p, b)
        p.last_left = <uint8_t> (n - p.turns_taken)
        p.head.turn = <int8_t> left_of(p.head.turn, p.head.players)
        p.head.phase = MELDING
        return DID_LAST_TURNS
    if (b.blocked_after and p.idle_turns >= b.blocked_after) or (not b.blocked_after and p.turns_taken >= 1000):
        p.blocked = 1
        return score_deal(p, b)
    p.head.turn = <int8_t> left_of(p.head.turn, p.head.players)
    return begin_turn(p, b)


cdef uint32_t take_turn(VonHerzen *p, const Block *b, int seat, int verb, uint32_t part) noexcept nogil:
    """A legal move of the play."""
    cdef Run *run
    cdef int card
    if verb == DRAW:
        draw_card(p, seat, part)
        p.head.phase = MELDING
        return 0
    if verb == MELD:
        run = &p.runs[p.run_count]
        read_run(part, b, run)
        run.owner = <uint8_t> seat
        note_fitting(run, b)
        p.run_count += 1
        p.hand[seat] &= ~part
        p.known[seat] &= ~part
        p.melded |= <uint8_t> (1 << seat)
        p.melds += 1
        p.progress = 1
        return end_turn(p, b) if p.hand[seat] == 0 else 0
    if verb == LAY_OFF:
        card = part // 10
        lay_off(&p.runs[part % 10], b, card)
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
        return DRAWN_KIND if barred_kinds(p, b) >> kind_of(<int> part) & 1 else LEGAL
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


cdef uint32_t apply_code(VonHerzen *p, const Block *b, int seat, int64_t code) noexcept nogil:
    cdef int verb = <int> (code >> 32)
    cdef uint32_t part = <uint32_t> code
    if verb <= WITHDRAW:
        return DID_MOVE | exchange(p, b, seat, verb, part)
    return DID_MOVE | take_turn(p, b, seat, verb, part)


cdef uint32_t actors(const void *pos, const Rules *rules) noexcept nogil:
    cdef const VonHerzen *p = <const VonHerzen *> pos
    return <uint32_t> 1 << p.head.turn if p.head.turn >= 0 else 0


cdef bint check(const void *pos, const Rules *rules, int seat, int64_t code) noexcept nogil:
    return judge(<const VonHerzen *> pos, <const Block *> rules, seat, code) == LEGAL


cdef uint32_t apply(void *pos, const Rules *rules, int seat, int64_t code) noexcept nogil:
    return apply_code(<VonHerzen *> pos, <const Block *> rules, seat, code)
