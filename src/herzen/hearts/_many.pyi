"""Hearts for batches: loops over many positions, and what a seat may know as numbers (docs/batch.rst)."""

from herzen.hearts.rules import HeartsRules

def prepare(rules: HeartsRules) -> list[tuple[str, int]]: ...
