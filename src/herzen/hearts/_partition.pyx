"""The paranoid search of a Hearts ending in which only penalty cards count: one pack, no kitty, no bonus cards left.

Values are points that the seat still gets, from the position asked about. A result is kept with all positions that its
proof holds for (partition search, Ginsberg 1996). A proof uses that a card is higher than another in few places only.
Each is a cut: a card below which the order counts. Between two cuts it does not matter which cards of a suit a hand
holds, but how many. A trick adds a cut below the card that won, a bound the comparisons it rests on; a node where all
moves were tried has the cuts of them all. What failed of one card fails of all cards of the hand between the same two
cuts, so they are not tried."""

from libc.stdint cimport int16_t, int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memset

from herzen._core cimport hz_gather, hz_highest, hz_lowest, hz_popcount, hz_scatter
from herzen.hearts._rules cimport (
    MOON_ADD, MOON_CHOICE, MOON_OFF, MOON_SUBTRACT, SEATS, Block, Hearts, bit_of, copy_position, hand_points,
    lead_set, may_follow, suit_of,
)

cdef enum:
    MOST = 1 << 20              # proofs kept; all are forgotten when there are more


# ---- points ------------------------------------------------------------------------------------------------

cdef inline int worth(const Block *b, uint64_t cards) noexcept nogil:
    """The points of these cards."""
    cdef int points = hz_popcount(cards & b.ones)
    cards &= b.penalties & ~b.ones
    while cards:
        points += b.points[hz_lowest(cards)]
        cards &= cards - 1
    return points


cdef inline int dearest(const Block *b, uint64_t cards) noexcept nogil:
    """The most points of one of these cards."""
    cdef int most = cards & b.ones != 0
    cards &= b.penalties & ~b.ones
    while cards:
        most = max(most, <int> b.points[hz_lowest(cards)])
        cards &= cards - 1
    return most


cdef inline int cheapest(const Block *b, uint64_t cards) noexcept nogil:
    """The fewest points of one of these cards."""
    cdef int least
    if cards & ~b.penalties:
        return 0
    if cards & b.ones:
        return 1
    least = FAR
    while cards:
        least = min(least, <int> b.points[hz_lowest(cards)])
        cards &= cards - 1
    return least


cdef int moon_value(const Hearts *p, const Block *b, int shooter, int seat) noexcept nogil:
    """What the seat's points of the deal are, less what it has captured, where this seat takes all penalty cards."""
    cdef int16_t penalties[SEATS]
    cdef uint8_t tricks[SEATS]
    cdef int32_t add[SEATS]
    cdef int32_t subtract[SEATS]
    memset(penalties, 0, sizeof(penalties))
    memset(tricks, 1, sizeof(tricks))       # who has taken one does not count here
    penalties[shooter] = <int16_t> b.total
    hand_points(
        b, b.head.players, penalties, p.bonus_points, tricks, shooter, MOON_ADD if b.moon == MOON_CHOICE else 0,
        p.totals, p.head.deal_number, add
    )
    if b.moon == MOON_CHOICE:
        # The shooter chooses; another is against the seat.
        hand_points(
            b, b.head.players, penalties, p.bonus_points, tricks, shooter, MOON_SUBTRACT, p.totals, p.head.deal_number,
            subtract
        )
        add[seat] = min(add[seat], subtract[seat]) if shooter == seat else max(add[seat], subtract[seat])
    return add[seat] - p.bonus_points[seat] - penalties[seat]


# ---- proofs ------------------------------------------------------------------------------------------------

cdef inline uint64_t one_card(int seat, int lane) noexcept nogil:
    """A card in the word of the seat's shape, which is shapes[seat >> 2]."""
    return bit_of((seat & 3) << 4 | lane >> 4 << 2)


cdef inline uint64_t edges(uint64_t left) noexcept nogil:
    """The places where suits begin, by their cards left; there is always a cut."""
    return (
        1 | bit_of(hz_popcount(left & 0xFFFF)) | bit_of(hz_popcount(left & (bit_of(32) - 1)))
        | bit_of(hz_popcount(left & (bit_of(48) - 1))) | bit_of(hz_popcount(left))
    )


cdef inline Proof *proof_at(const Ending *s, int number) noexcept nogil:
    return <Proof *> (s.proofs + <size_t> number * s.stride)


