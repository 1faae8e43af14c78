"""The tables of herzen/counting.py: how often a table with given sums of rows and columns can be filled, and graphs
from which one is drawn. Counts are exact: numbers of WIDE words, the least significant first."""

from cpython.mem cimport PyMem_Free, PyMem_Malloc, PyMem_Realloc
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy, memset

END = -1

cdef enum:
    FACTOR = 4              # words of a binomial coefficient

cdef uint32_t BINOMIAL[SIDE + 1][SIDE + 1][FACTOR]
cdef int _n, _k, _i
cdef uint64_t _sum
memset(BINOMIAL, 0, sizeof(BINOMIAL))
for _n in range(SIDE + 1):
    BINOMIAL[_n][0][0] = BINOMIAL[_n][_n][0] = 1
    for _k in range(1, _n):
        _sum = 0
        for _i in range(FACTOR):
            _sum += <uint64_t> BINOMIAL[_n - 1][_k - 1][_i] + BINOMIAL[_n - 1][_k][_i]
            BINOMIAL[_n][_k][_i] = <uint32_t> _sum
            _sum >>= 32


cdef inline void add_product(uint32_t *to, const uint32_t *number, const uint32_t *factor) noexcept nogil:
    """to += number * factor, which fits."""
    cdef uint64_t carry
    cdef int i, j, wide = WIDE
    while wide and number[wide - 1] == 0:
        wide -= 1
    for i in range(FACTOR):
        if factor[i] == 0:
            continue
        carry = 0
        for j in range(wide):
            if i + j >= WIDE:
                break
            carry += <uint64_t> number[j] * factor[i] + to[i + j]
            to[i + j] = <uint32_t> carry
            carry >>= 32
        j = i + wide
        while carry and j < WIDE:
            carry += to[j]
            to[j] = <uint32_t> carry
            carry >>= 32
            j += 1


cdef inline bint is_zero(const uint32_t *number) noexcept nogil:
    cdef int i
    for i in range(WIDE):
        if number[i]:
            return False
    return True


cdef object to_int(const uint32_t *number):
    cdef int i
    out = 0
    for i in range(WIDE - 1, -1, -1):
        out = out << 32 | number[i]
    return out


cdef int from_int(object number, uint32_t *out) except -1:
    cdef int i
    for i in range(WIDE):
        out[i] = number & 0xFFFFFFFF
        number >>= 32
    if number:
        raise OverflowError("a count is too large")
    return 0


cdef void *_grown(void *memory, size_t size) except NULL:
    memory = PyMem_Realloc(memory, size)
    if memory == NULL:
        raise MemoryError
    return memory


cdef class Graph:
    def __dealloc__(self):
        PyMem_Free(self.nodes)
        PyMem_Free(self.children)
        PyMem_Free(self.words)

    def __len__(self) -> int:
        return self.used_nodes

    def node(self, number: int) -> tuple[int, int, int, list[int], list[int]]:
        """(class, group, lowest number, weights, children) of a node."""
        cdef uint32_t i, j
        if not 0 <= number < self.used_nodes:
            raise IndexError("no such node")
        cdef Node *node = &self.nodes[<uint32_t> number]
        weights = []
        before = 0
        for i in range(node.choices):
            total = 0
            for j in range(node.words):
                total = total << 32 | self.words[node.thresholds + i * node.words + j]
            total += i + 1 == node.choices
            weights.append(total - before)
            before = total
        children = [self.children[node.children + i] for i in range(node.choices)]
        return node.kind, node.group, node.lowest, weights, [END if some == LAST else some for some in children]

    def choice(self, weights: list[int]) -> int:
        """A node that draws a number from 0 on with these weights, whose sum is at least 1."""
        cdef uint32_t n = len(weights), i
        cdef uint32_t *children = <uint32_t *> PyMem_Malloc(n * sizeof(uint32_t) * (WIDE + 1))
        if children == NULL:
            raise MemoryError
        try:
            total = 0
            for i in range(n):
                children[i] = i
                total += weights[i]
                from_int(total, children + n + i * WIDE)
            return self.add(0, 0, 0, n, children, children + n)
        finally:
            PyMem_Free(children)

    cdef int64_t add(
        self, int kind, int group, int lowest, uint32_t choices, const uint32_t *children, const uint32_t *sums
    ) except -1:
        """A new node with these children and sums of weights (WIDE words each); its number."""
        cdef uint32_t total[WIDE]
        cdef uint32_t i
        cdef int width = WIDE, j
        cdef Node *node
        memcpy(total, sums + <size_t> (choices - 1) * WIDE, sizeof(total))
        for j in range(WIDE):           # less 1
            total[j] -= 1
            if total[j] != 0xFFFFFFFF:
                break
        while width > 1 and total[width - 1] == 0:
            width -= 1
        if self.used_nodes == self.room_nodes:
            self.room_nodes = 2 * self.room_nodes + 16
            self.nodes = <Node *> _grown(self.nodes, self.room_nodes * sizeof(Node))
        if self.used_children + choices > self.room_children:
            self.room_children = 2 * (self.room_children + choices)
            self.children = <uint32_t *> _grown(self.children, self.room_children * sizeof(uint32_t))
        if self.used_words + choices * width > self.room_words:
            self.room_words = 2 * (self.room_words + choices * width)
            self.words = <uint32_t *> _grown(self.words, self.room_words * sizeof(uint32_t))
        node = &self.nodes[self.used_nodes]
        node.kind = <uint8_t> kind
        node.group = <uint8_t> group
        node.lowest = <uint8_t> lowest
        node.words = <uint8_t> width
        node.choices = choices
        node.children = self.used_children
        node.thresholds = self.used_words
        node.top = total[width - 1]
        for j in (1, 2, 4, 8, 16):
            node.top |= node.top >> j
        if width == 1 and node.top != 0xFFFFFFFF:
            node.top = 0
        memcpy(self.children + self.used_children, children, choices * sizeof(uint32_t))
        self.used_children += choices
        for i in range(choices):
            for j in range(width - 1, -1, -1):
                self.words[self.used_words] = total[j] if i + 1 == choices else sums[i * WIDE + j]
                self.used_words += 1
        self.used_nodes += 1
        return self.used_nodes - 1


