"""Herzsammler on one plain struct: dealing, the turn, missed cards, both endings, majorities, series of games."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdlib cimport calloc
from libc.string cimport memcpy, memset

from herzen._core cimport (
    DEAL_OVER, MATCH_OVER, Compiled, begin_deal, hz_bounded, left_of, majority, seats_with_most,
)


# ---- hands -------------------------------------------------------------------------------------------------
# A hand is a word, so that a card is put in (see _rules.pxd) or dropped without a loop.

cdef inline uint32_t drop(uint32_t row, int kind) noexcept nogil:
    """Take one copy of a card out of the hand that holds it."""
    cdef uint32_t before = below(row, kind)
    return row & before | row >> 8 & ~before | <uint32_t> NO_CARD << 24


# ---- dealing and drawing -----------------------------------------------------------------------------------

cdef uint32_t deal(void *pos, const Rules *rules, const uint32_t *key, const uint8_t *deck) noexcept nogil:
    """S-DEAL: two cards each, six open, the rest is the stack; the dealer's left begins and has drawn."""
    cdef Herzsammler *p = <Herzsammler *> pos
    cdef const Block *b = <const Block *> rules
    cdef Head head = p.head
    cdef int32_t totals[SEATS]
    cdef int32_t hearts_won[SEATS]
    cdef int n = b.head.players, seat, i
    memcpy(totals, p.totals, sizeof(totals))
    memcpy(hearts_won, p.hearts_won, sizeof(hearts_won))
    memset(p, 0, sizeof(Herzsammler))
    p.head = head
    memcpy(p.totals, totals, sizeof(totals))
    memcpy(p.hearts_won, hearts_won, sizeof(hearts_won))
    memset(p.hand, NO_CARD, sizeof(p.hand))
    memset(p.known, NO_CARD, sizeof(p.known))
    p.shown = NO_CARD
    seat = head.dealer
    for i in range(2 * n):
        seat = left_of(seat, n)
        p.hand[seat] = put(p.hand[seat], b.kind[deck[i]])
        p.barred_count[seat] = 2
    for i in range(2 * n, 2 * n + OPEN):
        add(&p.open, b, b.kind[deck[i]])
    p.size = <uint8_t> (b.head.deck_size - 2 * n - OPEN)
    memcpy(p.stack, deck + 2 * n + OPEN, p.size)
    if b.alike:
        for i in range(p.size):
            p.stack[i] = b.kind[p.stack[i]]
    p.head.phase = SHOWING
    p.head.turn = <int8_t> left_of(head.dealer, n)
    draw(p)
    return DID_DEAL | DID_DRAW


cdef inline void lift(Herzsammler *p, int count) noexcept nogil:
    """So many cards leave the top of the stack."""
    p.top = <uint8_t> ((p.top + count) & (MAX_DECK - 1))
    p.size -= <uint8_t> count
    p.bottom = min(p.bottom, p.size)


cdef inline void draw(Herzsammler *p) noexcept nogil:
    """S-TURN: the seat to move draws the top card; if that one is known, everybody knows it in the hand."""
    cdef int seat = p.head.turn
    cdef bint everybody_knows = p.bottom == p.size
    cdef int kind = p.stack[p.top], i = 0
    lift(p, 1)
    p.hand[seat] = put(p.hand[seat], kind)
    p.drawn = <uint8_t> kind
    p.drawn_known = everybody_knows
    if everybody_knows:
        while p.known[seat][i] != NO_CARD:
            i += 1
        p.known[seat][i] = <uint8_t> kind
    else:
        p.barred[seat][p.barred_count[seat]] = 0
        p.barred_count[seat] += 1


cdef uint32_t actors(const void *pos, const Rules *rules) noexcept nogil:
    cdef const Herzsammler *p = <const Herzsammler *> pos
    return <uint32_t> 1 << p.head.turn if p.head.turn >= 0 else 0


# ---- the turn ----------------------------------------------------------------------------------------------

