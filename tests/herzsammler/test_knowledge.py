"""S-KNOW: who knows what."""

from __future__ import annotations

import json
import random

import herzen
from herzen.herzsammler import Herzsammler, HerzsammlerRules
from herzen.simulation import play_randomly
from tests.contract.adapters.herzsammler import HERZSAMMLER
from tests.herzsammler.table import DECK, example, found, middle, small, texts
from tests.reference.herzsammler import fits
from tests.tiers import scale

QUIET = "G1op G2op G3op G4op G5op G6op"


def quiet(stack: str = "Y1gh Y2gh Y3gh Y4gh", **fields: object) -> Herzsammler:
    """Nothing matches the open cards, so every move is a miss."""
    return small("R1ab R2ab", "B1cd B2cd", open=QUIET, stack=stack, **fields)


def test_a_hand_is_its_owners() -> None:
    """S-KNOW-1: only the seat itself sees its hand; spectators see none."""
    game = example()
    for viewer in (0, 1, None):
        view = game.view(viewer)
        assert view.hand == (() if viewer is None else game.hand(viewer))
        assert view.legal_moves == game.legal_moves() * (viewer == 0)
        for seat in (0, 1):
            if seat != viewer:
                assert not [card for card in game.hand(seat) if f'"{card}"' in view.dumps()]
        assert view.hand_sizes == (3, 2)


def test_swapping_hidden_cards_changes_no_byte() -> None:
    """S-KNOW-1, row 73: exchange unseen cards between a hand and the stack: the other views stay the same."""
    one = middle("RHcd BHfj V5aj", "G1be G2fj", open="RHah Y3bg YHef G3ae B1ij BHdh")
    two = middle("RHcd BHfj V5aj", "G1be G2gj", open="RHah Y3bg YHef G3ae B1ij BHdh")
    assert one != two
    for viewer in (0, None):
        assert one.view(viewer).dumps() == two.view(viewer).dumps()
    assert one.view(1).dumps() != two.view(1).dumps()


def test_what_is_public() -> None:
    """S-KNOW-2: open cards, collections, shown cards and objects, totals, misses and all numbers."""
    game = example(choose_object=True)
    game.play("show V5aj by a")
    game.play("show G1be by b")
    shown = [event for event in game.events(None) if type(event).__name__ == "Shown"]
    assert [(str(event.card), event.object) for event in shown] == [("V5aj", "a"), ("G1be", "b")]
    for name in (
        "open",
        "collections",
        "stack_size",
        "misses",
        "hearts_won",
        "scores",
        "points",
        "hand_sizes",
    ):
        for viewer in (0, 1, None):
            assert getattr(game.view(viewer), name) == getattr(game, name)


def test_a_missed_card_and_its_place() -> None:
    """S-KNOW-3: bottom lists the missed cards in the order in which they will be drawn, the lowest last."""
    game = quiet()
    game.play("show R2ab")
    game.play("show B1cd")
    for viewer in (0, 1, None):
        view = game.view(viewer)
        assert texts(view.bottom) == ["R2ab", "B1cd"]
        assert view.stack_size - len(view.bottom) == 1  # unknown cards above them
    data = json.loads(game.view(None).dumps())
    assert data["bottom"] == ["R2ab", "B1cd"]


def test_row_76_a_card_drawn_from_the_bottom_stays_known() -> None:
    """S-KNOW-4, row 76: a missed card that is drawn is known in that hand until it is shown, to every viewer."""
    game = quiet(stack="Y1gh Y2gh", stall_limit=20)
    game.play("show R1ab")  # seat 1 draws Y2gh; the stack is R1ab
    events = game.play("show B1cd")  # seat 0 draws R1ab, which all have seen
    drawn = found(events, "Drawn")
    assert drawn.known is True
    for viewer in (0, 1, None):
        assert str(drawn.for_seat(viewer).card) == "R1ab"
        assert {seat: texts(held) for seat, held in game.view(viewer).known.items()} == {
            0: ["R1ab"]
        }
    game.play("show Y1gh")  # another card: R1ab stays known there
    assert texts(game.view(1).known[0]) == ["R1ab"]
    game.play("show Y2gh")  # seat 0 draws Y1gh, known as well
    assert texts(game.view(None).known[0]) == ["R1ab", "Y1gh"]
    game.play("show R1ab")
    assert texts(game.view(1).known[0]) == ["Y1gh"]


