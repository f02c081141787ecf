"""The projector: keeps what can be rebuilt from the log, so that it need not be worked out when asked for."""

from __future__ import annotations

import logging

from events.reading import UnknownGame
from events.snapshots import SNAPSHOT_EVERY
from workers import desk
from workers.standings import rate
from workers.trying import for_each

log = logging.getLogger(__name__)


def project(*games: str) -> None:
    """Job: bring the snapshots and the lists up to date with the logs of some games."""
    for_each(games, project_game, "project")


def project_game(game: str) -> None:
    """Bring the snapshot and the lists up to date with the log of a game, and again while it goes on."""
    try:
        while not desk.store().end_projection(game, project_once(game)):
            pass
    except UnknownGame:
        desk.store().end_projection(game, 0)


def project_once(game: str) -> int:
    """Bring everything up to date with the log as it is now; give the number of its last decision."""
    current = desk.games().read(game)
    lobby = current.lobby
    if not lobby.is_over:  # its log is packed soon, and a packed log is read without one
        _keep_snapshot(game, current.game.number)
    desk.lists().put(game, lobby, desk.games().people(game, lobby))
    if lobby.result is not None and lobby.created.visibility == "public":
        rate(current.rulebook.id)
    if lobby.is_over:
        desk.store().rest(game, current.game.at)
    return current.game.number


def _keep_snapshot(game: str, number: int) -> None:
    """Keep a snapshot of a game when it has gone on far enough since the last one."""
    kept = desk.store().snapshot(game)
    if number - (0 if kept is None else kept.number) >= SNAPSHOT_EVERY:
        desk.games().save_snapshot(game)
