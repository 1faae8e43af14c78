"""Herzsammler for batches: loops over many positions, and what a seat may know as numbers (docs/batch.rst)."""

from libc.string cimport memset

from herzen._core cimport (
    DEAL_OVER, MATCH_OVER, Compiled, begin_deal, clipped, hz_fill, hz_lowest, hz_prefetch, hz_spread, mask_words,
    prepare_shown, relative, seat_from, shown_score,
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
            hz_prefetch(&p[AHEAD].hand[0])
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
    cdef int n = b.head.players, deck = b.head.deck_size, i, j, worth = 0
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
    for i in range(b.colours):
        for j in range(b.value_bits):
            worth += size_of(&b.worth[i][j]) << j
    prepare_shown(&b.head, sum([size for _, size in parts]), max(1, worth * b.games))
    return parts


cdef inline void count(int8_t *kinds, const uint8_t *cards, int room) noexcept nogil:
    """Add a row of cards."""
    cdef int i
    for i in range(room):
        if cards[i] != NO_CARD:
            kinds[cards[i]] += 1


cdef inline void count_all(int8_t *kinds, const Block *b, Cards cards) noexcept nogil:
    """Add a set of cards to a plane that is empty."""
    if not b.alike:
        hz_spread(<const uint64_t *> &cards, b.head.deck_size, <uint8_t *> kinds)
        return
    while cards.low | cards.high:
        kinds[b.kind[pop_lowest(&cards)]] += 1


cdef void observe(const void *pos, const Rules *rules, int seat, int8_t *out) noexcept nogil:
    cdef const Herzsammler *p = <const Herzsammler *> pos
    cdef const Block *b = <const Block *> rules
    cdef int n = b.head.players, deck = b.head.deck_size, i, j, who, objects
    cdef int8_t *at = out
    cdef uint32_t bits
    cdef int32_t points[SEATS]
    memset(out, 0, rules.observation)
    for i in range(hand_size(p, seat)):
        at[hand_card(p, seat, i)] += 1
    count_all(at + deck, b, p.open)
    at += 2 * deck
    for i in range(n):
        count(at + deck * relative(i, seat, n), p.known[i], HAND)
    at += n * deck
    for i in range(n):
        count_all(at + deck * relative(i, seat, n), b, p.collected[i])
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
        who = seat_from(seat, i, n)
        for j in range(b.colours):
            at[i * b.colours + j] = clipped(common(&p.collected[who], &b.hearts[j]))
            at[(n + i) * b.colours + j] = clipped(numerals(p, b, who, j))
    at += 2 * n * b.colours
    for i in range(n):
        who = seat_from(seat, i, n)
        at[i] = <int8_t> hand_size(p, who)
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
