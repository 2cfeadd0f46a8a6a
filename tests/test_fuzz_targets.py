"""The fuzz targets hold for their own seeds, so that a campaign starts from inputs that pass."""

from __future__ import annotations

import pytest

from fuzz.seeds import seeds
from fuzz.targets import TARGETS


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_a_target_takes_its_seeds(name: str) -> None:
    found = list(seeds(name))
    assert found
    for data in found:
        TARGETS[name](data)


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_a_target_takes_nothing_and_a_byte(name: str) -> None:
    TARGETS[name](b"")
    TARGETS[name](b"\xff")
