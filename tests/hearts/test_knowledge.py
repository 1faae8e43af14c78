"""Who knows what, H-KNOW: views, redacted events, the running points."""

from __future__ import annotations

import json
import pickle
import random
import re
from typing import Any

import pytest

import herzen
from tests.hearts.table import (
    KINDS,
    cards,
    commit,
    found,
    in_order,
    kinds,
    legal,
    play,
    small_deal,
    texts,
    winner_of,
)

CARD = re.compile(r"\b[2-9TJQKA][CDHS]\b")


def shown(view: herzen.View) -> set[str]:
    """Every card that a view's JSON mentions."""
    return set(CARD.findall(view.dumps()))


def seen(game: herzen.Hearts, event: herzen.Event, seat: int | None) -> dict[str, Any]:
    """An event as a seat sees it."""
    return event.for_seat(seat).to_dict()


def test_played_cards_are_public() -> None:
    """H-KNOW-1: every card played, who played it, the captured tricks and failed follows are public."""
    game = small_deal("2C 3D 9S", "5D 6D TS", "4C KD JS", "3C 8D QS", moon="off")
    play(game, "2C 5D 4C 3C KD")
    for who in (0, 1, 2, 3, None):
        view = game.view(who)
        assert [(leader, texts(trick), winner) for leader, trick, winner in view.tricks] == [
            (0, cards("2C 5D 4C 3C"), 2)
        ]
        assert [(seat, str(card)) for seat, card in view.trick] == [(2, "KD")]
        assert view.voids == ((), ("C",), (), ())
        played = [event.to_dict() for event in view.events if type(event).__name__ == "Played"]
        assert [(event["seat"], event["card"]) for event in played] == [
            (0, "2C"),
            (1, "5D"),
            (2, "4C"),
            (3, "3C"),
            (2, "KD"),
        ]


def test_voids_are_told_by_suit_in_order() -> None:
    """H-KNOW-1: the suits in which a seat failed to follow, in the trick on the table too."""
    game = small_deal("2C 3D 9S", "5S 6S TS", "4C KD JS", "3C 8D QS", moon="off")
    play(game, "2C 5S 4C 3C KD 8D 3D")
    assert game.voids == ((), ("C",), (), ())
    play(game, "6S")
    assert game.voids == ((), ("C", "D"), (), ())
    assert game.view(None).voids == game.voids


def test_other_public_facts() -> None:
    """H-KNOW-2: broken, direction, a lead that went on, the size of the kitty and the totals are public."""
    game = small_deal(
        "2H 3H",
        "4H 5H",
        "2C QS",
        "3C 4C",
        kitty="KS KD",
        lead="dealer_left",
        lead_when_stuck="pass_lead",
        pass_count=0,
        pass_cycle=("right",),
    )
    for who in (0, 2, None):
        view = game.view(who)
        assert not view.hearts_broken
        assert view.pass_direction == "right"
        assert view.kitty_size == 2
        assert view.scores == (0, 0, 0, 0)
        assert found(view.events, "LeadPassed").seats == (0, 1)
    play(game, "QS")
    assert game.view(0).hearts_broken
    assert game.view(None).hearts_broken


def test_commitments_are_public_and_their_cards_are_not() -> None:
    """H-KNOW-3, row 71: who has committed a pass is public; which cards, only the seat itself knows."""
    game = herzen.Hearts(seed=21)
    own = texts(game.hand(2))[:3]
    events = game.play(f"pass {' '.join(own)}", seat=2)
    assert kinds(events) == ["Passed"]
    for who in (0, 1, 2, 3, None):
        assert game.view(who).committed == (2,)
        told = seen(game, events[0], who)
        assert told["seat"] == 2
        assert told["cards"] == (own if who == 2 else None)
        assert told["automatic"] is (False if who == 2 else None)
    assert texts(game.view(2).my_pass) == own
    assert game.view(0).my_pass is None


def test_a_hand_is_its_seats_alone() -> None:
    """H-KNOW-4, rows 67 and 68: at move 0 a view names the own 13 cards and no other, and no seed."""
    seed = 2**200 + 17
    game = herzen.Hearts(seed=seed)
    for seat in range(4):
        view = game.view(seat)
        assert shown(view) == set(texts(game.hand(seat)))
        assert texts(view.hand) == texts(game.hand(seat))
        text = view.dumps()
        assert str(seed) not in text
        assert f"{seed:x}" not in text
        assert str(seed) not in repr(view)
    spectator = game.view(None)
    assert shown(spectator) == set()
    assert spectator.hand == ()
    assert spectator.legal_moves == ()