cdef inline bint holds(const Proof *proof, const uint64_t *rows, int n) noexcept nogil:
    """Whether a position of its group is one that the proof holds for: between two cuts each of n seats has as many
    cards."""
    cdef const uint64_t *theirs = <const uint64_t *> (proof + 1)
    cdef uint64_t checks, below, differ = 0
    cdef int i
    for i in range(n):
        differ |= theirs[i] ^ rows[i]
    if differ & proof.alone:
        return False
    checks = proof.cuts & ~(proof.alone << 1)
    while checks:
        below = (checks & (0 - checks)) - 1
        if differ & below:
            for i in range(n):
                if hz_popcount(theirs[i] & below) != hz_popcount(rows[i] & below):
                    return False
        checks &= checks - 1
    return True


cdef Group *find_group(Ending *s, int leader) noexcept nogil:
    """The group of the position before a lead, a new one if it is not known; NULL if there is no room."""
    cdef uint64_t special = s.left & s.special, places = hz_gather(special, s.left), hashed
    cdef uint32_t rest = <uint32_t> leader | <uint32_t> s.sole << 8 | <uint32_t> s.rules.broken << 16
    cdef int i
    cdef Group *group
    cdef Group *more
    cdef int32_t *head
    hashed = s.shapes[0] * 0xFF51AFD7ED558CCDULL + s.shapes[1] * 0xC4CEB9FE1A85EC53ULL
    hashed += s.shapes[2] * 0x9E3779B97F4A7C15ULL + rest * 0xD6E8FEB86659FD93ULL
    if special:
        # Proofs tell who holds these: apart, they are found sooner.
        hashed ^= hashed >> 32
        hashed += special * 0x9E3779B97F4A7C15ULL + places * 0xC2B2AE3D27D4EB4FULL
        for i in range(s.players - 1):
            hashed += (s.hands[i] & special) * (0xA0761D6478BD642FULL + 2 * <uint64_t> i)
    hashed = (hashed ^ hashed >> 32) * 0xFF51AFD7ED558CCDULL
    hashed ^= hashed >> 32
    head = &s.first[hashed & s.mask]
    i = head[0]
    while i >= 0:
        group = &s.groups[i]
        if (
            group.shapes[0] == s.shapes[0] and group.rest == rest and group.special == special
            and group.places == places and group.shapes[1] == s.shapes[1] and group.shapes[2] == s.shapes[2]
        ):
            return group
        i = group.next
    if s.group_count == s.group_room:
        if s.group_room < MOST:
            more = <Group *> realloc(s.groups, 2 * <size_t> s.group_room * sizeof(Group))
            if more != NULL:
                s.groups = more
                s.group_room *= 2
        if s.group_count == s.group_room:
            return NULL
    group = &s.groups[s.group_count]
    group.shapes[0] = s.shapes[0]
    group.shapes[1] = s.shapes[1]
    group.shapes[2] = s.shapes[2]
    group.special = special
    group.places = places
    group.rest = rest
    group.first = -1
    group.next = head[0]
    head[0] = s.group_count
    s.group_count += 1
    return group


cdef void forget(Ending *s) noexcept nogil:
    """No proofs are known."""
    memset(s.first, 0xFF, <size_t> (s.mask + 1) * sizeof(int32_t))
    s.count = s.group_count = 0


cdef void keep_proof(
    Ending *s, int leader, const uint64_t *rows, uint64_t cuts, int value, int bound
) noexcept nogil:
    """Keep what was found: the value is at least the bound, or less."""
    cdef uint64_t left = s.left, special = left & s.special, above
    cdef int i, n = s.players - 1
    cdef Group *group
    cdef Proof *proof
    cdef uint64_t *theirs
    cdef char *more
    if s.count == s.room and s.room < MOST:
        more = <char *> realloc(s.proofs, 2 * <size_t> s.room * s.stride)
        if more != NULL:
            s.proofs = more
            s.room *= 2
    if s.count == s.room:
        forget(s)
    group = find_group(s, leader)
    if group == NULL:
        forget(s)
        group = find_group(s, leader)
    # A special card is alone: cuts below it and below the next.
    cuts |= special
    while special:
        above = left & ~(special ^ (special - 1))
        cuts |= above & (0 - above)
        special &= special - 1
    # A cut counts at the next card above; those on a card are there already.
    above = cuts & left
    cuts = hz_gather(above | left & (~left + (cuts ^ above)), left)
    above = edges(left)
    proof = proof_at(s, s.count)
    proof.alone = (cuts | above) & (cuts | above) >> 1
    proof.cuts = cuts & ~above
    proof.low = <int16_t> (value if value >= bound else -FAR)
    proof.high = <int16_t> (FAR if value >= bound else value)
    proof.next = group.first
    group.first = s.count
    theirs = <uint64_t *> (proof + 1)
    for i in range(n):
        theirs[i] = rows[i]
    s.count += 1


# ---- moves -------------------------------------------------------------------------------------------------

