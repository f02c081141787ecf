"""What the tests of the service share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask

from events.games.command_handler import CommandHandler
from events.store.connection import connect
from events.store.log_store import LogStore
from games.rulebooks import RULEBOOKS
from service.app import build_app
from service.context import Services
from service.http.auth import Tokens
from tests.clocks import StoppedClock
from tests.processes import Launch, process_launcher
from tests.service.players import Table, Transport, api_of, full_table, open_table
from tests.service.randomness import FixedSeeds
from tests.service.shortcuts import play_on

SECRET = "a secret of the tests"


@pytest.fixture
def launch_process() -> Iterator[Launch]:
    """Starts a command on a data folder in `folder`, with more environment; whatever it leaves is killed."""
    with process_launcher() as launch:
        yield launch


@pytest.fixture(scope="module")
def clock() -> StoppedClock:
    """The clock of the app. Tests let time pass, so each of them depends on its own games alone."""
    return StoppedClock()


@pytest.fixture(scope="module")
def games(store_url: str, clock: StoppedClock) -> Iterator[CommandHandler]:
    """The games as one process knows them, on the embedded store."""
    with connect(store_url) as client:
        yield CommandHandler(LogStore(client), RULEBOOKS, clock)


@pytest.fixture(scope="module")
def app(games: CommandHandler) -> Flask:
    """The app of that process. The seeds of its games are the same at each run of a module."""
    return build_app(Services(games, Tokens(SECRET), randomness=FixedSeeds()))


@pytest.fixture(scope="module")
def api(app: Flask) -> Transport:
    """A transport to the app."""
    return api_of(app)


@pytest.fixture(scope="module")
def second_api(store_url: str, clock: StoppedClock) -> Iterator[Transport]:
    """A transport to the app of a second process on the same store."""
    with connect(store_url) as client:
        yield api_of(build_app(Services(CommandHandler(LogStore(client), RULEBOOKS, clock), Tokens(SECRET))))


@pytest.fixture(scope="module")
def running(api: Transport) -> Table:
    """A game of four in which each player has to lay a card."""
    return full_table(api)


@pytest.fixture(scope="module")
def waiting(api: Transport) -> Table:
    """A game of four that waits for three more players."""
    table = open_table(api)
    table.seat()
    return table


@pytest.fixture(scope="module")
def finished(games: CommandHandler, api: Transport) -> Table:
    """A game that is over."""
    table = full_table(api, seats=2)
    play_on(games, table)
    return table


@pytest.fixture
def nothing_changes(games: CommandHandler, request: pytest.FixtureRequest) -> Iterator[None]:
    """Whatever a test sends to its table, the log and its alarm stay as they were."""
    names = [name for name in ("running", "waiting", "finished") if name in request.fixturenames]
    tables = [request.getfixturevalue(name) for name in names]
    before = [stored(games, table) for table in tables]
    yield
    assert [stored(games, table) for table in tables] == before
    assert before, "this test names its table"


def stored(games: CommandHandler, table: Table) -> Any:
    store = games.store
    return store.read_after(table.game, 0), store.meta(table.game), store.alarm(table.game)
