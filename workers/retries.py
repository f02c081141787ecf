"""Trying: a job that fails for one game goes on with the others, and retries that one at growing intervals."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable

from events.games.commands import now_in_milliseconds
from events.store.archiving_store import Job
from events.store.errors import StoreAway
from workers import resources

log = logging.getLogger(__name__)


def for_each(games: Iterable[str], do: Callable[[str], None], job: Job) -> None:
    """Do a job for each of some games. If it fails for one, it is put off for that one; the last failure is raised.

    If the store is away, that is no game's fault: `StoreAway` is raised at once.
    """
    failed: Exception | None = None
    for game in games:
        try:
            do(game)
        except StoreAway:
            raise
        except Exception as error:
            wait = resources.store().back_off(game, now_in_milliseconds(), job)
            log.exception("game %s: %r is tried again in %d s", game, job, wait // 1000)
            failed = error
        else:
            resources.store().recovered(game, job)
    if failed is not None:
        raise failed
