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
OF_ITS_OWN = ("test_illegal_moves_have_the_code_of_the_twin",)  # names phases and cards of Hearts


def contract_tests() -> Iterator[Any]:
    """Every test of these modules that goes through the games, as a parameter."""
    for module in MODULES:
        for name, test in vars(module).items():
            if name.startswith("test_") and name not in OF_ITS_OWN:
                wants = inspect.signature(test).parameters
                if "case" in wants and set(wants) <= {"case", "monkeypatch"}:
                    yield pytest.param(test, id=name.removeprefix("test_"))


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
    case = HERZSAMMLER


TestHerzsammlerAndTwin = _Machine.TestCase
TestHerzsammlerAndTwin.settings = settings(
    max_examples=scale(quick=25, ci=150, full=5_000),
    stateful_step_count=scale(quick=30, ci=60, full=150),
)
