"""What the jobs of one worker process share: its settings, its games, its queue."""

from __future__ import annotations

import os
from functools import cache

from rq import Queue

from events.games.commands import CommandHandler, now_ms
from events.games.downtime import DowntimeLog
from events.jobs.queue import PROJECT, enqueue, open_queue
from events.lists.game_index import GameIndex
from events.settings import Settings, read_settings
from events.store.archiving_store import ArchivingStore
from events.store.connection import Client, connect
from games.rulebooks import RULEBOOKS


@cache
def settings() -> Settings:
    """Return the settings of this process, read once. Raises BadSetting."""
    return read_settings(os.environ)


@cache
def queue() -> Queue:
    """Return the queue of this process."""
    return open_queue(settings().urls()[1])


@cache
def client() -> Client:
    """Return the client of the store of this process."""
    return connect(settings().urls()[0])


@cache
def game_index() -> GameIndex:
    """Return the lists of games."""
    return GameIndex(client())


@cache
def store() -> ArchivingStore:
    """Return the store of this process."""
    return ArchivingStore(client())


@cache
def downtime_log() -> DowntimeLog:
    """Return the outages that this process knows of."""
    return DowntimeLog(client(), now_ms, credit=settings().compensate_downtime)


@cache
def games() -> CommandHandler:
    """Return the games as this process knows them."""
    return CommandHandler(
        store(),
        RULEBOOKS,
        plays_bots=True,
        outages=downtime_log(),
        call_projector=lambda game: enqueue(queue(), PROJECT, game),
    )
