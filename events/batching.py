"""Companies: concurrent requests for one game, within a process, are carried out in batches.

The first caller carries out its own wish, and any that have just arrived. Callers who come meanwhile wait; then the
first of them carries out the wishes of them all, each on the result of the one before, so that the log takes them in
one round trip. Without this, concurrent commands would all be decided on the same state, and all but one in vain.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

MAX_BATCH = 32
"""At most this many wishes are carried out in one batch."""

TIMEOUT_SECONDS = 1.0
"""A caller that has waited this long is decided on its own: the append script detects the conflict, if any."""


class Request:
    """What a caller wants of a game, and the outcome: open until it is granted or refused."""

    __slots__ = ("batch", "command", "error", "is_cancelled", "result", "turn")

    def __init__(self, wanted: Any) -> None:
        self.command = wanted
        self.result: Any = None
        self.error: Exception | None = None
        self.batch: list[Request] | None = None
        self.is_cancelled = False
        """True once its caller was interrupted, and so can lead no company."""
        self.turn = threading.Lock()
        self.turn.acquire()

    @property
    def is_open(self) -> bool:
        """Is it neither granted nor refused yet?"""
        return self.result is None and self.error is None


class CommandBatcher:
    """Lets one caller at a time, for each game, carry out the wishes of all who arrived together.

    `execute` is given a game and wishes, and grants or refuses each. If it raises, those still open are refused.
    """

    def __init__(self, execute: Callable[[str, list[Request]], None]) -> None:
        self._execute_batch = execute
        self._guard = threading.Lock()
        self._waiting: dict[str, list[Request]] = {}
        """The wishes that wait, by game; a game is in here only while somebody is carrying out wishes for it."""

    def submit(self, game: str, wanted: Any) -> Any:
        """Have a wish carried out: return what it was granted, or raise the reason why it was refused."""
        wish = Request(wanted)
        with self._guard:
            waiting = self._waiting.get(game)
            if waiting is None:
                self._waiting[game] = []
                wish.batch = [wish]
            else:
                waiting.append(wish)
        if wish.batch is not None:
            self._run_as_leader(game, wish.batch, gather=True)
        else:
            company = self._wait(game, wish)
            if company is not None:
                self._run_as_leader(game, company)
        if wish.error is not None:
            raise wish.error
        return wish.result

    def _collect(self, game: str, company: list[Request]) -> None:
        """Add the wishes of callers whose requests have already arrived."""
        time.sleep(0)
        with self._guard:
            waiting = self._waiting[game]
            company += waiting[: MAX_BATCH - 1]
            del waiting[: MAX_BATCH - 1]

    def _wait(self, game: str, wish: Request) -> list[Request] | None:
        """Wait until a wish is granted or refused, or until its caller is to lead: then return the company."""
        try:
            if wish.turn.acquire(timeout=TIMEOUT_SECONDS):
                return wish.batch
            if self._cancel(game, wish):
                self._execute([wish], game)
            else:
                wish.turn.acquire()
        except BaseException:
            with self._guard:
                wish.is_cancelled = True
            if not self._cancel(game, wish) and wish.batch is not None:
                self._promote_next(game, wish.batch[1:])
            raise
        return wish.batch

    def _cancel(self, game: str, wish: Request) -> bool:
        """Take back a wish that nobody has started on; False if somebody has."""
        with self._guard:
            waiting = self._waiting.get(game, [])
            is_waiting = wish in waiting
            if is_waiting:
                waiting.remove(wish)
        return is_waiting

    def _run_as_leader(self, game: str, company: list[Request], *, gather: bool = False) -> None:
        try:
            if gather:
                self._collect(game, company)
            self._execute(company, game)
        finally:
            self._promote_next(game, [wish for wish in company[1:] if wish.is_open])
            for wish in company[1:]:
                if not wish.is_open:
                    wish.turn.release()

    def _execute(self, company: list[Request], game: str) -> None:
        try:
            self._execute_batch(game, company)
        except Exception as error:  # noqa: BLE001 - raised where the wishes came from
            for wish in company:
                if wish.is_open:
                    wish.error = error

    def _promote_next(self, game: str, left: list[Request]) -> None:
        """Appoint the next leader: for the rest of a company whose leader was interrupted, and for those who wait."""
        with self._guard:
            waiting = [wish for wish in left + self._waiting[game] if not wish.is_cancelled]
            company, self._waiting[game] = waiting[:MAX_BATCH], waiting[MAX_BATCH:]
            if company:
                company[0].batch = company
                company[0].turn.release()
            else:
                del self._waiting[game]
