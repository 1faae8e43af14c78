"""Von Herzen: the lists of legal moves, the actions of learners, random play, and the table of operations."""

from herzen._core import Compiled
from herzen.vonherzen.rules import VonHerzenRules

def compile_rules(rules: VonHerzenRules) -> Compiled: ...