def test_views_name_only_seen_cards() -> None:
    """H-KNOW-4, row 67: all through a deal a view names own, passed, received, known and played cards only."""
    choose = random.Random(4)
    for players, fields in ((4, {}), (5, {"extras": "kitty"}), (3, {})):
        game = herzen.Hearts(
            herzen.HeartsRules(players=players, max_hands=1, moon="add", **fields), seed=5
        )
        dealt = [set(texts(game.hand(seat))) for seat in range(players)]
        while not game.over:
            table = {str(card) for _, trick, _ in game.tricks for card in trick}
            table |= {str(card) for _, card in game.trick}
            for seat in range(players):
                view = game.view(seat)
                mine = dealt[seat] | set(texts(game.hand(seat))) | table
                mine |= set(texts(view.received or ())) | set(texts(view.kitty or ()))
                assert shown(view) <= mine
                if view.kitty is not None and game.phase == "play":
                    assert found(game.log, "KittyTaken").seat == seat
            assert shown(game.view(None)) <= table
            codes = game.codes()
            game.play(codes[choose.randrange(len(codes))])


def test_unseen_cards_do_not_matter() -> None:
    """H-KNOW-4, row 73: swap cards among the other seats and every byte of the view stays the same."""
    choose = random.Random(8)
    for _ in range(20):
        deck = choose.sample(KINDS, 52)
        mine, rest = deck[:13], deck[13:]
        views, events = set(), set()
        for _ in range(4):
            choose.shuffle(rest)
            hands = [rest[:13], mine, rest[13:26], rest[26:]]
            game = herzen.Hearts.from_hands(hands, seed=choose.randrange(1000))
            game.play(game.codes(3)[5], seat=3)
            game.play(game.codes(1)[9], seat=1)
            views.add(game.view(1).dumps())
            events.add(json.dumps([event.to_dict() for event in game.events(1)]))
        assert len(views) == 1
        assert len(events) == 1


def test_passed_cards_are_known_to_two() -> None:
    """H-KNOW-5: passed cards are known to the giver, and to the receiver once all have passed."""
    hands = [KINDS[seat::4] for seat in range(4)]
    game = herzen.Hearts.from_hands(hands, seed=1)
    for seat in (1, 2, 3):
        game.play(f"pass {' '.join(hands[seat][:3])}", seat=seat)
    for seat in range(4):
        assert game.view(seat).received is None
        assert game.view(seat).known == {}
    events = game.play(f"pass {' '.join(hands[0][:3])}", seat=0)
    for seat in range(4):
        view = game.view(seat)
        assert texts(view.my_pass) == hands[seat][:3]
        assert texts(view.received) == hands[(seat - 1) % 4][:3]
        assert {at: texts(some) for at, some in view.known.items()} == {
            (seat + 1) % 4: hands[seat][:3]
        }
        told = seen(game, found(events, "Exchanged"), seat)["received"]
        assert told == [hands[(seat - 1) % 4][:3] if at == seat else None for at in range(4)]
    assert game.view(None).known == {}
    assert game.view(None).received is None
    assert seen(game, found(events, "Exchanged"), None)["received"] == [None] * 4


def test_the_giver_remembers_until_they_are_played() -> None:
    """H-KNOW-5, row 76: a card that was passed stays known in the receiver's hand until it is played there."""
    hands = [KINDS[seat::4] for seat in range(4)]
    game = herzen.Hearts.from_hands(hands, seed=1)
    commit(game, "2C 6C TC", "3C 7C JC", "4C 8C QC", "5C 9C KC")
    assert texts(game.view(0).known[1]) == cards("2C 6C TC")
    play(game, "2C")
    assert texts(game.view(0).known[1]) == cards("6C TC")
    play(game, "3C 4C 5C")  # seats 2, 3 and 0 play what they received
    assert texts(game.view(3).known[0]) == cards("9C KC")
    assert texts(game.view(1).known[2]) == cards("7C JC")
    assert texts(game.view(0).known[1]) == cards("6C TC")
    assert texts(game.view(0).my_pass) == cards("2C 6C TC")  # kept for the whole deal


