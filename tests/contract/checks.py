"""What the contract tests do again and again: walk at random, compare with a twin, look."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import herzen
from herzen.events import plain
from tests.contract.adapter import Adapter
from tests.contract.games import GAMES
from tests.tiers import scale

# Long tests run in parts, each with its own seed, so that several processes can share them.
parts = pytest.mark.parametrize("part", range(scale(quick=1, ci=2, full=40)))

# Every contract test runs once for each game.
every_game = pytest.mark.parametrize("case", GAMES, ids=str)

LEFT_TO_THE_ENGINE = ("events", "version")  # the twin has neither


def view_fields(view: herzen.View) -> dict[str, Any]:
    """A view as JSON, without `events` and `version`, which the twin does not have."""
    return {
        name: view.rules.to_dict() if name == "rules" else plain(getattr(view, name))
        for name in view._readers
        if name not in LEFT_TO_THE_ENGINE
    }


def assert_same(game: herzen.Game, twin: Any, viewers: list[int | None]) -> None:
    """The engine and the twin stand at the same position and show the same to these viewers.

    The views hold the viewers' legal moves.
    """
    assert game.over == twin.over
    assert game.phase == twin.phase
    assert [int(seat) for seat in game.to_move] == list(twin.to_move)
    assert game.turn == twin.turn if twin.turn is not None else game.turn is None
    assert list(game.scores) == list(twin.scores)
    assert list(game.points) == list(twin.points)
    assert [int(seat) for seat in game.winners] == list(twin.winners)
    assert (game.ply, game.dealer, game.deal_number) == (twin.ply, twin.dealer, twin.deal_number)
    for seat in range(twin.n):
        assert [str(card) for card in game.hand(seat)] == list(twin.hands[seat])
        assert bool(game.codes(seat)) == (seat in twin.to_move)
    bare = game.copy(history=False)  # without events, which are slow to show
    for viewer in viewers:
        assert view_fields(bare.view(viewer)) == twin.view(viewer)


def all_viewers(game: herzen.Game) -> list[int | None]:
    """Every seat, and the spectator."""
    return [*range(game.players), None]


def step(game: herzen.Game, rng: random.Random) -> tuple[int, tuple[herzen.Event, ...]]:
    """One random legal move of a random seat that may act: (the seat, the events)."""
    seat = int(rng.choice(game.to_move))
    codes = game.codes(seat)
    return seat, game.play(codes[rng.randrange(len(codes))], seat=seat)


def step_by_kind(game: herzen.Game, rng: random.Random) -> None:
    """One random legal move: first its kind (the first word), since of some there are many, then one of these."""
    seat = int(rng.choice(game.to_move))
    moves = game.legal_moves(seat)
    kind = rng.choice(sorted({str(move).split()[0] for move in moves}))
    game.play(rng.choice([move for move in moves if str(move).split()[0] == kind]), seat=seat)


def walk(
    case: Adapter, plies: int, seed: int, every: int = 1, by_kind: bool = False
) -> Iterator[tuple[random.Random, herzen.Game]]:
    """Positions of random matches under random rules, about `plies` of them, the ends included.

    The game goes on by one random move after each; it may be played on in between, if the moves
    are taken back. `every`: yield only one position in so many, but beginnings and ends more often. `by_kind`: step
    as `step_by_kind` does, which comes to rare phases sooner.
    """
    rng = random.Random(seed)
    while plies > 0:
        game = case.new(case.random_rules(rng), rng.getrandbits(256))
        while True:
            plies -= 1
            edge = game.over or game.ply == 0
            if every == 1 or rng.random() < (min(1.0, 4 / every) if edge else 1 / every):
                yield rng, game
            if game.over or plies <= 0:
                break
            if by_kind:
                step_by_kind(game, rng)
            else:
                step(game, rng)


def some_position(case: Adapter, rng: random.Random, most: int = 200) -> herzen.Game:
    """A game under random rules after a random number of random moves."""
    game = case.new(case.random_rules(rng), rng.getrandbits(256))
    for _ in range(rng.randrange(most)):
        if game.over:
            break
        step(game, rng)
    return game


def shown(game: herzen.Game, viewer: int | None, *, whole: bool = True) -> dict[str, Any]:
    """Everything that a viewer gets to see of a game, to the byte.

    whole: also what follows from the JSON (pickle, fingerprint), and the events of earlier deals,
    for which the match has to be told again.
    """
    view = game.view(viewer)
    answers: dict[str, Any] = {
        "json": view.dumps(),
        "repr": repr(view),
        "str": str(view),
        "hash": hash(view),
        "game": repr(game),
    }
    if whole:
        answers["pickle"] = pickle.dumps(view)
        answers["fingerprint"] = view.fingerprint()
        answers["event objects"] = pickle.dumps(view.events)
        answers["events"] = [event.to_dict() for event in game.events(viewer)]
        answers["late events"] = repr(game.events(viewer, since=view.ply // 2))
    return answers


def error_of(call: Callable[[], object]) -> herzen.HerzenError | None:
    """The error of herzen that a call raises; None if it raises none. Others come through."""
    try:
        call()
    except herzen.HerzenError as error:
        return error
    return None


def refusals(game: herzen.Game, viewer: int | None, texts: list[str]) -> list[tuple[Any, ...]]:
    """The answers that a viewer gets to these moves, its own and those of seats not to move.

    Legal moves are left out of the second part: the answer to a seat that may act is its own.
    """
    seats = [seat for seat in range(game.players) if seat not in game.to_move]
    if viewer is not None and viewer not in seats:
        seats.append(viewer)
    answers: list[tuple[Any, ...]] = []
    for seat in seats:
        for text in texts if seat == viewer else texts[:4]:
            why = game.why_illegal(text, seat)
            if why is None:
                answers.append((seat, text, "legal"))
                continue
            try:
                game.play(text, seat=seat)
            except herzen.IllegalMove as error:
                answers.append((seat, text, why, error.code, str(error), pickle.dumps(error)))
    return answers
