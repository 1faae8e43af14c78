"""Records at C level: decks and moves as JSON has them, and moves played from their texts."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.dict cimport PyDict_GetItem
from cpython.list cimport PyList_CheckExact, PyList_GET_ITEM, PyList_GET_SIZE
from cpython.long cimport PyLong_AsLongLongAndOverflow, PyLong_CheckExact
from cpython.object cimport PyObject
from cpython.tuple cimport PyTuple_CheckExact, PyTuple_GET_ITEM, PyTuple_GET_SIZE
from cpython.unicode cimport PyUnicode_CheckExact
from libc.stdint cimport uint8_t, uint32_t, int64_t
from libc.string cimport memset

from herzen._core cimport MAX_DECK, Head, State

from herzen.errors import HerzenError

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


def read_moves(moves: list, players: int) -> tuple[tuple[int, str], ...] | int:
    """The moves of a record, [[seat, text], ...], as tuples; the index of the first that is no such pair."""
    cdef list given = moves
    cdef int seats = players
    cdef Py_ssize_t i
    cdef object move
    cdef list out = []
    for i in range(PyList_GET_SIZE(given)):
        move = <object> PyList_GET_ITEM(given, i)
        if (
            not PyList_CheckExact(move)
            or PyList_GET_SIZE(move) != 2
            or _small(<object> PyList_GET_ITEM(move, 0), seats) < 0
            or not PyUnicode_CheckExact(<object> PyList_GET_ITEM(move, 1))
        ):
            return i
        out.append((<object> PyList_GET_ITEM(move, 0), <object> PyList_GET_ITEM(move, 1)))
    return tuple(out)


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


def read_marks(marks: list, moves: int) -> tuple[tuple[int, str], ...] | int:
    """The fingerprints of a record, [[moves applied, 32 hex digits], ...], as tuples; the index of the first that is
    no such pair."""
    cdef list given = marks
    cdef int most = min(moves, 0x7FFFFFFE)
    cdef Py_ssize_t i, k
    cdef object mark, text
    cdef Py_UCS4 digit
    cdef list out = []
    for i in range(PyList_GET_SIZE(given)):
        mark = <object> PyList_GET_ITEM(given, i)
        if not PyList_CheckExact(mark) or PyList_GET_SIZE(mark) != 2:
            return i
        text = <object> PyList_GET_ITEM(mark, 1)
        if _small(<object> PyList_GET_ITEM(mark, 0), most + 1) < 0 or not PyUnicode_CheckExact(text):
            return i
        if len(<str> text) != 32:
            return i
        for k in range(32):
            digit = (<str> text)[k]
            if not (u"0" <= digit <= u"9" or u"a" <= digit <= u"f"):
                return i
        out.append((<object> PyList_GET_ITEM(mark, 0), text))
    return tuple(out)


def play_on(game: State, moves: tuple, first: int, last: int, codes: dict[str, int], read: Callable) -> int:
    """Play the moves `first` to `last` - 1 of a record as far as they are legal.

    codes: codes by move text; read(text): the code of a text that is not among them, HerzenError if it has none.
    Returns the index of the first move that was not played, `last` if all were. Whoever calls finds out what is wrong
    with that move."""
    cdef State state = game
    cdef tuple given = moves
    cdef dict known = codes
    cdef Py_ssize_t i, start = first, end = min(<Py_ssize_t> last, PyTuple_GET_SIZE(moves))
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
