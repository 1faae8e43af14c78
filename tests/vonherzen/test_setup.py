"""Set-up positions: what fits, what does not, and that they come back; also explicit hands and decks."""

from __future__ import annotations

import contextlib
import random
from typing import Any

import pytest

import herzen
from herzen.vonherzen import VonHerzen, VonHerzenRules
from tests.reference.vonherzen_options import random_rules
from tests.tiers import scale
from tests.vonherzen.table import CARDS, at, dealt, legal, play, state, texts, without

HANDS = [CARDS[:8], CARDS[8:16], CARDS[16:24]]
STOCK = CARDS[24:]
OFFER = {"cards": ["7D", "8D", "9D"]}
"""Of seat 1: the proposer if seat 2 dealt and nothing was proposed."""


def zones(**changed: Any) -> dict[str, Any]:
    """A position in the draw phase."""
    return {"hands": HANDS, "turn": 0, "stock": STOCK, **changed}


def exchange(**changed: Any) -> dict[str, Any]:
    """Seat 1 has offered three cards to seat 0."""
    fixed = {"phase": "answer", "turn": 0, "proposals": 0, "offer": OFFER, "turns_taken": 0}
    return zones(**{**fixed, **changed})


def test_defaults() -> None:
    """V-DEAL-1, V-END-2: a set-up is in the draw phase of a later round unless it says otherwise."""
    game = VonHerzen.setup(**zones())
    assert state(game) == ("draw", 0)
    assert (game.dealer, game.turns_taken, game.proposals, game.scores) == (2, 3, 3, (0, 0, 0))
    assert (game.ply, game.version, game.moves, game.log) == (0, 0, (), ())
    assert legal(game) == ["draw stock"]


@pytest.mark.parametrize(
    "changed",
    [
        {"hands": HANDS[:2]},
        {"hands": "7C 8C"},
        {"hands": None},
        {"hands": [*HANDS[:2], CARDS[16:23]]},
        {"hands": [*HANDS[:2], [*CARDS[16:23], "7C"]]},
        {"hands": [*HANDS[:2], [*CARDS[16:23], "2C"]]},
        {"stock": CARDS[23:]},
        {"stock": CARDS[25:]},
        {"turn": 3},
        {"turn": -1},
        {"turn": None},
        {"turn": True},
        {"turn": "0"},
        {"dealer": 3},
        {"phase": "play"},
        {"phase": 5},
        {"phase": "offer"},
        {"phase": "answer"},
        {"phase": "over"},
        {"scores": [1, 2]},
        {"scores": [1, 2, "3"]},
        {"deal_number": -1},
        {"runs": [[0, ["7C", "8C", "9C"]]]},
        {"runs": [[0]]},
        {"runs": "7C"},
        {"melded": [0]},
        {"turns_taken": -1},
        {"turns_taken": True},
        {"idle_turns": -1},
        {"last_turns": [0]},
        {"last_turns": [0, 1], "phase": "meld", "turn": 1},
        {"last_turns": [0, 1, 2], "phase": "meld"},
        {"last_turns": "01", "phase": "meld"},
        {"drawn": "7C"},
        {"drawn": "8D", "phase": "meld"},
        {"drawn": "2C", "phase": "meld"},
        {"melded_this_turn": 1},
        {"melded_this_turn": 11, "phase": "meld"},
        {"progress": 1},
        {"progress": True},
        {"turned_over": "yes"},
        {"proposals": 4},
        {"proposals": 2},
        {"offer": OFFER},
    ],
)
def test_zones_that_do_not_fit(changed: dict[str, Any]) -> None:
    """V-DEAL-3, V-MELD-6: cards are conserved, and zones fit each other: SetupError."""
    with pytest.raises(herzen.SetupError):
        VonHerzen.setup(**zones(**changed))


