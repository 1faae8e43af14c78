"""Uniformly random worlds of a view of Hearts, drawn from tables of exact counts (knowledge.py, herzen/counting.py)."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc
from libc.string cimport memcpy, memmove, memset

from herzen._core cimport State, hz_bounded, hz_lowest, hz_nth_bit, hz_popcount, hz_stream
from herzen._counting cimport LAST, Node, draw_choice
from herzen.hearts._rules cimport (
    CARDS, LANE, NO_CARD, PASSING, SEATS, SHOOTING, Block, Hearts, add_card, bit_of, copy_position, count_cards,
    find_shooter, pass_pool, receiver, take_card,
)

from herzen.hearts.knowledge import Knowledge
from herzen.hearts.seen import contradiction
from herzen.registry import game_class


# ---- drawing -----------------------------------------------------------------------------------------------

cdef inline void take_some(uint8_t *cards, int left, int number, uint8_t *to, hz_stream *chance) noexcept nogil:
    """Move so many of the cards, drawn at random; the others stay in front."""
    cdef int i
    cdef uint32_t j
    if number == left:
        memcpy(to, cards, number)
        return
    for i in range(number):
        j = hz_bounded(chance, <uint32_t> left)
        left -= 1
        to[i] = cards[j]
        cards[j] = cards[left]


cdef void place_world(const void *known, hz_stream *chance, void *pos) noexcept nogil:
    """Write a uniformly random world to a position."""
    cdef const Known *k = <const Known *> known
    cdef Hearts *p = <Hearts *> pos
    cdef const Plan *plan = k.plans
    cdef const Node *node
    cdef uint8_t cards[CARDS]
    cdef uint8_t left[CARDS]            # of each class
    cdef uint8_t dealt[PLACES][CARDS]
    cdef uint8_t have[PLACES]           # by group
    cdef uint8_t hand[CARDS]
    cdef uint32_t at, choice
    cdef int i, j, group, place, number
    copy_position(p, &k.at)
    plan += draw_choice(&k.nodes[k.start], k.words, chance)
    memcpy(cards, plan.cards, plan.first_card[plan.kinds])
    for i in range(plan.kinds):
        left[i] = plan.first_card[i + 1] - plan.first_card[i]
    for i in range(plan.groups):
        have[i] = 0
    at = plan.root
    while at != LAST:
        node = &k.nodes[at]
        choice = draw_choice(node, k.words, chance)
        number = <int> (node.lowest + choice)
        take_some(
            &cards[plan.first_card[node.kind]], left[node.kind], number, &dealt[node.group][have[node.group]], chance
        )
        left[node.kind] -= <uint8_t> number
        have[node.group] += <uint8_t> number
        at = k.children[node.children + choice]
    for group in range(plan.groups):
        number = have[group]
        for i in range(plan.first_place[group], plan.first_place[group + 1]):
            place = plan.places[i]
            take_some(dealt[group], number, k.room[place], hand, chance)
            number -= k.room[place]
            if place < SEATS:
                if k.block.decks == 1:
                    for j in range(k.room[place]):
                        p.one[place] |= bit_of(hand[j])
                else:
                    for j in range(k.room[place]):
                        add_card(&p.one[place], &p.two[place], bit_of(hand[j]))
            elif place == KITTY:
                memcpy(p.kitty, hand, k.room[KITTY])
            else:
                pile_up(k, plan, hand, p)
    if k.passes:
        choose_passes(k, plan, chance, p)


cdef void choose_passes(const Known *k, const Plan *plan, hz_stream *chance, Hearts *p) noexcept nogil:
    """The passes that the view does not tell: any that may have led to these hands."""
    cdef const Block *b = k.block
    cdef uint64_t one, two, kept_one, kept_two, bit, picked_one, picked_two
    cdef int giver, to, i
    cdef uint32_t givers = k.passes
    while givers:
        giver = hz_lowest(givers)
        givers &= givers - 1
        picked_one = picked_two = 0
        i = 0
        if p.head.phase == PASSING:
            pass_pool(p, b, giver, &one, &two)
        else:
            # Any cards that the receiver has had since, but those that keep_spades forbids.
            to = receiver(p, giver)
            one = k.played_one[to]
            two = k.played_two[to]
            two |= p.two[to] | one & p.one[to]
            one |= p.one[to]
            while i < b.pass_count and plan.kept[giver][i] != NO_CARD:
                bit = bit_of(plan.kept[giver][i])
                take_card(&one, &two, bit)
                add_card(&picked_one, &picked_two, bit)
                i += 1
            kept_one = one & ~b.kept
            kept_two = two & ~b.kept
            if hz_popcount(kept_one) + hz_popcount(kept_two) >= b.pass_count - i:
                one = kept_one
                two = kept_two
        while i < b.pass_count:
            bit = any_card(one, two, chance)
            take_card(&one, &two, bit)
            add_card(&picked_one, &picked_two, bit)
            i += 1
        write_lanes(picked_one, picked_two, p.passed[giver])


cdef inline uint64_t any_card(uint64_t one, uint64_t two, hz_stream *chance) noexcept nogil:
    """One of these cards at random."""
    cdef uint32_t single = <uint32_t> hz_popcount(one)
    cdef uint32_t place = hz_bounded(chance, single + <uint32_t> hz_popcount(two))
    return bit_of(hz_nth_bit(one, place) if place < single else hz_nth_bit(two, place - single))


cdef inline void write_lanes(uint64_t one, uint64_t two, uint8_t *lanes) noexcept nogil:
    """The cards of a set in order."""
    cdef int i = 0
    cdef uint64_t bit
    while one:
        bit = one & (0 - one)
        lanes[i] = <uint8_t> hz_lowest(bit)
        i += 1
        if two & bit:
            lanes[i] = <uint8_t> hz_lowest(bit)
            i += 1
        one ^= bit


cdef void pile_up(const Known *k, const Plan *plan, uint8_t *cards, Hearts *p) noexcept nogil:
    """Cards captured before a set-up: those that count where the points say, the others one pile after the other."""
    cdef const Block *b = k.block
    cdef int n = b.head.players, i, j, pile, held = 0, worth, plain = 0, at = 0
    cdef uint8_t owner[CARDS]
    cdef uint8_t used[CARDS]
    for i in range(plan.slots):
        used[i] = 0
        held += plan.slot_pile[i] == n
    held = (n - held % n) % n           # cards that fill up the tricks held over
    for i in range(k.gone):
        worth = b.points[cards[i]]
        if worth == 0:
            if held:
                owner[i] = <uint8_t> n
                held -= 1
            else:
                owner[i] = <uint8_t> (plain // n % n)
                plain += 1
            continue
        j = 0
        while used[j] or plan.slot_points[j] != worth:
            j += 1
        used[j] = 1
        owner[i] = plan.slot_pile[j]
    for pile in range(n + 1):
        j = at
        for i in range(k.gone):
            if owner[i] == pile:
                p.log[at] = cards[i]
                at += 1
        if pile < n:
            p.base_count[pile] = <uint8_t> (at - j)
            p.tricks_won[pile] += <uint8_t> ((at - j) // n)
            count_cards(
                b, &p.log[j], at - j, &p.penalty_points[pile], &p.bonus_points[pile], &p.penalty_count[pile],
                &p.bonus_count[pile]
            )
        else:
            p.base_count[SEATS] = <uint8_t> (at - j)
            p.held_tricks += <uint8_t> ((at - j) // n)
            count_cards(
                b, &p.log[j], at - j, &p.held_penalty_points, &p.held_bonus_points, &p.held_penalties,
                &p.held_bonuses
            )
    if p.head.phase >= SHOOTING:
        p.shooter = <signed char> find_shooter(b, n, p.penalty_count, p.bonus_count)


# ---- compiling the view ------------------------------------------------------------------------------------

cdef class Worlds(common.Worlds):
    """The worlds of one view of Hearts. SetupError if it contradicts itself."""

    def __init__(self, view):
        cdef State empty
        kind = game_class("hearts")
        empty = kind.__new__(kind)
        empty._found(view.rules, 0, 0, (), None)
        knowledge = Knowledge(view, empty)
        _write_known(self, knowledge, empty)

    def _check(self, game):
        common.Worlds._check(self, game)
        if (<Hearts *> (<State> game).pos).head.phase == SHOOTING:
            turn = self.view.turn
            if (<Hearts *> (<State> game).pos).shooter != turn or self.view.rules.moon != "choice":
                raise contradiction(f"seat {turn} has not shot the moon")


cdef int _write_known(Worlds worlds, object knowledge, State position) except -1:
    """Fill the struct from what the view tells."""
    cdef list piles = knowledge.piles
    cdef size_t plans = (sizeof(Known) + 15) // 16 * 16
    cdef char *memory = <char *> calloc(1, plans + len(piles) * sizeof(Plan))
    if memory == NULL:
        raise MemoryError
    worlds.known = memory
    worlds.place = place_world
    cdef Known *k = <Known *> memory
    k.plans = <Plan *> (memory + plans)
    worlds.graph = knowledge.graph
    k.start = worlds.graph.choice([pile.plan.weight for pile in piles])
    k.nodes = worlds.graph.nodes
    k.children = worlds.graph.children
    k.words = worlds.graph.words
    k.block = <const Block *> worlds.block
    memcpy(&k.at, position.pos, sizeof(Hearts))
    cdef int i, seat
    for i in range(len(piles)):
        _write_plan(<Plan *> &k.plans[i], piles[i])
    for place, room in knowledge.room.items():
        k.room[place] = room
    for seat, card, _ in knowledge.plays:
        add_card(&k.played_one[seat], &k.played_two[seat], bit_of(LANE[card]))
    k.gone = knowledge.gone
    memmove(&k.at.log[k.gone], k.at.log, k.at.logged)
    k.at.logged += k.gone
    k.at.base = k.gone
    for seat in knowledge.hidden_passes:
        k.passes |= <uint16_t> (1 << seat)
    return 0


cdef int _write_plan(Plan *plan, object pile) except -1:
    cdef int i, j = 0
    plan.root = LAST if pile.plan.root < 0 else pile.plan.root
    plan.kinds = len(pile.plan.classes)
    plan.groups = len(pile.plan.groups)
    for i, some in enumerate(pile.plan.classes):
        plan.first_card[i] = j
        for kind in some.cards:
            plan.cards[j] = LANE[kind]
            j += 1
    plan.first_card[plan.kinds] = j
    j = 0
    for i, group in enumerate(pile.plan.groups):
        plan.first_place[i] = j
        for place in group:
            plan.places[j] = place
            j += 1
    plan.first_place[plan.groups] = j
    memset(plan.kept, NO_CARD, sizeof(plan.kept))
    for seat, some in pile.kept.items():
        for i, kind in enumerate(some):
            plan.kept[seat][i] = LANE[kind]
    plan.slots = len(pile.slots)
    for i, (points, owner) in enumerate(pile.slots):
        plan.slot_points[i] = points
        plan.slot_pile[i] = owner
    return 0
