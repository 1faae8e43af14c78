"""Files of records: one record, or JSON Lines of many, compressed where the name ends in .gz (docs/records.rst).

`load_records` reads and `dump_records` writes in constant memory. `dump_records` writes a whole file or nothing;
`RecordWriter` adds to a file while matches end, and whatever kills it, the file can be read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from herzen import record_reading as reading
from herzen.errors import RecordError
from herzen.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike
    from types import TracebackType
    from typing import IO, Self

CHUNK = 1 << 16
"""Bytes read or unpacked at a time."""
BEGINNING = b'{"format":"herzen-record"'
"""How every line begins that `Record.dumps` writes."""


def load_text(path: str | PathLike[str]) -> bytes:
    """All of a file, unpacked if its name ends in .gz; RecordError if it is larger than a record may be."""
    with open(path, "rb") as file:
        text = bytearray()
        for chunk in _chunks(file, _is_packed(path), torn=False):
            text += chunk
            if len(text) > reading.LARGEST:
                raise RecordError(f"a record has at most {reading.LARGEST} bytes")
    return bytes(text)


def load_beginning(path: str | PathLike[str]) -> bytes:
    """The first bytes of a file, unpacked if its name ends in .gz; at most `CHUNK`."""
    with open(path, "rb") as file:
        return next(_chunks(file, _is_packed(path), torn=True), b"")


def load_records(path: str | PathLike[str], *, torn: bool = False) -> Iterator[Record]:
    """The records of a JSON Lines file, .gz too, one after another; RecordError names the line.

    torn: whether the file may end in the middle of a record, as a killed writer leaves it. The incomplete last line
    (of a .gz file: the incomplete end of the last member) is left out then; anything else that is wrong is still an
    error.
    """
    with open(path, "rb") as file:
        number = 0
        for line, ended in _lines(_chunks(file, _is_packed(path), torn=torn)):
            if not line.strip():
                continue
            number += 1
            try:
                record = Record.loads(line)
            except RecordError as error:
                if torn and not ended and _is_cut(line):
                    return
                raise RecordError(f"line {number}: {error}") from None
            yield record


def dump_records(path: str | PathLike[str], records: Iterable[Record]) -> int:
    """Write records as JSON Lines, compressed if the name ends in .gz; how many there were.

    The file appears when it is complete; a failure leaves what was there before.
    """
    return dump_lines(path, (record.dumps() for record in records))


def dump_lines(path: str | PathLike[str], texts: Iterable[str]) -> int:
    """Write texts as `dump_records` writes those of records."""
    import gzip

    count = 0
    with _Replacement(path) as raw:
        out: IO[bytes] = (
            gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="")  # type: ignore[assignment]
            if _is_packed(path)
            else raw
        )
        for text in texts:
            out.write(text.encode() + b"\n")
            count += 1
        if out is not raw:
            out.close()
    return count


class RecordWriter:
    """Adds records to a JSON Lines file, .gz too, as matches end. A context manager.

    path: the file; what is in it stays. An end that a killed writer left incomplete is cut off first. every: number
    of records that are written together, in a .gz file as one gzip member; more compress better, and are lost
    together.

    Killed at any moment, even by the system, the file holds every record of every finished `flush`, and
    `load_records(path, torn=True)` reads it. One writer at a time, which threads may share. RecordError if the file is
    no archive.
    """

    def __init__(self, path: str | PathLike[str], *, every: int = 1) -> None:
        import os
        from threading import Lock

        if isinstance(every, bool) or not isinstance(every, int):
            raise TypeError(f"every is a number of records, not {type(every).__name__}")
        if every < 1:
            raise ValueError(f"every: at least 1 is needed, not {every}")
        self._target = os.path.realpath(path)
        self._packed = _is_packed(path)
        self._every = every
        self._lock = Lock()
        self._waiting: list[bytes] = []
        _mend(self._target, self._packed)
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
        self._file: int | None = os.open(self._target, flags, 0o666)
        self._end = os.fstat(self._file).st_size

    def write(self, record: Record) -> None:
        """Add a record; every `every` records they go into the file. ValueError if the writer is closed."""
        line = record.dumps().encode() + b"\n"
        with self._lock:
            file = self._opened()
            self._waiting.append(line)
            if len(self._waiting) >= self._every:
                self._put(file)

    def flush(self, sync: bool = False) -> None:
        """Write what waits. sync: also wait until the disk has it, which a power failure does not undo."""
        import os

        with self._lock:
            file = self._opened()
            self._put(file)
            if sync:
                os.fsync(file)

    def _opened(self) -> int:
        if self._file is None:
            raise ValueError("the writer is closed")
        return self._file

    def _put(self, file: int) -> None:
        """Write what waits. The caller holds the lock: what is waiting is written once, by one thread."""
        if not self._waiting:
            return
        data = b"".join(self._waiting)
        if self._packed:
            import gzip

            data = gzip.compress(data, mtime=0)
        self._append(file, data)
        self._waiting.clear()

    def _append(self, file: int, data: bytes) -> None:
        import os

        try:
            left = memoryview(data)
            while left:  # one call, but for a disk that is nearly full
                left = left[os.write(file, left) :]
        except BaseException:
            os.ftruncate(file, self._end)  # nothing may follow half a record
            raise
        self._end += len(data)

    def close(self) -> None:
        """Flush and close; to close twice does nothing."""
        import os

        with self._lock:
            if self._file is not None:
                try:
                    self._put(self._file)
                finally:
                    os.close(self._file)
                    self._file = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


# ---- reading -----------------------------------------------------------------------------------------------


def _is_packed(path: str | PathLike[str]) -> bool:
    import os

    name = os.fspath(path)
    return name.endswith(".gz")


def _chunks(file: IO[bytes], packed: bool, *, torn: bool) -> Iterator[bytes]:
    """The text of a file in pieces; RecordError for what is no gzip file. torn: an end cut off is an end."""
    if packed:
        yield from _Members(file).text(torn)
        return
    while piece := file.read(CHUNK):
        yield piece


class _Members:
    """The members of a gzip file. The standard library's reader does not tell where one ends."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file
        self.complete = 0
        """Bytes of the file up to the end of the last complete member."""
        self.between_lines = True
        """Whether the text up to there ends with a newline."""

    def text(self, torn: bool) -> Iterator[bytes]:
        """The unpacked text, at most CHUNK bytes at a time."""
        import zlib

        left = self.file.read(CHUNK)
        position = len(left)
        last = b"\n"
        while left:
            member = zlib.decompressobj(wbits=31)
            while not member.eof:
                if not left:
                    left = self.file.read(CHUNK)
                    position += len(left)
                    if not left:
                        if torn:
                            return
                        raise RecordError("the gzip file is cut short: it ends too early")
                try:
                    piece = member.decompress(left, CHUNK)
                except zlib.error as error:
                    raise RecordError(f"not a gzip file: {error}") from None
                left = member.unconsumed_tail
                if piece:
                    last = piece[-1:]
                    yield piece
            left = member.unused_data
            self.complete = position - len(left)
            self.between_lines = last == b"\n"
            if not left:
                left = self.file.read(CHUNK)
                position += len(left)


