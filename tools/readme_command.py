"""Print a command of README.md, so that CI runs what the README says and nothing else.

`python tools/readme_command.py run` prints the line that follows `<!-- command: run -->`.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"
BLOCK = re.compile(r"<!-- command: (\w+) -->\n```console\n(.*)\n```\n")


def commands() -> dict[str, str]:
    """The marked commands by name, each one line."""
    return dict(BLOCK.findall(README.read_text(encoding="utf-8")))


if __name__ == "__main__":
    found = commands()
    if len(sys.argv) != 2 or sys.argv[1] not in found:
        sys.exit(f"usage: readme_command.py {'|'.join(found)}")
    print(found[sys.argv[1]])