def test_known_copies_are_counted() -> None:
    """H-KNOW-5: with two packs copies are counted: of a pair passed, one is still known after the other is played."""
    game = small_deal(
        "2C 2C 3D",
        "9C KS 4D",
        "7C 8C 5D",
        "4C 5C 6D",
        "8D 9D TD",
        decks=2,
        pass_cycle=("left",),
        pass_count=2,
        dealer=0,
    )
    commit(game, "2C 2C", "9C KS", "7C 8C", "4C 5C", "8D 9D")
    assert texts(game.view(0).known[1]) == cards("2C 2C")
    play(game, "2C")
    assert texts(game.view(0).known[1]) == ["2C"]


def test_kitty_is_seen_by_its_taker() -> None:
    """H-KNOW-6: the seat that takes the kitty sees it at once, nobody else does."""
    game = small_deal("2C 9D AD", "3C 3D 2H", "4C 5D KD", kitty="9H 7D")
    assert [game.view(who).kitty for who in (0, 1, 2, None)] == [None] * 4
    events = play(game, "2C 3C 4C")
    taken = found(events, "KittyTaken")
    for who in (0, 1, 2, None):
        expected = cards("7D 9H") if who == 2 else None
        assert seen(game, taken, who)["cards"] == expected
        kitty = game.view(who).kitty
        assert (None if kitty is None else texts(kitty)) == expected
        assert seen(game, game.log[0], who)["kitty"] is None


def test_kitty_is_shown_after_the_last_trick() -> None:
    """H-KNOW-6: everybody sees it after the last trick, before the moon choice."""
    game = small_deal("2C 9D AD", "3C 3D 6D", "4C 5D KD", kitty="9H 7D")
    play(game, "2C 3C 4C 5D 9D 3D AD 6D")
    assert game.view(0).kitty is None
    events = play(game, "KD")
    assert game.phase == "moon"
    assert kinds(events) == ["Played", "TrickTaken", "KittyShown"]
    for who in (0, 1, 2, None):
        assert texts(game.view(who).kitty) == cards("7D 9H")
        assert seen(game, events[2], who)["cards"] == cards("7D 9H")


def test_no_kitty() -> None:
    """H-KNOW-6: where there is no kitty none is shown."""
    game = small_deal("2C", "3C", "4C", "5C", max_hands=1)
    assert game.view(0).kitty is None
    assert "KittyShown" not in kinds(play(game, "2C 3C 4C 5C"))
    assert game.view(0).kitty is None


def test_unplayed_cards_are_not_shown() -> None:
    """H-KNOW-7: cards left unplayed when a deal stops early are not shown to others."""
    hands = ("2C 2H 9C", "3C QS TC", "5C 2D JC", "4C AD QC")
    game = small_deal(*hands, moon="off", max_hands=1, stop_when_decided=True)
    play(game, "2C 3C 5C 4C 2D AD 2H QS")
    assert game.over
    left = cards("9C TC JC QC")
    for who in (0, 1, 2, 3, None):
        dealt = set() if who is None else set(cards(hands[who]))
        assert not shown(game.view(who)) & (set(left) - dealt)
        assert game.view(who).hand_sizes == (1, 1, 1, 1)
    assert not set(left) & set(
        CARD.findall(json.dumps([event.to_dict() for event in game.events(None)]))
    )


def test_points_so_far() -> None:
    """H-KNOW-8: `points` counts the card points and bonus of publicly captured cards, the same for everybody."""
    game = small_deal(
        "2C 9D AD",
        "3C JD 2H",
        "4C 5D KD",
        kitty="7H 8H",
        bonus={"JD": -10},
        no_trick_bonus=-5,
        max_hands=1,
        moon="off",
    )
    play(game, "2C 3C 4C")
    assert game.points == (0, 0, 0)  # seat 2 has the kitty, and nobody else knows what is in it
    assert [game.view(who).points for who in (0, 1, 2, None)] == [(0, 0, 0)] * 4
    play(game, "KD 9D JD")
    assert game.points == (0, 0, -10)
    play(game, "5D AD")
    assert game.points == (0, 0, -10)
    play(game, "2H")
    assert game.scores == (1, -5, -8)
    assert game.points == (1, 0, -8)  # the kitty is out, the bonus for no trick is not in it


def test_points_hold_no_moon() -> None:
    """H-KNOW-8: no moon is in `points`."""
    game = small_deal("2C 2D", "3C 3D", "4C 4D", "5C 2H")
    play(game, "2C 3C 4C 5C 2H 2D 3D 4D")
    assert game.phase == "moon"
    assert game.points == (0, 0, 0, 1)


