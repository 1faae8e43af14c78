"""Endings of Hearts with all cards open, solved exactly. All rules are those of _rules.pyx.

Where only penalty cards count, the paranoid method is that of _partition.pyx. Here is the search for everything else
and for max-n: every move is played by the functions of the rules on a copy of the position.

Values are points of the deal. A position before a lead is looked up in a table. There, what counts of the cards left is
their order in each suit and who holds them (rank compression), and of the past only what can still matter."""

from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memcpy, memmove, memset

from herzen._core cimport DEAL_OVER, Position, hz_lowest, hz_nth_bit, hz_popcount
from herzen.hearts._partition cimport (
    FAR, NO_ONE, SEVERAL, Ending, close_ending, distinct, ending_value, open_ending, stays_under, takes_all,
    value_after,
)
from herzen.hearts._rules cimport (
    FINISHED, KIND, MOON_ADD, MOON_AUTO, MOON_OFF, MOON_SUBTRACT, PASS_LEAD, PLAYING, SEATS, SHOOTING, Block, Hearts,
    bit_of, copy_position, hand_points, legal_cards, opening_trick, play_card,
)

cdef enum:
    WORDS = 2 * SEATS + 13      # of a key, at most

ctypedef struct Entry:
    int16_t low[SEATS]          # paranoid: bounds of what the seat still gets, in [0]; max-n: the points of all
    int16_t high
    uint8_t kinds               # 0: empty
    uint8_t best                # the move that decided, by its place among the cards left, from 1; 0: none

ctypedef struct Search:
    const Block *block
    int32_t totals[SEATS]
    int seat                    # whose points are fought about; max-n: -1
    uint64_t special            # cards that are not like their neighbours
    bint whole_past             # the table tells all captured points apart
    bint takers                 # and who has taken a trick
    bint passes_leads           # the lead can go on to another seat
    bint simple                 # only penalty cards count: `ending` is searched instead
    Ending ending
    int words
    uint64_t mask
    uint64_t *keys
    Entry *entries
    uint64_t nodes


# ---- the table ---------------------------------------------------------------------------------------------

cdef int past_of(const Search *s, const Hearts *p, int seat) noexcept nogil:
    return p.penalty_points[seat] + p.bonus_points[seat]


cdef inline int sole_taker(const Search *s, const Hearts *p) noexcept nogil:
    """Who has captured penalty cards, as far as the moon asks for it."""
    cdef int seat, found = NO_ONE
    if s.block.moon == MOON_OFF:
        return SEVERAL
    for seat in range(s.block.head.players):
        if p.penalty_count[seat]:
            if found != NO_ONE:
                return SEVERAL
            found = seat
    return found


cdef void write_key(const Search *s, const Hearts *p, uint64_t *key) noexcept nogil:
    """All that the value of a position before a lead depends on."""
    cdef int n = s.block.head.players, seat, at = 0
    cdef uint64_t cards = 0, hand, bit, relative, special, misc, takers = 0
    for seat in range(n):
        cards |= p.one[seat]
        takers |= <uint64_t> (p.tricks_won[seat] > 0) << seat
    misc = <uint64_t> p.leader | <uint64_t> p.broken << 4 | <uint64_t> opening_trick(p) << 5
    misc |= <uint64_t> sole_taker(s, p) << 6 | (takers << 10 if s.takers else 0)
    misc |= <uint64_t> (p.kitty_taker + 1) << 21
    misc |= <uint64_t> hz_popcount(cards & 0xFFFF) << 26 | <uint64_t> hz_popcount(cards >> 16 & 0xFFFF) << 31
    misc |= <uint64_t> hz_popcount(cards >> 32 & 0xFFFF) << 36
    key[0] = misc
    special = cards & s.special
    key[1] = special
    relative = 0
    while special:
        bit = special & (0 - special)
        relative |= bit_of(hz_popcount(cards & (bit - 1)))
        special ^= bit
    key[2] = relative
    at = 3
    if s.block.decks == 1:
        for seat in range(n):
            hand = p.one[seat]
            relative = 0
            while hand:
                bit = hand & (0 - hand)
                relative |= bit_of(hz_popcount(cards & (bit - 1)))
                hand ^= bit
            key[at] = relative
            at += 1
    else:
        for seat in range(n):
            key[at] = p.one[seat]
            key[at + 1] = p.two[seat]
            at += 2
    if s.whole_past:
        memset(&key[at], 0, 8 * 9)
        memcpy(&key[at], p.penalty_count, SEATS)
        memcpy(<uint8_t *> &key[at] + SEATS, p.bonus_count, SEATS)
        memcpy(<uint8_t *> &key[at] + 2 * SEATS, p.penalty_points, 2 * SEATS)
        memcpy(<uint8_t *> &key[at] + 4 * SEATS, p.bonus_points, 2 * SEATS)
        key[at + 9] = (
            <uint64_t> p.held_penalties | <uint64_t> p.held_bonuses << 8
            | <uint64_t> <uint16_t> p.held_penalty_points << 16 | <uint64_t> <uint16_t> p.held_bonus_points << 32
            | <uint64_t> p.held_tricks << 48
        )


