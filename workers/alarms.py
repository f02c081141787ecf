"""The clock: a loop that claims the alarms that are due, and the job that fires them.

Every worker process runs the loop; there is no leader. A claim is a lease: if the job that should fire an alarm is
lost, the alarm is due again once the lease ends. Firing late or twice is harmless: the clock answers only what still
waits and is due.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from redis.client import PubSub
from redis.exceptions import RedisError

from events.games.commands import now_ms
from events.games.repository import GameNotFound
from events.jobs.queue import FIRE_ALARMS, enqueue, is_waiting
from events.store import keys
from events.store.connection import Client
from events.store.errors import StoreUnavailable
from events.store.log_store import LogStore
from workers import bots, resources
from workers.retries import for_each_game

log = logging.getLogger(__name__)

LEASE_MS = 2_000  # milliseconds
MAX_BATCH = 50
"""At most this many games are handed to one job, so that it finishes well within the lease."""
MAX_SLEEP_SECONDS = 5.0  # seconds; all shards are checked at least this often, even without a message
STORE_RETRY_SECONDS = 0.2
MIN_SLEEP_SECONDS = 0.001
POLL_SECONDS = 0.005  # seconds between two checks whether the last job has been taken


def fire_alarms(*games: str) -> None:
    """Job: let the clock answer all that is due in some games; then let bots answer there for a while."""
    try:
        for_each_game(games, fire_game, "fire")
    finally:
        bots.run_slice(games)


def fire_game(game: str) -> None:
    """Let the clock answer all that is due in a game."""
    try:
        fired = resources.games().fire(game)
    except GameNotFound:
        log.warning("an alarm of game %s, which is not there, is removed", game)
        resources.store().remove_stray_alarm(game)
    else:
        log.info("game %s: the clock decided %d times", game, fired)


class ClaimHandOver:
    """Requests jobs that fire the alarms of some games, ahead of all other jobs."""

    def __init__(self) -> None:
        self._job: str | None = None
        self._asked_at = 0.0

    def __call__(self, games: list[str]) -> None:
        """Request a job."""
        self._job = enqueue(resources.queue(), FIRE_ALARMS, *games, first=True)
        self._asked_at = time.monotonic()

    def is_waiting(self) -> bool:
        """Does the last job still wait to be taken? After a lease it is given up: its alarms are due again."""
        if self._job is not None and time.monotonic() - self._asked_at < LEASE_MS / 1000:
            return is_waiting(resources.queue(), self._job)
        return False


class AlarmLoop:
    """The loop: sleeps until the next alarm of any shard, or until an append sets an earlier one.

    Args:
        store: where the alarms are.
        listener: a client of the same store for the channel of earlier alarms.
        hand_over: is given the games whose alarms are due, claimed for `LEASE` milliseconds.
        is_held_up: True while the last job has not been taken yet. Then nothing more is claimed, so that everything
            that falls due meanwhile goes into one job.
        clock: gives the time in milliseconds since the epoch.
    """

    def __init__(
        self,
        store: LogStore,
        listener: Callable[[], Client],
        hand_over: Callable[[list[str]], None],
        is_held_up: Callable[[], bool] = lambda: False,
        clock: Callable[[], int] = now_ms,
    ) -> None:
        self._store = store
        self._listener = listener
        self._hand_over = hand_over
        self._is_held_up = is_held_up
        self._clock = clock
        self._next: dict[int, int | None] = {}

    def run(self, stop: threading.Event) -> None:
        """Loop until `stop` is set. While the store is away, keep trying."""
        while not stop.is_set():
            try:
                self._watch(stop)
            except (StoreUnavailable, RedisError, OSError) as error:
                log.warning("the clock cannot reach the store: %s", error)
                stop.wait(STORE_RETRY_SECONDS)

    def _watch(self, stop: threading.Event) -> None:
        earlier: PubSub
        with self._listener().pubsub(ignore_subscribe_messages=True) as earlier:  # type: ignore[no-untyped-call]
            earlier.subscribe(*(keys.alarm_channel(shard) for shard in range(keys.SHARDS)))
            looked_at = 0.0
            while not stop.is_set():
                if time.monotonic() - looked_at >= MAX_SLEEP_SECONDS:
                    looked_at = time.monotonic()
                    self._next = {shard: self._clock() for shard in range(keys.SHARDS)}
                self._claim_what_is_due()
                self._sleep(earlier)

    def _claim_what_is_due(self) -> None:
        """Claim the alarms that are due, earliest first, and hand them over."""
        now = self._clock()
        due = sorted((alarm, shard) for shard, alarm in self._next.items() if alarm is not None and alarm <= now)
        if not due or self._is_held_up():
            return
        games: list[str] = []
        for _, shard in due:
            if len(games) < MAX_BATCH:
                claimed = self._store.claim_due(shard, now, LEASE_MS, MAX_BATCH - len(games))
                self._next[shard] = claimed.next
                games += claimed.games
        if games:
            self._hand_over(games)

    def _sleep(self, earlier: PubSub) -> None:
        now = self._clock()
        alarms = [alarm for alarm in self._next.values() if alarm is not None]
        until = (min(alarms) - now) / 1000 if alarms else MAX_SLEEP_SECONDS
        if until <= 0:  # something is due that could not be claimed
            until = POLL_SECONDS
        message = earlier.get_message(timeout=min(max(until, MIN_SLEEP_SECONDS), MAX_SLEEP_SECONDS))
        while message is not None:
            shard, alarm = keys.shard_of_channel(message["channel"].decode()), int(message["data"])
            known = self._next.get(shard)
            self._next[shard] = alarm if known is None else min(known, alarm)
            message = earlier.get_message(timeout=0)
