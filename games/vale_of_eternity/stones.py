"""The Vale of Eternity: magic stones, the payments that they allow, and which of them can be kept.

A stone is its colour, as in ``("red", "red", "blue")``. Stones of the same colour are interchangeable.
"""

from functools import lru_cache
from itertools import product
from typing import Literal

Colour = Literal["red", "blue", "purple"]
Stones = tuple[Colour, ...]

COLOURS: Stones = ("red", "blue", "purple")
RED: Stones = ("red",)
BLUE: Stones = ("blue",)
PURPLE: Stones = ("purple",)

STONE_LIMIT = 4

StoneValues = tuple[int, int, int]
"""The value of one red, one blue and one purple stone."""

PRINTED_VALUES: StoneValues = (1, 3, 6)


def remove_stones(stones: Stones, spent: Stones) -> Stones:
    """Return the stones that remain.

    Raises:
        ValueError: a spent stone is not among the stones.
    """
    remaining = list(stones)
    for stone in spent:
        remaining.remove(stone)
    return tuple(remaining)


def total_value(stones: Stones, values: StoneValues) -> int:
    """Return the total value of some stones."""
    red, blue, purple = values
    return stones.count("red") * red + stones.count("blue") * blue + stones.count("purple") * purple


@lru_cache(maxsize=4096)
def payments(stones: Stones, values: StoneValues, price: int, is_strict: bool) -> tuple[Stones, ...]:
    """Return the payments that cover a price, those with few stones of high value first. No change is given.

    A strict payment has no stone that could be left out.
    """
    return tuple(
        payment
        for payment in _combinations(stones)
        if (value := total_value(payment, values)) >= price
        and not (is_strict and payment and value - min(total_value((stone,), values) for stone in payment) >= price)
    )


@lru_cache(maxsize=4096)
def keepable_subsets(stones: Stones, size: int) -> tuple[Stones, ...]:
    """Return the different combinations of so many of these stones."""
    return tuple(combination for combination in _combinations(stones) if len(combination) == size)


def _combinations(stones: Stones) -> list[Stones]:
    """Return the different combinations of these stones, of any size, each in the order of the colours."""
    counts = product(*(range(stones.count(colour) + 1) for colour in reversed(COLOURS)))
    return [RED * red + BLUE * blue + PURPLE * purple for purple, blue, red in counts]
