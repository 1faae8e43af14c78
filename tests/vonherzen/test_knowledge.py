"""Who knows what: V-KNOW; views and events of the exchange and the turns."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest

import herzen
from herzen.vonherzen import VonHerzen, VonHerzenRules
from tests.tiers import scale
from tests.vonherzen.table import (
    CARDS,
    at,
    dealt,
    found,
    play,
    texts,
)

HANDS = ["7C 8C 9C TC", "JC QC KC AC", "7D 8D 9D TD", "7H 8H 9H TH"]
CARD = re.compile(r"\b[789TJQKA][CDHS]\b")
VIEWERS: tuple[int | None, ...] = (0, 1, 2, 3, None)


def shown(game: VonHerzen, viewer: int | None) -> set[str]:
    """Every card that a view's JSON mentions, events included."""
    return set(CARD.findall(game.view(viewer).dumps()))


def seen(event: herzen.Event, viewer: int | None) -> dict[str, Any]:
    """An event as a viewer sees it."""
    return event.for_seat(viewer).to_dict()


def four(*moves: str, **fields: Any) -> VonHerzen:
    game = dealt(*HANDS, **fields)
    play(game, *moves)
    return game


def test_what_is_public() -> None:
    """V-KNOW-1: runs, pile, sizes of hands, stock, offers and counters, and who answered what."""
    game = four("offer 7D 8D", "counter 1")
    for viewer in VIEWERS:
        view = game.view(viewer)
        assert view.offer == {"proposer": 2, "receiver": 1, "size": 2, "counter": 1}
        assert view.hand_sizes == (4, 4, 4, 4)
        assert view.stock_size == 16
        offered, answered = view.events[1:]
        assert (offered.seat, offered.size) == (2, 2)
        assert (answered.seat, answered.answer, answered.number) == (1, "counter", 1)
    table = at("8C KS", (1, "rJ rQ rK"), pile="9C")
    for viewer in (0, 1, 2, None):
        view = table.view(viewer)
        assert [(number, owner, texts(laid)) for number, owner, laid in view.runs] == [
            (0, 1, ["JD", "QD", "KD"])
        ]
        assert texts(view.pile) == ["9C"]
        assert view.melded == (1,)
        assert (view.turns_taken, view.idle_turns, view.last_turns) == (3, 0, ())


def test_hands_are_secret() -> None:
    """V-KNOW-2, rows 67 and 68: at move 0 a view names its own hand and no other card, and no seed."""
    seed = 2**200 + 17
    game = VonHerzen(seed=seed)
    for seat in range(3):
        assert shown(game, seat) == set(texts(game.hand(seat)))
        text = game.view(seat).dumps()
        assert str(seed) not in text
        assert f"{seed:x}" not in text
    assert shown(game, None) == set()
    assert game.view(None).hand == ()
    assert game.view(None).legal_moves == ()


def test_hands_left_at_the_end_are_counted_not_shown() -> None:
    """V-KNOW-2: hands left at the end of a deal are not shown, also when the match is over."""
    game = at("8C 9C TC", max_deals=1)
    play(game, "meld 8C 9C TC")
    assert game.over
    for viewer in (0, 1, 2, None):
        own = set() if viewer is None else set(texts(game.hand(viewer)))
        assert shown(game, viewer) == {"8C", "9C", "TC"} | own
        assert game.view(viewer).hand_sizes == (0, 1, 1)


def test_swaps_are_known_to_two() -> None:
    """V-KNOW-3, row 71: who swapped knows what it gave and got, and from whom; the others learn counts only."""
    game = four("offer 7D 8D")
    events = play(game, "accept JC QC")
    answered, swapped = events
    for viewer in VIEWERS:
        told = seen(swapped, viewer)
        assert (told["proposer"], told["partner"], told["size"]) == (2, 1, 2)
        both = viewer in (1, 2)
        assert told["from_proposer"] == (["7D", "8D"] if both else None)
        assert told["from_partner"] == (["JC", "QC"] if both else None)
        told = seen(answered, viewer)
        assert told["number"] == 2
        assert told["cards"] == (["JC", "QC"] if viewer == 1 else None)
    assert [(seat, texts(given), texts(got)) for seat, given, got in game.view(2).swaps] == [
        (1, ["7D", "8D"], ["JC", "QC"])
    ]
    assert [(seat, texts(given), texts(got)) for seat, given, got in game.view(1).swaps] == [
        (2, ["JC", "QC"], ["7D", "8D"])
    ]
    for viewer in (0, 3, None):
        assert game.view(viewer).swaps == ()
        own = set() if viewer is None else set(HANDS[viewer].split())
        assert shown(game, viewer) == own


def test_given_cards_are_not_traced() -> None:
    """V-KNOW-3: `known` makes no guess where cards given away are now."""
    game = four("offer 7D 8D", "accept JC QC", "offer 7D", "accept 7C")
    for viewer in VIEWERS:
        assert game.view(viewer).known == {}
    assert "7D" in texts(game.hand(0))
    assert "7D" not in shown(game, None)


