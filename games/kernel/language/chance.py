"""Chance: random numbers drawn from the game's secret seed and the number of the decision, and from nothing else.

The draws are defined so that a program in any language can reproduce them:

* block *k* of decision *n* is ``sha256(f"{seed}/{n}/{k}")``, k = 0, 1, 2, …; each block is read as four unsigned
  64-bit numbers, most significant byte first;
* ``randbelow(m)`` takes the next number, skipping numbers of at least ``2**64 - 2**64 % m``; the result is the number
  modulo m;
* ``shuffled`` goes from the last place down to the second, and swaps each with the place ``randbelow(place + 1)``.
"""

from collections.abc import Sequence
from hashlib import sha256
from struct import Struct
from typing import TypeVar

T = TypeVar("T")

_SPAN = 1 << 64
_NUMBERS = Struct(">4Q").unpack


class RandomnessWhileAsking(RuntimeError):
    """A rule drew random numbers to ask a choice. Choices are computed repeatedly, and must not depend on a draw."""

    def __init__(self, rule: str = "a rule") -> None:
        super().__init__(f"{rule} asks, and may not draw: draw in a rule before it, and write it into a fact")


class Chance:
    """The random numbers of one decision. Their results are written into facts, so replay draws nothing."""

    __slots__ = ("_block", "_key", "_numbers", "drawn")

    def __init__(self, seed: str, decision: int) -> None:
        self._key = f"{seed}/{decision}/"
        self._block = 0
        self._numbers: list[int] = []
        self.drawn = 0
        """How many numbers have been taken so far."""

    def randbelow(self, limit: int) -> int:
        """Return a number from 0 to limit - 1, each equally likely."""
        first_skipped = _SPAN - _SPAN % limit
        while True:
            if not self._numbers:
                self._numbers = list(_NUMBERS(sha256(f"{self._key}{self._block}".encode()).digest()))
                self._block += 1
            number = self._numbers.pop(0)
            self.drawn += 1
            if number < first_skipped:
                return number % limit

    def shuffled(self, cards: Sequence[T]) -> tuple[T, ...]:
        """Return the cards in a random order, every order equally likely."""
        order = list(cards)
        for place in range(len(order) - 1, 0, -1):
            other = self.randbelow(place + 1)
            order[place], order[other] = order[other], order[place]
        return tuple(order)

    def choice(self, options: Sequence[T]) -> T:
        """Return one of the options, each equally likely."""
        return options[self.randbelow(len(options))]

    def sample(self, options: Sequence[T], number: int) -> tuple[T, ...]:
        """Return `number` different options in a random order."""
        return self.shuffled(options)[:number]


class ForbiddenChance(Chance):
    """Stands in for `Chance` where a rule is evaluated only for its options, which must not draw."""

    def __init__(self) -> None:
        super().__init__("", 0)

    def randbelow(self, limit: int) -> int:
        """Raise RandomnessWhileAsking: what a seat may do must not depend on a draw."""
        raise RandomnessWhileAsking


FORBIDDEN_CHANCE = ForbiddenChance()


def seed_commitment(seed: str) -> str:
    """Return the public commitment to a secret seed: its sha256, in hexadecimal."""
    return sha256(seed.encode()).hexdigest()
