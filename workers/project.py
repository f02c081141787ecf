"""The projector: maintains what can be derived from the logs, so that it need not be computed on request."""

from __future__ import annotations

import logging

from events.games.repository import GameNotFound
from events.games.snapshots import SNAPSHOT_EVERY
from workers import resources
from workers.retries import for_each_game
from workers.standings import rate

log = logging.getLogger(__name__)


def project(*games: str) -> None:
    """Job: bring the snapshots and the lists up to date with the logs of some games."""
    for_each_game(games, project_game, "project")


def project_game(game: str) -> None:
    """Bring the snapshot and the lists up to date with the log of a game, repeating while the log grows."""
    try:
        while not resources.store().end_projection(game, project_once(game)):
            pass
    except GameNotFound:
        resources.store().end_projection(game, 0)


def project_once(game: str) -> int:
    """Bring everything up to date with the log as it is now; return the number of its last decision."""
    current = resources.games().read(game)
    lobby = current.session
    if not lobby.is_over:  # else its log is packed soon, and packed logs need no snapshot
        _keep_snapshot(game, current.game.number)
    resources.game_index().index(game, lobby, resources.games().people(game, lobby))
    if lobby.result is not None and lobby.created.visibility == "public":
        rate(current.rulebook.id)
    if lobby.is_over:
        resources.store().schedule_archive(game, current.game.at)
    return current.game.number


def _keep_snapshot(game: str, number: int) -> None:
    """Save a snapshot of a game if it has gone on far enough since the last one."""
    kept = resources.store().snapshot(game)
    if number - (0 if kept is None else kept.number) >= SNAPSHOT_EVERY:
        resources.games().save_snapshot(game)
