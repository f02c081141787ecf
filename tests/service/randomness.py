"""Randomness that is the same at each run."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable

from service.context import Randomness
from service.http.auth import game_id


class FixedRandomness(Randomness):
    """Ids, seeds and salts by counting."""

    def __init__(self) -> None:
        self._ids, self._seeds, self._salts = numbered("game"), numbered("seed"), numbered("salt")

    def game_id(self) -> str:
        return game_id(self._ids())

    def seed(self) -> str:
        return self._seeds().hex()

    def salt(self) -> str:
        return self._salts()[:16].hex()


class FixedSeeds(Randomness):
    """Seeds by counting. Ids and salts are random: the store may hold games of other tests."""

    def __init__(self) -> None:
        self._seeds = numbered("seed")

    def seed(self) -> str:
        return self._seeds().hex()


def numbered(purpose: str) -> Callable[[], bytes]:
    """Return a function that gives other 32 bytes at each call, the same for the same purpose."""
    count = itertools.count()
    return lambda: hashlib.sha256(f"{purpose} {next(count)}".encode()).digest()
