# The rule player of Hearts at C level; `herzen.hearts.bot` says in words how it thinks.

from libc.stdint cimport int64_t, uint32_t

from herzen._core cimport Rules, hz_stream

cdef int rule_action(const void *pos, const Rules *rules, hz_stream *chance) noexcept nogil
cdef int64_t rule_move(const void *pos, const Rules *rules, int seat, hz_stream *chance) noexcept nogil
cdef uint32_t rule_playout(void *pos, const Rules *rules, hz_stream *chance) noexcept nogil
cdef int shortlist(const void *pos, const Rules *rules, int seat, int64_t *codes, int room) noexcept nogil
