"""Limits on how often and how much callers may ask. A temporary refusal says when to try again.

There are two kinds of rate. Every request counts against its token or, without a valid one, its address, in the memory
of the process that answers, so that a command needs no extra round trip to the store. Requests that create something
count against the address in the store, for all processes together. How many games may wait: `service.http.quota`.
"""

from __future__ import annotations

from collections import Counter
from time import monotonic
from typing import Any, cast
from urllib.parse import urlsplit

from flask import Flask, request
from flask_limiter import Limiter, RateLimitExceeded
from flask_limiter.util import get_remote_address

from events.settings import Settings
from events.store.connection import CLUSTER
from games.kernel import msg
from service.context import services
from service.http.problems import Problem, problem_response

REQUESTS_PER_SECOND = 200
"""The most requests per second from one token or address, in each process."""
CREATED_PER_MINUTE = 600
"""The most games created, seats taken and records audited per minute from one address, taken together."""
MAX_STREAMS = 10
"""The most open event streams of one token, or of one address without a token, in each process."""
DEFAULT_PORT = 6379

CREATING = {"games.create_game", "games.create_rematch", "seats.take_seat", "records.audit_upload"}


def register(app: Flask, settings: Settings) -> None:
    """Limit the requests of an app."""
    _limit_all(app)
    app.extensions["croupier"].broadcaster.most_streams = MAX_STREAMS
    shared = Limiter(
        get_remote_address,
        **_storage(settings.redis_url),
        in_memory_fallback=[f"{CREATED_PER_MINUTE} per minute"],
        in_memory_fallback_enabled=True,
        swallow_errors=True,
        key_prefix="{limits}",
    )
    app.extensions["limiter"] = {shared}  # it checks in the views that it limits, not before every request
    shared.init_app(app)
    for endpoint in CREATING & app.view_functions.keys():
        limit = shared.limit(f"{CREATED_PER_MINUTE} per minute", scope="creating")
        app.view_functions[endpoint] = cast("Any", limit(app.view_functions[endpoint]))
    app.register_error_handler(RateLimitExceeded, lambda error: problem_response(too_many_requests(60)))


def _storage(url: str | None) -> dict[str, Any]:
    """Options for the limiter's storage, which has its own scheme for `unix://`, and takes a node of a cluster."""
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


def _limit_all(app: Flask) -> None:
    rate = FixedWindow(REQUESTS_PER_SECOND)

    @app.before_request
    def count() -> None:
        if not rate.hit(client_key()):
            raise too_many_requests(1)


class FixedWindow:
    """Allows each caller at most `most` requests per second, counted in the memory of this process."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._since = 0.0
        self._asked: Counter[str] = Counter()

    def hit(self, who: str) -> bool:
        """Count a request; return whether it is still within the rate."""
        now = monotonic()
        if now - self._since >= 1:
            self._since = now
            self._asked.clear()
        self._asked[who] += 1
        return self._asked[who] <= self._most


def client_key() -> str:
    """Identify the caller: by the bearer of the token, however it is spelt, or without a valid one by the address."""
    bearer = services().tokens.peek(request)
    return get_remote_address() if bearer is None else f"{bearer.holder} of {bearer.game}, {bearer.token_epoch}"


def too_many_requests(seconds: int) -> Problem:
    """Return the problem of a caller who is to come again after so many seconds."""
    return Problem(
        "too-many-requests", msg("come again in {seconds} s", seconds=seconds), {"Retry-After": str(seconds)}
    )
