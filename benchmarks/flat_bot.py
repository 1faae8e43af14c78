"""A flat Monte Carlo player of Hearts, as a yardstick for `SearchBot`: flat_bot.c behind `choose(view)`.

Words for tournaments, with this directory on the path: `flat_bot:worlds_500` and the like. It passes as `RuleBot` does.
"""

from __future__ import annotations

import ctypes
import tempfile
from collections.abc import Callable
from functools import cache
from typing import Any

from measuring import shared

from herzen.bots import RuleBot
from herzen.moves import Move
from herzen.seeds import Seed, Stream, parse_seed

SUITS = "CDHS"


class Table(ctypes.Structure):
    """`table_t` of the C program."""

    _fields_ = [
        ("hand", ctypes.c_uint64 * 4),
        ("taken", ctypes.c_uint64 * 4),
        ("trick", ctypes.c_uint64 * 4),
        ("leader", ctypes.c_int32),
        ("in_trick", ctypes.c_int32),
        ("broken", ctypes.c_int32),
        ("opening", ctypes.c_int32),
    ]


@cache
def library() -> Any:
    """The C program as a library; built once a process."""
    directory = tempfile.TemporaryDirectory()
    loaded = ctypes.CDLL(shared("flat_bot.c", directory.name))
    loaded.kept = directory
    loaded.flat_values.restype = ctypes.c_int64
    return loaded


def lane(card: Any) -> int:
    return int(card.suit) * 16 + int(card.rank)


def lanes(cards: Any) -> int:
    return sum(1 << lane(card) for card in cards)


class FlatBot:
    """Hearts for four with one pack, classic rules."""

    def __init__(self, seed: Seed = None, worlds: int = 500) -> None:
        self.seed = parse_seed(seed)
        self.worlds = worlds
        self.rule = RuleBot(seed)

    def choose(self, view: Any) -> Move:
        """The legal move with the best mean margin."""
        if view.phase == "pass":
            return self.rule.choose(view)
        moves: tuple[Move, ...] = view.legal_moves
        if len(moves) == 1:
            return moves[0]
        values, _ = self.values(view)
        return max(moves, key=lambda move: (values[lane(move.card)], -move.code))  # type: ignore[attr-defined]

    def values(self, view: Any) -> tuple[Any, int]:
        """Sums of the margins by lane, and how many playouts were made."""
        seat = view.seat
        played = [[card for who, card in view.trick if who == p] for p in range(4)]
        gone = lanes(card for _, card in view.trick)
        table = Table(in_trick=len(view.trick), broken=view.hearts_broken, opening=not view.tricks)
        table.leader = view.trick[0][0] if view.trick else seat
        for number, (_, card) in enumerate(view.trick):
            table.trick[number] = 1 << lane(card)
        for leader, cards, winner in view.tricks:
            gone |= lanes(cards)
            for place, card in enumerate(cards):
                played[(leader + place) % 4].append(card)
            table.taken[winner] |= lanes(cards) & (0x1FFF << 32 | 1 << 58)
        table.hand[seat] = lanes(view.hand)
        known = [lanes(view.known.get(p, ())) if p != seat else 0 for p in range(4)]
        everywhere = sum(0x1FFF << 16 * suit for suit in range(4))
        unseen = everywhere & ~(gone | table.hand[seat] | sum(known))
        cards = bytes(at for at in range(64) if unseen >> at & 1)
        voids = [
            sum(0x1FFF << 16 * SUITS.index(suit) for suit in shown) if p != seat else 0
            for p, shown in enumerate(view.voids)
        ]
        values = (ctypes.c_int64 * 64)()
        made = library().flat_values(
            ctypes.byref(table),
            seat,
            cards,
            len(cards),
            (ctypes.c_int32 * 4)(*view.hand_sizes),
            (ctypes.c_uint64 * 4)(*voids),
            (ctypes.c_uint64 * 4)(*known),
            self.worlds,
            ctypes.c_uint64(Stream(self.seed, 2, view.ply).seed() & (1 << 64) - 1),
            ctypes.c_uint64(lanes(move.card for move in view.legal_moves)),
            values,
        )
        return values, made


def __getattr__(name: str) -> Callable[[Seed], FlatBot]:
    """`worlds_500`: what makes the bot with so many worlds a move."""
    word, _, count = name.partition("_")
    if word != "worlds" or not count.isdigit():
        raise AttributeError(name)
    return lambda seed: FlatBot(seed, int(count))
