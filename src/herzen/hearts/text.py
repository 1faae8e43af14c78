"""Hearts as plain text: the table, a hand, events and what a person is asked (see `herzen.render.text`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from herzen.events import Event
from herzen.game import Game
from herzen.hearts import _zones
from herzen.hearts.cards import Card
from herzen.hearts.events import (
    Dealt,
    Exchanged,
    HandScored,
    KittyShown,
    KittyTaken,
    LeadPassed,
    MoonChosen,
    Passed,
    Played,
    TrickTaken,
)
from herzen.hearts.game import Hearts, Phase
from herzen.hearts.moves import MoonChoice, Pass, Play, parse
from herzen.hearts.view import HeartsView
from herzen.render.text import (
    card_list,
    card_text,
    count_of_cards,
    fill,
    listed,
    outcome,
    paragraphs,
    scored,
    seat_rows,
    table_names,
)
from herzen.view import View

HOW_TO_TYPE = (
    "Type a card as rank and suit letter: QS is the queen of spades, 10H or TH the ten of hearts."
)
COUNTED = ("moons", "queens")
SHOWN_SUITS = (0, 1, 3, 2)
"""Clubs, diamonds, spades, hearts: black and red suits alternate, as players sort their cards."""
LETTERS = "CDHS"
SYMBOLS = "♣♦♥♠"


# ---- cards ---------------------------------------------------------------------------------------------------


def sorted_cards(cards: Iterable[Card]) -> list[Card]:
    """Cards in the order in which players hold them."""
    return sorted(cards, key=lambda card: (SHOWN_SUITS.index(card.suit), card.rank))


def by_suit(cards: Iterable[Card], symbols: bool) -> list[str]:
    """A hand suit by suit: `♣ 2 5 K`, or `C: 2 5 K` in ASCII."""
    groups = []
    for suit in SHOWN_SUITS:
        ranks = [card for card in sorted_cards(cards) if card.suit == suit]
        if ranks:
            shown = " ".join(card.symbol[:-1] if symbols else str(card)[0] for card in ranks)
            groups.append(f"{SYMBOLS[suit]} {shown}" if symbols else f"{LETTERS[suit]}: {shown}")
    return groups or ["no cards"]


# ---- the table -----------------------------------------------------------------------------------------------


def table(shown: Game | View, *, symbols: bool = True, width: int = 80) -> str:
    """The whole table; see `herzen.render.text.table`."""
    assert isinstance(shown, (Hearts, HeartsView))
    blocks = [
        _heading(shown, symbols, width),
        _seats(shown, symbols),
        _cards(shown, symbols, width),
    ]
    return paragraphs(blocks)


def _heading(shown: Hearts | HeartsView, symbols: bool, width: int) -> list[str]:
    names = table_names(shown)
    direction = shown.pass_direction
    passing = (
        "no passing" if direction == "hold" or not shown.rules.pass_count else f"pass {direction}"
    )
    lines = [f"Hearts, deal {shown.deal_number + 1}: {passing}, dealt by {names[shown.dealer]}"]
    lines += fill(situation(shown, names).split(), first="", width=width)
    held = held_over(shown)
    if held:
        lines += fill(card_list(held, symbols).split(), first="Held over: ", width=width)
    kitty = kitty_seen(shown)
    if kitty is not None:
        lines += fill(card_list(sorted_cards(kitty), symbols).split(), first="Kitty: ", width=width)
    elif shown.kitty_size:
        lines.append(f"Kitty: {count_of_cards(shown.kitty_size)}, face down")
    return lines


def situation(shown: Hearts | HeartsView, names: Sequence[str]) -> str:
    """What is to be decided, in one sentence."""
    if shown.over:
        return outcome(shown, names)
    movers = listed([names[int(seat)] for seat in shown.to_move])
    if shown.phase == "pass":
        return f"{count_of_cards(shown.rules.pass_count)} to pass: still to choose: {movers}"
    if shown.phase == "moon":
        return f"{movers} has shot the moon: add or subtract?"
    # Who has played to the trick on the table holds one card less than the others.
    number = len(shown.tricks) + 1
    last = number + (min(shown.hand_sizes) if shown.trick else max(shown.hand_sizes) - 1)
    broken = "hearts are broken" if shown.hearts_broken else "hearts are not broken"
    verb = "play" if shown.trick else "lead"
    return f"Trick {number} of {last}: {movers} to {verb}, {broken}"


def held_over(shown: Hearts | HeartsView) -> list[Card]:
    """The cards of tricks that nobody has won yet."""
    held: list[Card] = []
    for _, cards, winner in shown.tricks:
        held = [] if winner is not None else [*held, *cards]
    return held


def kitty_seen(shown: Hearts | HeartsView) -> tuple[Card, ...] | None:
    if isinstance(shown, HeartsView):
        return shown.kitty
    return tuple(Card.at(index) for index in _zones.facts(shown)["kitty"]) or None


def tricks_won(shown: Hearts | HeartsView) -> list[int]:
    if isinstance(shown, Hearts):
        return list(_zones.facts(shown)["tricks_won"])
    won, held = [0] * len(shown.names), 0
    for _, _, winner in shown.tricks:
        held += 1
        if winner is not None:
            won[winner] += held
            held = 0
    return won


def _seats(shown: Hearts | HeartsView, symbols: bool) -> list[str]:
    """One row a seat: total, points and tricks of this deal, what it has on the table."""
    return seat_rows(shown, ("deal", "tricks"), tricks_won(shown), _on_table(shown, symbols))


def _on_table(shown: Hearts | HeartsView, symbols: bool) -> list[str]:
    lying = [""] * len(shown.names)
    for seat in shown.committed:
        passed = _zones.passed(shown, seat) if isinstance(shown, Hearts) else None
        if isinstance(shown, HeartsView) and seat == shown.seat and shown.my_pass is not None:
            lying[seat] = f"passes {card_list(shown.my_pass, symbols)}"
        elif passed is not None:
            lying[seat] = f"passes {card_list(map(Card.at, passed), symbols)}"
        else:
            lying[seat] = "has passed"
    for place, (seat, card) in enumerate(shown.trick):
        lying[seat] = card_text(card, symbols) + (" led" if place == 0 else "")
    return lying


def _cards(shown: Hearts | HeartsView, symbols: bool, width: int) -> list[str]:
    """The hands that may be seen, and what a viewer remembers."""
    if isinstance(shown, HeartsView):
        return list(_viewers_cards(shown, symbols, width))
    if not any(shown.hand_sizes):
        return []
    names = table_names(shown)
    longest = max(map(len, names))
    lines = ["hands"]
    for seat, name in enumerate(names):
        first = f"   {seat:>{len(str(len(names) - 1))}} {name.ljust(longest)}  "
        lines += fill(by_suit(shown.hand(seat), symbols), first=first, width=width, between="  ")
    return lines


def _viewers_cards(view: HeartsView, symbols: bool, width: int) -> Iterator[str]:
    if view.seat is None:
        return
    names = table_names(view)
    if view.hand:
        yield from fill(by_suit(view.hand, symbols), first="hand   ", width=width, between="  ")
    if view.received is not None:
        yield from fill(
            card_list(sorted_cards(view.received), symbols).split(), first="got    ", width=width
        )
    for seat, cards in view.known.items():
        shown = card_list(sorted_cards(cards), symbols)
        yield from fill([*shown.split(), f"(with {names[seat]})"], first="passed ", width=width)


def hand(view: View, *, symbols: bool = True, width: int = 80) -> str:
    """The viewer's own cards, suit by suit."""
    return "\n".join(
        fill(by_suit(_hearts(view).hand, symbols), first="Your hand: ", width=width, between="  ")
    )


