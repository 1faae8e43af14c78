"""The learners' actions, written from the legal moves of a Game: which sequences of actions make which move.

A way is (opening action or None, picks in any order, closing action or None).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import herzen

Way = tuple[int | None, Counter[int], int | None]

VH_FIXED = {
    "decline": 17 + 1,
    "stay": 27,
    "withdraw": 29,
    "draw stock": 30,
    "draw pile": 31,
    "end": 674,
}
VH_OPENING = {"accept": 17, "takeover": 26, "agree": 28}


def _vh_kind(card: Any) -> int:
    # Black before red, then rank; the canonical order has clubs, diamonds, hearts, spades.
    suit, rank = divmod(card.index, 8)
    return (8 if suit in (1, 2) else 0) + int(rank)


def _vh_shapes() -> dict[tuple[int, int, int, int | None], int]:
    shapes = [
        (colour, length, first, joker)
        for colour in range(2)
        for length in range(3, 9)
        for first in (range(8) if length < 8 else (0,))
        for joker in (None, *(range(length) if length > 3 else ()))
    ]
    assert len(shapes) == 450
    return {shape: number for number, shape in enumerate(shapes)}


VH_SHAPES = _vh_shapes()


def _vh_shape(cards: Any) -> int:
    kinds = [_vh_kind(card) for card in cards]
    colour = Counter(kind // 8 for kind in kinds).most_common(1)[0][0]
    ranks = {kind % 8: kind // 8 for kind in kinds}
    first = (
        0
        if len(kinds) == 8
        else next(rank for rank in sorted(ranks) if (rank - 1) % 8 not in ranks)
    )
    joker = next(((rank - first) % 8 for rank, of in ranks.items() if of != colour), None)
    return VH_SHAPES[colour, len(kinds), first, joker]


def _hearts_way(move: Any, game: herzen.Game) -> Way:
    words = str(move).split()
    if words[0] == "pass":
        return None, Counter(card.index for card in move.cards), None
    if words[0] == "moon":
        return 52 + (words[1] == "subtract"), Counter(), None
    return move.card.index, Counter(), None


def _vonherzen_way(move: Any, game: herzen.Game) -> Way:
    text = str(move)
    word = text.split()[0]
    if text in VH_FIXED:
        return VH_FIXED[text], Counter(), None
    if word == "offer":
        return None, Counter(map(_vh_kind, move.cards)), 16
    if word in VH_OPENING:
        opening = None if game.phase == "give" else VH_OPENING[word]
        return opening, Counter(map(_vh_kind, move.cards)), None
    if word == "counter":
        return 18 + move.n, Counter(), None
    if word == "draw":
        return 32 + _vh_kind(move.source), Counter(), None
    if word == "meld":
        return 48 + _vh_shape(move.cards), Counter(), None
    if word == "layoff":
        return 498 + 10 * _vh_kind(move.card) + move.run, Counter(), None
    assert word == "discard"
    return 658 + _vh_kind(move.card), Counter(), None


def _herzsammler_way(move: Any, game: herzen.Game) -> Way:
    second = move.object is not None and move.object != move.card.objects[0]
    return 2 * move.card.index + second, Counter(), None


WAYS = {"hearts": _hearts_way, "vonherzen": _vonherzen_way, "herzsammler": _herzsammler_way}


@dataclass
class Player:
    """A Game played by learners' actions."""

    game: herzen.Game
    opened: int | None = None
    picked: Counter[int] = field(default_factory=Counter)
    _at: tuple[int, int] = (-1, -1)
    _ways: list[tuple[Way, int]] = field(default_factory=list)

    def ways(self) -> list[tuple[Way, int]]:
        """(way, code) of the legal moves of the seat to move."""
        at = (self.game.version, self.game._turn)
        if at != self._at:
            self._at = at
            way = WAYS[self.game.name]
            self._ways = [(way(move, self.game), move.code) for move in self.game.legal_moves()]
        return self._ways

    def _goes_on(self, way: Way) -> bool:
        opening, picks, _ = way
        if self.opened is not None and opening != self.opened:
            return False
        return self.picked <= picks and (self.opened is not None or not self.picked or not opening)

    def actions(self) -> list[int]:
        """The actions that lead to a legal move, ascending."""
        found = set()
        for way, _ in self.ways():
            if not self._goes_on(way):
                continue
            opening, picks, closing = way
            if opening is not None and self.opened is None:
                found.add(opening)
            elif picks - self.picked:
                found |= set(picks - self.picked)
            elif closing is not None:
                found.add(closing)
        return sorted(found)

    def play(self, action: int) -> bool:
        """Play one action; whether it completed a move."""
        candidates = [(way, code) for way, code in self.ways() if self._goes_on(way)]
        if any(way[0] == action for way, _ in candidates) and self.opened is None:
            self.opened = action
        elif any((way[1] - self.picked)[action] for way, _ in candidates):
            self.picked[action] += 1
        else:
            candidates = [(way, code) for way, code in candidates if way[2] == action]
            assert len([way for way, _ in candidates if way[1] == self.picked]) == 1
            return self._complete(candidates)
        done = [(way, code) for way, code in candidates if way[2] is None and way[0] == self.opened]
        return any(way[1] == self.picked for way, _ in done) and self._complete(done)

    def _complete(self, candidates: list[tuple[Way, int]]) -> bool:
        (code,) = [code for way, code in candidates if way[1] == self.picked]
        self.game.play_code(code)
        self.opened, self.picked = None, Counter()
        return True
