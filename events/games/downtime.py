"""Outages: when the whole service was away, so that running clocks get the time back.

Every process of the service reports once a second that it is alive. If none has done so for longer than `SILENCE_MS`, the
first to report again records an outage. Whoever next touches a game whose clocks were running throughout gives them the
time back, by a decision of the system, before the clock may answer anything.
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

HEARTBEAT_KEY = "{croupier}:alive"
DOWNTIMES_KEY = "{croupier}:outages"
SILENCE_MS = 5_000  # milliseconds
HEARTBEAT_SECONDS = 1.0
MAX_DOWNTIMES = 100


class Downtime(NamedTuple):
    """The service was away from one time to another, in milliseconds since the epoch."""

    since: int
    until: int


class DowntimeLog:
    """What this process knows of outages. `credit` false: clocks run on while the service is away."""

    def __init__(self, client: Client, clock: Callable[[], int], credit: bool = True) -> None:
        self._beat = client.register_script(files("events.games").joinpath("heartbeat.lua").read_bytes())
        self._clock = clock
        self._credit = credit
        self._known: list[Downtime] = []
        self._is_stale = True

    def heartbeat(self) -> None:
        """Report that this process is alive, and fetch the known outages. Raises `StoreUnavailable`."""
        with translate_errors():
            noted: Any = self._beat(
                keys=[HEARTBEAT_KEY, DOWNTIMES_KEY], args=[str(self._clock()), SILENCE_MS, MAX_DOWNTIMES]
            )
        self._known = [Downtime(*map(int, outage.split())) for outage in noted]
        self._is_stale = False

    def run(self, stop: threading.Event) -> None:
        """Beat once a second until `stop` is set."""
        while not stop.is_set():
            try:
                self.heartbeat()
            except StoreUnavailable as error:
                self.invalidate()
                log.warning("the store is away: %s", error)
            stop.wait(HEARTBEAT_SECONDS)

    def invalidate(self) -> None:
        """Note that the store was away, so that the list of outages held here may be out of date."""
        self._is_stale = True

    def downtime_since(self, last_decision: int) -> int:
        """Return the milliseconds owed to the clocks of a game whose last decision was made at `last_decision`."""
        if not self._credit:
            return 0
        if self._is_stale:
            self.heartbeat()
        return sum(outage.until - outage.since for outage in self._known if last_decision <= outage.since)
