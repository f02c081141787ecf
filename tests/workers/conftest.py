"""What the tests of the workers share: a store of their own, and workers that forget what they knew of another."""

import os

import pytest

from events.connection import connect
from events.embedded import EmbeddedServer
from events.games import Games
from events.logs import Logs
from games.rulebooks import RULEBOOKS
from workers import desk

DESK = (desk.settings, desk.queue, desk.client, desk.lists, desk.store, desk.outages, desk.games)


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
    return Games(Logs(connect(own_store.url)), RULEBOOKS)
