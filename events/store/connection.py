"""Clients of the store, for commands and for listening, and the check that a server is fit to hold games."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeAlias
from urllib.parse import parse_qs, urlsplit

from redis import BlockingConnectionPool, Redis, RedisCluster
from redis.backoff import NoBackoff
from redis.exceptions import RedisClusterException, RedisError, ResponseError
from redis.maint_notifications import MaintNotificationsConfig
from redis.retry import Retry

from events.store import keys

Client: TypeAlias = Redis | RedisCluster

CONNECT_SECONDS = 5.0
ANSWER_SECONDS = 5.0
MAX_CONNECTIONS = 64
"""In a burst, greenlets wait for a free connection instead of opening hundreds of them."""
WAIT_SECONDS = 5.0

MIN_REDIS = (6, 2)
CLUSTER = "+cluster"


class IncompatibleStore(Exception):
    """The server cannot be trusted with games; the message says why in one sentence."""


class StoreUnreachable(IncompatibleStore):
    """The server does not answer, so nothing is known about it."""


def connect(url: str, answer_seconds: float = ANSWER_SECONDS) -> Client:
    """A client for commands, shared by all threads or greenlets of a process.

    It never resends a command by itself: a lost answer is an error, and only the caller knows what is safe
    to repeat. `url` is `redis://`, `rediss://` or `unix://`, or `redis+cluster://host:port`
    (`rediss+cluster://`) for Redis Cluster. A plain client connects when it is first used; a cluster is
    asked for its nodes at once. Raises `IncompatibleStore` when no node answers, or when the URL cannot be used.
    """
    return _client(url, answer_seconds)


def connect_listener(url: str) -> Client:
    """A client for blocking reads and pub/sub: it waits for an answer without a time limit.

    It does not reconnect by itself either: after an error, the listener must subscribe again and read what
    it missed.
    """
    return _client(url, None)


def check_server(client: Client) -> tuple[str, ...]:
    """Raise `IncompatibleStore` if the server must not hold games; return warnings about guarantees it does not give.

    Raises `StoreUnreachable` when it does not answer.

    Every primary of a cluster is checked. Records the number of shards at the first start, and refuses a
    store that was set up with a different number.
    """
    try:
        warnings = [warning for name, node in _nodes(client) for warning in _check_node(name, node)]
        _check_shards(client)
    except (RedisError, RedisClusterException, OSError) as error:
        raise StoreUnreachable(f"The store does not answer: {error}") from error
    return tuple(dict.fromkeys(warnings))


def version_fault(info: Mapping[str, Any]) -> str | None:
    """Why a server with this `INFO` is too old, or None. Valkey began at Redis 7.2: always new enough."""
    if "valkey_version" in info or info.get("server_name") == "valkey":
        return None
    version = str(info.get("redis_version", ""))
    numbers = re.match(r"(\d+)\.(\d+)", version)
    if numbers is None:
        return f"its version {version!r} is not one of Redis or Valkey"
    if (int(numbers[1]), int(numbers[2])) < MIN_REDIS:
        return f"it is Redis {version}, and 6.2 is the oldest that will do"
    return None


def _client(url: str, answer_seconds: float | None) -> Client:
    _refuse_options(url)
    scheme, _, rest = url.partition("://")
    options: dict[str, Any] = {
        "max_connections": MAX_CONNECTIONS,
        "timeout": WAIT_SECONDS,
        "socket_connect_timeout": CONNECT_SECONDS,
        "socket_timeout": answer_seconds,
        "socket_keepalive": True,
        "maint_notifications_config": MaintNotificationsConfig(enabled=False),
    }
    if scheme == "unix":
        del options["socket_keepalive"]
    try:
        if not scheme.endswith(CLUSTER):
            pool = BlockingConnectionPool.from_url(url, retry=Retry(NoBackoff(), 0), **options)
            return Redis.from_pool(pool)
        return RedisCluster(
            url=f"{scheme.removesuffix(CLUSTER)}://{rest}",
            connection_pool_class=BlockingConnectionPool,
            retry=Retry(NoBackoff(), 0),
            **options,
        )
    except ValueError as error:  # the URL itself is not repeated, it may hold a password
        raise IncompatibleStore(f"The URL of the store, {scheme}://..., cannot be used: {error}") from error
    except (RedisError, RedisClusterException, OSError) as error:
        raise IncompatibleStore(f"The cluster does not answer: {error}") from error


def _refuse_options(url: str) -> None:
    """Refuse options of a URL that would change the shape of answers."""
    for option in ("protocol", "decode_responses", "legacy_responses"):
        if option in parse_qs(urlsplit(url).query):
            raise IncompatibleStore(f"The URL of the store may not set {option!r}.")


def _nodes(client: Client) -> list[tuple[str, Redis]]:
    if isinstance(client, RedisCluster):
        primaries = client.get_primaries()  # type: ignore[no-untyped-call]
        return [(f"The store's node {node.name}", client.get_redis_connection(node)) for node in primaries]
    return [("The store", client)]


def _check_node(name: str, node: Redis) -> list[str]:
    info: dict[str, Any] = node.info()
    if fault := version_fault(info):
        raise IncompatibleStore(f"{name} is not fit: {fault}.")
    if info.get("role") == "slave":
        raise IncompatibleStore(f"{name} is a replica and takes no writes; give the address of its primary.")
    policy = info.get("maxmemory_policy", "noeviction")
    if policy != "noeviction":
        raise IncompatibleStore(f"{name} may evict games: its maxmemory-policy is {policy!r} and must be 'noeviction'.")
    if not info.get("aof_enabled"):
        return [f"{name} keeps no append-only file: games are lost when it stops (set 'appendonly yes')."]
    return _fsync_warnings(name, node)


def _fsync_warnings(name: str, node: Redis) -> list[str]:
    try:
        policy = node.config_get("appendfsync").get("appendfsync")
    except ResponseError:  # hosted servers often forbid CONFIG
        return [f"{name} does not tell its appendfsync; unless it is 'always', a crash may lose the last second."]
    if policy == "always":
        return []
    return [f"{name} has appendfsync {policy!r}, not 'always': if its machine crashes, commands are lost."]


def _check_shards(client: Client) -> None:
    client.set(keys.SHARDS_KEY, keys.SHARDS, nx=True)
    shards = int(client.get(keys.SHARDS_KEY) or 0)
    if shards != keys.SHARDS:
        raise IncompatibleStore(f"The store was begun with {shards} shards and this version has {keys.SHARDS}.")
