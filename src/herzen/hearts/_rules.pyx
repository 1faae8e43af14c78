"""Hearts on one plain struct: dealing, passing, playing, the moon, scoring, the match.

The numbers in the comments are those of docs/rules/hearts.rst."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.string cimport memcpy, memset

from herzen._codes cimport combinations
from herzen._core cimport (
    DEAL_OVER, DOMAIN_CHANCE, MATCH_OVER, STAGE_OPEN, begin_deal, highest_of_suit_led,
    highest_cancelled, hz_bounded, hz_lowest, hz_nth_bit, hz_nth_set, hz_popcount, hz_put_row8, hz_row8,
    hz_stream_open, left_of, place_of_highest, seats_with_least,
)

if sizeof(Hearts) % 64:
    raise AssertionError("copy_position copies whole cache lines")

cdef int _i
for _i in range(104):
    LANE[_i] = <uint8_t> (_i % 52 // 13 * 16 + _i % 13)
for _i in range(64):
    KIND[_i] = <uint8_t> (_i // 16 * 13 + _i % 16)


# ---- dealing -----------------------------------------------------------------------------------------------

cdef uint32_t deal(void *pos, const Rules *rules, const uint32_t *key, const uint8_t *deck) noexcept nogil:
    """H-DEAL: cards in turn from the dealer's left, the rest is the kitty; then the pass or the first lead."""
    cdef Hearts *p = <Hearts *> pos
    cdef const Block *b = <const Block *> rules
    cdef int n = b.head.players, i, first, seat = (p.head.dealer + 1) % n
    cdef uint64_t one, two
    cdef hz_stream chance
    # log, leaders and kitty count as far as they are filled.
    memset(&p.committed, 0, <size_t> (<char *> p.log - <char *> &p.committed))
    memset(p.penalty_points, 0, <size_t> (<char *> p.leaders - <char *> p.penalty_points))
    memset(p.base_count, 0, sizeof(p.base_count))
    memset(p.passed, NO_CARD, sizeof(p.passed))
    p.kitty_taker = p.shooter = -1
    for first in range(n):
        one = two = 0
        if b.decks == 1:
            for i in range(b.hand_size):
                one |= bit_of(LANE[deck[first + i * n]])
        else:
            for i in range(b.hand_size):
                add_card(&one, &two, bit_of(LANE[deck[first + i * n]]))
        p.one[seat] = one
        p.two[seat] = two
        seat = left_of(seat, n)
    for i in range(b.kitty_size):
        p.kitty[i] = LANE[deck[n * b.hand_size + i]]
    if b.cycle != NULL:
        p.direction = b.cycle[p.head.deal_number % b.directions]
    else:
        hz_stream_open(&chance, key, DOMAIN_CHANCE, <uint64_t> p.head.deal_number)
        i = <int> hz_bounded(&chance, <uint32_t> b.directions)
        p.direction = <int8_t> (HOLD if i == b.directions - 1 else i)
    if b.pass_count and p.direction != HOLD:
        p.head.phase = PASSING
        p.head.turn = 0
        return DID_DEAL
    return DID_DEAL | open_play(p, b)


cdef uint32_t actors(const void *pos, const Rules *rules) noexcept nogil:
    """All seats that have not committed their pass; otherwise the seat whose turn it is."""
    cdef const Hearts *p = <const Hearts *> pos
    if p.head.phase == PASSING:
        return ((<uint32_t> 1 << rules.players) - 1) & ~<uint32_t> p.committed
    return <uint32_t> 1 << p.head.turn if p.head.turn >= 0 else 0


# ---- passing -----------------------------------------------------------------------------------------------

cdef int receiver(const Hearts *p, int seat) noexcept nogil:
    """H-PASS: the seat that gets this seat's pass."""
    cdef int n = p.head.players
    cdef int step = 1 if p.direction == LEFT else n - 1 if p.direction == RIGHT else n // 2
    return (seat + step) % n


