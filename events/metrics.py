"""Metrics: counted where things happen, in any process; the service's `/metrics` gathers them.

With `PROMETHEUS_MULTIPROC_DIR` set (the launcher and compose.yaml set it), all processes write to that folder. Programs
that may run in several containers first call `events.multiprocess_metrics.enable`.
"""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

COMMANDS = Counter("croupier_commands", "Answers to choices", ["rulebook", "outcome"])
CONFLICTS = Counter("croupier_conflicts_retried", "Appends that found a newer decision, and were decided again")
REQUESTS = Histogram(
    "croupier_request_seconds",
    "Time from a request to its answer",
    ["method", "route", "status"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5),
)
STREAMS = Gauge("croupier_open_streams", "Event streams that are open", multiprocess_mode="livesum")
ALARM_LATENESS = Histogram(
    "croupier_alarm_lateness_seconds",
    "How long after its time an alarm was fired",
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60),
)
JOBS_FAILED = Counter("croupier_jobs_failed", "Jobs that failed", ["job"])
