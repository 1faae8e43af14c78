"""docs/examples/table_app as people meet it: a server process, and a browser tab for each player."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import herzen
from tests.render.matches import ALL, SHORT, cards_in, seen_by

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, WebSocket

pytest.importorskip("fastapi", reason='needs ".[dev]"')

pytestmark = pytest.mark.ci

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
PRESS = r"""() => {
    for (const card of document.querySelector("#moves button").textContent.split(/\s+/)) {
        const held = [...document.querySelectorAll("#hand button")].find((one) => one.textContent === card);
        if (held) held.click();
    }
    document.querySelector("#moves button").click();
}"""
HOSTILE = "<img src=x onerror=alert(1)>"


class Server:
    """The example's server as a process of its own, which can be killed and started again."""

    def __init__(self, file: Path, seats: int, *arguments: str) -> None:
        self.seats = seats
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.command = [sys.executable, "-m", "table_app", str(file), "--port", str(self.port)]
        self.start(*arguments)

    def start(self, *arguments: str) -> None:
        """Start, and read the links of the seats."""
        source = Path(herzen.__file__).resolve().parents[1]
        path = os.pathsep.join([str(source), str(EXAMPLES)])
        self.process = subprocess.Popen(
            [*self.command, *arguments],
            env={**os.environ, "PYTHONPATH": path},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.links: list[str] = []
        while len(self.links) < self.seats:
            line = self.process.stdout.readline()
            assert line, "the server did not start"
            self.links.append(line.strip().partition(": ")[2])
        while True:
            assert self.process.poll() is None
            with socket.socket() as trial:
                if trial.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)

    def kill(self) -> None:
        """No farewell: what is not on the disk is lost."""
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


class Tab:
    """One player's tab, with every frame that it was sent."""

    def __init__(self, browser: Browser, link: str) -> None:
        self.page: Page = browser.new_context().new_page()
        self.frames: list[str] = []
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: self.complaints.append(dialog.message))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("websocket", self._listen)
        self.page.goto(link)
        self.page.wait_for_selector("body[data-version]")

    def _listen(self, opened: WebSocket) -> None:
        opened.on("framereceived", lambda frame: self.frames.append(str(frame)))

    @property
    def version(self) -> int:
        """The version of the game on show."""
        return int(self.page.get_attribute("body", "data-version") or -1)

    @property
    def moves(self) -> Any:
        """The buttons of the legal moves."""
        return self.page.locator("#moves button")

    def wait(self, version: int) -> None:
        """Wait until this version is on show."""
        self.page.wait_for_selector(f'body[data-version="{version}"]')

    def click(self) -> None:
        """Make the first move that is offered, after cards of it are chosen in the hand."""
        for card in (self.moves.first.text_content() or "").split():
            held = self.page.locator("#hand button").filter(has_text=re.compile(f"^{card}$"))
            if held.count():
                held.first.click()
        self.moves.first.click()

    def press(self) -> None:
        """The same without a mouse, which takes its time."""
        self.page.evaluate(PRESS)


def play(tabs: list[Tab], moves: int, clicks: int = 8) -> None:
    """Make moves until the match is over, or this many are made; so many of them by the mouse."""
    for made in range(moves):
        for tab in tabs:
            tab.page.wait_for_selector("body[data-version]")
        newest = max(tab.version for tab in tabs)
        for tab in tabs:
            tab.wait(newest)
        if tabs[0].page.locator('body[data-over="true"]').count():
            return
        mover = next(tab for tab in tabs if tab.moves.count())
        mover.click() if made < clicks else mover.press()
        mover.page.wait_for_selector(f'body[data-version]:not([data-version="{newest}"])')


def news(tab: Tab) -> list[dict[str, Any]]:
    """The messages with views that a tab got."""
    messages = [json.loads(frame) for frame in tab.frames]
    return [message for message in messages if message["type"] == "news"]


@pytest.mark.parametrize("name", ALL)
def test_two_tabs_play_a_match_and_each_is_sent_its_seats_view_only(
    name: str, browser: Browser, tmp_path: Path
) -> None:
    file = tmp_path / "match.json"
    options = {**SHORT[name], "players": 2} if name != "hearts" else {"max_hands": 1}
    options["seed"] = 7
    arguments = [f"--option={field}={value}" for field, value in options.items()]
    bots = ["--bots", "2", "3"] if name == "hearts" else []
    server = Server(file, 4 if bots else 2, "--game", name, *arguments, *bots)
    try:
        tabs = [Tab(browser, link) for link in server.links[:2]]
        play(tabs, 5)
        server.kill()  # in the middle: the pages come back by themselves
        for tab in tabs:
            tab.page.wait_for_selector("body:not([data-version])")
            assert tab.moves.count() == 0
        server.start()
        play(tabs, 10_000)
        for tab in tabs:
            assert "Over." in tab.page.inner_text("#status")
    finally:
        server.kill()
    whole = herzen.Record.load(file)
    whole.verify(seed=True)
    assert whole.result is not None

    # Every frame is searched, not only what the page shows.
    positions = [game.copy() for game in whole.positions()]
    hidden = 0
    for seat, tab in enumerate(tabs):
        assert tab.complaints == []
        assert {url.split("#")[0].rpartition("/")[0] for url in tab.requests} == {
            f"http://127.0.0.1:{server.port}"
        }
        seen: list[set[str]] = []  # after each move: all cards that the seat has seen so far
        for game in positions:
            told = cards_in(name, " ".join(map(repr, game.events(seat))))
            seen.append(seen_by(game.view(seat)) | told | (seen[-1] if seen else set()))
        now = -1
        for frame in tab.frames:
            message = json.loads(frame)
            if message["type"] == "news":
                now = message["view"]["version"]
                shown = positions[now].view(seat).to_dict()
                del shown["events"]
                assert message["view"] == shown
            else:
                assert message["type"] == "who"
            found = cards_in(name, frame)
            assert found <= (seen[now] if now >= 0 else set())
            others = {str(card) for at in positions[now].seats if at != seat for card in at.hand}
            hidden += len(others - found)
        got = [event for message in news(tab) for event in message["events"]]
        assert got == [event.to_dict() for event in positions[-1].events(seat)]
        assert tab.page.locator("#events li").count() == len(got)
        tab.page.context.close()
    assert hidden > 100 if name != "herzsammler" else hidden > 10


def test_an_illegal_move_is_explained_and_a_wrong_link_is_refused(
    browser: Browser, tmp_path: Path
) -> None:
    names = [HOSTILE, "B", "C", "D"]
    game = herzen.Hearts(herzen.HeartsRules(pass_cycle=()), seed=3, names=names)
    turn = int(game.turn or 0)
    other = str(game.hand(turn)[-1])
    file = tmp_path / "match.json"
    tokens = [f"token{seat}" for seat in range(4)]
    game.record({"tokens": tokens, "bots": []}).dump(file)
    server = Server(file, 4)
    try:
        tab = Tab(browser, server.links[turn])
        page = tab.page
        assert HOSTILE in page.inner_text("#seats")
        page.fill("#text", other)
        page.click("#typed button")
        page.wait_for_selector("#error:not(:empty)")
        assert (
            page.inner_text("#error") == "must open with the lowest club: 2♣ (must_lead_low_club)"
        )
        assert tab.version == 0
        page.get_by_text("let a bot play").first.click()
        page.wait_for_selector("#seats td:text-is('bot')")
        assert tab.complaints == []
        page.goto(f"http://127.0.0.1:{server.port}/#wrong")
        page.reload()
        page.wait_for_selector("#title:text-is('This link opens no seat')")
        page.context.close()
    finally:
        server.kill()
