"""What Von Herzen's hidden cards may be after all that a seat saw, in plain Python.

`supports` keeps all arrangements that some legal history can have, step by step: where every card lies that the
viewer ever sees, while cards that it never sees are blanks. `history` goes the other way: from one world with the
memories of all seats to a deck and moves that lead to it, for the twin to play.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import factorial
from typing import Any

from tests.reference.vonherzen_rules import CARDS, KIND, sort_cards

Event = dict[str, Any]
Support = tuple[frozenset[str], ...]
"""Cards that the viewer sees at some time, as they lie in each hand (its own is left empty) and last in the stock."""


def twin_card(card: str) -> str:
    """The other copy of the kind."""
    return next(other for other in CARDS if KIND[other] == KIND[card] and other != card)


def supports(
    rules: dict[str, Any], seat: int | None, events: Sequence[Event], own: Sequence[str]
) -> dict[Support, int]:
    """The possible arrangements, with the number of placements of the blanks that each stands for.

    `events` are the viewer's of one deal from its beginning, `own` is its hand now.
    """
    n, size = rules["players"], rules["hand_size"]
    others = [at for at in range(n) if at != seat]
    first = next(event for event in events if event["type"] == "Dealt")
    mine = set() if seat is None else set(first["hands"][seat])
    named = _named(events) | set(own)
    open_cards = set(first["pile"])
    labelled = sorted(named - mine - open_cards)
    sizes = dict.fromkeys(others, size)
    stock = first["stock_size"]
    states = {
        state
        for state in _placements(labelled, others, n)
        if all(len(state[at]) <= size for at in others) and len(state[n]) <= stock
    }
    drawn: str | None = None
    for event in events:
        kind, at = event["type"], event.get("seat", -1)
        if kind == "Swapped":
            states = set(_swapped(states, event, seat, size))
        elif kind == "Drawn":
            drawn = event["card"] if event["source"] == "pile" else None
            hidden = event["source"] == "stock" and not event["public"]
            if hidden:
                stock -= 1
                states = {
                    after
                    for state in states
                    for after in _drawn(state, at, seat, event["card"], stock + 1)
                }
            if at != seat:
                sizes[at] += 1
                if not hidden:
                    states = {_put(state, at, [event["card"]]) for state in states}
        elif kind in ("Melded", "LaidOff", "Discarded"):
            cards = event["cards"] if kind == "Melded" else [event["card"]]
            if at != seat:
                sizes[at] -= len(cards)
                states = {_take(state, at, cards) for state in states if set(cards) <= state[at]}
        elif kind == "TurnEnded" and at != seat and rules["discard_mandatory"] and drawn:
            states = {
                state
                for state in states
                if len(state[at]) == sizes[at]
                and {KIND[card] for card in state[at]} <= {KIND[drawn]}
            }
        if kind in ("TurnEnded", "Discarded"):
            drawn = None
        if kind in ("Drawn", "Melded", "LaidOff", "Discarded"):
            states = {
                state for state in states if all(len(state[at]) <= sizes[at] for at in others)
            }
    blanks = sum(sizes.values()) + stock - (sum(map(len, next(iter(states)))) if states else 0)
    weights = {}
    for state in states:
        ways = factorial(blanks) * factorial(stock)
        for at in others:
            ways //= factorial(sizes[at] - len(state[at]))
        weights[state] = ways // factorial(stock - len(state[n]))
    return weights


def _named(events: Sequence[Event]) -> set[str]:
    """All cards that the events show, and the other copies of those taken from the pile."""
    named: set[str] = set()
    for event in events:
        for name in ("cards", "from_proposer", "from_partner"):
            named |= set(event.get(name) or ())
        if event.get("card"):
            named.add(event["card"])
            if event["type"] == "Drawn" and event["source"] == "pile":
                named.add(twin_card(event["card"]))
    return named


def _placements(labelled: list[str], others: list[int], n: int) -> Iterator[Support]:
    for zones in product([*others, n], repeat=len(labelled)):
        yield tuple(
            frozenset(card for card, zone in zip(labelled, zones, strict=True) if zone == at)
            for at in range(n + 1)
        )


def _put(state: Support, at: int, cards: Sequence[str]) -> Support:
    return (*state[:at], state[at] | set(cards), *state[at + 1 :])


def _take(state: Support, at: int, cards: Sequence[str]) -> Support:
    return (*state[:at], state[at] - set(cards), *state[at + 1 :])


def _swapped(
    states: set[Support], event: Event, seat: int | None, hand_size: int
) -> Iterator[Support]:
    a, b, size = event["proposer"], event["partner"], event["size"]
    given, received = event["from_proposer"], event["from_partner"]
    for state in states:
        if seat in (a, b):
            other = b if seat == a else a
            gave, got = (given, received) if seat == a else (received, given)
            if set(got) <= state[other]:
                yield _put(_take(state, other, got), other, gave)
            continue
        for mine in _parts(state[a], size, hand_size):
            for theirs in _parts(state[b], size, hand_size):
                moved = _put(_take(state, a, mine), b, mine)
                yield _put(_take(moved, b, theirs), a, theirs)


def _parts(held: frozenset[str], size: int, hand_size: int) -> list[tuple[str, ...]]:
    # What `size` cards may be out of a hand: some that are named, the rest blanks.
    blanks = hand_size - len(held)
    return [
        part
        for count in range(max(0, size - blanks), min(size, len(held)) + 1)
        for part in combinations(sorted(held), count)
    ]


def _drawn(
    state: Support, at: int, seat: int | None, card: str | None, stock: int
) -> Iterator[Support]:
    n = len(state) - 1
    if at == seat:
        assert card is not None
        if card in state[n]:
            yield _take(state, n, [card])
        return
    if len(state[n]) < stock:
        yield state
    for drawn in state[n]:
        yield _put(_take(state, n, [drawn]), at, [drawn])


# ---- from a world to a history -------------------------------------------------------------------------------


def history(
    rules: dict[str, Any], seat: int | None, events: Sequence[Event], world: dict[str, Any]
) -> tuple[list[str], list[tuple[int, str]]]:
    """A deck and moves that lead from the deal to a world.

    `events` are the viewer's from the deal on. `world`: hands, stock, swaps [(proposer, partner, from the proposer,
    from the partner)], offered, agreed.
    """
    n, size = rules["players"], rules["hand_size"]
    first = events[0]
    draws, own = _own_cards(rules, seat, events, world)
    swapped: dict[str, int] = {}
    for proposer, partner, given, received in world["swaps"]:
        swapped.update(dict.fromkeys(given, partner))
        swapped.update(dict.fromkeys(received, proposer))
    after: list[set[str]] = []
    later: dict[int, list[str]] = {}
    for at in range(n):
        dealt = {card for card in own[at] if swapped.get(card) == at}
        rest = [card for card in own[at] if card not in dealt]
        if at == seat:
            known = [card for who, card in draws if who == at]
            rest = [card for card in rest if card not in known]
            later[at] = [str(card) for card in known]
            after.append(dealt | set(rest))
            assert len(after[-1]) == size
            continue
        need = size - len(dealt)
        assert need >= 0
        after.append(dealt | set(rest[:need]))
        later[at] = rest[need:]
    hands = [set(cards) for cards in after]
    for proposer, partner, given, received in reversed(world["swaps"]):
        assert set(given) <= hands[partner]
        assert set(received) <= hands[proposer]
        hands[proposer] = hands[proposer] - set(received) | set(given)
        hands[partner] = hands[partner] - set(given) | set(received)
    stock = list(first["pile"]) + [later[who].pop(0) for who, _ in draws]
    if not any(event["type"] == "StockTurned" for event in events):
        stock += world["stock"]
    assert not any(later.values())
    dealer = first["dealer"]
    dealt_cards = [sort_cards(hand) for hand in hands]
    deck = [dealt_cards[(dealer + 1 + k) % n][k // n] for k in range(n * size)] + stock
    return deck, list(_moves(seat, events, world, dealt_cards))


def _own_cards(
    rules: dict[str, Any], seat: int | None, events: Sequence[Event], world: dict[str, Any]
) -> tuple[list[tuple[int, str | None]], list[list[str]]]:
    """Draws from the hidden stock, and each seat's cards that it did not take openly: as they came to light."""
    n = rules["players"]
    openly: list[set[str]] = [set() for _ in range(n)]
    own: list[list[str]] = [[] for _ in range(n)]
    draws: list[tuple[int, str | None]] = []
    laid: list[str] = []
    drawn: str | None = None
    ever_laid = {
        card
        for event in events
        if event["type"] in ("Melded", "LaidOff", "Discarded")
        for card in event.get("cards") or [event["card"]]
    }
    for event in events:
        kind, at = event["type"], event.get("seat", -1)
        if kind == "Drawn":
            drawn = event["card"] if event["source"] == "pile" else None
            if event["source"] == "stock" and not event["public"]:
                draws.append((at, event["card"]))
            else:
                openly[at].add(event["card"])
        elif kind in ("Melded", "LaidOff", "Discarded"):
            for card in event["cards"] if kind == "Melded" else [event["card"]]:
                if card not in openly[at] and card not in own[at]:
                    own[at].append(card)
                openly[at].discard(card)
                laid.append(card)
        elif kind == "TurnEnded" and rules["discard_mandatory"] and drawn:
            other = twin_card(drawn)
            held = other in world["hands"][at] or (other in ever_laid and other not in laid)
            if held and other not in openly[at] and other not in own[at]:
                own[at].append(other)
        if kind in ("TurnEnded", "Discarded"):
            drawn = None
    for at in range(n):
        own[at] += [
            card for card in world["hands"][at] if card not in openly[at] and card not in own[at]
        ]
    return draws, own


