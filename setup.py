"""The extension modules; everything else is in pyproject.toml.

HERZEN_BUILD is the one switch, a comma-separated list:

  release   (default) optimised, no checks in compiled loops
  check     bounds checks, None checks and C assertions
  trace     Cython line tracing, for coverage
  asan, ubsan, tsan   the sanitizer of that name (with line numbers)
  native    for this processor only; otherwise x86-64-v2 or plain arm64
  plain     no choice of instructions at run time: what a processor without BMI2 gets
"""

import os
import platform
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

KNOWN = {"release", "check", "trace", "asan", "ubsan", "tsan", "native", "plain"}
build = {word.strip() for word in os.environ.get("HERZEN_BUILD", "release").split(",")} - {""}
if build - KNOWN:
    sys.exit(f"HERZEN_BUILD: unknown {sorted(build - KNOWN)}; known: {sorted(KNOWN)}")

check, trace = "check" in build, "trace" in build
sanitizers = build & {"asan", "ubsan", "tsan"}
macros: list[tuple[str, str | None]] = []
compile_args: list[str] = []
link_args: list[str] = []

if sys.platform == "win32":
    compile_args += ["/O2"]
else:
    compile_args += ["-O1" if check or trace or sanitizers else "-O3", "-Wno-unused-function"]
    # Symbols would take a quarter of the time that compiling takes; reports need lines only.
    compile_args += ["-g1"] if sanitizers or check else ["-g0"]
    if "native" in build:
        compile_args += ["-march=native"]
    elif platform.machine().lower() in ("x86_64", "amd64"):
        compile_args += ["-msse4.2", "-mpopcnt"]
    for name, flag in (("asan", "address"), ("ubsan", "undefined"), ("tsan", "thread")):
        if name in build:
            compile_args += [f"-fsanitize={flag}", "-fno-omit-frame-pointer"]
            link_args += [f"-fsanitize={flag}"]
    if "ubsan" in build:
        compile_args += ["-fno-sanitize-recover=undefined"]
# distutils passes -DNDEBUG; the check build must keep its assertions.
compile_args += ["-UNDEBUG"] if check and sys.platform != "win32" else []
if "plain" in build:
    macros += [("HZ_PLAIN", "1")]
if trace:
    macros += [("CYTHON_TRACE", "1"), ("CYTHON_TRACE_NOGIL", "1")]

sources = sorted(path.as_posix() for path in Path("src").rglob("*.pyx"))
extensions = [
    Extension(
        source.removeprefix("src/").removesuffix(".pyx").replace("/", "."),
        [source],
        include_dirs=["src"],
        depends=["src/herzen/_core.h"],
        define_macros=macros,
        extra_compile_args=compile_args,
        extra_link_args=link_args,
    )
    for source in sources
]

# What only describes or packs the sources needs no C of them.
builds = not {"egg_info", "dist_info", "sdist"} & set(sys.argv[1:])

setup(
    options={"build_ext": {"parallel": os.cpu_count()}},
    ext_modules=extensions
    if not builds
    else cythonize(
        extensions,
        nthreads=(os.cpu_count() or 1)
        if sys.platform == "linux"
        else 0,  # elsewhere it would spawn
        build_dir="build/cython",
        include_path=["src"],
        compiler_directives={
            "language_level": 3,
            "boundscheck": check,
            "wraparound": False,
            "initializedcheck": check,
            "nonecheck": check,
            "cdivision": True,
            "embedsignature": False,
            "linetrace": trace,
            "binding": True,
            "annotation_typing": False,
        },
    ),
)
