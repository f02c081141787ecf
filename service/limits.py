"""Limits: how often, how much and how many. What is refused for a time says when to come again.

Two kinds of rate: every request counts against its token, or, without one of ours, its address, in the memory of the
process that answers, so that a command costs no further trip to the store; what creates something counts against the
address in the store, for all processes together. How many games may wait: `service.open_games`.
"""

from __future__ import annotations

from collections import Counter
from time import monotonic
from typing import Any, cast
from urllib.parse import urlsplit

from flask import Flask, request
from flask_limiter import Limiter, RateLimitExceeded
from flask_limiter.util import get_remote_address

from events.connection import CLUSTER
from events.settings import Settings
from games.kernel import say
from service.house import house
from service.problems import Problem, document

REQUESTS_PER_SECOND = 200
"""Of one token or address, in each process."""
CREATED_PER_MINUTE = 600
"""Games created, seats taken and records audited from one address."""
STREAMS = 10
"""Event streams of one token, or of one address without a token, in each process."""
DEFAULT_PORT = 6379

CREATING = {"games.create_game", "games.play_again", "seats.take_a_seat", "records.audit_upload"}


def register(app: Flask, settings: Settings) -> None:
    """Limit the requests of an app."""
    _limit_all(app)
    app.extensions["croupier"].news.most_streams = STREAMS
    shared = Limiter(
        get_remote_address,
        **_storage(settings.redis_url),
        in_memory_fallback=[f"{CREATED_PER_MINUTE} per minute"],
        in_memory_fallback_enabled=True,
        swallow_errors=True,
        key_prefix="{limits}",
    )
    app.extensions["limiter"] = {shared}  # it asks at the views that it limits, not at every request
    shared.init_app(app)
    for endpoint in CREATING & app.view_functions.keys():
        limit = shared.limit(f"{CREATED_PER_MINUTE} per minute", scope="creating")
        app.view_functions[endpoint] = cast("Any", limit(app.view_functions[endpoint]))
    app.register_error_handler(RateLimitExceeded, lambda error: document(_too_many(60)))


def _storage(url: str | None) -> dict[str, Any]:
    """Where the limiter counts. It knows `unix://` by another name, and of the URL of a cluster no more than a node."""
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
    rate = Rate(REQUESTS_PER_SECOND)

    @app.before_request
    def count() -> None:
        if not rate.allows(who_asks()):
            raise _too_many(1)


class Rate:
    """So many requests a second of each who asks, counted in the memory of this process."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._since = 0.0
        self._asked: Counter[str] = Counter()

    def allows(self, who: str) -> bool:
        """Count a request; tell whether it is still within the rate."""
        now = monotonic()
        if now - self._since >= 1:
            self._since = now
            self._asked.clear()
        self._asked[who] += 1
        return self._asked[who] <= self._most


def who_asks() -> str:
    """Give whose token a request has, however it is spelt; without one of ours the address that it comes from."""
    bearer = house().tokens.known(request)
    return get_remote_address() if bearer is None else f"{bearer.place} of {bearer.game}, {bearer.generation}"


def _too_many(seconds: int) -> Problem:
    return Problem(
        "too-many-requests", say("come again in {seconds} s", seconds=seconds), {"Retry-After": str(seconds)}
    )
