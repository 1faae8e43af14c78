"""Write tests/data/records: files of format version 1 that every later release must read.

    python -m tests.contract.make_old_records

It refuses to write where there is a file already: old files are never written again, new kinds get new names.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import herzen
from tests.contract.games import GAMES
from tests.contract.samples import from_setup, played, with_undos, without_seed

FOLDER = Path(__file__).parents[1] / "data" / "records"


def records() -> Iterator[tuple[str, herzen.Record]]:
    """(name, record) of each kind that there is."""
    for case in GAMES:
        fields = case.variants[0]
        over, running = played(case, fields, 10**6, "old"), played(case, fields, 30, "old")
        yield f"{case.name}-over", over.record(fingerprints=16)
        yield f"{case.name}-running", running.record({"table": "7"}, notes={0: "first ♥", 30: "x"})
        yield f"{case.name}-options", played(case, case.variants[-1], 40, "old").record()
        yield f"{case.name}-setup", played_on(from_setup(running)).record()
        yield f"{case.name}-undos", with_undos(played(case, fields, 20, "old")).record()
        names = [f"Ann {seat} ♥" for seat in range(running.players)]
        named = case.kind(case.rules(fields), seed="old", names=names)
        named.play(named.codes()[0])
        yield f"{case.name}-stamps", named.record(stamps=[1_700_000_000_123])
        yield (
            f"{case.name}-seedless",
            herzen.Record.from_dict(without_seed(running.record().to_dict())),
        )


def played_on(game: herzen.Game) -> herzen.Game:
    """The game a few first moves later."""
    for _ in range(5):
        if not game.over:
            game.play(game.codes()[0])
    return game


def facts(record: herzen.Record) -> dict[str, object]:
    """What a replay must come to."""
    game = record.replay()
    return {
        "fingerprint": game.fingerprint(),
        "version": game.version,
        "scores": list(game.scores),
        "winners": [int(seat) for seat in game.winners],
        "hands": [[str(card) for card in game.hand(seat)] for seat in range(game.players)],
        "last move": str(game.moves[-1]) if game.moves else None,
        "stamps": list(record.stamps),
        "notes": [list(note) for note in record.notes],
        "views": {
            str(seat): record.replay(to=len(record.moves)).view(seat).fingerprint()
            for seat in [None, *range(game.players)]
        },
    }


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    known = (
        json.loads((FOLDER / "facts.json").read_text()) if list(FOLDER.glob("facts.json")) else {}
    )
    made = dict(records())
    written = []
    for name, record in made.items():
        if name not in known:
            record.dump(FOLDER / f"{name}.json.gz")
            known[name] = facts(record)
            written.append(name)
    for case in GAMES:
        for seat in (None, 1):
            name = f"{case.name}-over-seat-{seat}"
            if not (FOLDER / f"{name}.json.gz").exists():
                made[f"{case.name}-over"].for_seat(seat).dump(FOLDER / f"{name}.json.gz")
                written.append(name)
    if not (FOLDER / "all.jsonl.gz").exists():
        with herzen.RecordWriter(FOLDER / "all.jsonl.gz", every=4) as writer:
            for record in made.values():
                writer.write(record)
        written.append("all.jsonl.gz")
    (FOLDER / "facts.json").write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")
    print(f"written: {', '.join(written) or 'nothing'}")


if __name__ == "__main__":
    sys.exit(main())