cdef inline uint64_t interval(uint64_t cuts, int lane) noexcept nogil:
    """The cards of a suit between two cuts, this one among them."""
    cdef uint64_t suit = suit_of(lane), up_to = bit_of(lane) * 2 - 1, below = cuts & suit & up_to
    cdef uint64_t above = cuts & suit & ~up_to
    if below:
        suit &= 0 - bit_of(hz_highest(below))
    if above:
        suit &= (above & (0 - above)) - 1
    return suit


cdef inline uint64_t with_equals(
    uint64_t cuts, int lane, uint64_t legal, uint64_t others, uint64_t special
) noexcept nogil:
    """The cuts of a card's proof as those of the proof of all its equals: where one parts them, all are parted."""
    cdef uint64_t equals = bit_of(lane), rest
    if special & equals:
        return cuts
    others |= legal & special
    rest = legal & suit_of(lane) & ~(equals | (equals - 1))
    while rest:
        if others & ((rest & (0 - rest)) - 1) & ~(bit_of(lane) - 1):
            break
        equals |= rest & (0 - rest) & ~special
        rest &= rest - 1
    if equals == bit_of(lane) or cuts & (bit_of(hz_highest(equals)) * 2 - 1) & ~(bit_of(lane) - 1) == 0:
        return cuts
    return cuts | equals


cdef int rate_moves(const Ending *s, const Trick *t, uint64_t moves, int32_t *ratings) noexcept nogil:
    """How promising each move is, by rules of thumb and by how well it did elsewhere; its card in six bits."""
    cdef const Block *b = s.block
    cdef const int32_t *luck = s.history[t.seat][t.played > 0]
    cdef int n = 0, lane, place, rank
    cdef bint against = t.seat != s.seat
    cdef bint follows = moves & suit_of(t.best) != 0
    cdef uint64_t own
    cdef int top = -1           # the card that the seat takes the trick with, if all stay under it
    if t.done:
        top = t.best if t.taker == s.seat else -1
    elif t.played:
        own = s.hands[s.seat] & suit_of(t.best)
        if own and hz_lowest(own) > t.best:
            top = hz_lowest(own)
    while moves:
        lane = hz_lowest(moves)
        moves &= moves - 1
        rank = lane & 15
        if t.played == 0:
            place = -rank
            if against:
                # Best is what the seat cannot stay under.
                own = s.hands[s.seat] & suit_of(lane)
                if own == 0:
                    place -= 40
                else:
                    place += -20 if own & (bit_of(lane) - 1) else 20
        elif not against:
            if follows:
                # Under the best card as high as possible; if over it, the seat gets rid of its highest.
                place = 100 + rank + 4 * b.points[lane] if lane < t.best else 50 + rank
            else:
                place = rank + 20 * b.points[lane]
        elif top < 0:
            place = rank - (4 if follows else 20) * b.points[lane]  # the trick is another's: away with high cards
        elif follows:
            place = 100 + rank + 4 * b.points[lane] if lane < top else 50 - rank
        else:
            place = rank + 20 * b.points[lane]
        ratings[n] = (64 * place + (luck[lane] >> 2)) * 64 + lane
        n += 1
    return n


# ---- the search --------------------------------------------------------------------------------------------
# A number >= bound is found if the value is at least that, else one < bound if the value is at most that.

cdef int end_trick(Ending *s, const Trick *t, int bound, uint64_t *cuts) noexcept nogil:
    """The value after a full trick, its points included."""
    cdef int points = worth(s.block, t.cards), gain = points if t.taker == s.seat else 0, value, sole = s.sole
    cdef uint8_t broken = s.rules.broken
    if points and sole != t.taker:
        s.sole = t.taker if sole == NO_ONE else SEVERAL
    if t.cards & s.block.breaking:
        s.rules.broken = 1
    s.left ^= t.cards
    s.points -= points
    value = gain + lead(s, t.taker, bound - gain, cuts)
    s.points += points
    s.left ^= t.cards
    s.rules.broken = broken
    s.sole = sole
    if t.cards & suit_of(t.best) & (bit_of(t.best) - 1):
        cuts[0] |= bit_of(t.best)
    return value


