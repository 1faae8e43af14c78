# The rules of Hearts on one plain struct. Numbers such as H-LEAD-3 are those of docs/rules/hearts.rst.
#
# Cards are lanes, suit * 16 + rank with suits clubs, diamonds, hearts, spades and rank 0 = two: the order of the
# lanes is the canonical order of the cards. A set of cards is a pair of 64-bit sets, `one` (kinds held at least
# once) and `two` (kinds held twice); which copy of a kind a card is, the position does not know.

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

from herzen._core cimport Head, Ops, Position, Rules, hz_stream

cdef enum:
    SEATS = 11
    CARDS = 104
    TRICKS = 20             # 104 cards, at least 5 seats; 52 cards, at least 3 seats
    NOBODY = 15
    NO_CARD = 255

    PASSING = 0             # phases
    PLAYING = 1
    SHOOTING = 2            # the shooter of the moon decides
    FINISHED = 3

    LEFT = 0                # directions, in the order of pass_cycle="random"
    RIGHT = 1
    ACROSS = 2
    HOLD = 3

    LOW_CLUB = 0            # lead
    ANY_CLUB = 1
    DEALER_LEFT = 2
    HEARTS_ONLY = 0         # lead_when_stuck
    HEARTS_OR_QUEEN = 1
    PASS_LEAD = 2
    TO_FIRST_TRICK = 0      # kitty_to
    TO_FIRST_POINTS = 1
    TO_LAST_TRICK = 2
    MOON_OFF = 0            # moon; the shooter's decision is one of ADD, SUBTRACT
    MOON_ADD = 1
    MOON_SUBTRACT = 2
    MOON_AUTO = 3
    MOON_CHOICE = 4

    CODE_ADD = 52           # codes of moves: 0..51 a card, then the moon; a pass is the bytes (54, cards...)
    CODE_SUBTRACT = 53
    CODE_PASS = 54

    # What a move brought about, one event each
    DID_PASS = 1 << 8
    DID_EXCHANGE = 1 << 9
    DID_PLAY = 1 << 10
    DID_TRICK = 1 << 11
    DID_KITTY = 1 << 12     # the kitty was captured
    DID_SHOW_KITTY = 1 << 13
    DID_LEAD_PASSED = 1 << 14
    DID_CHOOSE = 1 << 15
    DID_SCORE = 1 << 16
    DID_DEAL = 1 << 17

    # Why a card may not be played: places in the table that legal_cards fills
    WHY_FOLLOW = 0
    WHY_LOW_CLUB = 1
    WHY_CLUB = 2
    WHY_FIRST_TRICK = 3
    WHY_HEARTS = 4
    WHY_QUEEN = 5
    WHY_OPENING = 6
    WHYS = 7

ctypedef struct Block:
    Rules head
    uint64_t hearts, queen, clubs, penalties, bonuses, breaking
    uint64_t ones                   # penalty cards of one point
    uint64_t kept                   # A, K, Q of spades under keep_spades, else none
    int16_t points[64]              # by lane
    int32_t total                   # T: all penalty points in play
    int32_t penalty_cards, bonus_cards
    int32_t hand_size, kitty_size, pass_count, directions
    const int8_t *cycle             # directions of the deals in turn; NULL: at random
    int32_t resets
    const int32_t *reset_from       # ascending
    const int32_t *reset_to
    int32_t target, max_hands, no_trick_bonus
    int8_t decks, lead, stuck, kitty_to, moon
    bint forbid_points, break_required, queen_after_hearts
    bint moon_needs_bonus, sun, exceed, floored, play_on, stop_when_decided, second_takes

