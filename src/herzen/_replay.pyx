"""Records at C level: decks and moves as JSON has them, and moves played from their texts."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.dict cimport PyDict_GetItem
from cpython.list cimport PyList_CheckExact, PyList_GET_ITEM, PyList_GET_SIZE
from cpython.long cimport PyLong_AsLongLongAndOverflow, PyLong_CheckExact
from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_CheckExact, PyTuple_GET_ITEM, PyTuple_GET_SIZE, PyTuple_New, PyTuple_SET_ITEM
from cpython.unicode cimport PyUnicode_CheckExact, PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND
from libc.stdint cimport uint8_t, uint32_t, int64_t
from libc.string cimport memcmp, memset

from herzen._core cimport MAX_DECK, Head, State

from herzen.errors import HerzenError

cdef extern from "Python.h":
    int PyObject_GenericSetAttr(object, object, object) except -1

cdef enum:
    NONE_LEFT = 0xFF    # among copies: there is no further one


cdef inline int _small(object number, int limit) except -2:
    """A plain int 0 <= number < limit; -1 for anything else."""
    cdef int overflow = 0
    cdef int64_t value
    if not PyLong_CheckExact(number):
        return -1
    value = PyLong_AsLongLongAndOverflow(number, &overflow)
    return <int> value if overflow == 0 and 0 <= value < limit else -1


def object_maker(refuse: Callable) -> Callable:
    """What makes the dict of a JSON object from its (key, value) pairs; it calls `refuse(key)`, which must raise, for a
    key that stands twice."""
    def make(pairs: list) -> dict:
        cdef list given = pairs
        cdef dict data = {}
        cdef tuple pair
        for pair in given:
            data[pair[0]] = pair[1]
        if len(data) < len(given):
            seen = set()
            for pair in given:
                if pair[0] in seen:
                    refuse(pair[0])
                seen.add(pair[0])
        return data
    return make


def read_moves(moves: list, players: int) -> tuple[tuple[int, str], ...] | int:
    """The moves of a record, [[seat, text], ...], as tuples; the index of the first that is no such pair."""
    cdef list given = moves
    cdef int seats = players
    cdef Py_ssize_t i
    cdef object move, pair
    cdef tuple out = PyTuple_New(PyList_GET_SIZE(given))
    for i in range(PyList_GET_SIZE(given)):
        move = <object> PyList_GET_ITEM(given, i)
        if (
            not PyList_CheckExact(move)
            or PyList_GET_SIZE(move) != 2
            or _small(<object> PyList_GET_ITEM(move, 0), seats) < 0
            or not PyUnicode_CheckExact(<object> PyList_GET_ITEM(move, 1))
        ):
            return i
        pair = (<object> PyList_GET_ITEM(move, 0), <object> PyList_GET_ITEM(move, 1))
        Py_INCREF(pair)         # PyTuple_SET_ITEM keeps the reference that it is given
        PyTuple_SET_ITEM(out, i, pair)
    return out


def read_deck(deck: list, first: dict[str, int], following: bytes, size: int) -> bytes | None:
    """The indices of a complete deck given by the cards' own texts; None for any other list.

    first: the lowest index of each text. following: for each index that of its next copy, or 255. The m-th mention of
    a text is its m-th copy."""
    cdef list texts = deck
    cdef dict lowest = first
    cdef const uint8_t *after = <const uint8_t *> PyBytes_AS_STRING(<bytes> following)
    cdef uint8_t used[256]
    cdef uint8_t out[256]
    cdef Py_ssize_t i
    cdef object text
    cdef PyObject *found
    cdef int index
    if PyList_GET_SIZE(texts) != size or size > MAX_DECK:
        return None
    memset(used, 0, sizeof(used))
    for i in range(PyList_GET_SIZE(texts)):
        text = <object> PyList_GET_ITEM(texts, i)
        if not PyUnicode_CheckExact(text):
            return None
        found = PyDict_GetItem(lowest, text)
        if found == NULL:
            return None
        index = <object> found
        while used[index]:
            index = after[index]
            if index == NONE_LEFT:
                return None
        used[index] = 1
        out[i] = <uint8_t> index
    return PyBytes_FromStringAndSize(<char *> out, PyList_GET_SIZE(texts))


def deck_texts(deck: bytes, texts: list[str]) -> tuple[str, ...]:
    """The texts of the cards of a deck, given the text of each index."""
    cdef list text = texts
    cdef const uint8_t *index = <const uint8_t *> PyBytes_AS_STRING(<bytes> deck)
    cdef Py_ssize_t i, size = len(<bytes> deck)
    return tuple([text[index[i]] for i in range(size)])


def fill(record: object, names: tuple, values: Sequence[object]) -> None:
    """Set attributes as object.__setattr__ does: for objects that refuse it to everybody else."""
    for name, value in zip(<tuple> names, values):
        PyObject_GenericSetAttr(record, name, value)


cdef inline bint _same(object text, object other):
    """Whether two texts are equal; a comparison by Python costs several times as much for those of a few letters."""
    return (
        PyUnicode_GET_LENGTH(text) == PyUnicode_GET_LENGTH(other)
        and PyUnicode_KIND(text) == PyUnicode_KIND(other)
        and memcmp(
            PyUnicode_DATA(text), PyUnicode_DATA(other), PyUnicode_GET_LENGTH(text) * PyUnicode_KIND(text)
        ) == 0
    )


def seeded_deals(game: State, deals: list, texts: list[str]) -> list[tuple[str, ...]] | None:
    """The decks of a record as tuples, if they are, from deal 0 on, those that the game's seed deals; else None.

    texts: the text of each index."""
    cdef State state = game
    cdef list given = deals
    cdef list text = texts
    cdef int size = state.block.deck_size
    cdef Py_ssize_t number
    cdef int i
    cdef bytes seeded
    cdef const uint8_t *index
    cdef object deck, card, own
    cdef tuple told
    cdef list out = []
    for number in range(PyList_GET_SIZE(given)):
        deck = <object> PyList_GET_ITEM(given, number)
        if not PyList_CheckExact(deck) or PyList_GET_SIZE(deck) != size:
            return None
        seeded = state._seed_deck(number)
        index = <const uint8_t *> PyBytes_AS_STRING(seeded)
        told = PyTuple_New(size)
        for i in range(size):
            card = <object> PyList_GET_ITEM(deck, i)
            own = text[index[i]]
            if not PyUnicode_CheckExact(card) or not _same(card, own):
                return None
            Py_INCREF(own)
            PyTuple_SET_ITEM(told, i, own)
        out.append(told)
    return out


cdef bint _is_hex(object text, Py_ssize_t digits):
    cdef Py_ssize_t k
    cdef Py_UCS4 digit
    if not PyUnicode_CheckExact(text) or len(<str> text) != digits:
        return False
    for k in range(digits):
        digit = (<str> text)[k]
        if not (u"0" <= digit <= u"9" or u"a" <= digit <= u"f"):
            return False
    return True


def is_hex(text: object, digits: int) -> bool:
    """Whether this is a plain text of so many hex digits."""
    return _is_hex(text, digits)


def read_marks(marks: list, moves: int) -> tuple[tuple[int, str], ...] | int:
    """The fingerprints of a record, [[moves applied, 32 hex digits], ...], as tuples; the index of the first that is
    no such pair."""
    cdef list given = marks
    cdef int most = min(moves, 0x7FFFFFFE)
    cdef Py_ssize_t i
    cdef object mark, text
    cdef list out = []
    for i in range(PyList_GET_SIZE(given)):
        mark = <object> PyList_GET_ITEM(given, i)
        if not PyList_CheckExact(mark) or PyList_GET_SIZE(mark) != 2:
            return i
        text = <object> PyList_GET_ITEM(mark, 1)
        if _small(<object> PyList_GET_ITEM(mark, 0), most + 1) < 0 or not _is_hex(text, 32):
            return i
        out.append((<object> PyList_GET_ITEM(mark, 0), text))
    return tuple(out)


def agrees(
    game: State, moves: tuple, marks: tuple, codes: dict[str, int], read: Callable
) -> bool:
    """Whether all moves of a record can be played one after another, and lead to the fingerprints of `marks`, which
    ascend: [(moves applied, fingerprint), ...]. The game is moved on. codes, read: as for `play_on`."""
    cdef State state = game
    cdef Py_ssize_t done = 0, count
    for count, mark in marks:
        if count < done or _play_on(state, moves, done, count, codes, read) < count:
            return False
        done = count
        if state.has_seed and state.fingerprint() != mark:
            return False
    count = PyTuple_GET_SIZE(moves)
    return _play_on(state, moves, done, count, codes, read) == count


def play_on(game: State, moves: tuple, first: int, last: int, codes: dict[str, int], read: Callable) -> int:
    """Play the moves `first` to `last` - 1 of a record as far as they are legal.

    codes: codes by move text; read(text): the code of a text that is not among them, HerzenError if it has none.
    Returns the index of the first move that was not played, `last` if all were. Whoever calls finds out what is wrong
    with that move."""
    return _play_on(game, moves, first, last, codes, read)


cdef Py_ssize_t _play_on(
    State state, tuple given, Py_ssize_t start, Py_ssize_t last, dict known, object read
) except -1:
    cdef Py_ssize_t i, end = min(last, PyTuple_GET_SIZE(given))
    cdef object move, text, number
    cdef int seat
    cdef int64_t code
    cdef uint32_t dealt
    for i in range(start, end):
        move = <object> PyTuple_GET_ITEM(given, i)
        if not PyTuple_CheckExact(move) or PyTuple_GET_SIZE(move) != 2:
            return i
        seat = _small(<object> PyTuple_GET_ITEM(move, 0), state.block.players)
        text = <object> PyTuple_GET_ITEM(move, 1)
        if (
            seat < 0
            or not PyUnicode_CheckExact(text)
            or (<Head *> state.pos).turn < 0
            or not state.block.ops.actors(state.pos, state.block) >> seat & 1
        ):
            return i
        try:
            number = known.get(text)
            code = read(text) if number is None else number
            if not state.block.ops.check(state.pos, state.block, seat, code):
                return i
            state._advance(seat, code, &dealt)
        except HerzenError:     # no such move, or no deck for the next deal; the game is as before
            return i
    return end