ctypedef struct Result:
    uint32_t node
    uint32_t weight[WIDE]


cdef class Tables:
    """All tables of numbers with these sums of rows and columns; cells without bounds are 0.

    The rows are filled one after the other; what is left of the columns is all that a later row asks for."""
    cdef int rows, columns
    cdef uint8_t sizes[SIDE]
    cdef uint8_t cells[SIDE]            # number of cells of each row
    cdef uint8_t names[SIDE]            # of the rows
    cdef uint8_t order[SIDE][SIDE]      # the columns of each row's cells in the order in which they are filled
    cdef uint8_t low[SIDE][SIDE]
    cdef uint8_t high[SIDE][SIDE]
    cdef uint8_t most[SIDE + 1][SIDE]   # what the rows from here on can take of each column
    cdef uint8_t least[SIDE + 1][SIDE]  # and what they must take
    cdef uint8_t left[SIDE]             # of the columns
    cdef bint turned                    # rows are groups and columns classes
    cdef Graph graph
    cdef Result *results                # of the states met: the first two are "impossible" and "complete"
    cdef uint8_t *keys                  # of the states, `stride` bytes each
    cdef uint32_t *slots                # hash table of the states, 0 = empty
    cdef uint32_t used, room, mask
    cdef int stride
    cdef uint32_t sums[SIDE + 1][WIDE]

    def __init__(self, list rows, list columns, list order, list bounds, list names, bint turned, Graph graph):
        """`order`: the columns of each row's cells; `bounds`: a dict for each row, column -> (least, greatest)."""
        cdef int at, column, place
        self.rows = len(rows)
        self.columns = len(columns)
        if self.rows > SIDE or self.columns > SIDE or sum(rows) > SIDE or sum(columns) > SIDE:
            raise ValueError("a table is too large")
        self.turned = turned
        self.graph = graph
        self.stride = self.columns + 3
        for column in range(self.columns):
            self.left[column] = columns[column]
        for at in range(self.rows - 1, -1, -1):
            self.sizes[at] = rows[at]
            self.names[at] = names[at]
            self.cells[at] = len(order[at])
            memcpy(self.most[at], self.most[at + 1], SIDE)
            memcpy(self.least[at], self.least[at + 1], SIDE)
            for place in range(self.cells[at]):
                column = self.order[at][place] = order[at][place]
                self.low[at][column], self.high[at][column] = bounds[at][column]
                self.most[at][column] = min(255, self.most[at][column] + min(self.high[at][column], self.sizes[at]))
                self.least[at][column] = min(255, self.least[at][column] + self.low[at][column])

    def __dealloc__(self):
        PyMem_Free(self.results)
        PyMem_Free(self.keys)
        PyMem_Free(self.slots)

    def count(self) -> tuple[int, int]:
        """(first node, sum over all tables of the product over rows of row! / product of its cells!)."""
        cdef int64_t found = 1
        self._room(64)
        self.used = 2
        memset(self.results, 0, 2 * sizeof(Result))
        self.results[0].node = self.results[1].node = LAST
        self.results[1].weight[0] = 1
        if self.rows:
            found = self._visit(0, 0, self.sizes[0])
        node = self.results[found].node
        return END if node == LAST else node, to_int(self.results[found].weight)

    cdef int _room(self, uint32_t room) except -1:
        """Make room for so many states, a power of two."""
        cdef uint32_t i, slot
        self.results = <Result *> _grown(self.results, room * sizeof(Result))
        self.keys = <uint8_t *> _grown(self.keys, <size_t> room * self.stride)
        self.slots = <uint32_t *> _grown(self.slots, 2 * <size_t> room * sizeof(uint32_t))
        self.room = room
        self.mask = 2 * room - 1
        memset(self.slots, 0, 2 * <size_t> room * sizeof(uint32_t))
        for i in range(2, self.used):
            slot = self._slot(self.keys + <size_t> i * self.stride)
            self.slots[slot] = i
        return 0

    cdef uint32_t _slot(self, const uint8_t *key) noexcept:
        """Where a state stands in the hash table, or would."""
        cdef uint64_t hashed = 0xCBF29CE484222325ULL
        cdef int i
        cdef uint32_t slot
        for i in range(self.stride):
            hashed = (hashed ^ key[i]) * 0x100000001B3ULL
        slot = <uint32_t> (hashed ^ hashed >> 32) & self.mask
        while self.slots[slot] and memcmp(self.keys + <size_t> self.slots[slot] * self.stride, key, self.stride):
            slot = (slot + 1) & self.mask
        return slot

    cdef int64_t _visit(self, int at, int place, int amount) except -1:
        """The state in which this cell is to be filled and its row has so much left; its number."""
        cdef int column, low, high, others, i, number, first = -1, last = -1
        cdef uint32_t children[SIDE + 1]
        cdef uint8_t key[SIDE + 3]
        cdef uint32_t slot, found
        if place == self.cells[at]:
            if amount:
                return 0
            if at + 1 == self.rows:
                for i in range(self.columns):
                    if self.left[i]:
                        return 0
                return 1
            return self._visit(at + 1, 0, self.sizes[at + 1])
        key[0] = <uint8_t> at
        key[1] = <uint8_t> place
        key[2] = <uint8_t> amount
        memcpy(&key[3], self.left, self.columns)
        slot = self._slot(key)
        if self.slots[slot]:
            return self.slots[slot]
        column = self.order[at][place]
        others = 0
        for i in range(place + 1, self.cells[at]):
            others += self.left[self.order[at][i]]
        low = max(<int> self.low[at][column], <int> self.left[column] - self.most[at + 1][column], amount - others)
        high = min(<int> self.high[at][column], amount, <int> self.left[column] - self.least[at + 1][column])
        for number in range(low, high + 1):
            self.left[column] -= <uint8_t> number
            children[number] = <uint32_t> self._visit(at, place + 1, amount - number)
            self.left[column] += <uint8_t> number
            if not is_zero(self.results[children[number]].weight):
                last = number
                if first < 0:
                    first = number
        if self.used == self.room:
            self._room(2 * self.room)
        found = self.used
        self.used += 1
        memcpy(self.keys + <size_t> found * self.stride, key, self.stride)
        self.slots[self._slot(key)] = found
        memset(&self.results[found], 0, sizeof(Result))
        self.results[found].node = LAST
        if first < 0:
            return found
        for number in range(first, last + 1):
            i = number - first
            if i:
                memcpy(self.sums[i], self.sums[i - 1], sizeof(self.sums[i]))
            else:
                memset(self.sums[i], 0, sizeof(self.sums[i]))
            add_product(self.sums[i], self.results[children[number]].weight, BINOMIAL[amount][number])
            children[number] = self.results[children[number]].node
        memcpy(self.results[found].weight, self.sums[last - first], sizeof(self.results[found].weight))
        if last == 0:       # nothing to do here
            self.results[found].node = children[0]
            return found
        self.results[found].node = <uint32_t> self.graph.add(
            column if self.turned else self.names[at], self.names[at] if self.turned else column, first,
            <uint32_t> (last - first + 1), &children[first], self.sums[0]
        )
        return found
