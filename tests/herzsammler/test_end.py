"""S-END: how a game and a match end."""

from __future__ import annotations

import pytest

import herzen
from herzen.herzsammler import Herzsammler, HerzsammlerRules
from herzen.simulation import play_randomly
from tests.herzsammler.table import found, kinds, legal, middle, refused, small, texts

# Six open cards: the first few match the R cards of seat 0 (object a), the others nothing.
OPEN = ["G1ac", "G2ad", "G3ae", "G4af", "G5am", "G6an"]
QUIET = ["G1op", "G2op", "G3op", "G4op", "G5op", "G6op"]


def last_turns(matching: int, stack: str, **fields: object) -> Herzsammler:
    """Seat 0 to show R1ab, which takes so many open cards. The stack's first card is drawn already."""
    lying = OPEN[:matching] + QUIET[matching:]
    return small("R1ab R2ab", "B1gh B2gh", open=" ".join(lying), stack=stack, **fields)


@pytest.mark.parametrize(
    ("matching", "stack", "left_open"),
    [
        (3, "Y1kl Y2kl", 5),  # the fill falls short
        (2, "Y1kl Y2kl", 6),  # the fill takes the last card
        (1, "Y1kl", 6),  # the last card was drawn, a single card is taken
    ],
)
def test_empty(matching: int, stack: str, left_open: int) -> None:
    """S-END-1: the game ends after a turn if the stack is then empty, in all three ways."""
    game = last_turns(matching, stack)
    events = game.play("show R1ab")
    assert game.over
    assert found(events, "GameScored").reason == "empty"
    assert kinds(events)[-2:] == ["GameScored", "GameEnded"]
    assert (len(game.open), game.stack_size) == (left_open, 0)


def test_not_empty_yet() -> None:
    """S-END-1: with one card left the game goes on."""
    game = last_turns(2, "Y1kl Y2kl Y3kl")
    game.play("show R1ab")
    assert not game.over
    assert (game.turn, game.stack_size) == (1, 0)  # drawn by seat 1


@pytest.mark.parametrize(
    ("matching", "stack", "ends"),
    [(3, "Y1kl Y2kl", True), (2, "Y1kl Y2kl", False), (1, "Y1kl", False)],
)
def test_short(matching: int, stack: str, ends: bool) -> None:
    """S-END-2: only a fill that falls short ends the game; one of no cards, or of exactly the last, does not."""
    game = last_turns(matching, stack, end="short")
    events = game.play("show R1ab")
    assert game.over is ends
    if ends:
        assert found(events, "GameScored").reason == "short"
        assert len(game.open) == 5
    else:
        assert "Drawn" not in kinds(events)
        assert (game.turn, game.hand_sizes, len(game.open)) == (1, (2, 2), 6)
        assert legal(game) == ["show B1gh", "show B2gh"]  # no card drawn, two to choose from


def test_short_after_a_miss_there_is_a_stack_again() -> None:
    """S-END-2, S-MISS-4: with an empty stack a miss makes a stack, and the next seat draws."""
    game = last_turns(1, "Y1kl", end="short")
    game.play("show R1ab")
    events = game.play("show B1gh")
    drawn = found(events, "Drawn")
    assert (drawn.seat, str(drawn.card), drawn.known) == (0, "B1gh", True)
    assert game.hand_sizes == (3, 1)


def test_no_card() -> None:
    """S-END-3: under "short" a seat to move without a card and without a stack ends it, whatever others hold."""
    rules = HerzsammlerRules(players=3, end="short")
    game = middle(
        "R3af", "", "R4bj R4fg", open="RHah Y3bg YHci G3cd B1ij BHdh", stack="", rules=rules
    )
    events = game.play("show R3af")
    assert found(events, "GameScored").reason == "no_card"
    assert game.over
    assert game.hand_sizes == (0, 0, 2)


def test_no_card_is_no_end_with_a_stack() -> None:
    """S-END-3: after a miss the seat without a card draws it, and the game goes on."""
    rules = HerzsammlerRules(players=3, end="short")
    game = middle(
        "R3af", "", "R4bj R4fg", open="RHhi Y3bg YHci G3cd B1ij BHdh", stack="", rules=rules
    )
    game.play("show R3af")
    assert not game.over
    assert texts(game.hand(1)) == ["R3af"]


@pytest.mark.parametrize("limit", [1, 2, 7, 30])
def test_row_47_stalled(limit: int) -> None:
    """S-END-4, row 47: so many misses in a row end the game; the last card lies under the stack; it is scored."""
    fields = {} if limit == 30 else {"stall_limit": limit}
    game = small("R1ab R2ab", "B1gh B2gh", open=" ".join(QUIET), stack="Y1kl Y2kl", **fields)
    for miss in range(1, limit + 1):
        assert not game.over
        shown = game.legal_moves()[0].card
        events = game.play(game.codes()[0])
        assert found(events, "Missed").misses == miss == game.misses
    assert game.over
    assert found(events, "GameScored").reason == "stalled"
    assert kinds(events) == ["Shown", "Missed", "GameScored", "GameEnded"]  # nothing is drawn
    assert game.bottom[-1] is shown
    assert game.stack_size == 2
    assert game.scores == (0, 0)