cdef void pass_pool(const Hearts *p, const Block *b, int seat, uint64_t *one, uint64_t *two) noexcept nogil:
    """The cards of which any pass_count make a legal pass: the hand, or what keep_spades leaves of it."""
    cdef int short_by
    cdef uint64_t kept_one = p.one[seat] & b.kept, kept_two = p.two[seat] & b.kept, bit
    one[0] = p.one[seat] ^ kept_one
    two[0] = p.two[seat] ^ kept_two
    if kept_one == 0:
        return
    # Too few other cards: all of these and the lowest of the kept ones, copies included.
    short_by = b.pass_count - hz_popcount(one[0]) - hz_popcount(two[0])
    while short_by > 0:
        bit = kept_one & (0 - kept_one)
        add_card(one, two, bit)
        take_card(&kept_one, &kept_two, bit)
        short_by -= 1


cdef uint32_t commit_pass(Hearts *p, const Block *b, int seat, const uint8_t *lanes) noexcept nogil:
    """Commit a legal pass; the last one moves all cards at once and opens the play."""
    cdef int n = p.head.players, to, i
    cdef uint32_t waiting
    memcpy(p.passed[seat], lanes, b.pass_count)
    p.committed |= <uint16_t> (1 << seat)
    p.picked = 0
    waiting = ((<uint32_t> 1 << n) - 1) & ~<uint32_t> p.committed
    if waiting:
        p.head.turn = <int8_t> hz_lowest(waiting)
        return DID_PASS | STAGE_OPEN
    for seat in range(n):
        for i in range(b.pass_count):
            take_card(&p.one[seat], &p.two[seat], bit_of(p.passed[seat][i]))
    for seat in range(n):
        to = receiver(p, seat)
        for i in range(b.pass_count):
            add_card(&p.one[to], &p.two[to], bit_of(p.passed[seat][i]))
    p.exchanged = 1
    p.committed = 0
    return DID_PASS | DID_EXCHANGE | open_play(p, b)


# ---- playing -----------------------------------------------------------------------------------------------

cdef uint32_t open_play(Hearts *p, const Block *b) noexcept nogil:
    """Who leads to trick 1 (H-LEAD): left of the dealer, or the holder of the lowest club in a hand."""
    cdef int n = p.head.players, seat = (p.head.dealer + 1) % n, i
    cdef uint64_t clubs = 0
    p.head.phase = PLAYING
    if b.lead != DEALER_LEFT:
        for i in range(n):
            clubs |= p.one[i]
        clubs &= b.clubs
        clubs &= 0 - clubs
        while p.one[seat] & clubs == 0:     # of two holders the first from the dealer's left
            seat = (seat + 1) % n
    return give_lead(p, b, seat)


cdef inline uint32_t give_lead(Hearts *p, const Block *b, int seat) noexcept nogil:
    """Give a seat the lead; under "pass_lead" it goes on to the left past hands of hearts only (H-LEAD)."""
    cdef int n = p.head.players, first = seat
    p.lead_passed = 0
    if b.stuck == PASS_LEAD and b.break_required and not p.broken:
        while p.one[seat] & ~b.hearts == 0 and p.lead_passed < n:
            seat = (seat + 1) % n
            p.lead_passed += 1
        if p.lead_passed == n:              # everybody holds only hearts
            p.lead_passed = 0
            seat = first
    p.leader = p.head.turn = <int8_t> seat
    return DID_LEAD_PASSED if p.lead_passed else 0


cdef uint32_t play_card(Hearts *p, const Block *b, int lane) noexcept nogil:
    """Play a legal card for the seat whose turn it is."""
    cdef int n = p.head.players, seat = p.head.turn
    cdef uint64_t bit = bit_of(lane)
    cdef uint64_t one, two
    cdef bint last
    take_card(&p.one[seat], &p.two[seat], bit)
    p.log[p.logged] = <uint8_t> lane
    p.logged += 1
    p.in_trick += 1
    if bit & b.breaking:
        p.broken = 1
    seat = left_of(seat, n)
    if p.in_trick < n:
        p.head.turn = <int8_t> seat
        return DID_PLAY
    sets_of(&p.log[p.logged - n], n, &one, &two)
    last = p.one[seat] == 0
    return go_on(p, b, DID_PLAY | close_trick(p, b, hz_row8(&p.log[p.logged - n]), one, two, last), last)


