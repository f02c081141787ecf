"""The people at a game. The log holds only references, so a name can be forgotten without breaking the chain."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from hashlib import sha256

import msgspec

from events.lru_cache import LRUCache
from events.store.log_store import LogStore

MAX_CACHED_PEOPLE = 20_000
CACHE_MS = 300_000
"""A forgotten name stays in the caches of processes for at most this long."""


class Person(msgspec.Struct, frozen=True):
    """A person at a seat. `player` is an opaque id chosen by the client; results are collected under it.

    `salt` keeps the name from being guessed from the reference by anybody who does not know the salt.
    """

    name: str
    player: str | None
    salt: str

    @property
    def reference(self) -> str:
        """What the log holds in place of the person: sha256 of name, player and salt as JSON, in hexadecimal."""
        return sha256(msgspec.json.encode([self.name, self.player, self.salt])).hexdigest()


def new_person(name: str, player: str | None, salt: str | None = None) -> Person:
    """Return a new person, with a fresh salt unless one is given; the same salt gives the same reference."""
    return Person(name, player, salt or secrets.token_hex(16))


class NameDirectory:
    """The people that a process has read, by reference. Shared by all threads or greenlets of the process."""

    def __init__(self, store: LogStore, clock: Callable[[], int]) -> None:
        self._store = store
        self._clock = clock
        self._since = clock()
        self._people: LRUCache[str, Person | None] = LRUCache(MAX_CACHED_PEOPLE)

    def at(self, game: str, references: list[str]) -> dict[str, Person]:
        """Return the people of a game with these references, without those forgotten. Usually needs no round trip."""
        if self._clock() - self._since > CACHE_MS:
            self._people.clear()  # somebody may have been forgotten
            self._since = self._clock()
        if any(reference not in self._people for reference in references):
            stored = self._store.people(game)
            for reference in references:
                encoded = stored.get(reference)
                person = None if encoded is None else msgspec.json.decode(encoded, type=Person)
                self._people.put(reference, person)
        people = ((reference, self._people.get(reference)) for reference in references)
        return {reference: person for reference, person in people if person is not None}


def player_refs(store: LogStore, game: str) -> set[str]:
    """Return all players who ever had a seat in a game, except those forgotten."""
    people = (msgspec.json.decode(person, type=Person) for person in store.people(game).values())
    return {person.player for person in people if person.player is not None}


def forget(store: LogStore, game: str, player: str) -> int:
    """Forget the names of a player in a game; return how many there were. At most two round trips."""
    references = [
        reference
        for reference, person in store.people(game).items()
        if msgspec.json.decode(person, type=Person).player == player
    ]
    if references:
        store.forget(game, references)
    return len(references)
