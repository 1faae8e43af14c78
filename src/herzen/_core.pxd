# What all games share at C level. It knows cards, seats and numbers, and no word of any one game.
#
# A game's position is one plain struct that begins with Head; its rules are one constant block that begins
# with Rules and points to the game's table of operations, Ops. Positions hold no pointers: memcpy copies one.

from libc.math cimport rint
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

cdef extern from "herzen/_core.h" nogil:
    ctypedef struct hz_stream:
        uint32_t used
        uint32_t words[64]
    int hz_popcount(uint64_t x)
    int hz_lowest(uint64_t x)
    int hz_highest(uint64_t x)
    uint64_t hz_row8(const uint8_t *bytes)
    void hz_put_row8(uint8_t *bytes, uint64_t row)
    int hz_place_in_row8(uint64_t row, uint8_t byte)
    int hz_nth_bit(uint64_t x, uint32_t n)
    uint64_t hz_nth_set(uint64_t x, uint32_t n)
    uint64_t hz_gather(uint64_t x, uint64_t mask)
    uint64_t hz_scatter(uint64_t x, uint64_t mask)
    uint64_t hz_gather_by_bits(uint64_t x, uint64_t mask)
    uint64_t hz_scatter_by_bits(uint64_t x, uint64_t mask)
    int hz_nth_bit_broadword(uint64_t x, uint32_t n)
    void hz_stream_open(hz_stream *s, const uint32_t *key, uint32_t domain, uint64_t index)
    void hz_stream_open_two(
        hz_stream *a, hz_stream *b, const uint32_t *key, uint32_t domain_a, uint32_t domain_b
    )
    uint32_t hz_next(hz_stream *s)
    uint32_t hz_bounded(hz_stream *s, uint32_t n)
    void hz_shuffle(hz_stream *s, uint8_t *cards, int n)
    void hz_child(const uint32_t *key, uint64_t index, uint32_t *out)
    void hz_children(const uint32_t *key, uint64_t index, uint32_t (*out)[8])
    uint64_t hz_stream_tell(const hz_stream *s)
    void hz_stream_seek(hz_stream *s, uint64_t word)
    void hz_spread(const uint64_t *words, int n, uint8_t *out)
    void hz_spread_pack(uint64_t lanes, uint8_t *out)
    void hz_fill(uint8_t *out, int n, uint64_t word)
    void hz_prefetch(const void *p)

cdef enum:
    MAX_DECK = 128
    MAX_SEATS = 16
    MAX_COUNTS = 4

    # Domains of the streams (docs/seeds.rst).
    DOMAIN_DEAL = 0
    DOMAIN_CHILD = 1
    DOMAIN_PLAY = 2
    DOMAIN_BOT = 3
    DOMAIN_CHANCE = 4
    DOMAIN_SAMPLE = 5

    # What a move brought about. The low byte is common to all games; a game's own bits stand for one event each.
    DEAL_OVER = 1
    MATCH_OVER = 2
    STAGE_OPEN = 4      # a simultaneous stage goes on: nobody's decision was opened by this move
    GAME_FLAGS = 8      # the first bit (not its number) above the common ones is 1 << GAME_FLAGS

ctypedef struct Head:
    uint32_t ply            # moves since the match began
    int32_t deal_number     # from 0
    int8_t players
    int8_t dealer
    int8_t phase            # the game's own numbers
    int8_t turn             # the lowest seat that may act, -1 when the match is over

ctypedef struct Rules:
    const Ops *ops
    int32_t players
    int32_t actions         # the learners' action space is range(actions)
    int32_t deck_size
    int32_t observation     # bytes of an observation, 0 until the game's module `_many` has prepared the rules
    int32_t score_unit      # the total that an observation shows as 100
    bint low_wins           # the lowest total wins, else the highest
    uint8_t deck[MAX_DECK]  # canonical order, removed cards left out

