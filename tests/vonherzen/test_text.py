"""The table as text, and what a person is asked and may type."""

from __future__ import annotations

import random

import pytest

import herzen
from herzen.render.text import game_text, table
from herzen.simulation import play_randomly
from herzen.vonherzen import VonHerzen, VonHerzenRules
from herzen.vonherzen import text as vonherzen_text
from herzen.vonherzen.cards import Card
from tests.reference.vonherzen_options import random_rules
from tests.tiers import scale
from tests.vonherzen.table import FLUTE, at, cards, dealt, play

NAMES = ["North", "East", "South"]


def named() -> VonHerzen:
    rules = VonHerzenRules(natural_flute_bonus=4)
    hands = [cards("b7 B7 R9 r8"), cards("b9"), cards("B9 bJ")]
    runs = [(1, cards("r9 bT rJ rQ")), (2, cards("RT RJ RQ"))]
    used = {card for zone in [*hands, *(run for _, run in runs)] for card in zone}
    deck = [rank + suit for suit in "CDHS" for rank in "789TJQKA"]
    rest = [card for card in deck if card not in used]
    return VonHerzen.setup(
        rules,
        hands=hands,
        turn=0,
        phase="meld",
        runs=runs,
        pile=rest[:2],
        stock=rest[2:],
        names=NAMES,
    )


def test_the_server_sees_everything() -> None:
    assert str(named()).splitlines() == [
        "Von Herzen, deal 1 of 6: dealt by South",
        "Turn 4: North to meld, lay off, discard or end",
        "Stock: 16 cards, face down",
        "Pile: 8♣ Q♣ (top last)",
        "",
        "   seat     total  deal  cards",
        ">  0 North      0    -4      4",
        "   1 East       0     2      1",
        "   2 South      0     1      2",
        "",
        "runs",
        "  0  East   9♦ [10♣] J♦ Q♦  +3",
        "  1  South  10♥ J♥ Q♥       +3",
        "",
        "hands",
        "   0 North  7♣ 7♠ | 8♦ 9♥",
        "   1 East   9♣",
        "   2 South  9♠ J♣",
    ]


def test_a_viewer_sees_its_own_and_what_it_knows() -> None:
    game = dealt("7C 8C KH", "JC QC 9H", "7D 8D TD", turn_up=True)
    play(game, "offer JC QC", "accept 7C 8C", "offer QC", "decline", "offer TD")
    lines = str(game.view(1)).splitlines()
    assert lines[1] == "Exchange 3 of 3: 1 card from Seat 2 for Seat 1: Seat 1 to accept or decline"
    assert lines[-2:] == ["hand   7♣ 8♣ | 9♥", "swap   J♣ Q♣ for 7♣ 8♣ (with Seat 0)"]
    assert "offer  10♦" in str(game.view(2))
    assert "10♦" not in str(game.view(0))
    play(game, "accept 9H", "draw pile")
    pile = str(game.drawn.symbol if game.drawn else "")
    for viewer in (1, None):
        assert f"took {pile}" in str(game.view(viewer))
        assert f"known  {pile} (held by Seat 0)" in str(game.view(viewer))
    assert f"known  {pile} (held by you)" in str(game.view(0))
    spectator = str(game.view(None)).splitlines()
    assert not [line for line in spectator if line.startswith(("hand", "swap"))]


def test_a_hand_stands_as_players_hold_it() -> None:
    some = list(map(Card, "AS 7H 8C 8S 7C 9D 9H".split()))
    assert vonherzen_text.hand_words(some, True) == "7♣ 8♣ 8♠ A♠ | 7♥ 9♦ 9♥".split()
    assert vonherzen_text.hand_words(some, False) == "7C 8C 8S AS | 7H 9D 9H".split()
    assert vonherzen_text.hand_words([], True) == ["no cards"]
    assert vonherzen_text.hand_words([Card("7H")], True) == ["7♥"]


@pytest.mark.parametrize(
    ("run", "shown"),
    [
        ("r8 r9 bT rJ", "8D 9D [TC] JD"),
        ("b7 r8 r9 rT", "[7C] 8D 9D TD"),
        ("b7 b8 b9 rT", "7C 8C 9C [TD]"),
        ("r8 r9 rT", "8D 9D TD"),
        (FLUTE, "7D 8D 9D TD JD QD KD AD"),
    ],
)
def test_the_joker_is_marked(run: str, shown: str) -> None:
    assert vonherzen_text.run_text(list(map(Card, cards(run))), False) == shown


