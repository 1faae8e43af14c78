"""Hearts for batches: loops over many positions, and what a seat may know as numbers (docs/batch.rst)."""

from libc.string cimport memset

from herzen._core cimport (
    DEAL_OVER, MATCH_OVER, Compiled, begin_deal, clipped, hz_lowest, hz_popcount, hz_prefetch, hz_spread_pack,
    relative, shown_score,
)
from herzen.hearts._rules cimport *

cdef enum:
    KINDS = 52
    AHEAD = 8       # positions that are on their way into the cache


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
    b.head.observation = sum([size for _, size in parts])
    b.head.score_unit = b.target
    return parts


cdef inline int8_t *show(uint64_t one, uint64_t two, int8_t *at) noexcept nogil:
    """Write a plane, the copies of each kind; returns its end."""
    hz_spread_pack(one, <uint8_t *> at)
    while two:
        at[KIND[hz_lowest(two)]] = 2
        two &= two - 1
    return at + KINDS


cdef inline void count(int8_t *plane, const uint8_t *lanes, int n) noexcept nogil:
    """Add n cards to a plane."""
    cdef int i
    for i in range(n):
        plane[KIND[lanes[i]]] += 1


ctypedef struct Table:
    # Played cards by relative seat; the seat k of a trick that began behind it is n + k there. Then the captured
    # cards by relative seat. As hands are: kinds, and kinds that there are twice.
    uint64_t one[3 * SEATS]
    uint64_t two[3 * SEATS]
    uint64_t held, held_twice
    uint32_t off[4]                 # by suit: the seats, counted as above, that failed to follow it


cdef inline void see_base(const Hearts *p, int seat, Table *t) noexcept nogil:
    """The cards that were captured or held over before the log begins (a set-up)."""
    cdef int n = p.head.players, i, j, who
    cdef const uint8_t *lanes = p.log
    for i in range(n):
        who = 2 * n + relative(i, seat, n)
        for j in range(p.base_count[i]):
            add_card(&t.one[who], &t.two[who], bit_of(lanes[j]))
        lanes += p.base_count[i]
    for j in range(p.base_count[SEATS]):
        add_card(&t.held, &t.held_twice, bit_of(lanes[j]))


cdef inline uint32_t see_trick(
    const uint8_t *lanes, int n, uint64_t *one, uint64_t *two, uint64_t *pile, uint64_t *pile_twice, bint twice
) noexcept nogil:
    """The cards of a trick, to those who played them and to the pile; who failed to follow suit."""
    cdef int j, suit = lanes[0] >> 4
    cdef uint32_t off = 0
    cdef uint64_t bit
    for j in range(n):
        bit = bit_of(lanes[j])
        if twice:
            two[j] |= one[j] & bit
            pile_twice[0] |= pile[0] & bit
        one[j] |= bit
        pile[0] |= bit
        off |= <uint32_t> (lanes[j] >> 4 != suit) << j
    return off


cdef inline void see_play(const Hearts *p, int n, int seat, Table *t, bint twice) noexcept nogil:
    """The cards behind and on the table, and who failed to follow suit. `twice`: there are two packs."""
    cdef int i, who, winner
    cdef uint64_t pile = 0, pile_twice = 0, none = <uint64_t> (p.head.players >> 6)   # 0, in words: no call of memset
    cdef const uint8_t *lanes = p.log + p.base
    for i in range(3 * n):
        t.one[i] = none
        if twice:
            t.two[i] = none
    t.off[0] = t.off[1] = t.off[2] = t.off[3] = 0
    if p.base:
        t.held = t.held_twice = 0
        see_base(p, seat, t)
        pile = t.held
        pile_twice = t.held_twice
    for i in range(p.tricks):
        who = relative(p.leaders[i] & 15, seat, n)
        t.off[lanes[0] >> 4] |= see_trick(lanes, n, &t.one[who], &t.two[who], &pile, &pile_twice, twice) << who
        lanes += n
        winner = p.leaders[i] >> 4
        if winner != NOBODY:                # takes what was held over before, too
            winner = 2 * n + relative(winner, seat, n)
            if twice:
                t.two[winner] |= pile_twice | t.one[winner] & pile
            t.one[winner] |= pile
            pile = pile_twice = 0
    t.held = pile
    t.held_twice = pile_twice
    if p.in_trick:
        who = relative(p.leader, seat, n)
        t.off[lanes[0] >> 4] |= see_trick(
            lanes, p.in_trick, &t.one[who], &t.two[who], &pile, &pile_twice, twice
        ) << who
    for i in range(n):
        if twice:
            t.two[i] |= t.two[n + i] | t.one[i] & t.one[n + i]
        t.one[i] |= t.one[n + i]
    for i in range(4):
        t.off[i] |= t.off[i] >> n


