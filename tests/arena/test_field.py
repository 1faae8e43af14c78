"""Who meets whom, in which seats."""

from __future__ import annotations

import re
from collections import Counter
from itertools import permutations
from math import comb, factorial, prod
from pathlib import Path

import pytest

import herzen
from herzen.arena import Tournament
from herzen.arena.field import SEATINGS, canonical, lineups, tables
from herzen.errors import ArenaError


def test_mixed_seats_all_bots_as_evenly_as_it_goes() -> None:
    assert tables("mixed", 2, 4) == ((0, 1, 0, 1),)
    assert tables("mixed", 4, 4) == ((0, 1, 2, 3),)
    assert tables("mixed", 3, 4) == ((0, 1, 2, 0), (0, 1, 2, 1), (0, 1, 2, 2))
    assert tables("mixed", 1, 4) == ((0, 0, 0, 0),)
    assert tables("mixed", 2, 3) == ((0, 1, 0), (0, 1, 1))


def test_more_bots_than_seats_play_a_round_robin() -> None:
    assert tables("mixed", 3, 2) == ((0, 1), (0, 2), (1, 2))
    found = tables("mixed", 7, 4)
    assert len(found) == comb(7, 4)
    assert {len(set(table)) for table in found} == {4}
    # Every two bots meet equally often.
    met = Counter(pair for table in found for pair in permutations(table, 2))
    assert set(met.values()) == {comb(5, 2)}


def test_one_among_others_of_a_kind() -> None:
    assert tables("one", 2, 4) == ((0, 1, 1, 1), (1, 0, 0, 0))
    assert len(tables("one", 5, 4)) == 20
    assert tables("one", 2, 2) == ((0, 1), (1, 0))


def test_pairs_share_the_seats() -> None:
    assert tables("pairs", 3, 4) == ((0, 1, 0, 1), (0, 2, 0, 2), (1, 2, 1, 2))
    assert tables("pairs", 2, 5) == ((0, 1, 0, 1, 0), (0, 1, 0, 1, 1))


@pytest.mark.parametrize("field", ["one", "pairs"])
def test_one_bot_alone_has_nobody_to_meet(field: str) -> None:
    with pytest.raises(ArenaError, match="at least two bots"):
        tables(field, 1, 4)


@pytest.mark.parametrize(
    "table", [(0, 1, 2, 3), (0, 1, 0, 1), (0, 1, 1, 1), (0, 0, 0, 0), (0, 1, 2, 0, 1), (0, 1)]
)
def test_every_bot_sits_in_every_seat_equally_often(table: tuple[int, ...]) -> None:
    for seating in ("rotations", "all"):
        found = lineups(table, seating)
        assert found[0] == table or seating == "all"
        assert len(set(found)) == len(found)
        for seat in range(len(table)):
            sat = Counter(lineup[seat] for lineup in found)
            for bot, seats in Counter(table).items():
                assert sat[bot] * len(table) == seats * len(found)


def test_the_numbers_of_lineups() -> None:
    assert lineups((0, 1, 0, 1), "rotations") == ((0, 1, 0, 1), (1, 0, 1, 0))
    assert len(lineups((0, 1, 1, 1), "rotations")) == 4
    for table in ((0, 1, 0, 1), (0, 1, 2, 0), (0, 1, 2, 3)):
        found = lineups(table, "all")
        assert set(found) == set(permutations(table))
        assert len(found) == factorial(4) // prod(map(factorial, Counter(table).values()))


def test_a_table_has_one_order_to_be_rotated() -> None:
    assert canonical([1, 0, 1, 0]) == canonical([0, 0, 1, 1]) == (0, 1, 0, 1)


def test_a_tournament_of_given_tables() -> None:
    rules = herzen.HeartsRules(max_hands=1)
    given = [["rule", "random", "random", "random"], ["random", "rule", "random", "random"]]
    tournament = Tournament(rules, ["rule", "random"], 5, seed=1, field=given)
    assert tournament.tables == ((0, 1, 1, 1),)  # both are the same people
    assert tournament.lineups == ((0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0))
    assert tournament.games == 20


@pytest.mark.parametrize(
    ("bots", "options", "sentence"),
    [
        ([], {}, "needs bots"),
        (["rule", "Rule"], {}, "rule stands twice"),
        (["rule"], {"field": "many"}, "no such field: 'many'"),
        (["rule"], {"seating": "sideways"}, "no such seating: 'sideways'"),
        (["rule"], {"field": [["rule"]]}, "table rule: 4 bots are needed"),
        (["rule"], {"field": [["random"] * 4]}, "random is not one of the bots"),
        (["rule"], {"field": []}, "at least one table"),
        (["rule", "random"], {"deals": 0}, "deals=0"),
        ([f"a.b:C{i}" for i in range(8)], {"rules": 8, "seating": "all"}, "more than 10000"),
        ([f"a.b:C{i}" for i in range(30)], {}, "more than 10000 line-ups: 27405 tables"),
    ],
)
def test_what_is_no_tournament(bots: list[str], options: dict[str, object], sentence: str) -> None:
    players = options.pop("rules", 4)
    rules = herzen.HeartsRules(players=players, decks=2 if players == 8 else 1)
    deals = options.pop("deals", 10)
    with pytest.raises(ArenaError, match=sentence):
        Tournament(rules, bots, deals, **options)  # type: ignore[arg-type]


def test_wrong_types_are_type_errors() -> None:
    rules = herzen.HeartsRules()
    for arguments in (("hearts", ["rule"], 5), (rules, "rule", 5), (rules, ["rule"], 5.0)):
        with pytest.raises(TypeError):
            Tournament(*arguments)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Tournament(rules, ["rule"], 5, field=["rule"])
    with pytest.raises(AttributeError):
        Tournament(rules, ["rule"], 5).deals = 6


def test_the_table_of_the_documentation() -> None:
    page = (Path(__file__).parents[2] / "docs" / "arena.rst").read_text(encoding="utf-8")
    lines = re.findall(r"^(\d) bots, ``(\w+)``\s+(\d+)\s+(\d+)\s+(\d+)$", page, re.M)
    assert len(lines) == 6
    for bots, field, *numbers in lines:
        found = tables(field, int(bots), 4)
        counts = [sum(len(lineups(table, how)) for table in found) for how in SEATINGS]
        assert [len(found), *counts] == list(map(int, numbers))
