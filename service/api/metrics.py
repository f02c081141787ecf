"""`/metrics`: the counts of all processes that share a folder, and what waits in the store now."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable

from flask import Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import REGISTRY, Collector
from redis.exceptions import RedisError
from rq import Queue

from events.multiprocess_metrics import FOLDER
from events.store import keys
from events.store.errors import StoreUnavailable
from events.store.log_store import LogStore
from service.context import services
from service.http.endpoint import ApiBlueprint, ResponseSpec, endpoint

bp = ApiBlueprint("metrics", url_prefix=None)


@endpoint(
    bp,
    "GET",
    "/metrics",
    operation="get_metrics",
    summary="Get the metrics",
    description="""Return the metrics in the format of Prometheus.""",
    responses={200: ResponseSpec("The metrics in the text format of Prometheus.", str, CONTENT_TYPE_LATEST)},
)
def get_metrics() -> Response:
    registry = CollectorRegistry()
    if os.environ.get(FOLDER):
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    else:
        registry.register(REGISTRY)
    registry.register(StoreCollector(services().games.store, services().queue))
    return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


class StoreCollector(Collector):
    """Metrics of what waits in the store now; none while the store is unavailable."""

    def __init__(self, store: LogStore, queue: Queue | None) -> None:
        self._store = store
        self._queue = queue

    def collect(self) -> Iterable[Metric]:
        """Read the metrics from store and queue."""
        now = time.time_ns() // 1_000_000
        try:
            oldest = [self._store.oldest_unprojected(shard) for shard in range(keys.SHARDS)]
            waiting = None if self._queue is None else self._queue.count
        except (StoreUnavailable, RedisError):
            return
        behind = [now - since for since in oldest if since is not None]
        yield GaugeMetricFamily(
            "croupier_projection_lag_seconds", "Age of the oldest change not projected", max(behind, default=0) / 1000
        )
        if waiting is not None:
            yield GaugeMetricFamily("croupier_queue_depth", "Jobs that wait", waiting)
