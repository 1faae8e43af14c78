"""docs/examples/table_app on the wire: what clients get, what they may do, and what survives."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

import herzen
from tests.contract.adapter import Adapter
from tests.contract.checks import every_game
from tests.contract.games import GAMES
from tests.contract.test_noninterference import pairs
from tests.render.matches import ALL, SHORT, cards_in, record
from tests.tiers import scale

pytest.importorskip("fastapi", reason='needs ".[dev]"')
sys.path.append(str(Path(__file__).parents[2] / "docs" / "examples"))

from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect
from table_app.server import REPLACED, UNKNOWN_TOKEN, create_app
from table_app.table import Table

pytestmark = pytest.mark.ci
every_name = pytest.mark.parametrize("name", ALL)


class Player:
    """A client that keeps every text it was sent."""

    def __init__(self, session: WebSocketTestSession, token: object, since: object = 0) -> None:
        self.session = session
        self.texts: list[str] = []
        self.events: list[dict[str, Any]] = []
        self.view: dict[str, Any] = {}
        self.who: dict[str, Any] = {}
        self.say({"token": token, "since": since})

    def say(self, message: object) -> None:
        """Send a message."""
        self.session.send_text(json.dumps(message))

    def hear(self) -> dict[str, Any]:
        """The next message."""
        self.texts.append(self.session.receive_text())
        message: dict[str, Any] = json.loads(self.texts[-1])
        if message["type"] == "news":
            self.view = message["view"]
            self.events += message["events"]
        elif message["type"] == "who":
            self.who = message
        return message

    def hear_all(self) -> list[dict[str, Any]]:
        """All that is on its way: what comes before the answer to a message that means nothing."""
        self.say({"ping": 1})
        heard = [self.hear()]
        while heard[-1].get("code") not in ("bad_message", "spectator"):
            heard.append(self.hear())
        return heard[:-1]

    def ask(self, message: object) -> dict[str, Any]:
        """The answer to a message that changes nothing."""
        self.hear_all()
        self.say(message)
        return self.hear()


class Server:
    """One running server, and connections to it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.stack = ExitStack()

    def __enter__(self) -> Server:
        self.client = self.stack.enter_context(TestClient(create_app(self.table)))
        return self

    def __exit__(self, *_: object) -> None:
        self.stack.close()

    def join(self, seat: int | None, since: object = 0) -> Player:
        """A client with the token of a seat."""
        token = None if seat is None else self.table.tokens[seat]
        session = self.stack.enter_context(self.client.websocket_connect("/table"))
        player = Player(session, token, since)
        player.hear_all()
        return player


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "match.json"


@pytest.fixture
def hearts(path: Path) -> Iterator[Server]:
    with Server(Table.create(path, "hearts", seed=7, pass_cycle=(), max_hands=1)) as server:
        yield server


def step(players: list[Player], rng: random.Random) -> None:
    """A random legal move of one of the players, who have heard all."""
    player = rng.choice([one for one in players if one.view["legal_moves"]])
    move = rng.choice(player.view["legal_moves"])
    assert player.ask({"move": move, "at": player.view["version"]})["type"] == "news"


def finish(server: Server, players: list[Player], rng: random.Random) -> None:
    """Random legal moves by all players until the match is over."""
    while not server.table.game.over:
        for player in players:
            player.hear_all()
        step(players, rng)
    for player in players:
        player.hear_all()


# ---- a match -----------------------------------------------------------------------------------------------


@every_name
def test_a_match_is_played_to_its_end(name: str, path: Path) -> None:
    with Server(Table.create(path, name, seed=7, **SHORT[name])) as server:
        players = [server.join(seat) for seat in range(server.table.game.players)]
        watcher = server.join(None)
        finish(server, players, random.Random(1))
        watcher.hear_all()
        game = server.table.game
        for seat, player in [*enumerate(players), (None, watcher)]:
            assert player.view["over"]
            assert player.view["scores"] == list(game.scores)
            assert player.events == [event.to_dict() for event in game.events(seat)]
            told = game.view(seat).to_dict()
            del told["events"]
            assert player.view == told
        herzen.Record.load(path).verify(seed=True)
        assert players[0].ask({"move": "2C", "at": game.version})["code"] == "game_over"


