# cython: nonecheck=False
# (`self` is no None, and to ask would need the GIL)
"""n positions in one piece of memory, and the loops over them that need no Python object."""

from libc.stdint cimport uintptr_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from herzen._core cimport (
    DOMAIN_PLAY, MATCH_OVER, begin_deal, found_match, hz_bounded, hz_child, hz_nth_bit, hz_popcount, hz_spread,
    hz_stream_open, mask_words,
)


cdef inline int random_action(Slots slots, Py_ssize_t i) noexcept nogil:
    """A uniformly random legal action of slot i, one number of its stream; 0 where the match is over."""
    cdef const uint64_t *mask = slots.masks + i * slots.words
    cdef int word, count = 0, here
    cdef uint32_t chosen
    for word in range(slots.words):
        count += hz_popcount(mask[word])
    if count == 0:
        return 0
    chosen = hz_bounded(&slots.streams[i], <uint32_t> count)
    word = 0
    here = hz_popcount(mask[0])
    while chosen >= <uint32_t> here:
        chosen -= here
        word += 1
        here = hz_popcount(mask[word])
    return 64 * word + hz_nth_bit(mask[word], chosen)


cdef inline void step_one(Slots slots, Py_ssize_t i, int32_t action) noexcept nogil:
    """Play a legal action in slot i alone."""
    slots.block.ops.step_many(
        position(slots, i), slots.block, 1, &action, slots.keys + 8 * i, slots.masks + i * slots.words,
        slots.turns + i, slots.ends + i
    )


