"""Reading positions of Hearts from Python, setting them up, and their bytes for the fingerprint.

Cards are card indices 0..51 here, sets of cards are ascending `bytes` of them (two packs: an index may stand
twice), sequences are `bytes` in order. A question that the position does not answer, since another thread has played on
since it was thought of, is a LookupError."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.string cimport memset

from herzen._core cimport State, hz_lowest, hz_popcount, hz_row8, put_head, put_number, put_pile, set_head, sort_pile
from herzen.hearts._rules cimport *

_NOTHING = b""


cdef bytes _cards(uint64_t one, uint64_t two):
    cdef bytearray out = bytearray()
    cdef uint64_t bit
    while one:
        bit = one & (0 - one)
        out.append(KIND[hz_lowest(bit)])
        if two & bit:
            out.append(KIND[hz_lowest(bit)])
        one ^= bit
    return bytes(out)


cdef bytes _indices(const uint8_t *lanes, int n):
    cdef int i
    return bytes([KIND[lanes[i]] for i in range(n)])


def hand(Position position, int seat) -> bytes:
    """The cards that a seat holds."""
    cdef Hearts *p = <Hearts *> position.pos
    return _cards(p.one[seat], p.two[seat])


def trick(Position position) -> tuple[int, bytes]:
    """(leader, cards) of the trick on the table."""
    cdef Hearts *p = <Hearts *> position.pos
    return p.leader, _indices(&p.log[p.logged - p.in_trick], p.in_trick)


def tricks(Position position) -> list[tuple[int, bytes, int | None]]:
    """(leader, cards, winner or None) of the completed tricks of this deal."""
    cdef Hearts *p = <Hearts *> position.pos
    cdef int n = p.head.players, i
    return [
        (
            p.leaders[i] & 15,
            _indices(&p.log[p.base + i * n], n),
            None if p.leaders[i] >> 4 == NOBODY else p.leaders[i] >> 4,
        )
        for i in range(p.tricks)
    ]


def last_trick(Position position) -> tuple[int, bytes, int | None]:
    """(leader, cards, winner or None) of the trick completed last."""
    cdef Hearts *p = <Hearts *> position.pos
    cdef int leaders
    if not p.tricks:
        raise LookupError("no trick is complete")
    leaders = p.leaders[p.tricks - 1]
    return (
        leaders & 15, _indices(&p.log[p.base + (p.tricks - 1) * p.head.players], p.head.players),
        None if leaders >> 4 == NOBODY else leaders >> 4,
    )


def base_piles(Position position) -> list[bytes]:
    """Cards captured before the log begins, seat by seat, and last those held over then."""
    cdef Hearts *p = <Hearts *> position.pos
    cdef int i, at = 0
    out = []
    for i in range(p.head.players + 1):
        out.append(_indices(&p.log[at], p.base_count[i if i < p.head.players else SEATS]))
        at += p.base_count[i if i < p.head.players else SEATS]
    return out


def facts(Position position) -> dict[str, object]:
    """The small facts of a position, by name."""
    cdef Hearts *p = <Hearts *> position.pos
    cdef const Block *b = <const Block *> position.block
    cdef int n = p.head.players, i
    return {
        "broken": bool(p.broken),
        "direction": p.direction,
        "exchanged": bool(p.exchanged),
        "committed": p.committed,
        "kitty": _NOTHING if _kitty_gone(p) else _indices(p.kitty, b.kitty_size),
        "kitty_taker": None if p.kitty_taker < 0 else p.kitty_taker,
        "kitty_shown": bool(p.kitty_shown),
        "shooter": None if p.shooter < 0 else p.shooter,
        "kind": p.kind,
        "tricks_won": [p.tricks_won[i] for i in range(n)],
        "lead_passed": p.lead_passed,
    }


cdef bint _kitty_gone(const Hearts *p) noexcept:
    """The kitty lies among cards that were captured before the log begins."""
    return p.kitty_taker == NOBODY


def points(Position position) -> list[int]:
    """Card points, bonus included, of the publicly captured cards."""
    cdef Hearts *p = <Hearts *> position.pos
    cdef int i
    return [p.penalty_points[i] + p.bonus_points[i] for i in range(p.head.players)]


def passed(Position position, int seat) -> bytes | None:
    """The pass that a seat has committed in this deal, None if none."""
    cdef Hearts *p = <Hearts *> position.pos
    cdef const Block *b = <const Block *> position.block
    if p.passed[seat][0] == NO_CARD:
        return None
    return _indices(p.passed[seat], b.pass_count)


def receives_from(Position position, int seat) -> int:
    """The seat whose pass goes to this one."""
    cdef Hearts *p = <Hearts *> position.pos
    cdef int giver
    for giver in range(p.head.players):
        if receiver(p, giver) == seat:
            return giver
    raise AssertionError("directions are permutations")


def passes_to(Position position, int seat) -> int:
    """The seat that gets this seat's pass."""
    return receiver(<Hearts *> position.pos, seat)


