"""What the tests of the workers share: a store of their own, and workers that forget what they knew of another."""

import os

import pytest

from events.games.commands import CommandHandler
from events.store.archiving_store import ArchivingStore
from events.store.connection import connect
from events.store.embedded import EmbeddedServer
from games.rulebooks import RULEBOOKS
from workers import resources

DESK = (
    resources.settings,
    resources.queue,
    resources.client,
    resources.game_index,
    resources.store,
    resources.downtime_log,
    resources.games,
)


def clear_desk():
    """Let the desk of this process be made anew."""
    for part in DESK:
        part.cache_clear()


@pytest.fixture
def own_store(tmp_path, monkeypatch):
    """An empty store, at which the desk of this process works."""
    with EmbeddedServer(tmp_path / "store") as server:
        monkeypatch.setitem(os.environ, "CROUPIER_REDIS_URL", server.url)
        monkeypatch.setitem(os.environ, "CROUPIER_QUEUE_URL", server.url)
        clear_desk()
        yield server
        clear_desk()


@pytest.fixture
def games(own_store):
    """The games of that store as a process of the service knows them."""
    return CommandHandler(ArchivingStore(connect(own_store.url)), RULEBOOKS)
