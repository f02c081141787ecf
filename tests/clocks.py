"""A clock for tests."""

from __future__ import annotations


class StoppedClock:
    """Stands still until a test moves it. In milliseconds since the epoch."""

    def __init__(self, now: int = 1_800_000_000_000) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now

    def pass_seconds(self, seconds: float) -> None:
        self.now += round(seconds * 1000)
