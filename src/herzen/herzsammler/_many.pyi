"""Herzsammler for batches: loops over many positions, and what a seat may know as numbers (docs/batch.rst)."""

from herzen.herzsammler.rules import HerzsammlerRules

def prepare(rules: HerzsammlerRules) -> list[tuple[str, int]]: ...
