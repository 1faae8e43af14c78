"""Flat search over sampled worlds: every candidate move is played in the same worlds, and the deal ends by rule play.

Nothing depends on the number of threads: worlds are drawn in chunks, each from a stream of its own, and what they bring
is added up in whole numbers."""

from libc.stdint cimport int32_t, int64_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from herzen._core cimport (
    DEAL_OVER, DOMAIN_PLAY, DOMAIN_SAMPLE, Head, Position, Rules, State, hz_stream, hz_stream_open, read_key,
)
from herzen._worlds cimport Worlds


cdef enum:
    ROOM = 64           # candidates of one search
    CHUNK = 4           # worlds that are drawn from one stream


cdef inline int32_t margin(const Rules *rules, const void *pos, int seat) noexcept nogil:
    """How far a seat is ahead of the others' mean, in units of 1 / (players - 1) point; positive is good."""
    cdef const int32_t *totals = rules.ops.totals(pos)
    cdef int32_t others = 0
    cdef int i
    for i in range(rules.players):
        others += totals[i]
    others -= rules.players * totals[seat]
    return others if rules.low_wins else -others


cdef class Search:
    """One decision: its candidates and what the worlds drawn so far say of them."""
    cdef Worlds worlds
    cdef const Rules *rules
    cdef int seat
    cdef readonly int candidates
    cdef int64_t[ROOM] moves
    cdef uint32_t[8] key

    def __init__(self, Worlds worlds, codes: list[int], seed: int) -> None:
        """worlds: of the view to move; codes: of its candidate moves, 1 to 64; seed: of this decision's streams.

        SetupError if the view contradicts itself: the moves are played without being checked again."""
        if not 1 <= len(codes) <= ROOM:
            raise ValueError(f"a search has 1 to {ROOM} candidates, not {len(codes)}")
        worlds.check()
        self.worlds = worlds
        self.rules = worlds.block
        self.seat = worlds.view.seat
        self.candidates = len(codes)
        for i, code in enumerate(codes):
            self.moves[i] = code
        read_key(seed, self.key)

    def run(self, int first, int chunks, bytes alive) -> list[tuple[int, int, int]]:
        """Play the candidates of `alive` in chunks first, first + 1, ... of worlds.

        Returns for each of them (worlds, sum, sum of squares) of the margins, in units of 1 / (players - 1) point."""
        cdef int64_t[ROOM] sums
        cdef int64_t[ROOM] squares
        cdef int[ROOM] chosen
        cdef int n = <int> len(alive), i, chunk
        cdef char *room = <char *> malloc(2 * self.rules.ops.size)
        if room == NULL:
            raise MemoryError
        memset(sums, 0, sizeof(sums))
        memset(squares, 0, sizeof(squares))
        for i in range(n):
            chosen[i] = alive[i]
        with nogil:
            for chunk in range(first, first + chunks):
                self.play_chunk(chunk, chosen, n, room, sums, squares)
        free(room)
        return [(chunks * CHUNK, sums[i], squares[i]) for i in range(n)]

    cdef void play_chunk(
        self, int chunk, const int *chosen, int n, char *room, int64_t *sums, int64_t *squares
    ) noexcept nogil:
        cdef char *world = room
        cdef char *pos = room + self.rules.ops.size
        cdef hz_stream chance
        cdef uint32_t did
        cdef int64_t value
        cdef int i
        hz_stream_open(&chance, self.key, DOMAIN_SAMPLE, <uint32_t> chunk)
        for _ in range(CHUNK):
            memset(world, 0, self.rules.ops.size)
            self.worlds.place(self.worlds.known, &chance, world)
            for i in range(n):
                memcpy(pos, world, self.rules.ops.size)
                did = self.rules.ops.apply(pos, self.rules, self.seat, self.moves[chosen[i]])
                if not did & DEAL_OVER:
                    self.rules.ops.rule_playout(pos, self.rules, &chance)
                value = margin(self.rules, pos, self.seat)
                sums[i] += value
                squares[i] += value * value


def rule_code(State state, int seat, seed: int, int ply) -> int:
    """The code of the move that the game's rule player makes for a seat that may act; it draws from
    Stream(seed, 2, ply)."""
    cdef uint32_t[8] key
    cdef hz_stream chance
    read_key(seed, key)
    hz_stream_open(&chance, key, DOMAIN_PLAY, ply)
    return state.block.ops.rule_move(state.pos, state.block, seat, &chance)


def rule_totals(State state, seed: int, bint one_by_one=False) -> tuple[int, ...]:
    """The totals once the rule player has played the deal to its end for all seats, in the game's own loop or action
    by action; the state stays as it is."""
    cdef uint32_t[8] key
    cdef hz_stream chance
    cdef uint32_t did = 0
    cdef Position end = state._snapshot()
    read_key(seed, key)
    hz_stream_open(&chance, key, DOMAIN_PLAY, 0)
    if not one_by_one:
        end.block.ops.rule_playout(end.pos, end.block, &chance)
    while one_by_one and (<Head *> end.pos).turn >= 0 and not did & DEAL_OVER:
        did = end.block.ops.act(end.pos, end.block, end.block.ops.rule_action(end.pos, end.block, &chance))
    return end._scores()


def shortlist(State state, int seat) -> list[int]:
    """The 64 moves of a seat that the game's rule player likes best, by code in ascending order."""
    cdef int64_t code
    cdef list weighed = []
    for each in state.codes(seat):
        code = each
        weighed.append((-state.block.ops.weigh(state.pos, state.block, seat, code), code))
    return sorted([code for _, code in sorted(weighed)[:ROOM]])
