"""Hearts for batches: loops over many positions, and what a seat may know as numbers (docs/batch.rst)."""

from libc.string cimport memset

from herzen._core cimport (
    DEAL_OVER, MATCH_OVER, Compiled, begin_deal, clipped, hz_lowest, hz_popcount, hz_prefetch, hz_spread, relative,
    shown_score,
)
from herzen.hearts._rules cimport *

cdef enum:
    KINDS = 52
    AHEAD = 6       # positions that are on their way into the cache


# ---- many positions ----------------------------------------------------------------------------------------

cdef inline uint64_t actions_of(const Hearts *p, const Block *b) noexcept nogil:
    """The learners' actions of the seat whose turn it is; `legal` of _rules.pyx in one word."""
    if p.head.phase == PLAYING:
        return by_index(legal_cards(p, b, NULL))
    if p.head.phase == PASSING:
        return by_index(choosable(p, b))
    if p.head.phase == SHOOTING:
        return bit_of(CODE_ADD) | bit_of(CODE_SUBTRACT)
    return 0


cdef inline void fetch(const Hearts *p) noexcept nogil:
    """The parts of a position that a step reads: head and hands, and the log with what stands behind it."""
    hz_prefetch(p)
    hz_prefetch(&p.one[6])
    hz_prefetch(&p.two[3])
    hz_prefetch(&p.log[0])
    hz_prefetch(&p.log[60])
    hz_prefetch(&p.committed)


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
    b.head.observation = sum([size for _, size in parts])
    b.head.score_unit = b.target
    return parts


cdef inline void count(int8_t *plane, const uint8_t *lanes, int n) noexcept nogil:
    """Add n cards to a plane."""
    cdef int i
    for i in range(n):
        plane[KIND[lanes[i]]] += 1


cdef void observe_play(
    const Hearts *p, int seat, int8_t *trick, int8_t *played, int8_t *taken, int8_t *held, int8_t *voids
) noexcept nogil:
    """The cards on the table and behind it, and who failed to follow suit."""
    cdef int n = p.head.players, i, j, who, start, led, card, winner, first = p.base, lane
    cdef int8_t *pile
    cdef const uint8_t *lanes = p.log
    if p.base:
        for i in range(n):
            count(taken + KINDS * relative(i, seat, n), lanes, p.base_count[i])
            lanes += p.base_count[i]
        first -= p.base_count[SEATS]
    for i in range(p.tricks):
        start = p.base + i * n
        who = relative(p.leaders[i] & 15, seat, n)
        led = p.log[start] >> 4
        winner = p.leaders[i] >> 4
        for j in range(start, start + n):
            lane = p.log[j]
            played[KINDS * who + KIND[lane]] += 1
            if lane >> 4 != led:
                voids[4 * who + led] = 1
            who = who + 1 if who + 1 < n else 0
        if winner != NOBODY:                # it takes what was held over before, too
            count(taken + KINDS * relative(winner, seat, n), p.log + first, start + n - first)
            first = start + n
    start = p.logged - p.in_trick
    if first < start and held != NULL:
        count(held, p.log + first, start - first)
    if p.in_trick:
        who = relative(p.leader, seat, n)
        led = p.log[start] >> 4
        for j in range(start, p.logged):
            lane = p.log[j]
            trick[KINDS * who + KIND[lane]] = 1
            played[KINDS * who + KIND[lane]] += 1
            if lane >> 4 != led:
                voids[4 * who + led] = 1
            who = who + 1 if who + 1 < n else 0


cdef void observe(const void *pos, const Rules *rules, int seat, int8_t *out) noexcept nogil:
    cdef const Hearts *p = <const Hearts *> pos
    cdef const Block *b = <const Block *> rules
    cdef int n = p.head.players, i, who, step
    cdef int8_t *my_pass = out + 2 * KINDS
    cdef int8_t *known = out + 4 * KINDS
    cdef int8_t *trick = known + KINDS
    cdef int8_t *played = trick + n * KINDS
    cdef int8_t *at = played + 2 * n * KINDS
    cdef int8_t *held = NULL
    cdef int8_t *kitty = NULL
    cdef uint64_t cards = by_index(p.one[seat])
    memset(out, 0, rules.observation)
    hz_spread(&cards, KINDS, <uint8_t *> out)
    if p.two[seat]:
        cards = p.two[seat]
        while cards:
            out[KIND[hz_lowest(cards)]] += 1
            cards &= cards - 1
    if p.head.phase == PASSING and p.head.turn == seat:
        count(out + KINDS, p.picks, p.picked)
    if p.passed[seat][0] != NO_CARD:
        count(my_pass, p.passed[seat], b.pass_count)
    if b.decks == 2:
        held = at
        at += KINDS
    if b.kitty_size:
        kitty = at
        at += KINDS
        if p.kitty_taker >= 0 and p.kitty_taker != NOBODY:
            at[relative(p.kitty_taker, seat, n)] = 1
            if p.kitty_shown or p.kitty_taker == seat:
                count(kitty, p.kitty, b.kitty_size)
        at += n
    observe_play(p, seat, trick, played, played + n * KINDS, held, at)
    if p.exchanged:
        step = receiver(p, 0)
        who = (seat + n - step) % n
        if p.passed[who][0] != NO_CARD:
            count(out + 3 * KINDS, p.passed[who], b.pass_count)
        if p.passed[seat][0] != NO_CARD:    # what the receiver has not played is still there
            who = relative((seat + step) % n, seat, n)
            count(known, p.passed[seat], b.pass_count)
            for i in range(b.pass_count):
                step = KIND[p.passed[seat][i]]
                known[step] = <int8_t> max(0, my_pass[step] - played[KINDS * who + step])
    at += 4 * n
    for i in range(n):
        who = seat + i if seat + i < n else seat + i - n
        at[i] = <int8_t> (hz_popcount(p.one[who]) + hz_popcount(p.two[who]))
        at[n + i] = <int8_t> p.tricks_won[who]
        at[2 * n + i] = clipped(p.penalty_points[who] + p.bonus_points[who])
        at[3 * n + i] = shown_score(p.totals[who], rules)
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


OPS.legal_many = legal_many
OPS.step_many = step_many
OPS.observe = observe
OPS.drop_picks = drop_picks
