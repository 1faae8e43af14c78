"""Streams, positions, histories and moves by code: what every game stands on."""

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.long cimport PyLong_AsLongLongAndOverflow
from cpython.object cimport PyObject, PyTypeObject
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset


cdef extern from "Python.h":
    object PyNumber_Index(object o)
    bint PyLong_CheckExact(object o)
    bint PyBool_Check(object o)


cdef tuple _NO_ARGUMENTS = ()


cdef uint32_t read_key(object seed, uint32_t *key) except 0:
    """The eight words of a seed 0 <= seed < 2**256, least significant first."""
    cdef bytes raw = seed.to_bytes(32, "little")
    cdef const uint8_t *b = <const uint8_t *> PyBytes_AS_STRING(raw)
    cdef int i
    for i in range(8):
        key[i] = (
            b[4 * i] | <uint32_t> b[4 * i + 1] << 8 | <uint32_t> b[4 * i + 2] << 16 | <uint32_t> b[4 * i + 3] << 24
        )
    return 1


cdef object _key_to_int(const uint32_t *key):
    cdef object seed = 0
    cdef int i
    for i in range(7, -1, -1):
        seed = seed << 32 | key[i]
    return seed


cdef class Stream:
    """The random words of (seed, domain, index): ChaCha with 8 rounds, see docs/seeds.rst."""
    cdef hz_stream stream

    def __init__(self, seed: int, domain: int, index: int = 0) -> None:
        cdef uint32_t key[8]
        read_key(seed, key)
        hz_stream_open(&self.stream, key, domain, index)

    def next(self) -> int:
        """The next 32-bit word."""
        return hz_next(&self.stream)

    def bounded(self, n: int) -> int:
        """A uniform number 0 <= x < n, for 1 <= n < 2**32."""
        if not 1 <= n < 1 << 32:
            raise ValueError(f"bounded: n must be 1..2**32-1, not {n}")
        return hz_bounded(&self.stream, n)

    def shuffle(self, cards: bytes) -> bytes:
        """The bytes in shuffled order, position 0 first."""
        cdef bytes deck = bytes(cards)
        cdef bytes out = PyBytes_FromStringAndSize(PyBytes_AS_STRING(deck), len(deck))
        if len(deck) > 1:   # a bytes object of one character is shared
            hz_shuffle(&self.stream, <uint8_t *> PyBytes_AS_STRING(out), <int> len(deck))
        return out

    def seed(self) -> int:
        """The next eight words as a seed, least significant first."""
        cdef uint32_t key[8]
        cdef int i
        for i in range(8):
            key[i] = hz_next(&self.stream)
        return _key_to_int(key)


def child(seed: int, index: int) -> int:
    """The seed of game `index` of a simulation, batch or arena run from `seed`."""
    cdef uint32_t key[8]
    cdef uint32_t out[8]
    read_key(seed, key)
    hz_child(key, index, out)
    return _key_to_int(out)


def nth_bit(bits: int, n: int, portable: bool = False) -> int:
    """Number of the n-th set bit of a 64-bit set, from 0; both implementations, for the tests."""
    cdef uint64_t x = bits
    if not 0 <= n < hz_popcount(x):
        raise ValueError("nth_bit: no such bit")
    return hz_nth_bit_broadword(x, n) if portable else hz_nth_bit(x, n)


def gather(bits: int, mask: int, portable: bool = False) -> int:
    """The bits at the places of a mask, next to each other; both implementations, for the tests."""
    cdef uint64_t x = bits, places = mask
    return hz_gather_by_bits(x, places) if portable else hz_gather(x, places)


def scatter(bits: int, mask: int, portable: bool = False) -> int:
    """The lowest bits at the places of a mask, the other way round; both implementations, for the tests."""
    cdef uint64_t x = bits, places = mask
    return hz_scatter_by_bits(x, places) if portable else hz_scatter(x, places)


