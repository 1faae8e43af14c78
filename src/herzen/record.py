"""Records: a match as a file (docs/records.rst). JSON, checked by its own loader; hostile input raises RecordError.

A record holds the seed, and with it the future deals: keep records of unfinished matches secret.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from herzen import record_reading as reading
from herzen._replay import agrees, fill, is_hex, play_on, seeded_deals
from herzen.decks import decks_to_come, texts_of
from herzen.errors import HerzenError, IllegalMove, RecordError, ReplayMismatch
from herzen.integers import exact_int, short
from herzen.log import first_deal
from herzen.record_file import RecordFile
from herzen.registry import game_class
from herzen.seeds import seed_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self, SupportsIndex

    from herzen.game import Game
    from herzen.record_diff import Difference
    from herzen.rules import Rules
    from herzen.seat_record import SeatRecord
    from herzen.shrinking import Shrunk

FORMAT = "herzen-record"
VERSION = 1
KEYS = (
    "format",
    "version",
    "game",
    "rules",
    "seed",
    "dealer",
    "deals",
    "setup",
    "names",
    "moves",
    "undos",
    "result",
    "fingerprints",
    "meta",
)

FIELDS = tuple(key for key in KEYS if key not in ("format", "version"))


class Record(RecordFile):
    """A match as data: how it began and every move. Made by `Game.record()` or read by `load` and `loads`.

    Equal if the JSON is equal. The attributes are the keys of the file.
    """

    __slots__ = (
        "_first",
        "dealer",
        "deals",
        "fingerprints",
        "game",
        "meta",
        "moves",
        "names",
        "result",
        "rules",
        "seed",
        "setup",
        "undos",
    )
    _first: Game
    game: str
    """Name of the game."""
    rules: Rules
    """The options."""
    seed: int | None
    """The seed; None: not recorded."""
    dealer: int
    """Who dealt the first deal of the record."""
    deals: tuple[tuple[str, ...], ...]
    """The decks dealt, as card texts, top first, and explicit decks still to come."""
    setup: dict[str, Any] | None
    """The keywords of `setup`, or None for a match that began with a deal."""
    names: tuple[str, ...] | None
    """Names of the players."""
    moves: tuple[tuple[int, str], ...]
    """(seat, text) of the moves."""
    undos: int
    """Number of moves taken back."""
    result: dict[str, Any] | None
    """{"scores": [...], "winners": [...]}; None while the match runs."""
    fingerprints: tuple[tuple[int, str], ...]
    """(moves applied, fingerprint)."""
    meta: dict[str, Any]
    """Whatever else the writer wants to keep."""

    def __new__(cls, **fields: Any) -> Self:
        record = object.__new__(cls)
        fill(record, FIELDS, [fields.pop(name) for name in FIELDS])
        if fields:
            raise TypeError(f"no such fields: {sorted(fields)}")
        return record

    # ---- making ----------------------------------------------------------------------------------------
    @classmethod
    def of(
        cls,
        game: Game,
        meta: Mapping[str, Any] | None = None,
        *,
        fingerprints: int | None = None,
        stamps: Sequence[int | None] | None = None,
        notes: Mapping[int, str] | Iterable[tuple[int, str]] | None = None,
    ) -> Record:
        """The record of a game as it stands. Without a seed it has no fingerprints.

        meta: whatever else is to be kept, as JSON has it. fingerprints: after every so many moves one, besides the
        last; None: only the last. stamps, notes: see `annotate`. TypeError, ValueError for a wrong `fingerprints`,
        RecordError for annotations that are none.
        """
        deal = None if game._deal is None else first_deal(game)
        start = game if deal is None else deal.start
        from_setup = deal is None or not deal.flags
        pending = [number for number, _ in decks_to_come(game)]
        first = start.deal_number + 1 if from_setup else start.deal_number
        last = max([game.deal_number, *pending])
        moves = tuple((seat, str(game._from_code(code))) for seat, code, _ in game._entries())
        version = game.version - (game.version if deal is None else deal.version)
        over = {"scores": list(game.scores), "winners": list(game._winning())}
        record = cls(
            game=game.name,
            rules=game.rules,
            seed=game.seed,
            dealer=start.dealer,
            deals=tuple(
                texts_of(game.rules, game._deck(number)) for number in range(first, last + 1)
            ),
            setup=game._setup_zones(start) if from_setup else None,
            names=game._names,
            moves=moves,
            undos=(version - len(moves)) // 2,
            result=over if game.over else None,
            fingerprints=_marks(game, fingerprints),
            meta=reading.check_meta(dict(meta or {}), len(moves)),
        )
        return record if stamps is None and notes is None else record.annotate(stamps, notes)

    def annotate(
        self,
        stamps: Sequence[int | None] | None = None,
        notes: Mapping[int, str] | Iterable[tuple[int, str]] | None = None,
    ) -> Record:
        """A record with these time stamps and notes in its `meta`, besides what is there; None leaves what there is.

        stamps: for each move when it was played, in milliseconds since 1970 UTC (0..2**53-1), or None. notes: texts
        about the position after so many moves, by that number (0..number of moves), or (number, text) pairs.
        RecordError for anything else.
        """
        own = dict(self.meta.get(reading.ANNOTATIONS, {}))
        if stamps is not None:
            own["stamps"] = list(stamps)
        if notes is not None:
            pairs = notes.items() if isinstance(notes, Mapping) else notes
            try:
                given = [[number, text] for number, text in pairs]
                own["notes"] = sorted(given, key=lambda note: note[0])
            except (TypeError, ValueError):
                raise RecordError("notes: (number of moves, text) pairs are needed") from None
        meta = reading.check_meta({**self.meta, reading.ANNOTATIONS: own}, len(self.moves))
        return Record(**{name: getattr(self, name) for name in FIELDS} | {"meta": meta})

    @property
    def stamps(self) -> tuple[int | None, ...]:
        """For each move when it was played, in milliseconds since 1970 UTC, or None; () if none is noted."""
        own = self.meta.get(reading.ANNOTATIONS, {})
        return tuple(own.get("stamps", ()))

    @property
    def notes(self) -> tuple[tuple[int, str], ...]:
        """(number of moves applied, text) of the notes, ascending."""
        own = self.meta.get(reading.ANNOTATIONS, {})
        return tuple((number, text) for number, text in own.get("notes", ()))

    # ---- writing ---------------------------------------------------------------------------------------
    def to_dict(self) -> dict[str, Any]:
        """The record as the JSON file has it."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "game": self.game,
            "rules": self.rules.to_dict(),
            "seed": None if self.seed is None else seed_text(self.seed),
            "dealer": self.dealer,
            "deals": [list(deck) for deck in self.deals],
            "setup": self.setup,
            "names": None if self.names is None else list(self.names),
            "moves": [[seat, text] for seat, text in self.moves],
            "undos": self.undos,
            "result": self.result,
            "fingerprints": [[count, text] for count, text in self.fingerprints],
            "meta": self.meta,
        }

    def dumps(self) -> str:
        """The record as one line of ASCII JSON. RecordError for a meta that JSON cannot hold."""
        import json

        reading.check_meta(self.meta, len(self.moves))
        try:
            return json.dumps(self.to_dict(), separators=(",", ":"), allow_nan=False)
        except (TypeError, ValueError, RecursionError) as error:
            raise RecordError(f"meta: not JSON ({error})") from None

    # ---- reading ---------------------------------------------------------------------------------------
    @classmethod
    def from_dict(cls, data: Any) -> Self:
        """The record of a `to_dict`, checked; RecordError with the place of the first fault."""
        reading.check_frame(data, FORMAT, KEYS, VERSION, "record")
        kind = reading.read_game(data["game"])
        rules = reading.read_rules(kind, data["rules"])
        n = rules.players
        seed = data["seed"]
        if seed is not None and not is_hex(seed, 64):
            raise RecordError("seed: 64 hex digits or null are needed")
        reading.check_int(data["dealer"], "dealer", 0, n - 1)
        moves = reading.read_all_moves(data["moves"], n)
        reading.check_int(data["undos"], "undos", 0, 1 << 30)  # a version has 32 bits
        names = reading.read_names(data["names"], n)
        if data["setup"] is not None and type(data["setup"]) is not dict:
            raise RecordError("setup: null or an object is needed")
        meta = reading.check_meta(data["meta"], len(moves))
        texts = rules._deck_copies().texts
        number = None if seed is None else int(seed, 16)
        first = deals = decks = None
        if number is not None and data["setup"] is None and type(data["deals"]) is list:
            seeded = kind.__new__(kind)
            seeded._begin(rules, number, data["dealer"], (), names)
            deals = seeded_deals(seeded, data["deals"], texts)
            first = None if deals is None else seeded
        if deals is None:  # decks of somebody's choice
            decks = reading.read_decks(rules, data["deals"])
            deals = [texts_of(rules, deck) for deck in decks]
        record = object.__new__(cls)
        values = (
            data["game"],
            rules,
            number,
            data["dealer"],
            tuple(deals),
            data["setup"],
            names,
            moves,
            data["undos"],
            reading.read_result(data["result"], n),
            reading.read_fingerprints(data["fingerprints"], len(moves), seed),
            meta,
        )
        fill(record, FIELDS, values)
        object.__setattr__(record, "_first", record._begin(decks) if first is None else first)
        return record

    # ---- replaying -------------------------------------------------------------------------------------
    def _begin(self, decks: tuple[bytes, ...] | None = None) -> Game:
        """The game before the first move; RecordError if the beginning is impossible. decks: those of `deals`, read."""
        kind = game_class(self.game)
        if self.seed is None and self.rules._needs_seed():
            raise RecordError("seed: these rules need it")
        try:
            if self.setup is not None:
                reserved = {"rules", "seed", "names", "deals"} & set(self.setup)
                if reserved:
                    raise RecordError(f"setup: {sorted(reserved)} are keys of the record itself")
                return kind._from_setup(self.rules, self.seed, self.names, self.deals, self.setup)
            game = kind.__new__(kind)
            if decks is None:
                game._start(self.rules, self.seed, self.dealer, self.deals, self.names)
            else:
                game._start_with(self.rules, self.seed, self.dealer, decks, self.names)
        except RecordError:
            raise
        except HerzenError as error:
            place = "deals" if self.setup is None else "setup"
            raise RecordError(f"{place}: {reading.told(error)}") from None
        except (TypeError, IndexError, OverflowError, RecursionError) as error:
            raise RecordError(f"setup: {reading.told(error)}") from None
        return game

    def _start(self) -> Game:
        """A game before the first move."""
        try:
            first = self._first
        except AttributeError:
            first = self._begin()
            object.__setattr__(self, "_first", first)
        return first.copy()

    def positions(self) -> Iterator[Game]:
        """The game before the first move and after each, as one Game that moves on; copy what you keep."""
        game = self._start()
        yield game
        for index in range(len(self.moves)):
            self._play_to(game, index, index + 1)
            yield game

    def find(self, predicate: Callable[[Game], object], start: int = 0) -> int | None:
        """The smallest number of moves, from `start` on, after which the predicate is true of the game; or None.

        The game that the predicate gets is the same one each time, moved on: it must not play on it.
        ReplayMismatch if the record does not replay so far.
        """
        for index, game in enumerate(self.positions()):
            if index >= start and predicate(game):
                return index
        return None

    def diff(self, other: Record) -> Difference | None:
        """The first difference to a record of what should be the same match: game, rules, deal, move, state, result.

        None if there is none. Names, meta and moves taken back are not compared; positions by the fingerprints in
        the records, where only one has one also by replaying. Texts that stand for one move are the same.
        """
        from herzen.record_diff import first_difference

        if not isinstance(other, Record):
            raise TypeError(f"a record is needed, not {type(other).__name__}")
        return first_difference(self, other)

    def _play_to(self, game: Game, done: int, count: int) -> None:
        """Play the moves from number `done` to number `count`; ReplayMismatch for the first that cannot be played."""
        codes, read = self.rules._move_codes(), self.rules._read_code
        while done < count:
            done = play_on(game, self.moves, done, count, codes, read)
            if done < count:
                self._step(game, done)
                done += 1

    def _step(self, game: Game, index: int) -> None:
        """Play one move, and say what is wrong with it, which `play_on` does not."""
        seat, text = self.moves[index]
        try:
            actor, move = game._admit(text, seat, None)
            code = game._code_of(move, actor)
            game._play(actor, code)
        except IllegalMove as error:
            raise ReplayMismatch(
                f"move {index}: seat {seat} played {_shown(text)}, but {error.reason}",
                index=index,
                expected=text,
                found=error.reason,
            ) from None
        except HerzenError as error:
            raise ReplayMismatch(
                f"move {index}: {error}", index=index, expected=text, found=str(error)
            ) from None

    def replay(self, to: int | None = None) -> Game:
        """The game after `to` moves (None: all of them, with the version that the recorded game had).

        IndexError if there are not so many moves, ReplayMismatch if one of them is illegal.
        """
        count = exact_int(len(self.moves) if to is None else to)
        if count is None:
            raise TypeError(f"to is a number of moves, not {type(to).__name__}")
        if not 0 <= count <= len(self.moves):
            raise IndexError(f"the record has {len(self.moves)} moves, not {short(count)}")
        game = self._start()
        self._play_to(game, 0, count)
        if to is None and self.undos:
            game._set_version(len(self.moves) + 2 * self.undos)
        return game

    def prefix(self, to: int) -> Record:
        """The record of the first `to` moves, as the game then was; nothing was taken back in it, and meta is empty.

        Raises as `replay`.
        """
        return Record.of(self.replay(to))

    def verify(self, seed: bool = False) -> None:
        """Replay everything and compare: ReplayMismatch names the first move after which something differs.

        seed: also require that the seed deals the recorded decks (ReplayMismatch, index 0 or that of the deal).
        """
        game, rules = self._start(), self.rules
        if seed or not agrees(
            game, self.moves, self.fingerprints, rules._move_codes(), rules._read_code
        ):
            game = self._compare(seed)
        found = None
        if game.over:
            found = {"scores": list(game.scores), "winners": list(game._winning())}
        if found != self.result:
            raise ReplayMismatch(
                f"the result is {found}, not {self.result}",
                index=len(self.moves),
                expected=self.result,
                found=found,
            )

    def _compare(self, seed: bool) -> Game:
        """Replay move by move; ReplayMismatch after the first after which something differs."""
        marks: dict[int, str] = dict(self.fingerprints)
        number = done = 0
        game = self._start()
        for index in range(len(self.moves) + 1) if seed else sorted({*marks, len(self.moves)}):
            self._play_to(game, done, index)
            done = index
            if seed:
                number = self._check_decks(game, index, number)
            if index in marks and game.has_seed and game.fingerprint() != marks[index]:
                raise ReplayMismatch(
                    f"after {index} moves the position is another one",
                    index=index,
                    expected=marks[index],
                    found=game.fingerprint(),
                )
        return game

    def _check_decks(self, game: Game, index: int, number: int) -> int:
        """Compare the decks dealt so far with the seed's; returns how many have been compared."""
        first = 0 if self.setup is None else first_deal(game).start.deal_number + 1
        dealt = game.deal_number - first + 1
        while number < min(dealt, len(self.deals)):
            if self.seed is None:
                raise ReplayMismatch(
                    "the seed is not recorded", index=index, expected=None, found=None
                )
            deck = texts_of(game.rules, game._seed_deck(first + number))
            if deck != self.deals[number]:
                raise ReplayMismatch(
                    f"deal {first + number}: the seed deals other cards",
                    index=index,
                    expected=list(self.deals[number]),
                    found=list(deck),
                )
            number += 1
        return number

    def shrink(self, check: Callable[[Game], object], attempts: int = 5_000) -> Shrunk | None:
        """The shortest prefix, and the smallest position found, that fails a check; None if no position fails it.

        check: a function of a game, which is a copy and may be played on. It fails where it returns something false
        or raises an Exception; a smaller position must fail in the same way: false, or an exception of the same
        class. attempts: how many positions are tried at most. ReplayMismatch if the record does not replay up to the
        first failure.
        """
        from herzen.shrinking import shrink

        return shrink(self, check, attempts)

    def for_seat(self, seat: SupportsIndex | None) -> SeatRecord:
        """What a seat saw of the match (None: a spectator), as a record that may be given to the player.

        TypeError, IndexError for a seat that is none; ReplayMismatch if the record does not replay.
        """
        from herzen.seat_record import SeatRecord

        return SeatRecord.of(self, seat)

    def __repr__(self) -> str:
        state = "running" if self.result is None else f"scores {self.result['scores']}"
        return f"<Record of {self.game}: {len(self.moves)} moves, {state}>"


def _shown(text: str) -> str:
    return repr(text) if len(text) <= 1_000 else repr(text[:997]) + "..."


def _marks(game: Game, every: int | None) -> tuple[tuple[int, str], ...]:
    """(moves applied, fingerprint) after every so many moves, and after the last."""
    if every is not None:
        if isinstance(every, bool) or not isinstance(every, int):
            raise TypeError(f"fingerprints: a number of moves, not {type(every).__name__}")
        if every < 1:
            raise ValueError(f"fingerprints: at least 1, not {every}")
    if not game.has_seed:
        return ()
    count = game._count
    marks = []
    if every is not None and game._deal is not None:
        scratch = game._before(first_deal(game))
        for done, (seat, code, _) in enumerate(game._entries(), 1):
            scratch._play(seat, code)
            if done % every == 0 and done < count:
                marks.append((done, scratch.fingerprint()))
    return (*marks, (count, game.fingerprint()))
