# Lists of legal moves of Von Herzen, for search and bots at C level.

from herzen.vonherzen._rules cimport *

cdef int legal_codes(const VonHerzen *p, const Block *b, int seat, int64_t *codes) noexcept nogil
