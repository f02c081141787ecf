"""The projector: keeps what can be rebuilt from the log, so that it need not be worked out when asked for."""

from __future__ import annotations

import logging

from events.games import UnknownGame
from workers import desk
from workers.standings import rate

log = logging.getLogger(__name__)

SNAPSHOT_EVERY = 100


def project(game: str) -> None:
    """Job: bring the snapshot and the lists up to date with the log of a game."""
    store = desk.games().store
    store.begin_projection(game)
    try:
        current = desk.games().read(game)
    except UnknownGame:
        return
    kept = store.snapshot(game)
    since = current.game.number - (0 if kept is None else kept.number)
    if since >= SNAPSHOT_EVERY:
        desk.games().save_snapshot(game)
    desk.lists().put(game, current.lobby, desk.games().people(game, current.lobby))
    if current.lobby.result is not None and current.lobby.created.visibility == "public":
        rate(current.rulebook.id)
    if current.lobby.status in ("finished", "closed"):
        desk.store().rest(game, current.game.at)
