"""A whole table for tests: the launcher with its real programs, on a data folder of its own."""

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
from tests.e2e.http_connection import Wire
from tests.processes import Launch, Running, process_launcher

UNLIMITED = {"CROUPIER_LIMITS": "0"}


class House:
    """A launcher whose table is open. `line` is for callers that expect an answer, `patient_line` for faults."""

    def __init__(self, launch: Launch, folder: Path, **environ: str) -> None:
        self._launch = launch
        self._folder = folder
        self._environ = {"CROUPIER_PORT": str(free_port()), **UNLIMITED, **environ}
        self.line = Wire(int(self._environ["CROUPIER_PORT"]))
        self.patient_line = Wire(int(self._environ["CROUPIER_PORT"]), patient=True)
        self.open()

    def open(self) -> None:
        """Start the launcher, for the first time or once more on the same data."""
        argv = [sys.executable, "-m", "service.runtime.launcher"]
        self.running: Running = self._launch(argv, self._folder, **self._environ)
        self.running.wait_for_output("Croupier is ready")

    def close(self) -> None:
        """Stop it as an operator does."""
        self.hang_up()
        self.running.process.terminate()
        assert self.running.process.wait(30) == 0, self.running.output()

    def hang_up(self) -> None:
        """Close all lines; whoever calls again opens a new one."""
        self.line.close()
        self.patient_line.close()

    @contextmanager
    def store(self) -> Iterator[LogStore]:
        """The store behind the table."""
        url = self.running.program("gunicorn").environ()["CROUPIER_REDIS_URL"]
        with connect(url) as client:
            yield LogStore(client)

    def log(self, game: str) -> list[Decision[Any]]:
        """The log of a game, whose chain holds."""
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
def opened(folder: Path, **environ: str) -> Iterator[House]:
    """Open a house; whatever becomes of it, nothing of it is left at the end."""
    with process_launcher() as launch:
        house = House(launch, folder, **environ)
        try:
            yield house
        finally:
            house.hang_up()