def test_row_70_a_drawn_card_is_the_drawers_alone() -> None:
    """S-KNOW-1, S-TURN-1, row 70: what a seat draws from the stack no other seat sees, in events and views."""
    game = example()
    events = game.play("show BHfj")
    drawn = found(events, "Drawn")
    assert (drawn.seat, drawn.known) == (1, False)
    assert drawn.for_seat(1) == drawn
    for viewer in (0, None):
        seen = drawn.for_seat(viewer)
        assert (seen.seat, seen.card, seen.known) == (1, None, False)
        assert str(drawn.card) not in json.dumps(seen.to_dict())
        assert f'"{drawn.card}"' not in game.view(viewer).dumps()
        assert seen.index == drawn.index
    dealt = Herzsammler(seed=1).events(0)[0]
    assert dealt.hands[1] is None
    assert len(dealt.hands[0]) == 2


def test_of_equal_cards_as_many_as_were_seen() -> None:
    """S-KNOW-5: two equal cards, one of them drawn after a miss: one is known until one is shown."""
    game = small("R1ab R1ab", "B1cd B2cd", open=QUIET, stack="R1ab Y2gh", stall_limit=20)
    assert texts(game.hand(0)) == ["R1ab"] * 3
    game.play("show R1ab")
    game.play("show B1cd")  # seat 0 draws the R1ab that all saw
    assert texts(game.hand(0)) == ["R1ab"] * 3
    assert texts(game.view(1).known[0]) == ["R1ab"]
    game.play("show R1ab")  # whichever copy it was
    assert 0 not in game.view(1).known
    assert texts(game.hand(0)) == ["R1ab"] * 2


def test_barred() -> None:
    """S-KNOW-6: under must_match a miss proves that no card held then matched; later cards are not concerned."""
    game = quiet(must_match=True, stall_limit=30)
    assert game.barred == (("", "", ""), ("", ""))
    game.play("show R1ab")
    assert game.barred == (("op", "op"), ("", "", ""))
    game.play("show B1cd")
    assert game.barred == (("op", "op", ""), ("op", "op"))
    for viewer in (0, 1, None):
        assert game.view(viewer).barred == game.barred
    game.play("show Y3gh")  # the card just drawn fits the oldest entry: it takes its place
    assert game.barred[0] == ("op", "op")
    assert quiet().barred == ()


def test_barred_holds_the_oldest_entry_that_fits() -> None:
    """S-KNOW-6: a shown card that an entry rules out was another one; a card that is known has no entry."""
    game = quiet(stack="Y1gh Y2gh Y3gh R5oq Y5gh Y6gh", must_match=True)
    game.play("show R1ab")
    game.play("show B1cd")
    game.play("show Y3gh")
    assert game.barred == (("op", "op"), ("op", "op", ""))
    game.play("show R5oq")  # it shows o, so it is not one of the two old cards
    assert game.barred[1] == ("op", "op")
    known = quiet(stack="Y1gh", must_match=True)
    known.play("show R1ab")  # seat 1 draws it, known
    assert texts(known.view(None).known[1]) == ["R1ab"]
    assert known.barred == (("op", "op"), ("", ""))
    known.play("show R1ab")
    assert known.barred[1] == ("op", "op")


