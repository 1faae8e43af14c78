"""Sphinx configuration. Build with ``sphinx-build -n -W docs docs/_build``."""

import os
import re
from pathlib import Path

# Autodoc would otherwise read the stub beside a compiled module instead of the module itself.
os.environ["SPHINX_AUTODOC_IGNORE_NATIVE_MODULE_TYPE_STUBS"] = "1"

project = "herzen"
author = "The herzen developers"
project_copyright = "2026, The herzen developers"
_version_file = Path(__file__).parents[1] / "src" / "herzen" / "_version.py"
release = re.findall(r'__version__ = "([^"]+)"', _version_file.read_text(encoding="utf-8"))[0]
version = release

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.intersphinx",
    "sphinx.ext.doctest",
]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = f"herzen {release}"

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
napoleon_numpy_docstring = False

# The build needs no network. With HERZEN_DOCS_ONLINE=1 names of the standard library become links;
# without it they stay plain text.
intersphinx_mapping = {}
if os.environ.get("HERZEN_DOCS_ONLINE") == "1":
    intersphinx_mapping["python"] = ("https://docs.python.org/3", None)
else:
    nitpick_ignore_regex = [("py:.*", r"(collections|enum|os|pathlib|types|typing)\..*")]
