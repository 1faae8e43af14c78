"""Cards and the deal: V-CARD, V-DEAL."""

from __future__ import annotations

import random

import pytest

import herzen
from herzen.vonherzen import Card, Draw, LayOff, Meld, Offer, VonHerzen, VonHerzenRules
from tests.reference.chacha import DEALS, Stream
from tests.vonherzen.table import (
    CARDS,
    all_cards,
    at,
    dealt,
    found,
    in_order,
    legal,
    play,
    refused,
    run_of,
    state,
    texts,
)


def test_the_pack() -> None:
    """V-CARD-1: 32 cards, 7 to A of clubs, diamonds, hearts, spades, in this order."""
    assert [str(Card.at(index)) for index in range(32)] == CARDS
    assert CARDS[0] == "7C"
    assert CARDS[-1] == "AS"
    assert sorted(map(Card, reversed(CARDS))) == list(map(Card, CARDS))
    assert [str(card) for card in map(Card, CARDS) if card.red] == CARDS[8:24]
    with pytest.raises(herzen.CardError):
        Card("6C")


@pytest.mark.parametrize(
    ("written", "text"),
    [("BH", "JH"), ("DS", "QS"), ("KC", "KC"), ("10♦", "TD"), ("d♥", "QH"), ("7c", "7C")],
)
def test_other_ways_to_write_a_card(written: str, text: str) -> None:
    """V-CARD-1: German B and D, symbols and lower case are read."""
    assert str(Card.parse(written)) == text


def test_copies_are_alike_for_the_rules() -> None:
    """V-CARD-2: either copy of a kind makes the same run; zones keep the actual cards."""
    for copies in (("8D", "8H"), ("8H", "8D")):
        game = at(f"{copies[0]} r9 rT bQ bK")
        assert legal(game, "meld") == [f"meld {copies[0]} 9D TD"]
        play(game, f"meld {copies[0]} r9 rT")
        assert run_of(game, 0) == [copies[0], "9D", "TD"]


def test_lists_hold_the_lower_copy() -> None:
    """V-CARD-3: one move for each choice of kinds: the lower copy, or both."""
    game = dealt("7C 8D", "7D 7H", "8C 8S")
    assert legal(game) == ["offer -", "offer 7D", "offer 7D 7H"]
    meld = at("8D 8H 9H TD TH KS")
    assert legal(meld, "meld") == ["meld 8D 9H TD"]
    assert legal(meld, "discard") == ["discard 8D", "discard TD", "discard 9H", "discard KS"]
    offered = dealt("TC TS 9C", "7D 7H 8H")
    play(offered, "offer 9C TC TS", "counter 2")
    assert legal(offered) == ["agree 9C TC", "agree TC TS", "withdraw"]
    drawing = at("8C", pile="9H 9D KS", phase="draw", draw_from_pile="any")
    assert legal(drawing) == ["draw stock", "draw 9D", "draw KS"]


def test_the_other_copy_may_be_named() -> None:
    """V-CARD-4: a move that names the other copy is legal and played as named."""
    game = dealt("7C 8D", "7D 7H", "8C 8S")
    assert game.is_legal("offer 7H")
    play(game, "offer 7H", "accept 7C")
    assert texts(game.hand(0)) == ["8D", "7H"]
    meld = at("8D 8H 9D 9H TD TH", (0, "bQ bK bA"), (1, "rJ rQ rK"))
    play(meld, "layoff TH 1")
    assert run_of(meld, 1)[0] == "TH"
    play(meld, "meld TD 9H 8H")
    assert run_of(meld, 2) == ["8H", "9H", "TD"]
    play(meld, "discard 8D")
    drawing = at("8C", pile="9D 9H KS", phase="draw", draw_from_pile="any")
    play(drawing, "draw 9H")
    assert texts(drawing.hand(0)) == ["8C", "9H"]
    assert texts(drawing.pile) == ["9D", "KS"]
    countered = dealt("TC TS 9C", "7D 7H 8H")
    play(countered, "offer 9C TC TS", "counter 1", "agree TS", "accept 7H")
    assert texts(countered.hand(0)) == ["9C", "TC", "7H"]


