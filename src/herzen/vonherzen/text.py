"""Von Herzen as plain text: the table, a hand, events and what a person is asked (see `herzen.render.text`).

A joker stands in brackets: `8♦ 9♦ [10♣] J♦`. Hands are sorted as players hold them: black, then red, each by rank,
so the two copies of a kind stand side by side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from herzen.events import Event
from herzen.game import Game
from herzen.render.text import (
    card_list,
    card_text,
    count_of_cards,
    fill,
    grid,
    listed,
    outcome,
    paragraphs,
    scored,
    seat_rows,
    table_names,
)
from herzen.view import View
from herzen.vonherzen import _runs, _zones
from herzen.vonherzen.cards import Card, cards_at
from herzen.vonherzen.events import (
    Answered,
    DealScored,
    Dealt,
    Discarded,
    Drawn,
    LaidOff,
    LastTurns,
    Melded,
    Offered,
    StockTurned,
    Swapped,
    TurnEnded,
)
from herzen.vonherzen.game import Phase, VonHerzen
from herzen.vonherzen.moves import (
    Counter,
    Discard,
    Draw,
    EndTurn,
    LayOff,
    Meld,
    Move,
    Offer,
    parse,
)
from herzen.vonherzen.view import VonHerzenView

HOW_TO_TYPE = (
    "Type a verb and its cards: meld 7H 8H 9H, layoff TD 0, discard KC, draw stock, offer -, end.\n"
    "A card is rank and suit letter: QS is the queen of spades, 10H or TH the ten of hearts."
)
COUNTED = ("runs", "flutes", "out")
FLUTE = 8
IN_TURN = (Phase.DRAW, Phase.MELD)
WORDS = {
    "offer": ("offer",),
    "answer": ("accept", "decline", "counter"),
    "takeover": ("takeover", "stay"),
    "agree": ("agree", "withdraw"),
    "give": ("accept",),
    "draw": ("draw",),
    "meld": ("meld", "layoff", "discard", "end"),
}
"""First words of the moves of each phase; the first one may be left out where cards follow."""
VERBS = {word for words in WORDS.values() for word in words}
SHORT = {"s": "stock", "p": "pile"}


# ---- cards ---------------------------------------------------------------------------------------------------


def sorted_cards(cards: Iterable[Card]) -> list[Card]:
    """Cards in the order in which players hold them: black before red, then by rank."""
    return sorted(cards, key=lambda card: (card.red, card.rank, card.suit))


def hand_words(cards: Iterable[Card], symbols: bool) -> list[str]:
    """A hand as words: the black cards, a bar, the red ones."""
    held = sorted_cards(cards)
    black = [card_text(card, symbols) for card in held if not card.red]
    red = [card_text(card, symbols) for card in held if card.red]
    return [*black, *(["|"] if black and red else []), *red] or ["no cards"]


def joker_place(cards: Sequence[Card]) -> int | None:
    """The place of the joker in a run: the one card of its colour; None if there is none."""
    reds = sum(card.red for card in cards)
    other = reds == 1 and len(cards) > 1
    if not other and len(cards) - reds != 1:
        return None
    return next(place for place, card in enumerate(cards) if card.red == other)


def run_text(cards: Sequence[Card], symbols: bool) -> str:
    """A run upwards, its joker in brackets."""
    joker = joker_place(cards)
    return " ".join(
        f"[{card_text(card, symbols)}]" if place == joker else card_text(card, symbols)
        for place, card in enumerate(cards)
    )


# ---- the table -----------------------------------------------------------------------------------------------


def table(shown: Game | View, *, symbols: bool = True, width: int = 80) -> str:
    """The whole table; see `herzen.render.text.table`."""
    assert isinstance(shown, (VonHerzen, VonHerzenView))
    blocks = [
        _heading(shown, symbols, width),
        _seats(shown, symbols),
        _laid(shown, symbols),
        _cards(shown, symbols, width),
    ]
    return paragraphs(blocks)


def _heading(shown: VonHerzen | VonHerzenView, symbols: bool, width: int) -> list[str]:
    names = table_names(shown)
    rules = shown.rules
    deals = min(rules.full_rounds * rules.players, rules.max_deals or 10**9)
    lines = [f"Von Herzen, deal {shown.deal_number + 1} of {deals}: dealt by {names[shown.dealer]}"]
    lines += fill(situation(shown, names).split(), first="", width=width)
    order = shown.stock
    if order:
        lines += fill(
            [*(card_text(card, symbols) for card in order), "(turned over, top first)"],
            first="Stock: ",
            width=width,
        )
    else:
        count = shown.stock_size
        lines.append(f"Stock: {count_of_cards(count)}, face down" if count else "Stock: empty")
    lines += _pile(shown, symbols, width)
    return lines


def _pile(shown: VonHerzen | VonHerzenView, symbols: bool, width: int) -> list[str]:
    if not shown.pile:
        return ["Pile: empty"]
    words = [card_text(card, symbols) for card in shown.pile]
    return fill([*words, "(top last)"] if len(words) > 1 else words, first="Pile: ", width=width)


def situation(shown: VonHerzen | VonHerzenView, names: Sequence[str]) -> str:
    """What is to be decided, in one sentence."""
    if shown.over:
        return outcome(shown, names)
    assert shown.turn is not None
    mover = names[int(shown.turn)]
    if shown.phase in IN_TURN:
        last = [names[seat] for seat in shown.last_turns[1:]]
        if shown.last_turns:
            then = f" ({listed(last)} after that)" if last else ""
            return f"Last turns: {mover} to meld, lay off or end{then}"
        what = "draw" if shown.phase == Phase.DRAW else "meld, lay off, discard or end"
        return f"Turn {shown.turns_taken + 1}: {mover} to {what}"
    total = shown.rules.exchange_rounds * shown.rules.players
    return f"Exchange {shown.proposals + 1} of {total}: {_exchange(shown, names, mover)}"


def _exchange(shown: VonHerzen | VonHerzenView, names: Sequence[str], mover: str) -> str:
    offer = shown.offer
    if offer is None:
        assert shown.turn is not None
        return f"{mover} to offer cards to {names[(int(shown.turn) - 1) % len(names)]}, or none"
    proposer, receiver, size = offer["proposer"], offer["receiver"], offer["size"]
    assert proposer is not None
    assert receiver is not None
    assert size is not None
    counter = offer["counter"]
    told = f"{count_of_cards(size)} from {names[proposer]} for {names[receiver]}"
    if shown.phase == Phase.ANSWER:
        choice = "accept, decline or counter" if size > 1 else "accept or decline"
        return f"{told}: {mover} to {choice}"
    told += ", declined" if counter is None else f", countered with {counter}"
    if shown.phase == Phase.TAKEOVER:
        return f"{told}: {mover} to take over or stay"
    if shown.phase == Phase.AGREE:
        choice = "agree" if shown.rules.counter_binding else "agree or withdraw"
        return f"{told}: {mover} to {choice}"
    return f"{told}, agreed: {mover} to give {count_of_cards(counter or 0)}"


def _seats(shown: VonHerzen | VonHerzenView, symbols: bool) -> list[str]:
    """One row a seat: total, points and cards of this deal, what it does."""
    return seat_rows(shown, ("deal", "cards"), shown.hand_sizes, _notes(shown, symbols))


def _notes(shown: VonHerzen | VonHerzenView, symbols: bool) -> list[str]:
    notes = [""] * len(shown.names)
    offer = shown.offer
    if offer is not None:
        assert offer["proposer"] is not None
        notes[offer["proposer"]] = f"offers {offer['size']}"
    if shown.drawn is not None and shown.turn is not None:
        notes[int(shown.turn)] = f"took {card_text(shown.drawn, symbols)}"
    return notes


def _laid(shown: VonHerzen | VonHerzenView, symbols: bool) -> list[str]:
    """One row a run: its number, its owner, its cards upwards, its points."""
    if not shown.runs:
        return []
    names = table_names(shown)
    compiled = shown.rules._compiled
    rows = []
    for number, owner, cards in shown.runs:
        text = run_text(cards, symbols)
        points = _runs.points_of_run(compiled, len(cards), "[" in text)
        flute = " flute" if len(cards) == FLUTE else ""
        rows.append(("", str(number), names[owner], text, f"{points:+d}{flute}"))
    return ["runs", *grid(rows)]


def _cards(shown: VonHerzen | VonHerzenView, symbols: bool, width: int) -> list[str]:
    """The hands that may be seen, and what a viewer remembers."""
    if isinstance(shown, VonHerzenView):
        return list(_viewers_cards(shown, symbols, width))
    names = table_names(shown)
    longest = max(map(len, names))
    lines = ["hands"]
    for seat, name in enumerate(names):
        first = f"   {seat} {name.ljust(longest)}  "
        lines += fill(hand_words(shown.hand(seat), symbols), first=first, width=width)
    facts = _zones.facts(shown)
    if shown.offer is not None:
        words = hand_words(cards_at(facts["offered"]), symbols)
        lines += fill(words, first="   offered  ", width=width)
        if facts["agreed"]:
            words = hand_words(cards_at(facts["agreed"]), symbols)
            lines += fill(words, first="   agreed   ", width=width)
    return lines


def _viewers_cards(view: VonHerzenView, symbols: bool, width: int) -> Iterator[str]:
    names = table_names(view)
    if view.seat is not None:
        yield from fill(hand_words(view.hand, symbols), first="hand   ", width=width)
    if view.my_offer is not None:
        yield from fill(hand_words(view.my_offer, symbols), first="offer  ", width=width)
    if view.my_agreed is not None:
        yield from fill(hand_words(view.my_agreed, symbols), first="agreed ", width=width)
    for partner, given, received in view.swaps:
        words = [*card_list(sorted_cards(given), symbols).split(), "for"]
        words += [*card_list(sorted_cards(received), symbols).split(), f"(with {names[partner]})"]
        yield from fill(words, first="swap   ", width=width)
    for seat, cards in view.known.items():
        who = "you" if seat == view.seat else names[seat]
        words = [*card_list(sorted_cards(cards), symbols).split(), f"(held by {who})"]
        yield from fill(words, first="known  ", width=width)


def hand(view: View, *, symbols: bool = True, width: int = 80) -> str:
    """The viewer's own cards; in a turn also the runs and the pile, which change from turn to turn."""
    seen = _seen(view)
    lines = []
    if seen.phase in IN_TURN:
        lines += [*_laid(seen, symbols), *_pile(seen, symbols, width)]
    lines += fill(hand_words(seen.hand, symbols), first="Your hand: ", width=width)
    return "\n".join(lines)


