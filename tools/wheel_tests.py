"""Lay out the tests of a wheel as cibuildwheel does: python tools/wheel_tests.py FOLDER.

Copies `test-sources` of [tool.cibuildwheel] in pyproject.toml into a new folder and prints the `test-command`, to be
run there by the `python` that has the wheel and its `test-extras`.
"""

from __future__ import annotations

import shutil
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def main(folder: Path) -> None:
    """Copy the sources, print the command."""
    with open(ROOT / "pyproject.toml", "rb") as file:
        config = tomllib.load(file)["tool"]["cibuildwheel"]
    folder.mkdir()
    for name in config["test-sources"]:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name)
        else:
            shutil.copy(ROOT / name, folder / name)
    print(config["test-command"])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