ctypedef struct Hearts:
    # In whole cache lines: first what every move reads, then what the end of a trick does, then what few moves need.
    Head head
    uint16_t committed
    uint8_t logged, base, tricks, in_trick, picked
    uint8_t picks[4]
    int8_t leader, direction, kitty_taker, shooter, kind, lead_passed
    uint8_t broken, exchanged, kitty_shown
    uint8_t log[CARDS]              # the base cards by seat, then those played; 8 bytes from any place can be read
    uint64_t one[SEATS]
    uint64_t two[SEATS]
    int16_t penalty_points[SEATS]   # of publicly captured cards
    int16_t bonus_points[SEATS]
    uint8_t penalty_count[SEATS]
    uint8_t bonus_count[SEATS]
    uint8_t tricks_won[SEATS]       # tricks that were held over count for their taker
    uint8_t held_penalties, held_bonuses, held_tricks
    int16_t held_penalty_points
    int16_t held_bonus_points
    uint8_t leaders[TRICKS]         # of the completed tricks: leader | winner << 4, NOBODY = held over
    int32_t totals[SEATS]
    uint8_t base_count[SEATS + 1]   # cards captured before the log begins (a set-up), and held over
    uint8_t passed[SEATS][4]        # committed passes of this deal, lanes, NO_CARD = none
    uint8_t kitty[10]
    uint8_t padding[44]

cdef Ops OPS
cdef uint8_t LANE[104]      # of a card by its index, either copy
cdef uint8_t KIND[64]       # index of a lane

cdef inline void copy_position(Hearts *to, const Hearts *p) noexcept nogil:
    """Copy a position, a cache line at a time: compilers make a slow string instruction of one large copy."""
    cdef size_t at = 0
    while at < sizeof(Hearts):
        memcpy(<char *> to + at, <const char *> p + at, 64)
        at += 64

cdef inline uint64_t bit_of(int lane) noexcept nogil:
    return <uint64_t> 1 << lane

cdef inline uint64_t suit_of(int lane) noexcept nogil:
    """All lanes of the suit of a card."""
    return <uint64_t> 0xFFFF << (lane & 0x30)

cdef inline uint64_t by_index(uint64_t lanes) noexcept nogil:
    """A set of lanes as a set of card indices."""
    return (lanes & 0x1FFF | (lanes >> 16 & 0x1FFF) << 13 | (lanes >> 32 & 0x1FFF) << 26
            | (lanes >> 48 & 0x1FFF) << 39)

cdef inline void add_card(uint64_t *one, uint64_t *two, uint64_t bit) noexcept nogil:
    two[0] |= one[0] & bit
    one[0] |= bit

cdef inline void take_card(uint64_t *one, uint64_t *two, uint64_t bit) noexcept nogil:
    if two[0] & bit:
        two[0] ^= bit
    else:
        one[0] ^= bit

cdef inline void sets_of(const uint8_t *lanes, int n, uint64_t *one, uint64_t *two) noexcept nogil:
    """The two sets of a row of cards."""
    cdef int i
    one[0] = two[0] = 0
    for i in range(n):
        add_card(one, two, bit_of(lanes[i]))

cdef inline bint opening_trick(const Hearts *p) noexcept nogil:
    """Trick 1 of the hand: nothing has been captured or held over."""
    return p.tricks == 0 and p.base == 0

cdef inline uint64_t lead_set(const Hearts *p, const Block *b, uint64_t hand, uint64_t *why) noexcept nogil:
    """What a leader may lead (H-LEAD-*). `why`, if not NULL, gets the cards that each rule takes away."""
    cdef uint64_t legal = hand, rest
    if b.break_required and not p.broken:
        legal = hand & ~b.hearts
        if legal == 0:                      # only hearts: all may be led
            legal = hand
    if b.stuck == HEARTS_OR_QUEEN and not p.broken and hand & ~(b.hearts | b.queen) == 0:
        legal = hand
    if why != NULL:
        why[WHY_HEARTS] = hand & ~legal
    if b.queen_after_hearts and not p.broken:
        rest = legal & ~b.queen
        if rest:
            if why != NULL:
                why[WHY_QUEEN] = legal & ~rest
            legal = rest
    if b.decks == 2 and b.lead == DEALER_LEFT and opening_trick(p):
        rest = legal & ~b.penalties
        if rest:
            if why != NULL:
                why[WHY_OPENING] = legal & ~rest
            legal = rest
    return legal

