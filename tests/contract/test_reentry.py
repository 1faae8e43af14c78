"""Python code that runs in the middle of a call: what it plays makes the call fail, and breaks nothing."""

from __future__ import annotations

import contextlib
import inspect
import itertools
import random
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest

import herzen
from herzen.bots import RuleBot, SearchBot
from tests.contract.adapter import Adapter
from tests.contract.checks import every_game
from tests.contract.samples import played
from tests.tiers import scale

Action = Callable[[], None]


class Text(str):
    """A text that acts when it is measured, hashed or compared."""

    act: Action

    def __len__(self) -> int:
        self.act()
        return super().__len__()

    def __hash__(self) -> int:
        self.act()
        return super().__hash__()

    def __eq__(self, other: object) -> bool:
        self.act()
        return super().__eq__(other)


class Version(int):
    """A version that acts when it is compared."""

    act: Action

    def __gt__(self, other: int) -> bool:
        self.act()
        return False

    def __lt__(self, other: int) -> bool:
        self.act()
        return False


class Index:
    """A number that acts when it is read."""

    def __init__(self, number: int, act: Action) -> None:
        self.number, self.act = number, act

    def __index__(self) -> int:
        self.act()
        return self.number


def conserved(game: herzen.Game, case: Adapter) -> None:
    """The game has a history that leads to its position, and goes on."""
    again = game.record().replay()
    assert again == game
    assert game.view(0).events == game.copy().view(0).events  # what is kept is what happened
    assert sorted(case.cards(game)) == sorted(case.cards(case.kind(game.rules, seed=1)))
    for _ in range(5):
        if game.over:
            break
        game.play_code(game.codes()[0])
    while game.moves:
        game.undo()


@every_game
def test_a_move_that_plays_while_it_is_read(case: Adapter) -> None:
    """In place of a move, a code, a seat, a version."""
    for fields in case.variants[: scale(quick=1, ci=2, full=99)]:
        for plies in (0, 9):
            base = played(case, fields, plies)
            if base.over:
                continue
            calls: list[Callable[[herzen.Game, int, str, Action], Any]] = [
                lambda g, code, text, act: g.play(Index(code, act)),  # type: ignore[arg-type]
                lambda g, code, text, act: g.play_code(Index(code, act)),  # type: ignore[arg-type]
                lambda g, code, text, act: g.play(_acting(Text(text), act)),
                lambda g, code, text, act: g.play(code, expect=_acting(Version(g.version), act)),
                lambda g, code, text, act: g.play(code, seat=Index(int(g.turn or 0), act)),
                lambda g, code, text, act: g.play(code, expect=Index(g.version, act)),  # type: ignore[arg-type]
                lambda g, code, text, act: g.codes(Index(int(g.turn or 0), act)),
                lambda g, code, text, act: g.view(Index(int(g.turn or 0), act)),
                lambda g, code, text, act: g.why_illegal(_acting(Text(text), act)),
            ]
            for call in calls:
                for what in ("play", "undo", "end"):
                    game = base.copy()
                    codes = game.codes()
                    code, text = codes[len(codes) - 1], str(game.legal_moves()[-1])
                    with contextlib.suppress(herzen.HerzenError, IndexError):
                        call(game, code, text, _once(game, what))
                    conserved(game, case)


def _acting(thing: Any, act: Action) -> Any:
    thing.act = act
    return thing


def _once(game: herzen.Game, what: str) -> Action:
    """Change the game, the first time."""
    done: list[bool] = []

    def act() -> None:
        if done:
            return
        done.append(True)
        if what == "undo":
            if game.moves:
                game.undo()
            return
        for _ in range(1 if what == "play" else 30):
            if not game.over:
                game.play_code(game.codes()[0])

    return act


