"""What tests of several packages share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from events.embedded import EmbeddedServer


@pytest.fixture(scope="session")
def store_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of an embedded server of this test run, on a free port."""
    with EmbeddedServer(tmp_path_factory.mktemp("store")) as server:
        yield server.url
