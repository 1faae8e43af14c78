"""Matches of an engine beside its plain-Python twin."""

from __future__ import annotations

import random
from functools import partial

import pytest

import herzen
from tests.contract.adapter import Adapter
from tests.contract.checks import all_viewers, assert_same, error_of


def play_beside_twin(case: Adapter, rng: random.Random) -> int:
    """A whole match under random rules, compared at every state; the number of its deals.

    Two viewers look at each state: the seat whose legal moves count, and any seat or the public.
    """
    fields = case.random_rules(rng)
    seed, dealer = rng.getrandbits(256), rng.randrange(case.rules(fields).players)
    game = case.new(fields, seed, dealer=dealer)
    twin = case.twin(fields, seed, dealer)
    deals = 0
    while True:
        try:
            assert_same(game, twin, [twin.turn or 0, rng.choice(all_viewers(game))])
        except AssertionError as error:
            raise AssertionError(f"deal {deals}: {fields}, seed {seed}") from error
        if twin.over:
            break
        seat = rng.choice(twin.to_move)
        text = rng.choice(twin.legal(seat))
        deal, hand_result = twin.deal_number, twin.hand_result
        events = game.play(text, seat=seat)
        twin.play(seat, text)
        if twin.hand_result is not hand_result:  # the deal is over
            deals += 1
            assert game.last_deal is not None
            assert list(game.last_deal.totals) == list(twin.hand_result["points"])
            assert {event.deal for event in events} <= {deal, deal + 1}
    assert game.last_deal is not None
    return deals


def refuse_beside_twin(case: Adapter, rng: random.Random) -> set[str | None]:
    """A whole match with three moves tried at every state, mostly illegal ones; the twin's codes for them."""
    fields = case.random_rules(rng)
    seed = rng.getrandbits(256)
    game, twin = case.new(fields, seed), case.twin(fields, seed)
    seen: set[str | None] = set()
    while not twin.over:
        for _ in range(3):
            # Mostly the seat to move, and often of what it holds: rule faults, not "not held".
            seat = twin.turn if rng.random() < 0.8 else rng.randrange(twin.n)
            text = case.moves(rng, fields)
            if rng.random() < 0.5:
                text = case.near(rng, twin, seat)
            # The engine reads more ways of writing a card than the twin does.
            if error_of(partial(game.parse, text)) is None:
                text = str(game.parse(text))
            code = twin.why(seat, text)
            seen.add(code)
            assert game.is_legal(text, seat) == (code is None)
            if code is not None:
                before = game.fingerprint()
                with pytest.raises(herzen.IllegalMove) as caught:
                    game.play(text, seat=seat)
                assert caught.value.code == code, (fields, text)
                assert game.fingerprint() == before
        seat = rng.choice(twin.to_move)
        text = rng.choice(twin.legal(seat))
        game.play(text, seat=seat)
        twin.play(seat, text)
    assert twin.why(0, case.moves(rng, fields)) == "game_over"
    return seen


def play_decks_beside_twin(case: Adapter, rng: random.Random) -> None:
    """A whole match whose first decks are given, compared at the beginning of every deal."""
    fields = case.random_rules(rng)
    decks = []
    for _ in range(rng.randrange(1, 4)):
        deck = case.deck(fields)
        rng.shuffle(deck)
        decks.append(deck)
    seed, dealer = rng.getrandbits(256), rng.randrange(case.rules(fields).players)
    game = case.new(fields, seed, dealer=dealer, deals=decks)
    twin = case.twin(fields, seed, dealer, decks)
    while not twin.over:
        seat = rng.choice(twin.to_move)
        text = rng.choice(twin.legal(seat))
        deal = twin.deal_number
        game.play(text, seat=seat)
        twin.play(seat, text)
        if twin.deal_number != deal:
            assert_same(game, twin, all_viewers(game))
    assert_same(game, twin, all_viewers(game))
