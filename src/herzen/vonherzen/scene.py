"""Von Herzen as a picture: what stands where on the table (see `herzen.render.scene`)."""

from __future__ import annotations

from collections.abc import Sequence

from herzen.cards import Card as AnyCard
from herzen.game import Game
from herzen.moves import Move
from herzen.render.faces import suit_face, suit_name
from herzen.render.scene import Scene, Zone, begin, seats_of, seen_hands, short_names, tokens
from herzen.view import View
from herzen.vonherzen import _runs, _zones
from herzen.vonherzen.cards import Card, cards_at
from herzen.vonherzen.game import VonHerzen
from herzen.vonherzen.moves import Discard, LayOff
from herzen.vonherzen.text import FLUTE, describe, joker_place, situation, sorted_cards
from herzen.vonherzen.view import VonHerzenView

TITLE = "Von Herzen"
HEADINGS = ("total", "this deal", "cards")
ZONES = ("stock", "pile", "offer", "runs", "swaps")
face, card_name = suit_face, suit_name


def scene(shown: Game | View) -> Scene:
    """The scene of a game with all hands, of a view as far as its viewer may know."""
    assert isinstance(shown, (VonHerzen, VonHerzenView))
    names = short_names(shown.names)
    rules = shown.rules
    deals = min(rules.full_rounds * rules.players, rules.max_deals or 10**9)
    values = [
        (shown.scores[seat], shown.points[seat], shown.hand_sizes[seat])
        for seat in range(len(names))
    ]
    notes = [""] * len(names)
    if isinstance(shown, VonHerzenView):
        for seat in set(shown.known) - {shown.seat}:
            notes[seat] = "face up: known to all"
    if shown.offer is not None and shown.offer["proposer"] is not None:
        notes[shown.offer["proposer"]] = f"offers {shown.offer['size']}"
    if shown.drawn is not None and shown.turn is not None:
        notes[int(shown.turn)] = f"took the {suit_name(shown.drawn)}"
    hands: list[list[AnyCard]] = [
        list(sorted_cards(card for card in hand if isinstance(card, Card)))
        for hand in seen_hands(shown)
    ]
    title = f"Von Herzen, deal {shown.deal_number + 1} of {deals}, dealt by {names[shown.dealer]}"
    rows = seats_of(shown, values, notes, hands)
    out = begin(shown, title, situation(shown, names), rows)
    _lay(out["zones"], shown, names)
    return out


def _lay(zones: dict[str, Zone], shown: VonHerzen | VonHerzenView, names: Sequence[str]) -> None:
    count = shown.stock_size
    if shown.stock:
        label = "Stock, turned over: the first is drawn next"
        zones["stock"] = Zone(kind="row", label=label, cards=tokens(shown.stock))
    else:
        zones["stock"] = Zone(kind="row", label="Stock" if count else "Stock: empty", backs=count)
    if shown.pile:
        label = "Pile: the last lies on top" if len(shown.pile) > 1 else "Pile"
        zones["pile"] = Zone(kind="row", label=label, cards=tokens(shown.pile))
    else:
        zones["pile"] = Zone(kind="row", label="Pile: empty")
    offer = _offered(shown)
    if offer:
        zones["offer"] = Zone(kind="rows", label="Offer", rows=offer)
    runs = {}
    for number, owner, cards in shown.runs:
        joker = joker_place(cards)
        points = _runs.points_of_run(shown.rules._compiled, len(cards), joker is not None)
        flute = ", a flute" if len(cards) == FLUTE else ""
        lying = tokens(cards, [] if joker is None else [joker])
        runs[str(number)] = [f"{number} {names[owner]}", lying, f"{points:+d}{flute}"]
    if runs:
        zones["runs"] = Zone(
            kind="rows", label="Runs, by number and owner; a joker is marked", rows=runs
        )
    if isinstance(shown, VonHerzenView) and shown.swaps:
        rows = {}
        for number, (partner, given, received) in enumerate(shown.swaps):
            rows[str(2 * number)] = [f"gave {names[partner]}", tokens(sorted_cards(given)), ""]
            got = tokens(sorted_cards(received))
            rows[str(2 * number + 1)] = [f"got from {names[partner]}", got, ""]
        label = f"{names[shown.seat or 0]} swapped in this deal"
        zones["swaps"] = Zone(kind="rows", label=label, rows=rows, small=1)


def _offered(shown: VonHerzen | VonHerzenView) -> dict[str, list[str]]:
    """The cards of the pending offer and those agreed to, as far as they may be seen."""
    if shown.offer is None:
        return {}
    if isinstance(shown, VonHerzenView):
        offered, agreed = shown.my_offer or (), shown.my_agreed or ()
    else:
        facts = _zones.facts(shown)
        offered, agreed = cards_at(facts["offered"]), cards_at(facts["agreed"])
    rows = {}
    if offered:
        rows["0"] = ["offered", tokens(sorted_cards(offered)), ""]
    if agreed:
        rows["1"] = ["agreed", tokens(sorted_cards(agreed)), ""]
    return rows


def choices(moves: Sequence[Move], hand: Sequence[AnyCard]) -> list[str]:
    """Legal moves as people say them."""
    return [describe(str(move)) for move in moves]


def cards_of(move: Move) -> Sequence[AnyCard]:
    """The cards of the mover's hand that a move names."""
    if isinstance(move, (LayOff, Discard)):
        return (move.card,)
    cards: Sequence[AnyCard] = getattr(move, "cards", ())
    return cards
