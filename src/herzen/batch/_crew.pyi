"""Slots at which several threads work, one call at a time."""

from typing_extensions import disjoint_base

from herzen.batch._slots import Slots

@disjoint_base
class Crew(Slots): ...
