"""View.sample of Hearts: every world replays, looks like the view, and depends on nothing but the seed."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import herzen
from herzen.hearts._worlds import Worlds
from tests.hearts.table import KINDS, small_rules
from tests.hearts.worlds import (
    captured_before,
    count,
    positions,
    replay,
    without_events,
    world_of,
)
from tests.reference.hearts_options import DRAWS, is_valid, random_rules
from tests.tiers import scale

DATA = Path(__file__).parents[1] / "data" / "hearts_worlds.json"

PLAIN = [card for card in KINDS if card not in ("2C", "QS", "KS", "AS")]
PRESETS = (
    "classic",
    "plain",
    "omnibus",
    "black_maria",
    "cancellation",
    "microsoft",
    "openspiel",
    "yahoo",
)

# Every option away from its default, one at a time; what else an option asks for stands beside it.
SINGLE: list[dict[str, Any]] = [
    *({"players": players} for players in range(3, 8)),
    *({"decks": 2, "players": players} for players in range(5, 12)),
    {"decks": 2},
    {"removed": ["2C", "2D", "2H", "2S"]},
    {"extras": "kitty", "players": 5},
    *({"extras": "kitty", "players": 3, "kitty_to": to} for to in ("first_points", "last_trick")),
    *({"pass_count": count} for count in (0, 1, 2, 4)),
    *({"pass_cycle": cycle} for cycle in ((), ("right",), ("across",), "random")),
    {"keep_spades": True},
    *({"lead": lead} for lead in ("any_club", "dealer_left")),
    {"first_trick_points": "allow"},
    {"break_required": False},
    {"queen_breaks": False},
    *({"lead_when_stuck": stuck} for stuck in ("hearts_or_queen", "pass_lead")),
    {"queen_lead": "after_hearts"},
    *({"heart_points": points} for points in (0, "rank", "face", "spot")),
    *({"queen_points": points} for points in (0, 5)),
    {"extra_penalties": {"KS": 10, "AS": 7}},
    {"bonus": {"JD": -10}},
    {"no_trick_bonus": -5},
    *({"moon": moon} for moon in ("add", "subtract", "auto", "off")),
    {"bonus": {"JD": -10}, "moon_needs_bonus": True},
    {"sun": "double"},
    {"target": 30},
    {"end_test": "exceed"},
    {"exact_reset": {100: 50}},
    {"floor": 0},
    {"tie": "play_on"},
    {"max_hands": 1},
    {"stop_when_decided": True},
    {"decks": 2, "last_cancelled": "second"},
]


def check(game: herzen.Hearts, seat: int | None, seed: int) -> herzen.Hearts:
    """A world from the view as it travels: equal view, legal history."""
    view = game.view(seat)
    world = herzen.View.loads(view.dumps()).sample(seed)
    assert isinstance(world, herzen.Hearts)
    assert without_events(world.view(seat)) == without_events(view)
    assert (world.moves, world.log, world.version, world.ply) == ((), (), game.version, game.ply)
    replay(world)
    return world


def check_matches(rng: random.Random, fields: dict[str, Any], number: int) -> Counter[str]:
    """So many worlds at random places of random matches; the phases met."""
    phases: Counter[str] = Counter()
    while number > 0:
        for game, seat in positions(rng, fields | {"max_hands": 1}):
            if number > 0 and rng.random() < (0.01 if game.phase in ("pass", "play") else 0.3):
                check(game, seat, rng.getrandbits(256))
                phases[game.phase] += 1
                number -= 1
    return phases


def test_every_option_has_its_row() -> None:
    """The list above names every option."""
    assert {name for fields in SINGLE for name in fields} == set(herzen.HeartsRules._fields)
    assert {name for name, _ in DRAWS} <= set(herzen.HeartsRules._fields)
    assert all(is_valid(fields) for fields in SINGLE)


@pytest.mark.parametrize("fields", SINGLE, ids=str)
def test_every_option(fields: dict[str, Any]) -> None:
    """No world contradicts what the seat saw, whichever option is set."""
    check_matches(random.Random(str(fields)), fields, scale(quick=3, ci=5, full=600))


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset(preset: str) -> None:
    rules = getattr(herzen.HeartsRules, preset)()
    check_matches(random.Random(preset), rules.changed(), scale(quick=4, ci=12, full=3000))


def test_random_options() -> None:
    """Combinations of options: no contradiction, and every phase is met."""
    rng = random.Random(5)
    phases: Counter[str] = Counter()
    for _ in range(scale(quick=40, ci=45, full=15_000)):
        phases += check_matches(rng, random_rules(rng), 3)
    assert set(phases) == {"pass", "play", "moon", "over"}


def test_combinations_that_are_refused() -> None:
    """The only views that cannot be sampled (docs/sampling.rst)."""
    # keep_spades with two packs, where hands are hardly larger than passes
    fields: dict[str, Any] = {"decks": 2, "players": 11, "keep_spades": True}
    fields |= {"pass_count": 4, "pass_cycle": ["left"]}
    game = herzen.Hearts(herzen.HeartsRules(**fields), seed=1)
    check(game, 0, 1)
    while game.phase == "pass":
        game.play_code(game.codes()[0])
    with pytest.raises(NotImplementedError, match="keep_spades, two packs"):
        game.view(0).sample(1)
    for less in ({"decks": 1, "players": 7}, {"keep_spades": False}, {"pass_count": 3}):
        game = herzen.Hearts(herzen.HeartsRules(**fields | less), seed=1)
        while game.phase == "pass":
            game.play_code(game.codes()[0])
        check(game, 0, 1)
    # A set-up with captured cards in two packs, where very many sets of cards are worth as much
    game = herzen.Hearts(herzen.HeartsRules(decks=2, heart_points="rank"), seed=1)
    while len(game.tricks) < 6:
        game.play_code(game.codes()[-1])
    for points, refused in (("rank", True), (1, False)):
        rules = game.rules.replace(heart_points=points)
        view = herzen.Hearts.setup(rules, **captured_before(game, 6)).view(None)
        if refused:
            with pytest.raises(NotImplementedError, match="captured before"):
                view.sample(1)
        else:
            assert without_events(view.sample(1).view(None)) == without_events(view)


def test_small_hands_under_keep_spades() -> None:
    """H-PASS-10: hands so small that a seat may have had to pass Q♠, K♠ or A♠."""
    rng = random.Random(3)
    forced = 0
    for seed in range(scale(quick=20, ci=20, full=4000)):
        size = rng.choice([3, 4])
        held = ["2C", "QS", "KS", "AS", *rng.sample(PLAIN, 4 * size - 4)]
        fields = {"keep_spades": True, "pass_cycle": [rng.choice(["left", "across"])]}
        rules = small_rules(held, 4, pass_count=size - 1, **fields)
        game = herzen.Hearts(rules, seed=seed)
        while game.phase == "pass" or rng.random() < 0.7:
            codes = game.codes()
            game.play_code(codes[rng.randrange(len(codes))])
            if game.deal_number:
                break
        if game.phase == "play":
            seat = rng.choice([0, 1, 2, 3, None])
            view = game.view(seat)
            for number in range(3):
                world = check(game, seat, number)
                forced += any(
                    str(card) in ("QS", "KS", "AS")
                    for other in range(4)
                    if other != seat
                    for card in world.view(other).my_pass or ()
                )
            assert count(view)
    assert forced > 10


def test_the_game_that_is_sampled() -> None:
    """A fresh seed of its own, nothing to undo, the names of the view, and it plays on to the end."""
    names = ["North", "East", "South", "West"]
    game = herzen.Hearts(seed=3, names=names)
    for _ in range(20):
        game.play_code(game.codes()[0])
    game.undo()
    view = game.view(1)
    world = view.sample(7)
    assert world.names == tuple(names)
    assert (world.version, world.ply) == (21, 19)
    assert world.seed not in (None, 3, 7)
    assert world.seed == herzen._core.Stream(7, 5, 1).seed()
    assert world.record().seed is not None
    with pytest.raises(herzen.HerzenError, match="no move to take back"):
        world.undo()
    hands = [world.hand(seat) for seat in range(4)]
    assert sorted(card for hand in hands for card in hand) == sorted(
        card for seat in range(4) for card in game.hand(seat)
    )
    while not world.over:
        world.play_code(world.codes()[0])
    assert world.winners
    assert view.sample(None).view(1) == view.sample(8).view(1)


def test_a_seed_gives_one_world() -> None:
    """The same seed the same world, from the view itself and from its text; other seeds other worlds."""
    game = herzen.Hearts(seed=9)
    while len(game.tricks) < 3:
        game.play_code(game.codes()[-1])
    for seat in (*range(4), None):
        view = game.view(seat)
        again = herzen.View.loads(view.dumps())
        worlds = [view.sample(k) for k in range(20)]
        for k, world in enumerate(worlds):
            assert world.fingerprint() == again.sample(k).fingerprint()
            assert world.fingerprint() == Worlds(again).sample(k).fingerprint()
        assert len({world_of(world) for world in worlds}) == 20
        assert view.sample("a").fingerprint() == view.sample(b"a").fingerprint()
    with pytest.raises(herzen.SeedError):
        view.sample(-1)


def test_a_sample_of_a_sample() -> None:
    """A sampled world can be seen and sampled again; what its seats remember fits."""
    rng = random.Random(4)
    for game, seat in positions(rng, {"max_hands": 1}):
        if rng.random() < 0.05:
            world = check(game, seat, rng.getrandbits(64))
            other = rng.randrange(4)
            check(world, other, rng.getrandbits(64))


def test_known_worlds() -> None:
    """Seeds and worlds as they were when the format was fixed; never regenerated to make a test pass."""
    rows = json.loads(DATA.read_text(encoding="utf-8"))["rows"]
    assert len(rows) >= 12
    for row in rows:
        world = herzen.View.from_dict(row["view"]).sample(row["seed"])
        hands, kitty = world_of(world)  # type: ignore[arg-type]
        assert [list(hand) for hand in hands] == row["hands"]
        assert list(kitty) == row["kitty"]
        assert [
            None if cards is None else [str(card) for card in cards]
            for cards in (world.view(seat).my_pass for seat in range(len(hands)))  # type: ignore[attr-defined]
        ] == row["passes"]
