from typing_extensions import disjoint_base

from herzen.game import Game
from herzen.view import View

@disjoint_base
class Worlds:
    @property
    def view(self) -> View: ...
    def __init__(self, view: View) -> None: ...
    def sample(self, seed: int) -> Game: ...
