"""Herzsammler as plain text: the table, a hand, events and what a person is asked (see `herzen.render.text`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from herzen.cards import Card as AnyCard
from herzen.events import Event
from herzen.game import Game
from herzen.herzsammler import _rules, _zones
from herzen.herzsammler.cards import LETTERS, Card
from herzen.herzsammler.events import Dealt, Drawn, GameScored, Missed, Opened, Shown, Taken
from herzen.herzsammler.game import Herzsammler
from herzen.herzsammler.moves import Show
from herzen.herzsammler.rules import HerzsammlerRules
from herzen.herzsammler.view import HerzsammlerView
from herzen.render.text import (
    LONGEST_NAME,
    clean,
    count_of_cards,
    fill,
    grid,
    outcome,
    paragraphs,
    plain_ascii,
    scored,
    seat_rows,
    shorten,
    table_names,
)
from herzen.view import View

HOW_TO_TYPE = (
    "Type a card as it is written: R3af is the red 3 with the objects a and f, VHbf a violet heart."
)
COUNTED = ("colours",)
OBJECTS = ("anchor", "apple", "bell", "candle", "drum", "key", "moon", "shell", "star", "tulip")
"""Names of the objects of our deck; those of other decks have letters only."""
LONGEST_COLOUR = 8
REASONS = {
    "empty": "the stack is empty",
    "short": "too few cards are left to fill up",
    "no_card": "no card is left to show",
    "stalled": "too many misses in a row",
}


# ---- cards ---------------------------------------------------------------------------------------------------


def card_list(cards: Iterable[AnyCard]) -> str:
    """Cards in the order given, or "no cards"."""
    return " ".join(map_texts(cards)) or "no cards"


def map_texts(cards: Iterable[AnyCard]) -> list[str]:
    """Cards as texts."""
    return [str(card) for card in cards]


def colour_name(colour: str, symbols: bool) -> str:
    """A colour, short and printable: a deck's own names may be anything."""
    name = shorten(clean(colour), LONGEST_COLOUR)
    return name if symbols else plain_ascii(name)


def objects_of(card: Card) -> str:
    """The objects by name, or by letter in a deck of one's own."""
    letters = dict.fromkeys(card.objects)
    if type(card) is Card:
        return ", ".join(OBJECTS[LETTERS.index(letter)] for letter in letters)
    return ", ".join(letters)


def face_of(card: Card, symbols: bool) -> str:
    """`red 3` or `red heart`."""
    face = "heart" if card.kind == "heart" else str(card.value)
    return f"{colour_name(card.colour, symbols)} {face}"


def spelled(cards: Sequence[Card], symbols: bool) -> list[str]:
    """A line a card: its text, its face and its objects."""
    return grid([(str(card), face_of(card, symbols), objects_of(card)) for card in cards])


# ---- the table -----------------------------------------------------------------------------------------------


def table(shown: Game | View, *, symbols: bool = True, width: int = 80) -> str:
    """The whole table; see `herzen.render.text.table`."""
    assert isinstance(shown, (Herzsammler, HerzsammlerView))
    blocks = [
        _heading(shown, width),
        [*_seats(shown), *_known_hands(shown, width)],
        [*_cards(shown, symbols, width)],
        _collections(shown, symbols, width),
        _legend(shown, width),
    ]
    return paragraphs(blocks)


def _heading(shown: Herzsammler | HerzsammlerView, width: int) -> list[str]:
    names, rules = table_names(shown), shown.rules
    of = f" of {rules.games}" if rules.games > 1 else ""
    title = f"Herzsammler, game {shown.deal_number + 1}{of}, dealt by {names[shown.dealer]}"
    lines = fill(title.split(), first="", width=width)
    lines += fill(situation(shown, names).split(), first="", width=width)
    if shown.bottom:
        # In the order in which they will be drawn: the first of them may be many turns away.
        known = [f"{shown.stack_size - len(shown.bottom)} unknown, then"]
        if len(shown.bottom) == shown.stack_size:
            known = []
        lines += fill([*known, *map(str, shown.bottom)], first="Stack: ", width=width)
    return lines


def situation(shown: Herzsammler | HerzsammlerView, names: Sequence[str]) -> str:
    """What is to be decided, in one sentence."""
    if shown.over:
        return outcome(shown, names)
    assert shown.turn is not None
    misses = shown.misses
    row = f", {misses} {'miss' if misses == 1 else 'misses'} in a row" if misses else ""
    return f"{names[int(shown.turn)]} to show a card, {count_of_cards(shown.stack_size)} in the stack{row}"


def _seats(shown: Herzsammler | HerzsammlerView) -> list[str]:
    """One row a seat: total, points of this game, number of cards."""
    return seat_rows(shown, ("game", "hand"), shown.hand_sizes)


