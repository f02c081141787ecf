"""Trying: a job that fails for one game goes on with the others, and retries that one at growing intervals."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable

from events.games.commands import now_ms
from events.store.archiving_store import Job
from events.store.errors import StoreUnavailable
from workers import resources

log = logging.getLogger(__name__)


def for_each_game(games: Iterable[str], do: Callable[[str], None], job: Job) -> None:
    """Do a job for each of some games. If it fails for one, it is put off for that one; the last failure is raised.

    If the store is away, that is no game's fault: `StoreUnavailable` is raised at once.
    """
    failed: Exception | None = None
    for game in games:
        try:
            do(game)
        except StoreUnavailable:
            raise
        except Exception as error:
            wait = resources.store().back_off(game, now_ms(), job)
            log.exception("game %s: %r is tried again in %d s", game, job, wait // 1000)
            failed = error
        else:
            resources.store().clear_failures(game, job)
    if failed is not None:
        raise failed
