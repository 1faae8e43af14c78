"""Hearts for batches: loops over many positions, and what a seat may know as numbers (docs/batch.rst)."""

from herzen._core cimport (
    DEAL_OVER, MATCH_OVER, Compiled, begin_deal, clipped, hz_fill, hz_lowest, hz_popcount, hz_prefetch,
    hz_spread, hz_spread_pack, left_of, prepare_shown, relative, seat_from, shown_score,
)
from herzen.hearts._rules cimport *

cdef enum:
    KINDS = 52
    AHEAD = 8       # positions that are on their way into the cache


# ---- many positions ----------------------------------------------------------------------------------------

cdef inline void fetch(const Hearts *p) noexcept nogil:
    """The cache lines of a position that a step reads: those up to the points and counts of captured cards."""
    hz_prefetch(p)
    hz_prefetch(<const char *> p + 64)
    hz_prefetch(<const char *> p + 128)
    hz_prefetch(<const char *> p + 192)
    hz_prefetch(<const char *> p + 256)
    hz_prefetch(<const char *> p + 320)


cdef void legal_many(const void *pos, const Rules *rules, Py_ssize_t n, uint64_t *masks) noexcept nogil:
    cdef const Hearts *p = <const Hearts *> pos
    cdef Py_ssize_t i
    for i in range(n):
        masks[i] = actions_of(p + i, <const Block *> rules)


cdef void step_many(
    void *pos, const Rules *rules, Py_ssize_t n, const int32_t *actions, const uint32_t *keys, uint64_t *masks,
    int8_t *turns, uint8_t *ends
) noexcept nogil:
    cdef Hearts *p = <Hearts *> pos
    cdef const Block *b = <const Block *> rules
    cdef Py_ssize_t i
    cdef uint32_t did
    for i in range(n):
        if i + AHEAD < n:
            fetch(p + AHEAD)
        did = 0
        if p.head.phase == PLAYING:
            p.head.ply += 1
            did = play_card(p, b, LANE[actions[i]])
        elif p.head.phase == PASSING:
            did = pick(p, b, LANE[actions[i]])
        elif p.head.phase == SHOOTING:
            p.head.ply += 1
            did = choose_moon(p, b, MOON_ADD if actions[i] == CODE_ADD else MOON_SUBTRACT)
        ends[i] = did & (DEAL_OVER | MATCH_OVER)
        if ends[i] == DEAL_OVER:
            begin_deal(p, rules, keys + 8 * i, NULL)
        masks[i] = actions_of(p, b)
        turns[i] = p.head.turn
        p += 1


cdef void drop_picks(void *pos) noexcept nogil:
    (<Hearts *> pos).picked = 0


# ---- observations ------------------------------------------------------------------------------------------

def prepare(rules) -> list[tuple[str, int]]:
    """Make the rules ready for batches: (name, bytes) of the parts of an observation, in order."""
    cdef Compiled compiled = rules._compiled
    cdef Block *b = <Block *> compiled.block
    cdef int n = b.head.players
    parts = [
        ("hand", KINDS), ("picked", KINDS), ("my_pass", KINDS), ("received", KINDS), ("known", KINDS),
        ("trick", n * KINDS), ("played", n * KINDS), ("taken", n * KINDS),
    ]
    if b.decks == 2:
        parts.append(("held", KINDS))
    if b.kitty_size:
        parts += [("kitty", KINDS), ("kitty_taker", n)]
    parts += [
        ("voids", 4 * n), ("hand_sizes", n), ("tricks_won", n), ("points", n), ("scores", n), ("committed", n),
        ("pass_direction", 4), ("phase", 4), ("turn", n), ("dealer", n), ("leader", n), ("hearts_broken", 1),
        ("tricks", 1), ("deal_number", 1),
    ]
    prepare_shown(&b.head, sum([size for _, size in parts]), b.target)
    return parts


cdef inline void count(int8_t *plane, const uint8_t *lanes, int n) noexcept nogil:
    """Add n cards to a plane."""
    cdef int i
    for i in range(n):
        plane[KIND[lanes[i]]] += 1


