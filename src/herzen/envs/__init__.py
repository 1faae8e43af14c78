"""Adapters for the ecosystem's learners, one module a library: `pettingzoo`, `gymnasium`, `openspiel`.

Import the module that you need: `import herzen.envs.pettingzoo`. Each raises ImportError with the line to install
where its library is missing. See docs/envs.rst.
"""