def pass_pool_of(Position position, int seat) -> bytes:
    """The cards that keep_spades lets a seat pass."""
    cdef uint64_t one, two
    pass_pool(<Hearts *> position.pos, <const Block *> position.block, seat, &one, &two)
    return _cards(one, two)


def why_card(Position position, int index) -> int:
    """Number (WHY_* of _rules.pxd) of the rule that forbids a held card to the seat to play, -1 if none does."""
    cdef uint64_t why[WHYS]
    cdef int i
    if (<Hearts *> position.pos).head.phase != PLAYING:
        raise LookupError("no card is to be played")
    memset(why, 0, sizeof(why))
    legal_cards(<Hearts *> position.pos, <const Block *> position.block, why)
    for i in range(WHYS):
        if why[i] >> LANE[index] & 1:
            return i
    return -1


def card_sets(Position position) -> dict[str, int]:
    """Sets of cards with a part in the rules, as bit masks of indices: breaking (hearts), kept (by keep_spades)."""
    cdef const Block *b = <const Block *> position.block
    return {"breaking": by_index(b.breaking), "kept": by_index(b.kept)}


def hands_that_play(Position position, int index, int led, bint broken, bint opening) -> list[tuple[int, ...]]:
    """Which hands may play this card (led: the card led, -1 if it is led itself; opening: to trick 1).

    Only the sorts of cards that are in the hand matter. One tuple a hand that may: its sorts as bit masks of indices,
    the card's own first. Where all parts of the greatest hand may, only that one stands in the list."""
    cdef const Block *b = <const Block *> position.block
    cdef uint64_t sorts[64]
    cdef uint64_t keys[64]
    cdef uint64_t hand, legal, key, card = bit_of(LANE[index])
    cdef uint64_t suit = suit_of(LANE[index if led < 0 else led])
    # Of cards that are led only the lowest club asks for ranks.
    cdef uint64_t lower = card - 1 if led < 0 and opening and b.lead == LOW_CLUB else 0
    cdef int n = 1, i, at
    cdef uint32_t pattern, every = 0
    cdef Hearts p
    memset(&p, 0, sizeof(p))
    p.broken = broken
    p.tricks = 0 if opening else 1
    keys[0] = _sort(b, card, suit, lower)
    sorts[0] = card
    for i in range(b.head.deck_size):
        hand = bit_of(LANE[b.head.deck[i]])
        key = _sort(b, hand, suit, lower)
        at = 0
        while at < n and keys[at] != key:
            at += 1
        if at == n:
            keys[n] = key
            sorts[n] = 0
            n += 1
        sorts[at] |= hand
    cdef list fitting = []
    for pattern in range(<uint32_t> 1 << (n - 1)):
        hand = card
        for at in range(1, n):
            if pattern >> (at - 1) & 1:
                hand |= sorts[at] & (0 - sorts[at])
        legal = may_lead(&p, b, hand, NULL) if led < 0 else may_follow(b, hand, LANE[led], opening, NULL)
        if legal & card:
            fitting.append(pattern)
            every |= pattern
    if len(fitting) == 1 << hz_popcount(every):
        fitting = [every]
    return [
        tuple([by_index(sorts[at]) for at in range(n) if at == 0 or found >> (at - 1) & 1]) for found in fitting
    ]


cdef uint64_t _sort(const Block *b, uint64_t card, uint64_t suit, uint64_t lower) noexcept:
    """What the rules about playing ask of a card."""
    return (
        (card & suit != 0) | (card & b.hearts != 0) << 1 | (card & b.queen != 0) << 2
        | (card & b.penalties != 0) << 3 | (card & b.clubs != 0) << 4 | (card & lower != 0) << 5
    )


def sizes_of_deal(Position position) -> tuple[int, int]:
    """(cards to each hand, cards in the kitty) under these rules."""
    cdef const Block *b = <const Block *> position.block
    return b.hand_size, b.kitty_size


