"""The Vale of Eternity: magic stones, what can be paid with them, and what can be kept of them.

Stones are told by their colours, as in ``("red", "red", "blue")``. Equal stones are not told apart.
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

Worth = dict[Colour, int]
"""What a stone of each colour is worth to a seat."""

PRINTED_WORTH: Worth = {"red": 1, "blue": 3, "purple": 6}


def stones_without(stones: Stones, gone: Stones) -> Stones:
    """Return the stones that are left; what is gone has to be among them."""
    left = list(stones)
    for stone in gone:
        left.remove(stone)
    return tuple(left)


@lru_cache(maxsize=4096)
def payments(stones: Stones, worth: tuple[int, int, int], price: int, is_strict: bool) -> tuple[Stones, ...]:
    """Return the ways to pay a price, no change given: the fewest stones of high worth last.

    `worth` is of a red, a blue and a purple stone. Strict payments have no stone that the price can do without.
    """
    return tuple(
        payment
        for payment in _handfuls(stones)
        if (value := _value(payment, worth)) >= price
        and not (is_strict and payment and value - min(_value((stone,), worth) for stone in payment) >= price)
    )


@lru_cache(maxsize=4096)
def ways_to_keep(stones: Stones, number: int) -> tuple[Stones, ...]:
    """Return the different sets of so many of these stones."""
    return tuple(handful for handful in _handfuls(stones) if len(handful) == number)


def _handfuls(stones: Stones) -> list[Stones]:
    """Return every set of these stones, the empty one first, each in the order of the colours."""
    numbers = product(*(range(stones.count(colour) + 1) for colour in reversed(COLOURS)))
    return [RED * red + BLUE * blue + PURPLE * purple for purple, blue, red in numbers]


def _value(stones: Stones, worth: tuple[int, int, int]) -> int:
    red, blue, purple = worth
    return stones.count("red") * red + stones.count("blue") * blue + stones.count("purple") * purple
