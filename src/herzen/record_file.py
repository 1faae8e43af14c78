"""The frame of all records: immutable data whose form in files, in pickles and for comparison is one JSON text."""

from __future__ import annotations

from herzen import record_reading as reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike
    from typing import Any, Self


class RecordFile:
    """Base of the records. Equal if the JSON is equal."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("records are immutable")

    def to_dict(self) -> dict[str, Any]:
        """The record as the JSON file has it."""
        raise NotImplementedError

    def dumps(self) -> str:
        """The record as one line of ASCII JSON."""
        raise NotImplementedError

    def dump(self, path: str | PathLike[str]) -> None:
        """Write the record to a file, compressed if its name ends in .gz. The file is complete or unchanged."""
        from herzen.archive import dump_lines

        dump_lines(path, [self.dumps()])

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """The record in a file, .gz too. RecordError, with the place, for anything that is no such record."""
        from herzen.archive import load_text

        return cls.loads(load_text(path))

    @classmethod
    def loads(cls, text: str | bytes) -> Self:
        """The record of a JSON text. RecordError, with the place, for anything that is no such record."""
        return cls.from_dict(reading.read_json(text))

    @classmethod
    def from_dict(cls, data: Any) -> Self:
        """The record of a `to_dict`, checked; RecordError with the place of the first fault."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RecordFile):
            return NotImplemented
        return self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[object, ...]:
        return type(self).loads, (self.dumps(),)
