"""Several interpreters in one process: one of them may use herzen, the first that imports it; others get ImportError.

What the page "Threads and interpreters" promises is tried on this Python and on those that CI names. From 3.12 on an
interpreter may have a GIL of its own; Python itself refuses herzen there.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.pythons import other_pythons

SCRIPT = '''
"""Do what argv[1] lists, one thing after another: [interpreter, "shared" or "own" (its GIL), what].

Prints whether interpreters can have a GIL of their own, and for each use a line, made by the interpreter itself."""

import json, sys, threading, time
try:
    import _interpreters as interpreters  # 3.13
    LEGACY, ISOLATED = ("legacy",), ("isolated",)
except ImportError:
    import _xxsubinterpreters as interpreters
    LEGACY, ISOLATED = (), ()

USE = """
import os
try:
    import herzen
    told = []
    for kind in (herzen.Hearts, herzen.VonHerzen, herzen.Herzsammler):
        game = kind(seed=1)
        for _ in range(80):
            if not game.over:
                game.play(game.legal_moves()[-1])
        game.undo()
        told.append(herzen.Record.loads(game.record().dumps()).replay().fingerprint())
    told = " ".join(told)
except ImportError as error:
    told = f"ImportError: {error}"
os.write(1, (told + chr(10)).encode())
"""


def made(kind):
    if LEGACY:
        return interpreters.create(*(ISOLATED if kind == "own" else LEGACY))
    return interpreters.create(isolated=kind == "own")


def use(name):
    if name == "main":
        exec(USE, {})
    else:
        failed = interpreters.run_string(there[name], USE)
        assert failed is None, failed


print(sys.version_info >= (3, 12), flush=True)
there = {}
for name, kind, what in json.loads(sys.argv[1]):
    if name != "main" and name not in there:
        there[name] = made(kind)
    if what == "use":
        use(name)
    elif what == "end":
        interpreters.destroy(there.pop(name))
    else:  # in a thread, while the main interpreter plays on
        thread = threading.Thread(target=use, args=(name,))
        thread.start()
        while thread.is_alive():
            import herzen
            game = herzen.Hearts(seed=2)
            game.play_code(game.codes()[0])
            time.sleep(0)  # up to 3.11 no other interpreter can ask for the GIL
        thread.join()
for left in there.values():
    interpreters.destroy(left)
'''

Step = tuple[str, str, str]

MAIN: Step = ("main", "shared", "use")
ORDERS: dict[str, list[Step]] = {
    "the main one alone": [MAIN, MAIN],
    "main first": [MAIN, ("a", "shared", "use"), ("b", "own", "use"), MAIN, ("a", "shared", "use")],
    "shared first": [("a", "shared", "use"), MAIN, ("b", "own", "use"), ("a", "shared", "use")],
    "own first": [("a", "own", "use"), MAIN, ("a", "own", "use"), ("b", "shared", "use"), MAIN],
    "the first one ends": [
        *[("a", "shared", "use"), ("a", "shared", "end"), MAIN],
        *[("b", "shared", "use"), ("b", "shared", "end"), ("c", "own", "use"), MAIN],
    ],
    "others come and go": [
        MAIN,
        *[
            (f"{kind}{number}", kind, what)
            for number in range(5)
            for kind in ("own", "shared")
            for what in ("use", "use", "end")
        ],
        MAIN,
    ],
    "in a thread": [MAIN, ("a", "own", "thread"), ("b", "shared", "thread"), MAIN],
}


def expected(steps: list[Step], own_gil: bool) -> list[bool]:
    """Whether each use of herzen works: in the interpreter that came first, of those that Python lets in."""
    first: str | None = None
    works = []
    for name, kind, what in steps:
        if what == "end":
            continue
        let_in = not (own_gil and kind == "own")
        if let_in and first is None:
            first = name
        works.append(let_in and first == name)
    return works


@pytest.mark.ci
@pytest.mark.parametrize("steps", ORDERS.values(), ids=ORDERS)
def test_one_interpreter_of_a_process_uses_herzen(steps: list[Step]) -> None:
    told = set()
    for python in (sys.executable, *other_pythons()):
        here = os.pathsep.join(sys.path) if python == sys.executable else ""
        done = subprocess.run(
            [python, "-X", "faulthandler", "-c", SCRIPT, json.dumps(steps)],
            env={**os.environ, "PYTHONPATH": here},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert (done.returncode, done.stderr) == (0, ""), (python, done.stderr)
        own_gil, *lines = done.stdout.splitlines()
        works = expected(steps, own_gil=own_gil == "True")
        assert [not line.startswith("ImportError") for line in lines] == works, (python, lines)
        for line in lines:
            if line.startswith("ImportError"):
                assert "interpreter" in line  # it says why
            else:
                told.add(line)
    assert len(told) <= 1
