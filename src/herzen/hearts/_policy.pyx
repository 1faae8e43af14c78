"""The rule player of Hearts at C level; `herzen.hearts.bot` says in words how it thinks.

It reads what the seat to move may know: its own hand, what lies on the table and what has been captured, and which
cards are still out. Those are the union of the other hands and of an unseen kitty, which everybody can count; who
holds which of them it never looks at. It draws no random numbers: equal positions get equal moves."""

from libc.string cimport memcpy

from herzen._core cimport (
    DEAL_OVER, MATCH_OVER, State, highest_uncancelled, hz_highest, hz_lowest, hz_popcount,
    left_of,
)
from herzen.hearts._rules cimport *

from herzen.hearts import _zones
from herzen.hearts._worlds import Worlds
from herzen.hearts.seen import Seen
from herzen.registry import game_class

cdef enum:
    SUIT = 0xFFFF           # the lanes of clubs
    MANY = 4                # penalty cards that make a seat which alone has taken any suspect of shooting the moon
    CHEAP = 4               # hearts that a trick which ends such an attempt may cost


cdef inline uint64_t highest(uint64_t cards) noexcept nogil:
    return bit_of(hz_highest(cards))


cdef inline uint64_t lowest(uint64_t cards) noexcept nogil:
    return cards & (0 - cards)


# ---- what everybody knows ----------------------------------------------------------------------------------

cdef inline uint64_t all_hands(const Hearts *p, const Block *b) noexcept nogil:
    """The kinds that some hand, or a kitty that nobody has seen, still holds; those captured before a set-up, which
    nobody has seen either, with them."""
    cdef uint64_t cards = p.one[0]
    cdef int i
    for i in range(1, b.head.players):
        cards |= p.one[i]
    for i in range(p.base):
        cards |= bit_of(p.log[i])
    if b.kitty_size and not p.kitty_shown:
        for i in range(b.kitty_size):
            cards |= bit_of(p.kitty[i])
    return cards


cdef inline int alone(const Hearts *p, const Block *b) noexcept nogil:
    """The seat that has taken many penalty cards and all that are taken, -1 if there is none or no moon."""
    cdef int seat, found = -1
    if b.moon == MOON_OFF:
        return -1
    for seat in range(b.head.players):
        if p.penalty_count[seat]:
            if found >= 0:
                return -1
            found = seat
    return found if found >= 0 and p.penalty_count[found] >= MANY else -1


cdef inline bint likely_takes_all(uint64_t hand, uint64_t out) noexcept nogil:
    """Whether a leader with this hand is likely to take every trick that is left.

    In each suit all its cards win, or those that do are half as many as the cards that are out: these are spread over
    several hands and fall on them."""
    cdef uint64_t suit = SUIT, held, others, winners
    for _ in range(4):
        held = hand & suit
        others = out & suit
        if held and others:
            winners = held & ~(highest(others) - 1)
            if winners != held and 2 * hz_popcount(winners) < hz_popcount(others):
                return False
        suit <<= 16
    return True


# ---- leading -----------------------------------------------------------------------------------------------

cdef uint64_t choose_lead(const Block *b, uint64_t hand, uint64_t legal, uint64_t out) noexcept nogil:
    """A low card that others are likely to beat; low spades to bring the queen out."""
    cdef uint64_t suit = SUIT, held, others, card, best = 0
    cdef int above, score, most = -1000
    for _ in range(4):
        held = legal & suit
        if held:
            others = out & suit
            card = lowest(held)
            above = hz_popcount(others & ~(card - 1))
            score = above - hz_popcount(others & (card - 1)) - 6 * hz_popcount(hand & suit)
            if above == 0:
                score -= 20         # it wins the trick, and others can throw what they like
            if b.queen & suit:
                if b.queen & hand:
                    score -= 12     # each round of spades brings the own queen nearer
                elif b.queen & out:
                    if held & (b.queen - 1):
                        card = highest(held & (b.queen - 1))
                        score = 12 if hand & suit & ~(b.queen - 1) == 0 else score
                    else:
                        score -= 40
            elif b.hearts & suit:
                score -= 1
            if score > most:
                most = score
                best = card
        suit <<= 16
    return best


