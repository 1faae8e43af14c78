"""Setting up positions of Hearts: reading the zones, checking that they fit, writing them out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from herzen._core import Position
from herzen.errors import SetupError
from herzen.hearts import _zones
from herzen.hearts.cards import CARDS, Card
from herzen.hearts.rules import DIRECTIONS, HeartsRules
from herzen.integers import shown
from herzen.setups import Zones, head_of, number, write_common

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PHASES = ("pass", "play", "moon", "over")
PASS, PLAY, MOON, OVER = range(4)


def _texts(indices: bytes) -> list[str]:
    return [str(CARDS[index]) for index in indices]


def _won_before(position: Position) -> list[int]:
    """Tricks that each seat had won before the tricks of the log."""
    players = position.players
    won: list[int] = list(_zones.facts(position)["tricks_won"])
    # Tricks held over before the log went to the first winner in it.
    held = len(_zones.base_piles(position)[players]) // players
    for _, _, winner in _zones.tricks(position):
        held += 1
        if winner is not None:
            won[winner] -= held
            held = 0
    return won


def write_zones(rules: HeartsRules, position: Position) -> dict[str, Any]:
    """The keywords of `setup` for a position; zones that are at their defaults are left out."""
    facts = _zones.facts(position)
    players = position.players
    taken = _zones.base_piles(position)
    tricks = _zones.tricks(position)
    leader, trick = _zones.trick(position)
    won = _won_before(position)
    phase = position._phase
    zones: dict[str, Any] = {
        "hands": [_texts(_zones.hand(position, seat)) for seat in range(players)],
        **write_common(position, PHASES),
        "pass_direction": DIRECTIONS[facts["direction"]],
        "hearts_broken": facts["broken"],
    }
    if trick:
        zones["trick"] = [
            [(leader + place) % players, text] for place, text in enumerate(_texts(trick))
        ]
    if tricks:
        zones["tricks"] = [[first, _texts(cards), winner] for first, cards, winner in tricks]
    if any(taken[:players]):
        zones["taken"] = [_texts(bytes(sorted(pile))) for pile in taken[:players]]
    if any(won) or any(taken[:players]):
        zones["tricks_won"] = won
    if taken[players]:
        zones["held"] = _texts(bytes(sorted(taken[players])))
    if phase == PASS and facts["committed"]:
        zones["committed"] = {
            str(seat): _texts(_zones.passed(position, seat) or b"")
            for seat in range(players)
            if facts["committed"] >> seat & 1
        }
    if facts["kitty"]:
        zones["kitty"] = _texts(bytes(sorted(facts["kitty"])))
    return zones


def all_zones(position: Position) -> dict[str, Any]:
    """Everything in a position, private memories included, as `_zones.place` reads it."""
    facts = _zones.facts(position)
    players = position.players
    hands = [_zones.hand(position, seat) for seat in range(players)]
    taken = _zones.base_piles(position)
    passed = {seat: _zones.passed(position, seat) for seat in range(players)}
    return {
        **head_of(position),
        "pass_direction": facts["direction"],
        "scores": list(position._scores()),
        "hands": hands,
        "taken": taken[:players],
        "tricks_won": _won_before(position),
        "held": taken[players],
        "kitty": facts["kitty"],
        "tricks": _zones.tricks(position),
        "last_trick_done": not any(hands),
        "trick": _zones.trick(position),
        "hearts_broken": facts["broken"],
        "exchanged": facts["exchanged"],
        "passed": {seat: cards for seat, cards in passed.items() if cards},
        "kind": facts["kind"],
        "lead_passed": facts["lead_passed"],
    }


def read_zones(
    rules: HeartsRules,
    *,
    hands: Any,
    turn: Any,
    dealer: Any = None,
    phase: Any = None,
    deal_number: Any = 0,
    scores: Any = None,
    trick: Any = (),
    tricks: Any = (),
    taken: Any = None,
    tricks_won: Any = None,
    hearts_broken: Any = None,
    pass_direction: Any = None,
    committed: Any = None,
    held: Any = (),
    kitty: Any = (),
) -> dict[str, Any]:
    """The checked zones of a set-up, as `_zones.place` reads them. SetupError says what does not fit."""
    n = rules.players
    read = Zones(n, Card.parse, Counter(index % 52 for index in rules._deck()))
    at = read.phase(phase, PHASES, "play")
    hand_size, kitty_size = divmod(len(rules._deck()), n)[0], len(rules._deck()) % n
    zones = read.common(rules, at == OVER, turn, dealer, deal_number, scores)
    zones |= {
        "phase": at,
        "hands": read.hands(hands),
        "taken": read.piles(taken, "taken"),
        "held": read.cards(held, "held"),
        "kitty": read.cards(kitty, "kitty"),
        "exchanged": False,
    }
    zones["tricks_won"] = (
        [len(pile) // n for pile in zones["taken"]]
        if tricks_won is None
        else [
            number(count, 0, 100, "tricks_won") for count in read.per_seat(tricks_won, "tricks_won")
        ]
    )
    zones["tricks"] = [
        (
            read.seat(leader, f"tricks[{place}]"),
            read.cards(cards, f"tricks[{place}]"),
            None if winner is None else read.seat(winner, f"tricks[{place}]"),
        )
        for place, (leader, cards, winner) in enumerate(read.rows(tricks, 3, "tricks"))
    ]
    rows = read.rows(trick, 2, "trick")
    seats = [read.seat(seat, "trick") for seat, _ in rows]
    cards = read.cards([card for _, card in rows], "trick")
    zones["trick"] = (seats[0] if seats else max(zones["turn"], 0), cards)
    read.complete(CARDS)
    if any(len(played) != n for _, played, _ in zones["tricks"]):
        raise SetupError(f"tricks: each needs {n} cards")
    if zones["held"] and rules.decks == 1:
        raise SetupError("held: tricks are held over with two packs only")
    if len(zones["held"]) % n:
        raise SetupError(f"held: whole tricks of {n} cards are needed")
    if len(zones["kitty"]) not in (0, kitty_size):
        raise SetupError(f"kitty: {kitty_size} cards are needed")
    if pass_direction is None:
        cycle = rules.pass_cycle
        pass_direction = (
            "hold" if not cycle or cycle == "random" else cycle[zones["deal_number"] % len(cycle)]
        )
    if pass_direction not in DIRECTIONS or (pass_direction == "across" and n % 2):
        raise SetupError(f"pass_direction: {shown(pass_direction)} does not fit")
    zones["pass_direction"] = DIRECTIONS.index(pass_direction)
    played = [*cards, *(card for _, some, _ in zones["tricks"] for card in some), *zones["held"]]
    played += [card for pile in zones["taken"] for card in pile]
    if hearts_broken is None:
        breaking = {*range(26, 39), *((49,) if rules.queen_breaks and rules.queen_points else ())}
        hearts_broken = not breaking.isdisjoint(played)
    if not isinstance(hearts_broken, bool):
        raise SetupError("hearts_broken: True or False is needed")
    zones["hearts_broken"] = hearts_broken
    zones["last_trick_done"] = not any(zones["hands"])
    _check_sizes(rules, zones, seats, hand_size, kitty_size)
    zones["passed"] = _committed(rules, zones, committed, read)
    return zones


def _check_sizes(
    rules: HeartsRules, zones: dict[str, Any], seats: list[int], hand_size: int, kitty_size: int
) -> None:
    """Hands, trick and turn must fit each other."""
    n, at, turn = rules.players, zones["phase"], zones["turn"]
    sizes = [len(hand) for hand in zones["hands"]]
    captured = zones["tricks"] or zones["held"] or any(zones["taken"])
    if at == PASS:
        if captured or seats or sizes != [hand_size] * n or len(zones["kitty"]) != kitty_size:
            raise SetupError("phase pass: all cards are in the hands and the kitty")
        if not rules.pass_count or DIRECTIONS[zones["pass_direction"]] == "hold":
            raise SetupError("phase pass: nothing is passed in this deal")
        return
    if seats and (
        at != PLAY
        or [(seats[0] + place) % n for place in range(len(seats))] != seats
        or len(seats) >= n
    ):
        raise SetupError(
            "trick: seats in turn from the leader are needed, fewer than all, in phase play"
        )
    if at == PLAY:
        if seats and turn != (seats[-1] + 1) % n:
            raise SetupError(f"turn: after the trick's cards it is seat {(seats[-1] + 1) % n}'s")
        full = sizes[turn]
        for seat, size in enumerate(sizes):
            if size != full - (seat in seats) or full < 1:
                raise SetupError(f"hands: sizes {sizes} do not fit a trick of {len(seats)} cards")
        _check_lead(rules, zones, seats, bool(captured))
    elif len(set(sizes)) > 1 or (sizes[0] and not rules.stop_when_decided):
        raise SetupError(f"hands: sizes {sizes} do not fit phase {PHASES[at]}")


def _check_lead(
    rules: HeartsRules, zones: dict[str, Any], seats: list[int], captured: bool
) -> None:
    """The seat that leads must be able to."""
    if seats:
        return
    turn = zones["turn"]
    if (
        not captured
        and rules.lead != "dealer_left"
        and not any(card < 13 for card in zones["hands"][turn])
    ):
        raise SetupError(f"turn: seat {turn} holds no club to open the hand with")
    hearts = [all(26 <= card < 39 for card in hand) for hand in zones["hands"]]
    stuck = (
        rules.lead_when_stuck == "pass_lead" and rules.break_required and not zones["hearts_broken"]
    )
    if stuck and hearts[turn] and not all(hearts):
        raise SetupError(f"turn: seat {turn} holds only hearts, the lead goes on to the left")


def _committed(
    rules: HeartsRules, zones: dict[str, Any], committed: Any, read: Zones
) -> dict[int, bytes]:
    """The committed passes."""
    if committed is not None and not isinstance(committed, Mapping):
        raise SetupError("committed: a mapping of seats to cards is needed")
    if not committed:
        if zones["phase"] == PASS and zones["turn"] != 0:
            raise SetupError("turn: it is that of the lowest seat that has not committed a pass")
        return {}
    if zones["phase"] != PASS:
        raise SetupError("committed: a mapping of seats to cards, in phase pass only")
    out = {}
    for seat, cards in read.by_seat(committed, "committed"):
        out[seat] = bytes(sorted(card.index for card in read.named(cards, f"committed[{seat}]")))
        if len(out[seat]) != rules.pass_count or Counter(out[seat]) - Counter(zones["hands"][seat]):
            raise SetupError(
                f"committed[{seat}]: {rules.pass_count} cards of the seat's own hand are needed"
            )
    waiting = [seat for seat in range(rules.players) if seat not in out]
    if not waiting or zones["turn"] != waiting[0]:
        raise SetupError("turn: it is that of the lowest seat that has not committed a pass")
    return out
