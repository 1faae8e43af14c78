"""Hearts as a picture: what stands where on the table (see `herzen.render.scene`)."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from herzen.cards import Card as AnyCard
from herzen.game import Game
from herzen.hearts import _zones
from herzen.hearts.cards import Card
from herzen.hearts.game import Hearts
from herzen.hearts.moves import Pass, Play
from herzen.hearts.text import describe, held_over, kitty_seen, situation, sorted_cards, tricks_won
from herzen.hearts.view import HeartsView
from herzen.moves import Move
from herzen.render.faces import suit_face, suit_name
from herzen.render.scene import Scene, Zone, begin, seats_of, seen_hands, short_names, tokens
from herzen.view import View

TITLE = "Hearts"
HEADINGS = ("total", "this deal", "tricks")
ZONES = ("trick", "passes", "kitty", "held", "last", "received")
face, card_name = suit_face, suit_name


def scene(shown: Game | View) -> Scene:
    """The scene of a game with all hands, of a view as far as its viewer may know."""
    assert isinstance(shown, (Hearts, HeartsView))
    names = short_names(shown.names)
    direction = shown.pass_direction
    passing = (
        "no passing" if direction == "hold" or not shown.rules.pass_count else f"pass {direction}"
    )
    won = tricks_won(shown)
    seats = range(len(names))
    values = [(shown.scores[seat], shown.points[seat], won[seat]) for seat in seats]
    notes = ["has passed" if seat in shown.committed else "" for seat in seats]
    if isinstance(shown, HeartsView) and shown.seat is not None:
        for seat in shown.known:
            notes[seat] = f"face up: passed by {names[shown.seat]}"
    hands: list[list[AnyCard]] = [
        list(sorted_cards(card for card in hand if isinstance(card, Card)))
        for hand in seen_hands(shown)
    ]
    rows = seats_of(shown, values, notes, hands)
    for seat, cards in enumerate(_penalties(shown)):
        if cards:
            rows[str(seat)]["pile"] = tokens(cards)
    title = f"Hearts, deal {shown.deal_number + 1}: {passing}, dealt by {names[shown.dealer]}"
    out = begin(shown, title, situation(shown, names), rows)
    _lay(out["zones"], shown, names)
    return out


def _penalties(shown: Hearts | HeartsView) -> list[list[Card]]:
    """By seat, the cards with points that it has captured in this deal's tricks."""
    points = shown.rules._points()
    taken: list[list[Card]] = [[] for _ in shown.names]
    held: list[Card] = []
    for _, cards, winner in shown.tricks:
        held += cards
        if winner is not None:
            taken[winner] += held
            held = []
    return [sorted_cards(card for card in cards if points[card.index]) for cards in taken]


def _lay(zones: dict[str, Zone], shown: Hearts | HeartsView, names: Sequence[str]) -> None:
    number = len(shown.tricks) + 1
    if shown.phase == "play":
        zones["trick"] = Zone(
            kind="ring",
            label=f"Trick {number}",
            slots={
                str(seat): tokens([card], [] if place else [0])
                for place, (seat, card) in enumerate(shown.trick)
            },
        )
    passes = _passes(shown)
    if passes:
        zones["passes"] = Zone(
            kind="rows",
            label=f"To pass {shown.pass_direction}",
            rows={
                str(seat): [names[seat], tokens(sorted_cards(passes[seat])), ""] for seat in passes
            },
        )
    kitty = kitty_seen(shown)
    if kitty is not None:
        zones["kitty"] = Zone(kind="row", label="Kitty", cards=tokens(sorted_cards(kitty)), small=1)
    elif shown.kitty_size:
        zones["kitty"] = Zone(kind="row", label="Kitty", backs=shown.kitty_size, small=1)
    held = held_over(shown)
    if held:
        zones["held"] = Zone(
            kind="row", label="Held over for the next trick", cards=tokens(held), small=1
        )
    if shown.tricks:
        leader, cards, winner = shown.tricks[-1]
        won = "held over" if winner is None else f"taken by {names[winner]}"
        zones["last"] = Zone(
            kind="row",
            label=f"Last trick ({number - 1}): led by {names[leader]}, {won}",
            cards=tokens(cards),
            small=1,
        )
    if isinstance(shown, HeartsView) and shown.received is not None and not shown.over:
        zones["received"] = Zone(
            kind="row",
            label=f"{names[shown.seat or 0]} received in the pass",
            cards=tokens(sorted_cards(shown.received)),
            small=1,
        )


def _passes(shown: Hearts | HeartsView) -> dict[int, list[Card]]:
    """The committed passes that may be seen, by seat."""
    if isinstance(shown, HeartsView):
        mine = shown.seat is not None and shown.seat in shown.committed and shown.my_pass
        return {shown.seat: list(mine)} if mine and shown.seat is not None else {}
    found = {}
    for seat in shown.committed:
        passed = _zones.passed(shown, seat)
        if passed is not None:
            found[seat] = [Card.at(index) for index in passed]
    return found


def choices(moves: Sequence[Move], hand: Sequence[AnyCard]) -> list[str]:
    """Legal moves as people say them; passes in one sentence."""
    first = moves[0]
    if isinstance(first, Pass) and len(moves) > 1:
        count = len(first.cards)
        if len(moves) == comb(len(set(hand)), count):
            return [f"pass any {count} of the {len(hand)} cards"]
    return [describe(str(move)) for move in moves]


def cards_of(move: Move) -> Sequence[AnyCard]:
    """The cards of the mover's hand that a move names."""
    if isinstance(move, Pass):
        return move.cards
    return (move.card,) if isinstance(move, Play) else ()