@pytest.mark.parametrize(
    "changed",
    [
        {"turn": 1},
        {"offer": None},
        {"offer": {}},
        {"offer": {"cards": []}},
        {"offer": {"cards": ["7C"]}},
        {"offer": {"cards": ["7D", "7D"]}},
        {"offer": {**OFFER, "proposer": 0}},
        {"offer": {**OFFER, "receiver": 2}},
        {"offer": {**OFFER, "counter": 1}},
        {"offer": {**OFFER, "asked": [2]}},
        {"offer": {**OFFER, "agreed": ["7D"]}},
        {"offer": {**OFFER, "cost": 1}},
        {"offer": ["7D"]},
        {"proposals": 3},
        {"hands": [CARDS[:7], *HANDS[1:]], "stock": [*STOCK, "AC"]},
        {"phase": "takeover", "turn": 2},
        {"phase": "takeover", "turn": 0, "offer": {**OFFER, "counter": 1}},
        {"phase": "takeover", "turn": 2, "offer": {**OFFER, "counter": 3}},
        {"phase": "takeover", "turn": 2, "offer": {**OFFER, "counter": 1, "asked": [2]}},
        {"phase": "agree", "turn": 1, "offer": {**OFFER, "counter": 1}},
        {"phase": "agree", "turn": 1, "offer": {**OFFER, "asked": [2]}},
        {"phase": "give", "turn": 0, "offer": {**OFFER, "counter": 2, "asked": [2]}},
        {
            "phase": "give",
            "turn": 0,
            "offer": {**OFFER, "counter": 2, "asked": [2], "agreed": ["7D"]},
        },
        {
            "phase": "give",
            "turn": 0,
            "offer": {**OFFER, "counter": 1, "asked": [2], "agreed": ["AD"]},
        },
    ],
)
def test_offers_that_do_not_fit(changed: dict[str, Any]) -> None:
    """V-EXCH-4, V-EXCH-8, V-EXCH-10: the pending offer fits the order of proposals and the phase."""
    VonHerzen.setup(**exchange())
    with pytest.raises(herzen.SetupError):
        VonHerzen.setup(**exchange(**changed))


def test_offers_that_fit() -> None:
    """V-EXCH-4 to V-EXCH-12: every phase of the exchange can be set up, and play goes on from there."""
    game = VonHerzen.setup(**exchange())
    play(game, "counter 2")
    counter = {**OFFER, "counter": 2}
    asking = VonHerzen.setup(**exchange(phase="takeover", turn=2, offer=counter))
    assert legal(asking)[-1] == "stay"
    play(asking, "stay")
    agreeing = VonHerzen.setup(**exchange(phase="agree", turn=1, offer={**counter, "asked": [2]}))
    assert legal(agreeing) == legal(asking)
    play(agreeing, "agree 7D 9D")
    offer = {**counter, "asked": [2], "agreed": ["9D", "7D"]}
    giving = VonHerzen.setup(**exchange(phase="give", turn=0, offer=offer))
    assert legal(giving) == legal(agreeing)
    play(giving, "accept 7C 8C")
    assert texts(giving.hand(0)) == ["9C", "TC", "JC", "QC", "KC", "AC", "7D", "9D"]
    assert state(giving) == ("offer", 0)
    declined = VonHerzen.setup(
        VonHerzenRules(others_after_decline=True), **exchange(phase="takeover", turn=2)
    )
    play(declined, "stay")
    assert state(declined) == ("offer", 0)


def test_going_out_and_last_turns_fit() -> None:
    """V-END-1, V-END-2: every seat holds a card, except those gone out before last turns."""
    gone = [[], CARDS[:3], CARDS[3:6]]
    with pytest.raises(herzen.SetupError, match="without cards"):
        VonHerzen.setup(hands=gone, turn=1, phase="meld", stock=CARDS[6:])
    with pytest.raises(herzen.SetupError, match="holds a card"):
        VonHerzen.setup(hands=gone, turn=0, phase="meld", stock=CARDS[6:], last_turns=[0, 1])
    game = VonHerzen.setup(
        hands=gone, turn=1, phase="meld", stock=CARDS[6:], last_turns=[1, 2], turns_taken=1
    )
    assert legal(game) == ["meld 7C 8C 9C", "end"]
    with pytest.raises(herzen.SetupError, match="neither"):
        VonHerzen.setup(hands=[CARDS[:10], CARDS[10:20], CARDS[20:]], turn=0)


def test_nobody_remembers_in_a_setup() -> None:
    """V-KNOW-5: a set-up has no memories: nothing is known of the hands, no swaps."""
    game = at("8C TD", pile="TH", phase="draw")
    play(game, "draw pile")
    copied = eval(game.to_setup(), {"herzen": herzen})
    assert copied == game
    assert copied.view(1).known == {}
    assert game.view(1).known != {}


def test_setups_come_back() -> None:
    """V-TURN-5: to_setup() of any position evaluates to the same position, and both play on alike."""
    choose = random.Random(9)
    for number in range(scale(quick=20, ci=48, full=4_000)):
        game = VonHerzen(VonHerzenRules(**random_rules(choose)), seed=number)
        while True:
            if choose.random() < 0.08 or game.over:
                copied = eval(game.to_setup(), {"herzen": herzen})
                assert copied.fingerprint() == game.fingerprint()
                assert copied.legal_moves() == game.legal_moves()
                assert copied.points == game.points
                if game.over:
                    assert copied.winners == game.winners
                    break
                code = choose.choice(game.codes())
                again = game.copy()
                assert kinds_of(copied.play(code)) == kinds_of(again.play(code))
                assert copied == again
            game.play(choose.choice(game.codes()))


