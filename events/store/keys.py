"""The names of everything kept in the store.

A game lives in one of `SHARDS` shards, and every key of a shard carries the same hash tag (`{s07}`): on a
cluster, a script then touches a single slot, and one key holds the next alarms of all the shard's games.
The number of shards can never change for a store that holds games; `SHARDS_KEY` remembers it (see
`connection.check_server`).
"""

from __future__ import annotations

from zlib import crc32

SHARDS = 16
SHARDS_KEY = "croupier:shards"
META_PATTERN = "{s??}:game:*:meta"


def game_shard(game: str) -> int:
    """The shard of a game, 0 to `SHARDS - 1`: crc32 of its id, modulo `SHARDS`."""
    return crc32(game.encode()) % SHARDS


def tag(shard: int) -> str:
    """The hash tag that all keys of a shard begin with: `{s07}`."""
    return f"{{s{shard:02d}}}"


def of_game(game: str) -> str:
    """What all keys of a game begin with: `{s07}:game:<id>`."""
    return f"{tag(game_shard(game))}:game:{game}"


def log(game: str) -> str:
    """Stream: one entry a decision, id `<number>-0`, fields `d` (the decision) and `h` (its chain hash)."""
    return of_game(game) + ":log"


def meta(game: str) -> str:
    """Hash of text fields: `head` is the number of the last decision, the others are the caller's."""
    return of_game(game) + ":meta"


def people(game: str) -> str:
    """Hash: the people at the game; field: reference in the log, value: the person."""
    return of_game(game) + ":people"


def snapshot(game: str) -> str:
    """String: `<number> <hash>`, a line feed, and the state at that decision; may be deleted at any time."""
    return of_game(game) + ":snapshot"


def record(game: str) -> str:
    """String: the compressed record of a finished game, whose log is then deleted."""
    return of_game(game) + ":record"


def projection_queue(shard: int) -> str:
    """Sorted set: the games that wait for the projector; score: since when, in milliseconds."""
    return tag(shard) + ":projection-queue"


def alarms(shard: int) -> str:
    """Sorted set: each game's next alarm; member the game's id, score milliseconds since the epoch."""
    return tag(shard) + ":alarms"


def append_channel(shard: int) -> str:
    """Pub/sub channel to which every append publishes `<game> <number>`."""
    return tag(shard) + ":appends"


def leases(shard: int, job: str) -> str:
    """Sorted set: games for which a job must not be requested now; score: until when, in milliseconds."""
    return f"{tag(shard)}:leases:{job}"


def failures(shard: int) -> str:
    """Hash: how often in a row a job has failed; field: `<job> <game>`."""
    return tag(shard) + ":failures"


def archive_queue(shard: int) -> str:
    """Sorted set: games that are over and wait to be archived; score: when they ended."""
    return tag(shard) + ":archive-queue"


def archived(shard: int) -> str:
    """Sorted set: archived games; score: when they ended."""
    return tag(shard) + ":archived"


def alarm_channel(shard: int) -> str:
    """Pub/sub channel to which an append publishes its game's alarm if that is now the earliest of the shard."""
    return tag(shard) + ":next-alarm"


def channel_shard(channel: str) -> int:
    """The shard of a channel: `{s07}:next-alarm` gives 7."""
    return int(channel[2:4])


def game_in_key(key: str) -> str:
    """The game's id in one of its own keys: `{s07}:game:<id>:meta` gives `<id>`."""
    return key.split(":game:", 1)[1].rsplit(":", 1)[0]
