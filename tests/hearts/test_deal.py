"""The rules of the deal, H-DEAL."""

from __future__ import annotations

import random
import time
from collections import Counter

import pytest

import herzen
from tests.hearts.table import KINDS, cards, in_order, legal, play, small_deal, texts, winner_of
from tests.reference.chacha import Stream

SMALL = ("2C 3C", "4C 5C", "6C 7C", "8C 9C")  # two tricks, no points


def shuffled(seed: int, deal: int, deck: list[str]) -> list[str]:
    """The deck that the documented procedure gives."""
    order = list(deck)
    Stream(seed, 0, deal).shuffle(order)
    return order


def finish_deal(game: herzen.Hearts, choose: random.Random | None = None) -> None:
    """Play to the end of the deal: the lowest legal move, or one at random."""
    deal = game.deal_number
    while not game.over and game.deal_number == deal:
        codes = game.codes()
        game.play(codes[0] if choose is None else codes[choose.randrange(len(codes))])


def test_seats_are_clockwise() -> None:
    """H-DEAL-1: seats 0..n-1; left is i+1, play goes clockwise from the leader."""
    game = small_deal("2D 3D", "4D 5D", "2C 6D", "7D 8D", dealer=1, lead="dealer_left")
    assert [int(seat) for seat in game.seats] == [0, 1, 2, 3]
    order = []
    for card in cards("6D 7D 2D 4D"):
        order.append(int(game.turn))
        game.play(card)
    assert order == [2, 3, 0, 1]  # left of dealer 1, then clockwise past seat 3 to seat 0


@pytest.mark.parametrize(("direction", "step"), [("left", 1), ("right", -1)])
def test_left_and_right_neighbours(direction: str, step: int) -> None:
    """H-DEAL-1: the left neighbour of seat i is i+1 mod n, the right neighbour i-1 mod n."""
    game = small_deal(*SMALL, pass_cycle=(direction,), pass_count=1)
    for seat, card in enumerate(cards("3C 5C 7C 9C")):
        game.play(f"pass {card}", seat=seat)
    for seat, card in enumerate(cards("3C 5C 7C 9C")):
        assert card in texts(game.hand((seat + step) % 4))


@pytest.mark.parametrize("players", range(3, 8))
def test_first_dealer_is_the_last_seat(players: int) -> None:
    """H-DEAL-2: `dealer` defaults to seat n-1, so that seat 0 sits to its left."""
    assert herzen.Hearts(herzen.HeartsRules(players=players), seed=1).dealer == players - 1


def test_dealer_is_an_argument_of_the_game() -> None:
    """H-DEAL-2: the first dealer is an argument of the game, not a field of the rules."""
    assert herzen.Hearts(seed=1, dealer=2).dealer == 2
    with pytest.raises(TypeError):
        herzen.HeartsRules(dealer=2)  # type: ignore[call-arg]
    for wrong in (-1, 4):
        with pytest.raises(IndexError):
            herzen.Hearts(dealer=wrong)


def test_the_deal_moves_left() -> None:
    """H-DEAL-2: after every deal the next dealer is the seat to the left."""
    game = small_deal(*SMALL, dealer=2)
    dealers = []
    for _ in range(5):
        dealers.append(game.dealer)
        finish_deal(game)
    assert dealers == [2, 3, 0, 1, 2]


def test_players_with_one_pack() -> None:
    """H-DEAL-3: 4 players by default; 3 to 7 with one pack, any other number is an error."""
    assert herzen.HeartsRules().players == 4
    assert [herzen.HeartsRules(players=n).players for n in range(3, 8)] == [3, 4, 5, 6, 7]
    for wrong in (-1, 0, 1, 2, 8, 11):
        with pytest.raises(herzen.RulesError, match="players"):
            herzen.HeartsRules(players=wrong)


@pytest.mark.parametrize(
    ("players", "removed", "each"),
    [
        (3, "2D", 17),
        (4, "", 13),
        (5, "2C 2D", 10),
        (6, "3C 4C 2D 3D", 8),
        (7, "3C 2D 3D", 7),
    ],
)
def test_removed_by_default(players: int, removed: str, each: int) -> None:
    """H-DEAL-4: the cards removed and the hand size by number of players (row 14: 5 players remove 2D and 2C)."""
    rules = herzen.HeartsRules(players=players)
    assert texts(rules.removed) == cards(removed)
    game = herzen.Hearts(rules, seed=3)
    assert game.hand_sizes == (each,) * players
    dealt = [card for seat in range(players) for card in texts(game.hand(seat))]
    assert in_order(dealt) == [card for card in KINDS if card not in cards(removed)]