ctypedef struct Ops:
    size_t size             # bytes of a position
    # Deal into a position whose totals, dealer and deal number are set. Flags of what happened by itself.
    uint32_t (*deal)(void *pos, const Rules *rules, const uint32_t *key, const uint8_t *deck) noexcept nogil
    # The seats that may act now, as a bit mask.
    uint32_t (*actors)(const void *pos, const Rules *rules) noexcept nogil
    # Is the whole move of this code legal for a seat that may act?
    bint (*check)(const void *pos, const Rules *rules, int seat, int64_t code) noexcept nogil
    # Play a legal whole move. Flags of what it brought about; the next deal is the caller's to start.
    uint32_t (*apply)(void *pos, const Rules *rules, int seat, int64_t code) noexcept nogil
    # The learners' actions of the seat whose turn it is: sets the bits of the mask, returns their number.
    int (*legal)(const void *pos, const Rules *rules, uint64_t *mask) noexcept nogil
    # Play a legal action (a pick, or what completes a whole move). Flags as apply.
    uint32_t (*act)(void *pos, const Rules *rules, int action) noexcept nogil
    # Add to `counts` what a move with these flags brought about of what the game counts (its class's COUNTS).
    void (*tally)(const void *pos, uint32_t flags, int32_t *counts) noexcept nogil
    # Play the match to its end by uniformly random actions; returns the number of actions. Tallies every move.
    uint64_t (*playout)(
        void *pos, const Rules *rules, const uint32_t *key, hz_stream *play, int32_t *counts
    ) noexcept nogil
    # Totals of finished deals, by seat.
    const int32_t *(*totals)(const void *pos) noexcept nogil
    # The winners of a match that is over, as a bit mask.
    uint32_t (*winners)(const void *pos, const Rules *rules) noexcept nogil
    # The codes of the legal whole moves of a seat that may act, ascending.
    object (*codes)(const void *pos, const Rules *rules, int seat)

    # For batches: filled in when the game's module `_many` is imported. Positions are an array of n structs.
    # As `legal`, for each position: rows of mask_words(rules) words.
    void (*legal_many)(const void *pos, const Rules *rules, Py_ssize_t n, uint64_t *masks) noexcept nogil
    # Play the legal action of each position (none where the match is over), deal on with its key (eight words each)
    # where a deal is over, and renew its row of masks and its turn. ends: DEAL_OVER | MATCH_OVER as it happened.
    void (*step_many)(
        void *pos, const Rules *rules, Py_ssize_t n, const int32_t *actions, const uint32_t *keys, uint64_t *masks,
        int8_t *turns, uint8_t *ends
    ) noexcept nogil
    # Write what a seat may know and what matters for play: rules.observation bytes.
    void (*observe)(const void *pos, const Rules *rules, int seat, int8_t *out) noexcept nogil
    # Forget a whole move of which only some actions have been played.
    void (*drop_picks)(void *pos) noexcept nogil

    # For bots: filled in when the game's module `_policy` is imported.
    # The action that the game's rule player takes for the seat whose turn it is. It reads what that seat may know.
    int (*rule_action)(const void *pos, const Rules *rules, hz_stream *chance) noexcept nogil
    # The code of the whole move that it makes for any seat that may act.
    int64_t (*rule_move)(const void *pos, const Rules *rules, int seat, hz_stream *chance) noexcept nogil
    # Play by the rule player until the deal is over and scored; the flags of the last move.
    uint32_t (*rule_playout)(void *pos, const Rules *rules, hz_stream *chance) noexcept nogil
    # How much it likes a whole move with cards given away, for a shortlist where there are many; larger is better.
    int32_t (*weigh)(const void *pos, const Rules *rules, int seat, int64_t code) noexcept nogil

cdef inline int mask_words(const Rules *rules) noexcept nogil:
    """Words of a mask of actions."""
    return (rules.actions + 63) >> 6

cdef inline int relative(int who, int seat, int n) noexcept nogil:
    """A seat as seen from another one: 0 is that seat itself, 1 its left neighbour."""
    return who - seat if who >= seat else who - seat + n

cdef inline int seat_from(int seat, int place, int n) noexcept nogil:
    """The seat so many places, fewer than n, to the left of one."""
    return seat + place if seat + place < n else seat + place - n

cdef inline int left_of(int seat, int n) noexcept nogil:
    """The next seat in turn; a comparison is cheaper than a division."""
    return seat + 1 if seat + 1 < n else 0

cdef inline void prepare_shown(Rules *rules, int observation, int score_unit) noexcept:
    """Note what observations need. The first batch does it; later ones write nothing, as others may be reading."""
    if rules.observation == 0:
        rules.score_unit = score_unit
        rules.observation = observation

cdef inline int8_t clipped(int64_t number) noexcept nogil:
    """A number as observations show it."""
    return <int8_t> max(-127, min(127, number))

cdef inline int8_t shown_score(int32_t total, const Rules *rules) noexcept nogil:
    """round(100 * total / score_unit) as Python rounds, clipped."""
    return clipped(<int64_t> rint(100.0 * total / rules.score_unit))

cdef inline void found_match(void *pos, const Rules *rules, int dealer) noexcept nogil:
    """Make a match in zeroed memory, before its first deal; a negative dealer: the last seat deals it."""
    cdef Head *head = <Head *> pos
    head.players = <int8_t> rules.players
    head.deal_number = -1
    if dealer < 0:
        dealer = rules.players - 1
    head.dealer = <int8_t> (dealer - 1 if dealer else rules.players - 1)

