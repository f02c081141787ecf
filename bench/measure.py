"""Measuring: processor time beside a fixed piece of work, cases in turn, medians.

The machines that this runs on are shared and slow down and speed up within minutes. So every run of a case is
measured beside the same fixed piece of pure Python, and figures are compared as multiples of it, within one run.
"""

import gc
import statistics
from collections.abc import Callable, Mapping, Sequence
from time import process_time
from typing import NamedTuple

RUNS = 7
"""So often each case is measured; at least five."""

MICRO = 1e6


class Measured(NamedTuple):
    """Medians over the runs: microseconds of processor time, and the same as multiples of the piece of work."""

    microseconds: float
    references: float


def reference() -> dict[int, int]:
    """The fixed piece of work: tuples, a dict and small sums, as rules have them. Never to be changed."""
    counts: dict[int, int] = {}
    cards = tuple(range(104))
    for start in range(10):
        row: tuple[int, ...] = ()
        for card in cards[start::10]:
            row = (*row[-4:], card)
            counts[card] = counts.get(card, 0) + len(row)
    return counts


def seconds_per_reference() -> float:
    """Measure the piece of work now."""
    begin = process_time()
    for _ in range(500):
        reference()
    return (process_time() - begin) / 500


def per_item(work: Callable[[], object], items: int, least_seconds: float = 0.1) -> float:
    """Give the processor seconds of one of the `items` that `work` does, repeating it for at least so long."""
    rounds = 0
    begin = process_time()
    while (spent := process_time() - begin) < least_seconds or rounds == 0:
        work()
        rounds += 1
    return spent / (rounds * items)


def in_turn(cases: Mapping[str, tuple[Callable[[], object], int]], runs: int = RUNS) -> dict[str, Measured]:
    """Measure cases of processor-bound work in turn, `runs` times; a case is its work and how many items that does."""
    gc.collect()
    gc.freeze()  # what the benchmark itself keeps is not looked at again by the collector
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in cases}
    for _ in range(runs):
        for name, (work, items) in cases.items():
            before = seconds_per_reference()
            seconds = per_item(work, items)
            taken[name].append((seconds, seconds / statistics.mean((before, seconds_per_reference()))))
    gc.unfreeze()
    return {
        name: Measured(
            statistics.median(seconds for seconds, _ in measured) * MICRO,
            statistics.median(references for _, references in measured),
        )
        for name, measured in taken.items()
    }


def spread(values: Sequence[float]) -> tuple[float, float, float]:
    """Give the median, the lowest and the highest."""
    return statistics.median(values), min(values), max(values)


def percentile(values: Sequence[float], hundredths: float) -> float:
    """Give the value below which so many hundredths of the values lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * hundredths / 100))]
