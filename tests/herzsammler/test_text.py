"""The table as text, and the command line with Herzsammler."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pytest

import herzen
from herzen.cli.app import run
from herzen.herzsammler import Herzsammler, HerzsammlerRules, text
from herzen.render.text import table
from herzen.simulation import play_randomly
from tests.contract.adapters.herzsammler import HERZSAMMLER
from tests.herzsammler.table import example, middle, rows
from tests.tiers import scale

NAMES = ["You", "Ada"]


def test_a_viewers_table() -> None:
    game = middle(
        "RHcd BHfj V5aj",
        "G1be G2fj",
        open="RHah Y3bg YHef G3ae B1ij BHdh",
        names=NAMES,
        collections=["RHbe R3af R5cj YHag", "R4bj YHaj Y2dj"],
        bottom="R1dh R1di",
        misses=2,
        known={1: ["G1be"]},
    )
    assert str(game.view(0)).splitlines() == [
        "Herzsammler, game 1, dealt by Ada",
        "You to show a card, 72 cards in the stack, 2 misses in a row",
        "Stack: 70 unknown, then R1dh R1di",
        "",
        "   seat   total  game  hand",
        ">  0 You      0     8     3",
        "   1 Ada      0     2     2",
        "All know of Ada: G1be",
        "",
        "open   RHah  red heart     anchor, shell",
        "       Y3bg  yellow 3      apple, moon",
        "       YHef  yellow heart  drum, key",
        "       G3ae  green 3       anchor, drum",
        "       B1ij  blue 1        star, tulip",
        "       BHdh  blue heart    candle, shell",
        "hand   RHcd  red heart     bell, candle",
        "       BHfj  blue heart    key, tulip",
        "       V5aj  violet 5      anchor, tulip",
        "",
        "collected    0 You       1 Ada",
        "red        * 1♥ 3+5=8    4",
        "yellow     * 1♥        * 1♥ 2",
        "green        -           -",
        "blue         -           -",
        "violet       -           -",
        "* has most hearts of the colour and keeps its numerals",
        "",
        "objects  a anchor  b apple  c bell  d candle  e drum  f key  g moon  h shell",
        "         i star  j tulip",
    ]


def test_the_server_sees_all_hands() -> None:
    shown = str(example())
    assert "   0 Seat 0  RHcd BHfj V5aj\n   1 Seat 1  G1be G2fj" in shown
    assert "hands" not in str(example().view(0))
    spectator = str(example().view(None))
    assert not [card for card in "RHcd BHfj V5aj G1be G2fj".split() if card in spectator]


def test_ascii_and_few_columns() -> None:
    game = Herzsammler(
        HerzsammlerRules(players=4), seed=3, names=["Anna-Katharina", "Bartholomew", "Zoë", "D"]
    )
    rng = random.Random(1)
    for _ in range(25):
        game.play(rng.choice(game.codes()))
    wide, narrow, slim = (table(game, symbols=False, width=width) for width in (80, 60, 40))
    assert wide.isascii()
    assert "0 Anna-Katharina" in wide
    assert "0 Anna-K." in narrow
    assert "0: " in slim
    for shown, width in ((wide, 80), (narrow, 60), (slim, 40)):
        collected = shown[shown.index("collected") :]
        assert max(map(len, collected.splitlines())) <= width
        assert "2H" in shown or "1H" in shown


@pytest.mark.parametrize("number", range(scale(quick=13, ci=30, full=2_000)))
def test_any_position_can_be_shown_in_ascii_and_in_few_columns(number: int) -> None:
    """S-KNOW-1: under all rules and decks; and what is hidden stays hidden."""
    rng = random.Random(f"text {number}")
    game = HERZSAMMLER.new(HERZSAMMLER.random_rules(rng), number)
    for _ in range(60):
        for shown in (game, game.view(rng.randrange(game.players)), game.view(None)):
            told = table(shown, symbols=False, width=60)
            assert told.isascii()
            assert all(len(line) <= 60 for line in told.splitlines())
            assert told == "\n".join(line.rstrip() for line in told.splitlines())
        if game.over:
            break
        view = game.view(game.turn)
        assert all(str(card) in text.hand(view) for card in view.hand)
        assert all(str(move.card) in text.prompt(view) for move in view.legal_moves)
        for move in view.legal_moves:
            assert game.parse(text.complete(view, text.describe(str(move)))) == move
        game.play(rng.choice(view.legal_moves))


def test_hostile_names_and_colours_cannot_move_the_cursor() -> None:
    deck = [["r\x1b[2J\n" + "x" * 30, "numeral", 3, 0, 1], *rows("B1ab " * 12)]
    rules = HerzsammlerRules(deck=deck)
    game = Herzsammler(rules, seed=1, names=["\x1b[2J", "a\nb"])
    for shown in (str(game), str(game.view(0)), text.hand(game.view(0)), text.prompt(game.view(0))):
        assert all(letter.isprintable() or letter == "\n" for letter in shown)
    play_randomly(game)
    told = [text.sentence(event, ["A", "B"]) for event in game.log]
    assert all(sentence.isprintable() for sentence in told)


def test_prompt_and_hand() -> None:
    view = example().view(0)
    assert text.prompt(view) == (
        "You may show: RHcd (takes BHdh), BHfj (takes YHef B1ij), V5aj (takes RHah G3ae B1ij)"
    )
    chosen = example(choose_object=True).view(0)
    assert "RHcd by c (a miss), RHcd by d (takes BHdh)" in text.prompt(chosen)
    assert text.hand(view).splitlines() == [
        "Your hand: RHcd  red heart   bell, candle",
        "           BHfj  blue heart  key, tulip",
        "           V5aj  violet 5    anchor, tulip",
    ]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("V5aj", "show V5aj"),
        ("show v5aj", "show v5aj"),
        ("V5aj a", "show V5aj by a"),
        ("V5aj by a", "show V5aj by a"),
        ("v5aj, anchor", "show v5aj by a"),
        ("show V5aj by Tulip", "show V5aj by j"),
        ("", ""),
    ],
)
def test_what_is_plain_may_be_left_out(typed: str, meant: str) -> None:
    assert text.complete(example(choose_object=True).view(0), typed) == meant


def test_sentences() -> None:
    game = example(choose_object=True)
    events = [*game.play("show V5aj by a"), *game.play("show G1be by b")]
    assert [text.sentence(event.for_seat(None), NAMES) for event in events] == [
        "You: V5aj (violet 5: anchor, tulip), by a",
        "Taken by You: RHah G3ae.",
        "Opened: R1dh.",
        "",
        "Ada: G1be (green 1: apple, drum), by b",
        "Taken by Ada: Y3bg.",
        "",
    ]
    assert text.sentence(events[3], NAMES) == "Drawn by Ada: R1di."
    missed = example(choose_object=True).play("show RHcd by c")
    assert text.sentence(missed[1], NAMES) == "A miss: RHcd goes under the stack."


def test_every_reason_has_a_sentence() -> None:
    rng = random.Random(3)
    seen = set()
    for _ in range(300):
        game = HERZSAMMLER.new(HERZSAMMLER.random_rules(rng), rng.getrandbits(64))
        play_randomly(game)
        names = [str(seat) for seat in range(game.players)]
        for event in game.log:
            told = text.sentence(event, names)
            if type(event).__name__ == "GameScored":
                seen.add(event.reason)
                assert told.startswith(f"Game {event.deal + 1} is over: ")
            elif type(event).__name__ not in ("Drawn", "GameEnded"):
                assert told
    assert seen == {"empty", "short", "no_card", "stalled"}


def test_what_a_game_adds_to_a_summary() -> None:
    """S-SCORE-2: the colours of which a seat kept points."""
    for seed in range(20):
        game = Herzsammler(HerzsammlerRules(players=3), seed=seed)
        assert text.counted(game) == ()
        play_randomly(game)
        counted = text.counted(game)
        sheet = game.last_deal
        assert sheet is not None
        for seat in range(3):
            kept = [line for line in sheet.lines if f"seat {seat} has" in line]
            fates = [part for line in kept for part in line.split(": ")[1].split("; ")]
            own = [part for part in fates if part.startswith(f"seat {seat} ") and "keeps" in part]
            assert counted.count(("colours", seat)) == len([p for p in own if not p.endswith(" 0")])


# ---- the command line ----------------------------------------------------------------------------------------


def ok(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    code = run(arguments)
    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    return out


@pytest.mark.parametrize("columns", ["80", "60"])
def test_play_a_whole_match(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    columns: str,
) -> None:
    """A person who asks for a hint, types nonsense, takes back and then follows the first legal moves."""
    record = tmp_path / "match.json"
    monkeypatch.setenv("COLUMNS", columns)
    typed = iter(["hint", "nonsense", "table"])
    game: list[Herzsammler] = []

    class Person(io.StringIO):
        def readline(self, *_: object) -> str:  # type: ignore[override]
            word = next(typed, None)
            if word is None:
                word = str(game[0].legal_moves()[0]).removeprefix("show ")
            return word + "\n"

    made = Herzsammler.__init__

    def remember(self: Herzsammler, *args: object, **fields: object) -> None:
        made(self, *args, **fields)  # type: ignore[arg-type]
        game.append(self)

    monkeypatch.setattr(Herzsammler, "__init__", remember)
    monkeypatch.setattr("sys.stdin", Person())
    out = ok(capsys, "play", "herzsammler", "--seed", "3", "--record", str(record))
    assert "You may show: " in out
    assert "Hint: show " in out
    assert "Not possible: " in out
    assert "Game 1 is over: the stack is empty." in out
    assert "Final scores: You " in out
    herzen.Record.load(record).verify()
    assert "collected" in ok(capsys, "replay", str(record), "--at", "7", "--seat", "1")


def test_simulate_and_replay(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    record = tmp_path / "some.jsonl"
    out = ok(
        capsys,
        "simulate",
        "herzsammler",
        "--games",
        "6",
        "--seed",
        "1",
        "--bots",
        "rule,random",
        "--record",
        str(record),
    )
    assert "herzsammler: 6 matches" in out
    assert "colours" in out
    shown = ok(capsys, "replay", str(record), "--game", "3", "--at", "20", "--ascii", "--log")
    assert "objects  a anchor" in shown
    assert "1H" in shown
    assert "Taken by " in shown
    assert "Verified: 6 records" in ok(capsys, "replay", str(record), "--verify")
