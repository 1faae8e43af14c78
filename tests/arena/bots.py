"""Bots of one's own, as a tournament finds them by "module:Class"."""

from __future__ import annotations

import os

import herzen


class First:
    """Takes the first of its moves."""

    def __init__(self, seed: int) -> None:
        pass

    def choose(self, view: herzen.View) -> herzen.Move:
        return view.legal_moves[0]


class Last(First):
    """Takes the last of its moves."""

    def choose(self, view: herzen.View) -> herzen.Move:
        return view.legal_moves[-1]


class Late(First):
    """Fails in the middle of a match."""

    def choose(self, view: herzen.View) -> herzen.Move:
        if view.ply > 4:
            raise RuntimeError("no idea")
        return view.legal_moves[0]


class Cheat(First):
    """Chooses what is not allowed."""

    def choose(self, view: herzen.View) -> herzen.Move:
        return herzen.herzsammler.Show("R3af")


class Deadly(First):
    """Ends the process that it is in."""

    def choose(self, view: herzen.View) -> herzen.Move:
        os._exit(9)


class Dumb:
    """No bot."""

    def __init__(self, seed: int) -> None:
        pass


NUMBER = 5