cdef inline void move_deal_on(Head *head, const Rules *rules) noexcept nogil:
    head.deal_number += 1
    head.dealer = <int8_t> ((head.dealer + 1) % rules.players)

cdef inline void shuffle_deck(const Rules *rules, hz_stream *stream, uint8_t *deck) noexcept nogil:
    """The cards in play, shuffled by a deal's stream."""
    memcpy(deck, rules.deck, rules.deck_size)
    hz_shuffle(stream, deck, rules.deck_size)

cdef inline uint32_t begin_deal(
    void *pos, const Rules *rules, const uint32_t *key, const uint8_t *explicit_deck
) noexcept nogil:
    """Move the deal on and deal the next one from the seed, or from an explicit deck."""
    cdef hz_stream stream
    if explicit_deck == NULL:
        hz_stream_open(&stream, key, DOMAIN_DEAL, <uint64_t> ((<Head *> pos).deal_number + 1))
        return begin_shuffled(pos, rules, key, &stream)
    move_deal_on(<Head *> pos, rules)
    return rules.ops.deal(pos, rules, key, explicit_deck)

cdef inline uint32_t begin_shuffled(
    void *pos, const Rules *rules, const uint32_t *key, hz_stream *stream
) noexcept nogil:
    """The same from the deal's stream, just opened."""
    cdef uint8_t deck[MAX_DECK]
    move_deal_on(<Head *> pos, rules)
    shuffle_deck(rules, stream, deck)
    return rules.ops.deal(pos, rules, key, deck)


# ---- scoring and trick kernels ---------------------------------------------------------------------------
# Cards in tricks are lanes: suit * 16 + rank, so that a card's suit is lane >> 4 and one 64-bit set holds a pack.

cdef inline int highest_of_suit_led(uint64_t row, uint64_t cards) noexcept nogil:
    """Place (0 = led) of the card that wins a trick of at most 8 cards from one pack.

    row: the cards in the order played, a byte each, the first one lowest; cards: the same as a set. Without a branch,
    since nobody can predict who wins."""
    return hz_place_in_row8(row, <uint8_t> hz_highest(cards & (<uint64_t> 0xFFFF) << (row & 0x30)))

cdef inline int highest_uncancelled(const uint8_t *lanes, int n, int *later_of_pair) noexcept nogil:
    """Place of the winning card where two identical cards cancel each other, -1 if all of the suit led cancel.

    later_of_pair gets the place of the later copy of the highest cancelled pair of the suit led, or -1."""
    cdef uint64_t once = 0, twice = 0, bit, suit = (<uint64_t> 0xFFFF) << (lanes[0] & 0x30)
    cdef int i
    for i in range(n):
        bit = (<uint64_t> 1) << lanes[i]
        twice |= once & bit
        once |= bit
    later_of_pair[0] = highest_cancelled(lanes, n, twice & suit)
    return place_of_highest(lanes, n, once & ~twice & suit)

cdef inline int place_of_highest(const uint8_t *lanes, int n, uint64_t cards) noexcept nogil:
    """Place of the highest of these cards, each of which was played once; -1 if there are none."""
    cdef int i, best
    if cards == 0:
        return -1
    best = hz_highest(cards)
    i = 0
    while lanes[i] != best:
        i += 1
    return i

cdef inline int highest_cancelled(const uint8_t *lanes, int n, uint64_t cards) noexcept nogil:
    """Place of the later of the two highest of these cards, each of which was played twice; -1 if there are none."""
    cdef int i = n - 1, best
    if cards == 0:
        return -1
    best = hz_highest(cards)
    while lanes[i] != best:
        i -= 1
    return i

cdef inline uint32_t majority(const int32_t *counts, int n, bint tied_keep, bint need_one) noexcept nogil:
    """The seats (bit mask) that hold a majority: the most of something, ties and zeros as told."""
    cdef int32_t most = 0
    cdef uint32_t seats = 0
    cdef int i
    for i in range(n):
        if counts[i] > most:
            most = counts[i]
    if most == 0 and need_one:
        return 0
    for i in range(n):
        if counts[i] == most:
            seats |= (<uint32_t> 1) << i
    if not tied_keep and hz_popcount(seats) > 1:
        return 0
    return seats

cdef inline uint32_t seats_with(const int32_t *totals, int n, int32_t total) noexcept nogil:
    """The seats (bit mask) that have this total."""
    cdef uint32_t seats = 0
    cdef int i
    for i in range(n):
        if totals[i] == total:
            seats |= <uint32_t> 1 << i
    return seats

cdef inline uint32_t seats_with_most(const int32_t *totals, int n) noexcept nogil:
    """The seats (bit mask) with the highest total."""
    cdef int32_t most = totals[0]
    cdef int i
    for i in range(1, n):
        most = max(most, totals[i])
    return seats_with(totals, n, most)

