"""The interpreters that tests may use besides their own."""

from __future__ import annotations

import os


def other_pythons() -> list[str]:
    """Further interpreters that have herzen installed: HERZEN_OTHER_PYTHONS, set by CI, separated as in PATH."""
    return [path for path in os.environ.get("HERZEN_OTHER_PYTHONS", "").split(os.pathsep) if path]
