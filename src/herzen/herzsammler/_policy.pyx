"""How the rule player of Herzsammler plays; `bot.py` says what it thinks, in words.

One function, `rule_action`, chooses the move of the seat to move. It reads what that seat may know: its hand, the
open cards, collections, the known end of the stack, cards known in hands, and the sizes of hands and stack. All
numbers are integers, so that nothing depends on how a processor rounds.
"""

from libc.math cimport sqrt
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.string cimport memset

from herzen._core cimport (
    DEAL_OVER, MAX_DECK, Position, Rules, hz_bounded, hz_lowest, hz_stream, left_of, majority,
)
from herzen.herzsammler._rules cimport *

from herzen.herzsammler.knowledge import read_table
from herzen.knowledge import position_of

cdef enum:
    POINT = 256             # the unit of worth: a point
    ONE = 65536             # the unit of shares and chances
    CERTAIN_BITS = 12
    CERTAIN = 1 << CERTAIN_BITS     # the unit of KEEPS
    STEEP = 1741            # a lead of half a heart, over the blur, in places of KEEPS: 1.7 * 8 / 2 * 256
    SPREAD = 205            # how much each heart that may still be taken blurs a lead, in 256ths
    BLUR = 13               # and what blurs it anyway
    TO_COME = 282           # weight of the numerals still to be taken, in 256ths
    KEEP = 90               # weight of what the hand can take the next time, in 256ths
    UNSEEN_TAKES = 39322    # how readily a seat takes an open card that one of its unknown cards matches
    GAINS = 64              # a power of two
    WEIGH_AGAIN = 12        # cards taken, after which a quick playout asks again what is still to come
    WIN = 1000              # points that it is worth to win the match by the move that ends it

# The chance to keep a colour by an eighth of the lead over the blur: the logistic function.
cdef int32_t[65] KEEPS = [
    2048, 2176, 2303, 2428, 2550, 2668, 2782, 2891, 2994, 3092, 3184, 3269, 3349,
    3422, 3490, 3551, 3608, 3659, 3705, 3747, 3785, 3819, 3850, 3877, 3902, 3924,
    3943, 3960, 3976, 3990, 4002, 4013, 4022, 4031, 4038, 4045, 4051, 4056, 4061,
    4065, 4069, 4072, 4075, 4077, 4079, 4081, 4083, 4085, 4086, 4087, 4088, 4089,
    4090, 4091, 4091, 4092, 4092, 4093, 4093, 4093, 4094, 4094, 4094, 4094, 4095,
]

# The same from -64 eighths on.
cdef int32_t[129] KEPT

for _place in range(129):
    KEPT[_place] = KEEPS[_place - 64] if _place >= 64 else CERTAIN - KEEPS[64 - _place]


# Square roots in 256ths.
cdef int32_t[129] ROOTS = [
    0, 256, 362, 443, 512, 572, 627, 677, 724, 768, 809, 849, 886, 923, 957, 991,
    1024, 1055, 1086, 1115, 1144, 1173, 1200, 1227, 1254, 1280, 1305, 1330, 1354, 1378, 1402, 1425,
    1448, 1470, 1492, 1514, 1536, 1557, 1578, 1598, 1619, 1639, 1659, 1678, 1698, 1717, 1736, 1755,
    1773, 1792, 1810, 1828, 1846, 1863, 1881, 1898, 1915, 1932, 1949, 1966, 1982, 1999, 2015, 2031,
    2048, 2063, 2079, 2095, 2111, 2126, 2141, 2157, 2172, 2187, 2202, 2217, 2231, 2246, 2260, 2275,
    2289, 2304, 2318, 2332, 2346, 2360, 2374, 2387, 2401, 2415, 2428, 2442, 2455, 2468, 2482, 2495,
    2508, 2521, 2534, 2547, 2560, 2572, 2585, 2598, 2610, 2623, 2635, 2648, 2660, 2672, 2684, 2697,
    2709, 2721, 2733, 2745, 2757, 2769, 2780, 2792, 2804, 2816, 2827, 2839, 2850, 2862, 2873, 2884,
    2896,
]

