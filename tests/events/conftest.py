"""Servers beside the embedded one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from events.embedded import EmbeddedServer
from tests.stores import cluster, installed_redis, require

pytest.register_assert_rewrite("tests.events.store_tests")


@pytest.fixture(scope="session")
def installed_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of the machine's own redis-server, run by us."""
    binary = installed_redis()
    require(binary, "redis-server is not installed on this machine")
    with EmbeddedServer(tmp_path_factory.mktemp("redis"), binary=binary) as server:
        yield server.url


@pytest.fixture(scope="session")
def cluster_servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[EmbeddedServer]]:
    with cluster(tmp_path_factory.mktemp("cluster")) as servers:
        yield servers
