"""`herzen replay --step`: keys and screen, by textual's own driver, and where a walk goes."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

import herzen
from herzen.cli.app import run
from herzen.cli.stepper import SERVER, Stepper, Walk
from tests.cli.test_records_commands import played

Captured = pytest.CaptureFixture[str]
Steps = Callable[[Stepper, "Pilot[None]"], Awaitable[None]]


def on_screen(app: Stepper, part: str) -> str:
    """The text of a part of the screen."""
    return str(app.query_one(f"#{part}", Static).render())


def drive(walk: Walk, steps: Steps, *, symbols: bool = True) -> Stepper:
    """Run the stepper without a terminal."""

    async def main() -> Stepper:
        app = Stepper(walk, symbols)
        async with app.run_test(size=(100, 40)) as pilot:
            await steps(app, pilot)
        return app

    return asyncio.run(main())


@pytest.mark.parametrize("name", ["hearts", pytest.param("vonherzen", marks=pytest.mark.ci)])
def test_arrows_jumps_and_seats(name: str) -> None:
    record = played(name, 3).record()

    async def steps(app: Stepper, pilot: Pilot[None]) -> None:
        walk = app.walk
        for to in (1, 2, 3):
            await pilot.press("right")
            assert walk.at == to
        await pilot.press("left", "p")
        assert walk.at == 1
        await pilot.press("1", "7", "enter")
        assert walk.at == 17
        await pilot.press("9", "9", "9", "9", "9", "enter")
        assert walk.at == len(record.moves)
        await pilot.press("home")
        assert walk.at == 0
        await pilot.press("end")
        assert walk.at == len(record.moves)
        await pilot.press("3", "escape", "enter")
        assert walk.at == len(record.moves)
        await pilot.press("1", "2", "enter", "s")
        await pilot.pause()
        assert walk.seat == 0
        view = record.replay(to=12).view(0)
        assert on_screen(app, "table").splitlines() == walk.table(True, 96).splitlines()
        assert walk.table(True, 80) == str(view)
        assert f"move 12 of {len(record.moves)}" in on_screen(app, "title")
        assert "seen by seat 0" in on_screen(app, "title")
        await pilot.press("S", "S")
        assert walk.seat is None
        await pilot.press("s")
        assert walk.seat == SERVER
        assert walk.table(True, 80) == str(record.replay(to=12))

    drive(Walk(record, 0), steps)


@pytest.mark.parametrize("name", [pytest.param("hearts", marks=pytest.mark.ci), "herzsammler"])
def test_jumps_to_tricks_turns_and_deals(name: str) -> None:
    game = herzen.new(name, seed=5) if name != "herzsammler" else herzen.new(name, seed=5, games=3)
    rng = random.Random(5)
    while not game.over and game.deal_number < 2:
        codes = game.codes()
        game.play_code(codes[rng.randrange(len(codes))])
    record = game.record()
    deals = [0]
    for number, at in enumerate(record.positions()):
        if at.deal_number > len(deals) - 1:
            deals.append(number)

    async def steps(app: Stepper, pilot: Pilot[None]) -> None:
        walk = app.walk
        await pilot.press("pagedown")
        assert walk.at == deals[1]
        await pilot.press("pagedown", "pageup")
        assert walk.at == deals[1]
        await pilot.press("home")
        seen = []
        for _ in range(12):
            await pilot.press("down")
            seen.append(walk.at)
        assert seen == walk.turns[1:13]
        await pilot.press("up", "up")
        assert walk.at == seen[-3]
        await pilot.press("end", "down", "pagedown")
        assert walk.at == len(record.moves)

    drive(Walk(record, 0), steps)
    if name == "hearts":
        tricks = {number for number, at in enumerate(record.positions()) if not at.trick}  # type: ignore[attr-defined]
        assert set(Walk(record, 0).turns) <= tricks


def test_legal_moves_and_why_the_others_are_not() -> None:
    record = played("hearts", 3).record()
    at = next(
        number
        for number, game in enumerate(record.positions())
        if game.phase == "play" and len(game.legal_moves()) < len(game.hand(game.turn))
    )
    game = record.replay(to=at)
    assert game.turn is not None
    mover = int(game.turn)

    async def steps(app: Stepper, pilot: Pilot[None]) -> None:
        assert on_screen(app, "moves") == ""
        await pilot.press("m")
        await pilot.pause()
        shown = " ".join(on_screen(app, "moves").split())
        legal = [str(move) for move in game.legal_moves()]
        assert f"Seat {mover} may play: {', '.join(legal)}" in shown
        for card in game.hand(mover):
            why = game.why_illegal(str(card))
            assert (f"not {card}: {why}" in shown) == (why is not None)
        for _ in range(1 + (mover + 1) % 4):
            await pilot.press("s")
        await pilot.pause()
        assert app.walk.seat == (mover + 1) % 4
        assert on_screen(app, "moves") == "Nobody here has a move to make."
        await pilot.press("m")
        await pilot.pause()
        assert on_screen(app, "moves") == ""

    drive(Walk(record, at), steps)


@pytest.mark.parametrize("name", ["vonherzen", "herzsammler"])
def test_every_position_has_something_to_say(name: str) -> None:
    record = played(name, 4).record(notes={2: "look here"}, stamps=None)
    refused = 0
    for seat in (SERVER, None, 0, 1):
        walk = Walk(record, 0, seat)
        for at in range(0, walk.last + 1, 1 + walk.last // 15):
            walk.go(at)
            assert walk.moves(True)
            refused += sum(line.startswith("  not ") for line in walk.moves(symbols=False))
            assert all(line.isascii() for line in walk.moves(symbols=False))
            walk.story(True)
        walk.go(2)
        assert ("Note: look here" in walk.story(True)) == (seat == SERVER)
    assert refused > 5 or name == "herzsammler"


def test_a_seat_is_told_no_more_than_it_may_know() -> None:
    record = played("hearts", 8).record(notes={1: "secret"})
    passed = record.moves[1][1].split()[1:]
    walk = Walk(record, 2, 0)
    told = "\n".join([walk.table(False, 80), *walk.story(False), *walk.moves(False), walk.title()])
    assert not set(passed) & set(told.replace(",", " ").split())
    assert "Next" not in told
    assert "secret" not in told


def test_a_record_that_does_not_replay_is_walked_as_far_as_it_does() -> None:
    data = played("hearts", 3).record().to_dict()
    data["moves"][30][1] = "nonsense \x1b[31m"
    walk = Walk(herzen.Record.from_dict(data), 50)
    assert (walk.at, walk.last) == (30, 30)
    assert "does not replay: move 30" in walk.story(True)[-1]
    assert "\x1b" not in walk.story(True)[-1]


def test_ctrl_c_and_q() -> None:
    record = played("herzsammler", 1, 5).record()

    async def interrupt(app: Stepper, pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+c")

    async def leave(app: Stepper, pilot: Pilot[None]) -> None:
        await pilot.press("q")

    assert drive(Walk(record, 0), interrupt).interrupted
    assert not drive(Walk(record, 0), leave).interrupted


def test_it_needs_a_terminal_and_a_place(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    played("hearts", 1, 9).record().dump(path)
    for options, sentence in (
        ([], "--step needs a terminal"),
        (["--at", "10"], "--at: the record has 9 moves"),
        (["--seat", "4"], "there is no seat 4"),
    ):
        assert run(["replay", str(path), "--step", *options]) == 2
        assert sentence in capsys.readouterr().err
