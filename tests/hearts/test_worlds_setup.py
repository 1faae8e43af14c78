"""View.sample of Hearts after set-ups, and of views that cannot be."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import pytest

import herzen
from herzen.hearts import _zones
from herzen.hearts.cards import cards_at
from tests.hearts.table import cards, middle, small_deal, texts, without
from tests.hearts.worlds import (
    assert_uniform,
    captured_before,
    count,
    positions,
    sampled,
    small_fields,
    without_events,
    world_of,
)
from tests.reference.hearts_options import random_rules
from tests.tiers import scale

Hands = list[list[str]]
WORTH = {"6H": 1, "7H": 1, "QS": 13, "JD": -10}


def test_set_ups_in_the_middle() -> None:
    """Positions with captured cards of which the view knows the points only: an equal view, whatever was captured."""
    rng = random.Random(8)
    left = scale(quick=60, ci=90, full=10_000)
    options: list[dict[str, Any]] = [
        {},
        {"bonus": {"JD": -10}},
        {"extra_penalties": {"KS": 10, "AS": 7}},
        {"players": 3, "extras": "kitty"},
        {"players": 5, "extras": "kitty", "kitty_to": "last_trick"},
        {"decks": 2, "players": 8},
        {"stop_when_decided": True},
    ]
    phases: Counter[str] = Counter()
    while left:
        for game, seat in positions(rng, rng.choice(options) | {"max_hands": 1}):
            if game.phase == "pass" or (game.phase == "play" and rng.random() > 0.02) or not left:
                continue
            zones = captured_before(game, rng.randrange(len(game.tricks) + 1))
            try:
                born = herzen.Hearts.setup(game.rules, **zones)
            except herzen.SetupError:  # the lead of a set-up would have gone on
                continue
            for _ in range(rng.randrange(4)):
                if not born.over:
                    born.play_code(born.codes()[0])
            left -= 1
            view = born.view(seat)
            world = herzen.View.loads(view.dumps()).sample(left)
            assert isinstance(world, herzen.Hearts)
            assert without_events(world.view(seat)) == without_events(view)
            phases[view.phase] += 1
    assert phases["play"] > 20
    assert phases["moon"] + phases["over"]


def test_captured_cards_must_make_up_the_points() -> None:
    """Of two hearts and Q♠ unseen, the ones that are not in hands give seat 1 its points."""
    rules = herzen.HeartsRules(
        removed=without("2C 3C 4C 5C 6H 7H QS 8D 9D TD JD 2S"), pass_cycle=()
    )
    game = herzen.Hearts.setup(
        rules,
        hands=[cards("2C 6H"), cards("3C 8D"), cards("4C 9D"), cards("5C TD")],
        turn=0,
        taken=[[], cards("7H QS"), cards("JD 2S"), []],
        hearts_broken=True,
    )
    assert game.points == (0, 14, 0, 0)
    view = game.view(0)
    found = sampled(view, 600)
    assert all("QS" not in hand and "7H" not in hand for hands, _ in found for hand in hands)
    # Two of the seven other cards are gone, the rest lie in three hands of two each.
    assert count(view) == 8 * 7 // 2 * 6 * 5 // 2 * 4 * 3 // 2
    game.play("2C")
    game.play("3C")
    world = game.view(0).sample(1)
    assert set(texts(cards_at(_zones.base_piles(world)[1]))) >= {"7H", "QS"}


def shares(unseen: list[str], room: list[int]) -> Iterator[Hands]:
    """All ways to share cards out."""
    if not room:
        yield []
        return
    for here in combinations(range(len(unseen)), room[0]):
        rest = [card for place, card in enumerate(unseen) if place not in here]
        for others in shares(rest, room[1:]):
            yield [[unseen[place] for place in here], *others]


def test_worlds_after_a_set_up() -> None:
    """Against trying all: hands, and piles of captured cards with the points that are shown, and the plays since."""
    start = {
        "hands": [cards("2C 6H"), cards("3D 8D"), cards("4C 9D")],
        "turn": 0,
        "taken": [[], cards("7H QS"), cards("JD")],
    }
    fields = {"players": 3, "pass_cycle": (), "bonus": {"JD": -10}}
    held = [card for zone in (*start["hands"], *start["taken"]) for card in zone]
    rules = herzen.HeartsRules(removed=without(held), moon="off", **fields)
    game = herzen.Hearts.setup(rules, **start, seed=1)
    view = game.view(0)
    for moves in ("", "2C", "2C 3D", "2C 3D 4C"):
        for move in moves.split()[-1:]:
            game.play(move)
        view = game.view(0)
        expected: Counter[tuple[tuple[str, ...], ...]] = Counter()
        played = dict(zip((0, 1, 2), moves.split(), strict=False))
        unseen = [card for card in held if card not in ("2C", "6H", *played.values())]
        room = [2 - (1 in played), 2 - (2 in played), 3]
        for one, two, gone in shares(unseen, room):
            hands = [
                cards("2C 6H"),
                *(
                    hand + [c for s, c in played.items() if s == seat]
                    for seat, hand in ((1, one), (2, two))
                ),
            ]
            if any(
                _replays(rules, hands, piles, moves, view)
                for piles in _piles(gone)
                if [sum(WORTH.get(card, 0) for card in pile) for pile in piles] == [0, 14, -10]
            ):
                expected[tuple(one), tuple(two)] += 1
        found: Counter[tuple[tuple[str, ...], ...]] = Counter()
        for (hands_now, _), times in sampled(view, 30 * len(expected)).items():
            found[hands_now[1], hands_now[2]] += times
        ordered = {
            tuple(tuple(sorted(hand, key=held_order)) for hand in hands): ways
            for hands, ways in expected.items()
        }
        assert count(view) == expected.total()
        assert_uniform(found, ordered)
        assert len(ordered) > 1


def held_order(card: str) -> int:
    return herzen.hearts.Card.parse(card).index


def _piles(gone: list[str]) -> Iterator[Hands]:
    for owners in product(range(3), repeat=len(gone)):
        yield [
            [card for card, own in zip(gone, owners, strict=True) if own == seat]
            for seat in range(3)
        ]


def _replays(
    rules: herzen.HeartsRules, hands: Hands, piles: Hands, moves: str, view: herzen.View
) -> bool:
    game = herzen.Hearts.setup(rules, hands=hands, turn=0, taken=piles)
    for move in moves.split():
        if not game.is_legal(move):
            return False
        game.play(move)
    shown = game.view(0)
    return (shown.points, shown.hand) == (view.points, view.hand)


def test_plays_before_a_set_up_are_not_judged() -> None:
    """A set-up need not be reachable: only what is played after it tells anything."""
    odd = middle("2D", "5D", "6D 7D", "8D 9D", turn=2, trick=[(0, "3D"), (1, "4C")])
    assert odd.voids[1] == ("D",)
    hands = {hands[1] for hands, _ in sampled(odd.view(0), 50)}
    assert any(hand[0].endswith("D") for hand in hands)


def view_data(moves: int = 15, seed: int = 5) -> dict[str, Any]:
    """A view of a seat in the middle of the first deal, as JSON has it."""
    game = herzen.Hearts(seed=seed)
    while game.ply < moves:
        game.play_code(game.codes()[0])
    data: dict[str, Any] = json.loads(game.view(1).dumps())
    return data


EDITS: list[tuple[str, Any, str]] = [
    ("hand", ["2C"], "hand and hand_sizes"),
    ("hand", [], "hand and hand_sizes"),
    ("hand_sizes", [1, 2, 3, 4], "hand sizes"),
    ("hand_sizes", [7, 7], "4 (sizes|entries)"),
    ("seat", 9, "seat"),
    ("seat", None, "spectator"),
    ("turn", None, "turn"),
    ("turn", 77, "turn"),
    ("phase", "moon", "phase"),
    ("phase", "sleep", "phase"),
    ("dealer", -1, "dealer"),
    ("ply", -1, "ply"),
    ("version", 2**32, "version"),
    ("scores", [0, 0, 0, 2**40], "scores"),
    ("points", [26, 0, 0, 0], "points"),
    ("points", [], "points"),
    ("hearts_broken", True, "broken"),
    ("pass_direction", "up", "pass_direction"),
    ("pass_direction", "hold", "nothing is passed"),
    ("committed", [0, 99], "committed"),
    ("my_pass", None, "passed"),
    ("my_pass", ["2C", "3C"], "3 cards are passed"),
    ("received", ["2C", "3C", "4C"], "received"),
    ("kitty", ["2C"], "kitty"),
    ("kitty_size", 3, "kitty"),
    ("trick", [[0, "2C"], [2, "3C"]], "trick"),
    ("tricks", [[0, ["2C"], 0]], "tricks"),
    ("voids", [["C", "D", "H", "S"]] * 4, "voids"),
    ("known", {}, "known"),
    ("legal_moves", [], "legal_moves"),
    ("winners", [2], "winners"),
    ("to_move", [], "to_move"),
]


@pytest.mark.parametrize(("field", "value", "word"), EDITS, ids=[f"{e[0]}={e[1]}" for e in EDITS])
def test_contradictory_views(field: str, value: Any, word: str) -> None:
    """A view edited by hand is refused with a sentence that names what is wrong."""
    data = view_data() | {field: value}
    with pytest.raises((herzen.SetupError, herzen.RecordError), match=word):
        herzen.View.from_dict(data).sample(1)


def test_plays_that_no_hand_allows() -> None:
    """A view whose cards contradict the rules: a seat that failed to follow and played that suit later."""
    game = small_deal("2C 3D 9S", "5D 6D TS", "4C KD 7C", "3C 8C JS", queen_points=0, moon="off")
    for card in "2C 5D 4C 3C".split():
        game.play(card)
    data = json.loads(game.view(0).dumps())
    data["trick"] = [[2, "KD"], [3, "8C"], [0, "3D"], [1, "7C"]][:2]
    data["hand_sizes"] = [2, 2, 1, 1]
    data["turn"], data["to_move"] = 0, [0]
    data["tricks"][0][1] = ["2C", "5D", "4C", "3C"]
    data["legal_moves"] = ["3D"]
    data["voids"] = [[], ["C"], [], ["D"]]
    assert herzen.View.from_dict(data).sample(1).turn == 0
    data["trick"] = [[2, "KD"], [3, "8C"], [0, "9S"]]
    data["hand"], data["hand_sizes"] = ["3D", "9S"], [2, 2, 1, 1]
    with pytest.raises(herzen.SetupError):
        herzen.View.from_dict(data).sample(1)


def mutated(data: Any, rng: random.Random) -> Any:
    """The data with one value somewhere changed, dropped, doubled or moved."""
    data = copy.deepcopy(data)
    at, key = data, rng.choice([name for name in data if name not in ("rules", "game", "events")])
    while isinstance(at[key], (list, dict)) and at[key] and rng.random() < 0.75:
        at = at[key]
        key = rng.choice(list(at)) if isinstance(at, dict) else rng.randrange(len(at))
    value = at[key]
    if isinstance(value, bool):
        at[key] = not value
    elif isinstance(value, int):
        at[key] = rng.choice([value + 1, value - 1, 0, -1, 11, 12, 255, 2**31, -(2**70)])
    elif isinstance(value, str):
        at[key] = rng.choice(["2C", "QS", "AH", "pass", "play", "moon", "over", "left", ""])
    elif isinstance(value, list) and value and rng.random() < 0.7:
        rng.choice([rng.shuffle, lambda some: some.pop(), lambda some: some.append(some[0])])(value)
    else:
        at[key] = rng.choice([None, [], {}, 0, ["2C"], ["QS", "2C", "3C"]])
    return data


def test_edited_views_never_crash() -> None:
    """Any change of any value: a world that looks like the view, or SetupError, or a view that cannot be read."""
    rng = random.Random(9)
    outcomes: Counter[str] = Counter()
    for number in range(scale(quick=20, ci=20, full=5000)):
        fields = small_fields(rng) if number % 2 else random_rules(rng)
        for game, seat in positions(rng, fields | {"max_hands": 1}):
            if rng.random() < 0.04:
                outcomes[_sample_edited(mutated(json.loads(game.view(seat).dumps()), rng))] += 1
    assert outcomes["world"] > 10
    assert outcomes["SetupError"] > 20
    assert outcomes["RecordError"] > 5


def _sample_edited(data: dict[str, Any]) -> str:
    try:
        view = herzen.View.from_dict(data)
    except herzen.RecordError:
        return "RecordError"
    try:
        world = view.sample(1)
    except (herzen.SetupError, NotImplementedError) as error:
        return type(error).__name__
    assert isinstance(world, herzen.Hearts)
    assert without_events(world.view(view.seat)) == without_events(view)
    assert world_of(world)
    return "world"