ctypedef struct Table:
    int me, n, unseen
    int64_t share                           # of the cards not collected, those that will be
    int64_t future                          # of the numerals left, those that a seat is likely to get, in 256ths
    int64_t root                            # of the share, in 256ths
    int64_t steep[MAX_DECK + 1]             # by the hearts left: STEEP over the blur; 0: not worked out yet
    int32_t hearts[SEATS][COLOURS]
    int32_t numerals[SEATS][COLOURS]
    int32_t hearts_left[COLOURS]
    int32_t numerals_left[COLOURS]
    uint32_t weighed                        # colours whose leads have been worked out
    int64_t now[SEATS][COLOURS]             # the lead of each seat
    int64_t kept[COLOURS][SEATS]            # and how likely it keeps the colour
    int32_t showing[OBJECTS]                # unseen cards that show an object
    uint8_t kinds[OPEN + HAND]              # whose danger has been worked out
    int64_t danger[OPEN + HAND]
    int dangers
    uint32_t asked[SEATS][GAINS]            # gains of seats that are known already: of what, and how much
    int64_t gain[SEATS][GAINS]
    uint32_t age[COLOURS]                   # how often the gains of a colour have changed


ctypedef struct Best:
    int64_t value
    int found                               # how many moves are worth that
    uint8_t codes[2 * HAND]


# ---- worth of collections ----------------------------------------------------------------------------------

cdef inline int64_t lead_of(const int64_t *worth, int seat, int n) noexcept nogil:
    """A seat's points less the mean of the best other seat and of all others, times 2 * (n - 1)."""
    cdef int64_t best = -1, total = 0
    cdef int other
    for other in range(n):
        if other != seat:
            best = max(best, worth[other])
            total += worth[other]
    return 2 * (n - 1) * worth[seat] - (n - 1) * best - total


cdef inline int64_t steep_of(Table *t, int left) noexcept nogil:
    """How much a lead in hearts counts while so many hearts of the colour are left."""
    if t.steep[left] == 0:
        t.steep[left] = (<int64_t> STEEP << 16) // ((SPREAD * (ROOTS[left] * t.root >> 8) >> 8) + BLUR)
    return t.steep[left]


cdef inline void kept_of(
    Table *t, const Block *b, int n, int colour, int seat, int hearts, int64_t *kept
) noexcept nogil:
    """How likely each seat is to keep a colour, if a seat takes so many hearts more.

    n: the players, as a constant where it is known: then the loops are none."""
    cdef int32_t held[SEATS]
    cdef int32_t most, left = t.hearts_left[colour] - hearts, tie = 1 if b.ties_keep else -1
    cdef int64_t steep = steep_of(t, left), place
    cdef bint dry = b.require_heart and left * t.share < ONE    # it may be that nobody keeps
    cdef int at, other
    for at in range(n):
        held[at] = t.hearts[at][colour] + (hearts if at == seat else 0)
    for at in range(n):
        most = 0
        for other in range(n):
            if other != at:
                most = max(most, held[other])
        # A tie is enough, or not.
        place = steep * (2 * (held[at] - most) + tie - (2 if dry and held[at] == 0 else 0)) >> 16
        kept[at] = KEPT[64 + max(<int64_t> -64, min(<int64_t> 64, place))]


cdef inline int64_t lead_if(
    Table *t, int n, int colour, int seat, int points, const int64_t *kept
) noexcept nogil:
    """A seat's lead in a colour, if it takes so many points more and each keeps the colour so likely."""
    cdef int64_t worth[SEATS]
    cdef int64_t future = (t.numerals_left[colour] - points) * t.future >> 16
    cdef int at
    for at in range(n):
        worth[at] = (
            kept[at] * (POINT * (t.numerals[at][colour] + (points if at == seat else 0)) + future) >> CERTAIN_BITS
        )
    return lead_of(worth, seat, n)