def _seen(view: View) -> VonHerzenView:
    assert isinstance(view, VonHerzenView)
    return view


# ---- talking with a person -----------------------------------------------------------------------------------


def prompt(view: View, *, symbols: bool = True) -> str:
    """What the viewer has to decide, and what it may do."""
    seen = _seen(view)
    assert seen.seat is not None
    if seen.phase == Phase.DRAW:
        sources = [
            source if isinstance(source, str) else card_text(source, symbols)
            for source in (move.source for move in seen.legal_moves if isinstance(move, Draw))
        ]
        return f"Draw: {', '.join(sources)}"
    if seen.phase == Phase.MELD:
        return _turn_prompt(seen, symbols)
    names = table_names(seen)
    size = _size(seen)
    example = " ".join(str(card) for card in seen.hand[:size])
    if seen.phase == Phase.OFFER:
        right = names[(seen.seat - 1) % len(names)]
        return f'Offer any cards to {right}, as in "offer {example}", or none: "offer -"'
    if seen.phase == Phase.GIVE:
        return f'You must give {count_of_cards(size)}: "accept {example}"'
    if seen.phase == Phase.AGREE:
        offered = seen.my_offer or ()
        example = " ".join(str(card) for card in offered[:size])
        other = "" if seen.rules.counter_binding else ", or withdraw"
        told = card_list(sorted_cards(offered), symbols)
        return f'Agree to {count_of_cards(size)} of {told}: "agree {example}"{other}'
    offer = seen.offer
    assert offer is not None
    assert offer["proposer"] is not None
    told = f"{names[offer['proposer']]} offers {count_of_cards(size)}"
    if seen.phase == Phase.TAKEOVER:
        return f'{told}. Take them for {size} of yours, "takeover {example}", or stay'
    counter = f', or ask for fewer, "counter {size - 1}"' if size > 1 else ""
    return f'{told}. Give {size} of yours for them, "accept {example}", or decline{counter}'


