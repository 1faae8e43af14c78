"""Von Herzen for batches: loops over many positions, and what a seat may know as numbers (docs/batch.rst)."""

from herzen._core cimport (
    DEAL_OVER, MATCH_OVER, Compiled, begin_deal, clipped, hz_fill, hz_lowest, hz_popcount, hz_prefetch,
    prepare_shown, relative, seat_from, shown_score,
)
from herzen.vonherzen._moves cimport *

cdef enum:
    KINDS = 16
    AHEAD = 2       # positions that are on their way into the cache


# ---- many positions ----------------------------------------------------------------------------------------

cdef void legal_many(const void *pos, const Rules *rules, Py_ssize_t n, uint64_t *masks) noexcept nogil:
    cdef const VonHerzen *p = <const VonHerzen *> pos
    cdef Py_ssize_t i
    for i in range(n):
        legal(p + i, rules, masks + MASK_WORDS * i)


cdef void step_many(
    void *pos, const Rules *rules, Py_ssize_t n, const int32_t *actions, const uint32_t *keys, uint64_t *masks,
    int8_t *turns, uint8_t *ends
) noexcept nogil:
    cdef VonHerzen *p = <VonHerzen *> pos
    cdef Py_ssize_t i
    for i in range(n):
        if i + AHEAD < n:
            hz_prefetch(p + AHEAD)
            hz_prefetch(&p[AHEAD].runs[0])
            hz_prefetch(&p[AHEAD].pile_size)
        ends[i] = 0
        if p.head.turn >= 0:
            ends[i] = act(p, rules, actions[i]) & (DEAL_OVER | MATCH_OVER)
            if ends[i] == DEAL_OVER:
                begin_deal(p, rules, keys + 8 * i, NULL)
            legal(p, rules, masks + MASK_WORDS * i)
        turns[i] = p.head.turn
        p += 1


cdef void drop_picks(void *pos) noexcept nogil:
    cdef VonHerzen *p = <VonHerzen *> pos
    p.opener = 0
    p.picked = 0


# ---- observations ------------------------------------------------------------------------------------------

def prepare(rules) -> list[tuple[str, int]]:
    """Make the rules ready for batches: (name, bytes) of the parts of an observation, in order."""
    cdef Compiled compiled = rules._compiled
    cdef Block *b = <Block *> compiled.block
    cdef int n = b.head.players
    parts = [
        ("hand", KINDS), ("picked", KINDS), ("picking", 3), ("known", n * KINDS), ("given", n * KINDS),
        ("got", n * KINDS), ("my_offer", KINDS), ("my_agreed", KINDS), ("proposer", n), ("offer_size", 1),
        ("counter", 1), ("proposals", 1), ("runs", RUNS * (n + 10)), ("pile", KINDS), ("pile_order", CARDS),
        ("stock_size", 1), ("stock_order", CARDS), ("drawn", KINDS), ("hand_sizes", n), ("melded", n),
        ("last_turns", n), ("melded_this_turn", 1), ("progress", 1), ("turns_taken", 1), ("idle_turns", 1),
        ("points", n), ("scores", n), ("phase", 8), ("turn", n), ("dealer", n), ("deal_number", 1),
    ]
    prepare_shown(
        &b.head, sum([size for _, size in parts]), b.deals * (CARDS + 4 * max(b.flute_bonus, b.natural_flute_bonus))
    )
    return parts


cdef inline void count(int8_t *kinds, uint32_t cards) noexcept nogil:
    """Add a set of cards."""
    while cards:
        kinds[kind_of(hz_lowest(cards))] += 1
        cards &= cards - 1