cdef inline uint32_t go_on(Hearts *p, const Block *b, uint32_t did, bint last) noexcept nogil:
    """After a trick: the lead goes to whom it belongs, or the hand ends."""
    if last or (b.stop_when_decided and decided(p, b)):
        return did | end_hand(p, b)
    return did | give_lead(p, b, p.leader)


cdef inline uint32_t random_trick(Hearts *p, const Block *b, hz_stream *play, int n) noexcept nogil:
    """Play a whole trick from one pack at random: what n (the players) random calls of play_card do."""
    cdef int seat = p.head.turn, i, led
    cdef bint opening = opening_trick(p)
    cdef uint64_t hand = p.one[seat], row, trick, card, cards = may_lead(p, b, hand, NULL)
    trick = hz_nth_set(cards, hz_bounded(play, <uint32_t> hz_popcount(cards)))
    led = hz_lowest(trick)
    row = <uint64_t> led
    p.one[seat] = hand ^ trick
    for i in range(1, n):
        seat = left_of(seat, n)
        hand = p.one[seat]
        cards = may_follow(b, hand, led, opening, NULL)
        card = hz_nth_set(cards, hz_bounded(play, <uint32_t> hz_popcount(cards)))
        row |= <uint64_t> hz_lowest(card) << 8 * i
        trick |= card
        p.one[seat] = hand ^ card
    return lay_trick(p, b, n, row, trick)


cdef inline uint32_t lay_trick(Hearts *p, const Block *b, int n, uint64_t row, uint64_t trick) noexcept nogil:
    """A whole trick from one pack has left the hands: what its n plays do besides."""
    cdef bint last = p.one[p.leader] == 0
    hz_put_row8(&p.log[p.logged], row)
    p.logged += <uint8_t> n
    p.head.ply += <uint32_t> n
    p.broken |= trick & b.breaking != 0
    return go_on(p, b, DID_PLAY | take_trick(p, b, n, 1, row, trick, 0, last), last)


cdef uint32_t end_whole_trick(Hearts *p, const Block *b, int n, uint64_t row, uint64_t trick) noexcept nogil:
    """`lay_trick` for other modules."""
    return lay_trick(p, b, n, row, trick)


cdef inline void count_set(
    const Block *b, uint64_t cards, int16_t *penalty_points, int16_t *bonus_points, uint8_t *penalties,
    uint8_t *bonuses
) noexcept nogil:
    """Add what the cards of a set are worth and how many penalty and bonus cards there are."""
    cdef uint64_t left = cards & b.penalties
    if left:
        penalties[0] += <uint8_t> hz_popcount(left)
        penalty_points[0] += <int16_t> hz_popcount(left & b.ones)
        left &= ~b.ones
        while left:
            penalty_points[0] += b.points[hz_lowest(left)]
            left &= left - 1
    left = cards & b.bonuses
    while left:
        bonus_points[0] += b.points[hz_lowest(left)]
        bonuses[0] += 1
        left &= left - 1


cdef void count_cards(
    const Block *b, const uint8_t *lanes, int n, int16_t *penalty_points, int16_t *bonus_points,
    uint8_t *penalties, uint8_t *bonuses
) noexcept nogil:
    """Add what these cards are worth and how many penalty and bonus cards there are."""
    cdef uint64_t one, two
    sets_of(lanes, n, &one, &two)
    count_set(b, one, penalty_points, bonus_points, penalties, bonuses)
    count_set(b, two, penalty_points, bonus_points, penalties, bonuses)


