"""The table on the network: one WebSocket a client. All messages are JSON objects (docs/embed.rst)."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from fastapi import FastAPI, WebSocket, WebSocketDisconnect
from starlette.staticfiles import StaticFiles

import herzen

from .table import Table

WAITING = 100  # messages that a client may be behind before it is dropped; it can come back
UNKNOWN_TOKEN, REPLACED, TOO_SLOW = (
    4401,
    4409,
    4408,
)  # codes for closing, from the range for applications


class Client:
    """One open connection. A task of its own sends, so that a slow network holds up nobody else."""

    def __init__(self, socket: WebSocket, seat: int | None, since: int) -> None:
        self.socket = socket
        self.seat = seat
        self.since = since  # index of the first event that the client does not have
        self._outbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._closing: int | None = None

    def send(self, message: dict[str, Any]) -> None:
        """Queue a message."""
        if self._closing is not None:
            return
        if self._outbox.qsize() >= WAITING:
            self.close(TOO_SLOW)
        else:
            self._outbox.put_nowait(message)

    def close(self, code: int) -> None:
        """Say no more, and close."""
        self._closing = code
        self._outbox.put_nowait({})

    async def deliver(self) -> None:
        """Send what is queued until the connection ends."""
        # These say that it is gone; whoever reads from it sees that, too.
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                message = await self._outbox.get()
                if self._closing is not None:
                    return await self.socket.close(self._closing)
                await self.socket.send_text(json.dumps(message))


class Room:
    """The table and the clients around it. Everything here runs between two awaits: one message at a time."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.clients: set[Client] = set()

    def present(self) -> set[int]:
        """Seats whose player is connected."""
        return {client.seat for client in self.clients if client.seat is not None}

    def join(self, client: Client) -> None:
        """Take a client in. A seat has one connection: a new one replaces the old, which may be half dead."""
        if client.seat is not None:
            for old in [other for other in self.clients if other.seat == client.seat]:
                old.close(REPLACED)
                self.clients.discard(old)
            self.table.sit(client.seat)
        self.clients.add(client)
        self.tell(client)
        self.tell_who()

    def leave(self, client: Client) -> None:
        """Forget a client."""
        if client in self.clients:
            self.clients.discard(client)
            self.tell_who()

    def tell(self, client: Client) -> None:
        """What is new for one client."""
        news = self.table.news(client.seat, client.since)
        client.since += len(news["events"])
        client.send(news)

    def tell_who(self) -> None:
        """Who is at the table, for all."""
        who = {"here": sorted(self.present()), "bots": sorted(self.table.bots)}
        for client in self.clients:
            client.send({"type": "who", **who})

    def receive(self, client: Client, text: str) -> None:
        """Act on one message of a client. What is wrong with it is told to that client alone."""
        if client not in self.clients:
            return  # it was replaced, and has no say any more
        try:
            match read(text):
                case _ if client.seat is None:
                    client.send(error("spectator", "spectators only look on"))
                case {"move": str(move), "at": int(at)}:
                    self.table.play(move, client.seat, at)
                    self.tell_all()
                case {"bot": int(seat)}:
                    if seat not in range(self.table.game.players) or seat in self.present():
                        client.send(error("seat_taken", f"seat {seat} is not empty"))
                    else:
                        self.table.fill(seat)
                        self.tell_all()
                        self.tell_who()
                case _:
                    client.send(error("bad_message", "not a message of this table"))
        except herzen.StaleState as stale:
            client.send(error(stale.code, str(stale)))
            self.tell(client)
        except herzen.IllegalMove as illegal:
            client.send(error(illegal.code, str(illegal)))

    def tell_all(self) -> None:
        """What is new, for each as it may know it."""
        for client in self.clients:
            self.tell(client)


def read(text: str) -> Any:
    """The JSON of a message, with booleans made harmless: to Python they are integers. None if it is not JSON."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(data, dict):
        return {key: value for key, value in data.items() if not isinstance(value, bool)}
    return None


async def texts(socket: WebSocket) -> AsyncIterator[str]:
    """The messages of a client until it goes; "" for one that is not text."""
    while (message := await socket.receive())["type"] == "websocket.receive":
        yield message.get("text") or ""


def error(code: str, why: str) -> dict[str, Any]:
    """An error message."""
    return {"type": "error", "code": code, "why": why}


def create_app(table: Table) -> FastAPI:
    """The application: `/` is the page, `/table` the WebSocket."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    room = Room(table)

    @app.websocket("/table")
    async def connection(socket: WebSocket) -> None:
        await socket.accept()
        client: Client | None = None
        sender: asyncio.Task[None] | None = None
        try:
            async for text in texts(socket):
                if client is not None:
                    room.receive(client, text)
                    continue
                # The first message says who it is, and how many events of an earlier connection it still has.
                hello = read(text) or {}
                token, since = hello.get("token", ""), hello.get("since", 0)
                seat = table.seat_of(token)
                if seat is None and token is not None:
                    return await socket.close(UNKNOWN_TOKEN)
                client = Client(socket, seat, table.events_known(since))
                sender = asyncio.create_task(client.deliver())
                room.join(client)
        finally:
            if client is not None and sender is not None:
                room.leave(client)
                sender.cancel()

    app.mount("/", StaticFiles(directory=Path(__file__).parent / "page", html=True))
    return app
