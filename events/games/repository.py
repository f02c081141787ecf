"""The games of a store as one process knows them: loaded once, folded, and brought up to date with new entries."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from events.games.snapshots import make_snapshot, restore_game
from events.lru_cache import LRUCache
from events.store import chain
from events.store.log_store import Conflict, Entry, LogStore
from games.kernel import Decision, Game, Rulebook, fold
from games.kernel.sessions.session import Session

log = logging.getLogger(__name__)

MAX_CACHED_GAMES = 2000
BACKWARDS_PAGE = 100


class GameNotFound(Exception):
    """There is no game of this id."""


class LoadedGame(NamedTuple):
    """A game as it is now: its rulebook, the game, and the chain hash of its last decision."""

    rulebook: Rulebook[Any]
    game: Game[Any, Any]
    hash: str

    @property
    def session(self) -> Session:
        """The game's session."""
        return self.game.session


class CatchUp(NamedTuple):
    """What came after a known state of a game: the decisions since, and the game after them."""

    current: LoadedGame
    decisions: list[Decision[Any]]


class GameRepository:
    """Reads the games of a store, and caches those used most recently. Shared by all threads or greenlets of a process.

    Every method raises `StoreUnavailable` when the store cannot be reached, and `GameNotFound`.
    """

    def __init__(
        self, store: LogStore, rulebooks: Mapping[str, Rulebook[Any]], max_cached_games: int = MAX_CACHED_GAMES
    ) -> None:
        self.store = store
        self.rulebooks = rulebooks
        self._cache: LRUCache[str, LoadedGame] = LRUCache(max_cached_games)

    def read(self, game: str) -> LoadedGame:
        """Return a game as it is now, in one round trip."""
        cached = self._cache.get(game)
        if cached is None:
            return self._load(game)
        entries = self.store.read_after(game, cached.game.number - 1)
        if not entries or entries[0].hash != cached.hash:
            return self._reload(game, cached)
        return self._catch_up(game, cached, entries[1:])

    def decisions(self, game: str, after: int, limit: int) -> list[Decision[Any]]:
        """Return at most `limit` decisions of a game after number `after`, oldest first, in one or two round trips."""
        current = self._cache.get(game) or self._load(game)
        return [current.rulebook.decode(entry.decision) for entry in self.store.read_after(game, after, limit)]

    def follow(self, game: str, known: LoadedGame, limit: int) -> CatchUp | None:
        """Return at most `limit` decisions after the `known` ones, and the game after them, in one round trip.

        None if the known decision is not, or no longer, in the log.
        """
        entries = self.store.read_after(game, known.game.number - 1, limit + 1)
        if not entries or entries[0].hash != known.hash:
            return None
        decisions = [known.rulebook.decode(entry.decision) for entry in entries[1:]]
        cached = self._cache.get(game)
        if cached is not None and cached.hash == entries[-1].hash:
            return CatchUp(cached, decisions)
        state = known.game
        for decision in decisions:
            state = fold(known.rulebook, state, decision)
        current = LoadedGame(known.rulebook, state, entries[-1].hash)
        self._remember(game, current)
        return CatchUp(current, decisions)

    def save_snapshot(self, game: str) -> LoadedGame:
        """Save the game as it is now, so that a cold load can start from there."""
        current = self.read(game)
        self.store.save_snapshot(game, make_snapshot(*current))
        return current

    def decision_on(self, game: str, choice: int) -> Decision[Any] | None:
        """Find the decision that answered a choice, searching the log backwards until before the choice was asked."""
        before: int | None = None
        rulebook = self.read(game).rulebook
        while entries := self.store.read_before(game, before, BACKWARDS_PAGE):
            for entry in entries:
                decision = rulebook.decode(entry.decision)
                if decision.choice == choice:
                    return decision
                if decision.last_choice < choice:
                    return None
            before = entries[-1].number
        return None

    def _reload_after_conflict(self, game: str, current: LoadedGame, conflict: Conflict) -> LoadedGame:
        first = next(iter(conflict.entries), None)
        if first is None or first.hash != chain.next_hash(current.hash, first.decision):
            return self._reload(game, current)
        current = self._catch_up(game, current, conflict.entries)
        if current.game.number < conflict.head:
            current = self._catch_up(game, current, self.store.read_after(game, current.game.number))
        return current

    def _reload(self, game: str, current: LoadedGame) -> LoadedGame:
        """Discard what this process knows of a game and load it anew: the store has lost or replaced decisions."""
        log.error("game %s: decision %d is not in the log as this process knows it", game, current.game.number)
        self._cache.remove(game)
        return self._load(game)

    def _load(self, game: str) -> LoadedGame:
        snapshot, entries = self.store.load(game)
        if snapshot is not None:
            known = restore_game(snapshot, self.rulebooks)
            if known is not None:
                return self._remember(game, self._fold(LoadedGame(*known, snapshot.hash), entries))
            entries = self.store.read_after(game, 0)
        if not entries:
            raise GameNotFound(game)
        created = msgspec.json.decode(entries[0].decision)["facts"][0]
        rulebook = self.rulebooks[created["rulebook"]]
        current = LoadedGame(rulebook, fold(rulebook, None, rulebook.decode(entries[0].decision)), entries[0].hash)
        return self._remember(game, self._fold(current, entries[1:]))

    def _catch_up(self, game: str, current: LoadedGame, entries: list[Entry] | tuple[Entry, ...]) -> LoadedGame:
        return self._remember(game, self._fold(current, entries)) if entries else current

    def _fold(self, current: LoadedGame, entries: list[Entry] | tuple[Entry, ...]) -> LoadedGame:
        rulebook, state, head = current
        for entry in entries:
            state = fold(rulebook, state, rulebook.decode(entry.decision))
            head = entry.hash
        return LoadedGame(rulebook, state, head)

    def _remember(self, game: str, current: LoadedGame) -> LoadedGame:
        cached = self._cache.get(game)
        if cached is not None and cached.game.number > current.game.number:
            return cached  # another greenlet has read further meanwhile
        self._cache.put(game, current)
        return current
