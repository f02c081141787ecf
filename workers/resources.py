"""What the jobs of one worker process share: its settings, its games, its queue."""

from __future__ import annotations

import os
from functools import cache

from rq import Queue

from events.games.commands import Games, now_in_milliseconds
from events.games.downtime import Outages
from events.jobs.queue import PROJECT, enqueue, open_queue
from events.lists.game_index import Lists
from events.settings import Settings, read_settings
from events.store.archiving_store import Logs
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
def lists() -> Lists:
    """Return the lists of games."""
    return Lists(client())


@cache
def store() -> Logs:
    """Return the store of this process."""
    return Logs(client())


@cache
def outages() -> Outages:
    """Return the outages that this process knows of."""
    return Outages(client(), now_in_milliseconds, credit=settings().credit_outages)


@cache
def games() -> Games:
    """Return the games as this process knows them."""
    return Games(
        store(),
        RULEBOOKS,
        plays_bots=True,
        outages=outages(),
        call_projector=lambda game: enqueue(queue(), PROJECT, game),
    )
