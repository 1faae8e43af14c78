"""Codes of legal moves as sequences: made compact, turned into Python numbers when asked for."""

cimport cython
from cpython.long cimport PyLong_AsLongLongAndOverflow
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from herzen._core cimport hz_lowest


cdef extern from "Python.h":
    Py_ssize_t PyNumber_AsSsize_t(object o, object error) except? -1
    bint PyLong_Check(object o)
    bint PyBool_Check(object o)


cdef object codes_from(const int64_t *codes, Py_ssize_t n):
    """Ascending codes as `bytes` where all are below 256, else as Codes."""
    cdef Codes out
    if n == 0 or codes[n - 1] < 256:
        return bytes([codes[i] for i in range(n)])
    out = Codes.__new__(Codes)
    out.items = <int64_t *> malloc(n * sizeof(int64_t))
    if out.items == NULL:
        raise MemoryError
    memcpy(out.items, codes, n * sizeof(int64_t))
    out.n = n
    return out


cdef bint read_code(object code, int64_t *out) except -1:
    """Read an int, a bool excepted, as a code; whether it may be one. What its class says is not asked."""
    cdef int overflow = 0
    if not PyLong_Check(code) or PyBool_Check(code):
        return False
    out[0] = PyLong_AsLongLongAndOverflow(code, &overflow)
    return not overflow and out[0] >= 0


@cython.no_gc
cdef class Codes:
    def __dealloc__(self):
        free(self.items)

    def __len__(self) -> int:
        return self.n

    def __getitem__(self, index):
        cdef Py_ssize_t at
        if isinstance(index, slice):
            return [self.items[i] for i in range(*index.indices(self.n))]
        at = PyNumber_AsSsize_t(index, IndexError)
        if at < 0:
            at += self.n
        if not 0 <= at < self.n:
            raise IndexError("code index out of range")
        return self.items[at]

    cdef Py_ssize_t _find(self, code):
        cdef Py_ssize_t low = 0, high = self.n, middle
        cdef int64_t sought
        if not read_code(code, &sought):
            return -1
        while low < high:
            middle = (low + high) // 2
            if self.items[middle] < sought:
                low = middle + 1
            else:
                high = middle
        return low if low < self.n and self.items[low] == sought else -1

    def __contains__(self, code) -> bool:
        return self._find(code) >= 0

    def index(self, code) -> int:
        """Place of a code, ValueError if it is none of these."""
        cdef Py_ssize_t place = self._find(code)
        if place < 0:
            raise ValueError("not in the sequence")
        return place

    def count(self, code) -> int:
        """1 if the code is in the sequence, else 0."""
        return int(code in self)

    def __repr__(self) -> str:
        return f"<{self.n} codes>"

    def __reduce__(self):
        return tuple, (list(self),)


cdef uint32_t _choices(Combinations c, int i, int left, int r) noexcept:
    """Choices of r cards out of `left` copies of kind i and all kinds after it."""
    cdef uint32_t total = c.below[i + 1][r]
    if left >= 1 and r >= 1:
        total += c.below[i + 1][r - 1]
    if left >= 2 and r >= 2:
        total += c.below[i + 1][r - 2]
    return total


cdef Combinations combinations(uint64_t one, uint64_t two, int size, int prefix):
    """All choices of `size` (0..5) kinds out of a multiset of bits; code = the bytes (prefix, kinds...)."""
    cdef Combinations c = Combinations.__new__(Combinations)
    cdef int i, r
    cdef uint64_t bit
    c.n = 0
    while one:
        bit = one & (0 - one)
        c.kinds[c.n] = <uint8_t> hz_lowest(one)
        c.copies[c.n] = 2 if two & bit else 1
        c.n += 1
        one ^= bit
    c.size = size
    c.prefix = prefix
    memset(c.below, 0, sizeof(c.below))
    c.below[c.n][0] = 1
    for i in range(c.n - 1, -1, -1):
        for r in range(size + 1):
            c.below[i][r] = _choices(c, i, c.copies[i], r)
    return c


@cython.no_gc
cdef class Combinations:
    def __len__(self) -> int:
        return self.below[0][self.size]

    def __getitem__(self, index):
        cdef Py_ssize_t at, length = self.below[0][self.size]
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(length))]
        at = PyNumber_AsSsize_t(index, IndexError)
        if at < 0:
            at += length
        if not 0 <= at < length:
            raise IndexError("code index out of range")
        cdef uint32_t rank = <uint32_t> at, first
        cdef int64_t code = self.prefix
        cdef int i = 0, left = self.copies[0], r = self.size
        while r:
            first = _choices(self, i, left - 1, r - 1) if left else 0
            if rank < first:
                code = code << 8 | self.kinds[i]
                left -= 1
                r -= 1
            else:
                rank -= first
                i += 1
                left = self.copies[i]
        return code

    def index(self, code) -> int:
        """Place of a code, ValueError if it is none of these."""
        cdef object place = self._find(code)
        if place is None:
            raise ValueError("not in the sequence")
        return place

    def __contains__(self, code) -> bool:
        return self._find(code) is not None

    def count(self, code) -> int:
        """1 if the code is in the sequence, else 0."""
        return int(code in self)

    def _find(self, code):
        cdef int i = 0, left = self.copies[0], r
        cdef uint32_t rank = 0
        cdef int64_t sought
        cdef uint8_t kind
        if not read_code(code, &sought) or sought >> 8 * self.size != self.prefix:
            return None
        for r in range(self.size, 0, -1):
            kind = <uint8_t> (sought >> 8 * (r - 1))
            while i < self.n and self.kinds[i] < kind:
                if left:
                    rank += _choices(self, i, left - 1, r - 1)
                i += 1
                left = self.copies[i] if i < self.n else 0
            if i == self.n or self.kinds[i] != kind or left == 0:
                return None
            left -= 1
        return rank

    def __repr__(self) -> str:
        return f"<{len(self)} codes>"

    def __reduce__(self):
        return tuple, (list(self),)
