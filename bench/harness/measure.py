"""Measures processor time relative to a fixed piece of work. Cases alternate, and medians are reported.

The speed of a shared machine changes within minutes. So every run of a case is measured beside the same fixed piece of
pure Python, and figures are compared as multiples of it.
"""

import gc
import statistics
from collections.abc import Callable, Mapping, Sequence
from time import process_time
from typing import NamedTuple

RUNS = 7
"""How many times each case is measured; at least five."""

MICRO = 1e6


class Measurement(NamedTuple):
    """Medians over the runs: microseconds of processor time, and the same as multiples of the piece of work."""

    microseconds: float
    references: float


def reference() -> dict[int, int]:
    """The fixed piece of work: tuples, a dict and small sums, as in rules. Never change it."""
    counts: dict[int, int] = {}
    cards = tuple(range(104))
    for start in range(10):
        row: tuple[int, ...] = ()
        for card in cards[start::10]:
            row = (*row[-4:], card)
            counts[card] = counts.get(card, 0) + len(row)
    return counts


def seconds_per_reference() -> float:
    """Return the processor seconds of the fixed piece of work, measured now."""
    begin = process_time()
    for _ in range(500):
        reference()
    return (process_time() - begin) / 500


def per_item(work: Callable[[], object], items: int, min_seconds: float = 0.1) -> float:
    """Return the processor seconds per item of `work`, which does `items` of them, repeating it for `min_seconds`."""
    rounds = 0
    begin = process_time()
    while (spent := process_time() - begin) < min_seconds or rounds == 0:
        work()
        rounds += 1
    return spent / (rounds * items)


def interleaved(cases: Mapping[str, tuple[Callable[[], object], int]], runs: int = RUNS) -> dict[str, Measurement]:
    """Measure cases of processor-bound work alternately, `runs` times. A case is its work, and its number of items."""
    gc.collect()
    gc.freeze()  # so that the collector ignores the data of the benchmark
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in cases}
    for _ in range(runs):
        for name, (work, items) in cases.items():
            before = seconds_per_reference()
            seconds = per_item(work, items)
            times[name].append((seconds, seconds / statistics.mean((before, seconds_per_reference()))))
    gc.unfreeze()
    return {
        name: Measurement(
            statistics.median(seconds for seconds, _ in measured) * MICRO,
            statistics.median(references for _, references in measured),
        )
        for name, measured in times.items()
    }


def spread(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the median, the lowest and the highest value."""
    return statistics.median(values), min(values), max(values)


def percentile(values: Sequence[float], percent: float) -> float:
    """Return the value below which this percentage of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]
