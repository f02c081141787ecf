"""One worker process: it runs jobs and, in threads, the alarms, the sweep and the heartbeat."""

from __future__ import annotations

import logging
import os
import sys
import threading

import click

from events.jobs.queue import QUEUE
from events.settings import read_settings
from events.startup_check import check_store
from events.store.connection import connect, connect_listener
from events.store.log_store import LogStore
from workers import sweep
from workers.alarms import AlarmLoop, ClaimHandOver
from workers.jobs import build_worker
from workers.resources import open_resources

JOIN_TIMEOUT_SECONDS = 0.5  # for each thread; unfinished work is picked up again once its lease ends


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Run the jobs of the queue, the alarms and the sweep, until a signal. Settings are environment variables."""
    sys.exit(run())


def run() -> int:
    """Run until a signal; return the exit status: 0 after a signal, 1 if the library gave up and wants a restart."""
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s %(message)s", stream=sys.stdout)
    threading.excepthook = _exit_if_thread_dies
    resources = open_resources(read_settings(os.environ))
    url, _ = resources.settings.urls()
    check_store(resources.client)
    stop = threading.Event()
    hand_over = ClaimHandOver(resources.queue)
    alarms = AlarmLoop(
        LogStore(connect(url)),
        lambda: connect_listener(url),
        hand_over=hand_over,
        is_blocked=hand_over.is_waiting,
    )
    loops = [
        threading.Thread(target=alarms.run, args=(stop,), name="alarms", daemon=True),
        threading.Thread(target=sweep.run, args=(resources, stop), name="sweep", daemon=True),
        threading.Thread(target=resources.downtime_log.run, args=(stop,), name="heartbeat", daemon=True),
    ]
    for thread in loops:
        thread.start()
    logging.getLogger("workers").info("alarms are watched; jobs are taken from the queue %r", QUEUE)
    worker = build_worker(resources)
    worker.work(logging_level="WARNING")
    stop.set()
    for thread in loops:
        thread.join(JOIN_TIMEOUT_SECONDS)
    return 0 if worker.stop_requested else 1


def _exit_if_thread_dies(failure: threading.ExceptHookArgs) -> None:
    """End this process when one of its loops fails: nobody would notice a worker that watches no alarms."""
    logging.getLogger("workers").critical("a loop failed", exc_info=failure.exc_value)
    logging.shutdown()
    os._exit(1)
