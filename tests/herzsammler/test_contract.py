"""The contract tests of all games, run for Herzsammler (see adapter.py)."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import settings

from tests.contract import test_invariants, test_noninterference, test_twin
from tests.herzsammler.adapter import HERZSAMMLER
from tests.tiers import scale

MODULES = (test_invariants, test_noninterference, test_twin)
NOT_FOR_THIS_GAME = (
    "test_illegal_moves_have_the_code_of_the_twin",  # names Hearts phases; see test_random_play.py
    "test_codes_are_a_sequence",  # asks for lazy sequences; here all codes are bytes
    "test_seats_that_choose_at_the_same_time_may_all_answer_one_version",  # one seat at a time here
    "test_an_error_that_names_another_hand_is_caught",  # takes a card's text for a move's
)
# In the quick tier this file alone must stay within seconds.
SHARE = scale(quick=4, ci=4, full=1)


def contract_tests() -> Iterator[Any]:
    """Every test of these modules that goes through the games, as a parameter."""
    for module in MODULES:
        for name, test in vars(module).items():
            if name.startswith("test_") and name not in NOT_FOR_THIS_GAME:
                wants = inspect.signature(test).parameters
                if "case" in wants and set(wants) <= {"case", "monkeypatch"}:
                    yield pytest.param(test, id=name.removeprefix("test_"))


@pytest.fixture(autouse=True)
def fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer positions in the quick tier."""
    for module, name in (
        (test_invariants, "PLIES"),
        (test_noninterference, "STATES"),
    ):
        monkeypatch.setattr(module, name, getattr(module, name) // SHARE)


@pytest.mark.parametrize("test", list(contract_tests()))
def test_contract(test: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    """What every game keeps: conservation, undo, copies, records, views, noninterference, the twin."""
    if "monkeypatch" in inspect.signature(test).parameters:
        test(HERZSAMMLER, monkeypatch=monkeypatch)
    else:
        test(HERZSAMMLER)


@pytest.mark.parametrize("way", test_invariants.COPIES)
def test_copies(way: str) -> None:
    """A copy has everything the original has; playing on and taking back reach only one of them."""
    test_invariants.test_copies_are_equal_and_independent(HERZSAMMLER, way)


class _Machine(test_twin.EngineAndTwin):
    """One match, played on the engine and on its twin."""

    case = HERZSAMMLER


TestHerzsammlerAndTwin = _Machine.TestCase
TestHerzsammlerAndTwin.settings = settings(
    max_examples=scale(quick=10, ci=30, full=5_000),
    stateful_step_count=scale(quick=25, ci=40, full=150),
)