cdef uint32_t close_trick(
    Hearts *p, const Block *b, uint64_t row, uint64_t one, uint64_t two, bint last
) noexcept nogil:
    """The trick of these cards is full: who takes it, or it is held over (H-CANC). `leader` gets the lead next.

    row: its first eight cards in the order played, which are all if there is one pack; one, two: the same as sets."""
    return take_trick(p, b, b.head.players, b.decks, row, one, two, last)


cdef inline uint32_t take_trick(
    Hearts *p, const Block *b, int n, int decks, uint64_t row, uint64_t one, uint64_t two, bint last
) noexcept nogil:
    """The same for so many players and packs, as constants where they are known."""
    cdef int place, winner
    cdef uint64_t suit
    cdef const uint8_t *cards = &p.log[p.logged - n]
    cdef uint8_t held
    if decks == 1:
        place = highest_of_suit_led(row, one)
    else:
        suit = suit_of(cards[0])
        place = place_of_highest(cards, n, one & ~two & suit)
        if place < 0 and last:
            place = highest_cancelled(cards, n, two & suit) if b.second_takes else 0
    p.in_trick = 0
    if place < 0:
        count_set(b, one, &p.held_penalty_points, &p.held_bonus_points, &p.held_penalties, &p.held_bonuses)
        count_set(b, two, &p.held_penalty_points, &p.held_bonus_points, &p.held_penalties, &p.held_bonuses)
        p.held_tricks += 1
        p.leaders[p.tricks] = <uint8_t> (p.leader | NOBODY << 4)
        p.tricks += 1
        return DID_TRICK
    winner = p.leader + place
    if winner >= n:
        winner -= n
    p.leaders[p.tricks] = <uint8_t> (p.leader | winner << 4)
    p.tricks += 1
    p.leader = <int8_t> winner
    held = p.penalty_count[winner]
    count_set(
        b, one, &p.penalty_points[winner], &p.bonus_points[winner], &p.penalty_count[winner],
        &p.bonus_count[winner]
    )
    if decks == 2:
        count_set(
            b, two, &p.penalty_points[winner], &p.bonus_points[winner], &p.penalty_count[winner],
            &p.bonus_count[winner]
        )
    p.tricks_won[winner] += 1
    if decks == 2:
        take_held(p, winner)
    held = p.penalty_count[winner] - held       # penalty cards in what was just captured
    if b.kitty_size and p.kitty_taker < 0 and (
        last or b.kitty_to == TO_FIRST_TRICK or (b.kitty_to == TO_FIRST_POINTS and held)
    ):
        p.kitty_taker = <int8_t> winner
        return DID_TRICK | DID_KITTY
    return DID_TRICK


cdef void take_held(Hearts *p, int winner) noexcept nogil:
    """The winner of a trick takes all that was held over."""
    p.penalty_points[winner] += p.held_penalty_points
    p.bonus_points[winner] += p.held_bonus_points
    p.penalty_count[winner] += p.held_penalties
    p.bonus_count[winner] += p.held_bonuses
    p.tricks_won[winner] += p.held_tricks
    p.held_penalty_points = p.held_bonus_points = 0
    p.held_penalties = p.held_bonuses = p.held_tricks = 0


cdef bint decided(const Hearts *p, const Block *b) noexcept nogil:
    """stop_when_decided (H-END): nothing left to play for."""
    cdef int n = p.head.players, i, out = 0, takers = 0
    if b.kitty_size:
        return False
    for i in range(n):
        out += p.penalty_count[i] + p.bonus_count[i]
        takers += p.tricks_won[i] > 0
    if out < b.penalty_cards + b.bonus_cards:
        return False
    if b.no_trick_bonus and takers < n:
        return False
    return not b.sun or b.moon == MOON_OFF or takers >= 2


# ---- the end of a hand -------------------------------------------------------------------------------------

