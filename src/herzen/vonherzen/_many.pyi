"""Von Herzen for batches: loops over many positions, and what a seat may know as numbers (docs/batch.rst)."""

from herzen.vonherzen.rules import VonHerzenRules

def prepare(rules: VonHerzenRules) -> list[tuple[str, int]]: ...
