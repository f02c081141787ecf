"""The past of games: their logs from the beginning, and their state after any earlier decision."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from events.games.meta import IMPORTED, SEAL
from events.games.repository import GameRepository, LoadedGame
from events.lru_cache import LRUCache
from events.records.record import Seal, Sign, write_record
from events.store.log_store import Entry
from games.kernel import fold

PAGE = 200
"""This many entries of a log are read per round trip."""

MAX_CACHED_STATES = 200
MAX_CACHED_IMPORT_MARKS = 10_000


class NoSuchDecision(Exception):
    """The game has no decision of this number. `last` is the number of its last one."""

    def __init__(self, last: int) -> None:
        super().__init__(f"the game has {last} decisions so far")
        self.last = last


class GameHistory:
    """Looks back at the games of a store. Caches the states requested last, and folds on from those.

    Shared by all threads or greenlets of a process.
    """

    def __init__(self, games: GameRepository) -> None:
        self._games = games
        self._lock = threading.Lock()
        self._states: LRUCache[tuple[str, int], LoadedGame] = LRUCache(MAX_CACHED_STATES)
        self._imported: LRUCache[str, bool] = LRUCache(MAX_CACHED_IMPORT_MARKS)

    def state_at(self, game: str, number: int) -> LoadedGame:
        """Return a game as it was after a decision.

        Raises:
            NoSuchDecision: when there is none of this number.
            GameNotFound, StoreUnavailable: see `GameRepository`.
        """
        newest = self._games.read(game)
        if number == newest.game.number:
            return newest
        if not 0 < number < newest.game.number:
            raise NoSuchDecision(newest.game.number)
        state = self._nearest(game, number)
        known = 0 if state is None else state.game.number
        for entry in self.entries(game, known, number):
            decision = newest.rulebook.decode(entry.decision)
            folded = fold(newest.rulebook, None if state is None else state.game, decision)
            state = LoadedGame(newest.rulebook, folded, entry.hash)
        if state is None or state.game.number != number:
            raise NoSuchDecision(newest.game.number)  # the store has lost decisions since the game was read
        self._remember(game, state)
        return state

    def entries(self, game: str, after: int = 0, until: int | None = None) -> Iterator[Entry]:
        """Yield the entries of a log after number `after`, up to and including `until`, reading them page by page."""
        while True:
            left = PAGE if until is None else min(PAGE, until - after)
            page = self._games.store.read_after(game, after, left) if left else []
            yield from page
            if len(page) < PAGE:
                return
            after = page[-1].number

    def record(self, game: str, current: LoadedGame, sign: Sign) -> Iterator[bytes]:
        """Return the lines of the record of a game that is over, each with its line feed.

        An imported game keeps the seal of the server that it was played on. Raises `GameNotFinished`.
        """
        imported = self.seal(game)
        return write_record(
            game, current.game, self.entries(game), sign if imported is None else lambda footer: imported
        )

    def is_imported(self, game: str) -> bool:
        """Was a game that is over played on another server? The store is asked only once."""
        is_imported = self._imported.get(game)
        if is_imported is None:
            is_imported = IMPORTED in self._games.store.meta(game)
            self._imported.put(game, is_imported)
        return is_imported

    def seal(self, game: str) -> Seal | None:
        """Return the seal that a game was imported with; None when it has none, or was played here."""
        seal = self._games.store.meta(game).get(SEAL, "")
        return Seal(*seal.split(" ")) if seal else None

    def _nearest(self, game: str, until: int) -> LoadedGame | None:
        """Return the latest cached state at or before a decision."""
        with self._lock:
            numbers = [number for cached, number in self._states.keys() if cached == game and number <= until]  # noqa: SIM118
            return self._states.get((game, max(numbers))) if numbers else None

    def _remember(self, game: str, state: LoadedGame) -> None:
        with self._lock:
            self._states.put((game, state.game.number), state)
