"""The cache of limited size."""

from __future__ import annotations

from events.lru_cache import LRUCache


def test_the_value_used_least_recently_is_dropped_first() -> None:
    cache: LRUCache[str, int] = LRUCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    assert cache.get("a") == 1
    cache.put("c", 3)
    assert cache.keys() == ["a", "c"]
    assert cache.get("b") is None


def test_a_value_that_is_replaced_counts_as_used() -> None:
    cache: LRUCache[str, int] = LRUCache(2)
    for key, value in (("a", 1), ("b", 2), ("a", 3), ("c", 4)):
        cache.put(key, value)
    assert (cache.get("a"), cache.get("b"), cache.get("c"), len(cache)) == (3, None, 4, 2)


def test_a_removed_value_is_gone() -> None:
    cache: LRUCache[str, int] = LRUCache(2)
    cache.put("a", 1)
    cache.remove("a")
    cache.remove("b")
    assert "a" not in cache
