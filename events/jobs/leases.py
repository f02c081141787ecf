"""Leases of jobs: which games wait for a job, who has claimed it, and when a failed one is retried."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.resources import files
from typing import Any, Literal, get_args

from events.store import keys
from events.store.connection import Client
from events.store.errors import translate_errors

MAX_BACK_OFF_MS = 300_000
"""The most milliseconds between two attempts at a job that keeps failing."""

LEASE_MS = 60_000
"""Milliseconds after which a claimed job is taken for lost if its game still waits."""

SweepJob = Literal["project", "archive"]
AlarmJob = Literal["fire", "play"]
Job = AlarmJob | SweepJob
"""What is done for one game at a time, and retried when it fails."""

QUEUES: dict[SweepJob, Callable[[int], str]] = {"project": keys.projection_queue, "archive": keys.archive_queue}
"""The sorted sets in which the games of a shard wait for a job; score: since when."""


class JobLeases:
    """Claims jobs, and delays those that fail. Raises `StoreUnavailable` like the store itself."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._claim = client.register_script(files("events.jobs").joinpath("claim_jobs.lua").read_bytes())

    def claim(self, job: SweepJob, before: int, now: int) -> Iterator[str]:
        """Claim the games that have waited for `job` since `before`. One round trip a shard.

        Each claim is a lease: nobody else gets the game until it expires.
        """
        for shard in range(keys.SHARDS):
            names = [QUEUES[job](shard), keys.leases(shard, job)]
            with translate_errors():
                games: Any = self._claim(keys=names, args=[str(before), str(now), str(now + LEASE_MS)])
            yield from (game.decode() for game in games)

    def back_off(self, game: str, now: int, job: Job) -> int:
        """Note that a job of a game failed; return the milliseconds until it is retried: 2, 4, 8 … 300 s.

        The game's other jobs are not delayed, and the time since which it waits stays the same.
        """
        shard = keys.game_shard(game)
        with translate_errors():
            failures: Any = self._client.hincrby(keys.failures(shard), f"{job} {game}", 1)
            wait = min(1000 << int(failures), MAX_BACK_OFF_MS)
            if job in QUEUES:
                self._client.zadd(keys.leases(shard, job), {game: now + wait})
            else:
                self._client.zadd(keys.alarms(shard), {game: now + wait}, xx=True)
        return wait

    def clear_failures(self, game: str, job: Job) -> None:
        """Note that a job of a game succeeded: it may be requested again."""
        shard = keys.game_shard(game)
        with translate_errors():
            self._client.hdel(keys.failures(shard), f"{job} {game}")
            if job in QUEUES:
                self._client.zrem(keys.leases(shard, job), game)

    def forget(self, game: str) -> None:
        """Forget failures and leases of a game that is deleted."""
        shard = keys.game_shard(game)
        with translate_errors():
            self._client.hdel(keys.failures(shard), *(f"{job} {game}" for job in (*get_args(AlarmJob), *QUEUES)))
            for job in QUEUES:
                self._client.zrem(keys.leases(shard, job), game)
