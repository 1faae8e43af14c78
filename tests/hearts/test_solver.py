"""herzen.hearts.solve against trying every move, without pruning and with everything told apart."""

from __future__ import annotations

import random
import threading
from typing import Any

import pytest

import herzen
from herzen.hearts import Solution, solve
from tests.hearts.table import legal, middle, moon_shot, small_deal, texts, without
from tests.hearts.worlds import small_fields
from tests.reference.hearts_options import random_rules
from tests.tiers import scale

Memo = dict[Any, Any]


def state_of(game: herzen.Hearts) -> Any:
    """All that a value may depend on, and more: nothing is compressed."""
    hands = tuple(tuple(map(str, game.hand(seat))) for seat in range(game.players))
    return hands, game.trick, game.tricks, game._turn, game.hearts_broken


def finished(game: herzen.Hearts, deal: int) -> tuple[int, ...] | None:
    """The points of the deal once it is over."""
    if game.over or game.deal_number != deal:
        assert game.last_deal is not None
        return game.last_deal.totals
    return None


def after(game: herzen.Hearts, code: int) -> herzen.Hearts:
    """The game after this move."""
    copied = game.copy(history=False)
    copied.play_code(code)
    return copied


def paranoid(game: herzen.Hearts, seat: int, deal: int, memo: Memo) -> int:
    """The seat's points where it plays for few and all others for many."""
    points = finished(game, deal)
    if points is not None:
        return points[seat]
    key = state_of(game)
    if key not in memo:
        # A shooter's choice is its own, as is every move of the seat itself.
        values = [paranoid(after(game, code), seat, deal, memo) for code in game.codes()]
        memo[key] = min(values) if game._turn == seat else max(values)
    value: int = memo[key]
    return value


def every_seat(game: herzen.Hearts, deal: int, memo: Memo) -> tuple[int, ...]:
    """Every seat for itself, of equal moves the lowest code."""
    points = finished(game, deal)
    if points is not None:
        return points
    key = state_of(game)
    if key not in memo:
        turn = game._turn
        results = [every_seat(after(game, code), deal, memo) for code in game.codes()]
        memo[key] = min(results, key=lambda some: some[turn])
    best: tuple[int, ...] = memo[key]
    return best


def endings(rng: random.Random, most: int) -> herzen.Hearts:
    """A position of a random match with hands of at most so many cards, in phase play or moon."""
    while True:
        fields = rng.choice([small_fields, random_rules, lambda rng: {}])(rng)
        game = herzen.Hearts(herzen.HeartsRules(**fields), seed=rng.getrandbits(64))
        left = rng.randrange(1, most + 1)
        while not game.over and (game.phase == "pass" or max(game.hand_sizes) > left):
            codes = game.codes()
            game.play_code(codes[rng.randrange(len(codes))])
        if game.over:
            continue
        for _ in range(rng.randrange(game.players)):
            codes = game.codes()
            if max(game.hand_sizes) > 1:
                game.play_code(codes[rng.randrange(len(codes))])
        if game.phase in ("play", "moon") and max(game.hand_sizes) <= most:
            if game.players > 5 and max(game.hand_sizes) > 2:
                continue  # trying everything would take too long
            return game


def check(game: herzen.Hearts) -> None:
    """Both methods, values and moves."""
    deal, turn = game.deal_number, game._turn
    found = solve(game)
    alone = solve(game, moves=False)
    assert (alone.values, alone.moves) == (found.values, ())
    memo: Memo = {}
    assert found.value == paranoid(game, turn, deal, memo)
    assert texts(found.moves) == [
        str(move)
        for move in game.legal_moves()
        if paranoid(after(game, move.code), turn, deal, memo) == found.value
    ]
    other = (turn + 1) % game.players
    assert solve(game, seat=other).value == paranoid(game, other, deal, {})
    assert solve(game, seat=other).moves == ()
    memo = {}
    both = solve(game, method="max-n")
    assert both.values == every_seat(game, deal, memo)
    alone = solve(game, method="max-n", moves=False)
    assert (alone.values, alone.moves) == (both.values, ())
    assert texts(both.moves) == [
        str(move)
        for move in game.legal_moves()
        if every_seat(after(game, move.code), deal, memo)[turn] == both.values[turn]
    ]


def test_against_trying_everything() -> None:
    """Random endings under random options; 1,000 with up to four cards each in the full tier."""
    rng = random.Random(1)
    for _ in range(scale(quick=30, ci=45, full=1000)):
        check(endings(rng, scale(quick=2, ci=3, full=4)))


def test_default_endings_with_a_moon_in_sight() -> None:
    """One pack, default options, three cards each, one seat holding all that was captured."""
    rng = random.Random(2)
    for _ in range(scale(quick=4, ci=6, full=300)):
        plain = [card for card in legal(middle("2C", "3C", "4C", "5C")) if card]
        deck = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]
        rng.shuffle(deck)
        hands = [deck[3 * seat : 3 * seat + 3] for seat in range(4)]
        assert plain
        taken = [deck[12:], [], [], []]
        rng.shuffle(taken)
        game = herzen.Hearts.setup(
            hands=hands, turn=rng.randrange(4), taken=taken, hearts_broken=True, seed=1
        )
        check(game)


