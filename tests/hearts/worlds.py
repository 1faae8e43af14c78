"""What the tests of sampled worlds share: small positions, a replay of a world, chi-square."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

import herzen
from herzen.hearts import _zones
from herzen.hearts._worlds import Worlds
from herzen.hearts.cards import cards_at
from herzen.hearts.knowledge import Knowledge
from herzen.hearts.view import HeartsView
from tests.hearts.table import texts
from tests.reference import hearts_options as options
from tests.reference.hearts import HeartsTwin
from tests.reference.hearts_rules import sort_cards
from tests.reference.hearts_worlds import World

T = TypeVar("T")


def small_fields(rng: random.Random) -> dict[str, Any]:
    """Valid options with hands of one to four cards, many of them away from their defaults."""
    while True:
        given: dict[str, Any] = {"max_hands": 2}
        if rng.random() < 0.3:
            given["decks"] = 2
        given["players"] = rng.randrange(5, 8) if "decks" in given else rng.randrange(3, 6)
        if rng.random() < 0.4:
            given["extras"] = "kitty"
        share = rng.choice([0.0, 0.1, 0.2, 0.4])
        for name, draw in options.DRAWS:
            if name not in ("removed", "pass_count", "extras") and rng.random() < share:
                given[name] = draw(rng, given)
        given["pass_count"] = rng.choice([0, 1, 1, 2])
        if rng.random() < 0.6:
            given["pass_cycle"] = [rng.choice(["left", "right"])]
        size = rng.choice([1, 2, 3, 4])
        removed = options._thinned(rng, given, size, hearts_first=rng.random() < 0.5)
        if given.get("extras") == "kitty" or "decks" in given:
            removed = removed[rng.randrange(3) :]
        given["removed"] = removed
        if options.is_valid(given):
            return given


def positions(
    rng: random.Random, fields: Mapping[str, Any]
) -> Iterator[tuple[herzen.Hearts, int | None]]:
    """A random match, after every move, as each seat and a spectator see it."""
    game = herzen.Hearts(herzen.HeartsRules(**fields), seed=rng.getrandbits(64))
    while True:
        for seat in [*range(game.players), None]:
            yield game, seat
        if game.over:
            return
        codes = game.codes()
        game.play_code(codes[rng.randrange(len(codes))])


def knowledge(view: HeartsView) -> Knowledge:
    """What the sampler makes of a view."""
    empty = herzen.Hearts.__new__(herzen.Hearts)
    empty._found(view.rules, 0, 0, (), None)
    return Knowledge(view, empty)


def count(view: HeartsView) -> int:
    """The number of ways to lay the unseen cards, as the sampler counts them."""
    return sum(pile.plan.weight for pile in knowledge(view).piles)


def kitty_of(game: herzen.Hearts) -> tuple[str, ...]:
    """The kitty, whoever may see it."""
    return tuple(texts(cards_at(bytes(sorted(_zones.facts(game)["kitty"])))))


def world_of(game: herzen.Hearts) -> World:
    """Hands and kitty of a sampled game."""
    return tuple(tuple(texts(game.hand(seat))) for seat in range(game.players)), kitty_of(game)


def sampled(view: HeartsView, number: int, seed: int = 0) -> Counter[World]:
    """How often each world is drawn with the seeds from `seed` on."""
    worlds = Worlds(view)
    return Counter(world_of(worlds.sample(seed + k)) for k in range(number))


def assert_uniform(found: Mapping[T, int], expected: Mapping[T, float]) -> None:
    """Chi-square: the numbers drawn fit these shares; five standard deviations are allowed."""
    assert set(found) <= set(expected)
    drawn, total = sum(found.values()), sum(expected.values())
    square = sum(
        (found.get(key, 0) - share * drawn / total) ** 2 / (share * drawn / total)
        for key, share in expected.items()
    )
    free = len(expected) - 1
    assert abs(square - free) <= 5 * (2 * free) ** 0.5 + 5, (square, free)


def without_events(view: herzen.View) -> dict[str, Any]:
    """A view as data, but for its events."""
    return view.to_dict() | {"events": None}


def replay(world: herzen.Hearts) -> HeartsTwin:
    """Deal the world's first hands to the twin and play all that has been played; every move must be legal.

    First hands follow from the hands now, the cards played and what each seat's own view says of its pass.
    """
    view = world.view(None).to_dict()
    twin = HeartsTwin(view["rules"])
    twin.dealer = view["dealer"]
    views = [world.view(seat).to_dict() for seat in range(world.players)]
    plays = [
        ((leader + place) % world.players, card)
        for leader, cards, _ in view["tricks"]
        for place, card in enumerate(cards)
    ] + [(seat, card) for seat, card in view["trick"]]
    hands = []
    for seat, own in enumerate(views):
        first = Counter(own["hand"]) + Counter(card for player, card in plays if player == seat)
        if view["phase"] != "pass":
            received = Counter(own["received"] or ())
            assert received <= first
            first = first - received + Counter(own["my_pass"] or ())
        hands.append(sort_cards(first.elements()))
    twin.begin(hands, kitty_of(world), view["pass_direction"])
    for seat, own in enumerate(views):
        if own["my_pass"] is not None:
            twin.play(seat, "pass " + " ".join(own["my_pass"]))
    for number, (seat, card) in enumerate(plays):
        assert twin.turn == seat
        assert twin.is_legal(seat, card), (seat, card, number)
        if view["over"] and number + 1 == len(plays):
            return twin  # it would score the hand a second time
        twin.play(seat, card)
    assert (twin.turn, twin.phase) == (view["turn"], view["phase"])
    assert twin.hands == [own["hand"] for own in views]
    for seat, own in enumerate(views):
        assert twin.known(seat) == {int(to): cards for to, cards in own["known"].items()}
    return twin


def captured_before(game: herzen.Hearts, number: int) -> dict[str, Any]:
    """The keywords of `setup` for a position whose first tricks lie in `taken` and `held`."""
    zones = game._setup_zones(game)
    taken: list[list[str]] = [[] for _ in range(game.players)]
    won = [0] * game.players
    held: list[str] = []
    for _, played, winner in game.tricks[:number]:
        held += texts(played)
        if winner is not None:
            taken[winner] += held
            won[winner] += len(held) // game.players
            held = []
    zones["tricks"] = [
        [leader, texts(played), winner] for leader, played, winner in game.tricks[number:]
    ]
    return zones | {"taken": taken, "tricks_won": won, "held": held}
