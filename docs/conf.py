"""Sphinx configuration. Build with ``sphinx-build -n -W docs docs/_build``."""

import ast
import os
import pkgutil
import re
import sys
from importlib import import_module
from pathlib import Path

import herzen

# Autodoc would otherwise read the stub beside a compiled module instead of the module itself.
os.environ["SPHINX_AUTODOC_IGNORE_NATIVE_MODULE_TYPE_STUBS"] = "1"

# The examples that doctests import.
sys.path.append(str(Path(__file__).parent / "examples"))

project = "herzen"
author = "The herzen developers"
project_copyright = "2026, The herzen developers"
_version_file = Path(__file__).parents[1] / "src" / "herzen" / "_version.py"
release = re.findall(r'__version__ = "([^"]+)"', _version_file.read_text(encoding="utf-8"))[0]
version = release

# Without napoleon: docstrings are sentences, and it would take "seats: 3 to 7" of an attribute for its type.
extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.intersphinx",
    "sphinx.ext.doctest",
]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = f"herzen {release}"

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
default_role = "code"
# An annotation `object` finds the attributes of that name. -n still reports names that lead nowhere.
suppress_warnings = ["ref.python"]

# `sphinx-build -b linkcheck` asks the sites that the pages link to. What runs on the reader's own machine has no site.
linkcheck_ignore = [r"https?://(localhost|127\.0\.0\.1)([:/].*)?$"]
linkcheck_timeout = 20
linkcheck_retries = 2
linkcheck_workers = 4

# The build needs no network. With HERZEN_DOCS_ONLINE=1 names of the standard library become links;
# without it they stay plain text.
intersphinx_mapping = {}
# Type variables have no page of their own, and executors are pages of other names than their modules'. The learners'
# libraries are not linked to.
nitpick_ignore_regex = [
    ("py:class", r"(herzen\.\w+\.)?_?[A-Z]"),
    ("py:class", r"concurrent\.futures\..*"),
    # Of other packages, and words of ours that stand for a choice of strings.
    ("py:class", r"(numpy|np|gymnasium|pettingzoo)\..*|NDArray|ArrayLike|AutoresetMode"),
    ("py:class", r"Opponents|Reward|Illegal|MaskIn|RenderMode"),
]
if os.environ.get("HERZEN_DOCS_ONLINE") == "1":
    intersphinx_mapping["python"] = ("https://docs.python.org/3", None)
else:
    nitpick_ignore_regex.append(("py:.*", r"(collections|enum|os|pathlib|types|typing)\..*"))


def _checked_names() -> None:
    """Run what modules have under `if TYPE_CHECKING`, so that autodoc can resolve their annotations."""
    waiting = []
    for found in pkgutil.walk_packages(herzen.__path__, "herzen."):
        if found.name.endswith("__main__"):
            continue
        try:
            module = import_module(found.name)
        except ImportError as error:
            if "pip install" not in str(error):
                raise
            continue  # an adapter for a library that is not here
        source = Path(module.__file__ or "")
        if source.suffix == ".py":
            for node in ast.parse(source.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
                    waiting += [(vars(module), ast.unparse(statement)) for statement in node.body]
    while waiting:  # a statement may need names that another module's make
        left = []
        for names, statement in waiting:
            try:
                exec(statement, names)
            except (ImportError, NameError):
                left.append((names, statement))
        if len(left) == len(waiting):
            raise ImportError(left[0][1])
        waiting = left


_checked_names()
