"""Sampled worlds of Von Herzen: exactly the placements that have a legal history, each equally likely (V-KNOW)."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

import herzen
from herzen.vonherzen import VonHerzen, VonHerzenRules, _zones
from herzen.vonherzen._worlds import Worlds
from herzen.vonherzen.cards import Card, cards_at
from tests.chances import LIMIT, deviation
from tests.contract.checks import all_viewers, view_fields
from tests.reference.vonherzen import VonHerzenTwin
from tests.reference.vonherzen_options import VALUES, random_rules
from tests.reference.vonherzen_worlds import Support, history, supports
from tests.tiers import scale
from tests.vonherzen.table import at, dealt, play


def events_of(view: herzen.View) -> list[dict[str, Any]]:
    """The view's events as JSON has them."""
    return [event.to_dict() for event in view.events]


def step(game: VonHerzen, rng: random.Random) -> None:
    """A random move, first its kind; offers and answers are mostly of few cards."""
    moves = [str(move) for move in game.legal_moves()]
    kind = rng.choice(sorted({move.split()[0] for move in moves}))
    some = [move for move in moves if move.split()[0] == kind]
    if kind == "offer" and rng.random() < 0.8:
        some = [move for move in some if 1 < len(move.split()) < 4 and move != "offer -"] or some
    game.play(rng.choice(some))


def played(fields: dict[str, Any], rng: random.Random, moves: int) -> VonHerzen:
    """A match after so many moves, at most to the end of its first deal."""
    game = VonHerzen(VonHerzenRules(**{**fields, "max_deals": 1}), seed=rng.getrandbits(64))
    while not game.over and game.ply < moves:
        step(game, rng)
    return game


def texts_of(cards: Iterable[Card]) -> list[str]:
    return [str(card) for card in cards]


def texts(cards: bytes) -> list[str]:
    return [str(card) for card in cards_at(cards)]


def named(game: herzen.Game, like: Support, seat: int | None) -> Support:
    """Where the cards of a support lie in a game."""
    cards = frozenset().union(*like)
    hands = [
        frozenset() if at == seat else cards & set(texts(_zones.hand(game, at)))
        for at in range(game.players)
    ]
    return (*hands, cards & set(texts(_zones.stock(game))))


def drawn(view: herzen.View, samples: int) -> Iterator[herzen.Game]:
    """What `view.sample` gives for the seeds from 0 on; the view is read once."""
    worlds = Worlds(view)
    return map(worlds.sample, range(samples))


def carried_on(view: herzen.View) -> bool:
    """Whether cards that the viewer gave away may have been carried on by a swap of others."""
    swaps = [event for event in events_of(view) if event["type"] == "Swapped"]
    mine = [view.seat in (swap["proposer"], swap["partner"]) for swap in swaps]
    return True in mine and False in mine[mine.index(True) :]


def check_worlds(view: herzen.View, samples: int) -> int:
    """Compare samples with all arrangements that some legal history can have; the number of these."""
    rules = {name: getattr(view.rules, name) for name in view.rules._fields}
    possible = supports(rules, view.seat, events_of(view), texts_of(view.hand))
    like = next(iter(possible))
    counts = Counter(named(world, like, view.seat) for world in drawn(view, samples))
    assert set(counts) <= set(possible)
    # Rare arrangements are counted together, so that each count is expected to be 5 at least.
    whole = sum(possible.values())
    likely = {key for key, weight in possible.items() if samples * weight >= 5 * whole}
    merged: Counter[Any] = Counter()
    weights: Counter[Any] = Counter()
    for key, weight in possible.items():
        weights[key if key in likely else "rare"] += weight
    for key, count in counts.items():
        merged[key if key in likely else "rare"] += count
    if samples * weights["rare"] >= 5 * whole or "rare" not in weights:
        assert deviation(merged, weights) < LIMIT
    return len(possible)


