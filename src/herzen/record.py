"""Records: a match as a file (docs/records.rst). JSON, checked by its own loader; hostile input raises RecordError.

A record holds the seed, and with it the future deals: keep records of unfinished matches secret.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from os import PathLike

from herzen.errors import HerzenError, IllegalMove, RecordError, ReplayMismatch
from herzen.registry import game_class
from herzen.seeds import seed_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any

    from herzen.game import Game
    from herzen.rules import Rules

FORMAT = "herzen-record"
VERSION = 1
LARGEST = 64 << 20
"""Bytes of the largest record that is read, uncompressed."""

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


class Record:
    """A match as data: how it began and every move. Made by `Game.record()` or read by `load` and `loads`.

    Equal if the JSON is equal. The attributes are the keys of the file.
    """

    __slots__ = (
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

    def __init__(self, **fields: Any) -> None:
        for name in self.__slots__:
            object.__setattr__(self, name, fields.pop(name))
        if fields:
            raise TypeError(f"no such fields: {sorted(fields)}")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("records are immutable")

    # ---- making ----------------------------------------------------------------------------------------
    @classmethod
    def of(cls, game: Game, meta: Mapping[str, Any] | None = None) -> Record:
        """The record of a game as it stands."""
        deal = None if game._deal is None else game._first_deal()
        start = game if deal is None else deal.start
        from_setup = deal is None or not deal.flags
        pending = [number for number, _ in game._explicit_decks(game.deal_number + 1)]
        first = start.deal_number + 1 if from_setup else start.deal_number
        last = max([game.deal_number, *pending])
        moves = tuple((seat, str(game._from_code(code))) for seat, code, _ in game._entries())
        version = game.version - (game.version if deal is None else deal.version)
        over = {"scores": list(game.scores), "winners": [int(seat) for seat in game.winners]}
        return cls(
            game=game.name,
            rules=game.rules,
            seed=game.seed,
            dealer=start.dealer,
            deals=tuple(
                tuple(game._deck_texts(game.rules, game._deck(number)))
                for number in range(first, last + 1)
            ),
            setup=game._setup_zones(start) if from_setup else None,
            names=game._names,
            moves=moves,
            undos=(version - len(moves)) // 2,
            result=over if game.over else None,
            fingerprints=((len(moves), game.fingerprint()),) if game.has_seed else (),
            meta=dict(meta or {}),
        )

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
        """The record as one line of ASCII JSON."""
        import json

        try:
            return json.dumps(self.to_dict(), separators=(",", ":"), allow_nan=False)
        except (TypeError, ValueError, RecursionError) as error:
            raise RecordError(f"meta: not JSON ({error})") from None

    def dump(self, path: str | PathLike[str]) -> None:
        """Write the record to a file, compressed if its name ends in .gz. The file is complete or unchanged."""
        dump_records(path, [self])

    # ---- reading ---------------------------------------------------------------------------------------
    @classmethod
    def load(cls, path: str | PathLike[str]) -> Record:
        """The record in a file, .gz too. RecordError, with the place, for anything that is no record."""
        records = list(_lines(path, whole=True))
        return cls.loads(records[0])

    @classmethod
    def loads(cls, text: str | bytes) -> Record:
        """The record of a JSON text. RecordError, with the place, for anything that is no record."""
        import json

        if len(text) > LARGEST:
            raise RecordError(f"a record has at most {LARGEST} bytes")
        try:
            data = json.loads(text, object_pairs_hook=_no_doubles, parse_constant=_no_constant)
        except HerzenError:
            raise
        except RecursionError:
            raise RecordError("not a record: nested too deeply") from None
        except ValueError as error:
            raise RecordError(f"not JSON: {error}") from None
        return cls.from_dict(data)

    @classmethod
    def from_dict(cls, data: Any) -> Record:
        """The record of a `to_dict`, checked; RecordError with the place of the first fault."""
        if type(data) is not dict:
            raise RecordError("a record is a JSON object")
        for key in data:
            if key not in KEYS:
                raise RecordError(f"unknown key {_short(key)}")
        for key in KEYS:
            if key not in data:
                raise RecordError(f"missing key {key!r}")
        if data["format"] != FORMAT:
            raise RecordError(f"format: {FORMAT!r} is needed, not {_short(data['format'])}")
        if type(data["version"]) is not int or data["version"] != VERSION:
            raise RecordError(f"version: only {VERSION} can be read, not {_short(data['version'])}")
        try:
            kind = game_class(data["game"])
        except ValueError:
            raise RecordError(f"game: no such game {_short(data['game'])}") from None
        rules = _read_rules(kind, data["rules"])
        n = rules.players
        seed = data["seed"]
        if seed is not None and not _is_hex(seed, 64):
            raise RecordError("seed: 64 hex digits or null are needed")
        _int(data["dealer"], "dealer", 0, n - 1)
        moves = _read_moves(data["moves"], n)
        _int(data["undos"], "undos", 0, 1 << 30)  # a version has 32 bits
        names = data["names"]
        if names is not None and (
            type(names) is not list
            or len(names) != n
            or not all(type(name) is str for name in names)
        ):
            raise RecordError(f"names: null or {n} texts are needed")
        if data["setup"] is not None and type(data["setup"]) is not dict:
            raise RecordError("setup: null or an object is needed")
        if type(data["meta"]) is not dict:
            raise RecordError("meta: an object is needed")
        record = cls(
            game=data["game"],
            rules=rules,
            seed=None if seed is None else int(seed, 16),
            dealer=data["dealer"],
            deals=_read_deals(kind, rules, data["deals"]),
            setup=data["setup"],
            names=None if names is None else tuple(names),
            moves=moves,
            undos=data["undos"],
            result=_read_result(data["result"], n),
            fingerprints=_read_fingerprints(data["fingerprints"], len(moves), seed),
            meta=data["meta"],
        )
        record._start()
        return record

    # ---- replaying -------------------------------------------------------------------------------------
    def _start(self) -> Game:
        """The game before the first move; RecordError if the beginning is impossible."""
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
            game._start(self.rules, self.seed, self.dealer, self.deals, self.names)
        except RecordError:
            raise
        except HerzenError as error:
            raise RecordError(f"{'deals' if self.setup is None else 'setup'}: {error}") from None
        except (TypeError, IndexError, OverflowError, RecursionError) as error:
            raise RecordError(f"setup: {error}") from None
        return game

    def positions(self) -> Iterator[Game]:
        """The game before the first move and after each, as one Game that moves on; copy what you keep."""
        game = self._start()
        yield game
        for index in range(len(self.moves)):
            self._step(game, index)
            yield game

    def _step(self, game: Game, index: int) -> None:
        seat, text = self.moves[index]
        try:
            actor, move = game._admit(text, seat, None)
            code = game._code_of(move, actor)
            game._play(actor, code)
        except IllegalMove as error:
            raise ReplayMismatch(
                f"move {index}: seat {seat} played {text!r}, but {error.reason}",
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
        count = len(self.moves) if to is None else to
        if isinstance(count, bool) or not hasattr(count, "__index__"):
            raise TypeError(f"to is a number of moves, not {type(count).__name__}")
        if not 0 <= count <= len(self.moves):
            raise IndexError(f"the record has {len(self.moves)} moves, not {count}")
        game = self._start()
        for index in range(count):
            self._step(game, index)
        if to is None and self.undos:
            game._set_version(len(self.moves) + 2 * self.undos)
        return game

    def verify(self, seed: bool = False) -> None:
        """Replay everything and compare: ReplayMismatch names the first move after which something differs.

        seed: also require that the seed deals the recorded decks (ReplayMismatch, index 0 or that of the deal).
        """
        marks: dict[int, str] = dict(self.fingerprints)
        number = 0
        game = self._start()
        for index in range(len(self.moves) + 1):
            if index:
                self._step(game, index - 1)
            if seed:
                number = self._check_decks(game, index, number)
            if index in marks and game.has_seed and game.fingerprint() != marks[index]:
                raise ReplayMismatch(
                    f"after {index} moves the position is another one",
                    index=index,
                    expected=marks[index],
                    found=game.fingerprint(),
                )
        found = None
        if game.over:
            found = {"scores": list(game.scores), "winners": [int(seat) for seat in game.winners]}
        if found != self.result:
            raise ReplayMismatch(
                f"the result is {found}, not {self.result}",
                index=len(self.moves),
                expected=self.result,
                found=found,
            )

    def _check_decks(self, game: Game, index: int, number: int) -> int:
        """Compare the decks dealt so far with the seed's; returns how many have been compared."""
        first = 0 if self.setup is None else game._first_deal().start.deal_number + 1
        dealt = game.deal_number - first + 1
        while number < min(dealt, len(self.deals)):
            if self.seed is None:
                raise ReplayMismatch(
                    "the seed is not recorded", index=index, expected=None, found=None
                )
            deck = tuple(game._deck_texts(game.rules, game._seed_deck(first + number)))
            if deck != self.deals[number]:
                raise ReplayMismatch(
                    f"deal {first + number}: the seed deals other cards",
                    index=index,
                    expected=list(self.deals[number]),
                    found=list(deck),
                )
            number += 1
        return number

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record):
            return NotImplemented
        return self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        state = "running" if self.result is None else f"scores {self.result['scores']}"
        return f"<Record of {self.game}: {len(self.moves)} moves, {state}>"

    def __reduce__(self) -> tuple[object, ...]:
        return Record.loads, (self.dumps(),)


