"""The log of every game on Redis streams, as bytes: nothing here knows what a decision means."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any, NamedTuple

from redis import Redis, exceptions
from redis.client import PubSub
from redis.commands.core import Script

from events.store import keys
from events.store.connection import Client
from events.store.errors import translate_errors
from events.store.pipeline import PipelinedConnection

CONFLICT_ENTRIES = 256
"""At most this many entries come with a conflict."""


class Entry(NamedTuple):
    """One decision of a log: its number (from 1), its bytes, its chain hash (64 hexadecimal digits)."""

    number: int
    decision: bytes
    hash: str


class AppendResult(NamedTuple):
    """`repeated`: the log already contained this decision, so nothing was appended."""

    repeated: bool


class AppendRequest(NamedTuple):
    """A decision to be appended: see `LogStore.append`."""

    expected: int
    decision: bytes
    hash: str
    alarm: int | None
    meta: Mapping[str, str]
    person: tuple[str, bytes] | None = None
    follows: str | None = None


class Snapshot(NamedTuple):
    """The state of a game after decision `number`, whose chain hash is `hash`."""

    number: int
    hash: str
    state: bytes


class LoadResult(NamedTuple):
    """A snapshot that agrees with the log, and all entries after it; or None and the whole log."""

    snapshot: Snapshot | None
    entries: list[Entry]


class ClaimedAlarms(NamedTuple):
    """Games whose alarm is due, leased to the caller, and the shard's next alarm (or end of a lease), or None."""

    games: list[str]
    next: int | None


class AppendNotice(NamedTuple):
    """The message published on the channel of a shard after an append."""

    game: str
    number: int


class Conflict(Exception):
    """Nothing was appended: the log does not end with the expected decision.

    `head` is the number of its last decision, `entries` are those after the expected one: at most
    `CONFLICT_ENTRIES`, so read on with `LogStore.read_after` if the last of them is not `head`. If `head` is not above
    the expected number, the caller knows decisions that the store does not: it must discard what it has cached
    of the game.
    """

    def __init__(self, game: str, head: int, entries: tuple[Entry, ...]) -> None:
        super().__init__(f"game {game} is at decision {head}")
        self.game = game
        self.head = head
        self.entries = entries


class ArchivedGame(Exception):
    """Nothing was appended: the game is over, and its log has been packed into a record."""


