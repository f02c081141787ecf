"""Times as the contract writes them."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache


def rfc3339(milliseconds: int) -> str:
    """Write a time (milliseconds since the epoch) as RFC 3339 in UTC with milliseconds."""
    seconds, rest = divmod(milliseconds, 1000)
    return f"{_second(seconds)}.{rest:03d}Z"


@lru_cache
def _second(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def rfc3339_or_none(milliseconds: int | None) -> str | None:
    """Write a time, or None where there is none."""
    return None if milliseconds is None else rfc3339(milliseconds)