@pytest.mark.parametrize(
    "moves",
    [
        ["offer 7D 8D", "decline"],
        ["offer 7D 8D", "counter 1", "stay", "stay", "withdraw"],
        ["offer 7D 8D", "counter 1", "stay", "stay", "agree 7D"],
        ["offer 7D 8D", "counter 1", "stay", "stay", "agree 7D", "accept JC"],
    ],
)
def test_offers_are_the_proposers_secret(moves: list[str]) -> None:
    """V-KNOW-4, row 71: offered cards are known to the proposer only; what was not swapped stays so for ever."""
    game = four()
    for move in moves:
        play(game, move)
        swapped = game.view(2).swaps
        for viewer in (0, 1, 3, None):
            view = game.view(viewer)
            assert view.my_offer is None
            assert view.my_agreed is None
            own = set() if viewer is None else set(HANDS[viewer].split())
            known = {"7D"} if viewer == 1 and swapped else set()
            assert shown(game, viewer) == own | known
    offered = found(game.log, "Offered")
    assert seen(offered, 2)["cards"] == ["7D", "8D"]
    assert all(seen(offered, viewer)["cards"] is None for viewer in (0, 1, 3, None))


def test_the_proposer_sees_its_own_offer() -> None:
    """V-KNOW-4: while it is pending, and what it agreed to."""
    game = four("offer 7D 8D")
    assert texts(game.view(2).my_offer) == ["7D", "8D"]
    assert game.view(2).my_agreed is None
    play(game, "counter 1", "stay", "stay", "agree 8D")
    assert texts(game.view(2).my_offer) == ["7D", "8D"]
    assert texts(game.view(2).my_agreed) == ["8D"]
    play(game, "accept JC")
    assert game.view(2).my_offer is None
    assert game.view(2).my_agreed is None


def test_the_receiver_answers_unseen() -> None:
    """V-KNOW-4, V-EXCH-6, row 71: the receiver of three cards sees "3", and the cards once both have them."""
    game = four("offer 7D 8D 9D")
    view = game.view(1)
    assert view.offer is not None
    assert view.offer["size"] == 3
    assert not {"7D", "8D", "9D"} & shown(game, 1)
    play(game, "accept JC QC KC")
    assert {"7D", "8D", "9D"} <= shown(game, 1)


def test_cards_of_the_pile_stay_known() -> None:
    """V-KNOW-5, row 76: a card taken openly is known in that hand, to everybody, until that very card goes."""
    game = at("8C TD", pile="7S TH", stock="KS QS", phase="draw")
    play(game, "draw pile", "end")
    for viewer in (0, 1, 2, None):
        assert {seat: texts(held) for seat, held in game.view(viewer).known.items()} == {0: ["TH"]}
    play(game, "draw pile", "end", "draw stock", "end", "draw stock")
    assert texts(game.view(None).known[0]) == ["TH"]
    play(game, "discard TD")  # the other copy does not end it
    assert texts(game.view(None).known[0]) == ["TH"]
    assert texts(game.view(None).known[1]) == ["7S"]
    play(game, "draw pile", "end")
    assert texts(game.view(1).known[1]) == ["TD", "7S"]


@pytest.mark.parametrize("move", ["discard TH", "meld 8H 9H TH", "layoff TH 0"])
def test_a_known_card_that_goes_is_forgotten(move: str) -> None:
    """V-KNOW-5: laid or discarded, it is known no more."""
    runs = ((0, "rJ rQ rK"),) if move.startswith("layoff") else ()
    game = at("8H 9H KS QS", *runs, pile="TH", phase="draw", discard_drawn=True)
    play(game, "draw pile")
    assert texts(game.view(None).known[0]) == ["TH"]
    play(game, move)
    assert game.view(None).known == {}


def test_the_stock_is_nobodys() -> None:
    """V-KNOW-6, row 70: its order is secret; who draws sees the card, the others only once it is discarded."""
    game = at("8C", stock="TH 9H", pile="7C", phase="draw")
    assert not {"TH", "9H"} & (shown(game, None) | shown(game, 0))
    assert found(VonHerzen(seed=1).events(0), "Dealt").stock is None
    drawn = play(game, "draw stock")[0]
    for viewer in (0, 1, 2, None):
        told = seen(drawn, viewer)
        assert told["source"] == "stock"
        assert told["card"] == ("TH" if viewer == 0 else None)
        assert game.view(viewer).drawn is None
        assert ("TH" in shown(game, viewer)) == (viewer == 0)
        assert game.view(viewer).known == {}
    play(game, "discard TH")
    assert all("TH" in shown(game, viewer) for viewer in (1, 2, None))