def _hearts(view: View) -> HeartsView:
    assert isinstance(view, HeartsView)
    return view


# ---- talking with a person -----------------------------------------------------------------------------------


def prompt(view: View, *, symbols: bool = True) -> str:
    """What the viewer has to decide, and what it may do."""
    seen = _hearts(view)
    if seen.phase == "pass":
        count, to = seen.rules.pass_count, table_names(seen)[_receiver(seen)]
        example = " ".join(str(card) for card in seen.hand[:count])
        return f"Pass {count_of_cards(count)} {seen.pass_direction}, to {to}. Type them like this: {example}"
    if seen.phase == "moon":
        total = sum(_worth(seen).values())
        return (
            f"You have shot the moon! Type add (the others get {total} points each) or subtract"
            f" (you lose {total})."
        )
    cards = [move.card for move in seen.legal_moves if isinstance(move, Play)]
    verb = "lead" if not seen.trick else "play"
    return f"You may {verb}: {card_list(sorted_cards(cards), symbols)}"


def _receiver(view: HeartsView) -> int:
    assert view.seat is not None
    n = len(view.names)
    step = {"left": 1, "right": -1, "across": n // 2, "hold": 0}[view.pass_direction]
    return (view.seat + step) % n


def _worth(view: HeartsView) -> dict[int, int]:
    """Points of the penalty cards in the deck, by index."""
    points = view.rules._points()
    return {index: points[index % 52] for index in view.rules._deck() if points[index % 52] > 0}


def complete(view: View, typed: str) -> str:
    """The text of the move that a person means: in passing "pass" may be left out, for the moon "moon"."""
    words = typed.replace(",", " ").split()
    if not words:
        return typed
    first = words[0].lower()
    if view.phase == "pass" and first != "pass":
        return " ".join(["pass", *words])
    if view.phase == "moon" and first != "moon":
        return " ".join(["moon", *words])
    if view.phase == "play":
        return "".join(words[1:] if first in ("play", "lead") else words)
    return " ".join(words)


def describe(move_text: str, *, symbols: bool = True) -> str:
    """A move as people say it."""
    move = parse(move_text)
    if isinstance(move, Pass):
        return f"pass {card_list(sorted_cards(move.cards), symbols)}"
    if isinstance(move, MoonChoice):
        return str(move)
    return card_list([move.card], symbols) if isinstance(move, Play) else str(move)


def sentence(event: Event, names: Sequence[str], *, symbols: bool = True) -> str:
    """What happened, as a sentence; empty if it needs no saying."""
    match event:
        case Dealt():
            passing = "" if event.pass_direction == "hold" else f", pass {event.pass_direction}"
            return f"Deal {event.deal + 1}: {names[event.dealer]} has dealt{passing}."
        case Passed() if event.cards is None:
            return f"{names[event.seat]} has passed."
        case Passed():
            assert event.cards is not None
            return f"{names[event.seat]}: pass {card_list(sorted_cards(event.cards), symbols)}"
        case Exchanged():
            own = [cards for cards in event.received if cards is not None]
            return (
                f"You receive {card_list(sorted_cards(own[0]), symbols)}." if len(own) == 1 else ""
            )
        case LeadPassed():
            holders = listed([names[seat] for seat in event.seats])
            return f"Only hearts with {holders}: the lead goes on to {names[event.leader]}."
        case Played():
            return f"{names[event.seat]}: {card_text(event.card, symbols)}"
        case TrickTaken() if event.winner is None:
            return f"The trick is held over ({card_list(event.cards, symbols)})."
        case TrickTaken():
            assert event.winner is not None
            return f"Trick to {names[event.winner]} ({card_list(event.cards, symbols)})."
        case KittyTaken():
            seen = "" if event.cards is None else f" ({card_list(event.cards, symbols)})"
            return f"Kitty to {names[event.seat]}{seen}."
        case KittyShown():
            return (
                f"In the kitty, taken by {names[event.taker]}: {card_list(event.cards, symbols)}."
            )
        case MoonChosen():
            return f"Moon, {names[event.seat]}: {event.kind}."
        case HandScored():
            return _scored(event, names)
    return ""


def _scored(event: HandScored, names: Sequence[str]) -> str:
    told = scored(names, event.points, event.scores)
    moon = "" if event.shooter is None else f" Moon for {names[event.shooter]}!"
    return f"Deal {event.deal + 1} is over.{moon} {told}."


def thinkable(view: View) -> Sequence[str]:
    """Texts of moves that the viewer may think of in this phase: its cards, or the two ways with the moon."""
    if view.phase == Phase.MOON:
        return ["moon add", "moon subtract"]
    return (
        [str(card) for card in sorted_cards(_hearts(view).hand)] if view.phase == Phase.PLAY else []
    )


# ---- summaries -----------------------------------------------------------------------------------------------


def counted(game: Game) -> Sequence[tuple[str, int]]:
    """Who shot the moon and who took Q♠ in the deal that has just ended."""
    last = game._last
    if last is None:
        return ()
    found = []
    shooter = _zones.facts(last)["shooter"]
    if shooter is not None:
        found.append(("moons", shooter))
    held = 0
    queen = Card("QS").index
    for _, cards, winner in _zones.tricks(last):
        held += cards.count(queen)
        if winner is not None:
            found += [("queens", winner)] * held
            held = 0
    return found
