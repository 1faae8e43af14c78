"""Check what an sdist and a wheel hold: python tools/check_dist.py SDIST WHEEL."""

from __future__ import annotations

import re
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
LARGEST = 2_000_000  # bytes of a wheel


def sources(*endings: str) -> set[str]:
    """Files under src with one of these endings, as paths from there."""
    src = ROOT / "src"
    return {
        path.relative_to(src).as_posix()
        for path in src.rglob("*")
        if path.name.endswith(endings) and ".egg-info" not in path.as_posix()
    }


def faults(sdist: str, wheel: str) -> list[str]:
    """What is missing or should not be there."""
    with tarfile.open(sdist) as file:
        shipped = {name.partition("/")[2] for name in file.getnames()}
    with zipfile.ZipFile(wheel) as archive:
        installed = set(archive.namelist())
    kept = sources(".py", ".pyi", ".pyx", ".pxd", ".h", ".csv", ".json", ".html", ".css", ".js")
    kept |= sources("py.typed")
    found = [f"sdist lacks src/{name}" for name in kept if f"src/{name}" not in shipped]
    found += [
        f"sdist lacks {name}"
        for name in ("LICENSE", "README.md", "pyproject.toml", "setup.py")
        if name not in shipped
    ]
    found += [f"wheel lacks {name}" for name in kept - installed]
    for name in sources(".pyx"):
        stem = re.escape(name.removesuffix(".pyx"))
        if not any(re.fullmatch(rf"{stem}\.[^/]*(so|pyd)", there) for there in installed):
            found.append(f"wheel lacks the compiled {name}")
    # C belongs to the benchmarks and to what tests compile; under src it is made from .pyx.
    found += [
        f"sdist has {name}"
        for name in shipped
        if name.endswith((".o", ".so", ".pyd"))
        or (name.endswith(".c") and not name.startswith(("benchmarks/", "tests/data/")))
    ]
    found += [
        f"wheel has {name}"
        for name in installed
        if name.endswith(".c") or not name.startswith(("herzen/", "herzen-"))
    ]
    size = Path(wheel).stat().st_size
    if size > LARGEST:
        found.append(f"wheel has {size} bytes, more than {LARGEST}")
    return found


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    wrong = faults(*sys.argv[1:])
    print("\n".join(wrong) or "sdist and wheel are complete")
    sys.exit(bool(wrong))
