"""What the documentation lists is what there is."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

import herzen
from herzen.errors import HerzenError
from herzen.registry import GAMES

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def classes(kind: type[HerzenError] = HerzenError) -> list[type[HerzenError]]:
    return [kind, *(found for child in kind.__subclasses__() for found in classes(child))]


def codes_in_source() -> set[str]:
    """Error codes as they stand in the source: keywords, class attributes, and pairs with a sentence."""
    found = {kind.code for kind in classes()}
    for path in (ROOT / "src" / "herzen").rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        found |= set(re.findall(r'\bcode="(\w+)"', source))
        found |= set(re.findall(r'(?:return \(?|^ +\()\s*"([a-z_]+)",\s+f?["\']', source, re.M))
    return found


def test_every_error_code_is_documented() -> None:
    documented = set(re.findall(r"^(?:``\w+``\s+)?``([a-z_]+)``\s", page("errors.rst"), re.M))
    codes = codes_in_source()
    assert {"must_follow_suit", "wrong_phase", "not_held", "no_seed", "stale"} <= codes
    assert codes - documented == set()


def test_every_error_class_is_documented() -> None:
    for kind in classes():
        assert f"``{kind.__name__}``" in page("errors.rst")


@pytest.mark.parametrize("name", GAMES)
def test_every_option_and_preset_is_in_the_rules_page(name: str) -> None:
    module, kind = GAMES[name]
    rules: type[herzen.Rules] = getattr(importlib.import_module(module), f"{kind}Rules")
    text = page(f"rules/{name}.rst")
    presets = [
        word
        for word, member in vars(rules).items()
        if isinstance(member, classmethod) and not word.startswith("_")
    ]
    assert "classic" in presets  # all defaults: nothing to describe
    for word in {*rules._fields, *presets} - {"classic", "from_dict"}:
        assert re.search(rf"``{word}(?:``|[=( ])", text), word


def test_every_public_module_has_its_place_in_the_api_page() -> None:
    api = page("api.rst")
    shown = set(re.findall(r"automodule:: (\S+)", api))
    for kind in (getattr(herzen, name) for name in herzen.__all__):
        module = getattr(kind, "__module__", None)
        if module is not None and module != "herzen":
            assert any(module == name or module.startswith(f"{name}.") for name in shown), module


def test_the_page_about_another_game_names_every_part_of_one() -> None:
    text = page("another-game.rst")
    folder = ROOT / "src" / "herzen" / "herzsammler"
    parts = {path.name for path in folder.iterdir() if path.suffix in (".py", ".pyx", ".pxd")}
    parts -= {"__init__.py", "_zones.pxd", "_worlds.pxd", "_policy.pxd"}
    assert {part for part in parts if f"``{part}``" not in text} == set()
    table = (ROOT / "src" / "herzen" / "_core.pxd").read_text(encoding="utf-8")
    struct = re.search(r"ctypedef struct Ops:\n(.*?)\n\n?cdef", table, re.DOTALL)
    assert struct is not None
    operations = re.findall(r"\(\*(\w+)\)\(|\bsize_t (\w+)", struct[1])
    names = {one or other for one, other in operations}
    assert {"deal", "size", "totals", "observe", "weigh"} <= names
    assert {name for name in names if f"``{name}``" not in text} == set()
