"""What holds at every position of every game: the checks of test_invariants.py, each of one position or match."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import herzen
from tests.contract.adapter import Adapter
from tests.contract.checks import all_viewers, error_of, step


def rebuilt(game: herzen.Game) -> herzen.Game:
    """The position from its setup text."""
    other: herzen.Game = eval(game.to_setup(), {"herzen": herzen})
    return other


def _without_version(event: herzen.Event) -> dict[str, Any]:
    return {key: value for key, value in event.to_dict().items() if key != "version"}


COPIES = {
    "copy": lambda game: game.copy(),
    "copy.copy": copy.copy,
    "copy.deepcopy": copy.deepcopy,
    "pickle": lambda game: pickle.loads(pickle.dumps(game)),
    "old pickle": lambda game: pickle.loads(pickle.dumps(game, protocol=2)),
}


def _leave_alone(kept: herzen.Game, changed: herzen.Game, rng: random.Random) -> None:
    """Change one game; the other stays as it is."""
    before, version, moves = kept.fingerprint(), kept.version, kept.moves
    for _ in range(rng.randrange(1, 5)):
        if changed.over or (rng.random() < 0.3 and changed.moves):
            changed.undo()
        else:
            step(changed, rng)
    assert (kept.fingerprint(), kept.version, kept.moves) == (before, version, moves)


def _without_index(event: herzen.Event) -> dict[str, Any]:
    return {key: value for key, value in event.to_dict().items() if key != "index"}


def odd_codes(rng: random.Random, legal: list[int]) -> Iterator[int]:
    """Codes that are mostly illegal: neighbours, all sizes, and parts of legal ones."""
    yield from (-1, -(2**63), 2**31, 2**62, 2**63 - 1, 2**63, 2**64, 2**200, -(2**200), 10**40)
    yield from (rng.randrange(300), rng.getrandbits(40), rng.getrandbits(62))
    for code in rng.sample(legal, min(4, len(legal))):
        yield from (code + 1, code - 1, code << 8, code >> 8, code | 1 << 32, -code, code ^ 0x80)


def stands_for_a_listed_move(case: Adapter, game: herzen.Game, code: int, seat: int) -> bool:
    """Whether the code is that of a listed move, or of one with other cards that are alike.

    Of alike cards the list holds one; the others may be named if they are held.
    """
    if code in set(game.codes(seat)):
        return True
    other = game.copy()
    if error_of(lambda: other.play(code, seat=seat)) is not None:
        return False
    played = other.moves[-1] if other.moves else None
    listed = {case.alike(str(move)) for move in game.legal_moves(seat)}
    assert case.alike(str(played)) in listed, (played, game.to_setup())
    return True


def check_undo(game: herzen.Game, before: str, rng: random.Random) -> str:
    """One undo gives back the position before, and playing again goes on as it did; the present fingerprint."""
    now = game.fingerprint()
    if game.ply:
        seat = game._entries(game.ply - 1)[0][0]
        version, retell = game.version, rng.random() < 0.02
        log = game.log if retell else ()
        move = game.undo()
        assert game.fingerprint() == before
        assert game.version == version + 1
        told = game.play(move, seat=seat)
        assert game.version == version + 2
        assert game.fingerprint() == now
        if retell:
            assert game.history[-1] == (seat, move)
            again = [_without_version(event) for event in game.log]
            assert again == [_without_version(event) for event in log]
            assert game.log[-len(told) :] == told
    return now


def check_whole_match(game: herzen.Game, rng: random.Random) -> None:
    """To the end at random, back to the first move, and on again: the same positions and the same log."""
    marks = [game.fingerprint()]
    while not game.over:
        step(game, rng)
        marks.append(game.fingerprint())
    log, history = game.log, game.history
    for mark in reversed(marks[:-1]):
        game.undo()
        assert game.fingerprint() == mark
    assert game.moves == ()
    assert game.log == log[: len(game.log)]
    with pytest.raises(herzen.HerzenError, match="no move to take back") as caught:
        game.undo()
    assert caught.value.code == "nothing_to_undo"
    for (seat, move), mark in zip(history, marks[1:], strict=True):
        game.play(move, seat=seat)
        assert game.fingerprint() == mark
    assert [_without_version(event) for event in game.log] == [_without_version(e) for e in log]
    assert game.history == history


def check_copy(
    make: Callable[[herzen.Game], herzen.Game], game: herzen.Game, rng: random.Random
) -> None:
    """A copy has all that the original has, and neither reaches the other."""
    other = make(game)
    assert type(other) is type(game)
    assert other == game
    assert (other.version, other.ply, other.seed) == (game.version, game.ply, game.seed)
    assert other.history == game.history
    assert other.last_deal == game.last_deal
    assert other.names == game.names
    if rng.random() < 0.2:
        assert other.log == game.log
        viewer = rng.choice(all_viewers(game))
        assert other.view(viewer).dumps() == game.view(viewer).dumps()
    _leave_alone(game, other, rng)
    other = make(game)
    _leave_alone(other, game.copy(), rng)


def check_copy_without_history(game: herzen.Game, rng: random.Random) -> None:
    """`copy(history=False)` is the position alone, and goes on like the original."""
    bare = game.copy(history=False)
    assert bare == game
    assert (bare.ply, bare.version) == (game.ply, game.version)
    assert bare.moves == bare.history == bare.log == bare.events() == ()
    with pytest.raises(herzen.HerzenError, match="no move to take back"):
        bare.undo()
    for viewer in all_viewers(game) if rng.random() < 0.1 else [None]:
        expected = game.view(viewer).to_dict() | {"events": []}
        assert bare.view(viewer).to_dict() == expected
    if game.over:
        return
    # What it plays can be taken back.
    other, mark = game.copy(), bare.fingerprint()
    seat = int(game.to_move[-1])
    code = game.codes(seat)[0]
    told, again = other.play(code, seat=seat), bare.play(code, seat=seat)
    assert [_without_index(event) for event in again] == [_without_index(e) for e in told]
    assert bare == other
    assert (bare.undo(), bare.fingerprint()) == (other.moves[-1], mark)


def check_setup_text(game: herzen.Game, rng: random.Random) -> None:
    """`to_setup()` gives the position, and it goes on like the original, into the next deals too."""
    other = rebuilt(game)
    assert other.fingerprint() == game.fingerprint()
    assert other == game
    assert (other.seed, other.ply, other.version) == (game.seed, 0, 0)
    assert other.to_setup() == game.to_setup()
    if game.over:
        return
    on = game.copy()
    for _ in range(rng.randrange(30)):
        if on.over:
            break
        seat = int(on.to_move[0])
        code = on.codes(seat)[-1]
        on.play_code(code)
        other.play_code(code)
    assert other.fingerprint() == on.fingerprint()


def check_record(game: herzen.Game, rng: random.Random) -> None:
    """From record to text to replay, sometimes after an undo: the same match, and the same views."""
    if rng.random() < 0.3 and game.moves:
        game.undo()
        if not game.over:
            step(game, rng)
    other = herzen.Record.loads(game.record().dumps()).replay()
    assert other.fingerprint() == game.fingerprint()
    assert other.version == game.version
    assert other.history == game.history
    assert other.record() == game.record()
    for viewer in all_viewers(game):
        # Events of moves played after an undo carry the versions of a match without undos.
        mine, theirs = game.view(viewer).to_dict(), other.view(viewer).to_dict()
        for event in [*mine["events"], *theirs["events"]]:
            event.pop("version")
        assert theirs == mine


def check_view_text(view: herzen.View) -> None:
    """A view comes back from its JSON and its pickle."""
    text = view.dumps()
    for other in (
        herzen.View.loads(text),
        type(view).loads(text),
        herzen.View.from_dict(view.to_dict()),
        pickle.loads(pickle.dumps(view)),
        copy.deepcopy(view),
    ):
        assert type(other) is type(view)
        assert other == view
        assert other.dumps() == text
        assert hash(other) == hash(view)
        assert other.legal_moves == view.legal_moves
        assert other.events == view.events
        assert other.rules == view.rules


def check_verdicts(case: Adapter, game: herzen.Game, rng: random.Random) -> None:
    """codes, legal_moves, is_legal and why_illegal say the same of legal and illegal moves of all seats."""
    for seat in range(game.players):
        codes, acts = list(game.codes(seat)), seat in game.to_move
        assert acts == bool(codes)
        assert codes == sorted(set(codes))
        moves = game.legal_moves(seat) if len(codes) < 60 or rng.random() < 0.05 else ()
        if moves:
            assert [move.code for move in moves] == codes
            assert sorted(moves) == list(moves)
            assert [game.parse(str(move)) for move in moves] == list(moves)
            assert len({str(move) for move in moves}) == len(moves)
        for code in rng.sample(codes, min(3, len(codes))):
            assert game.is_legal(code, seat)
            assert game.why_illegal(code, seat) is None
        for code in odd_codes(rng, codes):
            legal = acts and stands_for_a_listed_move(case, game, code, seat)
            assert game.is_legal(code, seat) == legal
            assert bool(game.why_illegal(code, seat)) == (not legal)
    if not game.over:
        assert list(game.codes()) == list(game.codes(game.turn))
        assert game.legal_moves() == game.legal_moves(game.turn)
    else:
        assert len(game.codes()) == 0