cdef uint32_t end_hand(Hearts *p, const Block *b) noexcept nogil:
    """The kitty is shown; a shooter who may choose does so next; otherwise the hand is scored."""
    cdef uint32_t did = 0
    cdef int taker = p.kitty_taker
    if b.kitty_size and not p.kitty_shown:
        count_cards(
            b, p.kitty, b.kitty_size, &p.penalty_points[taker], &p.bonus_points[taker],
            &p.penalty_count[taker], &p.bonus_count[taker]
        )
        p.kitty_shown = 1
        did = DID_SHOW_KITTY
    p.shooter = <int8_t> find_shooter(b, p.head.players, p.penalty_count, p.bonus_count)
    if p.shooter >= 0 and b.moon == MOON_CHOICE:
        p.head.phase = SHOOTING
        p.head.turn = p.shooter
        return did
    return did | score_hand(p, b, 0)


cdef uint32_t choose_moon(Hearts *p, const Block *b, int kind) noexcept nogil:
    """The shooter's decision (H-MOON)."""
    return DID_CHOOSE | score_hand(p, b, kind)


cdef uint32_t score_hand(Hearts *p, const Block *b, int kind) noexcept nogil:
    cdef int32_t points[SEATS]
    p.kind = <int8_t> hand_points(
        b, p.head.players, p.penalty_points, p.bonus_points, p.tricks_won, p.shooter, kind, p.totals,
        p.head.deal_number, points
    )
    if settle(b, p.head.players, p.totals, points, p.head.deal_number):
        p.head.phase = FINISHED
        p.head.turn = -1
        return DID_SCORE | DEAL_OVER | MATCH_OVER
    return DID_SCORE | DEAL_OVER


cdef int find_shooter(const Block *b, int n, const uint8_t *penalties, const uint8_t *bonuses) noexcept nogil:
    """H-MOON: the seat with every penalty card (and every bonus card if that is asked for), or -1."""
    cdef int seat
    if b.moon == MOON_OFF or b.penalty_cards == 0:
        return -1
    for seat in range(n):
        if penalties[seat] == b.penalty_cards:
            return -1 if b.moon_needs_bonus and bonuses[seat] != b.bonus_cards else seat
    return -1


cdef int hand_points(
    const Block *b, int n, const int16_t *penalty_points, const int16_t *bonus_points, const uint8_t *tricks,
    int shooter, int kind, const int32_t *totals, int32_t deal_number, int32_t *points
) noexcept nogil:
    """H-SCORE, H-MOON: each seat's points of the hand. Returns the kind of the moon, MOON_OFF if there is none."""
    cdef int32_t after[SEATS]
    cdef int32_t moon = b.total, lowest
    cdef int seat, takers = 0
    if shooter < 0:
        for seat in range(n):
            points[seat] = penalty_points[seat] + bonus_points[seat]
            if tricks[seat] == 0:
                points[seat] += b.no_trick_bonus
        return MOON_OFF
    if kind == 0:
        kind = b.moon
    for seat in range(n):
        takers += tricks[seat] > 0
    if b.sun and takers == 1 and tricks[shooter]:
        moon *= 2
    for seat in range(n):
        points[seat] = bonus_points[seat]
        if kind == MOON_SUBTRACT:
            points[seat] -= moon if seat == shooter else 0
        else:
            points[seat] += 0 if seat == shooter else moon
    if kind != MOON_AUTO:
        return kind
    # "auto": add, unless the match would then end without the shooter among the winners.
    memcpy(after, totals, n * sizeof(int32_t))
    if not settle(b, n, after, points, deal_number):
        return MOON_ADD
    lowest = after[0]
    for seat in range(1, n):
        lowest = min(lowest, after[seat])
    if after[shooter] == lowest:
        return MOON_ADD
    for seat in range(n):
        points[seat] = bonus_points[seat] - (moon if seat == shooter else 0)
    return MOON_SUBTRACT