def test_barred_is_true_of_every_hand() -> None:
    """S-KNOW-6: in random games the unknown cards of every hand fit its entries, and there are as many."""
    rng = random.Random(4)
    entries = 0
    for _ in range(scale(quick=15, ci=36, full=3_000)):
        fields = HERZSAMMLER.random_rules(rng) | {"must_match": True}
        twin = HERZSAMMLER.twin(fields, rng.getrandbits(64))
        game = HERZSAMMLER.new(fields, twin.seed)
        while not game.over:
            for seat in twin.seats:
                assert fits(twin.table, twin.unknown_in_hand(seat), list(game.barred[seat]))
                entries += any(game.barred[seat])
            text = rng.choice(twin.legal(twin.turn))
            twin.play(twin.turn, text)
            game.play(text)
    assert entries > 20


def test_nothing_is_worked_out() -> None:
    """S-KNOW-7: with one card unseen in all, the others could know it; `known` does not say so."""
    lying = "R3af R3eh R4bj R4fg R5cj R5eg"
    rest = [card for card in DECK if card not in f"{lying} R1dh R1di R2ab R2ci RHah".split()]
    game = middle(
        "R1dh R1di R2ab",
        "R2ci RHah",
        open=lying,
        stack="RHbe",
        collections=[" ".join(card for card in rest if card != "RHbe"), ""],
        bottom="RHbe",
    )
    assert (
        dict(game.view(0).known) == {}
    )  # RHbe is known, so R2ci and RHah must be in the other hand


def test_points_as_if_the_game_ended_now() -> None:
    """S-KNOW-8: points follow every capture; scores change at the end only."""
    game = Herzsammler(seed=13)
    while not game.over:
        sheet = herzen.MajorityScorer().score(game.collections)
        assert game.points == game.view(None).points == sheet.totals
        assert game.scores == (0, 0)
        game.play(game.codes()[0])
    assert game.points == game.scores


def test_what_is_left_stays_hidden() -> None:
    """S-KNOW-9: after the end hands and stack are not shown to others."""
    game = small(
        "R1ab R2ab",
        "B1cd B2cd",
        open="G1op G2op G3op G4op G5op G6op",
        stack="Y1gh Y2gh Y3gh",
        stall_limit=1,
    )
    game.play("show R1ab")
    assert game.over
    assert game.to_setup().count("Y3gh") == 1
    for viewer, hidden in (
        (0, "B1cd B2cd Y2gh Y3gh"),
        (1, "R2ab Y1gh Y2gh Y3gh"),
        (None, "R2ab B1cd Y2gh"),
    ):
        text = game.view(viewer).dumps()
        assert not [card for card in hidden.split() if f'"{card}"' in text]
        assert '"R1ab"' in text
    assert texts(game.view(1).hand) == ["B1cd", "B2cd"]


def test_sets_in_canonical_order() -> None:
    """S-KNOW-10: hands, collections, open and known cards are sorted; bottom is a sequence."""
    rng = random.Random(6)
    seen = 0
    for seed in range(scale(quick=8, ci=18, full=1_000)):
        game = Herzsammler(HerzsammlerRules(players=3, stall_limit=90), seed=seed)
        while not game.over:
            view = game.view(0)
            for cards in (view.hand, view.open, *view.collections, *view.known.values()):
                assert list(cards) == sorted(cards)
            seen += list(view.bottom) != sorted(view.bottom)
            misses = [
                m
                for m in game.legal_moves()
                if not set(m.card.objects)
                & {letter for card in game.open for letter in card.objects}
            ]
            game.play(rng.choice(misses or game.legal_moves()))
    assert seen


def test_views_hold_no_seed_and_no_game() -> None:
    """S-KNOW-1, rows 67 and 68: neither views, events nor errors name the seed."""
    game = Herzsammler(seed=2**200 + 987654321)
    play_randomly(game)
    assert game.seed is not None
    for viewer in (0, 1, None):
        view = game.view(viewer)
        for text in (view.dumps(), repr(view), str(view), repr(game.events(viewer)), repr(game)):
            assert str(game.seed) not in text
            assert f"{game.seed:x}" not in text
