"""Worlds: the placements of the unseen cards that fit all a seat saw."""

from libc.stdint cimport uint32_t
from libc.stdlib cimport free
from libc.string cimport memset

from herzen._core cimport DOMAIN_SAMPLE, Compiled, Head, State, hz_stream, hz_stream_open, read_key

from herzen._core import Stream
from herzen.knowledge import check_agrees
from herzen.registry import game_class


cdef void _nothing(const void *known, hz_stream *chance, void *pos) noexcept nogil:
    pass


cdef class Worlds:
    def __cinit__(self, view):
        cdef Compiled compiled = view.rules._compiled
        self.view = view
        self.block = compiled.block
        self.place = _nothing

    def __dealloc__(self):
        free(self.known)

    def sample(self, seed: int):
        """A game at the view's position in a uniformly random world, 0 <= seed < 2**256.

        Without moves, log or undo, like `copy(history=False)`. SetupError if the view contradicts itself."""
        cdef uint32_t key[8]
        cdef hz_stream chance
        cdef State game
        kind = game_class(self.view.game)
        game = kind.__new__(kind)
        names = self.view.names
        unnamed = names == tuple([f"Seat {seat}" for seat in range(self.block.players)])
        game._found(self.view.rules, Stream(seed, DOMAIN_SAMPLE, 1).seed(), 0, (), None if unnamed else names)
        read_key(seed, key)
        hz_stream_open(&chance, key, DOMAIN_SAMPLE, 0)
        with nogil:
            memset(game.pos, 0, self.block.ops.size)
            self.place(self.known, &chance, game.pos)
        if (<Head *> game.pos).turn < 0:
            game._set_last()
        game._set_version(self.view.version)
        if not self.checked:
            self._check(game)
            self.checked = True
        return game

    def check(self):
        """SetupError if the view contradicts itself: if its worlds do not look like it."""
        if not self.checked:
            self.sample(0)

    def _check(self, game):
        """The same for a game that has been drawn."""
        check_agrees(self.view, game)
