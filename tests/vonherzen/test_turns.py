"""Drawing, discarding, ending a turn: V-DRAW, V-TURN."""

from __future__ import annotations

import random

import herzen
from herzen.vonherzen import VonHerzen, VonHerzenRules
from tests.reference.vonherzen_options import random_rules
from tests.tiers import scale
from tests.vonherzen.table import (
    CARDS,
    all_cards,
    at,
    dealt,
    found,
    kinds,
    legal,
    play,
    refused,
    state,
    texts,
)


def drawing(hand: str = "8C QD", **zones: object) -> VonHerzen:
    """Seat 0 is to draw."""
    return at(hand, phase="draw", **zones)  # type: ignore[arg-type]


def test_a_turn_begins_with_a_draw() -> None:
    """V-DRAW-1: the top of the stock or the top of the pile; a duty, and one card only."""
    game = drawing(pile="9D TD", stock="KS 7C")
    assert legal(game) == ["draw stock", "draw pile"]
    for text in ("end", "discard 8C", "meld 8C 9C TC", "layoff 8C 0"):
        refused(game, text, "wrong_phase")
    stock, pile = game.copy(), game.copy()
    play(stock, "draw stock")
    assert texts(stock.hand(0)) == ["8C", "QD", "KS"]
    assert stock.stock_size == 1
    refused(stock, "draw stock", "wrong_phase")
    play(pile, "draw pile")
    assert texts(pile.hand(0)) == ["8C", "TD", "QD"]
    assert texts(pile.pile) == ["9D"]
    assert state(pile) == ("meld", 0)


def test_a_failed_draw_leaves_nobody_stuck() -> None:
    """V-DRAW-1, V-TURN-5, row 43: an illegal draw raises, then any legal move still works."""
    game = drawing(pile="9D TD", stock="")
    refused(game, "draw stock", "stock_empty")
    play(game, "draw pile", "discard 8C")
    assert state(game) == ("draw", 1)
    full = drawing(stock="KS")
    refused(full, "draw pile", "pile_empty")
    play(full, "draw stock", "end")
    assert state(full) == ("meld", 1)


def test_empty_zones() -> None:
    """V-DRAW-1, row 44: an empty stock leaves the pile; with both empty the turn begins with melding."""
    game = drawing(pile="9D TD", stock="")
    assert legal(game) == ["draw pile"]
    start = VonHerzen(VonHerzenRules(players=4, exchange_rounds=0), seed=2)
    assert state(start) == ("meld", 0)
    refused(start, "draw stock", "wrong_phase")
    play(start, legal(start, "discard")[0])
    assert (state(start), legal(start)) == (("draw", 1), ["draw pile"])
    play(start, "draw pile", "end")
    assert state(start) == ("meld", 2)


def test_any_card_of_the_pile() -> None:
    """V-DRAW-2: "any": any card may be taken by its name, the others keep their order; no "draw pile"."""
    game = drawing("8C", pile="9H 9D 7C KS", draw_from_pile="any")
    assert legal(game) == ["draw stock", "draw 7C", "draw 9D", "draw KS"]
    refused(game, "draw pile", "name_the_card")
    refused(game, "draw QS", "not_in_pile")
    refused(game, "draw 8C", "not_in_pile")
    play(game, "draw 9H")
    assert texts(game.pile) == ["9D", "7C", "KS"]
    assert str(game.drawn) == "9H"
    refused(game, "discard 9H", "drawn_kind")
    top = drawing("8C", pile="9H KS")
    refused(top, "draw KS", "top_card_only")
    refused(top, "draw 9H", "top_card_only")


def test_no_new_stock_by_default() -> None:
    """V-DRAW-3, row 46: an empty stock stays empty."""
    game = at("8C 9C", stock="", pile="7C")
    play(game, "discard 9C")
    assert game.stock_size == 0
    assert game.stock is None
    assert texts(game.pile) == ["7C", "9C"]
    assert legal(game) == ["draw pile"]


def test_turning_the_pile_over() -> None:
    """V-DRAW-4, row 46: the whole pile becomes the stock, its bottom card on top, nothing is shuffled."""
    game = at("8C 9C", stock="", pile="7C AH", stock_refill="turn_over")
    events = play(game, "discard 9C")
    assert kinds(events) == ["Discarded", "StockTurned"]
    assert texts(found(events, "StockTurned").cards) == ["7C", "AH", "9C"]
    assert texts(game.stock) == ["7C", "AH", "9C"]
    assert game.pile == ()
    assert legal(game) == ["draw stock"]
    play(game, "draw stock")
    assert "7C" in texts(game.hand(1))
    assert texts(game.stock) == ["AH", "9C"]