def _lines(chunks: Iterable[bytes]) -> Iterator[tuple[bytes, bool]]:
    """(line, whether it ended with a newline) of a text in pieces; RecordError for a line that is too long."""
    begun: list[bytes] = []
    size = 0
    for piece in chunks:
        start = 0
        # find looks at many bytes at once, split at each.
        while (end := piece.find(b"\n", start)) >= 0:
            yield b"".join([*begun, piece[start:end]]), True
            begun.clear()
            size = 0
            start = end + 1
        begun.append(piece[start:])
        size += len(piece) - start
        if size > reading.LARGEST:
            raise RecordError(f"a record has at most {reading.LARGEST} bytes")
    if size:
        yield b"".join(begun), False


def _is_cut(line: bytes) -> bool:
    """Whether this can be the beginning of a record: what a killed writer leaves."""
    line = b"".join(line[: 2 * len(BEGINNING)].split())
    return line.startswith(BEGINNING) or BEGINNING.startswith(line)


# ---- writing -----------------------------------------------------------------------------------------------


class _Replacement:
    """A file written beside its place, which it takes when it is complete."""

    def __init__(self, path: str | PathLike[str]) -> None:
        import errno
        import os

        self.target = os.path.realpath(path)  # a link stays, what it points to is written
        if os.path.exists(self.target) and not os.path.isfile(self.target):
            raise OSError(errno.EINVAL, "not a regular file", self.target)

    def __enter__(self) -> IO[bytes]:
        import os

        handle, self.temporary = _create_beside(self.target)
        self.file = os.fdopen(handle, "wb")
        return self.file

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        import os

        replaced = False
        try:
            with self.file as file:
                if error is None:
                    file.flush()
                    os.fsync(file.fileno())
            if error is None:
                os.replace(self.temporary, self.target)
                replaced = True
        finally:
            # The name is free once the file has its place: another thread's new file may have it.
            if not replaced and os.path.exists(self.temporary):
                os.unlink(self.temporary)


