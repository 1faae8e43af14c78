# The rule player of Herzsammler at C level.

from herzen._core cimport Rules, hz_stream

cdef int rule_action(const void *pos, const Rules *rules, hz_stream *chance) noexcept nogil