@pytest.mark.parametrize("number", range(scale(quick=6, ci=12, full=700)))
def test_all_worlds_equally_likely(number: int) -> None:
    """Small hands and short games, mostly such that others may have swapped on what the viewer gave away."""
    rng = random.Random(f"worlds {number}")
    fields: dict[str, Any] = {
        "players": rng.choice([3, 3, 4]),
        "hand_size": rng.choice([2, 3]),
        "exchange_rounds": rng.choice([1, 2, 2]),
        "others_after_decline": rng.random() < 0.3,
        "discard_mandatory": rng.random() < 0.5,
        "turn_up": rng.random() < 0.5,
    }
    for _ in range(300):
        game = played(fields, rng, rng.randrange(3, 30))
        seat = rng.choice([None, *range(game.players)])
        view = game.view(seat)
        shown = [
            event for event in events_of(view) if event["type"] in ("Drawn", "Discarded", "Swapped")
        ]
        if len(shown) <= 9 and (number % 4 == 0 or carried_on(view)):
            break
    else:
        raise AssertionError("no such game was found")
    assert check_worlds(view, scale(quick=300, ci=360, full=2_000)) > 0


def world_of(game: herzen.Game) -> dict[str, Any]:
    """A sample with the memories of all seats."""
    facts = dict(_zones.facts(game))
    return {
        "hands": [texts(_zones.hand(game, seat)) for seat in range(game.players)],
        "stock": texts(_zones.stock(game)),
        "swaps": [
            (proposer, partner, texts(given), texts(received))
            for proposer, partner, given, received in _zones.swaps(game)
        ],
        "offered": texts(facts["offered"]),
        "agreed": texts(facts["agreed"]),
        "any": game.rules.draw_from_pile == "any",
    }


def check_history(fields: dict[str, Any], view: herzen.View, game: herzen.Game) -> None:
    """The sample, with what the others remember, has a legal history that shows the viewer the same."""
    world = world_of(game)
    rules = {name: getattr(view.rules, name) for name in view.rules._fields}
    deck, moves = history(rules, view.seat, events_of(view), world)
    twin = VonHerzenTwin(fields, 0, None, [deck])
    for seat, text in moves:
        assert twin.is_legal(seat, text), (seat, text)
        twin.play(seat, text)
    assert twin.view(view.seat) == view_fields(view)
    assert [sorted(hand) for hand in twin.hands] == [sorted(hand) for hand in world["hands"]]
    assert twin.stock == world["stock"]
    for seat in range(game.players):
        assert twin.view(seat)["swaps"] == view_fields(game.view(seat))["swaps"]


@pytest.mark.parametrize("part", range(scale(quick=1, ci=2, full=40)))
def test_every_sample_has_a_legal_history(part: int) -> None:
    """Under all rules, in all phases: the twin plays from the deal to the world."""
    rng = random.Random(part)
    phases = set()
    left = scale(quick=150, ci=210, full=2_500)
    while left > 0:
        fields = {**random_rules(rng), "max_deals": 1}
        game = VonHerzen(VonHerzenRules(**fields), seed=rng.getrandbits(64))
        while True:
            if game.over or rng.random() < 0.1:
                for viewer in all_viewers(game):
                    view = game.view(viewer)
                    try:
                        sampled = view.sample(left + 100)
                    except NotImplementedError:
                        assert fields["exchange_rounds"] == 2
                        assert fields["players"] >= 4
                        continue
                    check_history(fields, view, sampled)
                    phases.add(str(game.phase))
                    left -= 1
            if game.over or game.ply > 150:
                break
            step(game, rng)
    assert len(phases) > 4


# ---- what each kind of knowledge does --------------------------------------------------------------------------


def hands_of(view: herzen.View, seat: int, samples: int = 60) -> list[set[str]]:
    """A seat's hand in so many samples."""
    return [set(texts_of(world.hand(seat))) for world in drawn(view, samples)]


