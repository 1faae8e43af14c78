"""Herzsammler for batches: loops over many positions, and what a seat may know as numbers (docs/batch.rst)."""

from herzen._core cimport (
    DEAL_OVER, MATCH_OVER, Compiled, begin_deal, clipped, hz_fill, hz_lowest, hz_prefetch, mask_words, shown_score,
)
from herzen.herzsammler._rules cimport *

cdef enum:
    AHEAD = 3       # positions that are on their way into the cache


# ---- many positions ----------------------------------------------------------------------------------------

cdef void legal_many(const void *pos, const Rules *rules, Py_ssize_t n, uint64_t *masks) noexcept nogil:
    cdef const Herzsammler *p = <const Herzsammler *> pos
    cdef int words = mask_words(rules)
    cdef Py_ssize_t i
    for i in range(n):
        legal(p + i, rules, masks + words * i)


cdef void step_many(
    void *pos, const Rules *rules, Py_ssize_t n, const int32_t *actions, const uint32_t *keys, uint64_t *masks,
    int8_t *turns, uint8_t *ends
) noexcept nogil:
    cdef Herzsammler *p = <Herzsammler *> pos
    cdef const Block *b = <const Block *> rules
    cdef int words = mask_words(rules)
    cdef Py_ssize_t i
    for i in range(n):
        if i + AHEAD < n:
            hz_prefetch(p + AHEAD)
            hz_prefetch(&p[AHEAD].hand[0][0])
            hz_prefetch(&p[AHEAD].barred_count[0])
            hz_prefetch(&p[AHEAD].top)
        ends[i] = 0
        if p.head.turn >= 0:
            p.head.ply += 1
            ends[i] = show_card(p, b, actions[i]) & (DEAL_OVER | MATCH_OVER)
            if ends[i] == DEAL_OVER:
                begin_deal(p, rules, keys + 8 * i, NULL)
            legal(p, rules, masks + words * i)
        turns[i] = p.head.turn
        p += 1


cdef void drop_picks(void *pos) noexcept nogil:
    pass            # an action is a whole move


# ---- observations ------------------------------------------------------------------------------------------

cdef int objects_of(const Block *b) noexcept nogil:
    """Number of objects on the deck's cards: the highest one's number and one."""
    cdef int i, most = 0
    for i in range(b.head.deck_size):
        most = max(most, b.first[i] + 1, b.second[i] + 1)
    return most


def prepare(rules) -> list[tuple[str, int]]:
    """Make the rules ready for batches: (name, bytes) of the parts of an observation, in order."""
    cdef Compiled compiled = rules._compiled
    cdef Block *b = <Block *> compiled.block
    cdef int n = b.head.players, deck = b.head.deck_size, i, worth = 0
    parts = [
        ("hand", deck), ("open", deck), ("known", n * deck), ("collections", n * deck), ("bottom", deck),
    ]
    if b.must_match:
        parts.append(("barred", n * HAND * objects_of(b)))
    parts += [
        ("hearts", n * b.colours), ("numerals", n * b.colours), ("hand_sizes", n), ("points", n), ("scores", n),
        ("hearts_won", n), ("stack_size", 1), ("misses", 1), ("over", 1), ("turn", n), ("dealer", n),
        ("deal_number", 1),
    ]
    b.head.observation = sum([size for _, size in parts])
    for i in range(deck):
        worth += 0 if b.heart[i] else b.value[i]
    b.head.score_unit = max(1, worth * b.games)
    return parts


cdef inline int relative(int who, int seat, int n) noexcept nogil:
    """A seat as seen from another one: 0 is that seat itself, 1 its left neighbour."""
    return who - seat if who >= seat else who - seat + n


cdef inline int count(int8_t *kinds, const uint8_t *cards, int room) noexcept nogil:
    """Add a row of cards; their number."""
    cdef int i
    for i in range(room):
        if cards[i] == NO_CARD:
            return i
        kinds[cards[i]] += 1
    return room


cdef void see_collections(const Herzsammler *p, const Block *b, int seat, int8_t *at) noexcept nogil:
    """What each seat has collected. Cards that nobody has go to a plane that is not shown: a branch would cost more."""
    cdef int8_t nobodys[MAX_DECK]
    cdef int8_t *planes[8]
    cdef int n = b.head.players, deck = b.head.deck_size, i
    for i in range(8):
        planes[i] = nobodys
    for i in range(n):
        planes[i] = at + deck * relative(i, seat, n)
    for i in range(deck):
        planes[p.owner[i] & 7][b.kind[i]] += 1


cdef void observe(const void *pos, const Rules *rules, int seat, int8_t *out) noexcept nogil:
    cdef const Herzsammler *p = <const Herzsammler *> pos
    cdef const Block *b = <const Block *> rules
    cdef int n = b.head.players, deck = b.head.deck_size, i, j, who, objects
    cdef int8_t *at = out
    cdef uint32_t bits
    cdef int32_t points[SEATS]
    # 0, which compilers are not to know: see hz_fill
    hz_fill(<uint8_t *> out, rules.observation, <uint64_t> (p.head.players >> 6))
    count(at, p.hand[seat], HAND)
    count(at + deck, p.open, OPEN)
    at += 2 * deck
    for i in range(n):
        count(at + deck * relative(i, seat, n), p.known[i], HAND)
    at += n * deck
    see_collections(p, b, seat, at)
    at += n * deck
    hz_fill(<uint8_t *> at, deck, ~<uint64_t> 0)
    for i in range(p.bottom):               # in the order in which they will be drawn
        at[i] = <int8_t> p.stack[(p.top + p.size - p.bottom + i) & (MAX_DECK - 1)]
    at += deck
    if b.must_match:
        objects = objects_of(b)
        for i in range(n):
            who = relative(i, seat, n)
            for j in range(p.barred_count[i]):
                bits = p.barred[i][j]
                while bits:
                    at[(who * HAND + j) * objects + hz_lowest(bits)] = 1
                    bits &= bits - 1
        at += n * HAND * objects
    game_points(p, b, points)
    for i in range(n):
        who = seat + i if seat + i < n else seat + i - n
        for j in range(b.colours):
            at[i * b.colours + j] = clipped(p.hearts[who][j])
            at[(n + i) * b.colours + j] = clipped(p.points[who][j])
    at += 2 * n * b.colours
    for i in range(n):
        who = seat + i if seat + i < n else seat + i - n
        for j in range(HAND):
            at[i] += p.hand[who][j] != NO_CARD
        at[n + i] = clipped(points[who])
        at[2 * n + i] = shown_score(p.totals[who], rules)
        at[3 * n + i] = clipped(p.hearts_won[who])
    at += 4 * n
    at[0] = clipped(p.size)
    at[1] = clipped(p.misses)
    at[2] = p.head.phase == FINISHED
    at += 3
    if p.head.turn >= 0:
        at[relative(p.head.turn, seat, n)] = 1
    at[n + relative(p.head.dealer, seat, n)] = 1
    at[2 * n] = clipped(p.head.deal_number)


OPS.legal_many = legal_many
OPS.step_many = step_many
OPS.observe = observe
OPS.drop_picks = drop_picks
