"""The settings of gunicorn, under the launcher and in a container.

gevent, because a thousand event streams are a thousand sleeping greenlets; keep-alive long enough for a client that
polls; a short graceful timeout, because subscribers resume where they stopped. gunicorn reads these settings from
module variables, so the environment is read on import.
"""

import gc
import os
import signal
from typing import Any

import gevent
from prometheus_client.multiprocess import mark_process_dead

from events.multiprocess_metrics import FOLDER, enable, process_label
from events.settings import read_settings

GC_THRESHOLD = 10_000  # net new objects before a collection; a request leaves few that only the collector can free

enable()  # the app, which declares the metrics, is imported later

_settings = read_settings(os.environ)

bind = f"[{_settings.host}]:{_settings.port}" if ":" in _settings.host else f"{_settings.host}:{_settings.port}"
workers = _settings.web_processes
worker_class = "gevent"
worker_connections = 4000
keepalive = 30  # seconds
graceful_timeout = 5  # seconds
control_socket_disable = True  # every gunicorn of a user would use the same path
proc_name = "croupier-web"


def post_fork(server: Any, worker: Any) -> None:
    """Let SIGTERM end a worker that is still starting: otherwise the signal is lost, and a shutdown hangs."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def post_worker_init(worker: Any) -> None:
    """On SIGTERM, end the event streams before the worker: their clients reconnect and resume where they were.

    Also freeze all objects that are loaded by now, and run the garbage collector less often.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD, 10, 10)
    services = worker.wsgi.extensions.get("croupier")
    if services is None:  # the bare app that benchmarks compare with
        return

    def end_streams_and_stop(signum: int, frame: Any) -> None:
        gevent.spawn(services.broadcaster.close)  # a signal handler must not wait for a lock
        worker.handle_exit(signum, frame)

    signal.signal(signal.SIGTERM, end_streams_and_stop)
    signal.siginterrupt(signal.SIGTERM, False)  # as gunicorn does


def child_exit(server: Any, worker: Any) -> None:
    """Forget the gauges of a worker that has ended."""
    if os.environ.get(FOLDER):
        mark_process_dead(process_label(worker.pid))  # type: ignore[no-untyped-call]
