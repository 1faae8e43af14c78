"""Imports run one way (docs/design.rst): the core, the games, none of which knows another, what stands on top.

Only imports that run when a module is loaded count, and cimports. What a function imports when it is called, a game's
picture for example, may lie above it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import herzen
from herzen.registry import GAMES

PACKAGE = Path(herzen.__file__).parent
FOLDERS = {module.rpartition(".")[2] for module, _ in GAMES.values()}
ON_TOP = {"arena", "batch", "cli", "envs", "simulation"}
FOR_PEOPLE = {"bots", "render"}
"""Also on top, but a game's own words, pictures and bots are made of what they offer."""
ENTRANCES = {"__init__", "__main__"}
CIMPORT = re.compile(
    r"^(?:from +(herzen[\w.]*) +c?import +(\([^)]*\)|[^\n]*)|c?import +(herzen[\w.]*))", re.M
)


def modules() -> list[str]:
    """Paths of all sources, within the package."""
    found = [path for kind in ("py", "pyx", "pxd") for path in PACKAGE.rglob(f"*.{kind}")]
    return sorted(path.relative_to(PACKAGE).as_posix() for path in found)


def imported(path: Path) -> Iterator[str]:
    """Names of the package's modules that a source imports when it is loaded, with what it imports from them."""
    text = path.read_text()
    if path.suffix != ".py":
        for module, names, whole in CIMPORT.findall(text):
            yield whole or module
            yield from (f"{module}.{name}" for name in re.findall(r"\w+", names))
        return
    for node in ast.parse(text).body:
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def rooms(path: Path) -> set[str]:
    """The folders and single modules of the package that a source imports."""
    return {name.split(".")[1] for name in imported(path) if name.startswith("herzen.")}


@pytest.mark.parametrize("module", modules())
def test_imports_run_one_way(module: str) -> None:
    room, _, rest = module.partition("/")
    used = rooms(PACKAGE / module)
    if not rest:
        room = room.partition(".")[0]
        if room in ENTRANCES | ON_TOP:
            return
        assert not used & (FOLDERS | ON_TOP | FOR_PEOPLE), (
            "the core knows no game and nothing on top"
        )
        if room == "_core":
            assert used <= {"_core"}
    elif room in FOLDERS:
        assert not used & (FOLDERS - {room}), "a game knows no other game"
        assert not used & ON_TOP
        if used & FOR_PEOPLE:
            assert Path(rest).stem in {"text", "scene", "faces", "bot"}


def test_what_is_read_of_a_source() -> None:
    """The check sees what there is: each kind of import in each kind of source."""
    assert {"_core", "_codes"} <= rooms(PACKAGE / "hearts" / "_rules.pyx")
    assert {"_core"} == rooms(PACKAGE / "hearts" / "_rules.pxd")
    assert {"hearts", "render", "game"} <= rooms(PACKAGE / "hearts" / "scene.py")
    assert "batch" in rooms(PACKAGE / "envs" / "seats.py")
