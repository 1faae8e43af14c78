"""S-DEAL: seats, dealers, hands, the open cards and the stack."""

from __future__ import annotations

import random

import pytest

import herzen
from herzen.herzsammler import Herzsammler, HerzsammlerRules
from herzen.simulation import play_randomly
from tests.herzsammler.table import DECK, deck_of, everything, found, rows, texts
from tests.reference.chacha import DEALS, Stream
from tests.tiers import scale


def shuffled(seed: int, number: int, deck: list[str]) -> list[str]:
    out = list(deck)
    Stream(seed, DEALS, number).shuffle(out)
    return out


def to_the_next_game(game: Herzsammler) -> list[herzen.Event]:
    number, events = game.deal_number, []
    while game.deal_number == number and not game.over:
        events += game.play(game.codes()[0])
    return events


@pytest.mark.parametrize("players", [2, 3, 4])
def test_play_goes_clockwise(players: int) -> None:
    """S-DEAL-1, S-TURN-5: after seat i comes i+1 mod n."""
    game = Herzsammler(HerzsammlerRules(players=players), seed=1)
    for turn in range(10):
        assert game.turn == turn % players
        game.play(game.codes()[0])


def test_players() -> None:
    """S-DEAL-2: two by default; 2, 3 and 4 are allowed."""
    assert HerzsammlerRules().players == 2
    assert [Herzsammler(HerzsammlerRules(players=n)).players for n in (2, 3, 4)] == [2, 3, 4]
    for wrong in (1, 5, 0, -2):
        with pytest.raises(herzen.RulesError, match=r"players=.*2\.\.4"):
            HerzsammlerRules(players=wrong)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_dealers(players: int) -> None:
    """S-DEAL-3: the first dealer is seat n-1 or the one given; then the deal moves left with every game."""
    rules = HerzsammlerRules(players=players, games=players + 1, stall_limit=2)
    for given in (None, *range(players)):
        game = Herzsammler(rules, seed=2, dealer=given)
        first = players - 1 if given is None else given
        for number in range(players + 1):
            assert game.dealer == (first + number) % players
            to_the_next_game(game)
        assert game.over


@pytest.mark.parametrize(("players", "stack"), [(2, 80), (3, 78), (4, 76)])
def test_the_deal(players: int, stack: int) -> None:
    """S-DEAL-4: card k goes to seat dealer+1+k mod n for k < 2n, six lie open, the rest is the stack."""
    for dealer in range(players):
        deck = list(DECK)
        random.Random(dealer).shuffle(deck)
        game = Herzsammler(HerzsammlerRules(players=players), seed=1, dealer=dealer, deals=[deck])
        event = found(game.log, "Dealt")
        hands: list[list[str]] = [[] for _ in range(players)]
        for k in range(2 * players):
            hands[(dealer + 1 + k) % players].append(deck[k])
        assert [sorted(texts(hand)) for hand in event.hands] == [sorted(hand) for hand in hands]
        assert sorted(texts(game.open)) == sorted(deck[2 * players : 2 * players + 6])
        assert event.stack_size == stack
        assert game.to_setup().count(repr(deck[2 * players + 7 :])) == 1  # the stack, in order


@pytest.mark.parametrize("players", [2, 3, 4])
def test_left_of_the_dealer_begins(players: int) -> None:
    """S-DEAL-5: the seat to the left of the dealer has the first turn, and has drawn."""
    for dealer in range(players):
        game = Herzsammler(HerzsammlerRules(players=players), seed=1, dealer=dealer)
        first = (dealer + 1) % players
        assert game.turn == first
        assert game.hand_sizes == tuple(3 if seat == first else 2 for seat in range(players))
        assert game.stack_size == 90 - 2 * players - 6 - 1


@pytest.mark.parametrize("seed", [0, 7, 2**255 + 12345])
def test_the_shuffle_is_the_documented_one(seed: int) -> None:
    """S-DEAL-6: game d is Stream(seed, 0, d)'s shuffle of the deck in the order of the data."""
    backwards = HerzsammlerRules(games=3, deck=HerzsammlerRules().deck[::-1], stall_limit=3)
    for rules in (HerzsammlerRules(games=3, stall_limit=3), backwards):
        game = Herzsammler(rules, seed=seed)
        play_randomly(game)
        orders = [shuffled(seed, number, deck_of(rules)) for number in range(3)]
        assert game.record().to_dict()["deals"] == orders


