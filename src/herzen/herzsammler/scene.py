"""Herzsammler as a picture: what stands where on the table (see `herzen.render.scene`)."""

from __future__ import annotations

from collections.abc import Sequence

from herzen.cards import Card as AnyCard
from herzen.game import Game
from herzen.herzsammler import _zones
from herzen.herzsammler.cards import LETTERS, Card
from herzen.herzsammler.faces import card_name as card_name
from herzen.herzsammler.faces import face as face
from herzen.herzsammler.game import Herzsammler
from herzen.herzsammler.moves import Show
from herzen.herzsammler.text import OBJECTS, colour_name, majorities, situation
from herzen.herzsammler.view import HerzsammlerView
from herzen.moves import Move
from herzen.render.scene import MARK, Scene, Zone, begin, seats_of, seen_hands, short_names, tokens
from herzen.view import View

TITLE = "Herzsammler"
HEADINGS = ("total", "this game", "cards")
ZONES = ("open", "stack", "collected", "objects")


def scene(shown: Game | View) -> Scene:
    """The scene of a game with all hands, of a view as far as its viewer may know."""
    assert isinstance(shown, (Herzsammler, HerzsammlerView))
    names = short_names(shown.names)
    of = f" of {shown.rules.games}" if shown.rules.games > 1 else ""
    values = [
        (shown.scores[seat], shown.points[seat], shown.hand_sizes[seat])
        for seat in range(len(names))
    ]
    notes = [_known_note(shown, seat) for seat in range(len(names))]
    title = f"Herzsammler, game {shown.deal_number + 1}{of}, dealt by {names[shown.dealer]}"
    rows = seats_of(shown, values, notes, seen_hands(shown))
    out = begin(shown, title, situation(shown, names), rows)
    zones = out["zones"]
    zones["open"] = Zone(kind="row", label="Open cards", cards=tokens(shown.open))
    unknown = shown.stack_size - len(shown.bottom)
    zones["stack"] = Zone(
        kind="row", label="Stack" if shown.stack_size else "Stack: empty", backs=unknown
    )
    if shown.bottom:
        zones["stack"]["cards"] = tokens(shown.bottom)
        zones["stack"]["label"] = "Stack; missed cards lie under it"
    zones["collected"] = _collected(shown, names)
    if "deck" not in shown.rules.changed():
        zones["objects"] = _objects()
    return out


def _known_note(shown: Herzsammler | HerzsammlerView, seat: int) -> str:
    """What everybody knows of a hand."""
    if isinstance(shown, Herzsammler):
        known: Sequence[AnyCard] = shown._cards_at(bytes(sorted(_zones.known(shown, seat))))
    else:
        known = shown.known.get(seat, ())
    return f"all know {' '.join(map(str, known))}" if known else ""


def _objects() -> Zone:
    """What the letters of our deck mean; those of other decks have no names."""
    return Zone(
        kind="grid",
        label="Objects, by their letters",
        head=["letter", *LETTERS[: len(OBJECTS)]],
        rows={"0": ["object", *OBJECTS]},
    )


def _collected(shown: Herzsammler | HerzsammlerView, names: Sequence[str]) -> Zone:
    """By colour and seat: hearts, numerals, and who has the majority."""
    rows = {}
    for number, (colour, hearts, numerals, kept) in enumerate(
        majorities(shown.rules, shown.collections)
    ):
        cells = [colour_name(colour, True)]
        for seat in range(len(names)):
            parts = []
            if hearts[seat]:
                parts.append("1 heart" if hearts[seat] == 1 else f"{hearts[seat]} hearts")
            if numerals[seat]:
                spelled = "+".join(map(str, numerals[seat]))
                many = len(numerals[seat]) > 1
                total = sum(numerals[seat])
                parts.append(f"{spelled} = {total} points" if many else _points(total))
            cells.append((", ".join(parts) or "nothing") + (MARK if kept[seat] else ""))
        rows[str(number)] = cells
    return Zone(
        kind="grid",
        label="Collected, by colour",
        head=["colour", *names],
        rows=rows,
        note="Marked: has most hearts of the colour and keeps its numerals",
    )


def _points(count: int) -> str:
    return "1 point" if count == 1 else f"{count} points"


def choices(moves: Sequence[Move], hand: Sequence[AnyCard]) -> list[str]:
    """Legal moves as people say them."""
    said = []
    for move in moves:
        assert isinstance(move, Show)
        card = move.card
        by = "" if move.object is None else f", by {_object(card, move.object)}"
        said.append(f"show {card} ({card_name(card)}){by}")
    return said


def _object(card: Card, letter: str) -> str:
    return OBJECTS[LETTERS.index(letter)] if type(card) is Card else letter


def cards_of(move: Move) -> Sequence[AnyCard]:
    """The cards of the mover's hand that a move names."""
    assert isinstance(move, Show)
    return (move.card,)
