# Graphs of tables of exact counts, from which numbers are drawn with exactly the right probability.

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from herzen._core cimport hz_bounded, hz_next, hz_stream

cdef enum:
    SIDE = 104              # rows, columns; sums are below 256
    WIDE = 14               # words of a count: at most 104 cards to at most 13 places, below 2**385
    LAST = 0x7FFFFFFF       # the node after the last one

ctypedef struct Node:
    # A number to draw: lowest + the number of thresholds that are not above what is drawn.
    uint8_t kind, group, lowest
    uint8_t words           # of a threshold, the most significant first
    uint32_t top            # mask of the first word drawn; 0: one word, drawn below the total
    uint32_t choices
    uint32_t children       # where they begin in the list of children
    uint32_t thresholds     # where they begin in the list of words; the last one is the total less 1

cdef class Graph:
    """Nodes, their children and thresholds, in rows that grow."""
    cdef Node *nodes
    cdef uint32_t *children
    cdef uint32_t *words
    cdef uint32_t used_nodes, used_children, used_words
    cdef uint32_t room_nodes, room_children, room_words
    cdef int64_t add(
        self, int kind, int group, int lowest, uint32_t choices, const uint32_t *children, const uint32_t *sums
    ) except -1

cdef inline int compare_words(const uint32_t *a, const uint32_t *b, int words) noexcept nogil:
    cdef int i
    for i in range(words):
        if a[i] != b[i]:
            return 1 if a[i] > b[i] else -1
    return 0

cdef inline uint32_t draw_choice(const Node *node, const uint32_t *words, hz_stream *chance) noexcept nogil:
    """Which of the node's choices, each with exactly the probability that its thresholds give."""
    cdef const uint32_t *at
    cdef const uint32_t *last
    cdef uint32_t number[WIDE]
    cdef uint32_t choice
    cdef int i, drawn
    if node.choices == 1:
        return 0
    at = words + node.thresholds
    last = at + <size_t> (node.choices - 1) * node.words
    choice = 0
    if node.top == 0:
        number[0] = hz_bounded(chance, last[0] + 1)
        while choice + 1 < node.choices and number[0] >= at[choice]:
            choice += 1
        return choice
    while True:
        # As many bits as the total has: at least every second number is below it. Further words only where the first
        # one does not decide.
        number[0] = hz_next(chance) & node.top
        if number[0] > last[0]:
            continue
        drawn = 1
        if number[0] == last[0]:
            for i in range(1, node.words):
                number[i] = hz_next(chance)
            drawn = node.words
            if compare_words(number, last, node.words) > 0:
                continue
        break
    while choice + 1 < node.choices and number[0] >= at[0]:
        if number[0] == at[0]:
            for i in range(drawn, node.words):
                number[i] = hz_next(chance)
            drawn = node.words
            if compare_words(number, at, node.words) < 0:
                break
        choice += 1
        at += node.words
    return choice

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
