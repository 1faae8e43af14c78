# Worlds: the placements of the unseen cards that fit all a seat saw. View.sample and search draw from them.

from herzen._core cimport Rules, hz_stream

cdef class Worlds:
    """The worlds of one view. Each game's module `_worlds` fills in what its view tells."""
    cdef readonly object view
    cdef const Rules *block
    cdef bint checked           # a world of it has been found to look like the view
    cdef void *known            # what the view tells, in a struct of the game's own; freed with this object
    # Write a uniformly random world to a position (block.ops.size bytes, whatever they were before).
    cdef void (*place)(const void *known, hz_stream *chance, void *pos) noexcept nogil
