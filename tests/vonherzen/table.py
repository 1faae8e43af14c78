"""What the rule tests are written with: cards by colour and rank, small deals, positions in the middle of a turn.

`r8` is the red 8 with the lower index (8D), `R8` the other copy (8H); `b8` is 8C, `B8` is 8S.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest

import herzen
from herzen.vonherzen import VonHerzen, VonHerzenRules

CARDS = [rank + suit for suit in "CDHS" for rank in "789TJQKA"]
SUITS = {"r": "D", "R": "H", "b": "C", "B": "S"}
FLUTE = "r7 r8 r9 rT rJ rQ rK rA"
JOKER_FLUTE = "r7 r8 r9 rT bJ rQ rK rA"


def cards(text: str | Sequence[str]) -> list[str]:
    """Card texts; those that begin with a colour are translated."""
    words = text.split() if isinstance(text, str) else list(text)
    return [word[1] + SUITS[word[0]] if word[0] in SUITS else word for word in words]


def texts(things: Iterable[object] | None) -> list[str]:
    """Cards or moves as texts."""
    assert things is not None
    return [str(thing) for thing in things]


def in_order(some: Iterable[str]) -> list[str]:
    """Card texts in canonical order."""
    return sorted(some, key=CARDS.index)


def without(*zones: Iterable[str]) -> list[str]:
    """The cards that lie in none of these zones, in canonical order."""
    used = [card for zone in zones for card in zone]
    assert len(set(used)) == len(used), "a card lies in two zones"
    return [card for card in CARDS if card not in used]


def at(
    hand: str,
    *runs: tuple[int, str],
    pile: str = "",
    stock: str | None = None,
    others: Sequence[str] = (),
    phase: str = "meld",
    seed: int = 1,
    zones: dict[str, Any] | None = None,
    **fields: Any,
) -> VonHerzen:
    """Seat 0 is to act with this hand, in the meld phase of a later round.

    others: the hands of seats 1, 2, ...; those not given, and the stock if it is None, take what is left. A given
    stock is complete: the rest goes to the last seat.
    """
    rules = VonHerzenRules(**fields)
    n = rules.players
    laid = [(owner, cards(run)) for owner, run in runs]
    given = [cards(other) for other in others]
    top = [] if stock is None else cards(stock)
    rest = without(cards(hand), cards(pile), top, *given, *(run for _, run in laid))
    hands = [cards(hand), *given]
    while len(hands) < n:
        last = len(hands) == n - 1
        hands.append(rest if last and stock is not None else rest[:1])
        rest = rest[len(hands[-1]) :]
    return VonHerzen.setup(
        rules,
        hands=hands,
        turn=0,
        phase=phase,
        runs=laid,
        pile=cards(pile),
        stock=top + rest,
        seed=seed,
        **(zones or {}),
    )


def dealt(
    *hands: str, first: str = "", dealer: int | None = None, seed: int = 1, **fields: Any
) -> VonHerzen:
    """A match whose first deal gives these hands; the stock begins with `first`."""
    held = [cards(hand) for hand in hands]
    top = cards(first)
    rules = VonHerzenRules(players=len(held), hand_size=len(held[0]), **fields)
    rest = top + without(top, *held)
    return VonHerzen.from_hands(held, rules, rest=rest, dealer=dealer, seed=seed)


def play(game: VonHerzen, *moves: str) -> list[herzen.Event]:
    """Play these moves, each by whoever is to move; the events of all."""
    return [event for move in moves for event in game.play(said(move))]


def said(move: str) -> str:
    """A move text with cards by colour translated."""
    return " ".join(word if len(word) != 2 else cards(word)[0] for word in move.split())


def legal(game: VonHerzen, verb: str = "", seat: int | None = None) -> list[str]:
    """The legal moves as texts, those that begin with a verb."""
    return [text for text in texts(game.legal_moves(seat)) if text.startswith(verb)]


def refused(game: VonHerzen, move: str, code: str, seat: int | None = None) -> str:
    """Assert that a move is refused with this code and changes nothing (V-TURN-5); the sentence."""
    text = said(move)
    before = game.fingerprint(), game.version, game.ply, game.log, game.legal_moves(seat)
    assert not game.is_legal(text, seat)
    with pytest.raises(herzen.IllegalMove) as caught:
        game.play(text, seat=seat)
    assert caught.value.code == code
    assert game.why_illegal(text, seat) == caught.value.reason
    assert (game.fingerprint(), game.version, game.ply, game.log, game.legal_moves(seat)) == before
    return caught.value.reason


def run_of(game: VonHerzen, number: int) -> list[str]:
    """The cards of a run on the table, upwards."""
    found, _, laid = game.runs[number]
    assert found == number
    return texts(laid)


def kinds(events: Iterable[herzen.Event]) -> list[str]:
    """The names of the events."""
    return [type(event).__name__ for event in events]


def found(events: Iterable[herzen.Event], name: str) -> Any:
    """The one event of this name."""
    (event,) = [event for event in events if type(event).__name__ == name]
    return event


def state(game: VonHerzen) -> tuple[str, int | None]:
    """Phase and turn."""
    return str(game.phase), None if game.turn is None else int(game.turn)


def all_cards(game: VonHerzen) -> list[str]:
    """Every card of a position, sorted: 32 of them if nothing got lost."""
    zones = game._setup_zones(game)
    laid = [card for _, run in zones["runs"] for card in run]
    held = [card for hand in zones["hands"] for card in hand]
    return in_order([*held, *laid, *zones["pile"], *zones["stock"]])