def test_given_cards_are_removed_instead() -> None:
    """H-DEAL-5: a given `removed` replaces the default; all cards that are left are dealt."""
    for players, removed, each in ((3, "2C", 17), (5, "2D 2S", 10), (6, "2C 2D 2H 2S", 8)):
        rules = herzen.HeartsRules(players=players, removed=cards(removed))
        assert rules.extras == "remove"
        game = herzen.Hearts(rules, seed=3)
        assert game.hand_sizes == (each,) * players
        assert game.kitty_size == 0
        dealt = {card for seat in range(players) for card in texts(game.hand(seat))}
        assert dealt == set(KINDS) - set(cards(removed))


def test_cards_go_round_from_the_dealers_left() -> None:
    """H-DEAL-6: card k goes to seat dealer+1+k mod n for k < n*h; the cards after that are the kitty."""
    rules = herzen.HeartsRules(players=5, extras="kitty")
    deck = KINDS[::-1]
    game = herzen.Hearts(rules, dealer=1, deals=[deck], seed=1)
    for seat in range(5):
        mine = [card for k, card in enumerate(deck[:50]) if (2 + k) % 5 == seat]
        assert texts(game.hand(seat)) == in_order(mine)
    assert texts(game.log[0].kitty) == in_order(deck[50:])  # type: ignore[attr-defined]


@pytest.mark.parametrize("players", [3, 4, 6])
def test_each_deal_is_a_stream_of_its_own(players: int) -> None:
    """H-DEAL-7: deal d is the deck in canonical order, shuffled with stream (seed, 0, d)."""
    rules = herzen.HeartsRules(players=players)
    deck = [card for card in KINDS if card not in texts(rules.removed)]
    game = herzen.Hearts(rules, seed=2**255 + 12345)
    for _ in range(3):
        finish_deal(game)
    recorded = game.record().deals
    assert len(recorded) == 4
    for number, order in enumerate(recorded):
        assert list(order) == shuffled(2**255 + 12345, number, deck)


def test_moves_do_not_touch_the_next_deal() -> None:
    """H-DEAL-7: no move has an influence on a later deal (row 55: decks of deals 0..9 whoever plays how)."""
    rules = herzen.HeartsRules(max_hands=10, target=1_000_000)
    decks = []
    for choose in (None, random.Random(1), random.Random(2)):
        game = herzen.Hearts(rules, seed="the same")
        while not game.over:
            finish_deal(game, choose)
        decks.append(game.record().deals)
    assert len(decks[0]) == 10
    assert decks[0] == decks[1] == decks[2]


def test_the_clock_is_not_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """H-DEAL-7, row 14: the same seed gives the same deal whatever the time is; other seeds give others."""
    seen = []
    for now in (0.0, 1.0e9):
        monkeypatch.setattr(time, "time", lambda now=now: now)
        monkeypatch.setattr(time, "time_ns", lambda now=now: int(now))
        seen.append(herzen.Hearts(seed=5).fingerprint())
    assert seen[0] == seen[1]
    assert herzen.Hearts(seed=6).hand(0) != herzen.Hearts(seed=5).hand(0)


def test_deals_are_uniform() -> None:
    """H-DEAL-7, row 52: over 10,000 seeds every place of a card is as likely as any other, and two are independent.

    The limits are the 99.99 % points of chi-square with 51 and 15 degrees of freedom.
    """
    places, pairs = Counter[int](), Counter[tuple[int, int]]()
    for seed in range(10_000):
        deck = herzen.Hearts(seed=seed).record().deals[0]
        first, second = deck.index("2C"), deck.index("3C")
        places[first] += 1
        pairs[first % 4, second % 4] += 1
    expected = 10_000 / 52
    assert sum((places[k] - expected) ** 2 / expected for k in range(52)) < 101
    statistic = 0.0
    for a in range(4):
        for b in range(4):
            mean = 10_000 / 4 * (12 / 51 if a == b else 13 / 51)
            statistic += (pairs[a, b] - mean) ** 2 / mean
    assert statistic < 45


