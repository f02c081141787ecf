"""Metrics of requests: how long each takes, by method, route and status."""

from __future__ import annotations

import time
from functools import cache

from flask import Flask, Response, g, request
from prometheus_client import Histogram

from events.metrics import REQUESTS

METHODS = {"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"}
"""The methods counted separately: one that somebody makes up must not become a series of its own."""


def register(app: Flask) -> None:
    """Measure every request of an app except streams."""

    @app.after_request
    def measure(response: Response) -> Response:
        if not response.is_streamed:
            route = str(request.url_rule or "-")
            method = request.method if request.method in METHODS else "other"
            _times(method, route, response.status_code).observe(time.perf_counter() - g.began)
        return response


@cache
def _times(method: str, route: str, status: int) -> Histogram:
    return REQUESTS.labels(method, route, status)
