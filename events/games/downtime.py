"""Downtimes: when the whole service was unavailable, so that running clocks get the time back.

Every process of the service reports once a second that it is alive. If none has done so for longer than `SILENCE_MS`,
the first process to report again records a downtime. The next command or alarm of a game whose clocks were running
throughout first gives them the time back, by a decision of the system, before the clock may answer anything.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from importlib.resources import files
from typing import Any, NamedTuple

from events.store.connection import Client
from events.store.errors import StoreUnavailable, translate_errors

log = logging.getLogger(__name__)

HEARTBEAT_KEY = "{croupier}:heartbeat"
DOWNTIMES_KEY = "{croupier}:downtimes"
SILENCE_MS = 5_000
HEARTBEAT_SECONDS = 1.0
MAX_DOWNTIMES = 100


class Downtime(NamedTuple):
    """The service was unavailable from one time to another, in milliseconds since the epoch."""

    since: int
    until: int


class DowntimeLog:
    """The downtimes that this process knows of. `credit` false: clocks run on while the service is unavailable."""

    def __init__(self, client: Client, clock: Callable[[], int], credit: bool = True) -> None:
        self._heartbeat = client.register_script(files("events.games").joinpath("heartbeat.lua").read_bytes())
        self._clock = clock
        self._credit = credit
        self._known: list[Downtime] = []
        self._is_stale = True

    def heartbeat(self) -> None:
        """Report that this process is alive, and fetch the recorded downtimes. Raises `StoreUnavailable`."""
        with translate_errors():
            downtimes: Any = self._heartbeat(
                keys=[HEARTBEAT_KEY, DOWNTIMES_KEY], args=[str(self._clock()), SILENCE_MS, MAX_DOWNTIMES]
            )
        self._known = [Downtime(*map(int, downtime.split())) for downtime in downtimes]
        self._is_stale = False

    def run(self, stop: threading.Event) -> None:
        """Report once a second until `stop` is set."""
        while not stop.is_set():
            try:
                self.heartbeat()
            except StoreUnavailable as error:
                self.invalidate()
                log.warning("the store is unavailable: %s", error)
            stop.wait(HEARTBEAT_SECONDS)

    def invalidate(self) -> None:
        """Note that the store was unavailable, so that the downtimes known here may be out of date."""
        self._is_stale = True

    def downtime_since(self, last_decision: int) -> int:
        """Return the milliseconds to give back to clocks in a game whose last decision was made at `last_decision`."""
        if not self._credit:
            return 0
        if self._is_stale:
            self.heartbeat()
        return sum(downtime.until - downtime.since for downtime in self._known if last_decision <= downtime.since)
