"""Servers beside the embedded one, and games as the processes of a store know them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from events.games.command_handler import CommandHandler
from events.store.connection import connect
from events.store.embedded import EmbeddedServer
from events.store.log_store import LogStore
from games.rulebooks import RULEBOOKS
from tests.clocks import StoppedClock
from tests.stores import cluster, installed_redis, require

pytest.register_assert_rewrite("tests.events.store.store_tests")


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


Process = Callable[[], CommandHandler]


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock()


@pytest.fixture
def process(store_url: str, clock: StoppedClock) -> Iterator[Process]:
    """Gives the games as a further process knows them: nothing yet."""
    with ExitStack() as clients:
        yield lambda: CommandHandler(LogStore(clients.enter_context(connect(store_url))), RULEBOOKS, clock)


@pytest.fixture
def games(process: Process) -> CommandHandler:
    return process()


@pytest.fixture
def other(process: Process) -> CommandHandler:
    """A second process on the same store."""
    return process()