cdef inline void weigh_colour(Table *t, const Block *b, int n, int colour) noexcept nogil:
    """The leads of all seats in a colour, if they are not known."""
    cdef int at
    if not t.weighed >> colour & 1:
        t.weighed |= <uint32_t> 1 << colour
        kept_of(t, b, n, colour, 0, 0, t.kept[colour])
        for at in range(n):
            t.now[at][colour] = lead_if(t, n, colour, at, 0, t.kept[colour])


cdef inline int64_t lead_now(Table *t, const Block *b, int n, int seat, int colour) noexcept nogil:
    """A seat's lead in a colour."""
    weigh_colour(t, b, n, colour)
    return t.now[seat][colour]


cdef inline int64_t gain_in(
    Table *t, const Block *b, int n, int seat, int colour, int hearts, int points
) noexcept nogil:
    """What so many hearts and points of a colour add to a seat's lead."""
    cdef int64_t kept[SEATS]
    weigh_colour(t, b, n, colour)
    if hearts == 0:
        return lead_if(t, n, colour, seat, points, t.kept[colour]) - t.now[seat][colour]
    kept_of(t, b, n, colour, seat, hearts, kept)
    return lead_if(t, n, colour, seat, points, kept) - t.now[seat][colour]


cdef inline int64_t own_gain(Table *t, const Block *b, int n, int colour, int hearts, int points) noexcept nogil:
    """The same for the seat to move. Its moves differ little, so most is asked again."""
    cdef uint32_t what = (t.age[colour] << 21 | <uint32_t> (points << 11 | hearts << 3 | colour)) + 1
    cdef int place = (points * 9 + hearts * 5 + colour * 11) & (GAINS - 1)
    if t.asked[t.me][place] != what:
        t.asked[t.me][place] = what
        t.gain[t.me][place] = gain_in(t, b, n, t.me, colour, hearts, points)
    return t.gain[t.me][place]


cdef inline int64_t gain_among(Table *t, const Block *b, int n, Cards cards) noexcept nogil:
    cdef int hearts[COLOURS]
    cdef int points[COLOURS]
    cdef int64_t total = 0
    cdef uint32_t colours = 0
    cdef int card, colour
    while cards.low | cards.high:
        card = pop_lowest(&cards)
        colour = b.colour[card]
        if not colours >> colour & 1:
            colours |= <uint32_t> 1 << colour
            hearts[colour] = points[colour] = 0
        hearts[colour] += b.heart[card]
        points[colour] += b.value[card]
    while colours:
        colour = hz_lowest(colours)
        colours &= colours - 1
        total += own_gain(t, b, n, colour, hearts[colour], points[colour])
    return total


cdef int64_t gain_of(Table *t, const Block *b, Cards cards) noexcept nogil:
    """What taking these cards adds to the lead of the seat to move: colours count on their own."""
    return gain_among(t, b, 2, cards) if t.n == 2 else gain_among(t, b, t.n, cards)


# ---- other hands -------------------------------------------------------------------------------------------

cdef void see(Table *t, const Block *b, int kind) noexcept nogil:
    """One card more that is not unseen."""
    t.unseen -= 1
    t.showing[b.first[kind]] -= 1
    if b.second[kind] != b.first[kind]:
        t.showing[b.second[kind]] -= 1


cdef void count_collections(Table *t, const Herzsammler *p, const Block *b) noexcept nogil:
    """Collections by colour, and what is not collected."""
    cdef int seat, colour, i
    t.n = b.head.players
    for colour in range(b.colours):
        t.hearts_left[colour] = size_of(&b.hearts[colour])
        t.numerals_left[colour] = 0
        for i in range(b.value_bits):
            t.numerals_left[colour] += size_of(&b.worth[colour][i]) << i
        for seat in range(t.n):
            t.hearts[seat][colour] = common(&p.collected[seat], &b.hearts[colour])
            t.numerals[seat][colour] = numerals(p, b, seat, colour)
            t.hearts_left[colour] -= t.hearts[seat][colour]
            t.numerals_left[colour] -= t.numerals[seat][colour]