cdef Entry *find(Search *s, const uint64_t *key) noexcept nogil:
    """The entry of a key; an old one of another key makes room where its neighbours are taken, too."""
    cdef uint64_t hashed = 0x9E3779B97F4A7C15ULL, place
    cdef int i
    for i in range(s.words):
        hashed = (hashed ^ key[i]) * 0xFF51AFD7ED558CCDULL
        hashed ^= hashed >> 32
    for i in range(4):
        place = (hashed + <uint64_t> i) & s.mask
        if s.entries[place].kinds == 0:
            break
        if memcmp(s.keys + place * s.words, key, 8 * s.words) == 0:
            return &s.entries[place]
    else:
        place = hashed & s.mask
    memcpy(s.keys + place * s.words, key, 8 * s.words)
    s.entries[place].kinds = 0
    return &s.entries[place]


# ---- moves -------------------------------------------------------------------------------------------------

cdef inline uint64_t different(const Search *s, const Hearts *p, uint64_t legal) noexcept nogil:
    """Of legal cards that are as good as each other only the lowest: neighbours of one worth among all cards left."""
    cdef uint64_t others = 0
    cdef int seat, i
    if s.block.decks == 2:
        return legal
    for seat in range(s.block.head.players):
        if seat != p.head.turn:
            others |= p.one[seat]
    for i in range(p.in_trick):
        others |= bit_of(p.log[p.logged - 1 - i])
    return distinct(legal, others, s.special)


cdef inline void after_move(Hearts *to, const Hearts *p, const Block *b, int lane) noexcept nogil:
    """The position after a card; phase FINISHED where the deal is over."""
    copy_position(to, p)
    if play_card(to, b, lane) & DEAL_OVER:
        to.head.phase = FINISHED


cdef int sort_moves(const Search *s, const Hearts *p, uint64_t legal, uint8_t *lanes) noexcept nogil:
    """The moves worth trying, the most promising first."""
    cdef const Block *b = s.block
    cdef uint64_t rest = different(s, p, legal)
    cdef int n = 0, i, lane, led, best, worth, place, winner
    cdef int32_t rank[64]
    cdef bint against = p.head.turn != s.seat, on_seat = False, seat_played = False
    cdef uint64_t own
    best = -1
    led = -1
    if p.in_trick:
        led = p.log[p.logged - p.in_trick]
        winner = 0
        best = led
        for i in range(1, p.in_trick):
            lane = p.log[p.logged - p.in_trick + i]
            if lane >> 4 == led >> 4 and lane > best:
                best = lane
                winner = i
        place = (p.leader + winner) % b.head.players
        on_seat = place == s.seat
        place = s.seat - p.leader
        seat_played = (place if place >= 0 else place + b.head.players) < p.in_trick
    while rest:
        lane = hz_lowest(rest)
        rest &= rest - 1
        worth = b.points[lane]
        if led < 0:
            if against:
                # Best is what the seat cannot stay under.
                own = p.one[s.seat] & (<uint64_t> 0xFFFF) << (lane & 0x30)
                if own == 0:
                    place = -40 - (lane & 15)
                elif own & (bit_of(lane) - 1):
                    place = -20 - (lane & 15)
                else:
                    place = 20 - (lane & 15)
            else:
                place = -(lane & 15)
        elif lane >> 4 == led >> 4:
            if against and seat_played and not on_seat:
                place = (lane & 15) - 4 * worth     # the trick is another's: away with high cards
            elif against and not seat_played:
                place = -(lane & 15)
            else:
                # Under the best card as high as possible, else as low as possible.
                place = 100 + (lane & 15) + 4 * worth if lane < best else 50 - (lane & 15)
        elif against and not on_seat:
            place = -4 * worth + (lane & 15)
        else:
            place = 4 * worth + (lane & 15)
        i = n
        while i and rank[i - 1] < place:
            rank[i] = rank[i - 1]
            lanes[i] = lanes[i - 1]
            i -= 1
        rank[i] = place
        lanes[i] = <uint8_t> lane
        n += 1
    return n