# ---- following ---------------------------------------------------------------------------------------------

cdef inline uint64_t choose_follow(
    const Block *b, uint64_t legal, uint64_t trick, int best, int after, uint64_t out, bint safe, bint stop
) noexcept nogil:
    """A card of the suit led. best: the lane that wins so far; after: seats still to play; safe: no points can come.

    stop: the winner so far may be shooting the moon, so that taking a point or two from it is worth their price."""
    cdef uint64_t under = legal & (bit_of(best) - 1), over = legal ^ under, suit = suit_of(best), cheap
    if stop:
        cheap = over & ~b.queen
        if cheap and (after == 0 or highest(cheap) > out & suit) and (trick | highest(cheap)) & b.penalties:
            if not trick & b.queen and hz_popcount(trick & b.penalties) <= CHEAP:
                return highest(cheap)
        cheap = under & ~b.queen
        if cheap and not trick & ~suit:
            return lowest(cheap)        # the high ones may stop it later
    if under:
        return under & b.queen if under & b.queen else highest(under)
    cheap = legal & ~b.queen
    if cheap == 0:
        return legal
    if after == 0 or safe:
        return highest(cheap)
    if suit & b.queen and out & b.queen:
        return highest(cheap & (b.queen - 1)) if cheap & (b.queen - 1) else lowest(cheap)
    if suit & b.hearts == 0 and hz_popcount(out & suit) >= 3 * after and trick & b.penalties == 0:
        return highest(cheap)       # an early round: everybody will follow
    return lowest(cheap)


# ---- throwing away -----------------------------------------------------------------------------------------

cdef uint64_t choose_throw(
    const Block *b, uint64_t hand, uint64_t legal, uint64_t out, bint keep_points
) noexcept nogil:
    """A card of another suit than the one led: points first, then what is likely to win tricks later.

    keep_points: the trick goes to somebody who may be shooting the moon."""
    cdef uint64_t suit = SUIT, held, others, card, best = 0, cards = legal
    cdef int score, most = -1000, low
    if keep_points and legal & ~b.penalties:
        cards = legal & ~b.penalties
    elif legal & b.queen:
        return b.queen
    for _ in range(4):
        held = cards & suit
        if held:
            others = out & suit
            card = highest(held)
            low = hz_popcount(others & (card - 1))
            # How likely it is to win, and how few lower cards guard it.
            score = low - 4 * hz_popcount(hand & suit & (card - 1))
            if hz_popcount(others & ~(card - 1)) > low:
                score -= 8
            if b.hearts & suit:
                score += 6
            elif b.queen & suit and out & b.queen and card > b.queen:
                score += 12
            if score > most:
                most = score
                best = card
        suit <<= 16
    return best


# ---- bonus cards -------------------------------------------------------------------------------------------

cdef int worth(const Block *b, uint64_t cards) noexcept nogil:
    """Points of these cards."""
    cdef int points = 0
    cards &= b.penalties | b.bonuses
    while cards:
        points += b.points[hz_lowest(cards)]
        cards &= cards - 1
    return points


cdef uint64_t take_bonus(
    const Block *b, uint64_t legal, uint64_t trick, int best, int after, uint64_t out
) noexcept nogil:
    """The card that takes a trick for the bonus in it, or takes it with the bonus card; 0 if there is none.

    best: the lane that wins so far, -1 when leading."""
    cdef uint64_t over = legal, mine
    if best >= 0:
        over = legal & suit_of(best) & ~(bit_of(best) - 1) & ~bit_of(best)
    mine = over & b.bonuses
    while mine:
        if worth(b, trick | lowest(mine)) < 0 and (
            (after == 0 and best >= 0) or out & suit_of(hz_lowest(mine)) & ~(lowest(mine) - 1) == 0
        ):
            return lowest(mine)
        mine &= mine - 1
    over &= ~b.bonuses
    if best >= 0 and over and trick & b.bonuses and worth(b, trick | lowest(over)) < 0:
        return lowest(over) if after == 0 else highest(over)
    return 0


