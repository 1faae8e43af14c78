"""What all games check alike when a view is turned back into positions: see `View.sample`."""

from __future__ import annotations

from herzen.errors import SetupError
from herzen.events import plain
from herzen.registry import game_class
from herzen.seats import read_names
from herzen.setups import Zones, number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from herzen.cards import Card
    from herzen.game import Game
    from herzen.view import View


class ViewZones(Zones):
    """Counts the cards of a view off the deck. They are cards of the view's rules already, so none is parsed."""

    def __init__(self, players: int, cards: Sequence[Card], deck: Mapping[int, int]) -> None:
        self.players = players
        self.all = cards
        self.left = dict(deck)  # type: ignore[assignment]

    def named(self, cards: Any, where: str) -> list[Card]:
        """The cards as they are."""
        return list(cards)

    def cards(self, cards: Any, where: str) -> bytes:
        """Card indices in the order given; each card is taken out of the deck."""
        left, out = self.left, bytes([card.index for card in cards])
        for index in out:
            if not left.get(index):
                raise SetupError(f"{where}: {self.text(index)} is in the view too often")
            left[index] -= 1
        return out

    def text(self, index: int) -> str:
        """A card's text, for messages."""
        return str(self.all[index])


def read_common(
    view: View, read: Zones, phases: tuple[str, ...], deals: int = 1_000_000
) -> dict[str, Any]:
    """The zones that all games have and the sizes of the hands, checked; SetupError says what is wrong."""
    over = view.phase == phases[-1]
    if view.over != over:
        raise SetupError(f"over: {view.over} does not go with phase {view.phase}")
    at = read.phase(view.phase, phases, phases[0])
    zones = read.common(
        view.rules, over, view.turn, view.dealer, view.deal_number, view.scores, deals
    )
    zones["phase"] = at
    zones["ply"] = number(view.ply, 0, 2**32 - 1, "ply")
    number(view.version, 0, 2**32 - 1, "version")
    read_names(view.names, read.players)
    if view.seat is not None:
        read.seat(view.seat, "seat")
    elif view.hand:
        raise SetupError("hand: a spectator has none")
    most = len(view.rules._deck())
    sizes = [
        number(size, 0, most, "hand_sizes") for size in read.per_seat(view.hand_sizes, "hand_sizes")
    ]
    if view.seat is not None and sizes[view.seat] != len(view.hand):
        raise SetupError(f"hand_sizes: {sizes[view.seat]} cards do not go with the hand")
    zones["sizes"] = sizes
    return zones


def position_of(view: View, zones: dict[str, Any]) -> Game:
    """A game of the view's kind and rules at the position of these zones, without a seed and without a history."""
    kind = game_class(view.game)
    game = kind.__new__(kind)
    game._found(view.rules, None, 0, (), None)
    kind._zones.place(game, zones)
    return game


def check_agrees(view: View, game: Game) -> None:
    """SetupError unless the game's view of the same seat is this one, but for the events.

    So what follows from other fields (points, winners, legal moves, ...) is compared with what the rules say.
    """
    for name, follows in game._table_of(view.seat).items():
        if getattr(view, name) != follows:
            raise SetupError(
                f"{name}: the view contradicts itself, this would be {plain(follows)!r}"
            )
    codes = () if view.seat is None else game.codes(view.seat)
    if [move.code for move in view.legal_moves] != list(codes):
        raise SetupError("legal_moves: the view contradicts itself, these are not what it allows")