@every_game
def test_a_move_of_a_strange_class_counts_by_its_code(case: Adapter) -> None:
    game = played(case, case.variants[0], 9)
    legal = game.legal_moves()[0]
    kind = type(legal)
    lie = type("Lie", (kind,), {"__slots__": (), "code": property(lambda self: 1 << 40 | 200)})
    lying = object.__new__(lie)
    for name in ("_text", *kind.__match_args__):
        object.__setattr__(lying, name, getattr(legal, name))
    unfinished = object.__new__(kind)
    before = game.fingerprint()
    for move in (lying, unfinished):
        for call in (game.play, game.why_illegal, game.is_legal):
            try:
                assert call(move) not in (None, True)
            except herzen.IllegalMove as error:
                assert error.code == "unknown_move"
    with pytest.raises(herzen.IllegalMove):
        game.play(unfinished)
    assert game.fingerprint() == before


@every_game
def test_two_threads_at_one_game_corrupt_nothing(case: Adapter) -> None:
    """Misuse: some calls fail, and the game stays a game."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for number in range(scale(quick=2, ci=4, full=60)):
            game = case.new(case.variants[0], number)

            def work(key: int, game: herzen.Game = game) -> None:
                rng = random.Random(key)
                for _ in range(60):
                    try:
                        codes = game.codes()
                        if codes:
                            game.play(codes[rng.randrange(len(codes))])
                        if rng.random() < 0.1:
                            game.undo()
                    except (herzen.HerzenError, AssertionError, LookupError):
                        pass

            threads = [threading.Thread(target=work, args=(key,)) for key in range(3)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            conserved(game, case)
    finally:
        sys.setswitchinterval(interval)


@every_game
def test_a_question_asked_too_late_is_refused(case: Adapter) -> None:
    """What reads positions may be called when another thread has played on: in any phase, also after the end."""
    module = case.kind._zones
    readers = {
        name: list(inspect.signature(reader).parameters)[1:]
        for name, reader in vars(module).items()
        if getattr(reader, "__module__", None) == module.__name__
        and name not in ("place", "digest")
    }
    assert len(readers) >= 8
    for plies in (0, 1, 9, 40, 10**6):
        game = played(case, case.variants[0], plies)
        few = {
            "seat": range(game.players),
            "index": range(0, 52, 5),
            "code": (0, 51, 52, 1 << 40),
            "led": (-1, 7),
            "broken": (False, True),
            "opening": (False, True),
        }
        for name, asked in readers.items():
            for arguments in itertools.product(*[few[of] for of in asked]):
                with contextlib.suppress(LookupError):
                    getattr(module, name)(game, *arguments)
        assert game.record().replay() == game


@every_game
def test_bots_refuse_a_view_that_was_torn(case: Adapter) -> None:
    """Its values are of two positions, as when another thread has played while it was made, or of two viewers."""
    rng = random.Random(case.name)
    refused = 0
    for number in range(scale(smoke=40, quick=60, ci=200, full=5_000)):
        fields = case.variants[number % len(case.variants)]
        here = played(case, fields, rng.randrange(60))
        there = played(case, fields, rng.choice((rng.randrange(60), 10**6)))
        if here.over:
            continue
        seat = int(rng.choice(here.to_move))
        one, other = here.view(seat), there.view(rng.choice((seat, None)))
        torn = type(one)(
            {
                name: getattr(other if name != "legal_moves" and rng.random() < 0.5 else one, name)
                for name in one._readers
            }
        )
        for bot in (RuleBot(1), SearchBot(1, simulations=8)):
            try:
                assert bot.choose(torn) in torn.legal_moves
            except (herzen.HerzenError, ValueError):
                refused += 1
    assert refused > 20


@every_game
def test_a_class_that_hands_out_other_objects_cannot_be_copied(case: Adapter) -> None:
    game = played(case, case.variants[0], 5)
    for answer in (object(), None, game, case.kind(seed=1)):
        strange = type(
            "Strange", (case.kind,), {"__slots__": (), "__new__": lambda cls, answer=answer: answer}
        )
        copied = case.kind.__new__(strange)
        copied.__init__(game.rules, seed=1)
        with pytest.raises(TypeError):
            copied.copy()
    assert game.record().replay() == game


@every_game
def test_the_wish_for_history_is_read_before_the_copy(case: Adapter) -> None:
    game = played(case, case.variants[0], 9)

    class Wish:
        def __bool__(self) -> bool:
            game.play_code(game.codes()[0])
            return True

    copied = game.copy(history=Wish())  # type: ignore[arg-type]
    conserved(copied, case)
    conserved(game, case)