# ---- one decision, one trick -------------------------------------------------------------------------------

cdef inline uint64_t sure_lead(uint64_t legal, uint64_t out) noexcept nogil:
    """Of a hand that takes all: the highest card of a suit that nobody can beat."""
    cdef uint64_t suit = SUIT, held
    for _ in range(4):
        held = legal & suit
        if held and highest(held) > out & suit:
            return highest(held)
        suit <<= 16
    return highest(legal)


cdef inline uint64_t choose_reply(
    const Block *b, uint64_t hand, uint64_t legal, uint64_t trick, uint64_t follow, int best, int after, uint64_t out,
    bint safe, bint stop
) noexcept nogil:
    """The card to a trick of this suit, where neither bonus cards nor an own moon are at stake; see `choose_card`,
    `choose_follow`."""
    if legal & follow:
        return choose_follow(b, legal, trick, best, after, out, safe, stop)
    return choose_throw(b, hand, legal, out, stop)


cdef uint64_t choose_card(
    const Hearts *p, const Block *b, int seat, uint64_t legal, uint64_t trick, int led, int best, int taking,
    int after, uint64_t all_cards, int alone_taker
) noexcept nogil:
    """The card (a set of one) that the rule player plays, of at least two.

    led, best: lanes of the trick's first and winning card, -1 when leading; taking: the seat whose card that is; after:
    seats still to play; all_cards: `all_hands`; alone_taker: `alone`."""
    cdef uint64_t hand = p.one[seat], out = all_cards & ~hand, card
    cdef bint stop
    if b.bonuses:
        card = take_bonus(b, legal, trick, best, after, out)
        if card:
            return card
        if legal & ~b.bonuses:
            legal &= ~b.bonuses         # kept for a trick that takes it
    if alone_taker == seat:
        if led < 0:
            if likely_takes_all(hand, out):
                return sure_lead(legal, out)
        elif legal & suit_of(led) and highest(legal) > bit_of(best) and highest(legal) > out & suit_of(led):
            if likely_takes_all(hand ^ highest(legal), out):
                return highest(legal)
    stop = alone_taker >= 0 and alone_taker == taking != seat
    if led < 0:
        return choose_lead(b, hand, legal, out)
    return choose_reply(
        b, hand, legal, trick, suit_of(led), best, after, out, b.forbid_points and opening_trick(p), stop
    )


cdef uint64_t rule_card(const Hearts *p, const Block *b) noexcept nogil:
    """The card (a set of one) that the rule player plays for the seat whose turn it is."""
    cdef const uint8_t *cards = &p.log[p.logged - p.in_trick]
    cdef uint64_t one, two
    cdef uint64_t legal = legal_cards(p, b, NULL)
    cdef int n = b.head.players, place = 0, later = 0, best = -1, led = -1
    if legal & (legal - 1) == 0:
        return legal
    sets_of(cards, p.in_trick, &one, &two)
    if p.in_trick:
        led = best = cards[0]
        if b.decks == 2:
            place = highest_uncancelled(cards, p.in_trick, &later)
        else:
            best = hz_highest(one & suit_of(led))
            while cards[place] != best:
                place += 1
        if place >= 0:
            best = cards[place]
        else:
            best = led & 0x30       # all cancelled: any further card wins
    return choose_card(
        p, b, p.head.turn, legal, one, led, best,
        p.head.turn if place < 0 else (p.leader + place) % n, n - 1 - p.in_trick, all_hands(p, b), alone(p, b)
    )


# ---- passing -----------------------------------------------------------------------------------------------

cdef int burden(const Block *b, uint64_t hand, int lane) noexcept nogil:
    """How much a hand is better off without a card."""
    cdef uint64_t suit = suit_of(lane), held = hand & suit
    cdef int length = hz_popcount(held), guards, rank = lane & 15
    if suit & b.queen:
        guards = hz_popcount(held & (b.queen - 1))
        if bit_of(lane) & b.queen:
            return 60 - 35 * max(0, guards - 2)
        if bit_of(lane) > b.queen:
            return 90 + rank - 35 * max(0, guards - 2) - (45 if hand & b.queen else 0)
        return rank - 20            # low spades guard against the queen
    guards = hz_popcount(held & (bit_of(lane) - 1))
    if suit & b.hearts:
        return 4 * rank - 8 * guards + 6
    if bit_of(lane) & b.bonuses:
        return -20
    return 4 * rank - 6 * guards + 8 * max(0, 3 - length)


