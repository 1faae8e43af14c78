from typing_extensions import disjoint_base

from herzen._worlds import Worlds as AnyWorlds

@disjoint_base
class Worlds(AnyWorlds): ...