def test_when_the_pile_is_turned_over() -> None:
    """V-DRAW-5: automatically within the move before; not with an empty pile, not in last turns."""
    game = at("8C 9C", stock="", stock_refill="turn_over")
    events = play(game, "end")
    assert kinds(events) == ["TurnEnded"]
    assert state(game) == ("meld", 1)
    filled = at("8C 9C", stock="KS", pile="7C", stock_refill="turn_over")
    play(filled, "end")
    assert filled.stock is None
    play(filled, "draw stock", "end")
    assert texts(filled.stock) == ["7C"]
    assert state(filled) == ("draw", 2)
    hands = ["7C 8C 9C", "7D 8D KS", "QS QH TC"]
    last = dealt(*hands, first="JC", exchange_rounds=0, stock_refill="turn_over")
    zones = last._setup_zones(last)
    held = zones["hands"][2]
    zones["hands"] = [zones["hands"][0], zones["hands"][1], held + zones["stock"]]
    zones |= {"stock": [], "pile": [], "phase": "meld", "turns_taken": 0}
    zones["hands"][0].append(zones["hands"][2].pop())
    out = VonHerzen.setup(last.rules, **zones)
    card = next(text for text in legal(out, "discard") if text[8:] not in hands[0].split())
    events = play(out, "meld 7C 8C 9C", card)
    assert kinds(events) == ["Melded", "Discarded", "LastTurns"]
    assert texts(out.pile) == [card[8:]]
    assert out.stock is None


def test_the_pile_may_be_turned_over_again() -> None:
    """V-DRAW-4: as often as the stock runs out; the order is that of the discards."""
    game = at("8C 9C", stock="", pile="7C", stock_refill="turn_over", blocked_after=None)
    play(game, "discard 9C", "draw stock", "discard 7C")
    assert texts(game.stock) == ["9C"]
    play(game, "draw stock", "discard 9C")
    assert texts(game.stock) == ["7C", "9C"]


def test_turns_go_clockwise() -> None:
    """V-TURN-1: the dealer's left neighbour first, then on to the left."""
    for dealer in range(4):
        rules = VonHerzenRules(players=4, hand_size=2, exchange_rounds=0)
        game = VonHerzen(rules, seed=1, dealer=dealer)
        turns = []
        for _ in range(6):
            turns.append(int(game.turn))
            play(game, "draw stock", "end")
        assert turns == [(dealer + 1 + place) % 4 for place in range(6)]


def test_how_a_turn_ends() -> None:
    """V-TURN-2: with one discard, with `end`, or the moment the last card goes."""
    game = at("8C 9D")
    events = play(game, "discard 9D")
    assert kinds(events) == ["Discarded"]
    assert texts(game.pile) == ["9D"]
    assert state(game) == ("draw", 1)
    game = at("8C 9D")
    assert kinds(play(game, "end")) == ["TurnEnded"]
    assert state(game) == ("draw", 1)
    for hand, runs, move in (
        ("8C", (), "discard 8C"),
        ("8C 9C TC", (), "meld 8C 9C TC"),
        ("8C", ((0, "b9 bT bJ"),), "layoff 8C 0"),
    ):
        game = at(hand, *runs)
        events = play(game, move)
        assert "TurnEnded" not in kinds(events)
        assert kinds(events)[1:] == ["DealScored", "Dealt"]
        assert game.deal_number == 1


def test_a_discard_may_be_mandatory() -> None:
    """V-TURN-3: discard_mandatory: `end` only if nothing may be discarded; going out needs no discard."""
    game = at("8C 9D", discard_mandatory=True)
    assert legal(game) == ["discard 8C", "discard 9D"]
    refused(game, "end", "must_discard")
    kind = drawing("TD", pile="TH", discard_mandatory=True)
    play(kind, "draw pile")
    assert legal(kind) == ["end"]
    free = drawing("TD", pile="TH", discard_mandatory=True, discard_drawn=True)
    play(free, "draw pile")
    assert legal(free) == ["discard TD"]
    out = at("8C 9C TC", discard_mandatory=True, max_deals=1)
    play(out, "meld 8C 9C TC")
    assert out.over
    laid = at("8C", (0, "b9 bT bJ"), discard_mandatory=True, max_deals=1)
    play(laid, "layoff 8C 0")
    assert laid.over


