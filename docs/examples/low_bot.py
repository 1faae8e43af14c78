"""A bot of one's own: plays low in Hearts, discards high in Von Herzen, and else takes the first legal move."""

from __future__ import annotations

import random

import herzen
from herzen.hearts.moves import Pass, Play
from herzen.vonherzen.moves import Discard


class LowBot:
    """Passes and discards its highest cards, and plays its lowest."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def choose(self, view: herzen.View) -> herzen.Move:
        """One of the legal moves; the same view always gets the same one."""
        passes = [move for move in view.legal_moves if isinstance(move, Pass)]
        if passes:
            return max(passes, key=lambda move: sum(card.rank for card in move.cards))
        plays = [move for move in view.legal_moves if isinstance(move, Play)]
        if plays:
            lowest = min(move.card.rank for move in plays)
            equal = [move for move in plays if move.card.rank == lowest]
            return random.Random(f"{self.seed} {view.ply}").choice(equal)
        discards = [move for move in view.legal_moves if isinstance(move, Discard)]
        if discards:
            return max(discards, key=lambda move: move.card.rank)
        return view.legal_moves[0]  # the moon, the exchange, drawing, a last turn, Herzsammler
