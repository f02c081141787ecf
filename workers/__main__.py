"""`python -m workers`: one worker process. It runs the jobs of the queue and, in threads, the clock and the sweep."""

from __future__ import annotations

import logging
import os
import sys
import threading
from types import FrameType

import click
from redis import Redis
from rq import SimpleWorker
from rq.job import Job
from rq.serializers import JSONSerializer

from events.cli_errors import exit_with_message
from events.jobs.queue import JOBS, QUEUE
from events.metrics import JOBS_FAILED
from events.store.connection import connect, connect_listener
from events.store.log_store import LogStore
from events.store.startup_check import check_store
from workers import resources, sweep
from workers.alarms import AlarmLoop, ClaimHandOver

hand_over = ClaimHandOver()

JOIN_TIMEOUT_SECONDS = 0.5  # for each thread; unfinished work is picked up again once its lease ends


class AllowlistedJob(Job):
    """A job that is one of ours. The queue holds names of functions; any other name is refused."""

    @property
    def func(self):  # type: ignore[no-untyped-def]
        """The function to call; raises ValueError when it is not one of ours."""
        if self.func_name not in JOBS:
            raise ValueError(f"{self.func_name!r} is not a job of this worker")
        return super().func


class OurWorker(SimpleWorker):
    """Runs jobs in this process, and reconnects soon after the queue was away."""

    max_connection_wait_time = 1.0
    was_asked_to_stop = False

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        """Note that it is a signal, not a fault, that ends the loop."""
        self.was_asked_to_stop = True
        super().request_stop(signum, frame)  # type: ignore[no-untyped-call]


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Run the jobs of the queue, the clock and the sweep, until asked to stop. Settings are environment variables."""
    sys.exit(run())


def run() -> int:
    """Run until asked to stop; return the exit status."""
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s %(message)s", stream=sys.stdout)
    threading.excepthook = _exit_if_thread_dies
    url, _ = resources.settings().urls()
    check_store(resources.client())
    stop = threading.Event()
    timer = AlarmLoop(
        LogStore(connect(url)),
        lambda: connect_listener(url),
        hand_over=hand_over,
        is_held_up=hand_over.is_waiting,
    )
    beside = [
        threading.Thread(target=timer.run, args=(stop,), name="clock", daemon=True),
        threading.Thread(target=sweep.run, args=(stop,), name="sweep", daemon=True),
        threading.Thread(target=resources.downtime_log().run, args=(stop,), name="outages", daemon=True),
    ]
    for thread in beside:
        thread.start()
    logging.getLogger("workers").info("the clock runs; jobs are taken from the queue %r", QUEUE)
    asked_to_stop = _work()
    stop.set()
    for thread in beside:
        thread.join(JOIN_TIMEOUT_SECONDS)
    return 0 if asked_to_stop else 1


def our_worker() -> OurWorker:
    """Return a worker of the library, configured as we run it."""
    worker = OurWorker(
        [QUEUE],
        connection=Redis.from_url(resources.settings().urls()[1]),
        serializer=JSONSerializer,
        job_class=AllowlistedJob,
        worker_ttl=20,
        maintenance_interval=10,
    )
    worker.push_exc_handler(_count_failure)  # type: ignore[no-untyped-call]
    worker.log.setLevel(logging.WARNING)
    return worker


def _exit_if_thread_dies(fault: threading.ExceptHookArgs) -> None:
    """End this process when one of its loops fails: a worker without a clock would go unnoticed."""
    logging.getLogger("workers").critical("a loop failed", exc_info=fault.exc_value)
    logging.shutdown()
    os._exit(1)


def _count_failure(job: Job, *fault: object) -> bool:
    """Count a job that failed. The sweep, or the lease of an alarm, asks for it again."""
    JOBS_FAILED.labels(job.func_name).inc()
    logging.getLogger("workers").error("job %s failed", job.description, exc_info=fault)  # type: ignore[arg-type]
    return True


def _work() -> bool:
    """Run jobs; return True once a signal asks to stop, False if the library gave up and we are to be restarted."""
    worker = our_worker()
    worker.work(logging_level="WARNING")
    return worker.was_asked_to_stop


if __name__ == "__main__":
    with exit_with_message():
        main()
