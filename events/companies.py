"""Companies: callers who want something of one game at the same time, within a process, go together.

Whoever comes first carries out what they want. Those who come meanwhile wait, and then the first of them carries out
what all of them want: each on the result of the one before, so that the log can take it all in one trip. Without this,
those that come together would all be decided on the same state, and all but one in vain.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

MOST_TOGETHER = 32
"""So many go together at most."""

PATIENCE_SECONDS = 1.0
"""A caller that has waited for so long is decided alone: the append script finds out whether that is a conflict."""


class Wish:
    """What a caller wants of a game, and what came of it: open until it is granted or refused."""

    __slots__ = ("company", "granted", "is_gone", "refused", "turn", "wanted")

    def __init__(self, wanted: Any) -> None:
        self.wanted = wanted
        self.granted: Any = None
        self.refused: Exception | None = None
        self.company: list[Wish] | None = None
        self.is_gone = False
        """Its caller was torn away: nobody is there to lead a company."""
        self.turn = threading.Lock()
        self.turn.acquire()

    @property
    def is_open(self) -> bool:
        """Has nothing come of it yet?"""
        return self.granted is None and self.refused is None


class Companies:
    """Lets one caller at a time carry out, for each game, what all want who came together.

    `carry_out` is given a game and wishes, and grants or refuses each. When it fails, all that are open are refused.
    """

    def __init__(self, carry_out: Callable[[str, list[Wish]], None]) -> None:
        self._carry_out = carry_out
        self._guard = threading.Lock()
        self._waiting: dict[str, list[Wish]] = {}
        """By game, while somebody carries out what is wanted of it: those who wait."""

    def grant(self, game: str, wanted: Any) -> Any:
        """Give what is granted; raise why it is refused."""
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
        """Let those in whose requests are here already."""
        time.sleep(0)
        with self._guard:
            waiting = self._waiting[game]
            company += waiting[: MOST_TOGETHER - 1]
            del waiting[: MOST_TOGETHER - 1]

    def _await_turn(self, game: str, wish: Wish) -> list[Wish] | None:
        """Wait until something came of a wish, or it is its caller's turn to lead: then give the company."""
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
        """Take a wish back that nobody has begun with."""
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
        """Let the next lead, with those who are left of a company whose leader was torn away, and those who wait."""
        with self._guard:
            waiting = [wish for wish in left + self._waiting[game] if not wish.is_gone]
            company, self._waiting[game] = waiting[:MOST_TOGETHER], waiting[MOST_TOGETHER:]
            if company:
                company[0].company = company
                company[0].turn.release()
            else:
                del self._waiting[game]
