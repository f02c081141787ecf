"""Trying: a job that fails for one game goes on with the others, and that game is tried again later and later."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable

from events.games import now_in_milliseconds
from events.reaching import StoreAway
from workers import desk

log = logging.getLogger(__name__)


def for_each(games: Iterable[str], do: Callable[[str], None]) -> None:
    """Do something for each of some games. A game for which it fails is put off; the last failure is raised at the end.

    A store that is away is no fault of a game: it is raised at once.
    """
    failed: Exception | None = None
    for game in games:
        try:
            do(game)
        except StoreAway:
            raise
        except Exception as error:
            wait = desk.store().back_off(game, now_in_milliseconds())
            log.exception("game %s: tried again in %d s", game, wait // 1000)
            failed = error
        else:
            desk.store().recovered(game)
    if failed is not None:
        raise failed