cdef inline int list_codes(const Herzsammler *p, const Block *b, int seat, uint8_t *codes) noexcept nogil:
    """The codes of the legal moves (at most 6), ascending; their number."""
    cdef Cards takes
    cdef int i, kind, count = 0, taking = 0, last = NO_CARD
    cdef bint another
    for i in range(HAND):
        kind = hand_card(p, seat, i)
        another = (kind != NO_CARD) & (kind != last)
        last = kind
        codes[count] = <uint8_t> (2 * kind)
        count += another
        if b.choose_object and another and b.first[kind] != b.second[kind]:
            codes[count] = <uint8_t> (2 * kind + 1)
            count += 1
    if b.must_match:                    # S-TURN: if any move takes a card, only such moves
        for i in range(count):
            takes = taken_by(p, b, codes[i])
            if takes.low | takes.high:
                codes[taking] = codes[i]
                taking += 1
        if taking:
            return taking
    return count


cdef int legal_codes(const Herzsammler *p, const Block *b, int seat, uint8_t *codes) noexcept nogil:
    return list_codes(p, b, seat, codes)


cdef inline void forget(Herzsammler *p, const Block *b, int seat, int kind) noexcept nogil:
    """A card was shown: what everybody knew of this hand, without it."""
    cdef uint8_t *known = p.known[seat]
    cdef int i
    for i in range(HAND):
        if known[i] == NO_CARD:
            break
        if known[i] == kind:
            while i + 1 < HAND:
                known[i] = known[i + 1]
                i += 1
            known[HAND - 1] = NO_CARD
            return
    for i in range(p.barred_count[seat]):
        if p.barred[seat][i] & b.objects[kind] == 0:
            p.barred_count[seat] -= 1
            if i == 0:                  # written out: a loop becomes a call of memmove
                p.barred[seat][0] = p.barred[seat][1]
            if i <= 1:
                p.barred[seat][1] = p.barred[seat][2]
            return


cdef inline void collect(Herzsammler *p, const Block *b, int seat, Cards cards) noexcept nogil:
    """Lay open cards to a seat's collection."""
    p.open.low ^= cards.low
    p.open.high ^= cards.high
    if b.alike:
        while cards.low | cards.high:
            add(&p.collected[seat], b, b.kind[pop_lowest(&cards)])
    p.collected[seat].low |= cards.low
    p.collected[seat].high |= cards.high


cdef uint32_t show_card(Herzsammler *p, const Block *b, int64_t code) noexcept nogil:
    """Play a legal move and all that follows from it (S-TURN, S-TAKE, S-MISS)."""
    cdef int seat = p.head.turn, kind = <int> (code >> 1), missing, opened, i
    cdef uint32_t did = DID_SHOW
    cdef Cards open_cards
    p.hand[seat] = drop(p.hand[seat], kind)
    forget(p, b, seat, kind)
    p.shown = <uint8_t> kind
    p.opened_count = 0
    p.taken = taken_by(p, b, code)
    if p.taken.low | p.taken.high == 0:
        return did | miss(p, b, seat, kind)
    p.misses = 0
    collect(p, b, seat, p.taken)
    open_cards = p.open
    add(&open_cards, b, kind)
    missing = OPEN - size_of(&open_cards)
    opened = min(missing, <int> p.size)
    for i in range(opened):
        p.opened[i] = p.stack[(p.top + i) & (MAX_DECK - 1)]
        add(&open_cards, b, p.opened[i])
    lift(p, opened)
    p.open = open_cards
    p.opened_count = <uint8_t> opened
    did |= DID_TAKE
    if p.opened_count:
        did |= DID_OPEN
    if b.end_short:
        if p.opened_count < missing:
            return did | end_game(p, b, SHORT)
    elif p.size == 0:
        return did | end_game(p, b, EMPTY)
    return did | next_turn(p, b)


cdef uint32_t miss(Herzsammler *p, const Block *b, int seat, int kind) noexcept nogil:
    """S-MISS: the card goes under the stack, seen by everybody."""
    cdef uint32_t all_open = 0
    cdef Cards cards = p.open
    cdef int i
    if b.must_match:        # nothing that the seat holds takes an open card
        while cards.low | cards.high:
            all_open |= b.objects[b.kind[pop_lowest(&cards)]]
        for i in range(p.barred_count[seat]):
            p.barred[seat][i] |= all_open
    p.stack[(p.top + p.size) & (MAX_DECK - 1)] = <uint8_t> kind
    p.size += 1
    p.bottom += 1
    p.misses += 1
    if p.misses >= b.stall_limit:
        return DID_MISS | end_game(p, b, STALLED)
    return DID_MISS | next_turn(p, b)