# ---- files ---------------------------------------------------------------------------------------------------


def load_records(path: str | PathLike[str]) -> Iterator[Record]:
    """The records of a JSON Lines file, .gz too, one after another; RecordError names the line."""
    for number, line in enumerate(_lines(path, whole=False), 1):
        try:
            yield Record.loads(line)
        except RecordError as error:
            raise RecordError(f"line {number}: {error}") from None


def dump_records(path: str | PathLike[str], records: Iterable[Record]) -> int:
    """Write records as JSON Lines, compressed if the name ends in .gz; how many there were.

    The file appears when it is complete; a failure leaves what was there before.
    """
    return dump_lines(path, (record.dumps() for record in records))


def dump_lines(path: str | PathLike[str], lines: Iterable[str]) -> int:
    """Write lines as `dump_records` does, each without its newline."""
    import errno
    import gzip
    import os

    target = os.path.realpath(path)  # a link stays, what it points to is written
    if os.path.exists(target) and not os.path.isfile(target):
        raise OSError(errno.EINVAL, "not a regular file", target)
    handle, temporary = _create_beside(target)
    count = 0
    try:
        with os.fdopen(handle, "wb") as raw:
            out: IO[bytes] = (
                gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="")  # type: ignore[assignment]
                if os.fspath(path).endswith(".gz")
                else raw
            )
            for line in lines:
                out.write(line.encode() + b"\n")
                count += 1
            if out is not raw:
                out.close()
            raw.flush()
            os.fsync(raw.fileno())
        os.replace(temporary, target)
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise
    return count


