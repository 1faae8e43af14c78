"""A replay as one page of HTML that needs nothing else: no network, no other file.

`page(record)` shows all hands and lets its reader look through each seat's eyes: it is for the server.
`page(record, seat=2)` is made by `view_page` from that seat's views and redacted events alone, so the whole file holds
only what the seat may know.
"""

from __future__ import annotations

import hashlib
import json
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib.resources import files
from itertools import islice
from string import Template
from typing import TYPE_CHECKING, Any

from herzen.errors import RecordError
from herzen.render.faces import BACK, HEIGHT, SUIT_PATHS, WIDTH, back
from herzen.render.scene import cards_shown, game_scene, scene_of, short_names, totals_note
from herzen.render.text import game_text
from herzen.render.themes import BY_VARIABLES, THEMES, variables
from herzen.seats import read_seat

if TYPE_CHECKING:
    from herzen.events import Event
    from herzen.game import Game
    from herzen.record import Record
    from herzen.rules import Rules
    from herzen.view import View

SERVER, PUBLIC = "all", "public"


def page(record: Record, seat: int | None = None, *, to: int | None = None) -> str:
    """The replay of a record as HTML text. The same record gives the same bytes.

    seat: write only what this seat may know; None: everything, the choice of a viewer on the page. to: only the
    first `to` moves. Raises IndexError for a seat or a number of moves that there is not, and ReplayMismatch where a
    move is illegal.
    """
    count = len(record.moves) if to is None else to
    if not 0 <= count <= len(record.moves):
        raise IndexError(f"the record has {len(record.moves)} moves, not {count}")
    if seat is not None:
        who = read_seat(seat, record.rules.players)
        views = (game.view(who) for game in islice(record.positions(), count + 1))
        return view_page(views, record.replay(count).events(who))
    names = record.replay(0).names
    film = _Film(record.game, record.rules, names, [SERVER, PUBLIC, *map(str, range(len(names)))])
    for game in islice(record.positions(), count + 1):
        film.show({SERVER: game} | {at: game.view(_seat_of(at)) for at in film.viewers[1:]})
    film.tell(record.replay(count).log)
    return film.html()


def view_page(views: Iterable[View], events: Iterable[Event]) -> str:
    """The page of one viewer, as HTML text: it holds what these views and events hold, and nothing else.

    views: the view before the first move and after each. events: all events as the viewer saw them. Raises
    RecordError if there is no view, or where views contradict themselves.
    """
    film = None
    for view in views:
        viewer = PUBLIC if view.seat is None else str(view.seat)
        if film is None:
            film = _Film(view.game, view.rules, view.names, [viewer])
        if viewer != film.viewers[0]:
            raise RecordError("views: of more than one viewer")
        try:
            film.show({viewer: view})
        except (AssertionError, IndexError, KeyError, TypeError, ValueError) as error:
            raise RecordError(f"views: one cannot be drawn ({error!r})") from None
    if film is None:
        raise RecordError("views: at least one is needed")
    try:
        film.tell(events)
    except (AssertionError, IndexError, KeyError, TypeError, ValueError) as error:
        raise RecordError(f"events: one cannot be told ({error!r})") from None
    return film.html()


def _seat_of(viewer: str) -> int | None:
    return None if viewer == PUBLIC else int(viewer)