def kinds_of(events: tuple[herzen.Event, ...]) -> list[str]:
    return [type(event).__name__ for event in events]


# ---- explicit hands and decks --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hands", "rest"),
    [
        (HANDS[:2], STOCK),
        (HANDS, STOCK[:7]),
        (HANDS, [*STOCK, "7C"]),
        (HANDS, [*STOCK[:7], "7C"]),
        ([*HANDS[:2], CARDS[16:23]], STOCK),
        ([*HANDS[:2], [*CARDS[16:23], "7C"]], STOCK),
        ("7C", STOCK),
    ],
)
def test_hands_that_cannot_be_dealt(hands: Any, rest: Any) -> None:
    """V-DEAL-3, V-DEAL-5: from_hands takes exactly the 32 cards, h to each seat."""
    with pytest.raises(herzen.SetupError):
        VonHerzen.from_hands(hands, rest=rest)


def test_hands_that_are_dealt() -> None:
    """V-DEAL-4: from_hands deals these hands, whoever the dealer is."""
    for dealer in range(3):
        game = VonHerzen.from_hands(HANDS, rest=STOCK, dealer=dealer, seed=1)
        assert [texts(game.hand(seat)) for seat in range(3)] == HANDS
        assert game.dealer == dealer
    small = dealt("7C", "8C", "9C")
    assert small.stock_size == 29
    assert len(without(["7C"], ["8C"], ["9C"])) == 29


@pytest.mark.parametrize("deck", [CARDS[:31], [*CARDS[:31], "7C"], [*CARDS, "7C"], "7C", None])
def test_decks_that_cannot_be_dealt(deck: Any) -> None:
    """V-DEAL-5: an explicit deck holds all 32 cards once."""
    if deck is None:
        assert texts(VonHerzen(deals=[None], seed=3).hand(0)) == texts(VonHerzen(seed=3).hand(0))
        return
    with pytest.raises((herzen.SetupError, herzen.CardError)):
        VonHerzen(deals=[deck])


HOSTILE = [
    *(5, None, "x", [5], [[1]], {"a": 1}, 1.5, True, -1, 10**30, [None], ["7C"], [["7C", "8C"]]),
    *([[0, 5]], [[None, ["7C"]]], b"7C", object(), [0, 0], {"cards": 5}, float("nan")),
]


def refuses_or_reads(**given: Any) -> None:
    """Nothing but SetupError and CardError may come of it."""
    with contextlib.suppress(herzen.SetupError, herzen.CardError):
        assert VonHerzen.setup(**given).hand_sizes


@pytest.mark.parametrize(
    "name",
    [
        *("hands", "turn", "dealer", "phase", "deal_number", "scores", "runs", "pile", "stock"),
        *("melded", "turns_taken", "last_turns", "drawn", "melded_this_turn", "idle_turns"),
        *("proposals", "offer", "turned_over", "progress"),
    ],
)
@pytest.mark.parametrize("place", range(len(HOSTILE)))
def test_values_of_any_kind(name: str, place: int) -> None:
    """V-TURN-5: a value of the wrong kind in any zone is a SetupError, never another error."""
    for base in (zones(), zones(phase="meld"), exchange()):
        refuses_or_reads(**{**base, name: HOSTILE[place]})


@pytest.mark.parametrize("key", ["proposer", "receiver", "cards", "counter", "asked", "agreed"])
def test_offers_of_any_kind(key: str) -> None:
    """V-TURN-5: the same within an offer."""
    stages: tuple[tuple[str, int, dict[str, Any]], ...] = (
        ("answer", 0, {}),
        ("takeover", 2, {"counter": 1}),
        ("agree", 1, {"counter": 1, "asked": [2]}),
        ("give", 0, {"counter": 1, "asked": [2], "agreed": ["7D"]}),
    )
    for phase, turn, more in stages:
        VonHerzen.setup(**exchange(phase=phase, turn=turn, offer={**OFFER, **more}))
        for value in HOSTILE:
            offer = {**OFFER, **more, key: value}
            refuses_or_reads(**exchange(phase=phase, turn=turn, offer=offer))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("proposer", True), ("proposer", 1.0), ("receiver", False), ("receiver", None)),
        *(("asked", 0), ("asked", False), ("asked", ""), ("agreed", 0), ("agreed", {})),
    ],
)
def test_what_equals_a_value_of_an_offer_is_none(key: str, value: Any) -> None:
    """V-TURN-5: True is no seat 1, and 0 is no empty list."""
    VonHerzen.setup(**exchange(phase="answer", turn=0, offer={**OFFER, "proposer": 1}))
    with pytest.raises(herzen.SetupError, match=key):
        VonHerzen.setup(**exchange(phase="answer", turn=0, offer={**OFFER, key: value}))