def _create_beside(target: str) -> tuple[int, str]:
    """A new file in the directory of the target, with the permissions that any new file has: (handle, path)."""
    import os

    number = 0
    while True:
        name = f"{target}.{os.getpid()}-{number}.part"
        try:
            return os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), name
        except FileExistsError:
            number += 1


def _lines(path: str | PathLike[str], *, whole: bool) -> Iterator[bytes]:
    """The lines of a file, or all of it as one; RecordError if it is too large or broken."""
    import gzip
    import os
    import zlib

    opener = gzip.open if os.fspath(path).endswith(".gz") else open
    try:
        with opener(path, "rb") as file:
            if whole:
                text = file.read(LARGEST + 1)
                if len(text) > LARGEST:
                    raise RecordError(f"a record has at most {LARGEST} bytes")
                yield text
                return
            while line := file.readline(LARGEST + 1):
                if len(line) > LARGEST:
                    raise RecordError(f"a record has at most {LARGEST} bytes")
                if line.strip():
                    yield line
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise RecordError(f"not a gzip file: {error}") from None


# ---- checks of the loader ------------------------------------------------------------------------------------


def _short(value: object) -> str:
    shown = (
        ascii(value)
        if isinstance(value, (str, int, float, bool, type(None)))
        else type(value).__name__
    )
    return shown if len(shown) <= 60 else shown[:57] + "..."


