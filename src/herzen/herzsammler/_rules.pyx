"""Herzsammler on one plain struct: dealing, the turn, missed cards, both endings, majorities, series of games."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdlib cimport calloc
from libc.string cimport memcpy, memset

from herzen._core cimport (
    DEAL_OVER, MATCH_OVER, Compiled, begin_deal, hz_bounded, majority, seats_with_most,
)


# ---- small sorted sets of cards ----------------------------------------------------------------------------

cdef void put(uint8_t *cards, int room, int kind) noexcept nogil:
    """Insert a card into a sorted row that has room for it."""
    cdef int i = room - 1
    while i > 0 and (cards[i - 1] == NO_CARD or cards[i - 1] > kind):
        cards[i] = cards[i - 1]
        i -= 1
    cards[i] = <uint8_t> kind


cdef bint drop(uint8_t *cards, int room, int kind) noexcept nogil:
    """Take one copy of a card out of a row; whether it was there."""
    cdef int i
    for i in range(room):
        if cards[i] == kind:
            while i + 1 < room:
                cards[i] = cards[i + 1]
                i += 1
            cards[room - 1] = NO_CARD
            return True
    return False


cdef int held(const uint8_t *cards, int room) noexcept nogil:
    """Number of cards in a row."""
    cdef int i
    for i in range(room):
        if cards[i] == NO_CARD:
            return i
    return room


# ---- dealing and drawing -----------------------------------------------------------------------------------

cdef uint32_t deal(void *pos, const Rules *rules, const uint32_t *key, const uint8_t *deck) noexcept nogil:
    """S-DEAL: two cards each, six open, the rest is the stack; the dealer's left begins and has drawn."""
    cdef Herzsammler *p = <Herzsammler *> pos
    cdef const Block *b = <const Block *> rules
    cdef Head head = p.head
    cdef int32_t totals[SEATS]
    cdef int32_t hearts_won[SEATS]
    cdef int n = b.head.players, i
    memcpy(totals, p.totals, sizeof(totals))
    memcpy(hearts_won, p.hearts_won, sizeof(hearts_won))
    memset(p, 0, sizeof(Herzsammler))
    p.head = head
    memcpy(p.totals, totals, sizeof(totals))
    memcpy(p.hearts_won, hearts_won, sizeof(hearts_won))
    memset(p.hand, NO_CARD, sizeof(p.hand))
    memset(p.known, NO_CARD, sizeof(p.known))
    memset(p.open, NO_CARD, sizeof(p.open))
    memset(p.owner, NOWHERE, sizeof(p.owner))
    p.shown = NO_CARD
    for i in range(2 * n):
        put(p.hand[(head.dealer + 1 + i) % n], HAND, b.kind[deck[i]])
    for i in range(n):
        p.barred_count[i] = 2
    for i in range(OPEN):
        put(p.open, OPEN, b.kind[deck[2 * n + i]])
    p.size = <uint8_t> (b.head.deck_size - 2 * n - OPEN)
    for i in range(p.size):
        p.stack[i] = b.kind[deck[2 * n + OPEN + i]]
    p.head.phase = SHOWING
    p.head.turn = <int8_t> ((head.dealer + 1) % n)
    draw(p)
    return DID_DEAL | DID_DRAW


cdef int take_top(Herzsammler *p) noexcept nogil:
    """The top card of the stack."""
    cdef int kind = p.stack[p.top]
    p.top = (p.top + 1) & (MAX_DECK - 1)
    p.size -= 1
    if p.bottom > p.size:
        p.bottom = p.size
    return kind


cdef void draw(Herzsammler *p) noexcept nogil:
    """S-TURN: the seat to move draws the top card; if that one is known, everybody knows it in the hand."""
    cdef int seat = p.head.turn
    cdef bint everybody_knows = p.bottom == p.size
    cdef int kind = take_top(p), i
    put(p.hand[seat], HAND, kind)
    p.drawn = <uint8_t> kind
    p.drawn_known = everybody_knows
    if everybody_knows:
        i = held(p.known[seat], HAND)
        p.known[seat][i] = <uint8_t> kind
    else:
        p.barred[seat][p.barred_count[seat]] = 0
        p.barred_count[seat] += 1


cdef uint32_t actors(const void *pos, const Rules *rules) noexcept nogil:
    cdef const Herzsammler *p = <const Herzsammler *> pos
    return <uint32_t> 1 << p.head.turn if p.head.turn >= 0 else 0


# ---- the turn ----------------------------------------------------------------------------------------------

cdef int legal_codes(const Herzsammler *p, const Block *b, int seat, uint8_t *codes) noexcept nogil:
    """The codes of the legal moves (at most 6), ascending; their number."""
    cdef int i, kind, count = 0, taking = 0, last = NO_CARD
    for i in range(HAND):
        kind = p.hand[seat][i]
        if kind == NO_CARD or kind == last:
            continue
        last = kind
        codes[count] = <uint8_t> (2 * kind)
        count += 1
        if b.choose_object and b.first[kind] != b.second[kind]:
            codes[count] = <uint8_t> (2 * kind + 1)
            count += 1
    if b.must_match:                    # S-TURN: if any move takes a card, only such moves
        for i in range(count):
            if takes(p, b, codes[i]):
                codes[taking] = codes[i]
                taking += 1
        if taking:
            return taking
    return count