cdef bint settle(
    const Block *b, int n, int32_t *totals, const int32_t *points, int32_t deal_number
) noexcept nogil:
    """H-END: new totals, floor, exact_reset, end test, tie. Whether the match is over."""
    cdef int seat, i, alone = 0
    cdef int32_t lowest
    cdef bint ends = False
    for seat in range(n):
        totals[seat] += points[seat]
        if b.floored and totals[seat] < 0:
            totals[seat] = 0
        for i in range(b.resets):
            if totals[seat] == b.reset_from[i]:
                totals[seat] = b.reset_to[i]
                break
        if totals[seat] > b.target or (totals[seat] == b.target and not b.exceed):
            ends = True
    if deal_number + 1 >= b.max_hands:
        return True
    if not ends or not b.play_on:
        return ends
    lowest = totals[0]
    for seat in range(1, n):
        lowest = min(lowest, totals[seat])
    for seat in range(n):
        alone += totals[seat] == lowest
    return alone == 1


# ---- moves by code, actions of learners --------------------------------------------------------------------

cdef bint pass_lanes(const Hearts *p, const Block *b, int seat, int64_t code, uint8_t *lanes) noexcept nogil:
    """The lanes of a pass's code, if it is a legal pass of this seat."""
    cdef uint64_t one, two, bit
    cdef int i, kind
    if code >> 8 * b.pass_count != CODE_PASS:
        return False
    pass_pool(p, b, seat, &one, &two)
    for i in range(b.pass_count):
        kind = <int> (code >> 8 * (b.pass_count - 1 - i) & 0xFF)
        if kind >= 52 or (i and LANE[kind] < lanes[i - 1]):
            return False
        lanes[i] = LANE[kind]
        bit = bit_of(lanes[i])
        if one & bit == 0:
            return False
        take_card(&one, &two, bit)
    return True


cdef bint check(const void *pos, const Rules *rules, int seat, int64_t code) noexcept nogil:
    cdef const Hearts *p = <const Hearts *> pos
    cdef const Block *b = <const Block *> rules
    cdef uint8_t lanes[4]
    if p.head.phase == PLAYING:
        return 0 <= code < 52 and legal_cards(p, b, NULL) >> LANE[code] & 1
    if p.head.phase == PASSING:
        return pass_lanes(p, b, seat, code, lanes)
    return p.head.phase == SHOOTING and (code == CODE_ADD or code == CODE_SUBTRACT)


cdef uint32_t apply(void *pos, const Rules *rules, int seat, int64_t code) noexcept nogil:
    cdef Hearts *p = <Hearts *> pos
    cdef const Block *b = <const Block *> rules
    cdef uint8_t lanes[4]
    if p.head.phase == PLAYING:
        return play_card(p, b, LANE[code])
    if p.head.phase == PASSING:
        pass_lanes(p, b, seat, code, lanes)
        return commit_pass(p, b, seat, lanes)
    return choose_moon(p, b, MOON_ADD if code == CODE_ADD else MOON_SUBTRACT)


cdef uint64_t choosable(const Hearts *p, const Block *b) noexcept nogil:
    """The cards that may be picked next for the pass of the seat whose turn it is."""
    cdef uint64_t one, two
    cdef int i
    pass_pool(p, b, p.head.turn, &one, &two)
    for i in range(p.picked):
        take_card(&one, &two, bit_of(p.picks[i]))
    return one


cdef int legal(const void *pos, const Rules *rules, uint64_t *mask) noexcept nogil:
    mask[0] = actions_of(<const Hearts *> pos, <const Block *> rules)
    return hz_popcount(mask[0])


cdef uint32_t pick(Hearts *p, const Block *b, int lane) noexcept nogil:
    """Pick one card for the pass; the last pick commits it."""
    cdef int i = p.picked
    while i and p.picks[i - 1] > lane:      # kept sorted, as codes are
        p.picks[i] = p.picks[i - 1]
        i -= 1
    p.picks[i] = <uint8_t> lane
    p.picked += 1
    if p.picked < b.pass_count:
        return STAGE_OPEN
    p.head.ply += 1
    return commit_pass(p, b, p.head.turn, p.picks)