def _size(view: VonHerzenView) -> int:
    """How many cards the viewer names now; 2 as an example where any number will do."""
    if view.offer is None:
        return 2
    size = view.offer["counter" if view.phase in (Phase.AGREE, Phase.GIVE) else "size"]
    assert size is not None
    return size


def _turn_prompt(view: VonHerzenView, symbols: bool) -> str:
    """The longest few melds, the lay-offs, the discards."""
    moves = view.legal_moves
    melds = sorted((m for m in moves if isinstance(m, Meld)), key=lambda m: -len(m.cards))
    lay_offs = [m for m in moves if isinstance(m, LayOff)]
    told = []
    if melds:
        some = ", ".join(f"{run_text(move.cards, symbols)}" for move in melds[:3])
        more = f" and {len(melds) - 3} more" if len(melds) > 3 else ""
        told.append(f"meld ({some}{more})")
    if lay_offs:
        some = ", ".join(f"{card_text(m.card, symbols)} to run {m.run}" for m in lay_offs)
        told.append(f'lay off ({some}), as in "{lay_offs[0]}"')
    discards = [m for m in moves if isinstance(m, Discard)]
    if discards:
        told.append(f'discard, as in "{discards[0]}"')
    if any(isinstance(m, EndTurn) for m in moves):
        told.append("end")
    return f"You may {'; '.join(told)}"


