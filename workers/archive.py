"""The archive: the log of a game that is over is packed and verified, and then replaces its stream."""

from __future__ import annotations

from events.games.participants import players
from events.store import keys
from workers import resources
from workers.retries import for_each

REST = 60_000
"""Milliseconds for which a game keeps its stream after it has ended, for those who still listen."""

DAY = 24 * 3600 * 1000


def archive(*games: str) -> None:
    """Job: archive some games that are over. Running it twice is harmless."""
    for_each(games, archive_game, "archive")


def archive_game(game: str) -> None:
    """Archive a game that is over. If its log has grown meanwhile, or is broken, this fails and is retried later."""
    resources.store().pack_away(game)
    resources.store().end_rest(game)


def rested(now: int) -> list[str]:
    """Return the games to be archived at `now` (milliseconds since the epoch), each to one caller at a time."""
    return list(resources.store().to_ask_for("archive", now - REST, now))


def drop_old(now: int) -> int:
    """Delete archived games that ended more than `keep_days` ago (none if it is not set); return how many."""
    days = resources.settings().keep_days
    if days is None:
        return 0
    dropped = 0
    for shard in range(keys.SHARDS):
        for game in resources.store().archived_before(shard, now - days * DAY):
            drop(game)
            dropped += 1
    return dropped


def drop(game: str) -> None:
    """Delete a game and remove it from all lists. Safe to repeat, even after an attempt that was cut short."""
    store = resources.store()
    rulebook = store.meta(game).get("rulebook")
    if rulebook is not None:
        resources.lists().drop(game, rulebook, players(store, game))
    store.delete(game)
