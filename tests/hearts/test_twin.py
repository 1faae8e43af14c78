"""Hearts against its twin where only Hearts can look: hand results, and counts of move sequences.

The counts are perft-like: from a given deal, after fixed passes and a fixed number of fixed plays,
the number of legal move sequences of each length. Twin and engine count on their own; both must
give the stored numbers (tests/data/hearts_perft.json, made by `python -m tests.hearts.test_twin`).
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

import pytest

import herzen
from herzen.hearts import HandScored, TrickScorer
from tests.reference.hearts import HeartsTwin
from tests.reference.hearts_options import random_rules
from tests.tiers import scale

DATA = Path(__file__).parents[1] / "data" / "hearts_perft.json"

# (rules, seed, plays made before counting, longest length counted)
STARTS: list[tuple[dict[str, Any], int, int, int]] = [
    ({}, 1, 0, 6),
    ({}, 2, 28, 8),
    ({"players": 3}, 3, 0, 5),
    ({"players": 3, "extras": "kitty", "kitty_to": "first_points"}, 4, 33, 9),
    ({"players": 5, "lead": "dealer_left"}, 5, 0, 4),
    ({"players": 6, "lead_when_stuck": "pass_lead", "break_required": True}, 6, 24, 9),
    ({"players": 7, "first_trick_points": "allow"}, 7, 7, 6),
    ({"pass_count": 0, "queen_lead": "after_hearts"}, 8, 36, 9),
    ({"pass_count": 0, "break_required": False}, 9, 4, 5),
    ({"decks": 2, "players": 5}, 10, 80, 8),
    ({"decks": 2, "players": 8}, 11, 72, 9),
    ({"decks": 2, "players": 11, "last_cancelled": "second"}, 12, 77, 10),
]


def twin_at(fields: dict[str, Any], seed: int, plays: int) -> HeartsTwin:
    """The twin after the first pass of each seat and so many middle plays."""
    twin = HeartsTwin(fields, seed)
    while twin.phase == "pass" or plays:
        assert twin.turn is not None
        legal = twin.legal(twin.turn)
        if twin.phase == "pass":
            twin.play(twin.turn, legal[0])
        else:
            twin.play(twin.turn, legal[len(legal) // 2])
            plays -= 1
    return twin


def game_at(fields: dict[str, Any], seed: int, plays: int) -> herzen.Hearts:
    """The engine there."""
    game = herzen.Hearts(herzen.HeartsRules(**fields), seed=seed)
    while game.phase == "pass" or plays:
        codes = game.codes()
        if game.phase == "pass":
            game.play_code(codes[0])
        else:
            game.play_code(codes[len(codes) // 2])
            plays -= 1
    return game


def count_twin(twin: HeartsTwin, depth: int) -> int:
    """Legal move sequences of this length; a match that is over has none but the empty one."""
    if depth == 0:
        return 1
    if twin.turn is None:
        return 0
    legal = twin.legal(twin.turn)
    if depth == 1:
        return len(legal)
    total = 0
    for text in legal:
        after = twin.copy()
        assert twin.turn is not None
        after.play(twin.turn, text)
        total += count_twin(after, depth - 1)
    return total


def count_engine(game: herzen.Hearts, depth: int) -> int:
    """The same, by copies and by undo in turns."""
    if depth == 0:
        return 1
    codes = game.codes()
    if depth == 1:
        return len(codes)
    total = 0
    for code in codes:
        if depth % 2:
            after = game.copy(history=False)
            after.play_code(code)
            total += count_engine(after, depth - 1)
        else:
            game.play_code(code)
            total += count_engine(game, depth - 1)
            game.undo()
    return total


def counted(number: int) -> dict[str, Any]:
    """One row of the file, as the twin counts."""
    fields, seed, plays, depth = STARTS[number]
    twin = twin_at(fields, seed, plays)
    counts = [count_twin(twin, length) for length in range(1, depth + 1)]
    return {"rules": fields, "seed": seed, "plays": plays, "counts": counts}


def stored() -> list[dict[str, Any]]:
    """The rows of the file."""
    rows: list[dict[str, Any]] = json.loads(DATA.read_text(encoding="utf-8"))["rows"]
    return rows


def test_the_file_holds_every_start() -> None:
    rows = [(row["rules"], row["seed"], row["plays"], len(row["counts"])) for row in stored()]
    assert rows == STARTS


@pytest.mark.parametrize("number", range(len(STARTS)))
def test_number_of_legal_sequences(number: int) -> None:
    """The engine to the full depth, the twin as far as it is quick."""
    row = stored()[number]
    game = game_at(row["rules"], row["seed"], row["plays"])
    mark = game.fingerprint()
    for length, count in enumerate(row["counts"], 1):
        if count < scale(quick=10_000, ci=90_000, full=10**9):
            assert count_engine(game, length) == count
            assert game.fingerprint() == mark
    twin = twin_at(row["rules"], row["seed"], row["plays"])
    for length, count in enumerate(row["counts"], 1):
        if count < scale(quick=750, ci=6_000, full=10**9):
            assert count_twin(twin, length) == count


def test_results_of_hands() -> None:
    """HandScored, last_deal and TrickScorer agree with the twin's score of every hand."""
    rng = random.Random(1)
    moons = bonuses = 0
    for _ in range(scale(quick=50, ci=180, full=20_000)):
        fields, seed = random_rules(rng), rng.getrandbits(256)
        twin = HeartsTwin(fields, seed)
        game = herzen.Hearts(herzen.HeartsRules(**fields), seed=seed)
        while not twin.over:
            assert twin.turn is not None
            before, totals = twin.hand_result, twin.scores
            seat, text, _ = twin.random_move()
            events = game.play(text, seat=seat)
            scored = [event for event in events if isinstance(event, HandScored)]
            if twin.hand_result is before:
                assert not scored
                continue
            result = twin.hand_result
            assert result is not None
            (event,) = scored
            assert list(event.points) == result["points"]
            assert list(event.scores) == twin.scores
            assert (event.shooter, event.kind) == (result["moon"], result["kind"])
            assert game.last_deal is not None
            assert (game.last_deal.totals, game.last_deal.lines) == (event.points, event.lines)
            moons += result["moon"] is not None
            bonuses += bool(twin.table.bonus)
            _score_by_itself(game, result, totals, twin)
    assert moons > 10
    assert bonuses > 10


def _score_by_itself(
    game: herzen.Hearts, result: dict[str, Any], totals: list[int], twin: HeartsTwin
) -> None:
    # The scorer alone counts a pile as taken tricks, so a kitty or cards taken without a trick, and
    # "auto" at the guard of the match, are left to the game.
    if game.kitty_size or twin.rules["moon"] == "auto":
        return
    kind = result["kind"] if twin.rules["moon"] == "choice" else None
    sheet = TrickScorer(game.rules).score(result["piles"], moon=kind)
    assert list(sheet.totals) == result["points"]
    after = TrickScorer(game.rules).score(result["piles"], moon=kind, totals=totals)
    assert list(after.totals) == twin.scores


def main() -> None:
    """Write the counts of the twin to the standard output."""
    rows = ",\n  ".join(json.dumps(counted(number)) for number in range(len(STARTS)))
    note = "Counted by the plain-Python twin; never regenerate to make a test pass."
    sys.stdout.write(f'{{\n"note": {json.dumps(note)},\n"rows": [\n  {rows}\n]\n}}\n')


if __name__ == "__main__":
    main()