cdef class Slots:
    def __dealloc__(self):
        free(self.memory)
        free(self.streams)

    cdef int _reserve(self, Py_ssize_t n, const Rules *block, int mode) except -1:
        """Zeroed memory for n positions: these first, at the beginning of a cache line."""
        cdef size_t size = block.ops.size, masks
        self.block = block
        self.n = n
        self.mode = mode
        self.size = size
        self.num_actions = block.actions
        self.words = mask_words(block)
        masks = <size_t> n * self.words * 8
        self.memory = <char *> calloc(
            1, 64 + <size_t> n * (size * (2 if mode == SAME else 1) + 8 + 64 + 8 + 4 + 1) + masks + 64
        )
        if self.memory == NULL:
            raise MemoryError
        self.positions = self.memory + (64 - <uintptr_t> self.memory % 64)
        self.masks = <uint64_t *> (self.positions + (n * size + 7) // 8 * 8)
        self.games = <uint64_t *> (<char *> self.masks + masks)
        self.slot_keys = <uint32_t *> (self.games + n)
        self.keys = self.slot_keys + 8 * n
        self.chosen = <int32_t *> (self.keys + 8 * n)
        self.ends = <uint8_t *> (self.chosen + n)
        if mode == SAME:
            self.finals = <char *> self.ends + (n + 15) // 8 * 8
            self.finals -= <uintptr_t> self.finals % 8
        return 0

    # ---- one slot ------------------------------------------------------------------------------------
    cdef void _begin(self, Py_ssize_t i) noexcept nogil:
        """Start the match of slot i from its key, as Game does: the last seat deals first."""
        cdef Head *head = <Head *> position(self, i)
        memset(head, 0, self.size)
        found_match(head, self.block, -1)
        begin_deal(head, self.block, self.keys + 8 * i, NULL)
        self.turns[i] = head.turn
        if self.streams != NULL:
            hz_stream_open(&self.streams[i], self.keys + 8 * i, DOMAIN_PLAY, 0)

    cdef void _start_first(self, Py_ssize_t i) noexcept nogil:
        """Start the match of the slot's own seed; the mask is the caller's to show."""
        self.games[i] = 0
        memcpy(self.keys + 8 * i, self.slot_keys + 8 * i, 32)
        self._begin(i)

    cdef void _start_next(self, Py_ssize_t i) noexcept nogil:
        """Start the next match of slot i."""
        self.games[i] += 1
        hz_child(self.slot_keys + 8 * i, self.games[i], self.keys + 8 * i)
        self._begin(i)
        self._show_legal(i)

    cdef void _show_legal(self, Py_ssize_t i) noexcept nogil:
        """Renew the mask of slot i."""
        self.block.ops.legal_many(position(self, i), self.block, 1, self.masks + i * self.words)

    cdef void _tell(self, Py_ssize_t i) noexcept nogil:
        """Show turn and totals of slot i."""
        cdef int seats = self.block.players
        self.turns[i] = (<Head *> position(self, i)).turn
        memcpy(self.totals + i * seats, self.block.ops.totals(position(self, i)), seats * sizeof(int32_t))

    cdef void _clear(self, Py_ssize_t i) noexcept nogil:
        """Forget that slot i is done."""
        self.dones[i] = 0
        memset(self.won + i * self.block.players, 0, self.block.players)
        self._tell(i)

    cdef void _finish(self, Py_ssize_t i) noexcept nogil:
        """Show how the match of slot i ended; SAME: start the next one."""
        cdef int seats = self.block.players, seat
        cdef uint32_t winners = self.block.ops.winners(position(self, i), self.block)
        self._tell(i)
        self.dones[i] = 1
        for seat in range(seats):
            self.won[i * seats + seat] = winners >> seat & 1
        if self.mode == SAME:
            memcpy(self.finals + i * self.size, position(self, i), self.size)
            self._start_next(i)

    cdef uint8_t _play_others(self, Py_ssize_t i, int seat) noexcept nogil:
        """The others act until a seat is to move or the match is over; what ended meanwhile, as `ends` has it."""
        cdef void *pos = position(self, i)
        cdef uint8_t did = 0
        cdef int turn = self.turns[i]
        cdef int32_t action
        while turn >= 0 and turn != seat:
            if self.by[turn] == BY_RULE:
                action = self.block.ops.rule_action(pos, self.block, &self.streams[i])
            else:
                action = random_action(self, i)
            step_one(self, i, action)
            did |= self.ends[i]
            turn = self.turns[i]
        return did

    cdef void _open(self, Py_ssize_t i, int seat) noexcept nogil:
        """Play a match that has just begun up to a seat's first decision.

        A match that ends before it, as some rules allow, is passed over."""
        for _ in range(MATCHES):
            if self._play_others(i, seat) & MATCH_OVER == 0:
                return
            self._start_next(i)

    # ---- all slots -----------------------------------------------------------------------------------
    cdef bint _choose(self, const int64_t *actions, uint8_t *refused) noexcept nogil:
        """Note the actions for a step; whether they are all legal. Those of matches that are over do not matter.

        refused: illegal ones are marked there and noted as -1; NULL if that is not wanted."""
        cdef Py_ssize_t i
        cdef bint legal = True, bad
        for i in range(self.n):
            bad = False
            if is_legal(self, i, actions[i]):
                self.chosen[i] = <int32_t> actions[i]
            else:
                bad = not is_over(self, i)
                self.chosen[i] = -1 if bad and refused != NULL else 0
                legal &= not bad
            if refused != NULL:
                refused[i] = bad
        return legal

    cdef int _open_streams(self) except -1:
        cdef Py_ssize_t i
        if self.streams == NULL:
            self.streams = <hz_stream *> malloc(self.n * sizeof(hz_stream))
            if self.streams == NULL:
                raise MemoryError
            for i in range(self.n):
                hz_stream_open(&self.streams[i], self.keys + 8 * i, DOMAIN_PLAY, 0)
        return 0

    cdef void _run(self, int what, Py_ssize_t first, Py_ssize_t last, void *out, int seat) noexcept nogil:
        """One thread's part of some work."""
        if what == DO_STEP:
            self._step(first, last)
        elif what == DO_MASK:
            self._mask(first, last, <uint8_t *> out)
        elif what == DO_DRAW:
            self._draw(first, last, <int64_t *> out)
        elif what == DO_STEP_SEAT:
            self._step_seat(first, last, <int32_t *> out)
        elif what == DO_PLAY_OTHERS:
            self._play_on(first, last)
        else:
            self._observe(first, last, <int8_t *> out, seat, what == DO_FINAL)

    cdef void _step(self, Py_ssize_t first, Py_ssize_t last) noexcept nogil:
        cdef Py_ssize_t i
        for i in range(first, last):
            if self.dones[i] and self.mode != OFF:
                self._clear(i)
        self.block.ops.step_many(
            position(self, first), self.block, last - first, self.chosen + first, self.keys + 8 * first,
            self.masks + first * self.words, self.turns + first, self.ends + first
        )
        for i in range(first, last):
            if self.ends[i] == 0:
                if self.turns[i] < 0 and self.mode == NEXT:
                    self._start_next(i)
                    self._tell(i)
            elif self.ends[i] & MATCH_OVER:
                self._finish(i)
            else:
                self._tell(i)

    cdef void _step_seat(self, Py_ssize_t first, Py_ssize_t last, int32_t *rewards) noexcept nogil:
        cdef Py_ssize_t i
        cdef int seats = self.block.players, seat
        cdef int32_t before
        cdef uint8_t did
        for i in range(first, last):
            seat = self.seats[i]
            rewards[i] = 0
            if self.dones[i] and self.mode != OFF:
                self._clear(i)
            if self.turns[i] < 0:
                if self.mode == NEXT:
                    self._start_next(i)
                    self._open(i, seat)
                    self._tell(i)
                continue
            if self.chosen[i] < 0:
                continue
            before = self.block.ops.totals(position(self, i))[seat]
            step_one(self, i, self.chosen[i])
            did = self.ends[i]
            did |= self._play_others(i, seat)
            if did == 0:
                continue
            self._tell(i)
            rewards[i] = self.totals[i * seats + seat] - before
            if self.block.low_wins:
                rewards[i] = -rewards[i]
            if did & MATCH_OVER:
                self._finish(i)
                if self.mode == SAME:
                    self._open(i, seat)

    cdef void _play_on(self, Py_ssize_t first, Py_ssize_t last) noexcept nogil:
        cdef Py_ssize_t i
        for i in range(first, last):
            if self._play_others(i, self.seats[i]):
                self._tell(i)
                if self.turns[i] < 0:
                    self._finish(i)
                    if self.mode == SAME:
                        self._open(i, self.seats[i])

    cdef void _mask(self, Py_ssize_t first, Py_ssize_t last, uint8_t *out) noexcept nogil:
        cdef Py_ssize_t i
        cdef int actions = self.num_actions, words = self.words
        for i in range(first, last):
            if self.where == NULL or self.where[i]:
                hz_spread(self.masks + i * words, actions, out + i * actions)

    cdef void _draw(self, Py_ssize_t first, Py_ssize_t last, int64_t *out) noexcept nogil:
        """A uniformly random legal action of each slot; 0 where the match is over."""
        cdef Py_ssize_t i
        for i in range(first, last):
            out[i] = random_action(self, i)

    cdef void _observe(
        self, Py_ssize_t first, Py_ssize_t last, int8_t *out, int seat, bint final
    ) noexcept nogil:
        cdef Py_ssize_t i
        cdef int width = self.block.observation, who
        cdef const void *pos
        for i in range(first, last):
            if self.where != NULL and not self.where[i]:
                continue
            pos = position(self, i)
            if final:
                if not self.dones[i]:
                    memset(out + i * width, 0, width)
                    continue
                if self.mode == SAME:
                    pos = self.finals + i * self.size
            who = self.seats[i] if self.seats != NULL else seat
            if who == MOVER:            # of a match that is over: seat 0
                who = max(0, (<const Head *> pos).turn)
            self.block.ops.observe(pos, self.block, who, out + i * width)