cdef inline void see(const Hearts *p, const Block *b, int seat, Table *t) noexcept nogil:
    """see_play, compiled for four players, one pack, two packs."""
    if b.decks == 2:
        see_play(p, p.head.players, seat, t, True)
    elif p.head.players == 4:
        see_play(p, 4, seat, t, False)
    else:
        see_play(p, p.head.players, seat, t, False)


cdef inline void observe_pass(const Hearts *p, const Block *b, int seat, const Table *t, int8_t *at) noexcept nogil:
    """The planes picked, my_pass, received, known: empty planes are filled."""
    cdef int n = p.head.players, i, step, who, lane, left
    cdef const uint8_t *mine = NULL
    if p.passed[seat][0] != NO_CARD:
        mine = p.passed[seat]
    if p.head.phase == PASSING and p.head.turn == seat:
        count(at, p.picks, p.picked)
    if mine != NULL:
        count(at + KINDS, mine, b.pass_count)
    if not p.exchanged:
        return
    step = receiver(p, 0)
    who = seat - step if seat >= step else seat - step + n
    if p.passed[who][0] != NO_CARD:
        count(at + 2 * KINDS, p.passed[who], b.pass_count)
    for i in range(b.pass_count if mine != NULL else 0):
        lane = mine[i]
        left = at[KINDS + KIND[lane]] - <int> (t.one[step] >> lane & 1)
        if b.decks == 2:
            left -= <int> (t.two[step] >> lane & 1)
        at[3 * KINDS + KIND[lane]] = <int8_t> max(0, left)


cdef void observe(const void *pos, const Rules *rules, int seat, int8_t *out) noexcept nogil:
    cdef const Hearts *p = <const Hearts *> pos
    cdef const Block *b = <const Block *> rules
    cdef int n = p.head.players, i, who
    cdef int8_t *at = out
    cdef Table table
    see(p, b, seat, &table)
    at = show(p.one[seat], p.two[seat], at)
    memset(at, 0, (4 + n) * KINDS)
    observe_pass(p, b, seat, &table, at)
    at += 4 * KINDS
    who = relative(p.leader, seat, n)
    for i in range(p.in_trick):
        at[KINDS * who + KIND[p.log[p.logged - p.in_trick + i]]] = 1
        who = who + 1 if who + 1 < n else 0
    at += n * KINDS
    for i in range(3 * n):
        if i < n or i >= 2 * n:
            at = show(table.one[i], table.two[i] if b.decks == 2 else 0, at)
    if b.decks == 2:
        at = show(table.held, table.held_twice, at)
    memset(at, 0, out + rules.observation - at)
    if b.kitty_size:
        if p.kitty_taker >= 0 and p.kitty_taker != NOBODY:
            at[KINDS + relative(p.kitty_taker, seat, n)] = 1
            if p.kitty_shown or p.kitty_taker == seat:
                count(at, p.kitty, b.kitty_size)
        at += KINDS + n
    for i in range(n):
        who = seat + i if seat + i < n else seat + i - n
        at[4 * i] = table.off[0] >> i & 1
        at[4 * i + 1] = table.off[1] >> i & 1
        at[4 * i + 2] = table.off[2] >> i & 1
        at[4 * i + 3] = table.off[3] >> i & 1
        at[4 * n + i] = <int8_t> (hz_popcount(p.one[who]) + hz_popcount(p.two[who]))
        at[5 * n + i] = <int8_t> p.tricks_won[who]
        at[6 * n + i] = clipped(p.penalty_points[who] + p.bonus_points[who])
        at[7 * n + i] = shown_score(p.totals[who], rules)
        at[8 * n + i] = p.committed >> who & 1
    at += 9 * n
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