cdef void forget(Herzsammler *p, const Block *b, int seat, int kind) noexcept nogil:
    """A card was shown: what everybody knew of this hand, without it."""
    cdef int i
    if drop(p.known[seat], HAND, kind):
        return
    for i in range(p.barred_count[seat]):
        if p.barred[seat][i] & b.objects[kind] == 0:
            p.barred_count[seat] -= 1
            while i < p.barred_count[seat]:
                p.barred[seat][i] = p.barred[seat][i + 1]
                i += 1
            return


cdef void collect(Herzsammler *p, const Block *b, int seat, int kind) noexcept nogil:
    """Lay a card to a seat's collection."""
    cdef int card = kind
    while b.kind[card] != kind or p.owner[card] != NOWHERE:
        card += 1
    p.owner[card] = <uint8_t> seat
    if b.heart[kind]:
        p.hearts[seat][b.colour[kind]] += 1
    else:
        p.points[seat][b.colour[kind]] += b.value[kind]


cdef uint32_t show_card(Herzsammler *p, const Block *b, int64_t code) noexcept nogil:
    """Play a legal move and all that follows from it (S-TURN, S-TAKE, S-MISS)."""
    cdef int seat = p.head.turn, kind = <int> (code >> 1), i, j, kept = 0, missing
    cdef uint32_t objects = shown_objects(b, code), did = DID_SHOW, all_open = 0
    drop(p.hand[seat], HAND, kind)
    forget(p, b, seat, kind)
    p.shown = <uint8_t> kind
    p.taken_count = p.opened_count = 0
    for i in range(held(p.open, OPEN)):
        all_open |= b.objects[p.open[i]]
        if b.objects[p.open[i]] & objects:
            p.taken[p.taken_count] = p.open[i]
            p.taken_count += 1
        else:
            p.open[kept] = p.open[i]
            kept += 1
    for i in range(kept, OPEN):
        p.open[i] = NO_CARD
    if p.taken_count == 0:
        return did | miss(p, b, seat, kind, all_open)
    p.misses = 0
    for i in range(p.taken_count):
        collect(p, b, seat, p.taken[i])
    put(p.open, OPEN, kind)
    missing = OPEN - kept - 1
    while p.opened_count < missing and p.size:
        j = take_top(p)
        p.opened[p.opened_count] = <uint8_t> j
        p.opened_count += 1
        put(p.open, OPEN, j)
    did |= DID_TAKE
    if p.opened_count:
        did |= DID_OPEN
    if b.end_short:
        if p.opened_count < missing:
            return did | end_game(p, b, SHORT)
    elif p.size == 0:
        return did | end_game(p, b, EMPTY)
    return did | next_turn(p, b)


cdef uint32_t miss(Herzsammler *p, const Block *b, int seat, int kind, uint32_t all_open) noexcept nogil:
    """S-MISS: the card goes under the stack, seen by everybody."""
    cdef int i
    if b.must_match:        # nothing that the seat holds takes an open card
        for i in range(p.barred_count[seat]):
            p.barred[seat][i] |= all_open
    p.stack[(p.top + p.size) & (MAX_DECK - 1)] = <uint8_t> kind
    p.size += 1
    p.bottom += 1
    p.misses += 1
    if p.misses >= b.stall_limit:
        return DID_MISS | end_game(p, b, STALLED)
    return DID_MISS | next_turn(p, b)


cdef uint32_t next_turn(Herzsammler *p, const Block *b) noexcept nogil:
    """The next seat draws, if there is a stack; under "short" one without any card ends the game."""
    p.head.turn = <int8_t> ((p.head.turn + 1) % b.head.players)
    if p.size:
        draw(p)
        return DID_DRAW
    if p.hand[p.head.turn][0] == NO_CARD:
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
            counts[seat] = p.hearts[seat][colour]
        keep = majority(counts, n, b.ties_keep, b.require_heart)
        for seat in range(n):
            if keep >> seat & 1:
                points[seat] += p.points[seat][colour]


cdef uint32_t end_game(Herzsammler *p, const Block *b, int reason) noexcept nogil:
    cdef int32_t points[SEATS]
    cdef int seat, colour
    game_points(p, b, points)
    p.reason = <uint8_t> reason
    for seat in range(b.head.players):
        p.totals[seat] += points[seat]
        for colour in range(b.colours):
            p.hearts_won[seat] += p.hearts[seat][colour]
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


cdef uint64_t playout(
    void *pos, const Rules *rules, const uint32_t *key, hz_stream *play, int64_t *counts
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
        count = legal_codes(p, b, p.head.turn, codes)
        did = show_card(p, b, codes[hz_bounded(play, <uint32_t> count)])
        counts[0] += did & DID_MISS != 0
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
    cdef int i
    if b == NULL:
        raise MemoryError
    compiled.block = &b.head
    b.head.ops = &OPS
    b.head.players = rules.players
    b.head.actions = 2 * len(deck)
    b.head.deck_size = len(deck)
    for i, (colour, heart, value, first, second) in enumerate(deck):
        b.head.deck[i] = i
        b.kind[i] = kinds[i]
        b.copies[kinds[i]] += 1
        b.objects[i] = <uint32_t> 1 << <int> first | <uint32_t> 1 << <int> second
        b.first[i] = first
        b.second[i] = second
        b.colour[i] = colour
        b.value[i] = value
        b.heart[i] = heart
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
