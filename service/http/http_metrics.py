"""`/metrics`: what all processes that share a folder have counted, and what waits in the store now."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from functools import cache

from flask import Blueprint, Flask, Response, g, request
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import REGISTRY, Collector
from redis.exceptions import RedisError

from events.metrics import REQUESTS
from events.multiprocess_metrics import FOLDER
from events.store import keys
from events.store.errors import StoreUnavailable
from service.context import Services, services
from service.http.endpoint import ResponseSpec, endpoint

bp = Blueprint("metrics", __name__)

METHODS = {"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"}
"""The methods counted separately: one that somebody makes up must not become a series of its own."""


@endpoint(
    bp,
    "GET",
    "/metrics",
    summary="What is counted?",
    responses={200: ResponseSpec("Metrics in the text format of Prometheus.", str, CONTENT_TYPE_LATEST)},
)
def show_metrics() -> Response:
    """Return the metrics as Prometheus reads them."""
    gathered = CollectorRegistry()
    if os.environ.get(FOLDER):
        MultiProcessCollector(gathered)  # type: ignore[no-untyped-call]
    else:
        gathered.register(REGISTRY)
    gathered.register(StoreCollector(services()))
    return Response(generate_latest(gathered), content_type=CONTENT_TYPE_LATEST)


class StoreCollector(Collector):
    """Metrics of what waits in the store at this moment; none while it is away."""

    def __init__(self, house: Services) -> None:
        self._house = house

    def collect(self) -> Iterable[Metric]:
        """Ask the store."""
        now = time.time_ns() // 1_000_000
        store = self._house.games.store
        try:
            oldest = [store.oldest_unprojected(shard) for shard in range(keys.SHARDS)]
            waiting = None if self._house.queue is None else self._house.queue.count
        except (StoreUnavailable, RedisError):
            return
        behind = [now - since for since in oldest if since is not None]
        yield GaugeMetricFamily(
            "croupier_projection_lag_seconds", "Age of the oldest change not projected", max(behind, default=0) / 1000
        )
        if waiting is not None:
            yield GaugeMetricFamily("croupier_queue_depth", "Jobs that wait", waiting)


def register(app: Flask) -> None:
    """Measure every request of an app except streams."""

    @app.after_request
    def measure(answer: Response) -> Response:
        if not answer.is_streamed:
            route = str(request.url_rule or "-")
            method = request.method if request.method in METHODS else "other"
            _times(method, route, answer.status_code).observe(time.perf_counter() - g.began)
        return answer


@cache
def _times(method: str, route: str, status: int) -> Histogram:
    return REQUESTS.labels(method, route, status)
