"""The queue of jobs: small, named by game, safe to lose. Whatever a job should do can be seen from the log."""

from __future__ import annotations

from redis import Redis
from rq import Queue
from rq.serializers import JSONSerializer

QUEUE = "croupier"
RESULT_SECONDS = 0
FAILURE_SECONDS = 3600
JOB_SECONDS = 30

FIRE_ALARMS = "workers.alarms.fire_alarms"
PROJECT = "workers.project.project"
ARCHIVE = "workers.archive.archive"
JOBS = (FIRE_ALARMS, PROJECT, ARCHIVE)
"""Every job that a worker runs, by dotted name. A worker refuses any other."""


def open_queue(url: str) -> Queue:
    """Open the queue, with a client of its own: the library changes the timeouts of the one that it is given."""
    return Queue(QUEUE, connection=Redis.from_url(url), serializer=JSONSerializer)


def enqueue(queue: Queue, job: str, *games: str, first: bool = False) -> str:
    """Enqueue a job on some games, ahead of all others if `first`; return its id."""
    put = queue.enqueue(
        job,
        *games,
        result_ttl=RESULT_SECONDS,
        failure_ttl=FAILURE_SECONDS,
        job_timeout=JOB_SECONDS,
        description=" ".join(games),
        at_front=first,
    )
    return put.id


def is_waiting(queue: Queue, job: str) -> bool:
    """Is the job of this id still waiting for a worker to take it?"""
    return queue.connection.lpos(queue.key, job) is not None