def test_a_taking_resets_the_misses() -> None:
    """S-END-5: the count runs over all seats, and any taking sets it to 0."""
    game = small(
        "R1ab R2ab",
        "B1gh B2ac",
        open=" ".join([*QUIET[:5], "G7cd"]),
        stack="Y1kl Y2kl Y3kl Y4kl",
        stall_limit=3,
    )
    game.play("show R1ab")
    assert game.misses == 1
    game.play("show B1gh")
    assert game.misses == 2
    other = game.copy()
    other.play("show R2ab")
    assert other.over
    game.undo()
    game.play("show B2ac")
    assert game.misses == 0
    assert texts(game.collections[1]) == ["G7cd"]


def test_every_game_starts_at_no_miss() -> None:
    """S-END-5: a game that ended stalled leaves no miss to the next."""
    rules = HerzsammlerRules(games=2, stall_limit=1, deck=HerzsammlerRules().deck)
    game = Herzsammler(rules, seed=1)
    while game.deal_number == 0:
        before = game.misses
        game.play_forced() or game.play(game.codes()[-1])
        assert before == 0
    assert game.misses == 0
    assert game.bottom == ()


def test_cards_left_count_for_nobody() -> None:
    """S-END-6: hands, open cards and the stack count for nobody: the points are those of the collections."""
    for seed in range(20):
        game = Herzsammler(HerzsammlerRules(players=3), seed=seed)
        play_randomly(game)
        sheet = herzen.MajorityScorer(game.rules).score(game.collections)
        assert sheet.totals == game.scores == game.points
        assert any(game.hand(seat) for seat in range(3))
        assert game.open


def test_no_numeral_in_hand_is_scored() -> None:
    """S-END-6: a last capture without numerals leaves all at 0, whatever lies in hands and on the table."""
    game = last_turns(1, "Y1kl")
    game.play("show R1ab")
    assert texts(game.collections[0]) == ["G1ac"]
    assert game.scores == (1, 0)  # tied at no hearts: the 1 of green, none of R2ab, Y1kl, G2op


@pytest.mark.parametrize("games", [1, 2, 5])
def test_games(games: int) -> None:
    """S-END-7: the match ends after so many games; totals are added."""
    game = Herzsammler(HerzsammlerRules(games=games), seed=4)
    play_randomly(game)
    sheets = [event for event in game.log if type(event).__name__ == "GameScored"]
    assert len(sheets) == games
    assert game.deal_number == games - 1
    for seat in range(2):
        assert sum(event.points[seat] for event in sheets) == game.scores[seat]
    assert sheets[-1].scores == game.scores
    for wrong in (0, 10_001):
        with pytest.raises(herzen.RulesError, match="games"):
            HerzsammlerRules(games=wrong)


def test_the_last_move_of_a_game_deals_the_next() -> None:
    """S-END-8: the move that ends a game scores it and deals the next; after the last nobody may move."""
    stack = "Y1kl"
    game = small(
        "R1ab R2ab", "B1gh B2gh", open=" ".join([OPEN[0], *QUIET[1:]]), stack=stack, games=2
    )
    events = game.play("show R1ab")
    assert kinds(events) == ["Shown", "Taken", "GameScored", "Dealt", "Drawn"]
    assert [event.deal for event in events] == [0, 0, 0, 1, 1]
    assert (game.deal_number, game.scores, game.dealer, game.turn) == (1, (1, 0), 0, 1)
    assert game.collections == ((), ())
    assert game.last_deal is not None
    assert game.last_deal.totals == (1, 0)
    while not game.over:
        game.play(game.codes()[0])
    assert (game.turn, game.to_move, game.phase) == (None, (), "over")
    assert game.legal_moves() == game.legal_moves(0) == ()
    assert game.winners
    refused(game, "show R1ab", "game_over", seat=0)
    game.undo()
    assert (game.over, game.winners) == (False, ())


def test_a_move_that_ends_a_game_can_be_taken_back() -> None:
    """S-END-8: undo goes back over a game's end, and the next game comes back the same."""
    game = Herzsammler(HerzsammlerRules(games=2), seed=6)
    while game.deal_number == 0:
        mark = game.fingerprint()
        move = game.legal_moves()[0]
        game.play(move)
    after = game.fingerprint()
    assert game.undo() == move
    assert (game.fingerprint(), game.deal_number) == (mark, 0)
    game.play(move)
    assert game.fingerprint() == after