def test_explicit_decks_come_first() -> None:
    """H-DEAL-8: explicit decks for the first deals; then the seed goes on with the index of the deal."""
    small = small_deal(*SMALL)
    deck = cards("9C 2C 8C 3C 7C 4C 6C 5C")
    game = herzen.Hearts(small.rules, seed=9, deals=[deck, deck[::-1]])
    assert [texts(game.hand(seat)) for seat in range(4)] == [
        ["7C", "9C"],
        ["2C", "4C"],
        ["6C", "8C"],
        ["3C", "5C"],
    ]
    finish_deal(game)
    assert game.dealer == 0
    # top first from seat 1: 5C 6C 4C 7C, then 3C 8C 2C 9C
    assert [texts(game.hand(seat)) for seat in range(4)] == [
        ["7C", "9C"],
        ["3C", "5C"],
        ["6C", "8C"],
        ["2C", "4C"],
    ]
    finish_deal(game)
    assert list(game.record().deals[2]) == shuffled(9, 2, in_order(deck))


@pytest.mark.parametrize(
    "deck",
    [
        KINDS[:51],
        [*KINDS, "2C"],
        [*KINDS[:51], "2C"],
        [*KINDS[:51], "1S"],
        [],
    ],
    ids=["too few", "too many", "doubled", "unknown", "empty"],
)
def test_wrong_explicit_decks(deck: list[str]) -> None:
    """H-DEAL-8: an explicit deck holds exactly the cards in play; anything else is a SetupError."""
    with pytest.raises(herzen.SetupError):
        herzen.Hearts(deals=[deck])


def test_removed_cards_are_not_in_explicit_decks() -> None:
    """H-DEAL-8: a removed card is not in play."""
    rules = herzen.HeartsRules(players=3)
    right = [card for card in KINDS if card != "2D"]
    assert herzen.Hearts(rules, deals=[right]).hand_sizes == (17, 17, 17)
    with pytest.raises(herzen.SetupError, match="2D"):
        herzen.Hearts(rules, deals=[["2D", *right[1:]]])


def test_copies_in_explicit_decks() -> None:
    """H-DEAL-8: with two packs the m-th mention of a card is its copy m; a third is one too many."""
    rules = herzen.HeartsRules(decks=2)
    deck = KINDS[::-1] * 2
    game = herzen.Hearts(rules, deals=[deck], seed=1)
    assert list(game.record().deals[0]) == deck
    with pytest.raises(herzen.SetupError, match="so often"):
        herzen.Hearts(rules, deals=[[*deck[:-1], "AS"]])
    one_gone = herzen.HeartsRules(decks=2, removed=["2C"])
    assert herzen.Hearts(one_gone, deals=[deck[:-1]]).kitty_size == 7
    with pytest.raises(herzen.SetupError, match="2C"):
        herzen.Hearts(one_gone, deals=[[*deck[:-2], "2C", "2C"]])


def test_from_hands_is_the_deal_before_passing() -> None:
    """H-DEAL-6: `from_hands` gives each seat its hand for any dealer, the rest is the kitty."""
    hands = [KINDS[17 * seat : 17 * seat + 17] for seat in range(3)]
    rules = herzen.HeartsRules(players=3, extras="kitty")
    for dealer in range(3):
        game = herzen.Hearts.from_hands(hands, rules, rest=["AS"], dealer=dealer, seed=1)
        assert [texts(game.hand(seat)) for seat in range(3)] == hands
        assert game.phase == "pass"
        assert texts(game.log[0].kitty) == ["AS"]  # type: ignore[attr-defined]
        assert list(game.record().deals[0])[:3] == [
            hands[(dealer + 1 + k) % 3][0] for k in range(3)
        ]


def test_a_dealt_hand_can_be_played() -> None:
    """H-DEAL-6, row 16: the deal is playable to the end and every card comes to the table once."""
    game = herzen.Hearts(herzen.HeartsRules(pass_cycle=()), seed=11)
    finish_deal(game)
    played = [str(move) for move in game.moves if str(move) in KINDS]
    assert sorted(played) == sorted(KINDS)


def test_winner_and_hands_of_a_small_deal() -> None:
    """H-DEAL-6: the small deals of these tests hold what they say."""
    game = small_deal(*SMALL)
    assert [texts(game.hand(seat)) for seat in range(4)] == [cards(hand) for hand in SMALL]
    assert legal(game) == ["2C"]
    assert winner_of(play(game, "2C 4C 6C 8C")) == 3
