"""Arrays from outside, checked before anything reads or writes them."""

import sys

import numpy as np

from cpython.buffer cimport (
    PyBUF_C_CONTIGUOUS, PyBUF_FORMAT, PyBUF_WRITABLE, PyBuffer_Release, PyObject_CheckBuffer, PyObject_GetBuffer,
)

from herzen.integers import exact_int


cdef object _shape_text(const Py_ssize_t *shape, int ndim):
    return tuple([shape[i] for i in range(ndim)])


cdef int check(object array, str name, Py_buffer *view, bytes formats, str kind, tuple shape, bint writable) except -1:
    """Get a C-contiguous buffer of this kind and shape: TypeError or ValueError that name the array."""
    cdef int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (PyBUF_WRITABLE if writable else 0)
    cdef bytes found
    if not PyObject_CheckBuffer(array):
        raise TypeError(f"{name}: a numpy array of {kind} is needed, not {type(array).__name__}")
    try:
        PyObject_GetBuffer(array, view, flags)
    except (ValueError, BufferError):
        if writable and getattr(getattr(array, "flags", None), "writeable", True) is False:
            raise ValueError(f"{name}: the array is read-only") from None
        raise ValueError(f"{name}: a C-contiguous array is needed") from None
    found = view.format if view.format != NULL else b"B"
    if len(found) == 2 and found[:1] in b"@=" + (b"<" if sys.byteorder == "little" else b">"):
        found = found[1:]
    if found not in formats or len(found) != 1:
        PyBuffer_Release(view)
        raise TypeError(f"{name}: {kind} is needed, not {getattr(array, 'dtype', found.decode())}")
    given = _shape_text(view.shape, view.ndim)
    if given != shape:
        PyBuffer_Release(view)
        raise ValueError(f"{name}: shape {shape} is needed, not {given}")
    return 0


cdef void *memory(object array) except NULL:
    """Where an array of our own lies."""
    cdef Py_buffer view
    cdef void *place
    PyObject_GetBuffer(array, &view, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE)
    place = view.buf
    PyBuffer_Release(&view)
    return place


cdef object read_actions(object actions, Py_ssize_t n, object scratch):
    """Actions of any kind of integers as int64: written to `scratch`, which is returned."""
    array = np.asarray(actions)
    if array.dtype == object:           # numbers beyond 64 bits, which are no actions, or no numbers
        exact = [exact_int(action) for action in array.flat]
        if None not in exact:
            array = np.array([action if 0 <= action < 1 << 31 else -1 for action in exact]).reshape(array.shape)
    if array.dtype.kind not in "iu" or (array.dtype.kind == "u" and array.dtype.itemsize > 8):
        raise TypeError(f"actions: integers are needed, not {array.dtype}")
    if array.shape != (n,):
        raise ValueError(f"actions: shape {(n,)} is needed, not {array.shape}")
    if array.dtype == np.uint64:        # what does not fit is no action
        array = np.minimum(array, np.uint64(1 << 62))
    np.copyto(scratch, array, casting="unsafe")
    return scratch
