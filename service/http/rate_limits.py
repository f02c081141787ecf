"""Limits on how often callers may send requests. A refusal says when to try again.

There are two limits. Every request counts against its token or, without a valid one, its address, in the memory
of the process that answers, so that a command needs no extra round trip to the store. Requests that create something
count against the address in the store, for all processes together. `service.http.quota` limits open games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, request
from flask_limiter import Limiter, RateLimitExceeded
from flask_limiter.util import get_remote_address

from events.store.connection import CLUSTER
from games.kernel import msg
from service.http.auth import valid_bearer
from service.http.limits import Limits
from service.http.problems import Problem, problem_response

DEFAULT_PORT = 6379


def register(app: Flask, redis_url: str | None, limits: Limits, creating: Collection[str]) -> None:
    """Limit the requests of an app. `creating` has the names of the endpoints that create something."""
    rate = FixedWindow(limits.requests_per_second)

    @app.before_request
    def count_request() -> None:
        if not rate.hit(client_key()):
            raise too_many_requests(1)

    per_minute = f"{limits.creations_per_minute} per minute"
    limiter = Limiter(
        get_remote_address,
        **_storage(redis_url),
        in_memory_fallback=[per_minute],
        in_memory_fallback_enabled=True,
        swallow_errors=True,
        key_prefix="{limits}",
    )
    app.extensions["limiter"] = {limiter}  # it counts where it is called, not before every request
    limiter.init_app(app)

    @limiter.shared_limit(per_minute, scope="creating")
    def count_creation() -> None:
        """Count a request that creates something."""

    @app.before_request
    def count_if_creating() -> None:
        if request.endpoint in creating:
            count_creation()

    app.register_error_handler(RateLimitExceeded, lambda error: problem_response(too_many_requests(60)))


def _storage(url: str | None) -> dict[str, Any]:
    """Return the options of the limiter's storage, which has its own schemes for `unix://` and for clusters."""
    scheme, _, rest = (url or "memory://").partition("://")
    if scheme == "unix":
        return {"storage_uri": f"redis+unix://{rest}"}
    if scheme.endswith(CLUSTER):
        node = urlsplit(f"//{rest}")
        host = f"[{node.hostname}]" if ":" in (node.hostname or "") else node.hostname
        return {
            "storage_uri": f"redis+cluster://{host}:{node.port or DEFAULT_PORT}",
            "storage_options": {"url": f"{scheme.removesuffix(CLUSTER)}://{rest}"},
        }
    return {"storage_uri": f"{scheme}://{rest}"}


class FixedWindow:
    """Allows each caller at most `limit` requests per second, counted in the memory of this process."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._since = 0.0
        self._hits: Counter[str] = Counter()

    def hit(self, key: str) -> bool:
        """Count a request; return whether it is still within the rate."""
        now = monotonic()
        if now - self._since >= 1:
            self._since = now
            self._hits.clear()
        self._hits[key] += 1
        return self._hits[key] <= self._limit


def client_key() -> str:
    """Identify the caller: by the bearer of the token, however it is spelt, or without a valid one by the address."""
    bearer = valid_bearer()
    return get_remote_address() if bearer is None else f"{bearer.holder} of {bearer.game}, {bearer.token_epoch}"


def too_many_requests(seconds: int) -> Problem:
    """Return the problem of a caller who may try again after so many seconds."""
    return Problem("too-many-requests", msg("try again in {seconds} s", seconds=seconds), {"Retry-After": str(seconds)})
