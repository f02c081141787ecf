"""The alarms: a loop that claims the games whose alarms are due, and the job that fires them.

Every worker process runs the loop; there is no leader. A claim is a lease: if the job that should fire an alarm is
lost, the alarm is due again once the lease ends. Firing late or twice is harmless: the clock answers only choices that
are still pending and timers that are due.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from functools import partial

from redis.client import PubSub
from redis.exceptions import RedisError
from rq import Queue

from events.games.command_handler import now_ms
from events.games.repository import GameNotFound
from events.jobs.queue import FIRE_ALARMS, enqueue, is_waiting
from events.store import keys
from events.store.connection import Client
from events.store.errors import StoreUnavailable
from events.store.log_store import LogStore
from workers import bots
from workers.resources import Resources
from workers.retries import for_each_game

log = logging.getLogger(__name__)

LEASE_MS = 2_000
MAX_BATCH = 50
"""At most this many games are handed to one job, so that it finishes well within the lease."""
MAX_SLEEP_SECONDS = 5.0  # all shards are checked at least this often, even without a message
MIN_SLEEP_SECONDS = 0.001
POLL_SECONDS = 0.005  # between two checks whether a worker has taken the last job
STORE_RETRY_SECONDS = 0.2


def fire_alarms(resources: Resources, *games: str) -> None:
    """Job: let the clock answer everything that is due in some games; then let bots play there for one time slice."""
    try:
        for_each_game(resources, games, partial(fire_game, resources), "fire")
    finally:
        bots.run_slice(resources, games)


def fire_game(resources: Resources, game: str) -> None:
    """Let the clock answer everything that is due in a game."""
    try:
        decisions = resources.games.fire(game)
    except GameNotFound:
        log.warning("game %s does not exist; its alarm is removed", game)
        resources.store.remove_stray_alarm(game)
    else:
        log.info("game %s: the clock decided %d times", game, decisions)


class ClaimHandOver:
    """Requests jobs that fire the alarms of some games, ahead of all other jobs."""

    def __init__(self, queue: Queue, lease_ms: int = LEASE_MS) -> None:
        self._queue = queue
        self._lease_seconds = lease_ms / 1000
        self._job: str | None = None
        self._requested_at = 0.0

    def __call__(self, games: list[str]) -> None:
        """Request a job."""
        self._job = enqueue(self._queue, FIRE_ALARMS, *games, first=True)
        self._requested_at = time.monotonic()

    def is_waiting(self) -> bool:
        """Does the last job still wait for a worker? After a lease it no longer counts: its alarms are due again."""
        if self._job is not None and time.monotonic() - self._requested_at < self._lease_seconds:
            return is_waiting(self._queue, self._job)
        return False


class AlarmLoop:
    """The loop: sleeps until the next alarm of any shard, or until an append sets an earlier one.

    Args:
        store: where the alarms are.
        listener: opens a client of the same store, for the channel of earlier alarms.
        hand_over: receives the games whose alarms are due, claimed for `lease_ms` milliseconds.
        is_held_up: True while no worker has taken the last job. Then nothing more is claimed, so that everything
            that falls due meanwhile goes into one job.
        clock: returns the time in milliseconds since the epoch.
        lease_ms: how long a claim lasts.
        max_batch: at most this many games are handed over at a time.
    """

    def __init__(
        self,
        store: LogStore,
        listener: Callable[[], Client],
        hand_over: Callable[[list[str]], None],
        is_blocked: Callable[[], bool] = lambda: False,
        clock: Callable[[], int] = now_ms,
        lease_ms: int = LEASE_MS,
        max_batch: int = MAX_BATCH,
    ) -> None:
        self._store = store
        self._listener = listener
        self._hand_over = hand_over
        self._is_blocked = is_blocked
        self._clock = clock
        self._lease_ms = lease_ms
        self._max_batch = max_batch
        self._next: dict[int, int | None] = {}

    def run(self, stop: threading.Event) -> None:
        """Loop until `stop` is set. While the store is unreachable, keep trying."""
        while not stop.is_set():
            try:
                self._watch(stop)
            except (StoreUnavailable, RedisError, OSError) as error:
                log.warning("the alarm loop cannot reach the store: %s", error)
                stop.wait(STORE_RETRY_SECONDS)

    def _watch(self, stop: threading.Event) -> None:
        messages: PubSub
        with self._listener().pubsub(ignore_subscribe_messages=True) as messages:  # type: ignore[no-untyped-call]
            messages.subscribe(*(keys.alarm_channel(shard) for shard in range(keys.SHARDS)))
            checked_at = 0.0
            while not stop.is_set():
                if time.monotonic() - checked_at >= MAX_SLEEP_SECONDS:
                    checked_at = time.monotonic()
                    self.check_all_shards()
                self.claim_due()
                self._sleep(messages)

    def check_all_shards(self) -> None:
        """Have the next `claim_due` look at every shard."""
        self._next = dict.fromkeys(range(keys.SHARDS), self._clock())

    def claim_due(self) -> None:
        """Claim the games whose alarms are due, earliest first, and hand them over."""
        now = self._clock()
        due = sorted((alarm, shard) for shard, alarm in self._next.items() if alarm is not None and alarm <= now)
        if not due or self._is_blocked():
            return
        games: list[str] = []
        for _, shard in due:
            if len(games) < self._max_batch:
                claims = self._store.claim_due(shard, now, self._lease_ms, self._max_batch - len(games))
                self._next[shard] = claims.next
                games += claims.games
        if games:
            self._hand_over(games)

    def _sleep(self, messages: PubSub) -> None:
        now = self._clock()
        alarms = [alarm for alarm in self._next.values() if alarm is not None]
        seconds = (min(alarms) - now) / 1000 if alarms else MAX_SLEEP_SECONDS
        if seconds <= 0:  # something is due that could not be claimed
            seconds = POLL_SECONDS
        message = messages.get_message(timeout=min(max(seconds, MIN_SLEEP_SECONDS), MAX_SLEEP_SECONDS))
        while message is not None:
            shard, alarm = keys.channel_shard(message["channel"].decode()), int(message["data"])
            known = self._next.get(shard)
            self._next[shard] = alarm if known is None else min(known, alarm)
            message = messages.get_message(timeout=0)
