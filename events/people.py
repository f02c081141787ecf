"""People: who sits at a game. The log holds references only, so that a name can be forgotten and the chain stands."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256

import msgspec

from events.store import Store

MET_PEOPLE = 20_000
MET_MILLISECONDS = 300_000
"""A name that is forgotten is gone from every process after so long."""


class Person(msgspec.Struct, frozen=True):
    """Who sits at a seat. `player` is an opaque id of the client's, by which results are gathered.

    `salt` makes the reference say nothing about the name to whoever does not know it.
    """

    name: str
    player: str | None
    salt: str

    @property
    def reference(self) -> str:
        """What the log says in place of the person: sha256 of name, player and salt as JSON, in hexadecimal."""
        return sha256(msgspec.json.encode([self.name, self.player, self.salt])).hexdigest()


def introduce(name: str, player: str | None, salt: str | None = None) -> Person:
    """Give a person who sits down; with a salt of its own, or always the same for the same salt."""
    return Person(name, player, salt or secrets.token_hex(16))


class People:
    """The people whom a process has met, by reference. Shared by all threads or greenlets of the process."""

    def __init__(self, store: Store, clock: Callable[[], int]) -> None:
        self._store = store
        self._clock = clock
        self._since = clock()
        self._met: OrderedDict[str, Person | None] = OrderedDict()

    def at(self, game: str, references: list[str]) -> dict[str, Person]:
        """Give the people of a game who are spoken of; who was forgotten is missing. Mostly without a round trip."""
        if self._clock() - self._since > MET_MILLISECONDS:
            self._met.clear()  # somebody may have been forgotten
            self._since = self._clock()
        if any(reference not in self._met for reference in references):
            found = self._store.people(game)
            for reference in references:
                kept = found.get(reference)
                self._met[reference] = None if kept is None else msgspec.json.decode(kept, type=Person)
            while len(self._met) > MET_PEOPLE:
                self._met.popitem(last=False)
        known = ((reference, self._met.get(reference)) for reference in references)
        return {reference: person for reference, person in known if person is not None}


def players(store: Store, game: str) -> set[str]:
    """Give the players who ever sat at a game, but for those who were forgotten."""
    met = (msgspec.json.decode(person, type=Person) for person in store.people(game).values())
    return {person.player for person in met if person.player is not None}


def forget(store: Store, game: str, player: str) -> int:
    """Forget the names under which a player sat at a game; give the number of seats. Two round trips at most."""
    references = [
        reference
        for reference, person in store.people(game).items()
        if msgspec.json.decode(person, type=Person).player == player
    ]
    if references:
        store.forget(game, references)
    return len(references)
