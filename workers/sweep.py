"""The sweep: finds lost projections. An alarm whose job was lost comes due again by itself; a projection does not.

Every worker process sweeps; what one of them requests, the others leave alone until its lease ends.
"""

from __future__ import annotations

import logging
import threading

import click
from redis.exceptions import RedisError

from events.cli_errors import exit_with_message
from events.games.commands import now_ms
from events.jobs.queue import ARCHIVE, PROJECT, enqueue
from events.store.errors import StoreUnavailable
from workers import archive, resources

log = logging.getLogger(__name__)

EVERY_SECONDS = 10.0
BATCH = 50  # games archived by one job
OVERDUE_MS = 10_000  # milliseconds after which a projection is taken for lost


def sweep() -> int:
    """Request every overdue projection again and return how many; also have games archived, and delete old ones."""
    asked = 0
    now = now_ms()
    for game in resources.store().claim("project", now - OVERDUE_MS, now):
        enqueue(resources.queue(), PROJECT, game)
        asked += 1
    resting = archive.due_for_archive(now)
    for start in range(0, len(resting), BATCH):
        enqueue(resources.queue(), ARCHIVE, *resting[start : start + BATCH])
    if dropped := archive.delete_expired(now):
        log.info("deleted %d old games", dropped)
    return asked


def run(stop: threading.Event) -> None:
    """Sweep at once and then every `EVERY_SECONDS`, until `stop` is set."""
    while not stop.is_set():
        try:
            if asked := sweep():
                log.info("asked again for %d projections", asked)
        except (StoreUnavailable, RedisError, OSError) as error:
            log.warning("the sweep cannot reach the store: %s", error)
        stop.wait(EVERY_SECONDS)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Ask once more for every job that was dropped; workers do so by themselves every ten seconds."""
    click.echo(f"asked again for {sweep()} projections")


if __name__ == "__main__":
    with exit_with_message():
        main()
