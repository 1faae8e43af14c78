"""Reading the JSON of records: checked by hand, so that hostile text costs little and gets only RecordError."""

from __future__ import annotations

from functools import lru_cache

from herzen._replay import object_maker, read_marks, read_moves
from herzen.decks import read_deck, read_texts
from herzen.errors import HerzenError, RecordError
from herzen.registry import game_class
from herzen.rules import default_rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from json import JSONDecoder
    from typing import Any, NoReturn

    from herzen.game import Game
    from herzen.rules import Rules

LARGEST = 64 << 20
"""Bytes of the largest record that is read, uncompressed."""
LATEST_STAMP = (1 << 53) - 1
"""The largest time stamp: integers up to here are exact in every JSON reader."""
ANNOTATIONS = "herzen"
"""The key of `meta` that is read: {"stamps": [...], "notes": [...]}."""
LONGEST_KEPT_RULES = 4096
"""Characters of JSON up to which rules objects that were read are kept for the next record."""

_READ_RULES = (HerzenError, TypeError, ValueError, AttributeError, OverflowError, RecursionError)


def read_json(text: str | bytes) -> Any:
    """The data of a JSON text; RecordError for what is no JSON, too long, or has a key twice."""
    if len(text) > LARGEST:
        raise RecordError(f"a record has at most {LARGEST} bytes")
    try:
        if not isinstance(text, str):
            text = bytes(text).decode(_encoding(text), "surrogatepass")
        decoder = _decoder()
        if text[:1] == "{" and text[-1:] == "}":  # as records are written: nothing to be skipped
            data, end = decoder.raw_decode(text)
            if end == len(text):
                return data
        return decoder.decode(text)
    except HerzenError:
        raise
    except RecursionError:
        raise RecordError("not a record: nested too deeply") from None
    except UnicodeDecodeError:
        raise RecordError("not JSON: not a text") from None
    except ValueError as error:
        raise RecordError(f"not JSON: {told(error)}") from None


def _encoding(text: bytes) -> str:
    if text[:2] == b'{"':  # as records are written: the two others would have a zero byte here
        return "utf-8"
    import json

    return json.detect_encoding(text)


@lru_cache(maxsize=1)
def _decoder() -> JSONDecoder:
    """The decoder, made once: json.loads makes one at each call."""
    import json

    return json.JSONDecoder(object_pairs_hook=object_maker(_no_double), parse_constant=_no_constant)


def short(value: object) -> str:
    """A value from a record as an error shows it."""
    shown = (
        ascii(value)
        if isinstance(value, (str, int, float, bool, type(None)))
        else type(value).__name__
    )
    return shown if len(shown) <= 60 else shown[:57] + "..."


def told(error: Exception) -> str:
    """What another error says; not all of it where it repeats a long text from the record."""
    text = str(error)
    return text if len(text) <= 600 else text[:597] + "..."


def _no_double(key: str) -> NoReturn:
    raise RecordError(f"key {short(key)} stands twice")


def _no_constant(name: str) -> Any:
    raise RecordError(f"{name} is no JSON number")


# ---- parts of records --------------------------------------------------------------------------------------


def check_frame(data: Any, kind: str, keys: tuple[str, ...], version: int, what: str) -> None:
    """RecordError unless the data is an object with exactly these keys, of this format and version."""
    if type(data) is not dict:
        raise RecordError(f"a {what} is a JSON object")
    if len(data) != len(keys) or not all(map(data.__contains__, keys)):
        if "format" not in data:
            raise RecordError(f"not a {what} of herzen: missing key 'format'")
        for key in data:
            if key not in keys:
                raise RecordError(f"unknown key {short(key)}")
        for key in keys:
            if key not in data:
                raise RecordError(f"missing key {key!r}")
    if data["format"] != kind:
        raise RecordError(f"format: {kind!r} is needed, not {short(data['format'])}")
    if type(data["version"]) is not int or data["version"] != version:
        raise RecordError(f"version: only {version} can be read, not {short(data['version'])}")


def check_int(value: Any, place: str, low: int, high: int) -> int:
    """The integer; RecordError, with the place, for anything else."""
    if type(value) is not int or not low <= value <= high:
        raise RecordError(f"{place}: an integer {low}..{high} is needed")
    return value


def read_game(name: Any) -> type[Game]:
    """The class of a game."""
    try:
        return game_class(name)
    except ValueError:
        raise RecordError(f"game: no such game {short(name)}") from None