@every_name
def test_a_player_is_sent_no_card_that_it_has_not_seen(name: str, path: Path) -> None:
    hidden = 0
    with Server(Table.create(path, name, seed=7, **SHORT[name])) as server:
        players = [server.join(seat) for seat in range(server.table.game.players)]
        rng = random.Random(2)
        for _ in range(scale(quick=5, ci=15, full=200)):
            game = server.table.game
            if game.deal_number or game.over:
                break
            for seat, player in enumerate(players):
                player.hear_all()
                sent = {card for text in player.texts for card in cards_in(name, text)}
                known = {str(card) for cards in game.view(seat).known.values() for card in cards}
                # The rules name cards, too, such as the one that leads.
                known |= cards_in(name, json.dumps(game.rules.to_dict()))
                told = cards_in(name, repr(game.events(seat)))
                others = {str(card) for at in game.seats if at != seat for card in at.hand}
                assert set(map(str, game.hand(seat))) <= sent
                assert not (others - known - told) & sent
                hidden += len(others - known - told)
            step(players, rng)
    assert hidden > 20


def heard(
    path: Path, game: herzen.Game, viewer: int | None, texts: list[str]
) -> tuple[list[str], list[str]]:
    """Every text that a viewer's client is sent: its news, the answers to wrong moves, and all again as it returns."""
    game.record({"tokens": [f"token {seat}" for seat in range(game.players)], "bots": []}).dump(
        path
    )
    with Server(Table.load(path)) as server:
        player = server.join(viewer)
        for text in texts:
            if viewer is None or not game.is_legal(text, viewer):
                player.ask({"move": text, "at": game.version})
            player.ask({"move": text, "at": game.version + 1})
        again = server.join(viewer, since=len(player.events) // 2)
        assert again.events == player.events[len(player.events) // 2 :]
        return player.texts, again.texts


def compared(case: Adapter, path: Path, states: int) -> list[bool]:
    """For games that a viewer cannot tell apart: whether its client is sent the same bytes."""
    rng = random.Random(5)
    same = []
    for pair in pairs(case, states, seed=11):
        assert pair.true.fingerprint() != pair.other.fingerprint()
        texts = ["", "no such move", *(case.moves(rng, pair.fields) for _ in range(6))]
        mine = heard(path, pair.true, pair.viewer, texts)
        assert len(mine[0]) > 2 * len(texts)
        same.append(mine == heard(path, pair.other, pair.viewer, texts))
    return same


@every_game
def test_what_a_client_cannot_know_changes_no_byte(case: Adapter, path: Path) -> None:
    same = compared(case, path, scale(quick=2, ci=3, full=100))
    assert len(same) > 5
    assert all(same)


def test_a_planted_leak_is_seen(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Table.news

    def leaky(table: Table, seat: int | None, since: int) -> dict[str, Any]:
        other = (0 if seat is None else seat + 1) % table.game.players
        return honest(table, seat, since) | {
            "odd": sum(c.index for c in table.game.hand(other)) % 2
        }

    monkeypatch.setattr(Table, "news", leaky)
    assert not all(compared(GAMES[0], path, 2))


def test_the_seed_and_the_tokens_are_sent_to_nobody(hearts: Server) -> None:
    players = [hearts.join(seat) for seat in (0, 1, 2, 3, None)]
    finish(hearts, players[:4], random.Random(3))
    assert hearts.table.game.seed is not None
    sent = "".join(text for player in players for text in player.texts)
    for secret in (herzen.seeds.seed_text(hearts.table.game.seed), *hearts.table.tokens):
        assert secret not in sent
        assert secret in hearts.table.path.read_text(encoding="utf-8")


# ---- wrong moves -------------------------------------------------------------------------------------------


def test_an_illegal_move_is_refused_and_told_to_its_mover_only(hearts: Server) -> None:
    players = [hearts.join(seat) for seat in range(4)]
    for player in players:
        player.hear_all()
    game = hearts.table.game
    turn = int(game.turn or 0)
    before = game.fingerprint()
    card = next(str(card) for card in game.hand(turn) if str(card) != "2C")
    answer = players[turn].ask({"move": card, "at": 0})
    assert answer == {
        "type": "error",
        "code": "must_lead_low_club",
        "why": game.why_illegal(card),
    }
    waiting = players[(turn + 1) % 4]
    assert waiting.ask({"move": "2C", "at": 0})["code"] == "not_your_turn"
    assert players[turn].ask({"move": "boo", "at": 0})["code"] == "unknown_move"
    assert players[(turn + 2) % 4].hear_all() == []
    assert hearts.table.game.fingerprint() == before


def test_a_stale_move_is_refused_with_a_fresh_view(hearts: Server) -> None:
    turn = int(hearts.table.game.turn or 0)
    mover, after = hearts.join(turn), hearts.join((turn + 1) % 4)
    mover.say({"move": "2C", "at": 0})
    mover.hear_all()
    after.hear_all()
    move = after.view["legal_moves"][0]
    assert after.ask({"move": move, "at": 0})["code"] == "stale"
    assert after.hear()["view"] == after.view
    assert after.ask({"move": move, "at": 99})["code"] == "stale"
    after.hear()
    assert hearts.table.game.version == 1
    after.say({"move": move, "at": after.view["version"]})
    assert after.hear()["view"]["version"] == 2


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "null", "[]", "3", '"2C"', "{}", '{"move": "2C"}', '{"move": 3, "at": 0}',
        '{"move": "2C", "at": true}',
        '{"move": "2C", "at": 0.0}', '{"move": "2C", "at": "0"}', '{"move": null, "at": 0}', '{"bot": true}',
        '{"bot": "1"}', '{"move": "2C", "at": ' + "9" * 5000 + "}", "[" * 4000, '{"move": ["2C"], "at": 0}',
    ],
)  # fmt: skip
def test_what_is_no_message_is_refused(hearts: Server, text: str) -> None:
    player = hearts.join(int(hearts.table.game.turn or 0))
    player.session.send_text(text)
    assert player.hear()["code"] == "bad_message"
    player.session.send_bytes(b'{"move": "2C", "at": 0}')
    assert player.hear()["code"] == "bad_message"
    assert hearts.table.game.version == 0


def test_strange_texts_are_moves_that_do_not_exist(hearts: Server) -> None:
    player = hearts.join(int(hearts.table.game.turn or 0))
    for text in ("\ud800", "\x00", "2C\n2C", "9" * 3000, "2♣️ x"):
        assert player.ask({"move": text, "at": 0})["code"] == "unknown_move"


# ---- coming, going, coming back ----------------------------------------------------------------------------


@pytest.mark.parametrize("hello", ['{"token": "x"}', '{"token": ""}', "{}", "no", '{"token": 0}'])
def test_a_wrong_token_opens_nothing(hearts: Server, hello: str) -> None:
    with hearts.client.websocket_connect("/table") as session:
        session.send_text(hello)
        with pytest.raises(WebSocketDisconnect) as caught:
            session.receive_text()
    assert caught.value.code == UNKNOWN_TOKEN


def test_a_spectator_may_not_move(hearts: Server) -> None:
    watcher = hearts.join(None)
    assert watcher.view["hand"] == watcher.view["legal_moves"] == []
    for message in ({"move": "2C", "at": 0}, {"bot": 0}):
        assert watcher.ask(message)["code"] == "spectator"


def test_a_client_comes_back_and_is_told_what_it_missed(hearts: Server) -> None:
    turn = int(hearts.table.game.turn or 0)
    lost = (turn + 1) % 4
    others = [hearts.join(seat) for seat in range(4) if seat != lost]
    first = hearts.join(lost)
    count = len(first.events)
    first.session.close()
    mover = next(player for player in others if player.view["seat"] == turn)
    mover.say({"move": "2C", "at": 0})
    mover.hear_all()
    assert lost not in mover.who["here"]
    again = hearts.join(lost, since=count)
    assert [event["index"] for event in again.events] == [count]
    assert again.view["trick"] == [[turn, "2C"]]
    mover.hear_all()
    assert lost in mover.who["here"]
    for nonsense in (10**9, -1, "1", None, True, 0.5):
        assert hearts.join(lost, since=nonsense).events == [*first.events, *again.events]


def test_a_second_connection_replaces_the_first(hearts: Server) -> None:
    turn = int(hearts.table.game.turn or 0)
    old, new = hearts.join(turn), hearts.join(turn)
    with pytest.raises(WebSocketDisconnect) as caught:
        list(iter(old.hear, None))
    assert caught.value.code == REPLACED
    old.say({"move": "2C", "at": 0})
    old.session.close()
    new.hear_all()
    assert new.who["here"] == [turn]
    assert hearts.table.game.version == 0


def test_a_bot_plays_for_an_empty_seat_until_its_player_comes(hearts: Server) -> None:
    turn = int(hearts.table.game.turn or 0)
    host = hearts.join((turn + 3) % 4)
    for seat in ((turn + 3) % 4, -1, 4, 10**20):
        assert host.ask({"bot": seat})["code"] == "seat_taken"
    for number in range(3):
        host.say({"bot": (turn + number) % 4})
        host.hear_all()
        assert host.view["version"] == number + 1
    assert host.who["bots"] == sorted((turn + number) % 4 for number in range(3))
    owner = hearts.join(turn)
    host.hear_all()
    assert turn not in host.who["bots"]
    assert turn in host.who["here"]
    finish(hearts, [host, owner], random.Random(4))
    assert hearts.table.game.over


# ---- the file ----------------------------------------------------------------------------------------------


@every_name
def test_a_restarted_server_goes_on(name: str, path: Path) -> None:
    with Server(Table.create(path, name, seed=7, bots=[1], **SHORT[name])) as server:
        player = server.join(0)
        for _ in range(6):
            if player.view["legal_moves"]:
                player.say({"move": player.view["legal_moves"][0], "at": player.view["version"]})
                player.hear_all()
        before, tokens = server.table.game, server.table.tokens
    assert before.version
    with Server(Table.load(path)) as server:
        assert server.table.game == before
        assert server.table.game.version == before.version
        assert (server.table.tokens, server.table.bots) == (tokens, frozenset({1}))
        players = [server.join(seat) for seat in range(before.players)]
        finish(server, players, random.Random(6))
        assert [event["index"] for event in players[0].events] == list(
            range(len(players[0].events))
        )


def test_a_move_that_cannot_be_saved_was_not_made(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table.create(path, "hearts", seed=7, pass_cycle=())
    written, before = path.read_bytes(), table.game.fingerprint()

    def full(self: herzen.Record, path: Path) -> None:
        raise OSError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr(herzen.Record, "dump", full)
        with pytest.raises(OSError, match="no space"):
            table.play("2C", int(table.game.turn or 0), 0)
    assert (path.read_bytes(), table.game.fingerprint()) == (written, before)
    table.play("2C", int(table.game.turn or 0), 0)
    assert path.read_bytes() != written
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_the_page_is_served_and_nothing_else(hearts: Server) -> None:
    for file in ("", "table.js", "table.css"):
        assert hearts.client.get(f"/{file}").status_code == 200
    for file in (
        "table.py",
        "../table.py",
        "match.json",
        "docs",
        "openapi.json",
        "%2e%2e/table.py",
    ):
        assert hearts.client.get(f"/{file}").status_code == 404


def test_the_example_plays_the_record_of_any_match(path: Path) -> None:
    # A match that was begun elsewhere: only the meta is the table's own.
    whole = record("herzsammler")
    game = whole.replay(4)
    game.record({"tokens": ["a", "b"], "bots": []}).dump(path)
    table = Table.load(path)
    assert table.seat_of("b") == 1
    assert table.seat_of("c") is table.seat_of(None) is table.seat_of("é\ud800") is None
    move = whole.moves[4]
    table.play(move[1], move[0], table.game.version)
    assert table.game == whole.replay(5)


@pytest.mark.parametrize(
    ("content", "arguments", "sentence"),
    [
        ("no record", [], "match.json: not JSON"),
        ("other", [], "not one of a table"),
        ("table", ["--game", "vonherzen"], "holds a match"),
        ("table", ["--option", "target=50"], "holds a match"),
        (None, ["--bots", "9"], "there is no seat 9: 0 to 3"),
        (None, ["--option", "target"], "invalid option value"),
        (None, ["--option", "foo=2"], "no option 'foo'"),
    ],
)
def test_what_cannot_be_served_is_told_in_a_sentence(
    path: Path,
    content: str | None,
    arguments: list[str],
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from table_app.__main__ import main

    game = herzen.Hearts(seed=1)
    match content:
        case "no record":
            path.write_text(content)
        case "other":
            game.record().dump(path)
        case "table":
            game.record({"tokens": list("abcd"), "bots": []}).dump(path)
    kept = path.read_bytes() if path.exists() else None
    monkeypatch.setattr("sys.argv", ["table_app", str(path), *arguments])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 2
    assert sentence in capsys.readouterr().err.splitlines()[-1]
    assert (path.read_bytes() if path.exists() else None) == kept