def _known_hands(shown: Herzsammler | HerzsammlerView, width: int) -> Iterator[str]:
    """What everybody knows of the hands."""
    for seat, name in enumerate(table_names(shown)):
        if isinstance(shown, Herzsammler):
            known: Sequence[AnyCard] = shown._cards_at(bytes(sorted(_zones.known(shown, seat))))
        else:
            known = shown.known.get(seat, ())
        if known:
            yield from fill(map_texts(known), first=f"All know of {name}: ", width=width)


def _cards(shown: Herzsammler | HerzsammlerView, symbols: bool, width: int) -> Iterator[str]:
    """The open cards, and the hands that may be seen."""
    mine = tuple(shown.hand) if isinstance(shown, HerzsammlerView) else ()
    lines = spelled((*shown.open, *mine), symbols)  # together, so that the columns fit
    for place, line in enumerate(lines):
        first = {0: "open", len(shown.open): "hand"}.get(place, "") if shown.open else ""
        yield f"{first:<7}{line}"
    if isinstance(shown, Herzsammler) and any(shown.hand_sizes):
        names = table_names(shown)
        longest = max(map(len, names))
        yield "hands"
        for seat, name in enumerate(names):
            yield from fill(
                card_list(shown.hand(seat)).split(" "),
                first=f"   {seat} {name.ljust(longest)}  ",
                width=width,
            )


# ---- collections ---------------------------------------------------------------------------------------------


def majorities(
    rules: HerzsammlerRules, collections: Sequence[Sequence[Card]]
) -> list[tuple[str, list[int], list[list[int]], list[bool]]]:
    """For each colour of the deck: its name and, by seat, hearts, values of numerals, whether they are kept."""
    colours = list(dict.fromkeys(row[0] for row in rules.deck))
    hearts = [[0] * len(colours) for _ in collections]
    numerals: list[list[list[int]]] = [[[] for _ in colours] for _ in collections]
    for seat, pile in enumerate(collections):
        for card in pile:
            at = colours.index(card.colour)
            if card.kind == "heart":
                hearts[seat][at] += 1
            else:
                numerals[seat][at].append(card.value)
    ones = [[1] * len(colours) for _ in collections]
    kept = _rules.keeps(rules._compiled, hearts, ones)
    seats = range(len(collections))
    return [
        (
            colour,
            [hearts[seat][at] for seat in seats],
            [sorted(numerals[seat][at]) for seat in seats],
            [bool(worth) for worth in kept[at]],
        )
        for at, colour in enumerate(colours)
    ]


def _collections(shown: Herzsammler | HerzsammlerView, symbols: bool, width: int) -> list[str]:
    """One row a colour: each seat's hearts and numerals; `*` where it has the majority."""
    rows = majorities(shown.rules, shown.collections)
    names = table_names(shown)
    note = fill(
        "* has most hearts of the colour and keeps its numerals".split(), first="", width=width
    )
    for full, longest in ((True, LONGEST_NAME), (False, LONGEST_NAME), (False, 7)):
        heads = [f"  {seat} {shorten(name, longest)}" for seat, name in enumerate(names)]
        cells = [("collected", *heads)]
        for colour, hearts, numerals, kept in rows:
            cells.append(
                (
                    colour_name(colour, symbols),
                    *(
                        _cell(hearts[seat], numerals[seat], kept[seat], symbols, full)
                        for seat in range(len(names))
                    ),
                )
            )
        lines = grid(cells)
        if max(map(len, lines)) <= width:
            return [*lines, *note]
    # Too many columns for this width: a line for each seat that has something of a colour.
    lines = ["collected"]
    for colour, hearts, numerals, kept in rows:
        first = f"{colour_name(colour, symbols):<{LONGEST_COLOUR}}  "
        parts = []
        for seat in range(len(names)):
            cell = _cell(hearts[seat], numerals[seat], kept[seat], symbols, False).strip()
            parts.append(f"{seat}: {cell}".replace(" ", "\0"))
        filled = fill(parts, first=first, width=width, between="   ")
        lines += [line.replace("\0", " ") for line in filled]
    return [*lines, *note]


def _cell(hearts: int, numerals: Sequence[int], kept: bool, symbols: bool, full: bool) -> str:
    """`* 2♥ 1+3=4`, or `* 2♥ 4` where columns are few."""
    if not hearts and not numerals:
        return "  -"
    parts = ["*" if kept else " "]
    if hearts:
        parts.append(f"{hearts}{'♥' if symbols else 'H'}")
    if numerals:
        total = str(sum(numerals))
        spelled_out = len(numerals) > 1 and full
        parts.append(f"{'+'.join(map(str, numerals))}={total}" if spelled_out else total)
    return " ".join(parts)