def read_rules(kind: type[Game], rules: Any) -> Rules:
    """The rules of a `to_dict`, exactly as this package writes them."""
    if type(rules) is not dict:
        raise RecordError("rules: an object is needed")
    if not rules:
        return default_rules(kind.rules_type)
    import json

    try:
        text = json.dumps(rules)
    except (TypeError, ValueError, RecursionError) as error:
        raise RecordError(f"rules: {told(error)}") from None
    short_enough = len(text) <= LONGEST_KEPT_RULES
    read = _kept_rules(kind.name, text) if short_enough else _rules_of(kind, rules)
    if read.to_dict() != rules:
        raise RecordError(
            "rules: only options that differ from their defaults, as this package writes them"
        )
    return read


@lru_cache(maxsize=64)
def _kept_rules(game: str, text: str) -> Rules:
    import json

    return _rules_of(game_class(game), json.loads(text))


def _rules_of(kind: type[Game], rules: dict[str, Any]) -> Rules:
    try:
        return kind.rules_type.from_dict(rules)
    except _READ_RULES as error:
        raise RecordError(f"rules: {told(error)}") from None


def read_names(names: Any, players: int) -> tuple[str, ...] | None:
    """One name for each seat, or None."""
    if names is None:
        return None
    if (
        type(names) is not list
        or len(names) != players
        or not all(type(name) is str for name in names)
    ):
        raise RecordError(f"names: null or {players} texts are needed")
    return tuple(names)


def read_decks(rules: Rules, deals: Any) -> tuple[bytes, ...]:
    """The decks as card indices, top first."""
    if type(deals) is not list:
        raise RecordError("deals: an array is needed")
    out = []
    for number, deck in enumerate(deals):
        read = read_texts(rules, deck) if type(deck) is list else None
        if read is None:  # cards written in another way, or a fault
            if type(deck) is not list or not all(type(text) is str for text in deck):
                raise RecordError(f"deals[{number}]: an array of card texts is needed")
            try:
                read = read_deck(rules, deck, f"deals[{number}]")
            except HerzenError as error:
                raise RecordError(told(error)) from None
        out.append(read)
    return tuple(out)


def read_all_moves(moves: Any, players: int) -> tuple[tuple[int, str], ...]:
    """(seat, text) of all moves. Whether they are moves, and legal ones, shows when they are replayed."""
    if type(moves) is not list:
        raise RecordError("moves: an array is needed")
    read = read_moves(moves, players)
    if isinstance(read, int):
        raise RecordError(f"moves[{read}]: [seat, text] is needed")
    return read


def read_result(result: Any, players: int) -> dict[str, Any] | None:
    """{"scores", "winners"}, or None."""
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


def read_fingerprints(marks: Any, moves: int, seed: Any) -> tuple[tuple[int, str], ...]:
    """(moves applied, fingerprint)."""
    if type(marks) is not list:
        raise RecordError("fingerprints: an array is needed")
    if marks and seed is None:
        raise RecordError("fingerprints: there are none without a seed")
    read = read_marks(marks, moves)
    if isinstance(read, int):
        raise RecordError(f"fingerprints[{read}]: [moves applied, 32 hex digits] is needed")
    return read


# ---- meta --------------------------------------------------------------------------------------------------


def check_meta(meta: Any, moves: int) -> dict[str, Any]:
    """An object, free but for the key "herzen"."""
    if type(meta) is not dict:
        raise RecordError("meta: an object is needed")
    if ANNOTATIONS not in meta:
        return meta
    place, own = f"meta.{ANNOTATIONS}", meta[ANNOTATIONS]
    if type(own) is not dict or not own.keys() <= {"stamps", "notes"}:
        raise RecordError(f'{place}: an object with "stamps" and "notes" is needed')
    stamps = own.get("stamps", [None] * moves)
    if type(stamps) is not list or len(stamps) != moves:
        raise RecordError(f"{place}.stamps: an array with one entry for each move is needed")
    for index, stamp in enumerate(stamps):
        if stamp is not None and (type(stamp) is not int or not 0 <= stamp <= LATEST_STAMP):
            raise RecordError(f"{place}.stamps[{index}]: milliseconds or null are needed")
    notes = own.get("notes", [])
    if type(notes) is not list:
        raise RecordError(f"{place}.notes: an array is needed")
    latest = 0
    for index, note in enumerate(notes):
        if (
            type(note) is not list
            or len(note) != 2
            or type(note[0]) is not int
            or not latest <= note[0] <= moves
            or type(note[1]) is not str
        ):
            raise RecordError(
                f"{place}.notes[{index}]: [moves applied, text] is needed, in ascending order"
            )
        latest = note[0]
    return meta