# ---- one pack: each card has one place, so bytes are set and nothing is counted

cdef inline uint64_t see_trick(
    const uint8_t *lanes, int who, int n, const uint8_t *kinds, int8_t *played, int8_t *pile
) noexcept nogil:
    """Show the cards of a trick, led by `who`, with those who played them and in a pile; who failed to follow suit.

    The latter as bits 4 * seat + suit. Seat by seat, so that the planes of four players have fixed places."""
    cdef int k, kind, first = lanes[0]
    cdef uint64_t voids = 0
    for k in range(n):
        kind = lanes[k - who & 3 if n == 4 else k - who if k >= who else k - who + n]
        voids |= <uint64_t> ((kind ^ first) > 15) << 4 * k
        kind = kinds[kind]
        played[KINDS * k + kind] = 1
        pile[kind] = 1
    return voids << (first >> 4)


cdef inline void see_one_pack(
    const Hearts *p, int n, int seat, int8_t *trick, int8_t *played, int8_t *taken, int8_t *out
) noexcept nogil:
    """Fill empty planes with the cards on and behind the table."""
    cdef int i, who, leaders, tricks = p.tricks
    cdef uint64_t voids = 0
    cdef const uint8_t *lanes = &p.log[0]
    cdef const uint8_t *kinds = KIND
    if p.base:                              # captured before the log begins (a set-up)
        for i in range(n):
            count(taken + KINDS * relative(i, seat, n), lanes, p.base_count[i])
            lanes += p.base_count[i]
    for i in range(tricks):
        leaders = p.leaders[i]
        who = relative(leaders & 15, seat, n)
        leaders = KINDS * relative(leaders >> 4, seat, n)
        voids |= see_trick(lanes, who, n, kinds, played, taken + leaders)
        lanes += n
    if p.in_trick:
        who = relative(p.leader, seat, n)
        for i in range(p.in_trick):
            voids |= <uint64_t> ((lanes[i] ^ lanes[0]) > 15) << (4 * who + (lanes[0] >> 4))
            trick[KINDS * who + kinds[lanes[i]]] = 1
            played[KINDS * who + kinds[lanes[i]]] = 1
            who = left_of(who, n)
    hz_spread(&voids, 4 * n, <uint8_t *> out)


# ---- two packs: copies are counted, and tricks may be held over

cdef void see_two_packs(
    const Hearts *p, int n, int seat, int8_t *trick, int8_t *played, int8_t *taken, int8_t *held, int8_t *voids
) noexcept nogil:
    """Fill empty planes with the cards on and behind the table."""
    cdef int i, j, who, led, kind
    cdef bint complete
    cdef const uint8_t *lanes = &p.log[0]
    cdef const uint8_t *first           # of the cards held over
    for i in range(n):
        count(taken + KINDS * relative(i, seat, n), lanes, p.base_count[i])
        lanes += p.base_count[i]
    first = lanes
    lanes = p.log + p.base
    for i in range(p.tricks + (p.in_trick > 0)):
        complete = i < p.tricks
        who = relative((p.leaders[i] & 15) if complete else p.leader, seat, n)
        led = lanes[0] >> 4
        for j in range(n if complete else p.in_trick):
            kind = KIND[lanes[j]]
            played[KINDS * who + kind] += 1
            if not complete:
                trick[KINDS * who + kind] = 1
            voids[4 * who + led] |= lanes[j] >> 4 != led
            who = left_of(who, n)
        if complete:
            lanes += n
            who = p.leaders[i] >> 4
            if who != NOBODY:               # takes what was held over before, too
                count(taken + KINDS * relative(who, seat, n), first, <int> (lanes - first))
                first = lanes
    count(held, first, <int> (lanes - first))


# ---- the whole

