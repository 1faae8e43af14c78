"""A replay as one page of HTML that needs nothing else: no network, no other file.

`page(record)` shows all hands and lets its reader look through each seat's eyes: it is for the server.
`page(record, seat=2)` is made from that seat's views and redacted events alone, so the whole file holds only what the
seat may know.
"""

from __future__ import annotations

import hashlib
import json
from base64 import b64encode
from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING, Any

from herzen.errors import HerzenError
from herzen.game import read_seat
from herzen.render.faces import BACK, HEIGHT, SUIT_PATHS, WIDTH, back
from herzen.render.scene import cards_shown, game_scene, scene_of, short_names
from herzen.render.text import game_text
from herzen.render.themes import BY_VARIABLES, THEMES, variables

if TYPE_CHECKING:
    from herzen.events import Event
    from herzen.game import Game
    from herzen.record import Record

TITLES = {"hearts": "Hearts", "vonherzen": "Von Herzen", "herzsammler": "Herzsammler"}
SERVER, PUBLIC = "all", "public"


def page(record: Record, seat: int | None = None, *, to: int | None = None) -> str:
    """The replay of a record as HTML text. The same record gives the same bytes.

    seat: write only what this seat may know; None: everything, the choice of a viewer on the page. to: only the
    first `to` moves. Raises IndexError for a seat or a number of moves that there is not, and ReplayMismatch where a
    move is illegal.
    """
    film = _Film(record, None if seat is None else read_seat(seat, record.rules.players))
    film.run(to)
    return film.html()


class _Film:
    """The frames of a page in the making, for each of its viewers."""

    def __init__(self, record: Record, seat: int | None) -> None:
        self.record = record
        self.seat = seat
        self.part = game_scene(record.game)
        self.text = game_text(record.game)
        self.names = short_names(record.replay(0).names)
        viewers = [SERVER, PUBLIC, *map(str, range(len(self.names)))]
        self.viewers = viewers if seat is None else [str(seat)]
        self.frames: dict[str, list[Any]] = {viewer: [] for viewer in self.viewers}
        self.scenes: dict[str, Any] = {viewer: {} for viewer in self.viewers}
        self.cards: dict[str, None] = {}
        self.events: list[list[Any]] = []
        self.told: dict[str, dict[str, str]] = {viewer: {} for viewer in self.viewers}

    def run(self, to: int | None) -> None:
        """Play the record and keep what each viewer sees."""
        for game, events in _positions(self.record, to):
            step = len(self.frames[self.viewers[0]])
            for viewer in self.viewers:
                who = None if viewer in (SERVER, PUBLIC) else int(viewer)
                scene = scene_of(game if viewer == SERVER else game.view(who))
                self.cards.update(dict.fromkeys(cards_shown(scene)))
                self.frames[viewer].append(merge_patch(self.scenes[viewer], scene))
                self.scenes[viewer] = scene
            for event in events:
                self._tell(step, event)

    def _tell(self, step: int, event: Event) -> None:
        """What happened, as the first viewer may hear it; for the others what differs from that."""
        number = len(self.events)
        said = [self._said(viewer, event) for viewer in self.viewers]
        self.events.append([step, said[0], event.deal])
        for viewer, sentence in zip(self.viewers[1:], said[1:], strict=True):
            if sentence != said[0]:
                self.told[viewer][str(number)] = sentence

    def _said(self, viewer: str, event: Event) -> str:
        if viewer != SERVER:
            event = event.for_seat(None if viewer == PUBLIC else int(viewer))
        return self.text.sentence(event, self.names, symbols=True)

    # ---- writing ---------------------------------------------------------------------------------------
    def html(self) -> str:
        """The page."""
        steps = len(self.frames[self.viewers[0]]) - 1
        parse = self.record.rules._parse_card
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
        title = TITLES.get(self.record.game, self.record.game)
        about = "1 move" if steps == 1 else f"{steps} moves"
        if self.seat is None:
            about += ", with all hands: for the server's eyes"
        else:
            about += f", as {self.names[self.seat]} saw it"
        style, script = _asset("page.css"), _asset("page.js")
        style = f"{_theme_rules()}{style}"
        policy = (
            f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
            "base-uri 'none'; form-action 'none'"
        )
        return Template(_asset("page.html")).substitute(
            policy=policy,
            title=escape(f"{title} replay"),
            about=escape(about),
            style=style,
            symbols=self._symbols(),
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
        parse = self.record.rules._parse_card
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


def _positions(record: Record, to: int | None) -> Iterator[tuple[Game, Sequence[Event]]]:
    """The game before the first move and after each, as one Game that moves on, with what happened."""
    count = len(record.moves) if to is None else to
    if not 0 <= count <= len(record.moves):
        raise IndexError(f"the record has {len(record.moves)} moves, not {count}")
    game = record.replay(0)
    yield game, game.log
    for index, (seat, move) in enumerate(record.moves[:count]):
        try:
            events = game.play(move, seat=seat)
        except HerzenError:
            record.replay(index + 1)  # raises what the record has to say of it
            raise
        yield game, events


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
