"""The hash chain that makes the past of a game provable.

h(0) = sha256(the game's id in UTF-8), and h(n) = sha256(h(n-1) followed by the bytes of decision n).
As input to sha256, h(n-1) is the raw digest of 32 bytes, and the decision is exactly the bytes that the log stores.
Everywhere else a hash is 64 lower-case hexadecimal digits.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256


class ChainBroken(Exception):
    """The log is not the one that was written. `number` is the first decision that does not fit."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(f"decision {number} {reason}")
        self.number = number
        self.reason = reason


def genesis_hash(game: str) -> str:
    """h(0), before any decision."""
    return sha256(game.encode()).hexdigest()


def next_hash(previous: str, decision: bytes) -> str:
    """h(n), of h(n-1) and the bytes of decision n. Raises ValueError if `previous` is not hexadecimal."""
    return sha256(bytes.fromhex(previous) + decision).hexdigest()


def verify(game: str, entries: Iterable[tuple[int, bytes, str]]) -> str:
    """Verify the whole chain of a game from its first decision, and return the hash of the last.

    `entries` are (number, decision, hash) in order, from number 1. Raises `ChainBroken` at the first that
    is missing, out of place or changed. A log with its end cut off is still a valid, shorter chain: to detect
    that, compare the hash returned with a later one kept elsewhere.
    """
    expected = 1
    previous = genesis_hash(game)
    for number, decision, claimed in entries:
        if number != expected:
            raise ChainBroken(expected, f"is missing: number {number} stands in its place")
        previous = next_hash(previous, decision)
        if previous != claimed:
            raise ChainBroken(number, "does not match its hash")
        expected += 1
    return previous
