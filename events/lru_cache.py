"""A cache of limited size, for what a process has read from the store."""

from __future__ import annotations

import contextlib
from collections import OrderedDict
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class LRUCache(Generic[Key, Value]):
    """Holds at most `max_entries` values, and drops the one that was used least recently.

    Threads may share it without a lock, unlike the caches of `cachetools`: each access is a single operation of
    `OrderedDict`, or copes with another thread having removed the entry meanwhile.
    """

    def __init__(self, max_entries: int) -> None:
        self._max_entries = max_entries
        self._entries: OrderedDict[Key, Value] = OrderedDict()

    def get(self, key: Key) -> Value | None:
        """Return a cached value, None if there is none."""
        value = self._entries.get(key)
        if value is not None:
            with contextlib.suppress(KeyError):  # another thread may have dropped it
                self._entries.move_to_end(key)
        return value

    def put(self, key: Key, value: Value) -> None:
        """Cache a value."""
        self._entries[key] = value
        with contextlib.suppress(KeyError):  # another thread may have dropped it
            self._entries.move_to_end(key)
            while len(self._entries) > self._max_entries:
                self._entries.popitem(last=False)

    def remove(self, key: Key) -> None:
        """Drop a value, if it is cached."""
        self._entries.pop(key, None)

    def clear(self) -> None:
        """Drop everything."""
        self._entries.clear()

    def keys(self) -> list[Key]:
        """Return the keys of all values, the one used least recently first."""
        return list(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, key: Key) -> bool:
        return key in self._entries
