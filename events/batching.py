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

MOST_TOGETHER = 32
"""At most this many wishes are carried out in one batch."""

PATIENCE_SECONDS = 1.0
"""A caller that has waited this long is decided on its own: the append script detects the conflict, if any."""


class Wish:
    """What a caller wants of a game, and the outcome: open until it is granted or refused."""

    __slots__ = ("company", "granted", "is_gone", "refused", "turn", "wanted")

    def __init__(self, wanted: Any) -> None:
        self.wanted = wanted
        self.granted: Any = None
        self.refused: Exception | None = None
        self.company: list[Wish] | None = None
        self.is_gone = False
        """True once its caller was interrupted, and so can lead no company."""
        self.turn = threading.Lock()
        self.turn.acquire()

    @property
    def is_open(self) -> bool:
        """Is it neither granted nor refused yet?"""
        return self.granted is None and self.refused is None


class Companies:
    """Lets one caller at a time, for each game, carry out the wishes of all who arrived together.

    `carry_out` is given a game and wishes, and grants or refuses each. If it raises, those still open are refused.
    """

    def __init__(self, carry_out: Callable[[str, list[Wish]], None]) -> None:
        self._carry_out = carry_out
        self._guard = threading.Lock()
        self._waiting: dict[str, list[Wish]] = {}
        """The wishes that wait, by game; a game is in here only while somebody is carrying out wishes for it."""

    def grant(self, game: str, wanted: Any) -> Any:
        """Have a wish carried out: return what it was granted, or raise the reason why it was refused."""
        wish = Wish(wanted)
        with self._guard:
            waiting = self._waiting.get(game)
            if waiting is None:
                self._waiting[game] = []
                wish.company = [wish]
            else:
                waiting.append(wish)
        if wish.company is not None:
            self._lead(game, wish.company, gather=True)
        else:
            company = self._await_turn(game, wish)
            if company is not None:
                self._lead(game, company)
        if wish.refused is not None:
            raise wish.refused
        return wish.granted

    def _gather(self, game: str, company: list[Wish]) -> None:
        """Add the wishes of callers whose requests have already arrived."""
        time.sleep(0)
        with self._guard:
            waiting = self._waiting[game]
            company += waiting[: MOST_TOGETHER - 1]
            del waiting[: MOST_TOGETHER - 1]

    def _await_turn(self, game: str, wish: Wish) -> list[Wish] | None:
        """Wait until a wish is granted or refused, or until its caller is to lead: then return the company."""
        try:
            if wish.turn.acquire(timeout=PATIENCE_SECONDS):
                return wish.company
            if self._withdraw(game, wish):
                self._try([wish], game)
            else:
                wish.turn.acquire()
        except BaseException:
            with self._guard:
                wish.is_gone = True
            if not self._withdraw(game, wish) and wish.company is not None:
                self._hand_on(game, wish.company[1:])
            raise
        return wish.company

    def _withdraw(self, game: str, wish: Wish) -> bool:
        """Take back a wish that nobody has started on; False if somebody has."""
        with self._guard:
            waiting = self._waiting.get(game, [])
            is_waiting = wish in waiting
            if is_waiting:
                waiting.remove(wish)
        return is_waiting

    def _lead(self, game: str, company: list[Wish], *, gather: bool = False) -> None:
        try:
            if gather:
                self._gather(game, company)
            self._try(company, game)
        finally:
            self._hand_on(game, [wish for wish in company[1:] if wish.is_open])
            for wish in company[1:]:
                if not wish.is_open:
                    wish.turn.release()

    def _try(self, company: list[Wish], game: str) -> None:
        try:
            self._carry_out(game, company)
        except Exception as error:  # noqa: BLE001 - raised where the wishes came from
            for wish in company:
                if wish.is_open:
                    wish.refused = error

    def _hand_on(self, game: str, left: list[Wish]) -> None:
        """Appoint the next leader: for the rest of a company whose leader was interrupted, and for those who wait."""
        with self._guard:
            waiting = [wish for wish in left + self._waiting[game] if not wish.is_gone]
            company, self._waiting[game] = waiting[:MOST_TOGETHER], waiting[MOST_TOGETHER:]
            if company:
                company[0].company = company
                company[0].turn.release()
            else:
                del self._waiting[game]
