"""What the documentation lists is what there is."""

from __future__ import annotations

import importlib
import inspect
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


def reference() -> tuple[set[str], set[str]]:
    """What the pages describe: modules with all their members, and single names."""
    modules, names = set(), set()
    for path in DOCS.rglob("*.rst"):
        text = path.read_text(encoding="utf-8")
        for kind, name, options in re.findall(
            r"^\.\. auto(\w+):: (\S+)\n((?: +:.*\n)*)", text, re.M
        ):
            members = re.search(r":members:(.*)", options)
            if kind != "module":
                names.add(name)
            elif members is not None and members[1].strip():
                names |= {f"{name}.{member.strip()}" for member in members[1].split(",")}
            elif members is not None:
                modules.add(name)
        names |= set(re.findall(r"^\.\. py:\w+:: ([\w.]+)", text, re.M))
    return modules, names


@pytest.mark.parametrize(
    "module",
    [
        *("herzen", "herzen.arena", "herzen.batch", "herzen.bots", "herzen.render"),
        *("herzen.seeds", "herzen.simulation", "herzen.render.text", "herzen.render.svg"),
        *("herzen.render.page", "herzen.render.scene", "herzen.render.themes"),
        *(f"herzen.{name}" for name in GAMES),
        # These need packages that not every environment for tests has.
        *(
            pytest.param(f"herzen.envs.{name}", marks=pytest.mark.ci)
            for name in ("gymnasium", "pettingzoo", "openspiel")
        ),
    ],
)
def test_every_public_name_is_in_the_reference(module: str) -> None:
    found = importlib.import_module(module)
    modules, names = reference()
    public = getattr(found, "__all__", None) or [
        name
        for name, value in vars(found).items()
        if not name.startswith("_") and getattr(value, "__module__", None) == module
    ]
    assert public
    for name in public:
        value = getattr(found, name)
        if inspect.isclass(value) or inspect.isroutine(value):
            home = value.__module__
            homes = {module, home, home.rpartition(".")[0]}  # a package shows what it takes in
            assert homes & modules or {f"{home}.{name}" for home in homes} & names, name
            assert (value.__doc__ or "").strip(), name
        else:  # autodoc shows data that have a sentence under them, or are named
            told = re.search(rf'^{name}\b.*=.*\n"""', inspect.getsource(found), re.M)
            assert (module in modules and told) or any(
                known.endswith(f".{name}") for known in names
            ), name


def test_the_class_that_the_reference_describes_by_hand_has_these_arguments() -> None:
    # Stable-Baselines3 is large, so the documentation is built without it.
    source = (ROOT / "src" / "herzen" / "envs" / "sb3.py").read_text(encoding="utf-8")
    (init,) = re.findall(r"def __init__\(\n        self,\n(.*?)\n    \) -> None:", source, re.S)
    arguments = re.sub(r"\b(\w+): .*? = (.*?),(?=\n|$)", r"\1=\2,", init)
    listed = " ".join(arguments.split()).rstrip(",")
    assert f".. py:class:: herzen.envs.sb3.BatchVecEnv({listed})\n" in page("envs-gymnasium.rst")


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
