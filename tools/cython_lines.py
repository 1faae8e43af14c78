"""A plugin of coverage.py for lines of Cython, used by tools/coverage_report.py.

Cython.Coverage finds the lines in the C sources, and it is used here for that. While the tests run it would ask
Python code, at each call of a compiled function, from which file the function is, and at each line for its number.
That takes most of the time, and an exception that comes there from a signal handler, as in the tests of Ctrl-C, would
end the tracing. But each function here knows its own file, so that nothing needs to be asked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path

from coverage.plugin import FileReporter, FileTracer
from coverage.plugin_support import Plugins
from Cython.Coverage import CythonModuleReporter, Plugin

ENDINGS = (".pyx", ".pxd")
SOURCES = Path(__file__).resolve().parent
"""Where coverage_report.py puts this file: beside the package."""


class Source(FileTracer):
    """A file that compiled functions are from."""

    def __init__(self, name: str) -> None:
        self.name = name
        # Called at each line. As it is no Python code, it is quick, and neither do threads take turns nor do signals
        # come where the code that is traced does not let them.
        self.line_number_range = attrgetter("f_lineno", "f_lineno")  # type: ignore[method-assign, assignment]

    def source_filename(self) -> str:
        return self.name


class CythonLines(Plugin):
    """Traces files of Cython, and knows their lines."""

    _known: dict[str, dict[int, str]] | None = None

    def file_tracer(self, filename: str) -> FileTracer | None:
        if not filename.endswith(ENDINGS):
            return None
        # Compiled code knows relative paths, and the process may be anywhere.
        _, package, name = filename.rpartition("/herzen/")
        return Source(f"{SOURCES}{package}{name}")

    def file_reporter(self, filename: str) -> FileReporter:
        name = Path(filename).relative_to(SOURCES).as_posix()
        if self._known is None:
            self._known = defaultdict(dict)
            # Functions of a .pxd are in the C source of each module that includes it.
            for source in sorted((SOURCES.parent / "build/cython/src").rglob("*.c")):
                for found, lines in self._parse_cfile_lines(str(source)).items():  # type: ignore[no-untyped-call]
                    self._known[found].update(lines)
        reporter: FileReporter = CythonModuleReporter(  # type: ignore[no-untyped-call]
            None, filename, name, self._known[name], self._excluded_lines_map[name]
        )
        return reporter

    def find_executable_files(self, src_dir: str) -> Iterator[str]:
        for ending in ENDINGS:
            yield from map(str, Path(src_dir).rglob("*" + ending))


def coverage_init(reg: Plugins, _: object) -> None:
    plugin = CythonLines()
    reg.add_configurer(plugin)
    reg.add_file_tracer(plugin)
