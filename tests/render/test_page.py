"""The replay page as a file: what is in it, what is not, and that nothing in it can run but its own script."""

from __future__ import annotations

import json
import random
import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import herzen
from herzen.cli.app import run
from herzen.errors import RecordError, ReplayMismatch
from herzen.render.page import merge_patch, page, view_page
from herzen.render.scene import scene_of
from tests.contract.adapter import Adapter
from tests.contract.checks import every_game
from tests.contract.test_noninterference import pairs
from tests.render.matches import ALL, HOSTILE, cards_in, record, seen_by
from tests.tiers import scale


class Parts(HTMLParser):
    """The elements of a page and what stands in its scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.inside: dict[str, list[str]] = {"script": [], "style": []}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag in self.inside:
            self.inside[tag].append("")

    def handle_data(self, data: str) -> None:
        if self.cdata_elem is not None:
            self.inside[self.cdata_elem][-1] += data


def data_of(text: str) -> dict[str, Any]:
    """The data in a page."""
    found: dict[str, Any] = json.loads(Parts(text).inside["script"][0])
    return found


def patched(old: Any, patch: Any) -> Any:
    """RFC 7386, as its section 2 writes it."""
    if not isinstance(patch, dict):
        return patch
    new = dict(old) if isinstance(old, dict) else {}
    for key, value in patch.items():
        if value is None:
            new.pop(key, None)
        else:
            new[key] = patched(new.get(key), value)
    return new


def frames(data: dict[str, Any], viewer: str) -> list[Any]:
    """What a viewer sees after each move."""
    seen: list[Any] = []
    for patch in data["frames"][viewer]:
        seen.append(patched(seen[-1] if seen else None, patch))
    return seen


def from_record(text: str) -> str:
    """A page without what is the same on all pages: its style, its script and their digests."""
    for part in (*Parts(text).inside["style"], Parts(text).inside["script"][1]):
        text = text.replace(part, "")
    return re.sub(r'content="default-src [^"]*"|\sd="[^"]*"', "", text)


# ---- what is in it -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_every_frame_is_the_scene_of_its_position(name: str) -> None:
    whole = record(name)
    count = min(len(whole.moves), scale(quick=20, ci=10**6, full=10**6))
    data = data_of(page(whole, to=count))
    assert data["steps"] == count
    film = {viewer: frames(data, viewer) for viewer, _ in data["viewers"]}
    assert list(film) == ["all", "public", *map(str, range(whole.rules.players))]
    for step in range(count + 1):
        game = whole.replay(step)
        assert film["all"][step] == scene_of(game)
        assert film["public"][step] == scene_of(game.view(None))
        for seat in range(game.players):
            assert film[str(seat)][step] == scene_of(game.view(seat))


@pytest.mark.parametrize("name", ALL)
def test_the_last_frame_has_the_result(name: str) -> None:
    whole = record(name)
    assert whole.result is not None
    for seat in (None, 1):
        data = data_of(page(whole, seat))
        last = frames(data, data["viewers"][0][0])[-1]
        assert [row["values"][0] for row in last["seats"].values()] == whole.result["scores"]
        assert last["winners"] == whole.result["winners"]
        assert last["over"] == 1
        assert len(data["frames"][data["viewers"][0][0]]) == len(whole.moves) + 1


@pytest.mark.parametrize("name", ALL)
def test_events_are_told_as_each_viewer_may_hear_them(name: str) -> None:
    whole = record(name)
    count = min(len(whole.moves), scale(quick=30, ci=10**6, full=10**6))
    data = data_of(page(whole, to=count))
    for seat in range(whole.rules.players):
        alone = data_of(page(whole, seat, to=count))
        told = [data["told"][str(seat)].get(str(at), e[1]) for at, e in enumerate(data["events"])]
        assert [event[1] for event in alone["events"]] == told
        assert alone["told"] == {str(seat): {}}
    assert len(data["events"]) == len(whole.replay(count).log)


def test_legal_moves_are_those_of_who_may_act() -> None:
    whole = record("hearts")
    data = data_of(page(whole, to=8))
    server, own = frames(data, "all"), frames(data, "1")
    assert {seat: legal["count"] for seat, legal in server[0]["legal"].items()} == dict.fromkeys(
        "0123", 286
    )
    assert server[0]["legal"]["1"]["moves"] == ["pass any 3 of the 13 cards"]
    assert list(own[0]["legal"]) == ["1"]
    game = whole.replay(6)
    turn = str(int(game.turn or 0))
    assert server[6]["legal"][turn]["cards"].split() == [
        str(card) for card in game.hand(int(turn)) if game.is_legal(str(card))
    ]


# ---- what is not in it -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_a_seats_page_names_no_card_that_the_seat_has_not_seen(name: str) -> None:
    # The whole file is searched, cut at each step: it must name nothing that comes to light only later.
    whole = record(name)
    hidden = 0
    for seat in range(whole.rules.players):
        seen: set[str] = set()
        every = 6 if seat else scale(quick=6, ci=1, full=1)
        for step in range(min(scale(quick=24, ci=30, full=400), len(whole.moves) + 1)):
            game = whole.replay(step)
            # A card that ends a deal is in the events only: the next view is one of the next deal.
            told = " ".join(map(repr, game.events(seat)))
            seen |= seen_by(game.view(seat)) | cards_in(name, told)
            if step % every == 0:
                found = cards_in(name, from_record(page(whole, seat, to=step)))
                assert found <= seen
                assert set(map(str, game.hand(seat))) <= found
                others = {str(card) for at in game.seats if at != seat for card in at.hand}
                hidden += len(others - found)
    assert hidden > 100 if name != "herzsammler" else hidden > 10


@every_game
def test_what_a_seat_cannot_know_changes_no_byte_of_its_page(case: Adapter) -> None:
    compared = 0
    for pair in pairs(case, scale(quick=2, ci=4, full=200), seed=9):
        if pair.viewer is not None and pair.true.ply < 100:
            mine, other = pair.true.record(), pair.other.record()
            assert mine != other
            assert page(mine, pair.viewer) == page(other, pair.viewer)
            compared += 1
    assert compared


@pytest.mark.parametrize("name", ALL)
def test_seeds_and_fingerprints_stay_out(name: str) -> None:
    whole = herzen.Record.of(record(name).replay(), meta={"secret": "zzyzx"})
    for seat in (None, 0):
        text = page(whole, seat, to=20)
        assert "zzyzx" not in text
        assert herzen.seeds.seed_text(whole.seed or 0) not in text
        for _, mark in whole.fingerprints:
            assert mark not in text


# ---- nothing runs but its own script -----------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_the_page_needs_nothing_else(name: str) -> None:
    text = page(record(name), to=5)
    parts = Parts(text)
    tags = [tag for tag, _ in parts.tags]
    assert tags.count("script") == 2
    assert tags.count("style") == 1
    assert (
        set(tags) & {"link", "img", "iframe", "object", "embed", "base", "form", "image"} == set()
    )
    for tag, attributes in parts.tags:
        for key, value in attributes.items():
            assert not key.startswith("on"), tag
            assert key not in ("src", "href", "style", "srcdoc", "action"), (tag, value)
    assert re.findall(r"https?://[^\"]*", text) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"url\(|@import|fetch\(|XMLHttp|WebSocket|innerHTML|eval\(", text)


def test_the_policy_allows_exactly_the_script_and_the_style() -> None:
    parts = Parts(page(record("hearts"), to=5))
    policy = next(
        attributes["content"]
        for tag, attributes in parts.tags
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    )

    def digest(text: str) -> str:
        return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()

    assert policy == (
        f"default-src 'none'; script-src '{digest(parts.inside['script'][1])}'; "
        f"style-src '{digest(parts.inside['style'][0])}'; base-uri 'none'; form-action 'none'"
    )


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("seat", [None, 0])
def test_names_are_data(name: str, seat: int | None) -> None:
    players = herzen.new(name, seed=1).players
    game = herzen.new(name, seed=1, names=[f"{at}{HOSTILE}" for at in range(players)])
    for _ in range(4):
        game.play(game.legal_moves()[0])
    text = page(game.record(), seat)
    text.encode("utf-8")
    usual = page(herzen.Record.from_dict(game.record().to_dict() | {"names": None}), seat)
    assert [tag for tag, _ in Parts(text).tags] == [tag for tag, _ in Parts(usual).tags]
    assert "alert" in Parts(text).inside["script"][0]
    assert not set("<>&\u2028\u2029") & set(Parts(text).inside["script"][0])
    assert data_of(text)["names"][1].startswith("1</script>")


def some_json(rng: random.Random, depth: int) -> Any:
    """Nested objects with few keys, so that two of them have much in common."""
    if depth == 0 or rng.random() < 0.2:
        return rng.choice([0, 1, "", "a", [], [1], [1, 2], {}])
    return {key: some_json(rng, depth - 1) for key in "abc" if rng.random() < 0.7}


def test_a_merge_patch_makes_the_new_of_the_old() -> None:
    rng = random.Random(1)
    for _ in range(2000):
        old, new = some_json(rng, 3), some_json(rng, 3)
        if new != old:
            assert patched(old, merge_patch(old, new)) == new
        assert patched(None, merge_patch(None, new)) == new


# ---- how it is made ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_the_same_record_gives_the_same_bytes(name: str) -> None:
    again = herzen.Record.loads(record(name).dumps())
    assert page(record(name), 1, to=20) == page(again, 1, to=20)


def test_wrong_arguments_and_records_are_refused() -> None:
    whole = record("hearts")
    for seat in (-1, 4):
        with pytest.raises(IndexError):
            page(whole, seat)
    with pytest.raises(IndexError):
        page(whole, to=len(whole.moves) + 1)
    data = whole.to_dict()
    data["moves"] = [*data["moves"][:5], [data["moves"][5][0], "AS"], *data["moves"][6:]]
    with pytest.raises(ReplayMismatch) as caught:
        page(herzen.Record.from_dict(data))
    assert caught.value.index == 5


@pytest.mark.parametrize("seat", [None, 2])
def test_views_and_events_are_enough_for_a_viewers_page(seat: int | None) -> None:
    whole = record("vonherzen")
    views = [game.view(seat) for game in whole.positions()]
    events = whole.replay().events(seat)
    sent = [herzen.View.loads(view.dumps()) for view in views]
    text = view_page(sent, events)
    if seat is None:
        assert "as a spectator saw it" in text
        assert frames(data_of(text), "public")[-1] == scene_of(views[-1])
    else:
        assert text == page(whole, seat)


def test_views_that_fit_nothing_are_refused() -> None:
    game = record("hearts").replay(20)
    for views in ([], [game.view(0), game.view(1)]):
        with pytest.raises(RecordError, match=r"^views: "):
            view_page(views, ())


def test_events_that_fit_nothing_are_refused() -> None:
    game = record("hearts").replay(20)
    played = next(event for event in game.events(1) if type(event).__name__ == "Played")
    odd = type(played)(5, 5, 0, seat=9, card=played.card, automatic=None)
    with pytest.raises(RecordError, match=r"^events: "):
        view_page([game.view(1)], [odd])


def test_a_setup_and_taken_back_moves_can_be_shown() -> None:
    game = record("vonherzen").replay(12)
    game.undo()
    again = eval(game.to_setup(), {"herzen": herzen})
    again.play(again.legal_moves()[0])
    for shown in (game, again):
        data = data_of(page(shown.record()))
        assert frames(data, "all")[-1] == scene_of(shown)


def test_the_command_writes_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match, out = tmp_path / "match.json", tmp_path / "out.html"
    record("herzsammler").dump(match)
    assert run(["replay", str(match), "--html", str(out)]) == 0
    assert "all hands" in capsys.readouterr().out
    assert out.read_text(encoding="utf-8") == page(record("herzsammler"))
    assert run(["replay", str(match), "--html", str(out), "--seat", "1", "--at", "6"]) == 0
    assert "all hands" not in capsys.readouterr().out
    assert out.read_text(encoding="utf-8") == page(record("herzsammler"), 1, to=6)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["match.json", "out.html"]
    for wrong in (["--seat", "9"], ["--at", "9999"], ["--game", "3"]):
        assert run(["replay", str(match), "--html", str(out), *wrong]) == 2
    assert run(["replay", str(match), "--html", str(tmp_path / "none" / "out.html")]) == 2


@pytest.mark.ci
def test_a_long_match_of_hearts_makes_a_page_of_less_than_two_megabytes() -> None:
    game = herzen.Hearts(seed=1)
    while not game.over:
        game.play_code(game.codes()[0])
    assert len(game.moves) > 500
    assert len(page(game.record()).encode()) < 2_000_000
