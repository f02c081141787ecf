"""Retries: a job that fails for one game goes on with the others, and retries that game at growing intervals."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable

from events.jobs.leases import Job
from events.store.errors import StoreUnavailable
from workers.resources import Resources

log = logging.getLogger(__name__)


def for_each_game(resources: Resources, games: Iterable[str], do: Callable[[str], None], job: Job) -> None:
    """Do a job for each of some games. If it fails for one, that game waits for its retry.

    Raises:
        StoreUnavailable: at once when the store is unreachable; then no game is blamed.
        Exception: the last failure, after all games.
    """
    failure: Exception | None = None
    for game in games:
        try:
            do(game)
        except StoreUnavailable:
            raise
        except Exception as error:
            delay = resources.leases.back_off(game, resources.clock(), job)
            log.exception("game %s: %r is tried again in %d s", game, job, delay // 1000)
            failure = error
        else:
            resources.leases.clear_failures(game, job)
    if failure is not None:
        raise failure