class _Film:
    """The frames of a page in the making, for each of its viewers."""

    def __init__(
        self, game: str, rules: Rules, names: Sequence[str], viewers: Sequence[str]
    ) -> None:
        self.game = game
        self.rules = rules
        self.names = short_names(names)
        self.viewers = viewers
        self.part = game_scene(game)
        self.frames: dict[str, list[Any]] = {viewer: [] for viewer in viewers}
        self.scenes: dict[str, Any] = {viewer: {} for viewer in viewers}
        self.told: dict[str, dict[str, str]] = {viewer: {} for viewer in viewers}
        self.events: list[list[Any]] = []
        self.cards: dict[str, None] = {}

    def show(self, shown: Mapping[str, Game | View]) -> None:
        """Keep what each viewer sees after one move more."""
        for viewer, table in shown.items():
            scene = scene_of(table)
            self.cards.update(dict.fromkeys(cards_shown(scene)))
            self.frames[viewer].append(merge_patch(self.scenes[viewer], scene))
            self.scenes[viewer] = scene

    def tell(self, events: Iterable[Event]) -> None:
        """Keep what happened, as the first viewer may hear it; for the others what differs from that."""
        text = game_text(self.game)
        for number, event in enumerate(events):
            first = text.sentence(event, self.names, symbols=True)
            self.events.append([event.version, first, event.deal])
            for viewer in self.viewers[1:]:
                seen = event.for_seat(_seat_of(viewer))
                sentence = text.sentence(seen, self.names, symbols=True)
                if sentence != first:
                    self.told[viewer][str(number)] = sentence

    # ---- writing ---------------------------------------------------------------------------------------
    def html(self) -> str:
        """The page."""
        steps = len(self.frames[self.viewers[0]]) - 1
        parse = self.rules._parse_card
        data = {
            "steps": steps,
            "names": self.names,
            "headings": self.part.HEADINGS,
            "zones": self.part.ZONES,
            "viewers": [[viewer, self._viewer_name(viewer)] for viewer in self.viewers],
            "frames": self.frames,
            "events": self.events,
            "told": self.told,
            "cards": {card: self.part.card_name(parse(card)) for card in sorted(self.cards)},
        }
        about = "1 move" if steps == 1 else f"{steps} moves"
        if SERVER in self.viewers:
            about += ", with all hands: for the server's eyes"
        else:
            who = _seat_of(self.viewers[0])
            about += f", as {'a spectator' if who is None else self.names[who]} saw it"
        style, script = _asset("page.css"), _asset("page.js")
        style = f"{_theme_rules()}{style}"
        policy = (
            f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
            "base-uri 'none'; form-action 'none'"
        )
        return Template(_asset("page.html")).substitute(
            policy=policy,
            title=escape(f"{self.part.TITLE} replay"),
            about=escape(about),
            style=style,
            symbols=self._symbols(),
            totals=escape(totals_note(self.game)),
            themes="".join(f"<option>{name}</option>" for name in THEMES),
            data=script_json(data),
            script=script,
        )

    def _viewer_name(self, viewer: str) -> str:
        if viewer == SERVER:
            return "server: all hands"
        if viewer == PUBLIC:
            return "spectator"
        return f"seat {viewer}: {self.names[int(viewer)]}"

    def _symbols(self) -> str:
        """The drawings of the cards that occur, and of the suits."""
        parse = self.rules._parse_card
        faces = {name: self.part.face(parse(name), BY_VARIABLES) for name in sorted(self.cards)}
        faces[BACK] = back(BY_VARIABLES)
        cards = "".join(
            f'<symbol id="card-{name}" viewBox="0 0 {WIDTH} {HEIGHT}">{drawn}</symbol>'
            for name, drawn in faces.items()
        )
        return cards + "".join(
            f'<symbol id="suit-{suit}" viewBox="0 0 100 100"><path fill="currentColor" d="{path}"/></symbol>'
            for suit, path in enumerate(SUIT_PATHS)
        )


def merge_patch(old: Any, new: Any) -> Any:
    """The JSON merge patch (RFC 7386) that makes `new` of `old`; neither holds null."""
    if not (isinstance(old, dict) and isinstance(new, dict)):
        return new
    patch: dict[str, Any] = {key: None for key in old if key not in new}
    for key, value in new.items():
        if key not in old:
            patch[key] = value
        elif old[key] != value:
            patch[key] = merge_patch(old[key], value)
    return patch


def script_json(data: Any) -> str:
    """JSON that cannot end the script element it stands in: ASCII, without <, > and &."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    for letter in "<>&":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text


def _asset(name: str) -> str:
    return files("herzen.render").joinpath(name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return "sha256-" + b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _theme_rules() -> str:
    """The themes as style rules; the first holds without a choice."""
    rules = []
    for number, theme in enumerate(THEMES.values()):
        selector = f':root[data-theme="{theme.name}"]'
        body = ";".join(f"{name}:{value}" for name, value in variables(theme).items())
        rules.append(f"{':root,' if not number else ''}{selector}{{{body}}}\n")
    return "".join(rules)
