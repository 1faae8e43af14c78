from herzen.game import Game
from herzen.view import View

def table_of(view: View) -> Game: ...
