from typing import Self

from typing_extensions import disjoint_base

from herzen.game import Game
from herzen.view import View

@disjoint_base
class Worlds:
    @property
    def view(self) -> View: ...
    def __new__(cls, view: View) -> Self: ...
    def sample(self, seed: int) -> Game: ...
    def check(self) -> None: ...
