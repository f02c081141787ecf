"""What the jobs of one worker process share: its games, its queue."""

from __future__ import annotations

from functools import cache

from rq import Queue

from events.connection import Client, connect
from events.games import Games
from events.lists import Lists
from events.queue import PROJECT, enqueue, open_queue, queue_url, store_url
from events.store import Store
from games.rulebooks import RULEBOOKS


@cache
def queue() -> Queue:
    """Give the queue of this process."""
    return open_queue(queue_url())


@cache
def client() -> Client:
    """Give the client of the store of this process."""
    return connect(store_url())


@cache
def lists() -> Lists:
    """Give the lists of games."""
    return Lists(client())


@cache
def games() -> Games:
    """Give the games as this process knows them."""
    return Games(
        Store(client()), RULEBOOKS, plays_bots=True, call_projector=lambda game: enqueue(queue(), PROJECT, game)
    )