def place(State state, dict zones) -> None:
    """Fill a fresh position from checked zones (see hearts/setup.py)."""
    cdef uint64_t one, two
    cdef Hearts *p = <Hearts *> state.pos
    cdef const Block *b = <const Block *> state.block
    cdef int n = b.head.players, seat, i
    memset(p, 0, sizeof(Hearts))
    memset(p.passed, NO_CARD, sizeof(p.passed))
    set_head(&p.head, state.block, zones)
    p.direction = zones["pass_direction"]
    p.kitty_taker = p.shooter = -1
    for seat in range(n):
        p.totals[seat] = zones["scores"][seat]
        for card in zones["hands"][seat]:
            add_card(&p.one[seat], &p.two[seat], bit_of(LANE[card]))
        pile = zones["taken"][seat]
        p.base_count[seat] = len(pile)
        p.tricks_won[seat] = zones["tricks_won"][seat]
        for card in pile:
            p.log[p.logged] = LANE[card]
            count_cards(
                b, &p.log[p.logged], 1, &p.penalty_points[seat], &p.bonus_points[seat], &p.penalty_count[seat],
                &p.bonus_count[seat]
            )
            p.logged += 1
    p.base_count[SEATS] = len(zones["held"])
    for card in zones["held"]:
        p.log[p.logged] = LANE[card]
        count_cards(
            b, &p.log[p.logged], 1, &p.held_penalty_points, &p.held_bonus_points, &p.held_penalties,
            &p.held_bonuses
        )
        p.logged += 1
    p.held_tricks = len(zones["held"]) // n
    p.base = p.logged
    for i, card in enumerate(zones["kitty"]):
        p.kitty[i] = LANE[card]
    if b.kitty_size and not zones["kitty"]:
        p.kitty_taker = NOBODY      # it lies among the cards taken before
        p.kitty_shown = 1
    for i, (leader, cards, winner) in enumerate(zones["tricks"]):
        p.leader = leader
        for card in cards:
            p.log[p.logged] = LANE[card]
            p.logged += 1
        p.in_trick = n
        sets_of(&p.log[p.logged - n], n, &one, &two)
        last = i == len(zones["tricks"]) - 1 and zones["last_trick_done"]
        close_trick(p, b, hz_row8(&p.log[p.logged - n]), one, two, last)
    p.leader, cards = zones["trick"]
    for card in cards:
        p.log[p.logged] = LANE[card]
        p.logged += 1
        p.in_trick += 1
    p.broken = zones["hearts_broken"]
    p.exchanged = zones.get("exchanged", False)
    for seat, cards in zones["passed"].items():
        for i, card in enumerate(cards):
            p.passed[seat][i] = LANE[card]
        if p.head.phase == PASSING:
            p.committed |= <uint16_t> (1 << seat)
    if p.head.phase in (SHOOTING, FINISHED):
        if b.kitty_size and p.kitty_taker >= 0 and p.kitty_taker != NOBODY:
            count_cards(
                b, p.kitty, b.kitty_size, &p.penalty_points[p.kitty_taker], &p.bonus_points[p.kitty_taker],
                &p.penalty_count[p.kitty_taker], &p.bonus_count[p.kitty_taker]
            )
            p.kitty_shown = 1
        p.shooter = <int8_t> find_shooter(b, n, p.penalty_count, p.bonus_count)
    p.kind = zones.get("kind", 0)
    p.lead_passed = zones.get("lead_passed", 0)


def digest(Position position) -> bytes:
    """The zones as bytes, in the order that docs/fingerprint.rst gives."""
    cdef const Hearts *p = <const Hearts *> position.pos
    cdef const Block *b = <const Block *> position.block
    cdef int n = p.head.players, seat, i, base = 0
    cdef uint8_t out[1024]      # 104 cards at most, each once in a hand or pile and once in a pass
    cdef uint8_t *at = out
    at = put_head(out, &p.head)
    at[0] = <uint8_t> p.direction
    at[1] = p.broken
    at = put_number(at + 2, <uint32_t> p.head.deal_number)
    for seat in range(n):
        at = put_number(at, <uint32_t> p.totals[seat])
        at = _put_set(at, p.one[seat], p.two[seat])
        i = b.pass_count if p.committed >> seat & 1 and p.passed[seat][0] != NO_CARD else 0
        at = _put_lanes(at, p.passed[seat], i)
        at[0] = p.tricks_won[seat]
        at += 1
    for i in range(n + 1):
        seat = i if i < n else SEATS
        at = _put_sorted(at, &p.log[base], p.base_count[seat])
        base += p.base_count[seat]
    at = put_pile(at, p.leaders, p.tricks)
    at = _put_lanes(at, &p.log[p.base], p.logged - p.base)
    at[0] = <uint8_t> p.leader if p.in_trick else 0xFF
    at = _put_sorted(at + 1, p.kitty, 0 if _kitty_gone(p) else b.kitty_size)
    return PyBytes_FromStringAndSize(<char *> out, at - out)


cdef uint8_t *_put_lanes(uint8_t *at, const uint8_t *lanes, int n) noexcept:
    """Write a pile in its order."""
    cdef int i
    at[0] = <uint8_t> n
    for i in range(n):
        at[1 + i] = KIND[lanes[i]]
    return at + 1 + n


cdef uint8_t *_put_sorted(uint8_t *at, const uint8_t *lanes, int n) noexcept:
    """Write a pile sorted."""
    cdef uint8_t *after = _put_lanes(at, lanes, n)
    sort_pile(at)
    return after


cdef uint8_t *_put_set(uint8_t *at, uint64_t one, uint64_t two) noexcept:
    """Write a set of cards, of which those in `two` are there twice."""
    cdef uint8_t *pile = at
    cdef int lane
    at += 1
    while one:
        lane = hz_lowest(one)
        at[0] = KIND[lane]
        at += 1
        if two >> lane & 1:
            at[0] = KIND[lane]
            at += 1
        one &= one - 1
    pile[0] = <uint8_t> (at - pile - 1)
    return at
