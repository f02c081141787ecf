"""The sweep: finds lost projections. An alarm whose job was lost comes due again by itself; a projection does not.

Every worker process sweeps. What one of them requests, the others leave alone until its lease ends.
"""

from __future__ import annotations

import logging
import os
import threading

import click
from redis.exceptions import RedisError

from events.cli_errors import exit_with_message
from events.jobs.queue import ARCHIVE, PROJECT, enqueue
from events.settings import read_settings
from events.store.errors import StoreUnavailable
from workers import archive
from workers.resources import Resources, open_resources

log = logging.getLogger(__name__)

INTERVAL_SECONDS = 10.0
ARCHIVE_BATCH = 50  # games archived by one job
OVERDUE_MS = 10_000  # a projection that has waited longer counts as lost


def sweep(resources: Resources) -> int:
    """Request every overdue projection again and return how many. Also have games archived, and delete old ones."""
    requested = 0
    now = resources.clock()
    for game in resources.leases.claim("project", now - OVERDUE_MS, now):
        enqueue(resources.queue, PROJECT, game)
        requested += 1
    due = archive.due_for_archive(resources, now)
    for start in range(0, len(due), ARCHIVE_BATCH):
        enqueue(resources.queue, ARCHIVE, *due[start : start + ARCHIVE_BATCH])
    if deleted := archive.delete_expired(resources, now):
        log.info("deleted %d old games", deleted)
    return requested


def run(resources: Resources, stop: threading.Event) -> None:
    """Sweep at once and then every `INTERVAL_SECONDS`, until `stop` is set."""
    while not stop.is_set():
        try:
            if requested := sweep(resources):
                log.info("requested %d projections again", requested)
        except (StoreUnavailable, RedisError, OSError) as error:
            log.warning("the sweep cannot reach the store: %s", error)
        stop.wait(INTERVAL_SECONDS)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Request all lost jobs again. Workers do this by themselves every ten seconds."""
    requested = sweep(open_resources(read_settings(os.environ)))
    click.echo(f"requested {requested} projections again")


if __name__ == "__main__":
    with exit_with_message():
        main()
