"""The store with its archive: the log of a game that is over is packed, and read like any other log."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from importlib.resources import files
from typing import Any, Literal, get_args

from events.store import chain, keys
from events.store.connection import Client
from events.store.errors import translate_errors
from events.store.log_codec import pack, unpack
from events.store.log_store import Entry, LoadResult, LogStore

MAX_BACK_OFF_MS = 300_000
"""The most milliseconds between two attempts at a job that keeps failing."""

MAX_UNPACKED_LOGS = 50
"""At most this many unpacked logs are kept in memory by a process."""

LEASE_MS = 60_000
"""Milliseconds after which a requested job is taken for lost if its game still waits."""

SweepJob = Literal["project", "archive"]
AlarmJob = Literal["fire", "play"]
Job = AlarmJob | SweepJob
"""What is done for one game at a time, and retried when it fails."""

WAITING: dict[SweepJob, Callable[[int], str]] = {"project": keys.projection_queue, "archive": keys.archive_queue}
"""The sorted sets in which the games of a shard wait for a job; score: since when."""


class ArchivingStore(LogStore):
    """A store in which archived games are read like all others, at the cost of one more round trip when cold."""

    def __init__(self, client: Client) -> None:
        super().__init__(client)
        self._unpacked_logs: OrderedDict[str, list[Entry]] = OrderedDict()
        self._claim_job = client.register_script(files("events.store").joinpath("claim.lua").read_bytes())

    def read_after(self, game: str, after: int, limit: int | None = None) -> list[Entry]:
        """The entries after number `after`, oldest first, at most `limit`; empty when the game is unknown."""
        entries = super().read_after(game, after, limit)
        return entries or self._read_archived(game)[after:][:limit]

    def read_before(self, game: str, number: int | None, limit: int) -> list[Entry]:
        """The last `limit` entries below `number` (None: of the whole log), **newest first**."""
        entries = super().read_before(game, number, limit)
        if entries or number == 1:
            return entries
        return self._read_archived(game)[: None if number is None else number - 1][::-1][:limit]

    def load(self, game: str) -> LoadResult:
        """What a process needs in order to read a game from cold. Neither snapshot nor entries: it is unknown."""
        loaded = super().load(game)
        if loaded.snapshot is None and not loaded.entries:
            return LoadResult(None, list(self._read_archived(game)))
        return loaded

    def archive_game(self, game: str) -> None:
        """Replace the stream of a game by its packed log. Does nothing for an archived or unknown game.

        Before that, the whole log is verified, and that it unpacks to the same bytes and hashes. Raises `Conflict`
        when the game goes on meanwhile, and `ChainBroken` when the log is not the one that was written.
        """
        entries = super().read_after(game, 0)
        if not entries:
            return
        chain.verify(game, entries)
        packed = pack(entry.decision for entry in entries)
        if _entries_of(game, packed) != entries:
            raise ValueError(f"the log of game {game} cannot be packed")
        self.archive(game, entries[-1].number, packed)

    def schedule_archive(self, game: str, since: int) -> None:
        """Note that a game ended at `since`, in milliseconds, and waits to be archived."""
        with translate_errors():
            self.client.zadd(keys.archive_queue(keys.shard_of(game)), {game: since}, nx=True)

    def finish_archive(self, game: str) -> None:
        """Note that a game is archived; the time of its end is kept."""
        shard = keys.shard_of(game)
        with translate_errors():
            since: Any = self.client.zscore(keys.archive_queue(shard), game)
            if since is not None:
                self.client.zadd(keys.archived(shard), {game: since})
                self.client.zrem(keys.archive_queue(shard), game)

    def archived_before(self, shard: int, before: int) -> list[str]:
        """The archived games of a shard that ended no later than `before`, in milliseconds."""
        with translate_errors():
            games: Any = self.client.zrangebyscore(keys.archived(shard), "-inf", before)
        return [game.decode() for game in games]

    def claim(self, job: SweepJob, before: int, now: int) -> Iterator[str]:
        """The games that have waited for a job since `before`, each handed to one caller only until its lease ends.

        One round trip a shard.
        """
        for shard in range(keys.SHARDS):
            names = [WAITING[job](shard), keys.leases(shard, job)]
            with translate_errors():
                games: Any = self._claim_job(keys=names, args=[str(before), str(now), str(now + LEASE_MS)])
            yield from (game.decode() for game in games)

    def remove_stray_alarm(self, game: str) -> None:
        """Remove the alarm of a game that does not exist. If it has a log after all (just created), the alarm stays."""
        with translate_errors():
            self._projected(keys=[keys.log(game), keys.alarms(keys.shard_of(game))], args=[game, "0"])

    def back_off(self, game: str, now: int, job: Job) -> int:
        """Note that a job of a game failed; return the milliseconds until it is retried: 2, 4, 8 … 300 s.

        The game's other jobs are not delayed, and the time since which it waits is kept.
        """
        shard = keys.shard_of(game)
        with translate_errors():
            failures: Any = self.client.hincrby(keys.failures(shard), f"{job} {game}", 1)
            wait = min(1000 << int(failures), MAX_BACK_OFF_MS)
            if job in WAITING:
                self.client.zadd(keys.leases(shard, job), {game: now + wait})
            else:
                self.client.zadd(keys.alarms(shard), {game: now + wait}, xx=True)
        return wait

    def clear_failures(self, game: str, job: Job) -> None:
        """Note that a job of a game succeeded: it may be requested again."""
        shard = keys.shard_of(game)
        with translate_errors():
            self.client.hdel(keys.failures(shard), f"{job} {game}")
            if job in WAITING:
                self.client.zrem(keys.leases(shard, job), game)

    def delete(self, game: str) -> None:
        """Forget a game altogether. Safe to repeat."""
        super().delete(game)
        self._unpacked_logs.pop(game, None)
        shard = keys.shard_of(game)
        with translate_errors():
            self.client.zrem(keys.archive_queue(shard), game)
            self.client.hdel(keys.failures(shard), *(f"{job} {game}" for job in (*get_args(AlarmJob), *WAITING)))
            for job in WAITING:
                self.client.zrem(keys.leases(shard, job), game)
            self.client.zrem(keys.archived(shard), game)  # last: if interrupted before, the game is still found as old

    def _read_archived(self, game: str) -> list[Entry]:
        """Return the log of an archived game; empty when there is none."""
        entries = self._unpacked_logs.get(game)
        if entries is None:
            packed = self.record(game)
            if packed is None:
                return []
            entries = self._unpacked_logs[game] = _entries_of(game, packed)
            while len(self._unpacked_logs) > MAX_UNPACKED_LOGS:
                self._unpacked_logs.popitem(last=False)
        return entries


def _entries_of(game: str, packed: bytes) -> list[Entry]:
    """Return the entries of a packed log. Their hashes follow from the bytes."""
    entries = []
    head = chain.genesis_hash(game)
    for number, decision in enumerate(unpack(packed), start=1):
        head = chain.next_hash(head, decision)
        entries.append(Entry(number, decision, head))
    return entries