cdef int8_t *observe_exchange(const VonHerzen *p, int seat, int8_t *at) noexcept nogil:
    """What a seat gave and got, and the offer on the table."""
    cdef int n = p.head.players, i, other
    cdef const Swap *swap
    for i in range(p.swap_count):
        swap = &p.swaps[i]
        if swap.proposer == seat:
            other = KINDS * relative(swap.partner, seat, n)
            count(at + other, swap.from_proposer)
            count(at + n * KINDS + other, swap.from_partner)
        elif swap.partner == seat:
            other = KINDS * relative(swap.proposer, seat, n)
            count(at + other, swap.from_partner)
            count(at + n * KINDS + other, swap.from_proposer)
    at += 2 * n * KINDS
    if ANSWERING <= p.head.phase <= GIVING:
        other = proposer_of(p)
        if other == seat:
            count(at, p.offered)
            count(at + KINDS, p.agreed)
        at[2 * KINDS + relative(other, seat, n)] = 1
        at[2 * KINDS + n] = <int8_t> p.size
        at[2 * KINDS + n + 1] = <int8_t> p.counter
    at += 2 * KINDS + n + 2
    at[0] = <int8_t> p.proposals
    return at + 1


cdef int8_t *observe_table(const VonHerzen *p, int seat, int8_t *at) noexcept nogil:
    """Runs, pile and stock."""
    cdef int n = p.head.players, i, j
    cdef const Run *run
    for i in range(p.run_count):
        run = &p.runs[i]
        at[relative(run.owner, seat, n)] = 1
        at[n + run.colour] = 1
        for j in range(run.length):
            at[n + 2 + ((run.first + j) & 7)] = 2 if j == run.joker else 1
        at += n + 10
    at += (RUNS - p.run_count) * (n + 10)
    for i in range(p.pile_size):
        at[kind_of(p.pile[i])] += 1
    at += KINDS
    hz_fill(<uint8_t *> at, CARDS, ~<uint64_t> 0)
    for i in range(p.pile_size):            # from the top
        at[i] = <int8_t> kind_of(p.pile[p.pile_size - 1 - i])
    at[CARDS] = <int8_t> p.stock_size
    at += CARDS + 1
    hz_fill(<uint8_t *> at, CARDS, ~<uint64_t> 0)
    for i in range(p.stock_size if p.turned_over else 0):   # only a pile turned over is known
        at[i] = <int8_t> kind_of(p.stock[p.stock_top + i])
    return at + CARDS


cdef void observe(const void *pos, const Rules *rules, int seat, int8_t *out) noexcept nogil:
    cdef const VonHerzen *p = <const VonHerzen *> pos
    cdef const Block *b = <const Block *> rules
    cdef int n = b.head.players, i, who
    cdef int8_t *at = out
    cdef int32_t points[SEATS]
    # 0, which compilers are not to know: see hz_fill
    hz_fill(<uint8_t *> out, rules.observation, <uint64_t> (p.head.players >> 6))
    count(at, p.hand[seat])
    at += KINDS
    if p.head.turn == seat:
        count(at, p.picked)
        at[KINDS] = p.opener == DO_ACCEPT
        at[KINDS + 1] = p.opener == DO_TAKE_OVER
        at[KINDS + 2] = p.opener == DO_AGREE
    at += KINDS + 3
    for i in range(n):
        count(at + KINDS * relative(i, seat, n), p.known[i])
    at = observe_table(p, seat, observe_exchange(p, seat, at + n * KINDS))
    if p.drawn != NO_CARD:
        at[kind_of(p.drawn)] = 1
    at += KINDS
    deal_points(p, b, points)
    for i in range(n):
        who = seat_from(seat, i, n)
        at[i] = <int8_t> hz_popcount(p.hand[who])
        at[n + i] = p.melded >> who & 1
    at += 2 * n
    for i in range(p.last_left):
        at[relative((p.head.turn + i) % n, seat, n)] = 1
    at += n
    at[0] = <int8_t> p.melds
    at[1] = p.progress
    at[2] = clipped(p.turns_taken)
    at[3] = clipped(p.idle_turns)
    at += 4
    for i in range(n):
        who = seat_from(seat, i, n)
        at[i] = clipped(points[who])
        at[n + i] = shown_score(p.totals[who], rules)
    at += 2 * n
    at[p.head.phase] = 1
    at += 8
    if p.head.turn >= 0:
        at[relative(p.head.turn, seat, n)] = 1
    at[n + relative(p.head.dealer, seat, n)] = 1
    at[2 * n] = clipped(p.head.deal_number)


OPS.legal_many = legal_many
OPS.step_many = step_many
OPS.observe = observe
OPS.drop_picks = drop_picks
