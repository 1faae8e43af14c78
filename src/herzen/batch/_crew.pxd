# Slots at which several threads work.

from herzen.batch._slots cimport Slots

cdef class Crew(Slots):
    cdef object _pool           # the threads besides the caller's, None for none
    cdef object _pool_of        # the process that they belong to
    cdef int _threads
    cdef bint busy
    cdef bint closed
    cdef int _hire(self, int threads) except -1
    cdef int _dismiss(self) except -1
    cdef int _enter(self) except -1
    cdef int _share(self, int what, void *out, int seat) except -1