# ---- the end -----------------------------------------------------------------------------------------------

cdef void final_points(const Search *s, const Hearts *p, int kind, int32_t *points) noexcept nogil:
    hand_points(
        s.block, s.block.head.players, p.penalty_points, p.bonus_points, p.tricks_won, p.shooter, kind, s.totals,
        p.head.deal_number, points
    )


cdef int end_value(const Search *s, const Hearts *p) noexcept nogil:
    """The seat's points where the play is over; a shooter who may choose does."""
    cdef int32_t add[SEATS]
    cdef int32_t subtract[SEATS]
    final_points(s, p, MOON_ADD if p.head.phase == SHOOTING else 0, add)
    if p.head.phase != SHOOTING:
        return add[s.seat]
    final_points(s, p, MOON_SUBTRACT, subtract)
    if p.shooter == s.seat:
        return min(add[s.seat], subtract[s.seat])
    return max(add[s.seat], subtract[s.seat])


# ---- paranoid: all others play against the seat ------------------------------------------------------------

cdef int search(Search *s, const Hearts *p, int bound) noexcept nogil:
    """The seat's points as far as they are asked for: a number >= bound if they are at least that, else one < bound if
    they are at most that."""
    cdef uint64_t key[WORDS]
    cdef uint8_t lanes[64]
    cdef Hearts child
    cdef Entry *entry
    cdef int past = 0, moves, i, gain, loss, sole, value, found
    cdef bint against
    cdef uint64_t left, others, cards = 0, cuts
    cdef uint8_t best = 0
    s.nodes += 1
    if p.head.phase != PLAYING:
        return end_value(s, p)
    if p.in_trick == 0:
        past = past_of(s, p, s.seat)
        if not s.whole_past and not s.takers:
            # The seat gets at most all that is left, or another's moon; at least the bonus cards, or its own moon.
            sole = sole_taker(s, p)
            others = 0
            for i in range(s.block.head.players):
                others |= p.one[i]
            left = others & (s.block.penalties | s.block.bonuses)
            others &= ~p.one[s.seat]
            gain = hz_popcount(left & s.block.ones)
            loss = 0
            left &= ~s.block.ones
            while left:
                i = s.block.points[hz_lowest(left)]
                left &= left - 1
                if i > 0:
                    gain += i
                else:
                    loss += i
            value = past + (gain if sole == SEVERAL or sole == s.seat else max(gain, s.block.total))
            if value < bound:
                return value
            if past + loss >= bound and sole != NO_ONE and sole != s.seat:
                return past + loss
            if not s.block.stop_when_decided and (p.broken or not s.passes_leads):
                if p.head.turn == s.seat:
                    if sole == SEVERAL and takes_all(p.one[s.seat], others, &cuts):
                        return past + gain + loss
                elif past < bound and (sole == SEVERAL or sole == s.seat) and stays_under(p.one[s.seat], others, &cuts):
                    return past
        write_key(s, p, key)
        entry = find(s, key)
        if entry.kinds:
            if past + entry.low[0] >= bound:
                return past + entry.low[0]
            if past + entry.high < bound:
                return past + entry.high
            best = entry.best
        for i in range(s.block.head.players):
            cards |= p.one[i]
    against = p.head.turn != s.seat
    moves = sort_moves(s, p, legal_cards(p, s.block, NULL), lanes)
    if best:
        # What decided here before, for another bound, is tried first.
        best = <uint8_t> hz_nth_bit(cards, best - 1)
        for i in range(moves):
            if lanes[i] == best:
                memmove(&lanes[1], lanes, i)
                lanes[0] = best
                break
    best = 0
    found = -FAR if against else FAR
    for i in range(moves):
        after_move(&child, p, s.block, lanes[i])
        value = search(s, &child, bound)
        found = max(found, value) if against else min(found, value)
        if (value >= bound) == against:
            best = <uint8_t> (hz_popcount(cards & (bit_of(lanes[i]) - 1)) + 1)
            break
    if p.in_trick == 0:
        entry = find(s, key)
        if entry.kinds == 0:
            entry.kinds = 1
            entry.low[0] = -FAR
            entry.high = FAR
            entry.best = 0
        if best:
            entry.best = best
        if found >= bound:
            entry.low[0] = <int16_t> max(<int> entry.low[0], found - past)
        else:
            entry.high = <int16_t> min(<int> entry.high, found - past)
    return found