def complete(view: View, typed: str) -> str:
    """The text of the move that a person means: the verb may be left out before cards, a number, "stock"."""
    words = typed.replace(",", " ").split()
    phase = str(view.phase)
    if not words or phase not in WORDS or words[0].lower() in VERBS:
        return " ".join(words)
    if phase == "meld":
        number = len(words) == 2 and words[1].isdigit()
        verb = "layoff" if number else "discard" if len(words) == 1 else "meld"
        return " ".join([verb, *words])
    if phase == "answer" and len(words) == 1 and words[0].isdigit():
        return f"counter {words[0]}"
    if phase == "offer" and words[0].lower() == "none":
        return "offer -"
    if phase == "draw":
        words[0] = SHORT.get(words[0].lower(), words[0])
    return " ".join([WORDS[phase][0], *words])


def describe(move_text: str, *, symbols: bool = True) -> str:
    """A move as people say it."""
    return _described(parse(move_text), symbols)


def _described(move: Move, symbols: bool) -> str:
    if isinstance(move, Meld):
        return f"meld {run_text(move.cards, symbols)}"
    if isinstance(move, LayOff):
        return f"lay {card_text(move.card, symbols)} to run {move.run}"
    if isinstance(move, Discard):
        return f"discard {card_text(move.card, symbols)}"
    if isinstance(move, Draw):
        if isinstance(move.source, str):
            return f"draw from the {move.source}"
        return f"draw {card_text(move.source, symbols)} from the pile"
    if isinstance(move, Offer) and not move.cards:
        return "offer nothing"
    if isinstance(move, Counter):
        return f"ask for {count_of_cards(move.n)}"
    if isinstance(move, EndTurn):
        return "end the turn"
    cards = getattr(move, "cards", None)
    verb = {"takeover": "take over for", "accept": "accept for"}.get(move.word, move.word)
    return verb if cards is None else f"{verb} {card_list(sorted_cards(cards), symbols)}"