def test_a_card_given_away_is_where_it_went() -> None:
    """V-KNOW-3: nobody swapped afterwards, so the viewer knows where it is, though no zone says so."""
    game = dealt("7C 8C", "7D 8D", "7H 8H")
    play(game, "offer -", "offer 7C", "accept 7H")  # seat 1 proposes first, then seat 0
    view = game.view(0)
    assert not view.known
    assert all("7C" in hand for hand in hands_of(view, 2))
    assert any("7C" not in hand for hand in hands_of(game.view(1), 2))


def test_a_swap_of_others_may_have_carried_it_on() -> None:
    """The card is one of two that seat 1 may have given on; each of four places is as likely."""
    game = dealt("7C 8C", "7D 8D", "7H 8H")
    play(game, "offer 7D", "accept 7C", "offer -", "offer 7H", "accept 8D")
    view = game.view(0)
    assert check_worlds(view, 400) == 2
    assert 150 < sum("7C" in hand for hand in hands_of(view, 1, 400)) < 250


def test_a_hand_that_was_swapped_whole() -> None:
    """Nothing is left of what it got before."""
    game = dealt("7C 8C", "7D 8D", "7H 8H")
    play(game, "offer 7D", "accept 7C", "offer -", "offer 7H 8H", "accept 7C 8D")
    assert all("7C" in hand for hand in hands_of(game.view(0), 2))


def test_a_hand_that_was_small_holds_no_more_from_before() -> None:
    """Seat 1 kept 7C and 8C, or gave one of them on. It held one card only and has drawn since: not both are there."""
    game = dealt("7C 8C KS AS", "JS QS 8D 9D", "7D TH JH QH", first="TC TD JC JD QC")
    play(game, "offer JS QS", "accept 7C 8C", "offer -", "offer 7D", "accept 7C")
    assert any({"7C", "8C"} <= hand for hand in hands_of(game.view(0), 1))
    play(game, "draw stock", "discard KS", "draw stock", "meld 7D 8D 9D", "discard TD")
    play(game, "draw stock", "discard QH", "draw stock", "discard AS", "draw stock")
    view = game.view(0)
    assert view.hand_sizes[1] == 2
    found = Counter(frozenset(hand & {"7C", "8C"}) for hand in hands_of(view, 1, 200))
    assert set(found) == {frozenset({"7C"}), frozenset({"8C"})}
    check_worlds(view, 200)


@pytest.mark.parametrize("mandatory", [True, False])
def test_a_turn_that_ended_without_the_discard_that_was_due(mandatory: bool) -> None:
    """V-TURN-3: what is left is of the kind just taken from the pile, so both copies are known."""
    others = ["7H 8H 9H", "7D QD KH"]
    game = at("9C", pile="9S", phase="draw", others=others, discard_mandatory=mandatory)
    play(game, "draw pile", "end")
    for viewer in (1, None):
        view = game.view(viewer)
        assert texts_of(view.known[0]) == ["9S"]
        assert all({"9C", "9S"} == hand for hand in hands_of(view, 0)) is mandatory


def test_the_drawn_card_of_a_set_up_is_in_the_hand() -> None:
    """Set-ups have no memory of open draws, but the view says what was drawn in this turn."""
    game = at("9C KD", zones={"drawn": "9C"})
    assert game.view(1).known == {}
    assert all("9C" in hand for hand in hands_of(game.view(1), 0))


def test_a_stock_that_was_turned_over_stays() -> None:
    """V-KNOW-7: its order is public; only hands are hidden."""
    zones = {"turned_over": True}
    turned = at("9C KD", stock="9S 8H", phase="draw", stock_refill="turn_over", zones=zones)
    others = [card for seat in (1, 2) for card in texts_of(turned.hand(seat))]
    for number in range(20):
        other = turned.view(0).sample(number)
        assert texts_of(other.stock or ())[:2] == ["9S", "8H"]
        assert sorted(card for seat in (1, 2) for card in texts_of(other.hand(seat))) == sorted(
            others
        )