class LogStore:
    """The logs of games, and all that is stored with them. Every method makes one round trip unless it says otherwise.

    Shared by all threads or greenlets of a process. Every method may raise `StoreUnavailable`.
    """

    def __init__(self, client: Client, conflict_entries: int = CONFLICT_ENTRIES) -> None:
        self.client = client
        self._conflict_entries = conflict_entries
        # It speaks to a single server: the nodes of a cluster are reached through the client.
        self._connection = PipelinedConnection(client) if isinstance(client, Redis) else None
        self._append = _script(client, "append.lua")
        self._claim = _script(client, "claim_alarms.lua")
        self._load = _script(client, "load.lua")
        self._archive = _script(client, "archive.lua")
        self._remove_unless_grown = _script(client, "remove_unless_grown.lua")

    def append(
        self,
        game: str,
        expected: int,
        decision: bytes,
        chain_hash: str,
        *,
        now: int,
        alarm: int | None,
        meta: Mapping[str, str],
        person: tuple[str, bytes] | None = None,
        follows: str | None = None,
    ) -> AppendResult:
        """Append decision `expected + 1`, if the log ends with number `expected` (0: if there is no log).

        `follows` is the chain hash of decision `expected`: if given, a log whose decision of that number is a
        different one (it may have been restored from a backup and played on) is a conflict too.
        `alarm` is the game's next alarm from now on, in milliseconds since the epoch, or None for none. `person` is
        stored beside the log under its reference. `meta` is merged into the game's fields; `head` is set by the store
        itself. Raises `Conflict` or `ArchivedGame`; then nothing has changed. Safe to repeat after `StoreUnavailable`:
        it succeeds if the log holds the same bytes with the same hash under that number. (So if two writers append
        byte-identical decisions to the same history, both succeed, and the decision is there once.)
        """
        request = AppendRequest(expected, decision, chain_hash, alarm, meta, person, follows)
        (result,) = self.append_all(game, [request], now)
        if isinstance(result, Exception):
            raise result
        return result

    def append_all(self, game: str, requests: Sequence[AppendRequest], now: int) -> list[AppendResult | Exception]:
        """Append decisions, each of which follows the one before, in one round trip. `now` is in milliseconds.

        Returns for each what `append` would return or raise; after an error, the rest is missing or errors too.
        """
        shard = keys.game_shard(game)
        names = (
            keys.log(game),
            keys.meta(game),
            keys.alarms(shard),
            keys.projection_queue(shard),
            keys.record(game),
            keys.people(game),
        )
        arguments = [
            (
                game,
                str(request.expected),
                str(request.expected + 1),
                request.decision,
                request.hash,
                "" if request.alarm is None else str(request.alarm),
                keys.append_channel(shard),
                str(now),
                keys.alarm_channel(shard),
                self._conflict_entries,
                *(request.person or ("", b"")),
                request.follows or "",
                *(text for pair in request.meta.items() for text in pair),
                "head",
                str(request.expected + 1),
            )
            for request in requests
        ]
        return [_read_append_result(game, reply) for reply in self._run_all(self._append, names, arguments)]

    def _run_all(self, script: Script, names: Sequence[str], arguments: Sequence[Sequence[Any]]) -> list[Any]:
        """Run a script several times on the same keys; return its replies, with the error in place of a failed one."""
        if self._connection is None or len(arguments) == 1:
            return list(self._run_one_by_one(script, names, arguments))
        calls = [("EVALSHA", script.sha, len(names), *names, *args) for args in arguments]
        replies = self._connection.call_all(calls)
        if isinstance(replies[0], exceptions.NoScriptError):
            return list(self._run_one_by_one(script, names, arguments))
        return replies

    def _run_one_by_one(
        self, script: Script, names: Sequence[str], arguments: Sequence[Sequence[Any]]
    ) -> Iterator[Any]:
        for args in arguments:
            try:
                yield self._run(script, names, args)
            except (exceptions.RedisError, OSError) as error:
                yield error
                return

    def _run(self, script: Script, names: Sequence[str], args: Sequence[Any]) -> Any:
        """Run a script over the pipelined connection, if there is one; load it first if the server does not know it."""
        if self._connection is not None:
            with contextlib.suppress(exceptions.NoScriptError):
                return self._connection.call("EVALSHA", script.sha, len(names), *names, *args)
        return script(keys=names, args=args)

    def ping(self) -> None:
        """Raise `StoreUnavailable` unless the server answers."""
        with translate_errors():
            self.client.ping()

    def listener(self) -> PubSub:
        """A pub/sub object without subscriptions yet. It holds a connection until it is closed: use it in a `with`."""
        subscription: PubSub = self.client.pubsub()  # type: ignore[no-untyped-call]
        return subscription

    def read_after(self, game: str, after: int, limit: int | None = None) -> list[Entry]:
        """The entries after number `after`, oldest first; empty also when the game is unknown or archived."""
        with translate_errors():
            if self._connection is None:
                return _entries(self.client.xrange(keys.log(game), min=f"{after + 1}-0", max="+", count=limit))
            count = () if limit is None else ("COUNT", limit)
            return _nested_entries(self._connection.call("XRANGE", keys.log(game), f"{after + 1}-0", "+", *count))

    def read_before(self, game: str, number: int | None, limit: int) -> list[Entry]:
        """The last `limit` entries below `number` (None: of the whole log), **newest first**."""
        end = "+" if number is None else f"({number}-0"
        with translate_errors():
            return _entries(self.client.xrevrange(keys.log(game), max=end, min="-", count=limit))

    def head(self, game: str) -> Entry | None:
        """The last entry; None when the game is unknown or archived."""
        return next(iter(self.read_before(game, None, 1)), None)

    def load(self, game: str) -> LoadResult:
        """What a process needs in order to read a game from cold.

        Neither snapshot nor entries: it is unknown or archived.
        """
        with translate_errors():
            snapshot, entries = self._run(self._load, (keys.log(game), keys.snapshot(game)), ())
        return LoadResult(_snapshot(snapshot) if snapshot else None, _nested_entries(entries))

    def save_snapshot(self, game: str, snapshot: Snapshot) -> None:
        """Save a snapshot in place of the previous one. One that does not agree with the log is never loaded."""
        head = f"{snapshot.number} {snapshot.hash}\n".encode()
        with translate_errors():
            self.client.set(keys.snapshot(game), head + snapshot.state)

    def snapshot(self, game: str) -> Snapshot | None:
        """The snapshot as it was saved, whether or not it agrees with the log."""
        with translate_errors():
            encoded: Any = self.client.get(keys.snapshot(game))
        return _snapshot(encoded) if encoded else None

    def meta(self, game: str) -> dict[str, str]:
        """The game's fields, `head` among them; empty for an unknown game. An archived game still has them."""
        with translate_errors():
            fields: Any = self.client.hgetall(keys.meta(game))
        return {field.decode(): value.decode() for field, value in fields.items()}

    def people(self, game: str) -> dict[str, bytes]:
        """The people at the game, by reference; those who were forgotten are missing."""
        with translate_errors():
            people: Any = self.client.hgetall(keys.people(game))
        return {reference.decode(): person for reference, person in people.items()}

    def forget(self, game: str, references: list[str]) -> None:
        """Delete people of a game: the log holds only their references."""
        with translate_errors():
            self.client.hdel(keys.people(game), *references)

    def archive(self, game: str, last: int, record: bytes) -> None:
        """Replace log, snapshot and alarm by the record, if the log still ends with number `last`.

        Raises `Conflict` when it does not, or when there is no such game. If the game is already archived,
        its record stays as it is.
        """
        with translate_errors():
            reply: list[Any] = self._archive(
                keys=[
                    keys.log(game),
                    keys.record(game),
                    keys.snapshot(game),
                    keys.projection_queue(keys.game_shard(game)),
                    keys.alarms(keys.game_shard(game)),
                ],
                args=[game, str(last), record, self._conflict_entries],
            )
        if reply[0] != b"archived":
            raise _read_conflict(game, reply)

    def record(self, game: str) -> bytes | None:
        """The record of an archived game."""
        with translate_errors():
            record: Any = self.client.get(keys.record(game))
        return None if record is None else bytes(record)

    def claim_due(self, shard: int, now: int, lease: int, limit: int = 100) -> ClaimedAlarms:
        """Claim the games of a shard whose alarm is due at `now`, for `lease` milliseconds.

        Until `now + lease` nobody else gets them; unless an append sets or removes the alarm meanwhile, it is
        due again then. If `limit` games were claimed, there may be more: claim again.
        """
        with translate_errors():
            games, next_alarm = self._claim(keys=[keys.alarms(shard)], args=[str(now), str(now + lease), limit])
        return ClaimedAlarms([game.decode() for game in games], None if next_alarm is None else int(float(next_alarm)))

    def set_alarm(self, game: str, at: int) -> None:
        """Move the alarm of a game, if it has one, to a time in milliseconds since the epoch."""
        shard = keys.game_shard(game)
        with translate_errors():
            self.client.zadd(keys.alarms(shard), {game: at}, xx=True)
            self.client.publish(keys.alarm_channel(shard), at)

    def alarm(self, game: str) -> int | None:
        """The game's next alarm (while claimed, the end of the lease), in milliseconds since the epoch."""
        with translate_errors():
            score: Any = self.client.zscore(keys.alarms(keys.game_shard(game)), game)
        return None if score is None else int(score)

    def end_projection(self, game: str, number: int) -> bool:
        """End the projection of a game at decision `number`; return False if its log has grown since."""
        with translate_errors():
            removed: Any = self._remove_unless_grown(
                keys=[keys.log(game), keys.projection_queue(keys.game_shard(game))], args=[game, str(number)]
            )
        return bool(removed)

    def remove_stray_alarm(self, game: str) -> None:
        """Remove the alarm of a game that does not exist. If it has a log after all (just created), the alarm stays."""
        with translate_errors():
            self._remove_unless_grown(keys=[keys.log(game), keys.alarms(keys.game_shard(game))], args=[game, "0"])

    def oldest_unprojected(self, shard: int) -> int | None:
        """The time since which the first game in a shard's projection queue has waited; None if it is empty."""
        with translate_errors():
            first: Any = self.client.zrange(keys.projection_queue(shard), 0, 0, withscores=True)
        return int(first[0][1]) if first else None

    def games(self) -> Iterator[str]:
        """All games that have meta, archived ones too, in no particular order, some perhaps twice. Many round trips."""
        with translate_errors():
            for key in self.client.scan_iter(match=keys.META_PATTERN, count=1000):
                yield keys.game_in_key(key.decode())

    def delete(self, game: str) -> None:
        """Delete everything of a game. Three round trips; safe to repeat."""
        with translate_errors():
            self.client.zrem(keys.alarms(keys.game_shard(game)), game)
            self.client.zrem(keys.projection_queue(keys.game_shard(game)), game)
            self.client.delete(
                keys.log(game), keys.meta(game), keys.snapshot(game), keys.record(game), keys.people(game)
            )