cdef int pass_lane(const Hearts *p, const Block *b, int seat, const uint8_t *picks, int picked) noexcept nogil:
    """The card that the rule player picks next for a seat's pass, after these picks."""
    cdef uint64_t one, two, hand_one = p.one[seat], hand_two = p.two[seat]
    cdef int i, lane, best = -1, score, most = 0
    pass_pool(p, b, seat, &one, &two)
    for i in range(picked):
        take_card(&one, &two, bit_of(picks[i]))
        take_card(&hand_one, &hand_two, bit_of(picks[i]))
    while one:
        lane = hz_lowest(one)
        one &= one - 1
        score = burden(b, hand_one, lane)
        if best < 0 or score > most:
            most = score
            best = lane
    return best


# ---- the decision after a moon -----------------------------------------------------------------------------

cdef int moon_kind(const Hearts *p, const Block *b) noexcept nogil:
    """Whichever leaves the shooter further ahead: of the others' mean, or in a match that ends, of the best other."""
    cdef Hearts after
    cdef int64_t[2] lead
    cdef int i, seat, n = b.head.players
    cdef uint32_t did
    for i in range(2):
        memcpy(&after, p, sizeof(Hearts))
        did = choose_moon(&after, b, MOON_SUBTRACT if i else MOON_ADD)
        lead[i] = 0
        for seat in range(n):
            lead[i] += after.totals[seat] - after.totals[p.shooter]
        if did & MATCH_OVER:
            lead[i] = 1 << 30
            for seat in range(n):
                if seat != p.shooter:
                    lead[i] = min(lead[i], after.totals[seat] - after.totals[p.shooter])
            lead[i] += <int64_t> 1 << 40 if lead[i] >= 0 else -(<int64_t> 1 << 40)
    return CODE_SUBTRACT if lead[1] > lead[0] else CODE_ADD


# ---- for everybody -----------------------------------------------------------------------------------------

cdef int rule_action(const void *pos, const Rules *rules, hz_stream *chance) noexcept nogil:
    cdef const Hearts *p = <const Hearts *> pos
    cdef const Block *b = <const Block *> rules
    if p.head.phase == PASSING:
        return KIND[pass_lane(p, b, p.head.turn, p.picks, p.picked)]
    if p.head.phase == PLAYING:
        return KIND[hz_lowest(rule_card(p, b))]
    return moon_kind(p, b)


cdef int64_t rule_move(const void *pos, const Rules *rules, int seat, hz_stream *chance) noexcept nogil:
    cdef const Hearts *p = <const Hearts *> pos
    cdef const Block *b = <const Block *> rules
    cdef uint8_t[4] picks
    cdef int64_t code = CODE_PASS
    cdef int i, k, lane
    if p.head.phase != PASSING:
        return rule_action(pos, rules, chance)
    for i in range(b.pass_count):
        lane = pass_lane(p, b, seat, picks, i)
        k = i
        while k and picks[k - 1] > lane:
            picks[k] = picks[k - 1]
            k -= 1
        picks[k] = <uint8_t> lane
    for i in range(b.pass_count):
        code = code << 8 | KIND[picks[i]]
    return code


