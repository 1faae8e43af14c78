"""Observations, written from a seat's View and its own picks alone: what they show, a seat may know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import herzen
from herzen.registry import game_part
from tests.batch.actions import Player, _vh_kind

Parts = dict[str, list[int]]


def clip(number: int) -> int:
    return max(-127, min(127, number))


def score(total: int, unit: int) -> int:
    return clip(round(100 * total / unit))


def one_hot(size: int, place: int | None) -> list[int]:
    return [int(i == place) for i in range(size)]


def counts(size: int, numbers: Iterable[int]) -> list[int]:
    found = Counter(numbers)
    return [found[i] for i in range(size)]


def flat(rows: Iterable[list[int]]) -> list[int]:
    return [number for row in rows for number in row]


def encode(player: Player, seat: int) -> Parts:
    """Name -> numbers of the observation of a seat."""
    game = player.game
    view: Any = game.view(seat)
    n = game.players
    order = [(seat + k) % n for k in range(n)]
    mine = game._turn == seat
    picked = player.picked if mine else Counter()
    parts = {
        "turn": [int(view.turn == who) for who in order],
        "dealer": [int(view.dealer == who) for who in order],
        "deal_number": [clip(view.deal_number)],
        "hand_sizes": [view.hand_sizes[who] for who in order],
        "points": [clip(view.points[who]) for who in order],
    }
    encoders = {"hearts": hearts, "vonherzen": vonherzen, "herzsammler": herzsammler}
    return parts | encoders[game.name](view, order, picked, player.opened if mine else None, game)


def hearts(view: Any, order: list[int], picked: Counter[int], opened: Any, game: Any) -> Parts:
    n = len(order)

    def plane(cards: Iterable[Any] | None) -> list[int]:
        return counts(52, (card.index for card in cards or ()))

    played: list[list[Any]] = [[] for _ in range(n)]
    taken: list[list[Any]] = [[] for _ in range(n)]
    held: list[Any] = []
    won = [0] * n
    held_tricks = 0
    for leader, cards, winner in view.tricks:
        for k, card in enumerate(cards):
            played[(leader + k) % n].append(card)
        held += cards
        held_tricks += 1
        if winner is not None:
            taken[winner] += held
            won[winner] += held_tricks
            held, held_tricks = [], 0
    for who, card in view.trick:
        played[who].append(card)
    table = dict(view.trick)
    leader = view.trick[0][0] if view.trick else view.turn
    directions = ["left", "right", "across", "hold"]
    known = [card for cards in view.known.values() for card in cards]
    phases = ["pass", "play", "moon", "over"]
    parts = {
        "hand": plane(view.hand),
        "picked": counts(52, picked.elements()),
        "my_pass": plane(view.my_pass),
        "received": plane(view.received),
        "known": plane(known),
        "trick": flat(plane([table[who]] if who in table else []) for who in order),
        "played": flat(plane(played[who]) for who in order),
        "taken": flat(plane(taken[who]) for who in order),
        "voids": flat([int(suit in view.voids[who]) for suit in "CDHS"] for who in order),
        "tricks_won": [won[who] for who in order],
        "scores": [score(view.scores[who], view.rules.target) for who in order],
        "committed": [int(who in view.committed) for who in order],
        "pass_direction": one_hot(4, directions.index(view.pass_direction)),
        "phase": one_hot(4, phases.index(view.phase)),
        "leader": [int(view.phase == "play" and who == leader) for who in order],
        "hearts_broken": [int(view.hearts_broken)],
        "tricks": [len(view.tricks)],
    }
    if view.rules.decks == 2:
        parts["held"] = plane(held)
    if view.kitty_size:
        taker = None
        for event in game.events(view.seat):
            if event.deal == view.deal_number and type(event).__name__ in (
                "KittyTaken",
                "KittyShown",
            ):
                taker = getattr(event, "seat", None)
                taker = event.taker if type(event).__name__ == "KittyShown" else taker
        parts["kitty"] = plane(view.kitty)
        parts["kitty_taker"] = [int(who == taker) for who in order]
    return parts


def vonherzen(view: Any, order: list[int], picked: Counter[int], opened: Any, game: Any) -> Parts:
    n = len(order)

    def kinds(cards: Iterable[Any] | None) -> list[int]:
        return counts(16, map(_vh_kind, cards or ()))

    def sequence(cards: Iterable[Any] | None) -> list[int]:
        row = [_vh_kind(card) for card in cards or ()]
        return row + [-1] * (32 - len(row))

    runs = []
    for _, owner, cards in view.runs:
        ranks = [card.index % 8 for card in cards]
        colours = [_vh_kind(card) // 8 for card in cards]
        colour = Counter(colours).most_common(1)[0][0]
        row = [0] * 8
        for rank, of in zip(ranks, colours, strict=True):
            row[rank] = 1 if of == colour else 2
        runs.append([int(who == owner) for who in order] + one_hot(2, colour) + row)
    runs += [[0] * (n + 10)] * (10 - len(runs))
    swaps: dict[int, tuple[list[Any], list[Any]]] = {who: ([], []) for who in order}
    for other, given, received in view.swaps:
        swaps[other][0].extend(given)
        swaps[other][1].extend(received)
    offer = view.offer or {"proposer": None, "size": 0, "counter": 0}
    rules = view.rules
    most = 32 + 4 * max(rules.flute_bonus, rules.natural_flute_bonus)
    deals = rules.full_rounds * n
    deals = deals if rules.max_deals is None else min(deals, rules.max_deals)
    phases = ["offer", "answer", "takeover", "agree", "give", "draw", "meld", "over"]
    return {
        "hand": kinds(view.hand),
        "picked": counts(16, picked.elements()),
        "picking": [int(opened == action) for action in (17, 26, 28)],
        "known": flat(kinds(view.known.get(who)) for who in order),
        "given": flat(kinds(swaps[who][0]) for who in order),
        "got": flat(kinds(swaps[who][1]) for who in order),
        "my_offer": kinds(view.my_offer),
        "my_agreed": kinds(view.my_agreed),
        "proposer": [int(who == offer["proposer"]) for who in order],
        "offer_size": [offer["size"]],
        "counter": [offer["counter"] or 0],
        "proposals": [view.proposals],
        "runs": flat(runs),
        "pile": kinds(view.pile),
        "pile_order": sequence(reversed(view.pile)),
        "stock_size": [view.stock_size],
        "stock_order": sequence(view.stock),
        "drawn": kinds([] if view.drawn is None else [view.drawn]),
        "melded": [int(who in view.melded) for who in order],
        "last_turns": [int(who in view.last_turns) for who in order],
        "melded_this_turn": [view.melded_this_turn],
        "progress": [int(view.progress)],
        "turns_taken": [clip(view.turns_taken)],
        "idle_turns": [clip(view.idle_turns)],
        "scores": [score(view.scores[who], most * deals) for who in order],
        "phase": one_hot(8, phases.index(view.phase)),
    }


def herzsammler(view: Any, order: list[int], picked: Counter[int], opened: Any, game: Any) -> Parts:
    rules = view.rules
    deck = len(rules.deck)
    colours = list(dict.fromkeys(row[0] for row in rules.deck))
    letters = game_part("herzsammler", "cards").LETTERS

    def plane(cards: Iterable[Any] | None) -> list[int]:
        return counts(deck, (card.index for card in cards or ()))

    def colour(card: Any) -> int:
        return colours.index(rules.deck[card.index][0])

    bottom = [card.index for card in view.bottom]
    hearts_of = {who: [0] * len(colours) for who in order}
    numerals = {who: [0] * len(colours) for who in order}
    for who in order:
        for card in view.collections[who]:
            if rules.deck[card.index][1] == "heart":
                hearts_of[who][colour(card)] += 1
            else:
                numerals[who][colour(card)] += card.value
    worth = sum(row[2] for row in rules.deck) * rules.games
    parts = {
        "hand": plane(view.hand),
        "open": plane(view.open),
        "known": flat(plane(view.known.get(who)) for who in order),
        "collections": flat(plane(view.collections[who]) for who in order),
        "bottom": bottom + [-1] * (deck - len(bottom)),
        "hearts": flat([clip(count) for count in hearts_of[who]] for who in order),
        "numerals": flat([clip(count) for count in numerals[who]] for who in order),
        "scores": [score(view.scores[who], max(1, worth)) for who in order],
        "hearts_won": [clip(view.hearts_won[who]) for who in order],
        "stack_size": [clip(view.stack_size)],
        "misses": [clip(view.misses)],
        "over": [int(view.over)],
    }
    if rules.must_match:
        objects = 1 + max(max(row[3], row[4]) for row in rules.deck)
        rows = []
        for who in order:
            cards = [counts(objects, map(letters.index, barred)) for barred in view.barred[who]]
            rows += cards + [[0] * objects] * (3 - len(cards))
        parts["barred"] = flat(rows)
    return parts


def differences(batch: herzen.batch.Batch, row: Any, parts: Parts) -> list[str]:
    """The names of the parts of an observation that are not as encoded from the view."""
    assert set(parts) == set(batch.observation_layout)
    return [
        name
        for name, place in batch.observation_layout.items()
        if row[place].tolist() != parts[name]
    ]
