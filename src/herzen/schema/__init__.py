"""The JSON Schemas of records (draft 2020-12), for programs that check files without herzen."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def record_schema() -> dict[str, Any]:
    """The schema of records as data. Its description lists what only the loader, `Record.loads`, can check."""
    return _schema("record")


def seat_record_schema() -> dict[str, Any]:
    """The schema of seats' records as data. Its description lists what only `SeatRecord.loads` can check."""
    return _schema("seat-record")


def _schema(name: str) -> dict[str, Any]:
    import json
    from importlib.resources import files

    text = files("herzen.schema").joinpath(f"{name}.schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema
