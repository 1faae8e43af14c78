"""What a picture of the table shows, as plain data: the one source of notebooks' pictures and of the replay page.

A scene holds only texts, numbers, lists and objects of these, so it is JSON as it stands; a field that has nothing to
say is left out, never None. Cards are texts with spaces between; a card with `*` behind it is marked (led, joker).
What a view does not hold is in no scene of it: a scene is built from the view alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol, Required, TypedDict

from herzen.registry import game_part
from herzen.render.text import clean, shorten
from herzen.view import View

if TYPE_CHECKING:
    from herzen.cards import Card
    from herzen.game import Game
    from herzen.moves import Move
    from herzen.render.themes import Theme

LONGEST_NAME = 24
MOST_MOVES = 48
"""Moves that are listed one by one; of the others only the number is given."""
MARK = "*"


class SeatScene(TypedDict, total=False):
    """One seat."""

    turn: int
    """1 if it may act."""
    values: Required[list[int]]
    """Its numbers, under the scene's headings; the first is the total."""
    note: str
    """What it does."""
    hand: str
    """Cards of its hand that may be seen."""
    backs: int
    """Cards of its hand that may not."""
    pile: str
    """Cards before it that count, face up."""


class Zone(TypedDict, total=False):
    """One place on the table."""

    label: Required[str]
    """What it is, as people say it."""
    kind: Required[str]
    """"ring": a card before each seat; "row": cards side by side; "rows": several such rows, each with a name;
    "grid": a table of texts."""
    slots: dict[str, str]
    """ring: the card that a seat has played, by seat."""
    cards: str
    """row: the cards face up."""
    backs: int
    """row: the cards face down, before the others."""
    small: int
    """row: 1 if it is of less weight."""
    rows: dict[str, list[str]]
    """rows: [name, cards, note], numbered; grid: the cells, numbered, marked where the seat is ahead."""
    head: list[str]
    """grid: headings."""
    note: str
    """A sentence more."""


class Legal(TypedDict, total=False):
    """What a seat may do."""

    count: Required[int]
    """Number of legal moves."""
    moves: Required[list[str]]
    """The moves, or the first of them, as people say them."""
    cards: str
    """Cards of the hand that can be part of a legal move."""


class Scene(TypedDict, total=False):
    """A picture's contents."""

    title: Required[str]
    """The deal."""
    status: Required[str]
    """What is to be decided, in one sentence."""
    over: int
    """1 if the match is over."""
    winners: list[int]
    """Who won."""
    dealer: Required[int]
    """Who dealt."""
    deal: Required[int]
    """Number of the deal, from 0."""
    seats: Required[dict[str, SeatScene]]
    """The seats by number."""
    zones: Required[dict[str, Zone]]
    """The places on the table, in the order in which they are shown."""
    legal: dict[str, Legal]
    """Legal moves of those who may act, by seat."""


class GameScene(Protocol):
    """What the module `scene` in a game's folder offers."""

    TITLE: str
    """The game's name as people write it."""
    HEADINGS: tuple[str, ...]
    """What the numbers of a seat are; the second, of this deal, is not yet in the first, the total."""
    ZONES: tuple[str, ...]
    """The zones in the order in which they are shown."""

    def scene(self, shown: Game | View) -> Scene:
        """The scene of a game with all hands, of a view as far as its viewer may know."""
        ...

    def choices(self, moves: Sequence[Move], hand: Sequence[Card]) -> list[str]:
        """Legal moves as people say them: one by one, or in a sentence that covers them all."""
        ...

    def cards_of(self, move: Move) -> Sequence[Card]:
        """The cards of the mover's hand that a move names."""
        ...

    def face(self, card: Card, theme: Theme) -> str:
        """The drawing of a card (see `herzen.render.faces`)."""
        ...

    def card_name(self, card: Card) -> str:
        """A card as people say it."""
        ...


def game_scene(name: str) -> GameScene:
    """The `scene` module of the game of this name; ValueError if there is no such game."""
    module: GameScene = game_part(name, "scene")
    return module


def totals_note(name: str) -> str:
    """What the totals of seats hold: those of finished deals."""
    return f"Totals count {game_scene(name).HEADINGS[1]} once it has ended."


def game_name(shown: Game | View) -> str:
    """The name under which the game is registered."""
    return shown.game if isinstance(shown, View) else shown.name


def scene_of(shown: Game | View) -> Scene:
    """What a picture of a game (all hands) or a view (what it holds) shows, legal moves included."""
    part = game_scene(game_name(shown))
    scene = part.scene(shown)
    scene["zones"] = {key: scene["zones"][key] for key in part.ZONES if key in scene["zones"]}
    legal = {}
    for seat in map(int, shown.to_move):
        if isinstance(shown, View):
            moves: Sequence[Move] = shown.legal_moves if seat == shown.seat else ()
            hand: Sequence[Card] = shown.hand
        else:
            moves, hand = shown.legal_moves(seat), shown.hand(seat)
        if moves:
            told = part.choices(moves, hand)
            named = {card for move in moves for card in part.cards_of(move)}
            legal[str(seat)] = Legal(
                count=len(moves),
                moves=told[:MOST_MOVES],
                cards=tokens(card for card in hand if card in named),
            )
    if legal:
        scene["legal"] = legal
    return scene


# ---- what the games' scenes are made of ------------------------------------------------------------------------


def short_names(names: Iterable[str]) -> list[str]:
    """Names as pictures write them: printable, not too long, and no two alike."""
    printable = [clean(name) for name in names]
    short = [shorten(name, LONGEST_NAME) for name in printable]
    if len(set(short)) < len(short):
        return [f"{seat} {shorten(name, LONGEST_NAME - 3)}" for seat, name in enumerate(printable)]
    return short


def tokens(cards: Iterable[Card], marked: Iterable[int] = ()) -> str:
    """Cards as a scene has them; those at the places in `marked` are marked."""
    places = set(marked)
    return " ".join(f"{card}{MARK if at in places else ''}" for at, card in enumerate(cards))


def seats_of(
    shown: Game | View,
    values: Sequence[Sequence[int]],
    notes: Sequence[str],
    in_order: Sequence[Sequence[Card]],
) -> dict[str, SeatScene]:
    """The seats. in_order: by seat, the cards of its hand that may be seen, as players hold them."""
    movers = set(map(int, shown.to_move))
    seats: dict[str, SeatScene] = {}
    for seat, size in enumerate(shown.hand_sizes):
        row = SeatScene(values=list(values[seat]))
        if seat in movers:
            row["turn"] = 1
        if notes[seat]:
            row["note"] = notes[seat]
        if in_order[seat]:
            row["hand"] = tokens(in_order[seat])
        if size > len(in_order[seat]):
            row["backs"] = size - len(in_order[seat])
        seats[str(seat)] = row
    return seats


def seen_hands(shown: Game | View) -> list[tuple[Card, ...]]:
    """By seat, the cards of its hand that may be seen: all of a game's, a viewer's own and those it knows."""
    count = len(shown.names)
    if not isinstance(shown, View):
        return [shown.hand(seat) for seat in range(count)]
    return [
        shown.hand if seat == shown.seat else shown.known.get(seat, ()) for seat in range(count)
    ]


def begin(shown: Game | View, title: str, status: str, seats: dict[str, SeatScene]) -> Scene:
    """A scene with what all games have, without zones."""
    scene = Scene(
        title=title,
        status=status,
        dealer=shown.dealer,
        deal=shown.deal_number,
        seats=seats,
        zones={},
    )
    if shown.over:
        scene["over"] = 1
        scene["winners"] = [int(seat) for seat in shown.winners]
    return scene


def cards_shown(scene: Scene) -> list[str]:
    """The cards of a scene, each once, without marks."""
    found: dict[str, None] = {}

    def note(cards: str | None) -> None:
        if cards:
            found.update(dict.fromkeys(word.rstrip(MARK) for word in cards.split()))

    for seat in scene["seats"].values():
        note(seat.get("hand"))
        note(seat.get("pile"))
    for zone in scene["zones"].values():
        for card in zone.get("slots", {}).values():
            note(card)
        note(zone.get("cards"))
        if zone.get("kind") == "rows":
            for row in zone.get("rows", {}).values():
                note(row[1])
    return list(found)
