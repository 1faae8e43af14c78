"""Setting up positions of Von Herzen: reading the zones, checking that they fit, writing them out."""

from __future__ import annotations

from collections.abc import Mapping

from herzen.errors import SetupError
from herzen.setups import Zones, head_of, number, write_common
from herzen.vonherzen import _runs, _zones
from herzen.vonherzen.cards import CARDS, Card

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from herzen._core import Position
    from herzen.vonherzen.rules import VonHerzenRules

OFFER, ANSWER, TAKEOVER, AGREE, GIVE, DRAW, MELD, OVER = range(8)
PHASES = ("offer", "answer", "takeover", "agree", "give", "draw", "meld", "over")
NO_OFFER = {"offered": b"", "agreed": b"", "counter": None, "asked": 0}
"""The zones of an offer where there is none."""
OFFER_KEYS = {"proposer", "receiver", "cards", "counter", "asked", "agreed"}


def _texts(cards: bytes) -> list[str]:
    return [str(CARDS[card]) for card in cards]


def last_turns(position: Position) -> list[int]:
    """Seats that have a last turn now or still to come, in turn order."""
    left = _zones.facts(position)["last_left"]
    return [(position._turn + place) % position.players for place in range(left)]


def write_zones(rules: VonHerzenRules, position: Position) -> dict[str, Any]:
    """The keywords of `setup` for a position; zones that are at their defaults are left out."""
    n = position.players
    facts = _zones.facts(position)
    phase = position._phase
    zones: dict[str, Any] = {
        "hands": [_texts(_zones.hand(position, seat)) for seat in range(n)],
        **write_common(position, PHASES),
        "stock": _texts(_zones.stock(position)),
        "pile": _texts(_zones.pile(position)),
        "runs": [[owner, _texts(cards)] for owner, cards in _zones.runs(position)],
        "turns_taken": facts["turns_taken"],
        "proposals": facts["proposals"],
    }
    for name, zone in (
        ("last_turns", last_turns(position)),
        ("melded_this_turn", facts["melds"]),
        ("idle_turns", facts["idle_turns"]),
        ("turned_over", facts["turned_over"]),
        ("progress", facts["progress"]),
    ):
        if zone:
            zones[name] = zone
    if facts["drawn"] is not None:
        zones["drawn"] = str(CARDS[facts["drawn"]])
    if ANSWER <= phase <= GIVE:
        proposer = facts["proposer"]
        zones["offer"] = {
            "proposer": proposer,
            "receiver": (proposer - 1) % n,
            "cards": _texts(facts["offered"]),
            "counter": facts["counter"],
            "asked": [(proposer - 2 - place) % n for place in range(facts["asked"])],
            "agreed": _texts(facts["agreed"]) if facts["agreed"] else None,
        }
    return zones


def all_zones(position: Position) -> dict[str, Any]:
    """Everything in a position, private memories included, as `_zones.place` reads it."""
    facts = dict(_zones.facts(position))
    seats = range(position.players)
    copied = (
        "last_left", "turns_taken", "idle_turns", "drawn", "melds", "progress", "turned_over", "proposals",
        "offered", "agreed", "counter", "asked", "blocked",
    )  # fmt: skip
    return {
        "scores": list(position._scores()),
        **{name: facts[name] for name in copied},
        **head_of(position),
        "hands": [_zones.hand(position, seat) for seat in seats],
        "known": {seat: _zones.known(position, seat) for seat in seats},
        "runs": _zones.runs(position),
        "pile": _zones.pile(position),
        "stock": _zones.stock(position),
        "swaps": _zones.swaps(position),
    }


