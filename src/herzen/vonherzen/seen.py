"""Reading a view of Von Herzen: its zones, checked, and what is hidden."""

from __future__ import annotations

from herzen.errors import SetupError
from herzen.knowledge import read_common
from herzen.setups import number
from herzen.vonherzen.setup import (
    AGREE,
    ANSWER,
    GIVE,
    NO_OFFER,
    OVER,
    PHASES,
    TAKEOVER,
    check_no_offer,
    check_proposals,
    check_sizes,
    proposer_of,
    read_drawn,
    read_last_turns,
    read_run,
    turn_of_offer,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from herzen.knowledge import ViewZones
    from herzen.vonherzen.view import VonHerzenView

DECK = 32


def read_zones_of(
    view: VonHerzenView, read: ViewZones
) -> tuple[dict[str, Any], tuple[int, int, int] | None]:
    """The zones as the view shows them, checked, and the pending offer that is not the viewer's."""
    rules, n = view.rules, view.rules.players
    zones = read_common(view, read, PHASES)
    at, sizes = zones["phase"], zones["sizes"]
    own = bytes(sorted(read.cards(view.hand, "hand")))
    known = [b""] * n
    for seat, cards in read.by_seat(view.known, "known"):
        if seat == view.seat:
            known[seat] = bytes(card.index for card in read.named(cards, f"known[{seat}]"))
            if not set(known[seat]) <= set(own) or len(set(known[seat])) < len(known[seat]):
                raise SetupError(f"known[{seat}]: cards of the viewer's hand are needed")
        else:
            known[seat] = read.cards(cards, f"known[{seat}]")
    zones["known"] = dict(enumerate(known))
    zones["hands"] = [own if seat == view.seat else cards for seat, cards in enumerate(known)]
    zones["pile"] = read.cards(view.pile, "pile")
    zones["turned_over"] = view.stock is not None
    size = number(view.stock_size, 0, DECK, "stock_size")
    zones["stock"] = bytes(size) if view.stock is None else read.cards(view.stock, "stock")
    zones["runs"] = [
        (
            read.seat(owner, f"runs[{place}]"),
            read_run(rules, read.cards(cards, f"runs[{place}]"), place),
        )
        for place, (_, owner, cards) in enumerate(view.runs)
    ]
    zones["turns_taken"] = number(view.turns_taken, 0, 1_000_000, "turns_taken")
    zones["idle_turns"] = number(view.idle_turns, 0, 1_000_000, "idle_turns")
    zones["melds"] = number(view.melded_this_turn, 0, 10, "melded_this_turn")
    zones["progress"] = view.progress
    zones["proposals"] = number(view.proposals, 0, n * rules.exchange_rounds, "proposals")
    check_proposals(rules, zones)
    zones["last_left"] = read_last_turns(zones, view.last_turns, read, n)
    if (
        view.drawn is not None
        and read.left[view.drawn.index]
        and zones["turn"] not in (-1, view.seat)
    ):
        # Set-ups know what was drawn, and yet do not list it as known; it must be in the hand all the same.
        hand = zones["hands"][zones["turn"]]
        zones["hands"][zones["turn"]] = bytes(sorted((*hand, view.drawn.index)))
        read.left[view.drawn.index] = 0
    zones["drawn"] = read_drawn(zones, view.drawn, read)
    zones["blocked"] = at == OVER and all(sizes)
    check_sizes(rules, zones, sizes, "hand_sizes")
    offer = _read_offer(view, zones)
    return zones, offer


def _read_offer(view: VonHerzenView, zones: dict[str, Any]) -> tuple[int, int, int] | None:
    """Fill in the pending offer: of the viewer's its cards, of another seat only numbers, which are returned."""
    rules, n, at = view.rules, view.rules.players, zones["phase"]
    zones |= NO_OFFER
    proposer = proposer_of(zones, n)
    if not ANSWER <= at <= GIVE:
        own = view.my_offer is not None or view.my_agreed is not None
        check_no_offer(zones, proposer, view.offer is not None or own)
        return None
    if view.offer is None:
        raise SetupError(f"offer: there is one in phase {view.phase}")
    size = number(view.offer["size"], 1, rules.hand_size, "offer: size")
    counter = view.offer["counter"]
    if counter is not None:
        number(counter, 1, size - 1, "offer: counter")
    others = max(n - 2, 0)
    asked = {ANSWER: 0, TAKEOVER: (proposer - 2 - zones["turn"]) % n}.get(at, others)
    if zones["turn"] != turn_of_offer(at, proposer, asked, n) or (
        at == TAKEOVER and asked >= others
    ):
        raise SetupError("turn: it is another seat's")
    if (at == ANSWER and counter is not None) or (at in (AGREE, GIVE) and counter is None):
        raise SetupError("offer: the counter does not fit the phase")
    if at == TAKEOVER and counter is None and not rules.others_after_decline:
        raise SetupError("offer: nobody is asked after a decline")
    zones |= {"counter": counter, "asked": asked}
    agreed = (counter or 0) if at == GIVE else 0
    if proposer != view.seat:
        return proposer, size, agreed
    offered = [card.index for card in view.my_offer or ()]
    given = [card.index for card in view.my_agreed or ()]
    if (
        len(set(offered)) != size
        or len(offered) != size
        or not set(offered) <= set(zones["hands"][proposer])
    ):
        raise SetupError(f"my_offer: {size} cards of the viewer's hand are needed")
    if len(set(given)) != agreed or len(given) != agreed or not set(given) <= set(offered):
        raise SetupError(f"my_agreed: {agreed} cards of the offer are needed")
    zones |= {"offered": bytes(sorted(offered)), "agreed": bytes(sorted(given))}
    return None


def hidden_cards(zones: dict[str, Any], read: ViewZones) -> tuple[list[int], list[int]]:
    """The hidden cards, and how many of them lie in each hand."""
    hidden = [card for card in range(DECK) if read.left[card]]
    slots = [size - len(hand) for size, hand in zip(zones["sizes"], zones["hands"], strict=True)]
    if min(slots) < 0:
        raise SetupError(
            f"hand_sizes[{slots.index(min(slots))}]: fewer than the cards known to be there"
        )
    expected = sum(slots) + (0 if zones["turned_over"] else len(zones["stock"]))
    if len(hidden) != expected:
        raise SetupError(
            f"hand_sizes, stock_size: {len(hidden)} cards lie nowhere else, not {expected}"
        )
    return hidden, slots
