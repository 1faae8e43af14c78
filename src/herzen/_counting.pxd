# Drawing numbers that count worlds, which may need more than 32 bits.

from libc.stdint cimport uint32_t, uint64_t

from herzen._core cimport hz_bounded, hz_next, hz_stream

cdef inline uint64_t bounded64(hz_stream *s, uint64_t n) noexcept nogil:
    """A uniform number below n, from one word where n has at most 32 bits and from pairs (low first) otherwise."""
    cdef uint64_t number, rest
    if n <= <uint64_t> 0xFFFFFFFF:
        return hz_bounded(s, <uint32_t> n)
    rest = (<uint64_t> 0 - n) % n               # 2**64 mod n: so many of the lowest numbers would be too many
    while True:
        number = hz_next(s)
        number |= <uint64_t> hz_next(s) << 32
        if number >= rest:
            return number % n