def read_zones(
    rules: VonHerzenRules,
    *,
    hands: Any,
    turn: Any,
    dealer: Any = None,
    phase: Any = None,
    deal_number: Any = 0,
    scores: Any = None,
    runs: Any = (),
    pile: Any = (),
    stock: Any = (),
    melded: Any = None,
    turns_taken: Any = None,
    last_turns: Any = (),
    drawn: Any = None,
    melded_this_turn: Any = 0,
    idle_turns: Any = 0,
    proposals: Any = None,
    offer: Any = None,
    turned_over: Any = False,
    progress: Any = None,
) -> dict[str, Any]:
    """The checked zones of a set-up, as `_zones.place` reads them. SetupError says what does not fit."""
    n = rules.players
    read = Zones(n, Card.parse, dict.fromkeys(range(32), 1))
    at = read.phase(phase, PHASES, "draw")
    zones = read.common(rules, at == OVER, turn, dealer, deal_number, scores)
    total_proposals = n * rules.exchange_rounds
    zones |= {
        "phase": at,
        "hands": read.hands(hands),
        "pile": read.cards(pile, "pile"),
        "stock": read.cards(stock, "stock"),
        "runs": [
            (
                read.seat(owner, f"runs[{place}]"),
                read_run(rules, read.cards(cards, f"runs[{place}]"), place),
            )
            for place, (owner, cards) in enumerate(read.rows(runs, 2, "runs"))
        ],
        "turns_taken": number(
            n if turns_taken is None else turns_taken, 0, 1_000_000, "turns_taken"
        ),
        "idle_turns": number(idle_turns, 0, 1_000_000, "idle_turns"),
        "melds": number(melded_this_turn, 0, 10, "melded_this_turn"),
        "turned_over": _flag(turned_over, "turned_over"),
        "proposals": number(
            total_proposals if proposals is None else proposals, 0, total_proposals, "proposals"
        ),
    }
    read.complete(CARDS)
    zones["progress"] = zones["melds"] > 0 if progress is None else _flag(progress, "progress")
    owners = sorted({owner for owner, _ in zones["runs"]})
    if melded is not None and sorted(_seats(melded, read, "melded")) != owners:
        raise SetupError(f"melded: the owners of the runs are {owners}")
    zones["last_left"] = read_last_turns(zones, last_turns, read, n)
    zones["drawn"] = read_drawn(zones, drawn, read)
    zones |= _offer(rules, zones, offer, read)
    check_sizes(rules, zones, [len(hand) for hand in zones["hands"]], "hands")
    return zones


def _flag(value: Any, where: str) -> bool:
    if not isinstance(value, bool):
        raise SetupError(f"{where}: True or False is needed")
    return value


def read_run(rules: VonHerzenRules, cards: bytes, place: int) -> bytes:
    """The cards of a run upwards; SetupError if they are none."""
    run = _runs.run_of(rules._compiled, sum(1 << card for card in cards))
    if run is None:
        raise SetupError(f"runs[{place}]: {' '.join(_texts(cards))} is no run under these rules")
    return run[0]


def _seats(seats: Any, read: Zones, where: str) -> list[int]:
    if isinstance(seats, (str, bytes, Mapping)) or not hasattr(seats, "__len__"):
        raise SetupError(f"{where}: a sequence of seats is needed")
    return [read.seat(seat, where) for seat in seats]


def read_last_turns(zones: dict[str, Any], last: Any, read: Zones, n: int) -> int:
    """How many seats have a last turn now or still to come; SetupError if they are not the next ones in turn."""
    seats = _seats(last, read, "last_turns")
    if not seats:
        return 0
    if zones["phase"] != MELD or seats != [
        (zones["turn"] + place) % n for place in range(len(seats))
    ]:
        raise SetupError("last_turns: seats in turn order from the one to move, in phase meld")
    if len(seats) >= n:
        raise SetupError("last_turns: fewer seats than players")
    return len(seats)


def read_drawn(zones: dict[str, Any], drawn: Any, read: Zones) -> int | None:
    """The card taken from the pile in this turn; SetupError if the seat to move neither holds it nor has laid it."""
    if drawn is None:
        return None
    card = read.named([drawn], "drawn")[0].index
    may_be = [*zones["hands"][zones["turn"]], *(laid for _, run in zones["runs"] for laid in run)]
    if zones["phase"] != MELD or zones["last_left"] or card not in may_be:
        raise SetupError("drawn: a card that the seat to move holds or has laid, in phase meld")
    return card


def check_proposals(rules: VonHerzenRules, zones: dict[str, Any]) -> None:
    """The exchange is over when all proposals have been made, and not before."""
    at, total = zones["phase"], rules.players * rules.exchange_rounds
    if at <= GIVE and zones["proposals"] == total:
        raise SetupError("proposals: all have been made, the exchange is over")
    if GIVE < at < OVER and zones["proposals"] < total:
        raise SetupError("proposals: the exchange is not over")


def proposer_of(zones: dict[str, Any], n: int) -> int:
    """The seat whose proposal is the next, or is on the table."""
    seat: int = (zones["dealer"] - 1 - zones["proposals"]) % n
    return seat


def turn_of_offer(phase: int, proposer: int, asked: int, n: int) -> int:
    """Whose turn it is while an offer is on the table, and so many others have stayed."""
    receiver = (proposer - 1) % n
    if phase == TAKEOVER:
        return (receiver - 1 - asked) % n
    return proposer if phase == AGREE else receiver