cdef int weigh_collections(Table *t, const Herzsammler *p, const Block *b) noexcept nogil:
    """Begin to weigh collections anew. Returns the number of cards that are not collected."""
    cdef int seat, colour, left = b.head.deck_size, never, most = 0
    for seat in range(t.n):
        left -= size_of(&p.collected[seat])
    never = 2 * t.n + size_of(&p.open)
    t.share = max(0, left - never) * ONE // left if left else 0
    t.future = t.share * TO_COME // t.n
    t.root = <int64_t> sqrt(<double> t.share)
    for colour in range(b.colours):
        most = max(most, t.hearts_left[colour])
    memset(t.steep, 0, (most + 1) * sizeof(int64_t))
    t.weighed = 0
    for colour in range(b.colours):
        t.age[colour] += 1
    return left


cdef void look(Table *t, const Herzsammler *p, const Block *b) noexcept nogil:
    """Collections by colour, what is still out, what others may hold."""
    cdef int seat, i
    t.me = p.head.turn
    t.dangers = 0
    memset(t.asked[t.me], 0, sizeof(t.asked[t.me]))
    memset(t.age, 0, sizeof(t.age))
    count_collections(t, p, b)
    t.unseen = weigh_collections(t, p, b) - size_of(&p.open)
    for i in range(OBJECTS):
        t.showing[i] = size_of(&b.showing[i])
        if t.showing[i]:
            t.showing[i] -= common(&p.open, &b.showing[i])
            for seat in range(t.n):
                t.showing[i] -= common(&p.collected[seat], &b.showing[i])
    for i in range(HAND):
        if hand_card(p, t.me, i) != NO_CARD:
            see(t, b, hand_card(p, t.me, i))
    for i in range(p.size - p.bottom, p.size):
        see(t, b, p.stack[(p.top + i) & (MAX_DECK - 1)])
    for seat in range(t.n):
        for i in range(HAND if seat != t.me else 0):
            if p.known[seat][i] != NO_CARD:
                see(t, b, p.known[seat][i])