def read_notice(message: bytes) -> AppendNotice:
    """Read a message from a channel `keys.append_channel(shard)`."""
    game, _, number = message.decode().rpartition(" ")
    return AppendNotice(game, int(number))


def _script(client: Client, name: str) -> Script:
    source = files("events.store").joinpath(name).read_bytes()
    script: Script = client.register_script(source)
    return script


def _entries(streamed: Any) -> list[Entry]:
    return [Entry(int(entry[:-2]), fields[b"d"], fields[b"h"].decode()) for entry, fields in streamed]


def _nested_entries(streamed: Any) -> list[Entry]:
    """The same from a raw reply of the server, in which the fields and values of an entry alternate."""
    return [Entry(int(entry[:-2]), fields[1], fields[3].decode()) for entry, fields in streamed]


def _snapshot(encoded: bytes) -> Snapshot:
    head, _, state = encoded.partition(b"\n")
    number, chain_hash = head.decode().split(" ")
    return Snapshot(int(number), chain_hash, state)


def _read_append_result(game: str, reply: Any) -> AppendResult | Exception:
    """Read a reply of `append.lua`."""
    match reply:
        case Exception():
            return translate_errors().translate(reply)
        case [b"appended"]:
            return AppendResult(repeated=False)
        case [b"repeated"]:
            return AppendResult(repeated=True)
        case [b"archived"]:
            return ArchivedGame(game)
    return _read_conflict(game, reply)


def _read_conflict(game: str, reply: list[Any]) -> Conflict:
    _, head, entries = reply
    return Conflict(game, int(head), tuple(_nested_entries(entries)))
