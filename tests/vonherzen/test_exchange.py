"""The exchange: V-EXCH."""

from __future__ import annotations

import itertools

import pytest

from herzen.vonherzen import VonHerzen, VonHerzenRules
from tests.vonherzen.table import dealt, found, kinds, legal, play, refused, state, texts

HANDS = ["7C 8C 9C TC", "JC QC KC AC", "7D 8D 9D TD", "7H 8H 9H TH"]
"""Four seats; seat 3 deals, so seat 2 proposes first, to seat 1; the others are seats 0 and 3."""


def four(*moves: str, **fields: object) -> VonHerzen:
    """The exchange of four seats after these moves."""
    game = dealt(*HANDS, **fields)  # type: ignore[arg-type]
    play(game, *moves)
    return game


def hands(game: VonHerzen) -> list[str]:
    return [" ".join(texts(game.hand(seat))) for seat in range(game.players)]


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize(("players", "dealer"), list(itertools.product((2, 3, 4, 5, 6), (0, 1))))
def test_the_order_of_proposals(players: int, dealer: int, rounds: int) -> None:
    """V-EXCH-1, V-EXCH-2: right of the dealer first, the dealer last; a second round in the same order."""
    rules = VonHerzenRules(players=players, exchange_rounds=rounds)
    game = VonHerzen(rules, seed=1, dealer=dealer)
    order = []
    for place in range(players * rounds):
        assert game.phase == "offer"
        assert game.proposals == place
        order.append(int(game.turn))
        if place % 2:
            play(game, "offer -")
        else:
            # An exchange in between changes nothing in the order.
            play(game, legal(game)[1])
            play(game, legal(game)[0])
    assert order == [(dealer - 1 - place) % players for place in range(players)] * rounds
    assert game.phase in ("draw", "meld")
    assert int(game.turn) == (dealer + 1) % players


def test_no_exchange() -> None:
    """V-EXCH-2: with 0 rounds there is none."""
    game = dealt(*HANDS[:3], exchange_rounds=0)
    assert state(game) == ("draw", 0)
    assert game.proposals == 0
    refused(game, "offer -", "wrong_phase")


def test_the_offer() -> None:
    """V-EXCH-3: any number of one's own cards, or none, which ends the proposal."""
    game = four()
    assert state(game) == ("offer", 2)
    assert len(legal(game)) == 2**4
    assert legal(game)[0] == "offer -"
    refused(game, "offer 7C", "not_held")
    refused(game, "offer 7D 7C", "not_held")
    refused(game, "offer 7D", "not_your_turn", seat=1)
    events = play(game, "offer -")
    assert kinds(events) == ["Offered"]
    assert state(game) == ("offer", 1)
    assert game.proposals == 1
    everything = four("offer 7D 8D 9D TD")
    assert state(everything) == ("answer", 1)
    assert everything.offer == {"proposer": 2, "receiver": 1, "size": 4, "counter": None}


def test_offered_cards_stay_in_hand() -> None:
    """V-EXCH-4: until they are swapped offered cards stay with the proposer and count there."""
    for moves in (
        ("offer 7D 8D",),
        ("offer 7D 8D", "counter 1"),
        ("offer 7D 8D", "counter 1", "stay", "stay"),
        ("offer 7D 8D", "counter 1", "stay", "stay", "agree 8D"),
    ):
        game = four(*moves)
        assert hands(game) == HANDS
        assert game.hand_sizes == (4,) * 4
        assert game.points == (-4,) * 4


def test_answers() -> None:
    """V-EXCH-5: accept, decline, or counter with 1..k-1; one card cannot be countered."""
    game = four("offer 7D 8D 9D")
    assert state(game) == ("answer", 1)
    assert legal(game, "c") == ["counter 1", "counter 2"]
    assert len(legal(game, "accept")) == 4
    assert legal(game, "decline") == ["decline"]
    refused(game, "counter 3", "wrong_number")
    refused(game, "counter 7", "wrong_number")
    refused(game, "counter 2", "not_your_turn", seat=0)
    refused(game, "stay", "wrong_phase")
    one = four("offer 7D")
    assert legal(one) == ["accept JC", "accept QC", "accept KC", "accept AC", "decline"]
    refused(one, "counter 1", "wrong_number")
    play(game, "counter 2")
    assert game.offer is not None
    assert game.offer["counter"] == 2
    refused(game, "counter 1", "wrong_phase")


def test_accepting() -> None:
    """V-EXCH-6: the receiver names as many of its own cards; both take the other's; the proposal is over."""
    game = four("offer 7D 8D")
    refused(game, "accept JC", "wrong_number")
    refused(game, "accept JC QC KC", "wrong_number")
    refused(game, "accept JC 7D", "not_held")
    events = play(game, "accept JC QC")
    assert kinds(events) == ["Answered", "Swapped"]
    swapped = found(events, "Swapped")
    assert (swapped.proposer, swapped.partner, swapped.size) == (2, 1, 2)
    assert hands(game) == ["7C 8C 9C TC", "KC AC 7D 8D", "JC QC 9D TD", "7H 8H 9H TH"]
    assert state(game) == ("offer", 1)
    assert game.offer is None


def test_declining() -> None:
    """V-EXCH-7: nothing moves and the proposal ends."""
    game = four("offer 7D 8D", "decline")
    assert hands(game) == HANDS
    assert state(game) == ("offer", 1)


