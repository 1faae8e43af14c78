"""Reading what commands are told: games, seeds, rules, bots and files."""

from __future__ import annotations

import difflib
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from herzen.archive import load_records
from herzen.bots import bot_maker, bot_word, is_imported
from herzen.cli.output import BadInput
from herzen.errors import HerzenError, RecordError, RulesError
from herzen.game import Game
from herzen.record import Record
from herzen.registry import game_class
from herzen.rules import Rules
from herzen.seeds import parse_seed, read_seed

NOTHING = ("none", "null", "")
FLAGS = {"true": True, "yes": True, "false": False, "no": False}


def read_game(name: str) -> type[Game]:
    """The class of a game by its name."""
    try:
        return game_class(name.lower())
    except ValueError as error:
        raise BadInput(error) from None


def seed_of(text: str | None) -> int:
    """The seed of a command line; a fresh one if none is given."""
    if text == "":  # as a shell makes it of a variable that is not set
        raise BadInput("--seed: it is empty; leave it out for a fresh seed")
    return parse_seed(None) if text is None else read_seed(text)


def read_words(words: Sequence[str], option: str) -> list[str]:
    """Words of bots, each in its one spelling, and each the word of a bot that can be made."""
    try:
        read = [bot_word(word) for word in words]
        if any(map(is_imported, read)) and os.getcwd() not in sys.path:
            sys.path.append(os.getcwd())  # an installed command does not look there by itself
        for word in read:
            bot_maker(word)
    except ValueError as error:
        raise BadInput(f"{option}: {error}") from None
    return read


def read_bots(text: str, players: int) -> list[str]:
    """One word for all seats, or one for each with commas between."""
    words = read_words(text.split(","), "--bots")
    if len(words) == 1:
        words *= players
    if len(words) != players:
        raise BadInput(
            f"--bots: one word, or one for each of the {players} seats, not {len(words)}"
        )
    return words


def read_seat(seat: int, players: int, option: str = "--seat") -> int:
    """A seat that there is."""
    if not 0 <= seat < players:
        raise BadInput(f"{option}: there is no seat {seat}: seats are 0..{players - 1}")
    return seat


# ---- rules ---------------------------------------------------------------------------------------------------


def presets(kind: type[Rules]) -> dict[str, Callable[..., Rules]]:
    """The named constructors of a rules class: its own public class methods."""
    return {
        name: getattr(kind, name)
        for name, member in vars(kind).items()
        if isinstance(member, classmethod) and not name.startswith("_") and name != "from_dict"
    }


def read_rules(kind: type[Game], entries: Sequence[str], players: int | None) -> Rules:
    """The rules of `--rules` and `--set` entries: a preset's name or name=value, in any number and order."""
    rules_type = kind.rules_type
    named = presets(rules_type)
    make: Callable[..., Rules] = rules_type
    chosen = None
    fields: dict[str, Any] = {}
    for entry in entries:
        name, equals, value = entry.partition("=")
        name = name.strip().replace("-", "_").lower()
        if not equals:
            if name not in named:
                raise BadInput(
                    f"--rules: no such preset: {name!r} (there are: {', '.join(named)}); options are name=value"
                )
            if chosen not in (None, name):
                raise BadInput(f"--rules: one preset, not both {chosen} and {name}")
            chosen, make = name, named[name]
            continue
        if name not in rules_type._fields:
            near = difflib.get_close_matches(name, rules_type._fields, 1)
            raise BadInput(
                f"no option {name!r} in {kind.name}"
                + (f"; did you mean {near[0]!r}?" if near else "")
            )
        fields[name] = read_value(kind, name, value)
    if players is not None:
        fields["players"] = players
    return make(**fields)


def read_value(kind: type[Game], name: str, text: str) -> Any:
    """The value of an option: JSON, a word, `a,b,c`, or `a:1,b:2`; "none" is none."""
    text = text.strip()
    usual = getattr(kind._read_rules(None), name)
    many = isinstance(usual, tuple)
    if text.lower() in NOTHING:
        return {} if isinstance(usual, Mapping) else () if many else None
    if isinstance(usual, bool):
        return FLAGS.get(text.lower(), text)
    if text[0] in '[{"':
        try:
            return _keys_read(json.loads(text))
        except (ValueError, RecursionError) as error:
            raise BadInput(f"{name}: not JSON: {error}") from None
    if isinstance(usual, Mapping):
        return _mapping(name, text)
    if many or "," in text:
        words = tuple(_number(word) for word in text.split(","))
        return text if len(words) == 1 and _is_a_value(kind, name, text) else words
    return _number(text)