cdef inline uint64_t legal_cards(const Hearts *p, const Block *b, uint64_t *why) noexcept nogil:
    """The cards that the seat to play may play. `why`, if not NULL, gets the cards that each rule takes away."""
    cdef uint64_t hand = p.one[p.head.turn]
    if p.in_trick == 0:
        return may_lead(p, b, hand, why)
    return may_follow(b, hand, p.log[p.logged - p.in_trick], opening_trick(p), why)

cdef inline uint64_t may_lead(const Hearts *p, const Block *b, uint64_t hand, uint64_t *why) noexcept nogil:
    """What may be led from this hand: the opening lead (H-LEAD-*), or any later one."""
    cdef uint64_t legal
    if b.lead != DEALER_LEFT and opening_trick(p):
        legal = hand & b.clubs
        if b.lead == LOW_CLUB:
            legal &= 0 - legal
        if why != NULL:
            why[WHY_LOW_CLUB if b.lead == LOW_CLUB else WHY_CLUB] = hand & ~legal
        return legal
    return lead_set(p, b, hand, why)

cdef inline uint64_t may_follow(
    const Block *b, uint64_t hand, int led, bint opening, uint64_t *why
) noexcept nogil:
    """What may be played from this hand to a trick of the suit led; `opening`: to trick 1."""
    cdef uint64_t legal = hand & suit_of(led), held_back
    if why != NULL and legal:
        why[WHY_FOLLOW] = hand & ~legal
    if opening and b.forbid_points and legal == 0:
        held_back = hand & (b.hearts | b.queen)
        if held_back != hand:
            if why != NULL:
                why[WHY_FIRST_TRICK] = held_back
            return hand ^ held_back
    # Where the suit is held, its cards, else all; without a branch, since nobody can predict which.
    return legal | hand & (0 - <uint64_t> (legal == 0))

cdef uint32_t close_trick(
    Hearts *p, const Block *b, uint64_t row, uint64_t one, uint64_t two, bint last
) noexcept nogil
cdef void count_cards(
    const Block *b, const uint8_t *lanes, int n, int16_t *penalty_points, int16_t *bonus_points,
    uint8_t *penalties, uint8_t *bonuses
) noexcept nogil
cdef int hand_points(
    const Block *b, int n, const int16_t *penalty_points, const int16_t *bonus_points, const uint8_t *tricks,
    int shooter, int kind, const int32_t *totals, int32_t deal_number, int32_t *points
) noexcept nogil
cdef bint settle(
    const Block *b, int n, int32_t *totals, const int32_t *points, int32_t deal_number
) noexcept nogil
cdef int find_shooter(const Block *b, int n, const uint8_t *penalties, const uint8_t *bonuses) noexcept nogil
cdef int receiver(const Hearts *p, int seat) noexcept nogil
cdef void pass_pool(const Hearts *p, const Block *b, int seat, uint64_t *one, uint64_t *two) noexcept nogil
cdef uint32_t play_card(Hearts *p, const Block *b, int lane) noexcept nogil
cdef uint32_t end_whole_trick(Hearts *p, const Block *b, int n, uint64_t row, uint64_t trick) noexcept nogil
cdef uint32_t commit_pass(Hearts *p, const Block *b, int seat, const uint8_t *lanes) noexcept nogil
cdef uint32_t choose_moon(Hearts *p, const Block *b, int kind) noexcept nogil
cdef uint64_t choosable(const Hearts *p, const Block *b) noexcept nogil

cdef inline uint64_t actions_of(const Hearts *p, const Block *b) noexcept nogil:
    """The learners' actions of the seat whose turn it is, as a set."""
    if p.head.phase == PLAYING:
        return by_index(legal_cards(p, b, NULL))
    if p.head.phase == PASSING:
        return by_index(choosable(p, b))
    if p.head.phase == SHOOTING:
        return bit_of(CODE_ADD) | bit_of(CODE_SUBTRACT)
    return 0

cdef uint32_t pick(Hearts *p, const Block *b, int lane) noexcept nogil