def check_no_offer(zones: dict[str, Any], proposer: int, given: bool) -> None:
    """Where no offer is on the table: none is given, and the turn is the proposer's if one is to be made."""
    if given:
        raise SetupError("offer: there is none in this phase")
    if zones["phase"] == OFFER and zones["turn"] != proposer:
        raise SetupError(f"turn: the proposer is seat {proposer}")


def _offer(rules: VonHerzenRules, zones: dict[str, Any], offer: Any, read: Zones) -> dict[str, Any]:
    """The pending offer's zones."""
    n, at = rules.players, zones["phase"]
    check_proposals(rules, zones)
    proposer = proposer_of(zones, n)
    if not ANSWER <= at <= GIVE:
        check_no_offer(zones, proposer, offer is not None)
        return dict(NO_OFFER)
    if not isinstance(offer, Mapping) or set(offer) - OFFER_KEYS or "cards" not in offer:
        raise SetupError(f"offer: a mapping with {', '.join(sorted(OFFER_KEYS))} is needed")
    receiver = (proposer - 1) % n
    for name, seat in (("proposer", proposer), ("receiver", receiver)):
        if name in offer and read.seat(offer[name], f"offer: {name}") != seat:
            raise SetupError(
                f"offer: by dealer and proposals seat {proposer} offers to seat {receiver}"
            )
    cards = _own(zones["hands"][proposer], offer["cards"], read, "offer")
    if not cards:
        raise SetupError("offer: at least one card")
    counter = offer.get("counter")
    if counter is not None:
        number(counter, 1, len(cards) - 1, "offer: counter")
    asked = _seats(_default(offer.get("asked")), read, "offer: asked")
    if asked != [(receiver - 1 - place) % n for place in range(len(asked))] or len(asked) > max(
        n - 2, 0
    ):
        raise SetupError("offer: asked is in order from the receiver's right neighbour")
    agreed = _own(cards, _default(offer.get("agreed")), read, "offer: agreed")
    turn = turn_of_offer(at, proposer, len(asked), n)
    if zones["turn"] != turn:
        raise SetupError(f"turn: it is seat {turn}'s")
    if (at == ANSWER and (counter or asked or agreed)) or (at in (AGREE, GIVE) and counter is None):
        raise SetupError("offer: counter, asked and agreed do not fit the phase")
    if (at == GIVE) != bool(agreed) or (agreed and len(agreed) != counter):
        raise SetupError(
            "offer: the cards agreed to, as many as the counter says, in phase give only"
        )
    if at == TAKEOVER and (
        len(asked) >= n - 2 or (counter is None and not rules.others_after_decline)
    ):
        raise SetupError("offer: nobody is left to be asked")
    if at in (AGREE, GIVE) and len(asked) != max(n - 2, 0):
        raise SetupError("offer: the others have not all been asked")
    return {"offered": cards, "agreed": agreed, "counter": counter, "asked": len(asked)}


def _default(zone: Any) -> Any:
    return () if zone is None else zone  # and not `zone or ()`: 0 and False are no zones


def _own(pool: bytes, cards: Any, read: Zones, where: str) -> bytes:
    own = bytes(sorted(card.index for card in read.named(cards, where)))
    if len(set(own)) < len(own) or not set(own) <= set(pool):
        raise SetupError(f"{where}: cards of the proposer's own are needed, each once")
    return own


def check_sizes(rules: VonHerzenRules, zones: dict[str, Any], sizes: list[int], where: str) -> None:
    """The sizes of the hands must fit the phase; `where`: the zone that tells them."""
    at = zones["phase"]
    if at <= GIVE:
        if sizes != [rules.hand_size] * len(sizes) or zones["runs"]:
            raise SetupError(
                f"{where}: all have {rules.hand_size} cards during the exchange, and nothing is melded"
            )
    elif at != OVER:
        if not sizes[zones["turn"]]:
            raise SetupError(f"{where}[{zones['turn']}]: the seat to move holds a card")
        if not zones["last_left"] and not all(sizes):
            raise SetupError(
                f"{where}: a seat without cards ends the deal, unless there are last turns"
            )
    if at == DRAW and not zones["stock"] and not zones["pile"]:
        raise SetupError("phase draw: there is neither stock nor pile")
    if at == DRAW and (zones["melds"] or zones["progress"]):
        raise SetupError("phase draw: nothing has been melded in this turn")
