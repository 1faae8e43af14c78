"""n games as one array of positions, stepped together: the arrays and objects that programs see."""

import os
import sys
from collections.abc import Iterable
from time import sleep
from types import MappingProxyType

import numpy as np

from cpython.buffer cimport PyBuffer_Release
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.string cimport memcpy, memset

from herzen._core cimport (
    DOMAIN_PLAY, Compiled, Head, State, hz_child, hz_stream_open, hz_stream_seek, hz_stream_tell, int8_t, int32_t,
    int64_t, read_key, uint8_t, uint32_t, uint64_t,
)
from herzen.batch._arrays cimport check, memory
from herzen.batch._slots cimport (
    BY_CHANCE, BY_RULE, DO_DRAW, DO_FINAL, DO_MASK, DO_OBSERVE, DO_PLAY_OTHERS, DO_STEP, DO_STEP_SEAT, MOVER, SAME,
    Slots, is_legal, is_over, position,
)

from herzen.batch.errors import IllegalActions
from herzen.game import read_seat
from herzen.integers import exact_int, short
from herzen.registry import game_class, game_part
from herzen.rules import Rules as AnyRules
from herzen.seeds import parse_seed

_MODES = ("off", "next", "same")
_PLAYERS = {"random": BY_CHANCE, "rule": BY_RULE}
_PICKLE = 1             # version of the pickled form


cdef object _size(str name, value, int most):
    """A number 1..most."""
    number = exact_int(value)
    if number is None:
        raise TypeError(f"{name} is an int, not {type(value).__name__}")
    if not 1 <= number <= most:
        raise ValueError(f"{name}={short(number)}: 1..{most} is allowed")
    return number


cdef class _Job:
    """A piece of work in contiguous parts. Each is done once, by the thread that comes first; counted under the GIL."""
    cdef Slots slots
    cdef int what, seat
    cdef void *out
    cdef Py_ssize_t next, part
    cdef int running

    def __call__(self) -> None:
        """Do what nobody has begun."""
        cdef Py_ssize_t first, last
        while self.next < self.slots.n:
            first = self.next
            last = self.next = min(first + self.part, self.slots.n)
            self.running += 1
            with nogil:
                self.slots._run(self.what, first, last, self.out, self.seat)
            self.running -= 1


