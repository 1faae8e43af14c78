"""Where Python objects meet the rules of Hearts: the constant block of a rules object, scores of captured cards."""

from libc.stdlib cimport calloc
from libc.string cimport memset

from herzen._core cimport Compiled
from herzen.hearts._rules cimport *

_DIRECTIONS = ("left", "right", "across", "hold")


cdef uint64_t _set(indices) except? 0xFFFFFFFFFFFFFFFF:
    cdef uint64_t cards = 0
    for index in indices:
        cards |= bit_of(LANE[index])
    return cards


def compile_rules(rules, points, deck) -> Compiled:
    """The constant block of a HeartsRules object.

    `points`: 52 numbers, the points of each card by index; `deck`: indices of the cards in play, in canonical
    order."""
    cdef Compiled compiled = Compiled.__new__(Compiled)
    cycle = rules.pass_cycle
    resets = sorted(rules.exact_reset.items())
    cdef size_t bytes_of_cycle = 0 if cycle == "random" else max(1, len(cycle))
    cdef size_t where = (sizeof(Block) + 7) // 8 * 8
    cdef char *memory = <char *> calloc(1, where + 8 * len(resets) + bytes_of_cycle)
    if memory == NULL:
        raise MemoryError
    compiled.block = <Rules *> memory
    cdef Block *b = <Block *> memory
    cdef int32_t *table = <int32_t *> (memory + where)
    cdef int8_t *directions = <int8_t *> (memory + where + 8 * len(resets))
    cdef int i
    b.head.ops = &OPS
    b.head.players = rules.players
    b.head.actions = 54
    b.head.low_wins = True
    b.head.deck_size = len(deck)
    for i, card in enumerate(deck):
        b.head.deck[i] = card
        if points[card % 52] > 0:
            b.penalties |= bit_of(LANE[card])
            b.penalty_cards += 1
            if points[card % 52] == 1:
                b.ones |= bit_of(LANE[card])
            b.total += points[card % 52]
        elif points[card % 52] < 0:
            b.bonuses |= bit_of(LANE[card])
            b.bonus_cards += 1
    for i in range(52):
        b.points[LANE[i]] = points[i]
    b.clubs = _set(range(13))
    b.hearts = _set(range(26, 39))
    b.queen = bit_of(LANE[49]) if rules.queen_points else 0     # with 0 points an ordinary spade
    b.breaking = b.hearts | (b.queen if rules.queen_breaks else 0)
    b.kept = _set((49, 50, 51)) if rules.keep_spades else 0
    b.decks = rules.decks
    b.hand_size = len(deck) // rules.players
    b.kitty_size = len(deck) % rules.players
    b.pass_count = rules.pass_count
    if cycle == "random":
        b.directions = 4 if rules.players % 2 == 0 else 3
    else:
        b.directions = max(1, len(cycle))
        directions[0] = HOLD
        for i, direction in enumerate(cycle):
            directions[i] = _DIRECTIONS.index(direction)
        b.cycle = directions
    b.resets = len(resets)
    b.reset_from = table
    b.reset_to = table + len(resets)
    for i, (old, new) in enumerate(resets):
        table[i] = old
        table[len(resets) + i] = new
    b.target = rules.target
    b.max_hands = rules.max_hands or 1000       # without max_hands the guard
    b.no_trick_bonus = rules.no_trick_bonus
    b.lead = ("low_club", "any_club", "dealer_left").index(rules.lead)
    b.stuck = ("hearts_only", "hearts_or_queen", "pass_lead").index(rules.lead_when_stuck)
    b.kitty_to = ("first_trick", "first_points", "last_trick").index(rules.kitty_to)
    b.moon = ("off", "add", "subtract", "auto", "choice").index(rules.moon)
    b.forbid_points = rules.first_trick_points == "forbid"
    b.break_required = rules.break_required
    b.queen_after_hearts = rules.queen_lead == "after_hearts"
    b.moon_needs_bonus = rules.moon_needs_bonus
    b.sun = rules.sun == "double"
    b.exceed = rules.end_test == "exceed"
    b.floored = rules.floor == 0 and rules.floor is not None
    b.play_on = rules.tie == "play_on"
    b.stop_when_decided = rules.stop_when_decided
    b.second_takes = rules.last_cancelled == "second"
    return compiled


def score_piles(compiled, piles, tricks, kind, totals):
    """Score captured cards: (points, shooter or None, kind or None, total of the moon, new totals).

    `piles`: bytes of card indices for each seat; `tricks`: tricks taken by each seat; `kind`: 0, or the
    shooter's decision; `totals`: totals before the hand."""
    cdef Compiled holder = compiled
    cdef Block *b = <Block *> holder.block
    cdef int16_t penalty_points[SEATS]
    cdef int16_t bonus_points[SEATS]
    cdef uint8_t penalties[SEATS]
    cdef uint8_t bonuses[SEATS]
    cdef uint8_t taken[SEATS]
    cdef int32_t before[SEATS]
    cdef int32_t points[SEATS]
    cdef uint8_t lane
    cdef int n = b.head.players, seat, shooter, decided_kind
    memset(penalty_points, 0, sizeof(penalty_points))
    memset(bonus_points, 0, sizeof(bonus_points))
    memset(penalties, 0, sizeof(penalties))
    memset(bonuses, 0, sizeof(bonuses))
    for seat in range(n):
        before[seat] = totals[seat]
        taken[seat] = 1 if tricks[seat] else 0
        for card in piles[seat]:
            lane = LANE[card]
            count_cards(b, &lane, 1, &penalty_points[seat], &bonus_points[seat], &penalties[seat], &bonuses[seat])
    shooter = find_shooter(b, n, penalties, bonuses)
    decided_kind = hand_points(
        b, n, penalty_points, bonus_points, taken, shooter,
        MOON_ADD if kind == 0 and b.moon == MOON_CHOICE else kind, before, 0, points
    )
    result = [points[seat] for seat in range(n)]
    settle(b, n, before, points, 0)
    return (
        result, None if shooter < 0 else shooter, (None, "add", "subtract")[decided_kind], b.total,
        [before[seat] for seat in range(n)]
    )