cdef inline uint32_t seats_with_least(const int32_t *totals, int n) noexcept nogil:
    """The seats (bit mask) with the lowest total."""
    cdef int32_t least = totals[0]
    cdef int i
    for i in range(1, n):
        least = min(least, totals[i])
    return seats_with(totals, n, least)

cdef inline int run_points(int cards, bint joker, int full, int full_bonus, int natural_bonus) noexcept nogil:
    """Points of a run: one for each card but the joker, and a bonus where it is full."""
    cdef int points = cards - (1 if joker else 0)
    if cards == full:
        points += full_bonus if joker else natural_bonus
    return points

# ---- bytes of a position, for its fingerprint --------------------------------------------------------------

cdef inline uint8_t *put_head(uint8_t *at, const Head *head) noexcept nogil:
    """Write what the bytes of all games begin with; where the next byte goes."""
    at[0] = <uint8_t> head.players
    at[1] = <uint8_t> head.phase
    at[2] = <uint8_t> head.turn
    at[3] = <uint8_t> head.dealer
    return at + 4

cdef inline uint8_t *put_number(uint8_t *at, uint32_t number) noexcept nogil:
    """Write a number in four bytes, the lowest first; where the next byte goes."""
    at[0] = <uint8_t> number
    at[1] = <uint8_t> (number >> 8)
    at[2] = <uint8_t> (number >> 16)
    at[3] = <uint8_t> (number >> 24)
    return at + 4

cdef inline uint8_t *put_pile(uint8_t *at, const uint8_t *cards, int n) noexcept nogil:
    """Write a number of cards and the cards; where the next byte goes."""
    at[0] = <uint8_t> n
    memcpy(at + 1, cards, n)
    return at + 1 + n

cdef inline void sort_pile(uint8_t *pile) noexcept nogil:
    """Sort the cards of a pile that was written."""
    cdef int i, j
    cdef uint8_t card
    for i in range(2, pile[0] + 1):
        card = pile[i]
        j = i
        while j > 1 and pile[j - 1] > card:
            pile[j] = pile[j - 1]
            j -= 1
        pile[j] = card


# ---- Python-level state ----------------------------------------------------------------------------------

cdef class Compiled:
    """The constant block of one rules object. Shared by every position played under it."""
    cdef Rules *block

cdef class Position:
    """One position and the rules it is played under."""
    cdef void *pos
    cdef const Rules *block
    cdef Compiled compiled          # owns the block
    cdef readonly object rules
    cdef void *_make(self, object rules) except NULL
    cdef Position _snapshot(self)

ctypedef struct Entry:
    int64_t code
    uint32_t version
    int8_t seat

cdef class History:
    """Moves as compact entries; shared by copies, which fork it when they play on differently."""
    cdef Entry *entries
    cdef Py_ssize_t used
    cdef Py_ssize_t room
    cdef History _fork(self, Py_ssize_t keep)
    cdef int _push(self, int64_t code, uint32_t version, int seat) except -1

cdef class Deal:
    """Where a deal began: what undo and the log start from."""
    cdef readonly Position start
    cdef readonly Position last     # the final position of the deal before, or None
    cdef readonly Deal before
    cdef readonly Py_ssize_t moves  # played before this deal
    cdef readonly Py_ssize_t events
    cdef readonly uint32_t version
    cdef readonly uint32_t flags    # what dealing brought about

cdef class State(Position):
    cdef uint32_t key[8]
    cdef readonly bint has_seed
    cdef readonly tuple decks       # explicit decks (bytes of card indices, None = the seed's), from first_deck on
    cdef readonly Py_ssize_t first_deck
    cdef readonly tuple _names
    cdef public bytes _frame        # what all fingerprints of the match begin with, None until one is asked for
    cdef History _history
    cdef Py_ssize_t _moves
    cdef readonly Deal _deal
    cdef readonly Position _last
    cdef readonly Py_ssize_t _events
    cdef readonly uint32_t version
    cdef uint32_t opened[MAX_SEATS]
    cdef public object _log         # the game's cache of this deal's events
    cdef bytes _explicit(self, Py_ssize_t number)
    cdef uint32_t _deal_next(self) except? 0xFFFFFFFF
    cdef uint32_t _advance(self, int seat, int64_t code, uint32_t *dealt) except? 0xFFFFFFFF
    cdef int _anchor(self, uint32_t flags, Py_ssize_t events) except -1
    cdef int _replay_to(self, Deal deal, Py_ssize_t moves) except -1
    cdef void _open(self) noexcept
    cdef bint _may(self, int seat, int64_t code) noexcept

cdef uint32_t read_key(object seed, uint32_t *key) except 0
cdef int set_head(Head *head, const Rules *rules, dict zones) except -1
