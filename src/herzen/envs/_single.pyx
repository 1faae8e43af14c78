"""The match of a batch of one, for environments: a step costs no look at arrays, an observation one copy."""

import numpy as np

from cpython.long cimport PyLong_AsLongLongAndOverflow
from cpython.number cimport PyNumber_Index

from herzen._core cimport int8_t, int64_t
from herzen.batch._arrays cimport memory
from herzen.batch._slots cimport DO_MASK, DO_OBSERVE, DO_STEP, Slots, is_legal, is_over

from herzen.batch import Batch

ILLEGAL = -2
cdef int REFUSED = ILLEGAL


cdef class Single:
    """What an environment asks of a `Batch(rules, 1)`, faster than through the batch.

    The batch is `batch`; whatever else is to be known is asked there. ValueError for a batch of several matches, or
    one that starts matches by itself. For one thread: nothing here guards against another one.
    """
    cdef readonly object batch
    cdef Slots slots
    cdef object row, mask           # written by the slots, then copied
    cdef int8_t *row_at
    cdef int8_t *mask_at

    def __init__(self, batch) -> None:
        if not isinstance(batch, Batch):
            raise TypeError(f"a batch is needed, not {type(batch).__name__}")
        if len(batch) != 1 or batch.autoreset != "off":
            raise ValueError('a batch of one match is needed, with autoreset "off"')
        self.batch = batch
        self.slots = batch
        self.row = np.zeros(batch.observation_shape, np.int8)
        self.mask = np.zeros(batch.num_actions, np.int8)
        self.row_at = <int8_t *> memory(self.row)
        self.mask_at = <int8_t *> memory(self.mask)

    @property
    def turn(self) -> int:
        """The seat to move; -1 when the match is over."""
        return self.slots.turns[0]

    @property
    def deal_over(self) -> bool:
        """Whether the last step ended a deal."""
        return self.slots.ends[0] != 0

    def play(self, action) -> int:
        """Play an action; the seat to move next, -1 if the match is over, ILLEGAL if nothing was played.

        TypeError for what is no integer. After the end every action is illegal.
        """
        cdef int overflow = 0
        cdef int64_t number = PyLong_AsLongLongAndOverflow(PyNumber_Index(action), &overflow)
        if overflow or is_over(self.slots, 0) or not is_legal(self.slots, 0, number):
            return REFUSED
        self.slots.chosen[0] = <int> number
        self.slots._run(DO_STEP, 0, 1, NULL, 0)
        return self.slots.turns[0]

    def observe(self, int seat):
        """What a seat may know: a fresh int8 array; IndexError."""
        if not 0 <= seat < self.slots.block.players:
            raise IndexError(f"there is no seat {seat}")
        self.slots._run(DO_OBSERVE, 0, 1, self.row_at, seat)
        return self.row.copy()

    def legal_mask(self):
        """The legal actions of the seat to move: a fresh int8 array of 0 and 1."""
        self.slots._run(DO_MASK, 0, 1, self.mask_at, 0)
        return self.mask.copy()

    def __reduce__(self):
        return Single, (self.batch,)
