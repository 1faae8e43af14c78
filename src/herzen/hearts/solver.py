"""Endings of Hearts with all cards open, solved exactly: for analysis and debugging, not for play."""

from __future__ import annotations

from herzen.errors import GameOver, HerzenError
from herzen.hearts import _solver
from herzen.hearts.game import Hearts, Phase
from herzen.hearts.moves import from_code
from herzen.seats import read_seat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import SupportsIndex

    from herzen.moves import Move

METHODS = ("paranoid", "max-n")


class Solution:
    """What `solve` found. Immutable in use; `repr` shows all of it."""

    __slots__ = ("method", "moves", "nodes", "seat", "values")

    def __init__(
        self,
        method: str,
        seat: int,
        values: tuple[int | None, ...],
        moves: tuple[Move, ...],
        nodes: int,
    ) -> None:
        self.method = method
        """"paranoid" or "max-n"."""
        self.seat = seat
        """Whom it was solved for."""
        self.values = values
        """Points of the whole deal by seat, what is captured so far and the moon included; paranoid: None for all
        but `seat`."""
        self.moves = moves
        """The moves of the seat to move that give it these points, in ascending code; () if that is not `seat`, or
        if they were not asked for."""
        self.nodes = nodes
        """Positions searched."""

    @property
    def value(self) -> int:
        """The points of `seat`."""
        value = self.values[self.seat]
        assert value is not None
        return value

    def __repr__(self) -> str:
        moves = " ".join(map(str, self.moves))
        return (
            f"Solution(method={self.method!r}, seat={self.seat}, values={self.values}, moves=[{moves}], "
            f"nodes={self.nodes})"
        )


def solve(
    game: Hearts,
    *,
    method: str = "paranoid",
    seat: SupportsIndex | None = None,
    moves: bool = True,
) -> Solution:
    """Solve the rest of the deal as if all cards lay open.

    method: "paranoid": the fewest points that `seat` (None: the one to move) can be sure of where all others play
    against it; "max-n": every seat wants few points for itself and expects the same of the others; of moves that give
    it as many it plays the lowest code. Points are those of the deal, with moon, bonus cards and all other options;
    what they mean for the match does not count. A shooter who may choose takes what is better for it.

    moves: whether all moves that keep the value are looked for, too; without them it takes two thirds of the time.

    Time grows four- to sixfold with every card more in each hand. Raises GameOver; HerzenError "wrong_phase" while
    cards are being passed; ValueError for an unknown method; IndexError for a seat that is none.
    """
    if method not in METHODS:
        raise ValueError(f"method: one of {', '.join(METHODS)} is needed, not {method!r}")
    game = game.copy(
        history=False
    )  # the search runs without the GIL: another thread may play meanwhile
    if game.over:
        raise GameOver(None, None, "the match is over")
    if game.phase is Phase.PASS:
        raise HerzenError("cards are still to be passed", code="wrong_phase")
    turn = game._turn
    who = turn if seat is None else read_seat(seat, game.players)
    if game.phase is Phase.MOON:
        return _solve_moon(game, method, who, moves)
    if method == "max-n":
        points, codes, nodes = _solver.every_seat(game, moves)
        values: tuple[int | None, ...] = tuple(points)
    else:
        if who == turn and moves:
            value, codes, nodes = _solver.paranoid_moves(game)
        else:
            value, nodes = _solver.paranoid(game, who)
            codes = b""
        values = tuple(value if other == who else None for other in range(game.players))
    best = tuple(map(from_code, codes)) if who == turn else ()
    return Solution(method, who, values, best, nodes)


def _solve_moon(game: Hearts, method: str, seat: int, moves: bool) -> Solution:
    """The shooter takes what gives it fewer points; of equal ones the lower code."""
    turn = game._turn
    results = []
    for move in map(from_code, game.codes()):
        after = game.copy()
        after.play(move)
        sheet = after.last_deal
        assert sheet is not None
        results.append((sheet.totals, move))
    best = min(totals[turn] for totals, _ in results)
    same = [(totals, move) for totals, move in results if totals[turn] == best]
    values: tuple[int | None, ...] = same[0][0]
    if method == "paranoid":
        value = best if seat == turn else max(totals[seat] for totals, _ in results)
        values = tuple(value if other == seat else None for other in range(game.players))
    chosen = tuple(move for _, move in same) if seat == turn and moves else ()
    return Solution(method, seat, values, chosen, len(results))
