"""The worker of the RQ library as we run it: it runs only listed jobs, and gives them what they share."""

from __future__ import annotations

import functools
import logging
from types import FrameType
from typing import Any

from redis import Redis
from rq import SimpleWorker
from rq.job import Job
from rq.serializers import JSONSerializer

from events.jobs.queue import JOBS, QUEUE
from events.metrics import JOBS_FAILED
from workers.resources import Resources


class AllowlistedJob(Job):
    """A job of the list `JOBS`. The queue holds names of functions; any other name is refused."""

    resources: Resources

    @property
    def func(self):  # type: ignore[no-untyped-def]
        """The function to call, with the resources as its first argument. Raises ValueError if it is not listed."""
        if self.func_name not in JOBS:
            raise ValueError(f"{self.func_name!r} is not a job of this worker")
        return functools.partial(super().func, self.resources)


class Worker(SimpleWorker):
    """Runs jobs in this process, and reconnects within a second after the queue was unreachable."""

    max_connection_wait_time = 1.0
    stop_requested = False
    resources: Resources

    def perform_job(self, job: Any, *args: Any, **kwargs: Any) -> bool:
        """Give the job the resources of this process, then run it."""
        job.resources = self.resources
        return super().perform_job(job, *args, **kwargs)

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        """Note that a signal ends the loop, not a failure."""
        self.stop_requested = True
        super().request_stop(signum, frame)  # type: ignore[no-untyped-call]


def build_worker(resources: Resources) -> Worker:
    """Return a worker of the library, configured as we run it."""
    worker = Worker(
        [QUEUE],
        connection=Redis.from_url(resources.settings.urls()[1]),
        serializer=JSONSerializer,
        job_class=AllowlistedJob,
        worker_ttl=20,
        maintenance_interval=10,
    )
    worker.resources = resources
    worker.push_exc_handler(_count_failure)  # type: ignore[no-untyped-call]
    worker.log.setLevel(logging.WARNING)
    return worker


def _count_failure(job: Job, *failure: object) -> bool:
    """Count a job that failed. The sweep, or the end of an alarm's lease, requests it again."""
    JOBS_FAILED.labels(job.func_name).inc()
    logging.getLogger("workers").error("job %s failed", job.description, exc_info=failure)  # type: ignore[arg-type]
    return True
