"""The installations that the end-to-end tests share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.e2e.installation import Installation, open_installation


@pytest.fixture(scope="session")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """An installation that stays up."""
    with open_installation(tmp_path_factory.mktemp("installation")) as installation:
        yield installation


@pytest.fixture(scope="session")
def fragile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """An installation whose programs are killed; after each test it works again."""
    with open_installation(tmp_path_factory.mktemp("fragile")) as installation:
        yield installation