def sentence(event: Event, names: Sequence[str], *, symbols: bool = True) -> str:
    """What happened, as a sentence; empty if it needs no saying."""
    match event:
        case Dealt():
            turned = f" {card_list(event.pile, symbols)} is turned up." if event.pile else ""
            return f"Deal {event.deal + 1}: {names[event.dealer]} has dealt.{turned}"
        case Offered() | Answered() | Swapped():
            return _exchanged(event, names, symbols)
        case Drawn():
            card = "a card" if event.card is None else card_text(event.card, symbols)
            return f"{names[event.seat]}: draw {card} from the {event.source}."
        case Melded():
            return f"{names[event.seat]}: meld run {event.run}, {run_text(event.cards, symbols)}."
        case LaidOff():
            whose = "" if event.owner == event.seat else f" of {names[event.owner]}"
            card = card_text(event.card, symbols)
            return f"{names[event.seat]}: lay {card} to run {event.run}{whose}."
        case Discarded():
            return f"{names[event.seat]}: discard {card_text(event.card, symbols)}."
        case TurnEnded():
            return f"{names[event.seat]}: end without a discard."
        case StockTurned():
            return f"The pile is turned over: {card_list(event.cards, symbols)}."
        case LastTurns():
            still = listed([names[seat] for seat in event.seats])
            return f"Out in the first round: {names[event.out]}. Last turns: {still}."
        case DealScored():
            return _scored(event, names)
    return ""


def _exchanged(event: Event, names: Sequence[str], symbols: bool) -> str:
    """The sentences of the exchange."""
    match event:
        case Offered() if not event.size:
            return f"{names[event.seat]}: offer nothing."
        case Offered():
            right = names[(event.seat - 1) % len(names)]
            cards = _in_brackets(event.cards, symbols)
            return f"{names[event.seat]}: offer {count_of_cards(event.size)}{cards} to {right}."
        case Answered():
            count = count_of_cards(event.number or 0) + _in_brackets(event.cards, symbols)
            told = {
                "accept": f"accept and give {count}",
                "decline": "decline",
                "counter": f"ask for {count}",
                "takeover": f"take the offer over for {count}",
                "stay": "stay out",
                "agree": f"agree to {count}",
                "withdraw": "withdraw the offer",
            }[event.answer]
            return f"{names[event.seat]}: {told}."
        case Swapped():
            pair = f"{names[event.proposer]} and {names[event.partner]}"
            if event.from_proposer is None or event.from_partner is None:
                return f"{pair} swap {count_of_cards(event.size)}."
            ours = f"{names[event.proposer]} {_listed(event.from_proposer, symbols)}"
            theirs = f"{names[event.partner]} {_listed(event.from_partner, symbols)}"
            return f"{pair} swap: {ours}, {theirs}."
    return ""


def _in_brackets(cards: Iterable[Card] | None, symbols: bool) -> str:
    return f" ({_listed(cards, symbols)})" if cards else ""


def _listed(cards: Iterable[Card] | None, symbols: bool) -> str:
    return card_list(sorted_cards(cards or ()), symbols)


def _scored(event: DealScored, names: Sequence[str]) -> str:
    told = scored(names, event.points, event.scores)
    why = "is blocked" if event.blocked else "is over"
    return f"Deal {event.deal + 1} {why}. {told}."


def thinkable(view: View) -> Sequence[str]:
    """Texts of moves that the viewer may think of in this phase, with one card each."""
    seen = _seen(view)
    hand = [str(card) for card in sorted_cards(seen.hand)]
    if seen.phase == Phase.DRAW:
        return ["draw stock", "draw pile", *(f"draw {card}" for card in seen.pile)]
    if seen.phase == Phase.MELD:
        laid = [f"layoff {card} {number}" for number, _, _ in seen.runs for card in hand]
        return [*laid, *(f"discard {card}" for card in hand), "end"]
    return {
        Phase.ANSWER: ["decline", *(f"counter {n}" for n in range(1, 8))],
        Phase.TAKEOVER: ["stay"],
        Phase.AGREE: ["withdraw"],
    }.get(Phase(seen.phase), [])


# ---- summaries -----------------------------------------------------------------------------------------------


def counted(game: Game) -> Sequence[tuple[str, int]]:
    """Runs and flutes by owner, and who went out, in the deal that has just ended."""
    last = game._last
    if last is None:
        return ()
    found = []
    for owner, cards in _zones.runs(last):
        found.append(("runs", owner))
        if len(cards) == FLUTE:
            found.append(("flutes", owner))
    found += [("out", seat) for seat in range(last.players) if not _zones.hand(last, seat)]
    return found
