"""The Von Herzen twin in random matches: melds, moves, conservation, what a seat can know."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from tests.reference import vonherzen_runs as runs
from tests.reference.test_twin_vonherzen import FIRST_ROUND, HANDS, at, dealt, kinds_of, play_all
from tests.reference.vonherzen import VonHerzenTwin
from tests.reference.vonherzen_melds import brute_lay_off, brute_melds
from tests.reference.vonherzen_moves import VERBS, code_of, read, text_of
from tests.reference.vonherzen_options import VALUES, is_valid, random_rules
from tests.reference.vonherzen_resample import hidden_zones, resample_hidden, start_of_deal
from tests.reference.vonherzen_rules import CARDS, KIND, deals_of, sort_cards
from tests.tiers import scale


def check_moves(twin: VonHerzenTwin) -> None:
    seat = twin.turn
    assert seat is not None
    moves = twin.legal(seat)
    codes = [code_of(text) for text in moves]
    assert codes == sorted(set(codes))
    assert moves
    assert all(not twin.legal(other) for other in twin.seats if other != seat)
    for text in moves:
        move = read(text)
        assert move is not None
        assert twin.is_legal(seat, text)
        assert text.split()[0] == VERBS[code_of(text) >> 32]
        if move.verb != "draw":
            assert set(move.cards) <= set(twin.hands[seat])
    check_actions(twin, moves)
    if twin.phase == "meld":
        check_single_cards(twin, seat, moves)


def check_actions(twin: VonHerzenTwin, moves: list[str]) -> None:
    # Every action sequence leads to a listed move, every listed move is reached.
    firsts: set[int] = set()
    for text in moves if len(moves) < 40 else random.Random(twin.ply).sample(moves, 40):
        picks = twin.actions_of(text)
        firsts.add(picks[0])
        for k, action in enumerate(picks):
            assert action in twin.actions(picks[:k])
            assert (twin.move_of(picks[: k + 1]) is None) == (k < len(picks) - 1)
        assert twin.move_of(picks) == text
    assert firsts <= set(twin.actions())
    legal = twin.actions()
    assert legal == sorted(set(legal))
    assert len(moves) >= 40 or twin.phase in ("offer", "give") or firsts == set(legal)


def check_single_cards(twin: VonHerzenTwin, seat: int, moves: list[str]) -> None:
    # `legal` and `why` agree on every lay-off and discard, up to the copy named.
    for card in twin.hands[seat]:
        lowest = twin.held_kinds(seat)[KIND[card]]
        for text in ["discard {}", *(f"layoff {{}} {k}" for k in range(len(twin.runs) + 1))]:
            listed = text.format(lowest) in moves
            assert listed == twin.is_legal(seat, text.format(card))
        for k, (owner, run) in enumerate(twin.runs):
            after = brute_lay_off(twin.rules, run, card, own=owner == seat)
            legal = seat in twin.melded() and after is not None
            assert legal == twin.is_legal(seat, f"layoff {card} {k}")
            assert after is None or after == runs.extended(run, card)


def all_cards(twin: VonHerzenTwin) -> list[str]:
    return sort_cards(
        [c for hand in twin.hands for c in hand]
        + [c for _, run in twin.runs for c in run]
        + twin.pile
        + twin.stock
    )


@pytest.mark.ci
def test_melds_agree_with_brute_force() -> None:
    rng = random.Random(4)
    found = Counter[int]()
    for _ in range(3000):
        names = ("wrap", "joker_ends", "one_meld_per_turn")
        rules = {name: rng.choice([True, False]) for name in names}
        hand = rng.sample(CARDS, rng.choice([3, 5, 6, 7, 8, 8, 9, 10]))
        twin = at(rules, " ".join(hand))
        expected = [text_of("meld", meld) for meld in brute_melds(twin.rules, hand)]
        assert kinds_of(twin, "meld") == sorted(expected, key=code_of)
        found.update(len(meld.split()) - 1 for meld in expected)
    assert sorted(found) == [3, 4, 5, 6, 7, 8]


def test_long_melds_agree_with_brute_force() -> None:
    rng = random.Random(5)
    for _ in range(60):
        rules = {name: rng.choice([True, False]) for name in ("wrap", "joker_ends")}
        hand = rng.sample([card for card in CARDS if card[1] != "S"], 13)
        twin = at(rules, " ".join(hand))
        expected = [text_of("meld", meld) for meld in brute_melds(twin.rules, hand)]
        assert kinds_of(twin, "meld") == sorted(expected, key=code_of)


@pytest.mark.ci
def test_random_matches_conserve_the_cards() -> None:
    rng = random.Random(1)
    ends = Counter[str]()
    for seed in range(scale(quick=120, ci=120, full=250)):
        rules = random_rules(rng)
        assert is_valid(rules)
        twin = VonHerzenTwin(rules, seed)
        total = [0] * twin.n
        while not twin.over:
            if rng.random() < 0.1:
                assert all_cards(twin) == CARDS
                check_moves(twin)
                assert set(twin.hands[twin._turn]) >= set(twin.taken[twin._turn])
            number = twin.deal_number
            ends["last turns"] += bool(twin.last_turns)
            ends[twin.phase] += 1
            twin.random_move()
            if twin.over or twin.deal_number != number:
                result = twin.hand_result
                assert result is not None
                total = [a + b for a, b in zip(total, result["points"], strict=True)]
                ends["blocked"] += result["blocked"]
                ends["flute"] += any(len(run) == 8 for _, run in result["runs"])
        assert all_cards(twin) == CARDS
        assert twin.scores == total
        assert twin.deal_number + 1 == deals_of(twin.rules)
    assert min(ends[name] for name in ("last turns", "blocked", "takeover", "agree", "give")) > 5
    assert ends["flute"] > 0


def test_every_value_of_every_option_is_drawn() -> None:
    rng = random.Random(6)
    drawn = [random_rules(rng) for _ in range(4000)]
    for name, values in VALUES.items():
        assert {str(v) for v in values} <= {str(r[name]) for r in drawn if name in r}


@pytest.mark.ci
def test_resampled_positions_look_the_same() -> None:
    rng = random.Random(2)
    changed: Counter[str] = Counter()
    for seed in range(scale(quick=20, ci=20, full=70)):
        twin = VonHerzenTwin(random_rules(rng), seed)
        while not twin.over:
            twin.random_move()
            if rng.random() < 0.04 or twin.over or twin.phase in ("give", "agree"):
                for seat in (None, rng.randrange(twin.n)):
                    other = resample_hidden(twin, seat, rng)
                    assert other.view(seat) == twin.view(seat)
                    assert all_cards(other) == CARDS
                    changed[twin.phase] += other.hands != twin.hands
    assert set(changed) == {
        "offer",
        "answer",
        "takeover",
        "agree",
        "give",
        "draw",
        "meld",
        "over",
    }
    assert min(changed.values()) > 0


def test_a_resampled_match_can_be_replayed() -> None:
    rng = random.Random(7)
    rules: dict[str, Any] = {"full_rounds": 1, "exchange_rounds": 2}
    twin = VonHerzenTwin(rules, 8)
    twin.random_action_play(110)
    other = resample_hidden(twin, 1, rng)
    again = VonHerzenTwin(rules, other.seed, deals=other.decks)
    for seat, text in other.history:
        again.play(seat, text)
    assert again.view(1) == twin.view(1)
    assert hidden_zones(again) == hidden_zones(other)
    assert hidden_zones(other)["hands"] != hidden_zones(twin)["hands"]


def test_a_card_given_away_may_turn_up_elsewhere() -> None:
    rng = random.Random(9)
    twin = dealt({}, HANDS)
    play_all(twin, "offer 7D", "accept JC", "offer 7D 8C" if "8C" in twin.hands[1] else "offer 7D")
    play_all(twin, "accept 7C", "offer -", "offer -")
    places = Counter[int]()
    for _ in range(60):
        other = resample_hidden(twin, 2, rng)
        places[next(s for s in other.seats if "7D" in other.hands[s])] += 1
    assert set(places) == {0, 1}


def test_last_turns_hide_the_other_hands() -> None:
    hands = ["7C 8C 9C", "7D 9H KD", "KS QH TC"]
    twin = dealt(FIRST_ROUND, hands, "JC JD")
    play_all(twin, "draw stock", "meld 7C 8C 9C", "discard JC")
    rng = random.Random(10)
    hidden = {str(resample_hidden(twin, 0, rng).hands[1:]) for _ in range(50)}
    assert len(hidden) > 10


def test_copies_are_independent_and_deals_can_be_restarted() -> None:
    twin = VonHerzenTwin({}, 4)
    twin.random_action_play(60)
    copy, view = twin.copy(), twin.view(0)
    start = start_of_deal(twin)
    assert start.ply == twin.deal_start
    for seat, text in twin.history[twin.deal_start :]:
        start.play(seat, text)
    assert start.view(0) == view
    rest = copy.random_action_play()
    assert twin.view(0) == view
    assert twin.random_action_play() == rest


def test_the_same_seed_deals_the_same_cards_whatever_is_played() -> None:
    one, other = VonHerzenTwin({}, 9), VonHerzenTwin({"exchange_rounds": 0}, 9)
    one.random_action_play()
    other.random_action_play()
    assert one.decks == other.decks
    assert len(one.decks) == 6