def test_what_a_shooter_does_can_depend_on_bonus_cards() -> None:
    """moon="auto": whether the match would end with the shooter ahead depends on who holds the bonus card."""
    hands = [["TC", "3H", "JD"], ["4C", "2H", "AS"], ["AD", "KH", "2D"]]
    rest = without(*hands, ["2C"])
    game = herzen.Hearts.setup(
        rules=herzen.HeartsRules(
            players=3, removed=["2C"], moon="auto", bonus={"JD": -10}, target=60
        ),
        hands=hands,
        turn=2,
        taken=[[], [], rest],
        hearts_broken=True,
        scores=[54, 29, 57],
        seed=1,
    )
    check(game)


def test_two_searches_agree() -> None:
    """Five and six cards each: the search for all options finds what that for penalty cards alone finds.

    Where several seats have taken tricks sun="double" changes no points, but takes the search for all options.
    """
    rng = random.Random(3)
    nodes = other_nodes = 0
    for _ in range(scale(quick=5, ci=14, full=400)):
        seed, left = rng.getrandbits(64), rng.choice((5, 6))
        games = [herzen.Hearts(herzen.HeartsRules(sun=sun), seed=seed) for sun in ("off", "double")]
        while games[0].phase == "pass" or max(games[0].hand_sizes) > left:
            codes = games[0].codes()
            code = codes[rng.randrange(len(codes))]
            for game in games:
                game.play_code(code)
        assert len({winner for _, _, winner in games[0].tricks}) > 1
        for _ in range(rng.randrange(4)):
            code = min(games[0].codes())
            for game in games:
                game.play_code(code)
        one, other = map(solve, games)
        assert (one.values, one.moves) == (other.values, other.moves)
        nodes += one.nodes
        other_nodes += other.nodes
        seat = (one.seat + 1) % 4
        assert solve(games[0], seat=seat).values == solve(games[1], seat=seat).values
    assert nodes < other_nodes


@pytest.mark.parametrize("sun", ["off", "double"])
def test_cards_that_a_captured_one_parted(sun: str) -> None:
    """10 and K of spades are equals once J and Q are gone, but what one proves need not hold for the other."""
    hands = ["KC 2H 4H 8H", "5H 7H 9H 7S AS", "6H 4S 8S 9S", "QH 3S TS KS"]
    trick = [(2, "JH"), (3, "KH"), (0, "TH")]
    rest = without(*hands, [card for _, card in trick])
    taken: list[list[str]] = [[], [], rest[:-1], rest[-1:]]
    game = herzen.Hearts.setup(
        rules=herzen.HeartsRules(sun=sun),
        hands=[hand.split() for hand in hands],
        turn=1,
        trick=trick,
        taken=taken,
        hearts_broken=True,
    )
    points = game.points
    assert [solve(game, seat=seat).value - points[seat] for seat in range(4)] == [0, 3, 2, 9]


def test_a_position_by_hand() -> None:
    """Seat 0 leads the low club and loses no trick to Q♠, or the ace and takes it."""
    game = middle("2C AC", "KC QS", "3C 4S", "5C 6S", broken=True)
    before = game.points[0]
    found = solve(game)
    assert texts(found.moves) == ["2C"]
    assert found.value == before
    assert isinstance(found, Solution)
    assert "moves=[2C]" in repr(found)
    assert found.nodes > 0


def test_the_moon_phase() -> None:
    """The shooter takes what is better for it."""
    game = moon_shot()
    assert game.phase == "moon"
    found = solve(game)
    assert (found.value, texts(found.moves)) == (-26, ["moon subtract"])
    assert solve(game, seat=1).value == 26
    assert solve(game, method="max-n").values == (-26, 0, 0, 0)


def test_what_cannot_be_solved() -> None:
    game = herzen.Hearts(seed=1)
    with pytest.raises(herzen.HerzenError, match="passed") as caught:
        solve(game)
    assert caught.value.code == "wrong_phase"
    with pytest.raises(ValueError, match="method"):
        solve(game, method="magic")
    with pytest.raises(IndexError):
        solve(small_deal("2C", "3C", "4C"), seat=3)
    over = small_deal("2C", "3C", "4C", max_hands=1, queen_points=0, moon="off")
    for card in ("2C", "3C", "4C"):
        over.play(card)
    with pytest.raises(herzen.GameOver):
        solve(over)


def test_solving_changes_nothing() -> None:
    game = middle("2C AC", "KC QS", "3C 4S", "5C 6S", broken=True)
    before = game.fingerprint(), game.version
    solve(game)
    solve(game, method="max-n")
    assert (game.fingerprint(), game.version) == before


def test_a_game_that_another_thread_plays_is_solved_as_it_stood() -> None:
    """The search lets other threads run; what it looks at is a copy."""
    rng = random.Random(8)
    for number in range(scale(quick=3, ci=8, full=200)):
        game = herzen.Hearts(herzen.HeartsRules(pass_cycle=()), seed=number)
        stood = []
        while max(game.hand_sizes) > 7:
            game.play_code(rng.choice(game.codes()))
            if max(game.hand_sizes) < 9:  # the search takes long enough to meet the other thread
                stood.append(game.copy(history=False))
        steps = [move.code for move in game.moves[1 - len(stood) :]]
        expected = [(one.values, one.nodes) for one in map(solve, stood)]
        ended = threading.Event()

        def play(
            game: herzen.Hearts = game,
            steps: list[int] = steps,
            ended: threading.Event = ended,
        ) -> None:
            while not ended.is_set():
                for _ in steps:
                    game.undo()
                for code in steps:
                    game.play_code(code)

        player = threading.Thread(target=play)
        player.start()
        try:
            for _ in range(20):
                found = solve(game)
                assert (found.values, found.nodes) in expected
        finally:
            ended.set()
            player.join()
