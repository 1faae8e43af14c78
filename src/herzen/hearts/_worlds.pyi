from typing_extensions import disjoint_base

from herzen import _worlds
from herzen.view import View

@disjoint_base
class Worlds(_worlds.Worlds):
    def __init__(self, view: View) -> None: ...
