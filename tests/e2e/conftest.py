"""The house that the tests of the whole share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.e2e.installation import House, opened


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house that stays open."""
    with opened(tmp_path_factory.mktemp("house")) as house:
        yield house


@pytest.fixture(scope="session")
def frail(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house whose programs come to harm; after each test it is whole again."""
    with opened(tmp_path_factory.mktemp("frail")) as house:
        yield house
