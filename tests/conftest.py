"""What tests of several packages share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from events.store.embedded import EmbeddedServer

LONG = ("whole", "workers", "examples")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the folders whose tests take long, so that none of them is left when several run side by side."""
    items.sort(key=lambda item: not any(folder in item.path.parts for folder in LONG))


@pytest.fixture(scope="session")
def store_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of an embedded server of this test run, on a free port."""
    with EmbeddedServer(tmp_path_factory.mktemp("store")) as server:
        yield server.url
