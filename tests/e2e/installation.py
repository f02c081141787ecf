"""A real installation for tests: the launcher with all its programs, on a data folder of its own."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from events.store import chain
from events.store.connection import connect
from events.store.embedded import free_port
from events.store.log_store import LogStore
from games.kernel import Decision, Game, fold
from games.rulebooks import RULEBOOKS
from tests.e2e.http_connection import HttpConnection
from tests.processes import Launch, Running, process_launcher

UNLIMITED = {"CROUPIER_LIMITS": "0"}


class Installation:
    """A running launcher. `api` expects an answer at once, `retrying_api` survives failures."""

    def __init__(self, launch: Launch, folder: Path, **environ: str) -> None:
        self._launch = launch
        self._folder = folder
        self._environ = {"CROUPIER_PORT": str(free_port()), **UNLIMITED, **environ}
        self.api = HttpConnection(int(self._environ["CROUPIER_PORT"]))
        self.retrying_api = HttpConnection(int(self._environ["CROUPIER_PORT"]), retry=True)
        self.open()

    def open(self) -> None:
        """Start the launcher, for the first time or once more on the same data."""
        argv = [sys.executable, "-m", "service.runtime.launcher"]
        self.running: Running = self._launch(argv, self._folder, **self._environ)
        self.running.wait_for_output("Croupier is ready")

    def close(self) -> None:
        """Stop it as an operator does."""
        self.close_connections()
        self.running.process.terminate()
        assert self.running.process.wait(30) == 0, self.running.output()

    def close_connections(self) -> None:
        """Close all connections; the next request opens a new one."""
        self.api.close()
        self.retrying_api.close()

    @contextmanager
    def store(self) -> Iterator[LogStore]:
        """The store of the installation."""
        url = self.running.program("gunicorn").environ()["CROUPIER_REDIS_URL"]
        with connect(url) as client:
            yield LogStore(client)

    def log(self, game: str) -> list[Decision[Any]]:
        """The log of a game, with its chain verified."""
        with self.store() as store:
            entries = store.read_after(game, 0)
            rulebook = RULEBOOKS[store.meta(game)["rulebook"]]
        chain.verify(game, entries)
        return [rulebook.decode(entry.decision) for entry in entries]

    def web_workers(self) -> list[psutil.Process]:
        """The processes that answer HTTP."""
        return self.running.program("gunicorn").children()


def folded(decisions: list[Decision[Any]]) -> Game[Any, Any]:
    """The game that a log leads to."""
    rulebook, game = RULEBOOKS[decisions[0].facts[0].rulebook], None
    for decision in decisions:
        game = fold(rulebook, game, decision)
    assert game is not None
    return game


@contextmanager
def open_installation(folder: Path, **environ: str) -> Iterator[Installation]:
    """Start an installation; at the end nothing of it is left, whatever happened."""
    with process_launcher() as launch:
        installation = Installation(launch, folder, **environ)
        try:
            yield installation
        finally:
            installation.close_connections()
