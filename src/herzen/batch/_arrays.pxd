# Arrays from outside, checked before anything reads or writes them.

cdef int check(object array, str name, Py_buffer *view, bytes formats, str kind, tuple shape, bint writable) except -1
cdef void *memory(object array) except NULL
cdef object read_actions(object actions, Py_ssize_t n, object scratch)
