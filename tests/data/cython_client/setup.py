"""Builds the client against the installed herzen."""

from Cython.Build import cythonize
from setuptools import Extension, setup

import herzen

include = herzen.get_include()
setup(
    name="herzen-cython-client",
    ext_modules=cythonize(
        [Extension("client", ["client.pyx"], include_dirs=[include])],
        include_path=[include],
        language_level=3,
    ),
)