def _legend(shown: Herzsammler | HerzsammlerView, width: int) -> list[str]:
    """What the letters of our deck mean."""
    if "deck" in shown.rules.changed():
        return []
    words = [f"{letter}\0{name}" for letter, name in zip(LETTERS, OBJECTS, strict=False)]
    lines = fill(words, first="objects  ", width=width, between="  ")
    return [line.replace("\0", " ") for line in lines]


def hand(view: View, *, symbols: bool = True, width: int = 80) -> str:
    """The viewer's own cards, spelled."""
    seen = _herzsammler(view)
    first = "Your hand: "
    lines = spelled(seen.hand, symbols) or ["no cards"]
    return "\n".join(
        f"{first if place == 0 else ' ' * len(first)}{line}" for place, line in enumerate(lines)
    )


def _herzsammler(view: View) -> HerzsammlerView:
    assert isinstance(view, HerzsammlerView)
    return view


# ---- talking with a person -----------------------------------------------------------------------------------


def takes(view: HerzsammlerView, move: Show) -> list[Card]:
    """The open cards that a move would take."""
    objects = set(move.card.objects) if move.object is None else {move.object}
    return [card for card in view.open if objects & set(card.objects)]


def prompt(view: View, *, symbols: bool = True) -> str:
    """What the viewer has to decide, and what it may do."""
    seen = _herzsammler(view)
    told = []
    for move in seen.legal_moves:
        assert isinstance(move, Show)
        taken = takes(seen, move)
        gets = f"takes {card_list(taken)}" if taken else "a miss"
        told.append(f"{_short(str(move))} ({gets})")
    return f"You may show: {', '.join(told)}"


def _short(move_text: str) -> str:
    return move_text.removeprefix("show ")


def complete(view: View, typed: str) -> str:
    """The text of the move that a person means: "show" and "by" may be left out, an object may be named in full."""
    words = typed.replace(",", " ").split()
    if not words:
        return typed
    if words[0].lower() == "show":
        words = words[1:]
    if len(words) == 2 and words[1].lower() != "by":
        words.insert(1, "by")
    if len(words) == 3 and words[2].lower() in OBJECTS and "deck" not in view.rules.changed():
        words[2] = LETTERS[OBJECTS.index(words[2].lower())]
    return " ".join(["show", *words])


def describe(move_text: str, *, symbols: bool = True) -> str:
    """A move as people say it."""
    return f"show {_short(move_text)}"


def sentence(event: Event, names: Sequence[str], *, symbols: bool = True) -> str:
    """What happened, as a sentence; empty if it needs no saying."""
    match event:
        case Dealt():
            return f"Game {event.deal + 1}: {names[event.dealer]} has dealt; open: {card_list(event.open)}."
        case Drawn() if event.card is None:
            return ""
        case Drawn():
            assert event.card is not None
            seen = " (all have seen it)" if event.known else ""
            return f"Drawn by {names[event.seat]}: {event.card}{seen}."
        case Shown():
            by = "" if event.object is None else f", by {event.object}"
            face = f"{face_of(event.card, symbols)}: {objects_of(event.card)}"
            return f"{names[event.seat]}: {event.card} ({face}){by}"
        case Taken():
            return f"Taken by {names[event.seat]}: {card_list(event.cards)}."
        case Missed():
            row = f", {event.misses} misses in a row" if event.misses > 1 else ""
            return f"A miss: {event.card} goes under the stack{row}."
        case Opened():
            return f"Opened: {card_list(event.cards)}."
        case GameScored():
            return _scored(event, names)
    return ""


def _scored(event: GameScored, names: Sequence[str]) -> str:
    told = scored(names, event.points, event.scores)
    return f"Game {event.deal + 1} is over: {REASONS[event.reason]}. {told}."


def thinkable(view: View) -> Sequence[str]:
    """Texts of moves that the viewer may think of: its cards, by each object where one is named."""
    seen = _herzsammler(view)
    if not seen.rules.choose_object:
        return [f"show {card}" for card in seen.hand]
    return [
        f"show {card} by {letter}" for card in seen.hand for letter in dict.fromkeys(card.objects)
    ]


# ---- summaries -----------------------------------------------------------------------------------------------


def counted(game: Game) -> Sequence[tuple[str, int]]:
    """For each colour of the game that has just ended, the seats that kept points of it."""
    last = game._last
    if last is None:
        return ()
    assert isinstance(game, Herzsammler)
    piles = [game._cards_at(_zones.collection(last, seat)) for seat in range(last.players)]
    return [
        ("colours", seat)
        for _, _, numerals, kept in majorities(game.rules, piles)
        for seat in range(last.players)
        if kept[seat] and sum(numerals[seat]) > 0
    ]