def test_seats_and_neighbours() -> None:
    """V-DEAL-1: the exchange goes to the right, play to the left."""
    game = VonHerzen(VonHerzenRules(players=5), seed=1, dealer=2)
    order = []
    for _ in range(5):
        order.append(int(game.turn))
        game.play("offer -")
    assert order == [1, 0, 4, 3, 2]
    turns = []
    for _ in range(5):
        turns.append(int(game.turn))
        play(game, "draw stock" if game.stock_size else "draw pile")
        play(game, legal(game, "discard")[0])
    assert turns == [3, 4, 0, 1, 2]


@pytest.mark.parametrize(("players", "dealer", "first"), [(3, None, 2), (2, 0, 0), (6, 4, 4)])
def test_the_dealer_moves_left(players: int, dealer: int | None, first: int) -> None:
    """V-DEAL-2: the first dealer is the argument, or seat n-1; then the seat to the left."""
    game = VonHerzen(VonHerzenRules(players=players, full_rounds=1), seed=3, dealer=dealer)
    dealers = [game.dealer]
    choose = random.Random(1)
    while not game.over:
        deal = game.deal_number
        codes = game.codes()
        game.play(codes[choose.randrange(len(codes))])
        if game.deal_number != deal:
            dealers.append(game.dealer)
    assert dealers == [(first + deal) % players for deal in range(players)]


@pytest.mark.parametrize(
    ("players", "size", "stock"), [(2, 8, 16), (3, 8, 8), (4, 8, 0), (5, 6, 2), (6, 5, 2)]
)
def test_hands_and_stock(players: int, size: int, stock: int) -> None:
    """V-DEAL-3: hand sizes and stock for 2 to 6 players; smaller hands leave a larger stock."""
    game = VonHerzen(VonHerzenRules(players=players), seed=2)
    assert game.hand_sizes == (size,) * players
    assert game.stock_size == stock
    assert all_cards(game) == CARDS
    small = VonHerzen(VonHerzenRules(players=players, hand_size=1), seed=2)
    assert small.hand_sizes == (1,) * players
    assert small.stock_size == 32 - players
    with pytest.raises(herzen.RulesError):
        VonHerzenRules(players=players, hand_size=size + 1)


def test_cards_go_round() -> None:
    """V-DEAL-4: card k goes to seat dealer+1+k; the rest is the stock in its order."""
    rng = random.Random(3)
    deck = list(CARDS)
    rng.shuffle(deck)
    for dealer in range(3):
        game = VonHerzen(VonHerzenRules(), seed=1, dealer=dealer, deals=[deck])
        for seat in range(3):
            first = (seat - dealer - 1) % 3
            assert texts(game.hand(seat)) == in_order(deck[first:24:3])
        assert texts(found(game.log, "Dealt").stock) == deck[24:]
        play(game, "offer -", "offer -", "offer -", "draw stock")
        assert deck[24] in texts(game.hand((dealer + 1) % 3))


def test_decks_come_from_the_seed() -> None:
    """V-DEAL-5: deal d is the shuffle of domain 0, index d, whatever was played; explicit decks come first."""
    seed, own = 2**255 + 3, list(reversed(CARDS))
    for deals in ([], [own]):
        for moves in (1, 2):
            game = VonHerzen(VonHerzenRules(full_rounds=1), seed=seed, deals=deals)
            choose = random.Random(moves)
            while not game.over:
                codes = game.codes()
                game.play(codes[choose.randrange(len(codes))])
            for deal, decks in enumerate(game.record().to_dict()["deals"]):
                deck = list(CARDS)
                Stream(seed, DEALS, deal).shuffle(deck)
                assert decks == (own if deals and deal == 0 else deck)


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_turn_up(players: int) -> None:
    """V-DEAL-6: the top card of the stock starts the pile before the exchange; an empty stock turns up nothing."""
    plain = VonHerzen(VonHerzenRules(players=players), seed=5)
    game = VonHerzen(VonHerzenRules(players=players, turn_up=True), seed=5)
    stock = texts(found(plain.log, "Dealt").stock)
    assert game.phase == "offer"
    assert texts(game.pile) == stock[:1]
    assert texts(found(game.log, "Dealt").stock) == stock[1:]
    assert texts(found(game.events(None), "Dealt").pile) == stock[:1]
    assert plain.pile == ()