cdef uint32_t act(void *pos, const Rules *rules, int action) noexcept nogil:
    cdef Hearts *p = <Hearts *> pos
    cdef const Block *b = <const Block *> rules
    if p.head.phase == PASSING:
        return pick(p, b, LANE[action])
    p.head.ply += 1
    if p.head.phase == PLAYING:
        return play_card(p, b, LANE[action])
    return choose_moon(p, b, MOON_ADD if action == CODE_ADD else MOON_SUBTRACT)


cdef const int32_t *totals(const void *pos) noexcept nogil:
    return (<const Hearts *> pos).totals


cdef uint32_t winners(const void *pos, const Rules *rules) noexcept nogil:
    """H-END: the lowest total, alone or shared."""
    return seats_with_least((<const Hearts *> pos).totals, rules.players)


cdef inline void tally(const void *pos, uint32_t flags, int32_t *counts) noexcept nogil:
    """Moons shot."""
    if flags & DID_SCORE:
        counts[0] += (<const Hearts *> pos).kind != MOON_OFF


cdef uint64_t playout(
    void *pos, const Rules *rules, const uint32_t *key, hz_stream *play, int32_t *counts
) noexcept nogil:
    cdef Hearts *p = <Hearts *> pos
    cdef const Block *b = <const Block *> rules
    cdef uint64_t actions = 0, cards
    cdef uint32_t did = 0
    while p.head.turn >= 0:
        if p.head.phase == PLAYING and p.in_trick == 0 and b.decks == 1:
            actions += b.head.players
            # Four players as a constant: the loop is unrolled.
            did = random_trick(p, b, play, 4) if b.head.players == 4 else random_trick(p, b, play, b.head.players)
            if did & DEAL_OVER:
                tally(pos, did, counts)
                if not did & MATCH_OVER:
                    begin_deal(pos, rules, key, NULL)
            continue
        actions += 1
        if p.head.phase == PLAYING:
            cards = legal_cards(p, b, NULL)
            p.head.ply += 1
            did = play_card(p, b, hz_nth_bit(cards, hz_bounded(play, <uint32_t> hz_popcount(cards))))
        elif p.head.phase == PASSING:
            cards = choosable(p, b)
            did = pick(p, b, hz_nth_bit(cards, hz_bounded(play, <uint32_t> hz_popcount(cards))))
        else:
            p.head.ply += 1
            did = choose_moon(p, b, MOON_ADD if hz_bounded(play, 2) == 0 else MOON_SUBTRACT)
        if did & DEAL_OVER:
            tally(pos, did, counts)
            if not did & MATCH_OVER:
                begin_deal(pos, rules, key, NULL)
    return actions


cdef object codes(const void *pos, const Rules *rules, int seat):
    cdef const Hearts *p = <const Hearts *> pos
    cdef const Block *b = <const Block *> rules
    cdef uint64_t one, two
    cdef bytes out
    cdef char *at
    if p.head.phase == PLAYING:
        one = legal_cards(p, b, NULL)
        out = PyBytes_FromStringAndSize(NULL, hz_popcount(one))
        at = PyBytes_AS_STRING(out)
        while one:
            at[0] = <char> KIND[hz_lowest(one)]
            at += 1
            one &= one - 1
        return out
    if p.head.phase == PASSING:
        pass_pool(p, b, seat, &one, &two)
        return combinations(by_index(one), by_index(two), b.pass_count, CODE_PASS)
    return b"45"    # CODE_ADD, CODE_SUBTRACT


OPS.size = sizeof(Hearts)
OPS.deal = deal
OPS.actors = actors
OPS.check = check
OPS.apply = apply
OPS.legal = legal
OPS.act = act
OPS.tally = tally
OPS.playout = playout
OPS.totals = totals
OPS.winners = winners
OPS.codes = codes