def test_flutes_last_turns_and_turned_stocks_are_told() -> None:
    game = at("8C 9C", (1, FLUTE), stock="", pile="7C AH", stock_refill="turn_over")
    assert "+10 flute" in str(game)
    assert "Stock: empty" in str(game)
    play(game, "discard 9C")
    assert "Stock: 7♣ A♥ 9♣ (turned over, top first)" in str(game.view(None))
    assert "Pile: empty" in str(game)
    last = at("8C 9C", zones={"last_turns": [0, 1], "turns_taken": 1})
    assert "Last turns: Seat 0 to meld, lay off or end (Seat 1 after that)" in str(last)
    over = at("8C 9C TC", max_deals=1)
    play(over, "meld 8C 9C TC")
    assert "The match is over: Seat 0 wins with 3." in str(over)


def test_every_stage_of_the_exchange_is_told() -> None:
    game = dealt("7C 8C 9C", "JC QC KC", "7D 8D 9D")
    told = [str(game).splitlines()[1]]
    for move in ("offer JC QC KC", "counter 2", "stay", "agree JC KC"):
        play(game, move)
        told.append(" ".join(str(game).split("Stock")[0].splitlines()[1:]))
    assert told == [
        "Exchange 1 of 3: Seat 1 to offer cards to Seat 0, or none",
        "Exchange 1 of 3: 3 cards from Seat 1 for Seat 0: Seat 0 to accept, decline or counter",
        "Exchange 1 of 3: 3 cards from Seat 1 for Seat 0, countered with 2: Seat 2 to take over or stay",
        "Exchange 1 of 3: 3 cards from Seat 1 for Seat 0, countered with 2: Seat 1 to agree or withdraw",
        "Exchange 1 of 3: 3 cards from Seat 1 for Seat 0, countered with 2, agreed: Seat 0 to give 2 cards",
    ]
    assert "   offered  J♣ Q♣ K♣" in str(game)
    assert "   agreed   J♣ K♣" in str(game)


@pytest.mark.parametrize("number", range(scale(quick=25, ci=30, full=2_500)))
def test_any_position_in_ascii_and_in_few_columns(number: int) -> None:
    draw = random.Random(number)
    rules = VonHerzenRules(**random_rules(random.Random(f"text {number}")))
    names = ["x" * draw.randrange(1, 40) for _ in range(rules.players)]
    game = VonHerzen(rules, seed=number, names=names)
    for _ in range(120):
        for shown in (game, game.view(draw.randrange(game.players)), game.view(None)):
            for symbols in (True, False):
                text = table(shown, symbols=symbols, width=60)
                assert symbols or text.isascii()
                assert all(len(line) <= 60 for line in text.splitlines())
                assert text == "\n".join(line.rstrip() for line in text.splitlines())
        if game.over:
            break
        view = game.view(game.turn)
        assert vonherzen_text.prompt(view, symbols=False).isascii()
        assert vonherzen_text.hand(view, symbols=False, width=60).isascii()
        for move in draw.sample(view.legal_moves, min(3, len(view.legal_moves))):
            assert vonherzen_text.describe(str(move))
        game.play_code(draw.choice(game.codes()))


def test_unseen_cards_change_no_text() -> None:
    hands = [["7C", "8D", "9C"], ["TC", "JC", "QC"], ["7D", "KC", "AC"]]
    other = [hands[0], hands[2], hands[1]]
    deck = [rank + suit for suit in "CDHS" for rank in "789TJQKA"]
    rest = [card for card in deck if card not in {c for hand in hands for c in hand}]
    shown = {
        str(VonHerzen.setup(hands=each, turn=0, stock=stock).view(0))
        for each in (hands, other)
        for stock in (rest, rest[::-1])
    }
    assert len(shown) == 1


def test_hostile_names_cannot_move_the_cursor() -> None:
    shown = str(VonHerzen(seed=1, names=["\x1b[2J", "a\nb", "x" * 50]))
    assert all(letter.isprintable() or letter == "\n" for letter in shown)
    assert "a?b" in shown
    assert "x" * 20 not in shown


