"""What the tests of the workers share: a store of their own, and the resources of a worker on it."""

import signal

import pytest

from events.games.command_handler import CommandHandler
from events.settings import Settings
from events.store.archiving_store import ArchivingStore
from events.store.connection import connect
from events.store.embedded import EmbeddedServer
from games.rulebooks import RULEBOOKS
from workers.resources import open_resources


@pytest.fixture(autouse=True)
def _signal_handlers():
    """Restore the signal handlers after each test: RQ installs its own and leaves them."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in handlers.items():
        signal.signal(number, handler)


@pytest.fixture
def own_store(tmp_path, monkeypatch):
    """An empty store, which the programs that a test calls use too."""
    with EmbeddedServer(tmp_path / "store") as server:
        monkeypatch.setenv("CROUPIER_REDIS_URL", server.url)
        monkeypatch.setenv("CROUPIER_QUEUE_URL", server.url)
        yield server


@pytest.fixture
def resources(own_store):
    """The resources of a worker on that store."""
    return resources_on(own_store.url)


def resources_on(url, **settings):
    return open_resources(Settings(redis_url=url, queue_url=url, **settings))


@pytest.fixture
def games(own_store):
    """The games of that store as a process of the service knows them."""
    return CommandHandler(ArchivingStore(connect(own_store.url)), RULEBOOKS)
