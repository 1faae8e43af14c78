"""The rules of the kitty, H-KITTY."""

from __future__ import annotations

import pytest

import herzen
from tests.hearts.table import KINDS, cards, found, kinds, legal, play, small_deal, texts


@pytest.mark.parametrize(
    ("players", "each", "kitty"), [(3, 17, 1), (4, 13, 0), (5, 10, 2), (6, 8, 4), (7, 7, 3)]
)
def test_kitty_sizes(players: int, each: int, kitty: int) -> None:
    """H-KITTY-1: nothing is removed, h = 52 // n, the rest is the kitty; none where the deck divides."""
    rules = herzen.HeartsRules(players=players, extras="kitty")
    assert rules.removed == ()
    game = herzen.Hearts(rules, seed=4)
    assert game.hand_sizes == (each,) * players
    assert game.kitty_size == kitty
    held = [card for seat in range(players) for card in texts(game.hand(seat))]
    held += texts(game.log[0].kitty)  # type: ignore[attr-defined]
    assert sorted(held) == sorted(KINDS)


def test_given_cards_are_removed_before_the_kitty() -> None:
    """H-KITTY-1: given cards are removed first; h is counted from what is left."""
    rules = herzen.HeartsRules(players=4, extras="kitty", removed=["2D", "2C"])
    game = herzen.Hearts(rules, seed=4)
    assert game.hand_sizes == (12, 12, 12, 12)
    assert game.kitty_size == 2
    divides = herzen.HeartsRules(players=5, extras="kitty", removed=["2D", "2C"])
    assert herzen.Hearts(divides, seed=4).kitty_size == 0


HANDS = ("2C 9D AD", "3C 3D 2S", "4C 5D KD")
# Trick 1: 2C 3C 4C, seat 2 wins. Trick 2: 5D 9D 3D, seat 0 wins. Trick 3: AD 2S KD, seat 0 wins.


def test_first_trick_takes_the_kitty() -> None:
    """H-KITTY-2: by default the winner of trick 1 captures the kitty, as soon as it is won."""
    game = small_deal(*HANDS, kitty="7D")
    assert game.rules.kitty_to == "first_trick"
    assert "KittyTaken" not in kinds(play(game, "2C 3C"))
    taken = found(play(game, "4C"), "KittyTaken")
    assert (taken.seat, texts(taken.cards)) == (2, ["7D"])


def test_last_trick_takes_the_kitty() -> None:
    """H-KITTY-2: kitty_to="last_trick": the winner of the last trick captures it."""
    game = small_deal(*HANDS, kitty="7D", kitty_to="last_trick")
    assert "KittyTaken" not in kinds(play(game, "2C 3C 4C 5D 9D 3D AD 2S"))
    assert found(play(game, "KD"), "KittyTaken").seat == 0


def test_first_points_take_the_kitty() -> None:
    """H-KITTY-3: kitty_to="first_points": the kitty goes with the first captured trick that holds a penalty card."""
    game = small_deal("2C 9D AD", "3C 3D 2H", "4C 5D KD", kitty="7D", kitty_to="first_points")
    assert "KittyTaken" not in kinds(play(game, "2C 3C 4C 5D 9D 3D AD 2H"))
    assert found(play(game, "KD"), "KittyTaken").seat == 0
    game = small_deal("2C 9D AD", "3C 2H 2S", "4C 5D KD", kitty="7D", kitty_to="first_points")
    assert found(play(game, "2C 3C 4C KD 9D 2H"), "KittyTaken").seat == 2


def test_penalties_in_the_kitty_do_not_take_it() -> None:
    """H-KITTY-3: penalty cards in the kitty itself do not count; without any, the last trick's winner takes it."""
    game = small_deal(*HANDS, kitty="7H", kitty_to="first_points")
    assert "KittyTaken" not in kinds(play(game, "2C 3C 4C 5D 9D 3D AD 2S"))
    assert found(play(game, "KD"), "KittyTaken").seat == 0


def test_bonus_cards_do_not_take_the_kitty() -> None:
    """H-KITTY-3: a bonus card is no penalty card, an extra penalty is one."""
    fields = {"kitty": "7D", "kitty_to": "first_points", "moon": "off"}
    bonus = small_deal("2C JD AD", "3C 3D 2H", "4C 5D KD", bonus={"JD": -10}, **fields)
    assert "KittyTaken" not in kinds(play(bonus, "2C 3C 4C 5D JD 3D"))
    extra = small_deal("2C JD AD", "3C 3D 2H", "4C 5D KD", extra_penalties={"JD": 10}, **fields)
    assert found(play(extra, "2C 3C 4C 5D JD 3D"), "KittyTaken").seat == 0


def test_held_over_tricks_count_with_the_trick_that_takes_them() -> None:
    """H-KITTY-3: tricks held over count as one with the trick that takes them."""
    # Trick 1: all cancelled but a heart, thrown by seat 4, held over. Trick 2 has no penalty card, but takes it.
    game = small_deal(
        "2C 3D",
        "2C 4D",
        "5C 5D",
        "5C 6D",
        "2H 7D",
        kitty="8D",
        decks=2,
        kitty_to="first_points",
        first_trick_points="allow",
        lead="dealer_left",
    )
    assert "KittyTaken" not in kinds(play(game, "2C 2C 5C 5C 2H"))
    assert game.tricks[0][2] is None
    taken = found(play(game, "3D 4D 5D 6D 7D"), "KittyTaken")
    assert taken.seat == 4


def test_kitty_cards_score() -> None:
    """H-KITTY-4: kitty cards count as captured: their points are the taker's."""
    game = small_deal("2C 9D AD", "3C 3D 2H", "4C 5D KD", kitty="7H", max_hands=1)
    play(game, "2C 3C 4C KD 9D 3D 5D AD 2H")
    assert game.over
    assert game.scores == (1, 0, 1)  # 2H in trick 3 to seat 0, 7H from the kitty to seat 2


def test_kitty_counts_for_the_moon() -> None:
    """H-KITTY-4: kitty cards count for the moon, also for the seat that lacks just them."""
    game = small_deal(
        "2C 9D AD",
        "3C 3D 2H",
        "4C 5D KD",
        kitty="7H",
        kitty_to="last_trick",
        moon="add",
        max_hands=1,
    )
    play(game, "2C 3C 4C KD 9D 3D 5D AD 2H")
    assert game.scores == (0, 2, 2)


def test_kitty_never_enters_a_hand_and_never_breaks() -> None:
    """H-KITTY-4: kitty cards never enter a hand and do not break hearts."""
    game = small_deal("2C 9D AH", "3C 3D 2S", "4C 5D KH", kitty="QS")
    events = play(game, "2C 3C 4C")
    assert found(events, "KittyTaken").seat == 2
    assert texts(game.hand(2)) == cards("5D KH")
    assert not game.hearts_broken
    assert legal(game) == ["5D"]