def test_no_move_has_an_influence_on_later_games() -> None:
    """S-DEAL-6: the same seed gives the same later games, whoever plays how."""
    rules = HerzsammlerRules(games=4)
    decks = []
    for number in range(3):
        game, rng = Herzsammler(rules, seed=5), random.Random(number)
        while not game.over:
            game.play(rng.choice(game.codes()))
        decks.append(game.record().to_dict()["deals"])
    assert decks[0] == decks[1] == decks[2]
    assert len({tuple(deck) for deck in decks[0]}) == 4


def test_explicit_decks() -> None:
    """S-DEAL-7: decks given come first, top first; then the seed goes on with the index of the game."""
    rules = HerzsammlerRules(games=3, stall_limit=2)
    given = [list(DECK), list(DECK[::-1])]
    game = Herzsammler(rules, seed=9, deals=given)
    play_randomly(game)
    assert game.record().to_dict()["deals"] == [*given, shuffled(9, 2, DECK)]


@pytest.mark.parametrize(
    ("deck", "message"),
    [
        (DECK[:-1], "cards are missing: VHhj"),
        ([*DECK, "R1dh"], "R1dh is not in the deck so often"),
        ([*DECK[:-1], "R1dh"], "R1dh is not in the deck so often"),
        ([*DECK[:-1], "R9aa"], "no such card"),
        (5, "a sequence of cards"),
    ],
)
def test_wrong_decks(deck: object, message: str) -> None:
    """S-DEAL-7: an explicit deck that is not exactly the cards in play is a SetupError."""
    with pytest.raises(herzen.SetupError, match=message):
        Herzsammler(deals=[deck])  # type: ignore[list-item]


def test_from_hands() -> None:
    """S-DEAL-4, S-DEAL-7: from_hands deals these hands; the rest is the open cards, then the stack."""
    hands = [["R1dh", "VHhj"], ["R2ab", "G1be"], ["B1bg", "Y1ac"]]
    rest = [card for card in DECK if card not in [*hands[0], *hands[1], *hands[2]]]
    for dealer in (None, 0, 1, 2):
        rules = HerzsammlerRules(players=3)
        game = Herzsammler.from_hands(hands, rules, rest=rest, dealer=dealer)
        first = 0 if dealer is None else (dealer + 1) % 3
        for seat in range(3):
            drawn = [rest[6]] if seat == first else []
            assert sorted(texts(game.hand(seat))) == sorted(hands[seat] + drawn)
        assert texts(game.open) == rest[:6]
    for wrong in (
        hands[:2],
        [*hands[:2], ["R1dh"]],
        [*hands[:2], ["R1di", "R1dh", "R3af"]],
        "R1dh",
    ):
        with pytest.raises(herzen.SetupError, match="hands"):
            Herzsammler.from_hands(wrong, HerzsammlerRules(players=3), rest=rest)
    with pytest.raises(herzen.SetupError, match="not in the deck so often"):
        Herzsammler.from_hands(hands, HerzsammlerRules(players=3), rest=[*rest, "R1dh"])


def test_the_smallest_deck() -> None:
    """S-OPT-4, S-DEAL-4: 2n+7 cards leave a stack of one, which the first seat draws."""
    deck = rows("R1ab R2ab R3ab R4ab B1cd B2cd B3cd B4cd B5cd G1ef G2ef")
    game = Herzsammler(HerzsammlerRules(deck=deck), seed=1)
    assert (game.stack_size, len(game.hand(0)), len(game.open)) == (0, 3, 6)


def test_conservation_over_games() -> None:
    """S-DEAL-4: every card lies in one place, at every state of many matches."""
    rng = random.Random(8)
    for players in (2, 3, 4):
        for seed in range(scale(quick=4, ci=8, full=300)):
            game = Herzsammler(HerzsammlerRules(players=players, games=2), seed=seed)
            while not game.over:
                assert everything(game) == sorted(DECK)
                game.play_code(rng.choice(game.codes()))
            assert everything(game) == sorted(DECK)


def test_row_53_a_game_saved_after_move_10_goes_on_as_if_uninterrupted() -> None:
    """S-DEAL-6, row 53: seed 7, save after move 10, load, play on: the same match, the later games too."""
    rules = HerzsammlerRules(games=2)
    whole, first = Herzsammler(rules, seed=7), Herzsammler(rules, seed=7)
    for _ in range(10):
        whole.play(whole.codes()[-1])
        first.play(first.codes()[-1])
    loaded = herzen.Record.loads(first.record().dumps()).replay()
    while not whole.over:
        events = whole.play(whole.codes()[0])
        assert loaded.play(loaded.codes()[0]) == events
        assert loaded.fingerprint() == whole.fingerprint()
    assert loaded.over
    assert loaded.scores == whole.scores