# ---- max-n: every seat for itself --------------------------------------------------------------------------

cdef void best_for_all(Search *s, const Hearts *p, int32_t *points) noexcept nogil:
    """The points of all where each seat takes what is best for itself, of equal moves the lowest card."""
    cdef uint64_t key[WORDS]
    cdef int32_t other[SEATS]
    cdef Hearts child
    cdef Entry *entry
    cdef int n = s.block.head.players, seat, turn = p.head.turn
    cdef uint64_t rest
    cdef bint first = True
    s.nodes += 1
    if p.head.phase != PLAYING:
        final_points(s, p, MOON_ADD if p.head.phase == SHOOTING else 0, points)
        if p.head.phase == SHOOTING:
            final_points(s, p, MOON_SUBTRACT, other)
            if other[p.shooter] < points[p.shooter]:
                memcpy(points, other, sizeof(other))
        return
    if p.in_trick == 0:
        write_key(s, p, key)
        entry = find(s, key)
        if entry.kinds:
            for seat in range(n):
                points[seat] = entry.low[seat] + past_of(s, p, seat)
            return
    rest = different(s, p, legal_cards(p, s.block, NULL))
    while rest:
        after_move(&child, p, s.block, hz_lowest(rest))
        rest &= rest - 1
        best_for_all(s, &child, other)
        if first or other[turn] < points[turn]:
            memcpy(points, other, sizeof(other))
        first = False
    if p.in_trick == 0:
        entry = find(s, key)
        entry.kinds = 1
        for seat in range(n):
            entry.low[seat] = <int16_t> (points[seat] - past_of(s, p, seat))


# ---- from Python -------------------------------------------------------------------------------------------