cdef inline uint32_t next_turn(Herzsammler *p, const Block *b) noexcept nogil:
    """The next seat draws, if there is a stack; under "short" one without any card ends the game."""
    p.head.turn = <int8_t> left_of(p.head.turn, b.head.players)
    if p.size:
        draw(p)
        return DID_DRAW
    if hand_card(p, p.head.turn, 0) == NO_CARD:
        return end_game(p, b, NO_CARDS)
    return 0


# ---- scoring -----------------------------------------------------------------------------------------------

cdef void game_points(const Herzsammler *p, const Block *b, int32_t *points) noexcept nogil:
    """S-SCORE: the numerals of a colour count for whoever has most hearts of it."""
    cdef int32_t counts[SEATS]
    cdef uint32_t keep
    cdef int n = b.head.players, seat, colour
    for seat in range(n):
        points[seat] = 0
    for colour in range(b.colours):
        for seat in range(n):
            counts[seat] = common(&p.collected[seat], &b.hearts[colour])
        keep = majority(counts, n, b.ties_keep, b.require_heart)
        for seat in range(n):
            if keep >> seat & 1:
                points[seat] += numerals(p, b, seat, colour)


cdef uint32_t end_game(Herzsammler *p, const Block *b, int reason) noexcept nogil:
    cdef int32_t points[SEATS]
    cdef int seat, colour
    game_points(p, b, points)
    p.reason = <uint8_t> reason
    for seat in range(b.head.players):
        p.totals[seat] += points[seat]
        for colour in range(b.colours):
            p.hearts_won[seat] += common(&p.collected[seat], &b.hearts[colour])
    if p.head.deal_number + 1 >= b.games:
        p.head.phase = FINISHED
        p.head.turn = -1
        return DID_SCORE | DEAL_OVER | MATCH_OVER
    return DID_SCORE | DEAL_OVER


# ---- moves by code -----------------------------------------------------------------------------------------

cdef bint check(const void *pos, const Rules *rules, int seat, int64_t code) noexcept nogil:
    cdef uint8_t codes[2 * HAND]
    cdef int i
    for i in range(legal_codes(<const Herzsammler *> pos, <const Block *> rules, seat, codes)):
        if codes[i] == code:
            return True
    return False


cdef uint32_t apply(void *pos, const Rules *rules, int seat, int64_t code) noexcept nogil:
    return show_card(<Herzsammler *> pos, <const Block *> rules, code)


