"""The archive: the log of a game that is over is packed and verified, and then replaces its stream."""

from __future__ import annotations

from functools import partial

from events.games.participants import player_refs
from events.store import keys
from workers.resources import Resources
from workers.retries import for_each_game

ARCHIVE_DELAY_MS = 60_000
"""A game keeps its stream this long after its end, for those who still listen."""

DAY_MS = 24 * 3600 * 1000


def archive(resources: Resources, *games: str) -> None:
    """Job: archive some games that are over. Running it twice is harmless."""
    for_each_game(resources, games, partial(archive_game, resources), "archive")


def archive_game(resources: Resources, game: str) -> None:
    """Archive a game that is over. If its log has grown meanwhile, or is broken, this fails and is retried later."""
    resources.store.archive_game(game)
    resources.store.finish_archive(game)


def due_for_archive(resources: Resources, now: int) -> list[str]:
    """Return the games to archive at `now` (milliseconds since the epoch). Each is claimed: one caller gets it."""
    return list(resources.leases.claim("archive", now - ARCHIVE_DELAY_MS, now))


def delete_expired(resources: Resources, now: int) -> int:
    """Delete archived games that ended more than `keep_days` ago (none if it is not set); return how many."""
    days = resources.settings.keep_days
    if days is None:
        return 0
    deleted = 0
    for shard in range(keys.SHARDS):
        for game in resources.store.archived_before(shard, now - days * DAY_MS):
            delete_game(resources, game)
            deleted += 1
    return deleted


def delete_game(resources: Resources, game: str) -> None:
    """Delete a game and remove it from all lists. Safe to repeat, even after an attempt that was interrupted."""
    rulebook = resources.store.meta(game).get("rulebook")
    if rulebook is not None:
        resources.game_index.drop(game, rulebook, player_refs(resources.store, game))
    resources.leases.forget(game)
    resources.store.delete(game)