def _moves(
    seat: int | None, events: Sequence[Event], world: dict[str, Any], hands: list[list[str]]
) -> Iterator[tuple[int, str]]:
    held = [set(hand) for hand in hands]
    swaps = list(world["swaps"])
    for place, event in enumerate(events):
        kind, at = event["type"], event.get("seat", -1)
        if kind == "Swapped":
            proposer, partner, given, received = swaps.pop(0)
            held[proposer] = held[proposer] - set(given) | set(received)
            held[partner] = held[partner] - set(received) | set(given)
        elif kind == "Offered":
            yield (
                at,
                " ".join(
                    ["offer", *(_offer(event, events[place:], world, swaps, held[at]) or "-")]
                ),
            )
        elif kind == "Answered":
            answer = event["answer"]
            cards = event["cards"]
            if answer == "counter":
                yield at, f"counter {event['number']}"
                continue
            if answer in ("accept", "takeover"):
                cards = swaps[0][3]
            elif answer == "agree" and cards is None:
                pending = not any(later["type"] == "Swapped" for later in events[place:])
                cards = world["agreed"] if pending else swaps[0][2]
            yield at, " ".join([answer, *sort_cards(cards or ())])
        elif kind == "Drawn":
            named = f"draw {event['card']}" if world["any"] else "draw pile"
            yield at, "draw stock" if event["source"] == "stock" else named
        elif kind == "Melded":
            yield at, " ".join(["meld", *event["cards"]])
        elif kind == "LaidOff":
            yield at, f"layoff {event['card']} {event['run']}"
        elif kind == "Discarded":
            yield at, f"discard {event['card']}"
        elif kind == "TurnEnded":
            yield at, "end"


def _offer(
    event: Event, later: Sequence[Event], world: dict[str, Any], swaps: list[Any], held: set[str]
) -> list[str]:
    """The cards of an offer: the viewer's own, those swapped and perhaps more, or any."""
    if event["cards"] is not None:
        return sort_cards(event["cards"])
    rest = list(later[1:])
    end = next(
        (k for k, other in enumerate(rest) if other["type"] in ("Offered", "Drawn")), len(rest)
    )
    swapped = any(other["type"] == "Swapped" for other in rest[:end])
    if swapped:
        cards = list(swaps[0][2])
    else:
        pending = end == len(rest) and world["offered"]
        cards = list(world["offered"]) if pending else []
    cards += [card for card in sort_cards(held) if card not in cards][: event["size"] - len(cards)]
    return sort_cards(cards)
