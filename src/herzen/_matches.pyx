"""Whole matches of any game, uniformly random or by the rule player, in one loop without the GIL."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from herzen._core cimport (
    DEAL_OVER, DOMAIN_BOT, DOMAIN_DEAL, DOMAIN_PLAY, MATCH_OVER, MAX_COUNTS, MAX_SEATS, Compiled, Head, Rules,
    begin_deal, begin_shuffled, found_match, hz_children, hz_next, hz_stream, hz_stream_open, hz_stream_open_two,
    read_key,
)


cdef extern from "Python.h":
    int PyErr_CheckSignals() except -1


cdef enum:
    PATIENCE = 1_000_000        # plies after which Ctrl-C is looked for: some milliseconds
    WINDOW = 4096


cdef void play_by_rule(void *pos, const Rules *rules, const uint32_t *key, int32_t *counts) noexcept nogil:
    """Play the match to its end as a RuleBot in every seat does, each with its seed from the match's."""
    cdef uint32_t[MAX_SEATS][8] keys
    cdef Head *head = <Head *> pos
    cdef hz_stream chance
    cdef int seat, i
    cdef uint32_t did
    for seat in range(rules.players):
        hz_stream_open(&chance, key, DOMAIN_BOT, <uint64_t> seat)
        for i in range(8):
            keys[seat][i] = hz_next(&chance)
    while head.turn >= 0:
        seat = head.turn
        hz_stream_open(&chance, keys[seat], DOMAIN_PLAY, head.ply)
        did = rules.ops.apply(pos, rules, seat, rules.ops.rule_move(pos, rules, seat, &chance))
        head.ply += 1
        rules.ops.tally(pos, did, counts)
        if did & (DEAL_OVER | MATCH_OVER) == DEAL_OVER:
            begin_deal(pos, rules, key, NULL)


cdef class Brake:
    """Stops matches that other threads play, after the match that each is at."""
    cdef public bint pulled


def play_matches(
    Compiled compiled, seed, uint64_t first, int32_t[:, ::1] scores, uint32_t[::1] winners, int32_t[::1] deals,
    int32_t[::1] plies, int32_t[:, ::1] counts, bint by_rule=False, Brake brake=None
) -> None:
    """Play matches first, first + 1, ... of a run to their ends, as many as there are rows.

    compiled: the rules' constant block; seed: the run's, 0 <= seed < 2**256. Written are int32 rows: scores
    (games, seats), deals and plies (games,), counts (games, number of the game's COUNTS); and winners, uint32 (games,),
    bit i for seat i. by_rule: the seats play by the game's rule player, else at random. brake: leaves the other rows
    as they are once it is pulled."""
    cdef Py_ssize_t games = winners.shape[0], game, i
    cdef Py_ssize_t seats = compiled.block.players, kinds = counts.shape[1]
    cdef uint32_t key[8]
    cdef uint32_t seeds[4][8]
    cdef int32_t counted[MAX_COUNTS]
    cdef const int32_t *totals
    cdef hz_stream deal, play
    cdef int64_t since = 0
    cdef void *pos
    if brake is None:
        brake = Brake()
    if scores.shape[0] != games or scores.shape[1] != seats or counts.shape[0] != games or (
        deals.shape[0] != games or plies.shape[0] != games or kinds > MAX_COUNTS
    ):
        raise ValueError("play_matches: arrays of one length, and a column of scores for every seat, are needed")
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
                hz_stream_open_two(&deal, &play, seeds[game & 3], DOMAIN_DEAL, DOMAIN_PLAY)
                begin_shuffled(pos, compiled.block, seeds[game & 3], &deal)
                if by_rule:
                    play_by_rule(pos, compiled.block, seeds[game & 3], counted)
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