cdef inline void observe_pass(const Hearts *p, const Block *b, int n, int seat, int8_t *out) noexcept nogil:
    """Fill the empty planes picked, my_pass, received, known; the plane of the cards played is full."""
    cdef int i, step, who, kind
    cdef int8_t *my_pass = out + 2 * KINDS
    cdef const int8_t *played = out + (5 + n) * KINDS
    if p.head.phase == PASSING and p.head.turn == seat:
        count(out + KINDS, p.picks, p.picked)
    if p.passed[seat][0] != NO_CARD:
        count(my_pass, p.passed[seat], b.pass_count)
    if not p.exchanged:
        return
    step = receiver(p, 0)
    who = seat - step if seat >= step else seat - step + n
    if p.passed[who][0] != NO_CARD:
        count(out + 3 * KINDS, p.passed[who], b.pass_count)
    if p.passed[seat][0] != NO_CARD:
        for i in range(b.pass_count):
            kind = KIND[p.passed[seat][i]]
            out[4 * KINDS + kind] = <int8_t> max(0, my_pass[kind] - played[KINDS * step + kind])


cdef inline void observe_seat(
    const Hearts *p, const Block *b, int n, int seat, int8_t *out, bint twice
) noexcept nogil:
    cdef int i, who
    cdef int8_t *trick = out + 5 * KINDS
    cdef int8_t *played = trick + n * KINDS
    cdef int8_t *taken = played + n * KINDS
    cdef int8_t *at = taken + n * KINDS
    cdef int8_t *held = at
    cdef uint64_t two = p.two[seat]
    hz_spread_pack(p.one[seat], <uint8_t *> out)
    while twice and two:
        out[KIND[hz_lowest(two)]] = 2
        two &= two - 1
    # 0, which compilers are not to know: see hz_fill
    hz_fill(<uint8_t *> out + KINDS, b.head.observation - KINDS, <uint64_t> (p.head.players >> 6))
    if twice:
        at += KINDS
    if b.kitty_size:
        if p.kitty_taker >= 0 and p.kitty_taker != NOBODY:
            at[KINDS + relative(p.kitty_taker, seat, n)] = 1
            if p.kitty_shown or p.kitty_taker == seat:
                count(at, p.kitty, b.kitty_size)
        at += KINDS + n
    if twice:
        see_two_packs(p, n, seat, trick, played, taken, held, at)
    else:
        see_one_pack(p, n, seat, trick, played, taken, at)
    observe_pass(p, b, n, seat, out)
    at += 4 * n
    for i in range(n):
        who = seat_from(seat, i, n)
        at[i] = <int8_t> (hz_popcount(p.one[who]) + (hz_popcount(p.two[who]) if twice else 0))
        at[n + i] = <int8_t> p.tricks_won[who]
        at[2 * n + i] = clipped(p.penalty_points[who] + p.bonus_points[who])
        at[3 * n + i] = shown_score(p.totals[who], &b.head)
        at[4 * n + i] = p.committed >> who & 1
    at += 5 * n
    at[p.direction] = 1
    at[4 + p.head.phase] = 1
    at += 8
    if p.head.turn >= 0:
        at[relative(p.head.turn, seat, n)] = 1
    at[n + relative(p.head.dealer, seat, n)] = 1
    if p.head.phase == PLAYING:
        at[2 * n + relative(p.leader, seat, n)] = 1
    at += 3 * n
    at[0] = p.broken
    at[1] = <int8_t> p.tricks
    at[2] = clipped(p.head.deal_number)


cdef void observe(const void *pos, const Rules *rules, int seat, int8_t *out) noexcept nogil:
    """observe_seat, compiled for four players, one pack, two packs."""
    cdef const Hearts *p = <const Hearts *> pos
    cdef const Block *b = <const Block *> rules
    if b.decks == 2:
        observe_seat(p, b, rules.players, seat, out, True)
    elif rules.players == 4:
        observe_seat(p, b, 4, seat, out, False)
    else:
        observe_seat(p, b, rules.players, seat, out, False)


OPS.legal_many = legal_many
OPS.step_many = step_many
OPS.observe = observe
OPS.drop_picks = drop_picks
