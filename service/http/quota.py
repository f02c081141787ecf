"""Limits how many games of one address may wait for players."""

from __future__ import annotations

from typing import Any

from events.store.errors import translate_errors
from events.store.log_store import LogStore
from games.kernel import msg
from service.http.problems import Problem

OPEN_GAMES_TTL_SECONDS = 24 * 3600


class OpenGameQuota:
    """Counts, in the store, the games of each address that have not started; `limit` is the most that may wait."""

    def __init__(self, store: LogStore, limit: int) -> None:
        self._store = store
        self._limit = limit

    def check(self, address: str) -> None:
        """Refuse another game if too many are waiting already.

        Raises:
            Problem: `too-many-games`.
        """
        key = self._key(address)
        with translate_errors():
            if self._store.client.scard(key) < self._limit:
                return
            waiting: Any = self._store.client.smembers(key)
        started = [game for game in waiting if self._store.meta(game.decode()).get("status") != "open"]
        if started:
            with translate_errors():
                self._store.client.srem(key, *started)
        else:
            raise Problem(
                "too-many-games", msg("{number} of your games are waiting for players already", number=self._limit)
            )

    def add(self, address: str, game: str) -> None:
        """Count a game that was created."""
        key = self._key(address)
        with translate_errors():
            self._store.client.sadd(key, game)
            self._store.client.expire(key, OPEN_GAMES_TTL_SECONDS)

    @staticmethod
    def _key(address: str) -> str:
        return f"{{limits}}:open-games:{address}"