def test_who_is_asked_after_a_counter() -> None:
    """V-EXCH-8: the others, from the receiver's right neighbour on, without proposer and receiver."""
    for players in (3, 4, 5, 6):
        game = VonHerzen(VonHerzenRules(players=players), seed=3)
        proposer = int(game.turn)
        play(game, legal(game)[-1], "counter 1")
        asked = []
        while game.phase == "takeover":
            asked.append(int(game.turn))
            assert legal(game)[-1] == "stay"
            play(game, "stay")
        assert asked == [(proposer - 2 - place) % players for place in range(players - 2)]
        assert state(game) == ("agree", proposer)


def test_taking_over() -> None:
    """V-EXCH-9: the seat names k cards and swaps them for all k; the receiver gets nothing, nobody else is asked."""
    game = four("offer 7D 8D 9D", "counter 1")
    refused(game, "takeover 7C", "wrong_number")
    refused(game, "takeover 7C 8C 7H", "not_held")
    refused(game, "decline", "wrong_phase")
    events = play(game, "takeover 7C 8C 9C")
    assert found(events, "Swapped").partner == 0
    assert hands(game) == ["TC 7D 8D 9D", HANDS[1], "7C 8C 9C TD", HANDS[3]]
    assert state(game) == ("offer", 1)
    second = four("offer 7D 8D 9D", "counter 1", "stay")
    assert state(second) == ("takeover", 3)
    play(second, "takeover TH 8H 7H")
    assert hands(second)[3] == "7D 8D 9D 9H"
    assert state(second) == ("offer", 1)


def test_agreeing_and_withdrawing() -> None:
    """V-EXCH-10: the proposer names k' of its k cards, or withdraws and nothing moves."""
    game = four("offer 7D 8D 9D", "counter 2", "stay", "stay")
    assert state(game) == ("agree", 2)
    assert legal(game) == ["agree 7D 8D", "agree 7D 9D", "agree 8D 9D", "withdraw"]
    refused(game, "agree 7D", "wrong_number")
    refused(game, "agree 7D TD", "not_offered")
    refused(game, "agree 7D 7C", "not_held")
    refused(game, "takeover 7D 8D 9D", "wrong_phase")
    back = game.copy()
    play(back, "withdraw")
    assert hands(back) == HANDS
    assert state(back) == ("offer", 1)
    play(game, "agree 9D 7D")
    assert state(game) == ("give", 1)
    assert hands(game) == HANDS


def test_a_binding_counter() -> None:
    """V-EXCH-11: counter_binding: the proposer may not withdraw."""
    game = four("offer 7D 8D", "counter 1", "stay", "stay", counter_binding=True)
    assert legal(game) == ["agree 7D", "agree 8D"]
    refused(game, "withdraw", "counter_binding")


def test_giving() -> None:
    """V-EXCH-12: then the receiver gives exactly k' cards, it has no other move, and both take them."""
    game = four("offer 7D 8D 9D", "counter 2", "stay", "stay", "agree 7D 9D")
    assert state(game) == ("give", 1)
    assert all(text.startswith("accept ") for text in legal(game))
    assert len(legal(game)) == 6
    assert game.offer == {"proposer": 2, "receiver": 1, "size": 3, "counter": 2}
    for text in ("decline", "counter 1", "stay"):
        refused(game, text, "wrong_phase")
    refused(game, "accept JC", "wrong_number")
    refused(game, "accept JC QC KC", "wrong_number")
    play(game, "accept KC AC")
    assert hands(game) == [HANDS[0], "JC QC 7D 9D", "KC AC 8D TD", HANDS[3]]
    assert state(game) == ("offer", 1)


def test_others_after_a_decline() -> None:
    """V-EXCH-13: others_after_decline: the others may take over also then, also one card."""
    game = four("offer 7D", "decline", others_after_decline=True)
    assert state(game) == ("takeover", 0)
    assert game.offer == {"proposer": 2, "receiver": 1, "size": 1, "counter": None}
    play(game, "stay")
    assert state(game) == ("takeover", 3)
    nobody = game.copy()
    play(nobody, "stay")
    assert state(nobody) == ("offer", 1)
    assert hands(nobody) == HANDS
    play(game, "takeover TH")
    assert hands(game)[2] == "8D 9D TD TH"
    assert state(game) == ("offer", 1)


def test_two_players() -> None:
    """V-EXCH-14: nobody is asked: the proposer answers a counter at once, a decline ends the proposal."""
    for fields in ({}, {"others_after_decline": True}):
        game = dealt(*HANDS[:2], **fields)  # type: ignore[arg-type]
        assert state(game) == ("offer", 0)
        play(game, "offer 7C 8C", "counter 1")
        assert state(game) == ("agree", 0)
        play(game, "agree 8C", "accept JC", "offer QC", "decline")
        assert hands(game) == ["7C 9C TC JC", "8C QC KC AC"]
        assert state(game) == ("draw", 0)


def test_cards_may_come_back_in_a_second_round() -> None:
    """V-EXCH-2, V-EXCH-6: what was received may be given again, to whoever asks."""
    game = dealt(*HANDS[:3], exchange_rounds=2)
    play(game, "offer JC", "accept 7C", "offer JC", "accept 7D", "offer JC", "accept 7C")
    assert hands(game) == ["8C 9C TC 7D", "JC QC KC AC", "7C 8D 9D TD"]
    play(game, "offer JC", "accept 7D", "offer -", "offer -")
    assert state(game) == ("draw", 0)
    assert hands(game) == ["8C 9C TC JC", "QC KC AC 7D", "7C 8D 9D TD"]