cdef int legal(const void *pos, const Rules *rules, uint64_t *mask) noexcept nogil:
    cdef const Herzsammler *p = <const Herzsammler *> pos
    cdef uint8_t codes[2 * HAND]
    cdef int i, count = 0
    memset(mask, 0, (2 * rules.deck_size + 63) // 64 * 8)
    if p.head.turn >= 0:
        count = legal_codes(p, <const Block *> rules, p.head.turn, codes)
    for i in range(count):
        mask[codes[i] >> 6] |= <uint64_t> 1 << (codes[i] & 63)
    return count


cdef uint32_t act(void *pos, const Rules *rules, int action) noexcept nogil:
    (<Herzsammler *> pos).head.ply += 1
    return show_card(<Herzsammler *> pos, <const Block *> rules, action)


cdef const int32_t *totals(const void *pos) noexcept nogil:
    return (<const Herzsammler *> pos).totals


cdef uint32_t winners(const void *pos, const Rules *rules) noexcept nogil:
    """S-END: the highest total; under tie_break "hearts" of those the most heart cards of all games."""
    cdef const Herzsammler *p = <const Herzsammler *> pos
    cdef uint32_t best = seats_with_most(p.totals, rules.players)
    cdef int32_t hearts[SEATS]
    cdef int seat
    if not (<const Block *> rules).hearts_decide:
        return best
    for seat in range(rules.players):
        hearts[seat] = p.hearts_won[seat] if best >> seat & 1 else -1
    return seats_with_most(hearts, rules.players)


cdef inline void tally(const void *pos, uint32_t flags, int32_t *counts) noexcept nogil:
    """Cards that were missed."""
    counts[0] += flags & DID_MISS != 0


cdef uint64_t playout(
    void *pos, const Rules *rules, const uint32_t *key, hz_stream *play, int32_t *counts
) noexcept nogil:
    cdef Herzsammler *p = <Herzsammler *> pos
    cdef const Block *b = <const Block *> rules
    cdef uint8_t codes[2 * HAND]
    cdef uint64_t actions = 0
    cdef int count
    cdef uint32_t did
    while p.head.turn >= 0:
        actions += 1
        p.head.ply += 1
        count = list_codes(p, b, p.head.turn, codes)
        did = show_card(p, b, codes[hz_bounded(play, <uint32_t> count)])
        tally(pos, did, counts)
        if did & (DEAL_OVER | MATCH_OVER) == DEAL_OVER:
            begin_deal(pos, rules, key, NULL)
    return actions


cdef object codes_of(const void *pos, const Rules *rules, int seat):
    cdef uint8_t codes[2 * HAND]
    cdef int count = legal_codes(<const Herzsammler *> pos, <const Block *> rules, seat, codes)
    return PyBytes_FromStringAndSize(<char *> codes, count)


OPS.size = sizeof(Herzsammler)
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


def compile_rules(rules, list deck, list kinds) -> Compiled:
    """The constant block of a HerzsammlerRules object.

    `deck`: rows (number of the colour, is a heart, value, object a, object b) by id; `kinds`: the kind of each
    id."""
    cdef Compiled compiled = Compiled.__new__(Compiled)
    cdef Block *b = <Block *> calloc(1, sizeof(Block))
    cdef Block ids          # a deck without equal cards: its kinds are the ids
    cdef int i, bit
    if b == NULL:
        raise MemoryError
    ids.alike = False
    compiled.block = &b.head
    b.head.ops = &OPS
    b.head.players = rules.players
    b.head.actions = 2 * len(deck)
    b.head.deck_size = len(deck)
    for i, (colour, heart, value, first, second) in enumerate(deck):
        b.head.deck[i] = i
        b.kind[i] = kinds[i]
        b.copies[kinds[i]] += 1
        b.alike = b.alike or kinds[i] != i
        b.objects[i] = <uint32_t> 1 << <int> first | <uint32_t> 1 << <int> second
        b.colour[i] = colour
        b.value[i] = value
        b.heart[i] = heart
        b.first[i] = first
        b.second[i] = second
        add(&b.showing[b.first[i]], &ids, i)
        add(&b.showing[b.second[i]], &ids, i)
        if heart:
            add(&b.hearts[colour], &ids, i)
        for bit in range(VALUE_BITS):
            if <int> value >> bit & 1:
                add(&b.worth[colour][bit], &ids, i)
                b.value_bits = max(b.value_bits, bit + 1)
        b.colours = max(b.colours, colour + 1)
    b.games = rules.games
    b.stall_limit = rules.stall_limit
    b.choose_object = rules.choose_object
    b.must_match = rules.must_match
    b.end_short = rules.end == "short"
    b.ties_keep = rules.majority_tie == "all"
    b.require_heart = rules.require_heart
    b.hearts_decide = rules.tie_break == "hearts"
    return compiled


def keeps(compiled, hearts, points) -> list[list[int]]:
    """For each colour, the points that each seat keeps of its numerals.

    `hearts`, `points`: by seat, then by colour: the heart cards and the numerals' points."""
    cdef Compiled holder = compiled
    cdef Block *b = <Block *> holder.block
    cdef int32_t counts[SEATS]
    cdef uint32_t keep
    cdef int n = b.head.players, seat, colour
    out = []
    for colour in range(b.colours):
        for seat in range(n):
            counts[seat] = hearts[seat][colour]
        keep = majority(counts, n, b.ties_keep, b.require_heart)
        out.append([points[seat][colour] if keep >> seat & 1 else 0 for seat in range(n)])
    return out