def trick_winner(lanes: bytes, cancel: bool = False) -> tuple[int, int]:
    """(place of the winning card or -1, place of the later copy of the highest cancelled pair or -1)."""
    cdef int later = -1
    cdef bytes cards = lanes
    cdef int n = <int> len(cards)
    cdef const uint8_t *p = <const uint8_t *> PyBytes_AS_STRING(cards)
    cdef uint8_t row[8]
    cdef uint64_t one = 0
    cdef int i
    memset(row, 0, sizeof(row))
    if n == 0:
        raise ValueError("a trick has at least one card")
    if cancel:
        return highest_uncancelled(p, n, &later), later
    if n > 8:
        raise ValueError("a trick from one pack has at most 8 cards")
    for i in range(n):
        row[i] = p[i]
        one |= <uint64_t> 1 << p[i]
    return highest_of_suit_led(hz_row8(row), one), later


# What an object that was never initialised points to, so that misuse gives errors and no crash: a match that is over.
cdef char[4096] _NOWHERE
cdef char[8192] _NO_BLOCK       # room for any game's constant block
cdef Ops _NO_OPS


cdef uint32_t _nobody(const void *pos, const Rules *rules) noexcept nogil:
    return 0


cdef bint _nothing(const void *pos, const Rules *rules, int seat, int64_t code) noexcept nogil:
    return False


cdef const int32_t *_no_totals(const void *pos) noexcept nogil:
    return <const int32_t *> (<const char *> pos + sizeof(Head))


cdef uint64_t _no_playout(
    void *pos, const Rules *rules, const uint32_t *key, hz_stream *play, int32_t *counts
) noexcept nogil:
    return 0


cdef uint32_t _no_winners(const void *pos, const Rules *rules) noexcept nogil:
    return 0


memset(_NOWHERE, 0, sizeof(_NOWHERE))
(<Head *> _NOWHERE).turn = -1
(<Head *> _NOWHERE).players = 1
memset(_NO_BLOCK, 0, sizeof(_NO_BLOCK))
(<Rules *> _NO_BLOCK).players = 1
_NO_OPS.size = sizeof(Head)
_NO_OPS.actors = _nobody
_NO_OPS.check = _nothing
_NO_OPS.totals = _no_totals
_NO_OPS.winners = _no_winners
_NO_OPS.playout = _no_playout
(<Rules *> _NO_BLOCK).ops = &_NO_OPS


cdef class Compiled:
    def __dealloc__(self):
        free(self.block)

    @property
    def low_wins(self) -> bool:
        """Whether the lowest total wins, else the highest."""
        return self.block != NULL and self.block.low_wins


@cython.no_gc
cdef class Position:
    def __cinit__(self):
        self.pos = _NOWHERE
        self.block = <Rules *> _NO_BLOCK

    def __dealloc__(self):
        if self.pos != <void *> _NOWHERE:
            free(self.pos)

    cdef void *_make(self, object rules) except NULL:
        """Give the position its rules and zeroed memory, once."""
        cdef Compiled compiled = rules._compiled
        if self.pos != <void *> _NOWHERE:
            raise TypeError("a game is initialised once")
        cdef void *pos = calloc(1, compiled.block.ops.size)
        if pos == NULL:
            raise MemoryError
        self.rules = rules
        self.compiled = compiled
        self.block = compiled.block
        self.pos = pos
        return pos

    cdef Position _snapshot(self):
        cdef Position copy = Position.__new__(Position)
        cdef void *pos = malloc(self.block.ops.size)
        if pos == NULL:
            raise MemoryError
        memcpy(pos, self.pos, self.block.ops.size)
        copy.rules = self.rules
        copy.compiled = self.compiled
        copy.block = self.block
        copy.pos = pos
        return copy

    def _scores(self) -> tuple[int, ...]:
        """Totals of finished deals, by seat."""
        cdef const int32_t *totals = self.block.ops.totals(self.pos)
        return tuple([totals[seat] for seat in range(self.block.players)])

    def _winning(self) -> tuple[int, ...]:
        """The winners of a match that is over, ascending."""
        cdef uint32_t winners = self.block.ops.winners(self.pos, self.block)
        return tuple([seat for seat in range(self.block.players) if winners >> seat & 1])

    @property
    def players(self) -> int:
        """Number of seats."""
        return (<Head *> self.pos).players

    @property
    def ply(self) -> int:
        """Moves since the match began."""
        return (<Head *> self.pos).ply

    @property
    def deal_number(self) -> int:
        """Number of the deal in the match, from 0; the last deal's when the match is over."""
        return (<Head *> self.pos).deal_number

    @property
    def dealer(self) -> int:
        """The seat that dealt the present deal."""
        return (<Head *> self.pos).dealer

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return (<Head *> self.pos).turn < 0

    @property
    def _turn(self) -> int:
        return (<Head *> self.pos).turn

    @property
    def _phase(self) -> int:
        return (<Head *> self.pos).phase

    @property
    def _actors(self) -> int:
        return self.block.ops.actors(self.pos, self.block)

    def _check(self, seat: int, code: int) -> bool:
        return self.block.ops.check(self.pos, self.block, seat, code)


