"""The log of every game on Redis streams, as bytes: nothing here knows what a decision means."""

from __future__ import annotations

import contextlib
import time
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

CONFLICT_ENTRIES = 256  # at most this many in a conflict


class Entry(NamedTuple):
    """One decision of a log: its number (from 1), its bytes, its chain hash (64 hexadecimal digits)."""

    number: int
    decision: bytes
    hash: str


class AppendResult(NamedTuple):
    """`repeated`: this very decision was already there."""

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
    `CONFLICT_ENTRIES`, so read on with `LogStore.tail` if the last of them is not `head`. If `head` is not above
    the expected number, the caller knows decisions that the store does not: it must discard what it remembers
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
    """The logs and everything that goes with them. Every method makes one round trip unless it says otherwise.

    Shared by all threads or greenlets of a process. Every method may raise `StoreUnavailable`.
    """

    def __init__(self, client: Client) -> None:
        self.client = client
        self._line = (
            PipelinedConnection(client) if isinstance(client, Redis) else None
        )  # not for the nodes of a cluster
        self._append = _script(client, "append.lua")
        self._claim = _script(client, "claim_alarms.lua")
        self._load = _script(client, "load.lua")
        self._archive = _script(client, "archive.lua")
        self._projected = _script(client, "projected.lua")

    def append(
        self,
        game: str,
        expected: int,
        decision: bytes,
        chain_hash: str,
        *,
        alarm: int | None,
        meta: Mapping[str, str],
        person: tuple[str, bytes] | None = None,
        follows: str | None = None,
    ) -> AppendResult:
        """Append decision `expected + 1`, if the log ends with number `expected` (0: if there is no log).

        `follows` is the chain hash of decision `expected`: if given, a log whose decision of that number is a
        different one (it may have been restored from a backup and played on) is a conflict too.
        `alarm` is the game's next alarm from now on, in milliseconds since the epoch, or None for none;
        `person` is kept beside the log under its reference;
        `meta` is merged into the game's fields (`head` is set by the store itself). Raises `Conflict` or
        `ArchivedGame`; then nothing has changed. Safe to repeat after `StoreUnavailable`: it succeeds if the log holds the
        same bytes with the same hash under that number. (So if two writers append byte-identical decisions to
        the same history, both succeed, and the decision is there once.)
        """
        (told,) = self.append_all(game, [AppendRequest(expected, decision, chain_hash, alarm, meta, person, follows)])
        if isinstance(told, Exception):
            raise told
        return told

    def append_all(self, game: str, appendings: Sequence[AppendRequest]) -> list[AppendResult | Exception]:
        """Append decisions, each of which follows the one before, in one round trip.

        Returns for each what `append` would return or raise; after an error, the rest is missing or errors too.
        """
        shard, now = keys.shard_of(game), str(time.time_ns() // 1_000_000)
        names = (
            keys.log(game),
            keys.meta(game),
            keys.alarms(shard),
            keys.projection_queue(shard),
            keys.record(game),
            keys.people(game),
        )
        words = [
            (
                game,
                str(each.expected),
                str(each.expected + 1),
                each.decision,
                each.hash,
                "" if each.alarm is None else str(each.alarm),
                keys.channel(shard),
                now,
                keys.alarm_channel(shard),
                CONFLICT_ENTRIES,
                *(each.person or ("", b"")),
                each.follows or "",
                *(text for pair in each.meta.items() for text in pair),
                "head",
                str(each.expected + 1),
            )
            for each in appendings
        ]
        return [_read_append_result(game, told) for told in self._run_all(self._append, names, words)]

    def _run_all(self, script: Script, names: Sequence[str], words: Sequence[Sequence[Any]]) -> list[Any]:
        """Run a script several times on the same keys; return its answers, with the error in place of a failed one."""
        if self._line is None or len(words) == 1:
            return list(self._run_in_turn(script, names, words))
        called = [("EVALSHA", script.sha, len(names), *names, *each) for each in words]
        answers = self._line.call_all(called)
        if isinstance(answers[0], exceptions.NoScriptError):
            return list(self._run_in_turn(script, names, words))
        return answers

    def _run_in_turn(self, script: Script, names: Sequence[str], words: Sequence[Sequence[Any]]) -> Iterator[Any]:
        for each in words:
            try:
                yield self._run(script, names, each)
            except (exceptions.RedisError, OSError) as error:
                yield error
                return

    def _run(self, script: Script, names: Sequence[str], words: Sequence[Any]) -> Any:
        """Run a script over the line, if there is one; load it into the server first if the server does not know it."""
        if self._line is not None:
            with contextlib.suppress(exceptions.NoScriptError):
                return self._line.call("EVALSHA", script.sha, len(names), *names, *words)
        return script(keys=names, args=words)

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
            if self._line is None:
                return _entries(self.client.xrange(keys.log(game), min=f"{after + 1}-0", max="+", count=limit))
            count = () if limit is None else ("COUNT", limit)
            return _nested_entries(self._line.call("XRANGE", keys.log(game), f"{after + 1}-0", "+", *count))

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
            kept: Any = self.client.get(keys.snapshot(game))
        return _snapshot(kept) if kept else None

    def meta(self, game: str) -> dict[str, str]:
        """The game's fields, `head` among them; empty for an unknown game. An archived game keeps them."""
        with translate_errors():
            fields: Any = self.client.hgetall(keys.meta(game))
        return {field.decode(): value.decode() for field, value in fields.items()}

    def people(self, game: str) -> dict[str, bytes]:
        """Who sits at the game, by reference; those who were forgotten are missing."""
        with translate_errors():
            kept: Any = self.client.hgetall(keys.people(game))
        return {reference.decode(): person for reference, person in kept.items()}

    def forget(self, game: str, references: list[str]) -> None:
        """Forget people of a game: the log holds their references only."""
        with translate_errors():
            self.client.hdel(keys.people(game), *references)

    def archive(self, game: str, last: int, record: bytes) -> None:
        """Replace log, snapshot and alarm by the record, if the log still ends with number `last`.

        Raises `Conflict` when it does not, or when there is no such game. If the game is already archived,
        its record stays as it is.
        """
        with translate_errors():
            told: list[Any] = self._archive(
                keys=[
                    keys.log(game),
                    keys.record(game),
                    keys.snapshot(game),
                    keys.projection_queue(keys.shard_of(game)),
                    keys.alarms(keys.shard_of(game)),
                ],
                args=[game, str(last), record, CONFLICT_ENTRIES],
            )
        if told[0] != b"archived":
            raise _read_conflict(game, told)

    def record(self, game: str) -> bytes | None:
        """The record of an archived game."""
        with translate_errors():
            kept: Any = self.client.get(keys.record(game))
        return kept if kept is None else bytes(kept)

    def claim_due(self, shard: int, now: int, lease: int, limit: int = 100) -> ClaimedAlarms:
        """Claim the games of a shard whose alarm is due at `now`, for `lease` milliseconds.

        Until `now + lease` nobody else gets them; unless an append sets or removes the alarm meanwhile, it is
        due again then. If `limit` games were claimed, there may be more: claim again.
        """
        with translate_errors():
            games, following = self._claim(keys=[keys.alarms(shard)], args=[str(now), str(now + lease), limit])
        return ClaimedAlarms([game.decode() for game in games], None if following is None else int(float(following)))

    def set_alarm(self, game: str, at: int) -> None:
        """Move the alarm of a game, if it has one, to a time in milliseconds since the epoch."""
        shard = keys.shard_of(game)
        with translate_errors():
            self.client.zadd(keys.alarms(shard), {game: at}, xx=True)
            self.client.publish(keys.alarm_channel(shard), at)

    def alarm(self, game: str) -> int | None:
        """The game's next alarm (while claimed, the end of the lease), in milliseconds since the epoch."""
        with translate_errors():
            score: Any = self.client.zscore(keys.alarms(keys.shard_of(game)), game)
        return None if score is None else int(score)

    def end_projection(self, game: str, number: int) -> bool:
        """Note that decision `number` has been projected; return False if the game has gone on since."""
        with translate_errors():
            told: Any = self._projected(
                keys=[keys.log(game), keys.projection_queue(keys.shard_of(game))], args=[game, str(number)]
            )
        return bool(told)

    def oldest_unprojected(self, shard: int) -> int | None:
        """The time since which the longest-waiting game of a shard waits for the projector; None if none waits."""
        with translate_errors():
            first: Any = self.client.zrange(keys.projection_queue(shard), 0, 0, withscores=True)
        return int(first[0][1]) if first else None

    def games(self) -> Iterator[str]:
        """All games that have meta, archived ones too, in no particular order, some perhaps twice. Many round trips."""
        with translate_errors():
            for key in self.client.scan_iter(match=keys.META_PATTERN, count=1000):
                yield keys.game_of(key.decode())

    def delete(self, game: str) -> None:
        """Forget a game altogether. Three round trips; safe to repeat."""
        with translate_errors():
            self.client.zrem(keys.alarms(keys.shard_of(game)), game)
            self.client.zrem(keys.projection_queue(keys.shard_of(game)), game)
            self.client.delete(
                keys.log(game), keys.meta(game), keys.snapshot(game), keys.record(game), keys.people(game)
            )


def read_notice(message: bytes) -> AppendNotice:
    """Read a message from a channel `keys.channel(shard)`."""
    game, _, number = message.decode().rpartition(" ")
    return AppendNotice(game, int(number))


def _script(client: Client, name: str) -> Script:
    source = files("events.store").joinpath(name).read_bytes()
    script: Script = client.register_script(source)
    return script


def _entries(streamed: Any) -> list[Entry]:
    return [Entry(int(entry[:-2]), fields[b"d"], fields[b"h"].decode()) for entry, fields in streamed]


def _nested_entries(streamed: Any) -> list[Entry]:
    """The same from a raw answer of the server, in which the fields and values of an entry alternate."""
    return [Entry(int(entry[:-2]), fields[1], fields[3].decode()) for entry, fields in streamed]


def _snapshot(kept: bytes) -> Snapshot:
    head, _, state = kept.partition(b"\n")
    number, chain_hash = head.decode().split(" ")
    return Snapshot(int(number), chain_hash, state)


def _read_append_result(game: str, told: Any) -> AppendResult | Exception:
    """Read an answer of `append.lua`."""
    match told:
        case Exception():
            return translate_errors().translate(told)
        case [b"appended"]:
            return AppendResult(repeated=False)
        case [b"repeated"]:
            return AppendResult(repeated=True)
        case [b"archived"]:
            return ArchivedGame(game)
    return _read_conflict(game, told)


def _read_conflict(game: str, told: list[Any]) -> Conflict:
    _, head, entries = told
    return Conflict(game, int(head), tuple(_nested_entries(entries)))
