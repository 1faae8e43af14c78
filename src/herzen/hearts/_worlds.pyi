from typing_extensions import disjoint_base

from herzen import _worlds

@disjoint_base
class Worlds(_worlds.Worlds): ...
