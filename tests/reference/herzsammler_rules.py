"""Herzsammler: the options with their defaults, the deck as data, and the score of a game."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LETTERS = "abcdefghijklmnopqrstuvwxyz"
OPEN_CARDS = 6
HAND = 2

Row = tuple[str, str, int, int, int]


def load_rows(path: Path) -> list[Row]:
    """The rows (colour, kind, value, object a, object b) of a csv; the id is the row's number."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["id"]) for row in rows] == list(range(len(rows)))
    return [
        (row["colour"], row["kind"], int(row["value"]), int(row["obj_a"]), int(row["obj_b"]))
        for row in rows
    ]


def plain_deck(rows: Iterable[Sequence[Any]]) -> list[Row]:
    """The order of a card's two objects does not matter: the lower one comes first."""
    return [(row[0], row[1], row[2], min(row[3:5]), max(row[3:5])) for row in rows]


DECK_FILE = Path(__file__).parents[1] / "data" / "herzsammler_deck.csv"
DEFAULT_DECK = plain_deck(load_rows(DECK_FILE))

DEFAULTS: dict[str, Any] = {
    "players": 2,
    "deck": DEFAULT_DECK,
    "choose_object": False,
    "must_match": False,
    "end": "empty",
    "majority_tie": "all",
    "require_heart": False,
    "tie_break": "shared",
    "games": 1,
    "stall_limit": 30,
}

FIELDS = sorted(DEFAULTS)


def resolve(given: Mapping[str, Any]) -> dict[str, Any]:
    """All fields: the given ones and the defaults. None means the default."""
    rules: dict[str, Any] = {}
    for name in FIELDS:
        value = given.get(name)
        if value is None:
            rules[name] = DEFAULTS[name]
        else:
            rules[name] = plain_deck(value) if name == "deck" else value
    return rules


def changed_fields(rules: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that differ from their defaults, by name, as JSON writes them."""
    changed = {name: rules[name] for name in FIELDS if rules[name] != DEFAULTS[name]}
    if "deck" in changed:
        changed["deck"] = [list(row) for row in changed["deck"]]
    return changed


def card_text(row: Row) -> str:
    """Colour initial as a capital, value or H, the letters of the two objects."""
    colour, kind, value, a, b = row
    face = "H" if kind == "heart" else str(value)
    return colour[0].upper() + face + LETTERS[a] + LETTERS[b]


@dataclass(frozen=True)
class Face:
    """What one card shows."""

    colour: str
    heart: bool
    value: int
    objects: str
    """Letters in alphabetical order: two, or one if the card shows one object twice."""


@dataclass(frozen=True)
class Table:
    """What the deck says. Cards are texts; equal cards are equal texts."""

    deck: list[str]
    """In the order of the data, which the shuffle starts from."""
    order: dict[str, int]
    """Text to id; of equal cards the lowest. Sorts cards and makes codes."""
    faces: dict[str, Face]
    colours: list[str]
    """In the order in which they first appear in the deck."""

    def sort(self, cards: Iterable[str]) -> list[str]:
        """Cards in canonical order, equal cards side by side."""
        return sorted(cards, key=self.order.__getitem__)

    def objects_of(self, cards: Iterable[str]) -> str:
        """The letters of all objects on these cards, each once, alphabetically."""
        return "".join(sorted({letter for card in cards for letter in self.faces[card].objects}))


def table_of(rules: Mapping[str, Any]) -> Table:
    """Work out the table of a rules object."""
    deck: list[str] = []
    order: dict[str, int] = {}
    faces: dict[str, Face] = {}
    for number, row in enumerate(rules["deck"]):
        text = card_text(row)
        deck.append(text)
        order.setdefault(text, number)
        objects = "".join(sorted(set(text[-2:])))
        faces[text] = Face(row[0], row[1] == "heart", row[2], objects)
    return Table(deck, order, faces, list(dict.fromkeys(row[0] for row in rules["deck"])))


# ---- Score ---------------------------------------------------------------------------------


def keepers(rules: Mapping[str, Any], hearts: Sequence[int]) -> list[int]:
    """The seats that keep their numerals of a colour of which they hold so many heart cards.

    Whoever has most keeps; all who are tied for most keep, with majority_tie="none" nobody.
    Where no seat has a heart all are tied at zero; require_heart=True: then nobody keeps.
    """
    most = max(hearts)
    if most == 0 and rules["require_heart"]:
        return []
    tied = [seat for seat, count in enumerate(hearts) if count == most]
    return [] if len(tied) > 1 and rules["majority_tie"] == "none" else tied


def colour_points(
    rules: Mapping[str, Any], hearts: Sequence[int], numerals: Sequence[int]
) -> list[int]:
    """The points of one colour: a keeper scores its numerals, everyone else nothing."""
    keep = keepers(rules, hearts)
    return [points if seat in keep else 0 for seat, points in enumerate(numerals)]


def hearts_in(table: Table, cards: Iterable[str], colour: str | None = None) -> int:
    """The number of heart cards of a colour, or of all colours. Cards count, not points."""
    faces = [table.faces[card] for card in cards]
    return sum(face.heart and colour in (None, face.colour) for face in faces)


def game_points(
    rules: Mapping[str, Any], table: Table, collections: Sequence[Sequence[str]]
) -> list[int]:
    """The points of all colours; hearts themselves score nothing."""
    points = [0] * len(collections)
    for colour in table.colours:
        hearts = [hearts_in(table, cards, colour) for cards in collections]
        numerals = [
            sum(table.faces[card].value for card in cards if table.faces[card].colour == colour)
            for cards in collections
        ]
        for seat, kept in enumerate(colour_points(rules, hearts, numerals)):
            points[seat] += kept
    return points


def winners_of(
    rules: Mapping[str, Any], scores: Sequence[int], hearts_won: Sequence[int]
) -> list[int]:
    """Most points win, ties are shared.

    tie_break="hearts": of the seats with the best total, those with most heart cards collected
    in all games together; if they are tied too, they share.
    """
    best = [seat for seat, total in enumerate(scores) if total == max(scores)]
    if rules["tie_break"] == "hearts":
        most = max(hearts_won[seat] for seat in best)
        best = [seat for seat in best if hearts_won[seat] == most]
    return best