def test_a_turned_over_stock_is_public() -> None:
    """V-KNOW-7: its order, and each card drawn from it."""
    game = at("8C 9C", stock="", pile="7C AH", stock_refill="turn_over")
    assert game.view(1).stock is None
    play(game, "discard 9C")
    drawn = play(game, "draw stock")[0]
    for viewer in (0, 1, 2, None):
        view = game.view(viewer)
        assert texts(view.stock) == ["AH", "9C"]
        assert {seat: texts(held) for seat, held in view.known.items()} == {1: ["7C"]}
        assert seen(drawn, viewer)["card"] == "7C"
    play(game, "discard 7C")
    assert game.view(None).known == {}


def test_sets_and_sequences() -> None:
    """V-KNOW-9: hands and exchanged cards in canonical order; pile, stock and runs in theirs."""
    game = dealt("TC 9C 8C 7C", "AC KC QC JC", "TD 9D 8D 7D", "TH 9H 8H 7H")
    play(game, "offer TD 7D", "accept QC JC")
    assert [texts(game.hand(seat)) for seat in (0, 3)] == [HANDS[0].split(), HANDS[3].split()]
    assert [texts(zone) for zone in game.view(1).swaps[0][1:]] == [["JC", "QC"], ["7D", "TD"]]
    table = at("8C KS", (1, "rK rA r7"), pile="QC 7C 9C")
    assert texts(table.pile) == ["QC", "7C", "9C"]
    assert texts(table.runs[0][2]) == ["KD", "AD", "7D"]


def test_only_the_mover_learns_that_it_had_no_choice() -> None:
    """V-KNOW-2: whether a move was forced may depend on the hand, so only the mover is told."""
    game = at("TD", pile="TH", stock="", phase="draw", discard_mandatory=True)
    events = play(game, "draw pile", "end")
    for event in events:
        assert event.automatic
        assert seen(event, 0)["automatic"]
        assert all(seen(event, viewer)["automatic"] is None for viewer in (1, 2, None))


def test_views_name_only_seen_cards() -> None:
    """V-KNOW-2 to V-KNOW-7, row 67: all through random deals a view names no card that its viewer has not seen."""
    choose = random.Random(12)
    for number in range(scale(quick=6, ci=30, full=2_500)):
        players = choose.randrange(2, 7)
        fields = {
            "stock_refill": choose.choice(["none", "turn_over"]),
            "turn_up": choose.random() < 0.5,
            "exchange_rounds": choose.choice([1, 2]),
            "others_after_decline": choose.random() < 0.5,
        }
        game = VonHerzen(VonHerzenRules(players=players, max_deals=1, **fields), seed=number)
        own = [set(texts(game.hand(seat))) for seat in range(players)]
        public = set(texts(game.pile))
        while not game.over:
            codes = game.codes()
            game.play(codes[choose.randrange(len(codes))])
            if game.over:
                break
            public |= set(texts(game.pile)) | set(texts(game.stock or ()))
            public |= {str(card) for _, _, laid in game.runs for card in laid}
            for seat in range(players):
                own[seat] |= set(texts(game.hand(seat)))
            viewer = choose.choice([*range(players), None])
            assert shown(game, viewer) <= public | (set() if viewer is None else own[viewer])
            known = game.view(viewer).known.values()
            assert {str(card) for held in known for card in held} <= public


def test_unseen_cards_do_not_matter() -> None:
    """V-KNOW-2, V-KNOW-6, row 73: exchange unseen cards of other hands and stock: the view stays, to the byte."""
    choose = random.Random(8)
    for _ in range(20):
        deck = choose.sample(CARDS, 32)
        mine, rest = deck[:8], deck[8:]
        views = set()
        for _ in range(4):
            choose.shuffle(rest)
            hands = [rest[:8], mine, rest[8:16]]
            game = VonHerzen.from_hands(
                hands, rest=rest[16:], seed=choose.randrange(1000), dealer=0
            )
            play(game, "offer " + " ".join(rest[8:11]), "counter 2")
            view = game.view(1).dumps()
            views.add((view, json.dumps([event.to_dict() for event in game.events(1)])))
        assert len(views) == 1


def test_an_illegal_move_tells_nothing() -> None:
    """V-KNOW-2, V-TURN-5, row 77: a seat not to move gets the same answer whatever the cards are."""
    game = four("offer 7D 8D")
    for text in ("accept 7D 8D", "offer 7D", "accept JC QC", "hello", "draw stock"):
        reasons = {game.why_illegal(text, seat) for seat in (0, 2, 3)}
        assert reasons == {f"it is not seat {seat}'s turn" for seat in (0, 2, 3)}
    why = game.why_illegal("accept 7D 8H", 1)
    assert why == "seat 1 does not hold all of 7♦ 8♥"
    assert why.replace("7♦ 8♥", "7♥ 9♥") == game.why_illegal("accept 7H 9H", 1)
