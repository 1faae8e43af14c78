# Lists of legal moves of Von Herzen, for search and bots at C level.

from herzen._core cimport Ops
from herzen.vonherzen._rules cimport *

cdef Ops OPS

cdef int legal(const void *pos, const Rules *rules, uint64_t *mask) noexcept nogil
cdef uint32_t act(void *pos, const Rules *rules, int action) noexcept nogil
cdef int legal_codes(const VonHerzen *p, const Block *b, int seat, int64_t *codes) noexcept nogil
