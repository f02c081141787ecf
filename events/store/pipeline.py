"""The line: one connection to the store, over which all callers of a process send their short commands in batches.

A caller who arrives while other commands are under way waits for the next round trip, which carries all that wait. So a
busy process makes few round trips for many commands, and the store writes each batch to disk in one go. A lone caller
pays for one round trip, without the checks that a connection pool makes before each.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any

import hiredis
from redis import Redis
from redis.exceptions import ConnectionError as LostConnection
from redis.exceptions import RedisError, ResponseError

MAX_BATCH = 128
"""At most this many calls share one round trip."""

IDLE_SECONDS = 0.02
"""A connection idle for this long is checked before use: the server may have restarted meanwhile."""


_packed: Callable[..., bytes] = hiredis.pack_command  # its stubs only allow commands of one word


class PipelinedConnection:
    """A line to the server of a client. Not for commands that block: they would hold up everybody else's.

    Nothing is sent twice. If the connection is lost, all callers whose commands were under way get an error.
    """

    def __init__(self, client: Redis) -> None:
        pool = client.connection_pool
        self._connection: Any = pool.connection_class(**pool.connection_kwargs)
        self._used_at = 0.0
        self._guard = threading.Lock()
        self._waiting: list[_Call] = []
        self._is_busy = False

    def call(self, *words: str | bytes | int) -> Any:
        """Send a command and return its answer.

        Raises:
            RedisError: the server refuses the command, or cannot be reached: then it may have been executed or not.
        """
        (answer,) = self.call_all([words])
        if isinstance(answer, Exception):
            raise answer
        return answer

    def call_all(self, commands: Sequence[tuple[str | bytes | int, ...]]) -> list[Any]:
        """Send commands in one round trip, in order; return each one's answer, or the error that `call` would raise."""
        call = _Call(b"".join(map(_packed, commands)), len(commands))
        with self._guard:
            if self._is_busy:
                self._waiting.append(call)
            else:
                self._is_busy = True
                call.batch = [call]
        if call.batch is None:
            self._wait(call)
        if call.batch is not None:
            self._flush(call.batch)
        return call.replies

    def _wait(self, call: _Call) -> None:
        """Wait until the call is answered, or until its caller is to make the next round trip, for `call.company`."""
        try:
            call.turn.acquire()
        except BaseException:
            with self._guard:
                if call in self._waiting:
                    self._waiting.remove(call)
                elif call.batch is not None:
                    self._waiting[:0] = call.batch[1:]
                    self._promote_next()
            raise

    def _flush(self, company: list[_Call]) -> None:
        """Send the calls of a company, of which the first is the caller's own; then appoint who makes the next trip."""
        try:
            self._round_trip(company)
        finally:
            with self._guard:
                self._promote_next()
            for call in company[1:]:
                call.turn.release()

    def _promote_next(self) -> None:
        company, self._waiting = self._waiting[:MAX_BATCH], self._waiting[MAX_BATCH:]
        self._is_busy = bool(company)
        if company:
            company[0].batch = company
            company[0].turn.release()

    def _round_trip(self, company: list[_Call]) -> None:
        try:
            self._check_connection()
            self._connection.send_packed_command([b"".join([call.commands for call in company])], check_health=False)
            for call in company:
                while len(call.replies) < call.number:
                    call.replies.append(self._read_reply())
        except BaseException as error:
            self._connection.disconnect()
            for call in company:
                lost = LostConnection(str(error) or type(error).__name__)
                call.replies += [lost] * (call.number - len(call.replies))
            if not isinstance(error, (RedisError, OSError)):
                raise
        self._used_at = monotonic()

    def _read_reply(self) -> Any:
        """Read an answer: the result of a command, or the error with which the server refuses it."""
        try:
            return self._connection.read_response()
        except ResponseError as refusal:
            return refusal

    def _check_connection(self) -> None:
        """Drop the connection if the server has closed it, or if it holds unread data that nobody asked for."""
        if monotonic() - self._used_at < IDLE_SECONDS:
            return
        try:
            is_dirty = self._connection.can_read()
        except (LostConnection, OSError):
            is_dirty = True
        if is_dirty:
            self._connection.disconnect()


class _Call:
    """Commands under way: how many, their answers, and the company whose round trip their caller is to make, if any."""

    __slots__ = ("batch", "commands", "number", "replies", "turn")

    def __init__(self, commands: bytes, number: int) -> None:
        self.commands = commands
        self.number = number
        self.replies: list[Any] = []
        self.batch: list[_Call] | None = None
        self.turn = threading.Lock()
        self.turn.acquire()