cdef class Batch(Slots):
    """n matches of one game, stepped together.

    rules: they also say which game. n: number of slots. seed: as of a Game, then slot i begins with the match of
    child(seed, i); or a sequence of n seeds, slot i's first match being Game(rules, seed=seeds[i]). The r-th later
    match of a slot has the seed child(first seed, r). autoreset: what follows the end of a match: "off": nothing until
    `reset`; "next": the next step starts the next match; "same": the same step does. threads: the slots are split in
    as many contiguous parts; the results do not depend on it.

    Attributes, all read-only; the arrays are the same ones throughout and change with every step:

    rules, n, autoreset, threads: as given. num_actions: the learners' actions are 0..num_actions-1.
    observation_shape, observation_layout: the shape of one observation, and name -> slice of its parts.
    to_move: int8 (n,), the seat that Game calls `turn`, -1 where the match is over.
    done: bool (n,), the slot's match ended in the last step; under "off" until `reset`.
    scores: int32 (n, seats), totals; where done, in every mode, the final ones of the match that ended.
    winners: bool (n, seats), who won it; False where not done.

    Raises TypeError and ValueError for wrong arguments, SeedError for what is no seed.
    """
    cdef readonly object rules
    cdef Compiled _compiled     # owns the block
    cdef readonly tuple observation_shape
    cdef readonly object observation_layout
    cdef readonly object to_move
    cdef readonly object done
    cdef readonly object scores
    cdef readonly object winners
    cdef object _own            # the arrays behind these four
    cdef object _scratch        # int64 (n,): actions of other kinds
    cdef object _seats          # int8 (n,): each slot's own seat, as the last call gave them
    cdef object _kept           # the mask of the call that runs
    cdef object _others         # who plays the others, as the last call gave it
    cdef object _kind           # the game's class
    cdef object _pool           # the threads besides the caller's, None for none
    cdef object _pool_of        # the process that they belong to
    cdef int _threads
    cdef bint busy
    cdef bint closed

    # ---- beginning -----------------------------------------------------------------------------------
    def __init__(self, rules, n, *, seed=None, autoreset="off", threads=1) -> None:
        cdef Py_ssize_t i
        cdef uint32_t key[8]
        self._allocate(rules, n, autoreset, threads)
        if not isinstance(seed, Iterable) or isinstance(seed, (str, bytes, bytearray)):
            read_key(parse_seed(seed), key)
            for i in range(self.n):
                hz_child(key, <uint64_t> i, self.slot_keys + 8 * i)
        else:
            seeds = [int(one) if isinstance(one, np.integer) else one for one in seed]
            if len(seeds) != self.n:
                raise ValueError(f"seed: {self.n} seeds are needed, one a slot, not {len(seeds)}")
            for i in range(self.n):
                read_key(parse_seed(seeds[i]), self.slot_keys + 8 * i)
        for i in range(self.n):
            memcpy(self.keys + 8 * i, self.slot_keys + 8 * i, 32)
            self._begin(i)
            self._tell(i)
        self.block.ops.legal_many(self.positions, self.block, self.n, self.masks)
        self.closed = False

    def _allocate(self, rules, n, autoreset, threads) -> None:
        """Check the arguments and make an empty batch, which counts as closed until it is filled."""
        cdef Compiled compiled
        if self.memory != NULL:
            raise TypeError("a batch is initialised once")
        self.closed = True
        if not isinstance(rules, AnyRules):
            raise TypeError(f"a batch needs rules, not {type(rules).__name__}")
        n, threads = _size("n", n, 1 << 30), _size("threads", threads, 1024)
        if autoreset not in _MODES:
            raise ValueError(f'autoreset={autoreset!r}: allowed is "off", "next" or "same"')
        self._kind = game_class(rules.game)
        parts = game_part(rules.game, "_many").prepare(rules)
        compiled = rules._compiled
        self.rules = rules
        self._compiled = compiled
        self._threads = min(threads, n)
        self._reserve(n, compiled.block, _MODES.index(autoreset))
        layout, at = {}, 0
        for name, width in parts:
            layout[name] = slice(at, at + width)
            at += width
        self.observation_layout = MappingProxyType(layout)
        self.observation_shape = (at,)
        self._own = (
            np.zeros(n, np.int8), np.zeros(n, np.bool_), np.zeros((n, rules.players), np.int32),
            np.zeros((n, rules.players), np.bool_),
        )
        self._scratch = np.zeros(n, np.int64)
        self._seats = np.zeros(n, np.int8)
        self.turns = <int8_t *> memory(self._own[0])
        self.dones = <uint8_t *> memory(self._own[1])
        self.totals = <int32_t *> memory(self._own[2])
        self.won = <uint8_t *> memory(self._own[3])
        for own in self._own:
            own.flags.writeable = False     # users' views are views of these
        self.to_move, self.done, self.scores, self.winners = [own.view() for own in self._own]
        if self._threads > 1:
            self._open_pool()

    def _open_pool(self) -> None:
        from concurrent.futures import ThreadPoolExecutor

        self._pool = ThreadPoolExecutor(self._threads - 1, "herzen-batch")
        self._pool_of = os.getpid()

    # ---- the work, chunk by chunk --------------------------------------------------------------------
    cdef int _enter(self) except -1:
        if self.memory == NULL or self.closed:
            raise ValueError("the batch is closed")
        if self.busy:
            raise RuntimeError("another thread is using this batch")
        self.busy = True
        return 0

    cdef int _share(self, int what, void *out, int seat) except -1:
        """Do a piece of work for all slots, in contiguous parts, one a thread.

        Where an exception comes in between (Ctrl-C), the work is done to its end before it goes on: a step is taken in
        all slots, and no thread writes into memory that is given back."""
        cdef _Job job
        if self._pool is None:
            with nogil:
                self._run(what, 0, self.n, out, seat)
            return 0
        if self._pool_of != os.getpid():    # forked: the threads stayed behind, and their work would never be done
            self._open_pool()
        job = _Job.__new__(_Job)
        job.slots, job.what, job.out, job.seat = self, what, out, seat
        # Parts of whole cache lines of every array that is written.
        job.part = ((self.n + self._threads - 1) // self._threads + 63) // 64 * 64
        try:
            waiting = [self._pool.submit(job) for _ in range(job.part, self.n, job.part)]
            job()
            for future in waiting:
                future.result()
        except BaseException:
            job()
            while job.running:
                try:
                    sleep(0.0005)
                except BaseException:   # Ctrl-C again: the first one is on its way
                    pass
            raise
        return 0

    # ---- playing -------------------------------------------------------------------------------------
    def step(self, actions) -> None:
        """Play one action in every slot, for its seat to move; deal and start matches as it comes.

        actions: integers (n,) of any type, or a list; those of slots whose match is over are ignored. Without a copy
        where they are int64 and contiguous. IllegalActions (an IllegalMove) before anything has changed in any slot;
        TypeError and ValueError for wrong arrays.
        """
        self._enter()
        try:
            if not self._choose_from(actions, NULL):
                self._refuse(actions)
            self._share(DO_STEP, NULL, 0)
        finally:
            self.busy = False

    def step_seat(self, actions, seat, *, others="random", rewards=None, illegal=None):
        """Play an action of one's own seat in every slot, and let the others play until it is to move again.

        actions: as of `step`. seat: the own one, an int, or int8 (n,), one a slot; it has to be to move where the match
        is not over: after a beginning `play_others` sees to that. others: "random" or "rule" for all of them, or a
        sequence of these words by seat, of which the own one's does not matter. Both draw from the match's stream of
        random play; "rule" is what `herzen.bots.RuleBot` plays by. With autoreset a match that begins is played up to
        the seat's first decision; one that ends before it is passed over.

        Returns int32 (n,): what the deals that ended brought the seat, the sign turned where low totals win, so that
        more is better. They add up to the match's final total, less that at the seat's first decision, which some
        rules allow to be other than 0.

        rewards: an int32 array (n,) to be written and returned. illegal: a bool array (n,) that will say where an
        action was illegal; these slots stay as they are. None: IllegalActions before anything has changed. ValueError
        also where the seat is not to move.
        """
        cdef Py_buffer wrong, view
        cdef uint8_t *refused = NULL
        self._enter()
        try:
            self._read_seats(seat)
            self._read_others(others)
            self._check_turns()
            if rewards is None:
                rewards = np.empty(self.n, np.int32)
            check(rewards, "rewards", &view, b"i", "int32", (self.n,), True)
            try:
                if illegal is not None:
                    check(illegal, "illegal", &wrong, b"?", "bool", (self.n,), True)
                    refused = <uint8_t *> wrong.buf
                try:
                    if not self._choose_from(actions, refused) and refused == NULL:
                        self._refuse(actions)
                finally:
                    if refused != NULL:
                        PyBuffer_Release(&wrong)
                self._share(DO_STEP_SEAT, view.buf, 0)
            finally:
                PyBuffer_Release(&view)
        finally:
            self.seats = NULL
            self.busy = False
        return rewards

    def play_others(self, seat, *, others="random") -> None:
        """Let the others play until one's own seat is to move, or the match is over, which then counts as ended in
        this step. seat, others: as of `step_seat`."""
        self._enter()
        try:
            self._read_seats(seat)
            self._read_others(others)
            self._share(DO_PLAY_OTHERS, NULL, 0)
        finally:
            self.seats = NULL
            self.busy = False

    cdef int _read_seats(self, seat) except -1:
        """Note each slot's own seat for the call that runs."""
        cdef Py_buffer view
        cdef int8_t *own = <int8_t *> memory(self._seats)
        cdef Py_ssize_t i
        cdef int8_t players = <int8_t> self.block.players, wrong = 0
        if isinstance(seat, np.ndarray) and seat.ndim:
            check(seat, "seat", &view, b"b", "int8", (self.n,), False)
            memcpy(own, view.buf, <size_t> self.n)
            PyBuffer_Release(&view)
            for i in range(self.n):
                wrong |= not 0 <= own[i] < players
            if wrong:
                raise IndexError(f"seat: seats are 0..{players - 1}")
        else:
            memset(own, <int> read_seat(seat, players), <size_t> self.n)
        self.seats = own
        return 0

    cdef int _read_others(self, others) except -1:
        """Note who plays the others for the call that runs."""
        cdef int i, players = self.block.players
        if others is not self._others or not isinstance(others, (str, tuple)):
            words = [others] * players if isinstance(others, str) else list(others)
            if len(words) != players:
                raise ValueError(f"others: a word, or {players} words, one a seat, are needed")
            for word in words:
                if not isinstance(word, str) or word not in _PLAYERS:
                    raise ValueError(f'others={word!r}: allowed is "random" or "rule"')
            if "rule" in words:
                game_part(self.rules.game, "_policy")   # fills in rule_action
            for i in range(players):
                self.by[i] = _PLAYERS[words[i]]
            self._others = others
        self._open_streams()
        return 0

    cdef int _check_turns(self) except -1:
        """ValueError where a slot's own seat is not to move."""
        cdef Py_ssize_t i
        cdef bint fine = True
        for i in range(self.n):
            fine &= self.turns[i] == self.seats[i] or self.turns[i] < 0
        if fine:
            return 0
        i = 0
        while self.turns[i] == self.seats[i] or self.turns[i] < 0:
            i += 1
        raise ValueError(
            f"step_seat: in slot {i} seat {self.turns[i]} is to move, not {self.seats[i]}: play_others first"
        )

    cdef bint _choose_from(self, actions, uint8_t *refused) except -1:
        """Note the actions for a step; whether all are legal."""
        cdef Py_buffer view
        cdef bint legal
        if not isinstance(actions, np.ndarray) or actions.dtype != np.int64 or not actions.flags.c_contiguous:
            actions = self._read_actions(actions)
        check(actions, "actions", &view, b"lq", "int64", (self.n,), False)
        legal = self._choose(<const int64_t *> view.buf, refused)
        PyBuffer_Release(&view)
        return legal

    def _read_actions(self, actions):
        """Actions of another kind as int64."""
        array = np.asarray(actions)
        if array.dtype == object:           # numbers beyond 64 bits, which are no actions, or no numbers
            exact = [exact_int(action) for action in array.flat]
            if None not in exact:
                array = np.array([action if 0 <= action < 1 << 31 else -1 for action in exact]).reshape(array.shape)
        if array.dtype.kind not in "iu" or (array.dtype.kind == "u" and array.dtype.itemsize > 8):
            raise TypeError(f"actions: integers are needed, not {array.dtype}")
        if array.shape != (self.n,):
            raise ValueError(f"actions: shape {(self.n,)} is needed, not {array.shape}")
        if array.dtype == np.uint64:        # what does not fit is no action
            array = np.minimum(array, np.uint64(1 << 62))
        np.copyto(self._scratch, array, casting="unsafe")
        return self._scratch

    def _refuse(self, actions) -> None:
        """Raise for the illegal actions among these."""
        cdef Py_ssize_t i
        slots = []
        actions = self._read_actions(actions)
        for i in range(self.n):
            if is_over(self, i):
                continue
            if not is_legal(self, i, actions[i]):
                slots.append(i)
        if not slots:
            raise RuntimeError("the actions changed while they were read")
        seat = (<Head *> position(self, slots[0])).turn
        raise IllegalActions(tuple(slots), tuple([int(actions[i]) for i in slots]), seat, self.num_actions)

    def random_actions(self, out=None):
        """Uniformly random legal actions: int64 (n,), 0 where the match is over.

        One number a slot from the match's own stream of random play, so stepping with these and nothing else plays
        the very match that `simulate` plays. out: written without a copy.
        """
        cdef Py_buffer view
        self._enter()
        try:
            if out is None:
                out = np.empty(self.n, np.int64)
            check(out, "out", &view, b"lq", "int64", (self.n,), True)
            try:
                self._open_streams()
                self._share(DO_DRAW, view.buf, 0)
            finally:
                PyBuffer_Release(&view)
        finally:
            self.busy = False
        return out

    def reset(self, mask=None, *, seeds=None) -> None:
        """Start the next match in the slots of a mask, bool (n,); None: in all.

        seeds: a sequence of n seeds, as a new batch takes it: the slots start with the matches of these, and their
        later matches follow from them. None in it: the slot goes on with its next match.
        """
        cdef Py_ssize_t i
        self._enter()
        try:
            if seeds is not None:
                seeds = [int(one) if isinstance(one, np.integer) else one for one in seeds]
                if len(seeds) != self.n:
                    raise ValueError(f"seeds: {self.n} seeds are needed, one a slot, not {len(seeds)}")
                seeds = [None if one is None else parse_seed(one) for one in seeds]
            self._read_where(mask, "mask")
            for i in range(self.n):
                if self.where == NULL or self.where[i]:
                    if seeds is None or seeds[i] is None:
                        self._start_next(i)
                    else:
                        read_key(seeds[i], self.slot_keys + 8 * i)
                        memcpy(self.keys + 8 * i, self.slot_keys + 8 * i, 32)
                        self.games[i] = 0
                        self._begin(i)
                        self.block.ops.legal_many(position(self, i), self.block, 1, self.masks + i * self.words)
                    self._clear(i)
        finally:
            self.where = NULL
            self.busy = False

    cdef int _read_where(self, mask, str name) except -1:
        """Note which slots matter for the call that runs. The array is kept: it must not go away meanwhile."""
        cdef Py_buffer view
        if mask is not None:
            self._kept = np.ascontiguousarray(mask)
            check(self._kept, name, &view, b"?", "bool", (self.n,), False)
            self.where = <const uint8_t *> view.buf
            PyBuffer_Release(&view)
        return 0

    # ---- looking -------------------------------------------------------------------------------------
    def legal_mask(self, out=None, *, where=None):
        """The legal actions of the seats to move: bool (n, num_actions); all False where the match is over.

        out: a C-contiguous array of that kind, written without a copy and returned. where: bool (n,), the rows to be
        written; others stay as they are, all False in a new array. TypeError for another dtype, ValueError for another
        shape or layout, or a read-only array.
        """
        cdef Py_buffer view
        self._enter()
        try:
            self._read_where(where, "where")
            if out is None:
                out = (np.empty if where is None else np.zeros)((self.n, self.num_actions), np.bool_)
            check(out, "out", &view, b"?", "bool", (self.n, self.num_actions), True)
            try:
                self._share(DO_MASK, view.buf, 0)
            finally:
                PyBuffer_Release(&view)
        finally:
            self.where = NULL
            self.busy = False
        return out

    def observe(self, out=None, seat=None, *, where=None):
        """What seats may know: int8 of the shape (n, size), laid out as `observation_layout` says.

        seat: one seat for all slots, or int8 (n,), one a slot; None: the seat to move, seat 0 where the match is over.
        out, where: as of `legal_mask`.
        """
        return self._observe_into(DO_OBSERVE, out, seat, where)

    def final_observe(self, out=None, seat=None):
        """The final positions where `done`, seen by one seat, or by int8 (n,), one a slot (None: seat 0); rows of
        zeros elsewhere.

        Under autoreset="same" the only way to see them. out: as of `legal_mask`.
        """
        return self._observe_into(DO_FINAL, out, seat, None)

    def _observe_into(self, int what, out, seat, where):
        cdef Py_buffer view
        self._enter()
        try:
            if seat is not None:
                self._read_seats(seat)
            self._read_where(where, "where")
            if out is None:
                out = (np.empty if where is None else np.zeros)((self.n, self.block.observation), np.int8)
            check(out, "out", &view, b"b", "int8", (self.n, self.block.observation), True)
            try:
                self._share(what, view.buf, MOVER)
            finally:
                PyBuffer_Release(&view)
        finally:
            self.seats = NULL
            self.where = NULL
            self.busy = False
        return out

    # ---- single games --------------------------------------------------------------------------------
    cdef Py_ssize_t _slot(self, i) except -1:
        number = exact_int(i)
        if number is None:
            raise TypeError(f"a slot is a number, not {type(i).__name__}")
        if not 0 <= number < self.n:
            raise IndexError(f"there is no slot {short(number)}: slots are 0..{self.n - 1}")
        return number

    cdef State _game(self, const void *pos, const uint32_t *key):
        cdef State game = self._kind.__new__(self._kind)
        game._found(self.rules, 0, 0, (), None)
        memcpy(game.key, key, sizeof(game.key))
        memcpy(game.pos, pos, self.size)
        self.block.ops.drop_picks(game.pos)
        if (<Head *> game.pos).turn < 0:
            game._set_last()
        game._set_version((<Head *> game.pos).ply)
        return game

    def game(self, i):
        """A Game at the position of slot i, with that match's seed: secret.

        Like `copy(history=False)`: `moves` is (), the log is empty, nothing can be undone. Picks that do not make a
        whole move yet are dropped. `version` is the ply; `last_deal` is known only when the match is over.
        """
        cdef Py_ssize_t slot = self._slot(i)
        self._enter()
        try:
            return self._game(position(self, slot), self.keys + 8 * slot)
        finally:
            self.busy = False

    def put(self, i, game) -> None:
        """Put the position and the seed of a Game into slot i, for search; the history stays behind.

        The slot's later matches have the seeds that they would have had. TypeError for a game of another kind;
        ValueError for other rules, an unknown seed, explicit decks still to come, or, under autoreset="same", a match
        that is over.
        """
        cdef Py_ssize_t slot = self._slot(i)
        cdef State state
        if not isinstance(game, self._kind):
            raise TypeError(f"put: a {self._kind.__name__} is needed, not {type(game).__name__}")
        if game.rules != self.rules:
            raise ValueError("put: the game is played under other rules")
        if not game.has_seed:
            raise ValueError("put: the game's seed is not recorded, so no further deal could be dealt")
        if game._pending_decks():
            raise ValueError("put: the game has explicit decks still to come")
        state = game
        if (<Head *> state.pos).turn < 0 and self.mode == SAME:
            raise ValueError('put: the match is over; a slot under autoreset="same" never is')
        self._enter()
        try:
            memcpy(position(self, slot), state.pos, self.size)
            self.block.ops.drop_picks(position(self, slot))
            memcpy(self.keys + 8 * slot, state.key, 32)
            if self.streams != NULL:
                hz_stream_open(&self.streams[slot], self.keys + 8 * slot, DOMAIN_PLAY, 0)
            self.block.ops.legal_many(position(self, slot), self.block, 1, self.masks + slot * self.words)
            self._clear(slot)
        finally:
            self.busy = False

    # ---- the object ----------------------------------------------------------------------------------
    @property
    def autoreset(self) -> str:
        """"off", "next" or "same"."""
        return _MODES[self.mode]

    @property
    def threads(self) -> int:
        """Number of threads that share the work."""
        return self._threads

    def close(self) -> None:
        """End the threads. The arrays stay; every later call raises ValueError."""
        if not self.closed:
            self._enter()
            self.closed = True
            self.busy = False
            if self._pool is not None:
                self._pool.shutdown()
                self._pool = None

    def __len__(self) -> int:
        return self.n

    def __enter__(self):
        return self

    def __exit__(self, kind=None, error=None, traceback=None) -> None:
        self.close()

    def __repr__(self) -> str:
        game = "nothing" if self.rules is None else self.rules.game
        return f"<Batch: {self.n} games of {game}, autoreset {self.autoreset!r}>"

    def __reduce__(self):
        cdef Py_ssize_t i
        self._enter()
        try:
            blocks = [
                PyBytes_FromStringAndSize(self.positions, self.n * self.size),
                PyBytes_FromStringAndSize(<char *> self.games, self.n * 8),
                PyBytes_FromStringAndSize(<char *> self.slot_keys, self.n * 32),
                PyBytes_FromStringAndSize(<char *> self.keys, self.n * 32),
                PyBytes_FromStringAndSize(self.finals, self.n * self.size) if self.mode == SAME else b"",
            ]
            arrays = [array.tobytes() for array in self._own]
            drawn = None
            if self.streams != NULL:
                drawn = [hz_stream_tell(&self.streams[i]) for i in range(self.n)]
        finally:
            self.busy = False
        return _restore, (
            self.rules, self.n, self.autoreset, self._threads, _form(self.rules.game, self.size), blocks, arrays, drawn
        )


def _form(game: str, size: int) -> tuple[object, ...]:
    """What has to agree where a batch is unpickled: positions are this build's structs."""
    from herzen._version import __version__

    return _PICKLE, __version__, game, size, sys.byteorder, np.dtype(np.intp).itemsize


def _restore(rules, n, autoreset, threads, form, blocks, arrays, drawn) -> Batch:
    """The batch of a pickle."""
    cdef Batch batch = Batch.__new__(Batch)
    cdef Py_ssize_t i
    cdef char *places[5]
    batch._allocate(rules, n, autoreset, threads)
    if form != _form(rules.game, batch.size):
        raise ValueError(f"this batch was pickled by another build of herzen: {form}")
    places[0] = batch.positions
    places[1] = <char *> batch.games
    places[2] = <char *> batch.slot_keys
    places[3] = <char *> batch.keys
    places[4] = batch.finals
    sizes = [n * batch.size, 8 * n, 32 * n, 32 * n, n * batch.size if batch.mode == SAME else 0]
    if [len(block) for block in blocks] != sizes:
        raise ValueError("not the pickle of a batch")
    for i in range(5):
        if sizes[i]:
            memcpy(places[i], PyBytes_AS_STRING(blocks[i]), <size_t> sizes[i])
    for own, raw in zip(batch._own, arrays, strict=True):
        own.flags.writeable = True
        own[...] = np.frombuffer(raw, own.dtype).reshape(own.shape)
        own.flags.writeable = False
    if drawn is not None:
        batch._open_streams()
        for i in range(batch.n):
            hz_stream_seek(&batch.streams[i], drawn[i])
    batch.block.ops.legal_many(batch.positions, batch.block, batch.n, batch.masks)
    batch.closed = False
    return batch
