# Rules functions for Cython only: see _rules.pxd.