def test_the_kind_just_taken_stays() -> None:
    """V-TURN-4: after a draw from the pile neither copy of that kind may be discarded in this turn."""
    game = drawing("8C TD", pile="TH")
    play(game, "draw pile")
    assert legal(game, "discard") == ["discard 8C"]
    refused(game, "discard TD", "drawn_kind")
    refused(game, "discard TH", "drawn_kind")
    play(game, "discard 8C", "draw stock", "end", "draw stock", "end", "draw stock")
    assert {"discard TD", "discard TH"} & set(legal(game)) == {"discard TD"}
    assert game.is_legal("discard TH")
    free = drawing("8C TD", pile="TH", discard_drawn=True)
    play(free, "draw pile")
    assert legal(free, "discard") == ["discard 8C", "discard TD"]
    assert free.is_legal("discard TH")


def test_a_card_of_the_stock_may_go_at_once() -> None:
    """V-TURN-4: a card drawn from the stock may be discarded at once, also from a turned-over stock."""
    game = drawing("8C", stock="TH 9H", pile="7C")
    play(game, "draw stock", "discard TH")
    assert texts(game.pile) == ["7C", "TH"]
    turned = at("8C 9C", stock="", pile="7C AH", stock_refill="turn_over")
    play(turned, "discard 9C", "draw stock")
    assert turned.drawn is None
    play(turned, "discard 7C")
    assert texts(turned.pile) == ["7C"]


def test_an_illegal_move_changes_nothing() -> None:
    """V-TURN-5, row 77: anything illegal is refused with a code, and the position stays as it was."""
    choose = random.Random(5)
    words = ["offer", "accept", "takeover", "agree", "meld", "discard", "draw", "decline", "stay"]
    words += ["withdraw", "end", "counter 1", "counter 2", "draw stock", "draw pile", "layoff"]
    codes = set()
    for number in range(scale(quick=8, ci=18, full=1_000)):
        game = VonHerzen(VonHerzenRules(**random_rules(choose)), seed=number)
        while not game.over:
            for _ in range(3):
                seat = choose.randrange(game.players) if choose.random() < 0.2 else int(game.turn)
                mine = texts(game.hand(seat)) or CARDS
                some = [choose.choice(mine if choose.random() < 0.8 else CARDS) for _ in range(2)]
                text = choose.choice(words)
                if text in words[:7]:
                    text += " " + " ".join(some[: choose.randrange(1, 3)])
                elif text == "layoff":
                    text += f" {some[0]} {choose.randrange(5)}"
                before = game.fingerprint(), game.version
                hidden = {
                    card
                    for other in range(game.players)
                    if other != seat
                    for card in texts(game.hand(other))
                } - set(text.split())
                try:
                    if game.why_illegal(text, seat) is not None:
                        game.play(text, seat=seat)
                except herzen.IllegalMove as error:
                    codes.add(error.code)
                    if error.code not in ("unknown_move",):
                        assert not hidden & set(str(error).split())
                assert (game.fingerprint(), game.version) == before
            legal_codes = game.codes()
            game.play(legal_codes[choose.randrange(len(legal_codes))])
    assert codes >= {
        *("not_your_turn", "unknown_move", "wrong_phase", "not_held", "wrong_number"),
        *("not_a_run", "no_such_run", "not_melded", "drawn_kind", "stock_empty"),
    }


def test_moves_name_held_cards_only() -> None:
    """V-DRAW-1, row 41: in every state every listed move is of cards at hand, and there is one."""
    choose = random.Random(6)
    for number in range(scale(quick=10, ci=24, full=2_000)):
        game = VonHerzen(VonHerzenRules(**random_rules(choose)), seed=number)
        while not game.over:
            moves = game.legal_moves()
            assert moves
            held = set(game.hand(game.turn))
            for move in moves:
                named = getattr(move, "cards", ()) or ()
                named = named if hasattr(move, "cards") else [getattr(move, "card", None)]
                assert {card for card in named if card is not None} <= held
            game.play(choose.choice(moves))
            assert all_cards(game) == CARDS


def test_sentences_say_which_rule() -> None:
    """V-TURN-5: the sentence names the rule, and no cards but those of the move."""
    game = drawing("8C TD", pile="TH", stock="")
    assert refused(game, "draw stock", "stock_empty") == "the stock is empty"
    play(game, "draw pile")
    why = refused(game, "discard TH", "drawn_kind")
    assert why == "10♥ is of the kind just taken from the pile"