def test_the_first_turn_after_no_exchange() -> None:
    """V-EXCH-2, V-TURN-1: without rounds the deal begins with the turn of the dealer's left."""
    assert state(dealt("7C 8C", "9C TC", "JC QC", exchange_rounds=0)) == ("draw", 0)


# ---- moves as texts and codes --------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        *("", "hello", "offer", "offer 7C 7C", "offer 2C", "accept", "accept -", "counter 0"),
        *("counter 8", "counter 12", "counter ١", "draw", "draw 7C 8C", "layoff 7C", "meld -"),
        *("layoff 7C 10", "layoff 7C -1", "end now", "decline 7C", "discard", "takeover"),
        *("agree -", "discard 7C 8C", "offer " + "7C " * 100),
    ],
)
def test_texts_that_are_no_move(text: str) -> None:
    """V-CARD-1: such a text is "unknown_move"; a set that names a card twice is no move."""
    game = dealt("7C 8C", "9C TC", "JC QC")
    refused(game, text, "unknown_move")
    with pytest.raises(herzen.IllegalMove):
        herzen.vonherzen.parse(text)


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("OFFER 8c 7c", "offer 7C 8C"),
        ("offer -", "offer -"),
        ("accept kd 9♥", "accept KD 9H"),
        ("meld JH TC 9D 8H", "meld 8H 9D TC JH"),
        ("meld 8D 7D AH KD", "meld KD AH 7D 8D"),
        ("meld TD 9D 8D 7D AD KD QD JD", "meld 7D 8D 9D TD JD QD KD AD"),
        ("meld 9H 7D 8C", "meld 8C 7D 9H"),
        ("meld 7D 8C", "meld 8C 7D"),
        ("layoff 7H 2", "layoff 7H 2"),
        ("Draw STOCK", "draw stock"),
        ("draw 9h", "draw 9H"),
    ],
)
def test_texts_are_written_in_one_way(written: str, text: str) -> None:
    """V-MELD-5: sets in canonical order, runs upwards from their first rank; texts and codes round-trip."""
    move = herzen.vonherzen.parse(written)
    assert str(move) == text
    assert herzen.vonherzen.parse(text) == move
    assert dealt("7C 8C", "9C TC", "JC QC")._from_code(move.code) == move
    assert hash(herzen.vonherzen.parse(text)) == hash(move)


def test_moves_are_built_and_matched() -> None:
    """V-MELD-5: the order of cards does not matter to equality; a wrong number is no move."""
    assert Meld(["8H", "9D", "TC"]) == Meld("TC 8H 9D")
    assert Offer([]) == Offer([]) < Offer(["7C"]) < Offer(["8C"]) < Offer(["7C", "8C"])
    match LayOff("7H", 2):
        case LayOff(card, run):
            assert (str(card), run) == ("7H", 2)
    match Draw("9H"):
        case Draw(source):
            assert source == Card("9H")
    for wrong in (lambda: LayOff("7H", 10), lambda: herzen.vonherzen.Counter(8)):
        with pytest.raises(ValueError, match="number"):
            wrong()
    for bad in (lambda: Offer(["7C", "7C"]), lambda: Meld([]), lambda: Meld(["1C"])):
        with pytest.raises(herzen.CardError):
            bad()
