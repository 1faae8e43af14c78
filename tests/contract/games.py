"""The games that the contract tests go through: one entry each, in `GAMES`.

An entry (see adapter.py) says where the game, its plain-Python twin, its random rules and its
resampler are, and how the few things that no game shares (where its cards lie, what a move text
looks like) are read. The tests themselves know no game.
"""

from __future__ import annotations

from tests.contract.adapter import Adapter
from tests.contract.adapters.hearts import HEARTS
from tests.contract.adapters.herzsammler import HERZSAMMLER
from tests.contract.adapters.vonherzen import VON_HERZEN

GAMES: tuple[Adapter, ...] = (HEARTS, VON_HERZEN, HERZSAMMLER)
