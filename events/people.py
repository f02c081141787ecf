"""People: who sits at a game. The log holds references only, so that a name can be forgotten and the chain stands."""

from __future__ import annotations

import secrets
from hashlib import sha256

import msgspec


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
