"""Pipelining: all callers of a process share one connection to the store for their short commands.

Commands that arrive while others are being answered wait for the next round trip, which carries all of them. So a busy
process makes few round trips for many commands, and the store writes each batch to disk at once. A lone caller pays for
one round trip, without the checks that a connection pool makes before each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any, TypeAlias

import hiredis
from redis import Redis
from redis.exceptions import ConnectionError as LostConnection
from redis.exceptions import RedisError, ResponseError

from events.batching import Batcher, Request

MAX_BATCH = 128
"""At most this many calls share one round trip."""

IDLE_SECONDS = 0.02
"""A connection idle for this long is checked before use: the server may have restarted meanwhile."""

_pack: Callable[..., bytes] = hiredis.pack_command  # its stubs only allow commands of one word

Commands: TypeAlias = tuple[bytes, int]
"""Packed commands, and how many they are."""

Call: TypeAlias = Request[Commands, list[Any]]
"""Commands of one caller, and the reply to each."""


class PipelinedConnection:
    """A connection to the server of a client. Not for commands that block: all other callers would have to wait.

    Nothing is sent twice. If the connection is lost, all callers whose commands have been sent get an error.
    """

    def __init__(self, client: Redis, max_batch: int = MAX_BATCH, idle_seconds: float = IDLE_SECONDS) -> None:
        pool = client.connection_pool
        self._connection: Any = pool.connection_class(**pool.connection_kwargs)
        self._idle_seconds = idle_seconds
        self._used_at = 0.0
        self._batcher = Batcher(self._round_trip, max_batch)

    def call(self, *words: str | bytes | int) -> Any:
        """Send a command and return its reply.

        Raises:
            RedisError: the server refuses the command, or cannot be reached: then it may have been executed or not.
        """
        (reply,) = self.call_all([words])
        if isinstance(reply, Exception):
            raise reply
        return reply

    def call_all(self, commands: Sequence[tuple[str | bytes | int, ...]]) -> list[Any]:
        """Send commands in one round trip, in order; return each one's reply, or the error that `call` would raise."""
        return self._batcher.submit("", (b"".join([_pack(command) for command in commands]), len(commands)))

    def _round_trip(self, queue: str, calls: list[Call]) -> None:
        """Send the commands of all calls, then read their replies. Completes every call, even if it is interrupted."""
        replies: list[Any] = []
        try:
            self._check_connection()
            self._connection.send_packed_command([b"".join([call.item[0] for call in calls])], check_health=False)
            for call in calls:
                replies = []
                replies.extend(self._read_reply() for _ in range(call.item[1]))
                call.set_result(replies)
        except BaseException as error:
            self._connection.disconnect()
            for call in calls:
                if not call.is_done:
                    lost = LostConnection(str(error) or type(error).__name__)
                    call.set_result(replies + [lost] * (call.item[1] - len(replies)))
                    replies = []
            if not isinstance(error, (RedisError, OSError)):
                raise
        self._used_at = monotonic()

    def _read_reply(self) -> Any:
        """Read a reply: the result of a command, or the error with which the server refuses it."""
        try:
            return self._connection.read_response()
        except ResponseError as error:
            return error

    def _check_connection(self) -> None:
        """Drop the connection if the server has closed it, or if it holds data that nobody has asked for."""
        if monotonic() - self._used_at < self._idle_seconds:
            return
        try:
            is_dirty = self._connection.can_read()
        except (LostConnection, OSError):
            is_dirty = True
        if is_dirty:
            self._connection.disconnect()
