# Codes of legal moves as sequences.

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

cdef class Combinations:
    """The codes of all choices of `size` cards out of a multiset, ascending, made when asked for."""
    cdef uint8_t kinds[32]
    cdef uint8_t copies[32]
    cdef uint32_t below[33][6]      # below[i][r]: choices of r cards out of the kinds from i on
    cdef int n
    cdef int size
    cdef int prefix

cdef class Codes:
    """Codes of legal moves, ascending, as numbers that become Python objects when asked for."""
    cdef int64_t *items
    cdef Py_ssize_t n
    cdef Py_ssize_t _find(self, object code)

cdef object codes_from(const int64_t *codes, Py_ssize_t n)
cdef Combinations combinations(uint64_t one, uint64_t two, int size, int prefix)
