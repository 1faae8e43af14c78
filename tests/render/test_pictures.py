"""Pictures in notebooks: well-formed, true to what is shown, and no more than a view holds."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

import herzen
from herzen import render
from herzen.hearts.cards import CARDS as HEARTS_CARDS
from herzen.herzsammler.cards import default_deck
from herzen.render import svg
from herzen.render.page import page
from herzen.render.scene import game_scene, scene_of
from herzen.render.themes import THEMES, Theme, find_theme
from herzen.vonherzen.cards import CARDS as VON_HERZEN_CARDS
from tests.contract.checks import every_game
from tests.contract.games import GAMES
from tests.contract.test_noninterference import pairs
from tests.render.matches import ALL, HOSTILE, cards_in, positions, record, seen_by
from tests.tiers import scale

SVG = "{http://www.w3.org/2000/svg}"


def drawn(picture: str) -> list[str]:
    """The cards that a picture draws, in order; a card face down is "back"."""
    root = ElementTree.fromstring(picture)
    return [use.attrib["href"].rsplit("-", 1)[1] for use in root.iter(f"{SVG}use")]


def texts(picture: str) -> str:
    """All that is written in a picture."""
    root = ElementTree.fromstring(picture)
    return " ".join([root.attrib["aria-label"], *root.itertext()])


@pytest.fixture(autouse=True)
def usual_theme() -> Iterator[None]:
    yield
    render.use_theme("four-colour")


@pytest.mark.parametrize("name", ALL)
def test_a_games_picture_shows_every_hand(name: str) -> None:
    for game in positions(name, 17):
        picture = render.picture(game).svg
        hands = [str(card) for seat in game.seats for card in seat.hand]
        found = drawn(picture)
        for card in hands:
            found.remove(card)
        symbols = re.findall(r'<symbol id="hz-[\w-]+-(\w+)"', picture)
        assert set(drawn(picture)) == set(symbols)
        assert game._repr_svg_() == picture
        assert picture in game._repr_html_()


@pytest.mark.parametrize("name", ALL)
def test_a_views_picture_shows_what_the_view_holds_and_nothing_else(name: str) -> None:
    for game in positions(name, scale(quick=19, ci=5, full=1)):
        for seat in (None, *range(game.players)):
            view = game.view(seat)
            picture = view._repr_svg_()
            found = drawn(picture)
            for card in map(str, view.hand):
                found.remove(card)
            named = cards_in(name, picture) | cards_in(name, texts(picture))
            assert set(drawn(picture)) - {"back"} <= named <= seen_by(view)
            assert cards_in(name, view._repr_html_()) <= seen_by(view)


@pytest.mark.parametrize("name", ALL)
def test_scores_turn_and_sizes_are_those_of_the_view(name: str) -> None:
    for game in positions(name, 23):
        scene = scene_of(game.view(0))
        for seat, row in enumerate(scene["seats"].values()):
            assert row["values"][:2] == [game.scores[seat], game.points[seat]]
            assert bool(row.get("turn")) == (seat in game.to_move)
            shown = len(row.get("hand", "").split()) + row.get("backs", 0)
            assert shown == game.hand_sizes[seat]


@every_game
def test_what_a_seat_cannot_know_changes_no_picture(case: object) -> None:
    adapter = next(game for game in GAMES if game is case)
    for pair in pairs(adapter, scale(quick=3, ci=6, full=300), seed=5):
        true, other = pair.true.view(pair.viewer), pair.other.view(pair.viewer)
        assert render.picture(true) == render.picture(other)


def test_a_trick_stands_before_its_seats() -> None:
    game = record("hearts").replay(4 + 2)
    (first, led), (second, followed) = game.trick
    zone = scene_of(game.view(0))["zones"]["trick"]
    assert zone["slots"] == {str(first): f"{led}*", str(second): str(followed)}
    picture = render.trick(game.view(0)).svg
    assert {str(led), str(followed)} <= set(drawn(picture))
    assert f"{game.names[first]} led" in texts(picture)
    assert f"{game.names[int(game.turn or 0)]} to play" in texts(picture)


def test_a_runs_joker_is_marked() -> None:
    deck = [r + s for s in "CDHS" for r in "789TJQKA"]
    run = ["8D", "9D", "TC", "JD"]
    hands = [["7C"], ["7S"], ["7H"]]
    rest = [card for card in deck if card not in run and [card] not in hands]
    game = herzen.VonHerzen.setup(
        hands=hands, turn=0, runs=[(0, run)], stock=rest[:-1], pile=rest[-1:], melded=[0]
    )
    assert scene_of(game)["zones"]["runs"]["rows"] == {"0": ["0 Seat 0", "8D 9D TC* JD", "+3"]}
    assert drawn(render.runs(game).svg) == run


def test_hands_runs_and_collections_are_pictures_of_their_own() -> None:
    view = record("hearts").replay(10).view(2)
    assert sorted(drawn(render.hand(view).svg)) == sorted(map(str, view.hand))
    assert set(drawn(render.hand(view, 1).svg)) <= {"back", *map(str, view.known.get(1, ()))}
    with pytest.raises(IndexError):
        render.hand(view, 4)
    running = record("hearts").replay(10)
    assert render.hand(running, running.turn) == render.hand(running)
    game = record("herzsammler").replay(20)
    written = texts(render.collections(game).svg)
    for colour in ("red", "yellow", "green", "blue", "violet"):
        assert colour in written
    assert drawn(render.cards(view.hand, caption="mine").svg) == [str(card) for card in view.hand]
    assert drawn(render.cards([]).svg) == []
    assert "Nothing" in texts(render.runs(view).svg)


def test_every_card_has_a_picture() -> None:
    for cards in (HEARTS_CARDS, VON_HERZEN_CARDS, default_deck()._all):
        seen = set()
        for card in cards:
            picture = card._repr_svg_()
            ElementTree.fromstring(picture)
            seen.add(picture)
        assert len(seen) == len(cards)


def test_a_deck_of_ones_own_can_be_drawn() -> None:
    rows = [("Orange <&>", "numeral", 12, 0, 25), ("pink", "heart", 0, 3, 3)]
    deck = [(colour, kind, value, a, b) for colour, kind, value, a, b in rows for _ in range(9)]
    game = herzen.Herzsammler(herzen.HerzsammlerRules(deck=deck), seed=1)
    picture = game._repr_svg_()
    assert {"O12az", "PHdd"} & set(drawn(picture)) == set(drawn(picture)) - {"back"}
    assert "Orange" in texts(picture)


def test_names_that_look_alike_get_numbers() -> None:
    long = "A player with a very long name"
    for names in (["Bot"] * 3, [f"{long} {seat}" for seat in range(3)]):
        game = herzen.VonHerzen(seed=1, names=names)
        assert "0 " + names[0][:10] in texts(game._repr_svg_())
        assert "2 " + names[2][:10] in texts(game._repr_svg_())


@pytest.mark.parametrize("name", ALL)
def test_names_are_text(name: str) -> None:
    players = herzen.new(name, seed=1).players
    game = herzen.new(name, seed=1, names=[f"{seat}{HOSTILE}" for seat in range(players)])
    for shown in (game, game.view(0)):
        picture = shown._repr_svg_()
        root = ElementTree.fromstring(picture)
        tags = {element.tag.removeprefix(SVG) for element in root.iter()}
        assert tags <= {"svg", "defs", "symbol", "use", "rect", "path", "text", "g", "circle"}
        assert "0</script><script>alert" in texts(picture)
        page = shown._repr_html_()
        assert "<script" not in page
        assert "<img" not in page
        page.encode()


def test_the_same_position_gives_the_same_bytes() -> None:
    script = (
        "import sys, hashlib, herzen\n"
        "for line in sys.stdin:\n"
        "    r = herzen.Record.loads(line); g = r.replay(len(r.moves) // 2)\n"
        "    p = g._repr_svg_() + g.view(1)._repr_svg_()\n"
        "    print(hashlib.sha256(p.encode()).hexdigest())"
    )
    package = str(Path(herzen.__file__).resolve().parents[1])
    found = {
        subprocess.run(
            [sys.executable, "-c", script],
            input="\n".join(record(name).dumps() for name in ALL),
            env={**os.environ, "PYTHONPATH": package, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1
    assert len(found.pop().split()) == len(ALL)


def test_importing_herzen_loads_no_drawing() -> None:
    package = str(Path(herzen.__file__).resolve().parents[1])
    script = "import sys, herzen; print(*(m for m in sys.modules if m.startswith('herzen.render')))"
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": package},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == ""


# ---- themes ----------------------------------------------------------------------------------------------------


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 has it."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: str(theme.name))
def test_what_is_written_can_be_read(theme: Theme) -> None:
    least = 7 if theme.name == "high-contrast" else 4.5
    pairs = [
        (theme.ink, theme.page),
        (theme.ink, theme.panel),
        (theme.muted, theme.page),
        (theme.muted, theme.panel),
        (theme.felt_ink, theme.felt),
        (theme.accent_ink, theme.accent),
        (theme.edge, theme.card),
        *((suit, theme.card) for suit in theme.suits),
    ]
    for ink, ground in pairs:
        assert contrast(ink, ground) >= least
    for ink, ground in zip(theme.hue_inks, theme.hues, strict=True):
        assert contrast(ink, ground) >= 4.5
    for colour in (*theme.series, theme.line):
        assert contrast(colour, theme.panel) >= 3


def test_themes_are_chosen_for_one_picture_or_for_all() -> None:
    game = record("hearts").replay(6)
    usual = render.picture(game)
    bold = render.picture(game, theme="high-contrast")
    assert usual != bold
    assert find_theme("high-contrast").accent in bold.svg
    render.use_theme("high-contrast")
    assert game._repr_svg_() == bold.svg
    assert len(set(find_theme("four-colour").suits)) == 4
    assert len(set(find_theme("two-colour").suits)) == 2
    for wrong in ("", "green"):
        with pytest.raises(ValueError, match="no such theme"):
            render.use_theme(wrong)
        with pytest.raises(ValueError, match="no such theme"):
            svg.picture(game, theme=wrong or "x")


def test_a_picture_can_be_saved(tmp_path: Path) -> None:
    picture = render.picture(record("vonherzen").replay(12))
    picture.save(tmp_path / "table.svg")
    assert (tmp_path / "table.svg").read_text(encoding="utf-8") == picture.svg + "\n"
    assert picture == render.Picture(picture.svg)
    assert picture != picture.svg
    assert len({picture, render.Picture(picture.svg)}) == 1
    assert "bytes" in repr(picture)
    assert picture.svg in picture._repr_html_()


@pytest.mark.parametrize("players", [3, 5, 7])
def test_any_number_of_players_fits(players: int) -> None:
    game = herzen.Hearts(herzen.HeartsRules.classic(players=players, pass_cycle=()), seed=4)
    for _ in range(players + 2):
        picture = render.picture(game).svg
        root = ElementTree.fromstring(picture)
        width, height = float(root.attrib["width"]), float(root.attrib["height"])
        for use in root.iter(f"{SVG}use"):
            assert 0 <= float(use.attrib["x"]) <= width - float(use.attrib["width"])
            assert 0 <= float(use.attrib["y"]) <= height - float(use.attrib["height"])
        game.play_code(game.codes()[0])


def test_the_games_say_what_their_numbers_are() -> None:
    for name in ALL:
        part = game_scene(name)
        assert part.HEADINGS[0] == "total"
        assert len(part.HEADINGS) == 3
        note = f"Totals count {part.HEADINGS[1]} once it has ended."
        whole = record(name)
        assert note in render.picture(whole.replay(0)).svg
        assert note in page(whole, to=1)


def test_the_letters_of_our_deck_have_a_key_and_those_of_others_have_none() -> None:
    game = herzen.Herzsammler(seed=1)
    key = scene_of(game.view(0))["zones"]["objects"]
    (names,) = key["rows"].values()
    meant = dict(zip(key["head"], names, strict=True))
    for card in game.open:
        for letter in card.objects:
            assert meant[letter] in svg.card_picture(card).svg
    assert ">tulip</text>" in render.picture(game).svg
    rows = [(colour, kind, value, b, a) for colour, kind, value, a, b in game.rules.deck]
    other = herzen.HerzsammlerRules(deck=rows[1:])
    assert "objects" not in scene_of(herzen.Herzsammler(other, seed=1))["zones"]