cdef int try_moves(
    Ending *s, const Trick *t, uint64_t legal, uint64_t others, int bound, uint64_t *cuts
) noexcept nogil:
    """The value where the seat to play may play these cards; others: the cards that part equal ones."""
    cdef int32_t ratings[64]
    cdef uint64_t moves = distinct(legal, others, s.special), mine, all_of_them = 0, shown, merged = legal ^ moves, bit
    cdef int seat = t.seat, value, lane, best, i, n = 1
    cdef bint against = seat != s.seat, last = t.played + 1 == s.players, choice = moves & (moves - 1) != 0, good
    cdef int found = -FAR if against else FAR
    cdef uint64_t hand = s.hands[seat]
    cdef uint64_t *shape = &s.shapes[seat >> 2]
    cdef uint64_t whole_shape = shape[0]
    cdef int32_t *luck = s.history[seat][t.played > 0]
    cdef Trick after
    after.played = t.played + 1
    after.done = t.done or not against
    after.seat = seat + 1 if seat + 1 < s.players else 0
    if choice:
        n = rate_moves(s, t, moves, ratings)
    else:
        ratings[0] = hz_lowest(moves)
    while n:
        best = 0
        for i in range(1, n):
            best = i if ratings[i] > ratings[best] else best
        lane = ratings[best] & 63
        bit = bit_of(lane)
        n -= 1
        ratings[best] = ratings[n]
        if moves & bit == 0:
            continue
        # The card is played, and taken back below.
        after.cards = t.cards | bit
        after.best = t.best
        after.taker = t.taker
        if t.played == 0 or (lane > t.best and lane >> 4 == t.best >> 4):
            after.best = lane
            after.taker = seat
        s.hands[seat] = hand ^ bit
        shape[0] = whole_shape - one_card(seat, lane)
        if last:
            value = end_trick(s, &after, bound, &mine)
        else:
            value = follow(s, &after, bound, &mine)
        good = (value >= bound) == against
        if choice:
            luck[lane] += ((1024 if good else -1024) - luck[lane]) >> 3
        if good:
            cuts[0] = mine
            break
        found = max(found, value) if against else min(found, value)
        # What failed of this card fails of all cards of the hand between the same two cuts.
        shown = moves & (bit if s.special & bit else interval(mine, lane) & ~s.special)
        moves ^= shown
        all_of_them |= mine
        while merged and shown:
            all_of_them |= with_equals(mine, hz_lowest(shown), legal, others, s.special)
            shown &= shown - 1
    else:
        cuts[0] = all_of_them
        value = found
    s.hands[seat] = hand
    shape[0] = whole_shape
    return value


cdef inline int left_to_others(const Ending *s, const Trick *t, uint64_t *cuts) noexcept nogil:
    """The points that the seat can leave to the others in this trick, at least."""
    cdef const Block *b = s.block
    cdef uint64_t suit = suit_of(t.best), hand, cards
    cdef int _i, seat = t.seat, top = t.best, loss = worth(b, t.cards)
    cdef bint lost = t.taker != s.seat
    cuts[0] = 0
    for _i in range(t.played, s.players):
        if seat != s.seat:
            hand = s.hands[seat]
            cards = hand & suit
            if cards:
                if hz_lowest(cards) > top:      # it must go over
                    top = hz_lowest(cards)
                    lost = True
                loss += cheapest(b, cards)
            else:
                loss += cheapest(b, hand)
        seat = seat + 1 if seat + 1 < s.players else 0
    hand = s.hands[s.seat]
    cards = hand & suit
    if t.done:
        cuts[0] = bit_of(top)
        return loss if lost else 0
    if cards == 0:
        return loss + dearest(b, hand)
    cards &= bit_of(top) - 1
    if cards == 0:
        return 0
    cuts[0] = bit_of(top)
    return loss + dearest(b, cards)


cdef int follow(Ending *s, const Trick *t, int bound, uint64_t *cuts) noexcept nogil:
    """The value in a trick."""
    cdef uint64_t hand = s.hands[t.seat]
    cdef int loss
    s.nodes += 1
    if t.played + 1 < s.players and (s.sole == SEVERAL or s.sole == s.seat):
        loss = left_to_others(s, t, cuts)
        if s.points - loss < bound:
            return s.points - loss
    # Beaten cards of the trick part nothing.
    return try_moves(
        s, t, may_follow(s.block, hand, t.best, False, NULL), s.left & ~hand & ~t.cards | bit_of(t.best), bound, cuts
    )