cdef int open_search(Search *s, const Hearts *p, const Block *b, int seat) except -1:
    cdef int i, cards = 0, bits
    cdef uint64_t left = 0
    memset(s, 0, sizeof(Search))
    s.block = b
    s.seat = seat
    memcpy(s.totals, p.totals, sizeof(s.totals))
    for i in range(64):
        if b.points[i] and (i >> 4 != 2 or b.points[i] != b.points[32]):
            s.special |= bit_of(i)
    for i in range(33, 45):
        if b.points[i] != b.points[32]:     # hearts of several worths are told apart
            s.special |= b.hearts
    s.special |= b.queen
    # Whether a shooter adds or subtracts can depend on everybody's bonus cards.
    s.whole_past = b.kitty_size or b.moon_needs_bonus or b.decks == 2 or (b.moon == MOON_AUTO and b.bonuses != 0)
    s.takers = b.no_trick_bonus != 0 or b.sun
    s.passes_leads = b.stuck == PASS_LEAD and b.break_required
    s.words = 3 + b.head.players * b.decks + (10 if s.whole_past else 0)
    for i in range(b.head.players):
        left |= p.one[i]
        cards += hz_popcount(p.one[i]) + hz_popcount(p.two[i])
    for i in range(p.in_trick):
        left |= bit_of(p.log[p.logged - 1 - i])
    s.simple = (
        seat >= 0 and b.decks == 1 and b.kitty_size == 0 and not b.moon_needs_bonus and not s.takers
        and not s.passes_leads and left & b.bonuses == 0 and not opening_trick(p)
    )
    if s.simple:
        return open_ending(&s.ending, p, b, seat, s.special)
    bits = min(21, max(6, cards * 3 // 8 + 4))
    s.mask = ((<uint64_t> 1) << bits) - 1
    s.keys = <uint64_t *> calloc((<size_t> 1) << bits, 8 * s.words)
    s.entries = <Entry *> calloc((<size_t> 1) << bits, sizeof(Entry))
    if s.keys == NULL or s.entries == NULL:
        close_search(s)
        raise MemoryError
    return 0


cdef void close_search(Search *s) noexcept:
    if s.simple:
        close_ending(&s.ending)
        s.nodes += s.ending.nodes
    free(s.keys)
    free(s.entries)


def paranoid(Position position, int seat) -> tuple[int, int]:
    """(points that a seat gets where all others play against it, positions searched)."""
    cdef Search s
    cdef Hearts *p = <Hearts *> position.pos
    cdef int value
    open_search(&s, p, <const Block *> position.block, seat)
    with nogil:
        value = settle_value(&s, p)
    close_search(&s)
    return value, s.nodes


cdef int settle_value(Search *s, const Hearts *p) noexcept nogil:
    """The value, by questions whether it is at least so much, each as near as the answers before allow."""
    cdef int low = -FAR, high = FAR, past = past_of(s, p, s.seat), found = past, bound
    while low < high:
        bound = found + 1 if found == low else found
        found = past + ending_value(&s.ending, bound - past) if s.simple else search(s, p, bound)
        if found < bound:
            high = found
        else:
            low = found
    return found


cdef bint keeps_value(Search *s, const Hearts *p, int lane, int value) noexcept nogil:
    """Whether the seat to play, for which was solved, gets no more after this card."""
    cdef Hearts child
    cdef int past
    if s.simple:
        past = past_of(s, p, s.seat)
        return past + value_after(&s.ending, lane, value + 1 - past) <= value
    after_move(&child, p, s.block, lane)
    return search(s, &child, value + 1) <= value


def paranoid_moves(Position position) -> tuple[int, bytes, int]:
    """(value of the seat whose turn it is, codes of its moves that keep it, positions searched), in phase play."""
    cdef Search s
    cdef Hearts *p = <Hearts *> position.pos
    cdef const Block *b = <const Block *> position.block
    cdef uint64_t legal = legal_cards(p, b, NULL), rest, good = 0, tried
    cdef int value, lane
    open_search(&s, p, b, p.head.turn)
    with nogil:
        value = settle_value(&s, p)
        rest = tried = different(&s, p, legal)
        while rest:
            lane = hz_lowest(rest)
            rest &= rest - 1
            if keeps_value(&s, p, lane, value):
                good |= bit_of(lane)
    close_search(&s)
    return value, _with_equals(legal, tried, good), s.nodes


cdef bytes _with_equals(uint64_t legal, uint64_t tried, uint64_t good):
    """Codes of the good moves and of those as good as each, which follow the one that was tried."""
    cdef bytearray out = bytearray()
    cdef bint last = False
    while legal:
        if tried & legal & (0 - legal):
            last = good & legal & (0 - legal) != 0
        if last:
            out.append(KIND[hz_lowest(legal)])
        legal &= legal - 1
    return bytes(out)


def every_seat(Position position, bint moves) -> tuple[list[int], bytes, int]:
    """(max-n points of all seats, codes of the moves that give the mover as little as these if they are asked for,
    positions searched)."""
    cdef Search s
    cdef Hearts *p = <Hearts *> position.pos
    cdef Hearts child
    cdef const Block *b = <const Block *> position.block
    cdef int32_t points[SEATS]
    cdef int32_t other[SEATS]
    cdef uint64_t legal = 0, rest, good = 0, tried = 0
    cdef int lane, turn = p.head.turn
    open_search(&s, p, b, -1)
    with nogil:
        best_for_all(&s, p, points)
        if moves and p.head.phase == PLAYING:
            legal = legal_cards(p, b, NULL)
            rest = tried = different(&s, p, legal)
            while rest:
                lane = hz_lowest(rest)
                rest &= rest - 1
                after_move(&child, p, b, lane)
                best_for_all(&s, &child, other)
                if other[turn] == points[turn]:
                    good |= bit_of(lane)
    close_search(&s)
    return [points[lane] for lane in range(b.head.players)], _with_equals(legal, tried, good), s.nodes
