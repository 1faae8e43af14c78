"""Uniformly random matches of any game, one after the other in one loop without the GIL."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from herzen._core cimport (
    DEAL_OVER, DOMAIN_PLAY, MATCH_OVER, MAX_COUNTS, Compiled, Head, Rules, begin_deal, found_match, hz_bounded,
    hz_children, hz_nth_bit, hz_popcount, hz_stream, hz_stream_open, read_key,
)


cdef extern from "Python.h":
    int PyErr_CheckSignals() except -1


cdef enum:
    PATIENCE = 1_000_000        # plies after which Ctrl-C is looked for: some milliseconds
    WINDOW = 4096
    MAX_WORDS = 16  # of a mask of actions


cdef void play_mixed(
    void *pos, const Rules *rules, const uint32_t *key, hz_stream *play, uint32_t ruled, int32_t *counts
) noexcept nogil:
    """Play the match to its end: the seats of the mask `ruled` by the rule player, the others at random."""
    cdef uint64_t[MAX_WORDS] mask
    cdef Head *head = <Head *> pos
    cdef int action, left, k
    cdef uint32_t did
    while head.turn >= 0:
        if ruled >> head.turn & 1:
            action = rules.ops.rule_action(pos, rules, play)
        else:
            left = hz_bounded(play, <uint32_t> rules.ops.legal(pos, rules, mask))
            k = 0
            while left >= hz_popcount(mask[k]):
                left -= hz_popcount(mask[k])
                k += 1
            action = 64 * k + hz_nth_bit(mask[k], <uint32_t> left)
        did = rules.ops.act(pos, rules, action)
        if did & DEAL_OVER:
            rules.ops.tally(pos, did, counts)
            if not did & MATCH_OVER:
                begin_deal(pos, rules, key, NULL)


cdef class Brake:
    """Stops matches that other threads play, after the match that each is at."""
    cdef public bint pulled


def play_random(
    Compiled compiled, seed, uint64_t first, int32_t[:, ::1] scores, uint32_t[::1] winners, int32_t[::1] deals,
    int32_t[::1] plies, int32_t[:, ::1] counts, uint32_t ruled=0, Brake brake=None
) -> None:
    """Play matches first, first + 1, ... of a run to their ends, as many as there are rows.

    compiled: the rules' constant block; seed: the run's, 0 <= seed < 2**256. Written are int32 rows: scores
    (games, seats), deals and plies (games,), counts (games, number of the game's COUNTS); and winners, uint32 (games,),
    bit i for seat i. brake: leaves the other rows as they are once it is pulled."""
    cdef Py_ssize_t games = winners.shape[0], game, i
    cdef Py_ssize_t seats = compiled.block.players, kinds = counts.shape[1]
    cdef uint32_t key[8]
    cdef uint32_t seeds[4][8]
    cdef int32_t counted[MAX_COUNTS]
    cdef const int32_t *totals
    cdef hz_stream play
    cdef int64_t since = 0
    cdef void *pos
    if brake is None:
        brake = Brake()
    if scores.shape[0] != games or scores.shape[1] != seats or counts.shape[0] != games or (
        deals.shape[0] != games or plies.shape[0] != games or kinds > MAX_COUNTS
    ):
        raise ValueError("play_random: arrays of one length, and a column of scores for every seat, are needed")
    read_key(seed, key)
    pos = calloc(1, compiled.block.ops.size)
    if pos == NULL:
        raise MemoryError
    try:
        with nogil:
            for game in range(games):
                if brake.pulled:
                    break
                if since > PATIENCE:
                    since = 0
                    with gil:
                        PyErr_CheckSignals()
                if game & 3 == 0:
                    hz_children(key, first + <uint64_t> game, seeds)
                memset(pos, 0, compiled.block.ops.size)
                memset(counted, 0, sizeof(counted))
                found_match(pos, compiled.block, -1)
                begin_deal(pos, compiled.block, seeds[game & 3], NULL)
                hz_stream_open(&play, seeds[game & 3], DOMAIN_PLAY, 0)
                if ruled:
                    play_mixed(pos, compiled.block, seeds[game & 3], &play, ruled, counted)
                else:
                    compiled.block.ops.playout(pos, compiled.block, seeds[game & 3], &play, counted)
                totals = compiled.block.ops.totals(pos)
                for i in range(seats):
                    scores[game, i] = totals[i]
                for i in range(kinds):
                    counts[game, i] = counted[i]
                winners[game] = compiled.block.ops.winners(pos, compiled.block)
                deals[game] = (<Head *> pos).deal_number + 1
                plies[game] = <int32_t> (<Head *> pos).ply
                since += plies[game]
    finally:
        free(pos)


def count_values(const int32_t[:] numbers) -> list[tuple[int, int]]:
    """The different numbers, each with how often it stands there, in no order."""
    cdef int32_t[WINDOW] found      # of the numbers around 0, where scores are
    cdef Py_ssize_t i, n = numbers.shape[0]
    cdef uint32_t place
    memset(found, 0, sizeof(found))
    counts = {}
    for i in range(n):
        place = <uint32_t> numbers[i] + WINDOW // 2
        if place < WINDOW:
            found[place] += 1
        else:
            counts[numbers[i]] = counts.get(numbers[i], 0) + 1
    return [(i - WINDOW // 2, found[i]) for i in range(WINDOW) if found[i]] + list(counts.items())
