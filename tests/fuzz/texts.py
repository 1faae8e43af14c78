"""Targets whose cases are texts: records, archives, moves, set-ups, rules, views."""

from __future__ import annotations

import gzip
import json
import pickle
import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import herzen
from herzen.bots import RandomBot, RuleBot, SearchBot
from herzen.events import plain
from tests.contract.adapter import Adapter, Fields
from tests.contract.changed import try_all
from tests.contract.checks import error_of, walk
from tests.contract.games import GAMES
from tests.contract.mutations import mutated, starting_texts
from tests.contract.sampled import seen
from tests.fuzz.changing import change_json
from tests.fuzz.positions import check_position, check_rules
from tests.fuzz.target import TextTarget, Wrong, told

CASES = {case.name: case for case in GAMES}


def answer_of(call: Callable[[], object], *allowed: type[Exception]) -> str:
    """The error that a call raises, if it is one that it may raise; "" if it raises none."""
    kinds: tuple[type[Exception], ...] = (herzen.HerzenError, *allowed)
    try:
        call()
    except kinds as error:
        if len(str(error)) > 2_000:
            raise Wrong(f"an error of {len(str(error))} characters") from error
        return told(error)
    return ""


# ---- records ---------------------------------------------------------------------------------------


def answer_record(text: bytes) -> str:
    """What the loaders say. What is a record can be replayed, verified, compared and written again."""
    loads = (herzen.Record.loads, herzen.SeatRecord.loads)
    answer = " | ".join(answer_of(lambda load=load: load(text)) for load in loads)  # type: ignore[misc]
    if error_of(lambda: herzen.Record.loads(text)) is None:
        record = herzen.Record.loads(text)
        try_all(record, random.Random(len(text)))
        for use in (lambda: record.for_seat(0), lambda: record.diff(record)):
            error = error_of(use)
            if error is not None and not isinstance(error, herzen.ReplayMismatch):
                raise error
    elif error_of(lambda: herzen.SeatRecord.loads(text)) is None:
        herzen.SeatRecord.loads(text).replay().dumps()
    return answer


# ---- archives --------------------------------------------------------------------------------------


def start_archives() -> list[bytes]:
    """Three records a file: lines, one gzip member, a member for each."""
    lines = [text + b"\n" for text in starting_texts() if b"herzen-record" in text]
    out = []
    for first in range(0, len(lines) - 2, 3):
        some = lines[first : first + 3]
        out += [b"".join(some), gzip.compress(b"".join(some), 9, mtime=0)]
        out.append(b"".join(gzip.compress(line, 9, mtime=0) for line in some))
    return out


def change_archive(text: bytes, others: Sequence[bytes], rng: random.Random) -> bytes:
    """Changed within its packing, or as it is."""
    if text[:2] == b"\x1f\x8b" and rng.random() < 0.5:
        try:
            plain = gzip.decompress(text)
        except (OSError, EOFError, ValueError):
            return mutated(text, others, rng)
        return gzip.compress(mutated(plain, others, rng), 1, mtime=0)
    return mutated(text, others, rng)


def _count(path: Path, torn: bool) -> int:
    return sum(1 for _ in herzen.load_records(path, torn=torn))


def answer_archive(text: bytes) -> str:
    """What reading says of the file, with and without a torn end, and whether a writer can go on with it."""
    packed = text[:2] == b"\x1f\x8b"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "all.jsonl.gz" if packed else "all.jsonl")
        path.write_bytes(text)
        counts: list[int] = []
        answers = [answer_of(lambda: counts.append(_count(path, False)))]
        answers.append(answer_of(lambda: counts.append(_count(path, True))))
        answers.append(answer_of(lambda: herzen.RecordWriter(path).close()))
        if answers[1] == answers[2] == "":
            # The writer has mended what reading takes for a torn end.
            found = _count(path, False)
            if found not in (counts[-1], counts[-1] - 1):
                raise Wrong(f"{counts[-1]} records, and {found} after a writer has opened the file")
        elif answers[2] and path.read_bytes() != text:
            raise Wrong("a writer refused the file and changed it")
    return " | ".join(["gz" if packed else "plain", *answers])


# ---- moves -----------------------------------------------------------------------------------------


@cache
def move_positions() -> tuple[herzen.Game, ...]:
    """One position of every phase of every game."""
    out: list[herzen.Game] = []
    for case in GAMES:
        phases: dict[str, herzen.Game] = {}
        for _, game in walk(case, 1_500, 1, by_kind=True):
            phases.setdefault(str(game.phase), game.copy())
        out += phases.values()
    return tuple(out)


def start_moves() -> list[bytes]:
    """Some legal moves of these positions, and what looks like moves."""
    texts = {"", "QS", "10♦", "Q♠", "pass", "offer -", "moon add", "show R3af by a", "layoff 7H 2"}
    for game in move_positions():
        texts |= {str(move) for move in game.legal_moves()[::7]}
    return [text.encode() for text in sorted(texts)]


def answer_move(text: bytes) -> str:
    """How each game reads the text, and the codes that it gets in positions of all phases."""
    move = text.decode("utf-8", "surrogateescape")
    reads: list[str] = []
    codes: list[str] = []
    for case in GAMES:
        game = case.kind(seed=1)
        reads.append(answer_of(lambda game=game: game.parse(move)))  # type: ignore[misc]
        if not reads[-1]:
            again = str(game.parse(move))
            if str(game.parse(again)) != again:
                raise Wrong(f"{again!r} is read as {game.parse(again)}")
    for game in move_positions():
        why = game.why_illegal(move)
        before = (game.fingerprint(), game.version, game.ply)
        if game.is_legal(move) != (why is None):
            raise Wrong(f"legal and not: {why}")
        other = game.copy()
        try:
            other.play(move)
        except herzen.IllegalMove as error:
            codes.append(error.code)
            game = other
            if why != str(error) and not isinstance(error, herzen.GameOver):
                raise Wrong(f"{error}, and {why}") from error
        else:
            codes.append("legal")
            other.undo()
            if (other.fingerprint(), game.version, game.ply) != before:
                raise Wrong("taken back, and not as it was")
            continue
        if (game.fingerprint(), game.version, game.ply) != before:
            raise Wrong("refused, and not as it was")
    return " | ".join([*reads, " ".join(codes)])


