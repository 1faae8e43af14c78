"""Slots at which several threads work, one call at a time."""

import os
from time import sleep


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


cdef class Crew(Slots):
    cdef int _hire(self, int threads) except -1:
        """Begin with so many threads; the caller's is one of them."""
        self._threads = threads
        if threads > 1:
            from concurrent.futures import ThreadPoolExecutor

            self._pool = ThreadPoolExecutor(threads - 1, "herzen-batch")
            self._pool_of = os.getpid()
        return 0

    cdef int _dismiss(self) except -1:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None
        return 0

    cdef int _enter(self) except -1:
        """Begin a call that works at the slots. It ends when it sets `busy` to False."""
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
            self._hire(self._threads)
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
