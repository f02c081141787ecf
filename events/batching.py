"""Group commit: callers that arrive while others are being served are served together, in one batch.

The first caller of a queue executes its own request. Requests that arrive meanwhile wait; then the first of the waiting
callers becomes the leader and executes the requests of all of them at once. The store's connection uses this so that
many commands share one round trip, and `CommandHandler` so that commands for one game are decided one after the other
and appended together, instead of all but one ending in a conflict.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class Request(Generic[Item, Result]):
    """What a caller submits, and its outcome: a future that is completed once, by `set_result` or `set_error`."""

    __slots__ = ("batch", "error", "is_abandoned", "is_done", "item", "result", "turn")

    def __init__(self, item: Item) -> None:
        self.item = item
        self.result: Result | None = None
        self.error: Exception | None = None
        self.is_done = False
        self.is_abandoned = False
        """True once its caller was interrupted. It must not become a leader."""
        self.batch: list[Request[Item, Result]] | None = None
        """The requests that its caller has to execute as their leader, itself first."""
        self.turn = threading.Lock()
        """Released when the request is done, or when its caller becomes a leader."""
        self.turn.acquire()

    def set_result(self, result: Result) -> None:
        """Complete the request: its caller gets the result."""
        self.result, self.is_done = result, True

    def set_error(self, error: Exception) -> None:
        """Complete the request: the error is raised where it was submitted."""
        self.error, self.is_done = error, True


class Batcher(Generic[Item, Result]):
    """Executes requests in batches, with one leader at a time for each queue.

    Args:
        execute: is given the name of a queue and a batch, and completes every request in it. If it raises an
            exception, the requests that are not done yet get it as their error. If its caller is killed (a greenlet's
            exit, an interrupt), they are executed again by another caller.
        max_batch: the most requests in one batch.
        timeout: the seconds after which a waiting caller executes its request alone; None: it waits without limit.
        pause: is called by a caller that finds its queue empty before it executes its request, so that callers that
            are about to submit theirs can join the batch.
    """

    def __init__(
        self,
        execute: Callable[[str, list[Request[Item, Result]]], None],
        max_batch: int,
        timeout: float | None = None,
        pause: Callable[[], object] | None = None,
    ) -> None:
        self._execute = execute
        self._max_batch = max_batch
        self._timeout = -1 if timeout is None else timeout
        self._pause = pause
        self._guard = threading.Lock()
        self._waiting: dict[str, list[Request[Item, Result]]] = {}
        """The waiting requests of each queue. A queue is in here only while it has a leader."""

    def submit(self, queue: str, item: Item) -> Result:
        """Have a request executed; return its result, or raise its error."""
        request: Request[Item, Result] = Request(item)
        with self._guard:
            waiting = self._waiting.get(queue)
            if waiting is None:
                self._waiting[queue] = []
                request.batch = [request]
            else:
                waiting.append(request)
        if waiting is None:
            self._lead(queue, [request], self._pause)
        elif (batch := self._wait(queue, request)) is not None:
            self._lead(queue, batch)
        if request.error is not None:
            raise request.error
        return request.result  # type: ignore[return-value]  # it is done

    def number_waiting(self, queue: str) -> int:
        """Return how many requests of a queue wait for their leader."""
        return len(self._waiting.get(queue, ()))

    def _wait(self, queue: str, request: Request[Item, Result]) -> list[Request[Item, Result]] | None:
        """Wait until a request is done, or until its caller becomes a leader: then return the batch to execute."""
        try:
            if request.turn.acquire(timeout=self._timeout):
                return request.batch
            if self._withdraw(queue, request):
                self._run(queue, [request])
            else:
                request.turn.acquire()
        except BaseException:
            with self._guard:
                request.is_abandoned = True
            if not self._withdraw(queue, request) and request.batch is not None:
                self._promote_next(queue, request.batch[1:])
            raise
        return request.batch

    def _withdraw(self, queue: str, request: Request[Item, Result]) -> bool:
        """Take a request out of its queue; return False if a leader has taken it already."""
        with self._guard:
            waiting = self._waiting.get(queue, [])
            is_waiting = request in waiting
            if is_waiting:
                waiting.remove(request)
        return is_waiting

    def _lead(self, queue: str, batch: list[Request[Item, Result]], pause: Callable[[], object] | None = None) -> None:
        """Execute a batch, of which the first request is the caller's own; then appoint the next leader."""
        try:
            if pause is not None:
                pause()
                self._fill(queue, batch)
            self._run(queue, batch)
        finally:
            self._promote_next(queue, [request for request in batch[1:] if not request.is_done])
            for request in batch[1:]:
                if request.is_done:
                    request.turn.release()

    def _fill(self, queue: str, batch: list[Request[Item, Result]]) -> None:
        """Add the requests that arrived during the pause."""
        with self._guard:
            waiting = self._waiting[queue]
            number = self._max_batch - len(batch)
            batch += waiting[:number]
            del waiting[:number]

    def _run(self, queue: str, batch: list[Request[Item, Result]]) -> None:
        try:
            self._execute(queue, batch)
        except Exception as error:  # noqa: BLE001 - raised where the requests were submitted
            for request in batch:
                if not request.is_done:
                    request.set_error(error)

    def _promote_next(self, queue: str, left: list[Request[Item, Result]]) -> None:
        """Appoint the next leader, for what a killed leader has left undone and for the waiting requests."""
        with self._guard:
            waiting = [request for request in left + self._waiting[queue] if not request.is_abandoned]
            batch, self._waiting[queue] = waiting[: self._max_batch], waiting[self._max_batch :]
            if batch:
                batch[0].batch = batch
                batch[0].turn.release()
            else:
                del self._waiting[queue]