cdef inline uint32_t rule_trick(Hearts *p, const Block *b, int n, int played) noexcept nogil:
    """Play a trick from one pack to its end: what calls of rule_card and play_card do, here for n players (constants
    where they are known), of whom so many have played."""
    cdef int seat = p.head.turn, alone_taker = alone(p, b), i, led = -1, best = -1, taking = seat, lane
    cdef bint opening = opening_trick(p), safe = b.forbid_points and opening
    cdef bint usual = alone_taker < 0 and b.bonuses == 0
    cdef uint64_t row = 0, trick = 0, card, all_cards = all_hands(p, b), legal, follow = 0, out
    if played:
        # Begin anew with the cards that lie there.
        p.logged -= <uint8_t> played
        p.head.ply -= <uint32_t> played
        p.in_trick = 0
        led = p.log[p.logged]
        follow = suit_of(led)
        for i in range(played):
            lane = p.log[p.logged + i]
            if bit_of(lane) & follow and lane > best:
                best = lane
                taking = (p.leader + i) % n
            row |= <uint64_t> lane << 8 * i
            trick |= bit_of(lane)
    else:
        legal = card = may_lead(p, b, p.one[seat], NULL)
        if legal & (legal - 1):
            if usual:
                card = choose_lead(b, p.one[seat], legal, all_cards & ~p.one[seat])
            else:
                card = choose_card(p, b, seat, legal, 0, -1, -1, seat, n - 1, all_cards, alone_taker)
        led = best = hz_lowest(card)
        follow = suit_of(led)
        row = <uint64_t> led
        trick = card
        p.one[seat] ^= card
        all_cards ^= card
        seat = left_of(seat, n)
    for i in range(played if played else 1, n):
        legal = card = may_follow(b, p.one[seat], led, opening, NULL)
        if legal & (legal - 1):
            if usual:
                out = all_cards & ~p.one[seat]
                card = choose_reply(b, p.one[seat], legal, trick, follow, best, n - 1 - i, out, safe, False)
            else:
                card = choose_card(p, b, seat, legal, trick, led, best, taking, n - 1 - i, all_cards, alone_taker)
        lane = hz_lowest(card)
        if card & follow and lane > best:
            best = lane
            taking = seat
        row |= <uint64_t> lane << 8 * i
        trick |= card
        p.one[seat] ^= card
        all_cards ^= card
        seat = left_of(seat, n)
    return end_whole_trick(p, b, n, row, trick)


cdef uint32_t rest_of_trick(Hearts *p, const Block *b) noexcept nogil:
    """The same for any trick."""
    return rule_trick(p, b, b.head.players, p.in_trick)


cdef uint32_t rule_playout(void *pos, const Rules *rules, hz_stream *chance) noexcept nogil:
    cdef Hearts *p = <Hearts *> pos
    cdef const Block *b = <const Block *> rules
    cdef uint32_t did = 0
    while p.head.turn >= 0 and not did & DEAL_OVER:
        if p.head.phase == PLAYING and b.decks == 1:
            did = rule_trick(p, b, 4, 0) if b.head.players == 4 and p.in_trick == 0 else rest_of_trick(p, b)
        elif p.head.phase == PLAYING:
            p.head.ply += 1
            did = play_card(p, b, hz_lowest(rule_card(p, b)))
        elif p.head.phase == PASSING:
            did = pick(p, b, pass_lane(p, b, p.head.turn, p.picks, p.picked))
        else:
            p.head.ply += 1
            did = choose_moon(p, b, MOON_ADD if moon_kind(p, b) == CODE_ADD else MOON_SUBTRACT)
    return did


cdef int32_t weigh(const void *pos, const Rules *rules, int seat, int64_t code) noexcept nogil:
    cdef const Hearts *p = <const Hearts *> pos
    cdef const Block *b = <const Block *> rules
    cdef int32_t weight = 0
    cdef int i
    for i in range(b.pass_count if p.head.phase == PASSING else 0):
        weight += burden(b, p.one[seat], LANE[code >> 8 * i & 0xFF])
    return weight


OPS.rule_action = rule_action
OPS.rule_move = rule_move
OPS.rule_playout = rule_playout
OPS.weigh = weigh


# ---- from Python -------------------------------------------------------------------------------------------

def table_of(view):
    """A position that shows the viewer the same. SetupError if the view cannot be.

    The unseen cards lie anyhow: the rule player looks at what its seat knows, which is the same wherever they are. Only
    where some were captured before a set-up, a world has to say which those may be."""
    cdef State table = game_class("hearts").__new__(game_class("hearts"))
    table._found(view.rules, 0, 0, (), None)
    zones = Seen(view, table).anyhow()
    if zones is None:
        return Worlds(view).sample(0)
    _zones.place(table, zones)
    return table
