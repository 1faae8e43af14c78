"""What is immutable stays as it was made, also when it is initialised again; a game is begun once."""

from __future__ import annotations

import contextlib
import pickle
from typing import Any

import pytest

import herzen
from tests.contract.adapter import Adapter
from tests.contract.checks import every_game
from tests.contract.samples import played


def initialise_again(thing: Any, *arguments: Any, **fields: Any) -> None:
    """Call `__init__` a second time: refused, or without effect."""
    with contextlib.suppress(TypeError):
        thing.__init__(*arguments, **fields)


@every_game
def test_rules_are_initialised_once(case: Adapter) -> None:
    """Positions are played by what a rules object was compiled to."""
    for fields in case.variants:
        rules = case.rules(fields)
        before = pickle.dumps(rules), hash(rules), repr(rules)
        game = case.new(fields, 1)
        for change in ({}, {"players": 2}, {"players": 5}, {"players": 99}, {"no such": 1}):
            with pytest.raises(TypeError):
                rules.__init__(**change)
            with pytest.raises(TypeError):
                game.rules.__init__(**change)
        assert (pickle.dumps(rules), hash(rules), repr(rules)) == before
        assert game.rules == rules


@every_game
def test_the_default_rules_cannot_be_changed(case: Adapter) -> None:
    shared = case.kind().rules
    with pytest.raises(TypeError):
        shared.__init__(players=3)
    assert case.kind().rules == case.kind.rules_type()
    assert case.kind().players == case.kind.rules_type().players


@every_game
def test_rules_that_were_refused_cannot_be_played(case: Adapter) -> None:
    rules = case.kind.rules_type.__new__(case.kind.rules_type)
    with pytest.raises(herzen.RulesError):
        rules.__init__(players=99)
    with pytest.raises((AttributeError, TypeError, ValueError)):
        case.kind(rules)


@every_game
def test_a_game_is_initialised_once(case: Adapter) -> None:
    for fields in case.variants:
        game = played(case, fields, 30)
        before = game.fingerprint(), game.version, game.moves, game.log
        for again in ((), (case.rules(case.variants[0]),)):
            with pytest.raises(TypeError, match="once"):
                game.__init__(*again, seed=2)
            with pytest.raises(TypeError, match="once"):
                game.copy().__init__(*again, seed=2, dealer=0)
        assert (game.fingerprint(), game.version, game.moves, game.log) == before
        while game.moves:
            game.undo()
        assert game.ply == 0


@every_game
def test_views_events_moves_cards_records_and_sheets_do_not_change(case: Adapter) -> None:
    game = played(case, case.variants[0], 30)
    view, other = game.view(0), game.copy().view(1)
    event, record, move = game.log[0], game.record(), game.moves[0]
    card, second = game.hand(0)[:2]
    sheet = herzen.ScoreSheet((1, 2), ("a",))
    values = {name: getattr(other, name) for name in other._readers}
    fields = dict.fromkeys(event.__match_args__)
    things = (view, event, record, move, card, sheet, game.rules)
    before = [pickle.dumps(thing) for thing in things]
    initialise_again(view, values)
    initialise_again(event, 99, 99, 99, **fields)
    initialise_again(record, **dict.fromkeys(record.__slots__))
    initialise_again(move, str(second))
    initialise_again(card, str(second))
    initialise_again(sheet, (9, 9), ())
    for thing in things:
        for name in ("index", "code", "totals", "seat", "players", "moves", "_text"):
            with pytest.raises(AttributeError):
                setattr(thing, name, 1)
    assert [pickle.dumps(thing) for thing in things] == before


def test_tables_of_points_do_not_change() -> None:
    rules = herzen.HeartsRules(bonus={"JD": -10})
    initialise_again(rules.bonus, [(herzen.hearts.Card("TD"), -5)])
    initialise_again(herzen.HeartsRules().bonus, [(herzen.hearts.Card("TD"), -5)])
    assert rules == herzen.HeartsRules.omnibus()
    assert not herzen.HeartsRules().bonus


@every_game
def test_a_seat_stays_a_seat_of_its_game(case: Adapter) -> None:
    game = played(case, case.variants[0], 3)
    seat = game.seats[1]
    with pytest.raises(AttributeError):
        seat.index = 7  # type: ignore[misc]
    assert seat == 1
    assert seat.hand == game.hand(1)


def test_a_scorer_keeps_its_rules() -> None:
    for scorer, wrong in (
        (herzen.TrickScorer(), herzen.VonHerzenRules()),
        (herzen.RunScorer(), herzen.HeartsRules()),
        (herzen.MajorityScorer(), herzen.HeartsRules()),
    ):
        rules = scorer.rules
        with pytest.raises(AttributeError):
            scorer.rules = wrong  # type: ignore[misc]
        with pytest.raises(TypeError):
            scorer.__init__(wrong)  # type: ignore[misc]
        assert scorer.rules is rules