def _create_beside(target: str) -> tuple[int, str]:
    """A new file in the directory of the target, with the permissions that any new file has: (handle, path)."""
    import os

    number = 0
    while True:
        name = f"{target}.{os.getpid()}-{number}.part"
        try:
            return os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), name
        except FileExistsError:
            number += 1


def _mend(target: str, packed: bool) -> None:
    """Make a file one to which records can be added; RecordError if it is no archive."""
    import os

    if os.path.exists(target) and os.path.getsize(target):
        if packed:
            _mend_packed(target)
        else:
            _mend_plain(target)


def _mend_plain(target: str) -> None:
    with open(target, "r+b") as file:
        if not _is_cut(file.read(len(BEGINNING))):
            raise RecordError(f"{target}: not an archive of records")
        end = file.seek(0, 2)
        tail = b""
        while end and b"\n" not in tail:
            size = min(CHUNK, end)
            end -= size
            file.seek(end)
            tail = file.read(size) + tail
            if len(tail) > reading.LARGEST:
                raise RecordError(f"{target}: a record has at most {reading.LARGEST} bytes")
        last = tail[tail.rfind(b"\n") + 1 :]
        if not last:
            return
        if _is_whole(last, target):
            file.seek(0, 2)
            file.write(b"\n")
        else:
            file.seek(-len(last), 2)
            file.truncate()


def _is_whole(last: bytes, target: str) -> bool:
    """Whether the last line, which has no newline, is a record; RecordError if it is no part of one either."""
    try:
        Record.loads(last)
    except RecordError:
        if _is_cut(last):
            return False
        raise RecordError(f"{target}: not an archive of records") from None
    return True


def _mend_packed(target: str) -> None:
    import gzip
    import os

    with open(target, "rb") as file:
        members = _Members(file)
        begun, line, ended = False, b"", True
        for line, ended in _lines(members.text(torn=True)):  # noqa: B007 (the last one's count below)
            if not begun and line.strip():
                begun = True
                if not _is_cut(line):
                    raise RecordError(f"{target}: not an archive of records")
        if members.complete < os.path.getsize(target) or not (ended or _is_whole(line, target)):
            with _Replacement(target) as out:
                _copy_complete(file, out, members.complete if members.between_lines else 0)
            return
    if not ended:
        with open(target, "ab") as file:
            file.write(gzip.compress(b"\n", mtime=0))


def _copy_complete(file: IO[bytes], out: IO[bytes], complete: int) -> None:
    """Copy so many bytes, which are complete members, and the complete lines after them as a member of their own."""
    import gzip

    file.seek(0)
    left = complete
    while left:
        piece = file.read(min(CHUNK, left))
        out.write(piece)
        left -= len(piece)
    lines = _lines(_Members(file).text(torn=True))
    with gzip.GzipFile(fileobj=out, mode="wb", mtime=0, filename="") as member:
        for line, ended in lines:
            if ended:
                member.write(line + b"\n")