# ---- set-ups and rules -----------------------------------------------------------------------------


def start_setups() -> list[bytes]:
    """Positions in the middle of matches, as records hold them."""
    out = []
    for number, case in enumerate(GAMES):
        for fields in case.variants:
            for _, game in walk_of(case, fields, 150, number):
                if game.ply % 23 == 5:
                    zones = game._setup_zones(game)
                    data = {"game": case.name, "rules": game.rules.to_dict(), "setup": zones}
                    out.append(json.dumps(plain(data)).encode())
    return out


def walk_of(
    case: Adapter, fields: Fields, plies: int, seed: int
) -> Iterator[tuple[random.Random, herzen.Game]]:
    """Positions of matches under these rules, by kinds of moves."""
    return walk(replace(case, random_rules=lambda rng: fields), plies, seed, by_kind=True)


def _read(text: bytes, *keys: str) -> dict[str, Any] | None:
    """The objects under these keys; None for what is no such JSON."""
    try:
        data = json.loads(text)
        if data["game"] in CASES and all(isinstance(data[key], dict) for key in keys):
            return data  # type: ignore[no-any-return]
    except (ValueError, RecursionError, LookupError, TypeError):
        pass
    return None


def answer_setup(text: bytes) -> str:
    """What `setup` says of the zones. What it takes is a position like any other."""
    data = _read(text, "rules", "setup")
    if data is None:
        return "no set-up"
    case = CASES[data["game"]]
    made: list[herzen.Game] = []

    def make() -> None:
        rules = case.kind.rules_type.from_dict(data["rules"])
        made.append(case.kind.setup(rules, **{"seed": 1, **data["setup"]}))  # type: ignore[attr-defined]

    answer = answer_of(make, TypeError, IndexError)
    if made:
        check_position(case, made[0], random.Random(len(text)))
    return f"{case.name}: {answer}"


def start_rules() -> list[bytes]:
    """Random rules and fixed ones."""
    out = []
    rng = random.Random(1)
    for case in GAMES:
        for fields in (*case.variants, *(case.random_rules(rng) for _ in range(20))):
            data = {"game": case.name, "options": case.rules(fields).to_dict()}
            out.append(json.dumps(data).encode())
    return out


def answer_rules(text: bytes) -> str:
    """What the rules object says of its options. What it takes can be played, by the twin alike."""
    data = _read(text, "options")
    if data is None:
        return "no rules"
    case = CASES[data["game"]]
    made: list[herzen.Rules] = []
    answer = answer_of(
        lambda: made.append(case.kind.rules_type.from_dict(data["options"])), TypeError
    )
    if made:
        check_rules(case, made[0], random.Random(len(text)))
    return f"{case.name}: {answer}"


# ---- views -----------------------------------------------------------------------------------------


def start_views() -> list[bytes]:
    """Views of seats to move and of spectators, all games and phases."""
    out = []
    for number, case in enumerate(GAMES):
        for fields in case.variants[:6]:
            for _, game in walk_of(case, fields, 150, number):
                if game.ply % 29 == 3:
                    viewer = None if game.over or game.ply % 5 == 0 else int(game.to_move[-1])
                    out.append(game.view(viewer).dumps().encode())
    return out


def answer_view(text: bytes) -> str:
    """What reading says; then what bots, sampling and pictures say. A move that a bot names is one of the view's."""
    views: list[herzen.View] = []
    answer = answer_of(lambda: views.append(herzen.View.loads(text)))
    if not views:
        return answer
    (view,) = views
    if herzen.View.loads(view.dumps()) != view or pickle.loads(pickle.dumps(view)) != view:
        raise Wrong("the view does not come back from its JSON")

    def choose(bot: Any) -> None:
        if bot.choose(view) not in view.legal_moves:
            raise Wrong(f"{bot} names a move that is none")

    def sample() -> None:
        world = view.sample(1)
        if seen(world.view(view.seat)) != seen(view):
            raise Wrong("the world does not look like the view")

    answers = [answer_of(sample, NotImplementedError)]
    for bot in (RandomBot(1), RuleBot(1), SearchBot(1, simulations=20)):
        answers.append(answer_of(lambda bot=bot: choose(bot), ValueError, NotImplementedError))  # type: ignore[misc]
    answers += [answer_of(lambda: str(view)), answer_of(view._repr_svg_)]
    return " | ".join([view.game, *(one[:40] for one in answers)])


TARGETS = [
    TextTarget(
        "records",
        "texts as records of matches and of seats",
        starting_texts,
        mutated,
        answer_record,
    ),
    TextTarget(
        "archives",
        "files of records: lines, gzip, torn ends, a writer that goes on",
        start_archives,
        change_archive,
        answer_archive,
        most=120,
    ),
    TextTarget("moves", "texts as moves, in all phases", start_moves, mutated, answer_move),
    TextTarget(
        "setups", "positions set up, and played on", start_setups, change_json, answer_setup
    ),
    TextTarget("rules", "options, and matches under them", start_rules, change_json, answer_rules),
    TextTarget(
        "views",
        "views as JSON, to bots, sampling and pictures",
        start_views,
        change_json,
        answer_view,
        most=250,
    ),
]