# ---- talking -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("phase", "typed", "meant"),
    [
        ("offer", "7c, 8c", "offer 7c 8c"),
        ("offer", "-", "offer -"),
        ("offer", "none", "offer -"),
        ("offer", "offer 7C", "offer 7C"),
        ("answer", "9h kd", "accept 9h kd"),
        ("answer", "2", "counter 2"),
        ("answer", "decline", "decline"),
        ("answer", "stay", "stay"),
        ("takeover", "AH KH", "takeover AH KH"),
        ("takeover", "Stay", "Stay"),
        ("agree", "7C", "agree 7C"),
        ("give", "9H", "accept 9H"),
        ("draw", "s", "draw stock"),
        ("draw", "pile", "draw pile"),
        ("draw", "9H", "draw 9H"),
        ("meld", "9c", "discard 9c"),
        ("meld", "8H 9D TC JH", "meld 8H 9D TC JH"),
        ("meld", "7H 2", "layoff 7H 2"),
        ("meld", "end", "end"),
        ("meld", "", ""),
    ],
)
def test_what_is_plain_may_be_left_out(phase: str, typed: str, meant: str) -> None:
    class Shown:
        pass

    view = Shown()
    view.phase = phase  # type: ignore[attr-defined]
    assert vonherzen_text.complete(view, typed) == meant  # type: ignore[arg-type]


def test_prompts_can_be_typed() -> None:
    """What a prompt gives as an example is a legal move, in every phase."""
    choose = random.Random(5)
    seen = set()
    for number in range(scale(quick=25, ci=30, full=2_500)):
        game = VonHerzen(VonHerzenRules(**random_rules(choose)), seed=number)
        while not game.over:
            view = game.view(game.turn)
            prompt = vonherzen_text.prompt(view)
            for example in prompt.split('"')[1::2]:
                # "offer 7C 8C" is an example of any number; with one card in hand it names one.
                assert game.is_legal(vonherzen_text.complete(view, example)), (prompt, view.phase)
                seen.add(view.phase)
            game.play(choose.choice(game.codes()))
    assert seen == {"offer", "answer", "takeover", "agree", "give", "meld"}


def test_every_event_that_matters_has_a_sentence() -> None:
    choose = random.Random(6)
    silent, told = set(), []
    for number in range(12):
        fields = random_rules(choose) | {"turn_up": True}
        game = VonHerzen(VonHerzenRules(**fields), seed=number)
        play_randomly(game)
        silent |= {
            type(event).__name__
            for event in game.log
            if not vonherzen_text.sentence(event, game.names)
        }
        told += [vonherzen_text.sentence(event, game.names) for event in game.events(None)]
        # A spectator is told no cards of the exchange.
        assert not [line for line in told if ("accept" in line or "offer" in line) and "(" in line]
    assert silent == {"GameEnded"}
    for words in ("swap", "discard", "meld run", "is over", "is blocked", "Last turns", "to run"):
        assert [line for line in told if words in line], words


def test_sentences() -> None:
    game = dealt("7C 8C 9C", "JC QC KC", "7D 8D 9D", first="TC")
    events = play(game, "offer JC QC", "accept 7C 8C")
    names = ["Ann", "Ben", "Cai"]
    assert [vonherzen_text.sentence(event, names) for event in events] == [
        "Ben: offer 2 cards (J♣ Q♣) to Ann.",
        "Ann: accept and give 2 cards (7♣ 8♣).",
        "Ben and Ann swap: Ben J♣ Q♣, Ann 7♣ 8♣.",
    ]
    assert [
        vonherzen_text.sentence(event.for_seat(2), names, symbols=False) for event in events
    ] == [
        "Ben: offer 2 cards to Ann.",
        "Ann: accept and give 2 cards.",
        "Ben and Ann swap 2 cards.",
    ]
    play(game, "offer -", "offer -")
    drawn = play(game, "draw stock")[0]
    assert vonherzen_text.sentence(drawn, names) == "Ann: draw 10♣ from the stock."
    assert vonherzen_text.sentence(drawn.for_seat(1), names) == "Ann: draw a card from the stock."


def test_what_a_deal_adds_to_a_summary() -> None:
    game = at("rA", (0, "r7 r8 r9 rT rJ rQ rK"), (1, "b7 b8 b9"), max_deals=1)
    assert list(vonherzen_text.counted(game)) == []
    play(game, "layoff rA 0")
    assert list(vonherzen_text.counted(game)) == [
        ("runs", 0),
        ("flutes", 0),
        ("runs", 1),
        ("out", 0),
    ]
    assert {heading for heading, _ in vonherzen_text.counted(game)} <= set(vonherzen_text.COUNTED)


def test_showing_changes_nothing() -> None:
    game = herzen.VonHerzen(seed=2)
    before = game.fingerprint(), game.version
    assert str(game)
    assert str(game.view(1))
    assert list(game_text("vonherzen").counted(game)) == []
    assert (game.fingerprint(), game.version) == before