def _is_a_value(kind: type[Game], name: str, text: str) -> bool:
    """Whether the bare word is a value of the option, as "random" is one of a cycle."""
    try:
        kind.rules_type(**{name: text})
    except RulesError:
        return False
    return True


def _number(text: str) -> int | float | str:
    text = text.strip()
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)  # refused by every option, with the sentence that says what is allowed
    except ValueError:
        return text


def _mapping(name: str, text: str) -> dict[Any, Any]:
    out: dict[Any, Any] = {}
    for pair in text.split(","):
        key, colon, value = pair.partition(":")
        if not colon:
            raise BadInput(f"{name}: pairs are written like JD:-10,TD:-5, not {pair!r}")
        if _number(key) in out:
            raise BadInput(f"{name}: {key.strip()} stands twice")
        out[_number(key)] = _number(value)
    return out


def _keys_read(value: Any) -> Any:
    """JSON has texts for keys; totals are numbers."""
    return {_number(key): item for key, item in value.items()} if isinstance(value, dict) else value


# ---- files ---------------------------------------------------------------------------------------------------


def writable(path: str, option: str = "--record") -> str:
    """The path of a file to be written, links followed; BadInput at once for what could only fail at the end."""
    try:
        real = os.path.realpath(path)
    except ValueError:  # a letter that no file name has
        raise BadInput(f"{path!r}: no file can have this name") from None
    if not path or os.path.isdir(real):
        raise BadInput(f"{path or option}: a file name is needed, not a directory")
    if os.path.exists(real) and not os.path.isfile(real):
        raise BadInput(f"{path}: not a regular file")
    folder = os.path.dirname(real)
    if not os.path.isdir(folder):
        raise BadInput(f"{path}: there is no directory {folder}")
    if not os.access(folder, os.W_OK):
        raise BadInput(f"{path}: no permission to write in {folder}")
    return real


def fresh(path: str) -> str:
    """`writable`, and BadInput for a file that holds something."""
    real = writable(path)
    if os.path.exists(real) and os.path.getsize(real):
        raise BadInput(f"{path}: it exists already, and is not written over; give another name")
    return real


def check_apart(files: Mapping[str, str | None]) -> None:
    """BadInput if two of the files that a command reads or writes, by their options, are one and the same."""
    named = [(option, path) for option, path in files.items() if path]
    for (option, path), (other, its) in combinations(named, 2):
        if _is_same(path, its):
            raise BadInput(f"{other} {its}: it is the same file as {option} {path}")


def _is_same(path: str, other: str) -> bool:
    try:
        if os.path.exists(path) and os.path.exists(other):
            return os.path.samefile(path, other)
        resolved, its = map(os.path.realpath, (path, other))
        return os.path.normcase(resolved) == os.path.normcase(its)
    except (OSError, ValueError):  # a name that no file can have; who opens it says so
        return False


def records_in(path: str, *, torn: bool = False) -> Iterator[Record]:
    """The records of a file, one after another: one record, on one line or many, or JSON Lines. At least one.

    torn: the end may be missing, as a killed writer leaves it.
    """
    count = 0
    try:
        try:
            for record in load_records(path, torn=torn):
                count += 1
                yield record
        except RecordError as error:
            if count:
                raise BadInput(f"{path}: {error}") from None
            # One record over many lines, as people reformat it, is no JSON line by line.
            try:
                yield Record.load(path)
                return
            except RecordError as whole:
                raise BadInput(f"{path}: {whole}") from None
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror or error}") from None
    except ValueError as error:
        if isinstance(error, HerzenError):
            raise
        raise BadInput(f"{path}: {error}") from None  # a path with a null byte
    if not count:
        raise BadInput(f"{path}: there is no record in it")
