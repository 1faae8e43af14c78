"""The JSON Schema of records (draft 2020-12), for programs that check files without herzen."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def record_schema() -> dict[str, Any]:
    """The schema as data. Its description lists what only the loader, `Record.loads`, can check."""
    import json
    from importlib.resources import files

    text = files("herzen.schema").joinpath("record.schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema
