"""The replay page in a real browser: Chromium, headless, driven by playwright.

The browser is found by `HERZEN_CHROMIUM` or on the path (Debian's package is `chromium`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import herzen
from herzen.render.page import page
from herzen.render.themes import THEMES
from tests.render.matches import ALL, HOSTILE, cards_in, record, seen_by

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.ci

DESKTOP = {"width": 1280, "height": 900}
PRESS = (
    'document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true}))'
)
PHONE = {"width": 360, "height": 740}


class Shown:
    """A page that is open, and all that must not happen on it."""

    def __init__(self, tab: Page, file: Path) -> None:
        self.tab = tab
        self.file = file
        self.complaints: list[str] = []
        self.requests: list[str] = []
        tab.on("console", lambda message: self.complaints.append(message.text))
        tab.on("pageerror", lambda error: self.complaints.append(str(error)))
        tab.on("dialog", lambda dialog: self.complaints.append(dialog.message))
        tab.on("request", lambda request: self.requests.append(request.url))

    def open(self, hash: str = "") -> None:
        """Open the file at this place, from disk."""
        self.tab.goto("about:blank")
        self.tab.goto(self.file.as_uri() + hash)
        self.tab.wait_for_selector("html[data-ready]", state="attached")

    def where(self) -> str:
        """The move on show."""
        return str(self.tab.inner_text("#where"))

    def wait(self, what: str, text: str) -> None:
        """Wait until an element says this. (The page's policy forbids playwright's wait_for_function.)"""
        self.tab.wait_for_selector(f'{what}:text-is("{text}")')

    def scores(self) -> list[int]:
        """The totals on show, by seat."""
        numbers = self.tab.locator("#seats > li .numbers div:first-child dd").all_inner_texts()
        return [int(number) for number in numbers]

    def check(self) -> None:
        """No complaint, and nothing fetched but the file itself."""
        assert self.complaints == []
        assert {url.split("#")[0] for url in self.requests} <= {self.file.as_uri(), "about:blank"}


@pytest.fixture
def show(browser: Browser, tmp_path: Path) -> Iterator[Any]:
    """Opens pages: show(record, seat, hash, viewport); all are checked at the end."""
    opened: list[Shown] = []

    def opener(
        whole: herzen.Record, seat: int | None = None, hash: str = "", viewport: Any = None
    ) -> Shown:
        file = tmp_path / f"page-{len(opened)}.html"
        file.write_text(page(whole, seat), encoding="utf-8")
        context = browser.new_context(viewport=viewport or DESKTOP, offline=True)
        shown = Shown(context.new_page(), file)
        opened.append(shown)
        shown.open(hash)
        return shown

    yield opener
    for shown in opened:
        shown.check()
        shown.tab.context.close()


def violations(shown: Shown) -> list[str]:
    """What axe-core finds wrong."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason='needs ".[dev]"')
    # The script is put in by the browser's debugger, which the page's own policy would not allow.
    found = axe.Axe().run(shown.tab).response["violations"]
    return [f"{fault['id']}: {node['target']}" for fault in found for node in fault["nodes"]]


# ---- stepping ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_steps_to_the_end_and_shows_the_result(show: Any, name: str) -> None:
    whole = record(name)
    assert whole.result is not None
    shown = show(whole)
    assert shown.where() == f"move 0 of {len(whole.moves)}"
    for step in range(1, len(whole.moves) + 1):
        if step % 16 and step != len(whole.moves):
            shown.tab.evaluate(PRESS)
        else:
            shown.tab.keyboard.press("ArrowRight")
            game = whole.replay(step)
            assert shown.where() == f"move {step} of {len(whole.moves)}"
            assert shown.scores() == list(game.scores)
            movers = shown.tab.locator("#seats > li").evaluate_all(
                "all => all.flatMap((li, seat) => li.querySelector('.turn-mark') ? [seat] : [])"
            )
            assert movers == [int(seat) for seat in game.to_move]
    assert shown.scores() == whole.result["scores"]
    winners = shown.tab.locator("#seats > li", has_text="wins")
    assert winners.count() == len(whole.result["winners"])
    assert "over" in shown.tab.inner_text("#status")


@pytest.mark.parametrize("name", ALL)
def test_a_seats_page_shows_at_each_step_what_its_view_holds(show: Any, name: str) -> None:
    whole = record(name)
    seat = 1
    shown = show(whole, seat)
    assert shown.tab.locator("#viewer option").count() == 1
    steps = shown.tab.evaluate(
        """() => {
            const seen = [];
            document.getElementById("legal").open = true;
            for (let step = 0; step <= Number(document.getElementById("step").max); step++) {
                const main = document.querySelector("main").cloneNode(true);
                const parts = [main.textContent];
                for (const one of main.querySelectorAll("use")) parts.push(one.getAttribute("href"));
                for (const one of main.querySelectorAll("[aria-label]"))
                    parts.push(one.getAttribute("aria-label"));
                const hand = [...document.querySelectorAll("#seats > li")].map(
                    (li) => [...li.querySelectorAll(".hand use")].map((use) => use.getAttribute("href")));
                seen.push([parts.join(" | "), hand]);
                document.getElementById("next").click();
            }
            return seen;
        }"""
    )
    assert len(steps) == len(whole.moves) + 1
    # The list of events is that of the whole deal: what the seat is told later in it stands there, too.
    told: dict[int, set[str]] = {}
    for event in whole.replay().events(seat):
        told.setdefault(event.deal, set()).update(cards_in(name, repr(event)))
    for game, (text, hands) in zip(whole.positions(), steps, strict=True):
        view = game.view(seat)
        assert cards_in(name, text) <= seen_by(view) | told[view.deal_number]
        for at, hand in enumerate(hands):
            faces = sorted(href.removeprefix("#card-") for href in hand if href != "#card-back")
            held = view.hand if at == seat else view.known.get(at, ())
            assert faces == sorted(map(str, held))
            assert len(hand) == view.hand_sizes[at]


def test_autoplay_runs_to_the_end(show: Any) -> None:
    whole = record("herzsammler")
    shown = show(whole, hash=f"#{len(whole.moves) - 6}")
    shown.tab.select_option("#speed", "250")
    shown.tab.click("#play")
    assert shown.tab.inner_text("#play") == "Pause"
    count = len(whole.moves)
    shown.wait("#where", f"move {count} of {count}")
    shown.wait("#play", "Play")
    shown.tab.select_option("#speed", "2000")
    shown.tab.click("#play")  # from the end it begins again
    shown.tab.wait_for_selector(f"#where:text-matches('^move [1-9]\\d? of {count}$')")
    shown.tab.click("#play")
    assert shown.tab.inner_text("#play") == "Play"
    assert 0 < int(shown.where().split()[1]) < count


def test_the_slider_the_buttons_and_the_list_lead_to_moves(show: Any) -> None:
    whole = record("hearts")
    shown = show(whole)
    tab, count = shown.tab, len(whole.moves)
    tab.fill("#step", "30")
    assert shown.where() == f"move 30 of {count}"
    for button, step in (("next", 31), ("back", 30), ("end", count), ("first", 0)):
        tab.click(f"#{button}")
        assert shown.where() == f"move {step} of {count}"
    assert tab.get_attribute("#back", "aria-disabled") == "true"
    assert tab.get_attribute("#next", "aria-disabled") == "false"
    tab.click("#dealnext")
    second = int(shown.where().split()[1])
    assert whole.replay(second).deal_number == 1
    assert whole.replay(second - 1).deal_number == 0
    tab.click("#next")
    tab.click("#dealback")
    assert shown.where() == f"move {second} of {count}"
    tab.click("#dealback")
    assert shown.where() == f"move 0 of {count}"
    tab.locator("#events button", has_text="Trick to").first.click()
    assert shown.where() == f"move 8 of {count}"
    assert tab.locator("#events [aria-current]").count() == 2  # the card, and the trick
    box = tab.locator("#graph").bounding_box()
    assert box is not None
    tab.mouse.click(box["x"] + box["width"] * 0.975, box["y"] + 20)
    assert int(shown.where().split()[1]) > count - 5


