"""Every numbered rule has a test that cites it, and every number cited is that of a rule.

A rule is defined by its number in bold in docs/rules/<game>.rst; a test cites it in its docstring. Pages of games that
are not in the registry yet are left alone. The twins under tests/reference do not count: they test themselves.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from herzen.registry import GAMES

ROOT = Path(__file__).parents[1]
REFERENCE = ROOT / "tests" / "reference"
NUMBER = re.compile(r"\b[A-Z]-[A-Z]+-\d+\b")
DEFINITION = re.compile(r"\*\*([A-Z]-[A-Z]+-\d+)\*\*")
LINK_TARGET = re.compile(r"^\.\. _([a-z]-[a-z]+-\d+):$", re.MULTILINE)


def pages() -> dict[str, str]:
    """The rules pages of the games in the registry, by game."""
    return {
        game: (ROOT / "docs" / "rules" / f"{game}.rst").read_text(encoding="utf-8")
        for game in GAMES
    }


def definitions(page: str) -> list[str]:
    """Every number that a page defines, as often as it does."""
    return DEFINITION.findall(page)


def docstrings_of_tests(source: str) -> Iterator[str]:
    """The docstrings of the test functions of a module."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield ast.get_docstring(node) or ""


def cited_by_tests() -> set[str]:
    """The numbers that tests cite."""
    return {
        number
        for path in (ROOT / "tests").rglob("test_*.py")
        if REFERENCE not in path.parents
        for text in docstrings_of_tests(path.read_text(encoding="utf-8"))
        for number in NUMBER.findall(text)
    }


def citations() -> dict[str, str]:
    """Every number in the package, the tests and the docs, with a file that cites it."""
    found: dict[str, str] = {}
    for folder, kinds in (
        ("src", ("py", "pyi", "pyx", "pxd")),
        ("tests", ("py",)),
        ("docs", ("rst",)),
    ):
        for kind in kinds:
            for path in sorted((ROOT / folder).rglob(f"*.{kind}")):
                if path != Path(__file__):
                    for number in NUMBER.findall(path.read_text(encoding="utf-8")):
                        found.setdefault(number, path.relative_to(ROOT).as_posix())
    return found


def every_definition() -> list[str]:
    """What all pages of the registry define."""
    return [number for page in pages().values() for number in definitions(page)]


def test_every_rule_has_a_test() -> None:
    """A number that no test cites in its docstring is a rule without a test."""
    assert sorted(set(every_definition()) - cited_by_tests()) == []


def test_every_cited_number_is_defined() -> None:
    """A cited number that no page defines is a slip, or a rule that has gone."""
    known = set(every_definition())
    letters = {number[0] for number in known}
    wrong = {
        number: where
        for number, where in citations().items()
        if number[0] in letters and number not in known
    }
    assert wrong == {}


def test_no_number_is_defined_twice() -> None:
    """A number means one rule."""
    assert [number for number, count in Counter(every_definition()).items() if count > 1] == []


def test_every_definition_can_be_linked() -> None:
    """The link target before a definition is the number itself, once each."""
    for game, page in pages().items():
        targets = [target.upper() for target in LINK_TARGET.findall(page)]
        assert targets == definitions(page), game


def test_games_have_letters_of_their_own() -> None:
    """Two games never share the first letter of their numbers; each page has at least one rule."""
    letters = [{number[0] for number in definitions(page)} for page in pages().values()]
    assert all(len(own) == 1 for own in letters)
    assert len(set.union(*letters)) == len(letters)


def test_the_reading_itself() -> None:
    """What counts as a definition, a citation and a test."""
    page = ".. _x-one-1:\n\n**X-ONE-1** One; see X-ONE-2_.\n\n**X-ONE-10** Ten.\n"
    assert definitions(page) == ["X-ONE-1", "X-ONE-10"]
    assert NUMBER.findall(page) == ["X-ONE-1", "X-ONE-10"]  # a link's underscore ends no word
    source = 'def test_it():\n    """X-ONE-1"""\n\ndef help():\n    """X-ONE-2"""\n# X-ONE-3\n'
    assert list(docstrings_of_tests(source)) == ["X-ONE-1"]