def test_without_a_past_the_cards_given_away_may_be_in_any_hand() -> None:
    """A copy without history keeps the swaps as zones and nothing of what others did then."""
    game = dealt("7C 8C", "7D 8D", "7H 8H")
    play(game, "offer -", "offer 7C", "accept 7H", "offer -")
    bare = game.copy(history=False).view(0)
    assert bare.swaps == game.view(0).swaps
    hands = [view.hand(seat) for view in (bare.sample(k) for k in range(60)) for seat in (1, 2)]
    assert sum("7C" in texts_of(hand) for hand in hands) == 60
    assert all("7C" in hand for hand in hands_of(game.view(0), 2))
    two = dealt("7C 8C", "7D 8D")
    play(two, "offer 7C", "accept 7D", "offer -")
    assert all("7C" in hand for hand in hands_of(two.copy(history=False).view(0), 1))


@pytest.mark.ci
@pytest.mark.parametrize(("field", "value"), [(f, v) for f, vs in VALUES.items() for v in vs])
def test_every_option_alone(field: str, value: Any) -> None:
    """No single option away from its default is left out, in any phase."""
    rng = random.Random(f"{field} {value}")
    game = VonHerzen(VonHerzenRules(max_deals=1, **{field: value}), seed=7)
    while True:
        for viewer in all_viewers(game) if rng.random() < 0.15 else ():
            check_history(
                {"max_deals": 1, field: value}, game.view(viewer), game.view(viewer).sample(3)
            )
        if game.over or game.ply > 90:
            break
        step(game, rng)


WRONG: list[tuple[str, Any]] = [
    ("hand", ["7C"]),
    ("hand", ["7C"] * 8),
    ("hand_sizes", [8]),
    ("hand_sizes", [8, 8, 2**70]),
    ("hand_sizes", [8, 7, 8]),
    ("stock_size", 9),
    ("stock_size", -1),
    ("stock", []),
    ("pile", ["7C", "7C"]),
    ("known", {"5": []}),
    ("runs", [[0, 1, ["7C", "8C", "9C"]]]),
    ("runs", [[0, 9, ["7C", "8C", "9C"]]]),
    ("runs", [[0, 1, ["7C", "8C"]]]),
    ("melded", [1]),
    ("last_turns", [1]),
    ("turns_taken", -1),
    ("idle_turns", -1),
    ("drawn", "7C"),
    ("melded_this_turn", 11),
    ("proposals", 3),
    ("proposals", 1),
    ("offer", {"proposer": 1, "receiver": 0, "size": 9, "counter": None}),
    ("offer", {"proposer": 1, "receiver": 0, "size": 3, "counter": 2}),
    ("offer", {"proposer": 2, "receiver": 1, "size": 3, "counter": None}),
    ("offer", None),
    ("my_offer", ["7C"]),
    ("my_agreed", ["7C"]),
    ("swaps", [[1, ["7C"], ["8C"]]]),
    ("swaps", [[0, ["7C"], ["8C"]]]),
    ("swaps", [[1, ["7C"], []]]),
    ("swaps", [[7, ["7C"], ["8C"]]]),
    ("scores", [1]),
    ("points", [0, 0, 0]),
    ("winners", [0]),
    ("over", True),
    ("phase", "over"),
    ("phase", "meld"),
    ("phase", "sleep"),
    ("turn", 1),
    ("to_move", []),
    ("dealer", 3),
    ("dealer", 1),
    ("names", []),
    ("seat", 3),
    ("seat", 1),
    ("legal_moves", ["decline"]),
]


@pytest.mark.parametrize(("field", "value"), WRONG)
def test_a_view_that_contradicts_itself(field: str, value: Any) -> None:
    game = VonHerzen(seed=1)
    game.play(next(move for move in game.legal_moves() if len(str(move).split()) == 4))
    data = game.view(0).to_dict()
    assert data[field] != value
    with pytest.raises((herzen.SetupError, herzen.RecordError)):
        herzen.View.from_dict(json.loads(json.dumps(data | {field: value}))).sample(1)


