"""The store with its archive: the log of a game that is over is packed, and read like any other log."""

from __future__ import annotations

from typing import Any

from events.lru_cache import LRUCache
from events.store import chain, keys
from events.store.connection import Client
from events.store.errors import translate_errors
from events.store.log_codec import pack, unpack
from events.store.log_store import Entry, LoadResult, LogStore

MAX_UNPACKED_LOGS = 50
"""At most this many unpacked logs are cached by a process."""


class ArchivingStore(LogStore):
    """A store in which archived games are read like all others, at the cost of one more round trip when cold."""

    def __init__(self, client: Client) -> None:
        super().__init__(client)
        self._unpacked_logs: LRUCache[str, list[Entry]] = LRUCache(MAX_UNPACKED_LOGS)

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
        if _unpacked_entries(game, packed) != entries:
            raise ValueError(f"the log of game {game} cannot be packed")
        self.archive(game, entries[-1].number, packed)

    def schedule_archive(self, game: str, since: int) -> None:
        """Note that a game ended at `since`, in milliseconds, and waits to be archived."""
        with translate_errors():
            self.client.zadd(keys.archive_queue(keys.game_shard(game)), {game: since}, nx=True)

    def finish_archive(self, game: str) -> None:
        """Note that a game is archived; the time of its end is kept."""
        shard = keys.game_shard(game)
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

    def delete(self, game: str) -> None:
        """Forget a game altogether. Safe to repeat."""
        super().delete(game)
        self._unpacked_logs.remove(game)
        shard = keys.game_shard(game)
        with translate_errors():
            self.client.zrem(keys.archive_queue(shard), game)
            self.client.zrem(keys.archived(shard), game)  # last: if interrupted before, the game is still found as old

    def _read_archived(self, game: str) -> list[Entry]:
        """Return the log of an archived game; empty when there is none."""
        entries = self._unpacked_logs.get(game)
        if entries is None:
            packed = self.record(game)
            if packed is None:
                return []
            entries = _unpacked_entries(game, packed)
            self._unpacked_logs.put(game, entries)
        return entries


def _unpacked_entries(game: str, packed: bytes) -> list[Entry]:
    """Return the entries of a packed log. Their hashes follow from the bytes."""
    entries = []
    head = chain.genesis_hash(game)
    for number, decision in enumerate(unpack(packed), start=1):
        head = chain.next_hash(head, decision)
        entries.append(Entry(number, decision, head))
    return entries
