"""Turns: the commands of a game are decided one after another within a process.

Without them, those that come together would all be decided on the same state, and all but one in vain.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

LANES = 1024
"""Games share so many locks. Two that share one wait for each other now and then, which does no harm."""

PATIENCE_SECONDS = 1.0
"""Whoever has waited so long goes on: the store is slow, and the log itself tells who came too late."""


class Turns:
    """Lets one caller at a time through for each game, mostly."""

    def __init__(self) -> None:
        self._lanes = [threading.Lock() for _ in range(LANES)]

    @contextmanager
    def of(self, game: str) -> Iterator[None]:
        """Wait for one's turn in a game, and hold it for as long as the block lasts."""
        lane = self._lanes[hash(game) % LANES]
        is_mine = lane.acquire(timeout=PATIENCE_SECONDS)
        try:
            yield
        finally:
            if is_mine:
                lane.release()