def test_events_that_contradict_the_zones() -> None:
    """Events out of order, doubled, left out or of another seat are refused or do no harm."""
    rng = random.Random(4)
    refused = 0
    for number in range(scale(quick=40, ci=60, full=3_000)):
        game = played({"players": rng.choice([2, 3, 4])}, rng, rng.randrange(5, 60))
        data = game.view(rng.randrange(game.players)).to_dict()
        events = data["events"]
        place, other = rng.randrange(len(events)), rng.randrange(len(events))
        change = number % 4
        if change == 0:
            events[place], events[other] = events[other], events[place]
        elif change == 1:
            events.insert(place, events[other])
        elif change == 2:
            del events[place]
        elif "seat" in events[place]:
            events[place]["seat"] = rng.choice([-1, 0, 1, 2, 9])
        view = herzen.View.from_dict(data)
        try:
            assert view_fields(view.sample(1).view(view.seat)) == view_fields(view)
        except herzen.SetupError:
            refused += 1
    assert refused > 5


def exchanged(players: int, rounds: int, seed: int) -> VonHerzen:
    """A match after an exchange in which nearly all proposals ended in swaps of many cards."""
    rng = random.Random(f"{players} {rounds} {seed}")
    game = VonHerzen(VonHerzenRules(players=players, exchange_rounds=rounds), seed=seed)
    while str(game.phase) not in ("draw", "meld"):
        hand = texts_of(game.hand(game.turn))
        rng.shuffle(hand)
        if str(game.phase) == "offer":
            game.play(f"offer {' '.join(hand[: rng.randrange(2, len(hand) + 1)])}")
        elif str(game.phase) == "answer":
            size = game.offer["size"] if game.offer else None
            assert size is not None
            game.play("counter 1" if rng.random() < 0.5 else f"accept {' '.join(hand[:size])}")
        elif str(game.phase) == "takeover" and rng.random() < 0.5:
            size = game.offer["size"] if game.offer else None
            assert size is not None
            game.play(f"takeover {' '.join(hand[:size])}")
        elif str(game.phase) == "takeover":
            game.play("stay")
        else:
            game.play_code(game.codes()[0])
    return game


@pytest.mark.parametrize(("players", "rounds"), [(3, 2), (4, 1), (5, 1), (6, 1)])
def test_any_exchange_of_one_round_or_three_players(players: int, rounds: int) -> None:
    """No single option is left out, however much is swapped."""
    for seed in range(scale(quick=4, ci=8, full=300)):
        game = exchanged(players, rounds, seed)
        for viewer in range(players):
            fields = {"players": players, "exchange_rounds": rounds}
            check_history(fields, game.view(viewer), game.view(viewer).sample(seed))


@pytest.mark.ci
def test_left_out_are_only_two_rounds_with_four_or_more_players() -> None:
    """The one combination: there may be too many ways in which cards given away were carried on.

    Here each of twelve proposals ends in a swap of three cards, half of them taken over.
    """
    rng = random.Random("6 0")
    game = VonHerzen(VonHerzenRules(players=6, exchange_rounds=2), seed=0)
    while str(game.phase) not in ("draw", "meld"):
        hand = texts_of(game.hand(game.turn))
        rng.shuffle(hand)
        three = " ".join(hand[:3])
        answer = rng.choice(["counter 1", f"accept {three}"]) if game.phase == "answer" else ""
        moves = {"offer": f"offer {three}", "answer": answer, "takeover": f"takeover {three}"}
        game.play(moves[str(game.phase)])
    refused = 0
    for viewer in range(6):
        try:
            game.view(viewer).sample(1)
        except NotImplementedError as error:
            assert "exchange_rounds=2 with four or more players" in str(error)
            refused += 1
    assert refused == 1