def _no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise RecordError(f"key {_short(key)} stands twice")
            seen.add(key)
    return data


def _no_constant(name: str) -> Any:
    raise RecordError(f"{name} is no JSON number")


def _is_hex(text: Any, digits: int) -> bool:
    return type(text) is str and len(text) == digits and set(text) <= set("0123456789abcdef")


def _int(value: Any, place: str, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise RecordError(f"{place}: an integer {low}..{high} is needed")
    return value


def _read_rules(kind: type[Game], rules: Any) -> Rules:
    if type(rules) is not dict:
        raise RecordError("rules: an object is needed")
    try:
        read = kind.rules_type.from_dict(rules)
    except (
        HerzenError,
        TypeError,
        ValueError,
        AttributeError,
        OverflowError,
        RecursionError,
    ) as error:
        raise RecordError(f"rules: {error}") from None
    if read.to_dict() != rules:
        raise RecordError(
            "rules: only options that differ from their defaults, as this package writes them"
        )
    return read


def _read_deals(kind: type[Game], rules: Rules, deals: Any) -> tuple[tuple[str, ...], ...]:
    if type(deals) is not list:
        raise RecordError("deals: an array is needed")
    out = []
    for number, deck in enumerate(deals):
        if type(deck) is not list or not all(type(text) is str for text in deck):
            raise RecordError(f"deals[{number}]: an array of card texts is needed")
        try:
            read = kind._read_deck(rules, deck, f"deals[{number}]")
        except HerzenError as error:
            raise RecordError(str(error)) from None
        out.append(tuple(kind._deck_texts(rules, read)))
    return tuple(out)


def _read_moves(moves: Any, players: int) -> tuple[tuple[int, str], ...]:
    if type(moves) is not list:
        raise RecordError("moves: an array is needed")
    for index, move in enumerate(moves):
        if (
            type(move) is not list
            or len(move) != 2
            or type(move[0]) is not int
            or type(move[1]) is not str
            or not 0 <= move[0] < players
        ):
            raise RecordError(f"moves[{index}]: [seat, text] is needed")
    return tuple((seat, text) for seat, text in moves)


def _read_result(result: Any, players: int) -> dict[str, Any] | None:
    if result is None:
        return None
    if type(result) is not dict or set(result) != {"scores", "winners"}:
        raise RecordError('result: null or {"scores", "winners"} is needed')
    scores, winners = result["scores"], result["winners"]
    if (
        type(scores) is not list
        or len(scores) != players
        or not all(type(total) is int for total in scores)
    ):
        raise RecordError(f"result: {players} scores are needed")
    if type(winners) is not list or not all(
        type(seat) is int and 0 <= seat < players for seat in winners
    ):
        raise RecordError("result: winners are seats")
    return result


def _read_fingerprints(marks: Any, moves: int, seed: Any) -> tuple[tuple[int, str], ...]:
    if type(marks) is not list:
        raise RecordError("fingerprints: an array is needed")
    if marks and seed is None:
        raise RecordError("fingerprints: there are none without a seed")
    for place, mark in enumerate(marks):
        if (
            type(mark) is not list
            or len(mark) != 2
            or type(mark[0]) is not int
            or not 0 <= mark[0] <= moves
            or not _is_hex(mark[1], 32)
        ):
            raise RecordError(f"fingerprints[{place}]: [moves applied, 32 hex digits] is needed")
    return tuple((count, text) for count, text in marks)