def test_sets_are_shown_in_order() -> None:
    """H-KNOW-9: hands, passes, received cards and the kitty are in canonical order, the trick in playing order."""
    game = small_deal(
        "AS KH 2C",
        "TD 9S 3C",
        "5C 4C 8H",
        kitty="2S KD",
        pass_cycle=("left",),
        pass_count=2,
        dealer=2,
    )
    assert texts(game.hand(0)) == cards("2C KH AS")
    commit(game, "AS KH", "9S TD", "8H 4C")
    assert texts(game.view(0).my_pass) == cards("KH AS")
    assert texts(game.view(0).received) == cards("4C 8H")
    assert texts(game.view(0).known[1]) == cards("KH AS")
    assert texts(game.view(0).hand) == in_order(cards("2C 4C 8H"))
    play(game, "2C 3C")
    assert [str(card) for _, card in game.view(0).trick] == cards("2C 3C")
    play(game, "5C")
    assert texts(game.view(2).kitty) == cards("KD 2S")
    late = small_deal("3C 2D", "5C 4D", "2C 6D", "4C 8D", dealer=0)
    play(late, "2C 4C 3C 5C")
    assert texts(late.tricks[0][1]) == cards("2C 4C 3C 5C")
    assert winner_of(late.log) == 1


def test_errors_tell_nothing_hidden() -> None:
    """H-KNOW-4, row 77: the sentence of a refused move names cards of the mover's own hand, or the card it named."""
    choose = random.Random(6)
    game = herzen.Hearts(herzen.HeartsRules(keep_spades=True), seed=31)
    symbols = {card: herzen.hearts.Card(card).symbol for card in KINDS}
    for _ in range(60):
        for seat in range(4):
            allowed = {symbols[card] for card in texts(game.hand(seat))}
            for move in [*choose.sample(KINDS, 6), "pass QS KS AS", "pass 2C", "moon add"]:
                why = game.why_illegal(move, seat)
                named = {symbol for symbol in symbols.values() if symbol in (why or "")}
                assert named <= allowed | {symbols[card] for card in move.split() if card in KINDS}
        codes = game.codes()
        game.play(codes[choose.randrange(len(codes))])


def test_a_seat_not_to_move_learns_nothing() -> None:
    """H-KNOW-4, row 77: out of turn the answer is the same whatever cards are named."""
    game = herzen.Hearts(herzen.HeartsRules(pass_cycle=()), seed=31)
    idle = (int(game.turn) + 1) % 4
    answers = {game.why_illegal(move, idle) for move in [*KINDS, "moon add", "rubbish"]}
    assert len(answers) == 1


def test_views_and_events_carry_no_game() -> None:
    """H-KNOW-4, row 79: clients get views and events, whose pickles hold no Game, no seed and no hidden card."""
    game = herzen.Hearts(seed=2**250 + 99)
    game.play(game.codes(1)[0], seat=1)
    secret = (2**250 + 99).to_bytes(32, "little")
    for data in (pickle.dumps(game.view(0)), pickle.dumps(game.events(0))):
        assert b"hearts.game" not in data
        assert secret not in data
        assert secret[::-1] not in data
    view = pickle.loads(pickle.dumps(game.view(0)))
    assert view == game.view(0)
    assert type(view.turn) is int
    assert {type(seat) for seat in view.to_move} == {int}


def test_same_number_of_events_for_all() -> None:
    """H-KNOW-2: all viewers get the same events with equal index, hidden fields aside."""
    game = small_deal(
        "2C 9D AD", "3C 3D 2H", "4C 5D KD", kitty="7D", pass_cycle=("left",), pass_count=1
    )
    commit(game, "2C", "3C", "4C")
    play(game, " ".join(legal(game)[:1]))
    heads = [
        [
            (type(event).__name__, event.index, event.version, event.deal)
            for event in game.events(who)
        ]
        for who in (0, 1, 2, None)
    ]
    assert heads[0] == heads[1] == heads[2] == heads[3]
    assert [head[1] for head in heads[0]] == list(range(len(heads[0])))


@pytest.mark.parametrize("who", [0, 3, None])
def test_views_come_back_from_json(who: int | None) -> None:
    """H-KNOW-9: a view comes back from its JSON equal, sets and sequences in the same order."""
    choose = random.Random(2)
    game = herzen.Hearts(seed=77)
    for _ in range(40):
        view = game.view(who)
        assert herzen.View.loads(view.dumps()) == view
        assert herzen.View.loads(view.dumps()).dumps() == view.dumps()
        codes = game.codes()
        game.play(codes[choose.randrange(len(codes))])
