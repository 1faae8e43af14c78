"""All fuzz targets, by name."""

from __future__ import annotations

from tests.fuzz import commands, hostile, property_tests, streams, texts
from tests.fuzz.target import AnyTarget

TARGETS: dict[str, AnyTarget] = {
    target.name: target
    for module in (texts, streams, hostile, commands, property_tests)
    for target in module.TARGETS
}