# ---- links -------------------------------------------------------------------------------------------------


def test_links_lead_to_a_move_and_a_viewer(show: Any) -> None:
    whole = record("hearts")
    shown = show(whole, hash="#12")
    tab, count = shown.tab, len(whole.moves)
    assert shown.where() == f"move 12 of {count}"
    assert tab.input_value("#viewer") == "all"
    for hash, step, viewer in (
        ("#13/2", 13, "2"),
        ("#7/public", 7, "public"),
        (f"#{count + 5}", count, "all"),
        ("#5/toString", 5, "all"),
        ("#nothing", 0, "all"),
    ):
        tab.evaluate(f"location.hash = '{hash}'")
        shown.wait("#where", f"move {step} of {count}")
        assert tab.input_value("#viewer") == viewer
    tab.select_option("#viewer", "3")
    tab.click("#next")
    assert tab.evaluate("location.hash") == "#1/3"
    shown.open("#1/3")
    assert (shown.where(), tab.input_value("#viewer")) == (f"move 1 of {count}", "3")


def test_the_viewer_changes_what_is_seen(show: Any) -> None:
    whole = record("hearts")
    shown = show(whole, hash="#20")
    game = whole.replay(20)
    for viewer in ("all", "0", "3", "public"):
        shown.tab.select_option("#viewer", viewer)
        faces = shown.tab.locator('#seats .hand use:not([href="#card-back"])').count()
        if viewer == "all":
            assert faces == sum(game.hand_sizes)
        else:
            view = game.view(None if viewer == "public" else int(viewer))
            assert faces == len(view.hand) + sum(map(len, view.known.values()))


# ---- for everybody -----------------------------------------------------------------------------------------


def test_the_keyboard_reaches_everything_in_order(show: Any) -> None:
    shown = show(record("hearts"), hash="#9")
    tab, count = shown.tab, len(record("hearts").moves)
    reached = []
    for _ in range(16):
        tab.keyboard.press("Tab")
        reached.append(
            tab.evaluate(
                "(document.activeElement.closest('#legal, #events, #totals') || document.activeElement).id"
                " || document.activeElement.tagName"
            )
        )
    assert reached[:13] == [
        "step", "first", "dealback", "back", "play", "next", "dealnext", "end", "speed", "viewer",
        "theme", "legal", "events",
    ]  # fmt: skip
    tab.focus("#next")
    for key, step in (("ArrowRight", 10), ("ArrowLeft", 9), ("End", count), ("Home", 0)):
        tab.keyboard.press(key)
        assert shown.where() == f"move {step} of {count}"
    tab.keyboard.press("Enter")
    assert shown.where() == f"move 1 of {count}"
    tab.focus("#step")
    tab.keyboard.press("ArrowRight")
    assert shown.where() == f"move 2 of {count}"
    tab.keyboard.press("Control+ArrowRight")
    tab.focus("#events button[tabindex='0']")
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Enter")
    assert int(shown.where().split()[1]) > 2
    tab.focus("#legal summary")
    tab.keyboard.press("Enter")
    assert tab.locator("#legal li").count() > 0


