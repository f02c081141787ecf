"""The projector: maintains what can be derived from the logs, so that no request has to compute it."""

from __future__ import annotations

from functools import partial

from events.games.repository import GameNotFound
from workers.resources import Resources
from workers.retries import for_each_game


def project(resources: Resources, *games: str) -> None:
    """Job: bring the snapshots and the lists up to date with the logs of some games."""
    for_each_game(resources, games, partial(project_game, resources), "project")


def project_game(resources: Resources, game: str) -> None:
    """Bring the snapshot and the lists up to date with the log of a game, repeating while the log grows."""
    try:
        while not resources.store.end_projection(game, project_once(resources, game)):
            pass
    except GameNotFound:
        resources.store.end_projection(game, 0)


def project_once(resources: Resources, game: str) -> int:
    """Bring everything up to date with the log as it is now; return the number of its last decision."""
    current = resources.games.read(game)
    session = current.session
    if not session.is_over:  # a log that is over is packed soon, and packed logs need no snapshot
        _update_snapshot(resources, game, current.game.number)
    resources.game_index.index(game, session, resources.games.people(game, session))
    if session.result is not None and session.created.visibility == "public":
        resources.ratings.update(current.rulebook.id)
    if session.is_over:
        resources.store.schedule_archive(game, current.game.at)
    return current.game.number


def _update_snapshot(resources: Resources, game: str, number: int) -> None:
    """Save a snapshot of a game if enough decisions were made since the last one."""
    snapshot = resources.store.snapshot(game)
    if number - (0 if snapshot is None else snapshot.number) >= resources.snapshot_every:
        resources.games.save_snapshot(game)