cdef int lead(Ending *s, int leader, int bound, uint64_t *cuts) noexcept nogil:
    """The value before a lead."""
    cdef Trick t
    cdef Group *group
    cdef uint64_t rows[SEATS]
    cdef uint64_t hand, others
    cdef Proof *proof
    cdef int i, before, value, sole = s.sole, seat = s.seat, n = s.players - 1
    s.nodes += 1
    cuts[0] = 0
    if s.points == 0:
        return 0 if sole == SEVERAL or sole == NO_ONE else s.moon[sole]
    hand = s.hands[seat]
    others = s.left & ~hand
    if sole == SEVERAL:
        if s.points < bound:
            return s.points
        if bound <= 0:
            return 0
        if leader == seat and takes_all(hand, others, cuts):
            return s.points
    else:
        value = s.points if sole == seat else max(s.points, s.most)
        if value < bound:
            return value
        value = 0 if sole != NO_ONE and sole != seat else min(0, s.points + s.moon[seat])
        if bound <= value:
            return value
    if leader != seat and 0 < bound and (sole == SEVERAL or sole == seat) and stays_under(hand, others, cuts):
        return 0
    group = find_group(s, leader)
    for i in range(n):
        rows[i] = hz_gather(s.hands[i], s.left)
    before = -1
    i = group.first if group != NULL else -1
    while i >= 0:
        proof = proof_at(s, i)
        if (proof.low >= bound or proof.high < bound) and holds(proof, rows, n):
            cuts[0] = hz_scatter(proof.cuts, s.left)
            if before >= 0:     # what was of use is found first next time
                proof_at(s, before).next = proof.next
                proof.next = group.first
                group.first = i
            return proof.low if proof.low >= bound else proof.high
        before = i
        i = proof.next
    t.cards = 0
    t.seat = leader
    t.played = t.best = 0
    t.taker = leader
    t.done = False
    hand = s.hands[leader]
    value = try_moves(s, &t, lead_set(&s.rules, s.block, hand, NULL), s.left & ~hand, bound, cuts)
    keep_proof(s, leader, rows, cuts[0], value, bound)
    return value


# ---- the root ----------------------------------------------------------------------------------------------

cdef int open_ending(Ending *s, const Hearts *p, const Block *b, int seat, uint64_t special) except -1:
    """Prepare the search for the points of a seat. special: the cards that are not like their neighbours."""
    cdef int i, lane, captured, cards, n = b.head.players
    cdef Trick *t = &s.root
    memset(s, 0, sizeof(Ending))
    copy_position(&s.rules, p)
    s.block = b
    s.seat = seat
    s.players = n
    s.special = special
    t.seat = p.head.turn
    t.played = p.in_trick
    t.taker = p.leader
    for i in range(p.in_trick):
        lane = p.log[p.logged - p.in_trick + i]
        if i == 0 or (lane > t.best and lane >> 4 == t.best >> 4):
            t.best = lane
            t.taker = (p.leader + i) % n
        t.cards |= bit_of(lane)
        t.done |= (p.leader + i) % n == seat
    s.left = t.cards
    s.sole = NO_ONE
    captured = 0
    for i in range(n):
        s.hands[i] = p.one[i]
        for lane in range(0, 64, 16):
            s.shapes[i >> 2] += hz_popcount(p.one[i] & suit_of(lane)) * one_card(i, lane)
        s.left |= p.one[i]
        captured += p.penalty_count[i]
        if p.penalty_count[i]:
            s.sole = i if s.sole == NO_ONE else SEVERAL
    s.points = worth(b, s.left)
    if b.moon == MOON_OFF or captured + hz_popcount(s.left & b.penalties) != b.penalty_cards:
        s.sole = SEVERAL
    s.most = -FAR
    if s.sole != SEVERAL:
        for i in range(n):
            s.moon[i] = moon_value(p, b, i, seat)
            if i != seat:
                s.most = max(s.most, s.moon[i])
    cards = hz_popcount(s.left)
    s.mask = bit_of(min(20, max(6, cards // 2 - 3))) - 1
    s.room = s.group_room = 256
    s.stride = sizeof(Proof) + 8 * <size_t> (n - 1)
    s.proofs = <char *> malloc(s.room * s.stride)
    s.groups = <Group *> malloc(s.group_room * sizeof(Group))
    s.first = <int32_t *> malloc((s.mask + 1) * sizeof(int32_t))
    if s.proofs == NULL or s.groups == NULL or s.first == NULL:
        close_ending(s)
        raise MemoryError
    forget(s)
    return 0


cdef void close_ending(Ending *s) noexcept:
    free(s.proofs)
    free(s.groups)
    free(s.first)


cdef int ending_value(Ending *s, int bound) noexcept nogil:
    """The value of the root, as far as it is asked for."""
    cdef uint64_t cuts
    if s.root.played == 0:
        return lead(s, s.root.seat, bound, &cuts)
    return follow(s, &s.root, bound, &cuts)


cdef int value_after(Ending *s, int lane, int bound) noexcept nogil:
    """The value after a card at the root."""
    cdef uint64_t cuts
    return try_moves(s, &s.root, bit_of(lane), 0, bound, &cuts)