def test_a_screen_reader_hears_the_move(show: Any) -> None:
    shown = show(record("hearts"), hash="#5")
    tab = shown.tab
    live = tab.locator("#told")
    assert (live.get_attribute("role"), live.get_attribute("aria-live")) == ("status", "polite")
    before = live.inner_text()
    tab.keyboard.press("ArrowRight")
    game = record("hearts").replay(6)
    card = game.trick[-1][1]
    assert live.inner_text() != before
    heard = " ".join((live.text_content() or "").split())
    assert heard.startswith(f"{game.names[game.trick[-1][0]]}: {card.symbol[:-1]} ")
    assert heard.endswith("s .")
    assert (
        tab.get_attribute("#step", "aria-valuetext")
        == f"move 6 of {tab.get_attribute('#step', 'max')}"
    )
    hand = tab.locator("#seats .fan").first.get_attribute("aria-label")
    assert hand is not None
    assert re.match(r"Hand of Seat 0: \w+ of clubs", hand)


@pytest.mark.parametrize("name", ALL)
def test_the_graph_and_its_key_are_in_view(show: Any, name: str) -> None:
    tab = show(record(name)).tab
    key, graph = (tab.locator(what).bounding_box() for what in ("#key", "#graph"))
    assert key["y"] + key["height"] <= graph["y"]
    assert graph["y"] + graph["height"] <= DESKTOP["height"]
    names = tab.locator("#key li").all_inner_texts()
    assert [name.strip() for name in names] == list(record(name).replay(0).names)


@pytest.mark.parametrize(("name", "theme"), list(zip(ALL, THEMES, strict=True)))
def test_nothing_stands_in_the_way_of_anybody(show: Any, name: str, theme: str) -> None:
    # The contrasts of all themes are computed in test_pictures; here each is seen once.
    whole = record(name)
    shown = show(whole, hash=f"#{len(whole.moves) // 2}")
    tab = shown.tab
    tab.click("#legal summary")
    tab.click("text=Totals after each deal")
    tab.select_option("#theme", theme)
    assert violations(shown) == []
    tab.set_viewport_size(PHONE)
    tab.keyboard.press("End")
    assert violations(shown) == []


def test_axe_finds_what_is_wrong(show: Any) -> None:
    shown = show(record("hearts"))
    shown.tab.evaluate("document.querySelector('label[for=step]').remove()")
    shown.tab.evaluate("document.getElementById('deal').style.color = '#ddd'")
    found = violations(shown)
    assert any(fault.startswith("label:") for fault in found)
    assert any(fault.startswith("color-contrast:") for fault in found)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("width", [320, 390])
def test_it_fits_a_phone(show: Any, name: str, width: int) -> None:
    whole = record(name)
    shown = show(whole, 0, f"#{len(whole.moves) * 2 // 3}", {"width": width, "height": 700})
    tab = shown.tab
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    for button in ("first", "back", "play", "next", "end"):
        box = tab.locator(f"#{button}").bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= 700  # the controls stay in sight
        assert min(box["width"], box["height"]) >= 36
    tab.click("#next")
    assert shown.where().startswith(f"move {len(whole.moves) * 2 // 3 + 1} ")


@pytest.mark.parametrize("name", ALL)
def test_hostile_names_are_shown_and_do_nothing(show: Any, name: str) -> None:
    players = herzen.new(name, seed=1).players
    game = herzen.new(name, seed=1, names=[f"{at}{HOSTILE}" for at in range(players)])
    for _ in range(5):
        game.play(game.legal_moves()[0])
    shown = show(game.record())
    for _ in range(5):
        shown.tab.keyboard.press("ArrowRight")
    assert "0</script><script>" in shown.tab.inner_text("#seats")
    assert shown.tab.locator("img").count() == 0
    assert shown.tab.locator("script").count() == 2


def test_the_policy_forbids_what_the_page_does_not_do(show: Any) -> None:
    shown = show(record("herzsammler"))
    ran = shown.tab.evaluate(
        """async () => {
            const script = document.createElement("script");
            script.textContent = "window.ran = 1";
            document.body.append(script);
            const fetched = await fetch(location.href).then(() => 1, () => 0);
            return [window.ran || 0, fetched];
        }"""
    )
    assert ran == [0, 0]
    assert any("Content Security Policy" in said for said in shown.complaints)
    shown.complaints.clear()