cdef int set_head(Head *head, const Rules *rules, dict zones) except -1:
    """Fill the head of a fresh position from the zones that all games have."""
    head.players = <int8_t> rules.players
    head.dealer = zones["dealer"]
    head.deal_number = zones["deal_number"]
    head.phase = zones["phase"]
    head.turn = zones["turn"]
    head.ply = zones.get("ply", 0)
    return 0


@cython.no_gc
@cython.freelist(16)
cdef class History:
    def __dealloc__(self):
        free(self.entries)

    cdef History _fork(self, Py_ssize_t keep):
        cdef History other = History.__new__(History)
        other.room = max(64, keep + keep // 2)
        other.entries = <Entry *> malloc(other.room * sizeof(Entry))
        if other.entries == NULL:
            raise MemoryError
        if keep:
            memcpy(other.entries, self.entries, keep * sizeof(Entry))
        other.used = keep
        return other

    cdef int _push(self, int64_t code, uint32_t version, int seat) except -1:
        cdef Entry *grown
        if self.used == self.room:
            grown = <Entry *> realloc(self.entries, max(64, 2 * self.room) * sizeof(Entry))
            if grown == NULL:
                raise MemoryError
            self.entries = grown
            self.room = max(64, 2 * self.room)
        self.entries[self.used].code = code
        self.entries[self.used].version = version
        self.entries[self.used].seat = seat
        self.used += 1
        return 0


@cython.no_gc
@cython.freelist(16)
cdef class Deal:
    pass


cdef int _events_of(uint32_t flags) noexcept:
    """How many events these flags stand for."""
    return hz_popcount(flags >> GAME_FLAGS) + (1 if flags & MATCH_OVER else 0)


@cython.no_gc
cdef class State(Position):
    """A match in progress at C level: position, seed, history. `herzen.Game` is its public face."""

    # ---- beginning -----------------------------------------------------------------------------------
    def _found(self, rules, seed, Py_ssize_t first_deck, tuple decks, names) -> None:
        """Make an empty position. `seed`: an int or None (not known); `decks`: explicit ones from a deal on."""
        self._make(rules)
        (<Head *> self.pos).players = <int8_t> self.block.players
        self.has_seed = seed is not None
        memset(self.key, 0, sizeof(self.key))
        if self.has_seed:
            read_key(seed, self.key)
        self.first_deck = first_deck
        self.decks = decks
        self._names = names
        self._frame = None

    def _begin(self, rules, seed, int dealer, tuple decks, names) -> None:
        """Start a match: `dealer` deals the first deal, negative: the last seat."""
        self._found(rules, seed, 0, decks, names)
        found_match(self.pos, self.block, dealer)
        if not self._can_deal():
            self._no_deck()
        self._deal_next()

    def _adopt(self, uint32_t flags, Py_ssize_t events, uint32_t version) -> None:
        """Take the position, as set up by the caller, for the start of the history."""
        self.version = version
        self._anchor(flags, events)
        self._events = events + _events_of(flags)
        self._open()

    def _set_last(self) -> None:
        """Take the position for the end of the deal before."""
        self._last = self._snapshot()

    def _set_decks(self, tuple decks) -> None:
        self.decks = decks

    cdef int _anchor(self, uint32_t flags, Py_ssize_t events) except -1:
        """Make the present position the one that undo and the log start from."""
        cdef Deal deal = Deal.__new__(Deal)
        deal.start = self._snapshot()
        deal.last = self._last
        deal.before = self._deal
        deal.moves = self._moves
        deal.events = events
        deal.version = self.version
        deal.flags = flags
        self._deal = deal
        return 0

    cdef uint32_t _deal_next(self) except? 0xFFFFFFFF:
        cdef Head *head = <Head *> self.pos
        cdef Py_ssize_t number = head.deal_number + 1
        cdef const uint8_t *deck = NULL
        cdef bytes explicit = self._explicit(number)
        cdef uint32_t flags
        if explicit is not None:
            deck = <const uint8_t *> PyBytes_AS_STRING(explicit)
        flags = begin_deal(self.pos, self.block, self.key, deck)
        self._anchor(flags, self._events)
        self._events += _events_of(flags)
        self._open()
        return flags

    cdef bytes _explicit(self, Py_ssize_t number):
        """The explicit deck of a deal, None if the seed deals it."""
        cdef Py_ssize_t place = number - self.first_deck
        return self.decks[place] if 0 <= place < len(self.decks) else None

    def _can_deal(self) -> bool:
        """Whether a further deal could be dealt: from the seed or an explicit deck."""
        return self.has_seed or self._explicit((<Head *> self.pos).deal_number + 1) is not None

    # ---- playing -------------------------------------------------------------------------------------
    cdef void _open(self) noexcept:
        """Note that the decisions of all seats that may act now were opened at this version."""
        cdef uint32_t actors
        if (<Head *> self.pos).turn < 0:
            return
        actors = self.block.ops.actors(self.pos, self.block)
        while actors:
            self.opened[hz_lowest(actors)] = self.version
            actors &= actors - 1

    cdef uint32_t _advance(self, int seat, int64_t code, uint32_t *dealt) except? 0xFFFFFFFF:
        """Play a legal move, deal on where the deal is over. Flags of the move; `dealt`: those of the deal."""
        cdef uint32_t flags
        cdef Position before = None
        dealt[0] = 0
        if self._deal is None:
            self._anchor(0, self._events)
        if not self.has_seed and not self._can_deal():
            before = self._snapshot()
        flags = self.block.ops.apply(self.pos, self.block, seat, code)
        if before is not None and flags & (DEAL_OVER | MATCH_OVER) == DEAL_OVER:
            memcpy(self.pos, before.pos, self.block.ops.size)
            self._no_deck()
        if self._history is None:
            self._history = History.__new__(History)
        if self._history.used != self._moves:   # a copy played on first, or moves were undone
            self._history = self._history._fork(self._moves)
        self.version += 1
        self._history._push(code, self.version, seat)
        self._moves += 1
        (<Head *> self.pos).ply += 1
        self._events += _events_of(flags)
        if flags & DEAL_OVER:
            self._last = self._snapshot()
            if not flags & MATCH_OVER:
                dealt[0] = self._deal_next()
        elif flags & STAGE_OPEN == 0:
            self._open()
        return flags

    cdef bint _may(self, int seat, int64_t code) noexcept:
        """Whether a seat may make the move of this code now."""
        return 0 <= seat < self.block.players and (
            self.block.ops.actors(self.pos, self.block) >> seat & 1
        ) and self.block.ops.check(self.pos, self.block, seat, code)

    def _play(self, int seat, int64_t code, version: int | None = None) -> tuple[int, int]:
        """Play a move at this version (None: any): flags of the move and of the deal that it opened.

        The caller knows the move to be legal, but Python code that ran since, in another thread too, may have played:
        StaleState, and nothing has changed."""
        cdef uint32_t dealt, flags
        if (version is not None and version != self.version) or not self._may(seat, code):
            self._moved_on(seat, code)
        flags = self._advance(seat, code, &dealt)
        return flags, dealt

    def play_code(self, code: int) -> None:
        """Play the legal move of this code for the seat `turn`.

        The fast way in: no Move and no Event is made. Raises as `play` does."""
        cdef int overflow = 0
        cdef int64_t number
        cdef uint32_t dealt
        cdef int seat
        if not PyLong_CheckExact(code):
            if PyBool_Check(code):
                raise TypeError("a code is an int, not a bool")
            code = PyNumber_Index(code)
        number = PyLong_AsLongLongAndOverflow(code, &overflow)
        seat = (<Head *> self.pos).turn     # not before: an object's __index__ may have played
        if overflow or seat < 0 or not self.block.ops.check(self.pos, self.block, seat, number):
            self._refuse(code if overflow else number)
        self._advance(seat, number, &dealt)

    def codes(self, seat: int | None = None):
        """Codes of the legal moves of `seat` (None: the seat `turn`), ascending.

        A `bytes` object where all codes are below 256, otherwise a lazy sequence (`len`, index, `in`).
        Empty for a seat that may not act. IndexError for a seat that there is not."""
        cdef int who = (<Head *> self.pos).turn
        if seat is not None:
            who = self._seat(seat)
        if who < 0 or (<Head *> self.pos).turn < 0:
            return b""
        if seat is not None and not self.block.ops.actors(self.pos, self.block) >> who & 1:
            return b""
        return self.block.ops.codes(self.pos, self.block, who)

    def _opened(self, int seat) -> int:
        """Version at which the seat's present decision was opened."""
        return self.opened[seat]

    # ---- going back and copying ----------------------------------------------------------------------
    def _undo(self) -> tuple[int, int]:
        """Take back the last move: (seat, code) of it. The caller has checked that there is one."""
        cdef Py_ssize_t last = self._moves - 1
        if last < 0:
            raise ValueError("nothing to take back")
        cdef int8_t seat = self._history.entries[last].seat
        cdef int64_t code = self._history.entries[last].code
        cdef Head *head = <Head *> self.pos
        cdef int32_t deal_number = head.deal_number
        cdef uint32_t actors = 0 if head.turn < 0 else self.block.ops.actors(self.pos, self.block)
        if self._moves == self._deal.moves:
            self._deal = self._deal.before
        self._replay_to(self._deal, last)
        self._last = self._deal.last
        self._moves = last
        self.version += 1
        if actors and head.deal_number == deal_number and actors == (
            self.block.ops.actors(self.pos, self.block) & ~(<uint32_t> 1 << seat)
        ):
            # A simultaneous stage goes on: only this seat's decision was opened again.
            self.opened[seat] = self.version
            return seat, code
        self._open()
        return seat, code

    cdef int _replay_to(self, Deal deal, Py_ssize_t moves) except -1:
        cdef Py_ssize_t i
        cdef uint32_t flags
        memcpy(self.pos, deal.start.pos, self.block.ops.size)
        self._events = deal.events + _events_of(deal.flags)
        for i in range(deal.moves, moves):
            flags = self.block.ops.apply(
                self.pos, self.block, self._history.entries[i].seat, self._history.entries[i].code
            )
            (<Head *> self.pos).ply += 1
            self._events += _events_of(flags)
        return 0

    def copy(self, history: bool = True):
        """An independent copy. Without history it has no moves, an empty log and nothing to undo."""
        cdef PyTypeObject *kind = (<PyObject *> self).ob_type
        cdef bint keep = history
        cdef State other = <State?> kind.tp_new(<type> kind, <PyObject *> _NO_ARGUMENTS, NULL)
        cdef void *pos
        if self.pos == <void *> _NOWHERE:
            raise TypeError("copy: the game was never initialised")
        if other.pos != <void *> _NOWHERE:
            raise TypeError("copy: the class's __new__ does not make a new game")
        pos = malloc(self.block.ops.size)
        if pos == NULL:
            raise MemoryError
        other.rules = self.rules
        other.compiled = self.compiled
        other.block = self.block
        other.pos = pos
        memcpy(other.pos, self.pos, self.block.ops.size)
        memcpy(other.key, self.key, sizeof(self.key))
        memcpy(other.opened, self.opened, sizeof(self.opened))
        other.has_seed = self.has_seed
        other.decks = self.decks
        other.first_deck = self.first_deck
        other._names = self._names
        other._frame = self._frame
        other._last = self._last
        other.version = self.version
        if keep:
            other._history = self._history
            other._moves = self._moves
            other._deal = self._deal
            other._events = self._events
        return other

    def _before(self, deal: Deal):
        """A scratch match at the beginning of the given deal."""
        cdef State scratch = self.copy()
        scratch._deal = deal
        scratch._last = deal.last
        scratch._replay_to(deal, deal.moves)
        scratch._moves = deal.moves
        return scratch

    def _seed_int(self) -> int:
        return _key_to_int(self.key)

    def _seed_bytes(self) -> bytes:
        """The seed's 32 bytes, the lowest first."""
        cdef uint8_t out[32]
        cdef int i
        for i in range(8):
            put_number(out + 4 * i, self.key[i])
        return PyBytes_FromStringAndSize(<char *> out, 32)

    def _deck(self, int number) -> bytes:
        """Card indices of the deck of deal `number`, top first."""
        return self._explicit(number) or self._seed_deck(number)

    def _seed_deck(self, int number) -> bytes:
        """Card indices of the deck that the seed deals for deal `number`, top first."""
        cdef uint8_t deck[MAX_DECK]
        cdef hz_stream stream
        hz_stream_open(&stream, self.key, DOMAIN_DEAL, <uint64_t> number)
        shuffle_deck(self.block, &stream, deck)
        return PyBytes_FromStringAndSize(<char *> deck, self.block.deck_size)

    @property
    def _count(self) -> int:
        """Number of moves in the history."""
        return self._moves

    def _entries(self, Py_ssize_t first=0) -> list[tuple[int, int, int]]:
        """(seat, code, version) of the moves from `first` on."""
        cdef History history = self._history    # lists may let other code run, which may undo
        cdef Py_ssize_t i
        if history is None:
            return []
        return [
            (history.entries[i].seat, history.entries[i].code, history.entries[i].version)
            for i in range(first, self._moves)
        ]

    def _restore(self, list entries, uint32_t version, opened: bytes) -> None:
        """Play (seat, code, version) entries again, as they were; for unpickling."""
        cdef uint32_t dealt
        cdef int seat
        cdef int64_t code
        cdef uint32_t at
        for seat, code, at in entries:
            if not self._may(seat, code):
                raise ValueError("not a history of this game")
            self.version = at - 1
            self._advance(seat, code, &dealt)
        self.version = version
        if len(opened) != sizeof(self.opened):
            raise ValueError("not a history of this game")
        memcpy(self.opened, PyBytes_AS_STRING(opened), sizeof(self.opened))

    def _opened_all(self) -> bytes:
        return PyBytes_FromStringAndSize(<char *> self.opened, sizeof(self.opened))

    def _set_version(self, uint32_t version) -> None:
        """Give a replayed match the version of the one recorded; its decisions count as opened by that."""
        self.version = version
        self._open()

    def _counts(self) -> list[int]:
        """What the game counts, over the history: one number for each of COUNTS, zeros behind."""
        cdef int32_t counts[MAX_COUNTS]
        cdef Deal deal = self._deal
        cdef Py_ssize_t end = self._moves, i
        cdef Position at
        memset(counts, 0, sizeof(counts))
        while deal is not None:
            at = deal.start._snapshot()
            for i in range(deal.moves, end):
                self.block.ops.tally(
                    at.pos,
                    self.block.ops.apply(
                        at.pos, self.block, self._history.entries[i].seat, self._history.entries[i].code
                    ),
                    counts,
                )
            end = deal.moves
            deal = deal.before
        return [counts[i] for i in range(MAX_COUNTS)]

    def _playout(self) -> int:
        """Play on to the end by the random stream of the seed, without history; the number of actions."""
        cdef hz_stream play
        cdef uint64_t actions
        cdef int32_t counts[MAX_COUNTS]
        memset(counts, 0, sizeof(counts))
        hz_stream_open(&play, self.key, DOMAIN_PLAY, 0)
        with nogil:
            actions = self.block.ops.playout(self.pos, self.block, self.key, &play, counts)
        self._history = None
        self._deal = None
        self._moves = self._events = 0
        self._last = self._snapshot()
        self.version += 1
        return actions