cdef int64_t chance_taken(const Table *t, const Herzsammler *p, const Block *b, int seat, int kind) noexcept nogil:
    """The chance that a seat takes this open card in its next turn."""
    cdef int64_t none = ONE, one
    cdef int i, known = 0
    for i in range(HAND):
        if p.known[seat][i] != NO_CARD:
            known += 1
            if b.objects[p.known[seat][i]] & b.objects[kind]:
                return ONE
    one = t.showing[b.first[kind]]
    if b.second[kind] != b.first[kind]:
        one += t.showing[b.second[kind]]
    one = min(<int64_t> ONE, max(<int64_t> 0, one) * ONE // t.unseen) if t.unseen > 0 else 0
    for _ in range(hand_size(p, seat) + 1 - known):
        none = none * (ONE - one) >> 16
    return UNSEEN_TAKES * (ONE - none) >> 16


cdef int64_t danger_of(Table *t, const Herzsammler *p, const Block *b, int kind) noexcept nogil:
    """What the seats that come next are likely to gain by an open card."""
    cdef int64_t total = 0, left = ONE, chance
    cdef int i, seat = t.me
    for i in range(t.dangers):
        if t.kinds[i] == kind:
            return t.danger[i]
    for _ in range(t.n - 1):
        seat = left_of(seat, t.n)
        chance = chance_taken(t, p, b, seat, kind)
        if chance:
            total += (left * chance >> 16) * max(
                <int64_t> 0, gain_in(t, b, t.n, seat, b.colour[kind], b.heart[kind], b.value[kind])
            ) >> 16
        left = left * (ONE - chance) >> 16
    t.kinds[t.dangers] = <uint8_t> kind
    t.danger[t.dangers] = total
    t.dangers += 1
    return total


# ---- moves -------------------------------------------------------------------------------------------------

cdef bint ends(const Herzsammler *p, const Block *b, int taken) noexcept nogil:
    """Whether a move that takes so many cards ends the game."""
    if taken == 0:
        return p.misses + 1 >= b.stall_limit
    return taken - 1 > p.size if b.end_short else taken - 1 >= p.size


cdef int64_t final_value(Table *t, const Herzsammler *p, const Block *b, const Cards *taken) noexcept nogil:
    """The real lead after a move that ends the game; in the last game also who wins the match."""
    cdef int64_t points[SEATS]
    cdef int32_t hearts[SEATS]
    cdef int64_t value, best = 0
    cdef uint32_t keep
    cdef int colour, seat, winners = 0
    memset(points, 0, sizeof(points))
    for colour in range(b.colours):
        for seat in range(t.n):
            hearts[seat] = t.hearts[seat][colour]
        hearts[t.me] += common(taken, &b.hearts[colour])
        keep = majority(hearts, t.n, b.ties_keep, b.require_heart)
        for seat in range(t.n):
            if keep >> seat & 1:
                points[seat] += t.numerals[seat][colour]
        if keep >> t.me & 1:
            points[t.me] += numerals_in(taken, b, colour)
    value = POINT * lead_of(points, t.me, t.n)
    for colour in range(b.colours):
        value -= lead_now(t, b, t.n, t.me, colour)
    if p.head.deal_number + 1 < b.games:
        return value
    for seat in range(t.n):
        best = max(best, p.totals[seat] + points[seat])
    for seat in range(t.n):
        winners += p.totals[seat] + points[seat] == best
    if p.totals[t.me] + points[t.me] < best:
        return value - 2 * (t.n - 1) * WIN * POINT
    return value + 2 * (t.n - 1) * WIN * POINT // (1 if winners == 1 else 2)


cdef int64_t next_time(Table *t, const Block *b, int kind, const Cards *lying) noexcept nogil:
    """What a card kept in the hand can take from these open cards the next time, if they still lie there."""
    cdef const Cards *one = &b.showing[b.first[kind]]
    cdef const Cards *two = &b.showing[b.second[kind]]
    cdef Cards takes
    cdef int64_t value
    if not b.choose_object:
        takes.low = lying.low & (one.low | two.low)
        takes.high = lying.high & (one.high | two.high)
        return gain_of(t, b, takes)
    takes.low = lying.low & one.low
    takes.high = lying.high & one.high
    value = gain_of(t, b, takes)
    takes.low = lying.low & two.low
    takes.high = lying.high & two.high
    return max(value, gain_of(t, b, takes))


cdef int64_t value_of(Table *t, const Herzsammler *p, const Block *b, int code) noexcept nogil:
    """How good a move is, in points of lead times 2 * (n - 1) * POINT."""
    cdef Cards taken = taken_by(p, b, code), after, rest
    cdef int64_t value, best = 0
    cdef int i, kind = code >> 1
    cdef bint dropped = False, any_kept = False
    if ends(p, b, size_of(&taken)):
        return final_value(t, p, b, &taken)
    value = gain_of(t, b, taken)
    after.low = p.open.low ^ taken.low
    after.high = p.open.high ^ taken.high
    rest = after
    while rest.low | rest.high:
        value -= danger_of(t, p, b, b.kind[pop_lowest(&rest)])
    if taken.low | taken.high:
        value -= danger_of(t, p, b, kind)
        add(&after, b, kind)
    for i in range(HAND):
        if hand_card(p, t.me, i) == NO_CARD:
            break
        if hand_card(p, t.me, i) == kind and not dropped:
            dropped = True
            continue
        if any_kept:
            best = max(best, next_time(t, b, hand_card(p, t.me, i), &after))
        else:
            best = next_time(t, b, hand_card(p, t.me, i), &after)
            any_kept = True
    return value + KEEP * best // 256


cdef inline void consider(Best *best, uint8_t code, int64_t value) noexcept nogil:
    """Keep a move if none is better."""
    if best.found == 0 or value > best.value:
        best.value = value
        best.found = 0
    if value == best.value:
        best.codes[best.found] = code
        best.found += 1


cdef int rule_action(const void *pos, const Rules *rules, hz_stream *chance) noexcept nogil:
    """The learners' action (docs/batch.rst), which is also the move's code, that the rule player takes.

    There must be a seat to move. Of the hidden zones it reads that seat's own only. `chance` decides between equal
    moves."""
    cdef const Herzsammler *p = <const Herzsammler *> pos
    cdef const Block *b = <const Block *> rules
    cdef uint8_t codes[2 * HAND]
    cdef Best best
    cdef Table t
    cdef int i, count = legal_codes(p, b, p.head.turn, codes)
    if count == 1:
        return codes[0]
    look(&t, p, b)
    best.found = 0
    for i in range(count):
        consider(&best, codes[i], value_of(&t, p, b, codes[i]))
    return best.codes[hz_bounded(chance, <uint32_t> best.found)]


cdef int64_t rule_move(const void *pos, const Rules *rules, int seat, hz_stream *chance) noexcept nogil:
    return rule_action(pos, rules, chance)


cdef int quick_action(Table *t, const Herzsammler *p, const Block *b, hz_stream *chance) noexcept nogil:
    """The action that gains most at once. Collections have been weighed."""
    cdef uint8_t codes[2 * HAND]
    cdef Best best
    cdef int i, count = legal_codes(p, b, p.head.turn, codes)
    cdef Cards taken
    if count == 1:
        return codes[0]
    t.me = p.head.turn
    best.found = 0
    for i in range(count):
        taken = taken_by(p, b, codes[i])
        if ends(p, b, size_of(&taken)):
            consider(&best, codes[i], final_value(t, p, b, &taken))
        else:
            consider(&best, codes[i], gain_of(t, b, taken))
    return best.codes[0 if best.found == 1 else hz_bounded(chance, <uint32_t> best.found)]


cdef uint32_t rule_playout(void *pos, const Rules *rules, hz_stream *chance) noexcept nogil:
    """To the end of the deal by gains alone: what a card that stays open may bring others costs ten times the time,
    and search does not play better for it."""
    cdef Herzsammler *p = <Herzsammler *> pos
    cdef const Block *b = <const Block *> rules
    cdef Table t
    cdef Cards before, got
    cdef int seat, card, colour, taken = 0
    cdef uint32_t did = 0
    memset(t.asked, 0, sizeof(t.asked))
    memset(t.age, 0, sizeof(t.age))
    count_collections(&t, p, b)
    weigh_collections(&t, p, b)
    while p.head.turn >= 0 and not did & DEAL_OVER:
        seat = p.head.turn
        before = p.collected[seat]
        did = act(pos, rules, quick_action(&t, p, b, chance))
        if not did & DID_TAKE or did & DEAL_OVER:
            continue
        got.low = p.collected[seat].low ^ before.low
        got.high = p.collected[seat].high ^ before.high
        while got.low | got.high:
            card = pop_lowest(&got)
            colour = b.colour[card]
            t.hearts[seat][colour] += b.heart[card]
            t.hearts_left[colour] -= b.heart[card]
            t.numerals[seat][colour] += b.value[card]
            t.numerals_left[colour] -= b.value[card]
            t.weighed &= ~(<uint32_t> 1 << colour)
            t.age[colour] += 1
            taken += 1
        if taken >= WEIGH_AGAIN:
            weigh_collections(&t, p, b)
            taken = 0
    return did


cdef int32_t weigh(const void *pos, const Rules *rules, int seat, int64_t code) noexcept nogil:
    return 0    # there are never many moves


OPS.rule_action = rule_action
OPS.rule_move = rule_move
OPS.rule_playout = rule_playout
OPS.weigh = weigh


# ---- from Python -------------------------------------------------------------------------------------------

def table_of(view) -> Position:
    """A position that shows the seat to move the same; what is hidden lies anyhow. SetupError if the view cannot be."""
    return position_of(view, read_table(view))
