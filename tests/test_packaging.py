"""The package as others meet it: what it ships, what importing it loads, and its C level for other projects."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from importlib.metadata import distributions, entry_points, metadata, requires, version
from pathlib import Path
from typing import Any

import pytest

import herzen
from herzen.registry import GAMES

ROOT = Path(__file__).parents[1]
PACKAGE = Path(herzen.__file__).parent
INSTALLED = any(found.name == "herzen" for found in distributions())
needs_metadata = pytest.mark.skipif(not INSTALLED, reason="herzen is used without being installed")
LAZY = ("dataclasses", "hashlib", "importlib.resources", "json", "numpy", "random", "re", "typing")


def run(*arguments: str, cwd: Path | None = None) -> str:
    # The package under test, also where it lies on a relative path.
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.resolve().parent)}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def loaded_after(statement: str) -> set[str]:
    """Modules loaded by a statement in a fresh interpreter, besides those it starts with."""
    # -I and -S: without what site and the environment load; so the path is given.
    path = str(PACKAGE.parent)
    code = (
        "import sys; before = set(sys.modules)\n"
        f"sys.path.insert(0, {path!r}); {statement}\n"
        "print(*sorted(set(sys.modules) - before))"
    )
    return set(run("-I", "-S", "-c", code).split())


# ---- importing ---------------------------------------------------------------------------------------


def test_import_loads_nothing_heavy() -> None:
    loaded = loaded_after("import herzen")
    assert "herzen.game" in loaded
    assert loaded.intersection(LAZY) == set()


def test_a_match_needs_neither_numpy_nor_json() -> None:
    statement = (
        "import herzen; game = herzen.Hearts(seed=1)\n"
        "for _ in range(100): game.play_code(game.codes()[0])\n"
        "game.undo(); game.copy(); game.legal_moves(); game.view(0)"
    )
    loaded = loaded_after(statement)
    assert loaded & {"numpy", "json", "dataclasses", "typing"} == set()


def test_the_check_sees_what_is_loaded() -> None:
    assert set(LAZY) - {"numpy"} <= loaded_after(f"import {', '.join(set(LAZY) - {'numpy'})}")


def test_public_names_exist() -> None:
    for name in herzen.__all__:
        assert getattr(herzen, name) is not None
    name = "no_such_name"
    with pytest.raises(AttributeError, match=name):
        getattr(herzen, name)


# ---- what is shipped ---------------------------------------------------------------------------------


@needs_metadata
def test_version_is_that_of_the_metadata() -> None:
    assert version("herzen") == herzen.__version__
    log = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## {herzen.__version__}" in log


def test_sources_for_other_projects_are_shipped() -> None:
    assert (PACKAGE / "py.typed").is_file()
    assert (PACKAGE / "_core.h").is_file()
    sources = [path.relative_to(ROOT / "src") for path in (ROOT / "src").rglob("*.pyx")]
    assert sources
    for source in sources:
        installed = PACKAGE.parent / source
        suffix = sysconfig.get_config_var("EXT_SUFFIX")
        assert installed.with_suffix(suffix).is_file(), f"{source} is not built"
        assert installed.with_suffix(".pyi").is_file(), f"{source} has no stub"
    for path in (ROOT / "src").rglob("*.pxd"):
        assert (PACKAGE.parent / path.relative_to(ROOT / "src")).is_file()


def test_every_game_is_a_public_name() -> None:
    for module, kind in GAMES.values():
        game = getattr(importlib.import_module(module), kind)
        assert getattr(herzen, kind) is game
        assert getattr(herzen, f"{kind}Rules") is game.rules_type


def test_include_directory_holds_the_header() -> None:
    assert (Path(herzen.get_include()) / "herzen" / "_core.h").is_file()


@needs_metadata
def test_requirements() -> None:
    needed = requires("herzen") or []
    always = [line for line in needed if "extra ==" not in line]
    assert [line.split(">")[0] for line in always] == ["numpy"]
    assert metadata("herzen")["Requires-Python"] == ">=3.11"
    assert [
        script.value for script in entry_points(group="console_scripts") if script.name == "herzen"
    ] == ["herzen.cli:main"]


# ---- another Cython project --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """tests/data/cython_client, built against the installed package."""
    place = tmp_path_factory.mktemp("cython_client")
    for source in (ROOT / "tests" / "data" / "cython_client").iterdir():
        (place / source.name).write_bytes(source.read_bytes())
    run("setup.py", "--quiet", "build_ext", "--inplace", cwd=place)
    sys.path.insert(0, str(place))
    try:
        yield importlib.import_module("client")
    finally:
        sys.path.remove(str(place))


@pytest.mark.ci
def test_cython_client_plays_the_same_deal(client: Any) -> None:
    """The client's loop over the table of operations and `Game` make the same random deal."""
    for seed in range(50):
        rules = herzen.HeartsRules(pass_cycle=(), players=3 + seed % 5)
        dealer = seed % rules.players
        actions, cards, points = client.random_deal(rules, seed, dealer)
        game = herzen.Hearts(rules, seed=seed, dealer=dealer)
        stream = importlib.import_module("herzen.seeds").Stream(seed, 2, 0)
        played = []
        while game.phase == "play" and game.deal_number == 0 and not game.over:
            codes = game.codes()
            before = game.points
            played.append(codes[stream.bounded(len(codes))])
            game.play_code(played[-1])
        assert actions >= len(played)
        assert cards == played
        assert sum(points) == 26
        assert all(now >= then for now, then in zip(points, before, strict=True))


@pytest.mark.ci
def test_cython_client_reads_a_game(client: Any) -> None:
    """The rule functions can be called on the position of a running `Game`."""
    game = herzen.Hearts(herzen.HeartsRules(pass_cycle=()), seed="friday")
    seen = 0
    while not game.over and seen < 200:
        if game.phase == "play":
            legal, held = client.playable(game)
            assert legal == list(game.codes())
            assert held == len(game.hand(game.turn or 0))
            seen += 1
        game.play_code(game.codes()[-1])
    assert seen > 50


@pytest.mark.ci
def test_cython_client_refuses_other_rules(client: Any) -> None:
    with pytest.raises(AttributeError):
        client.random_deal(object(), 1, 0)


def test_a_wheel_that_is_too_large_or_lacks_something_is_refused(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("check_dist", ROOT / "tools" / "check_dist.py")
    assert spec is not None
    assert spec.loader is not None
    check_dist = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(check_dist)
    sdist, wheel = tmp_path / "herzen.tar.gz", tmp_path / "herzen.whl"
    with tarfile.open(sdist, "w:gz"):
        pass
    for size, refused in ((1_900_000, False), (2_000_001, True)):
        with zipfile.ZipFile(wheel, "w") as archive:
            archive.writestr("herzen/something", bytes(size))
        found = check_dist.faults(str(sdist), str(wheel))
        assert "wheel lacks herzen/game.py" in found
        assert any("more than 2000000" in fault for fault in found) == refused
