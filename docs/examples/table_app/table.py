"""The table without any network: who sits where, what each may be told, and the file that survives a restart."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import herzen
from herzen.bots import RuleBot, bot_seed


class Table:
    """One match, the secret token of each seat, and the bots in empty seats.

    The file is the match's record. Tokens and bots lie in its `meta`, so that one atomic write keeps all of it
    together. It holds the seed and the tokens: it is the server's secret.
    """

    def __init__(
        self, path: Path, game: herzen.Game, tokens: Iterable[str], bots: Iterable[int] = ()
    ) -> None:
        self.path = path
        self.game = game
        self.tokens = tuple(tokens)
        self.bots = frozenset(bots)

    @classmethod
    def create(cls, path: Path, name: str, bots: Sequence[int] = (), **fields: Any) -> Table:
        """A new match; `fields` as of `herzen.new`: options of the rules, and for tests a seed, else a fresh one."""
        game = herzen.new(name, **fields)
        for seat in bots:
            if not 0 <= seat < game.players:
                raise ValueError(f"there is no seat {seat}: 0 to {game.players - 1}")
        table = cls(path, game, (secrets.token_urlsafe(24) for _ in range(game.players)), bots)
        table._commit(game.copy(), table.bots)
        return table

    @classmethod
    def load(cls, path: Path) -> Table:
        """The table as the last server left it."""
        record = herzen.Record.load(path)
        if not {"tokens", "bots"} <= set(record.meta):
            raise ValueError("a match, but not one of a table: no tokens and bots in its meta")
        return cls(path, record.replay(), record.meta["tokens"], record.meta["bots"])

    # ---- what clients may do ---------------------------------------------------------------------------
    def seat_of(self, token: object) -> int | None:
        """The seat that a token opens; None if it opens none."""
        if not isinstance(token, str):
            return None
        given = token.encode("utf-8", "replace")
        # All are compared, each in constant time: how long it takes tells nothing about a token.
        found = [hmac.compare_digest(given, own.encode()) for own in self.tokens]
        return found.index(True) if any(found) else None

    def sit(self, seat: int) -> None:
        """The player of a seat is here: a bot that kept it warm leaves."""
        if seat in self.bots:
            self._commit(self.game.copy(), self.bots - {seat})

    def fill(self, seat: int) -> None:
        """A bot sits down at an empty seat, and plays at once if it is to move."""
        self._commit(self.game.copy(), self.bots | {seat})

    def play(self, move: str, seat: int, at: int) -> None:
        """A seat's move, made when it saw version `at`, and the bots' answers.

        Raises herzen.StaleState and herzen.IllegalMove; the table is then as it was.
        """
        game = self.game.copy()
        game.play(move, seat=seat, expect=at)
        self._commit(game, self.bots)

    def _commit(self, game: herzen.Game, bots: frozenset[int]) -> None:
        """Let the bots move, save, and only then make it the table's state.

        So nobody is told what a crash could take back, and if the file cannot be written nothing has happened.
        """
        assert game.seed is not None  # a record of ours holds it
        while seats := [int(seat) for seat in game.to_move if int(seat) in bots]:
            bot = RuleBot(bot_seed(game.seed, seats[0]))
            game.play(bot.choose(game.view(seats[0])), seat=seats[0])
        game.record({"tokens": list(self.tokens), "bots": sorted(bots)}).dump(self.path)
        self.game, self.bots = game, bots

    # ---- what clients may know -------------------------------------------------------------------------
    def news(self, seat: int | None, since: int) -> dict[str, Any]:
        """All that the client of a seat (None: a spectator) is sent: its view, and the events from `since` on."""
        events = self.game.events(seat, since)
        view = self.game.view(seat).to_dict()
        del view["events"]  # those of this deal: they are among the events that the client gets
        return {"type": "news", "view": view, "events": [event.to_dict() for event in events]}

    def events_known(self, claimed: object) -> int:
        """The number of events that a client which comes back says it has; 0 where that cannot be."""
        return claimed if isinstance(claimed, int) and 0 <= claimed <= len(self.game.log) else 0

    def links(self, base: str) -> Mapping[int, str]:
        """The address for each seat. What follows # stays in the browser and in no server's log."""
        return {seat: f"{base}/#{token}" for seat, token in enumerate(self.tokens)}
