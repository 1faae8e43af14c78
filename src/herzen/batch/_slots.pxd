# n positions in one piece of memory, and the loops over them that need no Python object.

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t

from herzen._core cimport MAX_SEATS, Head, Rules, hz_stream

cdef enum:
    OFF = 0             # autoreset
    NEXT = 1
    SAME = 2

    DO_STEP = 0         # work that is shared among threads
    DO_MASK = 1
    DO_OBSERVE = 2
    DO_FINAL = 3
    DO_DRAW = 4
    DO_STEP_SEAT = 5
    DO_PLAY_OTHERS = 6

    MOVER = -1          # observe for the seat to move

    BY_CHANCE = 0       # who plays a seat
    BY_RULE = 1
    MATCHES = 100       # that are passed over in a row, at most, because a seat had nothing to decide in them

cdef class Slots:
    cdef readonly Py_ssize_t n
    cdef readonly int num_actions
    cdef int mode
    cdef int words              # of a row of masks
    cdef size_t size            # of a position
    cdef const Rules *block     # of rules that a subclass holds
    cdef char *memory           # what the next lines' eight lie in
    cdef char *positions
    cdef char *finals           # "same": the last positions of matches that ended in the last step
    cdef uint64_t *masks
    cdef uint32_t *slot_keys    # eight words a slot: the seed of the slot's first match
    cdef uint32_t *keys         # of its present match
    cdef uint64_t *games        # number of the present match in its slot
    cdef int32_t *chosen        # checked actions: the caller's array may change meanwhile
    cdef uint8_t *ends
    cdef hz_stream *streams     # of random play; made when first asked for
    cdef int8_t *turns          # these four belong to arrays that a subclass holds
    cdef uint8_t *dones
    cdef int32_t *totals
    cdef uint8_t *won
    # Of the call that is being worked at:
    cdef const int8_t *seats    # the caller's seat in each slot; NULL: the same in all
    cdef const uint8_t *where   # bool: the slots that matter; NULL: all
    cdef int8_t[MAX_SEATS] by       # who plays the others' seats
    cdef int _reserve(self, Py_ssize_t n, const Rules *block, int mode) except -1
    cdef void _begin(self, Py_ssize_t i) noexcept nogil
    cdef void _start_first(self, Py_ssize_t i) noexcept nogil
    cdef void _start_next(self, Py_ssize_t i) noexcept nogil
    cdef void _show_legal(self, Py_ssize_t i) noexcept nogil
    cdef void _tell(self, Py_ssize_t i) noexcept nogil
    cdef void _clear(self, Py_ssize_t i) noexcept nogil
    cdef void _finish(self, Py_ssize_t i) noexcept nogil
    cdef uint8_t _play_others(self, Py_ssize_t i, int seat) noexcept nogil
    cdef void _open(self, Py_ssize_t i, int seat) noexcept nogil
    cdef bint _choose(self, const int64_t *actions, uint8_t *refused) noexcept nogil
    cdef int _open_streams(self) except -1
    cdef void _run(self, int what, Py_ssize_t first, Py_ssize_t last, void *out, int seat) noexcept nogil
    cdef void _step(self, Py_ssize_t first, Py_ssize_t last) noexcept nogil
    cdef void _step_seat(self, Py_ssize_t first, Py_ssize_t last, int32_t *rewards) noexcept nogil
    cdef void _play_on(self, Py_ssize_t first, Py_ssize_t last) noexcept nogil
    cdef void _mask(self, Py_ssize_t first, Py_ssize_t last, uint8_t *out) noexcept nogil
    cdef void _draw(self, Py_ssize_t first, Py_ssize_t last, int64_t *out) noexcept nogil
    cdef void _observe(self, Py_ssize_t first, Py_ssize_t last, int8_t *out, int seat, bint final) noexcept nogil

cdef inline void *position(Slots slots, Py_ssize_t i) noexcept nogil:
    return slots.positions + i * slots.size

cdef inline bint is_over(Slots slots, Py_ssize_t i) noexcept nogil:
    return (<const Head *> position(slots, i)).turn < 0

cdef inline bint is_legal(Slots slots, Py_ssize_t i, int64_t action) noexcept nogil:
    if not 0 <= action < slots.num_actions:
        return False
    return slots.masks[i * slots.words + (action >> 6)] >> (action & 63) & 1
