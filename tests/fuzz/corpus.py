"""What fuzzing found worth keeping, in a folder: `<target>.jsonl.xz` of texts, `findings.jsonl` of faults.

Both only grow. Every text is kept with the answer that it gets, and is answered so for ever; a finding is kept with
what it was, and must not fail again.
"""

from __future__ import annotations

import json
import lzma
from dataclasses import asdict, dataclass
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "data" / "fuzz"
LARGEST = 300_000
"""Bytes of the folder that is in the repository."""

# Texts are bytes of any kind: as Latin-1 every byte is a letter, and most of them stay readable and compress well.


@dataclass(frozen=True)
class Kept:
    """A text and its answer."""

    text: bytes
    says: str


@dataclass(frozen=True)
class Finding:
    """A case that failed."""

    target: str
    case: int
    what: str
    """The error, on one line; "crash ..." or "hang ..." for what ended the process."""
    text: str | None = None
    """The text of the case, its bytes read as Latin-1, where the cases are texts."""


def load(folder: Path, target: str) -> list[Kept]:
    """The texts that were kept of a target."""
    path = folder / f"{target}.jsonl.xz"
    if not path.exists():
        return []
    with lzma.open(path, "rt", encoding="ascii") as file:
        rows = [json.loads(line) for line in file]
    return [Kept(row["text"].encode("latin-1"), row["says"]) for row in rows]


def save(folder: Path, target: str, kept: list[Kept]) -> None:
    """Write the texts of a target."""
    folder.mkdir(parents=True, exist_ok=True)
    with lzma.open(folder / f"{target}.jsonl.xz", "wt", encoding="ascii", preset=9) as file:
        for one in kept:
            file.write(json.dumps({"says": one.says, "text": one.text.decode("latin-1")}) + "\n")


def load_findings(folder: Path) -> list[Finding]:
    """All findings that were kept."""
    path = folder / "findings.jsonl"
    if not path.exists():
        return []
    return [Finding(**json.loads(line)) for line in path.read_text().splitlines()]


def add_finding(folder: Path, finding: Finding) -> None:
    """Keep one more, unless the same error at the same place is there already."""
    known = {(one.target, one.what) for one in load_findings(folder)}
    if (finding.target, finding.what) in known and " at " in finding.what:
        return
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "findings.jsonl").open("a") as file:
        file.write(json.dumps(asdict(finding)) + "\n")
